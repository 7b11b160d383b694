// The parallel loop that the caller gives to share work among threads. The
// library starts no threads by itself; Threads (threads.h) provides such a
// loop.

#ifndef BROADLOOM_PARALLEL_H_
#define BROADLOOM_PARALLEL_H_

#include <cstddef>

#include "broadloom/internal/config.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// A parallel loop. The library runs it from the thread that called the library,
// and never within one of its tasks. If the same loop is given to several calls
// at once, or a task of the caller calls the library, the loop must allow that,
// as the loop of Threads does. Example, with OpenMP:
//   const ParallelFor loop{
//       nullptr, 8,
//       [](void*, size_t tasks, void (*task)(void*, size_t), void* state) {
//   #pragma omp parallel for schedule(dynamic)
//         for (size_t i = 0; i < tasks; ++i) task(state, i);
//       }};
struct ParallelFor {
  void* context;
  // How many threads may work at once.
  size_t threads;
  // Calls task(state, i) for each i < tasks, on any threads and in any order,
  // and returns when all are done. `context` is the field above, unchanged.
  // Null: as if there were no loop.
  void (*run)(void* context, size_t tasks,
              void (*task)(void* state, size_t index), void* state);
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PARALLEL_H_
