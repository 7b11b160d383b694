// An alignment made ready to run: the operator's kernel for the element types
// at hand, the loops that compute the result, and how they are cut into runs
// (internal/nest.h and internal/schedule.h, which explains the choice).
//
// A plan is immutable: keep it, run it any number of times, share it between
// threads.

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
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

namespace kernels {
struct Kernel;
}
struct ApplyOptions;

// Whether `op` can be asked for at all: kUnknown when there is no such operator
// (kOp) or rule (kRule), or when it does not take `rule` (kRule, too),
// kArity when it does not take so many operands, kAttribute when an attribute
// is not its own, missing or wrong, kDType when `to` is a type that is not
// computed with. Allocates nothing. Example:
//   const Status asked = CheckOperator(Op::kAdd, Rule::kSonnx, 2, {});
//   assert(asked.error().error_class == ErrorClass::kUnknown);
//   assert(asked.error().detail == Detail::kRule);
[[nodiscard]] Status CheckOperator(Op op, Rule rule, size_t operands,
                                   const OpAttributes& attributes) noexcept;

class Plan {
 public:
  // Not defaulted, since that would have a Result<Plan> zeroed first.
  Plan() noexcept {}

  // Makes a plan for `op` on operands of the given types, aligned by
  // `alignment`. Errors, the first of this order: those of CheckOperator;
  // kDType (a type the operator does not take, or types that have to agree and
  // do not); the alignment's own; kOverflow; kAllocation.
  //
  // Complexity: rank times operands. Allocates nothing up to rank 8 and 4
  // operands.
  [[nodiscard]] static Result<Plan> Make(
      Op op, const Alignment& alignment, std::span<const DType> dtypes,
      const OpAttributes& attributes = {},
      const Allocator& allocator = DefaultAllocator()) noexcept;

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
  // 1; under a rule that returns each operand (sonnx) one for each of them, of
  // its type.
  [[nodiscard]] size_t output_count() const noexcept { return outputs_; }
  [[nodiscard]] ShapeView output_shape() const noexcept {
    return {extents_.data(), rank_};
  }
  [[nodiscard]] DType output_dtype(size_t output = 0) const noexcept {
    return outputs_ < 2 ? output_dtype_ : operands_[output].dtype;
  }

  // Bytes of a dense operand, and of a result.
  [[nodiscard]] uint64_t operand_bytes(size_t operand) const noexcept {
    return operands_[operand].bytes;
  }
  [[nodiscard]] uint64_t output_bytes(size_t output = 0) const noexcept {
    return operands_[output].output_bytes;
  }
  // Elements from one index of the result's axis `axis` to the next in the
  // operand: 0 where it repeats. `strides` are the operand's own, one an axis;
  // none: it is dense.
  [[nodiscard]] int64_t StrideAlong(
      size_t operand, size_t axis,
      std::span<const int64_t> strides = {}) const noexcept {
    const Walk& walk = walks_[axis * operands_.size() + operand];
    if (strides.empty() || walk.source_axis == kAbsent) return walk.stride;
    return strides[static_cast<size_t>(walk.source_axis)];
  }
  // The loops over dense operands, and how they are cut. With several outputs
  // all operands walk the same loops; each of them is run by itself.
  [[nodiscard]] const Work& work() const noexcept { return work_; }
  [[nodiscard]] const kernels::Kernel* kernel(
      size_t output = 0) const noexcept {
    if (outputs_ > 1) return operands_[output].kernel;
    return kernel_;
  }
  // Equal for equal plans. Blocks keep the fingerprint of their plan, and
  // RunBlock compares the two.
  [[nodiscard]] uint64_t fingerprint() const noexcept { return fingerprint_; }

 private:
  template <class File>
  friend class Planner;
  friend Result<Plan> MakePlan(Op op, std::span<const ShapeView> shapes,
                               std::span<const DType> dtypes,
                               const ApplyOptions& options,
                               const Allocator& allocator) noexcept;

  // As Make, after CheckOperator.
  static Result<Plan> MakeChecked(Op op, const Alignment& alignment,
                                  std::span<const DType> dtypes,
                                  const OpAttributes& attributes,
                                  const Allocator& allocator) noexcept;

  struct Operand {
    uint64_t bytes;
    uint64_t output_bytes;  // of the output that has its number, if there is
    size_t begin;           // of its extents
    size_t rank;
    DType dtype;
    const kernels::Kernel* kernel;  // likewise
  };
  // How an operand is walked along an axis of the result.
  struct Walk {
    int64_t stride;       // of a dense operand; 0 where it repeats
    int32_t source_axis;  // the operand's own, or kAbsent where it repeats
  };

  Op op_ = Op::kBroadcast;
  Rule rule_ = Rule::kNone;
  DType output_dtype_ = DType::kBool;  // where there is one
  Taken<size_t> outputs_;
  Taken<size_t> rank_;
  Taken<const kernels::Kernel*> kernel_;
  InlineArray<Operand, kInlineOperands> operands_;
  // Of the result, then of the operands, one after the other.
  InlineArray<int64_t, kInlineRank*(kInlineOperands + 1)> extents_;
  // Axis by axis, as the loops are made, one for each operand.
  InlineArray<Walk, kInlineRank * kInlineOperands> walks_;
  Work work_;
  Taken<uint64_t> fingerprint_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PLAN_H_
