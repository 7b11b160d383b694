// The fields of an error and of a request, in the order in which their words
// cross between C++ and JavaScript. Both sides are made from these rows: C++ by
// the preprocessor (fault.cc, request.cc), TypeScript by `npm run generate`
// (wasm/src/types/error-fields.ts, wasm/src/core/fields.ts). A test fails where
// the TypeScript differs from the rows.
//
// A row has the field's kind, its member in C++, its name in TypeScript, and
// its doc. The kinds are the types of FieldTypes. In TypeScript an enumerator
// is its name; a field that is not given is null in an error, and undefined in
// a request.

#ifndef BROADLOOM_WASM_FIELDS_H_
#define BROADLOOM_WASM_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "broadloom/broadloom.h"

// Of broadloom::Error. One word each.
#define BROADLOOM_ERROR_FIELDS(X)                                             \
  X(ErrorClass, error_class, code,                                            \
    "The class of the error: stable, a key of `bl.vocabulary.errors`, or "    \
    "`disposed`, `aborted`, `not_loaded` or `link`.")                         \
  X(Detail, detail, detail,                                                   \
    "What exactly, within the class: a key of `bl.vocabulary.details`.")      \
  X(Rule, rule, rule, "The rule that was applied.")                           \
  X(Clause, clause, clause,                                                   \
    "The clause of its document that was broken: a key of "                   \
    "`bl.vocabulary.clauses`.")                                               \
  X(Op, op, op, "The operator that was asked for.")                           \
  X(Index, operand, operand,                                                  \
    "The operand at fault; -2 stands for the target shape, -3 for the "       \
    "result.")                                                                \
  X(Index, other_operand, otherOperand, "The one that it conflicts with.")    \
  X(Index, axis, axis, "Where: an axis of the result.")                       \
  X(Index, operand_axis, operandAxis,                                         \
    "The same place as the operand counts its axes.")                         \
  X(Index, other_axis, otherAxis,                                             \
    "The same place as the other operand counts its axes.")                   \
  X(Extent, extent, extent,                                                   \
    "What clashed: extents, ranks, numbers of operands, lengths in bytes. A " \
    "bigint only beyond 2^53.")                                               \
  X(Extent, other_extent, otherExtent, "What it clashed with.")               \
  X(DType, dtype, dtype, "For code `dtype`: the operand's element type.")     \
  X(DType, other_dtype, otherDtype, "The one that it conflicts with.")        \
  X(Offset, text_begin, textBegin, "For errors in a text: where they begin.") \
  X(Offset, text_end, textEnd, "The offset after the last one.")

// Of broadloom_wasm::Request. One word each, but Integer: whether it is given,
// then its value; and List: its length, then its values.
#define BROADLOOM_REQUEST_FIELDS(X)                                           \
  X(Op, op, op, "The operator.")                                              \
  X(Rule, rule, rule, "How the operands are matched.")                        \
  X(DType, result_dtype, dtype, "The result's element type.")                 \
  X(Integer, axis, axis, "The axis of A that B begins at.")                   \
  X(List, target_shape, targetShape, "The shape to broadcast to.")            \
  X(List, axes_mapping, axesMapping,                                          \
    "For each axis of the operand, the axis of the target that it lies on.")  \
  X(Integer, refused, refused,                                                \
    "What the policy refuses: 1 added axes, 2 repeated axes, 4 axes of "      \
    "unlike names; added up.")                                                \
  X(List, axis_names, axisNames,                                              \
    "Of each operand the number of its names, then a number for each; equal " \
    "names have equal numbers, and 0 is no name.")                            \
  X(Integer, attributes.fmod, fmod, "Attribute of Mod.")                      \
  X(Direction, attributes.direction, direction, "Attribute of BitShift.")     \
  X(DType, attributes.to, to, "Attribute of Cast.")                           \
  X(Integer, attributes.saturate, saturate, "Attribute of Cast.")             \
  X(List, index, index, "A shape that is counted or written as text.")

namespace broadloom_wasm {

// The C++ type of each kind of field.
struct FieldTypes {
  // Always given. Row 0 of Detail and Clause, whose name is empty, stands for
  // none.
  using ErrorClass = broadloom::ErrorClass;
  using Detail = broadloom::Detail;
  using Clause = broadloom::Clause;
  // -1: not given.
  using Op = std::optional<broadloom::Op>;
  using Rule = std::optional<broadloom::Rule>;
  using DType = std::optional<broadloom::DType>;
  using Direction = std::optional<broadloom::ShiftDirection>;
  // An operand or an axis; -1: not given.
  using Index = int32_t;
  // 0 where there is none.
  using Extent = int64_t;
  // In a text.
  using Offset = uint32_t;
  using Integer = std::optional<int64_t>;
  // Length -1: not given.
  using List = std::optional<broadloom::ShapeView>;
};

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_FIELDS_H_
