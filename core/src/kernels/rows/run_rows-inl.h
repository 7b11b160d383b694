// Runs a loop on the rows of a task, many of them by one call.

#if defined(BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Bytes of a buffer that rows are computed to before they are streamed.
constexpr size_t kStreamedRowsBytes = 4096;

// Whether RunRows takes the task. To compute long rows by one call saves
// nothing when they are streamed.
HWY_INLINE bool TakesRows(const RowLoop& loop, const Task& task) {
  const Schedule& schedule = task.work->schedule;
  return schedule.has_rows() &&
         (!task.streams() || static_cast<size_t>(schedule.split_extent() *
                                                 schedule.step_elements()) *
                                     loop.out_bytes <=
                                 kStreamedRowsBytes);
}

// Rows that are shorter than the loop takes: one by one.
HWY_NOINLINE inline void RunShortRows(const RowLoop& loop, Row row) {
  const size_t rows = std::exchange(row.rows, 1);
  for (size_t done = 1; done <= rows; ++done) {
    RunRow(loop, row);
    const bool ends_group = done % row.group_rows == 0;
    for (size_t k = 0; k < loop.operands; ++k) {
      row.in[k] = AddBytes(static_cast<const uint8_t*>(row.in[k]),
                           ends_group ? row.group_step[k] : row.row_step[k]);
    }
    row.out = AddBytes(static_cast<uint8_t*>(row.out), row.out_step);
  }
}

// Runs `loop` on all rows of `all`, of any length from 1 on.
HWY_INLINE void RunEachRow(const RowLoop& loop, const Row& all) {
  if (HWY_UNLIKELY(all.count < loop.least_count)) {
    return RunShortRows(loop, all);
  }
  const bool has_gaps =
      all.out_step != static_cast<int64_t>(all.count * loop.out_bytes);
  (loop.rows != nullptr && !has_gaps ? loop.rows : loop.run)(all);
}

// The same with streaming stores, for rows that begin a group or end within
// one.
HWY_NOINLINE inline void StreamRows(const RowLoop& loop, Row rows) {
  alignas(kVectorBytes) uint8_t buffer[kStreamedRowsBytes];
  const size_t row_bytes = rows.count * loop.out_bytes;
  const size_t most = kStreamedRowsBytes / row_bytes;
  auto* to = static_cast<uint8_t*>(rows.out);
  rows.out = buffer;
  size_t group_left = rows.group_rows;
  for (size_t left = rows.rows; left != 0; left -= rows.rows) {
    rows.rows = std::min({left, most, group_left});
    RunEachRow(loop, rows);
    StreamCopy(buffer, rows.rows * row_bytes, to);
    to += rows.rows * row_bytes;
    group_left -= rows.rows;
    const bool ends_group = group_left == 0;
    if (ends_group) group_left = rows.group_rows;
    for (size_t k = 0; k < loop.operands; ++k) {
      const int64_t within = static_cast<int64_t>(rows.rows - ends_group);
      rows.in[k] = AddBytes(
          static_cast<const uint8_t*>(rows.in[k]),
          within * rows.row_step[k] + (ends_group ? rows.group_step[k] : 0));
    }
  }
}

// The rows of `task`, whose schedule has rows: those of the loop of rows, and
// of the loop around it as groups, are computed by one call.
HWY_NOINLINE inline void RunRows(const RowLoop& loop, bool swapped,
                                 const Task& task) {
  const Schedule& schedule = task.work->schedule;
  const LoopNest& nest = task.work->nest;
  const size_t row_loop = schedule.split() - 1;
  const int64_t group = nest.extent(row_loop);
  Row rows;
  rows.count =
      static_cast<size_t>(schedule.split_extent() * schedule.step_elements());
  rows.out_step = static_cast<int64_t>(rows.count * loop.out_bytes);
  rows.out =
      AddBytes(static_cast<uint8_t*>(task.out), task.begin * rows.out_step);
  rows.group_rows = static_cast<size_t>(group);
  rows.has_splats = false;
  size_t operands[kMostRowOperands];
  for (size_t k = 0; k < loop.operands; ++k) {
    operands[k] = swapped ? loop.operands - 1 - k : k;
    const int64_t bytes = loop.in_bytes[k];
    const OperandMemory& memory = task.operands[operands[k]];
    rows.in[k] = AddBytes(static_cast<const uint8_t*>(memory.data),
                          memory.first * bytes);
    rows.step[k] =
        schedule.operand(operands[k]).form == RunForm::kDirect ? 1 : 0;
    rows.row_step[k] = nest.stride(operands[k], row_loop) * bytes;
    rows.group_step[k] =
        (row_loop == 0 ? 0 : nest.stride(operands[k], row_loop - 1) * bytes) -
        (group - 1) * rows.row_step[k];
  }
  // Moves all operands by some steps of a loop.
  const auto advance = [&](size_t in_loop, int64_t steps) {
    for (size_t k = 0; k < loop.operands; ++k) {
      rows.in[k] = AddBytes(static_cast<const uint8_t*>(rows.in[k]),
                            steps * nest.stride(operands[k], in_loop) *
                                static_cast<int64_t>(loop.in_bytes[k]));
    }
  };
  const auto run = [&](int64_t count) {
    rows.rows = static_cast<size_t>(count);
    if (task.streams()) {
      StreamRows(loop, rows);
    } else {
      RunEachRow(loop, rows);
    }
    rows.out = AddBytes(static_cast<uint8_t*>(rows.out), count * rows.out_step);
  };
  // The index of the loops around the rows.
  int64_t index[RunOdometer::kMostLevels];
  int64_t rest = task.begin;
  for (size_t level = row_loop + 1; level-- > 0;) {
    const int64_t extent = nest.extent(level);
    index[level] = rest % extent;
    if (index[level] != 0) advance(level, index[level]);
    rest /= extent;
  }
  int64_t left = task.end - task.begin;
  // Groups begin with their first row: a task may begin within a group.
  if (index[row_loop] != 0) {
    const int64_t n = std::min(left, group - index[row_loop]);
    run(n);
    left -= n;
    advance(row_loop, -index[row_loop]);
    if (row_loop > 0) advance(row_loop - 1, 1), ++index[row_loop - 1];
  }
  const int64_t groups = row_loop > 0 ? nest.extent(row_loop - 1) : 1;
  for (;;) {
    size_t level = row_loop > 0 ? row_loop - 1 : 0;
    // The loops whose last step is done begin again.
    while (row_loop > 0 && index[level] == nest.extent(level) && level > 0) {
      advance(level, -index[level]);
      index[level] = 0;
      advance(--level, 1);
      ++index[level];
    }
    if (left == 0) break;
    const int64_t n =
        row_loop > 0 ? std::min(left, (groups - index[row_loop - 1]) * group)
                     : left;
    run(n);
    left -= n;
    if (row_loop > 0) {
      advance(row_loop - 1, groups - index[row_loop - 1]);
      index[row_loop - 1] = groups;
    }
  }
  if (task.streams()) hwy::FlushStream();
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
