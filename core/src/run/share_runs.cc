#include "run/share_runs.h"

#include <cstddef>
#include <cstdint>

#include "base/share.h"
#include "broadloom/internal/schedule.h"
#include "broadloom/internal/work.h"
#include "broadloom/parallel.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Whether a run begins at a bit of the result that is no multiple of 8.
bool BeginsWithinByte(const Schedule& schedule, int64_t run, int bits) {
  const uint64_t turn = static_cast<uint64_t>(run / schedule.runs_a_turn());
  const uint64_t in_turn = static_cast<uint64_t>(run % schedule.runs_a_turn());
  const uint64_t steps = turn * static_cast<uint64_t>(schedule.split_extent()) +
                         in_turn * static_cast<uint64_t>(schedule.run_steps());
  return steps * static_cast<uint64_t>(schedule.step_elements()) *
             static_cast<uint64_t>(bits) % 8 !=
         0;
}

// The first run of task `index` of `tasks`, into which `whole` is cut. Tasks of
// packed results begin at whole bytes, since two threads must not write the
// same byte.
int64_t FirstRunOf(size_t index, size_t tasks, const kernels::Task& whole,
                   int bits) {
  const int64_t runs = whole.end;
  int64_t run = FirstItemOf(static_cast<int64_t>(index),
                            static_cast<int64_t>(tasks), runs);
  const Schedule& schedule = whole.work->schedule;
  while (bits < 8 && run < runs && BeginsWithinByte(schedule, run, bits)) {
    ++run;
  }
  return run;
}

}  // namespace

bool ShareRuns(const kernels::Kernel& kernel, const kernels::Task& task,
               int result_bits, int widest_bits, const ParallelFor& parallel) {
  const double elements = static_cast<double>(task.work->nest.element_count());
  const size_t tasks = TasksFor(elements * widest_bits / 8, &parallel);
  if (tasks < 2 || task.end < 2) return false;
  const auto run_one = [&](size_t index) {
    kernels::Task one = task;
    one.begin = FirstRunOf(index, tasks, task, result_bits);
    one.end = FirstRunOf(index + 1, tasks, task, result_bits);
    if (one.begin < one.end) kernel.run(one);
  };
  RunTasks(parallel, tasks, run_one);
  return true;
}

}  // namespace v1
}  // namespace broadloom
