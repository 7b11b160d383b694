// Masks of wide elements as bytes that are 0 or 1.

#if defined(BROADLOOM_TESTS_BENCH_LOOPS_TRUTH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_TESTS_BENCH_LOOPS_TRUTH_INL_H_
#undef BROADLOOM_TESTS_BENCH_LOOPS_TRUTH_INL_H_
#else
#define BROADLOOM_TESTS_BENCH_LOOPS_TRUTH_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "loops/dense-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <size_t kBytes>
using SignedOfSize = hwy::MakeSigned<hwy::UnsignedFromSize<kBytes>>;

// The masks of two vectors as one of elements of half as many bytes.
template <size_t kBytes, class M>
HWY_INLINE auto HalfAsWide(M low, M high) {
  const Full<SignedOfSize<kBytes>> d;
  const Full<SignedOfSize<kBytes / 2>> dn;
#if HWY_ARCH_X86 && !BENCH_AVX3
  if constexpr (kBytes == 8) {
    // Highway would saturate.
    return hn::MaskFromVec(
        hn::ConcatEven(dn, hn::BitCast(dn, hn::VecFromMask(d, high)),
                       hn::BitCast(dn, hn::VecFromMask(d, low))));
  }
#endif
  return hn::OrderedDemote2MasksTo(dn, d, low, high);
}

// test(v): the mask of vector number v of kBytes-byte elements. Returns the
// mask of as many bytes as a vector has.
template <size_t kBytes, size_t kWidth, class Test>
HWY_INLINE auto MaskOfVectors(size_t first, Test test) {
  if constexpr (kBytes == kWidth) {
    return hn::RebindMask(Full<SignedOfSize<kBytes>>(), test(first));
  } else {
    const auto low = MaskOfVectors<2 * kBytes, kWidth>(first, test);
    const auto high =
        MaskOfVectors<2 * kBytes, kWidth>(first + kWidth / (2 * kBytes), test);
    return HalfAsWide<2 * kBytes>(low, high);
  }
}

// Tests elements of kWidth bytes; test(i) returns the mask of a vector that
// begins at element i.
template <size_t kWidth, class Test>
HWY_INLINE void StoreTruth(size_t count, uint8_t* out, Test test) {
  const Full<uint8_t> d8;
  const size_t n8 = hn::Lanes(d8);
  const size_t n = n8 / kWidth;
  const auto one = hn::Set(d8, uint8_t{1});
  for (size_t i = 0; i < count; i += n8) {
    const auto mask = MaskOfVectors<1, kWidth>(
        0, [&](size_t vector) HWY_ATTR { return test(i + vector * n); });
    hn::Store(hn::IfThenElseZero(hn::RebindMask(d8, mask), one), d8, out + i);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_TRUTH_INL_H_
