#include "broadloom/parse.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// The text that a span marks.
std::string_view Marked(std::string_view text, uint32_t begin, uint32_t end) {
  REQUIRE(begin <= end);
  REQUIRE(end <= text.size());
  return text.substr(begin, end - begin);
}

TEST_CASE("parse: the header's example") {
  const auto parsed = ParseShape("(2, 3)");
  REQUIRE(parsed);
  REQUIRE(testing::ToVector(parsed->values.view()) == Extents{2, 3});
  REQUIRE(parsed->spans.size() == 2);
  REQUIRE(parsed->spans[0].begin == 1);
  REQUIRE(parsed->spans[0].end == 2);
  REQUIRE(parsed->spans[1].begin == 4);
  REQUIRE(parsed->spans[1].end == 5);
}

TEST_CASE("parse: every usual spelling") {
  const std::vector<std::pair<std::string_view, Extents>> spellings = {
      {"2,3", {2, 3}},
      {"2, 3", {2, 3}},
      {"(2,3)", {2, 3}},
      {"(2, 3)", {2, 3}},
      {"[2,3]", {2, 3}},
      {"[2, 3]", {2, 3}},
      {"{2,3}", {2, 3}},
      {"2x3", {2, 3}},
      {"2X3", {2, 3}},
      {"2 x 3", {2, 3}},
      {"2×3", {2, 3}},
      {"2 × 3 × 4", {2, 3, 4}},
      {"2*3", {2, 3}},
      {"2 3", {2, 3}},
      {"  2\t3\n", {2, 3}},
      {"( 2 , 3 )", {2, 3}},
      {"(5,)", {5}},
      {"[5,]", {5}},
      {"5,", {5}},
      {"5", {5}},
      {"(5)", {5}},
      {"0", {0}},
      {"torch.Size([2, 3])", {2, 3}},
      {"torch.Size([])", {}},
      {"Shape(2,3)", {2, 3}},
      {"Shape()", {}},
      {"TensorShape([2, 3])", {2, 3}},
      {"()", {}},
      {"[]", {}},
      {"{}", {}},
      {" ( ) ", {}},
      {"1_000", {1000}},
      {"1_000,2_0", {1000, 20}},
      {"007", {7}},
      {"1,2,3,4,5,6,7,8,9", {1, 2, 3, 4, 5, 6, 7, 8, 9}},
      {"9223372036854775807", {kMost}},
  };
  for (const auto& [text, values] : spellings) {
    INFO(text);
    const auto parsed = ParseShape(text);
    REQUIRE(parsed);
    REQUIRE(testing::ToVector(parsed->values.view()) == values);
    REQUIRE(parsed->spans.size() == values.size());
    const auto integers = ParseIntegers(text);
    REQUIRE(integers);
    REQUIRE(testing::ToVector(integers->values.view()) == values);
  }
}

TEST_CASE("parse: the spans cover the digits") {
  for (const std::string_view text :
       {"(2, 3)", "12x345", "2×3×44", "torch.Size([ 7 , 8_0 ])", " 5 "}) {
    INFO(text);
    const auto parsed = ParseShape(text);
    REQUIRE(parsed);
    uint32_t before = 0;
    for (size_t i = 0; i < parsed->values.size(); ++i) {
      std::string digits;
      const TextSpan span = parsed->spans[i];
      REQUIRE(span.begin >= before);
      before = span.end;
      for (char c : Marked(text, span.begin, span.end)) {
        if (c != '_') digits += c;
      }
      REQUIRE(digits == std::to_string(parsed->values[i]));
    }
  }
}

struct Bad {
  std::string_view text;
  Detail detail;
  std::string_view marked;
  uint32_t begin;
};

TEST_CASE("parse: the wrong part of a text is marked") {
  const std::vector<Bad> texts = {
      {"", Detail::kEmptyText, "", 0},
      {"abc", Detail::kBadToken, "abc", 0},
      {"2,a", Detail::kBadToken, "a", 2},
      {"2,3b", Detail::kBadToken, "3b", 2},
      {"2,,3", Detail::kNoNumber, ",", 2},
      {",2", Detail::kNoNumber, ",", 0},
      {"2;;3", Detail::kNoNumber, ";", 2},
      {"2 x x 3", Detail::kNoNumber, "x", 4},
      {"2 × × 3", Detail::kNoNumber, "×", 5},
      {"* 3", Detail::kNoNumber, "*", 0},
      {"(2,3", Detail::kUnclosed, "(", 0},
      {"[2,3", Detail::kUnclosed, "[", 0},
      {"torch.Size([2, 3]", Detail::kUnclosed, "(", 10},
      {"(2,3]", Detail::kUnopened, "]", 4},
      {"2,3)", Detail::kUnopened, ")", 3},
      {"(2,3))", Detail::kUnopened, ")", 5},
      {"((((((2", Detail::kTooDeep, "(", 4},
      {"(2,3) 4", Detail::kTrailing, "4", 6},
      {"(2,3)x", Detail::kTrailing, "x", 5},
      {"(2)(3)", Detail::kTrailing, "(", 3},
      {"2x", Detail::kNoNumber, "x", 1},
      {"(2x)", Detail::kNoNumber, "x", 2},
      {"2×", Detail::kNoNumber, "×", 1},
      {"x2", Detail::kBadToken, "x2", 0},
      {"2xx3", Detail::kBadToken, "x3", 2},
      {"-", Detail::kBadToken, "-", 0},
      {"+", Detail::kBadToken, "+", 0},
      {"2,-,3", Detail::kBadToken, "-", 2},
      {"?", Detail::kBadToken, "?", 0},
      {"(2, ?)", Detail::kBadToken, "?", 4},
      {"(2, None)", Detail::kBadToken, "None", 4},
      {"(N, 3)", Detail::kBadToken, "N", 1},
      {"1_", Detail::kBadToken, "1_", 0},
      {"_1", Detail::kBadToken, "_1", 0},
      {"0x10 é", Detail::kBadToken, "é", 5},
      {"2 é", Detail::kBadToken, "é", 2},
      {"1e3", Detail::kBadToken, "1e3", 0},
      {"2,3,☃", Detail::kBadToken, "☃", 4},
      {"\xff\xfe", Detail::kBadToken, "\xff\xfe", 0},
      {"2,\x80", Detail::kBadToken, "\x80", 2},
      {"torch.Size", Detail::kBadToken, "torch.Size", 0},
      {std::string_view("2\0,3", 4), Detail::kBadToken,
       std::string_view("2\0", 2), 0},
  };
  for (const Bad& bad : texts) {
    INFO(bad.text);
    for (const auto& parsed : {ParseShape(bad.text), ParseIntegers(bad.text)}) {
      REQUIRE(!parsed);
      const Error& error = parsed.error();
      CHECK(error.error_class == ErrorClass::kParse);
      CHECK(error.detail == bad.detail);
      CHECK(error.text_begin == bad.begin);
      CHECK(Marked(bad.text, error.text_begin, error.text_end) == bad.marked);
    }
  }
}

TEST_CASE("parse: a text of blanks is empty") {
  for (const std::string_view text : {" ", "\t\n ", "   "}) {
    const auto parsed = ParseShape(text);
    REQUIRE(!parsed);
    REQUIRE(parsed.error().error_class == ErrorClass::kParse);
    REQUIRE(parsed.error().detail == Detail::kEmptyText);
  }
}

struct Wrong {
  std::string_view text;
  Detail detail;
  std::string_view marked;
  int32_t axis;
  int64_t extent;
};

TEST_CASE("parse: invalid extents name the operand and its axis") {
  const std::vector<Wrong> texts = {
      {"2,-3", Detail::kNegative, "-3", 1, -3},
      {"(-1,)", Detail::kNegative, "-1", 0, -1},
      {"2 -3", Detail::kNegative, "-3", 1, -3},
      {"2x-3", Detail::kNegative, "-3", 1, -3},
      {"2,−3", Detail::kNegative, "−3", 1, -3},
      {"2.5", Detail::kFractional, "2.5", 0, 2},
      {"2,3.0", Detail::kFractional, "3.0", 1, 3},
      {"[1, 2.]", Detail::kFractional, "2.", 1, 2},
      {"9223372036854775808", Detail::kUnsafe, "9223372036854775808", 0, 0},
      {"2,99999999999999999999999999", Detail::kUnsafe,
       "99999999999999999999999999", 1, 0},
  };
  for (const Wrong& wrong : texts) {
    INFO(wrong.text);
    const auto parsed = ParseShape(wrong.text, 3);
    REQUIRE(!parsed);
    const Error& error = parsed.error();
    REQUIRE(error.error_class == ErrorClass::kExtent);
    REQUIRE(error.detail == wrong.detail);
    REQUIRE(error.operand == 3);
    REQUIRE(error.operand_axis == wrong.axis);
    REQUIRE(error.extent == wrong.extent);
    REQUIRE(Marked(wrong.text, error.text_begin, error.text_end) ==
            wrong.marked);
  }
}

TEST_CASE("parse: numbers of any length are checked without wrapping") {
  // Lengths at which a wrapped product would be small and positive again.
  for (size_t digits = 19; digits < 60; ++digits) {
    for (const char digit : {'1', '9'}) {
      const std::string text(digits, digit);
      if (digits == 19 && digit == '1') continue;  // 1.1e18 fits
      const auto parsed = ParseShape(text);
      REQUIRE(!parsed);
      REQUIRE(parsed.error().error_class == ErrorClass::kExtent);
      REQUIRE(parsed.error().detail == Detail::kUnsafe);
    }
  }
  const auto zeros = ParseShape(std::string(1000, '0') + "5");
  REQUIRE(zeros);
  REQUIRE(zeros->values[0] == 5);
}

TEST_CASE("parse: integers of targets and mappings may be negative") {
  const auto parsed = ParseIntegers("[-1, 2, -9223372036854775807]");
  REQUIRE(parsed);
  REQUIRE(testing::ToVector(parsed->values.view()) == Extents{-1, 2, -kMost});
  REQUIRE(parsed->spans[0].begin == 1);
  REQUIRE(parsed->spans[0].end == 3);

  const auto fraction = ParseIntegers("1.5");
  REQUIRE(!fraction);
  REQUIRE(fraction.error().detail == Detail::kFractional);
  REQUIRE(fraction.error().operand == kTargetOperand);
}

TEST_CASE("parse: a minus zero is zero") {
  const auto parsed = ParseShape("-0");
  REQUIRE(parsed);
  REQUIRE(parsed->values[0] == 0);
}

TEST_CASE("parse: brackets may nest as deep as in real texts, not deeper") {
  REQUIRE(ParseShape("Size(([2, 3]))"));
  const std::string deep(100'000, '(');
  const auto parsed = ParseShape(deep);
  REQUIRE(!parsed);
  REQUIRE(parsed.error().error_class == ErrorClass::kParse);
}

TEST_CASE("parse: long texts are read or rejected in one pass") {
  std::string text = "1";
  while (text.size() < 1'000'000) text += ",1";
  const auto parsed = ParseShape(text);
  REQUIRE(parsed);
  REQUIRE(parsed->values.size() == text.size() / 2 + 1);
  text += ",?";
  const auto bad = ParseShape(text);
  REQUIRE(!bad);
  REQUIRE(bad.error().text_begin == text.size() - 1);
  REQUIRE(bad.error().text_end == text.size());
  for (const char filler : {'a', ' ', '7', 'x', ',', '\xc3'}) {
    REQUIRE(!ParseShape(std::string(1'000'000, filler)));
  }
}

TEST_CASE("parse: for any bytes, a span lies in the text") {
  // All texts of up to 4 of these characters, which reach every state of the
  // parser.
  const std::string_view letters = "1-.,x( )]\xc3\x97_a";
  std::vector<std::string> texts = {""};
  for (size_t length = 0; length < 4; ++length) {
    std::vector<std::string> longer;
    for (const std::string& text : texts) {
      for (char letter : letters) longer.push_back(text + letter);
    }
    for (const std::string& text : longer) {
      const auto parsed = ParseShape(text);
      if (parsed) {
        for (const TextSpan& span : parsed->spans) {
          if (span.begin >= span.end || span.end > text.size()) {
            FAIL("span outside of " << text);
          }
        }
      } else if (parsed.error().text_begin > parsed.error().text_end ||
                 parsed.error().text_end > text.size() ||
                 (parsed.error().detail != Detail::kEmptyText &&
                  parsed.error().text_begin == parsed.error().text_end)) {
        FAIL("error marks nothing in " << text);
      }
    }
    texts = longer;
  }
}

TEST_CASE(
    "parse: up to 8 extents need no memory; failed allocations are errors") {
  testing::RequireNoAllocation([](const Allocator& allocator) {
    return ParseShape("1,2,3,4,5,6,7,8", 0, allocator).has_value() &&
           !ParseShape("1,2,3,4,5,6,7,oops", 0, allocator).has_value();
  });
  const size_t requests = testing::RefuseEach([](const Allocator& allocator) {
    return ParseShape("1,2,3,4,5,6,7,8,9", 0, allocator);
  });
  REQUIRE(requests == 2);
}

}  // namespace
