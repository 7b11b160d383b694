// Division of integers of 16 bits in f32 and of 32 bits in f64. The quotients
// truncate correctly: one that is not an integer is further from the next
// integer than its error.

#if defined(BROADLOOM_KERNELS_OPS_DIVISION_FLOATS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_DIVISION_FLOATS_INL_H_
#undef BROADLOOM_KERNELS_OPS_DIVISION_FLOATS_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_DIVISION_FLOATS_INL_H_
#endif

#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Integers in memory, floats in vectors.
template <class T>
struct AsFloat {
  using Element = T;
  using Float = hwy::If<sizeof(T) == 2, float, double>;
  using Tag = FullTag<Float>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* p) {
    const auto v = LoadFrom(hn::Rebind<T, D>(), p);
    if constexpr (sizeof(T) == 4) {
      return hn::PromoteTo(d, v);
    } else {
      return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), v));
    }
  }

  // Numbers may have one bit more than T, which is dropped: so -MIN becomes
  // MIN. NaN becomes 0. f32 is truncated; f64 is an integer already.
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, T* p) {
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<hwy::MakeUnsigned<T>, D> d_narrow;
    StoreTo(hn::TruncateTo(d_narrow, hn::BitCast(du, Bits(d, v))), d_narrow,
            reinterpret_cast<hwy::MakeUnsigned<T>*>(p));
  }

 private:
  // The integer in the low bits; for NaN these are 0.
  template <class D>
  static HWY_INLINE auto Bits(D d, hn::Vec<D> v) {
    if constexpr (sizeof(T) == 4) {
      // The sum has the integer in the low bits of its mantissa.
      return hn::Add(v, hn::Set(d, 0x1.8p52));
    } else {
      return hn::ConvertInRangeTo(hn::RebindToSigned<D>(), v);
    }
  }
};

// Whether multiplying by an approximate reciprocal is faster than dividing. f32
// needs 17 bits of the quotient: one Newton step makes them from 12 bits of the
// reciprocal. f64 needs 33: one step of third order makes them from 14.
template <class T>
constexpr bool kHasReciprocal =
    HWY_ARCH_X86 && (sizeof(T) == 4 || HWY_TARGET <= HWY_AVX3);

// (1 + excess) / b with a relative error below 2^-22 in f32 and 2^-41 in f64.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE V Reciprocal(D d, V b, T excess) {
  const V reciprocal = hn::ApproximateReciprocal(b);
  V error = hn::NegMulAdd(b, reciprocal, hn::Set(d, T{1} + excess));
  if constexpr (sizeof(T) == 8) error = hn::MulAdd(error, error, error);
  return hn::MulAdd(reciprocal, error, reciprocal);
}

// (a + 1/2) / b of integers, or (a - 1/2) / b where `sign` is negative. So the
// ratio is as far from an integer as possible, and its error cannot take it
// across one. NaN for b = 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Ratio(D d, V a, V b, V sign) {
  using T = hn::TFromD<D>;
  if constexpr (kHasReciprocal<T>) {
    const V half = hn::CopySign(hn::Set(d, T{0.5}), sign);
    const V reciprocal = hn::ApproximateReciprocal(b);
    V error = hn::NegMulAdd(b, reciprocal, hn::Set(d, T{1}));
    if constexpr (sizeof(T) == 8) error = hn::MulAdd(error, error, error);
    const V ratio = hn::Mul(hn::Add(a, half), reciprocal);
    return hn::MulAdd(ratio, error, ratio);
  } else {
    // a / b is enough: hn::Div is exact where the ratio is an integer.
    (void)sign;
    const V nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
    return hn::IfThenElse(hn::Eq(b, hn::Zero(d)), nan, hn::Div(a, b));
  }
}

// Truncated; x / 0 is 0, as AsFloat::Store makes NaN 0.
struct QuotientOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    using T = hn::TFromD<D>;
    V ratio = a;
    if constexpr (kHasReciprocal<T>) {
      // Too large by more than its error, and by less than what a fraction
      // lacks to the next integer: so integers are reached.
      constexpr T kExcess = sizeof(T) == 4 ? T{0x1p-21} : T{0x1p-40};
      ratio = hn::Mul(a, Reciprocal(d, b, kExcess));
    } else {
      ratio = Ratio(d, a, b, a);
    }
    return sizeof(T) == 4 ? ratio : hn::Trunc(ratio);
  }
};

// With the sign of the dividend.
struct RemainderOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::NegMulAdd(hn::Trunc(Ratio(d, a, b, a)), b, a);
  }
};

// With the sign of the divisor.
struct ModuloOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::NegMulAdd(hn::Floor(Ratio(d, a, b, b)), b, a);
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_DIVISION_FLOATS_INL_H_
