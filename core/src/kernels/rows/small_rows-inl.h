// Results that do not fit a vector, but of a few hundred bytes: computed row by
// row. Rows that are shorter than the loop takes are computed in buffers, where
// each of them may write a vector or more.

#if defined(BROADLOOM_KERNELS_ROWS_SMALL_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_SMALL_ROWS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_SMALL_ROWS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_SMALL_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Whether RunSmallRows takes the task: a whole small result whose operands are
// no larger, and have consecutive elements or one element along the innermost
// loop. It is no result that RunOneRow takes.
HWY_INLINE bool HasSmallRows(const RowLoop& loop, bool swapped,
                             const Task& task) {
  const Schedule& schedule = task.work->schedule;
  if (!schedule.is_small() || task.end != 1) return false;
  const LoopNest& nest = task.work->nest;
  const size_t inner = nest.loop_count() - 1;
  for (size_t k = 0; k < loop.operands; ++k) {
    const size_t operand = swapped ? loop.operands - 1 - k : k;
    const OperandMemory& memory = task.operands[operand];
    if (static_cast<uint64_t>(nest.stride(operand, inner)) > 1 ||
        memory.bytes > Schedule::kSmallBytes || memory.has_gaps()) {
      return false;
    }
  }
  return true;
}

// In buffers, each row is computed with as many elements as the loop takes at
// least. What is too much is overwritten by the next row.
HWY_NOINLINE inline void RunSmallRows(const RowLoop& loop, bool swapped,
                                      const Task& task) {
  constexpr size_t kBytes = Schedule::kSmallBytes;
  const LoopNest& nest = task.work->nest;
  const size_t loops = nest.loop_count();
  const size_t columns = static_cast<size_t>(nest.extent(loops - 1));
  // Other loops for rows gain nothing on few of them.
  const bool takes_rows =
      TakesShortRows(loop) && columns >= loop.least_row_count;
  const size_t least = takes_rows ? loop.least_row_count : loop.least_count;
  Row rows;
  rows.has_splats = false;
  const bool buffers = columns < least;
  rows.count = buffers ? least : columns;
  rows.rows = loops > 1 ? static_cast<size_t>(nest.extent(loops - 2)) : 1;
  rows.out_step = static_cast<ptrdiff_t>(columns * loop.out_bytes);
  // A row reads and writes less than two vectors' worth of elements too much.
  alignas(kVectorBytes)
      uint8_t copies[kMostLoopOperands][kBytes + 2 * kVectorBytes];
  alignas(kVectorBytes) uint8_t result[kBytes + 2 * kVectorBytes];
  size_t operands[kMostLoopOperands];
  for (size_t k = 0; k < loop.operands; ++k) {
    operands[k] = swapped ? loop.operands - 1 - k : k;
    const OperandMemory& memory = task.operands[operands[k]];
    const int64_t bytes = loop.in_bytes[k];
    const auto* data = static_cast<const uint8_t*>(memory.data);
    if (buffers) {
      Copy(data, static_cast<size_t>(memory.bytes), copies[k]);
      data = copies[k];
    }
    rows.in[k] = data + memory.first * bytes;
    rows.step[k] = nest.stride(operands[k], loops - 1) != 0;
    rows.row_step[k] = static_cast<ptrdiff_t>(
        loops > 1 ? nest.stride(operands[k], loops - 2) * bytes : 0);
  }
  const size_t group_bytes = rows.rows * columns * loop.out_bytes;
  // At least two steps to a loop.
  int64_t index[10] = {};
  uint8_t* to = buffers ? result : static_cast<uint8_t*>(task.out);
  for (;; to += group_bytes) {
    rows.out = to;
    (takes_rows ? loop.rows : loop.run)(rows);
    size_t level = loops < 2 ? 0 : loops - 2;
    for (; level-- > 0;) {
      const int64_t extent = nest.extent(level);
      const bool ends = ++index[level] == extent;
      if (ends) index[level] = 0;
      for (size_t k = 0; k < loop.operands; ++k) {
        rows.in[k] = AddBytes(static_cast<const uint8_t*>(rows.in[k]),
                              nest.stride(operands[k], level) *
                                  static_cast<int64_t>(loop.in_bytes[k]) *
                                  (ends ? 1 - extent : 1));
      }
      if (!ends) break;
    }
    if (level == SIZE_MAX) break;
  }
  if (!buffers) return;
  Copy(result, static_cast<size_t>(to - result) + group_bytes,
       static_cast<uint8_t*>(task.out));
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_SMALL_ROWS_INL_H_
