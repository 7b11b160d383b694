// The one file that knows exceptions: the standard library reports a thread
// that the system refuses by nothing else.

#include "broadloom/threads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/result.h"
#include "hwy/contrib/thread_pool/thread_pool.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr size_t kMostThreads = 1024;
constexpr size_t kAlignment = 64;
static_assert(alignof(hwy::ThreadPool) <= kAlignment);
constexpr size_t kPoolBytes =
    (sizeof(hwy::ThreadPool) + kAlignment - 1) / kAlignment * kAlignment;

// Whether so many threads can be at once: each starts the next one and waits
// for it. Highway's pool would end the process where this says no.
bool CanStart(size_t count) {
  if (count == 0) return true;
  bool others = false;
  try {
    std::thread([&others, count] { others = CanStart(count - 1); }).join();
  } catch (const std::system_error&) {
    return false;
  }
  return others;
}

void RunOnPool(void* context, size_t tasks,
               void (*task)(void* state, size_t index), void* state) {
  static_cast<hwy::ThreadPool*>(context)->Run(
      0, tasks, [task, state](uint64_t index, size_t /*thread*/) {
        task(state, static_cast<size_t>(index));
      });
}

}  // namespace

void Threads::RunAlone(void*, size_t tasks,
                       void (*task)(void* state, size_t index), void* state) {
  for (size_t i = 0; i < tasks; ++i) task(state, i);
}

Threads::~Threads() {
  if (pool_ == nullptr) return;
  static_cast<hwy::ThreadPool*>(pool_)->~ThreadPool();
  allocator_.deallocate(allocator_.context, pool_, kPoolBytes, kAlignment);
}

Threads::Threads(Threads&& other) noexcept { *this = std::move(other); }

Threads& Threads::operator=(Threads&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(allocator_, other.allocator_);
  std::swap(parallel_for_, other.parallel_for_);
  return *this;
}

Result<Threads> Threads::Make(size_t threads,
                              const Allocator& allocator) noexcept {
  Result<Threads> made;
  if (threads == 0) {
    threads =
        std::min<size_t>(std::thread::hardware_concurrency(), kMostThreads);
  }
  if (threads > kMostThreads) {
    made = std::unexpected(
        Error{.error_class = ErrorClass::kLimit,
              .extent = static_cast<int64_t>(threads),
              .other_extent = static_cast<int64_t>(kMostThreads)});
    return made;
  }
  if (threads < 2) return made;
  const Error refused{.error_class = ErrorClass::kAllocation,
                      .extent = static_cast<int64_t>(kPoolBytes)};
  if (!CanStart(threads - 1)) {
    made = std::unexpected(refused);
    return made;
  }
  void* const memory =
      allocator.allocate(allocator.context, kPoolBytes, kAlignment);
  if (memory == nullptr) {
    made = std::unexpected(refused);
    return made;
  }
  made->pool_ = new (memory) hwy::ThreadPool(threads);
  made->allocator_ = allocator;
  made->parallel_for_ = {memory, threads, &RunOnPool};
  return made;
}

}  // namespace v1
}  // namespace broadloom
