// The memory that a view walks: whether the view describes it, whether all of
// it is there, and whether a result may be written over it.

#ifndef BROADLOOM_FOOTPRINT_H_
#define BROADLOOM_FOOTPRINT_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/nest.h"
#include "broadloom/result.h"
#include "broadloom/tensor.h"
#include "kernels/kernels.h"

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

// The memory of elements [begin, end) behind `data`, of so many bits, of which
// `first` is the one to begin with.
[[nodiscard]] kernels::TaskOperand MemoryBetween(const void* data,
                                                 int64_t first, int64_t begin,
                                                 int64_t end, int bits);

// The memory of operand `operand` of `nest`, which begins at element `first`
// behind `data` and has elements of so many bits: from the first to the last
// of the elements that the loops walk, and whether they leave out whole bytes
// between. The loops have at least one step.
[[nodiscard]] kernels::TaskOperand MemoryOf(const LoopNest& nest,
                                            size_t operand, const void* data,
                                            int64_t first, int bits);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_FOOTPRINT_H_
