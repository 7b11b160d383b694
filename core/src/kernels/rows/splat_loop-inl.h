// Loops over rows of a few vectors in which one operand has one element.

#if defined(BROADLOOM_KERNELS_ROWS_SPLAT_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_SPLAT_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_SPLAT_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_SPLAT_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/overlap_loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/seam_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Longer rows are computed by SeamLoop or OverlapLoop.
inline constexpr size_t kMostSplatVectors = 4;

// Whether SplatLoop takes rows of such a length. Rows of one or two whole
// vectors take OverlapLoop less time.
template <class Out>
HWY_INLINE bool TakesSplats(const Row& row, size_t lanes) {
  return kHasShortRows && TakesSeams<Out>(row, lanes + 1) &&
         row.count <= (kMostSplatVectors + 1) * lanes && row.count != 2 * lanes;
}

// For rows without another operand: their element is the result.
struct NoOther {
  template <class V>
  HWY_INLINE V Apply(V splat, size_t) const {
    return splat;
  }
  HWY_INLINE void Next() {}
};

// An operand whose elements go on where the row ends, with those of the next
// row.
template <class Operator, class D, class Lanes, bool kSplatFirst>
struct OtherOperand {
  const typename Lanes::Element* row;
  size_t step;  // elements from one row to the next

  // The result of the vector that begins with element i of the row.
  HWY_INLINE auto Apply(hn::Vec<D> splat, size_t i) const {
    const D d;
    const auto v = Lanes::Load(d, row + i);
    if constexpr (kSplatFirst) {
      return Operator::Apply(d, splat, v);
    } else {
      return Operator::Apply(d, v, splat);
    }
  }
  HWY_INLINE void Next() { row += step; }
};

// For rows of kVectors vectors and a rest, of one to `lanes` elements.
template <size_t kVectors, class Out, bool kPrefetches, class D, class Splat,
          class Other>
HWY_INLINE void SplatLoopOf(D d, const Row& row, Splat splat, Other other) {
  const size_t lanes = hn::Lanes(d);
  const size_t count = row.count;
  auto* out = static_cast<typename Out::Element*>(row.out);
  const auto store = [&](size_t i) HWY_ATTR {
    if constexpr (kPrefetches) PrefetchToWrite(Ahead(out + i));
    Out::Store(d, other.Apply(splat.At(d, i), i), out + i);
  };
  GroupSteps groups(row);
  Out::Store(d, other.Apply(splat.At(d, 0), 0), out);
  // Elements of the row that are stored, up to an aligned one.
  size_t done = ElementsToAligned(out + 1, lanes) + 1;
  const auto end_row = [&]() HWY_ATTR {
    for (size_t k = 0; k < kVectors; ++k) store(done + k * lanes);
    const size_t rest = (count - done) % lanes;
    const size_t at = count - rest;
    Out::Store(d, other.Apply(splat.SeamAt(d, at, rest), at), out + at);
    splat.Next();
    other.Next();
    out += count;
    done = lanes - rest;
  };
  for (size_t left = row.rows;;) {
    size_t group_left = std::min(left, row.group_rows);
    left -= group_left;
    while (--group_left != 0) {
      splat.FindNext();
      end_row();
    }
    if (left == 0) break;
    splat.FindNext(groups.Next());
    end_row();
  }
  for (size_t k = 0; k < kVectors; ++k) store(k * lanes);
  store(count - lanes);
}

// Computes the rows of `row`, which TakesSplats has taken, from one element
// each and another operand, which is not `row.out`, if there is one. Rows with
// another operand must be in one group.
//
// As in SeamLoop, all stores but those of the first and the last row are
// aligned. But each row stores as many vectors, wherever it begins. So the last
// of them may reach into the next row, or lie in it, which then overwrites it.
// This takes less time than a branch that depends on where the row begins: 0.6
// to 0.9 of it for rows of up to five vectors.
template <class Out, bool kPrefetches, class D, class Splat, class Other>
HWY_INLINE void SplatLoop(D d, const Row& row, Splat splat, Other other) {
  switch ((row.count - 1) / hn::Lanes(d)) {
    case 1:
      return SplatLoopOf<1, Out, kPrefetches>(d, row, splat, other);
    case 2:
      return SplatLoopOf<2, Out, kPrefetches>(d, row, splat, other);
    case 3:
      return SplatLoopOf<3, Out, kPrefetches>(d, row, splat, other);
    default:
      static_assert(kMostSplatVectors == 4);
      return SplatLoopOf<4, Out, kPrefetches>(d, row, splat, other);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_SPLAT_LOOP_INL_H_
