// Runs one loop on a task, whatever its operands look like.

#if defined(BROADLOOM_KERNELS_ROWS_RUN_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_RUN_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_RUN_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_RUN_LOOP_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/rows/interleaved_rows-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_rows-inl.h"
#include "kernels/rows/small_result-inl.h"
#include "kernels/rows/small_rows-inl.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Run by run (elementwise.cc).
void RunLoopOnRows(const RowLoop& loop, bool swapped, const Task& task);

// `swapped`: the loop's first operand is the task's last one. Several
// functions: small results would otherwise wait for the large frame of the last
// one.
HWY_INLINE void RunLoop(const RowLoop& loop, bool swapped, const Task& task) {
  if constexpr (kLoopsTakeRows) {
    if (FitsVector(task)) return RunSmall(loop, swapped, task);
  }
  if (IsOneRow(loop, task)) return RunOneRow(loop, swapped, task);
  if constexpr (kLoopsTakeRows) {
    if (HasSmallRows(loop, swapped, task)) {
      return RunSmallRows(loop, swapped, task);
    }
    if (InterleavesRows(loop, task)) {
      return RunInterleavedRows(loop, swapped, task);
    }
    if (TakesRows(loop, task)) return RunRows(loop, swapped, task);
  }
  RunLoopOnRows(loop, swapped, task);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_RUN_LOOP_INL_H_
