// Finds the error text of a system in a pasted text.

#ifndef BROADLOOM_EXPLAIN_PASTE_MATCH_H_
#define BROADLOOM_EXPLAIN_PASTE_MATCH_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/paste.h"
#include "paste/formats.h"
#include "paste/plain.h"
#include "paste/source.h"

namespace broadloom {
inline namespace v1 {

// What a text has that matches a row.
struct Match {
  explicit Match(Arena& arena) : shapes(arena), sizes(arena) {}

  const Format* format = nullptr;
  Piece piece;
  List<PastedShape> shapes;
  List<SymbolicExtent> sizes;
  std::string_view op;
  std::string_view kind;  // see FindAnyShapes
  Piece source;
  PastedAxis axis_counts = PastedAxis::kNoAxis;
  int64_t axis = 0;
  bool has_rule_axis = false;
  int64_t rule_axis = 0;
};

// Whether a row matches; of several matches the one that counts: see
// ReadPasted. Takes time in proportion to the text: what fails again and again
// ends the search.
bool FindMatch(const Plain& plain, Arena& arena, Match& match);

// What is tried lies in memory of its own. If that was refused, so is the
// memory of the answer, whose arena the caller looks at.
inline void KeepRefusal(const Arena& scratch, Arena& arena) {
  if (scratch.refused()) arena.Refuse();
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_MATCH_H_
