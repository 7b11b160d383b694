// Powers of integers: square and multiply.

#if defined(BROADLOOM_KERNELS_OPS_POWER_INTEGER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_POWER_INTEGER_INL_H_
#undef BROADLOOM_KERNELS_OPS_POWER_INTEGER_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_POWER_INTEGER_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/ops/arithmetic-inl.h"
#include "kernels/rows/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Exponents for bases of T: signed integers of the same width, loaded as T.
template <class T>
struct IntegerExponents {
  using Element = hwy::MakeSigned<T>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const Element* p) {
    return hn::BitCast(d, LoadFrom(hn::RebindToSigned<D>(), p));
  }
};

// Wraps. A negative exponent gives 1 / base^n, truncated.
struct IntegerPowOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent_bits) {
    const hn::RebindToSigned<D> ds;
    // Bits are shifted out of unsigned lanes: not all targets shift signed ones
    // of 8 or 64 bits.
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, exponent_bits);
    const auto zero = hn::Zero(du);
    const auto lowest = hn::Set(du, 1);
    const V one = hn::Set(d, 1);

    const auto negative = hn::RebindMask(
        du, hn::Lt(hn::BitCast(ds, exponent_bits), hn::Zero(ds)));
    auto rest = hn::IfThenZeroElse(negative, bits);
    const auto is_odd = [&](auto e) HWY_ATTR {
      return hn::RebindMask(d, hn::TestBit(e, lowest));
    };
    V power = hn::IfThenElse(is_odd(rest), base, one);
    V square = base;
    for (rest = hn::ShiftRight<1>(rest); !hn::AllTrue(du, hn::Eq(rest, zero));
         rest = hn::ShiftRight<1>(rest)) {
      square = MulOp::Apply(d, square, square);
      power =
          hn::IfThenElse(is_odd(rest), MulOp::Apply(d, power, square), power);
    }
    if (HWY_LIKELY(hn::AllFalse(du, negative))) return power;

    // 1 / base^n, truncated, is 0 except for the bases 1 and -1.
    V inverse = hn::IfThenElseZero(hn::Eq(base, one), one);
    if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
      const V minus_one = hn::Set(d, -1);
      const V alternating = hn::IfThenElse(is_odd(bits), minus_one, one);
      inverse = hn::IfThenElse(hn::Eq(base, minus_one), alternating, inverse);
    }
    return hn::IfThenElse(hn::RebindMask(d, negative), inverse, power);
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_POWER_INTEGER_INL_H_
