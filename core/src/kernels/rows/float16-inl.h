// f16 and bf16 to f32 and back, rounded once to nearest even, with the same
// result on every target. Highway 1.2 has such conversions, but
//   - PromoteTo from f16 takes infinities and NaNs for finite numbers on
//   targets
//     without an instruction for it (WASM, SSE2, SSSE3);
//   - DemoteTo to bf16 flushes denormals on AVX3_SPR, and truncates elsewhere.
// Instructions are used where they are exact; everything else is integer
// arithmetic on the bits. Elements are passed as uint16_t, as many of them as d
// has lanes.

#if defined(BROADLOOM_KERNELS_ROWS_FLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_FLOAT16_INL_H_
#undef BROADLOOM_KERNELS_ROWS_FLOAT16_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_FLOAT16_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Every processor with AVX2 has F16C; every AArch64 has the conversions.
inline constexpr bool kConvertsF16 =
    (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64;

template <class DF>
using HalfBits = hn::Vec<hn::Rebind<uint16_t, DF>>;

template <class DF>
HWY_INLINE hn::Vec<DF> F32FromF16(DF d, HalfBits<DF> bits) {
  if constexpr (kConvertsF16) {
    return hn::PromoteTo(d,
                         hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), bits));
  } else {
    const hn::RebindToSigned<DF> di;
    const auto wide = hn::PromoteTo(di, bits);
    const auto magnitude = hn::And(wide, hn::Set(di, 0x7FFF));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(wide, magnitude));
    // With its fields moved to f32's places, the number is 2^-112 of its value,
    // also if it is subnormal.
    const auto scaled = hn::Mul(hn::BitCast(d, hn::ShiftLeft<13>(magnitude)),
                                hn::Set(d, 0x1p112f));
    const auto special = hn::IfThenElseZero(
        hn::Gt(magnitude, hn::Set(di, 0x7BFF)), hn::Set(di, 0x7F800000));
    return hn::BitCast(d,
                       hn::Or(hn::Or(hn::BitCast(di, scaled), special), sign));
  }
}

template <class DF>
HWY_INLINE HalfBits<DF> F16FromF32(DF d, hn::Vec<DF> v) {
  const hn::Rebind<uint16_t, DF> d16;
  if constexpr (kConvertsF16) {
    return hn::BitCast(d16, hn::DemoteTo(hn::Rebind<hwy::float16_t, DF>(), v));
  } else {
    const hn::RebindToSigned<DF> di;
    const auto bits = hn::BitCast(di, v);
    const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
    // Normal numbers: the exponent is rebiased, and half an ulp is added (one
    // less if the last bit kept is even), which rounds ties to even. A carry
    // out of the mantissa gives the next exponent, and at last infinity:
    // correct.
    const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 1));
    const auto normal = hn::ShiftRight<13>(
        hn::Add(hn::Add(magnitude, hn::Set(di, 0xFFF - (112 << 23))), odd));
    // Subnormal numbers: at 0.5 the ulp of f32 is that of f16's subnormals, so
    // adding 0.5 rounds them.
    const auto half = hn::Set(d, 0.5f);
    const auto subnormal =
        hn::Sub(hn::BitCast(di, hn::Add(hn::BitCast(d, magnitude), half)),
                hn::BitCast(di, half));
    const auto special =
        hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, 0x7F800000)),
                       hn::Set(di, 0x7E00), hn::Set(di, 0x7C00));
    const auto finite = hn::IfThenElse(
        hn::Gt(hn::Set(di, 113 << 23), magnitude), subnormal, normal);
    const auto rounded = hn::IfThenElse(
        hn::Gt(hn::Set(di, 143 << 23), magnitude), finite, special);
    const hn::RebindToUnsigned<DF> du;
    const auto low = hn::And(hn::Or(rounded, sign), hn::Set(di, 0xFFFF));
    return hn::TruncateTo(d16, hn::BitCast(du, low));
  }
}

// f64 to f32. Inexact results become that neighbour whose last bit is 1 (round
// to odd): rounding it once more, to f16 or bf16, gives what rounding the f64
// once would.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> RoundedToOdd(D d, hn::Vec<D> v) {
  const hn::Rebind<float, D> df;
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToUnsigned<decltype(df)> du32;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  // Whole vectors can be truncated by an instruction.
  if constexpr (hn::MaxLanes(d) == 8) {
    const hn::Vec<decltype(df)> truncated{
        _mm512_cvt_roundpd_ps(v.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
    const auto rounds = hn::DemoteMaskTo(
        du32, du, hn::RebindMask(du, hn::Ne(hn::PromoteTo(d, truncated), v)));
    const auto bits = hn::BitCast(du32, truncated);
    return hn::BitCast(
        df, hn::IfThenElse(rounds, hn::Or(bits, hn::Set(du32, 1)), bits));
  }
#endif
  const auto nearest = hn::DemoteTo(df, v);
  const auto back = hn::PromoteTo(d, nearest);
  // In lanes where the nearest f32 is too large, -1 is added to its bits, which
  // makes it smaller in magnitude; in inexact lanes the last bit is set.
  const auto beyond = hn::VecFromMask(d, hn::Gt(hn::Abs(back), hn::Abs(v)));
  const auto inexact =
      hn::IfThenElseZero(hn::RebindMask(du, hn::Ne(back, v)), hn::Set(du, 1));
  const auto toward_zero =
      hn::Add(hn::BitCast(du32, nearest),
              hn::TruncateTo(du32, hn::BitCast(du, beyond)));
  return hn::BitCast(df, hn::Or(toward_zero, hn::TruncateTo(du32, inexact)));
}

template <class DF>
HWY_INLINE hn::Vec<DF> F32FromBF16(DF d, HalfBits<DF> bits) {
  const hn::RebindToUnsigned<DF> du;
  const auto wide = hn::PromoteTo(du, bits);
  return hn::BitCast(d, hn::ShiftLeft<16>(wide));
}

template <class DF>
HWY_INLINE HalfBits<DF> BF16FromF32(DF, hn::Vec<DF> v) {
  const hn::RebindToUnsigned<DF> du;
  const hn::Rebind<uint16_t, DF> d16;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
  const auto rounded = hn::Add(hn::Add(bits, hn::Set(du, 0x7FFF)), odd);
  // Rounding could turn a NaN into another number, so its bits are kept, with
  // the quiet bit set.
  const auto quiet = hn::Or(bits, hn::Set(du, 0x400000));
  const auto kept =
      hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(v)), quiet, rounded);
  return hn::TruncateTo(d16, hn::ShiftRight<16>(kept));
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_FLOAT16_INL_H_
