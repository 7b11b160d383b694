// Texts that a function writes into the caller's buffer.

#ifndef BROADLOOM_C_TEXT_H_
#define BROADLOOM_C_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <span>

namespace broadloom_c {

// The end of the last whole character of text[0, end), in UTF-8.
[[nodiscard]] inline size_t WholeCharacters(const char* text,
                                            size_t end) noexcept {
  size_t lead = end;
  while (lead > 0 && (text[lead - 1] & 0xC0) == 0x80) --lead;
  if (lead == 0) return end;
  --lead;
  const unsigned char first = static_cast<unsigned char>(text[lead]);
  const size_t length = first < 0x80   ? 1
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                                       : 4;
  return lead + length > end ? lead : end;
}

// Calls `write` with the room for the text; it returns the length of the whole
// text. Adds the zero, and returns the length.
template <class Write>
[[nodiscard]] size_t WriteText(char* out, size_t capacity,
                               Write write) noexcept {
  if (out == nullptr) capacity = 0;
  const size_t room = capacity == 0 ? 0 : capacity - 1;
  const size_t length = write(std::span<char>(out, room));
  if (capacity == 0) return length;
  out[length <= room ? length : WholeCharacters(out, room)] = '\0';
  return length;
}

}  // namespace broadloom_c

#endif  // BROADLOOM_C_TEXT_H_
