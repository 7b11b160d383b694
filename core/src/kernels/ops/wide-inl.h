// Arithmetic on numbers that are held as the sum of two floats, for twice the
// precision; and polynomials.

#if defined(BROADLOOM_KERNELS_OPS_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_WIDE_INL_H_
#undef BROADLOOM_KERNELS_OPS_WIDE_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_WIDE_INL_H_
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

// high + low, where low is at most half an ulp of high.
template <class V>
struct Wide {
  V high;
  V low;
};

// a + b, exactly. |a| >= |b|, or a is 0.
template <class V>
HWY_INLINE Wide<V> WideSum(V a, V b) {
  const V sum = hn::Add(a, b);
  return {sum, hn::Sub(b, hn::Sub(sum, a))};
}

// a * b - product, exactly, where `product` is a * b rounded. Without FMA only
// for f64: each factor is split into its first 26 bits and the rest, by masking
// bits, so that nothing overflows.
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

// a * b, with a relative error of about the square of that of one rounding.
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
  const hn::TFromD<D>* from = coefficients;
#if HWY_ARCH_WASM
  // Engines make a constant vector by three instructions, but repeat an element
  // in memory by one: so compilers must not know which elements these are.
  asm("" : "+r"(from));
#endif
  V sum = hn::Set(d, from[kCount - 1]);
  for (size_t i = kCount - 1; i-- > 0;) {
    sum = hn::MulAdd(sum, x, hn::Set(d, from[i]));
  }
  return sum;
}

// addend + a * b. |addend| >= |a * b|, or addend is 0.
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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_WIDE_INL_H_
