// Where: an element of one operand or the other, by a condition of one byte.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/selection.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/dense-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

void BytesLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<uint8_t> d;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    const auto no = hn::Eq(hn::Load(d, in[0] + i), hn::Zero(d));
    hn::Store(
        hn::IfThenElse(no, hn::Load(d, in[2] + i), hn::Load(d, in[1] + i)), d,
        out + i);
  };
  for (size_t i = 0; i < count; i += 4 * n) {
    at(i);
    at(i + n);
    at(i + 2 * n);
    at(i + 3 * n);
  }
}

template <class T>
void WideLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<T> d;
  const hn::Rebind<uint8_t, decltype(d)> dc;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    const auto no =
        hn::Eq(hn::PromoteTo(d, hn::LoadU(dc, in[0] + i)), hn::Zero(d));
    hn::Store(hn::IfThenElse(no, hn::Load(d, As<T>(in[2]) + i),
                             hn::Load(d, As<T>(in[1]) + i)),
              d, As<T>(out) + i);
  };
  for (size_t i = 0; i < count; i += 4 * n) {
    at(i);
    at(i + n);
    at(i + 2 * n);
    at(i + 3 * n);
  }
}

// Elements of 16 bytes: one in each block of a vector. The conditions are read
// together, and each is copied to all bytes of its block.
void BlocksLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<uint8_t> d;
  const size_t n = hn::Lanes(d) / 16;
  alignas(64) uint8_t places[HWY_MAX_BYTES];
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    places[i] = static_cast<uint8_t>(i / 16);
  }
  const auto place = hn::Load(d, places);
  using Group = hwy::UnsignedFromSize<(HWY_MAX_BYTES >= 64) ? 4 : 2>;
  const Full<Group> dg;
  for (size_t i = 0; i < count; i += n) {
    Group group = 0;
    if (n == 1) {
      group = in[0][i];
    } else {
      __builtin_memcpy(&group, in[0] + i, sizeof(group));
    }
    const auto conditions =
        hn::TableLookupBytes(hn::BitCast(d, hn::Set(dg, group)), place);
    const auto no = hn::Eq(conditions, hn::Zero(d));
    hn::Store(hn::IfThenElse(no, hn::Load(d, in[2] + 16 * i),
                             hn::Load(d, in[1] + 16 * i)),
              d, out + 16 * i);
  }
}

// Two elements in each byte, the first in its low half.
void NibblesLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<uint8_t> d;
  const Full<uint16_t> d16;
  const size_t n = hn::Lanes(d);
  for (size_t i = 0; i < count; i += 2 * n) {
    const auto halves = [&](size_t at) HWY_ATTR {
      const auto no = hn::Eq(hn::Load(d, in[0] + at), hn::Zero(d));
      const auto both = hn::BitCast(d16, hn::VecFromMask(d, no));
      // 0x000F where the first is from the other operand, 0x00F0 the second.
      return hn::Or(hn::And(both, hn::Set(d16, 0x000F)),
                    hn::And(hn::ShiftRight<8>(both), hn::Set(d16, 0x00F0)));
    };
    const auto mask = hn::OrderedTruncate2To(d, halves(i), halves(i + n));
    const auto yes = hn::Load(d, in[1] + i / 2);
    const auto no = hn::Load(d, in[2] + i / 2);
    hn::Store(hn::Or(hn::And(mask, no), hn::AndNot(mask, yes)), d, out + i / 2);
  }
}

// Eight elements in each byte, the first in its highest bit.
void BitsLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const hn::CappedTag<uint8_t, 64> d;
  const size_t n = hn::Lanes(d);
  for (size_t i = 0; i < count; i += 64) {
    alignas(8) uint8_t bits[8];
    for (size_t at = 0; at < 64; at += n) {
      const auto reversed = hn::Reverse8(d, hn::Load(d, in[0] + i + at));
      hn::StoreMaskBits(d, hn::Ne(reversed, hn::Zero(d)), bits + at / 8);
    }
    uint64_t mask;
    __builtin_memcpy(&mask, bits, sizeof(mask));
    const uint64_t yes = *As<uint64_t>(in[1] + i / 8);
    const uint64_t no = *As<uint64_t>(in[2] + i / 8);
    *As<uint64_t>(out + i / 8) = (yes & mask) | (no & ~mask);
  }
}

Loop Lookup(const Computation& of) {
  if (of.op != Op::kWhere) return nullptr;
  switch (broadloom::kBitsOfDTypes[static_cast<size_t>(of.types[1])]) {
    case 1:
      return &BitsLoop;
    case 4:
      return &NibblesLoop;
    case 8:
      return &BytesLoop;
    case 16:
      return &WideLoop<uint16_t>;
    case 32:
      return &WideLoop<uint32_t>;
    case 64:
      return &WideLoop<uint64_t>;
    default:
      return &BlocksLoop;
  }
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {
HWY_EXPORT(Lookup);
Loop FindSelectionLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
