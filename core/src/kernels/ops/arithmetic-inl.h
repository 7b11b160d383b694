// Operators of arithmetic that several families use.

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
template <>
inline constexpr size_t kInterchangeable<AddOp> = 2;
template <class T>
inline constexpr bool kIsShort<AddOp, T> = true;

struct MulOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    // x86 and WebAssembly have no multiplication of bytes. Words are multiplied
    // instead: once for their lower bytes, once for their higher ones. Highway
    // widens all bytes to words first, which takes twice as long.
    constexpr bool kLacksBytes = HWY_ARCH_X86 || HWY_ARCH_WASM;
    if constexpr (kLacksBytes && sizeof(hn::TFromD<D>) == 1) {
      const hn::RepartitionToWide<hn::RebindToUnsigned<D>> words;
      const auto wide_a = hn::BitCast(words, a);
      const auto wide_b = hn::BitCast(words, b);
      const auto low = hn::Set(words, 0xFF);
      const auto lower = hn::And(hn::Mul(wide_a, wide_b), low);
      const auto higher =
          hn::Mul(hn::ShiftRight<8>(wide_a), hn::AndNot(low, wide_b));
      return hn::BitCast(d, hn::Or(lower, higher));
    } else {
#if HWY_ARCH_WASM
      // Highway computes each of these products from three of them.
      if constexpr (sizeof(hn::TFromD<D>) == 8 &&
                    hwy::IsInteger<hn::TFromD<D>>()) {
        return V{wasm_i64x2_mul(a.raw, b.raw)};
      }
#endif
      return hn::Mul(a, b);
    }
  }
};
template <>
inline constexpr size_t kInterchangeable<MulOp> = 2;
template <class T>
inline constexpr bool kIsShort<MulOp, T> = kHasMostOperations<T>;

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
