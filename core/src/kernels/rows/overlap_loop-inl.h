// Loops over short rows.

#if defined(BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/rows_operand-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether short rows are computed by such loops: on x86 with vectors of 32
// bytes or more. On AVX2 few shuffles cross the middle of a vector, so that
// another store takes less time than a shuffle. On AVX-512 a tile is stored and
// loaded again, and many of its vectors cross a cache line. Elsewhere short
// rows are computed from tiles, and these loops, some forms of each, would be
// code for nothing.
inline constexpr bool kHasShortRows =
    kHasRowsOperands && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2;

// Rows of so many vectors or more begin with a vector that may overlap the
// second one, so that all stores but the first and the last one are aligned: a
// store that crosses a cache line takes as long as two. Not rows of narrow
// results, which have few lines.
constexpr size_t kLeastAlignedVectors = 3;

// As OverlapLoop, for rows of kVectors vectors, which are one or two, the
// overlapping one included; or of any number, if kVectors is 0.
template <class Operator, class D, class Out, size_t kVectors,
          class... Operands>
HWY_INLINE void OverlapLoopOf(D d, const Row& row, Operands... operands) {
  const size_t lanes = hn::Lanes(d);
  const size_t end = row.count - lanes;
  const int64_t out_step = row.out_step;
  auto* out = static_cast<typename Out::Element*>(row.out);
  size_t i = 0;
  const auto compute_at = [&](size_t at) HWY_ATTR {
    return Operator::Apply(d, operands.At(d, at)...);
  };
  const auto compute = [&](size_t k)
                           HWY_ATTR { return compute_at(i + k * lanes); };
  GroupSteps groups(row);
  const auto begin_next = [&]() HWY_ATTR {
    (operands.Next(), ...);
    out = AddBytes(out, out_step);
  };
  for (size_t left = row.rows;;) {
    size_t group_left = std::min(left, row.group_rows);
    left -= group_left;
    for (;;) {
      if constexpr (kVectors == 1) {
        Out::Store(d, compute_at(0), out);
      } else if constexpr (kVectors == 2) {
        const auto last = compute_at(end);
        if constexpr (!kNarrows<Out, D>) PrefetchToWrite(Ahead(out));
        Out::Store(d, compute_at(0), out);
        Out::Store(d, last, out + end);
      } else {
        i = 0;
        if (!kNarrows<Out, D> && row.count >= kLeastAlignedVectors * lanes) {
          const size_t second = ElementsToAligned(out + 1, lanes) + 1;
          // Before the first one is stored, which may be in place.
          const auto v = compute_at(second);
          Out::Store(d, compute_at(0), out);
          Out::Store(d, v, out + second);
          i = second + lanes;
        }
        // Several vectors at a time: see BinaryLoop.
        constexpr size_t kStep = kVectorsAStep<D, Out>;
        for (; i + kStep * lanes <= end; i += kStep * lanes) {
          StoreStep<Out, kStep>(d, compute, out + i);
        }
        const auto compute_last = [&]() HWY_ATTR { return compute_at(end); };
        StoreEnd<Out, kStep>(d, compute, compute_last, out, i, end);
      }
      if (--group_left == 0) break;
      (operands.FindNext(), ...);
      begin_next();
    }
    if (left == 0) return;
    const ptrdiff_t* const steps = groups.Next();
    (operands.FindNext(steps), ...);
    begin_next();
    out = AddBytes(out, row.group_out_skip);
  }
}

// out = Operator(operands...) for all rows of `row`, each of a vector of D or
// more. The last vector of a row ends with the row, so it may overlap the one
// before it: see StoreEnd.
//
// Rows of one or two vectors have loops of their own: to go through so few
// vectors by a loop takes up to 1.5 times as long. Half vectors are for shorter
// rows, and for those in which all operands repeat, which are rare.
template <class Operator, class D, class Out, class... Operands>
HWY_INLINE void OverlapLoop(D d, const Row& row, Operands... operands) {
  constexpr bool kAllRepeat =
      sizeof...(Operands) > 1 && (Operands::kRepeats && ...);
  constexpr bool kHalf =
      hn::MaxLanes(D()) < hn::MaxLanes(FullTag<hn::TFromD<D>>());
  const size_t lanes = hn::Lanes(d);
  if constexpr (!kAllRepeat) {
    if (row.count == lanes) {
      return OverlapLoopOf<Operator, D, Out, 1>(d, row, operands...);
    }
    if (kHalf || row.count <= 2 * lanes) {
      return OverlapLoopOf<Operator, D, Out, 2>(d, row, operands...);
    }
  }
  if constexpr (kAllRepeat || !kHalf) {
    OverlapLoopOf<Operator, D, Out, 0>(d, row, operands...);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
