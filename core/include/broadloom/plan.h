// An alignment made ready to run: the operator's kernel for the element types
// at hand, and loops in which axes of extent 1 are gone and neighbouring axes
// that every operand walks alike are one. (8,64,56,56) + (64,1,1) runs as
// three loops: 8 x 64 x 3136, strides (200704,3136,1) and (0,1,0).
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
#include "broadloom/result.h"
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
  Plan() noexcept = default;

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
  [[nodiscard]] ShapeView operand_shape(size_t operand) const noexcept;
  // 1, but for Broadcast under sonnx: one for each operand.
  [[nodiscard]] size_t output_count() const noexcept { return outputs_; }
  [[nodiscard]] ShapeView output_shape() const noexcept {
    return output_.view();
  }
  [[nodiscard]] DType output_dtype(size_t output = 0) const noexcept;

  // The loops that are left, outermost first.
  [[nodiscard]] size_t loop_count() const noexcept { return loops_.size(); }
  [[nodiscard]] int64_t loop_extent(size_t loop) const noexcept {
    return loops_[loop];
  }
  // Elements from one step of the loop to the next; 0 where the operand
  // repeats.
  [[nodiscard]] int64_t stride(size_t operand, size_t loop) const noexcept {
    return strides_[operand * loops_.size() + loop];
  }
  [[nodiscard]] const kernels::Kernel* kernel() const noexcept {
    return kernel_;
  }

 private:
  friend class Planner;

  Op op_ = Op::kBroadcast;
  Rule rule_ = Rule::kNone;
  size_t outputs_ = 0;
  const kernels::Kernel* kernel_ = nullptr;
  Shape output_;
  InlineArray<DType, kInlineOperands> dtypes_;
  InlineArray<int64_t, kInlineRank * kInlineOperands> extents_;
  InlineArray<size_t, kInlineOperands + 1> begins_;
  Shape loops_;
  InlineArray<int64_t, kInlineRank * kInlineOperands> strides_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PLAN_H_
