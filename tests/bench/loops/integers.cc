// Integers: sums, products, extrema, bits, shifts. Results wrap, so that most
// loops do not depend on the sign.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/integers.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/dense-inl.h"
#include "loops/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

struct SquareOfDifference {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    const V difference = hn::Sub(a, b);
    return Product::Of(d, difference, difference);
  }
};

// x times slope where x is negative.
struct ParametricRelu {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V x, V slope) {
    return hn::IfNegativeThenElse(x, Product::Of(d, x, slope), x);
  }
};
// No unsigned integer is negative: what remains is a copy.
struct UnsignedRelu {
  template <class D, class V>
  static HWY_INLINE V Of(D, V x) {
    return x;
  }
};

struct Greatest {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Max(a, b);
  }
};
struct Least {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Min(a, b);
  }
};
struct BitsInBoth {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::And(a, b);
  }
};
struct BitsInEither {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Or(a, b);
  }
};
struct BitsInOne {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Xor(a, b);
  }
};

// --- Shifts: by at least the width they give 0 ------------------------------

// x86 has shifts of 32 and 64 bits since AVX2, and of 16 since AVX-512, which
// give 0 themselves.
template <bool kLeft, class D, class V>
HWY_INLINE V ShiftDirectly(D d, V x, V by) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  (void)d;
  return kLeft ? hn::Shl(x, by) : hn::Shr(x, by);
#else
  const V width = hn::Set(d, hn::TFromD<D>{sizeof(hn::TFromD<D>) * 8});
  const V least = hn::Min(by, hn::Sub(width, hn::Set(d, 1)));
  return hn::IfThenElseZero(hn::Lt(by, width),
                            kLeft ? hn::Shl(x, least) : hn::Shr(x, least));
#endif
}

// Lanes of half as many bits as the target shifts: those at even and odd places
// in turn.
template <bool kLeft, class D, class V>
HWY_INLINE V ShiftHalves(D d, V x, V by) {
  using T = hn::TFromD<D>;
  using Wide = hwy::MakeWide<T>;
  constexpr int kBits = sizeof(T) * 8;
  const hn::Repartition<Wide, D> dw;
  const auto low = hn::Set(dw, Wide{hwy::LimitsMax<T>()});
  const auto both = hn::BitCast(dw, x);
  const auto by_both = hn::BitCast(dw, by);
  const auto by_even = hn::And(by_both, low);
  const auto by_odd = hn::ShiftRight<kBits>(by_both);
  if constexpr (kLeft) {
    const auto even = ShiftDirectly<true>(dw, both, by_even);
    const auto odd = ShiftDirectly<true>(dw, hn::AndNot(low, both), by_odd);
    return hn::BitCast(d, hn::OrAnd(odd, even, low));
  } else {
    const auto even = ShiftDirectly<false>(dw, hn::And(both, low), by_even);
    const auto odd = ShiftDirectly<false>(dw, both, by_odd);
    return hn::BitCast(d, hn::Or(hn::AndNot(low, odd), even));
  }
}

template <bool kLeft>
struct Shift {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V x, V by) {
    [[maybe_unused]] constexpr size_t kBytes = sizeof(hn::TFromD<D>);
#if BENCH_AVX3
    if constexpr (kBytes == 1) return ShiftHalves<kLeft>(d, x, by);
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    if constexpr (kBytes == 2) return ShiftHalves<kLeft>(d, x, by);
    if constexpr (kBytes == 1) {
      // Quarters: twice the halves.
      const hn::Repartition<uint16_t, D> d16;
      const auto low = hn::Set(d16, 0x00FF);
      const auto both = hn::BitCast(d16, x);
      const auto by_both = hn::BitCast(d16, by);
      const auto by_even = hn::And(by_both, low);
      const auto by_odd = hn::ShiftRight<8>(by_both);
      const auto even =
          ShiftHalves<kLeft>(d16, kLeft ? both : hn::And(both, low), by_even);
      const auto odd =
          ShiftHalves<kLeft>(d16, kLeft ? hn::AndNot(low, both) : both, by_odd);
      return hn::BitCast(d, kLeft ? hn::OrAnd(odd, even, low)
                                  : hn::Or(hn::AndNot(low, odd), even));
    }
#endif
    return ShiftDirectly<kLeft>(d, x, by);
  }
};

// --- The table --------------------------------------------------------------

template <class T>
Loop OfType(const Computation& of, bool is_signed) {
  using Signed = hwy::MakeSigned<T>;
  switch (of.op) {
    case Op::kAdd:
      return &DenseLoop<T, Sum>;
    case Op::kSub:
      return &DenseLoop<T, Difference>;
    case Op::kMul:
      return &DenseLoop<T, Product>;
    case Op::kSquaredDifference:
      return &DenseLoop<T, SquareOfDifference>;
    case Op::kMax:
      return is_signed ? DenseLoopOf<Signed, Greatest>(of.operands)
                       : DenseLoopOf<T, Greatest>(of.operands);
    case Op::kMin:
      return is_signed ? DenseLoopOf<Signed, Least>(of.operands)
                       : DenseLoopOf<T, Least>(of.operands);
    case Op::kBitwiseAnd:
      return &DenseLoop<T, BitsInBoth>;
    case Op::kBitwiseOr:
      return &DenseLoop<T, BitsInEither>;
    case Op::kBitwiseXor:
      return &DenseLoop<T, BitsInOne>;
    case Op::kBitShift:
      return of.left ? &DenseLoop<T, Shift<true>> : &DenseLoop<T, Shift<false>>;
    case Op::kPRelu:
      if constexpr (sizeof(T) >= 4) {
        return is_signed ? &DenseLoop<Signed, ParametricRelu>
                         : &DenseLoop<T, UnsignedRelu, 1>;
      }
      return nullptr;
    default:
      return nullptr;
  }
}

Loop Lookup(const Computation& of) {
  switch (of.types[0]) {
    case DType::kI8:
      return OfType<uint8_t>(of, true);
    case DType::kI16:
      return OfType<uint16_t>(of, true);
    case DType::kI32:
      return OfType<uint32_t>(of, true);
    case DType::kI64:
      return OfType<uint64_t>(of, true);
    case DType::kU8:
      return OfType<uint8_t>(of, false);
    case DType::kU16:
      return OfType<uint16_t>(of, false);
    case DType::kU32:
      return OfType<uint32_t>(of, false);
    case DType::kU64:
      return OfType<uint64_t>(of, false);
    default:
      return nullptr;
  }
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {
HWY_EXPORT(Lookup);
Loop FindIntegerLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
