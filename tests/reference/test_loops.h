// Parallel loops for tests: one that runs tasks from last to first, and one
// that starts new threads for every loop. Both count their calls.

#ifndef BROADLOOM_TESTS_REFERENCE_TEST_LOOPS_H_
#define BROADLOOM_TESTS_REFERENCE_TEST_LOOPS_H_

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "broadloom/parallel.h"

namespace reference {

class TestLoop {
 public:
  explicit TestLoop(size_t threads, bool real = false)
      : loop_{this, threads, real ? &RunOnThreads : &RunBackwards} {}
  TestLoop(const TestLoop&) = delete;
  TestLoop& operator=(const TestLoop&) = delete;

  const broadloom::ParallelFor* get() const { return &loop_; }
  size_t calls() const { return calls_; }
  size_t tasks() const { return tasks_; }

 private:
  using Task = void (*)(void* state, size_t index);

  static void RunBackwards(void* context, size_t tasks, Task task,
                           void* state) {
    TestLoop& self = *static_cast<TestLoop*>(context);
    ++self.calls_;
    self.tasks_ += tasks;
    for (size_t i = tasks; i-- > 0;) task(state, i);
  }

  static void RunOnThreads(void* context, size_t tasks, Task task,
                           void* state) {
    TestLoop& self = *static_cast<TestLoop*>(context);
    ++self.calls_;
    self.tasks_ += tasks;
    std::atomic<size_t> next = 0;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < self.loop_.threads; ++i) {
      threads.emplace_back([&] {
        for (size_t mine; (mine = next++) < tasks;) task(state, mine);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  broadloom::ParallelFor loop_;
  size_t calls_ = 0;
  size_t tasks_ = 0;
};

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_TEST_LOOPS_H_
