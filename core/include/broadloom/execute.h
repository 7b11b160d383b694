// Runs plans on tensors, and computes operators in one call. Example, which
// computes (2,3) + (3) -> (2,3):
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

// How a result is written. Streaming stores go past the caches. A cache line of
// the result then need not be read before it is written, which saves up to a
// third of the memory traffic; but the result is not in the cache afterwards.
enum class StorePolicy : uint8_t {
  kAutomatic,  // the policy that ChosenStores returns
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

// The policy that kAutomatic chooses: kStreaming for results of kStreamingBytes
// and more, unless they take the place of an operand.
[[nodiscard]] StorePolicy ChosenStores(const Plan& plan) noexcept;

// Runs `plan` on `inputs` into `outputs` (output_count() of them). Types and
// shapes must be those of the plan; inputs and outputs may be strided. An
// output may take the place of an input of the same shape, strides and element
// width, and may lie between the elements of one, as two columns of an array
// do. Any other overlap is an error, and nothing has been written then. Memory
// may have any alignment. The unused bits in the last byte of a packed result
// become 0, unless it has strides or an offset.
//
// The loops follow the memory of an output. So a transposed or reversed one is
// as fast as transposed or reversed inputs, and one whose innermost axis is
// consecutive, such as some rows and columns of an array, is nearly as fast as
// a dense one. Others are computed in a buffer in the first-level cache, from
// which their elements are copied.
//
// Errors:
//   kArity         another number of inputs or outputs than the plan has
//   kDType         another element type
//   kIncompatible  another shape, or another number of strides than of axes
//   kLength        memory that is too short for its shape and strides
//   kOverlap       an output that overlaps an input or another output; or
//                  itself (kStrides), where the magnitude of its stride
//                  `extent` along `operand_axis` is less than `other_extent`
//   kAllocation    memory was refused; up to 4 operands of rank 8 none is used
// Complexity: the number of elements of the results; several results are sorted
// by address. Uses at most 64 KiB of stack on each thread. docs/divergences.md,
// "Numbers", specifies how elements are computed.
[[nodiscard]] Status Run(
    const Plan& plan, std::span<const TensorView> inputs,
    std::span<const MutableTensorView> outputs, const RunOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// Computes the elements of the result in `box`, one range for each axis, into
// outputs of the box's shape. Only the elements of the inputs that they depend
// on are read (in WebAssembly also gaps between them). A result that is
// computed in boxes is the same, bit for bit, as one that is computed at once,
// but that a NaN computed from two NaNs may be the other of the two. Errors:
// those of Run; kExtent when the box has another rank than the result (kSize)
// or is not inside it (kOutOfRange). Example: rows 10 to 12 of the result
// (1000,8) of `plan`, into one of (2,8):
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

// The options of Apply: the rule (by default DefaultRule of the operator), its
// options, and the operator's attributes.
struct ApplyOptions {
  std::optional<Rule> rule = std::nullopt;
  std::optional<int64_t> axis = std::nullopt;
  std::optional<ShapeView> target_shape = std::nullopt;
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  Policy policy = {};
  std::span<const std::span<const std::string_view>> axis_names = {};
  OpAttributes attributes = {};
  RunOptions run = {};
};

// Makes a plan from shapes: CheckOperator, Align and Plan::Make in one call.
// Errors, complexity and allocation: those of the three, in that order.
// Example:
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

// Computes `op` into a new tensor. For one result only: Broadcast under sonnx
// has several, and is run with a plan. Errors: those of MakePlan,
// Tensor::Allocate and Run. Data that is too short (kLength) is reported rather
// than an error that comes later in the order of ErrorClass.
[[nodiscard]] Result<Tensor> Apply(
    Op op, std::span<const TensorView> inputs, const ApplyOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// Computes `op` into memory of the caller. Allocates nothing up to rank 8 and 4
// operands. Errors: those of MakePlan and Run, in the same order.
[[nodiscard]] Status Apply(
    Op op, std::span<const TensorView> inputs, const MutableTensorView& output,
    const ApplyOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The name of the SIMD target whose kernels this machine runs: "AVX3_DL",
// "NEON", "WASM", ...
[[nodiscard]] std::string_view ActiveTarget() noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXECUTE_H_
