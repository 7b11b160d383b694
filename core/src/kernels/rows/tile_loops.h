// The loops of a tile, as one operand sees them.

#ifndef BROADLOOM_KERNELS_ROWS_TILE_LOOPS_H_
#define BROADLOOM_KERNELS_ROWS_TILE_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "broadloom/internal/nest.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// The loops of a nest that lie inside a tile, coalesced once more for a single
// operand: a matrix that is one row for the whole tile and a vector that is
// repeated are the same here.
class TileLoops {
 public:
  struct Level {
    int64_t extent;
    int64_t stride;  // in elements of the operand
    int64_t unit;    // elements of the tile that one step makes
  };
  // A tile has at most 2^15 elements, and a level at least two steps.
  static constexpr size_t kMostLevels = 16;

  // Sets the levels for the loops of `operand` inside loop `split`, and `steps`
  // steps of that loop. `lanes` is 2 for elements that are two lanes, else 1.
  void Reset(const LoopNest& nest, size_t operand, size_t split, int64_t steps,
             int64_t lanes) {
    count_ = 0;
    total_ = 1;
    if (lanes > 1) Push(lanes, 1);
    for (size_t loop = nest.loop_count(); loop-- > split + 1;) {
      Push(nest.extent(loop), nest.stride(operand, loop) * lanes);
    }
    Push(steps, nest.stride(operand, split) * lanes);
  }

  // Innermost first.
  [[nodiscard]] size_t count() const { return count_; }
  [[nodiscard]] const Level& operator[](size_t level) const {
    return levels_[level];
  }

  // An upper bound on how many elements a tile reads from its first one on.
  // Only for loops that do not go backwards.
  [[nodiscard]] int64_t Reach() const {
    int64_t reach = 1;
    for (size_t level = 0; level < count_; ++level) {
      reach += (levels_[level].extent - 1) * levels_[level].stride;
    }
    return reach;
  }
  [[nodiscard]] bool goes_back() const {
    for (size_t level = 0; level < count_; ++level) {
      if (levels_[level].stride < 0) return true;
    }
    return false;
  }

  // Whether the elements that the levels up to `top` read leave no gaps.
  [[nodiscard]] bool IsDense(size_t top) const {
    int64_t dense = 1;  // length of what is known to have no gaps
    uint32_t left = (uint32_t{2} << top) - 1;
    for (bool longer = true; longer;) {
      longer = false;
      for (size_t level = 0; level <= top; ++level) {
        const int64_t step = std::abs(levels_[level].stride);
        if ((left >> level & 1) == 0 || step > dense) continue;
        dense += (levels_[level].extent - 1) * step;
        left &= ~(uint32_t{1} << level);
        longer = true;
      }
    }
    return left == 0;
  }

  // Whether one of the levels 1 to `top` repeats at least so many elements.
  [[nodiscard]] bool RepeatsAtLeast(size_t top, int64_t elements) const {
    for (size_t level = 1; level <= top; ++level) {
      if (levels_[level].stride == 0 && levels_[level].unit >= elements) {
        return true;
      }
    }
    return false;
  }

  // Calls visit(element of the tile, element of the operand) for the first
  // `count` elements of the tile.
  template <class Visit>
  void ForEachSource(size_t count, const Visit& visit) const {
    int64_t index[kMostLevels] = {};
    int64_t source = 0;
    for (size_t i = 0; i < count; ++i) {
      visit(i, source);
      for (size_t level = 0; level < count_; ++level) {
        source += levels_[level].stride;
        if (++index[level] < levels_[level].extent) break;
        source -= levels_[level].stride * levels_[level].extent;
        index[level] = 0;
      }
    }
  }

 private:
  void Push(int64_t extent, int64_t stride) {
    if (extent == 1) return;
    if (count_ > 0) {
      Level& inner = levels_[count_ - 1];
      if (inner.stride * inner.extent == stride) {
        inner.extent *= extent;
        total_ *= extent;
        return;
      }
    }
    levels_[count_++] = {extent, stride, total_};
    total_ *= extent;
  }

  Level levels_[kMostLevels];
  size_t count_ = 0;
  int64_t total_ = 1;  // elements of the tile
};

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_TILE_LOOPS_H_
