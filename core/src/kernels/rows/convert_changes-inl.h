// What becomes of integers before they are converted to a type that lacks some
// of them: functions of vectors, for the loops of convert_loop-inl.h.

#if defined(BROADLOOM_KERNELS_ROWS_CONVERT_CHANGES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CONVERT_CHANGES_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CONVERT_CHANGES_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CONVERT_CHANGES_INL_H_
#endif

#include <cstdint>
#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// No change.
struct Unchanged {
  template <class D, class V>
  static HWY_INLINE V Apply(D, V v) {
    return v;
  }
};

// The nearest value that To has.
template <class To>
struct Saturated {
  template <class D, class V>
  static HWY_INLINE V Apply([[maybe_unused]] D d, V v) {
    using From = hn::TFromD<D>;
    using FromLimits = std::numeric_limits<From>;
    using ToLimits = std::numeric_limits<To>;
    if constexpr (FromLimits::digits > ToLimits::digits) {
      v = hn::Min(v, hn::Set(d, static_cast<From>(ToLimits::max())));
    }
    if constexpr (FromLimits::is_signed &&
                  (!ToLimits::is_signed ||
                   FromLimits::digits > ToLimits::digits)) {
      v = hn::Max(v, hn::Set(d, static_cast<From>(ToLimits::min())));
    }
    return v;
  }
};

// Exponents in 64 bits on the way to f64: those beyond 2^52 become 2^52 or
// -2^52, or one more, so that they stay even or odd.
struct NearKeepingParity {
  template <class D, class V>
  static HWY_INLINE V Apply(D d, V e) {
    using T = hn::TFromD<D>;
    constexpr T kMost = T{1} << 52;
    const V most = hn::Set(d, kMost);
    const V parity = hn::And(e, hn::Set(d, T{1}));
    V near = hn::IfThenElse(hn::Gt(e, most), hn::Or(most, parity), e);
    if constexpr (hwy::IsSigned<T>()) {
      const V least = hn::Neg(most);
      near = hn::IfThenElse(hn::Lt(e, least), hn::Sub(least, parity), near);
    }
    return near;
  }
};

// Exponents of u64 on the way to i64: those beyond i64 become its last even or
// odd number.
struct SignedKeepingParity {
  template <class D, class V>
  static HWY_INLINE V Apply(D d, V e) {
    const hn::RebindToSigned<D> ds;
    const auto bits = hn::BitCast(ds, e);
    const auto last =
        hn::Or(hn::And(bits, hn::Set(ds, 1)),
               hn::Set(ds, std::numeric_limits<int64_t>::max() - 1));
    return hn::BitCast(d,
                       hn::IfThenElse(hn::Lt(bits, hn::Zero(ds)), last, bits));
  }
};

// Makes integer exponents small enough for the signed integers of To without
// changing any power in w bits, the width of To: powers of an odd number repeat
// after 2^(w-2) steps, those of an even number are 0 from exponent w on. Of a
// negative exponent only the parity matters.
template <class To>
struct ReducedExponent {
  template <class D, class V>
  static HWY_INLINE V Apply(D d, V e) {
    using T = hn::TFromD<D>;
    constexpr T kCycle = T{1} << (sizeof(To) * 8 - 2);
    const V again = hn::Or(hn::And(e, hn::Set(d, static_cast<T>(kCycle - 1))),
                           hn::Set(d, kCycle));
    const auto large =
        hn::Gt(e, hn::Set(d, static_cast<T>(std::numeric_limits<To>::max())));
    const V reduced = hn::IfThenElse(large, again, e);
    if constexpr (hwy::IsSigned<T>()) {
      return hn::IfThenElse(hn::Lt(e, hn::Zero(d)),
                            hn::Or(e, hn::Set(d, T{-2})), reduced);
    } else {
      return reduced;
    }
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_CHANGES_INL_H_
