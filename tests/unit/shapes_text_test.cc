// Shapes as people write them, one or several in a text.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/parse.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"

namespace {

using namespace broadloom;

std::string TextOf(const SymbolicExtent& extent) {
  if (extent.is_known()) return std::to_string(extent.least);
  if (!extent.name.empty()) return std::string(extent.name);
  if (extent.least == 0 && extent.most == kUnbounded) return "?";
  return std::to_string(extent.least) + ".." +
         (extent.most == kUnbounded ? "" : std::to_string(extent.most));
}

std::string TextOf(const SymbolicShape& shape) {
  if (shape.has_unknown_rank) return "(...)";
  std::string text = "(";
  for (size_t axis = 0; axis < shape.extents.size(); ++axis) {
    if (axis > 0) text += ",";
    if (!shape.axis_names.empty() && !shape.axis_names[axis].empty()) {
      text += std::string(shape.axis_names[axis]) + "=";
    }
    text += TextOf(shape.extents[axis]);
  }
  return text + ")";
}

// All shapes of a text, and their labels: "a.shape:(2,3) (2)"; an error is
// "detail: the marked token".
std::string Read(std::string_view text) {
  Arena arena;
  const auto read = ReadShapes(text, arena);
  if (!read) {
    const Error& error = read.error();
    if (error.text_begin > error.text_end || error.text_end > text.size()) {
      return "a token outside the text";
    }
    return std::string(Info(error.detail).name) + ": " +
           std::string(text.substr(error.text_begin,
                                   error.text_end - error.text_begin));
  }
  std::string all;
  for (const ShapeInText& shape : *read) {
    if (!all.empty()) all += " ";
    if (!shape.label.empty()) all += std::string(shape.label) + ":";
    all += TextOf(shape.shape);
  }
  return all;
}

TEST_CASE("shapes in texts: extents beside an unknown rank are told") {
  const std::pair<std::string_view, bool> cases[] = {
      {"(..., 5)", true},    {"5, ...", true},         {"(2, ..., 5)", true},
      {"f32[..., 3]", true}, {"(...)", false},         {"f32[...]", false},
      {"unranked", false},   {"tensor<*xf32>", false}, {"(2, 3)", false}};
  for (const auto& [text, is_partial] : cases) {
    Arena arena;
    CAPTURE(text);
    const auto read = ReadShapes(text, arena);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    CHECK(read->front().is_partial == is_partial);
  }
}

TEST_CASE("shapes in texts: every notation") {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"(2,3)", "(2,3)"},
      {"[2, 3]", "(2,3)"},
      {"2x3", "(2,3)"},
      {"2 3", "(2,3)"},
      {"()", "()"},
      {"torch.Size([2, 3])", "(2,3)"},
      {"torch.Size([])", "()"},
      {"tensor<2x3xf32>", "(2,3)"},
      {"tensor<2x?xf32>", "(2,?)"},
      {"tensor<f32>", "()"},
      {"tensor<*xf32>", "(...)"},
      {"memref<4x8xbf16>", "(4,8)"},
      {"tensor<2x3xf32, #sparse>", "(2,3)"},
      {"Tensor<[2, 3], f32>", "(2,3)"},
      {"TensorType([4, 2, 3], float32)", "(4,2,3)"},
      {"ShapedArray(float32[2,3])", "(2,3)"},
      {"a.shape = (2, 3)", "a.shape:(2,3)"},
      {"a.shape=(2, 3), b.shape=(2,)", "a.shape:(2,3) b.shape:(2)"},
      {"a: (2, 3)\nb: (2,)", "a:(2,3) b:(2)"},
      {"x = 2x3", "x:(2,3)"},
      {"shape of a (2, 3)", "shape of a:(2,3)"},
      {"a.size() = torch.Size([2, 3])", "a.size():(2,3)"},
      {"np.shape(a) = (2, 3)", "np.shape(a):(2,3)"},
      {"In [3]: a.shape\nOut[3]: (2, 3)", "a.shape:(2,3)"},
      {">>> a.shape\n(2, 3)", "a.shape:(2,3)"},
      {"f32[2,?,3]", "(2,?,3)"},
      {"f32[]", "()"},
      {"f32[2,3]{1,0}", "(2,3)"},
      {"f32[2,?,3..8,..5,2..]", "(2,?,3..8,0..5,2..)"},
      {"f32[...]", "(...)"},
      {"f32[<=10,3]", "(0..10,3)"},
      {"(N, 1, C)", "(N,1,C)"},
      {"N, C", "(N,C)"},
      {"NxCxHxW", "(N,C,H,W)"},
      {"(?, 3)", "(?,3)"},
      {"(None, 3)", "(?,3)"},
      {"(-1, 3)", "(?,3)"},
      {"(\xe2\x88\x92"
       "1, 3)",
       "(?,3)"},
      {"(nan,)", "(?)"},
      {"(:, 3)", "(?,3)"},
      {"(2..8, 4)", "(2..8,4)"},
      {"2..8, 4", "(2..8,4)"},
      {"[...]", "(...)"},
      {"unranked", "(...)"},
      {"TensorShape(None)", "(...)"},
      {"TensorShape([None, 3])", "(?,3)"},
      {"(2*N + 1, 3)", "(2*N+1,3)"},
      {"(N // 2, floor(M/2))", "(N//2,floor(M/2))"},
      {"(s0, 3)", "(s0,3)"},
      {"(s77, u0)", "(s77,u0)"},
      {"batch=8, heads=8", "(batch=8,heads=8)"},
      {"(batch=8, 3)", "(batch=8,3)"},
      {"{'x': 3, 'y': 4}", "(x=3,y=4)"},
      {"Frozen({'x': 3, 'y': 4})", "(x=3,y=4)"},
      {"<xarray.DataArray (x: 3, y: 4)>", "(x=3,y=4)"},
      {"batch=N, 3", "(batch=N,3)"},
      {"Float[Array, \"b 3 c\"]", "(b,3,c)"},
      {"(2,3) (2,)", "(2,3) (2)"},
      {"(2,3),(2,)", "(2,3) (2)"},
      {"(2,3) and (2,)", "(2,3) (2)"},
      {"(2,3) vs. (2,)", "(2,3) (2)"},
      {"(2,3) + (2,)", "(2,3) (2)"},
      {"2x3 vs 4x5", "(2,3) (4,5)"},
      {"2x3 and 2", "(2,3) (2)"},
      {"2,3 and 2", "(2,3) (2)"},
      {"[(2, 3), (2,)]", "(2,3) (2)"},
      {"((2, 3), (2,))", "(2,3) (2)"},
      {"[2,3][2]", "(2,3) (2)"},
      {"[2, 3]\n[2]", "(2,3) (2)"},
      {"N,C vs (C,)", "(N,C) (C)"},
      {"np.ones((2, 3)) + np.ones(2)", "(2,3) (2)"},
      {"torch.randn(8, 3)", "(8,3)"},
      {"(np.int64(2), 3)", "(2,3)"},
      {"Matrix(float64, shape=(8, 3))", "(8,3)"},
      {"FakeTensor(..., device='cpu', size=(8, 3))", "(8,3)"},
      {"(2, 3) float32", "(2,3)"},
      {"2\xc3\x97"
       "3",
       "(2,3)"},
      {"\xef\xbc\x88\xef\xbc\x92\xef\xbc\x8c\xef\xbc\x93\xef\xbc\x89",
       "(2,3)"},  // full width
      {"(2,\xc2\xa0"
       "3)\xe2\x80\xaf(2,)",
       "(2,3) (2)"},  // no-break spaces
      {"\xef\xbb\xbf(2,3)", "(2,3)"},
      {"\x1b[31m(2, 3)\x1b[0m", "(2,3)"},
      {"(\xce\xb2, 3)", "(\xce\xb2,3)"},
      {"\xef\xbc\x92\xef\xbc\x8c\xef\xbc\x93", "(2,3)"},  // full width
      {"(2L, 3L)", "(2,3)"},                              // Python 2
      {"[2\n 3]", "(2,3)"},
      {"(2,3) @ (3,)", "(2,3) (3)"},
      {"[(None, 3), (None, 4)]", "(?,3) (?,4)"},
      {"(2,&nbsp;3)", "(2,3)"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(Read(text) == expected);
  }
}

TEST_CASE("shapes in texts: what is no shape is an error that marks it") {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"", "empty_text: "},
      {"   ", "empty_text:    "},
      {"(2, 3", "unclosed: ("},
      {"2, 3)", "unopened: )"},
      {"(2, 3]", "unopened: ]"},
      {"(2.5, N)", "fractional: 2.5"},
      {"(-2, N)", "negative: -2"},
      {"(8..2, 3)", "bad_token: 8..2"},
      {"(2, 3) hello", "trailing: hello"},
      {"(this is prose)", "bad_token: this"},
      {"(2, $)", "bad_token: $"},
      {"(2,, N)", "no_number: ,"},
      {"2 @ 3", "bad_token: @"},
      {"N * 3 + 2", "bad_token: +"},
      {"(<b>,3)", "no_number: ,"},
      {"(<x>,3)", "bad_token: <"},
      {"((((((((2))))))))", "too_deep: ("},
      {"\xff\xfe", "bad_token: \xff\xfe"},
      // Arrows and pictures are in no word.
      {"(2, \u21d2)", "bad_token: \u21d2"},
      {"(2, N\u2600)", "bad_token: N\u2600"},
      {"\U0001f9f5", "bad_token: \U0001f9f5"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(Read(text) == expected);
  }
  const std::string digits(5000, '7');
  CHECK(Read("(N, " + digits + ")") == "unsafe: " + digits);
  CHECK(Read("(N, 3) " + digits) == "unsafe: " + digits);
}

TEST_CASE("shapes in texts: spans are bytes of the text") {
  const std::string text =
      "a = \xef\xbc\x88"
      "2,\xc2\xa0N\xef\xbc\x89, b: f32[?,batch=4]";
  Arena arena;
  const auto read = ReadShapes(text, arena);
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  const auto marked = [&](TextSpan span) {
    return text.substr(span.begin, span.end - span.begin);
  };
  CHECK(marked((*read)[0].span) ==
        "\xef\xbc\x88"
        "2,\xc2\xa0N\xef\xbc\x89");
  CHECK(marked((*read)[0].axes[0]) == "2");
  CHECK(marked((*read)[0].axes[1]) == "N");
  CHECK(marked((*read)[1].span) == "f32[?,batch=4]");
  CHECK(marked((*read)[1].axes[1]) == "batch=4");
  CHECK((*read)[0].label == "a");
}

TEST_CASE("shapes in texts: what the core reads is read as the same shape") {
  const std::vector<std::string> parts = {"2", "10", "0", ",", ", ", " ",  "x",
                                          "(", ")",  "[", "]", "*",  "1_0"};
  // Every text of up to four parts.
  size_t compared = 0;
  for (size_t code = 0; code < 13 * 13 * 13 * 13; ++code) {
    std::string text;
    for (size_t rest = code; rest > 0; rest /= 13) text += parts[rest % 13];
    const auto one = ParseShape(text);
    if (!one) continue;
    Arena arena;
    const auto read = ReadShapes(text, arena);
    INFO(text);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    REQUIRE((*read)[0].shape.extents.size() == one->values.size());
    for (size_t i = 0; i < one->values.size(); ++i) {
      CHECK((*read)[0].shape.extents[i].least == one->values.view()[i]);
      CHECK((*read)[0].axes[i].begin == one->spans[i].begin);
      CHECK((*read)[0].axes[i].end == one->spans[i].end);
    }
    ++compared;
  }
  CHECK(compared > 1000);
}

TEST_CASE("shapes in texts: too long a text is an error") {
  Arena arena;
  const auto read = ReadShapes(std::string(kMostPastedBytes + 1, '1'), arena);
  REQUIRE_FALSE(read);
  CHECK(read.error().error_class == ErrorClass::kLimit);
}

TEST_CASE("shapes: exponents are numbers") {
  CHECK(Read("(1e3, 3)") == "(1000,3)");
  CHECK(Read("(2E+2,)") == "(200)");
  CHECK(Read("(0e99, 3)") == "(0,3)");
  CHECK(Read("(1e19, 3)").ends_with(": 1e19"));
  CHECK(Read("(1e-3, 3)").ends_with(": 1e-3"));
  CHECK(Read("(1e99999999999999999999, 3)")
            .ends_with(": 1e99999999999999999999"));
}

TEST_CASE("shapes: names have letters of any language") {
  CHECK(Read("(\u00e9, 3)") == "(\u00e9,3)");
  CHECK(Read("(taille_\u00e9l\u00e9ment, \u4f60)") ==
        "(taille_\u00e9l\u00e9ment,\u4f60)");
  CHECK(Read("(\U0001d441, 3)") == "(\U0001d441,3)");
}

TEST_CASE("shapes: expressions are names of their own") {
  CHECK(Read("(2N, 3)") == "(2N,3)");
  CHECK(Read("(N+1, 3)") == "(N+1,3)");
  CHECK(Read("(N//2, 3)") == "(N//2,3)");
  CHECK(Read("(1e, 3)") == "(1e,3)");
}

TEST_CASE("shapes: element types") {
  const auto type = [](std::string_view text) {
    Arena arena;
    const auto read = ReadShapes(text, arena);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    return std::string(read->front().element_type);
  };
  CHECK(type("f64[2,3]") == "f64");
  CHECK(type("f32[2,3]{1,0}") == "f32");
  CHECK(type("tensor<2x3xf16>") == "f16");
  CHECK(type("Tensor<[2, 3], f32>") == "f32");
  CHECK(type("Float64[2, 3]") == "Float64");
  CHECK(type("2x3xbf16") == "bf16");
  CHECK(type("tensor<2x3xindex>") == "index");
  CHECK(type("f32[N, ?]") == "f32");
  CHECK(type("(2, 3)").empty());
  CHECK(type("torch.Size([2, 3])").empty());
  Arena arena;
  const auto two = ReadShapes("f64[2,3] (3,)", arena);
  REQUIRE(two);
  REQUIRE(two->size() == 2);
  CHECK((*two)[0].element_type == "f64");
  CHECK((*two)[1].element_type.empty());
}

}  // namespace
