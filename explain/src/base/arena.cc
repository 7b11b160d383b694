#include "broadloom/explain/arena.h"

#include <algorithm>
#include <cstddef>
#include <new>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Enough for the explanation of most questions.
constexpr size_t kLeastBlock = size_t{16} << 10;

}  // namespace

void* Arena::Take(size_t bytes) noexcept {
  constexpr size_t kStep = alignof(std::max_align_t);
  if (refused_) return nullptr;
  size_t rounded;
  if (OverflowsAdd(bytes, kStep - 1, rounded)) {
    refused_ = true;
    return nullptr;
  }
  rounded -= rounded % kStep;
  if (rounded > left_) {
    size_t size;
    if (OverflowsAdd(rounded, 2 * kAlignment, size)) {
      refused_ = true;
      return nullptr;
    }
    size = std::max(size - size % kAlignment, kLeastBlock);
    void* const memory =
        allocator_.allocate(allocator_.context, size, kAlignment);
    if (memory == nullptr) {
      refused_ = true;
      return nullptr;
    }
    last_ = new (memory) Block{.before = last_, .bytes = size};
    free_ = static_cast<std::byte*>(memory) + kAlignment;
    left_ = size - kAlignment;
  }
  void* const taken = free_;
  free_ += rounded;
  left_ -= rounded;
  return taken;
}

void Arena::Clear() noexcept {
  while (last_ != nullptr) {
    Block* const block = last_;
    last_ = block->before;
    allocator_.deallocate(allocator_.context, block, block->bytes, kAlignment);
  }
  free_ = nullptr;
  left_ = 0;
  refused_ = false;
}

}  // namespace v1
}  // namespace broadloom
