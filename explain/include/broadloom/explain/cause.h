// The likeliest cause of shapes that do not fit, found by evidence in the
// shapes themselves. For (8,3) with (8) under numpy: B lacks an axis; it has
// the extents of A without axis 1, as after a reduction without keepdims.

#ifndef BROADLOOM_EXPLAIN_CAUSE_H_
#define BROADLOOM_EXPLAIN_CAUSE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

enum class CauseKind : uint8_t {
  kMissingAxis,     // an operand lacks an axis of extent 1
  kExtraAxis,       // an operand has an axis too many
  kAxisOrder,       // an operand's axes are in another order
  kFlattened,       // some axes of an operand are joined to one, or split
  kOffByOne,        // sizes that differ by a forgotten border
  kSizesDiffer,     // no arrangement of the axes helps
  kEmptyOperand,    // an operand has no elements
  kBatchRemainder,  // the last batch is smaller than the others
  kBakedConstant,   // a constant has the size of an earlier input
  kOneDirection,    // the rule stretches the other operand only
  kTargetMeaning,   // 0 or a negative number in a target means something else
  kNoBroadcast,     // the rule takes equal shapes only
  kOption,          // an axis or mapping that is missing or wrong
  kPolicy,          // the shapes fit, and the request's policy refuses them
  kTooLarge,        // the shapes fit, and the result is too large
};

// The spelling of a kind: "missing_axis", "sizes_differ".
[[nodiscard]] std::string_view Name(CauseKind kind) noexcept;

struct Cause {
  CauseKind kind = CauseKind::kSizesDiffer;
  // The operand that probably is to be changed, or kTargetOperand, or kAbsent
  // where none of them is likelier than the others.
  int32_t operand = kAbsent;
  // The axis of the result where it shows, or kAbsent. With kMissingAxis, the
  // first axis that the operand lacks; else the first that conflicts.
  int32_t axis = kAbsent;
  // Whether the shapes would also allow another cause, or tell little.
  bool is_thin = false;
  // The evidence in the shapes, as sentences.
  std::string_view text = {};
};

// The likeliest cause why `request` does not fit; none if it fits, or if it has
// no alignment. Its text lies in `arena`. Errors: kAllocation. Example:
//   const Extents scores{8, 3};
//   const Extents mean{8};
//   const ShapeView shapes[] = {scores, mean};
//   Arena arena;
//   const Result<std::optional<Cause>> cause =
//       FindCause({.rule = Rule::kNumpy, .operands = shapes}, arena);
//   assert((*cause)->kind == CauseKind::kMissingAxis);
//   assert((*cause)->operand == 1 && (*cause)->axis == 1);
[[nodiscard]] Result<std::optional<Cause>> FindCause(
    const BroadcastRequest& request, Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CAUSE_H_
