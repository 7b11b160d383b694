// Elements of any type as vectors, and numbers of one type as those of another.

#if defined(BROADLOOM_TESTS_BENCH_LOOPS_CONVERSIONS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_TESTS_BENCH_LOOPS_CONVERSIONS_INL_H_
#undef BROADLOOM_TESTS_BENCH_LOOPS_CONVERSIONS_INL_H_
#else
#define BROADLOOM_TESTS_BENCH_LOOPS_CONVERSIONS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "broadloom/vocabulary.h"
#include "hwy/highway.h"
#include "loops/dense-inl.h"
#include "loops/halves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Bool {};

// --- Elements in memory as vectors ------------------------------------------

// How many lanes a vector has: as many as of the widest type on the way.
template <class D, class T>
using Of = hn::Rebind<T, D>;

template <class From>
struct Reader {
  using Value = From;
  static constexpr size_t kBytes = sizeof(From);
  template <class D>
  static HWY_INLINE auto Read(D, const uint8_t* in, size_t i) {
    return hn::LoadU(Of<D, From>(), As<From>(in) + i);
  }
};
template <>
struct Reader<Bool> {
  using Value = uint8_t;
  static constexpr size_t kBytes = 1;
  template <class D>
  static HWY_INLINE auto Read(D, const uint8_t* in, size_t i) {
    const Of<D, uint8_t> d;
    return hn::Min(hn::LoadU(d, in + i), hn::Set(d, 1));
  }
};
template <class Half>
struct HalfReader {
  using Value = float;
  static constexpr size_t kBytes = 2;
  template <class D>
  static HWY_INLINE auto Read(D, const uint8_t* in, size_t i) {
    return LoadHalf<Half>(Of<D, float>(), As<uint16_t>(in) + i);
  }
};
template <>
struct Reader<F16> : HalfReader<F16> {};
template <>
struct Reader<BF16> : HalfReader<BF16> {};

// --- Integers to integers ---------------------------------------------------

template <class To, class From, class D, class V>
HWY_INLINE auto ToInteger(D, V v) {
  const Of<D, To> d;
  if constexpr (sizeof(To) > sizeof(From)) {
    using Extended =
        std::conditional_t<hwy::IsSigned<From>(), hwy::MakeSigned<To>,
                           hwy::MakeUnsigned<To>>;
    return hn::BitCast(d, hn::PromoteTo(Of<D, Extended>(), v));
  } else if constexpr (sizeof(To) < sizeof(From)) {
    const auto bits = hn::BitCast(Of<D, hwy::MakeUnsigned<From>>(), v);
    return hn::BitCast(d, hn::TruncateTo(Of<D, hwy::MakeUnsigned<To>>(), bits));
  } else {
    return hn::BitCast(d, v);
  }
}

// --- To floats --------------------------------------------------------------

// An integer of 64 bits with at most 53 significant ones, that rounds to f32
// and shorter floats as the given one does: the bits that f64 has no room for
// become one bit, which only says whether there is a rest.
template <class T, class D, class V>
HWY_INLINE V WithoutRest(D, V v) {
  const Of<D, T> d;
  const V rest_bits = hn::Set(d, T{0x7FF});
  const V rest = hn::And(v, rest_bits);
  const V whole = hn::AndNot(rest_bits, v);
  const V jammed = hn::Or(whole, hn::IfThenElseZero(hn::Ne(rest, hn::Zero(d)),
                                                    hn::Set(d, T{0x800})));
  const V limit = hn::Set(d, T{1} << 53);
  if constexpr (hwy::IsSigned<T>()) {
    const auto small = hn::And(hn::Lt(v, limit), hn::Gt(v, hn::Neg(limit)));
    return hn::IfThenElse(small, v, jammed);
  } else {
    return hn::IfThenElse(hn::Lt(v, limit), v, jammed);
  }
}

template <class From, class D, class V>
HWY_INLINE auto ToF64(D, V v) {
  const Of<D, double> d;
  if constexpr (hwy::IsSame<From, double>()) {
    return v;
  } else if constexpr (sizeof(From) == 8) {
    return hn::ConvertTo(d, v);
  } else if constexpr (sizeof(From) == 4) {
    return hn::PromoteTo(d, v);
  } else {
    return hn::PromoteTo(d, hn::PromoteTo(Of<D, int32_t>(), v));
  }
}

template <class From, class D, class V>
HWY_INLINE auto ToF32(D dw, V v) {
  const Of<D, float> d;
  if constexpr (hwy::IsSame<From, float>()) {
    return v;
  } else if constexpr (hwy::IsSame<From, double>()) {
    return hn::DemoteTo(d, v);
  } else if constexpr (sizeof(From) == 8) {
#if BENCH_AVX3
    (void)dw;
    return hn::DemoteTo(d, v);
#elif HWY_ARCH_WASM
    (void)dw;
    (void)d;
    const auto low = static_cast<float>(hn::ExtractLane(v, 0));
    const auto high = static_cast<float>(hn::ExtractLane(v, 1));
    return hn::Vec<Of<D, float>>{wasm_f32x4_make(low, high, 0, 0)};
#else
    return hn::DemoteTo(
        d, hn::ConvertTo(Of<D, double>(), WithoutRest<From>(dw, v)));
#endif
  } else if constexpr (sizeof(From) == 4) {
    return hn::ConvertTo(d, v);
  } else {
    return hn::ConvertTo(d, hn::PromoteTo(Of<D, int32_t>(), v));
  }
}

// f64 as f32, rounded so that a further rounding gives what one rounding would:
// towards 0, and a rest makes the last bit 1.
template <class D, class V>
HWY_INLINE auto RoundedToOdd(D, V v) {
  const Of<D, float> d;
  const Of<D, uint32_t> du;
  const Of<D, double> dd;
  const auto nearest = hn::DemoteTo(d, v);
  const auto back = hn::PromoteTo(dd, nearest);
  const auto too_large =
      hn::DemoteMaskTo(du, dd, hn::Gt(hn::Abs(back), hn::Abs(v)));
  const auto inexact = hn::DemoteMaskTo(du, dd, hn::Ne(back, v));
  auto bits = hn::BitCast(du, nearest);
  bits = hn::Sub(bits, hn::IfThenElseZero(too_large, hn::Set(du, 1u)));
  return hn::BitCast(
      d, hn::Or(bits, hn::IfThenElseZero(inexact, hn::Set(du, 1u))));
}

// f32 that rounds to a half as the value itself does.
template <class From, class Half, class D, class V>
HWY_INLINE auto BeforeHalf(D dw, V v) {
  if constexpr (hwy::IsSame<From, double>()) {
    return RoundedToOdd(dw, v);
  } else if constexpr (hwy::IsSame<Half, F16>() || sizeof(From) <= 2 ||
                       hwy::IsSame<From, float>()) {
    return ToF32<From>(dw, v);  // what f32 rounds is infinite in f16
  } else if constexpr (sizeof(From) == 8) {
    return RoundedToOdd(dw, ToF64<From>(dw, WithoutRest<From>(dw, v)));
  } else {
    return RoundedToOdd(dw, ToF64<From>(dw, v));
  }
}

// --- Floats to integers -----------------------------------------------------

#if HWY_ARCH_WASM
template <bool kSigned, class From>
HWY_INLINE int64_t SaturatedBits(From x) {
  // A float is exact in f64.
  const double wide = x;
  if constexpr (kSigned) return __builtin_wasm_trunc_saturate_s_i64_f64(wide);
  return static_cast<int64_t>(__builtin_wasm_trunc_saturate_u_i64_f64(wide));
}
#endif

template <class To, class From, class D, class V>
HWY_INLINE auto Saturated(D, V v) {
  const Of<D, From> df;
  const Of<D, To> d;
#if HWY_ARCH_WASM
  // One by one, as WebAssembly has no vectors of these.
  if constexpr (sizeof(To) == 8) {
    constexpr bool kSigned = hwy::IsSigned<To>();
    return hn::Vec<Of<D, To>>{
        wasm_i64x2_make(SaturatedBits<kSigned>(hn::ExtractLane(v, 0)),
                        SaturatedBits<kSigned>(hn::ExtractLane(v, 1)))};
  }
#endif
  const V x = hn::IfThenElseZero(hn::Eq(v, v), v);
  (void)df;
  if constexpr (sizeof(To) == sizeof(From)) {
    return hn::ConvertTo(d, x);
  } else if constexpr (sizeof(To) > sizeof(From)) {
    return hn::PromoteTo(d, x);
  } else if constexpr (sizeof(From) == 8 && sizeof(To) == 4) {
    return hn::DemoteTo(d, x);
  } else if constexpr (sizeof(From) == 8) {
    return hn::DemoteTo(d, hn::DemoteTo(Of<D, int32_t>(), x));
  } else {
    return hn::DemoteTo(d, hn::ConvertTo(Of<D, int32_t>(), x));
  }
}

// --- Results ----------------------------------------------------------------

template <class To>
struct Writer {
  static constexpr size_t kBytes = sizeof(To);
  template <class From, class D, class V>
  static HWY_INLINE void Write(D dw, V v, uint8_t* out, size_t i) {
    const Of<D, To> d;
    if constexpr (hwy::IsSame<To, double>()) {
      hn::StoreU(ToF64<From>(dw, v), d, As<To>(out) + i);
    } else if constexpr (hwy::IsSame<To, float>()) {
      hn::StoreU(ToF32<From>(dw, v), d, As<To>(out) + i);
    } else if constexpr (hwy::IsFloat<From>()) {
      hn::StoreU(Saturated<To, From>(dw, v), d, As<To>(out) + i);
    } else {
      hn::StoreU(ToInteger<To, From>(dw, v), d, As<To>(out) + i);
    }
  }
};
template <class Half>
struct HalfWriter {
  static constexpr size_t kBytes = 2;
  template <class From, class D, class V>
  static HWY_INLINE void Write(D dw, V v, uint8_t* out, size_t i) {
    StoreHalf<Half>(Of<D, float>(), BeforeHalf<From, Half>(dw, v),
                    As<uint16_t>(out) + i);
  }
};
template <>
struct Writer<F16> : HalfWriter<F16> {};
template <>
struct Writer<BF16> : HalfWriter<BF16> {};

// Calls visit<T>() for the type of a number.
template <class Visit>
Loop ForType(broadloom::DType dtype, Visit visit) {
  using broadloom::DType;
  switch (dtype) {
    case DType::kI8:
      return visit.template operator()<int8_t>();
    case DType::kI16:
      return visit.template operator()<int16_t>();
    case DType::kI32:
      return visit.template operator()<int32_t>();
    case DType::kI64:
      return visit.template operator()<int64_t>();
    case DType::kU8:
      return visit.template operator()<uint8_t>();
    case DType::kU16:
      return visit.template operator()<uint16_t>();
    case DType::kU32:
      return visit.template operator()<uint32_t>();
    case DType::kU64:
      return visit.template operator()<uint64_t>();
    case DType::kF16:
      return visit.template operator()<F16>();
    case DType::kBF16:
      return visit.template operator()<BF16>();
    case DType::kF32:
      return visit.template operator()<float>();
    case DType::kF64:
      return visit.template operator()<double>();
    default:
      return nullptr;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_CONVERSIONS_INL_H_
