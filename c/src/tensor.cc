#include "tensor.h"

#include <expected>
#include <optional>
#include <utility>

#include "arguments.h"
#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "dlpack_loan.h"
#include "error.h"
#include "handle.h"
#include "vocabulary.h"

namespace broadloom_c {

CResult<bl_tensor*> MakeTensor(Tensor tensor,
                               const Allocator& allocator) noexcept {
  return MakeHandle<bl_tensor>(allocator, std::move(tensor), DlpackLoan(),
                               bl_tensor_view{});
}

bl_tensor_view ViewOf(const bl_tensor& tensor) noexcept {
  if (tensor.loan.has_tensor()) return tensor.loan_view;
  // A handle is constant, the elements of its tensor are not.
  void* const data = const_cast<void*>(tensor.own.data());
  return ViewOf(tensor.own.view(), data, 0);
}

namespace {

CResult<bl_tensor*> AllocateTensor(bl_dtype dtype, const bl_shape* shape,
                                   const bl_allocator* given) {
  const CResult<Allocator> allocator = AllocatorOf(given);
  if (!allocator) return Failed(allocator.error());
  const std::optional<DType> type = DTypeOf(dtype);
  if (!type) return FailedNumber("dtype", dtype, BL_DETAIL_DTYPE);
  if (shape == nullptr) return FailedNull("shape");
  const CResult<ShapeView> extents =
      ReadList(*shape, "shape->values", "shape->count");
  if (!extents) return Failed(extents.error());
  Result<Tensor> tensor = Tensor::Allocate(*type, *extents, *allocator);
  if (!tensor) return Failed(tensor.error());
  return MakeTensor(std::move(*tensor), *allocator);
}

CStatus WriteView(const bl_tensor* tensor, bl_tensor_view* view) {
  if (tensor == nullptr) return FailedNull("tensor");
  if (view == nullptr) return FailedNull("view");
  *view = ViewOf(*tensor);
  return {};
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

bl_error_class bl_tensor_allocate(bl_dtype dtype, const bl_shape* shape,
                                  const bl_allocator* allocator,
                                  bl_tensor** tensor, bl_error* error) {
  return Give(tensor, "tensor", error,
              [&] { return AllocateTensor(dtype, shape, allocator); });
}

void bl_tensor_free(bl_tensor* tensor) { FreeHandle(tensor); }

bl_error_class bl_tensor_get_view(const bl_tensor* tensor, bl_tensor_view* view,
                                  bl_error* error) {
  return Call(error, [&] { return WriteView(tensor, view); });
}

}  // extern "C"
