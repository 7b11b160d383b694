// Loops that convert between element types by C++'s own types.

#if defined(BROADLOOM_KERNELS_ROWS_CONVERT_ELEMENTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CONVERT_ELEMENTS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CONVERT_ELEMENTS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CONVERT_ELEMENTS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Converts one element after the other. Compilers vectorize the loop if no
// store can change what it reads: so operand and result must not share memory,
// and the count is copied out of the row.
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

// As C++ converts.
struct Cast {
  template <class To, class From>
  static HWY_INLINE To Apply(From x) {
    return static_cast<To>(x);
  }
};

// From f64 to integers: truncates and saturates; NaN becomes 0. Has no
// branches, since compilers do not vectorize them.
struct Saturate {
  template <class To>
  static HWY_INLINE To Apply(double x) {
    using Limits = std::numeric_limits<To>;
    // Exact: a power of two, or 0.
    constexpr double kLow = static_cast<double>(Limits::min());
    // The greatest f64 that fits. The mantissa has no room for the lowest 11 or
    // 10 of 64 bits.
    constexpr int kDropped = Limits::digits > 53 ? Limits::digits - 53 : 0;
    constexpr double kMost =
        static_cast<double>(Limits::max() >> kDropped << kDropped);
    const double number = x == x ? x : 0.0;
    const double from_low = number < kLow ? kLow : number;
    // Compilers vectorize no conversion from f64 to narrower integers than i32.
    using Wide = std::conditional_t<sizeof(To) < 4, int32_t, To>;
    const To within =
        static_cast<To>(static_cast<Wide>(from_low > kMost ? kMost : from_low));
    return from_low > kMost ? Limits::max() : within;
  }
};

// From 64-bit integers to f64. An integer that f64 does not have becomes that
// neighbour whose last bit is 1 (round to odd): rounding it once more, to a
// narrower float, gives what rounding the integer once would.
struct RoundToOdd {
  template <class To, class From>
  static HWY_INLINE To Apply(From x) {
    constexpr From kExact = From{1} << 53;
    constexpr From kBelow = (From{1} << 11) - 1;
    const From odd = (x & ~kBelow) | ((x & kBelow) != 0 ? kBelow + 1 : 0);
    bool exact = x <= kExact;
    if constexpr (std::is_signed_v<From>) exact = exact && x >= -kExact;
    return static_cast<To>(exact ? x : odd);
  }
};

// From 64-bit integers to f64; those beyond 2^52 become 2^52 or -2^52, or one
// more, so that they stay even or odd.
struct KeepParity {
  template <class To, class From>
  static HWY_INLINE To Apply(From e) {
    constexpr From kMost = From{1} << 52;
    const From parity = e & 1;
    From near = e >= kMost ? kMost + parity : e;
    if constexpr (std::is_signed_v<From>) {
      near = near <= -kMost ? -kMost - parity : near;
    }
    return static_cast<To>(near);
  }
};

// From u64 to i64; those beyond i64 become its last even or odd number.
struct ClampKeepingParity {
  template <class To, class From>
  static HWY_INLINE To Apply(From e) {
    constexpr From kMost = std::numeric_limits<To>::max() - 1;
    return static_cast<To>(e > kMost ? kMost + (e & 1) : e);
  }
};

// Makes integer exponents small enough for To without changing any power in w
// bits, the width of To: powers of an odd number repeat after 2^(w-2) steps,
// those of an even number are 0 from exponent w on. Of a negative exponent only
// the parity matters.
struct ReduceExponent {
  template <class To, class From>
  static HWY_INLINE To Apply(From e) {
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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_ELEMENTS_INL_H_
