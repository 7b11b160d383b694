// The memory of a view: whether the view is valid, whether its elements lie
// within its memory, and whether a result may take its place.

#ifndef BROADLOOM_BASE_FOOTPRINT_H_
#define BROADLOOM_BASE_FOOTPRINT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/built.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"

namespace broadloom {
inline namespace v1 {

// The elements of a view, counted from its data: all lie in [begin, end), and
// `first` is the element at index (0,...,0).
struct Elements {
  int64_t first;
  int64_t begin;
  int64_t end;
};

// The addresses [begin, end) of a tensor, and the tensor's index.
struct MemoryRange {
  uintptr_t begin;
  uintptr_t end;
  size_t tensor;
};

// The axes of a result in the order of its memory: those of longer strides
// first, each from its lowest element on. Without strides they stay as they
// are.
class MemoryOrder {
 public:
  struct Axis {
    int64_t extent;
    int64_t stride = 0;     // not negative; 0 for a single index
    size_t axis;            // of the view
    bool reversed = false;  // its stride in the view is negative
    int64_t least = 1;      // 1 and what the axes after it span
  };

  // The view's elements have been found. The view must stay as it is. False
  // when memory is refused.
  [[nodiscard]] bool Reset(const MutableTensorView& result,
                           const Allocator& allocator) {
    extents_ = result.shape;
    strided_ = !result.strides.empty();
    return !is_strided() || Sort(result, allocator);
  }

  // An axis of two indices or more whose elements may be those of another one,
  // since its stride is too short. Null if there is none.
  [[nodiscard]] const Axis* Overlapping() const;
  // Whether the elements are consecutive.
  [[nodiscard]] bool IsDense() const { return !is_strided() || HasNoGaps(); }

  [[nodiscard]] Axis operator[](size_t i) const {
    if (is_strided()) return axes_[i];
    return {.extent = extents_[i], .axis = i};
  }
  [[nodiscard]] ShapeView extents() const { return extents_; }

 private:
  [[nodiscard]] bool is_strided() const {
    return kStridedResultsBuilt && strided_;
  }
  bool Sort(const MutableTensorView& result, const Allocator& allocator);
  bool HasNoGaps() const;

  bool strided_ = false;
  ShapeView extents_;
  InlineArray<Axis, kInlineRank> axes_;
  Shape sorted_;  // extents
};

// Checks that no element of a result is written twice. Errors: kOverlap
// (kStrides), kAllocation, kIncompatible (kNotBuilt); they name no operand.
[[nodiscard]] Status CheckWrittenOnce(const MutableTensorView& result,
                                      const Allocator& allocator);

// Whether two ranges have an address in common.
[[nodiscard]] inline bool Overlap(const MemoryRange& a, const MemoryRange& b) {
  const bool empty = a.begin == a.end || b.begin == b.end;
  return !empty && a.begin < b.end && b.begin < a.end;
}

// Writes the strides, in elements, of a dense row-major tensor: one for each
// axis of `shape`.
void DenseStrides(ShapeView shape, std::span<int64_t> strides);

// Checks that the view has no strides or one for each axis. Errors:
// kIncompatible (kStrides). The error names no operand, here and in
// FindElements; the caller adds it.
[[nodiscard]] Status CheckStrides(const TensorView& view);

// Finds the elements of a view that CheckStrides has accepted. `dense_bytes`
// are the bytes of a dense tensor of its shape and type. Errors: kLength when
// an element lies outside of the view's memory.
[[nodiscard]] Status FindElements(const TensorView& view, uint64_t dense_bytes,
                                  Elements& out);

// The addresses of a view whose elements FindElements has found.
[[nodiscard]] MemoryRange RangeOf(const TensorView& view, uint64_t dense_bytes,
                                  size_t tensor);

// Whether a strided result and a view, whose ranges overlap, surely have no
// byte in common: they lie side by side along an axis, as two columns of a
// matrix do.
[[nodiscard]] bool LieBetween(const TensorView& view, uint64_t view_bytes,
                              const MutableTensorView& result,
                              uint64_t result_bytes);

// Whether a result may take the place of a view that it overlaps: it must have
// the same address, shape, element width and strides, so that each element is
// read before its place is written.
[[nodiscard]] bool InPlace(const TensorView& view,
                           const MutableTensorView& result);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_BASE_FOOTPRINT_H_
