#include "arguments.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "handle.h"
#include "sized.h"
#include "vocabulary.h"

namespace broadloom_c {

CResult<MutableTensorView> ReadOutput(const bl_tensor_view& view,
                                      const TensorNames& names,
                                      int32_t operand) noexcept {
  const std::optional<DType> dtype = DTypeOf(view.dtype);
  if (!dtype) {
    return FailedNumber(names.dtype, view.dtype, BL_DETAIL_DTYPE, operand);
  }
  const uint32_t unknown = view.flags & ~uint32_t{BL_TENSOR_READ_ONLY};
  if (unknown != 0) {
    return Failed(Fault{.detail = BL_DETAIL_FLAGS,
                        .argument = names.flags,
                        .operand = operand,
                        .value = unknown});
  }
  const CResult<ShapeView> shape =
      ReadList(view.shape, names.extents, names.rank, operand);
  if (!shape) return Failed(shape.error());
  if (view.data == nullptr && view.bytes != 0) {
    return FailedNull(names.data, operand);
  }
  if ((view.flags & BL_TENSOR_READ_ONLY) != 0) {
    return Failed(Fault{.detail = BL_DETAIL_READ_ONLY,
                        .argument = names.tensor,
                        .operand = operand});
  }
  MutableTensorView out{.dtype = *dtype,
                        .shape = *shape,
                        .data = view.data,
                        .bytes = view.bytes,
                        .offset = view.offset};
  if (view.strides != nullptr) out.strides = {view.strides, shape->size()};
  return out;
}

CResult<TensorView> ReadInput(const bl_tensor_view& view,
                              const TensorNames& names,
                              int32_t operand) noexcept {
  bl_tensor_view writable = view;
  writable.flags &= ~uint32_t{BL_TENSOR_READ_ONLY};
  const CResult<MutableTensorView> read = ReadOutput(writable, names, operand);
  if (!read) return Failed(read.error());
  return TensorView(*read);
}

bl_tensor_view ViewOf(const TensorView& view, void* data,
                      uint32_t flags) noexcept {
  return {.dtype = NumberOf(view.dtype),
          .flags = flags,
          .data = data,
          .bytes = view.bytes,
          .shape = ListOf(view.shape),
          .strides = view.strides.data(),
          .offset = view.offset};
}

CStatus RunSettings::Read(const bl_run_options* options) noexcept {
  const CResult<bl_run_options> given =
      ReadOptions(options, "options", "options->size");
  if (!given) return Failed(given.error());
  switch (given->stores) {
    case BL_STORES_AUTOMATIC:
      stores_ = StorePolicy::kAutomatic;
      break;
    case BL_STORES_CACHED:
      stores_ = StorePolicy::kCached;
      break;
    case BL_STORES_STREAMING:
      stores_ = StorePolicy::kStreaming;
      break;
    default:
      return FailedNumber("options->stores", given->stores, BL_DETAIL_STORES);
  }
  if (given->reserved != 0) {
    return Failed(Fault{.detail = BL_DETAIL_NEWER, .argument = "options"});
  }
  const CResult<Allocator> allocator = AllocatorOf(given->allocator);
  if (!allocator) return Failed(allocator.error());
  allocator_ = *allocator;
  if (given->parallel != nullptr) {
    if (given->parallel->run == nullptr) {
      return FailedNull("options->parallel->run");
    }
    parallel_ = {given->parallel->context, given->parallel->threads,
                 given->parallel->run};
    has_parallel_ = true;
  }
  return {};
}

namespace {

// Reads a list of tensors by `read`.
template <class View, class Read>
CStatus ReadEach(const bl_tensor_view* tensors, size_t count, const char* name,
                 const char* count_name, const TensorNames& names,
                 const Allocator& allocator, Views<View>& out, Read read) {
  const CResult<std::span<const bl_tensor_view>> given =
      ReadArray(tensors, count, name, count_name);
  if (!given) return Failed(given.error());
  if (!out.ResetForOverwrite(count, allocator)) {
    return Failed(Error{.error_class = ErrorClass::kAllocation});
  }
  for (size_t i = 0; i < count; ++i) {
    const CResult<View> view = read(tensors[i], names, static_cast<int32_t>(i));
    if (!view) return Failed(view.error());
    out[i] = *view;
  }
  return {};
}

}  // namespace

CStatus ReadInputs(const bl_tensor_view* inputs, size_t count,
                   const Allocator& allocator,
                   Views<TensorView>& out) noexcept {
  return ReadEach(inputs, count, "inputs", "input_count", kInputs, allocator,
                  out, ReadInput);
}

CStatus ReadOutputs(const bl_tensor_view* outputs, size_t count,
                    const Allocator& allocator,
                    Views<MutableTensorView>& out) noexcept {
  return ReadEach(outputs, count, "outputs", "output_count", kOutputs,
                  allocator, out, ReadOutput);
}

}  // namespace broadloom_c
