// Sentences about an alignment as a whole: ExplainVerdict of explain.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/alignment.h"
#include "broadloom/explain.h"
#include "text/text_writer.h"
#include "text/words.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Which operands are repeated along which axes: a table whose lines are the
// operands or the axes. Equal lines become one clause of the sentence, in the
// place of the first of them.
class Repeats {
 public:
  enum class Lines : uint8_t { kOperands, kAxes };

  Repeats(const Alignment& alignment, Lines lines)
      : alignment_(alignment), by_axis_(lines == Lines::kAxes) {}

  // The number of clauses, counted up to `most`.
  size_t CountClauses(size_t most) const {
    size_t count = 0;
    for (size_t line = 0; line < lines() && count < most; ++line) {
      count += BeginsClause(line);
    }
    return count;
  }

  // "A is repeated 3 times along axis 1; B and C are repeated 2 times along
  // axis 0, 4 times along axis 2"
  void Write(TextWriter& text) const {
    std::string_view separator = "";
    for (size_t line = 0; line < lines(); ++line) {
      if (!BeginsClause(line)) continue;
      text << separator;
      separator = "; ";
      WriteClause(text, line);
    }
  }

 private:
  size_t lines() const {
    return by_axis_ ? alignment_.rank() : alignment_.operand_count();
  }
  size_t columns() const {
    return by_axis_ ? alignment_.operand_count() : alignment_.rank();
  }

  bool At(size_t line, size_t column) const {
    const size_t axis = by_axis_ ? line : column;
    const Relation relation =
        alignment_.cell(by_axis_ ? column : line, axis).relation;
    return (relation == Relation::kStretch || relation == Relation::kInsert) &&
           alignment_.output()[axis] != 1;
  }

  bool Same(size_t line, size_t other) const {
    for (size_t column = 0; column < columns(); ++column) {
      if (At(line, column) != At(other, column)) return false;
    }
    return true;
  }

  // Searches the lines before it for an equal one, the nearest first. For all
  // lines together that takes time in proportion to lines times clauses, not to
  // the square of the lines.
  bool BeginsClause(size_t line) const {
    for (size_t before = line; before-- > 0;) {
      if (Same(line, before)) return false;
    }
    for (size_t column = 0; column < columns(); ++column) {
      if (At(line, column)) return true;
    }
    return false;
  }

  void WriteClause(TextWriter& text, size_t line) const {
    OperandList operands(text, OperandList::Place::kWithin);
    for (size_t operand = 0; operand < alignment_.operand_count(); ++operand) {
      if (by_axis_ ? At(line, operand) : Same(line, operand)) {
        operands.Add(static_cast<int32_t>(operand));
      }
    }
    std::string_view separator =
        operands.End() ? " are repeated " : " is repeated ";
    for (size_t axis = 0; axis < alignment_.rank(); ++axis) {
      if (!(by_axis_ ? Same(line, axis) : At(line, axis))) continue;
      const int64_t extent = alignment_.output()[axis];
      text << separator;
      separator = ", ";
      text.Count(extent, "time") << " along axis " << axis;
      if (extent == 0) text << " (which is empty)";
    }
  }

  const Alignment& alignment_;
  const bool by_axis_;
};

// Writes a clause for each operand, or for each axis where that is shorter.
// Returns whether anything is repeated.
bool WriteRepeats(TextWriter& text, const Alignment& alignment) {
  const Repeats by_axis(alignment, Repeats::Lines::kAxes);
  const Repeats by_operand(alignment, Repeats::Lines::kOperands);
  const size_t axes = by_axis.CountClauses(alignment.rank());
  const bool is_longer = by_operand.CountClauses(axes + 1) > axes;
  (is_longer ? by_axis : by_operand).Write(text);
  return axes > 0;
}

}  // namespace

size_t ExplainVerdict(const Alignment& alignment,
                      std::span<char> out) noexcept {
  if (alignment.error()) {
    const size_t length = Describe(*alignment.error(), out);
    if (alignment.conflicts().size() < 2) return length;
    TextWriter more(length < out.size() ? out.subspan(length)
                                        : std::span<char>{});
    more << " In all, ";
    int64_t axes = 0;
    for (size_t axis = 0; axis < alignment.rank(); ++axis) {
      axes += alignment.conflicts(axis);
    }
    more << axes << (axes == 1 ? " axis clashes." : " axes clash.");
    return length + more.length();
  }
  TextWriter text(out);
  if (WriteRepeats(text, alignment)) {
    text << ".";
  } else {
    bool same = true;
    for (size_t i = 0; i < alignment.operand_count(); ++i) {
      same &= std::ranges::equal(alignment.operand(i), alignment.output());
    }
    text << (!same ? "Only axes of extent 1 are added; nothing is repeated."
             : alignment.operand_count() == 1
                 ? "A already has this shape; nothing is repeated."
                 : "The shapes are the same; nothing is repeated.");
  }
  return text.length();
}

}  // namespace v1
}  // namespace broadloom
