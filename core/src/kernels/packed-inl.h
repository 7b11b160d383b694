// Elements of 4 bits and of 1 bit. Worked on as bytes. Nibbles begin at the low
// end of a byte, single bits at the high end.

#if defined(BROADLOOM_KERNELS_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_PACKED_INL_H_
#undef BROADLOOM_KERNELS_PACKED_INL_H_
#else
#define BROADLOOM_KERNELS_PACKED_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

HWY_INLINE unsigned ShiftOf(size_t bits, size_t slot) {
  return static_cast<unsigned>(bits == 4 ? slot * 4 : 7 - slot);
}

HWY_NOINLINE inline void Unpack(const uint8_t* from, uint64_t first_bit,
                                size_t bits, size_t count, uint8_t* to) {
  const size_t slots = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  from += first_bit / 8;
  size_t slot = first_bit % 8 / bits;
  size_t i = 0;
  for (; i < count && slot != 0; ++i, slot = (slot + 1) % slots) {
    to[i] = static_cast<uint8_t>((*from >> ShiftOf(bits, slot)) & mask);
    if (slot + 1 == slots) ++from;
  }
  if (bits == 4) {
    for (; i + 2 <= count; i += 2, ++from) {
      to[i] = *from & 15;
      to[i + 1] = *from >> 4;
    }
  } else {
    for (; i + 8 <= count; i += 8, ++from) {
      // Bit 7 - k of the byte, alone in byte k of the word, then moved down.
      const uint64_t spread =
          (*from * uint64_t{0x0101010101010101}) & 0x0102040810204080;
      const uint64_t ones =
          ((spread + 0x7F7F7F7F7F7F7F7F) >> 7) & 0x0101010101010101;
      std::memcpy(to + i, &ones, 8);
    }
  }
  for (slot = 0; i < count; ++i, ++slot) {
    to[i] = static_cast<uint8_t>((*from >> ShiftOf(bits, slot)) & mask);
  }
}

HWY_NOINLINE inline void Pack(const uint8_t* from, size_t bits, size_t count,
                              uint8_t* to, uint64_t first_bit) {
  const size_t slots = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  to += first_bit / 8;
  const auto put = [&](size_t slot, uint8_t element) {
    const unsigned shift = ShiftOf(bits, slot);
    *to = static_cast<uint8_t>((*to & ~(mask << shift)) |
                               ((element & mask) << shift));
  };
  size_t slot = first_bit % 8 / bits;
  size_t i = 0;
  for (; i < count && slot != 0; ++i, slot = (slot + 1) % slots) {
    put(slot, from[i]);
    if (slot + 1 == slots) ++to;
  }
  if (bits == 4) {
    for (; i + 2 <= count; i += 2, ++to) {
      *to = static_cast<uint8_t>((from[i] & 15) | (from[i + 1] << 4));
    }
  } else {
    for (; i + 8 <= count; i += 8, ++to) {
      uint64_t ones;
      std::memcpy(&ones, from + i, 8);
      *to = static_cast<uint8_t>((ones * 0x8040201008040201) >> 56);
    }
  }
  for (slot = 0; i < count; ++i, ++slot) put(slot, from[i]);
}

// Where both begin at the same bit of a byte, whole bytes are copied.
inline bool CopyAligned(const uint8_t* from, uint64_t from_bit, size_t bits,
                        size_t count, uint8_t* to, uint64_t to_bit) {
  if (from_bit % 8 != to_bit % 8) return false;
  uint8_t edge[8];
  const size_t head =
      std::min(count, static_cast<size_t>((8 - to_bit % 8) % 8 / bits));
  Unpack(from, from_bit, bits, head, edge);
  Pack(edge, bits, head, to, to_bit);
  from_bit += head * bits;
  to_bit += head * bits;
  count -= head;
  const size_t bytes = count * bits / 8;
  if (bytes != 0) std::memcpy(to + to_bit / 8, from + from_bit / 8, bytes);
  from_bit += bytes * 8;
  to_bit += bytes * 8;
  count -= bytes * 8 / bits;
  Unpack(from, from_bit, bits, count, edge);
  Pack(edge, bits, count, to, to_bit);
  return true;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_PACKED_INL_H_
