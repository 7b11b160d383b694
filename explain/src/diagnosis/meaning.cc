#include "diagnosis/meaning.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/repair.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "diagnosis/changed.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Axes of the result that the operand's long axes lie on, or along which it is
// repeated, as "axis 1 (64)" and "axes 2 (56) and 3 (56)".
class Axes {
 public:
  Axes(const Alignment& alignment, size_t operand, bool repeated)
      : alignment_(alignment), operand_(operand), repeated_(repeated) {}

  bool Has(size_t axis) const {
    const AlignedCell& cell = alignment_.cell(operand_, axis);
    if (alignment_.output()[axis] == 1) return false;
    return repeated_ == (cell.relation != Relation::kMatch);
  }
  size_t count() const {
    size_t count = 0;
    for (size_t axis = 0; axis < alignment_.rank(); ++axis) count += Has(axis);
    return count;
  }
  size_t first() const {
    size_t axis = 0;
    while (!Has(axis)) ++axis;
    return axis;
  }
  void Write(Text& text) const {
    const size_t all = count();
    text << (all == 1 ? "axis " : "axes ");
    size_t done = 0;
    for (size_t axis = 0; axis < alignment_.rank(); ++axis) {
      if (!Has(axis)) continue;
      if (done > 0) text << (done + 1 == all ? " and " : ", ");
      text << axis << " (" << alignment_.output()[axis] << ')';
      ++done;
    }
  }

 private:
  const Alignment& alignment_;
  size_t operand_;
  bool repeated_;
};

// "Each of the 8 rows gets its own value of B."
void WritePlaces(const Alignment& alignment, size_t operand, Text& text) {
  const int32_t name = static_cast<int32_t>(operand);
  const Axes own(alignment, operand, false);
  const Axes repeated(alignment, operand, true);
  const size_t count = own.count();
  if (count == 0) {
    text << "Each element of the result gets the same value of ";
    text.Operand(name) << '.';
    return;
  }
  if (repeated.count() == 0) {
    text << "Each element of the result gets its own value of ";
    text.Operand(name) << '.';
    return;
  }
  if (count == 1) {
    const size_t axis = own.first();
    text << "Each of the " << alignment.output()[axis];
    if (alignment.rank() == 2) {
      text << (axis == 0 ? " rows" : " columns");
    } else {
      text << " indices of axis " << axis;
    }
    text << " gets its own value of ";
    text.Operand(name);
    if (alignment.rank() != 2) {
      text << ", which is repeated along ";
      repeated.Write(text);
    }
    text << '.';
    return;
  }
  text.OperandCapital(name) << " lies on ";
  own.Write(text);
  text << " of the result and is repeated along ";
  repeated.Write(text);
  text << '.';
}

// "its axis 2 (3) becomes axis 0"
void WriteOrder(const BroadcastRequest& request, const Repair& repair,
                Text& text) {
  const ShapeView before =
      request.operands[static_cast<size_t>(repair.operand)];
  text << "The axes of ";
  text.Operand(repair.operand) << " come in the order ";
  for (size_t axis = 0; axis < repair.axes.size(); ++axis) {
    text << (axis > 0 ? ", " : "") << repair.axes[axis];
  }
  text << ". ";
  // Equal extents do not tell the order.
  bool repeats = false;
  for (size_t i = 0; i < before.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      repeats |= before[i] == before[k] && before[i] != 1;
    }
  }
  if (repeats && !std::ranges::is_sorted(repair.axes)) {
    text << "Another order gives the same shape, but other elements. ";
  }
}

void WriteSizes(const BroadcastRequest& request, const Repair& repair,
                Text& text) {
  const ShapeView before =
      request.operands[static_cast<size_t>(repair.operand)];
  const bool grows_rank = repair.shape.size() != before.size();
  bool is_repeated = true;
  for (const int64_t axis : repair.axes) {
    const size_t from_right = repair.shape.size() - static_cast<size_t>(axis);
    is_repeated &=
        from_right > before.size() || before[before.size() - from_right] == 1;
  }
  if (is_repeated) {
    text.OperandCapital(repair.operand)
        << " is repeated beforehand, so that it has the shape ";
    text.Shape(repair.shape) << '.';
    return;
  }
  text.OperandCapital(repair.operand) << " needs ";
  size_t done = 0;
  for (const int64_t axis : repair.axes) {
    if (done > 0) text << (done + 1 == repair.axes.size() ? " and " : ", ");
    text << repair.shape[static_cast<size_t>(axis)];
    if (!grows_rank) {
      text << " instead of " << before[static_cast<size_t>(axis)];
    }
    text << " along axis " << axis;
    ++done;
  }
  text << ". No other order of the elements gives that: some have to be left "
          "out, added or computed anew.";
}

void WriteTarget(const BroadcastRequest& request, const Repair& repair,
                 Text& text) {
  text << "The target becomes ";
  text.Shape(repair.shape);
  const bool keeps = std::ranges::any_of(repair.axes, [&](int64_t axis) {
    return repair.shape[static_cast<size_t>(axis)] == 1;
  });
  if (keeps && !std::ranges::equal(repair.shape, repair.result)) {
    text << ": a 1 keeps the extent of the data. The result is ";
    text.Shape(repair.result);
  } else {
    text << ", which the data ";
    text.Shape(request.operands[0]) << " fit";
  }
  text << '.';
}

void WriteRule(const BroadcastRequest& request, const Repair& repair,
               Text& text) {
  const RuleTraits& traits = Traits(repair.rule);
  if (traits.placement == Placement::kFromAxis) {
    text << "B lies on A from axis " << repair.axis << " on";
    text << (request.rule == repair.rule ? "." : ", under the rule ");
    if (request.rule != repair.rule) text << Info(repair.rule).name << '.';
    return;
  }
  if (traits.placement == Placement::kMapped) {
    text << "The data's axes lie on the axes (";
    const size_t shown = std::min<size_t>(repair.axes_mapping.size(), 16);
    for (size_t i = 0; i < shown; ++i) {
      text << (i > 0 ? ", " : "") << repair.axes_mapping[i];
    }
    text << (shown < repair.axes_mapping.size() ? ", ...)" : ")")
         << " of the target.";
    return;
  }
  text << "The rule " << Info(repair.rule).name
       << (traits.stretches
               ? " lines up the last axes and repeats axes of extent 1."
               : " takes equal shapes only.");
}

}  // namespace

void WriteMeaning(const BroadcastRequest& request, const Repair& repair,
                  Text& text) {
  switch (repair.kind) {
    case RepairKind::kChangeTarget:
      WriteTarget(request, repair, text);
      return;
    case RepairKind::kChangeRule:
      WriteRule(request, repair, text);
      return;
    case RepairKind::kSwapOperands:
      text << "A and B are swapped, so the result has B's present shape. An "
              "operator such as Sub gives other values.";
      return;
    case RepairKind::kChangeSize:
      WriteSizes(request, repair, text);
      return;
    case RepairKind::kTranspose:
      WriteOrder(request, repair, text);
      break;
    case RepairKind::kReshape:
      text << "The elements of ";
      text.Operand(repair.operand) << " stay in their order, as ";
      text.Shape(repair.shape) << ". ";
      break;
    case RepairKind::kInsertAxis:
    case RepairKind::kRemoveAxis:
      break;
  }
  const Result<Alignment> alignment =
      Align(Changed(request, repair, text.arena()), text.arena().allocator());
  if (!alignment || alignment->error()) return;
  WritePlaces(*alignment, static_cast<size_t>(repair.operand), text);
}

}  // namespace v1
}  // namespace broadloom
