// The memory of a view: whether the view is valid, whether its elements lie
// within its memory, and whether a result may take its place.

#ifndef BROADLOOM_BASE_FOOTPRINT_H_
#define BROADLOOM_BASE_FOOTPRINT_H_

#include <cstddef>
#include <cstdint>
#include <span>

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

// Whether a result may take the place of a view that it overlaps: it must have
// the same address, shape, element width and order, so that each element is
// read before its place is written.
[[nodiscard]] bool InPlace(const TensorView& view,
                           const MutableTensorView& result);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_BASE_FOOTPRINT_H_
