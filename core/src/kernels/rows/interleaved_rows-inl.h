// Runs a loop on long rows, several at a time, in short parts.
//
// An operand that repeats along the loop of rows is read from the second-level
// cache or beyond for each row, if a row of it does not fit the first-level
// cache. Here each part of it is read once for several rows, and each row is
// still read and written in order, which the processor's prefetchers need.

#if defined(BROADLOOM_KERNELS_ROWS_INTERLEAVED_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_INTERLEAVED_ROWS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_INTERLEAVED_ROWS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_INTERLEAVED_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/overlap_loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/row_cursors-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_rows-inl.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most so many rows at a time, in parts of two vectors of the widest element
// (docs/speed-notes.md).
constexpr int64_t kMostInterleavedRows = 7;
constexpr size_t kInterleavedBytes = 2 * hn::MaxLanes(ByteTag());

// Whether the loop computes short rows that do not follow each other in one
// function, not by a call for each group. Those that move elements do.
HWY_INLINE bool TakesParts(const RowLoop& loop) {
  return loop.operands == 1 || TakesShortRows(loop);
}

// Whether RunInterleavedRows takes the task. Results that bypass the caches are
// written in order. Many calls of a loop for long rows would take longer than
// the caches save.
HWY_INLINE bool InterleavesRows(const RowLoop& loop, const Task& task) {
  const Schedule& schedule = task.work->schedule;
  return kHasShortRows && loop.rows != nullptr && schedule.interleaves_rows() &&
         !task.streams() && TakesParts(loop);
}

// Computes `rows` rows, of which `row` is the first one, at the distances
// row.row_step and row.out_step.
HWY_INLINE void RunInParts(const RowLoop& loop, Row row, int64_t rows) {
  const size_t part = kInterleavedBytes / WidestBytes(loop);
  // The last part takes what is left as well: it is not short.
  const size_t parts = row.count / part - 1;
  const size_t last = row.count - parts * part;
  for (ptrdiff_t together = 0; rows > 0; rows -= together) {
    // All about equally many: one row alone would not gain.
    const int64_t groups = CeilDiv(rows, kMostInterleavedRows);
    together = static_cast<ptrdiff_t>(CeilDiv(rows, groups));
    // A group of rows for each part.
    Row group = row;
    group.count = part;
    group.group_rows = static_cast<size_t>(together);
    group.rows = group.group_rows * parts;
    const auto out_bytes = static_cast<ptrdiff_t>(part * loop.out_bytes);
    group.group_out_skip = out_bytes - together * row.out_step;
    ptrdiff_t bytes[kMostRowOperands];  // of a part
    for (size_t k = 0; k < loop.operands; ++k) {
      bytes[k] = static_cast<ptrdiff_t>(row.step[k] * part * loop.in_bytes[k]);
      group.group_step[k] = bytes[k] - (together - 1) * row.row_step[k];
    }
    loop.rows(group);
    group.count = last;
    group.rows = group.group_rows;
    const auto done = static_cast<ptrdiff_t>(parts);
    for (size_t k = 0; k < loop.operands; ++k) {
      const auto* const in = static_cast<const uint8_t*>(row.in[k]);
      group.in[k] = AddBytes(in, done * bytes[k]);
      row.in[k] = AddBytes(in, together * row.row_step[k]);
    }
    auto* const out = static_cast<uint8_t*>(row.out);
    group.out = AddBytes(out, done * out_bytes);
    row.out = AddBytes(out, together * row.out_step);
    loop.rows(group);
  }
}

// The rows of `task`, some at a time.
HWY_NOINLINE inline void RunInterleavedRows(const RowLoop& loop, bool swapped,
                                            const Task& task) {
  const int64_t turn = task.work->schedule.runs_a_turn();
  RunOdometer runs(task);
  const size_t level = turn > 1 ? 1 : 0;  // of the rows
  Destination place(runs, task, size_t{loop.out_bytes} * 8);
  Row row;
  row.out_step = static_cast<ptrdiff_t>(place.stride(runs, level));
  RowCursors operands(loop, swapped, runs, task, row);
  for (size_t k = 0; k < loop.operands; ++k) {
    row.row_step[k] = operands.stride(runs, k, level);
  }
  int64_t together = 0;
  do {
    // The task may begin and end within a row.
    const bool begins_row = level == 0 || runs.index(0) == 0;
    const int64_t rows = begins_row
                             ? std::min(runs.left() / turn,
                                        runs.extent(level) - runs.index(level))
                             : 0;
    together = rows > 0 ? rows * turn : runs.following() + 1;
    row.count = runs.count(rows > 0 ? turn - 1 : together - 1);
    operands.Fetch(row);
    row.out = place.at();
    if (rows > 1) {
      RunInParts(loop, row, rows);
    } else {
      RunEachRow(loop, row);  // the last run of a row may be short
    }
  } while (operands.Next(together, runs, place));
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_INTERLEAVED_ROWS_INL_H_
