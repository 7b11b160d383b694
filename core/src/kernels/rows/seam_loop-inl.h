// Loops over rows whose results follow each other without gaps.
//
// All stores but the first and the last one are aligned to vectors, as a store
// that crosses a cache line takes as long as two. So a vector of the result may
// have the end of one row and the beginning of the next one: a seam. There
// every operand is loaded in two parts, with masks.

#if defined(BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/overlap_loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/rows_operand-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether operands of these lanes can be loaded, and results stored, in parts
// (see lanes-inl.h).
template <class Lanes>
inline constexpr bool kLoadsSeams =
    kHasRowsOperands && kMasksLanes<typename Lanes::Element> &&
    requires { &Lanes::template LoadSeam<typename Lanes::Tag>; };
template <class Lanes, class D>
inline constexpr bool kStoresParts =
    requires { &Lanes::template StoreFirst<D>; };

// Whether masked loads are fast on all processors of the target. Where they are
// not, moves and operators of few instructions take OverlapLoop instead. On a
// Zen 1, sums of rows of 4 vectors took 2.7 times as long by SeamLoop, those of
// 12 vectors 1.5 times, and those of 50 or more 1.0 to 1.2 times.
inline constexpr bool kSeamsAreFast = HWY_TARGET != HWY_AVX2;

// Where there are both loops, rows of so many vectors or more are computed by
// SeamLoop, if kSeamsAreFast, and shorter ones by OverlapLoop or CycleLoop.
constexpr size_t kLeastSeamVectors = kHasShortRows ? 4 : 1;

// Whether the rows have `least` elements at least, and their results follow
// each other.
template <class Out>
HWY_INLINE bool TakesSeams(const Row& row, size_t least) {
  return row.count >= least && row.group_out_skip == 0 &&
         row.out_step ==
             static_cast<int64_t>(row.count * sizeof(typename Out::Element));
}

// out = Operator(operands...) for all rows of `row`, each of a vector of D or
// more.
template <class Operator, class D, class Out, bool kPrefetches = true,
          class... Operands>
HWY_INLINE void SeamLoop(D d, const Row& row, Operands... operands) {
  const size_t lanes = hn::Lanes(d);
  const size_t count = row.count;
  auto* out = static_cast<typename Out::Element*>(row.out);
  // Elements of the row that have been computed.
  size_t done = ElementsToAligned(out, lanes);
  if (done != 0) {
    Out::StoreFirst(d, Operator::Apply(d, operands.At(d, 0)...), out, done);
  }
  GroupSteps groups(row);
  const auto begin_next = [&]() HWY_ATTR {
    const size_t rest = count - done;
    if (rest != 0) {
      if constexpr (kPrefetches) PrefetchToWrite(Ahead(out + done));
      Out::Store(d, Operator::Apply(d, operands.SeamAt(d, done, rest)...),
                 out + done);
      done += lanes;
    }
    (operands.Next(), ...);
    out += count;
    done -= count;
  };
  const auto compute = [&](size_t k) HWY_ATTR {
    return Operator::Apply(d, operands.At(d, done + k * lanes)...);
  };
  // What is only moved is stored a cache line at a time: two lines would take
  // 1.3 times as long.
  constexpr size_t kStep =
      sizeof...(Operands) == 1 ? kVectorsALine<D, Out> : kVectorsAStep<D, Out>;
  for (size_t left = row.rows;;) {
    size_t group_left = std::min(left, row.group_rows);
    left -= group_left;
    for (;;) {
      // Several vectors at a time: see BinaryLoop.
      for (; done + kStep * lanes <= count; done += kStep * lanes) {
        StoreStep<Out, kStep, kPrefetches>(d, compute, out + done);
      }
      const size_t vectors = (count - done) / lanes;
      StoreRest<Out, kStep - 1, kPrefetches>(d, compute, out + done, vectors);
      done += vectors * lanes;
      if (--group_left == 0) break;
      (operands.FindNext(), ...);
      begin_next();
    }
    if (left == 0) break;
    const ptrdiff_t* const steps = groups.Next();
    (operands.FindNext(steps), ...);
    begin_next();
  }
  if (const size_t rest = count - done; rest != 0) {
    Out::StoreFirst(d, Operator::Apply(d, operands.PartAt(d, done, rest)...),
                    out + done, rest);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
