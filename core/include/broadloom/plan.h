// An alignment made ready to run: the operator's kernel for the element types
// at hand, the loops that compute the result (nest.h), and how they are cut
// into runs (schedule.h, which explains the choice).
//
// A plan is immutable: keep it, run it any number of times, share it between
// threads.

#ifndef BROADLOOM_PLAN_H_
#define BROADLOOM_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/memory.h"
#include "broadloom/nest.h"
#include "broadloom/result.h"
#include "broadloom/schedule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

namespace kernels {
struct Kernel;
}

enum class ShiftDirection : uint8_t { kLeft, kRight };

// The options of operators. One that the operator does not take is an error.
struct OpAttributes {
  std::optional<int64_t> fmod = std::nullopt;              // Mod: 0 or 1
  std::optional<ShiftDirection> direction = std::nullopt;  // BitShift
};

// Whether `op` can be asked for at all: kUnknown when it does not take `rule`,
// kArity when it does not take so many operands, kAttribute when an attribute
// is not its own, missing or wrong. Allocates nothing. Example:
// CheckOperator(Op::kAdd, Rule::kSonnx, 2, {}) is kUnknown with detail kRule.
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
  [[nodiscard]] size_t operand_count() const noexcept { return dtypes_.size(); }
  [[nodiscard]] DType dtype(size_t operand) const noexcept {
    return dtypes_[operand];
  }
  [[nodiscard]] ShapeView operand_shape(size_t operand) const noexcept {
    return extents_.view().subspan(begins_[operand],
                                   begins_[operand + 1] - begins_[operand]);
  }
  // 1, but for Broadcast under sonnx: one for each operand.
  [[nodiscard]] size_t output_count() const noexcept { return outputs_; }
  [[nodiscard]] ShapeView output_shape() const noexcept {
    return output_.view();
  }
  [[nodiscard]] DType output_dtype(size_t output = 0) const noexcept {
    return outputs_ == 1 ? output_dtype_ : dtypes_[output];
  }

  // Bytes of a dense operand, and of a result.
  [[nodiscard]] uint64_t operand_bytes(size_t operand) const noexcept {
    return bytes_[operand];
  }
  [[nodiscard]] uint64_t output_bytes(size_t output = 0) const noexcept {
    return bytes_[dtypes_.size() + output];
  }
  // Elements from one index of the result's axis `axis` to the next in the
  // operand: 0 where it repeats. `strides` are the operand's own, one an axis;
  // none: it is dense.
  [[nodiscard]] int64_t StrideAlong(
      size_t operand, size_t axis,
      std::span<const int64_t> strides = {}) const noexcept {
    const int32_t source = sources_[operand * output_.size() + axis];
    if (source < 0) return 0;
    const size_t at = static_cast<size_t>(source);
    return strides.empty() ? dense_[begins_[operand] + at] : strides[at];
  }
  // The loops over dense operands, and how they are cut. With several outputs
  // all operands walk the same loops; each of them is run by itself.
  [[nodiscard]] const LoopNest& nest() const noexcept { return nest_; }
  [[nodiscard]] const Schedule& schedule() const noexcept { return schedule_; }
  [[nodiscard]] const kernels::Kernel* kernel() const noexcept {
    return kernel_;
  }

 private:
  template <class File>
  friend class Planner;

  Op op_ = Op::kBroadcast;
  Rule rule_ = Rule::kNone;
  size_t outputs_ = 0;
  DType output_dtype_ = DType::kBool;  // where there is one
  const kernels::Kernel* kernel_ = nullptr;
  Shape output_;
  InlineArray<DType, kInlineOperands> dtypes_;
  InlineArray<int64_t, kInlineRank * kInlineOperands> extents_;
  // Of each of those axes in a dense operand.
  InlineArray<int64_t, kInlineRank * kInlineOperands> dense_;
  InlineArray<size_t, kInlineOperands + 1> begins_;
  // Row by row: the operand's axis that the result's axis walks, or kAbsent.
  InlineArray<int32_t, kInlineRank * kInlineOperands> sources_;
  InlineArray<uint64_t, 2 * kInlineOperands> bytes_;
  LoopNest nest_;
  Schedule schedule_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PLAN_H_
