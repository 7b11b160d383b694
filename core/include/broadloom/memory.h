// Memory. Everything whose size depends on a caller's input is allocated by an
// Allocator. When it refuses, the call returns an error of class kAllocation;
// nothing throws or aborts.
//
// Up to rank 8 and 4 operands nothing is allocated, except results.

#ifndef BROADLOOM_MEMORY_H_
#define BROADLOOM_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/config.h"
#include "broadloom/limits.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// An allocator. Both functions must be safe to call from all threads that use
// the library. `context` is passed to them unchanged. Example, which counts the
// bytes in use:
//   size_t in_use = 0;
//   const Allocator counting{
//       [](void* in_use, size_t bytes, size_t alignment) {
//         *static_cast<size_t*>(in_use) += bytes;
//         return std::aligned_alloc(alignment, bytes);
//       },
//       [](void* in_use, void* memory, size_t bytes, size_t) {
//         *static_cast<size_t*>(in_use) -= bytes;
//         std::free(memory);
//       },
//       &in_use};
//   const Result<Tensor> made =
//       Tensor::Allocate(DType::kF32, Extents{2, 3}, counting);
//   assert(in_use == 64);  // 24, in whole multiples of the alignment
struct Allocator {
  // Returns `bytes` (a multiple of `alignment`, never 0) of memory aligned to
  // `alignment` (a power of two), or null when there is none.
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  // Takes back what `allocate` returned for the same `bytes` and `alignment`.
  void (*deallocate)(void* context, void* memory, size_t bytes,
                     size_t alignment);
  void* context;
};

// The system's heap. The reference stays valid.
[[nodiscard]] const Allocator& DefaultAllocator() noexcept;

// An array of plain values whose length is set at run time. Up to kInline
// values lie inside the object, more in memory of an Allocator. Movable, not
// copyable, since a copy could fail: CopyFrom returns whether it succeeded.
template <class T, size_t kInline>
class InlineArray {
  static_assert(std::is_trivially_copyable_v<T> &&
                std::is_trivially_destructible_v<T>);

 public:
  InlineArray() noexcept : values_(inline_) {}
  ~InlineArray() {
    if (on_heap()) Deallocate();
  }
  InlineArray(const InlineArray&) = delete;
  InlineArray& operator=(const InlineArray&) = delete;
  InlineArray(InlineArray&& other) noexcept { Take(other); }
  InlineArray& operator=(InlineArray&& other) noexcept {
    if (this != &other) {
      Release();
      Take(other);
    }
    return *this;
  }

  // Sets the length to `size` and every value to T{}. Returns false, and is
  // left empty, when the memory is refused.
  [[nodiscard]] bool Reset(size_t size, const Allocator& allocator) noexcept {
    if (!ResetForOverwrite(size, allocator)) return false;
    std::uninitialized_value_construct_n(data(), size);
    return true;
  }

  // As Reset, but leaves the values uninitialised: the caller must write each
  // before reading it.
  [[nodiscard]] bool ResetForOverwrite(size_t size,
                                       const Allocator& allocator) noexcept {
    if (size > kInline || on_heap()) return ResetOnHeap(size, allocator);
    size_ = size;
    return true;
  }

  // The same for rows * columns values; false when that overflows a size_t.
  [[nodiscard]] bool Reset(size_t rows, size_t columns,
                           const Allocator& allocator) noexcept {
    size_t size;
    if (OverflowsMultiply(rows, columns, size)) return false;
    return Reset(size, allocator);
  }
  [[nodiscard]] bool ResetForOverwrite(size_t rows, size_t columns,
                                       const Allocator& allocator) noexcept {
    size_t size;
    if (OverflowsMultiply(rows, columns, size)) return false;
    return ResetForOverwrite(size, allocator);
  }

  // Becomes a copy of `values`, which may lie in this array. Returns false, and
  // leaves the array as it was, when the memory is refused.
  [[nodiscard]] bool CopyFrom(std::span<const T> values,
                              const Allocator& allocator) noexcept {
    if (values.size() <= kInline && !on_heap()) {
      // memmove, since the values may lie in this array.
      if (!values.empty()) {  // an empty span may have a null address
        std::memmove(inline_, values.data(), values.size_bytes());
      }
      size_ = values.size();
      return true;
    }
    InlineArray copy;
    if (!copy.ResetForOverwrite(values.size(), allocator)) return false;
    std::uninitialized_copy_n(values.data(), values.size(), copy.data());
    *this = std::move(copy);
    return true;
  }

  [[nodiscard]] size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] T* data() noexcept { return values_; }
  [[nodiscard]] const T* data() const noexcept { return values_; }
  [[nodiscard]] T* begin() noexcept { return data(); }
  [[nodiscard]] T* end() noexcept { return data() + size(); }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](size_t i) noexcept { return data()[i]; }
  [[nodiscard]] const T& operator[](size_t i) const noexcept {
    return data()[i];
  }
  friend bool operator==(const InlineArray& a, std::span<const T> b) noexcept {
    return std::ranges::equal(a.view(), b);
  }
  // A view of the values. Valid until the array is changed, moved or destroyed.
  [[nodiscard]] std::span<const T> view() const noexcept {
    return {data(), size()};
  }
  [[nodiscard]] std::span<T> view() noexcept { return {data(), size()}; }

 private:
  static constexpr size_t kAlignment = 64;
  static size_t HeapBytes(size_t size) noexcept {
    return RoundUp(size * sizeof(T), kAlignment);
  }

  bool on_heap() const noexcept { return size_ > kInline; }

  [[gnu::noinline]] bool ResetOnHeap(size_t size,
                                     const Allocator& allocator) noexcept {
    Release();
    if (size > kInline && !Allocate(size, allocator)) return false;
    size_ = size;
    return true;
  }

  bool Allocate(size_t size, const Allocator& allocator) noexcept {
    if (size > static_cast<size_t>(-1) / 2 / sizeof(T)) return false;
    void* memory =
        allocator.allocate(allocator.context, HeapBytes(size), kAlignment);
    if (memory == nullptr) return false;
    values_ = static_cast<T*>(memory);
    allocator_ = allocator;
    return true;
  }

  // Not inline, so that arrays that are not on the heap cost one comparison.
  [[gnu::noinline]] void Deallocate() noexcept {
    allocator_.deallocate(allocator_.context, values_, HeapBytes(size_),
                          kAlignment);
  }

  void Release() noexcept {
    if (on_heap()) {
      Deallocate();
      values_ = inline_;
    }
    size_ = 0;
  }

  void Take(InlineArray& other) noexcept {
    size_ = other.size_;
    if (on_heap()) {
      values_ = other.values_;
      allocator_ = other.allocator_;
      other.values_ = other.inline_;
    } else {
      values_ = inline_;
      std::uninitialized_copy_n(other.inline_, size_, inline_);
    }
    other.size_ = 0;
  }

  T* values_;  // inline_ or on the heap, so that an access needs no branch
  size_t size_ = 0;
  union {
    T inline_[kInline];    // up to kInline values
    Allocator allocator_;  // of the memory of more values
  };
};

// A plain value in a record that has InlineArrays. Moving from it sets it to
// its default, so that a record that was moved from is like a new one: no count
// in it is larger than the array that it counts.
template <class T, T kDefault = T{}>
class Taken {
 public:
  Taken() noexcept = default;
  ~Taken() = default;
  Taken(T value) noexcept : value_(value) {}
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  Taken(Taken&& other) noexcept
      : value_(std::exchange(other.value_, kDefault)) {}
  Taken& operator=(Taken&& other) noexcept {
    if (this != &other) value_ = std::exchange(other.value_, kDefault);
    return *this;
  }
  Taken& operator=(T value) noexcept {
    value_ = value;
    return *this;
  }
  operator T() const noexcept { return value_; }

 private:
  T value_ = kDefault;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_MEMORY_H_
