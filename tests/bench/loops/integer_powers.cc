// Pow of integers to integers, by squaring.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/integer_powers.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/conversions-inl.h"
#include "loops/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::Op;

// Exponents in lanes of `Lane`: negative ones stay negative and even or odd;
// large ones become smaller ones with the same powers. The powers of odd
// numbers of w bits repeat every 2^(w-2) exponents, and those of even numbers
// are 0 from exponent w on.
template <class Lane, class Exponent, class D>
HWY_INLINE hn::Vec<D> ReadExponent(D d, const uint8_t* in, size_t i) {
  const hn::Rebind<Exponent, D> de;
  auto e = hn::LoadU(de, As<Exponent>(in) + i);
  if constexpr (sizeof(Exponent) < sizeof(Lane)) {
    return hn::BitCast(d, ToInteger<Lane, Exponent>(d, e));
  } else if constexpr (sizeof(Exponent) > sizeof(Lane) ||
                       !hwy::IsSigned<Exponent>()) {
    constexpr Exponent kPeriod = Exponent{1} << (sizeof(Lane) * 8 - 2);
    const auto large =
        hn::Gt(e, hn::Set(de, static_cast<Exponent>(2 * kPeriod - 1)));
    const auto reduced =
        hn::Or(hn::And(e, hn::Set(de, static_cast<Exponent>(kPeriod - 1))),
               hn::Set(de, kPeriod));
    e = hn::IfThenElse(large, reduced, e);
    if constexpr (hwy::IsSigned<Exponent>()) {
      e = hn::IfNegativeThenElse(e, hn::Or(e, hn::Set(de, Exponent{-2})), e);
    }
    return ToInteger<Lane, Exponent>(d, e);
  } else {
    return e;
  }
}

template <class D, class V>
HWY_INLINE hn::Mask<D> OddMask(D d, V v) {
  const V one = hn::Set(d, 1);
  return hn::Eq(hn::And(v, one), one);
}

// Of exponents that are not negative.
template <class D, class V>
HWY_INLINE V PowerBySquaring(D d, V base, V exponent) {
  const hn::RebindToUnsigned<D> du;
  V power = hn::IfThenElse(OddMask(d, exponent), base, hn::Set(d, 1));
  V square = base;
  const auto halved = [&](V v) HWY_ATTR {
    if constexpr (sizeof(hn::TFromD<D>) == 1) {
      return hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(du, v)));
    } else {
      return hn::ShiftRight<1>(v);
    }
  };
  for (V left = halved(exponent); !hn::AllTrue(d, hn::Eq(left, hn::Zero(d)));
       left = halved(left)) {
    square = Product::Of(d, square, square);
    power =
        hn::IfThenElse(OddMask(d, left), Product::Of(d, power, square), power);
  }
  return power;
}

template <class Base, class Exponent>
void IntegerLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  using Lane = hwy::MakeSigned<Base>;
  constexpr size_t kWidest = HWY_MAX(sizeof(Base), sizeof(Exponent));
  const hn::Rebind<Lane, Full<hwy::UnsignedFromSize<kWidest>>> d;
  const size_t n = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  const auto one = hn::Set(d, 1);
  for (size_t i = 0; i < count; i += n) {
    const auto base = hn::LoadU(d, As<Lane>(in[0]) + i);
    const auto exponent = ReadExponent<Lane, Exponent>(d, in[1], i);
    auto power = PowerBySquaring(d, base, hn::Max(exponent, zero));
    if constexpr (hwy::IsSigned<Exponent>()) {
      const auto negative = hn::Lt(exponent, zero);
      if (HWY_UNLIKELY(!hn::AllFalse(d, negative))) {
        auto inverse = hn::IfThenElseZero(hn::Eq(base, one), one);
        if constexpr (hwy::IsSigned<Base>()) {
          const auto sign =
              hn::IfThenElse(OddMask(d, exponent), hn::Set(d, -1), one);
          inverse = hn::IfThenElse(hn::Eq(base, hn::Set(d, -1)), sign, inverse);
        }
        power = hn::IfThenElse(negative, inverse, power);
      }
    }
    hn::StoreU(power, d, As<Lane>(out) + i);
  }
}

template <class Base, class Exponent>
Loop LoopOf() {
  if constexpr (hwy::IsInteger<Base>() && hwy::IsInteger<Exponent>()) {
    return &IntegerLoop<Base, Exponent>;
  } else {
    return nullptr;
  }
}

Loop Lookup(const Computation& of) {
  if (of.op != Op::kPow) return nullptr;
  return ForType(of.types[0], [&]<class Base>() -> Loop {
    return ForType(of.types[1], []<class Exponent>() -> Loop {
      return LoopOf<Base, Exponent>();
    });
  });
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {
HWY_EXPORT(Lookup);
Loop FindIntegerPowerLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
