// Shapes: the extents along the axes of a tensor, outermost first, row-major.
// (2,3) is two rows of three; () is a scalar with one element; an extent of 0
// is legal and means that there are no elements.

#ifndef BROADLOOM_SHAPE_H_
#define BROADLOOM_SHAPE_H_

#include <cstdint>
#include <span>

#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

// Somebody's extents. Whoever owns them must outlive the view.
using ShapeView = std::span<const int64_t>;

// Extents of one's own; up to rank 8 without allocation.
using Shape = InlineArray<int64_t, kInlineRank>;

// A copy, allocated from rank 9 on. Errors: kAllocation. Complexity: rank.
// Example: *CopyShape(alignment.output()) outlives the alignment.
[[nodiscard]] Result<Shape> CopyShape(
    ShapeView extents,
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The number of elements: the product of the extents, 1 for a scalar, 0 when
// any extent is 0. Errors: kExtent for a negative extent, kOverflow above
// 2^63-1, each with the axis and the extent at which it came about. Example:
// CountElements({2,3}) == 6.
[[nodiscard]] Result<int64_t> CountElements(ShapeView shape) noexcept;

// The number of bytes of a dense row-major tensor; packed types are rounded up
// to whole bytes once, at the end. Errors: kUnknown for no known type, then as
// CountElements. Neither allocates.
// Example: CountBytes({2,3}, DType::kF32) == 24; CountBytes({3}, kI4) == 2.
[[nodiscard]] Result<int64_t> CountBytes(ShapeView shape, DType dtype) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SHAPE_H_
