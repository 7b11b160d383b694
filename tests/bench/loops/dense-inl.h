// Loops over dense operands of one type, in vectors of the SIMD target.

#if defined(BROADLOOM_TESTS_BENCH_LOOPS_DENSE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_TESTS_BENCH_LOOPS_DENSE_INL_H_
#undef BROADLOOM_TESTS_BENCH_LOOPS_DENSE_INL_H_
#else
#define BROADLOOM_TESTS_BENCH_LOOPS_DENSE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "loops/loop.h"

// Whether the target has AVX-512, and conversions of f16.
#undef BENCH_AVX3
#undef BENCH_F16C
#define BENCH_AVX3 (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#define BENCH_F16C (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Full = hn::ScalableTag<T>;

template <class T>
HWY_INLINE const T* As(const uint8_t* bytes) {
  return reinterpret_cast<const T*>(bytes);
}
template <class T>
HWY_INLINE T* As(uint8_t* bytes) {
  return reinterpret_cast<T*>(bytes);
}

// Combines the elements at `i` of all operands: op(op(a, b), c).
template <class Combine, size_t kOperands, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> CombineAt(D d, const uint8_t* const* in, size_t i) {
  hn::Vec<D> v = hn::Load(d, As<T>(in[0]) + i);
  if constexpr (kOperands == 1) v = Combine::Of(d, v);
  if constexpr (kOperands > 1) {
    v = Combine::Of(d, v, hn::Load(d, As<T>(in[1]) + i));
  }
  if constexpr (kOperands > 2) {
    v = Combine::Of(d, v, hn::Load(d, As<T>(in[2]) + i));
  }
  if constexpr (kOperands > 3) {
    v = Combine::Of(d, v, hn::Load(d, As<T>(in[3]) + i));
  }
  return v;
}

// Operators on numbers of every type.
struct Sum {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Add(a, b);
  }
};
struct Difference {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Sub(a, b);
  }
};

// Leaves the combined elements as they are.
struct AsCombined {
  template <class D, class V>
  static HWY_INLINE V Of(D, V v) {
    return v;
  }
};

// Four vectors in each step.
template <class T, class Combine, size_t kOperands = 2,
          class Finish = AsCombined>
void DenseLoop(const uint8_t* const* streams, uint8_t* out, size_t count) {
  const Full<T> d;
  const size_t n = hn::Lanes(d);
  const uint8_t* in[kOperands];
  for (size_t k = 0; k < kOperands; ++k) in[k] = streams[k];
  for (size_t i = 0; i < count; i += 4 * n) {
    T* const to = As<T>(out) + i;
    const auto v0 = CombineAt<Combine, kOperands>(d, in, i);
    const auto v1 = CombineAt<Combine, kOperands>(d, in, i + n);
    const auto v2 = CombineAt<Combine, kOperands>(d, in, i + 2 * n);
    const auto v3 = CombineAt<Combine, kOperands>(d, in, i + 3 * n);
    hn::Store(Finish::Of(d, v0), d, to);
    hn::Store(Finish::Of(d, v1), d, to + n);
    hn::Store(Finish::Of(d, v2), d, to + 2 * n);
    hn::Store(Finish::Of(d, v3), d, to + 3 * n);
  }
}

// The loop for the number of operands.
template <class T, class Combine>
Loop DenseLoopOf(size_t operands) {
  switch (operands) {
    case 2:
      return &DenseLoop<T, Combine, 2>;
    case 3:
      return &DenseLoop<T, Combine, 3>;
    case 4:
      return &DenseLoop<T, Combine, 4>;
    default:
      return nullptr;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_DENSE_INL_H_
