// What execution gives to a kernel: a task. Kernels know loops and runs, but no
// shapes and no rules. They are compiled once for each SIMD target, and the
// target is chosen at run time.

#ifndef BROADLOOM_KERNELS_ROWS_TASK_H_
#define BROADLOOM_KERNELS_ROWS_TASK_H_

#include <cstddef>
#include <cstdint>

#include "base/built.h"
#include "broadloom/internal/work.h"
#include "loops/operand_memory.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Whether the platform has streaming stores: stores that bypass the caches.
#if defined(__wasm__)
inline constexpr bool kHasStreamingStores = false;
#else
inline constexpr bool kHasStreamingStores = true;
#endif

// Some runs of a result.
struct Task {
  const Work* work;
  // One for each operand of the work.
  const OperandMemory* operands;
  // Where run 0 of the result begins, also if the task begins with a later run.
  // The elements of packed types begin `out_first` elements after the first bit
  // of `out`. The result is dense unless the nest has it.
  void* out;
  int64_t out_first;
  int64_t begin;  // runs [begin, end)
  int64_t end;
  // Asks for streaming stores, where the platform has them. Other threads see
  // the result when the task is done.
  bool past_caches;
  [[nodiscard]] bool streams() const {
    return kHasStreamingStores && past_caches;
  }
  // Whether the nest has the result, which is not dense then; and whether its
  // elements are scattered.
  [[nodiscard]] bool has_result() const {
    return kStridedResultsBuilt && work->nest.has_result();
  }
  // Without the result.
  [[nodiscard]] size_t operand_count() const {
    return work->nest.operand_count() - (has_result() ? 1 : 0);
  }
  [[nodiscard]] bool scatters_result() const {
    return kStridedResultsBuilt && work->ScattersResult();
  }
};

// A kernel computes tasks. An operand may be exactly the memory of the result
// (in place); it must not overlap it in any other way. Elements of packed types
// that share a byte with the task's runs, but do not belong to them, keep their
// values; two tasks that share a byte must not run at the same time. Data that
// a kernel needs besides its function lies in a class derived from this one.
struct Kernel {
  void (*run_task)(const Kernel& self, const Task& task);
  // With how many operands, at most, the kernel computes many rows by one call,
  // and with how many, at least, it takes blocks (RunUse).
  uint8_t row_operands = 0;
  LoopBytes loop_bytes = {};
  size_t block_operands = SIZE_MAX;

  void run(const Task& task) const { run_task(*this, task); }
  [[nodiscard]] KernelRuns UseOfRuns(size_t operands) const {
    const RunUse use = operands >= block_operands ? RunUse::kBlocks
                       : operands > row_operands  ? RunUse::kOneByOne
                                                  : RunUse::kRows;
    return {use, loop_bytes};
  }
};

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_TASK_H_
