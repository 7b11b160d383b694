// DLPack tensors in and out: "C API (dlpack.h)" of DLPack 1.1.

#include "broadloom/dlpack.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "arguments.h"
#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "broadloom/internal/arithmetic.h"
#include "dlpack_loan.h"
#include "error.h"
#include "handle.h"
#include "tensor.h"
#include "vocabulary.h"

namespace broadloom_c {
namespace {

constexpr uint32_t kMajor = 1;
constexpr uint32_t kMinor = 1;

// The element types that both have. u1 is none of them: its first element is
// in the highest bit of a byte, and DLPack's in the lowest.
struct TypeRow {
  DType dtype;
  uint8_t code;
  uint8_t bits;
};
constexpr TypeRow kTypes[] = {
    {DType::kBool, kDLBool, 8},
    {DType::kI8, kDLInt, 8},
    {DType::kI16, kDLInt, 16},
    {DType::kI32, kDLInt, 32},
    {DType::kI64, kDLInt, 64},
    {DType::kU8, kDLUInt, 8},
    {DType::kU16, kDLUInt, 16},
    {DType::kU32, kDLUInt, 32},
    {DType::kU64, kDLUInt, 64},
    {DType::kF16, kDLFloat, 16},
    {DType::kBF16, kDLBfloat, 16},
    {DType::kF32, kDLFloat, 32},
    {DType::kF64, kDLFloat, 64},
    {DType::kF8E4M3, kDLFloat8_e4m3fn, 8},
    {DType::kF8E5M2, kDLFloat8_e5m2, 8},
    {DType::kC64, kDLComplex, 64},
    {DType::kC128, kDLComplex, 128},
    {DType::kI4, kDLInt, 4},
    {DType::kU4, kDLUInt, 4},
};

constexpr std::optional<DType> DTypeOf(DLDataType type) {
  for (const TypeRow& row : kTypes) {
    if (row.code == type.code && row.bits == type.bits) return row.dtype;
  }
  return std::nullopt;
}

constexpr const TypeRow* RowOf(DType dtype) {
  for (const TypeRow& row : kTypes) {
    if (row.dtype == dtype) return &row;
  }
  return nullptr;
}

std::unexpected<bl_error> Faulty(bl_detail detail, int64_t value = 0,
                                 int64_t needed = 0) {
  return Failed(Fault{.detail = detail,
                      .argument = "managed",
                      .value = value,
                      .needed = needed});
}

// --- In ---------------------------------------------------------------------

// The elements that strides lead to, counted from the one at index (0,...,0):
// [begin, end). Errors: BL_DETAIL_DLPACK_ADDRESS.
struct Reach {
  int64_t begin = 0;
  int64_t end = 1;
};
CResult<Reach> ReachOf(ShapeView shape, const int64_t* strides) {
  Reach reach;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t last;
    if (OverflowsMultiply(shape[axis] - 1, strides[axis], last)) {
      return Faulty(BL_DETAIL_DLPACK_ADDRESS);
    }
    int64_t& edge = last < 0 ? reach.begin : reach.end;
    if (OverflowsAdd(edge, last, edge)) {
      return Faulty(BL_DETAIL_DLPACK_ADDRESS);
    }
  }
  return reach;
}

CResult<DType> CheckType(const DLTensor& tensor, uint64_t flags) {
  const DLDataType type = tensor.dtype;
  if (type.lanes != 1) {
    return Faulty(BL_DETAIL_DLPACK_LANES, type.lanes, 1);
  }
  const std::optional<DType> dtype = DTypeOf(type);
  if (!dtype) return Faulty(BL_DETAIL_DLPACK_TYPE, type.code, type.bits);
  if (type.bits < 8 &&
      (flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0) {
    return Faulty(BL_DETAIL_DLPACK_PADDED, type.bits);
  }
  return *dtype;
}

// Sets data, bytes and offset of the view, which has at least one element.
CStatus Place(const DLTensor& tensor, int bits, bl_tensor_view& view) {
  if (tensor.data == nullptr) return FailedNull("managed->dl_tensor.data");
  const ShapeView shape(view.shape.values, view.shape.count);
  Reach reach;
  if (view.strides != nullptr) {
    const CResult<Reach> found = ReachOf(shape, view.strides);
    if (!found) return Failed(found.error());
    reach = *found;
  } else {
    // Cannot fail: the elements have been counted.
    reach.end = CountElements(shape).value_or(0);
  }
  // Nothing has so many elements; so the arithmetic below does not overflow.
  if (reach.begin < INT64_MIN / 2) return Faulty(BL_DETAIL_DLPACK_ADDRESS);
  // The view begins at its lowest element, or at the first of that one's byte.
  const int64_t in_byte = bits < 8 ? 8 / bits : 1;
  int64_t before = -(reach.begin / in_byte) * in_byte;
  if (before < -reach.begin) before += in_byte;
  int64_t elements;
  uintptr_t first;
  uintptr_t end;
  if (OverflowsAdd(reach.end, before, elements) ||
      tensor.byte_offset > UINTPTR_MAX ||
      OverflowsAdd(reinterpret_cast<uintptr_t>(tensor.data),
                   static_cast<uintptr_t>(tensor.byte_offset), first)) {
    return Faulty(BL_DETAIL_DLPACK_ADDRESS);
  }
  const uint64_t bytes = BytesOfElements(elements, bits);
  const uint64_t bytes_before = BytesOfElements(before, bits);
  if (bytes > PTRDIFF_MAX || bytes_before > first ||
      OverflowsAdd(static_cast<uintptr_t>(first - bytes_before),
                   static_cast<uintptr_t>(bytes), end)) {
    return Faulty(BL_DETAIL_DLPACK_ADDRESS);
  }
  view.data = reinterpret_cast<void*>(first - bytes_before);
  view.bytes = static_cast<size_t>(bytes);
  view.offset = before;
  return {};
}

CResult<bl_tensor_view> ReadDlpack(const DLTensor& tensor, uint64_t flags) {
  if (tensor.device.device_type != kDLCPU) {
    return Faulty(BL_DETAIL_DLPACK_DEVICE, tensor.device.device_type, kDLCPU);
  }
  if (tensor.ndim < 0) return Faulty(BL_DETAIL_DLPACK_NDIM, tensor.ndim);
  const CResult<DType> dtype = CheckType(tensor, flags);
  if (!dtype) return Failed(dtype.error());
  const auto shape =
      ReadArray(tensor.shape, static_cast<size_t>(tensor.ndim),
                "managed->dl_tensor.shape", "managed->dl_tensor.ndim");
  if (!shape) return Failed(shape.error());
  const Result<int64_t> bytes = CountBytes(*shape, *dtype);
  if (!bytes) return Failed(bytes.error());

  const bool read_only = (flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
  bl_tensor_view view{.dtype = NumberOf(*dtype),
                      .flags = read_only ? uint32_t{BL_TENSOR_READ_ONLY} : 0,
                      .data = nullptr,
                      .bytes = 0,
                      .shape = ListOf(*shape),
                      .strides = tensor.strides,
                      .offset = 0};
  if (*bytes == 0) return view;  // no address is used
  const CStatus placed = Place(tensor, BitsOf(*dtype), view);
  if (!placed) return Failed(placed.error());
  return view;
}

// Makes a handle of a loan, or gives the loan back.
CResult<bl_tensor*> TakeLoan(DlpackLoan loan, const DLTensor& tensor,
                             uint64_t flags, const bl_allocator* given) {
  const CResult<Allocator> allocator = AllocatorOf(given);
  if (!allocator) return Failed(allocator.error());
  const CResult<bl_tensor_view> view = ReadDlpack(tensor, flags);
  if (!view) return Failed(view.error());
  return MakeHandle<bl_tensor>(*allocator, Tensor(), std::move(loan), *view);
}

CResult<bl_tensor*> Take(DlpackLoan loan,
                         const DLManagedTensorVersioned& managed,
                         const bl_allocator* allocator) {
  // Of another major version nothing behind the deleter can be read.
  if (managed.version.major != kMajor) {
    return Faulty(BL_DETAIL_DLPACK_VERSION, managed.version.major, kMajor);
  }
  return TakeLoan(std::move(loan), managed.dl_tensor, managed.flags, allocator);
}

CResult<bl_tensor*> Take(DlpackLoan loan, const DLManagedTensor& managed,
                         const bl_allocator* allocator) {
  return TakeLoan(std::move(loan), managed.dl_tensor, 0, allocator);
}

// The tensor is given back in any case, also where there is no place for the
// handle.
template <class Managed>
bl_error_class TakeManaged(Managed* managed, const bl_allocator* allocator,
                           bl_tensor** tensor, bl_error* error) {
  DlpackLoan loan(managed);
  return Give(tensor, "tensor", error, [&]() -> CResult<bl_tensor*> {
    if (managed == nullptr) return FailedNull("managed");
    return Take(std::move(loan), *managed, allocator);
  });
}

// --- Out --------------------------------------------------------------------

// A tensor that was given to another library. Extents and strides are behind it
// in the same memory.
template <class Managed>
struct Lent {
  Managed managed;
  bl_tensor* tensor;
  size_t bytes;
};

template <class Managed>
void DeleteLent(Managed* managed) {
  // A deleter may be called for null.
  if (managed == nullptr) return;
  Lent<Managed>* const lent = static_cast<Lent<Managed>*>(managed->manager_ctx);
  const Allocator allocator = lent->tensor->allocator;
  const size_t bytes = lent->bytes;
  FreeHandle(lent->tensor);
  allocator.deallocate(allocator.context, lent, bytes, kHandleAlignment);
}

DLTensor TensorOf(const bl_tensor_view& view, const TypeRow& type,
                  int64_t* extents, int64_t* strides) {
  const size_t rank = view.shape.count;
  std::copy_n(view.shape.values, rank, extents);
  if (view.strides != nullptr) {
    std::copy_n(view.strides, rank, strides);
  } else {
    ElementCount behind;
    for (size_t axis = rank; axis-- > 0;) {
      // Strides that overflow are those of a tensor without elements.
      strides[axis] = behind.overflow ? 0 : behind.count;
      behind.Times(extents[axis]);
    }
  }
  // The first element begins a byte, also where elements are packed.
  void* data = nullptr;
  if (view.data != nullptr && view.bytes != 0) {
    data = static_cast<char*>(view.data) +
           static_cast<ptrdiff_t>(BytesOfElements(view.offset, type.bits));
  }
  return {.data = data,
          .device = {kDLCPU, 0},
          .ndim = static_cast<int32_t>(rank),
          .dtype = {type.code, type.bits, 1},
          .shape = extents,
          .strides = strides,
          .byte_offset = 0};
}

void SetVersion(DLManagedTensorVersioned& managed, uint64_t flags) {
  managed.version = {kMajor, kMinor};
  managed.flags = flags;
}
void SetVersion(DLManagedTensor&, uint64_t) {}

template <class Managed>
CResult<Managed*> Lend(bl_tensor** handle, bool says_read_only) {
  if (handle == nullptr) return FailedNullResult("tensor");
  if (*handle == nullptr) return FailedNull("*tensor");
  bl_tensor* const tensor = *handle;
  const bl_tensor_view view = ViewOf(*tensor);
  const bool read_only = (view.flags & BL_TENSOR_READ_ONLY) != 0;
  if (read_only && !says_read_only) {
    return Failed(Fault{.detail = BL_DETAIL_READ_ONLY, .argument = "tensor"});
  }
  // The type is one of the library's.
  const std::optional<DType> dtype = broadloom_c::DTypeOf(view.dtype);
  const TypeRow* const type = dtype ? RowOf(*dtype) : nullptr;
  if (type == nullptr) {
    return Failed(Fault{.detail = BL_DETAIL_UNSUPPORTED, .argument = "tensor"});
  }
  const size_t rank = view.shape.count;  // at most BL_MOST_COUNT
  const size_t bytes = RoundUp(
      sizeof(Lent<Managed>) + 2 * rank * sizeof(int64_t), kHandleAlignment);
  const Allocator& allocator = tensor->allocator;
  void* const memory =
      allocator.allocate(allocator.context, bytes, kHandleAlignment);
  if (memory == nullptr) {
    return Failed(Error{.error_class = ErrorClass::kAllocation});
  }
  Lent<Managed>* const lent = new (memory) Lent<Managed>{};
  int64_t* const numbers = reinterpret_cast<int64_t*>(lent + 1);
  std::uninitialized_fill_n(numbers, 2 * rank, 0);
  lent->tensor = tensor;
  lent->bytes = bytes;
  lent->managed.dl_tensor = TensorOf(view, *type, numbers, numbers + rank);
  lent->managed.manager_ctx = lent;
  lent->managed.deleter = &DeleteLent<Managed>;
  SetVersion(lent->managed, read_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
  *handle = nullptr;
  return &lent->managed;
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

bl_error_class bl_tensor_from_dlpack(DLManagedTensorVersioned* managed,
                                     const bl_allocator* allocator,
                                     bl_tensor** tensor, bl_error* error) {
  return TakeManaged(managed, allocator, tensor, error);
}

bl_error_class bl_tensor_from_dlpack_legacy(DLManagedTensor* managed,
                                            const bl_allocator* allocator,
                                            bl_tensor** tensor,
                                            bl_error* error) {
  return TakeManaged(managed, allocator, tensor, error);
}

bl_error_class bl_tensor_to_dlpack(bl_tensor** tensor,
                                   DLManagedTensorVersioned** managed,
                                   bl_error* error) {
  return Give(managed, "managed", error,
              [&] { return Lend<DLManagedTensorVersioned>(tensor, true); });
}

bl_error_class bl_tensor_to_dlpack_legacy(bl_tensor** tensor,
                                          DLManagedTensor** managed,
                                          bl_error* error) {
  return Give(managed, "managed", error,
              [&] { return Lend<DLManagedTensor>(tensor, false); });
}

}  // extern "C"
