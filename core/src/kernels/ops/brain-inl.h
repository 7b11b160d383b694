// Operators on bf16, computed in f32: vectors of elements hold two vectors of
// f32, of the elements at even and at odd places, which need no shuffle.

#if defined(BROADLOOM_KERNELS_OPS_BRAIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_BRAIN_INL_H_
#undef BROADLOOM_KERNELS_OPS_BRAIN_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_BRAIN_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `Operator`, rounded once. The low 16 bits of its NaNs must be 0, as those of
// its operands' are: so rounding does not change them to other numbers.
template <class Operator>
struct BrainOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const hn::Repartition<uint32_t, D> du;
    const auto high = hn::Set(du, 0xFFFF0000u);
    const auto pairs_a = hn::BitCast(du, a);
    const auto pairs_b = hn::BitCast(du, b);
    const auto even =
        Rounded(du, hn::ShiftLeft<16>(pairs_a), hn::ShiftLeft<16>(pairs_b));
    const auto odd =
        Rounded(du, hn::And(pairs_a, high), hn::And(pairs_b, high));
    return hn::BitCast(d, hn::OrAnd(hn::ShiftRight<16>(even), odd, high));
  }

 private:
  // The bits of f32, of which the upper 16 are the result.
  template <class DU, class V = hn::Vec<DU>>
  static HWY_INLINE V Rounded(DU du, V a, V b) {
    const hn::RebindToFloat<DU> df;
    const V bits = hn::BitCast(
        du, Operator::Apply(df, hn::BitCast(df, a), hn::BitCast(df, b)));
    const V odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    return hn::Add(hn::Add(bits, hn::Set(du, 0x7FFF)), odd);
  }
};

template <class Operator>
inline constexpr size_t kInterchangeable<BrainOp<Operator>> =
    kInterchangeable<Operator>;
template <class Operator, class T>
inline constexpr bool kTakesShortRows<BrainOp<Operator>, T> =
    kIsShort<Operator, float>;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_BRAIN_INL_H_
