// Folds the rows of a task in registers.

#if defined(BROADLOOM_KERNELS_ROWS_FOLD_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_FOLD_ROWS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_FOLD_ROWS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_FOLD_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Shorter rows are folded faster one operand after the other, whose loops know
// what its operands look like.
constexpr int64_t kLeastFoldedBytes = 2 * kVectorBytes;

// Whether RunFoldRows takes the task: the result is dense, and each of the few
// operands has consecutive elements or one element along the innermost loop.
inline bool FoldsRows(const FoldKernel& kernel, const Task& task) {
  const LoopNest& nest = task.work->nest;
  if (kernel.fused == nullptr || task.has_result() || nest.loop_count() == 0 ||
      nest.operand_count() > kMostFused) {
    return false;
  }
  const size_t inner = nest.loop_count() - 1;
  if (nest.extent(inner) * kernel.element_bytes < kLeastFoldedBytes) {
    return false;
  }
  for (size_t k = 0; k < nest.operand_count(); ++k) {
    if (static_cast<uint64_t>(nest.stride(k, inner)) > 1) return false;
  }
  return true;
}

// Whether the kernel's fused loop takes rows of this length.
inline bool IsLongEnough(const FoldKernel& kernel, const FoldRow& row) {
  const bool takes_short = row.operands <= kMostRowOperands;
  return row.count * kernel.element_bytes >=
         (takes_short ? kernel.loop_bytes.least_row : kVectorBytes);
}

// Runs the fused loop on rows that it takes, or on one row of any length, which
// is padded if it is too short.
HWY_NOINLINE inline void RunFused(const FoldKernel& kernel,
                                  const FoldRow& row) {
  if (IsLongEnough(kernel, row)) return kernel.fused(row);
  const size_t bytes = row.count * kernel.element_bytes;
  alignas(kVectorBytes) uint8_t pad[kMostFused][kVectorBytes];
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  FoldRow padded = row;
  for (size_t k = 0; k < row.operands; ++k) {
    if (row.step[k] == 0) continue;
    std::memset(pad[k], 0, kVectorBytes);
    std::memcpy(pad[k], row.in[k], bytes);
    padded.in[k] = pad[k];
  }
  padded.out = result;
  padded.count = kVectorBytes / kernel.element_bytes;
  kernel.fused(padded);
  std::memcpy(row.out, result, bytes);
}

// The rows of a run: all steps of the loops from the split one to the innermost
// one. Those of the loop around the innermost one are folded by one call. They
// are written with ordinary stores, also where streaming ones are asked for:
// to stream them from a buffer takes 1.7 times as long (Zen 4, 5 operands).
HWY_NOINLINE inline void RunFoldRows(const FoldKernel& kernel,
                                     const Task& task) {
  const LoopNest& nest = task.work->nest;
  const size_t split = task.work->schedule.split();
  const size_t inner = nest.loop_count() - 1;
  const int64_t bytes = kernel.element_bytes;
  FoldRow rows;
  rows.operands = nest.operand_count();
  for (size_t k = 0; k < rows.operands; ++k) {
    rows.step[k] = static_cast<size_t>(nest.stride(k, inner));
    rows.row_step[k] = static_cast<ptrdiff_t>(
        split < inner ? nest.stride(k, inner - 1) * bytes : 0);
  }
  RunOdometer runs(task);
  Cursor place;
  BeginResult(runs, task, place);
  for (;;) {
    const int64_t count = static_cast<int64_t>(runs.count());
    const int64_t columns = split < inner ? nest.extent(inner) : count;
    // Rows of the run, of which so many are folded by one call.
    const int64_t all = count / columns;
    const int64_t together = split + 1 < inner ? nest.extent(inner - 1) : all;
    rows.count = static_cast<size_t>(columns);
    rows.rows = static_cast<size_t>(together);
    rows.out_step = static_cast<ptrdiff_t>(columns * bytes);
    for (size_t k = 0; k < rows.operands; ++k) {
      Cursor first;
      BeginOperand(runs, task, k, first);
      rows.in[k] = AddBytes(static_cast<const uint8_t*>(task.operands[k].data),
                            first.at() * bytes);
    }
    rows.out = AddBytes(static_cast<uint8_t*>(task.out), place.at() * bytes);
    int64_t index[RunOdometer::kMostLevels] = {};
    for (int64_t done = 0;;) {
      RunFused(kernel, rows);
      done += together;
      if (done == all) break;
      rows.out =
          AddBytes(static_cast<uint8_t*>(rows.out), together * columns * bytes);
      // The run ends before the split loop would begin again.
      for (size_t loop = inner - 1; loop-- > split;) {
        const bool wraps = loop > split && index[loop] + 1 == nest.extent(loop);
        const int64_t steps = wraps ? -index[loop] : 1;
        index[loop] += steps;
        for (size_t k = 0; k < rows.operands; ++k) {
          rows.in[k] = AddBytes(static_cast<const uint8_t*>(rows.in[k]),
                                steps * nest.stride(k, loop) * bytes);
        }
        if (!wraps) break;
      }
    }
    if (!runs.Next()) break;
    place.Follow(runs);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_FOLD_ROWS_INL_H_
