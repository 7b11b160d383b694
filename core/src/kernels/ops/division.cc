// Div and Mod. Nothing traps: x / 0 and x mod 0 are 0, MIN / -1 is MIN, and
// MIN mod -1 is 0.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/division.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/ops-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// --- Integers of 8 bits, bit by bit -----------------------------------------
// Long division takes fewer instructions than to make floats of bytes and bytes
// of floats.

constexpr bool kHasMasks = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;

template <class V, class M>
HWY_INLINE V AddWhere(M where, V a, V b) {
  return kHasMasks ? hn::MaskedAddOr(a, where, a, b)
                   : hn::Add(a, hn::IfThenElseZero(where, b));
}

template <class V>
struct Divided {
  V quotient;  // any for x / 0
  V remainder;
};

// To WebAssembly a copy in each loop is not worth the code.
#if HWY_ARCH_WASM
#define BROADLOOM_DIVIDE_INLINE HWY_NOINLINE
#else
#define BROADLOOM_DIVIDE_INLINE HWY_INLINE
#endif

template <class D, class V = hn::Vec<D>>
BROADLOOM_DIVIDE_INLINE Divided<V> DivideBytes(D d, V a, V b) {
  const V one = hn::Set(d, 1);
  V multiples[8];
  multiples[0] = b;
  for (size_t bit = 1; bit < 8; ++bit) {
    multiples[bit] = hn::SaturatedAdd(multiples[bit - 1], multiples[bit - 1]);
  }
  // Multiples are even but for those that are too large and stand as 255, which
  // no dividend reaches before its last bit is there.
  V rest = hn::AndNot(one, a);
  V quotient = hn::Zero(d);
  for (size_t bit = 8; bit-- > 0;) {
    if (bit == 0) rest = hn::Or(rest, hn::And(a, one));
    const auto fits = hn::Ge(rest, multiples[bit]);
    const V place = hn::Set(d, static_cast<uint8_t>(1u << bit));
    quotient = AddWhere(fits, quotient, place);
    // What does not fit wraps around.
    const V less = hn::Sub(rest, multiples[bit]);
    rest = kHasMasks ? hn::IfThenElse(fits, less, rest) : hn::Min(rest, less);
  }
  return {quotient, hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), rest)};
}

#undef BROADLOOM_DIVIDE_INLINE

// Bytes of either sign by their magnitudes; -128 is its own one.
template <class D, class V = hn::Vec<D>>
HWY_INLINE auto DivideMagnitudes(D, V a, V b) {
  const hn::RebindToUnsigned<D> du;
  if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
    a = hn::Abs(a);
    b = hn::Abs(b);
  }
  return DivideBytes(du, hn::BitCast(du, a), hn::BitCast(du, b));
}

// `v`, negated where `sign` is negative.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V WithSign(D d, V sign, V v) {
  if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
    // Nothing is said of a sign of 0.
    return hn::IfNegativeThenNegOrUndefIfZero(hn::Or(sign, hn::Set(d, 1)), v);
  } else {
    return v;
  }
}

struct ByteQuotientOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V quotient = hn::BitCast(d, DivideMagnitudes(d, a, b).quotient);
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)),
                              WithSign(d, hn::Xor(a, b), quotient));
  }
};

// With the dividend's sign.
struct ByteRemainderOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return WithSign(d, a, hn::BitCast(d, DivideMagnitudes(d, a, b).remainder));
  }
};

// With the divisor's sign.
struct ByteModuloOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V zero = hn::Zero(d);
    const V remainder = ByteRemainderOp::Apply(d, a, b);
    const auto differ = hn::AndNot(hn::Eq(remainder, zero),
                                   hn::Lt(hn::Xor(remainder, b), zero));
    return AddWhere(differ, remainder, b);
  }
};

// --- Integers of 16 and 32 bits, in floats ----------------------------------
// f32 divides integers of 16 bits, and f64 those of 32, so that the quotient
// truncates right: one that is no integer is further from the next one than it
// is off.

// Integers in memory, floats in vectors.
template <class T>
struct AsFloat {
  using Element = T;
  using Float = hwy::If<sizeof(T) == 2, float, double>;
  using Tag = FullTag<Float>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* p) {
    const auto v = LoadFrom(hn::Rebind<T, D>(), p);
    if constexpr (sizeof(T) == 4) {
      return hn::PromoteTo(d, v);
    } else {
      return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), v));
    }
  }

  // Of numbers of one bit more than T that bit is dropped, so that -MIN is MIN;
  // NaN is 0. Those of f32 are truncated, those of f64 are integers.
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, T* p) {
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<hwy::MakeUnsigned<T>, D> d_narrow;
    StoreTo(hn::TruncateTo(d_narrow, hn::BitCast(du, Bits(d, v))), d_narrow,
            reinterpret_cast<hwy::MakeUnsigned<T>*>(p));
  }

 private:
  // Integers in the low bits; those of NaN are 0.
  template <class D>
  static HWY_INLINE auto Bits(D d, hn::Vec<D> v) {
    if constexpr (sizeof(T) == 4) {
      // Added to this, an integer stands in the low bits of the mantissa.
      return hn::Add(v, hn::Set(d, 0x1.8p52));
    } else {
      return hn::ConvertInRangeTo(hn::RebindToSigned<D>(), v);
    }
  }
};

// Whether a quotient by way of a reciprocal is faster than a division. From 12
// bits of it one step makes the 17 that an f32 has to have, from 14 bits one of
// third order the 33 that an f64 has to have.
template <class T>
constexpr bool kHasReciprocal =
    HWY_ARCH_X86 && (sizeof(T) == 4 || HWY_TARGET <= HWY_AVX3);

// (a + 1/2) / b of integers, or with the sign of `sign` (a - 1/2) / b: as far
// from an integer as it can be, so that no error takes it beyond one. NaN for
// b = 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Ratio(D d, V a, V b, V sign) {
  using T = hn::TFromD<D>;
  if constexpr (kHasReciprocal<T>) {
    const V half = hn::CopySign(hn::Set(d, T{0.5}), sign);
    const V reciprocal = hn::ApproximateReciprocal(b);
    V error = hn::NegMulAdd(b, reciprocal, hn::Set(d, T{1}));
    if constexpr (sizeof(T) == 8) error = hn::MulAdd(error, error, error);
    const V ratio = hn::Mul(hn::Add(a, half), reciprocal);
    return hn::MulAdd(ratio, error, ratio);
  } else {
    // Here a / b is far enough: an exact one is not off.
    (void)sign;
    const V nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
    return hn::IfThenElse(hn::Eq(b, hn::Zero(d)), nan, hn::Div(a, b));
  }
}

struct QuotientOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V ratio = Ratio(d, a, b, a);
    return sizeof(hn::TFromD<D>) == 4 ? ratio : hn::Trunc(ratio);
  }
};

// With the dividend's sign.
struct RemainderOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::NegMulAdd(hn::Trunc(Ratio(d, a, b, a)), b, a);
  }
};

// With the divisor's sign.
struct ModuloOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::NegMulAdd(hn::Floor(Ratio(d, a, b, b)), b, a);
  }
};

// --- Integers of 64 bits, one by one ----------------------------------------

struct Quotient64 {
  template <class T>
  static T Apply(T a, T b) {
    using Bits = hwy::MakeUnsigned<T>;
    if (b == 0) return 0;
    if (hwy::IsSigned<T>() && b == static_cast<T>(-1)) {
      return static_cast<T>(Bits{0} - static_cast<Bits>(a));
    }
    return a / b;
  }
};

struct Remainder64 {
  template <class T>
  static T Apply(T a, T b) {
    if (b == 0 || (hwy::IsSigned<T>() && b == static_cast<T>(-1))) return 0;
    return a % b;
  }
};

struct Modulo64 {
  template <class T>
  static T Apply(T a, T b) {
    const T remainder = Remainder64::Apply(a, b);
    return remainder != 0 && (remainder ^ b) < 0 ? remainder + b : remainder;
  }
};

// --- fmod of floats, one by one ---------------------------------------------

struct FmodOp {
  template <class T>
  static T Apply(T a, T b) {
    return std::fmod(a, b);
  }
};

// Exact in f32: what is left has no bits that its operands have not.
template <DType kHalf>
constexpr ThroughKernel kHalfFmod = {
    {&RunThrough},
    {&kToF32[NumberIndex(kHalf)], &kToF32[NumberIndex(kHalf)]},
    &kElementLoop<FmodOp, float>,
    &kFromF32[NumberIndex(kHalf)]};

// --- Lookup -----------------------------------------------------------------

template <class OfBytes, class OfFloats, class Of64>
const Kernel* IntegerKernel(DType dtype) {
  switch (dtype) {
    case DType::kI8:
      return WhereBuilt<DType::kI8>(&kBinary<OfBytes, Same<int8_t>>);
    case DType::kI16:
      return WhereBuilt<DType::kI16>(&kBinary<OfFloats, AsFloat<int16_t>>);
    case DType::kI32:
      return WhereBuilt<DType::kI32>(&kBinary<OfFloats, AsFloat<int32_t>>);
    case DType::kI64:
      return WhereBuilt<DType::kI64>(&kElements<Of64, int64_t>);
    default:
      return nullptr;
  }
}

template <class OfBytes, class OfFloats, class Of64>
const Kernel* UnsignedKernel(DType dtype) {
  switch (dtype) {
    case DType::kU8:
      return WhereBuilt<DType::kU8>(&kBinary<OfBytes, Same<uint8_t>>);
    case DType::kU16:
      return WhereBuilt<DType::kU16>(&kBinary<OfFloats, AsFloat<uint16_t>>);
    case DType::kU32:
      return WhereBuilt<DType::kU32>(&kBinary<OfFloats, AsFloat<uint32_t>>);
    case DType::kU64:
      return WhereBuilt<DType::kU64>(&kElements<Of64, uint64_t>);
    default:
      return nullptr;
  }
}

const Kernel* DivKernel(DType dtype) {
  if (const Kernel* k = FloatKernel<DivOp>(dtype)) return k;
  if (const Kernel* k =
          UnsignedKernel<ByteQuotientOp, QuotientOp, Quotient64>(dtype)) {
    return k;
  }
  return IntegerKernel<ByteQuotientOp, QuotientOp, Quotient64>(dtype);
}

const Kernel* ModKernel(DType dtype, bool fmod) {
  // Without signs both are the same.
  if (const Kernel* k =
          UnsignedKernel<ByteRemainderOp, RemainderOp, Remainder64>(dtype)) {
    return k;
  }
  if (!fmod) return IntegerKernel<ByteModuloOp, ModuloOp, Modulo64>(dtype);
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kHalfFmod<DType::kF16>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kHalfFmod<DType::kBF16>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(&kElements<FmodOp, float>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(&kElements<FmodOp, double>);
    default:
      return IntegerKernel<ByteRemainderOp, RemainderOp, Remainder64>(dtype);
  }
}

const Kernel* LookupDivision(Op op, DType dtype, bool fmod) {
  switch (op) {
    case Op::kDiv:
      return WhereBuilt<Op::kDiv>(DivKernel(dtype));
    case Op::kMod:
      return WhereBuilt<Op::kMod>(ModKernel(dtype, fmod));
    default:
      return nullptr;
  }
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace {
HWY_EXPORT(LookupDivision);
}  // namespace

const Kernel* FindDivision(Op op, DType dtype, bool fmod) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupDivision)(op, dtype, fmod);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
