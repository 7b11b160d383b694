// The readers of paste.h, of a text that was made plain: tests count what they
// look at.

#ifndef BROADLOOM_EXPLAIN_PASTE_READ_H_
#define BROADLOOM_EXPLAIN_PASTE_READ_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/paste.h"
#include "broadloom/result.h"
#include "paste/plain.h"

namespace broadloom {
inline namespace v1 {

// `left_out` bytes of the user's text are before the plain one.
Result<std::optional<Pasted>> ReadPastedIn(const Plain& plain, size_t left_out,
                                           Arena& arena);

// `text` is the user's text.
Result<std::span<const ShapeInText>> ReadShapesIn(const Plain& plain,
                                                  std::string_view text,
                                                  Arena& arena);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_READ_H_
