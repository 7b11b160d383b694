// Plans as text: every request comes back as it was, the text is one fixed
// text, and whatever else is read is refused with the byte at fault.

#include "broadloom/explain/plan_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/questions.h"
#include "reference/trial.h"
#include "unit/allocation_watch.h"

namespace {

using namespace reference;
using broadloom::Arena;
using broadloom::Detail;
using broadloom::ErrorClass;
using broadloom::PlanRequest;
using broadloom::ReadPlan;
using broadloom::Rule;
using broadloom::ShapeView;
using broadloom::ShiftDirection;
using broadloom::WritePlan;

// Why a text is refused; empty where it is read.
std::string ReasonOf(std::string_view text) {
  Arena arena;
  const auto read = ReadPlan(text, arena);
  REQUIRE(read);
  REQUIRE(read->at <= text.size());
  return std::string(read->reason);
}

// A request that owns what it points to.
struct Owned {
  Op op;
  std::vector<Extents> shapes;
  std::vector<DType> dtypes;
  broadloom::ApplyOptions options = {};
  Extents target = {};
  Extents mapping = {};
  std::vector<std::vector<std::string>> names = {};

  std::string Write() const {
    const std::vector<ShapeView> views(shapes.begin(), shapes.end());
    std::vector<std::vector<std::string_view>> texts;
    for (const auto& list : names) texts.emplace_back(list.begin(), list.end());
    const std::vector<std::span<const std::string_view>> lists(texts.begin(),
                                                               texts.end());
    PlanRequest request{
        .op = op, .shapes = views, .dtypes = dtypes, .options = options};
    if (options.target_shape) request.options.target_shape = target;
    if (options.axes_mapping) request.options.axes_mapping = mapping;
    request.options.axis_names = lists;
    Arena arena;
    const auto text = WritePlan(request, arena);
    REQUIRE(text);
    return std::string(*text);
  }

  // Whether a request that was read is this one.
  bool Equals(const PlanRequest& read) const {
    const auto& a = options;
    const auto& b = read.options;
    bool equal = op == read.op && read.shapes.size() == shapes.size() &&
                 std::ranges::equal(dtypes, read.dtypes) &&
                 b.rule == a.rule.value_or(broadloom::DefaultRule(op)) &&
                 a.axis == b.axis && a.policy == b.policy &&
                 a.target_shape.has_value() == b.target_shape.has_value() &&
                 a.axes_mapping.has_value() == b.axes_mapping.has_value() &&
                 names.size() == b.axis_names.size() &&
                 a.attributes.fmod == b.attributes.fmod &&
                 a.attributes.direction == b.attributes.direction &&
                 a.attributes.to == b.attributes.to &&
                 a.attributes.saturate == b.attributes.saturate;
    for (size_t i = 0; equal && i < shapes.size(); ++i) {
      equal = std::ranges::equal(shapes[i], read.shapes[i]);
    }
    if (equal && b.target_shape) {
      equal = std::ranges::equal(target, *b.target_shape);
    }
    if (equal && b.axes_mapping) {
      equal = std::ranges::equal(mapping, *b.axes_mapping);
    }
    for (size_t i = 0; equal && i < names.size(); ++i) {
      equal = std::ranges::equal(names[i], b.axis_names[i]);
    }
    return equal;
  }
};

void CheckRoundTrip(const Owned& request) {
  const std::string text = request.Write();
  INFO(text);
  Arena arena;
  const auto read = ReadPlan(text, arena);
  REQUIRE(read);
  REQUIRE(read->reason == "");
  REQUIRE(request.Equals(read->request));
  const auto again = WritePlan(read->request, arena);
  REQUIRE(again);
  REQUIRE(*again == text);
}

TEST_CASE("plan text: every operator, rule, type and attribute") {
  Random random(41);
  for (const KernelCase& it : AllKernelCases()) {
    Owned request{.op = it.op, .shapes = {}, .dtypes = it.dtypes};
    request.options.attributes = it.attributes;
    for (size_t i = 0; i < it.dtypes.size(); ++i) {
      request.shapes.push_back(RandomShape(random, 100000));
    }
    CheckRoundTrip(request);
  }
  for (const broadloom::RuleInfo& rule : broadloom::AllRules()) {
    for (const broadloom::DTypeInfo& type : broadloom::AllDTypes()) {
      const Question question =
          QuestionUnder(std::string(rule.name), random, 2, 1000);
      Owned request{
          .op = Op::kBroadcast,
          .shapes = question.operands,
          .dtypes = std::vector<DType>(question.operands.size(), type.dtype)};
      request.options.rule = rule.rule;
      request.options.axis = question.axis;
      if (question.target) {
        request.options.target_shape = ShapeView();
        request.target = *question.target;
      }
      if (question.mapping) {
        request.options.axes_mapping = ShapeView();
        request.mapping = *question.mapping;
      }
      CheckRoundTrip(request);
    }
  }
}

TEST_CASE("plan text: everything at once, and numbers at their ends") {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kExact = (int64_t{1} << 53) - 1;
  Owned all{
      .op = Op::kMod,
      .shapes = {{kMost, kLeast, kExact, kExact + 1, -kExact, 0}, {}},
      .dtypes = {DType::kI8, DType::kC128, DType::kU1},
      .target = {},
      .mapping = {kMost},
      .names = {
          {"a\"\\/\n\x01", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"}, {}, {""}}};
  all.options = {
      .rule = Rule::kExplicit,
      .axis = kLeast,
      .target_shape = ShapeView(),
      .axes_mapping = ShapeView(),
      .policy = {.inserts = false, .stretches = false, .same_names = true},
      .attributes = {.fmod = -1,
                     .direction = ShiftDirection::kRight,
                     .to = DType::kBF16,
                     .saturate = kMost}};
  CheckRoundTrip(all);
  // One text on every platform.
  REQUIRE(all.Write() ==
          R"({"broadloom_plan":1,"op":"Mod","rule":"explicit","shapes":[[)"
          R"("9223372036854775807","-9223372036854775808",9007199254740991,)"
          R"("9007199254740992",-9007199254740991,0],[]],)"
          R"("types":["i8","c128","u1"],"axis":"-9223372036854775808",)"
          R"("target_shape":[],"axes_mapping":["9223372036854775807"],)"
          R"("policy":["no_rank_promotion","no_stretching","same_names"],)"
          R"("axis_names":[["a\"\\/\u000a\u0001",")"
          "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"
          R"("],[],[""]],"fmod":-1,"direction":"right","to":"bf16",)"
          R"("saturate":"9223372036854775807"})");
}

constexpr std::string_view kGood =
    R"({"broadloom_plan":1,"op":"Add","rule":"numpy","shapes":[[2,3],[3]],)"
    R"("types":["f32","f32"]})";

// kGood with one part replaced.
std::string With(std::string_view part, std::string_view other) {
  std::string text(kGood);
  const size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

TEST_CASE("plan text: blanks and the order of members do not matter") {
  REQUIRE(ReasonOf(kGood) == "");
  REQUIRE(
      ReasonOf(" {\n\t\"types\" : [ \"f32\" , \"f32\" ] ,\r\n"
               "\"shapes\":[[ 2 , 3 ],[ 3 ]],\"rule\":\"numpy\",\"op\":\"Add\","
               "\"broadloom_plan\":1 } \n") == "");
  REQUIRE(ReasonOf(With("\"Add\"", "\"\\u0041dd\"")) == "");
  // Whether a plan can be made is another question.
  REQUIRE(ReasonOf(With("[[2,3],[3]]", "[[-2,3]]")) == "");
}

TEST_CASE("plan text: what is refused, and where") {
  const std::pair<std::string, std::string> refused[] = {
      {"", "Byte 0: the plan has to be an object, {...}."},
      {"  ", "Byte 2: the plan has to be an object, {...}."},
      {"{}", "Byte 2: the member \"broadloom_plan\" is missing."},
      {With(":1,", ":2,"),
       "Byte 18: version 2 is not known here; this library reads version 1."},
      {With(":1,", ":1.0,"),
       "Byte 18: a whole number from -2^63 to 2^63-1 has to be here."},
      {With(":1,", ":01,"),
       "Byte 18: a whole number from -2^63 to 2^63-1 has to be here."},
      {With(":1,", ":\"1\","),
       "Byte 18: a whole number has to be here, and strings are for those "
       "beyond 2^53-1."},
      {With("Add", "Plus"), "Byte 25: there is no operator \"Plus\"."},
      {With("\"Add\"", "3"), "Byte 25: a string has to be here."},
      {With("\"op\"", "\"oq\""), "Byte 20: a plan has no member \"oq\"."},
      {With("\"op\"", "\"rule\""), "Byte 27: there is no rule \"Add\"."},
      {With("\"op\":\"Add\"", "\"rule\":\"numpy\""),
       "Byte 35: the member \"rule\" is there twice."},
      {With("numpy", "onnx"), "Byte 38: there is no rule \"onnx\"."},
      {With("[[2,3]", "[2,3"), "Byte 56: a list has to be here, [...]."},
      {With("[2,3]", "[2,3.5]"),
       "Byte 59: a whole number from -2^63 to 2^63-1 has to be here."},
      {With("[2,3]", "[2,-0]"),
       "Byte 59: a whole number from -2^63 to 2^63-1 has to be here."},
      {With("[2,3]", "[2,1e3]"),
       "Byte 59: a whole number from -2^63 to 2^63-1 has to be here."},
      {With("[2,3]", "[2,9223372036854775808]"),
       "Byte 59: a whole number from -2^63 to 2^63-1 has to be here."},
      {With("[2,3]", "[2,]"),
       "Byte 59: a whole number from -2^63 to 2^63-1 has to be here."},
      {With("[2,3]", "[2 3]"),
       "Byte 59: a list goes on with a comma or ends with ]."},
      {With("[2,3]", "[[2],3]"),
       "Byte 57: a whole number from -2^63 to 2^63-1 has to be here."},
      {With("[2,3]", "null"), "Byte 56: a list has to be here, [...]."},
      {With("f32", "f3"), "Byte 76: there is no element type \"f3\"."},
      {With("]}", "],\"fmod\":true}"),
       "Byte 96: a whole number from -2^63 to 2^63-1 has to be here."},
      {With("]}", "],\"direction\":\"up\"}"),
       "Byte 101: the direction has to be \"left\" or \"right\"."},
      {With("]}", "],\"policy\":[]}"),
       "Byte 98: a policy has to refuse something, or be left out."},
      {With("]}", "],\"policy\":[\"same_names\",\"same_names\"]}"),
       "Byte 112: \"same_names\" is there twice."},
      {With("]}", "],\"policy\":[\"strict\"]}"),
       "Byte 99: there is no policy \"strict\"."},
      {With("]}", "],\"axis_names\":[]}"),
       "Byte 102: axis_names have to have a list, or be left out."},
      {With("]}", "],\"axis_names\":[[\"\xFF\"]]}"),
       "Byte 105: this is not UTF-8."},
      {With("]}", "],\"axis_names\":[[\"\xED\xA0\x80\"]]}"),
       "Byte 105: this is not UTF-8."},
      {With("]}", "],\"axis_names\":[[\"\xC0\xAF\"]]}"),
       "Byte 105: this is not UTF-8."},
      {With("]}", "],\"axis_names\":[[\"a\\x\"]]}"),
       "Byte 106: there is no such escape."},
      {With("]}", "],\"axis_names\":[[\"\\ud800\"]]}"),
       "Byte 105: half of a surrogate pair is no character."},
      {With("]}", "],\"axis_names\":[[\"a\nb\"]]}"),
       "Byte 106: a control character in a string has to be escaped."},
      {With("]}", "],\"axis_names\":[[\"ab"),
       "Byte 104: the string has no end."},
      {With("]}", "]}}"), "Byte 89: nothing may follow the plan."},
      {With("]}", "],}"), "Byte 89: a string has to be here."},
      {With("]}", "],/**/}"), "Byte 89: a string has to be here."},
      {"\xEF\xBB\xBF" + std::string(kGood),
       "Byte 0: the plan has to be an object, {...}."},
      {With("Add", std::string(100, 'x')),
       "Byte 25: there is no operator \"" + std::string(40, 'x') + "...\"."},
      // As it would be written in the text: the reason has one line.
      {R"({"broadloom_plan":1,"a\n\"b":1})",
       R"(Byte 20: a plan has no member "a\u000a\"b".)"},
  };
  for (const auto& [text, reason] : refused) {
    INFO(text);
    REQUIRE(ReasonOf(text) == reason);
  }
}

TEST_CASE("plan text: long and deep texts") {
  constexpr size_t kTen = 10'000'000;
  for (const char part : {'[', '{', '"', '9', '-', ' ', 'x', '\\', '\xC3'}) {
    const std::string text(kTen, part);
    REQUIRE(ReasonOf(text) != "");
    // Blanks in a list are none of its entries.
    REQUIRE((ReasonOf(With("2,3", text)) == "") == (part == ' '));
    REQUIRE(ReasonOf(With("\"Add\"", text)) != "");
    REQUIRE(ReasonOf(With("]}", "],\"axis_names\":[[\"" + text)) != "");
  }
  // A million operands are read; no plan can be made of their types.
  std::string shapes;
  for (size_t i = 0; i < 1'000'000; ++i) shapes += i == 0 ? "[1]" : ",[1]";
  REQUIRE(ReasonOf(With("[2,3],[3]", shapes)) == "");
}

TEST_CASE("plan text: every beginning and random changes of a text") {
  Owned all{.op = Op::kBitShift,
            .shapes = {{2, 3}, {3}},
            .dtypes = {DType::kU8, DType::kU8},
            .target = {4},
            .mapping = {0},
            .names = {{"\xC3\xA9", "b\\"}, {}}};
  all.options = {.axis = -1,
                 .target_shape = ShapeView(),
                 .axes_mapping = ShapeView(),
                 .policy = {.same_names = true},
                 .attributes = {.direction = ShiftDirection::kLeft}};
  const std::string text = all.Write();
  REQUIRE(ReasonOf(text) == "");
  for (size_t length = 0; length < text.size(); ++length) {
    REQUIRE(ReasonOf(text.substr(0, length)) != "");
  }
  Random random(42);
  size_t good = 0;
  constexpr std::string_view kBytes =
      "[]{},:\"\\0123456789-.eEu \n\x01\x80\xC3";
  constexpr size_t kRounds = kSanitized ? 5000 : 50000;
  for (size_t round = 0; round < kRounds; ++round) {
    std::string changed = text;
    const size_t changes = 1 + random.Below(3);
    for (size_t i = 0; i < changes; ++i) {
      const size_t at = random.Below(changed.size());
      const char byte = random.Below(2) == 0
                            ? kBytes[random.Below(kBytes.size())]
                            : static_cast<char>(random());
      switch (random.Below(4)) {
        case 0:
          changed[at] = byte;
          break;
        case 1:
          changed.insert(at, 1, byte);
          break;
        case 2:
          changed.erase(at, 1 + random.Below(4));
          break;
        default:
          changed.insert(at, changed.substr(random.Below(changed.size()),
                                            random.Below(20)));
      }
      if (changed.empty()) break;
    }
    Arena arena;
    const auto read = ReadPlan(changed, arena);
    REQUIRE(read);
    REQUIRE(read->at <= changed.size());
    if (!read->reason.empty()) continue;
    ++good;
    // What was read can be written, and comes back.
    const auto again = WritePlan(read->request, arena);
    REQUIRE(again);
    const auto twice = ReadPlan(*again, arena);
    REQUIRE(twice);
    REQUIRE(twice->reason.empty());
    REQUIRE(*WritePlan(twice->request, arena) == *again);
    // And it is a plan or an error.
    (void)broadloom::MakePlan(read->request.op, read->request.shapes,
                              read->request.dtypes, read->request.options);
  }
  REQUIRE(good > kRounds / 500);
}

TEST_CASE("plan text: requests that cannot be written") {
  Arena arena;
  const auto error_of = [&](const PlanRequest& request) {
    const auto text = WritePlan(request, arena);
    REQUIRE(!text);
    return text.error();
  };
  const DType wrong[] = {static_cast<DType>(200)};
  REQUIRE(error_of({.op = static_cast<Op>(200)}).detail == Detail::kOp);
  REQUIRE(error_of({.options = {.rule = static_cast<Rule>(99)}}).detail ==
          Detail::kRule);
  REQUIRE(error_of({.dtypes = wrong}).detail == Detail::kDTypeName);
  REQUIRE(error_of({.options = {.attributes = {.to = wrong[0]}}}).detail ==
          Detail::kDTypeName);
  REQUIRE(error_of(
              {.options = {.attributes = {.direction =
                                              static_cast<ShiftDirection>(7)}}})
              .error_class == ErrorClass::kUnknown);
  const std::string_view names[] = {"a", "\xFF"};
  const std::span<const std::string_view> lists[] = {{}, names};
  const auto name = error_of({.options = {.axis_names = lists}});
  REQUIRE(name.error_class == ErrorClass::kParse);
  REQUIRE(name.operand == 1);
  REQUIRE(name.operand_axis == 1);
}

template <class Value>
broadloom::Status Outcome(const broadloom::Result<Value>& result) {
  if (result) return {};
  return std::unexpected(result.error());
}

TEST_CASE("plan text: each refused allocation is an error") {
  const std::string text =
      With("]}", "],\"axis_names\":[[\"\\u0041\"],[]],\"target_shape\":[1]}");
  testing::RefuseEach([&](const broadloom::Allocator& allocator) {
    Arena arena(allocator);
    return Outcome(ReadPlan(text, arena));
  });
  testing::RefuseEach([&](const broadloom::Allocator& allocator) {
    Arena arena(allocator);
    return Outcome(WritePlan({}, arena));
  });
}

}  // namespace
