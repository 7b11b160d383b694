// The conversions of convert-inl.h.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/convert.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// --- In vectors of floats ---------------------------------------------------

// From In's elements to Out's, by vectors of T. Operand and result never share
// memory here.
template <class In, class Out, class T>
void MoveLoop(const Row& row) {
  const FullTag<T> d;
  const size_t lanes = hn::Lanes(d);
  const auto* from = static_cast<const typename In::Element*>(row.in[0]);
  auto* to = static_cast<typename Out::Element*>(row.out);
  const size_t end = row.count - lanes;
  for (size_t i = 0; i < end; i += lanes) {
    Out::Store(d, In::Load(d, from + i), to + i);
  }
  Out::Store(d, In::Load(d, from + end), to + end);
}

template <class In, class Out, class T = float>
constexpr RowLoop kMove = {&MoveLoop<In, Out, T>,
                           1,
                           {sizeof(typename In::Element), 0, 0},
                           sizeof(typename Out::Element),
                           hn::MaxLanes(FullTag<T>())};

// Integers in vectors of f32: rounded to it, and truncated and saturated from
// it, NaN to 0.
template <class T>
struct Integers {
  using Element = T;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* p) {
    const hn::RebindToSigned<D> di;
    const auto v = LoadFrom(hn::Rebind<T, D>(), p);
    if constexpr (sizeof(T) == 4) {
      return hn::ConvertTo(d, v);
    } else {
      return hn::ConvertTo(d, hn::PromoteTo(di, v));
    }
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, T* p) {
    using Limits = std::numeric_limits<T>;
    const hn::RebindToSigned<D> di;
    const hn::Rebind<T, D> d_out;
    const auto number = hn::IfThenZeroElse(hn::IsNaN(v), v);
    if constexpr (sizeof(T) == 4) {
      StoreTo(hn::ConvertTo(di, number), d_out, p);
    } else {
      const auto low = hn::Set(d, static_cast<float>(Limits::min()));
      const auto high = hn::Set(d, static_cast<float>(Limits::max()));
      const auto within = hn::Min(hn::Max(number, low), high);
      StoreTo(hn::DemoteTo(d_out, hn::ConvertTo(di, within)), d_out, p);
    }
  }
};

// f32 and less in vectors of f64. What f64 is rounded to is rounded once.
template <class Lanes>
struct Wider {
  using Element = typename Lanes::Element;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const Element* p) {
    return hn::PromoteTo(d, Lanes::Load(hn::Rebind<float, D>(), p));
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, Element* p) {
    const hn::Rebind<float, D> df;
    if constexpr (kIsSame<Lanes>) {
      Lanes::Store(df, hn::DemoteTo(df, v), p);
    } else {
      Lanes::Store(df, RoundedToOdd(d, v), p);
    }
  }
};

template <class Lanes>
constexpr RowLoop kWiden = kMove<Wider<Lanes>, Same<double>, double>;
template <class Lanes>
constexpr RowLoop kNarrow = kMove<Same<double>, Wider<Lanes>, double>;

// f32 to integers: on pages, u8 alone goes without f64.
template <class T>
constexpr RowLoop TruncatingLoop() {
  if constexpr (HWY_ARCH_WASM && !hwy::IsSame<T, uint8_t>()) {
    return {};
  } else {
    return kMove<Same<float>, Integers<T>>;
  }
}

// --- C++'s own types --------------------------------------------------------
// Plain loops, which compilers make vectors of, as long as nothing that is
// stored can be what is read: operand and result never share memory here, and a
// count in the row would be one more number in memory.

template <class From, class To, class Convert>
void ConvertLoop(const Row& row) {
  const auto* HWY_RESTRICT from =
      static_cast<const Unaligned<From>*>(row.in[0]);
  auto* HWY_RESTRICT to = static_cast<Unaligned<To>*>(row.out);
  const size_t count = row.count;
  for (size_t i = 0; i < count; ++i) {
    to[i].value = Convert::template Apply<To>(From{from[i].value});
  }
}

struct Cast {
  template <class To, class From>
  static To Apply(From x) {
    return static_cast<To>(x);
  }
};

// Without branches, of which no compiler makes vectors.
struct Saturate {
  template <class To>
  static To Apply(double x) {
    using Limits = std::numeric_limits<To>;
    // A power of two, or 0, and exact.
    constexpr double kLow = static_cast<double>(Limits::min());
    // The greatest double that fits: of 64 bits the lowest 11 or 10 are not in
    // its mantissa.
    constexpr int kDropped = Limits::digits > 53 ? Limits::digits - 53 : 0;
    constexpr double kMost =
        static_cast<double>(Limits::max() >> kDropped << kDropped);
    const double number = x == x ? x : 0.0;
    const double from_low = number < kLow ? kLow : number;
    // There are no vectors of narrower integers than this from doubles.
    using Wide = std::conditional_t<sizeof(To) < 4, int32_t, To>;
    const To within =
        static_cast<To>(static_cast<Wide>(from_low > kMost ? kMost : from_low));
    return from_low > kMost ? Limits::max() : within;
  }
};

// Brings 64-bit integers to those that f64 has, inexact ones to that neighbour
// whose last bit is 1: rounding it once more, to a narrower float, gives what
// rounding the integer would.
struct RoundToOdd {
  template <class To, class From>
  static To Apply(From x) {
    constexpr From kExact = From{1} << 53;
    constexpr From kBelow = (From{1} << 11) - 1;
    const From odd = (x & ~kBelow) | ((x & kBelow) != 0 ? kBelow + 1 : 0);
    bool exact = x <= kExact;
    if constexpr (std::is_signed_v<From>) exact = exact && x >= -kExact;
    return static_cast<To>(exact ? x : odd);
  }
};

struct KeepParity {
  template <class To, class From>
  static To Apply(From e) {
    constexpr From kMost = From{1} << 52;
    const From parity = e & 1;
    From near = e >= kMost ? kMost + parity : e;
    if constexpr (std::is_signed_v<From>) {
      near = near <= -kMost ? -kMost - parity : near;
    }
    return static_cast<To>(near);
  }
};

struct ClampKeepingParity {
  template <class To, class From>
  static To Apply(From e) {
    constexpr From kMost = std::numeric_limits<To>::max() - 1;
    return static_cast<To>(e > kMost ? kMost + (e & 1) : e);
  }
};

// A large exponent is as good as one with the same remainder: powers of an odd
// number repeat after 2^(w-2) steps (w bits), those of an even one are 0 from w
// on. Of a negative exponent only the parity matters.
struct ReduceExponent {
  template <class To, class From>
  static To Apply(From e) {
    using Bits = std::make_unsigned_t<From>;
    constexpr Bits kWidth = std::numeric_limits<To>::digits + 1;
    constexpr Bits kCycle = Bits{1} << (kWidth - 2);
    const Bits bits = static_cast<Bits>(e);
    const Bits again =
        bits < kWidth ? bits : kWidth + ((bits - kWidth) & (kCycle - 1));
    return static_cast<To>(e < 0 ? (bits & 1) - 2 : again);
  }
};

template <class From, class To, class Convert = Cast>
constexpr RowLoop kConvert = {
    &ConvertLoop<From, To, Convert>, 1, {sizeof(From), 0, 0}, sizeof(To), 1};

// Integers to f32. In WebAssembly those of images and indices alone are worth
// the code of vectors.
template <class T>
constexpr RowLoop WideningLoop() {
  if constexpr (HWY_ARCH_WASM && !hwy::IsSame<T, uint8_t>() &&
                !hwy::IsSame<T, int32_t>()) {
    return kConvert<T, float>;
  } else {
    return kMove<Integers<T>, Same<float>>;
  }
}

// For what a table does not have.
constexpr RowLoop kNone = {};

}  // namespace

// In the order i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64.

const RowLoop kToF32[kNumberTypes] = {WideningLoop<int8_t>(),
                                      WideningLoop<int16_t>(),
                                      WideningLoop<int32_t>(),
                                      kNone,
                                      WideningLoop<uint8_t>(),
                                      WideningLoop<uint16_t>(),
                                      kNone,
                                      kNone,
                                      kMove<F16, Same<float>>,
                                      kMove<BF16, Same<float>>,
                                      kNone,
                                      kNone};

const RowLoop kToF64[kNumberTypes] = {kConvert<int8_t, double>,
                                      kConvert<int16_t, double>,
                                      kConvert<int32_t, double>,
                                      kConvert<int64_t, double>,
                                      kConvert<uint8_t, double>,
                                      kConvert<uint16_t, double>,
                                      kConvert<uint32_t, double>,
                                      kConvert<uint64_t, double>,
                                      kWiden<F16>,
                                      kWiden<BF16>,
                                      kWiden<Same<float>>,
                                      kNone};

const RowLoop kToOddF64[kNumberTypes] = {
    kNone, kNone, kNone, kConvert<int64_t, double, RoundToOdd>,
    kNone, kNone, kNone, kConvert<uint64_t, double, RoundToOdd>,
    kNone, kNone, kNone, kNone};

const RowLoop kToF64KeepingParity[kNumberTypes] = {
    kNone, kNone, kNone, kConvert<int64_t, double, KeepParity>,
    kNone, kNone, kNone, kConvert<uint64_t, double, KeepParity>,
    kNone, kNone, kNone, kNone};

const RowLoop kU64ToI64KeepingParity =
    kConvert<uint64_t, int64_t, ClampKeepingParity>;

const RowLoop kFromF32[kNumberTypes] = {TruncatingLoop<int8_t>(),
                                        TruncatingLoop<int16_t>(),
                                        TruncatingLoop<int32_t>(),
                                        kNone,
                                        TruncatingLoop<uint8_t>(),
                                        TruncatingLoop<uint16_t>(),
                                        kNone,
                                        kNone,
                                        kMove<Same<float>, F16>,
                                        kMove<Same<float>, BF16>,
                                        kNone,
                                        kNone};

const RowLoop kFromF64[kNumberTypes] = {kConvert<double, int8_t, Saturate>,
                                        kConvert<double, int16_t, Saturate>,
                                        kConvert<double, int32_t, Saturate>,
                                        kConvert<double, int64_t, Saturate>,
                                        kConvert<double, uint8_t, Saturate>,
                                        kConvert<double, uint16_t, Saturate>,
                                        kConvert<double, uint32_t, Saturate>,
                                        kConvert<double, uint64_t, Saturate>,
                                        kNarrow<F16>,
                                        kNarrow<BF16>,
                                        kNarrow<Same<float>>,
                                        kNone};

const RowLoop kToI32[kNumberTypes] = {kConvert<int8_t, int32_t>,
                                      kConvert<int16_t, int32_t>,
                                      kNone,
                                      kConvert<uint64_t, int32_t>,
                                      kConvert<uint8_t, int32_t>,
                                      kConvert<uint16_t, int32_t>,
                                      kNone,
                                      kConvert<uint64_t, int32_t>,
                                      kNone,
                                      kNone,
                                      kNone,
                                      kNone};

const RowLoop kFromI32[kNumberTypes] = {kConvert<int32_t, uint8_t>,
                                        kConvert<int32_t, uint16_t>,
                                        kNone,
                                        kNone,
                                        kConvert<int32_t, uint8_t>,
                                        kConvert<int32_t, uint16_t>,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone};

const RowLoop kToExponent32[kNumberTypes] = {
    kConvert<int8_t, int32_t>,
    kConvert<int16_t, int32_t>,
    kNone,
    kConvert<int64_t, int32_t, ReduceExponent>,
    kConvert<uint8_t, int32_t>,
    kConvert<uint16_t, int32_t>,
    kConvert<uint32_t, int32_t, ReduceExponent>,
    kConvert<uint64_t, int32_t, ReduceExponent>,
    kNone,
    kNone,
    kNone,
    kNone};

const RowLoop kToExponent64[kNumberTypes] = {
    kConvert<int8_t, int64_t>,
    kConvert<int16_t, int64_t>,
    kConvert<int32_t, int64_t>,
    kNone,
    kConvert<uint8_t, int64_t>,
    kConvert<uint16_t, int64_t>,
    kConvert<uint32_t, int64_t>,
    kConvert<uint64_t, int64_t, ReduceExponent>,
    kNone,
    kNone,
    kNone,
    kNone};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
