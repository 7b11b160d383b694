// Runs kernels that compute each row by one call of a loop.

#include <cstddef>
#include <cstdint>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/elementwise.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/each_row-inl.h"
#include "kernels/rows/run_loop-inl.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/run_rows-inl.h"
#include "kernels/rows/run_task-inl.h"
#include "kernels/rows/whole_vector_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

namespace {

// Whether a loop streams runs to the result itself: those of whole cache lines,
// and long ones. Both ends of others are ordinary stores, which wait for memory
// (LineStream). If elements are not aligned to their width, no vector of them
// is.
bool StreamsRuns(const Schedule& schedule, size_t out_bytes,
                 uintptr_t address) {
  constexpr size_t kLongRunBytes = 32768;
  const auto bytes_of = [&](int64_t steps) {
    return static_cast<size_t>(steps * schedule.step_elements()) * out_bytes;
  };
  const size_t run = bytes_of(schedule.run_steps());
  // There may be one turn, which ends within a line.
  const size_t turn =
      schedule.split() == 0 ? 0 : bytes_of(schedule.split_extent());
  return address % out_bytes == 0 &&
         (run >= kLongRunBytes || (run | turn | address) % kVectorBytes == 0);
}

template <size_t kMostOperands>
HWY_NOINLINE void RunOnRows(const RowLoop& loop, bool swapped,
                            const Task& task) {
  RowFormat format = RowFormatOf(loop, swapped);
  const auto address = reinterpret_cast<uintptr_t>(task.out);
  format.streams = task.streams() && loop.stream != nullptr &&
                   StreamsRuns(task.work->schedule, loop.out_bytes, address);
  for (size_t k = 0; k < 2; ++k) {
    format.shuffles[k] = !task.streams() && loop.shuffle[k] != nullptr;
  }
  RowLoop chosen = loop;
  if (format.streams) chosen.run = loop.stream;
  const bool can_read_beyond = kLoopsTakeWholeVectors && CanReadBeyond(task);
  format.takes_rows = !format.streams;
  ForEachRow<kMostOperands>(
      task, format, [&](const Row& row, const Shuffles* shuffles) {
        if (shuffles != nullptr) {
          chosen.shuffle[shuffles->operand](row, *shuffles);
        } else if (row.rows > 1) {
          if constexpr (kLoopsTakeWholeVectors) {
            RunWholeVectorRows(chosen, row, can_read_beyond);
          } else {
            RunEachRow(chosen, row);
          }
        } else {
          RunRow(chosen, row);
        }
      });
}

}  // namespace

#if HWY_ARCH_WASM
void ForEachRowOfBody(const Task& task, const RowFormat& format, RowBody body) {
  ForEachRowInline<kMostLoopOperands>(task, format, body);
}
#endif

HWY_NOINLINE void RunLoopOnRows(const RowLoop& loop, bool swapped,
                                const Task& task) {
  // Two operands need less of the stack. WebAssembly, which has enough, saves
  // the code.
  if (!HWY_ARCH_WASM && loop.operands < kMostLoopOperands) {
    return RunOnRows<kMostLoopOperands - 1>(loop, swapped, task);
  }
  RunOnRows<kMostLoopOperands>(loop, swapped, task);
}

void RunElementwise(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ElementwiseKernel&>(self);
  RunLoop(kernel.loop, kernel.swapped, task);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
