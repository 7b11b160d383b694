// Elements of any width in memory, as integers, for comparing moved data. For
// tests only.

#ifndef BROADLOOM_TESTS_REFERENCE_MEMORY_BITS_H_
#define BROADLOOM_TESTS_REFERENCE_MEMORY_BITS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/guarded_buffer.h"

namespace reference {

// The bits of one element; `high` is used only for elements of 16 bytes.
struct ElementBits {
  uint64_t low = 0;
  uint64_t high = 0;
  friend bool operator==(const ElementBits&, const ElementBits&) = default;
};

// Element `index` of a row of elements of `bits` bits. Packed elements: two of
// 4 bits in a byte, the low half first; eight of 1 bit, the highest bit first.
inline ElementBits Get(std::span<const uint8_t> bytes, int bits, size_t index) {
  ElementBits element;
  if (bits == 1) {
    element.low =
        static_cast<uint64_t>(bytes[index / 8] >> (7 - index % 8) & 1);
  } else if (bits == 4) {
    element.low =
        static_cast<uint64_t>(bytes[index / 2] >> (4 * (index % 2)) & 15);
  } else {
    const size_t width = static_cast<size_t>(bits) / 8;
    for (size_t i = width; i-- > 0;) {
      uint64_t& half = i < 8 ? element.low : element.high;
      half = half << 8 | bytes[index * width + i];
    }
  }
  return element;
}

// The bytes of a row of `count` elements.
inline size_t BytesFor(size_t count, int bits) {
  return (count * static_cast<size_t>(bits) + 7) / 8;
}

// Bytes for which neighbouring elements differ in every width.
inline Buffer Pattern(size_t bytes, uint32_t seed) {
  Buffer pattern(bytes);
  uint32_t state = seed * 2654435761u + 12345u;
  for (uint8_t& byte : pattern) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return pattern;
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_MEMORY_BITS_H_
