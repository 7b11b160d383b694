// The comparison of all rules, and the mappings that fit.

#include "broadloom/explain/comparison.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

using namespace broadloom;

namespace {

using List = std::vector<int64_t>;

std::optional<Shape> ShapeOf(const List& data, const List& target,
                             const List& mapping) {
  const ShapeView shapes[] = {data};
  Result<Shape> shape = InferShape({.rule = Rule::kExplicit,
                                    .operands = shapes,
                                    .target_shape = ShapeView(target),
                                    .axes_mapping = ShapeView(mapping)});
  if (!shape) return std::nullopt;
  return std::move(*shape);
}

// All lists of entries from -1 to the target's rank, in their order: increasing
// or not.
std::vector<List> AllMappings(const List& data, const List& target) {
  std::vector<List> fitting;
  const int64_t most = static_cast<int64_t>(target.size());
  List mapping(data.size(), -1);
  for (;;) {
    if (ShapeOf(data, target, mapping)) fitting.push_back(mapping);
    size_t i = mapping.size();
    while (i > 0 && mapping[i - 1] == most) mapping[--i] = -1;
    if (i == 0) return fitting;
    ++mapping[i - 1];
  }
}

void Check(const List& data, const List& target) {
  CAPTURE(data, target);
  const std::vector<List> expected = AllMappings(data, target);
  for (const size_t most : {size_t{0}, size_t{1}, size_t{3}, size_t{1000}}) {
    Arena arena;
    const Result<FeasibleMappings> found =
        FindMappings(data, target, most, arena);
    REQUIRE(found);
    REQUIRE(found->count == static_cast<int64_t>(expected.size()));
    REQUIRE(found->first.size() == std::min(most, expected.size()));
    for (size_t i = 0; i < found->first.size(); ++i) {
      const std::span<const int64_t> listed = found->first[i];
      REQUIRE(List(listed.begin(), listed.end()) == expected[i]);
    }
  }
}

// All shapes of up to `rank` axes with these extents.
std::vector<List> Shapes(size_t rank, const List& extents) {
  std::vector<List> shapes{{}};
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].size() == rank) continue;
    for (const int64_t extent : extents) {
      List longer = shapes[i];
      longer.push_back(extent);
      shapes.push_back(longer);
    }
  }
  return shapes;
}

}  // namespace

TEST_CASE("the mappings that fit are those that the core takes",
          "[comparison]") {
  for (const List& data : Shapes(3, {0, 1, 2, 3})) {
    for (const List& target : Shapes(3, {0, 1, 2, 3})) {
      if (data.size() + target.size() > 5) continue;
      Check(data, target);
    }
  }
  Check({2, 1, 2}, {2, 2, 1, 2, 2});
  Check({1, 1, 1}, {4, 5, 6, 7, 8});
}

TEST_CASE("many mappings are counted in bounded time", "[comparison]") {
  Arena arena;
  const List eight(8, 2);
  const List sixteen(16, 2);
  CHECK(FindMappings(eight, sixteen, 5, arena)->count == 12870);
  const List half(1000, 1);
  const List whole(2000, 1);
  const Result<FeasibleMappings> many = FindMappings(half, whole, 5, arena);
  CHECK(many->count == std::numeric_limits<int64_t>::max());
  CHECK(many->first.size() == 5);
  CHECK(FindMappings(whole, half, 5, arena)->count == 0);
}

TEST_CASE("a comparison of bad or many operands", "[comparison]") {
  Arena arena;
  CHECK(WriteComparison({}, arena).error().error_class == ErrorClass::kArity);
  const List negative{2, -1};
  const ShapeView wrong[] = {negative, negative};
  CHECK(WriteComparison({.operands = wrong}, arena).error().error_class ==
        ErrorClass::kExtent);
  const List one{3};
  const ShapeView single[] = {one};
  const Result<std::string_view> alone =
      WriteComparison({.operands = single}, arena);
  REQUIRE(alone);
  CHECK(alone->contains(R"("mappings":null)"));
  const std::vector<ShapeView> many(64, ShapeView(one));
  CHECK(WriteComparison({.operands = many}, arena));
  const List long_shape(1000, 1);
  const ShapeView two[] = {long_shape, long_shape};
  CHECK(WriteComparison({.operands = two}, arena));
}

TEST_CASE("refused memory is reported", "[comparison]") {
  const List a{2, 3, 3};
  const List b{3};
  const ShapeView shapes[] = {a, b};
  for (size_t allowed = 0;; ++allowed) {
    size_t left = allowed;
    const Allocator allocator{
        [](void* context, size_t bytes, size_t alignment) -> void* {
          size_t& more = *static_cast<size_t*>(context);
          if (more == 0) return nullptr;
          --more;
          return DefaultAllocator().allocate(nullptr, bytes, alignment);
        },
        [](void*, void* memory, size_t bytes, size_t alignment) {
          DefaultAllocator().deallocate(nullptr, memory, bytes, alignment);
        },
        &left};
    Arena arena(allocator);
    const Result<std::string_view> document =
        WriteComparison({.operands = shapes}, arena);
    if (document) {
      CHECK(allowed > 1);
      break;
    }
    REQUIRE(document.error().error_class == ErrorClass::kAllocation);
    REQUIRE(allowed < 1000);
  }
}
