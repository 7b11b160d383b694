// Runs a loop on the rows of a task, many of them by one call.

#if defined(BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/row.h"
#include "kernels/rows/row_cursors-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Longer rows are streamed, if the task asks for it. For shorter ones that
// takes as long as ordinary stores or longer: they would be computed to a
// buffer first, and stores to that buffer wait for the streaming ones before
// them.
constexpr size_t kLongestUnstreamedBytes = 4096;

// Whether RunRows takes the task.
HWY_INLINE bool TakesRows(const RowLoop& loop, const Task& task) {
  const Schedule& schedule = task.work->schedule;
  return schedule.has_rows() &&
         (!task.streams() || static_cast<size_t>(schedule.split_extent() *
                                                 schedule.step_elements()) *
                                     loop.out_bytes <=
                                 kLongestUnstreamedBytes);
}

// Whether rows of `count` elements are computed by loop.rows.
HWY_INLINE bool HasRowsOf(const RowLoop& loop, size_t count) {
  return loop.rows != nullptr && count >= loop.least_row_count;
}

// Runs `loop` on all rows of `all`, of any length from 1 on.
HWY_INLINE void RunEachRow(const RowLoop& loop, const Row& all) {
  if (HasRowsOf(loop, all.count)) {
    loop.rows(all);
  } else if (HWY_UNLIKELY(all.count < loop.least_count)) {
    ForEachSingleRow(all, loop.operands,
                     [&](const Row& row) HWY_ATTR { RunRow(loop, row); });
  } else {
    loop.run(all);
  }
}

// The loops of `runs` from the second level on.
HWY_INLINE void SetOuterLoops(const RunOdometer& runs, const RowLoop& loop,
                              const RowCursors& operands, OuterLoops& outer) {
  outer.count = runs.levels() - 1;
  for (size_t i = 0; i < outer.count; ++i) {
    outer.extents[i] = static_cast<size_t>(runs.extent(i + 1));
    outer.index[i] = static_cast<size_t>(runs.index(i + 1));
    if (i + 1 == outer.count) break;
    for (size_t k = 0; k < loop.operands; ++k) {
      outer.steps[i][k] = operands.change(k, i + 2);
    }
  }
}

// The rows of `task`, whose schedule has rows: those of all loops are computed
// by one call, if the loop takes them, or those of the loop of rows, and of the
// loop around it as groups. Groups of a result that is not dense are calls of
// their own.
HWY_NOINLINE inline void RunRows(const RowLoop& loop, bool swapped,
                                 const Task& task) {
  RunOdometer runs(task);
  Row rows;
  rows.count = runs.count();
  Destination place(runs, task, size_t{loop.out_bytes} * 8);
  rows.out_step = static_cast<ptrdiff_t>(place.step());
  const bool has_groups = !task.has_result();
  const bool takes_outer =
      has_groups && runs.levels() > 2 && HasRowsOf(loop, rows.count);
  OuterLoops outer;
  rows.group_rows = static_cast<size_t>(runs.extent(0));
  RowCursors operands(loop, swapped, runs, task, rows);
  for (size_t k = 0; k < loop.operands; ++k) {
    rows.row_step[k] = operands.change(k, 0);
    rows.group_step[k] = runs.levels() > 1 ? operands.change(k, 1) : 0;
  }
  for (;;) {
    const bool is_last = takes_outer && runs.index(0) == 0;
    const int64_t together = is_last      ? runs.left()
                             : has_groups ? runs.together()
                                          : runs.alike();
    if (is_last) {
      SetOuterLoops(runs, loop, operands, outer);
      rows.outer = &outer;
    }
    rows.out = place.at();
    rows.rows = static_cast<size_t>(together);
    operands.Fetch(rows);
    RunEachRow(loop, rows);
    if (is_last || !operands.Next(together, runs, place)) return;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_RUN_ROWS_INL_H_
