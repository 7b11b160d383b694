// Shapes on the lines of a text, outside of any text of a system that is known.

#ifndef BROADLOOM_EXPLAIN_PASTE_LINES_H_
#define BROADLOOM_EXPLAIN_PASTE_LINES_H_

#include "broadloom/explain/arena.h"
#include "paste/match.h"
#include "paste/plain.h"

namespace broadloom {
inline namespace v1 {

// Shapes in a text that matches no row: on the last line that says "shape",
// "mismatch" or the like and has two, or else on two lines, each with one, near
// such a word. `match.kind` is what else than a broadcast the line is about.
bool FindAnyShapes(const Plain& plain, Arena& arena, Match& match);

// Adds the operands' shapes to a match that has none, if they stand beside it:
// printed, as in `x.shape = (2, 3)` or a line of shapes alone. The axis and the
// extents that the match has choose them; without extents, there have to be two
// shapes in all that do not fit.
bool FindShapesBeside(const Plain& plain, Arena& arena, Match& match);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_LINES_H_
