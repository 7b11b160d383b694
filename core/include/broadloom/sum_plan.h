// A sum back to an operand's shape (sum_to.h), made ready to run: which axes
// are summed, the loops over the input, and the order in which its elements are
// added. Training sums gradients of the same shapes in each step: with a plan
// that is made once, the shapes are not aligned again.
//
// A plan is immutable: keep it, run it any number of times, share it between
// threads. Example:
//   const Extents shape{2, 3};
//   const Extents row{3};
//   const Result<SumPlan> plan = SumPlan::Make(DType::kF32, shape, row);
//   const float gradient[] = {0, 1, 2, 3, 4, 5};
//   float sums[3];
//   const Status ran = plan->Run(
//       {DType::kF32, shape, gradient, sizeof gradient},
//       MutableTensorView{DType::kF32, row, sums, sizeof sums});
//   assert(ran);
//   assert(std::ranges::equal(sums, std::array{3., 5., 7.}));

#ifndef BROADLOOM_SUM_PLAN_H_
#define BROADLOOM_SUM_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/internal/config.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

namespace kernels {
struct SumKernel;
}

// The rule by which the summed shape broadcasts to the input's, and its
// options. Under rules with a target (broadcast_numpy, bidirectional, explicit)
// the summed shape is the data and the input's shape the target; under all
// others the input's shape is operand A and the summed shape B.
struct SumToOptions {
  Rule rule = Rule::kBroadcastNumpy;
  std::optional<int64_t> axis = std::nullopt;
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  // The threads of SumTo, as SumRunOptions has them. A plan does not keep them.
  const ParallelFor* parallel = nullptr;
};

struct SumRunOptions {
  // Inputs of twice kLeastBytesAThread and more are shared among its threads;
  // null: the caller's thread alone. The sums are the same, bit for bit.
  const ParallelFor* parallel = nullptr;
};

class SumPlan {
 public:
  // Not defaulted, for the reason given at Plan().
  SumPlan() noexcept {}

  // Makes a plan to sum tensors of type `dtype` and shape `input` to `shape`.
  // `strides` are those of the inputs that will be summed, as in a TensorView;
  // empty: they are dense. Inputs with other strides can be summed as well, but
  // their loops are made in each call of Run.
  //
  // Errors, the first of this order: kUnknown (rule), kArity (a rule of one
  // operand), kAttribute, kExtent, kDType (kUnsupported: bool, 8-bit floats and
  // packed types are not summed; kNotBuilt); kIncompatible with detail kStrides
  // (as many strides as axes are needed); those of an alignment, which names
  // the two shapes as SumToOptions does; kIncompatible also where the shapes
  // broadcast to another shape than the input's, since the input stretches;
  // kOverflow; kAllocation.
  //
  // Complexity: the square of the rank. Aligns the shapes once. Allocates
  // nothing up to rank 8. Example:
  //   const Extents shape{2, 3};
  //   assert(SumPlan::Make(DType::kF32, shape, Extents{3}));
  //   assert(!SumPlan::Make(DType::kF32, shape, Extents{4}));
  [[nodiscard]] static Result<SumPlan> Make(
      DType dtype, ShapeView input, ShapeView shape,
      const SumToOptions& options = {}, std::span<const int64_t> strides = {},
      const Allocator& allocator = DefaultAllocator()) noexcept;

  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] Rule rule() const noexcept { return rule_; }
  [[nodiscard]] ShapeView input_shape() const noexcept {
    return {values_.data(), rank_};
  }
  [[nodiscard]] ShapeView output_shape() const noexcept {
    return values_.view().subspan(3 * rank_);
  }
  // Bytes of a dense input, and of the output.
  [[nodiscard]] uint64_t input_bytes() const noexcept { return input_bytes_; }
  [[nodiscard]] uint64_t output_bytes() const noexcept { return output_bytes_; }

  // Sums `input` into `output`. Both may be strided, and have the plan's type
  // and shapes, and any alignment.
  //
  // Integers wrap. f16, bf16, f32 and c64 are summed in f64 and rounded once;
  // f64 and c128 carry the rounding errors along, so that the sum is as if
  // computed in twice the precision. Infinities and NaN come out as from a
  // plain sum. A sum of -0 alone is -0, a sum of no elements 0. The order of
  // additions is a function of the shapes, the strides and the type: results
  // are the same bits for any number of threads, and on every SIMD target.
  //
  // Errors, the first of this order, each of the input before the output's:
  // kArity for a plan that was never made; kDType; kIncompatible (a shape that
  // is not the plan's); kIncompatible (kStrides) and kLength (memory too short
  // for its shape and strides); kOverlap (kStrides: of the output with itself);
  // kAllocation. Nothing has been written then. The output may lie exactly on
  // an input of the same shape, of which it is a copy, and between the input's
  // elements; other overlap is refused. Complexity: elements of the input, each
  // of which is read once. Allocates nothing up to rank 8, nor for sums of
  // inputs with the plan's strides, except for outputs that are not dense:
  // their sums are computed in memory of their own first. Less than 64 KiB of
  // stack a thread.
  [[nodiscard]] Status Run(
      const TensorView& input, const MutableTensorView& output,
      const SumRunOptions& options = {},
      const Allocator& allocator = DefaultAllocator()) const noexcept;

  // The same into a new tensor. Errors: the same, and those of
  // Tensor::Allocate.
  [[nodiscard]] Result<Tensor> Run(
      const TensorView& input, const SumRunOptions& options = {},
      const Allocator& allocator = DefaultAllocator()) const noexcept;

  // The sums of one block of a larger input, unrounded: see partial_sums.h.
  // `sums` has PartialSumBytes(dtype(), output_shape()) bytes, of any
  // alignment. Errors: those of Run about the input; kLength (kMemory) when
  // `sums` has another size; kOverlap when it overlaps the input; kAllocation.
  // Nothing has been written then. Allocates nothing up to rank 8, nor for
  // inputs with the plan's strides; where no axis is summed, a copy of an input
  // that is not dense. Example:
  //   const Extents shape{2, 3};
  //   const Extents row{3};
  //   const Result<SumPlan> plan = SumPlan::Make(DType::kF32, shape, row);
  //   const float block[] = {0, 1, 2, 3, 4, 5};
  //   std::vector<std::byte> sums(*PartialSumBytes(DType::kF32, row));
  //   const Status ran = plan->RunPartially(
  //       {DType::kF32, shape, block, sizeof block}, sums);
  //   assert(ran);
  [[nodiscard]] Status RunPartially(
      const TensorView& input, std::span<std::byte> sums,
      const SumRunOptions& options = {},
      const Allocator& allocator = DefaultAllocator()) const noexcept;

 private:
  friend class SumStream;

  // What the elements of the output are: sums; where no axis is summed, copies
  // of the input's; where the input has no elements, 0.
  enum class Kind : uint8_t { kZero, kCopied, kSummed };

  // Of a sum, for one choice of the input's strides.
  struct Loops {
    LoopNest nest;  // of input and output
    SumOrder order;
  };

  [[nodiscard]] Status MakeHere(DType dtype, ShapeView input, ShapeView shape,
                                const SumToOptions& options,
                                std::span<const int64_t> strides,
                                const Allocator& allocator) noexcept;
  // These three are false when memory is refused. Take fills the record in,
  // with what has been checked.
  [[nodiscard]] bool Take(const Alignment& alignment, DType dtype,
                          ShapeView input, ShapeView shape,
                          std::span<const int64_t> strides,
                          const Allocator& allocator) noexcept;
  [[nodiscard]] bool MakeLoops(ShapeView strides, Loops& loops,
                               const Allocator& allocator) const noexcept;
  // The same for the strides of an input.
  [[nodiscard]] bool MakeLoopsOf(const TensorView& input, Loops& loops,
                                 const Allocator& allocator) const noexcept;
  [[nodiscard]] bool CopyOrderOfDense(
      SumOrder& order, const Allocator& allocator) const noexcept;
  [[nodiscard]] Status CheckMade() const noexcept;
  [[nodiscard]] Status CheckInput(const TensorView& input) const noexcept;
  [[nodiscard]] Status Check(const TensorView& input,
                             const MutableTensorView& output,
                             const Allocator& allocator) const noexcept;
  // Computes the sums in memory of their own, then copies them.
  [[nodiscard]] Status RunToDenseFirst(
      const TensorView& input, const MutableTensorView& output,
      const SumRunOptions& options, const Allocator& allocator) const noexcept;
  [[nodiscard]] bool HasPlannedStrides(const TensorView& input) const noexcept;
  // False when memory is refused.
  [[nodiscard]] bool RunOtherStrides(const TensorView& input, void* output,
                                     const SumRunOptions& options,
                                     const Allocator& allocator) const noexcept;
  void RunLoops(const Loops& loops, const TensorView& input, void* output,
                const SumRunOptions& options) const noexcept;

  // The planned strides of the input, and those of the dense output along its
  // axes: 0 along what is summed. In elements.
  [[nodiscard]] ShapeView input_strides() const noexcept {
    return values_.view().subspan(rank_, rank_);
  }
  [[nodiscard]] ShapeView output_strides() const noexcept {
    return values_.view().subspan(2 * rank_, rank_);
  }

  DType dtype_ = DType::kF32;
  Rule rule_ = Rule::kBroadcastNumpy;
  Kind kind_ = Kind::kZero;
  bool dense_ = true;                        // the planned strides
  Taken<const kernels::SumKernel*> kernel_;  // null: never made
  Taken<size_t> rank_;                       // of the input
  Taken<uint64_t> input_bytes_;
  Taken<uint64_t> output_bytes_;
  // One after the other: the input's extents and strides, the output's strides
  // along the input's axes, the output's extents.
  InlineArray<int64_t, kInlineRank * kInlineOperands> values_;
  Loops loops_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_PLAN_H_
