#include "broadloom/explain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "broadloom/parse.h"
#include "broadloom/plan.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/pattern.h"
#include "unit/request.h"
#include "unit/text.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Pattern;
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
  // How a missing operand would show.
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
  REQUIRE(Axis(alignment, 0) ==
          "B has no such axis; it counts as 1 and stretches to 2.");
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

// Every description of a conflict must name the operands, the axis, both
// extents and the rule.
TEST_CASE(
    "explain: a conflict names operands, axis, both extents and the rule") {
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

TEST_CASE("explain: a rank error names both numbers of axes") {
  RequireParts(DescribedError(Request(Rule::kPdpd, {{4, 5}, {2, 3, 4, 5}})),
               {"B", "4 axes", "A", "2", "PDPD"});
  RequireParts(
      DescribedError(Request(Rule::kBroadcastNumpy, {{1, 1, 1}}).Target({5})),
      {"A", "3 axes", "the target", "1"});
  RequireParts(DescribedError(Request(Rule::kNone, {{2, 3}, {3}})),
               {"B", "1 axis", "A", "2", "None"});
}

TEST_CASE("explain: axis and mapping errors name the wrong value") {
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

TEST_CASE("explain: the other errors name their values") {
  RequireParts(
      DescribedError(Request(Rule::kBidirectional, {{4}}).Target({3, -1})),
      {"target", "1", "-1"});
  RequireParts(DescribedError(Request(Rule::kNumpy, {{kMost}, {2, 1}})),
               {"2^63-1", "elements", "Use smaller extents."});
  RequireParts(Described(CountBytes(Extents{kMost}, DType::kF32).error()),
               {"2^63-1 bytes", "smaller extents or a smaller element type"});
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

// Every class and detail, with every operand and value, has a text, and nothing
// outside the record is read.
TEST_CASE("explain: every error has a description") {
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

TEST_CASE("explain: verdicts name the repetitions, or the conflicts") {
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

TEST_CASE("explain: every axis of every kind of alignment has a sentence") {
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

// The rules that take and repeat more than two operands.
constexpr Rule kRulesOfMany[] = {Rule::kNumpy, Rule::kOnnxMultidirectional,
                                 Rule::kSonnx};

TEST_CASE("explain: a statement about several operands is made once") {
  for (const Rule rule : kRulesOfMany) {
    const Alignment three = Aligned(Request(rule, {{2, 3}, {3}, {3}}));
    REQUIRE(Verdict(three) == "B and C are repeated 2 times along axis 0.");
    REQUIRE(Axis(three, 0) ==
            "B and C have no such axis; it counts as 1 and stretches to 2.");
    REQUIRE(Axis(three, 1) == "All are 3.");

    const Alignment five =
        Aligned(Request(rule, {{1, 4}, {3, 1}, {1, 4}, {3, 1}, {1, 4}}));
    REQUIRE(Verdict(five) ==
            "A, C and E are repeated 3 times along axis 0; B and D are "
            "repeated 4 times along axis 1.");
    REQUIRE(Axis(five, 0) == "The 1s of A, C and E stretch to 3.");
    REQUIRE(Axis(five, 1) == "The 1s of B and D stretch to 4.");

    const Alignment eight =
        Aligned(Request(rule, {{4, 3}, {3}, {3}, {3}, {3}, {3}, {3}, {4, 3}}));
    REQUIRE(Verdict(eight) ==
            "B, C, D, E, F and G are repeated 4 times along axis 0.");
  }
}

TEST_CASE("explain: operands are described alike with and without the axis") {
  for (const Rule rule : kRulesOfMany) {
    const Alignment six =
        Aligned(Request(rule, {{4, 3}, {3}, {1, 3}, {}, {4, 1}, {1, 1}}));
    REQUIRE(Axis(six, 0) ==
            "B and D have no such axis; it counts as 1 and stretches to 4. The "
            "1s of C and F stretch to 4.");
    REQUIRE(Axis(six, 1) ==
            "D has no such axis; it counts as 1 and stretches to 3. The 1s of "
            "E and F stretch to 3.");
    const Alignment three = Aligned(Request(rule, {{1}, {}, {5}}));
    REQUIRE(Axis(three, 0) ==
            "A's 1 stretches to 5. B has no such axis; it counts as 1 and "
            "stretches to 5.");
  }
  const Alignment added = Aligned(Request(Rule::kNumpy, {{1, 3}, {3}, {3}}));
  REQUIRE(Axis(added, 0) == "B and C have no such axis; it counts as 1.");
  REQUIRE(Verdict(added) ==
          "Only axes of extent 1 are added; nothing is repeated.");
}

TEST_CASE(
    "explain: a verdict is grouped by operands, or by axes if they are fewer") {
  // Three kinds of operands and three axes.
  REQUIRE(Verdict(Aligned(Request(Rule::kNumpy, {{3, 1, 1}, {4, 1}, {5}}))) ==
          "A is repeated 4 times along axis 1, 5 times along axis 2; B is "
          "repeated 3 times along axis 0, 5 times along axis 2; C is repeated "
          "3 times along axis 0, 4 times along axis 1.");
  // Three and two.
  REQUIRE(
      Verdict(Aligned(Request(Rule::kNumpy, {{2, 3}, {3}, {2, 1}, {}}))) ==
      "B and D are repeated 2 times along axis 0; C and D are repeated 3 times "
      "along axis 1.");
  // Two: the axes of an operand stay together.
  REQUIRE(Verdict(Aligned(
              Request(Rule::kNumpy, {{2, 1, 4}, {3, 1}, {1, 3, 1}, {3, 1}}))) ==
          "A is repeated 3 times along axis 1; B, C and D are repeated 2 times "
          "along axis 0, 4 times along axis 2.");
  // Seven and four.
  REQUIRE(Verdict(Aligned(Request(Rule::kNumpy, {{8, 1, 6, 1},
                                                 {7, 1, 5},
                                                 {6, 1},
                                                 {5},
                                                 {1},
                                                 {},
                                                 {8, 7, 6, 5},
                                                 {1, 7, 1, 1}}))) ==
          "B, C, D, E, F and H are repeated 8 times along axis 0; A, C, D, E "
          "and F are repeated 7 times along axis 1; B, D, E, F and H are "
          "repeated 6 times along axis 2; A, C, E, F and H are repeated 5 "
          "times along axis 3.");
  // Two axes of the same operands are one piece there.
  REQUIRE(Verdict(Aligned(Request(
              Rule::kNumpy, {{2, 3, 4}, {1, 3, 1}, {2, 1, 4}, {1, 1, 1}}))) ==
          "B and D are repeated 2 times along axis 0, 4 times along axis 2; C "
          "and D are repeated 3 times along axis 1.");
}

TEST_CASE("explain: an empty axis, and operands beyond the letters") {
  const Alignment empty =
      Aligned(Request(Rule::kNumpy, {{0, 5}, {1, 1}, {5}, {}}));
  REQUIRE(Verdict(empty) ==
          "B and D are repeated 0 times along axis 0 (which is empty), 5 times "
          "along axis 1; C is repeated 0 times along axis 0 (which is empty).");
  REQUIRE(Axis(empty, 0) ==
          "B's 1 stretches to 0. C and D have no such axis; it counts as 1 and "
          "stretches to 0.");
  std::vector<Extents> many(28, Extents{3});
  many[24] = many[26] = many[27] = {1};
  const Alignment beyond = Aligned(Request(Rule::kSonnx, many));
  REQUIRE(Verdict(beyond) ==
          "Y, #26 and #27 are repeated 3 times along axis 0.");
  REQUIRE(Axis(beyond, 0) == "The 1s of Y, #26 and #27 stretch to 3.");
}

TEST_CASE("explain: the target and missing values have sentences") {
  const Alignment target =
      Aligned(Request(Rule::kBidirectional, {{3, 4}}).Target({1, 4}));
  REQUIRE(Verdict(target) == "A already has this shape; nothing is repeated.");
  REQUIRE(Axis(target, 0) == "The target's 1 stretches to 3.");
  REQUIRE(Axis(target, 1) == "Both are 4.");
  const Alignment clash =
      Aligned(Request(Rule::kBidirectional, {{3}}).Target({4}));
  REQUIRE(Axis(clash, 0) == "Mismatch: A is 3, the target is 4.");
  const Alignment pdpd =
      Aligned(Request(Rule::kPdpd, {{2, 3, 4}, {3, 1}}).Axis(1));
  REQUIRE(Axis(pdpd, 0) ==
          "B has no such axis; it counts as 1 and stretches to 2.");
  REQUIRE(Axis(pdpd, 2) ==
          "B's trailing 1 is ignored, so B has no such axis and is repeated 4 "
          "times.");
  const Alignment unplaced =
      Aligned(Request(Rule::kPdpd, {{2, 3}, {3}}).Axis(2));
  REQUIRE(Axis(unplaced, 0) == "B has no place yet.");
}

TEST_CASE("explain: operands with the same conflict share a sentence") {
  for (const Rule rule : kRulesOfMany) {
    REQUIRE(Axis(Aligned(Request(rule, {{4}, {3}, {4}, {1}, {3}})), 0) ==
            "Mismatch: A is 4, B and E are 3.");
    REQUIRE(
        Axis(Aligned(Request(rule, {{4}, {4}, {3}, {5}, {3}, {1}, {2}, {4}})),
             0) == "Mismatch: A is 4; C and E are 3; D is 5; G is 2.");
  }
  const Alignment none = Aligned(
      Request(Rule::kNone, {{3, 4}, {4}, {4}, {3, 4}, {4, 4}, {4, 3, 4}, {}}));
  REQUIRE(Axis(none, 0) == "Mismatch: A has no such axis, F is 4.");
  REQUIRE(Axis(none, 1) ==
          "Mismatch: A is 3; B, C and G have no such axis; E is 4.");
  REQUIRE(Axis(none, 2) == "Mismatch: A is 4, G has no such axis.");
  // All of them are named, however many.
  std::vector<Extents> many(200, Extents{7});
  many[0] = {4};
  const std::string clash = Axis(Aligned(Request(Rule::kNumpy, many)), 0);
  for (int32_t operand = 1; operand < 200; ++operand) {
    const std::string name = testing::TextOf(
        [&](std::span<char> out) { return FormatOperand(operand, out); });
    const std::regex word("(^|[ ,])" + name + "(?=[ ,;])");
    const std::sregex_iterator first(clash.begin(), clash.end(), word);
    if (std::distance(first, {}) != 1) FAIL(name << ": " << clash);
  }
}

// The expected sentences are parsed. A list of operands: "B", "B and D", "B, D
// and H".
const std::string kList = "([A-Z](?:, [A-Z])*(?: and [A-Z])?)";

// One operand takes "is" and "has", several take "are" and "have".
std::string NamesIn(const std::string& list, std::string_view verb) {
  std::string names;
  for (const char c : list) {
    if (c >= 'A' && c <= 'Z') names += c;
  }
  if ((names.size() > 1) != (verb == "are" || verb == "have")) {
    FAIL(list << " " << verb);
  }
  return names;
}

// How many times an operand is repeated along which axis.
using Repeat = std::tuple<char, int64_t, int64_t>;

// What a verdict says, in order; `pieces` is set to how many it is told in.
std::vector<Repeat> ReadVerdict(const std::string& text, size_t& pieces) {
  const std::string along =
      R"((\d+) times? along axis (\d+)(?: \(which is empty\))?)";
  const std::regex& piece = Pattern(kList + " (is|are) repeated (" + along +
                                    "(?:, " + along + ")*)(?:; |\\.$)");
  const std::regex& one = Pattern(along);
  std::vector<Repeat> repeats;
  pieces = 0;
  size_t read = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), piece), end; i != end;
       ++i, ++pieces) {
    read += static_cast<size_t>(i->length());
    const std::string axes = (*i)[3];
    for (const char name : NamesIn((*i)[1], (*i)[2].str())) {
      for (std::sregex_iterator j(axes.begin(), axes.end(), one); j != end;
           ++j) {
        repeats.emplace_back(name, std::stoll((*j)[2]), std::stoll((*j)[1]));
      }
    }
  }
  if (pieces > 0 && read != text.size()) FAIL(text);
  if (pieces == 0 && !text.ends_with("nothing is repeated.")) FAIL(text);
  return repeats;
}

// The sentence of an axis: which operands have 1, and which lack the axis.
struct AxisSaid {
  std::string ones;
  std::string without;
  int64_t times = 1;
};

AxisSaid ReadAxis(const std::string& text) {
  const std::regex& one = Pattern(R"(([A-Z])'s 1 stretches to (\d+)\.)");
  const std::regex& ones =
      Pattern(R"(The 1s of )" + kList + R"( stretch to (\d+)\.)");
  const std::regex& missing =
      Pattern(kList + " (has|have) no such axis; it counts as 1" +
              R"((?: and stretches to (\d+))?\.)");
  AxisSaid said;
  if (std::regex_match(text, Pattern(R"((Both|All) are \d+\.|A is \d+\.)"))) {
    return said;
  }
  std::smatch match;
  std::string rest = text;
  while (!rest.empty()) {
    const size_t end = rest.find(". ");
    const std::string sentence = rest.substr(0, end + (end != rest.npos));
    rest = end == rest.npos ? "" : rest.substr(end + 2);
    if (std::regex_match(sentence, match, one)) {
      said.ones += match[1];
      said.times = std::stoll(match[2]);
    } else if (std::regex_match(sentence, match, ones)) {
      said.ones += NamesIn(match[1], "have");
      said.times = std::stoll(match[2]);
    } else if (std::regex_match(sentence, match, missing)) {
      said.without += NamesIn(match[1], match[2].str());
      if (match[3].matched) said.times = std::stoll(match[3]);
    } else {
      FAIL(text);
    }
  }
  return said;
}

// Up to 8 operands that fit, some with extents of 1 or missing axes.
std::vector<Extents> RandomOperands(std::mt19937_64& random) {
  constexpr int64_t kExtents[] = {0, 1, 2, 3, 5};
  Extents result(random() % 5);
  for (int64_t& extent : result) extent = kExtents[random() % 5];
  std::vector<Extents> operands(1 + random() % 8);
  for (Extents& operand : operands) {
    const auto left_out =
        static_cast<ptrdiff_t>(random() % (result.size() + 1));
    operand.assign(result.begin() + (random() % 2 ? left_out : 0),
                   result.end());
    for (int64_t& extent : operand) {
      if (random() % 3 == 0) extent = 1;
    }
  }
  return operands;
}

TEST_CASE(
    "explain: each operand is named once for each axis along which it is "
    "repeated") {
  std::mt19937_64 random(20261122);
  size_t by_axis = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::vector<Extents> operands = RandomOperands(random);
    const Alignment alignment =
        Aligned(Request(kRulesOfMany[round % 3], operands));
    const ShapeView output = alignment.output();
    const std::string verdict = Verdict(alignment);
    INFO(verdict);

    // Computed from the shapes, not from the alignment.
    std::vector<Repeat> repeats;
    std::vector<AxisSaid> axes(output.size());
    std::set<std::vector<size_t>> kinds;
    for (size_t i = 0; i < operands.size(); ++i) {
      const char name = static_cast<char>('A' + i);
      const size_t added = output.size() - operands[i].size();
      std::vector<size_t> along;
      for (size_t axis = 0; axis < output.size(); ++axis) {
        const bool has = axis >= added;
        const int64_t extent = has ? operands[i][axis - added] : 1;
        if (!has) axes[axis].without += name;
        if (extent == output[axis]) continue;
        if (has) axes[axis].ones += name;
        axes[axis].times = output[axis];
        repeats.emplace_back(name, axis, output[axis]);
        along.push_back(axis);
      }
      if (!along.empty()) kinds.insert(along);
    }

    size_t pieces = 0;
    std::vector<Repeat> said = ReadVerdict(verdict, pieces);
    std::ranges::sort(said);
    if (said != repeats) FAIL("not what is repeated");
    if (pieces > std::min(output.size(), kinds.size())) {
      FAIL("more pieces than axes, or than kinds of operands");
    }
    by_axis += pieces < kinds.size();
    for (size_t axis = 0; axis < output.size(); ++axis) {
      const std::string why = Axis(alignment, axis);
      const AxisSaid read = ReadAxis(why);
      if (read.ones != axes[axis].ones || read.without != axes[axis].without ||
          read.times != axes[axis].times) {
        FAIL("axis " << axis << ": " << why);
      }
    }
  }
  // Both groupings occurred.
  REQUIRE(by_axis > 100);
}

TEST_CASE("explain: sentences need no memory") {
  const Alignment alignment = Aligned(Request(Rule::kNumpy, {{2, 4}, {3}}));
  const Alignment many =
      Aligned(Request(Rule::kNumpy, {{2, 3}, {3}, {2, 1}, {}, {1}, {3}}));
  testing::RequireNoAllocation([&](const Allocator&) {
    char buffer[512];
    return Describe(*alignment.error(), buffer) > 0 &&
           ExplainVerdict(alignment, buffer) > 0 &&
           ExplainAxis(alignment, 1, buffer) > 0 &&
           ExplainVerdict(many, buffer) > 0 &&
           ExplainAxis(many, 1, buffer) > 0 &&
           FormatShape(alignment.output(), buffer) > 0;
  });
}

}  // namespace
