// Threads, which are the caller's: the library starts none. A caller who has
// some lends them as a ParallelFor; without one everything runs where it is
// called.

#ifndef BROADLOOM_PARALLEL_H_
#define BROADLOOM_PARALLEL_H_

#include <cstddef>

namespace broadloom {
inline namespace v1 {

// `run` calls task(state, i) for each i < tasks, on any threads and in any
// order, and returns when all are done. `threads` says how many run at once,
// so that work can be cut to fit. Results do not depend on either.
struct ParallelFor {
  void* context;
  size_t threads;
  void (*run)(void* context, size_t tasks,
              void (*task)(void* state, size_t index), void* state);
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PARALLEL_H_
