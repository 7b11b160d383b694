// The loops that compute many rows by one call, and the choice between them.

#if defined(BROADLOOM_KERNELS_ROWS_ROWS_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_ROWS_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_ROWS_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_ROWS_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/rows/cycle_loop-inl.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/overlap_loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/rows_operand-inl.h"
#include "kernels/rows/seam_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// out = Operator(operands...) for rows of half a vector of D or more. Rows in
// which all operands repeat are rare: half vectors serve all of them.
template <class Operator, class D, class Out, class... Lanes>
HWY_NOINLINE void OverlapRows(const Row& row) {
  const auto compute = [&]<bool kTakesRepeated>(
                           auto d,
                           std::bool_constant<kTakesRepeated>) HWY_ATTR {
    using Of = decltype(d);
    const RowsOperands<Operator, kTakesRepeated, Of, Lanes...> operands(row);
    operands.With([&](auto... each) HWY_ATTR __attribute__((always_inline)) {
      OverlapLoop<Operator, Of, Out>(d, row, each...);
    });
  };
  const D d;
  if (row.count >= hn::Lanes(d) && !AllRepeat(row, sizeof...(Lanes))) {
    compute(d, std::false_type());
  } else {
    compute(hn::Half<D>(), std::true_type());
  }
}

// out = Operator(operands...) for many rows, in vectors of D, which are those
// of `Lanes`. kTakesShort is whether short rows are taken, where there are
// loops for them. Elsewhere kOtherLoop computes what SeamLoop does not take.
template <class Operator, class D, class Out, bool kTakesShort,
          void (*kOtherLoop)(const Row& row), class... Lanes>
struct RowsLoop {
  static constexpr bool kHasSeams =
      (kLoadsSeams<Lanes> && ...) && kStoresParts<Out, D>;
  static constexpr bool kOverlaps = kHasShortRows && kTakesShort;
  // The shortest row. Rows of half a vector are computed in half vectors.
  static constexpr size_t kLeast =
      kOverlaps ? std::max<size_t>(hn::MaxLanes(D()) / 2, 1)
                : hn::MaxLanes(D());

  // Whether rows of one operand may repeat those of the other.
  using First = std::tuple_element_t<0, std::tuple<Lanes...>>;
  static constexpr bool kCycles = kOverlaps && sizeof...(Lanes) == 2 &&
                                  (hwy::IsSame<First, Lanes>() && ...);

  // Returns whether an operand has the same row in all rows of a group.
  static HWY_INLINE bool RunCycles(const Row& row) {
    using T = typename First::Element;
    if (Cycles<T>(row, 1)) {
      CycleLoop<Operator, D, Out, First, false>(row, 1);
    } else if (Cycles<T>(row, 0)) {
      CycleLoop<Operator, D, Out, First, kInterchangeable<Operator> != 2>(row,
                                                                          0);
    } else {
      return false;
    }
    return true;
  }

  static void Run(const Row& row) {
    const D d;
    if constexpr (kHasSeams) {
      constexpr size_t kVectors = kOverlaps ? kLeastSeamVectors : 1;
      if (!AllRepeat(row, sizeof...(Lanes)) &&
          TakesSeams<Out>(row, kVectors * hn::Lanes(d))) {
        const RowsOperands<Operator, false, D, Lanes...> operands(row);
        return operands.With([&](auto... each) HWY_ATTR
                             __attribute__((always_inline)) {
                               SeamLoop<Operator, D, Out>(d, row, each...);
                             });
      }
    }
    if constexpr (kCycles) {
      if (TakesCycles<Out>(row, hn::Lanes(d)) && RunCycles(row)) return;
    }
    if constexpr (kOverlaps) {
      OverlapRows<Operator, D, Out, Lanes...>(row);
    } else {
      InPlainGroups(row, sizeof...(Lanes), kOtherLoop);
    }
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_ROWS_LOOP_INL_H_
