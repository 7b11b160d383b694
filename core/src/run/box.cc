#include "run/box.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {

Status CheckBox(const Plan& plan, std::span<const IndexRange> box) {
  Error error = PlanError(plan, ErrorClass::kExtent, kOutputOperand);
  const ShapeView output = plan.output_shape();
  if (box.size() != output.size()) {
    error.detail = Detail::kSize;
    error.extent = static_cast<int64_t>(box.size());
    error.other_extent = static_cast<int64_t>(output.size());
    return std::unexpected(error);
  }
  for (size_t axis = 0; axis < output.size(); ++axis) {
    const IndexRange& range = box[axis];
    if (0 <= range.begin && range.begin <= range.end &&
        range.end <= output[axis]) {
      continue;
    }
    const bool at_begin = range.begin < 0 || range.begin > output[axis];
    error.detail = Detail::kOutOfRange;
    error.axis = static_cast<int32_t>(axis);
    error.operand_axis = error.axis;
    error.extent = at_begin ? range.begin : range.end;
    error.other_extent = output[axis];
    return std::unexpected(error);
  }
  return {};
}

bool IsEmpty(std::span<const IndexRange> box) {
  return std::ranges::any_of(
      box, [](const IndexRange& it) { return it.begin == it.end; });
}

void FindInputRegion(const Plan& plan, std::span<const IndexRange> box,
                     bool empty, size_t operand, std::span<IndexRange> region) {
  // Axes that repeat.
  std::ranges::fill(region, IndexRange{0, empty ? 0 : 1});
  for (size_t axis = 0; axis < box.size(); ++axis) {
    const int32_t source = plan.SourceAxis(operand, axis);
    if (source == kAbsent) continue;
    const IndexRange& range = box[axis];
    region[static_cast<size_t>(source)] = {range.begin,
                                           empty ? range.begin : range.end};
  }
}

}  // namespace v1
}  // namespace broadloom
