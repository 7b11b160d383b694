// A parallel loop for threads that share this module's memory. One of them
// leads: it calls the library and computes tasks itself. The others help: they
// wait until it has a loop, and take tasks of it.

#include "threads/pool.h"

#include <emscripten/emscripten.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "broadloom/broadloom.h"

namespace broadloom_wasm {

namespace {

// How often a thread checks before it sleeps: some tens of microseconds.
constexpr int kSpins = 20'000;

// A number on which threads can sleep until it changes.
class Signal {
 public:
  [[nodiscard]] uint32_t value() const { return value_; }
  void Change() {
    ++value_;
    __builtin_wasm_memory_atomic_notify(Address(), UINT32_MAX);
  }
  // Returns when the value is no longer `seen`: spins, then sleeps.
  void WaitFor(uint32_t seen) {
    for (int spins = 0; spins < kSpins; ++spins) {
      if (value_ != seen) return;
    }
    while (value_ == seen) {
      __builtin_wasm_memory_atomic_wait32(Address(), static_cast<int>(seen),
                                          -1);
    }
  }

 private:
  int* Address() { return reinterpret_cast<int*>(&value_); }

  std::atomic<uint32_t> value_ = 0;
  static_assert(sizeof value_ == sizeof(int));
};

// The loop that is running. The leader writes it while no helper works on it.
struct Loop {
  void (*task)(void* state, size_t index) = nullptr;
  void* state = nullptr;
  size_t tasks = 0;
  std::atomic<size_t> next = 0;  // the next task; none is left from `tasks` on

  void Work() {
    for (;;) {
      const size_t index = next.fetch_add(1);
      if (index >= tasks) return;
      task(state, index);
    }
  }
};

Loop loop;
// Whether helpers may work on the loop, and how many are looking or do. A
// helper counts itself before it looks whether the loop is open; the leader
// closes the loop before it looks at the count. So one of the two sees what the
// other wrote.
std::atomic<bool> is_open = false;
std::atomic<uint32_t> helpers = 0;
Signal has_work;  // or the threads are to end
Signal is_done;
std::atomic<bool> ends = false;

bool leads = false;

void RunLoop(void*, size_t tasks, void (*task)(void* state, size_t index),
             void* state) {
  loop.task = task;
  loop.state = state;
  loop.tasks = tasks;
  loop.next = 0;
  is_open = true;
  has_work.Change();
  loop.Work();
  is_open = false;
  for (;;) {
    const uint32_t seen = is_done.value();
    if (helpers == 0) return;
    is_done.WaitFor(seen);
  }
}

ParallelFor parallel{nullptr, 1, &RunLoop};

}  // namespace

const ParallelFor* Pool() { return leads ? &parallel : nullptr; }

extern "C" {

int32_t broadloom_run(const Plan* plan, bool boxed);
int32_t broadloom_sum_run(const SumPlan* plan);

// Makes the calling thread the leader of so many threads, itself included,
// while it runs a plan as broadloom_run does, or a sum as broadloom_sum_run
// does.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_lead(size_t threads, const void* plan,
                                            bool sums, bool boxed) {
  parallel.threads = threads;
  leads = true;
  const int32_t status =
      sums ? broadloom_sum_run(static_cast<const SumPlan*>(plan))
           : broadloom_run(static_cast<const Plan*>(plan), boxed);
  leads = false;
  return status;
}

// Helps the leader, until broadloom_end is called.
EMSCRIPTEN_KEEPALIVE void broadloom_help() {
  for (;;) {
    const uint32_t seen = has_work.value();
    if (ends) return;
    ++helpers;
    if (is_open) loop.Work();
    if (--helpers == 0) is_done.Change();
    has_work.WaitFor(seen);
  }
}

// Lets the helpers return. They may be terminated afterwards; not every
// platform wakes a thread that sleeps for that.
EMSCRIPTEN_KEEPALIVE void broadloom_end() {
  ends = true;
  has_work.Change();
}

}  // extern "C"

}  // namespace broadloom_wasm
