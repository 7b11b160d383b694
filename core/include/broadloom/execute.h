// Runs plans: the last step before a view. Outer loops are here, rows are the
// kernels'. (2,3) + (3) -> (2,3), in one call:
//
//   const float a[] = {0, 1, 2, 3, 4, 5}, b[] = {10, 20, 30};
//   const int64_t a_shape[] = {2, 3}, b_shape[] = {3};
//   const TensorView inputs[] = {{DType::kF32, a_shape, a, sizeof a},
//                                {DType::kF32, b_shape, b, sizeof b}};
//   Result<Tensor> sum = Apply(Op::kAdd, inputs);
//   // (*sum).as<float>() is 10 21 32 13 24 35

#ifndef BROADLOOM_EXECUTE_H_
#define BROADLOOM_EXECUTE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/tensor.h"

namespace broadloom {
inline namespace v1 {

// Runs `plan` on `inputs` into `outputs` (output_count() of them). Types and
// shapes must be the plan's. An output may be an input of the same shape and
// element width (in place); other overlap is refused before anything is
// written. The spare bits in the last byte of a packed result become 0.
// Errors: kArity, kDType, kLength, kIncompatible (a shape that is not the
// plan's), kOverlap; kAllocation, which up to 4 operands cannot come about,
// since nothing is allocated. Complexity: elements of the results; the check
// for overlap sorts them. How elements are computed is said by the operator's
// row and by docs/divergences.md, "Numbers".
[[nodiscard]] Status Run(
    const Plan& plan, std::span<const TensorView> inputs,
    std::span<const MutableTensorView> outputs,
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The options of Apply: the rule (by default the operator's own, see
// DefaultRule) with its options, and the operator's attributes.
struct ApplyOptions {
  std::optional<Rule> rule = std::nullopt;
  std::optional<int64_t> axis = std::nullopt;
  std::optional<ShapeView> target_shape = std::nullopt;
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  OpAttributes attributes = {};
};

// From shapes to the plan in one step: CheckOperator, Align, Plan::Make.
// Errors: theirs, in that order. Complexity and allocation: theirs. Example:
//   const DType types[] = {DType::kF32, DType::kF32};
//   const ShapeView shapes[] = {a_shape, b_shape};
//   Result<Plan> plan = MakePlan(Op::kAdd, shapes, types);
[[nodiscard]] Result<Plan> MakePlan(
    Op op, std::span<const ShapeView> shapes, std::span<const DType> dtypes,
    const ApplyOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// Computes `op` into a new tensor. For operators with one output; Broadcast
// under sonnx has several and is run through a plan. Errors: those of
// MakePlan, Tensor::Allocate and Run, the first in the order of ErrorClass up
// to kLength.
[[nodiscard]] Result<Tensor> Apply(
    Op op, std::span<const TensorView> inputs, const ApplyOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The SIMD target that kernels run on here: "AVX3_DL", "NEON", "WASM", ...
[[nodiscard]] std::string_view ActiveTarget() noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXECUTE_H_
