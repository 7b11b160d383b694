// Runs plans: the last step before a view. What is asked for is checked and
// shared out here, runs are the kernels'. (2,3) + (3) -> (2,3), in one call.
// Example:
//   const float a[] = {0, 1, 2, 3, 4, 5}, b[] = {10, 20, 30};
//   const int64_t a_shape[] = {2, 3}, b_shape[] = {3};
//   const TensorView inputs[] = {{DType::kF32, a_shape, a, sizeof a},
//                                {DType::kF32, b_shape, b, sizeof b}};
//   const Result<Tensor> sum = Apply(Op::kAdd, inputs);
//   assert(std::ranges::equal(
//       sum->as<float>(), std::array{10., 21., 32., 13., 24., 35.}));

#ifndef BROADLOOM_EXECUTE_H_
#define BROADLOOM_EXECUTE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/alignment.h"
#include "broadloom/internal/config.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/tensor.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// How a result is written. Streaming stores go past the caches: a line of the
// result need not be read before it is written, which saves up to a third of
// the memory traffic, but who reads the result next finds it in memory alone.
enum class StorePolicy : uint8_t {
  kAutomatic,  // as ChosenStores says
  kCached,
  kStreaming,  // where the target has such stores; never for packed results
};

struct RunOptions {
  StorePolicy stores = StorePolicy::kAutomatic;
  // Shares work of 2 * kLeastBytesAThread bytes and more among its threads;
  // null: the caller's thread alone. The result is the same, bit for bit, but
  // that a NaN computed from two NaNs may be the other of the two.
  const ParallelFor* parallel = nullptr;
};

// The policy that kAutomatic stands for: streaming from kStreamingBytes on.
[[nodiscard]] StorePolicy ChosenStores(const Plan& plan) noexcept;

// Runs `plan` on `inputs` into `outputs` (output_count() of them). Types and
// shapes must be the plan's; inputs may be strided. An output may be a dense
// input of the same shape and element width (in place); other overlap is
// refused before anything is written. Memory may have any alignment. The spare
// bits in the last byte of a packed result become 0. Errors: kArity, kDType,
// kLength (memory too short for its shape and strides), kIncompatible (a shape
// that is not the plan's; as many strides as axes are needed), kOverlap;
// kAllocation, which up to 4 operands of rank 8 cannot come about, since
// nothing is allocated. Complexity: elements of the results; the check for
// overlap sorts them. At most 64 KiB of stack a thread. How elements are
// computed is said by the operator's row and by docs/divergences.md, "Numbers".
[[nodiscard]] Status Run(
    const Plan& plan, std::span<const TensorView> inputs,
    std::span<const MutableTensorView> outputs, const RunOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// Runs a part of the plan: the cells of the result in `box`, one range for each
// axis, into outputs of the box's shape. Of the inputs only elements that feed
// those cells are read (in WebAssembly also gaps between them). Whatever boxes
// a result is made of, it is the same, bit for bit (of a NaN made of two NaNs,
// which one it is may differ). Errors: those of Run; kExtent when the box has
// another rank than the result (kSize) or is not inside it (kOutOfRange).
// Example: rows 10 to 12 of the result (1000,8) of `plan`, into one of (2,8):
//   const IndexRange box[] = {{10, 12}, {0, 8}};
//   float rows[16];
//   const Extents shape{2, 8};
//   const MutableTensorView output{DType::kF32, shape, rows, sizeof rows};
//   const Status ran = RunRegion(plan, box, inputs, {&output, 1});
//   assert(ran);
[[nodiscard]] Status RunRegion(
    const Plan& plan, std::span<const IndexRange> box,
    std::span<const TensorView> inputs,
    std::span<const MutableTensorView> outputs, const RunOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The options of Apply: the rule (by default the operator's own, see
// DefaultRule) with its options, and the operator's attributes.
struct ApplyOptions {
  std::optional<Rule> rule = std::nullopt;
  std::optional<int64_t> axis = std::nullopt;
  std::optional<ShapeView> target_shape = std::nullopt;
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  OpAttributes attributes = {};
  RunOptions run = {};
};

// From shapes to the plan in one step: CheckOperator, Align, Plan::Make.
// Errors: theirs, in that order. Complexity and allocation: theirs. Example:
//   const DType types[] = {DType::kF32, DType::kF32};
//   const Extents a{2, 3};
//   const Extents b{3};
//   const ShapeView shapes[] = {a, b};
//   const Result<Plan> plan = MakePlan(Op::kAdd, shapes, types);
//   assert(plan->output_bytes() == 24);
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

// The same into memory of the caller's own. Nothing is allocated up to rank 8
// and 4 operands. Errors: those of MakePlan and Run, in the same order.
[[nodiscard]] Status Apply(
    Op op, std::span<const TensorView> inputs, const MutableTensorView& output,
    const ApplyOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The SIMD target that kernels run on here: "AVX3_DL", "NEON", "WASM", ...
[[nodiscard]] std::string_view ActiveTarget() noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXECUTE_H_
