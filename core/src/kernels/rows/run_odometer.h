// Goes through the runs of a task, like an odometer: the index of the innermost
// level counts up, and when it has reached its extent, the next level advances.

#ifndef BROADLOOM_KERNELS_ROWS_RUN_ODOMETER_H_
#define BROADLOOM_KERNELS_ROWS_RUN_ODOMETER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// The levels, innermost first, are the runs of one turn of the split loop and
// the loops around the split loop. Where the schedule swaps the loop around the
// split one, that loop is the innermost level, and the runs are the second.
class RunOdometer {
 public:
  // Every level has at least two steps, and the product of all steps fits an
  // int64_t.
  static constexpr size_t kMostLevels = 64;

  // Begins at the first run of the task. The task has at least one run.
  explicit RunOdometer(const Task& task)
      : left_(task.end - task.begin),
        full_(task.work->schedule.run_steps() *
              task.work->schedule.step_elements()) {
    const Schedule& schedule = task.work->schedule;
    last_ = schedule.split_extent() * schedule.step_elements() -
            (schedule.runs_a_turn() - 1) * full_;
    size_t loop = schedule.split();
    if (schedule.swaps_outer_loop()) {
      --loop;
      Push(task.work->nest.extent(loop), loop);
    }
    if (schedule.runs_a_turn() > 1) {
      run_level_ = levels_;
      Push(schedule.runs_a_turn(), kNone);
    }
    while (loop-- > 0) Push(task.work->nest.extent(loop), loop);
    if (task.begin == 0) return;
    int64_t rest = task.begin;
    for (size_t level = 0; level < levels_; ++level) {
      index_[level] = rest % extents_[level];
      rest /= extents_[level];
    }
  }

  // Runs of the task from the current one on.
  [[nodiscard]] int64_t left() const { return left_; }
  // Elements of the current run.
  [[nodiscard]] size_t count() const { return count(0); }

  // Elements of the shortest run.
  [[nodiscard]] int64_t least_count() const { return std::min(full_, last_); }

  // How many runs of the task follow the current one in the same turn of the
  // split loop: their results are consecutive. 0 if the loop around the split
  // one is swapped inside.
  [[nodiscard]] int64_t following() const {
    if (run_level_ != 0) return 0;
    return std::min(left_, extents_[0] - index_[0]) - 1;
  }
  // Elements of the current run and of the `following` runs after it.
  [[nodiscard]] size_t count(int64_t following) const {
    const bool last =
        run_level_ == kNone ||
        index_[run_level_] + following + 1 == extents_[run_level_];
    return static_cast<size_t>(following * full_ + (last ? last_ : full_));
  }
  // How many runs of the task, the current one included, differ from it in the
  // innermost level only and have as many elements.
  [[nodiscard]] int64_t alike() const {
    if (levels_ == 0) return 1;
    const int64_t steps = std::min(left_, extents_[0] - index_[0]);
    const bool ends_short = run_level_ == 0 && last_ != full_ && steps > 1 &&
                            index_[0] + steps == extents_[0];
    return steps - ends_short;
  }
  // How many runs of the task, the current one included, differ from it in the
  // innermost level only; or in the two innermost ones, if the current one is
  // the first of a step of the second.
  [[nodiscard]] int64_t together() const {
    const int64_t steps = extents_[0] - index_[0];
    return std::min(left_, index_[0] != 0 || levels_ == 1
                               ? steps
                               : (extents_[1] - index_[1]) * steps);
  }
  // Advances to the last one of the first `runs` such runs. Returns how many of
  // them, after the first, begin a step of the second level.
  int64_t SkipTogether(int64_t runs) {
    left_ -= runs - 1;
    index_[0] += runs - 1;
    if (index_[0] < extents_[0]) return 0;
    const int64_t steps = index_[0] / extents_[0];
    index_[0] -= steps * extents_[0];
    index_[1] += steps;
    return steps;
  }
  // Advances by `following` runs along the innermost level.
  void Skip(int64_t following) {
    left_ -= following;
    index_[0] += following;
  }

  // Advances to the next run. Returns false if there is none.
  [[nodiscard]] bool Next() {
    if (--left_ == 0) return false;
    size_t level = 0;
    for (; ++index_[level] == extents_[level]; ++level) index_[level] = 0;
    advanced_ = level;
    return true;
  }
  // The level that Next advanced. All levels inside it begin again at 0.
  [[nodiscard]] size_t advanced() const { return advanced_; }

  [[nodiscard]] size_t levels() const { return levels_; }
  [[nodiscard]] int64_t extent(size_t level) const { return extents_[level]; }
  [[nodiscard]] int64_t index(size_t level) const { return index_[level]; }
  // Whether the steps of the level are the runs of a turn. If not, they are the
  // steps of loop `loop(level)` of the nest.
  [[nodiscard]] bool is_run(size_t level) const { return level == run_level_; }
  [[nodiscard]] size_t loop(size_t level) const { return loops_[level]; }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  void Push(int64_t extent, size_t loop) {
    extents_[levels_] = extent;
    loops_[levels_] = loop;
    index_[levels_++] = 0;
  }

  int64_t left_;        // runs of the task, the current one included
  const int64_t full_;  // elements of a run, unless it is the last of a turn
  int64_t last_;        // elements of the last run of a turn
  size_t run_level_ = kNone;
  size_t levels_ = 0;
  size_t advanced_ = 0;
  int64_t index_[kMostLevels];
  int64_t extents_[kMostLevels];
  size_t loops_[kMostLevels];
};

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_RUN_ODOMETER_H_
