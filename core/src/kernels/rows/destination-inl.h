// The result of a task, run by run: where it is written. The larger functions
// are compiled in destination.cc.

#if defined(BROADLOOM_KERNELS_ROWS_DESTINATION_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_DESTINATION_INL_H_
#undef BROADLOOM_KERNELS_ROWS_DESTINATION_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_DESTINATION_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/built.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/task.h"
#include "kernels/rows/tile_loops.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// The results of a run are consecutive, or lie apart: then they are scattered
// from a buffer.
class Destination {
 public:
  // `bits`: of an element.
  Destination(const RunOdometer& runs, const Task& task, size_t bits)
      : out_(static_cast<uint8_t*>(task.out)),
        bits_(bits),
        scatters_(task.scatters_result()),
        streams_(task.streams()) {
    BeginResult(runs, task, place_);
    if (scatters()) PrepareScatter(task);
  }

  [[nodiscard]] bool scatters() const {
    return kStridedResultsBuilt && scatters_;
  }
  // Where the results of the run are, if they are consecutive whole bytes.
  [[nodiscard]] uint8_t* at() const {
    return out_ + place_.at() * static_cast<int64_t>(bits_ / 8);
  }
  // The bytes from here to the run that follows in the innermost level.
  [[nodiscard]] int64_t step() const {
    return place_.change(0) * static_cast<int64_t>(bits_ / 8);
  }
  // The bytes from here to the run that follows in level `level` alone.
  [[nodiscard]] int64_t stride(const RunOdometer& runs, size_t level) const {
    return place_.stride(runs, level) * static_cast<int64_t>(bits_ / 8);
  }

  // Writes `count` results of the run, from result `begin` on, that lie in a
  // buffer: scattered, packed from a byte each, or with streaming stores.
  void Write(const uint8_t* from, size_t begin, size_t count);
  // Call after the last run: then all results are in memory.
  void Finish() {
    if (!kHasStreamingStores || !streams_) return;
    lines_.Flush();
    hwy::FlushStream();
  }

  // As for a Cursor.
  void Follow(const RunOdometer& runs) { place_.Follow(runs); }
  void Skip(int64_t following) { place_.Skip(following); }
  void SkipTogether(int64_t runs, int64_t steps) {
    place_.SkipTogether(runs, steps);
  }

  // Calls visit(i, place, step, n) for pieces of `count` results of the run,
  // from result `begin` on: result begin + i is element `place` of the memory
  // at out, and the n - 1 results after it each follow `step` elements further.
  template <class Visit>
  void ForEachPiece(size_t begin, size_t count, const Visit& visit) const {
    if (!scatters()) {
      visit(0, place_.at() + static_cast<int64_t>(begin), 1, count);
      return;
    }
    int64_t index[TileLoops::kMostLevels];
    int64_t place = place_.at();
    int64_t rest = static_cast<int64_t>(begin);
    for (size_t level = 0; level < loops_.count(); ++level) {
      index[level] = rest % loops_[level].extent;
      rest /= loops_[level].extent;
      place += index[level] * loops_[level].stride;
    }
    const TileLoops::Level& inner = loops_[0];
    for (size_t done = 0; done < count;) {
      const int64_t n =
          std::min(static_cast<int64_t>(count - done), inner.extent - index[0]);
      visit(done, place, inner.stride, static_cast<size_t>(n));
      done += static_cast<size_t>(n);
      place -= index[0] * inner.stride;
      index[0] = 0;
      for (size_t level = 1; level < loops_.count(); ++level) {
        place += loops_[level].stride;
        if (++index[level] < loops_[level].extent) break;
        place -= loops_[level].stride * loops_[level].extent;
        index[level] = 0;
      }
    }
  }

 private:
  void PrepareScatter(const Task& task);
  void Scatter(const uint8_t* from, size_t begin, size_t count) const;

  uint8_t* const out_;
  const size_t bits_;
  const bool scatters_;
  const bool streams_;
  Cursor place_;
  LineStream lines_;
  TileLoops loops_;  // of a run
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_DESTINATION_INL_H_
