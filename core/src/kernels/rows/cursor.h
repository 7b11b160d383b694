// Offsets that follow the runs of a task.

#ifndef BROADLOOM_KERNELS_ROWS_CURSOR_H_
#define BROADLOOM_KERNELS_ROWS_CURSOR_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// An offset that changes by one stride with each step of a level of a
// RunOdometer. To follow the odometer takes one addition.
class Cursor {
 public:
  // Sets the offset for the odometer's current run, where `first` is the offset
  // of run 0 and stride_of(level) the stride of a level.
  template <class StrideOf>
  void Begin(const RunOdometer& runs, int64_t first,
             const StrideOf& stride_of) {
    at_ = first;
    // From the first step of all levels inside to their last step.
    int64_t back = 0;
    for (size_t level = 0; level < runs.levels(); ++level) {
      const int64_t stride = stride_of(level);
      at_ += runs.index(level) * stride;
      changes_[level] = stride - back;
      back += (runs.extent(level) - 1) * stride;
    }
  }

  // Call once after each Next() of the odometer.
  void Follow(const RunOdometer& runs) { at_ += changes_[runs.advanced()]; }
  // Call once after each Skip(following) of the odometer.
  void Skip(int64_t following) { at_ += following * changes_[0]; }
  // Call once after each SkipTogether(runs) of the odometer, which returned
  // `steps`.
  void SkipTogether(int64_t runs, int64_t steps) {
    at_ += (runs - 1 - steps) * changes_[0] + steps * changes_[1];
  }
  [[nodiscard]] int64_t at() const { return at_; }
  // The change when `level` advances and all levels inside it begin again. The
  // odometer has that level.
  [[nodiscard]] int64_t change(size_t level) const { return changes_[level]; }
  // The change when `level` alone advances. The odometer has that level.
  [[nodiscard]] int64_t stride(const RunOdometer& runs, size_t level) const {
    int64_t stride = changes_[level];
    int64_t back = 0;
    for (size_t inner = 0; inner < level; ++inner) {
      back += (runs.extent(inner) - 1) * (changes_[inner] + back);
    }
    return stride + back;
  }

 private:
  int64_t at_ = 0;
  int64_t changes_[RunOdometer::kMostLevels];
};

// Makes `cursor` the first element of the operand in each run; run 0 begins at
// element `first`.
inline void BeginOperandAt(const RunOdometer& runs, const Task& task,
                           size_t operand, int64_t first, Cursor& cursor) {
  const Schedule& schedule = task.work->schedule;
  const LoopNest& nest = task.work->nest;
  cursor.Begin(runs, first, [&](size_t level) {
    if (!runs.is_run(level)) return nest.stride(operand, runs.loop(level));
    return nest.loop_count() == 0
               ? 0
               : schedule.run_steps() * nest.stride(operand, schedule.split());
  });
}

inline void BeginOperand(const RunOdometer& runs, const Task& task,
                         size_t operand, Cursor& cursor) {
  BeginOperandAt(runs, task, operand, task.operands[operand].first, cursor);
}

// Makes `cursor` the first element of the result in each run, counted from the
// first bit of task.out.
inline void BeginResult(const RunOdometer& runs, const Task& task,
                        Cursor& cursor) {
  const Schedule& schedule = task.work->schedule;
  const LoopNest& nest = task.work->nest;
  if (task.has_result()) {
    BeginOperandAt(runs, task, nest.operand_count() - 1, task.out_first,
                   cursor);
    return;
  }
  const int64_t turn = schedule.split_extent() * schedule.step_elements();
  int64_t outer = turn;
  // Strides are computed in the order of the loops, because the odometer may
  // have swapped two of them.
  int64_t strides[RunOdometer::kMostLevels];
  for (size_t loop = schedule.split(); loop-- > 0;) {
    strides[loop] = outer;
    outer *= nest.extent(loop);
  }
  cursor.Begin(runs, task.out_first, [&](size_t level) {
    return runs.is_run(level) ? schedule.run_steps() * schedule.step_elements()
                              : strides[runs.loop(level)];
  });
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_CURSOR_H_
