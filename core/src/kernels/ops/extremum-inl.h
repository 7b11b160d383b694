// Max and Min of two operands. Cast uses them, too.

#if defined(BROADLOOM_KERNELS_OPS_EXTREMUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_EXTREMUM_INL_H_
#undef BROADLOOM_KERNELS_OPS_EXTREMUM_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_EXTREMUM_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool kMax>
struct ExtremumOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    (void)d;
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
#if HWY_ARCH_WASM
      // Its instructions do what is required, but Highway's Max does not.
      if constexpr (sizeof(hn::TFromD<D>) == 4) {
        return V{kMax ? wasm_f32x4_max(a.raw, b.raw)
                      : wasm_f32x4_min(a.raw, b.raw)};
      } else {
        return V{kMax ? wasm_f64x2_max(a.raw, b.raw)
                      : wasm_f64x2_min(a.raw, b.raw)};
      }
#else
      // Equal numbers can differ only in the sign of 0: +0 is the greater one.
      const V equal = kMax ? hn::And(a, b) : hn::Or(a, b);
      const V other = hn::IfThenElse(kMax ? hn::Gt(a, b) : hn::Lt(a, b), a, b);
      const V number = hn::IfThenElse(hn::Eq(a, b), equal, other);
      return hn::IfThenElse(hn::IsNaN(a), a, number);
#endif
    } else {
      return kMax ? hn::Max(a, b) : hn::Min(a, b);
    }
  }
};
template <bool kMax>
inline constexpr size_t kInterchangeable<ExtremumOp<kMax>> = SIZE_MAX;
template <bool kMax, class T>
inline constexpr bool kIsShort<ExtremumOp<kMax>, T> =
    kHasMostOperations<T> || hwy::IsSigned<T>();

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_EXTREMUM_INL_H_
