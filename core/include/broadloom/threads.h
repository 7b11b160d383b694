// Threads that are ready to use as a ParallelFor. Native builds only. Example:
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

// Any number of callers may use the same threads at once, and a task may run a
// loop on the threads that it runs on. The threads serve all loops that there
// are; each caller works on its own loop, too, and so never waits for a thread
// to be free. A thread without work spins for some tens of microseconds, and
// then sleeps until there is work.
//
// A forked process has none of its parent's threads: there, loops run on the
// caller's thread alone. Make new ones for more. A task that forks must not
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

  // Starts `threads` - 1 threads, which wait for work; the caller's own is the
  // last one. 0: as many as the machine runs at once. Where the system refuses
  // a thread (a limit on processes, on a container or on address space) there
  // are fewer, perhaps the caller's alone, since results are the same for any
  // number: parallel_for().threads is how many there are. Errors: kLimit for
  // more than kMostThreads, kAllocation when `allocator` refuses memory, which
  // it is asked for once.
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
