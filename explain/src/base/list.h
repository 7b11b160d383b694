// A list that grows in an arena. What is pushed after the arena was refused
// memory is dropped: whoever fills the arena looks at refused() once, at the
// end.

#ifndef BROADLOOM_EXPLAIN_BASE_LIST_H_
#define BROADLOOM_EXPLAIN_BASE_LIST_H_

#include <algorithm>
#include <cstddef>
#include <span>

#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {

template <class T>
class List {
 public:
  explicit List(Arena& arena) : arena_(arena) {}

  void Push(const T& value) {
    if (size_ == room_.size() && !Grow(size_ + 1)) return;
    room_[size_++] = value;
  }

  // `values` may not lie in this list.
  void Append(std::span<const T> values) {
    if (values.size() > room_.size() - size_ && !Grow(size_ + values.size())) {
      return;
    }
    std::ranges::copy(values, room_.begin() + static_cast<ptrdiff_t>(size_));
    size_ += values.size();
  }

  // Inserts before the value at `place`, which is at most size().
  void Insert(size_t place, const T& value) {
    const size_t before = size_;
    Push(value);
    if (size_ == before) return;
    std::rotate(begin() + place, end() - 1, end());
  }

  void Truncate(size_t size) { size_ = std::min(size_, size); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return room_.data(); }
  T* end() { return room_.data() + size_; }
  const T* begin() const { return room_.data(); }
  const T* end() const { return room_.data() + size_; }
  T& operator[](size_t i) { return room_[i]; }
  const T& operator[](size_t i) const { return room_[i]; }
  std::span<T> view() { return room_.first(size_); }
  std::span<const T> view() const { return room_.first(size_); }
  Arena& arena() { return arena_; }

 private:
  bool Grow(size_t least) {
    const std::span<T> more =
        arena_.Make<T>(std::max({least, 2 * room_.size(), size_t{8}}));
    if (more.empty()) return false;
    std::ranges::copy(view(), more.begin());
    room_ = more;
    return true;
  }

  Arena& arena_;
  std::span<T> room_;
  size_t size_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_LIST_H_
