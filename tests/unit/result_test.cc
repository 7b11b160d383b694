#include "broadloom/result.h"

#include <type_traits>
#include <utility>

#include "broadloom/alignment.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/request.h"

namespace {

using namespace broadloom;

// Errors are plain data: they are copied between threads and to JavaScript
// unchanged.
static_assert(std::is_trivially_copyable_v<Error>);
static_assert(std::is_nothrow_move_constructible_v<Result<Shape>>);
static_assert(std::is_nothrow_move_constructible_v<Result<Alignment>>);

TEST_CASE("result: two errors are equal when all their fields are") {
  const Error error{.error_class = ErrorClass::kRank, .operand = 1, .axis = 2};
  Error other = error;
  REQUIRE(error == other);
  other.text_end = 1;
  REQUIRE(error != other);
}

TEST_CASE("result: fields of an error that do not apply are empty") {
  const Error error{.error_class = ErrorClass::kArity};
  REQUIRE(error.detail == Detail::kNoDetail);
  REQUIRE(!error.rule);
  REQUIRE(!error.op);
  REQUIRE(!error.dtype);
  REQUIRE(!error.other_dtype);
  REQUIRE(error.clause == Clause::kNoClause);
  REQUIRE(error.operand == kAbsent);
  REQUIRE(error.other_operand == kAbsent);
  REQUIRE(error.axis == kAbsent);
  REQUIRE(error.operand_axis == kAbsent);
  REQUIRE(error.other_axis == kAbsent);
  REQUIRE(error.text_begin == error.text_end);
}

TEST_CASE("result: the header's example") {
  const testing::Request request(Rule::kNumpy, {{2, 3, 4}, {3, 5}});
  const auto shape = InferShape(request.get());
  REQUIRE(!shape);
  const Error expected{.error_class = ErrorClass::kIncompatible,
                       .rule = Rule::kNumpy,
                       .clause = Clause::kNumpyCompatible,
                       .operand = 1,
                       .other_operand = 0,
                       .axis = 2,
                       .operand_axis = 1,
                       .other_axis = 2,
                       .extent = 5,
                       .other_extent = 4};
  REQUIRE(shape.error() == expected);
}

}  // namespace
