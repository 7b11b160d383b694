// Repairs: small changes that make a request fit. Each is tried before it is
// proposed. For (8,64,56,56) with (64) under numpy: insert axes of extent 1
// into B, (64,1,1); or use pdpd with axis 1.

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

// One change. Everything else stays as it is in the request.
struct Repair {
  RepairKind kind;
  int32_t operand = kAbsent;  // the operand that changes, or kTargetOperand
  Shape shape;                // its shape after the change
  Rule rule;                  // the rule after the change
  int64_t axis = kAbsent;     // kChangeRule to pdpd: the axis to give
  Shape axes_mapping;         // explicit: the mapping after the change
  Shape result;               // the result's shape after the change
};

// Writes up to kMostRepairs changes that make `request` fit to `repairs`, the
// likeliest first, and returns how many. There are none for a request that
// fits, and none for one that has no alignment. Errors: kAllocation.
//
// A change of the rule, the axis or the mapping leaves the operands as they
// are. If the request's own rule takes them with another axis or mapping, that
// change comes first.
//
// At most some thousand arrangements are tried, within the limits in limits.h.
// Example:
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
