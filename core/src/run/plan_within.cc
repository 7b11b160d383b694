// The plan of a box of another plan's result: Within of plan.h.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"
#include "run/box.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {
namespace {

struct Here;

// The bytes of a dense tensor that is part of one whose bytes have been
// counted.
uint64_t BytesOf(ShapeView shape, DType dtype) {
  return static_cast<uint64_t>(CountBytes(shape, dtype).value_or(0));
}

}  // namespace

// A template for the reason given at Aligner.
template <class File>
class BoxPlanner {
 public:
  BoxPlanner(const Plan& whole, std::span<const IndexRange> box,
             const Allocator& allocator, Plan& plan)
      : whole_(whole), box_(box), allocator_(allocator), plan_(plan) {}

  Status Make() {
    if (Status made = CheckMade(whole_); !made) return made;
    if (Status checked = CheckBox(whole_, box_); !checked) return checked;
    if (!TakeWhole()) return Refused();
    TakeBox();
    const bool empty = IsEmpty(box_);
    for (size_t i = 0; i < plan_.operands_.size(); ++i) {
      if (!TakeRegion(i, empty)) return Refused();
    }
    if (!MakeLoops()) return Refused();
    plan_.fingerprint_ = plan_.Hash();
    return {};
  }

 private:
  Status Refused() const {
    return std::unexpected(
        PlanError(whole_, ErrorClass::kAllocation, kOutputOperand));
  }

  bool TakeWhole() {
    plan_.op_ = whole_.op_;
    plan_.rule_ = whole_.rule_;
    plan_.output_dtype_ = whole_.output_dtype_;
    plan_.outputs_ = whole_.output_count();
    plan_.rank_ = whole_.output_shape().size();
    plan_.kernel_ = static_cast<const kernels::Kernel*>(whole_.kernel_);
    return plan_.operands_.CopyFrom(whole_.operands_.view(), allocator_) &&
           plan_.extents_.ResetForOverwrite(whole_.extents_.size(),
                                            allocator_) &&
           plan_.steps_.CopyFrom(whole_.steps_.view(), allocator_);
  }

  void TakeBox() {
    for (size_t axis = 0; axis < box_.size(); ++axis) {
      plan_.extents_[axis] = box_[axis].end - box_[axis].begin;
    }
    for (size_t i = 0; i < plan_.outputs_; ++i) {
      plan_.operands_[i].output_bytes =
          BytesOf(plan_.output_shape(), plan_.output_dtype(i));
    }
  }

  // Sets the operand's extents and bytes to those of its region, and its steps
  // to those of a dense tensor of that shape.
  bool TakeRegion(size_t i, bool empty) {
    Plan::Operand& operand = plan_.operands_[i];
    InlineArray<IndexRange, kInlineRank> region;
    if (!region.ResetForOverwrite(operand.rank, allocator_)) return false;
    FindInputRegion(whole_, box_, empty, i, region.view());
    for (size_t axis = 0; axis < operand.rank; ++axis) {
      plan_.extents_[operand.begin + axis] =
          region[axis].end - region[axis].begin;
    }
    operand.bytes = BytesOf(plan_.operand_shape(i), operand.dtype);
    // As in the whole operand, its axes have the same order in the result.
    int64_t elements = 1;
    for (size_t axis = plan_.rank_; axis-- > 0;) {
      Plan::AxisStep& step = plan_.steps_[axis * plan_.operands_.size() + i];
      if (step.source_axis == kAbsent) continue;
      step.stride = elements;
      elements *= plan_.operand_shape(i)[static_cast<size_t>(step.source_axis)];
    }
    return true;
  }

  bool MakeLoops() {
    const size_t operands = plan_.operands_.size();
    InlineArray<uint8_t, kInlineOperands> bits;
    if (!bits.ResetForOverwrite(operands, allocator_)) return false;
    for (size_t i = 0; i < operands; ++i) {
      bits[i] = static_cast<uint8_t>(BitsOf(plan_.dtype(i)));
    }
    return plan_.work_.Reset(
        plan_.output_shape(),
        [this](size_t operand, size_t axis) {
          return plan_.StrideAlong(operand, axis);
        },
        bits.view(), static_cast<uint8_t>(BitsOf(plan_.output_dtype())),
        plan_.kernel(0)->UseOfRuns(operands), allocator_);
  }

  const Plan& whole_;
  const std::span<const IndexRange> box_;
  const Allocator& allocator_;
  Plan& plan_;
};

Result<Plan> Plan::Within(std::span<const IndexRange> box,
                          const Allocator& allocator) const noexcept {
  Result<Plan> plan;
  if (Status made = BoxPlanner<Here>(*this, box, allocator, *plan).Make();
      !made) {
    plan = std::unexpected(made.error());
  }
  return plan;
}

}  // namespace v1
}  // namespace broadloom
