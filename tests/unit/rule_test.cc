#include "broadloom/rule.h"

#include <cstddef>
#include <set>
#include <string_view>

#include "broadloom/operator.h"
#include "catch2/catch_test_macros.hpp"

namespace {

using namespace broadloom;

// How two extents combine, the same for all rules.
static_assert(CompareExtents<ConcreteExtents>(4, 4) == Comparison::kEqual);
static_assert(CompareExtents<ConcreteExtents>(1, 1) == Comparison::kEqual);
static_assert(CompareExtents<ConcreteExtents>(0, 0) == Comparison::kEqual);
static_assert(CompareExtents<ConcreteExtents>(1, 4) == Comparison::kStretches);
static_assert(CompareExtents<ConcreteExtents>(1, 0) == Comparison::kStretches);
static_assert(CompareExtents<ConcreteExtents>(4, 1) == Comparison::kGrows);
static_assert(CompareExtents<ConcreteExtents>(0, 1) == Comparison::kGrows);
static_assert(CompareExtents<ConcreteExtents>(4, 3) == Comparison::kConflicts);
static_assert(CompareExtents<ConcreteExtents>(0, 3) == Comparison::kConflicts);
static_assert(CompareExtents<ConcreteExtents>(3, 0) == Comparison::kConflicts);

// Another domain of extents for the same code: extents of which only a symbol
// is known, or 1.
struct Symbols {
  using Extent = std::string_view;
  static constexpr bool Equal(Extent a, Extent b) noexcept { return a == b; }
  static constexpr bool IsOne(Extent a) noexcept { return a == "1"; }
};
static_assert(CompareExtents<Symbols>("N", "N") == Comparison::kEqual);
static_assert(CompareExtents<Symbols>("1", "N") == Comparison::kStretches);
static_assert(CompareExtents<Symbols>("N", "1") == Comparison::kGrows);
static_assert(CompareExtents<Symbols>("N", "M") == Comparison::kConflicts);

TEST_CASE("rule: each rule has its row") {
  for (const auto& row : AllRules()) {
    REQUIRE(Traits(row.rule).rule == row.rule);
  }
}

TEST_CASE("rule: number of operands and options, as documented") {
  const std::set<std::string_view> any_number = {
      "none", "numpy", "onnx_multidirectional", "sonnx"};
  const std::set<std::string_view> targets = {"bidirectional",
                                              "broadcast_numpy", "explicit"};
  for (const auto& row : AllRules()) {
    INFO(row.name);
    const RuleTraits& traits = Traits(row.rule);
    if (any_number.contains(row.name)) {
      REQUIRE(traits.least_operands == 1);
      REQUIRE(traits.most_operands == 0);
    } else {
      const size_t operands = targets.contains(row.name) ? 1 : 2;
      REQUIRE(traits.least_operands == operands);
      REQUIRE(traits.most_operands == operands);
    }
    REQUIRE(traits.takes_axis == (row.name == "pdpd"));
    REQUIRE(traits.takes_target == targets.contains(row.name));
    REQUIRE(traits.takes_mapping == (row.name == "explicit"));
    REQUIRE(traits.stretches == (row.name != "none"));
  }
}

TEST_CASE("rule: every clause that a rule cites is in a document") {
  for (const auto& row : AllRules()) {
    INFO(row.name);
    const RuleTraits& traits = Traits(row.rule);
    for (const Clause clause : {traits.match, traits.stretch, traits.insert,
                                traits.conflict, traits.rank}) {
      REQUIRE(clause != Clause::kNoClause);
      REQUIRE(!Info(clause).text.empty());
    }
  }
}

TEST_CASE("rule: the rules that each operator takes") {
  const std::set<std::string_view> n_ary = {"Max", "Min", "Sum", "Mean"};
  for (const auto& op : AllOps()) {
    for (const auto& rule : AllRules()) {
      INFO(op.name << " " << rule.name);
      const bool moves = rule.name == "bidirectional" ||
                         rule.name == "broadcast_numpy" ||
                         rule.name == "explicit" || rule.name == "sonnx";
      bool expected = moves == (op.name == "Broadcast");
      // These two need exactly two operands; Where and Cast have another
      // number.
      const bool two =
          rule.name == "pdpd" || rule.name == "onnx_unidirectional";
      const bool can_have_two =
          op.least_operands <= 2 &&
          (op.most_operands == 0 || op.most_operands >= 2);
      if (two && !can_have_two) expected = false;
      REQUIRE(Accepts(op.op, rule.rule) == expected);
    }
    REQUIRE(Accepts(op.op, DefaultRule(op.op)));
    if (n_ary.contains(op.name)) {
      REQUIRE(op.least_operands == 1);
      REQUIRE(op.most_operands == 0);
    }
  }
  REQUIRE(DefaultRule(Op::kAdd) == Rule::kOnnxMultidirectional);
  REQUIRE(DefaultRule(Op::kWhere) == Rule::kOnnxMultidirectional);
  REQUIRE(DefaultRule(Op::kPRelu) == Rule::kOnnxUnidirectional);
  REQUIRE(DefaultRule(Op::kBroadcast) == Rule::kBroadcastNumpy);
}

}  // namespace
