// Policies: what a request refuses although its rule allows it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/execute.h"
#include "broadloom/explain.h"
#include "broadloom/rule.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;

std::string Told(const Error& error) {
  char text[500];
  return {text, Describe(error, text)};
}

// What an independent reading of the shapes says that the policy refuses, for
// operands that fit under numpy: the first axis, then the first operand.
std::string Refused(const std::vector<Extents>& shapes, const Policy& policy) {
  size_t rank = 0;
  for (const Extents& shape : shapes) rank = std::max(rank, shape.size());
  for (size_t axis = 0; axis < rank; ++axis) {
    int64_t extent = 1;
    for (const Extents& shape : shapes) {
      const size_t before = rank - shape.size();
      if (axis >= before && shape[axis - before] != 1) {
        extent = shape[axis - before];
      }
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
      const size_t before = rank - shapes[i].size();
      const std::string place = std::to_string(axis) + std::to_string(i);
      if (axis < before) {
        if (!policy.inserts && !shapes[i].empty()) return place + "insert";
      } else if (shapes[i][axis - before] != extent && !policy.stretches) {
        return place + "stretch";
      }
    }
  }
  return "";
}

TEST_CASE("policy: refuses what it says, for all small shapes") {
  std::vector<Extents> all = {{}};
  for (size_t begin = 0, rank = 0; rank < 3; ++rank) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const int64_t extent : {0, 1, 3}) {
        Extents longer = all[begin];
        longer.push_back(extent);
        all.push_back(longer);
      }
    }
  }
  for (const Extents& a : all) {
    for (const Extents& b : all) {
      for (const bool inserts : {false, true}) {
        for (const bool stretches : {false, true}) {
          const ShapeView shapes[] = {a, b};
          const Policy policy{.inserts = inserts, .stretches = stretches};
          const auto plain = InferShape({.operands = shapes});
          const auto found = InferShape({.operands = shapes, .policy = policy});
          if (!plain) {
            REQUIRE_FALSE(found);
            REQUIRE(found.error() == plain.error());
            continue;
          }
          const std::string expected = Refused({a, b}, policy);
          REQUIRE(found.has_value() == expected.empty());
          if (found) {
            REQUIRE(*found == plain->view());
            continue;
          }
          const Error& error = found.error();
          REQUIRE(error.error_class == ErrorClass::kPolicy);
          REQUIRE(std::to_string(error.axis) + std::to_string(error.operand) +
                      (error.detail == Detail::kRankPromotion ? "insert"
                                                              : "stretch") ==
                  expected);
        }
      }
    }
  }
}

TEST_CASE("policy: the error names the policy, both extents, and a remedy") {
  const Extents a{2, 3};
  const Extents b{3};
  const Extents c{1, 3};
  const ShapeView shapes[] = {a, b};
  const auto promoted =
      InferShape({.operands = shapes, .policy = {.inserts = false}});
  CHECK(Told(promoted.error()) ==
        "Axis 0: B has no such axis but A has 2 (its axis 0). The policy "
        "no_rank_promotion adds no axes: give B an axis of extent 1 there.");
  const ShapeView column[] = {c, a};
  const auto stretched =
      InferShape({.operands = column, .policy = {.stretches = false}});
  CHECK(Told(stretched.error()) ==
        "Axis 0: A has 1 (its axis 0) but B has 2 (its axis 0). The policy "
        "no_stretching repeats no axis: give A the extent 2 there.");
}

TEST_CASE("policy: axes of unlike names") {
  const Extents a{8, 8};
  const Extents b{8};
  const Extents scalar{};
  const std::array<std::string_view, 2> of_a{"batch", "heads"};
  const std::array<std::string_view, 1> heads{"heads"}, batch{"batch"},
      none{""};
  const auto infer = [&](ShapeView second,
                         std::span<const std::string_view> names) {
    const ShapeView shapes[] = {a, second};
    const std::span<const std::string_view> lists[] = {of_a, names};
    return InferShape({.operands = shapes,
                       .policy = {.same_names = true},
                       .axis_names = lists});
  };
  CHECK(infer(b, heads));
  CHECK(infer(scalar, {}));
  for (const std::span<const std::string_view> names :
       {std::span<const std::string_view>(batch),
        std::span<const std::string_view>(none),
        std::span<const std::string_view>()}) {
    const auto refused = infer(b, names);
    REQUIRE_FALSE(refused);
    CHECK(Told(refused.error()) ==
          "Axis 1: axis 0 of B and axis 1 of A do not have the same name, as "
          "the policy same_names demands: name both alike, or change the order "
          "of the axes.");
  }
  const auto wrong = infer(b, of_a);
  REQUIRE(wrong.error().error_class == ErrorClass::kAttribute);
  CHECK(Told(wrong.error()) ==
        "axis_names has 2 names for B, which has 1 axis: give one for each "
        "axis, or an empty list.");
  const ShapeView shapes[] = {a, b};
  const std::span<const std::string_view> one[] = {of_a};
  const auto few = InferShape({.operands = shapes, .axis_names = one});
  CHECK(Told(few.error()) ==
        "axis_names has 1 list of names, but there are 2 operands: give one "
        "list for each operand, which may be empty.");
}

TEST_CASE("policy: an operator refuses, too, and after the rule") {
  const float values[6] = {};
  const Extents a{2, 3};
  const Extents b{3};
  const TensorView inputs[] = {{DType::kF32, a, values, sizeof values},
                               {DType::kF32, b, values, 12}};
  CHECK(Apply(Op::kAdd, inputs));
  const auto refused = Apply(Op::kAdd, inputs, {.policy = {.inserts = false}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().error_class == ErrorClass::kPolicy);
  const Extents two{2};
  const ShapeView clash[] = {a, two};
  const auto first =
      InferShape({.operands = clash, .policy = {.inserts = false}});
  CHECK(first.error().error_class == ErrorClass::kIncompatible);
}

}  // namespace
