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

// a / b before its whole part is taken. The inverse of b is either exact
// enough that the product is off by less than the distance of a fraction to the
// next integer, and slightly larger than 1 / b so that whole quotients are
// reached, or the division rounds only once, which never reaches an integer.
template <class T, class D, class V>
HWY_INLINE V Quotient(D d, V a, V b) {
#if HWY_ARCH_X86
  if constexpr (sizeof(T) == 1) {
    const V inverse = hn::ApproximateReciprocal(b);
    return hn::Mul(a, hn::Mul(inverse, hn::Set(d, 1.0f + 0x1p-10f)));
  } else if constexpr (sizeof(T) == 2) {
    const V inverse = hn::ApproximateReciprocal(b);
    const V error = hn::NegMulAdd(b, inverse, hn::Set(d, 2.0f + 0x1p-21f));
    return hn::Mul(a, hn::Mul(inverse, error));
  }
#endif
#if BENCH_AVX3
  if constexpr (sizeof(T) == 4) {
    const V inverse = hn::ApproximateReciprocal(b);
    const V error = hn::NegMulAdd(b, inverse, hn::Set(d, 1.0 + 0x1p-40));
    const V correction = hn::MulAdd(error, error, error);
    return hn::Mul(a, hn::MulAdd(inverse, correction, inverse));
  }
#endif
  (void)d;
  return hn::Div(a, b);
}

template <class T, Part kPart, class D, class V>
HWY_INLINE V Compute(D d, V a, V b) {
  const V quotient = Quotient<T>(d, a, b);
  if constexpr (kPart == Part::kQuotient) return quotient;
  const V remainder = hn::NegMulAdd(hn::Trunc(quotient), b, a);
  if constexpr (kPart == Part::kRemainder || !hwy::IsSigned<T>()) {
    return remainder;
  }
  // Not 0, and not of the divisor's sign.
  const auto wrong = hn::Lt(hn::Mul(remainder, b), hn::Zero(d));
  return hn::MaskedAddOr(remainder, wrong, remainder, b);
}

template <class T, Part kPart>
void SmallLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<float> d;
  const hn::RebindToSigned<Full<float>> di;
  const hn::Rebind<T, decltype(d)> dt;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    const auto a = hn::PromoteTo(di, hn::LoadU(dt, As<T>(in[0]) + i));
    const auto b = hn::PromoteTo(di, hn::LoadU(dt, As<T>(in[1]) + i));
    const auto part =
        Compute<T, kPart>(d, hn::ConvertTo(d, a), hn::ConvertTo(d, b));
    const auto whole = hn::IfThenElseZero(hn::Ne(b, hn::Zero(di)),
                                          hn::ConvertInRangeTo(di, part));
    const hn::Rebind<hwy::MakeUnsigned<T>, decltype(d)> du;
    hn::StoreU(hn::BitCast(
                   dt, hn::TruncateTo(
                           du, hn::BitCast(hn::RebindToUnsigned<decltype(di)>(),
                                           whole))),
               dt, As<T>(out) + i);
  };
  for (size_t i = 0; i < count; i += 2 * n) {
    at(i);
    at(i + n);
  }
}

// The low 32 bits of a number's whole part: those of 1.5 * 2^52 plus it.
template <class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<uint32_t, D>> LowBits(D d, V part) {
  const V shifted = hn::Add(hn::Trunc(part), hn::Set(d, 0x1.8p52));
  const hn::RebindToUnsigned<D> du;
  return hn::TruncateTo(hn::Rebind<uint32_t, D>(), hn::BitCast(du, shifted));
}

template <class T, Part kPart>
void MiddleLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<double> d;
  const hn::Rebind<T, decltype(d)> dt;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    const auto a = hn::LoadU(dt, As<T>(in[0]) + i);
    const auto b = hn::LoadU(dt, As<T>(in[1]) + i);
    const auto part =
        Compute<T, kPart>(d, hn::PromoteTo(d, a), hn::PromoteTo(d, b));
#if BENCH_AVX3
    const auto whole = hn::DemoteInRangeTo(dt, part);
#elif HWY_ARCH_X86
    decltype(hn::Zero(dt)) whole;
    if constexpr (hwy::IsSigned<T>()) {
      whole = hn::DemoteInRangeTo(dt, part);
    } else {
      whole = hn::BitCast(dt, LowBits(d, part));
    }
#else
    const auto whole = hn::BitCast(dt, LowBits(d, part));
#endif
    hn::StoreU(hn::IfThenElseZero(hn::Ne(b, hn::Zero(dt)), whole), dt,
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
