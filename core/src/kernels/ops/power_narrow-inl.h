// Powers of f32 and narrower types, for targets without FMA. There an exact
// product takes 17 operations; f64 has enough bits without it. What needs these
// bits is computed in f64, the rest in f32 with twice as many lanes.

#if defined(BROADLOOM_KERNELS_OPS_POWER_NARROW_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_POWER_NARROW_INL_H_
#undef BROADLOOM_KERNELS_OPS_POWER_NARROW_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_POWER_NARROW_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/ops/log_exp-inl.h"
#include "kernels/ops/power-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// base^exponent in vectors of f64, for f32 and narrower types.
struct NarrowPowOp {
  // No base is subnormal: f64 has f32's subnormals as normal numbers. Results
  // beyond the range of f32 need only be beyond it, too.
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
    const MantissaExponent<V> parts = Split(d, x);
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

// base^exponent in vectors of f32. Its error before the last rounding is below
// 2^-27: the leading terms of both series are added in f64, and the other ones,
// which are small beside them, in f32.
struct MixedPowOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent) {
    return Called(d, base, exponent);
  }

 private:
  // NarrowPowOp::kLog2 and kExp2 from the second coefficient on, in f32.
  static constexpr double kLog2 = 0x1.ec709dc4c2cdbp-1;
  static constexpr float kLog2Rest[4] = {0x1.2776c2p-1f, 0x1.a619f6p-2f,
                                         0x1.479ce0p-2f, 0x1.21537ep-2f};
  static constexpr double kExp2 = 0x1.62e42fef88fe8p-1;
  static constexpr float kExp2Rest[7] = {
      0x1.ebfbe0p-3f,  0x1.c6b08ep-5f,  0x1.3b2ab6p-7f, 0x1.5d874cp-10f,
      0x1.430a98p-13f, 0x1.00d8f4p-16f, 0x1.61d6aap-20f};

  // A vector of f32 as two of f64.
  template <class V>
  struct Halves {
    V lower;
    V upper;
  };

  template <class D, class From, class V = hn::Vec<D>>
  static HWY_INLINE Halves<V> Promoted(D d, From v) {
    return {hn::PromoteLowerTo(d, v), hn::PromoteUpperTo(d, v)};
  }

  template <class D, class V>
  static HWY_INLINE hn::Vec<D> Demoted(D d, Halves<V> v) {
    const hn::Half<D> d_half;
    return hn::Combine(d, hn::DemoteTo(d_half, v.upper),
                       hn::DemoteTo(d_half, v.lower));
  }

  // f of each half of each argument.
  template <class F, class V, class... Vs>
  static HWY_INLINE Halves<V> Each(F f, Halves<V> first, Vs... others) {
    return {f(first.lower, others.lower...), f(first.upper, others.upper...)};
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE V Called(D d, V base, V exponent) {
    const V magnitude = hn::Abs(base);
    const hn::Repartition<double, D> d_wide;
    const Halves<hn::Vec<decltype(d_wide)>> x =
        TimesLog2(d, d_wide, magnitude, exponent);
    const V log = Demoted(d, x);
    V power = Exp2(d, d_wide, x);
    if (HWY_UNLIKELY(!hn::AllTrue(d, IsUsual(d, base, log)))) {
      const auto usual = IsUsual(d, magnitude, log);
      if (!hn::AllTrue(d, usual)) {
        power =
            hn::IfThenElse(usual, power, InF64(d, d_wide, magnitude, exponent));
      }
      power = FinishPower(d, base, exponent, power);
    }
    return power;
  }

  template <class D, class DWide, class V = hn::Vec<D>>
  static HWY_NOINLINE V InF64(D d, DWide d_wide, V base, V exponent) {
    const auto apply = [&](auto b, auto e) HWY_ATTR {
      return NarrowPowOp::Apply(d_wide, b, e);
    };
    return Demoted(
        d, Each(apply, Promoted(d_wide, base), Promoted(d_wide, exponent)));
  }

  // exponent * log2(x) of a normal number x > 0.
  template <class D, class DWide, class V = hn::Vec<D>,
            class W = hn::Vec<DWide>>
  static HWY_INLINE Halves<W> TimesLog2(D d, DWide d_wide, V x, V exponent) {
    const MantissaExponent<V> parts = Split(d, x);
    const W one = Splat(d_wide, kOne);
    const Halves<W> t = Each(
        [&](W m) HWY_ATTR { return hn::Div(hn::Sub(m, one), hn::Add(m, one)); },
        Promoted(d_wide, parts.m));
    const Halves<W> s = Each([](W v) HWY_ATTR { return hn::Mul(v, v); }, t);
    const Halves<W> rest =
        Promoted(d_wide, Polynomial(d, Demoted(d, s), kLog2Rest));
    const W first = Splat(d_wide, PowerFormat<double>::kTwoOverLn2[0]);
    const W second = Splat(d_wide, kLog2);
    return Each(
        [&](W ts, W ss, W rests, W whole, W by) HWY_ATTR {
          const W series = hn::MulAdd(hn::MulAdd(rests, ss, second), ss, first);
          return hn::Mul(hn::MulAdd(ts, series, whole), by);
        },
        t, s, rest, Promoted(d_wide, parts.exponent),
        Promoted(d_wide, exponent));
  }

  template <class D, class DWide, class W = hn::Vec<DWide>>
  static HWY_INLINE hn::Vec<D> Exp2(D d, DWide d_wide, Halves<W> x) {
    const hn::RebindToUnsigned<D> du;
    const W rounder = Splat(d_wide, PowerFormat<double>::kRounder);
    const Halves<W> shifted =
        Each([&](W v) HWY_ATTR { return hn::Add(v, rounder); }, x);
    const Halves<W> f =
        Each([&](W v, W s) HWY_ATTR { return hn::Sub(v, hn::Sub(s, rounder)); },
             x, shifted);
    const Halves<W> rest =
        Promoted(d_wide, Polynomial(d, Demoted(d, f), kExp2Rest));
    const W one = Splat(d_wide, kOne);
    const W first = Splat(d_wide, kExp2);
    const hn::Vec<D> power = Demoted(
        d, Each(
               [&](W fs, W rests) HWY_ATTR {
                 return hn::MulAdd(hn::MulAdd(rests, fs, first), fs, one);
               },
               f, rest));
    // The low half of each element of `shifted` is x rounded to an integer.
    const auto steps = hn::ConcatEven(du, hn::BitCast(du, shifted.upper),
                                      hn::BitCast(du, shifted.lower));
    return hn::BitCast(
        d, hn::Add(hn::BitCast(du, power), hn::ShiftLeft<23>(steps)));
  }

  static constexpr double kOne = 1;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_POWER_NARROW_INL_H_
