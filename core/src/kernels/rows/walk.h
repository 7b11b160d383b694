// The way through the runs of a task: an odometer over the loops around the
// runs, and positions that go along with it without a multiplication.

#ifndef BROADLOOM_KERNELS_ROWS_WALK_H_
#define BROADLOOM_KERNELS_ROWS_WALK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// The levels of a walk, innermost first, are the runs of a turn of the split
// loop and the loops around that one.
class Walk {
 public:
  // A loop has at least two steps, and all of them together an int64_t.
  static constexpr size_t kMostLevels = 64;

  // Stands at the first run of the task, which has at least one.
  explicit Walk(const Task& task)
      : left_(task.end - task.begin),
        full_(task.work->schedule.run_steps() *
              task.work->schedule.step_elements()) {
    const Schedule& schedule = task.work->schedule;
    last_ = schedule.split_extent() * schedule.step_elements() -
            (schedule.runs_a_turn() - 1) * full_;
    size_t loop = schedule.split();
    if (schedule.swaps_outer_loop()) {
      run_level_ = 1;
      --loop;
      Push(task.work->nest.extent(loop), loop);
    }
    Push(schedule.runs_a_turn(), kNoLoop);
    while (loop-- > 0) Push(task.work->nest.extent(loop), loop);
    if (task.begin == 0) return;
    int64_t rest = task.begin;
    for (size_t level = 0; level < levels_; ++level) {
      index_[level] = rest % extents_[level];
      rest /= extents_[level];
    }
  }

  // Elements of the run.
  [[nodiscard]] size_t count() const { return count(0); }

  // How many runs of the task come right after this one, in its turn.
  [[nodiscard]] int64_t following() const {
    if (run_level_ != 0) return 0;
    return std::min(left_, extents_[0] - index_[0]) - 1;
  }
  // Elements of the run and of `following` runs after it.
  [[nodiscard]] size_t count(int64_t following) const {
    const bool last =
        index_[run_level_] + following + 1 == extents_[run_level_];
    return static_cast<size_t>(following * full_ + (last ? last_ : full_));
  }
  // Goes on by so many runs of the turn.
  void Skip(int64_t following) {
    left_ -= following;
    index_[0] += following;
  }

  // Goes on to the next run; false when there is none.
  [[nodiscard]] bool Next() {
    if (--left_ == 0) return false;
    size_t level = 0;
    for (; ++index_[level] == extents_[level]; ++level) index_[level] = 0;
    turned_ = level;
    return true;
  }
  // The level that Next has moved on; all inside it begin anew.
  [[nodiscard]] size_t turned() const { return turned_; }

  [[nodiscard]] size_t levels() const { return levels_; }
  [[nodiscard]] int64_t extent(size_t level) const { return extents_[level]; }
  [[nodiscard]] int64_t index(size_t level) const { return index_[level]; }
  // Whether the level's steps are the runs of a turn; else they are those of
  // the loop `loop(level)` of the nest.
  [[nodiscard]] bool is_run(size_t level) const { return level == run_level_; }
  [[nodiscard]] size_t loop(size_t level) const { return loops_[level]; }

 private:
  static constexpr size_t kNoLoop = static_cast<size_t>(-1);

  void Push(int64_t extent, size_t loop) {
    extents_[levels_] = extent;
    loops_[levels_] = loop;
    index_[levels_++] = 0;
  }

  int64_t left_;
  const int64_t full_;  // elements of a run
  int64_t last_;        // and of a turn's last one
  size_t run_level_ = 0;
  size_t levels_ = 0;
  size_t turned_ = 0;
  int64_t index_[kMostLevels];
  int64_t extents_[kMostLevels];
  size_t loops_[kMostLevels];
};

// A number that changes by a stride with each step of a level.
class Position {
 public:
  // Where the walk stands, if it began at `first`. stride_of(level) is the
  // stride of a level.
  template <class StrideOf>
  void Begin(const Walk& walk, int64_t first, const StrideOf& stride_of) {
    at_ = first;
    int64_t back = 0;  // from the last step of the levels inside to the first
    for (size_t level = 0; level < walk.levels(); ++level) {
      const int64_t stride = stride_of(level);
      at_ += walk.index(level) * stride;
      changes_[level] = stride - back;
      back += (walk.extent(level) - 1) * stride;
    }
  }

  void Follow(const Walk& walk) { at_ += changes_[walk.turned()]; }
  // As the walk's Skip.
  void Skip(int64_t following) { at_ += following * changes_[0]; }
  [[nodiscard]] int64_t at() const { return at_; }

 private:
  int64_t at_ = 0;
  int64_t changes_[Walk::kMostLevels];
};

// The element with which an operand's run begins.
inline void BeginOperand(const Walk& walk, const Task& task, size_t operand,
                         Position& position) {
  const Schedule& schedule = task.work->schedule;
  const LoopNest& nest = task.work->nest;
  position.Begin(walk, task.operands[operand].first, [&](size_t level) {
    if (!walk.is_run(level)) return nest.stride(operand, walk.loop(level));
    return nest.loop_count() == 0
               ? 0
               : schedule.run_steps() * nest.stride(operand, schedule.split());
  });
}

// The element of the result with which its run begins.
inline void BeginResult(const Walk& walk, const Task& task, int64_t first,
                        Position& position) {
  const Schedule& schedule = task.work->schedule;
  const int64_t turn = schedule.split_extent() * schedule.step_elements();
  int64_t outer = turn;
  // From the inside out, whatever the order of the walk is.
  int64_t strides[Walk::kMostLevels];
  for (size_t loop = schedule.split(); loop-- > 0;) {
    strides[loop] = outer;
    outer *= task.work->nest.extent(loop);
  }
  position.Begin(walk, first, [&](size_t level) {
    return walk.is_run(level) ? schedule.run_steps() * schedule.step_elements()
                              : strides[walk.loop(level)];
  });
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_WALK_H_
