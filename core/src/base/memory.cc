#include "broadloom/memory.h"

#include <cstddef>
#include <cstdlib>

namespace broadloom {
inline namespace v1 {

const Allocator& DefaultAllocator() noexcept {
  static constexpr Allocator kHeap{
      [](void*, size_t bytes, size_t alignment) {
        return std::aligned_alloc(alignment, bytes);
      },
      [](void*, void* memory, size_t, size_t) { std::free(memory); }, nullptr};
  return kHeap;
}

}  // namespace v1
}  // namespace broadloom
