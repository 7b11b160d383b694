#include "run/region.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

Error PlanFault(const Plan& plan, ErrorClass error_class, int32_t operand) {
  return Error{.error_class = error_class,
               .rule = plan.rule(),
               .op = plan.op(),
               .operand = operand};
}

Status CheckBox(const Plan& plan, std::span<const IndexRange> box) {
  Error error = PlanFault(plan, ErrorClass::kExtent, kOutputOperand);
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

void ClearSpareBits(DType dtype, int64_t elements, void* last) {
  const int bits = BitsOf(dtype);
  if (bits >= 8) return;
  const int64_t used = elements % (8 / bits) * bits;
  if (used == 0) return;
  // One-bit elements fill a byte from its highest bit, nibbles from its lowest.
  const unsigned mask = bits == 1 ? 0xFF00u >> used : (1u << used) - 1;
  unsigned char& byte = *static_cast<unsigned char*>(last);
  byte = static_cast<unsigned char>(byte & mask);
}

}  // namespace v1
}  // namespace broadloom
