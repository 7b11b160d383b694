// Packs elements of 4 bits and of 1 bit, and unpacks them to a byte each.
// Elements of 4 bits begin at the low end of a byte, those of 1 bit at the high
// end.

#if defined(BROADLOOM_KERNELS_ROWS_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_PACK_INL_H_
#undef BROADLOOM_KERNELS_ROWS_PACK_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_PACK_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// By how many bits the element in place `slot` of a byte is shifted up.
HWY_INLINE unsigned ShiftOf(size_t bits, size_t slot) {
  return static_cast<unsigned>(bits == 4 ? slot * 4 : 7 - slot);
}

// The element of `bits` bits that begins at bit `first_bit`.
HWY_INLINE uint8_t UnpackOne(const uint8_t* from, uint64_t first_bit,
                             size_t bits) {
  const unsigned shift = ShiftOf(bits, first_bit % 8 / bits);
  return static_cast<uint8_t>((from[first_bit / 8] >> shift) &
                              ((1u << bits) - 1));
}

// Unpacks `count` elements of `bits` bits, the first of which begins at bit
// `first_bit` of `from`, to a byte each.
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
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  if (bits == 4) {
    const auto low = hn::Set(d, 15);
    for (; i + 2 * lanes <= count; i += 2 * lanes, from += lanes) {
      const auto pairs = LoadFrom(d, from);
      hn::StoreInterleaved2(hn::And(pairs, low), hn::ShiftRight<4>(pairs), d,
                            to + i);
    }
    for (; i + 2 <= count; i += 2, ++from) {
      to[i] = *from & 15;
      to[i + 1] = *from >> 4;
    }
  } else {
    // SSE2 has no shuffle of bytes, and in WebAssembly the loop of words below
    // is fast enough.
    if constexpr (HWY_TARGET != HWY_SSE2 && !HWY_ARCH_WASM) {
      const hn::Repartition<uint64_t, ByteTag> d64;
      alignas(kVectorBytes) uint8_t byte_of[kVectorBytes];
      for (size_t k = 0; k < kVectorBytes; ++k) {
        byte_of[k] = static_cast<uint8_t>(k / 8);
      }
      const auto places =
          hn::BitCast(d, hn::Set(d64, uint64_t{0x0102040810204080}));
      const auto one = hn::Set(d, 1);
      for (; i + kVectorBytes <= count; i += kVectorBytes, from += 8) {
        const auto all = hn::BitCast(d, hn::Set(d64, ReadAs<uint64_t>(from)));
        for (size_t k = 0; k < kVectorBytes; k += lanes) {
          const auto spread =
              hn::TableLookupBytes(all, hn::Load(d, byte_of + k));
          StoreTo(hn::Min(hn::And(spread, places), one), d, to + i + k);
        }
      }
    }
    for (; i + 8 <= count; i += 8, ++from) {
      // Byte k of the word keeps only bit 7 - k, which is then moved to bit 0.
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

// Packs `count` bytes to elements of `bits` bits, the first of which begins at
// bit `first_bit` of `to`. The other bits of its first and last byte stay.
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
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  if (bits == 4) {
    const hn::Repartition<uint16_t, ByteTag> d16;
    const hn::Rebind<uint8_t, decltype(d16)> d_half;
    for (; i + lanes <= count; i += lanes, to += lanes / 2) {
      const auto pairs = hn::BitCast(d16, LoadFrom(d, from + i));
      const auto first = hn::And(pairs, hn::Set(d16, 0x0F));
      const auto second = hn::And(hn::ShiftRight<4>(pairs), hn::Set(d16, 0xF0));
      StoreTo(hn::TruncateTo(d_half, hn::Or(first, second)), d_half, to);
    }
    for (; i + 2 <= count; i += 2, ++to) {
      *to = static_cast<uint8_t>((from[i] & 15) | (from[i + 1] << 4));
    }
  } else {
    const auto one = hn::Set(d, 1);
    for (; i + lanes <= count; i += lanes, to += lanes / 8) {
      const auto turned = hn::Reverse8(d, LoadFrom(d, from + i));
      uint8_t packed[kVectorBytes / 8];
      hn::StoreMaskBits(d, hn::TestBit(turned, one), packed);
      std::memcpy(to, packed, lanes / 8);
    }
    for (; i + 8 <= count; i += 8, ++to) {
      uint64_t ones;
      std::memcpy(&ones, from + i, 8);
      *to = static_cast<uint8_t>((ones * 0x8040201008040201) >> 56);
    }
  }
  for (slot = 0; i < count; ++i, ++slot) put(slot, from[i]);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_PACK_INL_H_
