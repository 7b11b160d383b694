// How work is shared among threads: by a loop of the caller's own, so that the
// library starts no thread behind anybody's back. Threads (threads.h) is one
// that is ready to use.

#ifndef BROADLOOM_PARALLEL_H_
#define BROADLOOM_PARALLEL_H_

#include <cstddef>

#include "broadloom/internal/config.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// A parallel loop. The library asks for one from the thread that called it, and
// its tasks never ask for another. Whoever lends one loop to several calls at
// once, or calls the library from within a task, needs a loop that bears it, as
// those of Threads do. Here is OpenMP's. Example:
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
  // Null: as if no loop were lent. Calls task(state, i) for each i < tasks, on
  // any threads in any order, and returns when all are done. `context` is
  // handed back unchanged.
  void (*run)(void* context, size_t tasks,
              void (*task)(void* state, size_t index), void* state);
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PARALLEL_H_
