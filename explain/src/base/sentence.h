// Texts of the core's functions, in an arena.

#ifndef BROADLOOM_EXPLAIN_BASE_SENTENCE_H_
#define BROADLOOM_EXPLAIN_BASE_SENTENCE_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {

// The text that one of the core's functions writes into a buffer: `write` gets
// the buffer and returns the bytes that it needs. Empty if memory is refused.
template <class Write>
std::string_view Sentence(Arena& arena, Write write) {
  constexpr size_t kUsual = 256;
  std::span<char> room = arena.Make<char>(kUsual);
  const size_t size = write(room);
  if (size > room.size()) {
    room = arena.Make<char>(size);
    if (room.size() < size) return {};
    write(room);
  }
  return {room.data(), size};
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_SENTENCE_H_
