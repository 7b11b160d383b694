#include "broadloom/regions.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/execute.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "run/box.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {
namespace {

Status CheckPlanAndBox(const Plan& plan, std::span<const IndexRange> box) {
  if (Status made = CheckMade(plan); !made) return made;
  return CheckBox(plan, box);
}

// Bytes of a dense tensor of `dtype` that has `elements` elements. Those of the
// whole operand or result have been counted, so these fit.
uint64_t BytesOf(int64_t elements, DType dtype) {
  return BytesOfElements(elements, BitsOf(dtype));
}

// How many elements of an operand feed a box that has elements.
int64_t CountRegion(const Plan& plan, std::span<const IndexRange> box,
                    size_t operand) {
  int64_t elements = 1;
  for (size_t axis = 0; axis < box.size(); ++axis) {
    if (plan.SourceAxis(operand, axis) == kAbsent) continue;
    elements = SaturatingMultiply(elements, box[axis].end - box[axis].begin);
  }
  return elements;
}

}  // namespace

Result<Regions> InputRegions(const Plan& plan, std::span<const IndexRange> box,
                             const Allocator& allocator) noexcept {
  Result<Regions> made;
  if (Status checked = CheckPlanAndBox(plan, box); !checked) {
    made = std::unexpected(checked.error());
    return made;
  }
  const size_t operands = plan.operand_count();
  size_t axes = 0;
  for (size_t i = 0; i < operands; ++i) axes += plan.operand_shape(i).size();
  if (!made->ranges_.ResetForOverwrite(axes, allocator) ||
      !made->begins_.ResetForOverwrite(operands + 1, allocator)) {
    made = std::unexpected(
        PlanError(plan, ErrorClass::kAllocation, kOutputOperand));
    return made;
  }
  made->count_ = operands;
  made->begins_[0] = 0;
  const bool empty = IsEmpty(box);
  for (size_t i = 0; i < operands; ++i) {
    const size_t begin = made->begins_[i];
    const size_t rank = plan.operand_shape(i).size();
    made->begins_[i + 1] = begin + rank;
    FindInputRegion(plan, box, empty, i,
                    made->ranges_.view().subspan(begin, rank));
  }
  return made;
}

Status RunOnInputRegions(const Plan& plan, std::span<const IndexRange> box,
                         std::span<const TensorView> inputs,
                         std::span<const MutableTensorView> outputs,
                         const RunOptions& options,
                         const Allocator& allocator) noexcept {
  const Result<Plan> of_box = plan.Within(box, allocator);
  if (!of_box) return std::unexpected(of_box.error());
  return Run(*of_box, inputs, outputs, options, allocator);
}

Result<RegionCost> Cost(const Plan& plan, std::span<const IndexRange> box,
                        std::span<uint64_t> bytes_read) noexcept {
  if (Status checked = CheckPlanAndBox(plan, box); !checked) {
    return std::unexpected(checked.error());
  }
  const size_t operands = plan.operand_count();
  if (!bytes_read.empty() && bytes_read.size() != operands) {
    Error error = PlanError(plan, ErrorClass::kArity, kAbsent);
    error.detail = Detail::kSize;
    error.extent = static_cast<int64_t>(bytes_read.size());
    error.other_extent = static_cast<int64_t>(operands);
    return std::unexpected(error);
  }
  RegionCost cost;
  const bool empty = IsEmpty(box);
  for (size_t i = 0; i < operands; ++i) {
    const uint64_t bytes =
        empty ? 0 : BytesOf(CountRegion(plan, box, i), plan.dtype(i));
    cost.read = SaturatingAdd(cost.read, bytes);
    if (!bytes_read.empty()) bytes_read[i] = bytes;
  }
  int64_t elements = 1;
  for (const IndexRange& range : box) {
    elements = SaturatingMultiply(elements, range.end - range.begin);
  }
  for (size_t i = 0; i < plan.output_count() && !empty; ++i) {
    cost.written =
        SaturatingAdd(cost.written, BytesOf(elements, plan.output_dtype(i)));
  }
  cost.peak = SaturatingAdd(cost.read, cost.written);
  return cost;
}

}  // namespace v1
}  // namespace broadloom
