// Shares the runs of a result among threads.

#ifndef BROADLOOM_RUN_SHARE_RUNS_H_
#define BROADLOOM_RUN_SHARE_RUNS_H_

#include "broadloom/parallel.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {

// Computes `task`, all runs of a result, on the threads of `parallel`, if that
// pays. Returns false, and computes nothing, where it does not. `result_bits`
// are those of an element of the result, `widest_bits` those of the widest
// element among result and operands.
[[nodiscard]] bool ShareRuns(const kernels::Kernel& kernel,
                             const kernels::Task& task, int result_bits,
                             int widest_bits, const ParallelFor& parallel);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RUN_SHARE_RUNS_H_
