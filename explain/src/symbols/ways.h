// One axis: every way in which its unknown extents can be 1, equal to a number
// of that axis, or equal to each other, and the fewest conditions that say
// which of them fit.

#ifndef BROADLOOM_EXPLAIN_SYMBOLS_WAYS_H_
#define BROADLOOM_EXPLAIN_SYMBOLS_WAYS_H_

#include <cstddef>
#include <span>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"
#include "symbols/core.h"

namespace broadloom {
inline namespace v1 {

// Asks the core about each way and returns the axis' alternatives, without
// witnesses, as if other axes had no conditions. `left` is how many ways may
// still be tried, and is reduced. Changes the core's values of the axis'
// symbols, and leaves them so.
SymbolicAxis SolveAxis(Core& core, size_t axis,
                       std::span<const SymbolInfo> symbols, size_t& left,
                       Arena& arena);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_SYMBOLS_WAYS_H_
