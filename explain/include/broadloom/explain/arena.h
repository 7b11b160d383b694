// Memory of an explanation: causes, repairs, warnings and texts, whose number
// and length depend on the question. An arena takes memory from an Allocator in
// blocks and gives it all back at once.
//
// When the allocator refuses, the arena remembers it: what is added from then
// on is dropped, and the function that fills the arena returns an error of
// class kAllocation. Nothing throws or aborts.

#ifndef BROADLOOM_EXPLAIN_ARENA_H_
#define BROADLOOM_EXPLAIN_ARENA_H_

#include <cstddef>
#include <span>
#include <type_traits>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Must outlive everything that lies in it. Example:
//   Arena arena;
//   const std::span<int64_t> extents = arena.Make<int64_t>(3);
//   assert(extents.size() == 3 && extents[2] == 0 && !arena.refused());
class Arena {
 public:
  explicit Arena(const Allocator& allocator = DefaultAllocator()) noexcept
      : allocator_(allocator) {}
  ~Arena() { Clear(); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // `count` values, each T{}. Empty, and refused() from then on, when the
  // memory is refused.
  template <class T>
  [[nodiscard]] std::span<T> Make(size_t count) noexcept {
    static_assert(std::is_trivially_destructible_v<T> &&
                  alignof(T) <= alignof(std::max_align_t));
    size_t bytes;
    if (count == 0) return {};
    if (OverflowsMultiply(count, sizeof(T), bytes)) {
      refused_ = true;
      return {};
    }
    void* const memory = Take(bytes);
    if (memory == nullptr) return {};
    T* const values = static_cast<T*>(memory);
    std::uninitialized_value_construct_n(values, count);
    return {values, count};
  }

  // A copy of `values`; empty when the memory is refused.
  template <class T>
  [[nodiscard]] std::span<const T> Copy(std::span<const T> values) noexcept {
    const std::span<T> copy = Make<T>(values.size());
    for (size_t i = 0; i < copy.size(); ++i) copy[i] = values[i];
    return copy;
  }

  // Whether any memory was refused since the arena was made or cleared.
  [[nodiscard]] bool refused() const noexcept { return refused_; }

  // Remembers a refusal: when another arena, which held something that was
  // needed to fill this one, was refused memory.
  void Refuse() noexcept { refused_ = true; }

  [[nodiscard]] const Allocator& allocator() const noexcept {
    return allocator_;
  }

  // Gives back all memory.
  void Clear() noexcept;

 private:
  static constexpr size_t kAlignment = 64;

  struct Block {
    Block* before;
    size_t bytes;
  };

  void* Take(size_t bytes) noexcept;

  Allocator allocator_;
  Block* last_ = nullptr;
  std::byte* free_ = nullptr;  // of the last block
  size_t left_ = 0;
  bool refused_ = false;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_ARENA_H_
