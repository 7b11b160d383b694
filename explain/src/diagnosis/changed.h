// A request with a repair applied.

#ifndef BROADLOOM_EXPLAIN_DIAGNOSIS_CHANGED_H_
#define BROADLOOM_EXPLAIN_DIAGNOSIS_CHANGED_H_

#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "broadloom/rule.h"

namespace broadloom {
inline namespace v1 {

// `request` after `repair`, without its policy and names of axes. Lies in
// `arena`; only valid if that was not refused memory.
[[nodiscard]] BroadcastRequest Changed(const BroadcastRequest& request,
                                       const Repair& repair, Arena& arena);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_DIAGNOSIS_CHANGED_H_
