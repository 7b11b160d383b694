// Division of integers of 8 bits by long division, bit by bit. It takes fewer
// instructions than converting bytes to floats and back.

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

// Truncated; x / 0 is 0.
struct ByteQuotientOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V quotient = hn::BitCast(d, DivideMagnitudes(d, a, b).quotient);
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)),
                              WithSign(d, hn::Xor(a, b), quotient));
  }
};

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
