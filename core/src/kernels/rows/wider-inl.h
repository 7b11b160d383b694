// Lanes of f64 for narrower floats.

#if defined(BROADLOOM_KERNELS_ROWS_WIDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_WIDER_INL_H_
#undef BROADLOOM_KERNELS_ROWS_WIDER_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_WIDER_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Floats of `Lanes` in memory, f64 in vectors. Stores round once.
template <class Lanes>
struct Wider {
  using Element = typename Lanes::Element;
  using Tag = FullTag<double>;

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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_WIDER_INL_H_
