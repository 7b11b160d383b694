// Uses POSIX threads: std::thread throws when the system refuses a thread, and
// allocates with operator new.

#include "broadloom/threads.h"

#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <new>
#include <thread>
#include <utility>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/result.h"
#include "hwy/cache_control.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr size_t kAlignment = 64;

// How often a waiting thread checks before it sleeps, with a pause between the
// checks. A pause takes 25 to 140 cycles; with 25 cycles it spins for 18 us.
// Sleeping at once made a run on two threads 25 to 30 us longer.
constexpr int kSpins = 2000;

// Spins until `holds` returns true. Returns false if it does not in time.
template <class Holds>
bool SpinUntil(Holds holds) noexcept {
  for (int spins = 0; spins < kSpins; ++spins) {
    if (holds()) return true;
    hwy::Pause();
  }
  return false;
}

// A parallel loop that is running. It lies on its caller's stack.
struct Loop {
  void (*task)(void* state, size_t index);
  void* state;
  size_t tasks;
  std::atomic<size_t> next = 0;  // the next task; none is left from `tasks` on
  // How many threads of the pool work on the loop. Written under the pool's
  // lock, read without it.
  std::atomic<size_t> helpers = 0;
  Loop* older = nullptr;

  void Work() noexcept {
    for (;;) {
      // The check comes before the increment, which could wrap otherwise.
      if (!HasTasks()) return;
      const size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= tasks) return;
      task(state, index);
    }
  }
  [[nodiscard]] bool HasTasks() const noexcept {
    return next.load(std::memory_order_relaxed) < tasks;
  }
};

class Lock {
 public:
  explicit Lock(pthread_mutex_t& mutex) noexcept : mutex_(mutex) {
    pthread_mutex_lock(&mutex_);
  }
  ~Lock() { pthread_mutex_unlock(&mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace

// The pool and, behind it in the same allocation, its threads.
//
// Running loops are in a list, the newest first. A thread without work takes
// tasks of the first loop that has any left. A caller works on its own loop
// until no task is left, then waits for the threads that still run one. A
// thread never waits for a loop that is older than its own, so there is no
// deadlock.
class Threads::Pool {
 public:
  static size_t Bytes(size_t most) noexcept {
    return RoundUp(sizeof(Pool) + most * sizeof(pthread_t), kAlignment);
  }

  // There must be room for `most` threads behind the pool.
  Pool(size_t most, const Allocator& allocator) noexcept
      : most_(most), allocator_(allocator) {
    while (count_ < most_ && pthread_create(threads() + count_, nullptr,
                                            &Pool::Serve, this) == 0) {
      ++count_;
    }
  }

  [[nodiscard]] size_t count() const noexcept { return count_; }

  // Ends the threads and frees the memory.
  void Delete() noexcept {
    // In a forked process there is no thread to end, and the lock may be held
    // by a thread of the parent.
    if (IsHere()) {
      {
        const Lock lock(mutex_);
        ends_ = true;
        changes_.fetch_add(1, std::memory_order_relaxed);
        pthread_cond_broadcast(&has_work_);
      }
      for (size_t i = 0; i < count_; ++i) {
        pthread_join(threads()[i], nullptr);
      }
      pthread_cond_destroy(&is_done_);
      pthread_cond_destroy(&has_work_);
      pthread_mutex_destroy(&mutex_);
    }
    const Allocator allocator = allocator_;
    const size_t bytes = Bytes(most_);
    this->~Pool();
    allocator.deallocate(allocator.context, this, bytes, kAlignment);
  }

  static void Run(void* context, size_t tasks,
                  void (*task)(void* state, size_t index), void* state) {
    Pool& pool = *static_cast<Pool*>(context);
    if (tasks < 2 || !pool.IsHere()) {
      RunAlone(nullptr, tasks, task, state);
      return;
    }
    Loop loop{.task = task, .state = state, .tasks = tasks};
    pool.Share(loop);
  }

 private:
  ~Pool() = default;

  pthread_t* threads() noexcept {
    return reinterpret_cast<pthread_t*>(this + 1);
  }

  [[nodiscard]] bool IsHere() const noexcept { return getpid() == process_; }

  void Share(Loop& loop) noexcept {
    {
      const Lock lock(mutex_);
      loop.older = newest_;
      newest_ = &loop;
      changes_.fetch_add(1, std::memory_order_relaxed);
      // Wakes as many threads as there are tasks beside the caller's.
      if (loop.tasks - 1 >= count_) {
        pthread_cond_broadcast(&has_work_);
      } else {
        for (size_t i = 1; i < loop.tasks; ++i) {
          pthread_cond_signal(&has_work_);
        }
      }
    }
    loop.Work();
    {
      const Lock lock(mutex_);
      Loop** place = &newest_;
      while (*place != &loop) place = &(*place)->older;
      *place = loop.older;
    }
    // No thread joins the loop any more, and none accesses it after its last
    // write to `helpers`. So the loop may be destroyed once `helpers` is 0.
    const bool are_done = SpinUntil(
        [&loop] { return loop.helpers.load(std::memory_order_acquire) == 0; });
    if (are_done) return;
    const Lock lock(mutex_);
    while (loop.helpers > 0) pthread_cond_wait(&is_done_, &mutex_);
  }

  // A loop with tasks left, or null.
  [[nodiscard]] Loop* FindWork() const noexcept {
    Loop* loop = newest_;
    while (loop != nullptr && !loop->HasTasks()) loop = loop->older;
    return loop;
  }

  // Waits until there may be work or the pool ends: spins, then sleeps. The
  // caller holds the lock, which is released while waiting.
  void WaitForChange() noexcept {
    const size_t seen = changes_.load(std::memory_order_relaxed);
    const auto has_changed = [this, seen] {
      return changes_.load(std::memory_order_relaxed) != seen;
    };
    pthread_mutex_unlock(&mutex_);
    SpinUntil(has_changed);
    pthread_mutex_lock(&mutex_);
    while (!has_changed()) pthread_cond_wait(&has_work_, &mutex_);
  }

  static void* Serve(void* context) {
    Pool& pool = *static_cast<Pool*>(context);
    pthread_mutex_lock(&pool.mutex_);
    while (!pool.ends_) {
      Loop* const loop = pool.FindWork();
      if (loop == nullptr) {
        pool.WaitForChange();
        continue;
      }
      loop->helpers.fetch_add(1, std::memory_order_relaxed);
      pthread_mutex_unlock(&pool.mutex_);
      loop->Work();
      pthread_mutex_lock(&pool.mutex_);
      const size_t others =
          loop->helpers.fetch_sub(1, std::memory_order_release) - 1;
      if (others == 0) pthread_cond_broadcast(&pool.is_done_);
    }
    pthread_mutex_unlock(&pool.mutex_);
    return nullptr;
  }

  const pid_t process_ = getpid();
  const size_t most_;
  const Allocator allocator_;
  size_t count_ = 0;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t has_work_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t is_done_ = PTHREAD_COND_INITIALIZER;
  // Counts events: a loop was added, the pool ends. Written under the lock,
  // read without it.
  std::atomic<size_t> changes_ = 0;
  // Read and written under the lock.
  Loop* newest_ = nullptr;
  bool ends_ = false;
};

void Threads::RunAlone(void*, size_t tasks,
                       void (*task)(void* state, size_t index), void* state) {
  for (size_t i = 0; i < tasks; ++i) task(state, i);
}

Threads::~Threads() {
  if (pool_ != nullptr) pool_->Delete();
}

Threads::Threads(Threads&& other) noexcept { *this = std::move(other); }

Threads& Threads::operator=(Threads&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(parallel_for_, other.parallel_for_);
  return *this;
}

Result<Threads> Threads::Make(size_t threads,
                              const Allocator& allocator) noexcept {
  static_assert(alignof(Pool) <= kAlignment);
  Result<Threads> made;
  if (threads == 0) {
    threads =
        std::min<size_t>(std::thread::hardware_concurrency(), kMostThreads);
  }
  if (threads > kMostThreads) {
    made = std::unexpected(
        Error{.error_class = ErrorClass::kLimit,
              .detail = Detail::kThreads,
              .extent = ToInt64(threads),
              .other_extent = static_cast<int64_t>(kMostThreads)});
    return made;
  }
  if (threads < 2) return made;
  const size_t bytes = Pool::Bytes(threads - 1);
  void* const memory = allocator.allocate(allocator.context, bytes, kAlignment);
  if (memory == nullptr) {
    made = std::unexpected(Error{.error_class = ErrorClass::kAllocation,
                                 .extent = static_cast<int64_t>(bytes)});
    return made;
  }
  Pool* const pool = new (memory) Pool(threads - 1, allocator);
  if (pool->count() == 0) {
    pool->Delete();
    return made;
  }
  made->pool_ = pool;
  made->parallel_for_ = {pool, pool->count() + 1, &Pool::Run};
  return made;
}

}  // namespace v1
}  // namespace broadloom
