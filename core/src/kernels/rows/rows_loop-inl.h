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
#include "kernels/rows/splat_loop-inl.h"

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

// SplatLoop begins each group anew, so groups of fewer rows are computed by
// other loops; so are groups of fewer rows that repeat, since such a row is
// written twice first.
constexpr size_t kLeastSplatRows = 8;
constexpr size_t kLeastCycleRows = 32;

// out = Operator(a, b) for rows that TakesSplats has taken. Operand `splat`,
// the first one if kSplatFirst, has one element in each, and the other one
// begins `step` elements after the row before, or anew if that is 0.
template <class Operator, class D, class Out, class Lanes, bool kSplatFirst>
HWY_NOINLINE void SplatRows(const Row& row, size_t splat, size_t step) {
  using T = typename Lanes::Element;
  const D d;
  alignas(kVectorBytes) T buffer[(kMostSplatVectors + 3) * hn::MaxLanes(D())];
  ForEachGroup(row, 2, [&](const Row& group) HWY_ATTR {
    const auto* from = static_cast<const T*>(group.in[1 - splat]);
    if (step == 0) {
      WriteCycle(d, from, group.count, buffer);
      from = buffer;
    }
    SplatLoop<Out, true>(
        d, group, RowsOperand<Lanes, D, true>(group, splat),
        OtherOperand<Operator, D, Lanes, kSplatFirst>{from, step});
  });
}

// out = Operator(operands...) for many rows, in vectors of D, which are those
// of `Lanes`. kTakesShort is whether short rows are taken, where there are
// loops for them. Elsewhere kOtherLoop computes what SeamLoop does not take.
template <class Operator, class D, class Out, bool kTakesShort,
          void (*kOtherLoop)(const Row& row), class... Lanes>
struct RowsLoop {
  static constexpr bool kOverlaps = kHasShortRows && kTakesShort;
  static constexpr bool kHasSeams = (kLoadsSeams<Lanes> && ...) &&
                                    kStoresParts<Out, D> &&
                                    (kSeamsAreFast || !kOverlaps);
  // The shortest row. Rows of half a vector are computed in half vectors.
  static constexpr size_t kLeast =
      kOverlaps ? std::max<size_t>(hn::MaxLanes(D()) / 2, 1)
                : hn::MaxLanes(D());

  // Whether rows of one operand may repeat those of the other.
  using First = std::tuple_element_t<0, std::tuple<Lanes...>>;
  static constexpr bool kCycles = kOverlaps && sizeof...(Lanes) == 2 &&
                                  (hwy::IsSame<First, Lanes>() && ...);

  // Whether operands must not change places.
  static constexpr bool kHasOrder = kInterchangeable<Operator> < 2;

  // Whether SplatLoop gains: not for results that are narrower than lanes, of
  // which few cross a cache line, nor for bytes where a mask of lanes takes as
  // long as the store it saves.
  static constexpr size_t kLaneBytes = sizeof(hn::TFromD<D>);
  static constexpr bool kTakesSplats =
      kCycles && sizeof(typename Out::Element) == kLaneBytes &&
      (kLaneBytes > 1 || kMasksLanes<uint8_t>);

  // Returns whether an operand has the same row in all rows of a group.
  static HWY_INLINE bool RunCycles(const Row& row) {
    using T = typename First::Element;
    if (Cycles<T>(row, 1)) {
      CycleLoop<Operator, D, Out, First, false>(row, 1);
    } else if (Cycles<T>(row, 0)) {
      CycleLoop<Operator, D, Out, First, kHasOrder>(row, 0);
    } else {
      return false;
    }
    return true;
  }

  // Returns whether operand `splat` has one element in each row, and the other
  // one goes on where a row ends, or has the same row in all rows of a group.
  template <bool kSplatFirst>
  static HWY_INLINE bool RunSplats(const Row& row, size_t splat) {
    using T = typename First::Element;
    const size_t other = 1 - splat;
    const int64_t other_step = row.row_step[other];
    if (row.step[splat] != 0 || row.step[other] == 0 ||
        row.in[other] == row.out || row.group_rows < kLeastSplatRows) {
      return false;
    }
    if (other_step == static_cast<int64_t>(row.count * sizeof(T))) {
      SplatRows<Operator, D, Out, First, kSplatFirst>(row, splat, row.count);
    } else if (other_step == 0 && row.count > 2 * hn::MaxLanes(D()) &&
               row.group_rows >= kLeastCycleRows) {
      SplatRows<Operator, D, Out, First, kSplatFirst>(row, splat, 0);
    } else {
      return false;
    }
    return true;
  }

  static void Run(const Row& row) {
    const D d;
    if constexpr (kTakesSplats) {
      if (TakesSplats<Out>(row, hn::Lanes(d)) &&
          (RunSplats<false>(row, 1) || RunSplats<kHasOrder>(row, 0))) {
        return;
      }
    }
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
