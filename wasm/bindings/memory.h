// The module's memory: the allocator of everything sized by input, and objects
// that JavaScript owns.

#ifndef BROADLOOM_WASM_MEMORY_H_
#define BROADLOOM_WASM_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include "broadloom/broadloom.h"

namespace broadloom_wasm {

using namespace broadloom;

// For tests: how many more allocations succeed. Negative: no limit.
inline int64_t allocations_left = -1;

// How many calls of a user's function with a view of the memory are in
// progress.
inline int32_t lent = 0;

// Allocates everything that is sized by input.
inline constexpr Allocator kAllocator{
    [](void*, size_t bytes, size_t alignment) -> void* {
      if (allocations_left == 0) return nullptr;
      if (allocations_left > 0) --allocations_left;
      return std::aligned_alloc(alignment, bytes);
    },
    [](void*, void* memory, size_t, size_t) { std::free(memory); }, nullptr};

inline constexpr size_t kAlignment = 64;

constexpr size_t RoundUp(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Moves a value to memory of its own, which Drop gives back. Null: refused.
template <class T>
T* Keep(T&& value) {
  void* const memory =
      kAllocator.allocate(kAllocator.context, RoundUp(sizeof(T)), kAlignment);
  return memory == nullptr ? nullptr : new (memory) T(std::move(value));
}

template <class T>
void Drop(T* value) {
  value->~T();
  kAllocator.deallocate(kAllocator.context, value, RoundUp(sizeof(T)),
                        kAlignment);
}

// Memory for elements, and its release (memory.cc). Null: a fault was reported.
extern "C" std::byte* broadloom_allocate(double bytes);
extern "C" void broadloom_release(std::byte* place);

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_MEMORY_H_
