// Sentences about one axis of an alignment: ExplainAxis of explain.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/alignment.h"
#include "broadloom/explain.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"
#include "text/text_writer.h"
#include "text/words.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Whether the operand's axes have places in the result. After an error of the
// axis or the mapping they may have none.
bool IsPlaced(const Alignment& alignment, size_t operand) {
  if (!alignment.error() || alignment.operand(operand).empty()) return true;
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    if (alignment.cell(operand, axis).source_axis != kAbsent) return true;
  }
  return false;
}

void WriteHas(TextWriter& text, bool several, bool has_axis, int64_t extent) {
  text << (several ? " have " : " has ");
  if (has_axis) {
    text << extent;
  } else {
    text << "no such axis";
  }
}

// "B and D have 3; C has no such axis; A has 4. Clash." All conflict with the
// operand whose extent the axis has, which comes last.
void WriteClash(TextWriter& text, std::span<const Conflict> conflicts) {
  // Operands with the same extent are put together within groups of this many,
  // so that the time is not quadratic when all differ.
  constexpr size_t kMostSearched = 64;
  const auto same_as = [](const Conflict& a) {
    return [&a](const Conflict& b) {
      return (a.operand_axis == kAbsent) == (b.operand_axis == kAbsent) &&
             a.extent == b.extent;
    };
  };
  const Conflict& any = conflicts[0];
  const std::string_view separator =
      std::ranges::all_of(conflicts, same_as(any)) ? ", " : "; ";
  OperandList::Place place = OperandList::Place::kBegins;
  while (!conflicts.empty()) {
    const std::span<const Conflict> some =
        conflicts.first(std::min(conflicts.size(), kMostSearched));
    conflicts = conflicts.subspan(some.size());
    for (size_t i = 0; i < some.size(); ++i) {
      const auto is_same = same_as(some[i]);
      if (std::ranges::any_of(some.first(i), is_same)) continue;
      OperandList operands(text, place);
      place = OperandList::Place::kWithin;
      for (const Conflict& conflict : some.subspan(i)) {
        if (is_same(conflict)) operands.Add(conflict.operand);
      }
      WriteHas(text, operands.End(), some[i].operand_axis != kAbsent,
               some[i].extent);
      text << separator;
    }
  }
  WriteOperand(text, any.other_operand);
  WriteHas(text, false, any.other_axis != kAbsent, any.other_extent);
  text << ". Clash.";
}

// What is said about an operand, or the target, along one axis.
enum class Remark : uint8_t {
  kNothing,
  kNoPlace,
  kTrailingOne,
  kNoSuchAxis,
  kOne,
};
constexpr size_t kRemarks = static_cast<size_t>(Remark::kOne) + 1;
constexpr size_t Index(Remark remark) { return static_cast<size_t>(remark); }

// The number of rows: the operands, then the target if there is one.
size_t RowCount(const Alignment& alignment) {
  return alignment.operand_count() + (alignment.has_target() ? 1 : 0);
}

Remark RemarkOn(const Alignment& alignment, size_t row, size_t axis) {
  const bool is_target = row == alignment.operand_count();
  const AlignedCell& cell =
      is_target ? alignment.target_cell(axis) : alignment.cell(row, axis);
  const bool is_trailing = cell.clause == Clause::kPdpdTrailingOnes;
  if (cell.relation == Relation::kMatch && !is_trailing) {
    return Remark::kNothing;
  }
  if (!is_target && !IsPlaced(alignment, row)) return Remark::kNoPlace;
  if (is_trailing) return Remark::kTrailingOne;
  return cell.relation == Relation::kInsert ? Remark::kNoSuchAxis
                                            : Remark::kOne;
}

// "B and D have no such axis": one remark about all rows that it holds for.
// Returns whether they are several.
bool WriteRemark(TextWriter& text, const Alignment& alignment, size_t axis,
                 Remark remark, OperandList::Place place) {
  OperandList operands(text, place);
  for (size_t row = 0; row < RowCount(alignment); ++row) {
    if (RemarkOn(alignment, row, axis) != remark) continue;
    operands.Add(row == alignment.operand_count() ? kTargetOperand
                                                  : static_cast<int32_t>(row));
  }
  const bool several = operands.End();
  switch (remark) {
    case Remark::kNothing:
      break;
    case Remark::kNoPlace:
      text << (several ? " have" : " has") << " no place yet";
      break;
    case Remark::kTrailingOne:
      text << "'s trailing 1 is left out";
      break;
    case Remark::kNoSuchAxis:
      WriteHas(text, several, false, 1);
      break;
    case Remark::kOne:
      WriteHas(text, several, true, 1);
  }
  return several;
}

}  // namespace

size_t ExplainAxis(const Alignment& alignment, size_t axis,
                   std::span<char> out) noexcept {
  TextWriter text(out);
  if (axis >= alignment.rank()) return 0;
  if (alignment.conflicts(axis)) {
    WriteClash(text, alignment.conflicts_along(axis));
    return text.length();
  }
  if (alignment.has_target() &&
      alignment.target_cell(axis).relation == Relation::kConflict) {
    text << "The target asks for " << alignment.target_cell(axis).extent << ".";
    return text.length();
  }
  const int64_t extent = alignment.output()[axis];
  bool untold[kRemarks] = {};
  for (size_t row = 0; row < RowCount(alignment); ++row) {
    untold[Index(RemarkOn(alignment, row, axis))] = true;
  }
  for (size_t row = 0; row < RowCount(alignment); ++row) {
    const Remark remark = RemarkOn(alignment, row, axis);
    if (remark == Remark::kNothing || !untold[Index(remark)]) continue;
    untold[Index(remark)] = false;
    if (text.length() > 0) text << " ";
    const bool several =
        WriteRemark(text, alignment, axis, remark, OperandList::Place::kBegins);
    if (remark == Remark::kNoPlace || extent == 1) {
      text << ".";
      continue;
    }
    // Operands without the axis and operands with extent 1 share the end of the
    // sentence.
    const Remark other =
        remark == Remark::kOne ? Remark::kNoSuchAxis : Remark::kOne;
    if (remark == Remark::kTrailingOne) {
      text << "; B is repeated ";
    } else if (untold[Index(other)]) {
      untold[Index(other)] = false;
      text << ", and ";
      WriteRemark(text, alignment, axis, other, OperandList::Place::kWithin);
      text << "; each is repeated ";
    } else {
      text << (several ? " and are repeated " : " and is repeated ");
    }
    text.Count(extent, "time") << ".";
  }
  if (text.length() == 0) {
    const bool is_alone = RowCount(alignment) == 1;
    text << (is_alone ? "A's extent." : "All have ");
    if (!is_alone) text << extent << ".";
  }
  return text.length();
}

}  // namespace v1
}  // namespace broadloom
