// Operators on vectors of f32 and f64, also for f16 and bf16, which are
// computed in f32.

#if defined(BROADLOOM_TESTS_BENCH_LOOPS_FLOAT_OPERATORS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_TESTS_BENCH_LOOPS_FLOAT_OPERATORS_INL_H_
#undef BROADLOOM_TESTS_BENCH_LOOPS_FLOAT_OPERATORS_INL_H_
#else
#define BROADLOOM_TESTS_BENCH_LOOPS_FLOAT_OPERATORS_INL_H_
#endif

#include "hwy/highway.h"
#include "loops/dense-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct FloatProduct {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Mul(a, b);
  }
};
struct FloatQuotient {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Div(a, b);
  }
};
struct FloatSquareOfDifference {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    const V difference = hn::Sub(a, b);
    return hn::Mul(difference, difference);
  }
};

// The sum of kCount numbers, divided by kCount; by a power of 2, which is exact
// but for the rounding of subnormal numbers, as a product.
template <int kCount>
struct DividedBy {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V v) {
    using T = hn::TFromD<D>;
    if constexpr ((kCount & (kCount - 1)) == 0) {
      return hn::Mul(v, hn::Set(d, T{1} / kCount));
    } else {
      return hn::Div(v, hn::Set(d, T{kCount}));
    }
  }
};

// The first NaN, else the greater (least) number; +0 is greater than -0. In
// wasm a single instruction does it, except that it may return the other NaN.
template <bool kMax>
struct FloatExtremum {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
#if HWY_TARGET == HWY_WASM || HWY_TARGET == HWY_WASM_EMU256
    (void)d;
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      return V{kMax ? wasm_f32x4_max(a.raw, b.raw)
                    : wasm_f32x4_min(a.raw, b.raw)};
    } else {
      return V{kMax ? wasm_f64x2_max(a.raw, b.raw)
                    : wasm_f64x2_min(a.raw, b.raw)};
    }
#else
    // Both orders differ only for zeros of either sign, and for NaN.
    const V one = kMax ? hn::Max(a, b) : hn::Min(a, b);
    const V other = kMax ? hn::Max(b, a) : hn::Min(b, a);
    const V number = kMax ? hn::And(one, other) : hn::Or(one, other);
    (void)d;
    return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), hn::Add(a, b),
                          number);
#endif
  }
};

struct FloatRelu {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V x, V slope) {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, slope), x);
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_FLOAT_OPERATORS_INL_H_
