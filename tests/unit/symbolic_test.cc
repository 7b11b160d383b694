// Shapes with unknown extents: what is said, against worked examples, against
// numbers for all unknown extents (the core's answer for each), and bad input.
// tests/symbolic compares random questions with an exact oracle.

#include "broadloom/explain/symbolic.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <list>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "catch2/catch_test_macros.hpp"

namespace broadloom {
namespace {

SymbolicExtent Named(std::string_view name, int64_t least = 0,
                     int64_t most = kUnbounded) {
  return {least, most, name};
}
SymbolicExtent Number(int64_t number) { return {number, number}; }
SymbolicExtent Range(int64_t least, int64_t most) { return {least, most}; }
const SymbolicExtent kAny{};

using Row = std::vector<SymbolicExtent>;

// A question with its answer.
class Asked {
 public:
  Asked(Rule rule, std::vector<Row> rows, std::optional<Row> target = {},
        std::optional<int64_t> axis = {},
        std::optional<std::vector<int64_t>> mapping = {})
      : rows_(std::move(rows)), target_(std::move(target)) {
    for (const Row& row : rows_) shapes_.push_back({.extents = row});
    request_.rule = rule;
    request_.operands = shapes_;
    request_.axis = axis;
    if (target_) request_.target_shape = SymbolicShape{.extents = *target_};
    if (mapping) {
      mapping_ = *mapping;
      request_.axes_mapping = mapping_;
    }
    Ask();
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  void Ask() { answer_.emplace(AlignSymbolic(request_, arena_)); }

  SymbolicRequest& request() { return request_; }
  std::vector<SymbolicShape>& shapes() { return shapes_; }
  const SymbolicAlignment& answer() const {
    REQUIRE(answer_->has_value());
    return **answer_;
  }
  const SymbolicCase& only() const {
    REQUIRE(answer().cases.size() == 1);
    return answer().cases[0];
  }
  std::string Shape(size_t i = 0) {
    return std::string(FormatResult(answer(), i, arena_));
  }
  std::string If(ConditionForm form = ConditionForm::kPlain, size_t i = 0) {
    return std::string(WriteConditions(answer(), i, form, arena_));
  }
  std::string Fault() {
    REQUIRE_FALSE(answer_->has_value());
    return std::string(Describe(answer_->error(), arena_));
  }
  std::string Json() { return std::string(ToJson(answer(), arena_)); }

 private:
  std::vector<Row> rows_;
  std::optional<Row> target_;
  std::vector<int64_t> mapping_;
  std::vector<SymbolicShape> shapes_;
  SymbolicRequest request_;
  Arena arena_;
  std::optional<std::expected<SymbolicAlignment, SymbolicFault>> answer_;
};

TEST_CASE("symbolic: the worked examples") {
  Asked outer(Rule::kNumpy,
              {{Named("N"), Number(1), Named("C")}, {Named("H"), Named("C")}});
  CHECK(outer.answer().fit == SymbolicFit::kAlways);
  CHECK(outer.Shape() == "(N, H, C)");
  CHECK(outer.If().empty());

  Asked pair(Rule::kNumpy, {{Named("N"), Number(3)}, {Named("M"), Number(3)}});
  CHECK(pair.answer().fit == SymbolicFit::kIf);
  CHECK(pair.Shape() == "(N or M, 3)");
  CHECK(pair.If() == "N=M or N=1 or M=1\n");
  const auto alternatives = pair.only().axes[0].alternatives;
  REQUIRE(alternatives.size() == 3);
  const std::array<std::array<int64_t, 2>, 3> witnesses{
      {{2, 2}, {1, 2}, {2, 1}}};
  for (size_t i = 0; i < 3; ++i) {
    REQUIRE(alternatives[i].witness.size() == 2);
    // The names are equal, or one of them is 1 and the other is not.
    CHECK((alternatives[i].witness[0] == 1) == (witnesses[i][0] == 1));
    CHECK((alternatives[i].witness[1] == 1) == (witnesses[i][1] == 1));
    CHECK((alternatives[i].witness[0] == alternatives[i].witness[1]) ==
          (i == 0));
  }
  CHECK(pair.only().axes[1].always);

  Asked number(Rule::kNumpy, {{Named("N")}, {Number(3)}});
  CHECK(number.Shape() == "(3,)");
  CHECK(number.If() == "N=3 or N=1\n");

  Asked never(Rule::kNumpy, {{Named("N"), Number(2)}, {Number(3)}});
  CHECK(never.answer().fit == SymbolicFit::kNever);
  CHECK(never.only().conflict_axis == 1);
  CHECK(never.only().other_conflict_axis == kAbsent);

  // One axis after the other would do, both together do not.
  Asked together(Rule::kNone,
                 {{Named("N"), Named("N")}, {Number(2), Number(3)}});
  CHECK(together.answer().fit == SymbolicFit::kNever);
  CHECK(together.only().conflict_axis == 1);
  CHECK(together.only().other_conflict_axis == 0);
  Asked one(Rule::kNumpy, {{Named("N"), Named("N")}, {Number(2), Number(3)}});
  CHECK(one.If() == "N=1\n");
  CHECK(one.Shape() == "(2, 3)");
}

TEST_CASE("symbolic: ranges merge as OpenVINO's dimensions do") {
  const auto merged = [](SymbolicExtent a, SymbolicExtent b) {
    Asked asked(Rule::kNumpy, {{a}, {b}});
    return asked.answer().fit == SymbolicFit::kNever ? std::string("never")
                                                     : asked.Shape();
  };
  CHECK(merged(Range(1, 5), Range(1, 9)) == "(1..9,)");  // both may be 1
  CHECK(merged(Range(0, 1), Range(1, 5)) == "(0..5,)");
  CHECK(merged(Range(1, 5), Range(4, 9)) == "(4..9,)");  // one may
  CHECK(merged(Range(4, 9), Range(1, 3)) == "(4..9,)");
  CHECK(merged(Range(2, 5), Range(4, 9)) == "(4..5,)");  // neither
  CHECK(merged(Range(2, 3), Range(4, 9)) == "never");
  CHECK(merged(kAny, kAny) == "(?,)");
  CHECK(merged(kAny, Range(2, kUnbounded)) == "(2..,)");
  CHECK(merged(Named("N", 1, 2), Number(2)) == "(2,)");
  Asked covered(Rule::kNumpy, {{Named("N", 1, 2)}, {Named("M", 1, 2)}});
  CHECK(covered.answer().fit == SymbolicFit::kAlways);
  CHECK(covered.Shape() == "(N or M,)");
}

TEST_CASE("symbolic: PDPD leaves out trailing 1s") {
  // M has no place on A, so it must be 1; N lies on the last axis.
  Asked beyond(Rule::kPdpd, {{Number(2), Number(3)}, {Named("N"), Named("M")}},
               {}, 1);
  CHECK(beyond.answer().fit == SymbolicFit::kIf);
  REQUIRE(beyond.only().when.size() == 1);
  CHECK(beyond.If() == "M=1\nN=3 or N=1\n");
  CHECK(beyond.Shape() == "(2, 3)");
  // With a name in both places the axis on A follows.
  Asked same(Rule::kPdpd, {{Number(2), Number(3)}, {Named("N"), Named("N")}},
             {}, 1);
  CHECK(same.If() == "N=1\n");
  Asked never(Rule::kPdpd,
              {{Number(2), Number(3)}, {Named("N"), Named("M", 2, 8)}}, {}, 1);
  CHECK(never.answer().fit == SymbolicFit::kNever);
  REQUIRE(never.only().error);
  CHECK(never.only().error->error_class == ErrorClass::kAxis);
}

TEST_CASE("symbolic: an unknown rank gives a case for each rank that matters") {
  Asked numpy(Rule::kNumpy, {{Number(2), Number(3)}, {}});
  numpy.shapes()[1].has_unknown_rank = true;
  numpy.Ask();
  CHECK(numpy.answer().fit == SymbolicFit::kIf);
  REQUIRE(numpy.answer().cases.size() == 4);
  CHECK(numpy.Shape(0) == "(2, 3)");
  CHECK(numpy.If(ConditionForm::kPlain, 1) == "B[-1]=3 or B[-1]=1\n");
  CHECK(numpy.Shape(3) == "(..., 2, 3)");
  CHECK(numpy.answer().cases[3].open_axis == 0);
  CHECK(numpy.answer().cases[3].ranks[0].or_more);

  Asked pdpd(Rule::kPdpd, {{}, {Named("N"), Number(4)}}, {}, 1);
  pdpd.shapes()[0].has_unknown_rank = true;
  pdpd.Ask();
  const size_t last = pdpd.answer().cases.size() - 1;
  CHECK(pdpd.answer().cases[last].open_axis > 0);
  CHECK(pdpd.If(ConditionForm::kPlain, last) == "N=A[1] or N=1\nA[2]=4\n");

  Asked all(Rule::kNumpy, {{}, {}, {}, {}, {}, {}, {}});
  for (SymbolicShape& shape : all.shapes()) shape.has_unknown_rank = true;
  all.Ask();
  CHECK(all.answer().fit == SymbolicFit::kMustCheck);
  CHECK(all.Shape() == "(...)");
}

TEST_CASE("symbolic: axes by name, as xarray matches them") {
  const std::string_view of_a[] = {"x", "y"};
  const std::string_view of_b[] = {"y", "z"};
  Asked asked(Rule::kNumpy, {{Named("N"), Number(3)}, {Named("M"), Number(4)}});
  asked.request().by_name = true;
  asked.shapes()[0].axis_names = of_a;
  asked.shapes()[1].axis_names = of_b;
  asked.Ask();
  CHECK(asked.Shape() == "(x=N, y=3, z=4)");
  CHECK(asked.If() == "M=3\n");  // 1 does not stretch
  CHECK(std::ranges::equal(asked.only().source_axes,
                           std::array{0, 1, kAbsent, kAbsent, 0, 1}));

  asked.shapes()[1].axis_names = {};
  asked.Ask();
  CHECK(asked.Fault() ==
        "Axes are matched by name, so each axis needs one: name the axes of "
        "B.");
  const std::string_view twice[] = {"y", "y"};
  asked.shapes()[1].axis_names = twice;
  asked.Ask();
  CHECK(asked.Fault() ==
        "Axis 1 of B: an earlier axis has the same name; axes that are matched "
        "by name need different ones.");
  asked.shapes()[1].axis_names = std::span(twice).first(1);
  asked.Ask();
  CHECK(asked.Fault() ==
        "B has 1 names for 2 axes: give one for each axis, or none.");
}

TEST_CASE("symbolic: conditions in other systems' words") {
  Asked pair(Rule::kNumpy, {{Named("N", 2, 8), Number(3)}, {Named("M"), kAny}});
  CHECK(pair.If(ConditionForm::kPython) ==
        "N = a.shape[0]\nM = b.shape[0]\n"
        "assert N == M or M == 1\n"
        "assert b.shape[1] == 3 or b.shape[1] == 1\n");
  CHECK(pair.If(ConditionForm::kTorch) ==
        "N = a.shape[0]\nM = b.shape[0]\n"
        "torch._check((N == M) | (M == 1))\n"
        "torch._check((b.shape[1] == 3) | (b.shape[1] == 1))\n"
        "torch._check(N >= 2)\ntorch._check(N <= 8)\n");
  CHECK(pair.If(ConditionForm::kJax) ==
        "\"N == M\",\n\"d2 == 3\",\n\"N >= 2\",\n\"N <= 8\",\n"
        "# axis 0 also fits where M == 1\n"
        "# axis 1 also fits where d2 == 1\n");
  // What all alternatives share is a line of its own. JAX has no extent of 0.
  Asked shared(Rule::kNumpy,
               {{Named("L", 1)}, {Named("K")}, {Number(2), Number(0)}});
  CHECK(shared.If(ConditionForm::kPlain) == "(L=1 and K=0) or (L=1 and K=1)\n");
  CHECK(shared.If(ConditionForm::kPython) ==
        "L = a.shape[0]\nK = b.shape[0]\n"
        "assert L == 1\nassert K == 0 or K == 1\n");
  CHECK(shared.If(ConditionForm::kTorch) ==
        "L = a.shape[0]\nK = b.shape[0]\n"
        "torch._check(L == 1)\ntorch._check((K == 0) | (K == 1))\n"
        "torch._check(L >= 1)\n");
  CHECK(shared.If(ConditionForm::kJax) ==
        "\"L == 1\",\n\"K == 1\",\n"
        "# axis 1 also fits where L == 1 and K == 0\n");
  // JAX substitutes an equality in those after it: no left side is used again.
  Asked chain(Rule::kNone,
              {{Named("N", 2, 8), Named("N", 2, 8)}, {Named("M"), Number(3)}});
  CHECK(chain.If(ConditionForm::kJax) == "\"N == 3\",\n\"M == 3\",\n");
  // A name that is no Python name is never written into a program.
  for (const std::string_view name :
       {"2*N+1", "N; import os", "os.exit()", "a", "target", "x3", "if", "N\n",
        "\xc3\x9f"}) {
    Asked hostile(Rule::kNone, {{Named(name)}, {Number(3)}});
    CHECK(hostile.If(ConditionForm::kPython) == "assert a.shape[0] == 3\n");
    CHECK(hostile.If(ConditionForm::kTorch) ==
          "torch._check(a.shape[0] == 3)\n");
    CHECK(hostile.If(ConditionForm::kJax) == "\"d0 == 3\",\n");
  }
  Asked target(Rule::kBroadcastNumpy, {{Number(3)}}, Row{Named("T")});
  CHECK(target.If(ConditionForm::kPython) == "T = target[0]\nassert T == 3\n");
}

TEST_CASE("symbolic: JSON has the whole answer") {
  Asked asked(Rule::kNumpy, {{Named("N")}, {Number(3)}});
  CHECK(asked.Json() ==
        "{\"fit\":\"if\",\"symbols\":[{\"name\":\"N\",\"least\":0,\"most\":"
        "null,\"operand\":0,\"axis\":0,\"isExpression\":false}],"
        "\"cases\":[{\"fit\":\"if\","
        "\"shape\":\"(3,)\",\"ranks\":[],\"when\":[],\"openAxis\":null,"
        "\"axes\":[{\"always\":false,\"mustCheck\":false,\"least\":3,\"most\":"
        "3,\"choices\":[3],\"alternatives\":[{\"equal\":[[{\"symbol\":0},3]],"
        "\"result\":3,\"witness\":[3]},{\"equal\":[[{\"symbol\":0},1]],"
        "\"result\":3,\"witness\":[1]}]}],\"sources\":[[0],[0]],"
        "\"conflictAxis\":null,\"otherConflictAxis\":null,\"error\":null}]}");
}

TEST_CASE("symbolic: a shape as text") {
  Arena arena;
  const SymbolicExtent extents[] = {Named("N"), Range(2, 8), Number(3), kAny,
                                    Range(3, kUnbounded)};
  const std::string_view names[] = {"batch", "", "", "", ""};
  SymbolicShape shape{.extents = extents, .axis_names = names};
  CHECK(FormatShape(shape, arena) == "(batch=N, 2..8, 3, ?, 3..)");
  shape.extents = shape.extents.first(1);
  shape.axis_names = {};
  CHECK(FormatShape(shape, arena) == "(N,)");
  CHECK(FormatShape({}, arena) == "()");
  CHECK(FormatShape({.has_unknown_rank = true}, arena) == "(...)");
}

// --- All small questions, against the core with numbers ----------------------

int64_t ValueOf(const ExtentTerm& term, const std::vector<int64_t>& values) {
  return term.symbol == kAbsent ? term.number
                                : values[static_cast<size_t>(term.symbol)];
}

// Whether the answer admits `values`; if so, the result's extents.
std::optional<std::vector<int64_t>> Admitted(
    const SymbolicAlignment& answer, const std::vector<int64_t>& values) {
  const auto holds = [&](const ExtentEquality& equality) {
    return ValueOf(equality.left, values) == ValueOf(equality.right, values);
  };
  if (answer.fit == SymbolicFit::kNever) return std::nullopt;
  REQUIRE(answer.cases.size() == 1);
  const SymbolicCase& found = answer.cases[0];
  if (!std::ranges::all_of(found.when, holds)) return std::nullopt;
  std::vector<int64_t> result;
  for (const SymbolicAxis& axis : found.axes) {
    std::optional<int64_t> extent;
    for (const SymbolicAlternative& alternative : axis.alternatives) {
      if (!std::ranges::all_of(alternative.equalities, holds)) continue;
      const int64_t value = ValueOf(alternative.result, values);
      REQUIRE((!extent || *extent == value));
      extent = value;
    }
    if (!extent) return std::nullopt;
    result.push_back(*extent);
  }
  for (size_t i = 0; i < result.size(); ++i) {
    const SymbolicAxis& axis = found.axes[i];
    REQUIRE((result[i] >= axis.least && result[i] <= axis.most));
    REQUIRE(std::ranges::any_of(axis.choices, [&](const ExtentTerm& choice) {
      return ValueOf(choice, values) == result[i];
    }));
  }
  return result;
}

TEST_CASE("symbolic: all small questions agree with the core on numbers") {
  // Two shapes of up to two axes, from these extents; N may appear twice.
  const std::array<SymbolicExtent, 5> extents{Named("N"), Named("M", 0, 4),
                                              Number(1), Number(3), Number(0)};
  std::vector<Row> shapes{{}};
  for (const SymbolicExtent& first : extents) {
    shapes.push_back({first});
    for (const SymbolicExtent& second : extents) {
      shapes.push_back({first, second});
    }
  }
  struct Form {
    Rule rule;
    std::optional<int64_t> axis;
    std::optional<std::vector<int64_t>> mapping;
  };
  const std::vector<Form> forms{{Rule::kNone, {}, {}},
                                {Rule::kNumpy, {}, {}},
                                {Rule::kOnnxMultidirectional, {}, {}},
                                {Rule::kOnnxUnidirectional, {}, {}},
                                {Rule::kPdpd, {}, {}},
                                {Rule::kPdpd, 0, {}},
                                {Rule::kPdpd, 1, {}},
                                {Rule::kBidirectional, {}, {}},
                                {Rule::kBroadcastNumpy, {}, {}},
                                {Rule::kExplicit, {}, {{0}}},
                                {Rule::kExplicit, {}, {{1}}},
                                {Rule::kExplicit, {}, {{0, 1}}},
                                {Rule::kSonnx, {}, {}}};
  size_t fitting = 0;
  size_t conflicting = 0;
  for (const auto& [rule, axis, mapping] : forms) {
    const bool has_target = Traits(rule).takes_target;
    for (const Row& a : shapes) {
      for (const Row& b : shapes) {
        Asked asked(
            rule, has_target ? std::vector<Row>{a} : std::vector<Row>{a, b},
            has_target ? std::optional<Row>(b) : std::nullopt, axis, mapping);
        const SymbolicAlignment& answer = asked.answer();
        REQUIRE(answer.fit != SymbolicFit::kMustCheck);
        bool some = false;
        bool all = true;
        for (const int64_t n : {0, 1, 2, 3, 4, 5}) {
          for (const int64_t m : {0, 1, 2, 3, 4}) {
            const auto numbers = [&](const Row& row) {
              std::vector<int64_t> result;
              for (const SymbolicExtent& extent : row) {
                result.push_back(extent.name == "N"   ? n
                                 : extent.name == "M" ? m
                                                      : extent.least);
              }
              return result;
            };
            const std::vector<int64_t> first = numbers(a);
            const std::vector<int64_t> second = numbers(b);
            const ShapeView both[] = {first, second};
            BroadcastRequest request{.rule = rule, .operands = both};
            request.axis = axis;
            if (mapping) request.axes_mapping = *mapping;
            if (has_target) {
              request.operands = std::span(both).first(1);
              request.target_shape = second;
            }
            const Result<Shape> shape = InferShape(request);
            std::vector<int64_t> values;
            for (const SymbolInfo& symbol : answer.symbols) {
              values.push_back(symbol.name == "N" ? n : m);
            }
            const auto admitted = Admitted(answer, values);
            REQUIRE(admitted.has_value() == shape.has_value());
            if (shape) REQUIRE(std::ranges::equal(*admitted, shape->view()));
            some |= shape.has_value();
            all &= shape.has_value();
            ++(shape ? fitting : conflicting);
          }
        }
        // The numbers above include a way of each kind.
        REQUIRE((answer.fit == SymbolicFit::kAlways) == all);
        REQUIRE((answer.fit != SymbolicFit::kNever) == some);
      }
    }
  }
  CHECK(fitting > 50000);
  CHECK(conflicting > 50000);
}

// --- Bad input
// -----------------------------------------------------------------

TEST_CASE("symbolic: bad input is named") {
  const auto fault = [](Row a, Row b) {
    return Asked(Rule::kNumpy, {std::move(a), std::move(b)}).Fault();
  };
  CHECK(fault({Number(2)}, {Range(8, 2)}) ==
        "Axis 0 of B: the range 8..2 is empty, since it begins above its end.");
  CHECK(fault({Number(-3)}, {}) ==
        "Axis 0 of A: an extent must not be negative, but may be -3 here; an "
        "unknown extent is written as a name or ?.");
  CHECK(fault({Range(-1, 5)}, {}) ==
        "Axis 0 of A: an extent must not be negative, but may be -1 here; an "
        "unknown extent is written as a name or ?.");
  CHECK(fault({Named("N", 1, 5)}, {Named("N", 2, 8)}) ==
        "Axis 0 of B: the range 2..8 is given to a name that has the range "
        "1..5 elsewhere: give one range, or use two names.");
  CHECK(fault({Named(std::string(300, 'x'))}, {}) ==
        "Axis 0 of A: the name is longer than 256 bytes.");
  CHECK(fault(Row(10000, Named("N")), {}) ==
        "The shapes have 10000 axes together; with unknown extents there may "
        "be 512.");
  CHECK(Asked(Rule::kNumpy, std::vector<Row>(65)).Fault() ==
        "There are 65 operands; with unknown extents there may be 64.");
  CHECK_FALSE(Asked(Rule::kPdpd, {{}}).Fault().empty());
  CHECK_FALSE(Asked(Rule::kNumpy, {}).Fault().empty());
  CHECK_FALSE(Asked(Rule::kBidirectional, {{}}).Fault().empty());
  CHECK_FALSE(Asked(static_cast<Rule>(99), {{}}).Fault().empty());
  // A name that has a range in one place has it everywhere.
  Asked once(Rule::kNumpy, {{Named("N")}, {Named("N", 2, 2)}});
  CHECK(once.answer().symbols[0].least == 2);
  CHECK(once.Shape() == "(2,)");
}

TEST_CASE("symbolic: large questions are answered in bounded time") {
  const auto begin = std::chrono::steady_clock::now();
  std::list<std::string> names;
  const auto name = [&](size_t i) -> std::string_view {
    return names.emplace_back("N" + std::to_string(i));
  };
  // As many names as there may be, all on one axis.
  std::vector<Row> column;
  for (size_t i = 0; i < kMostSymbolicOperands; ++i) {
    column.push_back({Named(name(i))});
  }
  Asked wide(Rule::kNumpy, column);
  CHECK(wide.answer().fit == SymbolicFit::kMustCheck);
  CHECK(wide.only().axes[0].must_check);
  CHECK(wide.If() == "axis 0: must be checked\n");
  // Two names an axis, and axes that hang together.
  Row a, b;
  for (size_t i = 0; i < kMostSymbolicExtents / 2; ++i) {
    a.push_back(Named(name(i)));
    b.push_back(Named(name(i + 1)));
  }
  Asked chain(Rule::kNumpy, {a, b});
  CHECK(chain.answer().fit == SymbolicFit::kIf);
  CHECK_FALSE(chain.only().axes[7].alternatives.empty());
  // Five names on each axis, as many axes as there may be.
  std::vector<Row> five(5);
  for (size_t i = 0; i < kMostSymbolicExtents / 5; ++i) {
    for (size_t k = 0; k < 5; ++k) five[k].push_back(Named(name(5 * i + k)));
  }
  Asked many(Rule::kNumpy, five);
  CHECK(many.answer().fit == SymbolicFit::kMustCheck);
  CHECK(many.only().axes.size() == kMostSymbolicExtents / 5);
  // Many axes of which each has three of a few names, in any order: more
  // choices than are tried.
  std::mt19937 random(1);
  std::vector<Row> tangled(3);
  for (size_t i = 0; i < kMostSymbolicExtents / 3; ++i) {
    for (Row& row : tangled) {
      const size_t which = random() % 24;
      row.push_back(which < 3 ? Number(static_cast<int64_t>(which) + 1)
                              : Named(name(which)));
    }
  }
  for (const Rule rule : {Rule::kNumpy, Rule::kNone}) {
    const Asked asked(rule, tangled);
    CHECK(asked.answer().cases.size() == 1);
  }
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  CHECK(took.count() < 120);  // a second, or 10 in an instrumented build
}

TEST_CASE("symbolic: refused memory is an error") {
  for (size_t allowed = 0; allowed < 4; ++allowed) {
    size_t left = allowed;
    const Allocator allocator{
        [](void* context, size_t bytes, size_t alignment) -> void* {
          size_t& some = *static_cast<size_t*>(context);
          if (some == 0) return nullptr;
          --some;
          return std::aligned_alloc(alignment, bytes);
        },
        [](void*, void* memory, size_t, size_t) { std::free(memory); }, &left};
    Arena arena(allocator);
    Row row;
    for (size_t i = 0; i < 100; ++i) row.push_back(kAny);
    const SymbolicShape shapes[] = {{.extents = row}, {.extents = row}};
    const auto answer = AlignSymbolic({.operands = shapes}, arena);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().kind == SymbolicFaultKind::kAllocation);
  }
}

}  // namespace
}  // namespace broadloom
