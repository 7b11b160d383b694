// ADAPTER: the only file that sets the library's stores and threads. If the
// library's headers have neither, stores are always cached and there is one
// thread.

#ifndef BROADLOOM_TESTS_BENCH_LIBRARY_H_
#define BROADLOOM_TESTS_BENCH_LIBRARY_H_

#include <cstddef>
#include <memory>
#include <span>

#include "broadloom/broadloom.h"

#if __has_include("broadloom/parallel.h")
#include "broadloom/parallel.h"
#endif
#if __has_include("broadloom/threads.h")
#include "broadloom/threads.h"
#endif

namespace bench {

enum class Stores { kAutomatic, kCached, kStreaming };

#if __has_include("broadloom/parallel.h") && \
                  __has_include("broadloom/threads.h")

inline constexpr bool kLibraryHasThreads = true;
inline constexpr bool kLibraryHasStores = true;

inline broadloom::StorePolicy PolicyOf(Stores stores) {
  switch (stores) {
    case Stores::kCached:
      return broadloom::StorePolicy::kCached;
    case Stores::kStreaming:
      return broadloom::StorePolicy::kStreaming;
    case Stores::kAutomatic:
      break;
  }
  return broadloom::StorePolicy::kAutomatic;
}

// Whether a run of `plan` with `stores` bypasses the caches.
inline bool Streams(const broadloom::Plan& plan, Stores stores) {
  if (stores != Stores::kAutomatic) return stores == Stores::kStreaming;
  return broadloom::ChosenStores(plan) == broadloom::StorePolicy::kStreaming;
}

// Runs plans on a number of threads that is set once.
class Runner {
 public:
  // False if the threads cannot be started.
  bool Start(size_t threads) {
    threads_.reset();
    if (threads < 2) return true;
    broadloom::Result<broadloom::Threads> made =
        broadloom::Threads::Make(threads);
    if (!made) return false;
    threads_ = std::make_unique<broadloom::Threads>(std::move(*made));
    return true;
  }

  broadloom::Status Run(const broadloom::Plan& plan,
                        std::span<const broadloom::TensorView> inputs,
                        const broadloom::MutableTensorView& output,
                        Stores stores) const {
    const broadloom::RunOptions options{
        .stores = PolicyOf(stores),
        .parallel = threads_ ? &threads_->parallel_for() : nullptr};
    return broadloom::Run(plan, inputs, {&output, 1}, options);
  }

 private:
  std::unique_ptr<broadloom::Threads> threads_;
};

#else

inline constexpr bool kLibraryHasThreads = false;
inline constexpr bool kLibraryHasStores = false;

inline bool Streams(const broadloom::Plan&, Stores) { return false; }

class Runner {
 public:
  bool Start(size_t threads) { return threads < 2; }

  broadloom::Status Run(const broadloom::Plan& plan,
                        std::span<const broadloom::TensorView> inputs,
                        const broadloom::MutableTensorView& output,
                        Stores) const {
    return broadloom::Run(plan, inputs, {&output, 1});
  }
};

#endif

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_LIBRARY_H_
