// Where other systems differ from Broadloom, as one table. docs/divergences.md
// is the same list for readers; a test compares the two.

#ifndef BROADLOOM_EXPLAIN_WARNINGS_DIVERGENCES_H_
#define BROADLOOM_EXPLAIN_WARNINGS_DIVERGENCES_H_

#include <cstdint>
#include <optional>
#include <span>

#include "base/list.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/warning.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

// Whether an alignment could not be made for want of memory.
inline bool IsRefused(const Result<Alignment>& alignment) {
  return !alignment && alignment.error().error_class == ErrorClass::kAllocation;
}

// A divergence that a request meets. The axes are those of the result.
struct MetDivergence {
  const Divergence* row;
  std::span<const int32_t> axes;
};

// Adds the rows that `request` meets to `met`. `alignment` is the request's;
// the shapes need not fit. Returns whether no memory was refused; `met` lies in
// an arena.
bool FindDivergences(const BroadcastRequest& request, std::optional<Op> op,
                     const Alignment& alignment, List<MetDivergence>& met);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_WARNINGS_DIVERGENCES_H_
