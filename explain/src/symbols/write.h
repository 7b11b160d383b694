// The answer about unknown extents as fields of a JSON object.

#ifndef BROADLOOM_EXPLAIN_SYMBOLS_WRITE_H_
#define BROADLOOM_EXPLAIN_SYMBOLS_WRITE_H_

#include "base/json.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"

namespace broadloom {
inline namespace v1 {

// Writes the fields of ToJson into an object that is open. With `texts`, each
// case has its conditions in every form, and each alternative an example.
void WriteSymbolicFields(Json& json, const SymbolicAlignment& alignment,
                         bool texts, Arena& arena);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_SYMBOLS_WRITE_H_
