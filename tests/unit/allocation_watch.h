// Counts and refuses allocations, for tests of what allocates and of how failed
// allocations are reported.

#ifndef BROADLOOM_TESTS_UNIT_ALLOCATION_WATCH_H_
#define BROADLOOM_TESTS_UNIT_ALLOCATION_WATCH_H_

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <map>

#include "broadloom/memory.h"
#include "broadloom/vocabulary.h"
#include "catch2/catch_test_macros.hpp"

namespace testing {

// The number of heap allocations of this thread since its start (malloc and
// related functions, and operator new through them). Always 0 where the heap
// cannot be watched: under the address sanitizer, and with a C library other
// than glibc.
[[nodiscard]] size_t HeapCalls() noexcept;
[[nodiscard]] bool HeapIsWatched() noexcept;

// During its lifetime, the heap refuses this thread's allocation number
// `refused`, counted from 0: malloc and related functions return null, operator
// new throws. Under the address sanitizer, which replaces malloc, only operator
// new refuses.
class HeapRefusal {
 public:
  explicit HeapRefusal(size_t refused) noexcept;
  ~HeapRefusal();
  HeapRefusal(const HeapRefusal&) = delete;
  HeapRefusal& operator=(const HeapRefusal&) = delete;

  // Whether the allocation was reached.
  [[nodiscard]] bool happened() const noexcept;
};

// An allocator that counts requests, checks releases, and refuses the request
// of a given number.
class Hook {
 public:
  static constexpr size_t kNever = std::numeric_limits<size_t>::max();

  explicit Hook(size_t refused = kNever) : refused_(refused) {}
  Hook(const Hook&) = delete;
  Hook& operator=(const Hook&) = delete;
  ~Hook() {
    // No memory leaked, or was released twice or with another size.
    CHECK(blocks_.empty());
    CHECK(faults_ == 0);
  }

  [[nodiscard]] broadloom::Allocator get() noexcept {
    return {&Hook::Allocate, &Hook::Deallocate, this};
  }
  [[nodiscard]] size_t calls() const { return calls_; }
  [[nodiscard]] size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] size_t largest() const { return largest_; }

 private:
  struct Block {
    size_t bytes;
    size_t alignment;
  };

  static void* Allocate(void* context, size_t bytes, size_t alignment) {
    Hook& hook = *static_cast<Hook*>(context);
    // The guarantees of memory.h for allocators.
    if (bytes == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0 ||
        bytes % alignment != 0) {
      ++hook.faults_;
    }
    if (bytes > hook.largest_) hook.largest_ = bytes;
    if (hook.calls_++ == hook.refused_) return nullptr;
    void* memory = std::aligned_alloc(alignment, bytes);
    if (memory != nullptr) hook.blocks_[memory] = {bytes, alignment};
    return memory;
  }

  static void Deallocate(void* context, void* memory, size_t bytes,
                         size_t alignment) {
    Hook& hook = *static_cast<Hook*>(context);
    const auto block = hook.blocks_.find(memory);
    if (block == hook.blocks_.end() || block->second.bytes != bytes ||
        block->second.alignment != alignment) {
      ++hook.faults_;
      return;
    }
    hook.blocks_.erase(block);
    std::free(memory);
  }

  size_t refused_;
  size_t calls_ = 0;
  size_t largest_ = 0;
  size_t faults_ = 0;
  std::map<void*, Block> blocks_;
};

// Calls run(allocator) repeatedly and refuses the first request for memory,
// then the second, and so on until a call succeeds. Each refusal must return an
// error of class allocation, and nothing may leak. Returns the number of
// requests of a successful call.
template <class Run>
size_t RefuseEach(Run run) {
  for (size_t refused = 0; refused < 1000; ++refused) {
    Hook hook(refused);
    {
      const broadloom::Allocator allocator = hook.get();
      const auto result = run(allocator);
      if (hook.calls() <= refused) {
        REQUIRE(result.has_value());
        return refused;
      }
      INFO("request " << refused << " was refused");
      REQUIRE(!result.has_value());
      REQUIRE(result.error().error_class == broadloom::ErrorClass::kAllocation);
    }
  }
  FAIL("more than 1000 requests");
  return 0;
}

// Whether run(allocator) uses neither the allocator nor the heap.
template <class Run>
void RequireNoAllocation(Run run) {
  Hook hook;
  const broadloom::Allocator allocator = hook.get();
  const size_t before = HeapCalls();
  const bool good = run(allocator);
  const size_t heap_calls = HeapCalls() - before;
  REQUIRE(good);
  REQUIRE(hook.calls() == 0);
  REQUIRE(heap_calls == 0);
}

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_ALLOCATION_WATCH_H_
