// Comparisons for equality and order. Cast uses NotEqual, too.

#if defined(BROADLOOM_KERNELS_OPS_COMPARISON_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_COMPARISON_INL_H_
#undef BROADLOOM_KERNELS_OPS_COMPARISON_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_COMPARISON_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/ops/half_bits-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct EqualOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Eq(a, b);
  }
};
template <>
inline constexpr size_t kInterchangeable<EqualOp> = 2;
template <class T>
inline constexpr bool kIsShort<EqualOp, T> = true;

// Highway's Ne is false for NaN on AVX2 and AVX3.
struct NotEqualOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Not(hn::Eq(a, b));
  }
};
template <>
inline constexpr size_t kInterchangeable<NotEqualOp> = 2;
template <class T>
inline constexpr bool kIsShort<NotEqualOp, T> = true;

// `Compare` of f16 or bf16, by their bits. False if an operand is NaN.
template <class Compare, int16_t kInfinity>
struct CompareBitsOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D d, V a, V b) {
    return hn::And(Compare::Apply(d, Key(d, a), Key(d, b)),
                   AreNumbers<kInfinity>(d, a, b));
  }

 private:
  // The magnitude with its sign in two's complement: -0 becomes 0.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Key(D d, V bits) {
    return hn::IfNegativeThenNegOrUndefIfZero(bits, MagnitudeBits(d, bits));
  }
};

template <class Compare, int16_t kInfinity>
inline constexpr size_t kInterchangeable<CompareBitsOp<Compare, kInfinity>> =
    kInterchangeable<Compare>;

template <int16_t kInfinity>
struct NotEqualBitsOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D d, V a, V b) {
    return hn::Not(CompareBitsOp<EqualOp, kInfinity>::Apply(d, a, b));
  }
};
template <int16_t kInfinity>
inline constexpr size_t kInterchangeable<NotEqualBitsOp<kInfinity>> = 2;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_COMPARISON_INL_H_
