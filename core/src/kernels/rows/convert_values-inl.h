// Values of one element type as those of another, in vectors with one lane for
// each value.

#if defined(BROADLOOM_KERNELS_ROWS_CONVERT_VALUES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CONVERT_VALUES_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CONVERT_VALUES_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CONVERT_VALUES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/rows/float16-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// --- Types ------------------------------------------------------------------

// Lanes of bool: bytes, of which all but 0 are true.
struct Truths {
  using Element = uint8_t;
};

template <class Lanes>
inline constexpr bool kIsHalf =
    hwy::IsSame<Lanes, F16>() || hwy::IsSame<Lanes, BF16>();
template <class Lanes>
inline constexpr bool kIsTruth = hwy::IsSame<Lanes, Truths>();

// The type of a value in a lane: f32 for halves.
template <class Lanes>
using ValueOf =
    std::conditional_t<kIsHalf<Lanes>, float, typename Lanes::Element>;
template <class Lanes>
inline constexpr bool kIsInteger = hwy::IsInteger<ValueOf<Lanes>>();

// The values that an operand of `From` has on the way to `To`: of halves that
// become bool the bits.
template <class From, class To>
using EnteringValue =
    std::conditional_t<kIsHalf<From> && kIsTruth<To>, uint16_t, ValueOf<From>>;

// Integers that bf16 cannot be reached from in f32 without rounding twice.
template <class From, class To>
inline constexpr bool kGoesThroughF64 =
    hwy::IsSame<To, BF16>() && kIsInteger<From> && sizeof(ValueOf<From>) >= 4;

// As many lanes as there are of the widest type on the way: floats meet
// integers in 32 bits or more.
template <class From, class To>
constexpr size_t WidestBytes() {
  if (kIsTruth<To>) return sizeof(EnteringValue<From, To>);
  size_t widest = std::max(sizeof(ValueOf<From>), sizeof(ValueOf<To>));
  if (!kIsInteger<From> || !kIsInteger<To>)
    widest = std::max<size_t>(widest, 4);
  return kGoesThroughF64<From, To> ? 8 : widest;
}
template <class From, class To>
using ConvertTag = FullTag<hwy::UnsignedFromSize<WidestBytes<From, To>()>>;

// Whether a type has integers that the other one lacks, so that it matters
// whether they saturate.
template <class From, class To>
constexpr bool SaturatesCast() {
  if constexpr (kIsTruth<From> || kIsTruth<To> || !kIsInteger<From> ||
                !kIsInteger<To>) {
    return false;
  } else {
    using FromLimits = std::numeric_limits<ValueOf<From>>;
    using ToLimits = std::numeric_limits<ValueOf<To>>;
    return FromLimits::digits > ToLimits::digits ||
           (FromLimits::is_signed && !ToLimits::is_signed);
  }
}
template <class From, class To>
inline constexpr bool kSaturatesCast = SaturatesCast<From, To>();

// Of integers that wrap only the widths matter, and the sign of one that is
// extended: other pairs of types share their loops.
template <class Lanes>
using WithoutSign = Same<hwy::MakeUnsigned<typename Lanes::Element>>;
template <class From, class To>
inline constexpr bool kWraps =
    kIsInteger<From> && kIsInteger<To> && !kIsTruth<From> && !kIsTruth<To>;
template <class Lanes, bool kDrops>
struct SignDropped {
  using Type = Lanes;
};
template <class Lanes>
struct SignDropped<Lanes, true> {
  using Type = WithoutSign<Lanes>;
};
template <class From, class To>
using SharedFrom = typename SignDropped<
    From, (kWraps<From, To> &&
           sizeof(typename To::Element) <= sizeof(typename From::Element)) ||
              (kIsTruth<To> && kIsInteger<From> && !kIsTruth<From>)>::Type;
template <class From, class To>
using SharedTo =
    typename SignDropped<To, kWraps<From, To> ||
                                 (kIsTruth<From> && kIsInteger<To> &&
                                  !kIsTruth<To>)>::Type;

// --- Between integers -------------------------------------------------------

// The low bits, or the integer extended.
template <class To, class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<To, D>> Wrapped([[maybe_unused]] D d, V v) {
  using From = hn::TFromD<D>;
  const hn::Rebind<To, D> to;
  if constexpr (sizeof(To) > sizeof(From)) {
    using Extended =
        std::conditional_t<hwy::IsSigned<From>(), hwy::MakeSigned<To>,
                           hwy::MakeUnsigned<To>>;
    return hn::BitCast(to, hn::PromoteTo(hn::Rebind<Extended, D>(), v));
  } else if constexpr (sizeof(To) < sizeof(From)) {
    const hn::Rebind<hwy::MakeUnsigned<To>, D> low;
    const hn::RebindToUnsigned<D> bits;
    return hn::BitCast(to, hn::TruncateTo(low, hn::BitCast(bits, v)));
  } else {
    return hn::BitCast(to, v);
  }
}

#if HWY_ARCH_WASM
// --- From a float to an integer of 64 bits ----------------------------------

// Truncated and saturated; NaN becomes 0. WebAssembly has no vectors of these
// conversions. Those that Highway makes of other instructions take longer.
template <class To>
HWY_INLINE To TruncatedElement(double v) {
  if constexpr (hwy::IsSigned<To>()) {
    return __builtin_wasm_trunc_saturate_s_i64_f64(v);
  } else {
    return static_cast<To>(__builtin_wasm_trunc_saturate_u_i64_f64(v));
  }
}
template <class To>
HWY_INLINE To TruncatedElement(float v) {
  if constexpr (hwy::IsSigned<To>()) {
    return __builtin_wasm_trunc_saturate_s_i64_f32(v);
  } else {
    return static_cast<To>(__builtin_wasm_trunc_saturate_u_i64_f32(v));
  }
}
#endif

// --- To floats --------------------------------------------------------------

// Integers of 64 bits; those that f64 does not have are changed to one that it
// has, whose last bit in f64 is 1 (round to odd).
template <class D, class V>
HWY_INLINE V OddWhereRounded(D d, V v) {
  using T = hn::TFromD<D>;
  const V below = hn::Set(d, (T{1} << 11) - 1);
  const V rest = hn::And(v, below);
  const V sticky =
      hn::IfThenElseZero(hn::Ne(rest, hn::Zero(d)), hn::Set(d, T{1} << 11));
  const V odd = hn::Or(hn::AndNot(below, v), sticky);
  const V most = hn::Set(d, T{1} << 53);
  auto exact = hn::Le(v, most);
  if constexpr (hwy::IsSigned<T>()) {
    exact = hn::And(exact, hn::Ge(v, hn::Neg(most)));
  }
  return hn::IfThenElse(exact, v, odd);
}

template <class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<double, D>> ToF64([[maybe_unused]] D d, V v) {
  using From = hn::TFromD<D>;
  const hn::Rebind<double, D> to;
  if constexpr (hwy::IsSame<From, double>()) {
    return v;
  } else if constexpr (sizeof(From) == 8) {
    return hn::ConvertTo(to, v);
  } else if constexpr (sizeof(From) == 4) {
    return hn::PromoteTo(to, v);
  } else {
    return hn::PromoteTo(to, Wrapped<int32_t>(d, v));
  }
}

template <class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> ToF32([[maybe_unused]] D d, V v) {
  using From = hn::TFromD<D>;
  const hn::Rebind<float, D> to;
  if constexpr (hwy::IsSame<From, float>()) {
    return v;
  } else if constexpr (hwy::IsSame<From, double>()) {
    return hn::DemoteTo(to, v);
  } else if constexpr (HWY_ARCH_WASM && sizeof(From) == 8) {
    return hn::Dup128VecFromValues(
        to, static_cast<float>(hn::ExtractLane(v, 0)),
        static_cast<float>(hn::ExtractLane(v, 1)), 0, 0);
  } else if constexpr (sizeof(From) == 8) {
    // AVX-512 has an instruction.
    constexpr bool kConverts = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;
    if constexpr (kConverts) {
      return hn::DemoteTo(to, v);
    } else {
      return hn::DemoteTo(to, ToF64(d, OddWhereRounded(d, v)));
    }
  } else if constexpr (sizeof(From) == 4) {
    return hn::ConvertTo(to, v);
  } else {
    return hn::ConvertTo(to, Wrapped<int32_t>(d, v));
  }
}

// As f32, which rounds to a half as the value itself does.
template <class Half, class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> BeforeHalf([[maybe_unused]] D d, V v) {
  using From = hn::TFromD<D>;
  const hn::Rebind<double, D> wide;
  if constexpr (hwy::IsSame<From, double>()) {
    return RoundedToOdd(d, v);
  } else if constexpr (hwy::IsSame<Half, F16>() || sizeof(From) <= 2 ||
                       hwy::IsSame<From, float>()) {
    // f16 is infinite where f32 rounds integers.
    return ToF32(d, v);
  } else if constexpr (sizeof(From) == 8) {
    return RoundedToOdd(wide, ToF64(d, OddWhereRounded(d, v)));
  } else {
    return RoundedToOdd(wide, ToF64(d, v));
  }
}

// --- From floats to integers ------------------------------------------------

// Truncated and saturated; NaN becomes 0.
template <class To, class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<To, D>> Truncated([[maybe_unused]] D d, V v) {
  using From = hn::TFromD<D>;
  const hn::Rebind<To, D> to;
  const hn::Rebind<int32_t, D> middle;
#if HWY_ARCH_WASM
  if constexpr (sizeof(To) == 8) {
    return hn::Dup128VecFromValues(to,
                                   TruncatedElement<To>(hn::ExtractLane(v, 0)),
                                   TruncatedElement<To>(hn::ExtractLane(v, 1)));
  }
  const V number = v;  // NaN becomes 0 anyway
#else
  const V number = hn::IfThenElseZero(hn::Eq(v, v), v);
#endif
  if constexpr (sizeof(To) == sizeof(From)) {
    return hn::ConvertTo(to, number);
  } else if constexpr (sizeof(To) > sizeof(From)) {
    return hn::PromoteTo(to, number);
  } else if constexpr (sizeof(To) == 4) {
    return hn::DemoteTo(to, number);
  } else if constexpr (sizeof(From) == 8) {
    return hn::DemoteTo(to, hn::DemoteTo(middle, number));
  } else {
    return hn::DemoteTo(to, hn::ConvertTo(middle, number));
  }
}

// --- Memory -----------------------------------------------------------------

template <class From, class To, class D>
HWY_INLINE auto LoadValues(D, const typename From::Element* from) {
  const hn::Rebind<EnteringValue<From, To>, D> values;
  if constexpr (kIsTruth<From>) {
    return hn::Min(LoadFrom(values, from), hn::Set(values, uint8_t{1}));
  } else if constexpr (kIsHalf<From> && !kIsTruth<To>) {
    auto v = From::Load(values, from);
#if HWY_ARCH_X86
    // Otherwise compilers join the conversion of f16 with what follows, for
    // which there may be no vector instruction.
    if constexpr (kConvertsF16) asm("" : "+v"(v.raw));
#endif
    return v;
  } else {
    return LoadFrom(values, from);
  }
}

// Which values become false in bool.
template <class From, class D, class V>
HWY_INLINE hn::Mask<D> IsFalse(D d, V v) {
  if constexpr (kIsHalf<From>) v = hn::And(v, hn::Set(d, uint16_t{0x7FFF}));
  return hn::Eq(v, hn::Zero(d));
}

// What StoreValues takes: bytes 0 and 1 for bool, f32 for halves.
template <class From, class To, class D, class V>
HWY_INLINE auto ConvertValues(D, V v) {
  using Value = EnteringValue<From, To>;
  const hn::Rebind<Value, D> d;
  if constexpr (kIsTruth<To>) {
    const hn::RebindToUnsigned<decltype(d)> bits;
    const auto truth = hn::IfThenZeroElse(
        hn::RebindMask(bits, IsFalse<From>(d, v)), hn::Set(bits, 1));
    return Wrapped<uint8_t>(bits, truth);
  } else if constexpr (kIsHalf<To>) {
    return BeforeHalf<To>(d, v);
  } else if constexpr (hwy::IsSame<ValueOf<To>, double>()) {
    return ToF64(d, v);
  } else if constexpr (hwy::IsSame<ValueOf<To>, float>()) {
    return ToF32(d, v);
  } else if constexpr (hwy::IsFloat<Value>()) {
    return Truncated<ValueOf<To>>(d, v);
  } else {
    return Wrapped<ValueOf<To>>(d, v);
  }
}

template <class To, class D, class V>
HWY_INLINE void StoreValues(D, V v, typename To::Element* to) {
  const hn::Rebind<ValueOf<To>, D> values;
  if constexpr (kIsHalf<To>) {
    To::Store(values, v, to);
  } else {
    StoreTo(v, values, to);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_VALUES_INL_H_
