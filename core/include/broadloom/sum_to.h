// The adjoint of broadcasting: what a gradient needs. A broadcast repeats an
// operand's elements into the result's shape; SumTo takes a tensor of the
// result's shape and gives the operand's shape back, each element the sum of
// all that were fed by it. (2,3) + (3) -> (2,3), and back. Example:
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

#ifndef BROADLOOM_SUM_TO_H_
#define BROADLOOM_SUM_TO_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// The rule by which the summed shape broadcasts to the input's, and its
// options. Under rules with a target (broadcast_numpy, bidirectional, explicit)
// the summed shape is the data and the input's shape the target; under all
// others the input's shape is operand A and the summed shape B.
struct SumToOptions {
  Rule rule = Rule::kBroadcastNumpy;
  std::optional<int64_t> axis = std::nullopt;
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  // Lent threads, used from 256 KiB of input on.
  const ParallelFor* parallel = nullptr;
};

// Whether tensors of type `dtype` and shape `input` can be summed to `shape`,
// without any data: what can be told before memory is asked for. Errors, the
// first of this order: kArity (a rule of one operand), kAttribute, kExtent,
// kDType (kUnsupported: bool, 8-bit floats and packed types are not summed);
// those of an alignment, which names the two shapes as SumToOptions does;
// kIncompatible also where the shapes broadcast to another shape than the
// input's, since the input stretches; kOverflow; kAllocation. Allocates as
// Align does. Example:
//   assert(CheckSumTo(DType::kF32, Extents{2, 3}, Extents{3}));
//   assert(!CheckSumTo(DType::kF32, Extents{2, 3}, Extents{4}));
[[nodiscard]] Status CheckSumTo(
    DType dtype, ShapeView input, ShapeView shape,
    const SumToOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// Sums `input`, which may be strided, into `output`, which has the same type
// and a shape that broadcasts to the input's. Both may have any alignment.
//
// Integers wrap. f16, bf16, f32 and c64 are summed in f64 and rounded once; f64
// and c128 carry the rounding errors along, so that the sum is as if computed
// in twice the precision. Infinities and NaN come out as from a plain sum. A
// sum of -0 alone is -0, a sum of no elements 0. The order of summation is a
// function of the shapes, the strides and the type: results are the same bits
// for any number of threads, and on every SIMD target.
//
// Errors: those of CheckSumTo, where kIncompatible with detail kStrides (as
// many strides as axes are needed) and kLength (the input, then the output)
// come before kRank and all after it; kDType with detail kOutput for an output
// of another type; kOverlap. The output may lie exactly on a dense input of the
// same shape, of which it is a copy; other overlap is refused. Nothing has been
// written then. Complexity: elements of the input, each read once. Needs no
// memory but the stack's, up to rank 8: less than 64 KiB.
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
