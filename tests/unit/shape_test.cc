#include "broadloom/shape.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "broadloom/vocabulary.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST_CASE("shape: the number of elements") {
  REQUIRE(CountElements(Extents{2, 3}) == 6);
  REQUIRE(CountElements(Extents{}) == 1);
  REQUIRE(CountElements(Extents{0}) == 0);
  REQUIRE(CountElements(Extents{7, 0, 9}) == 0);
  REQUIRE(CountElements(Extents{kMost}) == kMost);
  REQUIRE(CountElements(Extents{int64_t{1} << 31, int64_t{1} << 31}) ==
          int64_t{1} << 62);
  REQUIRE(CountElements(Extents(100, 1)) == 1);
  // 7 * 7 * 73 * 127 * 337 * 92737 * 649657 is 2^63-1.
  REQUIRE(CountElements(Extents{7, 7, 73, 127, 337, 92737, 649657}) == kMost);
}

TEST_CASE(
    "shape: a 0 anywhere makes the count 0, whatever the other extents are") {
  REQUIRE(CountElements(Extents{kMost, kMost, 0}) == 0);
  REQUIRE(CountElements(Extents{0, kMost, kMost}) == 0);
  REQUIRE(CountElements(Extents{kMost, 0, kMost}) == 0);
  REQUIRE(CountBytes(Extents{kMost, kMost, 0}, DType::kC128) == 0);
}

TEST_CASE("shape: more than 2^63-1 elements is an overflow") {
  for (const Extents& shape :
       {Extents{kMost, 2}, Extents{int64_t{1} << 32, int64_t{1} << 31},
        Extents{3, kMost / 3 + 1}, Extents(64, 2), Extents{kMost, kMost}}) {
    const auto count = CountElements(shape);
    REQUIRE(!count);
    REQUIRE(count.error().error_class == ErrorClass::kOverflow);
  }
}

TEST_CASE("shape: a negative extent is an error that names the axis") {
  const auto count = CountElements(Extents{2, -3, 4});
  REQUIRE(!count);
  REQUIRE(count.error().error_class == ErrorClass::kExtent);
  REQUIRE(count.error().detail == Detail::kNegative);
  REQUIRE(count.error().operand_axis == 1);
  REQUIRE(count.error().extent == -3);
  // Also next to a 0, and next to an overflow.
  for (const Extents& shape :
       {Extents{0, -1}, Extents{-1, 0}, Extents{kMost, kMost, -1},
        Extents{std::numeric_limits<int64_t>::min()}}) {
    const auto other = CountBytes(shape, DType::kI8);
    REQUIRE(!other);
    REQUIRE(other.error().error_class == ErrorClass::kExtent);
  }
}

TEST_CASE("shape: the number of bytes") {
  REQUIRE(CountBytes(Extents{2, 3}, DType::kF32) == 24);
  REQUIRE(CountBytes(Extents{}, DType::kC128) == 16);
  REQUIRE(CountBytes(Extents{2, 3}, DType::kBool) == 6);
  REQUIRE(CountBytes(Extents{2, 3}, DType::kF8E4M3) == 6);
  REQUIRE(CountBytes(Extents{5}, DType::kC64) == 40);
  for (const auto& row : AllDTypes()) {
    REQUIRE(CountBytes(Extents{8, 3}, row.dtype) == 3 * row.bits);
  }
}

TEST_CASE("shape: packed types are rounded up once, at the end") {
  REQUIRE(CountBytes(Extents{3}, DType::kI4) == 2);
  REQUIRE(CountBytes(Extents{3, 3}, DType::kU4) == 5);
  REQUIRE(CountBytes(Extents{3, 3}, DType::kU1) == 2);
  REQUIRE(CountBytes(Extents{8}, DType::kU1) == 1);
  REQUIRE(CountBytes(Extents{9}, DType::kU1) == 2);
  REQUIRE(CountBytes(Extents{}, DType::kU1) == 1);
  REQUIRE(CountBytes(Extents{0}, DType::kU1) == 0);
  REQUIRE(CountBytes(Extents{kMost}, DType::kU1) == (int64_t{1} << 60));
  REQUIRE(CountBytes(Extents{kMost}, DType::kI4) == (int64_t{1} << 62));
}

TEST_CASE("shape: more than 2^63-1 bytes is an overflow") {
  REQUIRE(CountBytes(Extents{kMost / 4}, DType::kF32) == kMost / 4 * 4);
  REQUIRE(CountBytes(Extents{kMost}, DType::kU8) == kMost);
  for (const DType dtype :
       {DType::kF16, DType::kF32, DType::kF64, DType::kC128}) {
    const int64_t width = Info(dtype).bits / 8;
    const auto bytes = CountBytes(Extents{kMost / width + 1}, dtype);
    REQUIRE(!bytes);
    REQUIRE(bytes.error().error_class == ErrorClass::kOverflow);
  }
}

TEST_CASE("shape: a copy of rank 8 needs no memory, a copy of rank 9 does") {
  const Extents nine = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  testing::RequireNoAllocation([&](const Allocator& allocator) {
    const auto copy = CopyShape(ShapeView(nine).first(8), allocator);
    return copy && copy->size() == 8 && (*copy)[7] == 8;
  });
  const size_t requests = testing::RefuseEach(
      [&](const Allocator& allocator) { return CopyShape(nine, allocator); });
  REQUIRE(requests == 1);
  const auto copy = CopyShape(nine);
  REQUIRE(copy);
  REQUIRE(testing::ToVector(copy->view()) == nine);
}

}  // namespace
