// All axes together: which alternatives of one axis agree with the other axes,
// as far as they share symbols, and values for all symbols under which all
// axes fit.

#ifndef BROADLOOM_EXPLAIN_SYMBOLS_JOIN_H_
#define BROADLOOM_EXPLAIN_SYMBOLS_JOIN_H_

#include <cstddef>
#include <span>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"
#include "symbols/core.h"

namespace broadloom {
inline namespace v1 {

// `found.axes` are the answers of SolveAxis, `axes` the same values;
// `found.when` is set. Drops alternatives, narrows results, adds witnesses that
// the core has confirmed, and sets the fit and the axes in conflict. `left` is
// how many choices of alternatives may still be tried, and is reduced.
void JoinAxes(Core& core, std::span<SymbolicAxis> axes,
              std::span<const SymbolInfo> symbols, size_t& left,
              SymbolicCase& found, Arena& arena);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_SYMBOLS_JOIN_H_
