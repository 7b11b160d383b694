// Operators of arithmetic that sums use, too.

#if defined(BROADLOOM_KERNELS_OPS_ARITHMETIC_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_ARITHMETIC_INL_H_
#undef BROADLOOM_KERNELS_OPS_ARITHMETIC_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_ARITHMETIC_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct AddOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Add(a, b);
  }
};
template <class T>
inline constexpr bool kIsShort<AddOp, T> = true;

// Of floats.
struct DivOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Div(a, b);
  }
};
template <class T>
inline constexpr bool kIsShort<DivOp, T> = kHasMostOperations<T>;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_ARITHMETIC_INL_H_
