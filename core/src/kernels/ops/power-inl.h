// Powers of floats, in vectors of f32 and f64: base^exponent is
// 2^(exponent * log2(base)), the logarithm held in two numbers, of which the
// lower has the bits that the higher rounds away. What the power is off by
// before its last rounding is little enough for whole numbers to come out
// whole; kernels_power_test.cc says how much it is.
//
// Coefficients: least squares, weighted again and again towards the smallest
// greatest relative error (Lawson), in 300 bits on 121 Chebyshev nodes; rounded
// one by one from the lowest, those after it fitted anew.

#if defined(BROADLOOM_KERNELS_OPS_POWER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_POWER_INL_H_
#undef BROADLOOM_KERNELS_OPS_POWER_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_POWER_INL_H_
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

// --- Two numbers for one ----------------------------------------------------

template <class V>
struct Wide {
  V high;
  V low;
};

// a + b, exactly; |a| >= |b|, or a is 0.
template <class V>
HWY_INLINE Wide<V> WideSum(V a, V b) {
  const V sum = hn::Add(a, b);
  return {sum, hn::Sub(b, hn::Sub(sum, a))};
}

// What a * b lost when it was rounded to `product`. Without FMA for f64 alone:
// each factor is cut into 26 bits and the rest, by its bits, so that nothing
// overflows.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Lost(D d, V a, V b, V product) {
  if constexpr (HWY_NATIVE_FMA) {
    return hn::MulSub(a, b, product);
  } else {
    static_assert(sizeof(hn::TFromD<D>) == 8);
    const hn::RebindToUnsigned<D> du;
    const V cut = hn::BitCast(d, hn::Set(du, ~uint64_t{0} << 27));
    const V a_high = hn::And(a, cut);
    const V b_high = hn::And(b, cut);
    const V a_low = hn::Sub(a, a_high);
    const V b_low = hn::Sub(b, b_high);
    V lost = hn::Sub(hn::Mul(a_high, b_high), product);
    lost = hn::Add(lost, hn::Mul(a_high, b_low));
    lost = hn::Add(lost, hn::Mul(a_low, b_high));
    return hn::Add(lost, hn::Mul(a_low, b_low));
  }
}

// The product of two, but for about the square of what one rounding loses.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Wide<V> WideProduct(D d, Wide<V> a, Wide<V> b) {
  const V product = hn::Mul(a.high, b.high);
  V low = hn::MulAdd(a.high, b.low, Lost(d, a.high, b.high, product));
  low = hn::MulAdd(a.low, b.high, low);
  return {product, low};
}

// coefficients[0] + coefficients[1] * x + ...
template <class D, size_t kCount, class V = hn::Vec<D>>
HWY_INLINE V Polynomial(D d, V x, const hn::TFromD<D> (&coefficients)[kCount]) {
  V sum = hn::Set(d, coefficients[kCount - 1]);
  for (size_t i = kCount - 1; i-- > 0;) {
    sum = hn::MulAdd(sum, x, hn::Set(d, coefficients[i]));
  }
  return sum;
}

// --- The two formats --------------------------------------------------------
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
  static constexpr int kScale = 24;  // makes every subnormal number normal
  // The power is a normal number below 2^kUsual, and infinite or 0 beyond
  // 2^kFar.
  static constexpr float kUsual = 125;
  static constexpr float kFar = 160;
  // Added and subtracted it rounds to quarters, the number of which then
  // stands in the lowest bits.
  static constexpr int kStepBits = 2;
  static constexpr float kRounder = 0x1.8p21f;
  static constexpr float kTwoOverLn2[2] = {0x1.715476p+1f, 0x1.4ae0cp-25f};
  static constexpr float kSlope[3] = {0x1.7154f8p+0f, -0x1.79aae8p+0f,
                                      0x1.798842p+0f};
  static constexpr float kLog2[4] = {0x1.ec709ep-1f, 0x1.2776e2p-1f,
                                     0x1.a5ceeap-2f, 0x1.58adp-2f};
  static constexpr float kExp2[4] = {0x1.62e42cp-1f, 0x1.ebfbd8p-3f,
                                     0x1.c6e9fcp-5f, 0x1.3b6c66p-7f};
  // 2^0, 2^(1/4), 2^(1/2) and 2^(3/4), and what their rounding is off by, for
  // vectors of any width.
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
using FormatOf = PowerFormat<hn::TFromD<D>>;

// --- Logarithm --------------------------------------------------------------

// x = m * 2^exponent, m from sqrt(1/2) to sqrt(2).
template <class V>
struct Parts {
  V m;
  V exponent;
};

// x is a normal number above 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Parts<V> Split(D d, V x) {
  using Format = FormatOf<D>;
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
    // An integer below 2^52 beside the bits of 2^52 is 2^52 more; targets that
    // convert no integers of 64 bits have this too.
    const auto beside = hn::Or(exponent, hn::Set(du, 0x4330000000000000));
    return {hn::BitCast(d, m),
            hn::Sub(hn::BitCast(d, beside), hn::Set(d, 0x1p52 + 1023))};
  }
}

// addend + a * b; |addend| >= |a * b|, or it is 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Wide<V> WideMulAdd(D d, V a, V b, V addend) {
  if constexpr (HWY_NATIVE_FMA) {
    const V sum = hn::MulAdd(a, b, addend);
    return {sum, hn::MulSub(a, b, hn::Sub(sum, addend))};
  } else {
    const V product = hn::Mul(a, b);
    Wide<V> sum = WideSum(addend, product);
    sum.low = hn::Add(sum.low, Lost(d, a, b, product));
    return sum;
  }
}

// log2(x * 2^-scale), for a normal x above 0. With t = (m - 1) / (m + 1) it is
// the series in t of 2 atanh(t) / ln2 that is summed.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Wide<V> WideLog2(D d, V x, V scale) {
  using T = hn::TFromD<D>;
  using Format = FormatOf<D>;
  const V one = hn::Set(d, T{1});
  const Parts<V> parts = Split(d, x);
  const V exponent = hn::Sub(parts.exponent, scale);
  const V numerator = hn::Sub(parts.m, one);
  const V denominator = hn::Add(parts.m, one);
  // numerator - t (numerator + 2), of which nothing is lost: 2t is near the
  // numerator, and t * numerator near their difference.
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

// A number as a multiple of steps (1/4 in f32, 1 in f64), the count of which
// stands in the low bits of `shifted`, and what is left, high + low. In f32 low
// is not used: so little is left that one number holds it.
template <class V>
struct Reduced {
  V steps;
  V shifted;
  V high;
  V low;
};

// exponent * log. kTwoPart: exponent.low is not 0.
template <bool kTwoPart, class D, class V = hn::Vec<D>>
HWY_INLINE Reduced<V> TimesLog(D d, Wide<V> exponent, Wide<V> log) {
  using Format = FormatOf<D>;
  const V rounder = hn::Set(d, Format::kRounder);
  const V y = exponent.high;
  Reduced<V> x;
  if constexpr (Format::kFractionBits == 23) {
    static_assert(!kTwoPart);
    x.shifted = hn::MulAdd(y, hn::Add(log.high, log.low), rounder);
    x.steps = hn::Sub(x.shifted, rounder);
    x.high = hn::MulAdd(y, log.low, hn::MulSub(y, log.high, x.steps));
    x.low = x.high;
  } else {
    const V product = hn::Mul(y, log.high);
    x.shifted = hn::Add(product, rounder);
    x.steps = hn::Sub(x.shifted, rounder);
    x.high = hn::Sub(product, x.steps);  // loses nothing
    x.low = hn::MulAdd(y, log.low, Lost(d, y, log.high, product));
    if constexpr (kTwoPart) {
      x.low = hn::MulAdd(exponent.low, log.high, x.low);
    }
  }
  return x;
}

template <class D>
using BitsOf = hn::Vec<hn::RebindToUnsigned<D>>;

// The bits of a number that are those of 2^steps, but for the whole powers of 2
// in it, are `bits`, in the places of the exponent and of the fraction's first
// bits; what is left of x goes beside.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp2(D d, Reduced<V> x, BitsOf<D> bits) {
  using Format = FormatOf<D>;
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

// --- Power ------------------------------------------------------------------

// magnitude^exponent, whatever they are, but for powers of 1 and powers to 0.
// What is usual gets the very bits that PowerOfUsual gives.
template <bool kTwoPart, class D, class V = hn::Vec<D>>
HWY_NOINLINE V AnyPower(D d, V magnitude, V exponent, V exponent_low) {
  using T = hn::TFromD<D>;
  using Format = FormatOf<D>;
  constexpr int kFraction = Format::kFractionBits;
  constexpr int kStepBits = Format::kStepBits;
  const hn::RebindToSigned<D> di;
  const hn::RebindToUnsigned<D> du;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, T{1});
  const V infinity = hn::Inf(d);

  const auto is_zero = hn::Eq(magnitude, zero);
  const auto number = hn::AndNot(is_zero, hn::Lt(magnitude, infinity));
  const auto subnormal = hn::Lt(magnitude, hn::Set(d, Format::kLeastNormal));
  constexpr T kFactor = static_cast<T>(uint64_t{1} << Format::kScale);
  const V scaled = hn::IfThenElse(
      subnormal, hn::Mul(magnitude, hn::Set(d, kFactor)), magnitude);
  const V scale =
      hn::IfThenElseZero(subnormal, hn::Set(d, static_cast<T>(Format::kScale)));
  Wide<V> log = WideLog2(d, hn::IfThenElse(number, scaled, one), scale);
  const V special = hn::IfThenElse(is_zero, hn::Neg(infinity), magnitude);
  log.high = hn::IfThenElse(number, log.high, special);

  const V product = hn::Mul(exponent, log.high);
  const V far = hn::Set(d, Format::kFar);
  const auto near = hn::Lt(hn::Abs(product), far);
  const V beyond = hn::IfThenElse(hn::Gt(product, zero), far, hn::Neg(far));
  const V rounder = hn::Set(d, Format::kRounder);
  Reduced<V> x = TimesLog<kTwoPart>(d, Wide<V>{exponent, exponent_low}, log);
  x.shifted = hn::IfThenElse(near, x.shifted, hn::Add(beyond, rounder));
  x.high = hn::IfThenElseZero(near, x.high);
  x.low = hn::IfThenElseZero(near, x.low);

  const auto steps =
      hn::Sub(hn::BitCast(di, x.shifted), hn::BitCast(di, rounder));
  const auto n = hn::ShiftRight<kStepBits>(steps);
  const auto rest = hn::Sub(steps, hn::ShiftLeft<kStepBits>(n));
  const V power =
      Exp2(d, x, hn::BitCast(du, hn::ShiftLeft<kFraction - kStepBits>(rest)));

  // In two steps, of which the first stays within the normal numbers.
  const auto half = hn::ShiftRight<1>(n);
  const auto bits_of_one = hn::BitCast(di, one);
  const auto by = [&](auto by_n) HWY_ATTR {
    const auto bits = hn::Add(hn::ShiftLeft<kFraction>(by_n), bits_of_one);
    return hn::BitCast(d, bits);
  };
  const V result = hn::Mul(hn::Mul(power, by(half)), by(hn::Sub(n, half)));
  return hn::IfThenElse(hn::IsNaN(product), product, result);
}

// Also infinity, and what is too large to be anything else.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> IsIntegral(D d, V x) {
  using T = hn::TFromD<D>;
  const V limit =
      hn::Set(d, static_cast<T>(uint64_t{1} << FormatOf<D>::kFractionBits));
  const V magnitude = hn::Abs(x);
  const V rounded = hn::Sub(hn::Add(magnitude, limit), limit);
  return hn::Or(hn::Eq(rounded, magnitude), hn::Ge(magnitude, limit));
}

// base^exponent from |base|^exponent: the sign, whether there is a real result,
// and what is 1 whatever the other operand is.
template <class D, class V = hn::Vec<D>>
HWY_NOINLINE V FinishPower(D d, V base, V exponent, V power) {
  using T = hn::TFromD<D>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, T{1});
  const V magnitude = hn::Abs(base);
  const auto negative = hn::Lt(base, zero);
  const auto integral = IsIntegral(d, exponent);
  const V half = hn::Mul(exponent, hn::Set(d, T{0.5}));
  const auto odd = hn::AndNot(IsIntegral(d, half), integral);
  const auto finite = hn::Lt(magnitude, hn::Inf(d));
  const V sign = hn::IfThenElseZero(odd, hn::And(base, hn::SignBit(d)));
  const V real = hn::IfThenElse(hn::AndNot(integral, hn::And(negative, finite)),
                                hn::NaN(d), hn::Or(power, sign));

  // 1 to any power, NaN too, and anything to the power 0; -1 to an infinite.
  const auto infinite = hn::Eq(hn::Abs(exponent), hn::Inf(d));
  const auto unit = hn::Or(hn::Or(hn::Eq(base, one), hn::Eq(exponent, zero)),
                           hn::And(hn::Eq(magnitude, one), infinite));
  return hn::IfThenElse(unit, one, real);
}

// magnitude^exponent where IsUsual says so of `steps`.
template <class V>
struct UsualPower {
  V power;
  V steps;
};

template <bool kTwoPart, class D, class V = hn::Vec<D>>
HWY_INLINE UsualPower<V> PowerOfUsual(D d, V magnitude, Wide<V> exponent) {
  using Format = FormatOf<D>;
  const hn::RebindToUnsigned<D> du;
  const Wide<V> log = WideLog2(d, magnitude, hn::Zero(d));
  const Reduced<V> x = TimesLog<kTwoPart>(d, exponent, log);
  const auto bits = hn::ShiftLeft<Format::kFractionBits - Format::kStepBits>(
      hn::BitCast(du, x.shifted));
  return {Exp2(d, x, bits), x.steps};
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> IsUsual(D d, V base, V steps) {
  using Format = FormatOf<D>;
  const V least = hn::Set(d, Format::kLeastNormal);
  const V most = hn::Set(d, hwy::HighestValue<hn::TFromD<D>>());
  const auto normal = hn::And(hn::Ge(base, least), hn::Le(base, most));
  return hn::And(normal, hn::Lt(hn::Abs(steps), hn::Set(d, Format::kUsual)));
}

// In f64 base * base in place of the power where that is a square. Whole
// numbers that are squared, more than others that are raised, have powers
// halfway between two numbers; only a product takes the even one.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V SquareWhereSo(D d, V base, V exponent, V power) {
  if constexpr (FormatOf<D>::kFractionBits == 52) {
    const auto squared = hn::Eq(exponent, hn::Set(d, 2.0));
    return hn::IfThenElse(squared, hn::Mul(base, base), power);
  } else {
    return power;
  }
}

// `parity` is an exponent as even or odd, as whole and as great as `exponent`
// where that says nothing of parity.
template <bool kTwoPart, class D, class V = hn::Vec<D>>
HWY_INLINE V PowerOf(D d, V base, Wide<V> exponent, V parity) {
  const V magnitude = hn::Abs(base);
  const UsualPower<V> usual = PowerOfUsual<kTwoPart>(d, magnitude, exponent);
  V power = usual.power;
  if (HWY_UNLIKELY(!hn::AllTrue(d, IsUsual(d, base, usual.steps)))) {
    if (!hn::AllTrue(d, IsUsual(d, magnitude, usual.steps))) {
      power = AnyPower<kTwoPart>(d, magnitude, exponent.high, exponent.low);
    }
    power = FinishPower(d, base, parity, power);
  }
  return SquareWhereSo(d, base, exponent.high, power);
}

// PowerOf in less code, with AnyPower alone: without FMA the calculation is so
// long that neither a call nor what is special adds much to it.
template <class D, class V = hn::Vec<D>>
HWY_NOINLINE V CalledPowerOf(D d, V base, V exponent, V exponent_low,
                             V parity) {
  const V infinity = hn::Inf(d);
  V power = AnyPower<true>(d, hn::Abs(base), exponent, exponent_low);
  const auto usual =
      hn::And(hn::And(hn::Gt(base, hn::Zero(d)), hn::Lt(base, infinity)),
              hn::Lt(hn::Abs(exponent), infinity));
  if (HWY_UNLIKELY(!hn::AllTrue(d, usual))) {
    power = FinishPower(d, base, parity, power);
  }
  return SquareWhereSo(d, base, exponent, power);
}

struct PowOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent) {
    const V zero = hn::Zero(d);
    if constexpr (HWY_NATIVE_FMA) {
      return PowerOf<false>(d, base, Wide<V>{exponent, zero}, exponent);
    } else {
      return CalledPowerOf(d, base, exponent, zero, exponent);
    }
  }
};

// Bases of f64, exponents of i64 as they lie in memory.
struct PowByI64Op {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent_bits) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, exponent_bits);
    // Each half beside the bits of a power of 2, to which it adds itself: with
    // the other's sign turned, for that is then 2^31 more.
    const auto low_bits = hn::And(bits, hn::Set(du, 0xFFFFFFFF));
    const auto high_bits =
        hn::Xor(hn::ShiftRight<32>(bits), hn::Set(du, 0x4530000080000000));
    const V low = hn::Sub(
        hn::BitCast(d, hn::Or(low_bits, hn::Set(du, 0x4330000000000000))),
        hn::Set(d, 0x1p52));
    const V high =
        hn::Sub(hn::BitCast(d, high_bits), hn::Set(d, 0x1p84 + 0x1p63));
    const Wide<V> exponent = WideSum(high, low);
    // What takes more than f64's 53 bits is even there.
    const auto odd = hn::RebindMask(d, hn::TestBit(bits, hn::Set(du, 1)));
    const V parity = hn::IfThenElse(odd, hn::Set(d, 1.0), exponent.high);
    if constexpr (HWY_NATIVE_FMA) {
      return PowerOf<true>(d, base, exponent, parity);
    } else {
      return CalledPowerOf(d, base, exponent.high, exponent.low, parity);
    }
  }
};

// --- Without FMA: f32 in f64's vectors --------------------------------------
// A product that loses nothing takes 17 operations then. f64 has bits enough
// without, and half as many lanes for less than half of the operations.

struct NarrowPowOp {
  // Bases are of f32 or less: none is subnormal in f64. Results beyond f32's
  // range need only be beyond it.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent) {
    return Called(d, base, exponent);
  }

 private:
  // log2(m) / t = 2/ln2 + s kLog2(s), relative error 2^-44; 2^f = 1 +
  // f kExp2(f), 2^-40.
  static constexpr double kLog2[5] = {
      0x1.ec709dc4c2cdbp-1, 0x1.2776c2ef8528ep-1, 0x1.a619f641565eep-2,
      0x1.479ce0b971e84p-2, 0x1.21537e6c80158p-2};
  static constexpr double kExp2[8] = {
      0x1.62e42fef88fe8p-1,  0x1.ebfbdff8e64c2p-3,  0x1.c6b08dd01ed82p-5,
      0x1.3b2ab5f8070abp-7,  0x1.5d874bdeb0dfcp-10, 0x1.430a970d3aa37p-13,
      0x1.00d8f320b7a65p-16, 0x1.61d6aa1974a7ep-20};
  static constexpr double kFar = 400;

  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE V Called(D d, V base, V exponent) {
    const V magnitude = hn::Abs(base);
    const V log = Log2(d, magnitude);
    const V x = hn::Mul(exponent, log);
    const auto near = hn::Lt(hn::Abs(x), hn::Set(d, kFar));
    const V zero = hn::Zero(d);
    const V infinity = hn::Inf(d);
    const auto usual =
        hn::And(hn::And(hn::Gt(base, zero), hn::Lt(base, infinity)), near);
    if (HWY_LIKELY(hn::AllTrue(d, usual))) return Exp2(d, x);
    return Unusual(d, base, exponent, log);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE V Unusual(D d, V base, V exponent, V log) {
    const V magnitude = hn::Abs(base);
    const V zero = hn::Zero(d);
    const auto number =
        hn::And(hn::Gt(magnitude, zero), hn::Lt(magnitude, hn::Inf(d)));
    const V special =
        hn::IfThenElse(hn::Eq(magnitude, zero), hn::Neg(hn::Inf(d)), magnitude);
    const V x = hn::Mul(exponent, hn::IfThenElse(number, log, special));
    const V far = hn::Set(d, kFar);
    V near = hn::IfThenElse(hn::Lt(x, far), x, far);
    near = hn::IfThenElse(hn::Gt(near, hn::Neg(far)), near, hn::Neg(far));
    const V power = hn::IfThenElse(hn::IsNaN(x), x, Exp2(d, near));
    return FinishPower(d, base, exponent, power);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Log2(D d, V x) {
    const V one = hn::Set(d, 1.0);
    const Parts<V> parts = Split(d, x);
    const V t = hn::Div(hn::Sub(parts.m, one), hn::Add(parts.m, one));
    const V s = hn::Mul(t, t);
    const V series =
        hn::MulAdd(Polynomial(d, s, kLog2), s,
                   hn::Set(d, PowerFormat<double>::kTwoOverLn2[0]));
    return hn::MulAdd(t, series, parts.exponent);
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Exp2(D d, V x) {
    const hn::RebindToUnsigned<D> du;
    const V rounder = hn::Set(d, PowerFormat<double>::kRounder);
    const V shifted = hn::Add(x, rounder);
    const V f = hn::Sub(x, hn::Sub(shifted, rounder));
    const V power = hn::MulAdd(f, Polynomial(d, f, kExp2), hn::Set(d, 1.0));
    const auto n = hn::ShiftLeft<52>(hn::BitCast(du, shifted));
    return hn::BitCast(d, hn::Add(hn::BitCast(du, power), n));
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_POWER_INL_H_
