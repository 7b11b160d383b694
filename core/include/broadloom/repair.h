// What would work instead: small changes to a request that does not fit, each
// tried and found to fit before it is offered. (8,64,56,56) with (64) under
// numpy: insert axes of extent 1 into B, (64,1,1); or use pdpd with axis 1.

#ifndef BROADLOOM_REPAIR_H_
#define BROADLOOM_REPAIR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/alignment.h"
#include "broadloom/internal/config.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

enum class RepairKind : uint8_t {
  kInsertAxis,    // axes of extent 1 added to an operand
  kRemoveAxis,    // axes of extent 1 taken from an operand
  kTranspose,     // an operand's axes in another order
  kChangeTarget,  // another target shape
  kChangeRule,    // another rule, axis or axes_mapping
};

// The spelling of a kind: "insert_axis", "remove_axis", "transpose",
// "change_target", "change_rule".
[[nodiscard]] std::string_view Name(RepairKind kind) noexcept;

// One change. What it does not name stays as it was.
struct Repair {
  RepairKind kind;
  int32_t operand = kAbsent;  // whose shape changes; or kTargetOperand
  Shape shape;                // its shape after the change
  Rule rule;                  // the rule after the change
  int64_t axis = kAbsent;     // kChangeRule to pdpd: the axis to give
  Shape axes_mapping;         // explicit: the mapping after the change
  Shape result;               // the result's shape after the change
};

// Up to kMostRepairs changes that make `request` fit, the likeliest first,
// written to `repairs`; returns how many. None for a request that fits already
// or that cannot be aligned at all. Errors: kAllocation.
// A change of the rule, axis or mapping stands for operands that stay as they
// are. Where the request's own rule takes them so, with another axis or
// mapping, that comes first: Align under a rule, and this where it refuses, say
// whether the rule takes the operands at all.
// At most some thousand arrangements are tried: none beyond rank 8; beyond 8
// operands, those of the two that clash first; of PDPD's axes 0 to
// kMostAxisTried. Example:
//   const Extents image{8, 64, 56, 56};
//   const Extents bias{64};
//   const ShapeView shapes[] = {image, bias};
//   Repair repairs[kMostRepairs];
//   const Result<size_t> found =
//       FindRepairs({.rule = Rule::kNumpy, .operands = shapes}, repairs);
//   assert(*found > 0 && repairs[0].kind == RepairKind::kInsertAxis);
//   assert(repairs[0].operand == 1 && repairs[0].shape == Extents(64, 1, 1));
[[nodiscard]] Result<size_t> FindRepairs(
    const BroadcastRequest& request, std::span<Repair> repairs,
    const Allocator& allocator = DefaultAllocator()) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_REPAIR_H_
