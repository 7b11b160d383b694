// The same shapes under every rule: results, reasons, and whether equal result
// shapes are made of the same elements.

#ifndef BROADLOOM_EXPLAIN_COMPARISON_H_
#define BROADLOOM_EXPLAIN_COMPARISON_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// The axes_mappings with which data fits a target under `explicit`.
struct FeasibleMappings {
  // How many there are; 2^63-1 also stands for more.
  int64_t count = 0;
  // The first ones, in the order of their entries.
  std::span<const std::span<const int64_t>> first = {};
};

// Counts the mappings, and lists at most `most` of them, which lie in `arena`.
// Each that is listed was given to Align. Clauses: broadcast_3.axes_mapping (an
// increasing entry for each axis of the data), broadcast_3.explicit. Errors:
// kAllocation; those of Align for shapes that have no alignment. Complexity:
// product of the ranks, whatever the count. Example:
//   const Extents data{3};
//   const Extents target{3, 4, 3};
//   Arena arena;
//   const Result<FeasibleMappings> found = FindMappings(data, target, 5,
//   arena); assert(found->count == 2); assert(found->first[0][0] == 0 &&
//   found->first[1][0] == 2);
[[nodiscard]] Result<FeasibleMappings> FindMappings(ShapeView data,
                                                    ShapeView target,
                                                    size_t most,
                                                    Arena& arena) noexcept;

// What a comparison lists at most: axes of PDPD beside the default, and
// mappings of Explicit. The others are counted.
inline constexpr size_t kMostComparedAxes = 32;
inline constexpr size_t kMostComparedMappings = 5;

// What the record points to must outlive the call that it is given to.
struct ComparisonRequest {
  std::span<const ShapeView> operands;
  // The result's element type, for the limit of 2^63-1 bytes.
  std::optional<DType> dtype = std::nullopt;
  // The operator, on which differences of other systems depend.
  std::optional<Op> op = std::nullopt;
};

// The shapes under every rule, as JSON in UTF-8; it lies in `arena`. A rule
// with a target is asked about the first operand alone, with the second one as
// the target. PDPD is asked with each axis that can be given, Explicit with
// each mapping that fits. While `version` is 1, fields keep their names and
// meanings, and new ones may be added:
//
//   version      1
//   kind         "comparison"
//   operands     for each operand: name (A, B, ...), shape
//   mappings     of A onto B: count ("9223372036854775807" for that many, or
//                more) and listed; null for a single operand
//   axesLeftOut  how many axes of PDPD were not tried: those above
//                kMostComparedAxes
//   rows         in the order of the rules, axes and mappings:
//     rule         the rule's name
//     asksTarget   whether A alone was asked, with B as the target
//     axis, axesMapping   the option that was given, or null
//     startAxis    PDPD: the axis of A where B begins; else null
//     fits         whether the shapes fit
//     shape        the result's shape, or null
//     clauses      what governs the answer: the clauses of its cells, or of the
//                  conflicts and the error
//     error        null, or: code, detail, message; axis and why, the first
//                  axis with a conflict and its sentence (null without one);
//                  clashes, how many axes have one
//     sameAs       the first row before with the same shape, in which every
//                  cell of the result reads the same elements of the operands
//                  that both rows have; or null
//     differs      null, or one cell in which they are others than in the first
//                  row of the same shape: row, operand, cell, source (of this
//                  row) and otherSource, indices
//     systems      the divergences that the request meets, by their number
//   divergences  section, title, message, systems and clauses (lists), as
//                AllDivergences
//
// Numbers beyond 2^53 - 1 are written as strings. Errors: those of Align that
// all rules share (kExtent, kUnknown); kAllocation. Complexity: rows times
// operands times rank. Example:
//   const Extents a{2, 3, 3};
//   const Extents b{3};
//   const ShapeView shapes[] = {a, b};
//   Arena arena;
//   const Result<std::string_view> document =
//       WriteComparison({.operands = shapes}, arena);
//   assert(document->starts_with(R"({"version":1,"kind":"comparison",)"));
//   assert(document->contains(R"("cell":[0,1,0],"source":[1],)"));
[[nodiscard]] Result<std::string_view> WriteComparison(
    const ComparisonRequest& request, Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_COMPARISON_H_
