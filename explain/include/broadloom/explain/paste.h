// Reads what people paste: shapes in any notation, and the error texts of other
// systems, with the shapes, the operator and the operands' expressions in them.
// Texts are only read: nothing in them is executed.

#ifndef BROADLOOM_EXPLAIN_PASTE_H_
#define BROADLOOM_EXPLAIN_PASTE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/internal/config.h"
#include "broadloom/parse.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// The longest text that is read, in bytes. Of a longer paste, ReadPasted reads
// the end, where the error is.
inline constexpr size_t kMostPastedBytes = size_t{4} << 20;

// A shape in a text. Spans are bytes of the text as it was passed.
struct ShapeInText {
  SymbolicShape shape;
  TextSpan span = {};                   // of the shape, without its label
  std::span<const TextSpan> axes = {};  // of each extent, with the axis's name
  std::string_view label = {};          // `a.shape` of `a.shape = (2, 3)`
  // Of unknown rank, although the text has some extents: (..., 3). They are
  // not in `shape`.
  bool is_partial = false;
  // As the text has it: `f32` of `f32[2,3]` and of `tensor<2x3xf32>`.
  std::string_view element_type = {};
};

// Reads one or several shapes. Beside what ParseShape reads, these are:
//   several shapes          (2,3) (2,)    2,3 and 2    [(2, 3), (2,)]
//   with names and types    a.shape = (2, 3)    f32[2,3]    tensor<2x3xf32>
//                           Tensor<[2, 3], f32>    np.ones((2, 3))
//   unknown extents         ?  None  -1  nan  _  :
//   ranges                  2..8  2..  ..8  <=8
//   symbols, expressions    N  2*N+1 (a name of its own, without its blanks)
//   named axes              batch=8, heads=8    {'x': 3}
//   unknown rank            [...]  tensor<*xf32>  TensorShape(None)  unranked
// Full-width characters, no-break spaces, and other characters that look like
// ASCII ones are read as those. All that is returned lies in `arena`.
// Errors: those of ParseShape; -1 is unknown, but other negative numbers are
// errors. Complexity: the length of the text.
// Example:
//   Arena arena;
//   const auto read = ReadShapes("x.shape = (N, 3), f32[2..8]", arena);
//   assert(read->size() == 2 && (*read)[0].label == "x.shape");
//   assert((*read)[0].shape.extents[0].name == "N");
//   assert((*read)[1].shape.extents[0].most == 8);
//   assert((*read)[1].span.begin == 18 && (*read)[1].span.end == 27);
[[nodiscard]] Result<std::span<const ShapeInText>> ReadShapes(
    std::string_view text, Arena& arena) noexcept;

// What a shape in an error text is.
enum class PastedRole : uint8_t {
  kOperand,
  kLossTarget,  // "target" and "input" of a loss function, both operands
  kLossInput,
  kValue,      // is stretched to the target
  kTarget,     // the shape that the value must take
  kOutput,     // the place for the result, in place or out=
  kBroadcast,  // the shape that the operands would make together
};
// "operand", "target operand", ..., "broadcast".
[[nodiscard]] std::string_view Name(PastedRole role) noexcept;

// Whether a shape in this role is an operand: kOperand, kLossTarget,
// kLossInput, kValue.
[[nodiscard]] bool IsOperand(PastedRole role) noexcept;

struct PastedShape {
  PastedRole role = PastedRole::kOperand;
  ShapeInText read;
  // The operand in the source line, as `x.mean(axis=1)`; empty if there is no
  // source line or it does not tell which expression is this operand.
  std::string_view expression = {};
  TextSpan expression_span = {};
};

// How the axis that a text names is counted.
enum class PastedAxis : uint8_t {
  kNoAxis,
  kFromLeftInResult,   // 0 is the first axis of the result
  kFromRightInResult,  // -1 or 0 is the last, as the text has it
  kInOperand,          // an axis of one operand
};

// The question in a text: what Align is to be asked, or AlignSymbolic where
// some extents are not known.
struct PastedQuestion {
  // That of the text; or broadcast_numpy for an operator that works in place,
  // of which only the right operand may be stretched.
  Rule rule = Rule::kNumpy;
  // Indices in Pasted::shapes.
  std::span<const uint32_t> operands = {};
  std::optional<uint32_t> target = std::nullopt;
  bool is_symbolic = false;  // some extents, or a rank, are not known
  // Whether the target is an array that is written to, not a shape that was
  // asked for: x[i] = y, x -= y, out=x.
  bool writes_to_target = false;
  // Whether an operand is written there; else the text has only the shape of
  // what the operands make together.
  bool writes_operand = false;
  // Whether the system has no other rule for such operators.
  bool keeps_rule = false;
};

// What a text is about that is no broadcast.
struct NoBroadcast {
  // "reshape", "matmul", "einsum", "concatenate", "index", "axis", "layer",
  // "ragged", "call", "core dimensions".
  std::string_view kind;
  std::string_view message;  // a sentence: what it is, and what helps
};

struct Pasted {
  // The system, as "numpy" and "NumPy"; "unknown" if only shapes were found.
  std::string_view system;
  std::string_view system_title;
  // Other systems that print the same text, separated by blanks: "cupy".
  std::string_view also;
  // A row of the table of formats: "numpy.shapes".
  std::string_view format;
  // The rule that the system applied. None if it is not among Broadloom's:
  // then `other_rule` is "left_aligned" (Julia, Octave, MATLAB), "recycled"
  // (R), "by_name" (xarray), "nested" (Awkward), "unknown", or the kind of what
  // is no broadcast.
  std::optional<Rule> rule;
  std::string_view other_rule;
  std::optional<NoBroadcast> no_broadcast;
  // The attribute `axis` of the rule pdpd, if the text has it.
  std::optional<int64_t> rule_axis;
  // The operator as the text has it ("AddV2"), or else the source line ("-",
  // "np.subtract"), and Broadloom's if it has it.
  std::string_view operator_name;
  std::optional<Op> op;
  // In the order of the text.
  std::span<const PastedShape> shapes;
  // What a text has instead of shapes: the extents that conflict, and perhaps
  // an axis.
  std::span<const SymbolicExtent> sizes;
  PastedAxis axis_counts = PastedAxis::kNoAxis;
  int64_t axis = 0;
  // Whether the result is written into the left operand, so that it must have
  // its shape: x -= y, x.sub_(y).
  bool is_in_place = false;
  // Whether the shapes of the operands are not, or not all, in the text, and
  // would help.
  bool lacks_shapes = false;
  // None if the text lacks shapes or a rank, or its rule is none of Broadloom's
  // or needs a mapping that the text does not have.
  std::optional<PastedQuestion> question;
  // The source line at which it failed; empty if the text has none.
  std::string_view source_line;
  TextSpan source_span = {};
  TextSpan message_span = {};
  // Sentences about this text: what its system does differently.
  std::span<const std::string_view> notes;
};

// Reads an error text: a message, a traceback, or a notebook's cell with its
// output. Of several errors the last is read that has shapes. Nothing if the
// text is no such error and has no shapes. All that is returned lies in
// `arena`, or is constant. Errors: kAllocation. Complexity: the length of the
// text, of which at most kMostPastedBytes are read.
// Example:
//   Arena arena;
//   const auto read = ReadPasted("    x - x.mean(axis=1)\n"
//       "ValueError: operands could not be broadcast together with shapes "
//       "(2,3) (2,) ", arena);
//   const Pasted& pasted = **read;
//   assert(pasted.system == "numpy" && pasted.rule == Rule::kNumpy);
//   assert(pasted.shapes[1].expression == "x.mean(axis=1)");
//   assert(pasted.op == Op::kSub);
//   assert(pasted.question->operands.size() == 2);
//   assert(!*ReadPasted("no shapes here", arena));
[[nodiscard]] Result<std::optional<Pasted>> ReadPasted(std::string_view text,
                                                       Arena& arena) noexcept;

struct UsefulRepair {
  const Repair* repair = nullptr;
  // Whether it takes a new array: the target is one that is written to, and no
  // line of code makes that larger.
  bool needs_new_array = false;
};

// Of the repairs of a text's question those that are of use to whoever saw the
// text, the most useful first: none with another rule where the system has no
// other, and another shape for an array that is written to comes last, as does
// another rule. `rule` is that of the request. They lie in `arena`; none if it
// is refused memory. Example:
//   const Repair repairs[] = {{.kind = RepairKind::kChangeTarget},
//                             {.kind = RepairKind::kInsertAxis}};
//   Arena arena;
//   const auto useful = UsefulRepairs(
//       {.writes_to_target = true, .writes_operand = true}, Rule::kNone,
//       repairs, arena);
//   assert(useful[1].repair == &repairs[0] && useful[1].needs_new_array);
[[nodiscard]] std::span<const UsefulRepair> UsefulRepairs(
    const PastedQuestion& question, Rule rule, std::span<const Repair> repairs,
    Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_H_
