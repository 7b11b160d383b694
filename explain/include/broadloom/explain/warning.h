// Warnings about shapes that fit: the rule allows them, and the result may
// still not be what was meant. (32) - (32,1) is (32,32) under numpy, which is
// right for all differences of two lists and wrong for a loss.
//
// A warning has evidence in the shapes, the operator or the names of axes.
// Some mistakes have none: (N,N) - (N) may be centred columns or a forgotten
// `keepdims`, and (b,h,n,n) + (n,n) with b = n a causal mask or a padding mask.
// There is no warning about those, since right uses of these shapes are common.
// Named axes, or a policy, find them.

#ifndef BROADLOOM_EXPLAIN_WARNING_H_
#define BROADLOOM_EXPLAIN_WARNING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

// X(symbol, spelling, doc). Warnings are listed in this order.
#define BROADLOOM_WARNING_KINDS(X)                                           \
  X(kOuter, "outer",                                                         \
    "both operands grow, and one size occurs in both: (N,1) with (N)")       \
  X(kAxisNames, "axis_names", "axes of unlike names lie on each other")      \
  X(kMaskAxis, "mask_axis",                                                  \
    "a mask fits another axis as well, which lies where masks have theirs")  \
  X(kAccidentalMatch, "accidental_match",                                    \
    "an operand fits in another place as well, with another meaning, since " \
    "two sizes are equal: batch and heads, or the sides of a square image")  \
  X(kStretchedBatch, "stretched_batch",                                      \
    "a batch of 1 is repeated where the batches should be equal")            \
  X(kResultNotTarget, "result_not_target",                                   \
    "the result does not have the shape that was asked for")                 \
  X(kOtherSystems, "other_systems",                                          \
    "another system treats these shapes differently")                        \
  X(kEmptyResult, "empty_result", "the result has no elements")              \
  X(kLargeResult, "large_result",                                            \
    "the result is large, and many times as large as the operands")

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

#define BROADLOOM_SYMBOL(symbol, ...) symbol,
enum class WarningKind : uint8_t { BROADLOOM_WARNING_KINDS(BROADLOOM_SYMBOL) };
#undef BROADLOOM_SYMBOL

// The spelling of a kind: "outer". Empty for an unknown kind. Example:
//   assert(Name(WarningKind::kOuter) == "outer");
[[nodiscard]] std::string_view Name(WarningKind kind) noexcept;

// The kind of a spelling. Example:
//   assert(FindWarningKind("outer") == WarningKind::kOuter);
//   assert(!FindWarningKind("inner"));
[[nodiscard]] std::optional<WarningKind> FindWarningKind(
    std::string_view spelling) noexcept;

// All kinds, in their order.
[[nodiscard]] std::span<const WarningKind> AllWarningKinds() noexcept;

struct Warning {
  WarningKind kind;
  std::span<const int32_t> axes;  // of the result, ascending
  std::string_view message;       // UTF-8: what was seen, and how to be sure
  // kOtherSystems: the systems that differ, as Divergence::systems.
  std::string_view systems = {};
};

// What the record points to must outlive the call that it is given to.
struct WarningRequest {
  BroadcastRequest broadcast;
  // The operator, if it is known: a comparison of positions, a division by sums
  // and a bias differ in what is ordinary.
  std::optional<Op> op = std::nullopt;
  // Kinds that are meant, and not reported: an outer product.
  std::span<const WarningKind> expect = {};
};

// A result is large from so many bytes on (an element takes 4 unless
// BroadcastRequest::dtype says otherwise), if it also has at least so many
// times the elements of the largest operand.
inline constexpr int64_t kLargeResultBytes = int64_t{1} << 30;
inline constexpr int64_t kLargeResultRatio = 16;

// Shapes of more axes, or more operands than this, are not searched for
// coincidences: the search takes time in proportion to operands^2 * axes^2.
inline constexpr size_t kMostJudgedAxes = 16;
inline constexpr size_t kMostJudgedOperands = 16;

// Warns about a request. Shapes that do not fit have only warnings of kind
// kOtherSystems: systems that take them. What is returned lies in `arena`.
//
// Every claim about shapes is that of an alignment: that of the request, or
// that of the change which a warning speaks of.
//
// Errors: those of Align for requests that have no alignment; kUnknown for an
// unknown operator (kOp) or kind in `expect`; kAllocation.
// Complexity: rank times operands, beside the search above. Example:
//   const Extents a{32};
//   const Extents b{32, 1};
//   const ShapeView shapes[] = {a, b};
//   Arena arena;
//   const Result<std::span<const Warning>> found =
//       FindWarnings({.broadcast = {.operands = shapes}}, arena);
//   assert(found->size() == 1 && (*found)[0].kind == WarningKind::kOuter);
//   assert((*found)[0].axes[0] == 0 && (*found)[0].axes[1] == 1);
[[nodiscard]] Result<std::span<const Warning>> FindWarnings(
    const WarningRequest& request, Arena& arena) noexcept;

// A case in which a document and a system, or two systems, differ: a row of
// docs/divergences.md.
struct Divergence {
  std::string_view section;  // of docs/divergences.md: "Numbers"
  std::string_view title;    // the first column there
  // What a warning says about it; empty where shapes, operator and element type
  // do not show whether the case is at hand.
  std::string_view message;
  // Those that differ from Broadloom: ids separated by blanks, of onnxruntime,
  // openvino, paddle, numpy.
  std::string_view systems = {};
  // The clauses that it is about: names of the vocabulary, separated by blanks.
  std::string_view clauses = {};
};

// All of them, in the order of docs/divergences.md.
[[nodiscard]] std::span<const Divergence> AllDivergences() noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_WARNING_H_
