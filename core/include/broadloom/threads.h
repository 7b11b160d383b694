// A pool of threads that provides a ParallelFor. Native builds only. Example:
//   const Result<Threads> threads = Threads::Make(2);
//   const Status ran = Run(plan, inputs, {&output, 1},
//                          {.parallel = &threads->parallel_for()});
//   assert(ran);

#ifndef BROADLOOM_THREADS_H_
#define BROADLOOM_THREADS_H_

#include <cstddef>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/result.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Any number of callers may use the same pool at once, and a task may run a
// loop on the pool that it runs on. The threads work on all running loops. Each
// caller works on its own loop as well, and so never waits for a free thread. A
// thread without work spins for some tens of microseconds and then sleeps.
//
// A forked process does not have its parent's threads: there, loops run on the
// caller's thread alone, unless a new pool is made. A task that forks must not
// return in the child.
class Threads {
 public:
  Threads() noexcept = default;  // the caller's thread alone
  // No loop may be running.
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  Threads(Threads&& other) noexcept;
  Threads& operator=(Threads&& other) noexcept;

  // Starts `threads` - 1 threads; the caller's thread is counted as one. 0: as
  // many as the machine runs at once. If the system refuses a thread (a limit
  // on processes, on a container or on address space), the pool has fewer,
  // perhaps only the caller's; results do not depend on the number, and
  // parallel_for().threads is that number. Errors: kLimit for
  // more than kMostThreads, kAllocation when `allocator` refuses memory (it is
  // called once).
  [[nodiscard]] static Result<Threads> Make(
      size_t threads = 0,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // Valid until the object is moved or destroyed.
  [[nodiscard]] const ParallelFor& parallel_for() const noexcept {
    return parallel_for_;
  }

 private:
  static void RunAlone(void* context, size_t tasks,
                       void (*task)(void* state, size_t index), void* state);

  class Pool;

  Pool* pool_ = nullptr;
  ParallelFor parallel_for_{nullptr, 1, &RunAlone};
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_THREADS_H_
