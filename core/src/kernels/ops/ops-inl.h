// The operators: each a function of vectors, for any type of lanes unless it
// says otherwise. Their names end in "Op", as those of Highway's functions that
// they are made of do not.

#if defined(BROADLOOM_KERNELS_OPS_OPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_OPS_INL_H_
#undef BROADLOOM_KERNELS_OPS_OPS_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_OPS_INL_H_
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

// --- Arithmetic -------------------------------------------------------------

struct AddOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Add(a, b);
  }
};

struct SubOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Sub(a, b);
  }
};

struct MulOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    // Bytes are multiplied in place, as words: the lower ones, and the higher
    // ones where their product belongs. Highway widens all of them first, which
    // takes twice as long.
    constexpr bool kHasNoBytes = HWY_ARCH_X86 || HWY_ARCH_WASM;
    if constexpr (kHasNoBytes && sizeof(hn::TFromD<D>) == 1) {
      const hn::RepartitionToWide<hn::RebindToUnsigned<D>> words;
      const auto wide_a = hn::BitCast(words, a);
      const auto wide_b = hn::BitCast(words, b);
      const auto low = hn::Set(words, 0xFF);
      const auto lower = hn::And(hn::Mul(wide_a, wide_b), low);
      const auto higher =
          hn::Mul(hn::ShiftRight<8>(wide_a), hn::AndNot(low, wide_b));
      return hn::BitCast(d, hn::Or(lower, higher));
    } else {
      return hn::Mul(a, b);
    }
  }
};

struct SquaredDifferenceOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V difference = hn::Sub(a, b);
    return MulOp::Apply(d, difference, difference);
  }
};

// Floats only.
struct DivOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Div(a, b);
  }
};

// --- Bits -------------------------------------------------------------------

struct BitwiseAndOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::And(a, b);
  }
};

struct BitwiseOrOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Or(a, b);
  }
};

struct BitwiseXorOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Xor(a, b);
  }
};

// Highway leaves shifts of the width or more to the target.
template <bool kLeft>
struct ShiftOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    using T = hn::TFromD<D>;
    constexpr T kLast = sizeof(T) * 8 - 1;
    const V within = hn::And(b, hn::Set(d, kLast));
    const V shifted = kLeft ? hn::Shl(a, within) : hn::Shr(a, within);
    return hn::IfThenElseZero(hn::Eq(within, b), shifted);
  }
};

// --- Truth values: bytes, of which any but 0 is true ------------------------

template <class D, class V = hn::Vec<D>>
HWY_INLINE V TruthOf(D d, V a) {
  return hn::Min(a, hn::Set(d, 1));
}

struct AndOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return TruthOf(d, hn::Min(a, b));
  }
};

struct OrOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return TruthOf(d, hn::Or(a, b));
  }
};

struct XorOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::Xor(TruthOf(d, a), TruthOf(d, b));
  }
};

struct SameTruthOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::Xor(XorOp::Apply(d, a, b), hn::Set(d, 1));
  }
};

// --- Comparisons ------------------------------------------------------------

struct EqualOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Eq(a, b);
  }
};

// Not Highway's Ne, which is false for NaN on AVX2 and AVX3.
struct NotEqualOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Not(hn::Eq(a, b));
  }
};

struct LessOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Lt(a, b);
  }
};

struct LessOrEqualOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Le(a, b);
  }
};

// --- f16 and bf16 by their bits, as i16 -------------------------------------
// Comparing and choosing needs no conversion: without their signs the bits are
// ordered as the magnitudes are, NaNs above infinity.

template <class D, class V = hn::Vec<D>>
HWY_INLINE V MagnitudeBits(D d, V bits) {
  return hn::And(bits, hn::Set(d, 0x7FFF));
}

// Lane by lane -1 where the sign is set, else 0.
template <class V>
HWY_INLINE V SignOf(V bits) {
  return hn::ShiftRight<15>(bits);
}

template <int16_t kInfinity, class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> AreNumbers(D d, V a, V b) {
  const V greater = hn::Max(MagnitudeBits(d, a), MagnitudeBits(d, b));
  return hn::Lt(greater, hn::Set(d, kInfinity + 1));
}

// `Compare` of numbers; NaN is neither equal to, less nor more than anything.
template <class Compare, int16_t kInfinity>
struct CompareBitsOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D d, V a, V b) {
    return hn::And(Compare::Apply(d, Key(d, a), Key(d, b)),
                   AreNumbers<kInfinity>(d, a, b));
  }

 private:
  // The magnitude with its sign, in two's complement: -0 is 0.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Key(D d, V bits) {
    const V sign = SignOf(bits);
    return hn::Sub(hn::Xor(MagnitudeBits(d, bits), sign), sign);
  }
};

template <int16_t kInfinity>
struct NotEqualBitsOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D d, V a, V b) {
    return hn::Not(CompareBitsOp<EqualOp, kInfinity>::Apply(d, a, b));
  }
};

template <bool kMax, int16_t kInfinity>
struct ExtremumBitsOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V a_key = Key(d, a);
    const V b_key = Key(d, b);
    // The key is its own inverse.
    const V number =
        Key(d, kMax ? hn::Max(a_key, b_key) : hn::Min(a_key, b_key));
    // A NaN has all bits of infinity, and keeps them beside others.
    return hn::IfThenElse(AreNumbers<kInfinity>(d, a, b), number,
                          hn::Set(d, 0x7FFF));
  }

 private:
  // In the order of the numbers, -0 below +0.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Key(D d, V bits) {
    return hn::Xor(bits, MagnitudeBits(d, SignOf(bits)));
  }
};

// --- Max and Min ------------------------------------------------------------

template <bool kMax>
struct ExtremumOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    (void)d;
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      // Equal numbers differ at most in zero's sign: +0 is the greater one.
      const V equal = kMax ? hn::And(a, b) : hn::Or(a, b);
      const V other = hn::IfThenElse(kMax ? hn::Gt(a, b) : hn::Lt(a, b), a, b);
      const V number = hn::IfThenElse(hn::Eq(a, b), equal, other);
      return hn::IfThenElse(hn::IsNaN(a), a, number);
    } else {
      return kMax ? hn::Max(a, b) : hn::Min(a, b);
    }
  }
};

// --- PRelu ------------------------------------------------------------------

struct PReluOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V x, V slope) {
    (void)d;
    (void)slope;
    if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
      return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, slope), x);
    } else {
      return x;
    }
  }
};

// --- Short operators (loop-inl.h)
// ---------------------------------------------

template <class T>
inline constexpr bool kIsShort<AddOp, T> = true;
template <class T>
inline constexpr bool kIsShort<SubOp, T> = true;
template <class T>
inline constexpr bool kIsShort<BitwiseAndOp, T> = true;
template <class T>
inline constexpr bool kIsShort<BitwiseOrOp, T> = true;
template <class T>
inline constexpr bool kIsShort<BitwiseXorOp, T> = true;
template <class T>
inline constexpr bool kIsShort<EqualOp, T> = true;
template <class T>
inline constexpr bool kIsShort<NotEqualOp, T> = true;

// Vectors of 64-bit integers have few operators.
template <class T>
inline constexpr bool kHasAll = sizeof(T) < 8 || hwy::IsFloat<T>();
template <class T>
inline constexpr bool kIsShort<MulOp, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<SquaredDifferenceOp, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<DivOp, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<LessOp, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<LessOrEqualOp, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<ExtremumOp<false>, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<ExtremumOp<true>, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<PReluOp, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<AndOp, T> = kHasAll<T>;
template <class T>
inline constexpr bool kIsShort<OrOp, T> = kHasAll<T>;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_OPS_INL_H_
