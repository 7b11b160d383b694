// The adjoint of broadcasting, which a gradient needs. A broadcast repeats an
// operand's elements into the result's shape; SumTo takes a tensor of the
// result's shape and returns one of the operand's shape, each element of which
// is the sum of the elements that it was repeated to: (2,3) + (3) -> (2,3), and
// back. Example:
//   const float g[] = {0, 1, 2, 3, 4, 5};
//   const Extents shape{2, 3};
//   const TensorView gradient{DType::kF32, shape, g, sizeof g};
//   const Result<Tensor> of_b = SumTo(gradient, {3});
//   assert(std::ranges::equal(of_b->as<float>(), std::array{3., 5., 7.}));
//   const Result<Tensor> of_scalar = SumTo(gradient, {});
//   assert(of_scalar->as<float>()[0] == 15);
//
// Which axes are summed is read from the alignment of the two shapes: those
// along which the operand is stretched or has no axis. So every rule with its
// options has its adjoint.
//
// Where sums of the same shapes are computed again and again, keep a SumPlan
// (sum_plan.h). Where the input does not fit in memory, see SumStream
// (sum_stream.h).

#ifndef BROADLOOM_SUM_TO_H_
#define BROADLOOM_SUM_TO_H_

#include <cstdint>
#include <initializer_list>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/tensor.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Sums `input` into `output`, which has the same type and a shape that
// broadcasts to the input's; both may be strided: SumPlan::Make and Run in
// one call. Errors: theirs, in that order, with one exception: where the shapes
// do not fit and a tensor is wrong as well (the output's type, or memory that
// is too short for a shape), the tensor's error is returned, which explains
// more. Nothing has been written then. Aligns the shapes once. Allocates
// nothing up to rank 8 for a dense output.
[[nodiscard]] Status SumTo(
    const TensorView& input, const MutableTensorView& output,
    const SumToOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The same into a new tensor. Errors: the same, and those of Tensor::Allocate.
[[nodiscard]] Result<Tensor> SumTo(
    const TensorView& input, ShapeView shape, const SumToOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;
[[nodiscard]] inline Result<Tensor> SumTo(
    const TensorView& input, std::initializer_list<int64_t> shape,
    const SumToOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept {
  return SumTo(input, ShapeView(shape.begin(), shape.size()), options,
               allocator);
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_TO_H_
