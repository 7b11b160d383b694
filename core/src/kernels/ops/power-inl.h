// Powers of floats, in vectors of f32 and f64: base^exponent is
// 2^(exponent * log2(base)). The logarithm is held in two numbers, the lower of
// which has the bits that the higher one rounds away. The error before the last
// rounding is so small that powers that are integers come out exact;
// kernels_power_test.cc says how large it is.

#if defined(BROADLOOM_KERNELS_OPS_POWER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_POWER_INL_H_
#undef BROADLOOM_KERNELS_OPS_POWER_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_POWER_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/ops/log_exp-inl.h"
#include "kernels/ops/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// magnitude * 2^-scale to a power, as power * 2^n: n is in the bits of
// `shifted`, as Reduced has them. Of a normal magnitude; valid where `product`,
// the exponent times the logarithm, is not beyond kFar.
template <class V>
struct PowerParts {
  V product;
  V shifted;
  V power;
};

template <bool kTwoParts, class D, class V = hn::Vec<D>>
HWY_NOINLINE PowerParts<V> PartsOfPower(D d, V magnitude, V scale, V exponent,
                                        V exponent_low) {
  using Format = PowerFormatOf<D>;
  constexpr int kStepBits = Format::kStepBits;
  const hn::RebindToUnsigned<D> du;
  const Wide<V> log = WideLog2(d, magnitude, scale);
  const Reduced<V> x =
      TimesLog<kTwoParts>(d, Wide<V>{exponent, exponent_low}, log);
  const auto rest =
      hn::And(hn::BitCast(du, x.shifted), hn::Set(du, (1 << kStepBits) - 1));
  const auto bits = hn::ShiftLeft<Format::kFractionBits - kStepBits>(rest);
  return {hn::Mul(exponent, log.high), x.shifted, Exp2(d, x, bits)};
}

// magnitude^exponent for all operands, except that FinishPower corrects powers
// of 1 and powers to 0. Usual operands get exactly the bits of PowerOfUsual.
template <bool kTwoParts, class D, class V = hn::Vec<D>>
HWY_NOINLINE V AnyPower(D d, V magnitude, V exponent, V exponent_low) {
  using T = hn::TFromD<D>;
  using Format = PowerFormatOf<D>;
  constexpr int kFraction = Format::kFractionBits;
  const hn::RebindToSigned<D> di;
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
  const PowerParts<V> parts = PartsOfPower<kTwoParts>(
      d, hn::IfThenElse(number, scaled, one), scale, exponent, exponent_low);

  const V special = hn::IfThenElse(is_zero, hn::Neg(infinity), magnitude);
  const V product =
      hn::IfThenElse(number, parts.product, hn::Mul(exponent, special));
  const V far = hn::Set(d, Format::kFar);
  const auto near = hn::Lt(hn::Abs(product), far);
  const V beyond = hn::IfThenElse(hn::Gt(product, zero), far, hn::Neg(far));
  const V rounder = hn::Set(d, Format::kRounder);
  const V shifted =
      hn::IfThenElse(near, parts.shifted, hn::Add(beyond, rounder));
  const V power = hn::IfThenElse(near, parts.power, one);

  // Times 2^n in two steps; after the first the number is still normal.
  const auto n = hn::ShiftRight<Format::kStepBits>(
      hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, rounder)));
  const auto half = hn::ShiftRight<1>(n);
  const auto bits_of_one = hn::BitCast(di, one);
  const auto by = [&](auto by_n) HWY_ATTR {
    const auto bits = hn::Add(hn::ShiftLeft<kFraction>(by_n), bits_of_one);
    return hn::BitCast(d, bits);
  };
  const V result = hn::Mul(hn::Mul(power, by(half)), by(hn::Sub(n, half)));
  return hn::IfThenElse(hn::IsNaN(product), product, result);
}

// Whether x is an integer or infinite. Numbers with no fraction bits are.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> IsIntegral(D d, V x) {
  using T = hn::TFromD<D>;
  const V limit = hn::Set(
      d, static_cast<T>(uint64_t{1} << PowerFormatOf<D>::kFractionBits));
  const V magnitude = hn::Abs(x);
  const V rounded = hn::Sub(hn::Add(magnitude, limit), limit);
  return hn::Or(hn::Eq(rounded, magnitude), hn::Ge(magnitude, limit));
}

// base^exponent from |base|^exponent: sets the sign, NaN where there is no real
// result, and 1 where the result is 1 for any other operand.
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

  // 1 to any power and anything to the power 0, also NaN; -1 to an infinite
  // power.
  const auto infinite = hn::Eq(hn::Abs(exponent), hn::Inf(d));
  const auto unit = hn::Or(hn::Or(hn::Eq(base, one), hn::Eq(exponent, zero)),
                           hn::And(hn::Eq(magnitude, one), infinite));
  return hn::IfThenElse(unit, one, real);
}

// magnitude^exponent; valid where IsUsual(magnitude, steps).
template <class V>
struct UsualPower {
  V power;
  V steps;
};

// Without FMA it takes so long that a call adds little to it, and saves a
// second copy.
template <bool kTwoParts, class D, class V = hn::Vec<D>>
HWY_INLINE UsualPower<V> PowerOfUsual(D d, V magnitude, Wide<V> exponent) {
  using Format = PowerFormatOf<D>;
  const hn::RebindToUnsigned<D> du;
  const V zero = hn::Zero(d);
  const auto bits_of = [&](V shifted) HWY_ATTR {
    return hn::ShiftLeft<Format::kFractionBits - Format::kStepBits>(
        hn::BitCast(du, shifted));
  };
  if constexpr (HWY_NATIVE_FMA) {
    const Wide<V> log = WideLog2(d, magnitude, zero);
    const Reduced<V> x = TimesLog<kTwoParts>(d, exponent, log);
    return {Exp2(d, x, bits_of(x.shifted)), x.steps};
  } else {
    const PowerParts<V> parts = PartsOfPower<kTwoParts>(
        d, magnitude, zero, exponent.high, exponent.low);
    const auto power =
        hn::Add(hn::BitCast(du, parts.power), bits_of(parts.shifted));
    return {hn::BitCast(d, power),
            hn::Sub(parts.shifted, hn::Set(d, Format::kRounder))};
  }
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> IsUsual(D d, V base, V steps) {
  using Format = PowerFormatOf<D>;
  const V least = Splat(d, Format::kLeastNormal);
  const V most = Splat(d, Format::kMost);
  const auto normal = hn::And(hn::Ge(base, least), hn::Le(base, most));
  return hn::And(normal, hn::Lt(hn::Abs(steps), Splat(d, Format::kUsual)));
}

// In f64, base * base if the exponent is 2. Squares of integers, more often
// than other powers, lie halfway between two numbers, and only a product rounds
// them to the even one.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V SquareWhereSo(D d, V base, V exponent, V power) {
  if constexpr (PowerFormatOf<D>::kFractionBits == 52) {
    const auto squared = hn::Eq(exponent, hn::Set(d, 2.0));
    return hn::IfThenElse(squared, hn::Mul(base, base), power);
  } else {
    return power;
  }
}

// base^exponent. `parity` is a number that is even, odd, fractional or infinite
// as the exponent is: exponent.high may have lost whether it is even or odd.
template <bool kTwoParts, class D, class V = hn::Vec<D>>
HWY_INLINE V PowerOf(D d, V base, Wide<V> exponent, V parity) {
  const V magnitude = hn::Abs(base);
  const UsualPower<V> usual = PowerOfUsual<kTwoParts>(d, magnitude, exponent);
  V power = usual.power;
  if (HWY_UNLIKELY(!hn::AllTrue(d, IsUsual(d, base, usual.steps)))) {
    if (!hn::AllTrue(d, IsUsual(d, magnitude, usual.steps))) {
      power = AnyPower<kTwoParts>(d, magnitude, exponent.high, exponent.low);
    }
    power = FinishPower(d, base, parity, power);
  }
  return SquareWhereSo(d, base, exponent.high, power);
}

// Without FMA it is a function of its own, which saves code.
template <class D, class V = hn::Vec<D>>
HWY_NOINLINE V CalledPowerOf(D d, V base, V exponent, V exponent_low,
                             V parity) {
  return PowerOf<true>(d, base, Wide<V>{exponent, exponent_low}, parity);
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

// Of integers. 0, which is no usual base, is not rare.
struct PowOfIntegersOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent) {
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V one = hn::Set(d, T{1});
    const auto is_zero = hn::Eq(base, zero);
    const V power =
        PowOp::Apply(d, hn::IfThenElse(is_zero, one, base), exponent);
    // 0 for NaN, as which it leaves the integers.
    V of_zero = hn::IfThenElseZero(hn::Lt(exponent, zero), hn::Inf(d));
    of_zero = hn::IfThenElse(hn::Eq(exponent, zero), one, of_zero);
    return hn::IfThenElse(is_zero, of_zero, power);
  }
};

// Of f64; exponents are the bits of i64.
struct PowByI64Op {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent_bits) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, exponent_bits);
    // The bits of 2^52 with the low half in their lowest bits are 2^52 plus
    // that half; those of 2^84 are likewise 2^84 plus 2^32 times the high half,
    // the sign of which is flipped, which adds 2^63.
    const auto low_bits = hn::And(bits, hn::Set(du, 0xFFFFFFFF));
    const auto high_bits =
        hn::Xor(hn::ShiftRight<32>(bits), hn::Set(du, 0x4530000080000000));
    const V low = hn::Sub(
        hn::BitCast(d, hn::Or(low_bits, hn::Set(du, 0x4330000000000000))),
        hn::Set(d, 0x1p52));
    const V high =
        hn::Sub(hn::BitCast(d, high_bits), hn::Set(d, 0x1p84 + 0x1p63));
    const Wide<V> exponent = WideSum(high, low);
    // exponent.high is always even if the exponent has more than 53 bits.
    const auto odd = hn::RebindMask(d, hn::TestBit(bits, hn::Set(du, 1)));
    const V parity = hn::IfThenElse(odd, hn::Set(d, 1.0), exponent.high);
    if constexpr (HWY_NATIVE_FMA) {
      return PowerOf<true>(d, base, exponent, parity);
    } else {
      return CalledPowerOf(d, base, exponent.high, exponent.low, parity);
    }
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_POWER_INL_H_
