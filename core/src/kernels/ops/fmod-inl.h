// Exact remainders of floats, with the sign of the dividend (fmod).

#if defined(BROADLOOM_KERNELS_OPS_FMOD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_FMOD_INL_H_
#undef BROADLOOM_KERNELS_OPS_FMOD_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_FMOD_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Element by element.
struct FmodOfElementsOp {
  template <class T>
  static T Apply(T a, T b) {
    return std::fmod(a, b);
  }
};

// a - q b with the whole quotient q, which is exact if q b is: where products
// are fused with differences, or of f32 in f64. Other vectors, of quotients
// with many bits, infinite divisors and NaNs, are computed element by element.
struct FmodOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    using T = hn::TFromD<D>;
    static_assert(HWY_NATIVE_FMA || sizeof(T) == 8);
    // Below, the rounded quotient is the whole quotient, or one more: then the
    // remainder is negative.
    constexpr T kMost = sizeof(T) == 4   ? T{0x1p22}
                        : HWY_NATIVE_FMA ? static_cast<T>(0x1p51)
                                         : static_cast<T>(0x1p28);
    const V dividend = hn::Abs(a);
    const V divisor = hn::Abs(b);
    const V quotient = hn::Trunc(hn::Div(dividend, divisor));
    const auto few = hn::And(hn::Lt(quotient, hn::Set(d, kMost)),
                             hn::Lt(divisor, hn::Inf(d)));
    if (HWY_UNLIKELY(!hn::AllTrue(d, few))) return OfElements(d, a, b);
    const V rest = hn::NegMulAdd(quotient, divisor, dividend);
    const auto below = hn::Lt(rest, hn::Zero(d));
    return hn::CopySign(hn::MaskedAddOr(rest, below, rest, divisor), a);
  }

 private:
  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE V OfElements(D d, V a, V b) {
    using T = hn::TFromD<D>;
    alignas(kVectorBytes) T dividends[kVectorBytes / sizeof(T)];
    alignas(kVectorBytes) T divisors[kVectorBytes / sizeof(T)];
    hn::Store(a, d, dividends);
    hn::Store(b, d, divisors);
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      dividends[i] = FmodOfElementsOp::Apply(dividends[i], divisors[i]);
    }
    return hn::Load(d, dividends);
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_FMOD_INL_H_
