// Everything known about a request, as a JSON document. The package, the
// command line and the page read the same document.

#ifndef BROADLOOM_EXPLAIN_DOCUMENT_H_
#define BROADLOOM_EXPLAIN_DOCUMENT_H_

#include <optional>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/explain/warning.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// What the record points to must outlive the call that it is given to. The time
// for the sentences grows with the square of the rank, and repairs take longer
// than all else.
struct DocumentRequest {
  BroadcastRequest broadcast;
  // The operator, if it is known: see WarningRequest.
  std::optional<Op> op = std::nullopt;
  // Kinds of warnings that are meant, and left out.
  std::span<const WarningKind> expect = {};
  // What the operands are called in lines of code: see RepairCode.
  std::span<const std::string_view> expressions = {};
  // The pasted text's question that this is: of its repairs those are written
  // that are of use. See UsefulRepairs.
  const PastedQuestion* pasted = nullptr;
  // Which parts are written: everything up to `error`, and each of the others.
  bool alignment = true;
  bool cause = true;
  bool repairs = true;
  bool code = true;  // of `repairs`
  bool warnings = true;
  // Where the playground is; with it the document has a link.
  std::string_view link_base = {};
};

// The document of a request, in UTF-8; it lies in `arena`. While `version` is
// 1, fields keep their names and meanings, and new ones may be added:
//
//   version      1
//   kind         "alignment"
//   rule         the rule's name
//   op           the operator's name, or null
//   operands     for each operand: name (A, B, ...), shape
//   axis, targetShape, axesMapping   the options that were given, or null
//   fits         whether the shapes fit
//   shape        the result's shape, or null
//   axes         for each axis of the result: axis; extent, null along a
//                conflict; conflict; cells, one for each operand, and target,
//                the target's cell or null, each with sourceAxis, relation,
//                clause, extent, stride; why, a sentence (null from the 1025th
//                axis on)
//   conflicts    axis, operand (-2: the target), otherOperand, operandAxis,
//                otherAxis, extent, otherExtent, clause
//   growsBoth    whether operands stretch to each other
//   verdict      a sentence
//   error        the fields of Error that concern shapes, and message; or null
//   cause        kind, operand, axis, isThin, text; null if the shapes fit
//   repairs      kind, operand, shape, axes, rule, axis, axesMapping, grade,
//                meaning, result; needsNewArray, as in UsefulRepair; and code:
//                the line for each system by its id, null where it has none
//   warnings     kind, axes, message, systems (a list: those that differ)
//   link, whyNoLink   only with `link_base`: the address and the reason of
//                WriteLink, one of them null
//
// Numbers beyond 2^53 - 1 are written as strings. Errors: those of Align,
// FindWarnings, RepairCode and WriteLink; kAllocation. Example:
//   const Extents a{2, 3};
//   const Extents b{3};
//   const ShapeView shapes[] = {a, b};
//   Arena arena;
//   const Result<std::string_view> document =
//       WriteDocument({.broadcast = {.operands = shapes}}, arena);
//   assert(document->starts_with(R"({"version":1,"kind":"alignment",)"));
//   assert(document->contains(R"("fits":true,"shape":[2,3],)"));
//   assert(document->ends_with(
//       R"("error":null,"cause":null,"repairs":[],"warnings":[]})"));
[[nodiscard]] Result<std::string_view> WriteDocument(
    const DocumentRequest& request, Arena& arena) noexcept;

// A question as code for a system, as JSON: {"text", "reason"}, one of which is
// null. It lies in `arena`. Errors: those of QuestionCode. Example:
//   const Extents shape{2};
//   const CodeOperand operands[] = {{.name = "A",
//                                    .shape = shape,
//                                    .dtype = DType::kU1,
//                                    .values = {CodeValues::Kind::kCounting}}};
//   const Extents target{3, 2};
//   Arena arena;
//   assert(*WriteCode({.rule = Rule::kBroadcastNumpy,
//                      .op = Op::kBroadcast,
//                      .operands = operands,
//                      .target_shape = target},
//                     CodeSystem::kNumPy, arena) ==
//          R"({"text":null,"reason":"NumPy has no element type u1."})");
[[nodiscard]] Result<std::string_view> WriteCode(const CodeQuestion& question,
                                                 CodeSystem system,
                                                 Arena& arena) noexcept;

// The names that the package, the page and the command need, as JSON; it lies
// in `arena`. Errors: kAllocation.
//
//   grades, causes, warnings   names
//   systems      those for which code is written: name and title
//   mostListed   kMostListed
//   layers       each type of layer in OpenVINO's IR that stands for an
//                operator: type; op; fmod, 1 or null; direction, or null
//   precisions   each precision of a port in the IR: precision, dtype
//
// Example:
//   Arena arena;
//   assert(WriteNames(arena)->starts_with(R"({"grades":["certain",)"));
[[nodiscard]] Result<std::string_view> WriteNames(Arena& arena) noexcept;

// What ReadPasted and ReadShapes found, as JSON; it lies in `arena`.
//
//   version      1
//   kind         "pasted"
//   system, systemTitle, also (a list), format, rule, otherRule, ruleAxis,
//   operator, op
//                as in Pasted; null where there is none
//   noBroadcast  kind and message, where the text is about something else; or
//                null
//   shapes       role, isOperand, shape, extents, names, text, label,
//                expression, span, expressionSpan. `shape` is a text such as
//                "(?, 3)"; null where the text has the expression only
//   sizes        the extents that a text has instead of shapes
//   axis, axisCounts   null, or the axis in the text, and how it is counted:
//                "from_left_in_result", "from_right_in_result", "in_operand"
//   inPlace, lacksShapes
//   question     rule, operands and target (indices in shapes; target may be
//                null), isSymbolic, writesToTarget, writesOperand, keepsRule,
//                as in PastedQuestion; null where there is none
//   sourceLine, sourceSpan, messageSpan, notes
//
// Extents are numbers; those that are not known are objects with name, or null,
// least, and most, or null. They are null for an unknown rank. Names are null,
// or one for each axis. Spans are begin and end in bytes.
//
// The document is "null" if nothing was found. Errors: those of ReadPasted.
// Example:
//   Arena arena;
//   const Result<std::string_view> document =
//       WritePasted("operands could not be broadcast together with shapes "
//                   "(2,3) (2,) ", arena);
//   assert(document->starts_with(
//       R"({"version":1,"kind":"pasted","system":"numpy",)"));
[[nodiscard]] Result<std::string_view> WritePasted(std::string_view text,
                                                   Arena& arena) noexcept;

// The shapes in a text as a list of the objects in `shapes` above, without role
// and expression. `elementType` is a type beside the shape, and `dtype` the one
// of Broadloom that it is; each is null where there is none. Errors: those of
// ReadShapes. Example:
//   Arena arena;
//   assert(*WriteShapes("[2, N]", arena) ==
//          R"([{"extents":[2,{"name":"N","least":0,"most":null}],)"
//          R"("names":null,"text":"[2, N]","label":null,)"
//          R"("span":{"begin":0,"end":6},"isPartial":false,)"
//          R"("elementType":null,"dtype":null}])");
[[nodiscard]] Result<std::string_view> WriteShapes(std::string_view text,
                                                   Arena& arena) noexcept;

// What a rule says about shapes with unknown extents, as JSON; it lies
// in `arena`.
//
//   version      1
//   kind         "symbolic"
//   rule         the rule's name
//   byName       whether axes are matched by name instead, by xarray's rule
//   operands     for each operand: name (A, B, ...), shape, a text: "(N, 3)"
//   axis, targetShape, axesMapping   the options that were given, or null; the
//                target is a text
//   fault        null; or what is wrong with the question: code and detail, as
//                in Error, operand (-2: the target), axis, message
//   fit, symbols, cases   as in ToJson; null and empty after a fault. Each case
//                also has conditions: plain, python, torch, jax, the texts of
//                WriteConditions; and each alternative has a text of the
//                witness' values that concern the axis, such as "N=2, M=2"
//   notes        sentences on what is not used: names that are expressions
//
// Errors: kAllocation. Example:
//   const SymbolicExtent a[] = {{.name = "N"}, {3, 3}};
//   const SymbolicExtent b[] = {{.name = "M"}, {3, 3}};
//   const SymbolicShape shapes[] = {{a}, {b}};
//   Arena arena;
//   const auto document = WriteSymbolic({.operands = shapes}, arena);
//   assert(document->starts_with(R"({"version":1,"kind":"symbolic",)"));
//   assert(document->contains(R"("fault":null,"fit":"if",)"));
//   assert(document->contains("(N or M, 3)"));
//   assert(document->contains("N=M or N=1 or M=1"));
[[nodiscard]] Result<std::string_view> WriteSymbolic(
    const SymbolicRequest& request, Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_DOCUMENT_H_
