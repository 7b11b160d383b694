// A pasted text in ASCII, as far as it can be: what looks like an ASCII
// character is replaced by it, and so are the escapes of HTML and of strings.
// What a log puts before each line is left out.

#ifndef BROADLOOM_EXPLAIN_PASTE_PLAIN_H_
#define BROADLOOM_EXPLAIN_PASTE_PLAIN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "broadloom/explain/arena.h"
#include "broadloom/parse.h"

namespace broadloom {
inline namespace v1 {

// `text` is valid UTF-8 without control characters but line ends and tabs.
// Invalid bytes, and signs that no language has in its words, are kJunk; colors
// of a terminal are left out. It lies in the arena, so that names may refer to
// it. `from` has, for each byte and the end,
// the byte of the original at which the character begins.
struct Plain {
  std::string_view text;
  std::span<const uint32_t> from;
  // Counts what readers look at, if it is there: a test checks that it is
  // proportional to the text.
  size_t* steps = nullptr;

  TextSpan Original(size_t begin, size_t end) const {
    if (from.empty()) return {};
    // The end of the last character, not the beginning of the next: what was
    // left out between them is not marked.
    return {from[begin], end > begin ? to[end - 1] : from[begin]};
  }

  std::span<const uint32_t> to;  // the end of each byte's character

  // The byte at a place, 0 behind the end.
  char At(size_t at) const {
    if (steps != nullptr) ++*steps;
    return at < text.size() ? text[at] : '\0';
  }
};

// Stands for what no text of a system contains.
inline constexpr char kJunk = '\x1a';

Plain MakePlain(std::string_view text, Arena& arena);

inline bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
// A letter of any language.
inline bool IsLetter(char c) {
  return IsAsciiLetter(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}
inline bool IsWord(char c) { return IsLetter(c) || IsDigit(c); }

inline std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_PLAIN_H_
