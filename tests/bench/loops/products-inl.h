// Products of integers of any width, which wrap.

#if defined(BROADLOOM_TESTS_BENCH_LOOPS_PRODUCTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_TESTS_BENCH_LOOPS_PRODUCTS_INL_H_
#undef BROADLOOM_TESTS_BENCH_LOOPS_PRODUCTS_INL_H_
#else
#define BROADLOOM_TESTS_BENCH_LOOPS_PRODUCTS_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "loops/dense-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// There is no product of bytes: those at even and odd places are multiplied in
// 16 bits.
template <class D, class V>
HWY_INLINE V MultiplyBytes(D d, V a, V b) {
  const hn::Repartition<uint16_t, D> d16;
  const auto low = hn::Set(d16, 0x00FF);
  const auto x = hn::BitCast(d16, a);
  const auto y = hn::BitCast(d16, b);
  const auto even = hn::Mul(x, y);
  const auto odd = hn::Mul(hn::ShiftRight<8>(x), hn::AndNot(low, y));
  return hn::BitCast(d, hn::OrAnd(odd, even, low));
}

// The low 64 bits of products, from products of 32 bits.
template <class D, class V>
HWY_INLINE V MultiplyWords(D d, V a, V b) {
#if BENCH_AVX3
  (void)d;
  return hn::Mul(a, b);
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  const hn::Repartition<uint32_t, D> d32;
  const auto x = hn::BitCast(d32, a);
  const auto y = hn::BitCast(d32, b);
  const auto crossed = hn::BitCast(d, hn::Mul(x, hn::Shuffle2301(y)));
  const auto sum = hn::Add(crossed, hn::ShiftRight<32>(crossed));
  return hn::Add(hn::BitCast(d, hn::MulEven(x, y)), hn::ShiftLeft<32>(sum));
#elif HWY_ARCH_X86
  const hn::Repartition<uint32_t, D> d32;
  const auto x = hn::BitCast(d32, a);
  const auto y = hn::BitCast(d32, b);
  const auto high_x = hn::BitCast(d32, hn::ShiftRight<32>(a));
  const auto high_y = hn::BitCast(d32, hn::ShiftRight<32>(b));
  const auto crossed = hn::Add(hn::MulEven(high_x, y), hn::MulEven(x, high_y));
  return hn::Add(hn::BitCast(d, hn::MulEven(x, y)),
                 hn::ShiftLeft<32>(hn::BitCast(d, crossed)));
#elif HWY_ARCH_WASM
  (void)d;
  return V{wasm_i64x2_mul(a.raw, b.raw)};
#else
  (void)d;
  return hn::Mul(a, b);
#endif
}

struct Product {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    if constexpr (sizeof(hn::TFromD<D>) == 1) {
      return MultiplyBytes(d, a, b);
    } else if constexpr (sizeof(hn::TFromD<D>) == 8) {
      return MultiplyWords(d, a, b);
    } else {
      return hn::Mul(a, b);
    }
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_PRODUCTS_INL_H_
