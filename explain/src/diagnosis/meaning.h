// What the result of a repair is, as a sentence.

#ifndef BROADLOOM_EXPLAIN_DIAGNOSIS_MEANING_H_
#define BROADLOOM_EXPLAIN_DIAGNOSIS_MEANING_H_

#include "base/text.h"
#include "broadloom/explain/repair.h"
#include "broadloom/rule.h"

namespace broadloom {
inline namespace v1 {

// Writes what `repair` of `request` makes of the elements: "Each of the 8 rows
// gets its own value of B."
void WriteMeaning(const BroadcastRequest& request, const Repair& repair,
                  Text& text);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_DIAGNOSIS_MEANING_H_
