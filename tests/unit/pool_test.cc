// Threads under difficult conditions: several callers, nested callers, forked
// processes, and a system that refuses memory and threads. Each test runs in a
// separate process, since failures are hangs and crashes.

#include <grp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/threads.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/child.h"

namespace {

using broadloom::Allocator;
using broadloom::DType;
using broadloom::ErrorClass;
using broadloom::ParallelFor;
using broadloom::Threads;
using testing::RunInChild;

// Whether each of `tasks` tasks is run once. The counters belong to the caller,
// so that many callers can check at once.
bool RunsEachOnce(const ParallelFor& loop, size_t tasks) {
  std::vector<std::atomic<int>> runs(tasks);
  loop.run(
      loop.context, tasks,
      [](void* state, size_t index) {
        ++(*static_cast<std::vector<std::atomic<int>>*>(state))[index];
      },
      &runs);
  return std::ranges::all_of(
      runs, [](const std::atomic<int>& count) { return count == 1; });
}

bool RunsOften(const ParallelFor& loop, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    if (!RunsEachOnce(loop, static_cast<size_t>(round % 37))) return false;
  }
  return true;
}

// Tasks that run loops on the same threads, `depth` deep.
struct Nested {
  const ParallelFor& loop;
  int depth;
  std::atomic<int>& leaves;

  static void Run(void* state, size_t) {
    const Nested& self = *static_cast<const Nested*>(state);
    if (self.depth == 0) {
      ++self.leaves;
      return;
    }
    Nested inner{self.loop, self.depth - 1, self.leaves};
    self.loop.run(self.loop.context, 4, &Nested::Run, &inner);
  }
};

bool RunsNested(const ParallelFor& loop) {
  std::atomic<int> leaves = 0;
  Nested outer{loop, 3, leaves};
  Nested::Run(&outer, 0);
  return leaves == 64;
}

TEST_CASE("threads: several callers may use them at once") {
  for (const size_t count : {2, 3, 8}) {
    INFO(count << " threads");
    REQUIRE(RunInChild([&] {
              const auto threads = Threads::Make(count);
              if (!threads) return false;
              std::atomic<bool> good = true;
              {
                std::vector<std::jthread> callers;
                for (int i = 0; i < 6; ++i) {
                  callers.emplace_back([&] {
                    if (!RunsOften(threads->parallel_for(), 2000)) good = false;
                  });
                }
              }
              return good.load();
            }) == "");
  }
}

TEST_CASE("threads: a task may run a loop on the same threads") {
  for (const size_t count : {1, 2, 3, 8}) {
    INFO(count << " threads");
    REQUIRE(RunInChild([&] {
              const auto threads = Threads::Make(count);
              if (!threads) return false;
              std::atomic<bool> good = true;
              {
                std::vector<std::jthread> callers;
                for (int i = 0; i < 3; ++i) {
                  callers.emplace_back([&] {
                    for (int round = 0; round < 100; ++round) {
                      if (!RunsNested(threads->parallel_for())) good = false;
                    }
                  });
                }
              }
              return good.load();
            }) == "");
  }
}

TEST_CASE("threads: several callers of Run get their own results") {
  REQUIRE(RunInChild([] {
            const auto threads = Threads::Make(3);
            if (!threads) return false;
            const std::vector<int64_t> shape = {1 << 18};
            const std::vector<int32_t> one(1 << 18, 1);
            std::atomic<bool> good = true;
            {
              std::vector<std::jthread> callers;
              for (int32_t value = 0; value < 4; ++value) {
                callers.emplace_back([&, value] {
                  const std::vector<int32_t> two(1 << 18, value);
                  const broadloom::TensorView inputs[] = {
                      {DType::kI32, shape, one.data(), one.size() * 4},
                      {DType::kI32, shape, two.data(), two.size() * 4}};
                  for (int round = 0; round < 20; ++round) {
                    const auto sum = broadloom::Apply(
                        broadloom::Op::kAdd, inputs,
                        {.run = {.parallel = &threads->parallel_for()}});
                    if (!sum || std::ranges::count(sum->as<int32_t>(),
                                                   value + 1) != 1 << 18) {
                      good = false;
                    }
                  }
                });
              }
            }
            return good.load();
          }) == "");
}

TEST_CASE("threads: a forked child works alone, and the parent continues") {
  REQUIRE(RunInChild([] {
            auto threads = Threads::Make(4);
            if (!threads || !RunsOften(threads->parallel_for(), 50)) {
              return false;
            }
            const std::string forked = RunInChild([&] {
              if (!RunsOften(threads->parallel_for(), 50)) return false;
              if (!RunsNested(threads->parallel_for())) return false;
              // They can be destroyed there, and made again.
              *threads = Threads();
              return RunsOften(threads->parallel_for(), 5);
            });
            return forked.empty() && RunsOften(threads->parallel_for(), 50);
          }) == "");
}

// Whatever the threads are doing at that time.
TEST_CASE("threads: a fork during a loop") {
  REQUIRE(
      RunInChild([] {
        const auto threads = Threads::Make(4);
        if (!threads) return false;
        std::atomic<bool> stop = false;
        std::atomic<bool> good = true;
        std::jthread busy([&] {
          while (!stop) {
            if (!RunsEachOnce(threads->parallel_for(), 100)) good = false;
          }
        });
        for (int fork = 0; fork < 20; ++fork) {
          if (!RunInChild([&] {
                 // Allocates nothing: other threads may have held the heap's
                 // locks when the process forked.
                 int runs = 0;
                 const ParallelFor& loop = threads->parallel_for();
                 loop.run(
                     loop.context, 10,
                     [](void* state, size_t) { ++*static_cast<int*>(state); },
                     &runs);
                 return runs == 10;
               }).empty()) {
            good = false;
          }
        }
        stop = true;
        busy.join();
        return good.load();
      }) == "");
}

// The number of threads of this process; a sanitizer may have one of its own.
rlim_t OwnThreads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<rlim_t>(std::distance(begin(tasks), end(tasks)));
}

// The system does not limit the threads of root.
bool BecomeNobody() {
  if (geteuid() != 0) return true;
  constexpr unsigned kNobody = 54321;
  return setgroups(0, nullptr) == 0 && setgid(kNobody) == 0 &&
         setuid(kNobody) == 0;
}

TEST_CASE("threads: if the system refuses a thread, there is one thread less") {
  // A sanitizer starts its own thread with the first one, and again in a child.
  std::jthread([] {}).join();
  for (const rlim_t more : {0, 1, 2, 5}) {
    INFO("room for " << more << " more");
    REQUIRE(RunInChild([&] {
              if (!BecomeNobody()) return false;
              const rlim_t most = OwnThreads() + more;
              const rlimit limit{most, most};
              if (setrlimit(RLIMIT_NPROC, &limit) != 0) return false;
              testing::Hook hook;
              {
                const auto threads = Threads::Make(5, hook.get());
                if (!threads) return false;
                const size_t got = threads->parallel_for().threads;
                if (got != std::min<size_t>(5, 1 + more)) return false;
                if (!RunsOften(threads->parallel_for(), 100)) return false;
                // Without a thread to keep, no memory is kept.
                if (hook.blocks() != (got > 1 ? 1 : 0)) return false;
              }
              return hook.blocks() == 0;
            }) == "");
  }
}

// Bytes of address space of this process.
rlim_t AddressSpace() {
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// A lack of memory is not fatal: either threads are missing, or the error is
// `allocation`.
TEST_CASE("threads: little address space") {
  if (!testing::HeapIsWatched()) SKIP("the sanitizers need address space");
  for (rlim_t room = 0; room < 80 << 20; room += 1 << 20) {
    INFO(room << " bytes");
    REQUIRE(RunInChild([&] {
              const rlim_t bytes = AddressSpace() + room;
              const rlimit limit{bytes, bytes};
              if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
              const auto threads = Threads::Make(8);
              if (!threads) {
                return threads.error().error_class == ErrorClass::kAllocation;
              }
              std::atomic<int> runs = 0;
              const ParallelFor& loop = threads->parallel_for();
              loop.run(
                  loop.context, 100,
                  [](void* state, size_t) {
                    ++*static_cast<std::atomic<int>*>(state);
                  },
                  &runs);
              return runs == 100;
            }) == "");
  }
}

}  // namespace
