#include "broadloom/explain/repair.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/rule.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Request;
using testing::ToVector;

// The request with the change applied.
void RequireFits(const BroadcastRequest& request, const Repair& repair) {
  std::vector<ShapeView> operands(request.operands.begin(),
                                  request.operands.end());
  BroadcastRequest changed = request;
  changed.rule = repair.rule;
  if (repair.kind == RepairKind::kChangeRule) {
    changed.axis.reset();
    changed.axes_mapping.reset();
    if (repair.axis != kAbsent) changed.axis = repair.axis;
    if (repair.rule == Rule::kExplicit) {
      changed.axes_mapping = repair.axes_mapping;
    }
  } else if (repair.kind == RepairKind::kSwapOperands) {
    std::swap(operands.at(0), operands.at(1));
  } else if (repair.operand == kTargetOperand) {
    changed.target_shape = repair.shape;
  } else {
    operands[static_cast<size_t>(repair.operand)] = repair.shape;
  }
  changed.operands = operands;
  const auto shape = InferShape(changed);
  REQUIRE(shape);
  REQUIRE(ToVector(shape->view()) == ToVector(repair.result));
}

// What the repairs of all tests lie in.
Arena& Memory() {
  static Arena arena;
  return arena;
}

// All repairs; each is checked by applying it.
std::vector<Repair> Found(const Request& request) {
  const auto found = FindRepairs(request.get(), Memory());
  REQUIRE(found);
  const std::span<const Repair> repairs = *found;
  REQUIRE(repairs.size() <= kMostProposals);
  for (size_t i = 0; i < repairs.size(); ++i) {
    RequireFits(request.get(), repairs[i]);
    const auto& before = request.get();
    if (repairs[i].kind == RepairKind::kInsertAxis ||
        repairs[i].kind == RepairKind::kRemoveAxis ||
        repairs[i].kind == RepairKind::kTranspose ||
        repairs[i].kind == RepairKind::kReshape) {
      // A changed shape has the same number of elements.
      const ShapeView old =
          before.operands[static_cast<size_t>(repairs[i].operand)];
      REQUIRE(CountElements(old) == CountElements(repairs[i].shape));
      REQUIRE(repairs[i].rule == before.rule);
      REQUIRE(ToVector(old) != ToVector(repairs[i].shape));
    }
  }
  return {repairs.begin(), repairs.end()};
}

bool Offers(const std::vector<Repair>& repairs, RepairKind kind,
            int32_t operand, const Extents& shape) {
  return std::ranges::any_of(repairs, [&](const Repair& repair) {
    return repair.kind == kind && repair.operand == operand &&
           ToVector(repair.shape) == shape;
  });
}

bool OffersRule(const std::vector<Repair>& repairs, Rule rule,
                int64_t axis = kAbsent) {
  return std::ranges::any_of(repairs, [&](const Repair& repair) {
    return repair.kind == RepairKind::kChangeRule && repair.rule == rule &&
           repair.axis == axis;
  });
}

TEST_CASE("repair: names of kinds") {
  REQUIRE(Name(RepairKind::kInsertAxis) == "insert_axis");
  REQUIRE(Name(RepairKind::kRemoveAxis) == "remove_axis");
  REQUIRE(Name(RepairKind::kTranspose) == "transpose");
  REQUIRE(Name(RepairKind::kReshape) == "reshape");
  REQUIRE(Name(RepairKind::kChangeSize) == "change_size");
  REQUIRE(Name(RepairKind::kChangeTarget) == "change_target");
  REQUIRE(Name(RepairKind::kChangeRule) == "change_rule");
  REQUIRE(Name(RepairKind::kSwapOperands) == "swap_operands");
  REQUIRE(Name(Grade::kCertain) == "certain");
  REQUIRE(Name(Grade::kLikely) == "likely");
  REQUIRE(Name(Grade::kOnlyIfMeant) == "only_if_meant");
}

TEST_CASE("repair: the header's example, a bias along the channels") {
  const auto repairs = Found(Request(Rule::kNumpy, {{8, 64, 56, 56}, {64}}));
  REQUIRE(Offers(repairs, RepairKind::kInsertAxis, 1, {64, 1, 1}));
  REQUIRE(OffersRule(repairs, Rule::kPdpd, 1));
  REQUIRE(repairs[0].kind == RepairKind::kInsertAxis);
  REQUIRE(ToVector(repairs[0].shape) == Extents{64, 1, 1});
}

TEST_CASE("repair: the most likely repair comes first") {
  struct Case {
    Rule rule;
    std::vector<Extents> shapes;
    std::optional<Extents> target;
    RepairKind kind;
    int32_t operand;
    Extents shape;
  };
  const std::vector<Case> cases = {
      // Rows, not columns.
      {Rule::kNumpy, {{8, 3}, {8}}, {}, RepairKind::kInsertAxis, 1, {8, 1}},
      {Rule::kNumpy,
       {{2, 3, 4}, {2, 4}},
       {},
       RepairKind::kInsertAxis,
       1,
       {2, 1, 4}},
      {Rule::kBroadcastNumpy,
       {{96}},
       Extents{96, 64},
       RepairKind::kInsertAxis,
       0,
       {96, 1}},
      {Rule::kBroadcastNumpy,
       {{2, 4}},
       Extents{1, 2, 1, 4},
       RepairKind::kInsertAxis,
       0,
       {2, 1, 4}},
      {Rule::kOnnxMultidirectional,
       {{16, 10}, {16}},
       {},
       RepairKind::kInsertAxis,
       1,
       {16, 1}},
      // The wrong channel layout.
      {Rule::kNumpy,
       {{3, 32, 32}, {32, 32, 3}},
       {},
       RepairKind::kTranspose,
       1,
       {3, 32, 32}},
      // A target that is too small.
      {Rule::kBroadcastNumpy,
       {{1920, 4}},
       Extents{1920, 1},
       RepairKind::kChangeTarget,
       kTargetOperand,
       {1920, 4}},
      {Rule::kBidirectional,
       {{4, 1}},
       Extents{-1, 3},
       RepairKind::kChangeTarget,
       kTargetOperand,
       {4, 3}},
  };
  for (const Case& one : cases) {
    Request request(one.rule, one.shapes);
    if (one.target) request.Target(*one.target);
    const auto repairs = Found(request);
    INFO("case " << &one - cases.data());
    CHECK(!repairs.empty());
    if (repairs.empty()) continue;
    CHECK(repairs[0].kind == one.kind);
    CHECK(Offers(repairs, one.kind, one.operand, one.shape));
  }
}

TEST_CASE("repair: an extra axis is removed") {
  REQUIRE(Offers(Found(Request(Rule::kNumpy, {{5, 7}, {5, 7, 1}})),
                 RepairKind::kRemoveAxis, 1, {5, 7}));
  REQUIRE(Offers(Found(Request(Rule::kOnnxUnidirectional, {{5}, {1, 5}})),
                 RepairKind::kRemoveAxis, 1, {5}));
}

TEST_CASE("repair: other rules under which the operands fit") {
  REQUIRE(
      OffersRule(Found(Request(Rule::kNone, {{2, 3}, {1, 3}})), Rule::kNumpy));
  REQUIRE(OffersRule(Found(Request(Rule::kNone, {{9, 2}, {2}})), Rule::kNumpy));
  REQUIRE(OffersRule(Found(Request(Rule::kPdpd, {{4, 5}, {2, 3, 4, 5}})),
                     Rule::kNumpy));
  REQUIRE(
      OffersRule(Found(Request(Rule::kOnnxUnidirectional, {{1, 4}, {3, 4}})),
                 Rule::kNumpy));
  // Another axis under the same rule.
  REQUIRE(OffersRule(Found(Request(Rule::kPdpd, {{2, 3, 4, 5}, {3, 4}})),
                     Rule::kPdpd, 1));
}

TEST_CASE("repair: a mapping is found") {
  for (const bool given : {false, true}) {
    Request request(Rule::kExplicit, {{16, 50}});
    request.Target({1, 16, 50, 3});
    if (given) request.Mapping({0, 1});
    const auto repairs = Found(request);
    REQUIRE(!repairs.empty());
    REQUIRE(std::ranges::any_of(repairs, [](const Repair& repair) {
      return repair.rule == Rule::kExplicit &&
             ToVector(repair.axes_mapping) == Extents{1, 2};
    }));
  }
}

TEST_CASE("repair: none for operands that fit, and none if nothing helps") {
  REQUIRE(Found(Request(Rule::kNumpy, {{2, 3}, {3}})).empty());
  REQUIRE(Found(Request(Rule::kNumpy, {})).empty());
  REQUIRE(Found(Request(Rule::kPdpd, {{2}})).empty());
  REQUIRE(Found(Request(Rule::kNumpy, {{2}, {-3}})).empty());
  REQUIRE(Found(Request(Rule::kExplicit, {{2}})).empty());
  // Extents that really differ: only an outer combination could be meant.
  for (const Repair& repair :
       Found(Request(Rule::kNumpy, {{88, 23}, {88, 24}}))) {
    REQUIRE(repair.kind != RepairKind::kTranspose);
    REQUIRE(repair.kind != RepairKind::kRemoveAxis);
  }
}

TEST_CASE("repair: no repair is offered twice") {
  const std::vector<std::vector<Extents>> cases = {{{2, 2, 3}, {3, 2, 2}},
                                                   {{4, 4, 1}, {1, 3, 4}},
                                                   {{8, 3}, {8}},
                                                   {{3, 1, 1}, {2, 4, 5}},
                                                   {{2, 3, 4}, {4, 3, 2}}};
  for (const auto& shapes : cases) {
    const auto repairs = Found(Request(Rule::kNumpy, shapes));
    for (size_t i = 0; i < repairs.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const bool same =
            repairs[i].kind == repairs[k].kind &&
            repairs[i].operand == repairs[k].operand &&
            ToVector(repairs[i].shape) == ToVector(repairs[k].shape) &&
            repairs[i].rule == repairs[k].rule &&
            repairs[i].axis == repairs[k].axis &&
            ToVector(repairs[i].axes_mapping) ==
                ToVector(repairs[k].axes_mapping);
        REQUIRE(!same);
      }
    }
  }
}

TEST_CASE("repair: all pairs of some shapes, each repair applied") {
  const std::vector<Extents> shapes = {
      {},        {2},    {3},       {2, 3},    {3, 2},
      {1, 2},    {2, 1}, {2, 2, 3}, {3, 1, 2}, {2, 3, 4},
      {4, 3, 2}, {0, 2}, {1, 1, 3}, {0},       {5, 1, 1, 3}};
  size_t offered = 0;
  for (const Extents& a : shapes) {
    for (const Extents& b : shapes) {
      for (const Rule rule :
           {Rule::kNone, Rule::kNumpy, Rule::kOnnxUnidirectional, Rule::kPdpd,
            Rule::kSonnx}) {
        const Request request(rule, {a, b});
        const auto repairs = Found(request);
        offered += repairs.size();
        if (InferShape(request.get())) REQUIRE(repairs.empty());
      }
      for (const Rule rule :
           {Rule::kBidirectional, Rule::kBroadcastNumpy, Rule::kExplicit}) {
        Request request(rule, {a});
        offered += Found(request.Target(b)).size();
      }
    }
  }
  REQUIRE(offered > 500);
}

TEST_CASE("repair: large ranks and many operands work") {
  (void)Found(Request(Rule::kNumpy, {Extents(40, 2), Extents(39, 3)}));
  (void)Found(Request(Rule::kNumpy, std::vector<Extents>(40, {2, 3})));
  std::vector<Extents> forty(40, Extents{2, 3});
  forty[20] = {2};
  const auto repairs = Found(Request(Rule::kNumpy, forty));
  REQUIRE(Offers(repairs, RepairKind::kInsertAxis, 20, {2, 1}));
  (void)Found(Request(Rule::kPdpd, {Extents(100'000, 2), Extents(1, 3)}));
  std::vector<Extents> thousands(20'000, Extents{1});
  thousands[0] = {2};
  thousands[1] = {3};
  CHECK(Found(Request(Rule::kNumpy, thousands)).empty());
  thousands.resize(kMostRepairedOperands);
  CHECK_FALSE(Found(Request(Rule::kNumpy, thousands)).empty());
  Request request(Rule::kExplicit, {Extents(20, 2)});
  (void)Found(request.Target(Extents(20, 3)));
}

TEST_CASE("repair: each failed allocation is an error") {
  std::vector<Extents> five(5, Extents{2, 3, 1, 1, 1, 1, 1, 1});
  five[4] = {2};
  const Request request(Rule::kNumpy, five);
  const size_t requests = testing::RefuseEach([&](const Allocator& allocator) {
    Arena arena(allocator);
    return FindRepairs(request.get(), arena);
  });
  REQUIRE(requests > 0);
}

}  // namespace
