// What execution and the kernels agree on. Kernels know loops and runs, not
// shapes and rules; they are compiled once for each SIMD target and chosen at
// run time.

#ifndef BROADLOOM_KERNELS_ROWS_TASK_H_
#define BROADLOOM_KERNELS_ROWS_TASK_H_

#include <cstdint>

#include "broadloom/internal/work.h"
#include "loops/operand_memory.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Whether the platform has stores that go past the caches.
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
  // The result's first element, whichever runs are asked for: run 0 begins
  // there. Packed results begin `out_first` elements after the first bit of it.
  void* out;
  int64_t out_first;
  int64_t begin;  // runs [begin, end)
  int64_t end;
  // Past the caches, where there are stores for it. Other threads see the
  // result when the task is done.
  bool past_caches;
  [[nodiscard]] bool streams() const {
    return kHasStreamingStores && past_caches;
  }
};

// A kernel computes tasks. It may read an operand that is exactly `out` (in
// place), never one that overlaps it otherwise. Neighbouring elements of packed
// types that share a byte with the runs keep their value; tasks that share a
// byte must not run at once. What a kernel knows beside its function follows it
// in memory, as in a class derived from this one.
struct Kernel {
  void (*run_task)(const Kernel& self, const Task& task);

  void run(const Task& task) const { run_task(*this, task); }
};

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_TASK_H_
