// Arithmetic on numbers that are held as the sum of two floats, for twice the
// precision; and polynomials.

#if defined(BROADLOOM_KERNELS_OPS_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_WIDE_INL_H_
#undef BROADLOOM_KERNELS_OPS_WIDE_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_WIDE_INL_H_
#endif

#include <bit>
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

// Each element is `constant`, which is in memory. Engines of WebAssembly make a
// constant vector by three instructions, but repeat an element in memory by
// one: so there compilers must not know which element it is.
template <class D>
HWY_INLINE hn::Vec<D> Splat(D d, const hn::TFromD<D>& constant) {
  const hn::TFromD<D>* from = &constant;
#if HWY_ARCH_WASM
  asm("" : "+r"(from));
#endif
  return hn::Set(d, *from);
}

// from[0] + from[1] * x + ..., for powers[i] = x^(2^i). The two halves do not
// wait for each other.
template <size_t kCount, class D, class V = hn::Vec<D>>
HWY_INLINE V PolynomialByHalves(D d, const V* powers,
                                const hn::TFromD<D>* from) {
  if constexpr (kCount == 1) {
    return Splat(d, *from);
  } else {
    constexpr size_t kLog = std::bit_width(kCount - 1) - 1;
    constexpr size_t kHalf = size_t{1} << kLog;
    return hn::MulAdd(
        PolynomialByHalves<kCount - kHalf>(d, powers, from + kHalf),
        powers[kLog], PolynomialByHalves<kHalf>(d, powers, from));
  }
}

// coefficients[0] + coefficients[1] * x + ... Where each step is a product and
// a sum, one after the other, it is computed by halves: a processor cannot look
// ahead far enough to compute the powers of two vectors at once.
template <class D, size_t kCount, class V = hn::Vec<D>>
HWY_INLINE V Polynomial(D d, V x, const hn::TFromD<D> (&coefficients)[kCount]) {
  if constexpr (HWY_NATIVE_FMA) {
    V sum = hn::Set(d, coefficients[kCount - 1]);
    for (size_t i = kCount - 1; i-- > 0;) {
      sum = hn::MulAdd(sum, x, hn::Set(d, coefficients[i]));
    }
    return sum;
  } else {
    static_assert(kCount <= 16);
    const V square = hn::Mul(x, x);
    const V fourth = hn::Mul(square, square);
    const V powers[] = {x, square, fourth, hn::Mul(fourth, fourth)};
    return PolynomialByHalves<kCount>(d, powers, coefficients);
  }
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
