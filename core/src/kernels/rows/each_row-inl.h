// Makes the rows of a task that has one to four operands.

#if defined(BROADLOOM_KERNELS_ROWS_EACH_ROW_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_EACH_ROW_INL_H_
#undef BROADLOOM_KERNELS_ROWS_EACH_ROW_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_EACH_ROW_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/source-inl.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Bytes of a buffer that a row is computed to before its values are used.
constexpr size_t kBufferBytes = 4096;
// Bytes of a buffer that long rows are computed to before they are streamed or
// scattered to the result.
constexpr size_t kStreamBytes = 2048;

// What ForEachRow needs to know of an operator.
struct RowFormat {
  size_t operands;
  size_t in_bytes[kMostRowOperands];  // of an element
  size_t out_bytes;                   // of an element
  bool swapped;       // the first operand of a row is the task's last one
  size_t most_count;  // elements of the longest row
  // Whether rows of a streamed task are to be computed straight to the result.
  bool streams = false;
  // Operands that the loop can shuffle itself.
  bool shuffles[2] = {false, false};
  // Whether the loop takes several rows.
  bool takes_rows = false;
};

inline RowFormat RowFormatOf(const RowLoop& loop, bool swapped) {
  return {loop.operands,
          {loop.in_bytes[0], loop.in_bytes[1], loop.in_bytes[2]},
          loop.out_bytes,
          swapped,
          SIZE_MAX};
}

// Cuts `row` into rows of at most format.most_count elements and calls
// body(row, null) for each. `row` itself becomes each of them: copies of it
// would be read just after they are written word by word, and such a load waits
// for all stores before it.
template <class Body>
HWY_INLINE void CutRow(Row& row, const RowFormat& format, const Body& body) {
  size_t left = row.count;
  for (;;) {
    row.count = std::min(left, format.most_count);
    body(row, nullptr);
    left -= row.count;
    if (left == 0) return;
    for (size_t k = 0; k < format.operands; ++k) {
      row.in[k] = static_cast<const uint8_t*>(row.in[k]) +
                  row.step[k] * row.count * format.in_bytes[k];
    }
    row.out = static_cast<uint8_t*>(row.out) + row.count * format.out_bytes;
  }
}

// Calls body(row, shuffles) for each row of the task: for each run, or for what
// CutRow makes of it; or for several rows, if format.takes_rows. `shuffles` is
// null unless format.shuffles allows others.
template <size_t kMostOperands, class Body>
HWY_INLINE void ForEachRowInline(const Task& task, RowFormat format,
                                 const Body& body) {
  RunOdometer runs(task);
  TileMemory<kMostOperands> tiles;
  Source sources[kMostOperands];
  for (size_t k = 0; k < format.operands; ++k) {
    const size_t operand = format.swapped ? format.operands - 1 - k : k;
    const size_t bits = format.in_bytes[k] * 8;
    sources[k].Prepare(runs, task, operand, bits, TileUse::kKept,
                       tiles.Take(Source::TileBytes(task, operand, bits)));
  }
  Destination place(runs, task, format.out_bytes * 8);
  size_t shuffled = format.operands;
  for (size_t k = 0; kLoopsShuffle && k < 2; ++k) {
    if (format.shuffles[k] && !place.scatters() && sources[k].is_shuffles()) {
      shuffled = k;
    }
  }
  // A shuffled operand needs no tile. If no other operand has a tile, all runs
  // of a turn can be one row.
  bool joins_runs = kLoopsShuffle && shuffled < format.operands &&
                    sources[shuffled].shuffles_continue();
  for (size_t k = 0; k < format.operands; ++k) {
    joins_runs = joins_runs && (k == shuffled || !sources[k].is_tile());
  }
  // Several runs can be several rows: those of the innermost level, or of two
  // levels, if all are equally long and the results follow each other.
  size_t row_levels = 0;
  const Schedule& schedule = task.work->schedule;
  const bool swaps = schedule.swaps_outer_loop();
  const auto longest =
      static_cast<size_t>(schedule.run_steps() * schedule.step_elements());
  const bool streams_runs =
      task.streams() && longest * format.out_bytes > kStreamBytes;
  // Whether all runs are equally long and follow each other in the result.
  const bool in_order =
      schedule.runs_a_turn() == 1 && !swaps && !task.has_result();
  if (format.takes_rows && !place.scatters() && shuffled == format.operands &&
      !streams_runs) {
    row_levels = std::min<size_t>(runs.levels(), in_order ? 2 : 1);
    for (size_t k = 0; k < format.operands; ++k) {
      while (row_levels > 0 && !sources[k].has_rows(runs, row_levels)) {
        --row_levels;
      }
    }
  }
  // Several rows are not streamed, see RunRows.
  const bool buffers = place.scatters() ||
                       (task.streams() && !format.streams && row_levels == 0);
  alignas(kVectorBytes) uint8_t buffer[kStreamBytes];
  if (buffers) {
    format.most_count =
        std::min(format.most_count, kStreamBytes / format.out_bytes);
  }
  Row row = {};
  Shuffles shuffles;
  for (;;) {
    if (const int64_t together = row_levels == 0   ? 1
                                 : row_levels == 1 ? runs.alike()
                                                   : runs.together();
        together > 1) {
      row.count = runs.count();
      row.rows = static_cast<size_t>(together);
      row.group_rows =
          row_levels > 1 ? static_cast<size_t>(runs.extent(0)) : SIZE_MAX;
      row.rows_after =
          in_order ? static_cast<size_t>(runs.left() - together) : 0;
      row.has_splats = false;
      for (size_t k = 0; k < format.operands; ++k) {
        sources[k].FetchRows(runs, row_levels, k, row);
      }
      row.out_step = static_cast<ptrdiff_t>(place.step());
      row.out = place.at();
      body(row, nullptr);
      row.rows = 1;
      row.has_splats = true;
      const int64_t steps = runs.SkipTogether(together);
      place.SkipTogether(together, steps);
      for (size_t k = 0; k < format.operands; ++k) {
        sources[k].SkipTogether(together, steps);
      }
      if (!runs.Next()) break;
      for (size_t k = 0; k < format.operands; ++k) sources[k].Follow(runs);
      place.Follow(runs);
      continue;
    }
    int64_t following = joins_runs ? runs.following() : 0;
    row.count = runs.count(following);
    bool shuffles_run = false;
    while (kLoopsShuffle && shuffled < format.operands) {
      shuffles_run = sources[shuffled].AsShuffles(row.count, shuffles);
      if (shuffles_run || following == 0) break;
      // The last runs may have to read from the copy of the operand's end.
      following /= 2;
      row.count = runs.count(following);
    }
    for (size_t k = 0; k < format.operands; ++k) {
      if (shuffles_run && k == shuffled) continue;
      const RowOperand fetched = sources[k].Fetch(row.count);
      row.in[k] = fetched.data;
      row.step[k] = fetched.step;
    }
    row.out = place.at();
    if (shuffles_run) {
      shuffles.operand = shuffled;
      body(row, &shuffles);
    } else if (!buffers) {
      CutRow(row, format, body);
    } else {
      size_t done = 0;
      CutRow(row, format, [&](Row& cut, const Shuffles*) {
        void* const there = cut.out;
        cut.out = buffer;
        body(cut, nullptr);
        cut.out = there;
        place.Write(buffer, done, cut.count);
        done += cut.count;
      });
    }
    if (following > 0) {
      runs.Skip(following);
      place.Skip(following);
      for (size_t k = 0; k < format.operands; ++k) sources[k].Skip(following);
    }
    if (!runs.Next()) break;
    for (size_t k = 0; k < format.operands; ++k) sources[k].Follow(runs);
    place.Follow(runs);
  }
  place.Finish();
}

// A function and its first argument.
struct RowBody {
  void (*call)(const void* self, const Row& row, const Shuffles* shuffles);
  const void* self;
  void operator()(const Row& row, const Shuffles* shuffles) const {
    call(self, row, shuffles);
  }
};
// The one copy that WebAssembly has, to save code. (elementwise.cc)
void ForEachRowOfBody(const Task& task, const RowFormat& format, RowBody body);

// The same. In WebAssembly it calls the one copy.
template <size_t kMostOperands, class Body>
HWY_INLINE void ForEachRow(const Task& task, const RowFormat& format,
                           const Body& body) {
  if constexpr (!HWY_ARCH_WASM) {
    ForEachRowInline<kMostOperands>(task, format, body);
  } else {
    const auto call = [](const void* self, const Row& row,
                         const Shuffles* shuffles) {
      (*static_cast<const Body*>(self))(row, shuffles);
    };
    ForEachRowOfBody(task, format, {call, &body});
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_EACH_ROW_INL_H_
