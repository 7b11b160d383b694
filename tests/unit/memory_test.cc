#include "broadloom/memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"

namespace {

using broadloom::Allocator;
using Four = broadloom::InlineArray<int64_t, 4>;
using testing::Hook;

std::vector<int64_t> Values(const Four& array) {
  return {array.begin(), array.end()};
}

TEST_CASE("the heap is watched") {
  if (!testing::HeapIsWatched()) SKIP("not with this run-time library");
  const size_t before = testing::HeapCalls();
  void* volatile a = std::malloc(8);
  void* volatile b = ::operator new(8);
  void* volatile c = std::aligned_alloc(64, 64);
  const size_t calls = testing::HeapCalls() - before;
  std::free(a);
  ::operator delete(b);
  std::free(c);
  REQUIRE(calls == 3);
}

TEST_CASE("memory: values up to the inline length need no allocation") {
  for (size_t size = 0; size <= 4; ++size) {
    testing::RequireNoAllocation([&](const Allocator& allocator) {
      Four array;
      if (!array.Reset(size, allocator)) return false;
      for (size_t i = 0; i < size; ++i) array[i] = static_cast<int64_t>(i);
      const Four moved = std::move(array);
      return moved.size() == size &&
             (size == 0 || moved[size - 1] == static_cast<int64_t>(size - 1));
    });
  }
}

TEST_CASE(
    "memory: longer arrays come from the allocator, aligned, and are "
    "released") {
  Hook hook;
  {
    Four array;
    REQUIRE(array.Reset(5, hook.get()));
    REQUIRE(hook.calls() == 1);
    REQUIRE(hook.blocks() == 1);
    REQUIRE(reinterpret_cast<uintptr_t>(array.data()) % 64 == 0);
    REQUIRE(Values(array) == std::vector<int64_t>(5, 0));
  }
  REQUIRE(hook.blocks() == 0);
}

TEST_CASE("memory: Reset clears, and releases the old memory") {
  Hook hook;
  Four array;
  REQUIRE(array.Reset(9, hook.get()));
  array[8] = 7;
  REQUIRE(array.Reset(10, hook.get()));
  REQUIRE(Values(array) == std::vector<int64_t>(10, 0));
  REQUIRE(hook.blocks() == 1);
  REQUIRE(array.Reset(3, hook.get()));
  REQUIRE(hook.blocks() == 0);
  REQUIRE(Values(array) == std::vector<int64_t>(3, 0));
  array[0] = 5;
  REQUIRE(array.Reset(2, hook.get()));
  REQUIRE(Values(array) == std::vector<int64_t>(2, 0));
}

TEST_CASE("memory: a failed allocation leaves the array empty") {
  for (const size_t before : {size_t{0}, size_t{3}, size_t{6}}) {
    Hook first;
    Hook refusing(0);
    Four array;
    REQUIRE(array.Reset(before, first.get()));
    REQUIRE(!array.Reset(5, refusing.get()));
    REQUIRE(array.empty());
    REQUIRE(array.size() == 0);
    REQUIRE(array.begin() == array.end());
    REQUIRE(first.blocks() == 0);
  }
}

TEST_CASE("memory: a length that cannot be counted in bytes is refused") {
  Hook hook;
  Four array;
  for (const size_t size : {std::numeric_limits<size_t>::max(),
                            std::numeric_limits<size_t>::max() / 8,
                            std::numeric_limits<size_t>::max() / 8 + 1,
                            std::numeric_limits<size_t>::max() / 8 - 1}) {
    REQUIRE(!array.Reset(size, hook.get()));
    REQUIRE(array.empty());
  }
  REQUIRE(hook.calls() == 0);
}

TEST_CASE("memory: a move takes the values along, inline or not") {
  for (const size_t size : {size_t{2}, size_t{4}, size_t{5}, size_t{100}}) {
    Hook hook;
    Four from;
    REQUIRE(from.Reset(size, hook.get()));
    for (size_t i = 0; i < size; ++i) from[i] = static_cast<int64_t>(i * i);
    const std::vector<int64_t> values = Values(from);

    Four built(std::move(from));
    REQUIRE(Values(built) == values);
    REQUIRE(from.empty());

    Four assigned;
    REQUIRE(assigned.Reset(7, hook.get()));
    assigned = std::move(built);
    REQUIRE(Values(assigned) == values);
    REQUIRE(built.empty());
    REQUIRE(hook.blocks() == (size > 4 ? 1 : 0));

    Four& same = assigned;
    assigned = std::move(same);
    REQUIRE(Values(assigned) == values);
    std::swap(built, assigned);
    REQUIRE(Values(built) == values);
    REQUIRE(assigned.empty());
    // The moved-from array may be used again.
    REQUIRE(from.Reset(6, hook.get()));
    REQUIRE(Values(from) == std::vector<int64_t>(6, 0));
  }
}

TEST_CASE("memory: CopyFrom copies, and reports a failed allocation") {
  const std::array<int64_t, 6> values = {1, 2, 3, 4, 5, 6};
  for (const size_t size : {size_t{0}, size_t{3}, size_t{6}}) {
    Hook hook;
    Four array;
    REQUIRE(array.CopyFrom(std::span(values).first(size), hook.get()));
    REQUIRE(Values(array) ==
            std::vector<int64_t>(values.begin(),
                                 values.begin() + static_cast<int>(size)));
    // Also from itself.
    REQUIRE(array.CopyFrom(array.view(), hook.get()));
    REQUIRE(array.size() == size);
  }
  Hook refusing(0);
  Four array;
  REQUIRE(!array.CopyFrom(values, refusing.get()));
  REQUIRE(array.empty());
}

TEST_CASE("memory: the example of an allocator counts the memory in use") {
  size_t in_use = 0;
  const Allocator counting{[](void* total, size_t bytes, size_t alignment) {
                             *static_cast<size_t*>(total) += bytes;
                             return std::aligned_alloc(alignment, bytes);
                           },
                           [](void* total, void* memory, size_t bytes, size_t) {
                             *static_cast<size_t*>(total) -= bytes;
                             std::free(memory);
                           },
                           &in_use};
  {
    Four array;
    REQUIRE(array.Reset(9, counting));
    REQUIRE(in_use >= 9 * sizeof(int64_t));
    REQUIRE(in_use % 64 == 0);
  }
  REQUIRE(in_use == 0);
}

TEST_CASE("memory: the default allocator is the heap, aligned") {
  const Allocator& heap = broadloom::DefaultAllocator();
  REQUIRE(&heap == &broadloom::DefaultAllocator());
  void* memory = heap.allocate(heap.context, 128, 64);
  REQUIRE(memory != nullptr);
  REQUIRE(reinterpret_cast<uintptr_t>(memory) % 64 == 0);
  static_cast<char*>(memory)[127] = 1;
  heap.deallocate(heap.context, memory, 128, 64);
}

}  // namespace
