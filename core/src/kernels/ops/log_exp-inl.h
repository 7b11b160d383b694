// Logarithms and powers of 2, in vectors of f32 and f64, precise enough for
// Pow.
//
// Coefficients: least squares, weighted again and again towards the smallest
// greatest relative error (Lawson), in 300 bits on 121 Chebyshev nodes; rounded
// one by one from the lowest, those after it fitted anew.

#if defined(BROADLOOM_KERNELS_OPS_LOG_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_LOG_EXP_INL_H_
#undef BROADLOOM_KERNELS_OPS_LOG_EXP_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_LOG_EXP_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/ops/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// --- Constants of f32 and f64 -----------------------------------------------
//
// kLog2: with s = t^2 and t = (m - 1) / (m + 1), m from sqrt(1/2) to sqrt(2),
// log2(m) / t = 2/ln2 + s kLog2(s) in f32 (relative error 2^-36), and
// 2/ln2 + s (2/(3 ln2) + s kLog2(s)) in f64 (2^-73).
// kExp2: 2^f = 1 + f ln2 + f^2 kExp2(f), |f| <= 1/2 (2^-33 and 2^-63).

template <class T>
struct PowerFormat;

template <>
struct PowerFormat<float> {
  static constexpr int kFractionBits = 23;
  static constexpr uint32_t kOne = 0x3F800000;
  static constexpr uint32_t kSqrtHalf = 0x3F3504F3;
  static constexpr float kLeastNormal = 0x1p-126f;
  static constexpr float kMost = 0x1.fffffep127f;
  static constexpr int kScale = 24;  // makes every subnormal number normal
  // Within 2^-kUsual and 2^kUsual the power is a normal number; beyond 2^-kFar
  // and 2^kFar it is 0 and infinite.
  static constexpr float kUsual = 125;
  static constexpr float kFar = 160;
  // Adding kRounder rounds a number to a multiple of 2^-kStepBits; the lowest
  // bits of the sum are that multiple as an integer. Subtracting it again gives
  // the rounded number.
  static constexpr int kStepBits = 2;
  static constexpr float kRounder = 0x1.8p21f;
  static constexpr float kTwoOverLn2[2] = {0x1.715476p+1f, 0x1.4ae0cp-25f};
  static constexpr float kSlope[3] = {0x1.7154f8p+0f, -0x1.79aae8p+0f,
                                      0x1.798842p+0f};
  static constexpr float kLog2[4] = {0x1.ec709ep-1f, 0x1.2776e2p-1f,
                                     0x1.a5ceeap-2f, 0x1.58adp-2f};
  static constexpr float kExp2[4] = {0x1.62e42cp-1f, 0x1.ebfbd8p-3f,
                                     0x1.c6e9fcp-5f, 0x1.3b6c66p-7f};
  // 2^0, 2^(1/4), 2^(1/2) and 2^(3/4), and the errors of their rounding, as
  // often as the widest vectors have room for them.
  alignas(64) static constexpr uint32_t kRoots[16] = {
      0x3F800000, 0x3F7837F0, 0x3F7504F3, 0x3F7744FD, 0x3F800000, 0x3F7837F0,
      0x3F7504F3, 0x3F7744FD, 0x3F800000, 0x3F7837F0, 0x3F7504F3, 0x3F7744FD,
      0x3F800000, 0x3F7837F0, 0x3F7504F3, 0x3F7744FD};
  alignas(64) static constexpr float kRootErrors[16] = {
      0, 0x1.12500p-25f, 0x1.26055cp-26f, -0x1.f9c304p-27f,
      0, 0x1.12500p-25f, 0x1.26055cp-26f, -0x1.f9c304p-27f,
      0, 0x1.12500p-25f, 0x1.26055cp-26f, -0x1.f9c304p-27f,
      0, 0x1.12500p-25f, 0x1.26055cp-26f, -0x1.f9c304p-27f};
};

template <>
struct PowerFormat<double> {
  static constexpr int kFractionBits = 52;
  static constexpr uint64_t kOne = 0x3FF0000000000000;
  static constexpr uint64_t kSqrtHalf = 0x3FE6A09E667F3BCD;
  static constexpr double kLeastNormal = 0x1p-1022;
  static constexpr double kMost = 0x1.fffffffffffffp1023;
  static constexpr int kScale = 54;
  static constexpr double kUsual = 1021;
  static constexpr double kFar = 1100;
  static constexpr int kStepBits = 0;
  static constexpr double kRounder = 0x1.8p52;
  static constexpr double kTwoOverLn2[2] = {0x1.71547652b82fep+1,
                                            0x1.777d0ffda0d24p-55};
  static constexpr double kTwoOver3Ln2[2] = {0x1.ec709dc3a03fdp-1,
                                             0x1.d27f05548af0cp-55};
  static constexpr double kLog2[8] = {
      0x1.2776c50ef9bfcp-1, 0x1.a61762a7aeddbp-2, 0x1.484b13d6ad28dp-2,
      0x1.0c9a853ad3283p-2, 0x1.c68ee9721ae3cp-3, 0x1.8a09b50854441p-3,
      0x1.58fd041b05f98p-3, 0x1.61ef17ac9f7a1p-3};
  static constexpr double kLn2[2] = {0x1.62e42fefa39efp-1,
                                     0x1.abc9e3b39803fp-56};
  static constexpr double kHalfSquaredLn2 = 0x1.ebfbdff82c58fp-3;
  static constexpr double kExp2[10] = {
      0x1.c6b08d704a0c3p-5,  0x1.3b2ab6fba4d81p-7,  0x1.5d87fe78a48cfp-10,
      0x1.430912f8a9c6fp-13, 0x1.ffcbfc6b3f0bcp-17, 0x1.62c0215d064e0p-20,
      0x1.b524f027fa92ap-24, 0x1.e4d2274526eeap-28, 0x1.e9e66f858d134p-32,
      0x1.c09db27230df5p-36};
};

template <class D>
using PowerFormatOf = PowerFormat<hn::TFromD<D>>;

// --- Logarithm --------------------------------------------------------------

// A number m * 2^exponent, with m from sqrt(1/2) to sqrt(2).
template <class V>
struct MantissaExponent {
  V m;
  V exponent;
};

// Of a normal number x > 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE MantissaExponent<V> Split(D d, V x) {
  using Format = PowerFormatOf<D>;
  constexpr int kFraction = Format::kFractionBits;
  if constexpr (kFraction == 23) {
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, x);
    const auto exponent = hn::ShiftRight<kFraction>(
        hn::Sub(bits, hn::Set(di, static_cast<int32_t>(Format::kSqrtHalf))));
    const auto m = hn::Sub(bits, hn::ShiftLeft<kFraction>(exponent));
    return {hn::BitCast(d, m), hn::ConvertTo(d, exponent)};
  } else {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, x);
    const auto exponent = hn::ShiftRight<kFraction>(
        hn::Add(bits, hn::Set(du, Format::kOne - Format::kSqrtHalf)));
    const auto m = hn::Sub(hn::Add(bits, hn::Set(du, Format::kOne)),
                           hn::ShiftLeft<kFraction>(exponent));
    // The bits of 2^52 with an integer below 2^52 in their lowest bits are 2^52
    // plus that integer. It is a conversion for all targets: not all convert
    // integers of 64 bits.
    const auto beside = hn::Or(exponent, hn::Set(du, 0x4330000000000000));
    return {hn::BitCast(d, m),
            hn::Sub(hn::BitCast(d, beside), hn::Set(d, 0x1p52 + 1023))};
  }
}

// log2(x * 2^-scale) of a normal number x > 0: the exponent plus the series of
// 2 atanh(t) / ln2 in t = (m - 1) / (m + 1).
template <class D, class V = hn::Vec<D>>
HWY_INLINE Wide<V> WideLog2(D d, V x, V scale) {
  using T = hn::TFromD<D>;
  using Format = PowerFormatOf<D>;
  const V one = hn::Set(d, T{1});
  const MantissaExponent<V> parts = Split(d, x);
  const V exponent = hn::Sub(parts.exponent, scale);
  const V numerator = hn::Sub(parts.m, one);
  const V denominator = hn::Add(parts.m, one);
  // numerator - t (numerator + 2), without rounding errors: 2t is close to the
  // numerator, and t * numerator close to their difference.
  const auto remainder = [&](V t) HWY_ATTR {
    const V rest = hn::NegMulAdd(hn::Set(d, T{2}), t, numerator);
    if constexpr (HWY_NATIVE_FMA) {
      return hn::NegMulAdd(t, numerator, rest);
    } else {
      const V product = hn::Mul(t, numerator);
      return hn::Sub(hn::Sub(rest, product), Lost(d, t, numerator, product));
    }
  };
  const V c = hn::Set(d, Format::kTwoOverLn2[0]);
  const V c_low = hn::Set(d, Format::kTwoOverLn2[1]);
  if constexpr (Format::kFractionBits == 23) {
    const V t = hn::Div(numerator, denominator);
    const V s = hn::Mul(t, t);
    const V series = hn::MulAdd(Polynomial(d, s, Format::kLog2), s, c_low);
    Wide<V> log = WideMulAdd(d, c, t, exponent);
    const V slope = Polynomial(d, t, Format::kSlope);
    log.low = hn::MulAdd(remainder(t), slope, log.low);
    log.low = hn::MulAdd(t, series, log.low);
    return log;
  } else {
    const V inverse = hn::Div(one, denominator);
    Wide<V> t;
    t.high = hn::Mul(numerator, inverse);
    t.low = hn::Mul(remainder(t.high), inverse);
    const Wide<V> s = WideProduct(d, t, t);
    const V tail = hn::Mul(s.high, Polynomial(d, s.high, Format::kLog2));
    Wide<V> third = WideSum(hn::Set(d, Format::kTwoOver3Ln2[0]), tail);
    third.low = hn::Add(third.low, hn::Set(d, Format::kTwoOver3Ln2[1]));
    Wide<V> series = WideProduct(d, s, third);
    const V low = hn::Add(series.low, c_low);
    series = WideSum(c, series.high);
    series.low = hn::Add(series.low, low);
    Wide<V> log = WideMulAdd(d, t.high, series.high, exponent);
    log.low = hn::MulAdd(t.low, series.high, log.low);
    log.low = hn::MulAdd(t.high, series.low, log.low);
    return log;
  }
}

// --- Exponential ------------------------------------------------------------

// A number as the sum of a multiple of a step (1/4 in f32, 1 in f64) and a
// rest, high + low. How many steps there are is an integer in the low bits of
// `shifted`. In f32 `low` is not used: the rest is so small that one number
// holds it.
template <class V>
struct Reduced {
  V steps;
  V shifted;
  V high;
  V low;
};

// exponent * log. kTwoParts: exponent.low may be other than 0.
template <bool kTwoParts, class D, class V = hn::Vec<D>>
HWY_INLINE Reduced<V> TimesLog(D d, Wide<V> exponent, Wide<V> log) {
  using Format = PowerFormatOf<D>;
  const V rounder = hn::Set(d, Format::kRounder);
  const V y = exponent.high;
  Reduced<V> x;
  if constexpr (Format::kFractionBits == 23) {
    static_assert(!kTwoParts);
    x.shifted = hn::MulAdd(y, hn::Add(log.high, log.low), rounder);
    x.steps = hn::Sub(x.shifted, rounder);
    x.high = hn::MulAdd(y, log.low, hn::MulSub(y, log.high, x.steps));
    x.low = x.high;
  } else {
    const V product = hn::Mul(y, log.high);
    x.shifted = hn::Add(product, rounder);
    x.steps = hn::Sub(x.shifted, rounder);
    x.high = hn::Sub(product, x.steps);  // exact
    x.low = hn::MulAdd(y, log.low, Lost(d, y, log.high, product));
    if constexpr (kTwoParts) {
      x.low = hn::MulAdd(exponent.low, log.high, x.low);
    }
  }
  return x;
}

template <class D>
using BitsOf = hn::Vec<hn::RebindToUnsigned<D>>;

// 2^x for those steps of x that `bits` has: their number, shifted so that whole
// powers of 2 are in the place of the exponent and, in f32, quarters in the
// first bits of the fraction, which kRoots accounts for.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp2(D d, Reduced<V> x, BitsOf<D> bits) {
  using Format = PowerFormatOf<D>;
  const hn::RebindToUnsigned<D> du;
  if constexpr (Format::kFractionBits == 23) {
    const hn::RebindToSigned<D> di;
    const auto step = hn::And(hn::BitCast(di, x.shifted), hn::Set(di, 3));
    const auto index = hn::IndicesFromVec(d, step);
    const auto table = hn::Load(du, Format::kRoots);
    const V root = hn::BitCast(
        d, hn::Add(hn::TableLookupLanes(table, hn::IndicesFromVec(du, step)),
                   bits));
    const V error =
        hn::TableLookupLanes(hn::Load(d, Format::kRootErrors), index);
    const V f = x.high;
    const V power = hn::MulAdd(f, Polynomial(d, f, Format::kExp2), error);
    return hn::MulAdd(root, power, root);
  } else {
    const V one = hn::Set(d, 1.0);
    const V ln2 = hn::Set(d, Format::kLn2[0]);
    const V f = x.high;
    Wide<V> power = WideMulAdd(d, f, ln2, one);
    const V tail = hn::Mul(f, Polynomial(d, f, Format::kExp2));
    const Wide<V> series = WideSum(hn::Set(d, Format::kHalfSquaredLn2), tail);
    const V high = hn::Mul(f, series.high);
    V low = hn::MulAdd(f, series.low, Lost(d, f, series.high, high));
    low = hn::Add(low, hn::Set(d, Format::kLn2[1]));
    const V slope = hn::Mul(ln2, hn::MulAdd(f, high, power.high));
    power.low = hn::MulAdd(x.low, slope, power.low);
    power.low = hn::MulAdd(f, low, power.low);
    Wide<V> sum = WideMulAdd(d, f, high, power.high);
    const V result = hn::Add(sum.high, hn::Add(sum.low, power.low));
    return hn::BitCast(d, hn::Add(hn::BitCast(du, result), bits));
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_LOG_EXP_INL_H_
