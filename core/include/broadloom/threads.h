// Threads that are ready to use as a ParallelFor: Highway's pool, which is
// linked into the library. Native builds only.
//
//   Result<Threads> threads = Threads::Make(4);
//   Status ran = Run(plan, inputs, outputs,
//                    {.parallel = &threads->parallel_for()});

#ifndef BROADLOOM_THREADS_H_
#define BROADLOOM_THREADS_H_

#include <cstddef>

#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/result.h"

namespace broadloom {
inline namespace v1 {

class Threads {
 public:
  Threads() noexcept = default;  // the caller's thread alone
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  Threads(Threads&& other) noexcept;
  Threads& operator=(Threads&& other) noexcept;

  // Starts `threads` - 1 threads, which wait for work; the caller's own is the
  // last one. 0: as many as the machine runs at once. Errors: kLimit for more
  // than 1024, kAllocation when the system refuses memory or a thread.
  [[nodiscard]] static Result<Threads> Make(
      size_t threads = 0,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // Valid until the object is moved or destroyed. One loop at a time.
  [[nodiscard]] const ParallelFor& parallel_for() const noexcept {
    return parallel_for_;
  }

 private:
  static void RunAlone(void* context, size_t tasks,
                       void (*task)(void* state, size_t index), void* state);

  void* pool_ = nullptr;
  Allocator allocator_{};
  ParallelFor parallel_for_{nullptr, 1, &RunAlone};
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_THREADS_H_
