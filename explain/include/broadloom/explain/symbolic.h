// What a rule says about shapes with unknown extents: whether they fit
// always, under conditions or never, the conditions, and the result's shape.
// (N,1,C) with (H,C) gives (N,H,C) under numpy, always. (N,3) with (M,3) gives
//
//   axis   alternatives                                  result
//   0      N=M -> N  or  N=1 -> M  or  M=1 -> N          N or M
//   1      always                                        3
//
// Every answer is the core's: it is asked about numbers that represent each way
// in which extents can be 1, equal to each other or to a given number. Answers
// are exact, unless `must_check` says that an axis has too many unknown extents
// to try; then all that is said is true, but not all that could be said. That a
// result may have too many elements is not considered.

#ifndef BROADLOOM_EXPLAIN_SYMBOLIC_H_
#define BROADLOOM_EXPLAIN_SYMBOLIC_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// --- Limits -----------------------------------------------------------------

// Axes of all shapes together, and operands. More than any model has; the time
// of an answer grows with their product.
inline constexpr size_t kMostSymbolicExtents = 512;
inline constexpr size_t kMostSymbolicOperands = 64;

// Bytes of a name. Names are compared, so longer ones cost time.
inline constexpr size_t kMostNameBytes = 256;

// Unknown extents along one axis that are tried in every way: 203 ways for 5,
// 674 where a number other than 1 is there as well. With more, or more ways,
// the axis must be checked.
inline constexpr size_t kMostUnknownOnAxis = 5;
inline constexpr size_t kMostWaysOnAxis = 1024;

// Ways in which a question is tried in all, and choices of alternatives of axes
// that share a name. Both bound the time of an answer to a second.
inline constexpr size_t kMostWays = 16384;
inline constexpr size_t kMostChoices = 100000;

// Ranks that are tried for shapes of unknown rank, all combinations together.
inline constexpr size_t kMostRanks = 64;

// --- The question -----------------------------------------------------------

// What the record points to must outlive the call and its answer.
struct SymbolicRequest {
  Rule rule = Rule::kNumpy;
  std::span<const SymbolicShape> operands = {};
  // As in BroadcastRequest.
  std::optional<int64_t> axis = std::nullopt;
  std::optional<SymbolicShape> target_shape = std::nullopt;
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  // xarray's rule instead of `rule`: axes are matched by name, not by place;
  // axes of one name must have equal extents, and 1 does not stretch; an
  // operand that lacks a name is repeated along it. The result's axes are in
  // the order in which names appear first. Every axis needs a name.
  bool by_name = false;
};

// --- The answer -------------------------------------------------------------

enum class SymbolicFit : uint8_t {
  kAlways,     // whatever the unknown extents are
  kIf,         // where the conditions hold, and only there
  kNever,      // no extents fit
  kMustCheck,  // perhaps; what is listed does not say all
};

// The spelling: "always", "if", "never", "must_check".
[[nodiscard]] std::string_view Name(SymbolicFit fit) noexcept;

// An unknown extent. Without a name it is axis `operand_axis` of `operand`.
struct SymbolInfo {
  std::string_view name = {};
  int64_t least = 0;
  int64_t most = kUnbounded;
  int32_t operand = kAbsent;  // where it appears first; or kTargetOperand
  // Of a shape of unknown rank: from the end, -1 is the last axis.
  int32_t operand_axis = kAbsent;
};

// A number, or an unknown extent: an index of SymbolicAlignment::symbols.
struct ExtentTerm {
  int32_t symbol = kAbsent;
  int64_t number = 0;  // if there is no symbol

  friend bool operator==(const ExtentTerm&, const ExtentTerm&) = default;
};

// `left`, always a symbol, equals `right`.
struct ExtentEquality {
  ExtentTerm left;
  ExtentTerm right;

  friend bool operator==(const ExtentEquality&,
                         const ExtentEquality&) = default;
};

// If all equalities hold, the axis fits and its extent is `result`. No
// equalities: it always does. `witness` has a value for each symbol, for which
// all shapes fit under the rule; the core was asked. It is empty when none was
// found within the limits.
struct SymbolicAlternative {
  std::span<const ExtentEquality> equalities = {};
  ExtentTerm result = {};
  std::span<const int64_t> witness = {};
};

// An axis of the result. It fits if one of the alternatives holds, and only
// then; alternatives that contradict other axes are left out.
struct SymbolicAxis {
  std::span<const SymbolicAlternative> alternatives = {};
  // Whether one of the alternatives holds whatever the extents are.
  bool always = false;
  // Whether there were too many ways: there are no alternatives.
  bool must_check = false;
  // The result's extent is one of these, and in [least, most].
  std::span<const ExtentTerm> choices = {};
  int64_t least = 0;
  int64_t most = kUnbounded;
  // xarray's rule: the axis' name.
  std::string_view name = {};
};

// A condition on the rank of a shape of unknown rank. With `or_more`, all
// higher ranks are meant as well.
struct RankCondition {
  int32_t operand = kAbsent;
  int32_t rank = 0;
  bool or_more = false;
};

// Shapes whose axes lie in one way on the result's axes. Where ranks are known
// there is one case, unless a rule's placement depends on unknown extents.
struct SymbolicCase {
  SymbolicFit fit = SymbolicFit::kNever;
  std::span<const RankCondition> ranks = {};
  // What must hold for this placement: extents that PDPD leaves out and that
  // have no place on A are 1.
  std::span<const ExtentEquality> when = {};
  std::span<const SymbolicAxis> axes = {};
  // The axis that stands for one or more axes of which nothing is known but
  // that the result has them, where a condition has `or_more`; else kAbsent.
  int32_t open_axis = kAbsent;
  // For each shape (operands, then the target) and each axis of the result: the
  // shape's axis, or kAbsent.
  std::span<const int32_t> source_axes = {};
  // Why nothing fits: an axis of the result, and one with which it contradicts,
  // if it would fit alone; or the core's error, such as a rank.
  int32_t conflict_axis = kAbsent;
  int32_t other_conflict_axis = kAbsent;
  std::optional<Error> error = std::nullopt;
};

// What lies in the arena or in the request, is valid as long as both are.
struct SymbolicAlignment {
  SymbolicFit fit = SymbolicFit::kNever;
  std::span<const SymbolInfo> symbols = {};
  // The cases in which shapes fit or may fit. If there are none: one case that
  // says why.
  std::span<const SymbolicCase> cases = {};
};

// --- Faults -----------------------------------------------------------------

enum class SymbolicFaultKind : uint8_t {
  kRequest,        // the core refuses the request: `error`
  kNegative,       // an extent that may be negative
  kContradiction,  // least > most
  kTwoRanges,      // one name with two ranges
  kTooManyExtents,
  kTooManyOperands,
  kLongName,
  kUnnamedAxis,  // xarray's rule needs a name for each axis
  kSameName,     // a shape with two axes of one name
  kNameCount,    // not one name for each axis
  kAllocation,
};

struct SymbolicFault {
  SymbolicFaultKind kind;
  int32_t operand = kAbsent;  // or kTargetOperand
  int32_t operand_axis = kAbsent;
  int64_t least = 0;  // numbers at fault
  int64_t most = 0;
  int64_t other_least = 0;
  int64_t other_most = 0;
  std::optional<Error> error = std::nullopt;
};

// A sentence: "Axis 0 of B: the range 8..2 is empty, since it begins above its
// end." The text lies in the arena.
[[nodiscard]] std::string_view Describe(const SymbolicFault& fault,
                                        Arena& arena) noexcept;

// Applies a rule to shapes with unknown extents. Complexity: bounded by the
// limits above. The governing document is that of the rule (see Traits); ranges
// are those of OpenVINO's dynamic dimensions. Example:
//   const SymbolicExtent a[] = {{.name = "N"}, {3, 3}};
//   const SymbolicExtent b[] = {{.name = "M"}, {3, 3}};
//   const SymbolicShape shapes[] = {{a}, {b}};
//   Arena arena;
//   const auto answer = AlignSymbolic({.operands = shapes}, arena);
//   assert(answer->fit == SymbolicFit::kIf);
//   const SymbolicAxis& axis = answer->cases[0].axes[0];
//   assert(axis.alternatives.size() == 3);  // N=M or N=1 or M=1
//   assert(axis.choices.size() == 2);       // N or M
//   assert(answer->cases[0].axes[1].always);
[[nodiscard]] std::expected<SymbolicAlignment, SymbolicFault> AlignSymbolic(
    const SymbolicRequest& request, Arena& arena) noexcept;

// --- Texts ------------------------------------------------------------------

// How conditions are written.
enum class ConditionForm : uint8_t {
  kPlain,   // N=M or N=1 or M=1
  kPython,  // assert N == M or N == 1 or M == 1
  kTorch,   // torch._check((N == M) | (N == 1) | (M == 1))
  // constraints of jax.export.symbolic_shape, which cannot say "or": one
  // alternative of each axis, the others in a comment
  kJax,
};

// The conditions of a case as lines of text, empty if there are none. Names are
// first assigned from the operands' shapes, which are called a, b, ... and
// target; what is no Python name is written as its place, a.shape[0]. The text
// lies in the arena. Example, with `answer` and `arena` as above:
//   const SymbolicExtent a[] = {{.name = "N"}};
//   const SymbolicExtent b[] = {{3, 3}};
//   const SymbolicShape shapes[] = {{a}, {b}};
//   Arena arena;
//   const auto answer = AlignSymbolic({.operands = shapes}, arena);
//   assert(WriteConditions(*answer, 0, ConditionForm::kPython, arena) ==
//          "N = a.shape[0]\nassert N == 3 or N == 1\n");
[[nodiscard]] std::string_view WriteConditions(
    const SymbolicAlignment& alignment, size_t case_index, ConditionForm form,
    Arena& arena) noexcept;

// The result's shape in a case: "(N, H, C)", "(N or 3, 4)", "(..., 3)". An
// extent without a name is written as its range: "?", "2..8", "2..".
[[nodiscard]] std::string_view FormatResult(const SymbolicAlignment& alignment,
                                            size_t case_index,
                                            Arena& arena) noexcept;

// The whole answer as JSON:
//   {"fit": "if",
//    "symbols": [{"name", "least", "most", "operand", "axis",
//      "isExpression"}],
//    "cases": [{"fit", "shape", "ranks": [{"operand", "rank", "orMore"}],
//      "when": [[symbol, term]], "openAxis",
//      "axes": [{"always", "mustCheck", "least", "most", "choices": [term],
//        "alternatives": [{"equal": [[term, term]], "result": term,
//          "witness": [value]}]}],
//      "sources": [[axis]], "conflictAxis", "otherConflictAxis", "error"}]}
// A term is a number, or {"symbol": index}. "most" is null where there is no
// upper end; axes that are absent are null.
[[nodiscard]] std::string_view ToJson(const SymbolicAlignment& alignment,
                                      Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_SYMBOLIC_H_
