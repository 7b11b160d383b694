// Products of 32-bit and 64-bit integers, and of size_t, which has 32 bits in
// WebAssembly. A product that wraps would be too short a length.

#include "broadloom/internal/arithmetic.h"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace broadloom {
namespace {

TEMPLATE_TEST_CASE("products report whether they fit", "[arithmetic]", int32_t,
                   uint32_t, int64_t, uint64_t, size_t) {
  using Limits = std::numeric_limits<TestType>;
  for (int i = 0; i < Limits::digits; ++i) {
    const TestType a = TestType{1} << i;
    TestType product;
    CHECK_FALSE(OverflowsMultiply(a, TestType{0}, product));
    CHECK(product == 0);

    for (int j = 0; j < Limits::digits; ++j) {
      CAPTURE(i, j);
      const TestType b = TestType{1} << j;
      const bool too_large = i + j >= Limits::digits;
      REQUIRE(OverflowsMultiply(a, b, product) == too_large);
      if (!too_large) CHECK(product == TestType{1} << (i + j));
      CHECK(SaturatingMultiply(a, b) ==
            (too_large ? Limits::max() : TestType{1} << (i + j)));
    }

    const TestType most = Limits::max() / a;
    CHECK_FALSE(OverflowsMultiply(a, most, product));
    if (i > 0) CHECK(OverflowsMultiply<TestType>(a, most + 1, product));
  }
}

}  // namespace
}  // namespace broadloom
