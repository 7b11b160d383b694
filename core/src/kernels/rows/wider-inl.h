// Loops that convert between element types in vectors of floats.

#if defined(BROADLOOM_KERNELS_ROWS_CONVERT_VECTORS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CONVERT_VECTORS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CONVERT_VECTORS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CONVERT_VECTORS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// From the elements of lane type In to those of Out, by vectors of T. Not in
// place: operand and result never share memory.
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

// Integers in memory, f32 in vectors. Loads round; stores truncate and
// saturate, and NaN becomes 0.
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

template <class Lanes>
constexpr RowLoop kWiden = kMove<Wider<Lanes>, Same<double>, double>;
template <class Lanes>
constexpr RowLoop kNarrow = kMove<Same<double>, Wider<Lanes>, double>;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_VECTORS_INL_H_
