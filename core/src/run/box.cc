#include "run/box.h"

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

}  // namespace v1
}  // namespace broadloom
