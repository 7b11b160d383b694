#include "broadloom/explain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/alignment.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "text/text_writer.h"

namespace broadloom {
inline namespace v1 {
namespace {

void WriteOperand(TextWriter& text, int32_t operand) {
  if (operand == kTargetOperand) {
    text << "the target";
  } else if (operand == kOutputOperand) {
    text << "the result";
  } else if (operand >= 0 && operand < 26) {
    const char letter = static_cast<char>('A' + operand);
    text << std::string_view(&letter, 1);
  } else {
    text << "#" << static_cast<int64_t>(operand);
  }
}

// At the beginning of a sentence.
void WriteOperandCapital(TextWriter& text, int32_t operand) {
  if (operand == kTargetOperand) {
    text << "The target";
  } else if (operand == kOutputOperand) {
    text << "The result";
  } else {
    WriteOperand(text, operand);
  }
}

// At the beginning of a sentence about memory that a caller gave.
void WriteArray(TextWriter& text, int32_t operand) {
  if (operand == kOutputOperand) {
    text << "out";
  } else {
    WriteOperandCapital(text, operand);
  }
}

// "B", "B and D" or "B, D and the target": each is written once it is known
// whether another one follows.
class OperandList {
 public:
  enum class Place : uint8_t { kBegins, kWithin };  // a sentence

  OperandList(TextWriter& text, Place place) : text_(text), place_(place) {}

  void Add(int32_t operand) {
    if (count_ > 1) text_ << ", ";
    WriteLast();
    last_ = operand;
    ++count_;
  }

  // Returns whether they are several, for the verb.
  bool End() {
    if (count_ > 1) text_ << " and ";
    WriteLast();
    return count_ > 1;
  }

 private:
  void WriteLast() {
    if (count_ == 1 && place_ == Place::kBegins) {
      WriteOperandCapital(text_, last_);
    } else if (count_ > 0) {
      WriteOperand(text_, last_);
    }
  }

  TextWriter& text_;
  const Place place_;
  int32_t last_ = kAbsent;
  size_t count_ = 0;
};

void WriteShape(TextWriter& text, ShapeView shape) {
  text << "(";
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text << ", ";
    text << shape[axis];
  }
  text << (shape.size() == 1 ? ",)" : ")");
}

void WriteRuleTitle(TextWriter& text, const Error& error) {
  if (error.rule) text << Info(*error.rule).title;
}

// "NumPy: two extents fit when they are equal or one of them is 1."
void WriteClause(TextWriter& text, const Error& error) {
  const std::string_view said = Info(error.clause).text;
  if (said.empty()) return;
  text << " ";
  WriteRuleTitle(text, error);
  text << ": " << said << ".";
}

void WriteParse(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kEmptyText) {
    text << "Empty text";
  } else {
    // Counted from 1; the largest number stays itself.
    const int64_t first = error.extent + (error.extent != INT64_MAX);
    const bool several = error.other_extent > first;
    text << (several ? "Characters " : "Character ") << first;
    if (several) text << " to " << error.other_extent;
  }
  text << ": " << Info(error.detail).doc
       << ". Write a shape as (2, 3) or 2x3, a scalar as ().";
}

void WriteUnknown(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kNotBuilt && error.op) {
    text << "This build of the library has no kernels for "
         << Info(*error.op).name
         << ": add it to BROADLOOM_OPERATORS, or leave that option empty.";
    return;
  }
  if (!error.op || !error.rule) {
    text << "There is no "
         << (error.detail == Detail::kOp     ? "operator"
             : error.detail == Detail::kRule ? "rule"
                                             : "element type")
         << " of that name.";
    return;
  }
  text << Info(*error.op).name << " does not take the rule "
       << Info(*error.rule).name << ". It takes";
  std::string_view separator = " ";
  for (const RuleInfo& rule : AllRules()) {
    if (!Accepts(*error.op, rule.rule)) continue;
    text << separator << rule.name;
    separator = ", ";
  }
  text << ".";
}

// Whether the operator itself takes so many operands.
bool TakesCount(Op op, int64_t count) {
  const OpInfo& info = Info(op);
  return count >= static_cast<int64_t>(info.least_operands) &&
         (info.most_operands == 0 ||
          count <= static_cast<int64_t>(info.most_operands));
}

void WriteArity(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kOtherCount && error.other_extent == 0) {
    text << "The plan is empty: it was never made, or was moved from.";
    return;
  }
  if (error.operand == kOutputOperand) {
    text << (error.other_extent == 1 ? "There has to be "
                                     : "There have to be ");
    text.Count(error.other_extent, "result") << ", not " << error.extent << ".";
    return;
  }
  if (error.detail == Detail::kOtherCount) {
    text << "The plan is made for ";
    text.Count(error.other_extent, "operand")
        << ", not " << error.extent << ".";
    return;
  }
  if (error.detail == Detail::kSize) {
    text << "There have to be ";
    text.Count(error.other_extent, "element type")
        << ", one for each shape, not " << error.extent << ".";
    return;
  }
  // Max takes any number, but not under PDPD: then it is the rule that minds.
  const bool by_op =
      error.op && !(error.rule && TakesCount(*error.op, error.extent));
  if (by_op) {
    text << Info(*error.op).name;
  } else if (error.rule) {
    WriteRuleTitle(text, error);
  } else {
    text << "There is no operand of number " << error.extent << ", only ";
    text.Count(error.other_extent, "operand") << ".";
    return;
  }
  text << " takes ";
  const bool few = error.extent < error.other_extent;
  const size_t most = by_op        ? Info(*error.op).most_operands
                      : error.rule ? Traits(*error.rule).most_operands
                                   : 0;
  if (most == 0 && few) text << "at least ";
  text.Count(error.other_extent, "operand") << ", not " << error.extent << ".";
}

// " pdpd." or " bidirectional, broadcast_numpy, explicit."
void WriteRulesThat(TextWriter& text, bool RuleTraits::* take) {
  std::string_view separator = " ";
  for (const RuleInfo& rule : AllRules()) {
    if (!(Traits(rule.rule).*take)) continue;
    text << separator << rule.name;
    separator = ", ";
  }
  text << ".";
}

std::string_view NameOf(OpAttribute attribute) {
  switch (attribute) {
    case OpAttribute::kFmod:
      return "fmod";
    case OpAttribute::kDirection:
      return "direction";
    case OpAttribute::kTo:
      return "to, with saturate,";
    case OpAttribute::kNoAttribute:
      break;
  }
  return "";
}

// "fmod is for Mod" for every operator that has one.
void WriteOperatorsWithAttributes(TextWriter& text) {
  std::string_view separator = "";
  for (const OpInfo& op : AllOps()) {
    if (op.attribute == OpAttribute::kNoAttribute) continue;
    text << separator << NameOf(op.attribute) << " is for " << op.name;
    separator = ", ";
  }
}

void WriteAttribute(TextWriter& text, const Error& error) {
  if (!error.op) {
    const bool target = error.operand == kTargetOperand;
    WriteRuleTitle(text, error);
    if (error.detail == Detail::kMissing) {
      text << " needs a target shape.";
      return;
    }
    text << " takes no " << (target ? "target shape" : "axis");
    if (!target) text << " (" << error.extent << " was given)";
    text << "; that is for";
    WriteRulesThat(
        text, target ? &RuleTraits::takes_target : &RuleTraits::takes_axis);
    return;
  }
  const OpInfo& op = Info(*error.op);
  const bool casts = op.attribute == OpAttribute::kTo;
  text << op.name;
  if (error.detail == Detail::kMissing) {
    text << (casts ? " needs an element type: to."
                   : " needs a direction: left or right.");
  } else if (error.detail == Detail::kOutOfRange) {
    if (op.attribute == OpAttribute::kDirection) {
      text << ": direction is left or right.";
    } else {
      text << (casts ? ": saturate" : ": fmod") << " is 0 or 1, not "
           << error.extent << ".";
    }
  } else {
    text << " takes no such attribute: ";
    WriteOperatorsWithAttributes(text);
    text << ".";
  }
}

void WriteExtent(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kOutOfRange && error.axis == kAbsent &&
      error.operand_axis == kAbsent) {
    // Blocks are cut from a plan, which has an operator. A sum has none.
    if (error.op) {
      text << "There is no block " << error.extent << "; there are "
           << error.other_extent << ".";
    } else {
      text << "The sum is done: there is no more to add.";
    }
    return;
  }
  if (error.operand != kAbsent) {
    WriteOperandCapital(text, error.operand);
    if (error.operand_axis != kAbsent) {
      text << ", axis " << error.operand_axis;
    }
    text << ": ";
  } else if (error.operand_axis != kAbsent) {
    // A mapping has entries; its negative ones are another error's affair.
    text << (error.detail == Detail::kNegative ? "Axis " : "Entry ")
         << error.operand_axis << ": ";
  }
  switch (error.detail) {
    case Detail::kNegative:
      text << "the extent " << error.extent
           << " is negative. An extent is 0 or more.";
      return;
    case Detail::kFractional:
      text << error.extent
           << " followed by a decimal point is not a whole number.";
      return;
    case Detail::kOutOfRange:
      if (error.axis != kAbsent) {
        text << "the box's bound " << error.extent
             << " does not fit: 0 <= begin <= end <= " << error.other_extent
             << ".";
        return;
      }
      text << "there is no index " << error.extent << " along an extent of "
           << error.other_extent << ".";
      return;
    case Detail::kSize:
      // A box is a plan's, which has an operator.
      text << (error.op ? "the box" : "the index") << " has to have ";
      text.Count(error.other_extent, error.op ? "range" : "number")
          << ", one for each axis, not " << error.extent << ".";
      return;
    default:
      if (error.extent == 0) {
        text << "the number is too large; the largest is 2^63-1.";
        return;
      }
      text << error.extent
           << " is too large; numbers are exact up to 2^53-1, bigints up to "
              "2^63-1.";
  }
}

// Cast, the one operator whose result's type is asked for, makes the types that
// it takes.
void WriteAcceptedTypes(TextWriter& text, Op op, int32_t named) {
  const size_t operand = named < 0 ? 0 : static_cast<size_t>(named);
  text << (named == kOutputOperand ? " It makes" : " It takes");
  std::string_view separator = " ";
  for (const DTypeInfo& type : AllDTypes()) {
    if (!Accepts(op, operand, type.dtype)) continue;
    text << separator << type.name;
    separator = ", ";
  }
  if (Info(op).types == TypeClass::kModulo) {
    text << "; with fmod=1 also the floats";
  }
  text << (operand == 0 ? "." : " there.");
}

void WriteDType(TextWriter& text, const Error& error) {
  if (!error.dtype) {
    text << "The element type does not go with the data.";
    return;
  }
  const std::string_view type = Info(*error.dtype).name;
  if (type.empty()) {
    text << "This version does not know the element type";
    if (error.operand != kAbsent) {
      text << " of ";
      WriteOperand(text, error.operand);
    }
    text << ".";
    return;
  }
  if (error.detail == Detail::kNotBuilt) {
    text << "This build of the library has no kernels for " << type
         << ": add it to BROADLOOM_TYPES, or leave that option empty.";
    return;
  }
  if (error.detail == Detail::kUnsupported && error.op) {
    text << Info(*error.op).name;
    if (error.operand == kOutputOperand) {
      text << " does not make " << type << ".";
    } else {
      text << " does not take " << type << " (";
      WriteOperand(text, error.operand);
      text << ").";
    }
    WriteAcceptedTypes(text, *error.op, error.operand);
    return;
  }
  WriteArray(text, error.operand);
  text << " is " << type;
  if (!error.other_dtype) {
    // Only sums refuse a type that is not an operator's.
    text << (error.detail == Detail::kUnsupported
                 ? ", which is not summed: convert it."
                 : ".");
    return;
  }
  if (error.other_operand == kAbsent) {
    const std::string_view other = Info(*error.other_dtype).name;
    text << (error.operand == kOutputOperand ? ", but the result is "
                                             : ", but the plan is made for ")
         << other << ": give one of " << other << ".";
    return;
  }
  text << ", but ";
  WriteOperand(text, error.other_operand);
  text << " is " << Info(*error.other_dtype).name << ". ";
  if (error.op) text << Info(*error.op).name << " takes one type: ";
  text << "convert one of them.";
}

void WriteLength(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kMisaligned) {
    text << "The memory to work in has to begin at a multiple of 64 bytes.";
    return;
  }
  if (error.detail == Detail::kMemory) {
    text << "The memory to work in has " << error.extent << " bytes, but "
         << error.other_extent << " are needed.";
    return;
  }
  WriteArray(text, error.operand);
  if (error.detail == Detail::kNegative) {
    text << ": its offset and strides lead to ";
    text.Unsigned(Magnitude(error.extent)) << " elements before its memory.";
    return;
  }
  if (error.detail == Detail::kOffset) {
    text << ": its offset and strides lead to byte " << error.other_extent
         << ", but its data has " << error.extent << " bytes.";
    return;
  }
  text << ": its shape needs " << error.other_extent
       << " bytes, but its data has " << error.extent
       << ". Give as many, or another shape.";
}

void WriteIncompatible(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kOtherPlan) {
    text << "The blocks were made of another plan: make them of this plan.";
    return;
  }
  if (error.axis == kAbsent) {
    WriteArray(text, error.operand);
    if (error.detail == Detail::kStrides) {
      text << ": there have to be ";
      text.Count(error.other_extent, "stride")
          << ", one for each axis, not " << error.extent << ".";
      return;
    }
    text << " has " << error.extent;
    if (error.operand_axis != kAbsent) {
      text << " along axis " << error.operand_axis;
    } else {
      // "axes" is no plain plural.
      text << (error.extent == 1 ? " axis" : " axes");
    }
    if (error.other_operand == kAbsent) {
      text << (error.operand == kOutputOperand ? ", but the result has "
                                               : ", but the plan is made for ")
           << error.other_extent << ": give one of that shape.";
      return;
    }
    text << ", ";
    WriteOperand(text, error.other_operand);
    text << " has " << error.other_extent << ".";
    WriteClause(text, error);
    return;
  }
  text << "Axis " << error.axis << ": ";
  const auto write_party = [&](int32_t operand, int32_t axis, int64_t extent) {
    WriteOperand(text, operand);
    if (axis == kAbsent) {
      text << " has no such axis";
      return;
    }
    text << " has " << extent;
    if (operand != kTargetOperand) text << " (its axis " << axis << ")";
  };
  write_party(error.operand, error.operand_axis, error.extent);
  text << " but ";
  write_party(error.other_operand, error.other_axis, error.other_extent);
  text << ".";
  // No rule is broken where an array would have to stretch to be summed.
  if (error.detail == Detail::kOutput) {
    text << " An array is summed to extents that it has, or to 1.";
    return;
  }
  WriteClause(text, error);
}

void WriteRank(TextWriter& text, const Error& error) {
  WriteOperandCapital(text, error.operand);
  text << " has " << error.extent << (error.extent == 1 ? " axis" : " axes")
       << ", but ";
  WriteOperand(text, error.other_operand);
  text << " has only " << error.other_extent << ".";
  WriteClause(text, error);
}

void WriteAxis(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kNegative) {
    text << "axis " << error.extent
         << " is below -1. Give -1, which aligns B at the right, or an axis of "
            "A from 0 on.";
    return;
  }
  text << "From axis " << error.extent
       << " on, B does not fit into A: the axis can be at most "
       << error.other_extent << ".";
  WriteClause(text, error);
}

void WriteAxesMapping(TextWriter& text, const Error& error) {
  switch (error.detail) {
    case Detail::kUnexpected:
      WriteRuleTitle(text, error);
      text << " takes no axes_mapping; that is for";
      WriteRulesThat(text, &RuleTraits::takes_mapping);
      return;
    case Detail::kMissing:
      text << "An axes_mapping is missing: ";
      text << error.other_extent
           << (error.other_extent == 1 ? " entry" : " entries")
           << ", a target axis for each axis of A.";
      return;
    case Detail::kSize:
      text << "axes_mapping has " << error.extent
           << (error.extent == 1 ? " entry" : " entries") << ", but A has "
           << error.other_extent
           << (error.other_extent == 1 ? " axis." : " axes.");
      break;
    case Detail::kUnsorted:
      text << "axes_mapping has to increase: entry " << error.operand_axis
           << " is " << error.extent << ", after " << error.other_extent << ".";
      break;
    case Detail::kOutOfRange:
      text << "axes_mapping: entry " << error.operand_axis << " is "
           << error.extent << ", but the target ";
      if (error.other_extent == 0) {
        text << "is a scalar and has no axis.";
      } else {
        text << "has axes 0 to "
             << SaturatingAdd(error.other_extent, int64_t{-1}) << ".";
      }
      break;
    default:
      text << "axes_mapping names target axis " << error.extent
           << " twice (entry " << error.operand_axis << ").";
  }
  WriteClause(text, error);
}

void WriteOverflow(TextWriter& text, const Error& error) {
  if (error.operand == kAbsent) {
    text << "The shape";
  } else {
    WriteOperandCapital(text, error.operand);
  }
  text << " is too large: it would have more than 2^63-1 "
       << (error.dtype ? "bytes" : "elements");
  if (error.axis != kAbsent) {
    text << ", reached at axis " << error.axis << " (extent " << error.extent
         << ")";
  }
  text << ". Use smaller extents.";
}

void WriteMemory(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kThreads) {
    text << "There can be " << error.other_extent << " threads at most, not "
         << error.extent << ".";
    return;
  }
  if (error.detail == Detail::kMemory) {
    text << "The memory to work in may have " << error.other_extent
         << " bytes, but " << error.extent << " are needed.";
    return;
  }
  if (error.error_class == ErrorClass::kLimit) {
    text << "The result needs " << error.extent << " bytes, more than the "
         << error.other_extent
         << " that can be had here. Compute it box by box.";
    return;
  }
  text << "Memory was refused";
  if (error.extent > 0) text << " (" << error.extent << " bytes)";
  text << ". Free some, or ask for less.";
}

// Whether the operand's axes have found places in the result: a wrong axis or
// mapping leaves them without.
bool IsPlaced(const Alignment& alignment, size_t operand) {
  if (!alignment.error() || alignment.operand(operand).empty()) return true;
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    if (alignment.cell(operand, axis).source_axis != kAbsent) return true;
  }
  return false;
}

// Which operands are repeated along which axes: a table whose lines are the
// operands, or else the axes. Lines that are the same are told as one piece, in
// the place of the first of them.
class Repeats {
 public:
  enum class Lines : uint8_t { kOperands, kAxes };

  Repeats(const Alignment& alignment, Lines lines)
      : alignment_(alignment), by_axis_(lines == Lines::kAxes) {}

  // How many pieces there are; counted up to `most`.
  size_t CountPieces(size_t most) const {
    size_t count = 0;
    for (size_t line = 0; line < lines() && count < most; ++line) {
      count += BeginsPiece(line);
    }
    return count;
  }

  // "A is repeated 3 times along axis 1; B and C are repeated 2 times along
  // axis 0, 4 times along axis 2"
  void Write(TextWriter& text) const {
    std::string_view separator = "";
    for (size_t line = 0; line < lines(); ++line) {
      if (!BeginsPiece(line)) continue;
      text << separator;
      separator = "; ";
      WritePiece(text, line);
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

  // Looks for the nearest line that is the same: over all lines that takes time
  // in proportion to lines times pieces, not to the square of the lines.
  bool BeginsPiece(size_t line) const {
    for (size_t before = line; before-- > 0;) {
      if (Same(line, before)) return false;
    }
    for (size_t column = 0; column < columns(); ++column) {
      if (At(line, column)) return true;
    }
    return false;
  }

  void WritePiece(TextWriter& text, size_t line) const {
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

// Operand by operand, unless axis by axis there is less to read. Returns
// whether anything is repeated at all.
bool WriteRepeats(TextWriter& text, const Alignment& alignment) {
  const Repeats by_axis(alignment, Repeats::Lines::kAxes);
  const Repeats by_operand(alignment, Repeats::Lines::kOperands);
  const size_t axes = by_axis.CountPieces(alignment.rank());
  const bool is_longer = by_operand.CountPieces(axes + 1) > axes;
  (is_longer ? by_axis : by_operand).Write(text);
  return axes > 0;
}

void WriteHas(TextWriter& text, bool several, bool has_axis, int64_t extent) {
  text << (several ? " have " : " has ");
  if (has_axis) {
    text << extent;
  } else {
    text << "no such axis";
  }
}

// "B and D have 3; C has no such axis; A has 4. Clash." All clash with the one
// operand that gave the axis its extent.
void WriteClash(TextWriter& text, std::span<const Conflict> conflicts) {
  // Only so many are searched for those that have the same, since all of them
  // may differ.
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

// What there is to say of an operand, or the target, along one axis.
enum class Remark : uint8_t {
  kNothing,
  kNoPlace,
  kTrailingOne,
  kNoSuchAxis,
  kOne,
};
constexpr size_t kRemarks = static_cast<size_t>(Remark::kOne) + 1;
constexpr size_t Index(Remark remark) { return static_cast<size_t>(remark); }

// The operands and the target, in the order in which they are spoken of.
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

// "B and D have no such axis": of all that it holds for. Returns whether they
// are several.
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

size_t Describe(const Error& error, std::span<char> out) noexcept {
  TextWriter text(out);
  switch (error.error_class) {
    case ErrorClass::kParse:
      WriteParse(text, error);
      break;
    case ErrorClass::kUnknown:
      WriteUnknown(text, error);
      break;
    case ErrorClass::kArity:
      WriteArity(text, error);
      break;
    case ErrorClass::kAttribute:
      WriteAttribute(text, error);
      break;
    case ErrorClass::kExtent:
      WriteExtent(text, error);
      break;
    case ErrorClass::kDType:
      WriteDType(text, error);
      break;
    case ErrorClass::kLength:
      WriteLength(text, error);
      break;
    case ErrorClass::kIncompatible:
      WriteIncompatible(text, error);
      break;
    case ErrorClass::kRank:
      WriteRank(text, error);
      break;
    case ErrorClass::kAxis:
      WriteAxis(text, error);
      break;
    case ErrorClass::kAxesMapping:
      WriteAxesMapping(text, error);
      break;
    case ErrorClass::kNegativeDim:
      text << "The target, axis " << error.axis << ": the extent "
           << error.extent
           << " is negative. Every extent of a target has to be given.";
      break;
    case ErrorClass::kOverflow:
      WriteOverflow(text, error);
      break;
    case ErrorClass::kOverlap:
      text << "out overlaps ";
      if (error.other_operand == kOutputOperand) {
        text << "another out";
      } else {
        WriteOperand(text, error.other_operand);
      }
      text << ". Give memory of its own, or all of an operand of the result's "
              "shape and type.";
      break;
    case ErrorClass::kLimit:
    case ErrorClass::kAllocation:
      WriteMemory(text, error);
      break;
    default:
      text << "This is no error that this version knows.";
      break;
  }
  return text.length();
}

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
    // Who has no such axis and who has 1 there share what follows from it.
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

size_t FormatShape(ShapeView shape, std::span<char> out) noexcept {
  TextWriter text(out);
  WriteShape(text, shape);
  return text.length();
}

size_t FormatOperand(int32_t operand, std::span<char> out) noexcept {
  TextWriter text(out);
  WriteOperand(text, operand);
  return text.length();
}

}  // namespace v1
}  // namespace broadloom
