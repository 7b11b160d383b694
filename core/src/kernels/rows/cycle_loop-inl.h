// Loops over short rows of which one operand has the same row again and again.

#if defined(BROADLOOM_KERNELS_ROWS_CYCLE_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CYCLE_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CYCLE_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CYCLE_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/seam_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The stores that a group must save compared with OverlapLoop, in which each
// row ends with a store of its own: to write the row that repeats takes as
// long.
constexpr size_t kLeastSavedStores = 10;

// Whether operand `operand` has the same row in all rows of a group, and the
// other one rows that follow each other.
template <class T>
HWY_INLINE bool Cycles(const Row& row, size_t operand) {
  const size_t other = 1 - operand;
  return row.step[operand] == 1 && row.row_step[operand] == 0 &&
         row.step[other] == 1 &&
         row.row_step[other] == static_cast<int64_t>(row.count * sizeof(T));
}

// Whether rows of which one operand cycles are computed by CycleLoop, in
// vectors of `lanes` elements.
template <class Out>
HWY_INLINE bool TakesCycles(const Row& row, size_t lanes) {
  const size_t rows = std::min(row.rows, row.group_rows);
  // Of a row: what is missing to whole vectors, and a part for its start.
  const size_t saved = (0 - row.count) % lanes + lanes / 4;
  return row.count < kLeastSeamVectors * lanes && TakesSeams<Out>(row, 1) &&
         saved * rows >= kLeastSavedStores * lanes &&
         (row.count >= lanes || row.rows % row.group_rows == 0);
}

// Writes the `count` elements of a row, half a vector of D or more, and after
// them its first ones again, as many as a vector has. It may write half a
// vector more. Not inlined: CycleLoop would keep what it needs in memory, and
// take 1.1 times as long.
template <class D, class T>
HWY_NOINLINE void WriteCycle(D, const T* from, size_t count, T* to) {
  constexpr size_t kLanes = hn::MaxLanes(D());
  constexpr size_t kHalf = std::max<size_t>(kLanes / 2, 1);
  const hn::CappedTag<T, kHalf> half;
  for (size_t begin = 0; begin < count + kLanes; begin += count) {
    for (size_t i = 0; i < count && begin + i < count + kLanes; i += kHalf) {
      const size_t at = std::min(i, count - kHalf);
      StoreTo(LoadFrom(half, from + at), half, to + begin + at);
    }
  }
}

// out = Operator(a, b) for all rows of `row`, each of half a vector of D or
// more. Operand `cycle`, the first one if kCyclesFirst, has the same row in all
// rows of a group. That row is written twice, and each vector is loaded from it
// where the last one ended: so the group is one long row.
template <class Operator, class D, class Out, class Lanes, bool kCyclesFirst>
HWY_INLINE void CycleLoop(const Row& row, size_t cycle) {
  using T = typename Lanes::Element;
  const D d;
  constexpr size_t kLanes = hn::MaxLanes(D());
  constexpr size_t kStep = kVectorsAStep<D, Out>;
  const size_t count = row.count;
  const size_t other = 1 - cycle;
  const T* from = static_cast<const T*>(row.in[cycle]);
  const T* in = static_cast<const T*>(row.in[other]);
  auto* out = static_cast<typename Out::Element*>(row.out);
  constexpr size_t kRoom = (kLeastSeamVectors + 2) * kLanes;
  alignas(kVectorBytes) T buffers[2][kRoom];
  const auto write = [&](T* to) HWY_ATTR { WriteCycle(d, from, count, to); };
  size_t written = 0;
  write(buffers[0]);
  GroupSteps groups(row);
  // Where the vector after one that begins at `phase` begins.
  const size_t turn = kLanes % count;
  const size_t back = count - turn;
  const auto next = [&](size_t phase) HWY_ATTR {
    // While phase < back the second number wraps, so that it is the larger one.
    // Of a comparison compilers make a branch.
    return std::min(phase + turn, phase - back);
  };
  const size_t last_phase = count - 1 - (kLanes - 1) % count;
  for (size_t left = row.rows;;) {
    const size_t group = std::min(left, row.group_rows);
    left -= group;
    const T* const rows = buffers[written];
    const ptrdiff_t* steps = nullptr;
    if (left != 0) {
      steps = groups.Next();
      // Early, since loads across two stores wait until both are done.
      from = AddBytes(from, steps[cycle]);
      written = 1 - written;
      write(buffers[written]);
    }
    const auto compute_at = [&](size_t i, size_t phase) HWY_ATTR {
      const auto ours = Lanes::Load(d, rows + phase);
      const auto theirs = Lanes::Load(d, in + i);
      if constexpr (kCyclesFirst) {
        return Operator::Apply(d, ours, theirs);
      } else {
        return Operator::Apply(d, theirs, ours);
      }
    };
    const size_t end = group * count - kLanes;
    size_t i = 0;
    size_t phase = 0;
    for (; i + kStep * kLanes <= end; i += kStep * kLanes) {
      size_t phases[kStep];
      for (size_t& one : phases) {
        one = phase;
        phase = next(phase);
      }
      const auto compute = [&](size_t k) HWY_ATTR {
        return compute_at(i + k * kLanes, phases[k]);
      };
      StoreStep<Out, kStep>(d, compute, out + i);
    }
    const auto last = compute_at(end, last_phase);  // now, see StoreEnd
    for (; i < end; i += kLanes) {
      Out::Store(d, compute_at(i, phase), out + i);
      phase = next(phase);
    }
    Out::Store(d, last, out + end);
    if (left == 0) return;
    in = AddBytes(in, static_cast<int64_t>(group - 1) * row.row_step[other] +
                          steps[other]);
    out += group * count;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CYCLE_LOOP_INL_H_
