// Division of integers of 8 bits: remainders by long division, bit by bit, and
// quotients too where there is no fast approximate reciprocal of floats.

#if defined(BROADLOOM_KERNELS_OPS_DIVISION_BYTES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_DIVISION_BYTES_INL_H_
#undef BROADLOOM_KERNELS_OPS_DIVISION_BYTES_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_DIVISION_BYTES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether the target adds and chooses by masks in one instruction.
constexpr bool kHasMasks = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;

// a + b in the lanes of `where`, a in the others.
template <class V, class M>
HWY_INLINE V AddWhere(M where, V a, V b) {
  return kHasMasks ? hn::MaskedAddOr(a, where, a, b)
                   : hn::Add(a, hn::IfThenElseZero(where, b));
}

template <class V>
struct Divided {
  V quotient;   // undefined for x / 0
  V remainder;  // 0 for x / 0
};

// In WebAssembly one function saves the code of a copy in each loop.
#if HWY_ARCH_WASM
#define BROADLOOM_DIVIDE_INLINE HWY_NOINLINE
#else
#define BROADLOOM_DIVIDE_INLINE HWY_INLINE
#endif

template <class D, class V = hn::Vec<D>>
BROADLOOM_DIVIDE_INLINE Divided<V> DivideBytes(D d, V a, V b) {
  const V one = hn::Set(d, 1);
  V multiples[8];
  multiples[0] = b;
  for (size_t bit = 1; bit < 8; ++bit) {
    multiples[bit] = hn::SaturatedAdd(multiples[bit - 1], multiples[bit - 1]);
  }
  // b, 2b, 4b, ... 128b. All but b are even, or saturated to 255: that is more
  // than the rest can be before the last bit of the dividend is added to it. So
  // the last bit is added only before the last step.
  V rest = hn::AndNot(one, a);
  V quotient = hn::Zero(d);
  for (size_t bit = 8; bit-- > 0;) {
    if (bit == 0) rest = hn::Or(rest, hn::And(a, one));
    const auto fits = hn::Ge(rest, multiples[bit]);
    const V place = hn::Set(d, static_cast<uint8_t>(1u << bit));
    quotient = AddWhere(fits, quotient, place);
    // Wraps around, to more than the rest, where the multiple does not fit.
    const V less = hn::Sub(rest, multiples[bit]);
    rest = kHasMasks ? hn::IfThenElse(fits, less, rest) : hn::Min(rest, less);
  }
  return {quotient, hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), rest)};
}

#undef BROADLOOM_DIVIDE_INLINE

// Divides the magnitudes of bytes. That of -128 is 128, unsigned.
template <class D, class V = hn::Vec<D>>
HWY_INLINE auto DivideMagnitudes(D, V a, V b) {
  const hn::RebindToUnsigned<D> du;
  if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
    a = hn::Abs(a);
    b = hn::Abs(b);
  }
  return DivideBytes(du, hn::BitCast(du, a), hn::BitCast(du, b));
}

// `v`, negated where `sign` is negative.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V WithSign(D d, V sign, V v) {
  if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
    // The result for a sign of 0 is undefined.
    return hn::IfNegativeThenNegOrUndefIfZero(hn::Or(sign, hn::Set(d, 1)), v);
  } else {
    return v;
  }
}

#if HWY_ARCH_X86

// Byte kPlace of each word of 32 bits as f32; of signed bytes times 2^24.
template <int kPlace, class D, class V = hn::Vec<D>>
HWY_INLINE auto ByteAsFloat(D, V bytes) {
  using T = hn::TFromD<D>;
  const hn::Repartition<uint32_t, D> du;
  const hn::RebindToSigned<decltype(du)> di;
  auto words = hn::BitCast(du, bytes);
  if constexpr (hwy::IsSigned<T>()) {
    if constexpr (kPlace < 3) words = hn::ShiftLeft<24 - 8 * kPlace>(words);
    if constexpr (kPlace > 0) words = hn::And(words, hn::Set(du, 0xFF000000u));
  } else {
    if constexpr (kPlace > 0) words = hn::ShiftRight<8 * kPlace>(words);
    if constexpr (kPlace < 3) words = hn::And(words, hn::Set(du, 0xFFu));
  }
  return hn::ConvertTo(hn::RebindToFloat<decltype(di)>(),
                       hn::BitCast(di, words));
}

// The quotients of those bytes, in the low bits of each word. A reciprocal is
// off by less than 2^-11. The factor makes quotients too large by less than
// 2^-9, which is less than what a fraction of such integers lacks to the next
// integer. x / 0 is infinite or NaN, which becomes an integer whose low bits
// are 0.
template <int kPlace, class D, class V = hn::Vec<D>>
HWY_INLINE auto QuotientsAt(D d, V a, V b) {
  const auto dividend = ByteAsFloat<kPlace>(d, a);
  const auto divisor = ByteAsFloat<kPlace>(d, b);
  const hn::DFromV<decltype(divisor)> df;
  const auto reciprocal =
      hn::Mul(hn::ApproximateReciprocal(divisor), hn::Set(df, 1.0f + 0x1p-10f));
  const hn::RebindToSigned<decltype(df)> di;
  const hn::RebindToUnsigned<decltype(df)> du;
  return hn::BitCast(du,
                     hn::ConvertInRangeTo(di, hn::Mul(dividend, reciprocal)));
}

// Truncated; x / 0 is 0.
struct ByteQuotientOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const hn::Repartition<uint32_t, D> du;
    const auto first = hn::Set(du, 0xFFu);
    const auto second = hn::Set(du, 0xFF00u);
    const auto third = hn::Set(du, 0xFF0000u);
    const auto low =
        hn::OrAnd(hn::And(QuotientsAt<0>(d, a, b), first),
                  hn::ShiftLeft<8>(QuotientsAt<1>(d, a, b)), second);
    const auto high =
        hn::OrAnd(hn::ShiftLeft<24>(QuotientsAt<3>(d, a, b)),
                  hn::ShiftLeft<16>(QuotientsAt<2>(d, a, b)), third);
    return hn::BitCast(d, hn::Or(low, high));
  }
};

#else

// Truncated; x / 0 is 0.
struct ByteQuotientOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V quotient = hn::BitCast(d, DivideMagnitudes(d, a, b).quotient);
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)),
                              WithSign(d, hn::Xor(a, b), quotient));
  }
};

#endif

// With the sign of the dividend.
struct ByteRemainderOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return WithSign(d, a, hn::BitCast(d, DivideMagnitudes(d, a, b).remainder));
  }
};

// With the sign of the divisor.
struct ByteModuloOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V zero = hn::Zero(d);
    const V remainder = ByteRemainderOp::Apply(d, a, b);
    const auto differ = hn::AndNot(hn::Eq(remainder, zero),
                                   hn::Lt(hn::Xor(remainder, b), zero));
    return AddWhere(differ, remainder, b);
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_DIVISION_BYTES_INL_H_
