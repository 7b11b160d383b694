// Sentences about errors: Describe of explain.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/explain.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/operator.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"
#include "text/text_writer.h"
#include "text/words.h"

namespace broadloom {
inline namespace v1 {
namespace {

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
    // Characters are counted from 1. INT64_MAX stays, so as not to overflow.
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
  // Whether the operator refuses the number, or only the rule: Max takes any
  // number of operands, but two under PDPD.
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

// "fmod is for Mod, direction is for BitShift", for all operators that have an
// attribute.
void WriteOperatorsWithAttributes(TextWriter& text) {
  std::string_view separator = "";
  for (const OpInfo& op : AllOps()) {
    if (op.attribute == OpAttribute::kNoAttribute) continue;
    text << separator << NameOf(op.attribute) << " is for " << op.name;
    separator = ", ";
  }
}

// "axis", or "axes" of another number than 1.
std::string_view AxesOf(int64_t count) { return count == 1 ? "axis" : "axes"; }

// More or fewer names of axes than there are operands or axes.
void WriteWrongNames(TextWriter& text, const Error& error) {
  text << "axis_names has ";
  if (error.operand == kAbsent) {
    text.Count(error.extent, "list") << " of names, but there ";
    text << (error.other_extent == 1 ? "is " : "are ");
    text.Count(error.other_extent, "operand")
        << ": give one list for each operand, which may be empty.";
    return;
  }
  text.Count(error.extent, "name") << " for ";
  WriteOperand(text, error.operand);
  text << ", which has " << error.other_extent << " "
       << AxesOf(error.other_extent)
       << ": give one for each axis, or an empty list.";
}

void WriteAttribute(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kAxisNames) return WriteWrongNames(text, error);
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
    // Without an operand the error is about a mapping, whose numbers are called
    // entries, or about a negative extent.
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
      // Boxes belong to plans, which have an operator; indices to alignments.
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

// The types that an operator takes as one operand. For the result, which only
// Cast's attribute `to` chooses, they are the types that it makes.
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
    // The type of a sum, which has no operator.
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

// "Axis 1: B has 3 (its axis 0) but A has 4 (its axis 1)."
void WriteParties(TextWriter& text, const Error& error) {
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
  if (error.other_operand != kAbsent) {
    text << " but ";
    write_party(error.other_operand, error.other_axis, error.other_extent);
  }
  text << ".";
}

// What the policy of the call refuses, and what it would accept.
void WritePolicy(TextWriter& text, const Error& error) {
  const std::string_view policy = Info(error.detail).name;
  if (error.detail == Detail::kAxisNames) {
    text << "Axis " << error.axis << ": axis " << error.operand_axis << " of ";
    WriteOperand(text, error.operand);
    text << " and axis " << error.other_axis << " of ";
    WriteOperand(text, error.other_operand);
    text << " do not have the same name, as the policy " << policy
         << " demands: name both alike, or change the order of the axes.";
    return;
  }
  WriteParties(text, error);
  const bool adds = error.detail == Detail::kRankPromotion;
  text << " The policy " << policy
       << (adds ? " adds no axes" : " repeats no axis") << ": give ";
  WriteOperand(text, error.operand);
  if (adds) {
    text << " an axis of extent 1 there.";
  } else {
    text << " the extent " << error.other_extent << " there.";
  }
}

void WriteIncompatible(TextWriter& text, const Error& error) {
  if (error.detail == Detail::kOtherPlan) {
    text << "The blocks were made of another plan: make them of this plan.";
    return;
  }
  if (error.detail == Detail::kNotBuilt) {
    text << "This build of the library writes no strides of out: turn "
            "BROADLOOM_STRIDED_RESULTS on.";
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
      // Not Count(), since the plural of "axis" is irregular.
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
  WriteParties(text, error);
  // The rule is kept, but the array would have to stretch to be summed.
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
  // A type of one byte always helps: the number of elements itself fits.
  text << (error.dtype ? ". Use smaller extents or a smaller element type."
                       : ". Use smaller extents.");
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
    case ErrorClass::kPolicy:
      WritePolicy(text, error);
      break;
    case ErrorClass::kOverflow:
      WriteOverflow(text, error);
      break;
    case ErrorClass::kOverlap:
      if (error.detail == Detail::kStrides) {
        text << "out overlaps itself: its stride " << error.extent
             << " along axis " << error.operand_axis << " has to be at least "
             << error.other_extent << " or at most -" << error.other_extent
             << ", so that no element is written twice.";
        break;
      }
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

}  // namespace v1
}  // namespace broadloom
