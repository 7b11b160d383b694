#include "broadloom/explain.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/parse.h"
#include "broadloom/plan.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/request.h"
#include "unit/text.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Request;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

std::string Described(const Error& error) {
  return testing::TextOf(
      [&](std::span<char> out) { return Describe(error, out); });
}

Alignment Aligned(const Request& request) {
  Result<Alignment> alignment = Align(request.get());
  REQUIRE(alignment);
  return std::move(*alignment);
}

std::string Verdict(const Alignment& alignment) {
  return testing::TextOf(
      [&](std::span<char> out) { return ExplainVerdict(alignment, out); });
}

std::string Axis(const Alignment& alignment, size_t axis) {
  return testing::TextOf(
      [&](std::span<char> out) { return ExplainAxis(alignment, axis, out); });
}

std::string DescribedError(const Request& request) {
  const auto shape = InferShape(request.get());
  REQUIRE(!shape);
  return Described(shape.error());
}

void RequireParts(const std::string& text,
                  const std::vector<std::string_view>& parts) {
  for (const std::string_view part : parts) {
    INFO(text);
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  // How an operand that is absent would show.
  CHECK(text.find("#-") == std::string::npos);
}

TEST_CASE("explain: the header's examples") {
  REQUIRE(DescribedError(Request(Rule::kNumpy, {{2, 4}, {3}})) ==
          "Axis 1: B has 3 (its axis 0) but A has 4 (its axis 1). NumPy: two "
          "extents fit when they are equal or one of them is 1.");
  const Alignment alignment =
      Aligned(Request(Rule::kNumpy, {{2, 1, 4}, {3, 1}}));
  REQUIRE(Verdict(alignment) ==
          "A is repeated 3 times along axis 1; B is repeated 2 times along "
          "axis 0, 4 times along axis 2.");
  REQUIRE(Axis(alignment, 0) == "B has no such axis and is repeated 2 times.");
  REQUIRE(Axis(alignment, 3).empty());
  REQUIRE(Axis(alignment, size_t(-1)).empty());
}

TEST_CASE("explain: shapes and operands by name") {
  const auto shape = [](const Extents& extents) {
    return testing::TextOf(
        [&](std::span<char> out) { return FormatShape(extents, out); });
  };
  REQUIRE(shape({2, 3}) == "(2, 3)");
  REQUIRE(shape({5}) == "(5,)");
  REQUIRE(shape({}) == "()");
  REQUIRE(shape({0, -1}) == "(0, -1)");
  REQUIRE(shape({kMost, 1, -kMost - 1}) ==
          "(9223372036854775807, 1, -9223372036854775808)");

  const auto operand = [](int32_t index) {
    return testing::TextOf(
        [&](std::span<char> out) { return FormatOperand(index, out); });
  };
  REQUIRE(operand(0) == "A");
  REQUIRE(operand(1) == "B");
  REQUIRE(operand(25) == "Z");
  REQUIRE(operand(26) == "#26");
  REQUIRE(operand(1000) == "#1000");
  REQUIRE(operand(kTargetOperand) == "the target");
  REQUIRE(operand(kOutputOperand) == "the result");
}

// What every description of a clash has to name: the operands, the axis, both
// extents and the rule.
TEST_CASE("explain: a clash names operands, axis, both extents and the rule") {
  RequireParts(DescribedError(Request(Rule::kNumpy, {{7, 11}, {13, 11}})),
               {"Axis 0", "A", "7", "B", "13", "NumPy"});
  RequireParts(
      DescribedError(Request(Rule::kOnnxUnidirectional, {{2, 17}, {19}})),
      {"Axis 1", "A", "17", "B", "19", "ONNX unidirectional"});
  RequireParts(DescribedError(Request(Rule::kPdpd, {{2, 17, 3}, {19}}).Axis(1)),
               {"Axis 1", "A", "17", "B", "19", "PDPD"});
  RequireParts(
      DescribedError(Request(Rule::kBroadcastNumpy, {{4, 6}}).Target({4, 23})),
      {"Axis 1", "A", "6", "the target", "23"});
  RequireParts(
      DescribedError(Request(Rule::kBidirectional, {{4, 6}}).Target({4, 23})),
      {"Axis 1", "the target", "23", "6", "Bidirectional"});
  RequireParts(
      DescribedError(
          Request(Rule::kExplicit, {{16}}).Target({1, 3, 50}).Mapping({1})),
      {"Axis 1", "A", "16", "the target", "3", "Explicit"});
  RequireParts(DescribedError(Request(Rule::kNone, {{2, 3}, {2, 5}})),
               {"Axis 1", "A", "3", "B", "5", "None"});
  RequireParts(DescribedError(Request(Rule::kSonnx, {{2}, {1}, {29}})),
               {"Axis 0", "A", "2", "C", "29", "SONNX"});
}

TEST_CASE("explain: a rank names both numbers of axes") {
  RequireParts(DescribedError(Request(Rule::kPdpd, {{4, 5}, {2, 3, 4, 5}})),
               {"B", "4 axes", "A", "2", "PDPD"});
  RequireParts(
      DescribedError(Request(Rule::kBroadcastNumpy, {{1, 1, 1}}).Target({5})),
      {"A", "3 axes", "the target", "1"});
  RequireParts(DescribedError(Request(Rule::kNone, {{2, 3}, {3}})),
               {"B", "1 axis", "A", "2", "None"});
}

TEST_CASE("explain: axis and mapping name the wrong value") {
  RequireParts(DescribedError(Request(Rule::kPdpd, {{2, 3}, {3}}).Axis(-7)),
               {"-7"});
  RequireParts(
      DescribedError(Request(Rule::kPdpd, {{2, 3, 4}, {3, 4}}).Axis(2)),
      {"2", "1", "PDPD"});
  const auto mapping = [](Extents data, Extents target, Extents entries) {
    return DescribedError(Request(Rule::kExplicit, {std::move(data)})
                              .Target(std::move(target))
                              .Mapping(std::move(entries)));
  };
  RequireParts(mapping({2, 3}, {2, 3}, {0}), {"axes_mapping", "1", "2"});
  RequireParts(mapping({2, 3}, {3, 2}, {1, 0}), {"axes_mapping", "0", "1"});
  RequireParts(mapping({2}, {2, 2}, {5}), {"axes_mapping", "5", "0 to 1"});
  RequireParts(mapping({2, 2}, {2, 2}, {1, 1}), {"axes_mapping", "1", "twice"});
  RequireParts(DescribedError(Request(Rule::kExplicit, {{2}}).Target({2})),
               {"axes_mapping", "missing"});
  RequireParts(DescribedError(Request(Rule::kNumpy, {{2}}).Mapping({0})),
               {"NumPy", "axes_mapping"});
}

TEST_CASE("explain: a target of no axes has no axis to map to") {
  const std::string text =
      DescribedError(Request(Rule::kExplicit, {{2}}).Target({}).Mapping({0}));
  INFO(text);
  CHECK(text.find("0 to -1") == std::string::npos);
}

TEST_CASE("explain: the rest of the errors name their values") {
  RequireParts(
      DescribedError(Request(Rule::kBidirectional, {{4}}).Target({3, -1})),
      {"target", "1", "-1"});
  RequireParts(DescribedError(Request(Rule::kNumpy, {{kMost}, {2, 1}})),
               {"2^63-1"});
  RequireParts(DescribedError(Request(Rule::kPdpd, {{2}})), {"PDPD", "2", "1"});
  RequireParts(DescribedError(Request(Rule::kNumpy, {})), {"NumPy", "1", "0"});
  RequireParts(DescribedError(Request(Rule::kNumpy, {{2}, {2}}).Axis(3)),
               {"NumPy", "axis", "3", "pdpd"});
  RequireParts(DescribedError(Request(Rule::kExplicit, {{2}})),
               {"Explicit", "target"});
  RequireParts(DescribedError(Request(Rule::kNumpy, {{2}, {3, -4}})),
               {"B", "axis 1", "-4"});
  RequireParts(Described(ParseShape("2,oops").error()), {"3", "6"});
  RequireParts(Described(ParseShape("").error()), {"nothing"});
  RequireParts(Described(ParseShape("(2").error()), {"bracket", "1"});
  RequireParts(Described(ParseShape("2,-3", 1).error()), {"B", "-3"});
  RequireParts(Described(ParseShape("2.5", 0).error()), {"A", "whole"});
}

// Every class and detail, with every operand and value, has some text; nothing
// is read that is not there.
TEST_CASE("explain: any error at all can be described") {
  for (const auto& error_class : AllErrorClasses()) {
    for (const auto& detail : AllDetails()) {
      for (const int32_t operand :
           {kAbsent, kTargetOperand, kOutputOperand, 0, 1, 25, 26, 1 << 30}) {
        Error error{.error_class = error_class.error_class,
                    .detail = detail.detail,
                    .operand = operand,
                    .other_operand = operand,
                    .extent = kMost,
                    .other_extent = -kMost};
        for (int round = 0; round < 2; ++round) {
          char buffer[512];
          if (Describe(error, buffer) == 0) {
            FAIL("nothing for " << error_class.name << " " << detail.name);
          }
          error.rule = Rule::kExplicit;
          error.op = Op::kBitShift;
          error.dtype = DType::kU1;
          error.other_dtype = DType::kC128;
          error.clause = Clause::kPdpdAxis;
          error.axis = error.operand_axis = error.other_axis = 1 << 30;
        }
      }
    }
  }
}

TEST_CASE("explain: verdicts say what is repeated, or what clashes") {
  const std::string same = Verdict(Aligned(Request(Rule::kNumpy, {{2}, {2}})));
  INFO(same);
  REQUIRE(!same.empty());
  CHECK(same.find("times") == std::string::npos);
  RequireParts(Verdict(Aligned(Request(Rule::kNumpy, {{2, 3}, {}}))),
               {"B is repeated 2 times along axis 0", "3 times along axis 1"});
  const Alignment clash =
      Aligned(Request(Rule::kNumpy, {{4, 2, 3}, {1, 2, 3, 4}}));
  RequireParts(Verdict(clash), {"A", "B"});
  RequireParts(Axis(clash, 1), {"A", "4", "B", "2"});
  RequireParts(Axis(clash, 3), {"A", "3", "B", "4"});
  REQUIRE(!Axis(clash, 0).empty());
}

TEST_CASE("explain: every axis of every kind of alignment has its sentence") {
  const Alignment explicit_ = Aligned(Request(Rule::kExplicit, {{16, 1}})
                                          .Target({4, 16, 50, 50})
                                          .Mapping({1, 3}));
  for (size_t axis = 0; axis < 4; ++axis)
    REQUIRE(!Axis(explicit_, axis).empty());
  RequireParts(Axis(explicit_, 0), {"A", "4"});
  RequireParts(Axis(explicit_, 3), {"A", "50"});
  const Alignment negative =
      Aligned(Request(Rule::kBroadcastNumpy, {{2}}).Target({2, -1}));
  REQUIRE(!Axis(negative, 0).empty());
  REQUIRE(!Axis(negative, 1).empty());
  const Alignment forty =
      Aligned(Request(Rule::kNumpy, std::vector<Extents>(40, Extents{1, 3})));
  REQUIRE(!Axis(forty, 1).empty());
  const Alignment empty = Aligned(Request(Rule::kNumpy, {{1}, {0}}));
  RequireParts(Axis(empty, 0), {"A", "0"});
}

TEST_CASE("explain: sentences need no memory") {
  const Alignment alignment = Aligned(Request(Rule::kNumpy, {{2, 4}, {3}}));
  testing::RequireNoAllocation([&](const Allocator&) {
    char buffer[512];
    return Describe(*alignment.error(), buffer) > 0 &&
           ExplainVerdict(alignment, buffer) > 0 &&
           ExplainAxis(alignment, 1, buffer) > 0 &&
           FormatShape(alignment.output(), buffer) > 0;
  });
}

}  // namespace
