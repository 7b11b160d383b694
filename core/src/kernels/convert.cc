// The conversions of convert-inl.h.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convert.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/convert-inl.h"
#include "kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// --- f16 and bf16 -----------------------------------------------------------

template <class In, class Out>
void MoveLoop(const Row& row) {
  const FullTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto* from = static_cast<const typename In::Element*>(row.in[0]);
  auto* to = static_cast<typename Out::Element*>(row.out);
  const size_t end = row.count - lanes;
  for (size_t i = 0; i < end; i += lanes) {
    Out::Store(d, In::Load(d, from + i), to + i);
  }
  Out::Store(d, In::Load(d, from + end), to + end);
}

// Between f32 and 16 bits. Operand and result never share memory here.
template <class In, class Out>
constexpr RowLoop kMove = {&MoveLoop<In, Out>,
                           1,
                           {sizeof(typename In::Element), 0, 0},
                           sizeof(typename Out::Element),
                           hn::MaxLanes(FullTag<float>())};

// Between f64 and 16 bits, by way of f32.
template <class Half>
struct DoubleLanes {
  using Tag = FullTag<double>;

  static void Widen(const Row& row) {
    const Tag d;
    const size_t lanes = hn::Lanes(d);
    const hn::Rebind<float, Tag> d32;
    const auto* from = static_cast<const uint16_t*>(row.in[0]);
    auto* to = static_cast<double*>(row.out);
    const size_t end = row.count - lanes;
    for (size_t i = 0; i < end; i += lanes) {
      StoreTo(hn::PromoteTo(d, Half::Load(d32, from + i)), d, to + i);
    }
    StoreTo(hn::PromoteTo(d, Half::Load(d32, from + end)), d, to + end);
  }

  static void Narrow(const Row& row) {
    const Tag d;
    const size_t lanes = hn::Lanes(d);
    const hn::Rebind<float, Tag> d32;
    const auto* from = static_cast<const double*>(row.in[0]);
    auto* to = static_cast<uint16_t*>(row.out);
    const size_t end = row.count - lanes;
    for (size_t i = 0; i < end; i += lanes) {
      Half::Store(d32, hn::DemoteTo(d32, LoadFrom(d, from + i)), to + i);
    }
    Half::Store(d32, hn::DemoteTo(d32, LoadFrom(d, from + end)), to + end);
  }

  static constexpr uint8_t kLanes = hn::MaxLanes(Tag());
};

template <class Half>
constexpr RowLoop kWiden = {
    &DoubleLanes<Half>::Widen, 1, {2, 0, 0}, 8, DoubleLanes<Half>::kLanes};
template <class Half>
constexpr RowLoop kNarrow = {
    &DoubleLanes<Half>::Narrow, 1, {8, 0, 0}, 2, DoubleLanes<Half>::kLanes};

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

// For what a table does not have.
constexpr RowLoop kNone = {};

}  // namespace

// In the order i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64.

const RowLoop kToF32[kNumberTypes] = {
    kConvert<int8_t, float>,  kConvert<int16_t, float>,  kNone, kNone,
    kConvert<uint8_t, float>, kConvert<uint16_t, float>, kNone, kNone,
    kMove<F16, Same<float>>,  kMove<BF16, Same<float>>,  kNone, kNone};

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
                                      kConvert<float, double>,
                                      kNone};

const RowLoop kToF64KeepingParity[kNumberTypes] = {
    kNone, kNone, kNone, kConvert<int64_t, double, KeepParity>,
    kNone, kNone, kNone, kConvert<uint64_t, double, KeepParity>,
    kNone, kNone, kNone, kNone};

const RowLoop kU64ToI64KeepingParity =
    kConvert<uint64_t, int64_t, ClampKeepingParity>;

const RowLoop kFromF32[kNumberTypes] = {kNone,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone,
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
                                        kConvert<double, float>,
                                        kNone};

const RowLoop kToI32[kNumberTypes] = {kConvert<int8_t, int32_t>,
                                      kConvert<int16_t, int32_t>,
                                      kNone,
                                      kNone,
                                      kConvert<uint8_t, int32_t>,
                                      kConvert<uint16_t, int32_t>,
                                      kNone,
                                      kNone,
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
