// Repairs: small changes that make a request fit. Each is tried before it is
// proposed. For (8,64,56,56) with (64) under numpy: insert axes of extent 1
// into B, (64,1,1); or use pdpd with axis 1.

#ifndef BROADLOOM_EXPLAIN_REPAIR_H_
#define BROADLOOM_EXPLAIN_REPAIR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

enum class RepairKind : uint8_t {
  kInsertAxis,    // axes of extent 1 added to an operand
  kRemoveAxis,    // axes of extent 1 taken from an operand
  kTranspose,     // an operand's axes in another order
  kReshape,       // the same elements in another shape
  kChangeSize,    // an operand has to have another extent along an axis
  kChangeTarget,  // another target shape
  kChangeRule,    // another rule, axis or axes_mapping
  kSwapOperands,  // A and B exchanged
};

// The spelling of a kind: "insert_axis", "remove_axis", "transpose", "reshape",
// "change_size", "change_target", "change_rule", "swap_operands".
[[nodiscard]] std::string_view Name(RepairKind kind) noexcept;

// How sure it is that a change is what was meant, as rustc grades its
// suggestions.
enum class Grade : uint8_t {
  // The change only says on which axes of the result an operand's axes lie: by
  // axes of extent 1, or by the rule's axis or mapping. All of the operand's
  // axes then meet axes of equal extent, and no other change is about as
  // likely.
  kCertain,
  // No element is left out or added, and the shapes speak for the change. But
  // another one is about as likely; or the elements or the operands change
  // their order, which equal extents alone do not prove; or a target gets
  // extents where it had none, 0, 1 or a negative number; or a rule that does
  // not stretch is replaced by one that does.
  kLikely,
  // Anything else: an operand needs other sizes, each operand is repeated, a
  // target gives up a size that it stated, or another rule computes something
  // else. Only the caller knows whether that is meant.
  kOnlyIfMeant,
};

// The spelling of a grade: "certain", "likely", "only_if_meant".
[[nodiscard]] std::string_view Name(Grade grade) noexcept;

// One change. Everything else stays as it is in the request. Lies in an Arena.
struct Repair {
  RepairKind kind = RepairKind::kInsertAxis;
  Grade grade = Grade::kOnlyIfMeant;
  int32_t operand = kAbsent;  // the operand that changes, or kTargetOperand
  std::span<const int64_t> shape = {};  // its shape after the change
  // kInsertAxis: the axes of `shape` that are new; kRemoveAxis: the axes of the
  // old shape that go; kTranspose: the old axis of each new one; kChangeSize
  // and kChangeTarget: the axes of `shape` whose extent is another. Increasing,
  // except for kTranspose; empty for the other kinds.
  std::span<const int64_t> axes = {};
  Rule rule = Rule::kNone;  // the rule after the change
  int64_t axis = kAbsent;   // kChangeRule to pdpd: the axis to give
  std::span<const int64_t> axes_mapping = {};  // explicit: after the change
  std::span<const int64_t> result = {};  // the result's shape after the change
  std::string_view meaning = {};  // what the result is then, as a sentence
};

// How many repairs are proposed at most: more would not be read.
inline constexpr size_t kMostProposals = 5;

// The largest PDPD axis that is tried. Each attempt takes time in proportion to
// the rank.
inline constexpr size_t kMostAxisTried = 256;

// Requests of more operands get no repairs. Each attempt aligns all operands,
// and a line of code gives each a name of its own.
inline constexpr size_t kMostRepairedOperands = 256;

// The changes that make `request` fit, the likeliest first, at most
// kMostProposals. There are none for a request that fits, none for one that
// has no alignment, and none for more than kMostRepairedOperands. They lie in
// `arena`. Errors: kAllocation.
//
// Each was given to Align, with the request's policy, before it is returned.
// Operands are rearranged only where their axes then lie on axes of the same
// extents; where sizes really differ, nothing but the sizes is changed. A
// change of the rule, the axis or the mapping leaves the operands as they are;
// another axis or mapping for the request's own rule comes before all others.
// With names of axes, an axis that is added takes the name of the axis that it
// lies on, and transposed axes take their names with them.
//
// At most some thousand arrangements are tried: shapes of more than 8 axes are
// not rearranged, and of more than 8 operands only the two that the first error
// names. Example:
//   const Extents image{8, 64, 56, 56};
//   const Extents bias{64};
//   const ShapeView shapes[] = {image, bias};
//   Arena arena;
//   const Result<std::span<const Repair>> found =
//       FindRepairs({.rule = Rule::kNumpy, .operands = shapes}, arena);
//   assert(!found->empty());
//   const Repair& first = found->front();
//   assert(first.kind == RepairKind::kInsertAxis && first.operand == 1);
//   assert(first.shape.size() == 3 && first.shape[0] == 64);
//   assert(first.grade == Grade::kCertain);
[[nodiscard]] Result<std::span<const Repair>> FindRepairs(
    const BroadcastRequest& request, Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_REPAIR_H_
