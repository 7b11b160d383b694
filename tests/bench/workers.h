// Threads for the limit, separate from the library's: the same loop, in slices.

#ifndef BROADLOOM_TESTS_BENCH_WORKERS_H_
#define BROADLOOM_TESTS_BENCH_WORKERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace bench {

class Workers {
 public:
  // The caller is one of `threads`.
  explicit Workers(size_t threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  size_t threads() const { return threads_.size() + 1; }
  // Runs task(0) to task(threads - 1), each on its own thread; returns when all
  // have finished.
  void Run(const std::function<void(size_t)>& task);

 private:
  void Serve(size_t number);

  const std::function<void(size_t)>* task_ = nullptr;
  std::atomic<uint32_t> round_ = 0;
  std::atomic<size_t> busy_ = 0;
  std::atomic<bool> ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_WORKERS_H_
