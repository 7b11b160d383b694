// Shapes: the extents along the axes of a tensor, outermost first, row-major.
// (2,3) is two rows of three; () is a scalar with one element; an extent of 0
// is legal and means that there are no elements.

#ifndef BROADLOOM_SHAPE_H_
#define BROADLOOM_SHAPE_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Extents that belong to the caller and must outlive the view.
using ShapeView = std::span<const int64_t>;

// A shape literal, which converts to a ShapeView. As an argument it may be a
// temporary; a view that is kept needs a named literal. Example:
//   const Extents a{2, 1, 4};
//   const Extents b{3, 1};
//   const ShapeView shapes[] = {a, b};
//   assert(shapes[1][0] == 3);
//   assert(*CountElements(Extents{}) == 1);  // a scalar
template <size_t kRank>
class Extents {
 public:
  template <std::integral... T>
    requires(sizeof...(T) == kRank)
  constexpr Extents(T... extents) noexcept
      : extents_{static_cast<int64_t>(extents)...} {}

  constexpr operator ShapeView() const noexcept BROADLOOM_LIFETIME_BOUND {
    return extents_;
  }

 private:
  std::array<int64_t, kRank> extents_;
};

template <std::integral... T>
Extents(T...) -> Extents<sizeof...(T)>;

// Extents that the object owns. Allocates from rank 9 on.
using Shape = InlineArray<int64_t, kInlineRank>;

// Copies extents. Allocates from rank 9 on. Errors: kAllocation. Complexity:
// rank.
// Example:
//   const Result<Shape> copy = CopyShape(Extents{2, 3});
//   assert(*copy == Extents(2, 3));
[[nodiscard]] Result<Shape> CopyShape(
    ShapeView extents,
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The number of elements: the product of the extents, 1 for a scalar, 0 when
// any extent is 0. Errors: kExtent for a negative extent, kOverflow above
// 2^63-1, each with the axis and its extent. Allocates nothing. Example:
//   assert(*CountElements(Extents{2, 3}) == 6);
[[nodiscard]] Result<int64_t> CountElements(ShapeView shape) noexcept;

// The number of bytes of a dense row-major tensor. The bits of packed elements
// are added up and then rounded up to whole bytes. Errors: kUnknown for an
// unknown type, then those of CountElements. Allocates nothing.
// Example:
//   assert(*CountBytes(Extents{2, 3}, DType::kF32) == 24);
//   assert(*CountBytes(Extents{3}, DType::kI4) == 2);
[[nodiscard]] Result<int64_t> CountBytes(ShapeView shape, DType dtype) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SHAPE_H_
