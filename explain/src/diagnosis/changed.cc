#include "diagnosis/changed.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {

BroadcastRequest Changed(const BroadcastRequest& request, const Repair& repair,
                         Arena& arena) {
  BroadcastRequest changed = request;
  changed.policy = {};
  changed.axis_names = {};
  changed.rule = repair.rule;
  const std::span<ShapeView> operands =
      arena.Make<ShapeView>(request.operands.size());
  if (operands.size() != request.operands.size()) return changed;
  std::ranges::copy(request.operands, operands.begin());
  changed.operands = operands;
  switch (repair.kind) {
    case RepairKind::kChangeRule:
      changed.axis.reset();
      changed.axes_mapping.reset();
      if (repair.axis != kAbsent) changed.axis = repair.axis;
      if (Traits(repair.rule).takes_mapping) {
        changed.axes_mapping = repair.axes_mapping;
      }
      break;
    case RepairKind::kSwapOperands:
      std::swap(operands[0], operands[1]);
      break;
    default:
      if (repair.operand == kTargetOperand) {
        changed.target_shape = repair.shape;
      } else {
        operands[static_cast<size_t>(repair.operand)] = repair.shape;
      }
      break;
  }
  return changed;
}

}  // namespace v1
}  // namespace broadloom
