// Operators on truth values that logic and comparisons share. A truth value is
// a byte; any byte but 0 is true.

#if defined(BROADLOOM_KERNELS_OPS_TRUTH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_TRUTH_INL_H_
#undef BROADLOOM_KERNELS_OPS_TRUTH_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_TRUTH_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 0 or 1.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V TruthOf(D d, V a) {
  return hn::Min(a, hn::Set(d, 1));
}

struct XorOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::Xor(TruthOf(d, a), TruthOf(d, b));
  }
};
template <>
inline constexpr size_t kInterchangeable<XorOp> = 2;
template <class T>
inline constexpr bool kIsShort<XorOp, T> = kHasMostOperations<T>;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_TRUTH_INL_H_
