#include "workers.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace bench {
namespace {

// Rounds follow each other closely, and waking a thread takes longer than most
// rounds, so threads spin. A thread that waits longer sleeps, so that it does
// not slow the work that is timed in turn.
constexpr int kSpins = 20000;

}  // namespace

Workers::Workers(size_t threads) {
  for (size_t number = 1; number < threads; ++number) {
    threads_.emplace_back([this, number] { Serve(number); });
  }
}

Workers::~Workers() {
  ends_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::Run(const std::function<void(size_t)>& task) {
  if (threads_.empty()) return task(0);
  task_ = &task;
  busy_.store(threads_.size(), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  task(0);
  for (int spins = 0; busy_.load(std::memory_order_acquire) != 0;) {
    if (++spins > kSpins) std::this_thread::yield();
  }
}

void Workers::Serve(size_t number) {
  for (uint32_t seen = 0;;) {
    for (int spins = 0; round_.load(std::memory_order_acquire) == seen;) {
      if (++spins > kSpins) round_.wait(seen, std::memory_order_acquire);
    }
    ++seen;
    if (ends_) return;
    (*task_)(number);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace bench
