// The memory that a view walks: whether the view describes it, whether all of
// it is there, and whether a result may be written over it.

#ifndef BROADLOOM_BASE_FOOTPRINT_H_
#define BROADLOOM_BASE_FOOTPRINT_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"

namespace broadloom {
inline namespace v1 {

// The elements of a view, counted from its data: [begin, end), and the one at
// index (0,...,0).
struct Elements {
  int64_t first;
  int64_t begin;
  int64_t end;
};

// The memory of one tensor, and which one it is.
struct MemoryRange {
  uintptr_t begin;
  uintptr_t end;
  size_t tensor;
};

// Elements from one index of each axis to the next where the elements lie side
// by side, row-major. False when memory is refused.
[[nodiscard]] bool DenseStrides(ShapeView shape, Shape& strides,
                                const Allocator& allocator);

// The errors name no operand: whoever asks knows which one it is.

// Errors: kIncompatible (kStrides) when there are strides, but not as many as
// axes.
[[nodiscard]] Status CheckStrides(const TensorView& view);

// `dense_bytes` is what the view needs when it is dense. Errors: kLength when
// the elements are not all in the view's memory. The strides are as many as
// axes, or none.
[[nodiscard]] Status FindElements(const TensorView& view, uint64_t dense_bytes,
                                  Elements& out);

// Where the elements that have been found lie.
[[nodiscard]] MemoryRange RangeOf(const TensorView& view, uint64_t dense_bytes,
                                  size_t tensor);

// Whether a result may take the place of a view that it overlaps: every element
// is read just before its own place is written.
[[nodiscard]] bool InPlace(const TensorView& view,
                           const MutableTensorView& result);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_BASE_FOOTPRINT_H_
