// Copies, fills and repeats packed elements without unpacking them.
//
// Places are counted in bits. The first bit of a byte is its lowest one for
// elements of 4 bits, and its highest one for elements of 1 bit.

#if defined(BROADLOOM_KERNELS_ROWS_COPY_BITS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_COPY_BITS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_COPY_BITS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_COPY_BITS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Shifts a byte by `by` bits towards its first bit, or towards its last one.
HWY_INLINE unsigned TowardsFirst(size_t bits, unsigned byte, size_t by) {
  return (bits == 4 ? byte >> by : byte << by) & 0xFF;
}
HWY_INLINE unsigned TowardsLast(size_t bits, unsigned byte, size_t by) {
  return (bits == 4 ? byte << by : byte >> by) & 0xFF;
}

// Writes bits [begin, end) of a byte; its other bits stay.
inline void PutBits(size_t bits, unsigned byte, size_t begin, size_t end,
                    uint8_t* to) {
  const unsigned kept =
      TowardsLast(bits, 0xFF, end) | ~TowardsLast(bits, 0xFF, begin);
  *to = static_cast<uint8_t>((*to & kept) | (byte & ~kept));
}

// The byte that begins at bit `from_bit`, of which the first `wanted` bits are
// needed. A second byte is read only if these bits reach into it.
inline unsigned BitsAt(size_t bits, const uint8_t* from, size_t from_bit,
                       size_t wanted) {
  unsigned byte = TowardsFirst(bits, from[0], from_bit);
  if (from_bit + wanted > 8) {
    byte |= TowardsLast(bits, from[1], 8 - from_bit);
  }
  return byte;
}

// Copies `bytes` whole bytes that begin at bit `from_bit` of `from`: not at 0.
inline void CopyShifted(size_t bits, const uint8_t* from, size_t from_bit,
                        size_t bytes, uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  // Each byte of the result is a byte shifted up joined with the byte after it
  // shifted down. Elements of 4 bits, which are half a byte off, go the other
  // way round: the byte is shifted down and the next one up.
  const uint8_t* const up = bits == 4 ? from + 1 : from;
  const uint8_t* const down = bits == 4 ? from : from + 1;
  const int up_by = static_cast<int>(from_bit);
  const int down_by = static_cast<int>(8 - from_bit);
  using V = hn::Vec<ByteTag>;
  const auto join = [&](V upper, V lower) HWY_ATTR {
    return hn::Or(hn::ShiftLeftSame(upper, up_by),
                  hn::ShiftRightSame(lower, down_by));
  };
  if (bytes < lanes) {
    if constexpr (HWY_ARCH_WASM) {  // has no loads and stores of some lanes
      for (size_t i = 0; i < bytes; ++i) {
        to[i] = static_cast<uint8_t>(BitsAt(bits, from + i, from_bit, 8));
      }
    } else {
      StoreLanes(d, join(LoadLanes(d, up, bytes), LoadLanes(d, down, bytes)),
                 to, bytes);
    }
    return;
  }
  const size_t end = bytes - lanes;
  const V last = join(LoadFrom(d, up + end), LoadFrom(d, down + end));
  for (size_t i = 0; i < end; i += lanes) {
    PrefetchToWrite(Ahead(to + i));
    StoreTo(join(LoadFrom(d, up + i), LoadFrom(d, down + i)), d, to + i);
  }
  StoreTo(last, d, to + end);
}

// Copies `count` bits of whole elements from bit `from_bit` of `from` to bit
// `to_bit` of `to`. The memory does not overlap, unless it is the same.
HWY_NOINLINE inline void CopyBits(size_t bits, const uint8_t* from,
                                  uint64_t from_bit, uint64_t count,
                                  uint8_t* to, uint64_t to_bit) {
  from += from_bit / 8;
  to += to_bit / 8;
  size_t shift = from_bit % 8;
  if (from == to && shift == to_bit % 8) return;  // in place
  if (const size_t begin = to_bit % 8; begin != 0) {
    const size_t n = static_cast<size_t>(std::min<uint64_t>(8 - begin, count));
    PutBits(bits, TowardsLast(bits, BitsAt(bits, from, shift, n), begin), begin,
            begin + n, to);
    count -= n;
    ++to;
    shift += n;
    from += shift / 8;
    shift %= 8;
  }
  const size_t bytes = static_cast<size_t>(count / 8);
  if (shift == 0) {
    Copy(from, bytes, to);
  } else if (bytes != 0) {
    CopyShifted(bits, from, shift, bytes, to);
  }
  const size_t rest = count % 8;
  if (rest == 0) return;
  PutBits(bits, BitsAt(bits, from + bytes, shift, rest), 0, rest, to + bytes);
}

// Fills `count` bits with the element at bit `from_bit` of `from`.
HWY_NOINLINE inline void FillBits(size_t bits, const uint8_t* from,
                                  uint64_t from_bit, uint64_t count,
                                  uint8_t* to, uint64_t to_bit) {
  const unsigned element =
      BitsAt(bits, from + from_bit / 8, from_bit % 8, bits);
  const unsigned byte =
      bits == 4 ? (element & 15) * 0x11 : (element >> 7) * 0xFF;
  to += to_bit / 8;
  if (const size_t begin = to_bit % 8; begin != 0) {
    const size_t n = static_cast<size_t>(std::min<uint64_t>(8 - begin, count));
    PutBits(bits, byte, begin, begin + n, to);
    count -= n;
    ++to;
  }
  const size_t bytes = static_cast<size_t>(count / 8);
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  const auto v = hn::Set(d, static_cast<uint8_t>(byte));
  if (bytes < lanes) {
    std::memset(to, static_cast<int>(byte), bytes);
  } else {
    for (size_t i = 0; i + lanes < bytes; i += lanes) {
      PrefetchToWrite(Ahead(to + i));
      StoreTo(v, d, to + i);
    }
    StoreTo(v, d, to + bytes - lanes);
  }
  if (count % 8 != 0) PutBits(bits, byte, 0, count % 8, to + bytes);
}

// Appends `count` bits of repeats to the `period` bits at bit `to_bit` of `to`.
// Each copy takes all that is there so far, until that is long and a whole
// number of bytes.
HWY_NOINLINE inline void RepeatBits(size_t bits, uint64_t period,
                                    uint64_t count, uint8_t* to,
                                    uint64_t to_bit) {
  constexpr uint64_t kLong = 8 * Schedule::kTileBytes;
  uint64_t copied = period;
  for (uint64_t done = period; count != 0;) {
    const uint64_t n = std::min(copied, count);
    CopyBits(bits, to, to_bit, n, to, to_bit + done);
    done += n;
    count -= n;
    if (copied % 8 != 0 || copied < kLong) copied = done;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_COPY_BITS_INL_H_
