// Division and remainders of integers, and divisions by 0, which give 0. Of 8
// and 16 bits in f32, of 32 bits in f64, of 64 bits one by one.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/division.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/dense-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

enum class Part { kQuotient, kRemainder, kFloorRemainder };

// Whether a / b is a product with an approximate inverse of b. It is exact
// enough that the product is off by less than the distance of a fraction to the
// next integer, and slightly too large, so that whole quotients are reached.
// The correctly rounded quotient of such short integers never rounds to an
// integer.
template <class T>
inline constexpr bool kInverts = HWY_ARCH_X86 && (sizeof(T) <= 2 || BENCH_AVX3);

template <class T, class D, class V>
HWY_INLINE V Inverse([[maybe_unused]] D d, V b) {
#if HWY_ARCH_X86
  if constexpr (sizeof(T) == 1) {
    return hn::Mul(hn::ApproximateReciprocal(b), hn::Set(d, 1.0f + 0x1p-10f));
  } else if constexpr (sizeof(T) == 2) {
    const V inverse = hn::ApproximateReciprocal(b);
    return hn::Mul(inverse,
                   hn::NegMulAdd(b, inverse, hn::Set(d, 2.0f + 0x1p-21f)));
  }
#endif
#if BENCH_AVX3
  if constexpr (sizeof(T) == 4) {
    const V inverse = hn::ApproximateReciprocal(b);
    const V error = hn::NegMulAdd(b, inverse, hn::Set(d, 1.0 + 0x1p-40));
    const V correction = hn::MulAdd(error, error, error);
    return hn::MulAdd(inverse, correction, inverse);
  }
#endif
  return b;
}

template <class T, Part kPart, class D, class V>
HWY_INLINE V Compute(D d, V a, V b) {
  using F = hn::TFromD<D>;
  constexpr bool kFloors = kPart == Part::kFloorRemainder && hwy::IsSigned<T>();
  if constexpr (kFloors && kInverts<T>) {
    // Half a unit towards the divisor's sign keeps whole quotients whole.
    const V half = hn::CopySign(hn::Set(d, F{0.5}), b);
    const V quotient = hn::Mul(hn::Add(a, half), Inverse<T>(d, b));
    return hn::NegMulAdd(hn::Floor(quotient), b, a);
  } else {
    const V quotient =
        kInverts<T> ? hn::Mul(a, Inverse<T>(d, b)) : hn::Div(a, b);
    if constexpr (kPart == Part::kQuotient) return quotient;
    const V whole = kFloors ? hn::Floor(quotient) : hn::Trunc(quotient);
    return hn::NegMulAdd(whole, b, a);
  }
}

// As many elements from `i` on as a vector has lanes of 32 bits; any value
// where b is 0.
template <class T, Part kPart>
HWY_INLINE hn::Vec<Full<int32_t>> SmallPart(const uint8_t* const* in,
                                            size_t i) {
  const Full<float> d;
  const Full<int32_t> di;
  const hn::Rebind<T, decltype(d)> dt;
  const auto a = hn::PromoteTo(di, hn::LoadU(dt, As<T>(in[0]) + i));
  const auto b = hn::PromoteTo(di, hn::LoadU(dt, As<T>(in[1]) + i));
  return hn::ConvertInRangeTo(
      di, Compute<T, kPart>(d, hn::ConvertTo(d, a), hn::ConvertTo(d, b)));
}

#if HWY_ARCH_X86 && !BENCH_AVX3

// Vectors are packed within their halves; words of 32 bits are then put in
// order.
template <size_t kBytes>
HWY_INLINE hn::Vec<Full<uint32_t>> Unmixed(hn::Vec<Full<uint32_t>> v) {
  const Full<uint32_t> d;
  if constexpr (HWY_MAX_BYTES == 32) {
    constexpr int32_t kOrder[2][8] = {{0, 4, 1, 5, 2, 6, 3, 7},
                                      {0, 1, 4, 5, 2, 3, 6, 7}};
    return hn::TableLookupLanes(v, hn::SetTableIndices(d, kOrder[kBytes - 1]));
  } else {
    return v;
  }
}

template <class T, Part kPart>
void SmallLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<int32_t> di;
  const Full<uint16_t> d16;
  const Full<uint8_t> d8;
  const Full<uint32_t> du;
  const Full<T> dt;
  const size_t n = hn::Lanes(di);
  const auto low = hn::Set(di, sizeof(T) == 1 ? 0xFF : 0xFFFF);
  const auto pair = [&](size_t i) HWY_ATTR {
    return hn::ReorderDemote2To(d16, hn::And(SmallPart<T, kPart>(in, i), low),
                                hn::And(SmallPart<T, kPart>(in, i + n), low));
  };
  for (size_t i = 0; i < count; i += 4 / sizeof(T) * n) {
    hn::Vec<Full<uint32_t>> packed;
    if constexpr (sizeof(T) == 1) {
      const hn::RebindToSigned<decltype(d16)> d16i;
      packed = hn::BitCast(
          du, hn::ReorderDemote2To(d8, hn::BitCast(d16i, pair(i)),
                                   hn::BitCast(d16i, pair(i + 2 * n))));
    } else {
      packed = hn::BitCast(du, pair(i));
    }
    const auto by_zero = hn::Eq(hn::Load(dt, As<T>(in[1]) + i), hn::Zero(dt));
    hn::Store(hn::IfThenZeroElse(by_zero,
                                 hn::BitCast(dt, Unmixed<sizeof(T)>(packed))),
              dt, As<T>(out) + i);
  }
}

#else

template <class T, Part kPart>
void SmallLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  using Unsigned = hwy::MakeUnsigned<T>;
  const Full<uint32_t> d;
  const hn::Rebind<Unsigned, decltype(d)> dt;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    const auto part =
        hn::TruncateTo(dt, hn::BitCast(d, SmallPart<T, kPart>(in, i)));
    const auto b = hn::LoadU(dt, As<Unsigned>(in[1]) + i);
    hn::StoreU(hn::IfThenZeroElse(hn::Eq(b, hn::Zero(dt)), part), dt,
               As<Unsigned>(out) + i);
  };
  for (size_t i = 0; i < count; i += 2 * n) {
    at(i);
    at(i + n);
  }
}

#endif

// The low 32 bits of a whole number: those of 1.5 * 2^52 plus it.
template <class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<uint32_t, D>> LowBits(D d, V whole) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, hn::Add(whole, hn::Set(d, 0x1.8p52)));
  return hn::TruncateTo(hn::Rebind<uint32_t, D>(), bits);
}

template <class D, class T>
HWY_INLINE hn::Vec<D> LoadF64(D d, const T* from) {
  const auto v = hn::LoadU(hn::Rebind<T, D>(), from);
#if HWY_ARCH_X86 && !BENCH_AVX3
  // There is no conversion of unsigned integers: the bits of 2^52 with a
  // smaller integer in their lowest bits are 2^52 plus it.
  if constexpr (!hwy::IsSigned<T>()) {
    const hn::RebindToUnsigned<D> du;
    const auto bits =
        hn::Or(hn::PromoteTo(du, v), hn::Set(du, 0x4330000000000000u));
    return hn::Sub(hn::BitCast(d, bits), hn::Set(d, 0x1p52));
  }
#endif
  return hn::PromoteTo(d, v);
}

// As integers; where b is 0, any value.
template <class T, Part kPart, class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<T, D>> ToInteger(D d, V part) {
  const hn::Rebind<T, D> dt;
#if HWY_ARCH_X86
  if constexpr (BENCH_AVX3 || hwy::IsSigned<T>()) {
    return hn::DemoteInRangeTo(dt, part);
  }
#endif
  return hn::BitCast(
      dt, LowBits(d, kPart == Part::kQuotient ? hn::Trunc(part) : part));
}

template <class T, Part kPart>
void MiddleLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<double> d;
  const hn::Rebind<T, decltype(d)> dt;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    const auto part = Compute<T, kPart>(d, LoadF64(d, As<T>(in[0]) + i),
                                        LoadF64(d, As<T>(in[1]) + i));
    const auto by_zero = hn::Eq(hn::LoadU(dt, As<T>(in[1]) + i), hn::Zero(dt));
    hn::StoreU(hn::IfThenZeroElse(by_zero, ToInteger<T, kPart>(d, part)), dt,
               As<T>(out) + i);
  };
  for (size_t i = 0; i < count; i += 2 * n) {
    at(i);
    at(i + n);
  }
}

template <class T, Part kPart>
void LargeLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  using Unsigned = hwy::MakeUnsigned<T>;
  for (size_t i = 0; i < count; ++i) {
    const T a = As<T>(in[0])[i];
    const T b = As<T>(in[1])[i];
    T result = 0;
    if constexpr (hwy::IsSigned<T>()) {
      // The least number cannot be divided by -1.
      if (b == -1) {
        if constexpr (kPart == Part::kQuotient) {
          result = static_cast<T>(Unsigned{0} - static_cast<Unsigned>(a));
        }
        As<T>(out)[i] = result;
        continue;
      }
    }
    if (b != 0) {
      if constexpr (kPart == Part::kQuotient) {
        result = a / b;
      } else {
        result = a % b;
        if constexpr (kPart == Part::kFloorRemainder && hwy::IsSigned<T>()) {
          result += (result ^ b) < 0 && result != 0 ? b : 0;
        }
      }
    }
    As<T>(out)[i] = result;
  }
}

template <class T, Part kPart>
Loop OfPart() {
  if constexpr (sizeof(T) <= 2) {
    return &SmallLoop<T, kPart>;
  } else if constexpr (sizeof(T) == 4) {
    return &MiddleLoop<T, kPart>;
  } else {
    return &LargeLoop<T, kPart>;
  }
}

template <class T>
Loop OfType(const Computation& of) {
  if (of.op == Op::kDiv) return OfPart<T, Part::kQuotient>();
  if (of.op != Op::kMod) return nullptr;
  return of.fmod ? OfPart<T, Part::kRemainder>()
                 : OfPart<T, Part::kFloorRemainder>();
}

Loop Lookup(const Computation& of) {
  switch (of.types[0]) {
    case DType::kI8:
      return OfType<int8_t>(of);
    case DType::kI16:
      return OfType<int16_t>(of);
    case DType::kI32:
      return OfType<int32_t>(of);
    case DType::kI64:
      return OfType<int64_t>(of);
    case DType::kU8:
      return OfType<uint8_t>(of);
    case DType::kU16:
      return OfType<uint16_t>(of);
    case DType::kU32:
      return OfType<uint32_t>(of);
    case DType::kU64:
      return OfType<uint64_t>(of);
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
Loop FindDivisionLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
