// Warnings about shapes that fit. tests/explanations counts how often they are
// right; here every kind, every rule, and bad input.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/warning.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Request;

struct Found {
  WarningKind kind;
  std::vector<int32_t> axes;
  std::string message;

  friend bool operator==(const Found&, const Found&) = default;
};

std::vector<Found> WarningsOf(const WarningRequest& request) {
  Arena arena;
  const auto warnings = FindWarnings(request, arena);
  REQUIRE(warnings);
  std::vector<Found> found;
  for (const Warning& warning : *warnings) {
    found.push_back({warning.kind,
                     {warning.axes.begin(), warning.axes.end()},
                     std::string(warning.message)});
  }
  return found;
}

// Not inlined: GCC 12 then warns that an operator is not initialised which is.
[[gnu::noinline]] std::vector<Found> WarningsOf(
    const Request& request, std::optional<Op> op = std::nullopt,
    std::span<const WarningKind> expect = {}) {
  return WarningsOf({.broadcast = request.get(), .op = op, .expect = expect});
}

// Checks that there is exactly one warning, and returns its message.
std::string Only(const std::vector<Found>& found, WarningKind kind,
                 std::vector<int32_t> axes) {
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == kind);
  CHECK(found[0].axes == axes);
  return found[0].message;
}

using enum WarningKind;

TEST_CASE("warnings: spellings") {
  std::set<std::string_view> names;
  for (const WarningKind kind : AllWarningKinds()) {
    CHECK(FindWarningKind(Name(kind)) == kind);
    names.insert(Name(kind));
  }
  CHECK(names.size() == 9);
  CHECK(Name(kOuter) == "outer");
  CHECK_FALSE(FindWarningKind("inner"));
  CHECK_FALSE(FindWarningKind(""));
  CHECK(Name(static_cast<WarningKind>(200)).empty());
}

TEST_CASE("warnings: the example of the header") {
  const broadloom::Extents a{32};
  const broadloom::Extents b{32, 1};
  const ShapeView shapes[] = {a, b};
  Arena arena;
  const Result<std::span<const Warning>> found =
      FindWarnings({.broadcast = {.operands = shapes}}, arena);
  REQUIRE(found);
  CHECK(found->size() == 1);
  CHECK((*found)[0].kind == WarningKind::kOuter);
  CHECK((*found)[0].axes[0] == 0);
  CHECK((*found)[0].axes[1] == 1);
}

TEST_CASE("warnings: both operands grow") {
  CHECK(Only(WarningsOf(Request(Rule::kNumpy, {{32}, {32, 1}})), kOuter,
             {0, 1}) ==
        "A (32,) and B (32, 1) both grow: the result (32, 32) has an entry for "
        "each of 32 x 32 pairs along axes 0 and 1. If elements belong together "
        "one by one, give both operands the same axes.");
  Only(WarningsOf(Request(Rule::kNumpy, {{8, 1, 64, 64}, {8, 64, 64}})), kOuter,
       {0, 1});
  Only(WarningsOf(Request(Rule::kSonnx, {{7}, {7, 1, 1}})), kOuter, {0, 2});
  Only(WarningsOf(Request(Rule::kNumpy, {{1, 9, 1}, {1, 9}})), kOuter, {1, 2});
  // All pairs are meant: the operands have equal ranks or unequal sizes.
  CHECK(WarningsOf(Request(Rule::kNumpy, {{32, 1}, {1, 32}})).empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{32, 1}, {16}})).empty());
  // A mask of positions.
  const Request positions(Rule::kNumpy, {{32, 1}, {32}});
  CHECK(WarningsOf(positions, Op::kGreaterOrEqual).empty());
  CHECK_FALSE(WarningsOf(positions, Op::kEqual).empty());
  Only(WarningsOf(Request(Rule::kNumpy, {{8, 1, 64, 64}, {8, 64, 64}}),
                  Op::kGreater),
       kOuter, {0, 1});
}

// The definition once more: shapes are padded at the left, and some size of at
// least 2 is one operand's own on one axis and the other's on another.
bool IsOuter(const Extents& a, const Extents& b) {
  const size_t rank = std::max(a.size(), b.size());
  if (a.size() == b.size()) return false;
  const Extents& higher = a.size() > b.size() ? a : b;
  Extents lower(rank - std::min(a.size(), b.size()), 1);
  const Extents& given = a.size() > b.size() ? b : a;
  lower.insert(lower.end(), given.begin(), given.end());
  for (size_t p = 0; p < rank; ++p) {
    for (size_t q = p + 1; q < rank; ++q) {
      if (higher[p] >= 2 && lower[p] == 1 && higher[q] == 1 &&
          lower[q] == higher[p]) {
        return true;
      }
    }
  }
  return false;
}

// All shapes of up to `rank` axes with extents 0 to `most`.
std::vector<Extents> AllShapes(size_t rank, int64_t most) {
  std::vector<Extents> shapes = {{}};
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].size() == rank) continue;
    for (int64_t extent = 0; extent <= most; ++extent) {
      Extents longer = shapes[i];
      longer.push_back(extent);
      shapes.push_back(longer);
    }
  }
  return shapes;
}

bool Has(const std::vector<Found>& found, WarningKind kind) {
  return std::ranges::any_of(
      found, [kind](const Found& one) { return one.kind == kind; });
}

TEST_CASE("warnings: growth and empty results of all small shapes") {
  const std::vector<Extents> shapes = AllShapes(3, 3);
  for (const Extents& a : shapes) {
    for (const Extents& b : shapes) {
      const Request request(Rule::kNumpy, {a, b});
      const auto alignment = Align(request.get());
      REQUIRE(alignment);
      const std::vector<Found> found = WarningsOf(request);
      if (alignment->error()) {
        CHECK(found.empty());
        continue;
      }
      // grows_both does not hold for empty results.
      if (*CountElements(alignment->output()) > 0) {
        REQUIRE(Has(found, kOuter) == IsOuter(a, b));
      }
      if (Has(found, kOuter) && *CountElements(alignment->output()) > 0) {
        REQUIRE(alignment->grows_both());
      }
      REQUIRE(Has(found, kEmptyResult) ==
              (*CountElements(alignment->output()) == 0));
    }
  }
}

TEST_CASE("warnings: an operand that fits in another place") {
  CHECK(Only(WarningsOf(Request(Rule::kNumpy, {{8, 8, 64, 64}, {8, 1, 64}}),
                        Op::kAdd),
             kAccidentalMatch, {1}) ==
        "B (8, 1, 64) lies on axis 1, and fits axis 0 as well, since both have "
        "extent 8. If its first axis belongs to axis 0, make its shape (8, 1, "
        "1, 64); check with sizes that differ.");
  Only(WarningsOf(Request(Rule::kNumpy, {{3, 3, 3}, {3, 3}})), kAccidentalMatch,
       {1, 2});
  Only(WarningsOf(Request(Rule::kNumpy, {{6, 8, 6}, {6}})), kAccidentalMatch,
       {2});
  Only(WarningsOf(Request(Rule::kNumpy, {{8, 64, 64, 64}, {64}})),
       kAccidentalMatch, {3});
  Only(WarningsOf(Request(Rule::kOnnxUnidirectional, {{1, 32, 32, 32}, {32}}),
                  Op::kPRelu),
       kAccidentalMatch, {3});
  Only(WarningsOf(Request(Rule::kNumpy, {{9, 9}, {9}}), Op::kDiv),
       kAccidentalMatch, {1});
  Only(WarningsOf(Request(Rule::kNumpy, {{5, 5}, {5, 1}}), Op::kMul),
       kAccidentalMatch, {1});
  Only(WarningsOf(Request(Rule::kPdpd, {{20, 10, 10}, {1, 10}}).Axis(-1)),
       kAccidentalMatch, {1});
  Only(WarningsOf(Request(Rule::kPdpd, {{8, 64, 64, 64}, {64}}).Axis(-1)),
       kAccidentalMatch, {3});
  // The axis was chosen.
  CHECK(WarningsOf(Request(Rule::kPdpd, {{20, 10, 10}, {1, 10}}).Axis(1))
            .empty());
  // Ordinary uses of the same kind.
  CHECK(WarningsOf(Request(Rule::kNumpy, {{8, 8, 64, 64}, {8, 1, 1, 64}}))
            .empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{8, 4, 8, 8}, {8, 8}})).empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{9, 9}, {9}})).empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{9, 9}, {9}}), Op::kAdd).empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{5, 5}, {5, 1}}), Op::kDiv).empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{5, 5}, {5, 1}})).empty());
}

TEST_CASE("warnings: masks") {
  Only(WarningsOf(Request(Rule::kNumpy, {{16, 1, 40}, {16, 16, 40, 40}, {}}),
                  Op::kWhere),
       kMaskAxis, {1});
  Only(WarningsOf(Request(Rule::kNumpy, {{12, 12, 7}, {12, 7}}), Op::kAnd),
       kMaskAxis, {1});
  Only(WarningsOf(Request(Rule::kNumpy, {{9}, {9, 9}, {}}), Op::kWhere),
       kMaskAxis, {1});
  // The value is no mask.
  CHECK_FALSE(
      Has(WarningsOf(Request(Rule::kNumpy, {{9, 9}, {9}, {}}), Op::kWhere),
          kMaskAxis));
}

TEST_CASE("warnings: a batch of 1") {
  Only(WarningsOf(Request(Rule::kNumpy, {{8, 12, 12}, {1, 12, 12}})),
       kStretchedBatch, {0});
  CHECK(WarningsOf(Request(Rule::kNumpy, {{8, 12, 12}, {1, 12, 12}}), Op::kSub)
            .empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{8, 12, 10}, {1, 12, 10}})).empty());
}

TEST_CASE("warnings: names of axes") {
  const std::string_view image[] = {"batch", "heads"};
  const std::string_view factor[] = {"batch"};
  const std::span<const std::string_view> names[] = {image, factor};
  const Request shapes(Rule::kNumpy, {{8, 8}, {8}});
  BroadcastRequest request = shapes.get();
  request.axis_names = names;
  CHECK(
      Only(WarningsOf(WarningRequest{.broadcast = request}), kAxisNames, {1}) ==
      "Along axis 1, \"heads\" of A lies on \"batch\" of B. Axes are matched "
      "by place, not by name: insert axes of extent 1 or transpose until the "
      "names agree.");
  // Equal names show that a place is meant.
  const std::string_view gate[] = {"heads"};
  const std::span<const std::string_view> alike[] = {image, gate};
  request.axis_names = alike;
  CHECK(
      WarningsOf(WarningRequest{.broadcast = request, .op = Op::kDiv}).empty());
  // Unlike names of the two axes show that all pairs are meant.
  const Request pairs(Rule::kNumpy, {{8, 1}, {8}});
  const std::string_view query[] = {"query", ""};
  const std::string_view key[] = {"key"};
  const std::span<const std::string_view> both[] = {query, key};
  request = pairs.get();
  CHECK(WarningsOf(WarningRequest{.broadcast = request}).size() == 1);
  request.axis_names = both;
  CHECK(WarningsOf(WarningRequest{.broadcast = request}).empty());
}

TEST_CASE("warnings: targets") {
  CHECK(Only(WarningsOf(Request(Rule::kBidirectional, {{6, 1}}).Target({6})),
             kResultNotTarget, {0}) ==
        "The result is (6, 6), not the target (6,), since data has more along "
        "axis 0. Use broadcast_numpy if the result has to have the "
        "target's shape.");
  Only(WarningsOf(Request(Rule::kBidirectional, {{32, 10}}).Target({1, 10})),
       kResultNotTarget, {0});
  CHECK(WarningsOf(Request(Rule::kBidirectional, {{1, 10}}).Target({32, 10}))
            .empty());
  CHECK(WarningsOf(Request(Rule::kBroadcastNumpy, {{10}}).Target({32, 10}))
            .empty());
  CHECK(WarningsOf(
            Request(Rule::kExplicit, {{16}}).Target({1, 16, 16}).Mapping({1}))
            .empty());
}

TEST_CASE("warnings: other systems") {
  Only(WarningsOf(Request(Rule::kPdpd, {{2, 3}, {3}})), kOtherSystems, {1});
  Only(WarningsOf(Request(Rule::kPdpd, {{2, 3, 4}, {3}}).Axis(1), Op::kEqual),
       kOtherSystems, {});
  CHECK(WarningsOf(Request(Rule::kPdpd, {{2, 3, 4}, {3}}).Axis(1), Op::kAdd)
            .empty());
  Only(
      WarningsOf(Request(Rule::kOnnxUnidirectional, {{3}, {2, 3}}), Op::kPRelu),
      kOtherSystems, {});
  Only(WarningsOf(Request(Rule::kNumpy, {{2, 3}, {3}}).Type(DType::kU8),
                  Op::kAdd),
       kOtherSystems, {});
  Only(WarningsOf(Request(Rule::kNumpy, {{2, 3}, {3}}).Type(DType::kI64),
                  Op::kPow),
       kOtherSystems, {});
  Only(WarningsOf(Request(Rule::kBroadcastNumpy, {{3}})
                      .Target({2, 3})
                      .Type(DType::kU4)),
       kOtherSystems, {});
  CHECK(AllDivergences().size() > 30);
}

TEST_CASE("warnings: results without elements, and large ones") {
  CHECK(Only(WarningsOf(Request(Rule::kNumpy, {{5, 1}, {0}})), kEmptyResult,
             {1}) ==
        "The result has no elements: B has extent 0 along axis 1. Look for a "
        "selection or a slice that is empty.");
  CHECK(Has(WarningsOf(Request(Rule::kBroadcastNumpy, {{1}}).Target({0, 2})),
            kEmptyResult));
  const Request large(Rule::kNumpy, {{20000, 1}, {1, 20000}});
  CHECK(Only(WarningsOf(large), kLargeResult, {0, 1}) ==
        "The result has 400000000 elements, 20000 times as many as the largest "
        "operand. If it is only added up afterwards, use a product of matrices "
        "or work in blocks.");
  CHECK(WarningsOf(
            Request(Rule::kNumpy, {{20000, 1}, {1, 20000}}).Type(DType::kU1))
            .empty());
  CHECK(WarningsOf(Request(Rule::kNumpy, {{20000, 20000}, {20000}})).empty());
}

TEST_CASE("warnings: what is expected is not reported") {
  const Request request(Rule::kNumpy, {{20000, 1}, {20000}});
  CHECK(WarningsOf(request).size() == 2);
  const WarningKind outer[] = {kOuter};
  Only(WarningsOf(request, std::nullopt, outer), kLargeResult, {0, 1});
  const WarningKind both[] = {kOuter, kLargeResult};
  CHECK(WarningsOf(request, std::nullopt, both).empty());
  CHECK(WarningsOf(request, std::nullopt, AllWarningKinds()).empty());
}

// A random request for a rule, with small extents so that many fit.
std::unique_ptr<Request> RandomRequest(Rule rule, std::mt19937& random) {
  const RuleTraits& traits = Traits(rule);
  const auto below = [&](size_t n) { return random() % n; };
  const auto shape = [&](size_t most) {
    Extents extents(below(most + 1));
    for (int64_t& extent : extents) {
      constexpr int64_t kExtents[] = {0, 1, 1, 1, 3, 3, 3, 3, 5, 5};
      extent = kExtents[below(std::size(kExtents))];
    }
    return extents;
  };
  const size_t most = traits.most_operands == 0 ? 4 : traits.most_operands;
  std::vector<Extents> operands(traits.least_operands +
                                below(most - traits.least_operands + 1));
  for (Extents& operand : operands) operand = shape(5);
  auto made = std::make_unique<Request>(rule, operands);
  Request& request = *made;
  if (traits.takes_axis && below(2) == 0) {
    request.Axis(static_cast<int64_t>(below(5)) - 1);
  }
  if (traits.takes_target) request.Target(shape(5));
  if (traits.takes_mapping) {
    Extents mapping;
    for (size_t i = 0; i < operands[0].size(); ++i) {
      mapping.push_back(static_cast<int64_t>(i + below(2)));
    }
    request.Mapping(mapping);
  }
  return made;
}

TEST_CASE("warnings: every rule, random shapes") {
  std::mt19937 random(18);
  for (const RuleInfo& row : AllRules()) {
    std::set<WarningKind> kinds;
    for (int i = 0; i < 4000; ++i) {
      const auto made = RandomRequest(row.rule, random);
      const Request& request = *made;
      const std::optional<Op> op =
          i % 3 == 0 ? std::nullopt
                     : std::optional(AllOps()[random() % AllOps().size()].op);
      const auto alignment = Align(request.get());
      if (!alignment) continue;
      const std::vector<Found> found = WarningsOf(request, op);
      CHECK(WarningsOf(request, op) == found);
      WarningKind before = kOuter;
      for (const Found& one : found) {
        kinds.insert(one.kind);
        CHECK(one.kind >= before);
        before = one.kind;
        CHECK(std::ranges::is_sorted(one.axes));
        for (const int32_t axis : one.axes) {
          CHECK(axis >= 0);
          CHECK(static_cast<size_t>(axis) < alignment->rank());
        }
        CHECK(one.message.size() > 20);
        CHECK(one.message.ends_with('.'));
        if (one.kind != kOtherSystems) CHECK_FALSE(alignment->error());
      }
      if (!alignment->error() && alignment->has_target()) {
        CHECK(Has(found, kResultNotTarget) ==
              !std::ranges::equal(alignment->output(), alignment->target()));
      }
    }
    if (row.rule != Rule::kNone) CHECK(kinds.contains(kEmptyResult));
  }
}

// Allows the first `left` allocations.
Allocator Refusing(size_t& left) {
  return {[](void* context, size_t bytes, size_t alignment) -> void* {
            size_t& some = *static_cast<size_t*>(context);
            if (some == 0) return nullptr;
            --some;
            return std::aligned_alloc(alignment, bytes);
          },
          [](void*, void* memory, size_t, size_t) { std::free(memory); },
          &left};
}

TEST_CASE("warnings: refused memory") {
  const Request requests[] = {
      Request(Rule::kNumpy, {{20000, 1}, {20000}}),
      Request(Rule::kNumpy, {Extents(12, 3), Extents(11, 3)}),
      Request(Rule::kPdpd, {{20, 10, 10}, {1, 10}}),
      Request(Rule::kNumpy, {Extents(2000, 0), Extents(1999, 1)}),
  };
  for (const Request& request : requests) {
    size_t needed = 0;
    for (size_t allowed = 0;; ++allowed) {
      REQUIRE(allowed < 100);
      size_t left = allowed;
      Arena arena(Refusing(left));
      const auto warnings = FindWarnings({.broadcast = request.get()}, arena);
      if (warnings) {
        CHECK_FALSE(warnings->empty());
        needed = allowed;
        break;
      }
      CHECK(warnings.error().error_class == ErrorClass::kAllocation);
    }
    CHECK(needed > 0);
  }
}

TEST_CASE("warnings: hostile input") {
  constexpr int64_t kHuge = int64_t{1} << 62;
  // Many axes and operands, with coincidences everywhere.
  std::vector<Extents> many(64, Extents(2000, 1));
  many[0] = Extents(2000, 0);
  for (size_t i = 1; i < many.size(); ++i) many[i].resize(2000 - i);
  CHECK(Has(WarningsOf(Request(Rule::kNumpy, many)), kEmptyResult));
  CHECK(Has(WarningsOf(Request(Rule::kSonnx, many)), kOtherSystems));
  CHECK(Has(WarningsOf(Request(Rule::kBidirectional, {Extents(2000, 1)})
                           .Target(Extents(1999, 0))),
            kResultNotTarget));
  // Names on all axes, no two alike.
  std::vector<std::string> texts;
  for (int i = 0; i < 4000; ++i) texts.push_back(std::to_string(i));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::span<const std::string_view> names[] = {
      std::span(views).first(2000), std::span(views).last(2000)};
  const Request ones(Rule::kNumpy, {Extents(2000, 1), Extents(2000, 1)});
  BroadcastRequest named = ones.get();
  named.axis_names = names;
  CHECK(WarningsOf(WarningRequest{.broadcast = named}).size() == 2000);
  // Extents near the limit.
  CHECK(Has(WarningsOf(Request(Rule::kNumpy, {{kHuge}, {1}})), kLargeResult) ==
        false);
  CHECK(Has(WarningsOf(Request(Rule::kNumpy, {{kHuge, 1}, {1}})),
            kLargeResult) == false);
  CHECK(Has(WarningsOf(Request(Rule::kBroadcastNumpy, {{1}}).Target({kHuge})),
            kLargeResult));
  CHECK(Has(WarningsOf(Request(Rule::kNumpy, {{kHuge, 1, 0}, {1, kHuge, 1}})),
            kOtherSystems));
  CHECK(WarningsOf(Request(Rule::kNumpy, {{kHuge, 1}, {kHuge}})).empty());
  // Requests without an alignment.
  const auto error_of = [](const WarningRequest& request) {
    Arena arena;
    const auto warnings = FindWarnings(request, arena);
    REQUIRE_FALSE(warnings);
    return warnings.error();
  };
  const Request negative(Rule::kNumpy, {{-1}, {3}});
  CHECK(error_of({.broadcast = negative.get()}).error_class ==
        ErrorClass::kExtent);
  const Request fit(Rule::kNumpy, {{3}, {3}});
  CHECK(error_of({.broadcast = fit.get(), .op = static_cast<Op>(250)}).detail ==
        Detail::kOp);
  const WarningKind unknown[] = {static_cast<WarningKind>(77)};
  CHECK(error_of({.broadcast = fit.get(), .expect = unknown}).error_class ==
        ErrorClass::kUnknown);
  BroadcastRequest bad = fit.get();
  bad.rule = static_cast<Rule>(99);
  CHECK(error_of({.broadcast = bad}).error_class == ErrorClass::kUnknown);
  bad = fit.get();
  bad.dtype = static_cast<DType>(99);
  CHECK(error_of({.broadcast = bad}).error_class == ErrorClass::kUnknown);
  CHECK(error_of({}).error_class == ErrorClass::kArity);
}

}  // namespace
