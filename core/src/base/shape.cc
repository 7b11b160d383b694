#include "broadloom/shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

Result<Shape> CopyShape(ShapeView extents,
                        const Allocator& allocator) noexcept {
  Result<Shape> shape;
  if (!shape->CopyFrom(extents, allocator)) {
    shape = std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  return shape;
}

Result<int64_t> CountElements(ShapeView shape) noexcept {
  constexpr size_t kNowhere = static_cast<size_t>(-1);
  const auto fault = [&](ErrorClass error_class, Detail detail, size_t axis) {
    return std::unexpected(Error{.error_class = error_class,
                                 .detail = detail,
                                 .operand_axis = static_cast<int32_t>(axis),
                                 .extent = shape[axis]});
  };
  int64_t count = 1;
  size_t overflow = kNowhere;
  bool empty = false;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t extent = shape[axis];
    if (extent < 0) {
      return fault(ErrorClass::kExtent, Detail::kNegative, axis);
    }
    // With an extent of 0 the count is 0, even if the others overflow.
    empty |= extent == 0;
    if (OverflowsMultiply(count, extent, count)) {
      overflow = std::min(overflow, axis);
    }
  }
  if (empty) return 0;
  if (overflow != kNowhere) {
    return fault(ErrorClass::kOverflow, Detail::kNoDetail, overflow);
  }
  return count;
}

Result<int64_t> CountBytes(ShapeView shape, DType dtype) noexcept {
  if (!IsKnown(dtype)) {
    return std::unexpected(Error{.error_class = ErrorClass::kUnknown,
                                 .detail = Detail::kDTypeName});
  }
  const Result<int64_t> count = CountElements(shape);
  if (!count) return count;
  const uint64_t bytes = BytesOfElements(*count, BitsOf(dtype));
  if (bytes > INT64_MAX) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kOverflow, .dtype = dtype});
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace v1
}  // namespace broadloom
