// Elements of 4 bits and of 1 bit. Operators work on them as bytes, moves on
// the bits as they lie. Nibbles begin at the low end of a byte, single bits at
// the high end.

#if defined(BROADLOOM_KERNELS_ROWS_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_PACKED_INL_H_
#undef BROADLOOM_KERNELS_ROWS_PACKED_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_PACKED_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/expand-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// --- To bytes and back ------------------------------------------------------

HWY_INLINE unsigned ShiftOf(size_t bits, size_t slot) {
  return static_cast<unsigned>(bits == 4 ? slot * 4 : 7 - slot);
}

HWY_INLINE uint8_t UnpackOne(const uint8_t* from, uint64_t first_bit,
                             size_t bits) {
  const unsigned shift = ShiftOf(bits, first_bit % 8 / bits);
  return static_cast<uint8_t>((from[first_bit / 8] >> shift) &
                              ((1u << bits) - 1));
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
    // SSE2 has no shuffle of bytes, and to WebAssembly words are enough.
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

// --- As they lie ------------------------------------------------------------
// Positions are bits, of which the first one of a byte is the lowest one for
// nibbles, and the highest one for single bits.

HWY_INLINE unsigned TowardsFirst(size_t bits, unsigned byte, size_t by) {
  return (bits == 4 ? byte >> by : byte << by) & 0xFF;
}
HWY_INLINE unsigned TowardsLast(size_t bits, unsigned byte, size_t by) {
  return (bits == 4 ? byte << by : byte >> by) & 0xFF;
}

// Bits [begin, end) of a byte.
inline void PutBits(size_t bits, unsigned byte, size_t begin, size_t end,
                    uint8_t* to) {
  const unsigned kept =
      TowardsLast(bits, 0xFF, end) | ~TowardsLast(bits, 0xFF, begin);
  *to = static_cast<uint8_t>((*to & kept) | (byte & ~kept));
}

// The byte that begins at bit `from_bit`. Of a second byte nothing is read that
// the first `wanted` bits have no part in.
inline unsigned BitsAt(size_t bits, const uint8_t* from, size_t from_bit,
                       size_t wanted) {
  unsigned byte = TowardsFirst(bits, from[0], from_bit);
  if (from_bit + wanted > 8) {
    byte |= TowardsLast(bits, from[1], 8 - from_bit);
  }
  return byte;
}

// Whole bytes that begin at bit `from_bit`, which is not 0, of `from`.
inline void CopyShifted(size_t bits, const uint8_t* from, size_t from_bit,
                        size_t bytes, uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  // The one byte moves up and the next one down; of nibbles, which are half a
  // byte off, the next one up and the one down.
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
    if constexpr (HWY_ARCH_WASM) {  // it has no such loads and stores
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
    PrefetchToWrite(to + i + kPrefetchBytes);
    StoreTo(join(LoadFrom(d, up + i), LoadFrom(d, down + i)), d, to + i);
  }
  StoreTo(last, d, to + end);
}

// `count` bits, which do not overlap; whole elements.
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

// `count` bits, all of them elements as the one at `from_bit`.
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
      PrefetchToWrite(to + i + kPrefetchBytes);
      StoreTo(v, d, to + i);
    }
    StoreTo(v, d, to + bytes - lanes);
  }
  if (count % 8 != 0) PutBits(bits, byte, 0, count % 8, to + bytes);
}

// `count` bits more of what is periodic, of which one period is there. The
// first copies are copied in turn, until a copy is of whole bytes and long.
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

// Moves packed elements to the result: what is dense or one element as it lies,
// what is repeated from its first copy in the result. Loops of less than that,
// and of elements that lie apart, are expanded as bytes.
class PackedMover {
 public:
  HWY_NOINLINE PackedMover(const Task& task, size_t bits)
      : bits_(bits),
        nest_(task.work->nest),
        data_(static_cast<const uint8_t*>(task.operands[0].data)),
        readable_(task.operands[0].Readable(bits)),
        has_gaps_(task.operands[0].has_gaps()),
        out_(static_cast<uint8_t*>(task.out)) {
    const size_t loops = nest_.loop_count();
    forms_[loops] = Form::kDirect;
    bool one = true;
    bool dense = true;
    size_t tile = loops;
    int64_t elements = 1;
    for (size_t loop = loops; loop-- > 0;) {
      const int64_t stride = nest_.stride(0, loop);
      units_[loop] = elements;
      dense = dense && stride == elements;
      one = one && stride == 0;
      forms_[loop] = dense         ? Form::kDirect
                     : one         ? Form::kConstant
                     : stride == 0 ? Form::kRepeated
                     : elements <= MostTileUnit(forms_[loop + 1])
                         ? Form::kTile
                         : Form::kSteps;
      if (forms_[loop] == Form::kTile) tile = loop;
      elements *= nest_.extent(loop);
    }
    if (tile != loops) PrepareTiles(tile);
  }

  // Elements [begin, end) of the nest, the first of them to `to`. `first` is
  // where the operand begins.
  void Move(int64_t first, int64_t begin, int64_t end, int64_t to) {
    MoveLoops(0, first, begin, end, to);
  }

 private:
  enum class Form : uint8_t {
    kDirect,
    kConstant,
    kRepeated,
    kTile,
    kSteps,
  };
  // A loop has at least two steps, and all of them together an int64_t.
  static constexpr size_t kMostLoops = 63;
  // Steps of more elements than this are moved one by one: what is repeated
  // takes several copies.
  static constexpr int64_t MostTileUnit(Form inside) {
    return inside == Form::kRepeated ? 2048 : 256;
  }
  static constexpr int64_t kTileElements = Schedule::kTileBytes;
  static constexpr int64_t kWholeSteps = 64;

  // The loops from `loop` on.
  void MoveLoops(size_t loop, int64_t first, int64_t begin, int64_t end,
                 int64_t to) {
    const int64_t count = end - begin;
    switch (forms_[loop]) {
      case Form::kDirect:
        CopyBits(bits_, data_, Bit(first + begin), Bit(count), out_, Bit(to));
        return;
      case Form::kConstant:
        FillBits(bits_, data_, Bit(first), Bit(count), out_, Bit(to));
        return;
      case Form::kRepeated: {
        // One turn, from wherever it begins.
        const int64_t unit = units_[loop];
        const int64_t skipped = begin % unit;
        const int64_t turn = std::min(count, unit);
        const int64_t head = std::min(turn, unit - skipped);
        MoveLoops(loop + 1, first, skipped, skipped + head, to);
        if (turn != head) {
          MoveLoops(loop + 1, first, 0, turn - head, to + head);
        }
        RepeatBits(bits_, Bit(turn), Bit(count - turn), out_, Bit(to));
        return;
      }
      case Form::kTile:
        MoveTiles(loop, first, begin, end, to);
        return;
      case Form::kSteps:
        break;
    }
    const int64_t unit = units_[loop];
    const int64_t stride = nest_.stride(0, loop);
    while (begin < end) {
      const int64_t skipped = begin % unit;
      const int64_t n = std::min(end - begin, unit - skipped);
      MoveLoops(loop + 1, first + begin / unit * stride, skipped, skipped + n,
                to);
      begin += n;
      to += n;
    }
  }

  // As many steps a tile as fit, and as what they read fits unpacked.
  HWY_NOINLINE void PrepareTiles(size_t loop) {
    int64_t inside = 0;
    for (size_t inner = loop + 1; inner < nest_.loop_count(); ++inner) {
      const int64_t reach = (nest_.extent(inner) - 1) * nest_.stride(0, inner);
      before_ -= std::min<int64_t>(reach, 0);
      inside += reach < 0 ? -reach : reach;
    }
    const int64_t stride = nest_.stride(0, loop);
    const int64_t length = stride < 0 ? -stride : stride;
    const int64_t fitting = (kTileElements - 1 - inside) / length + 1;
    steps_ = std::min(nest_.extent(loop), kTileElements / units_[loop]);
    gathers_ = has_gaps_ || inside >= kTileElements ||
               std::min(fitting, steps_) * units_[loop] < kWholeSteps;
    if (!gathers_) steps_ = std::min(steps_, fitting);
    // Tiles that begin at whole vectors.
    if (steps_ < nest_.extent(loop) && steps_ > kWholeSteps) {
      steps_ -= steps_ % kWholeSteps;
    }
    reach_ = inside + (steps_ - 1) * length + 1;
    if (stride < 0) before_ += (steps_ - 1) * length;
    expander_.Prepare(nest_, 0, loop, steps_, 1, nest_.element_count(),
                      unpacked_, false, false, false);
  }

  HWY_NOINLINE void MoveTiles(size_t loop, int64_t first, int64_t begin,
                              int64_t end, int64_t to) {
    // Whole vectors may be written.
    alignas(kVectorBytes) uint8_t tile[kTileElements + kVectorBytes];
    const int64_t tile_elements = steps_ * units_[loop];
    first += begin / tile_elements * steps_ * nest_.stride(0, loop);
    int64_t skipped = begin % tile_elements;
    end -= begin - skipped;
    while (end > 0) {
      const int64_t count = std::min(end, tile_elements);
      const size_t made = static_cast<size_t>(count);
      if (gathers_) {
        expander_.ForEachSource(made, [&](size_t i, int64_t source) {
          tile[i] = UnpackOne(data_, Bit(first + source), bits_);
        });
      } else {
        // The last tile may have less than its reach before and behind it.
        const int64_t lowest = std::max<int64_t>(first - before_, 0);
        const int64_t beyond = std::min(first - before_ + reach_, readable_);
        Unpack(data_, Bit(lowest), bits_, static_cast<size_t>(beyond - lowest),
               unpacked_);
        expander_.Expand(unpacked_ + (first - lowest), made, tile,
                         tile + sizeof(tile));
      }
      Pack(tile + skipped, bits_, static_cast<size_t>(count - skipped), out_,
           Bit(to));
      to += count - skipped;
      skipped = 0;
      end -= count;
      first += steps_ * nest_.stride(0, loop);
    }
  }

  uint64_t Bit(int64_t element) const {
    return static_cast<uint64_t>(element) * bits_;
  }

  const size_t bits_;
  const LoopNest& nest_;
  const uint8_t* const data_;
  const int64_t readable_;
  const bool has_gaps_;
  uint8_t* const out_;
  Form forms_[kMostLoops + 1];
  int64_t units_[kMostLoops];  // elements of one step
  // Tiles: steps of one; the elements that it reads, from the first to the last
  // one, and how many of them lie before the one it begins with; whether they
  // are too many, and taken one by one.
  int64_t steps_ = 0;
  int64_t reach_ = 0;
  int64_t before_ = 0;
  bool gathers_ = false;
  Expander expander_;
  // What a tile reads, as bytes. Whole vectors may be read.
  alignas(kVectorBytes) uint8_t unpacked_[kTileElements + 2 * kVectorBytes];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_PACKED_INL_H_
