// f16 and bf16 as i16, without conversion: comparing and choosing them needs no
// other type. Without their signs the bits are ordered as the magnitudes are,
// with NaNs above infinity.

#if defined(BROADLOOM_KERNELS_OPS_HALF_BITS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_HALF_BITS_INL_H_
#undef BROADLOOM_KERNELS_OPS_HALF_BITS_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_HALF_BITS_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V MagnitudeBits(D d, V bits) {
  return hn::And(bits, hn::Set(d, 0x7FFF));
}

// In each lane -1 where the sign is set, else 0.
template <class V>
HWY_INLINE V SignOf(V bits) {
  return hn::ShiftRight<15>(bits);
}

// Where neither operand is NaN. kInfinity is the bits of infinity.
template <int16_t kInfinity, class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> AreNumbers(D d, V a, V b) {
  const V greater = hn::Max(MagnitudeBits(d, a), MagnitudeBits(d, b));
  return hn::Lt(greater, hn::Set(d, kInfinity + 1));
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_HALF_BITS_INL_H_
