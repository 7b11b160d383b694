// Powers of f32 in vectors of f64, for targets without FMA. There an exact
// product takes 17 operations; f64 has enough bits without it, and takes less
// than half of the operations for half as many lanes.

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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_POWER_NARROW_INL_H_
