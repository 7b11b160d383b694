// f16 and bf16 as vectors of f32.

#if defined(BROADLOOM_TESTS_BENCH_LOOPS_HALVES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_TESTS_BENCH_LOOPS_HALVES_INL_H_
#undef BROADLOOM_TESTS_BENCH_LOOPS_HALVES_INL_H_
#else
#define BROADLOOM_TESTS_BENCH_LOOPS_HALVES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "loops/dense-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Each type: its elements as f32, and f32 rounded to the nearest element, ties
// to even. Both as vectors of 32-bit lanes, whose low 16 bits hold an element.
struct F16 {
  using Element = uint16_t;

  template <class D, class VU>
  static HWY_INLINE hn::Vec<D> Widen(D d, VU bits) {
    const hn::RebindToUnsigned<D> du;
    // The exponent of f16 differs by 112; a product also makes subnormal
    // numbers normal.
    const auto magnitude =
        hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7FFFu)));
    const auto sign = hn::ShiftLeft<16>(hn::AndNot(hn::Set(du, 0x7FFFu), bits));
    const auto scaled = hn::BitCast(
        du, hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112f)));
    const auto special = hn::VecFromMask(
        du, hn::Eq(hn::And(bits, hn::Set(du, 0x7C00u)), hn::Set(du, 0x7C00u)));
    const auto infinity = hn::And(special, hn::Set(du, 0x7F800000u));
    return hn::BitCast(d, hn::Or(hn::Or(scaled, infinity), sign));
  }

  template <class D, class V>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> Narrow(D d, V v) {
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(du, v);
    const auto sign = hn::And(bits, hn::Set(du, 0x80000000u));
    const auto magnitude = hn::Xor(bits, sign);
    const auto above = [&](uint32_t limit) HWY_ATTR {
      return hn::RebindMask(du,
                            hn::Gt(hn::BitCast(di, magnitude),
                                   hn::Set(di, static_cast<int32_t>(limit))));
    };
    const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
    const auto normal = hn::ShiftRight<13>(
        hn::Add(hn::Add(magnitude, odd), hn::Set(du, 0xFFFu - (112u << 23))));
    // Adding 1/2 shifts the fraction of a subnormal number into place, and
    // rounds it.
    const auto subnormal = hn::Sub(
        hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f))),
        hn::Set(du, 0x3F000000u));
    auto result = hn::IfThenElse(above(0x387FFFFF), normal, subnormal);
    result = hn::IfThenElse(above(0x477FFFFF), hn::Set(du, 0x7C00u), result);
    result = hn::IfThenElse(above(0x7F800000), hn::Set(du, 0x7E00u), result);
    return hn::Or(result, hn::ShiftRight<16>(sign));
  }
};

struct BF16 {
  using Element = uint16_t;

  template <class D, class VU>
  static HWY_INLINE hn::Vec<D> Widen(D d, VU bits) {
    return hn::BitCast(d, hn::ShiftLeft<16>(bits));
  }

  // Of a number, an infinity, or a NaN whose low 16 bits are 0, as those of
  // operators on bf16 are.
  template <class D, class V>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> NarrowResult(D d, V v) {
    return hn::ShiftRight<16>(Rounded(d, v));
  }

  template <class D, class V>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> Narrow(D d, V v) {
    const hn::RebindToUnsigned<D> du;
    return hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(v)),
                          hn::Set(du, 0x7FC0u), NarrowResult(d, v));
  }

  // Valid in the upper 16 bits.
  template <class D, class V>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> Rounded(D, V v) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    return hn::Add(hn::Add(bits, hn::Set(du, 0x7FFFu)), odd);
  }
};

// As many elements as `d` has lanes, as f32.
template <class Half, class D>
HWY_INLINE hn::Vec<D> LoadHalf(D d, const uint16_t* from) {
#if BENCH_F16C
  if constexpr (hwy::IsSame<Half, F16>()) {
    const hn::Rebind<hwy::float16_t, D> dh;
    auto v = hn::PromoteTo(
        d, hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(from)));
    // Otherwise compilers join the conversion with what follows, for which
    // there may be no vector instruction.
    asm("" : "+v"(v.raw));
    return v;
  }
#endif
  const hn::Rebind<uint16_t, D> dh;
  const hn::RebindToUnsigned<D> du;
  return Half::Widen(d, hn::PromoteTo(du, hn::LoadU(dh, from)));
}

template <class Half, class D, class V>
HWY_INLINE void StoreHalf(D d, V v, uint16_t* to) {
#if BENCH_F16C
  if constexpr (hwy::IsSame<Half, F16>()) {
    const hn::Rebind<hwy::float16_t, D> dh;
    hn::StoreU(hn::DemoteTo(dh, v), dh, reinterpret_cast<hwy::float16_t*>(to));
    return;
  }
#endif
  const hn::Rebind<uint16_t, D> dh;
  hn::StoreU(hn::TruncateTo(dh, Half::Narrow(d, v)), dh, to);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_HALVES_INL_H_
