// A plan: an alignment made ready to run. It has the operator's kernel for the
// element types, and the loops that compute the result, cut into runs
// (internal/nest.h, internal/schedule.h).
//
// A plan is immutable. It may be kept, run any number of times, and shared
// between threads.

#ifndef BROADLOOM_PLAN_H_
#define BROADLOOM_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/attributes.h"
#include "broadloom/internal/config.h"
#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/operator.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

namespace kernels {
struct Kernel;
}
struct ApplyOptions;

class Plan {
 public:
  // Not defaulted: a Result<Plan> would then be set to zero first.
  Plan() noexcept {}

  // Makes a plan for `op` on aligned operands of the types `dtypes`. Errors, in
  // this order: those of CheckOperator; kDType (a type that the operator does
  // not take, or operands whose types must be equal and are not); the
  // alignment's error(); kOverflow; kAllocation. Complexity: rank times
  // operands. Allocates nothing up to rank 8 and 4 operands.
  [[nodiscard]] static Result<Plan> Make(
      Op op, const Alignment& alignment, std::span<const DType> dtypes,
      const OpAttributes& attributes = {},
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // The plan that computes only the elements of the result in `box`: its
  // operands have the shapes of the box's input regions (regions.h), its
  // results that of the box. It computes them as this plan does, bit for bit.
  // The boxes of a chunked result have few different sizes, and boxes whose
  // regions have equal shapes have equal plans. Errors: kArity (kOtherCount)
  // when this plan is empty; kExtent when the box is not inside the result (as
  // RunRegion); kAllocation. Complexity: rank times operands. Allocates nothing
  // up to rank 8 and 4 operands. Example, rows 10 to 12 of (1000,8) + (8):
  //   const IndexRange box[] = {{10, 12}, {0, 8}};
  //   const Result<Plan> rows = plan.Within(box);
  //   assert(rows->operand_shape(0)[0] == 2);
  //   assert(rows->operand_shape(1)[0] == 8);
  //   assert(rows->output_bytes() == 64);
  [[nodiscard]] Result<Plan> Within(
      std::span<const IndexRange> box,
      const Allocator& allocator = DefaultAllocator()) const noexcept;

  [[nodiscard]] Op op() const noexcept { return op_; }
  [[nodiscard]] Rule rule() const noexcept { return rule_; }
  [[nodiscard]] size_t operand_count() const noexcept {
    return operands_.size();
  }
  [[nodiscard]] DType dtype(size_t operand) const noexcept {
    return operands_[operand].dtype;
  }
  [[nodiscard]] ShapeView operand_shape(size_t operand) const noexcept {
    const Operand& it = operands_[operand];
    return {extents_.data() + it.begin, it.rank};
  }
  // The number of results: 1, or under a rule that returns each operand (sonnx)
  // one for each operand, of the operand's type.
  [[nodiscard]] size_t output_count() const noexcept { return outputs_; }
  [[nodiscard]] ShapeView output_shape() const noexcept {
    return {extents_.data(), rank_};
  }
  [[nodiscard]] DType output_dtype(size_t output = 0) const noexcept {
    return outputs_ < 2 ? output_dtype_ : operands_[output].dtype;
  }

  // The bytes of a dense operand, and of a result.
  [[nodiscard]] uint64_t operand_bytes(size_t operand) const noexcept {
    return operands_[operand].bytes;
  }
  [[nodiscard]] uint64_t output_bytes(size_t output = 0) const noexcept {
    return operands_[output].output_bytes;
  }
  // The operand's stride along axis `axis` of the result, in elements; 0 where
  // it repeats. `strides` are the strides of the operand's axes, none for a
  // dense operand.
  [[nodiscard]] int64_t StrideAlong(
      size_t operand, size_t axis,
      std::span<const int64_t> strides = {}) const noexcept {
    const AxisStep& step = steps_[axis * operands_.size() + operand];
    if (strides.empty() || step.source_axis == kAbsent) return step.stride;
    return strides[static_cast<size_t>(step.source_axis)];
  }
  // The loops over dense operands, and how they are cut into runs. With several
  // results each operand has the same loops, and is run by itself.
  [[nodiscard]] const Work& work() const noexcept { return work_; }
  [[nodiscard]] const kernels::Kernel* kernel(
      size_t output = 0) const noexcept {
    if (outputs_ > 1) return operands_[output].kernel;
    return kernel_;
  }
  // The operand's axis along axis `axis` of the result, or kAbsent where the
  // operand repeats.
  [[nodiscard]] int32_t SourceAxis(size_t operand, size_t axis) const noexcept {
    return steps_[axis * operands_.size() + operand].source_axis;
  }
  // Equal for equal plans. Blocks keep the fingerprint of their plan, and
  // RunBlock compares the two.
  [[nodiscard]] uint64_t fingerprint() const noexcept { return fingerprint_; }

 private:
  template <class File>
  friend class Planner;
  template <class File>
  friend class BoxPlanner;
  friend Result<Plan> MakePlan(Op op, std::span<const ShapeView> shapes,
                               std::span<const DType> dtypes,
                               const ApplyOptions& options,
                               const Allocator& allocator) noexcept;

  // Make without CheckOperator, which the caller has called.
  static Result<Plan> MakeChecked(Op op, const Alignment& alignment,
                                  std::span<const DType> dtypes,
                                  const OpAttributes& attributes,
                                  const Allocator& allocator) noexcept;

  // The fingerprint, of everything else in the plan.
  [[nodiscard]] uint64_t Hash() const noexcept;

  struct Operand {
    uint64_t bytes;
    uint64_t output_bytes;  // of the result with the same index, if any
    size_t begin;           // of its extents in extents_
    size_t rank;
    DType dtype;
    const kernels::Kernel* kernel;  // of the result with the same index, if any
  };
  // An operand's step along an axis of the result.
  struct AxisStep {
    int64_t stride;       // of a dense operand; 0 where it repeats
    int32_t source_axis;  // the operand's axis, or kAbsent where it repeats
  };

  Op op_ = Op::kBroadcast;
  Rule rule_ = Rule::kNone;
  DType output_dtype_ = DType::kBool;  // if there is one result
  Taken<size_t> outputs_;
  Taken<size_t> rank_;
  Taken<const kernels::Kernel*> kernel_;
  InlineArray<Operand, kInlineOperands> operands_;
  // The extents of the result, then those of each operand.
  InlineArray<int64_t, kInlineRank*(kInlineOperands + 1)> extents_;
  // For each axis of the result one step of each operand, in the order in which
  // the loops are made.
  InlineArray<AxisStep, kInlineRank * kInlineOperands> steps_;
  Work work_;
  Taken<uint64_t> fingerprint_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PLAN_H_
