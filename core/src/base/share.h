// Shares work among the threads of a caller's parallel loop: into how many
// tasks it is cut, which of its items each task has, and the call of the loop.

#ifndef BROADLOOM_BASE_SHARE_H_
#define BROADLOOM_BASE_SHARE_H_

#include <algorithm>
#include <cstddef>

#include "broadloom/parallel.h"

namespace broadloom {
inline namespace v1 {

// Into how many tasks work on so many bytes is cut. 1: threads do not pay, or
// there are none (`parallel` is null, has no loop or one thread).
[[nodiscard]] size_t TasksFor(double bytes, const ParallelFor* parallel);

// The first of `count` items that belongs to task `task` of `tasks`; for
// `task` == `tasks` it is `count`. Tasks differ by at most one item.
template <class T>
[[nodiscard]] constexpr T FirstItemOf(T task, T tasks, T count) {
  return count / tasks * task + std::min(task, count % tasks);
}

// Calls work(i) for each i < tasks on the threads of `parallel`, and returns
// when all are done.
template <class Work>
void RunTasks(const ParallelFor& parallel, size_t tasks, const Work& work) {
  parallel.run(
      parallel.context, tasks,
      [](void* state, size_t task) {
        (*static_cast<const Work*>(state))(task);
      },
      const_cast<void*>(static_cast<const void*>(&work)));
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_BASE_SHARE_H_
