// Sentences about one axis of an alignment: ExplainAxis of explain.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
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

// "B and D are 3", "C has no such axis".
void WriteExtent(TextWriter& text, bool several, bool has_axis,
                 int64_t extent) {
  if (has_axis) {
    text << (several ? " are " : " is ") << extent;
  } else {
    text << (several ? " have" : " has") << " no such axis";
  }
}

// "Mismatch: A is 4; B and D are 3; C has no such axis." All conflict with the
// operand whose extent the axis has, which comes first.
void WriteMismatch(TextWriter& text, std::span<const Conflict> conflicts) {
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
  text << "Mismatch: ";
  WriteOperand(text, any.other_operand);
  WriteExtent(text, false, any.other_axis != kAbsent, any.other_extent);
  while (!conflicts.empty()) {
    const std::span<const Conflict> some =
        conflicts.first(std::min(conflicts.size(), kMostSearched));
    conflicts = conflicts.subspan(some.size());
    for (size_t i = 0; i < some.size(); ++i) {
      const auto is_same = same_as(some[i]);
      if (std::ranges::any_of(some.first(i), is_same)) continue;
      text << separator;
      OperandList operands(text, OperandList::Place::kWithin);
      for (const Conflict& conflict : some.subspan(i)) {
        if (is_same(conflict)) operands.Add(conflict.operand);
      }
      WriteExtent(text, operands.End(), some[i].operand_axis != kAbsent,
                  some[i].extent);
    }
  }
  text << ".";
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

// One remark about all rows that it holds for: "The 1s of A and C stretch to
// 3.", "B has no such axis; it counts as 1 and stretches to 2."
void WriteRemark(TextWriter& text, const Alignment& alignment, size_t axis,
                 Remark remark) {
  const auto holds = [&](size_t row) {
    return RemarkOn(alignment, row, axis) == remark;
  };
  const size_t rows = RowCount(alignment);
  const bool several =
      std::ranges::count_if(std::views::iota(size_t{0}, rows), holds) > 1;
  const bool lists_ones = remark == Remark::kOne && several;
  if (lists_ones) text << "The 1s of ";
  OperandList operands(text, lists_ones ? OperandList::Place::kWithin
                                        : OperandList::Place::kBegins);
  for (size_t row = 0; row < rows; ++row) {
    if (!holds(row)) continue;
    operands.Add(row == alignment.operand_count() ? kTargetOperand
                                                  : static_cast<int32_t>(row));
  }
  operands.End();
  const int64_t extent = alignment.output()[axis];
  switch (remark) {
    case Remark::kNothing:
      break;
    case Remark::kNoPlace:
      text << (several ? " have" : " has") << " no place yet";
      break;
    case Remark::kTrailingOne:
      text << "'s trailing 1 is ignored";
      if (extent != 1) {
        text << ", so B has no such axis and is repeated ";
        text.Count(extent, "time");
      }
      break;
    case Remark::kNoSuchAxis:
      WriteExtent(text, several, false, 1);
      text << "; it counts as 1";
      if (extent != 1) text << " and stretches to " << extent;
      break;
    case Remark::kOne:
      text << (several ? " stretch to " : "'s 1 stretches to ") << extent;
  }
  text << ".";
}

}  // namespace

size_t ExplainAxis(const Alignment& alignment, size_t axis,
                   std::span<char> out) noexcept {
  TextWriter text(out);
  if (axis >= alignment.rank()) return 0;
  if (alignment.conflicts(axis)) {
    WriteMismatch(text, alignment.conflicts_along(axis));
    return text.length();
  }
  if (alignment.has_target() &&
      alignment.target_cell(axis).relation == Relation::kConflict) {
    text << "The target asks for " << alignment.target_cell(axis).extent << ".";
    return text.length();
  }
  bool is_written[kRemarks] = {};
  for (size_t row = 0; row < RowCount(alignment); ++row) {
    const Remark remark = RemarkOn(alignment, row, axis);
    if (remark == Remark::kNothing || is_written[Index(remark)]) continue;
    is_written[Index(remark)] = true;
    if (text.length() > 0) text << " ";
    WriteRemark(text, alignment, axis, remark);
  }
  if (text.length() == 0) {
    const size_t rows = RowCount(alignment);
    text << (rows == 1   ? "A is "
             : rows == 2 ? "Both are "
                         : "All are ")
         << alignment.output()[axis] << ".";
  }
  return text.length();
}

}  // namespace v1
}  // namespace broadloom
