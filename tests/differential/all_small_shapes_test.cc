// Every pair of shapes of ranks 0 to 3 with extents 0 to 3, under every rule:
// the alignment, which element feeds which cell, and the results of the kernels
// on every SIMD target, compared with the plain second implementation in
// tests/reference.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/broadcast.h"
#include "reference/each_target.h"
#include "reference/memory_bits.h"

namespace {

using broadloom::DType;
using broadloom::Op;
using broadloom::Relation;
using broadloom::RuleTraits;
using broadloom::ShapeView;
using reference::Answer;
using reference::Extents;
using reference::Question;

const std::vector<Extents>& Shapes() {
  static const std::vector<Extents> kShapes = reference::AllShapes(3, 0, 3);
  return kShapes;
}

std::string Text(const Extents& shape) {
  std::string text = "(";
  for (int64_t extent : shape) text += std::to_string(extent) + ",";
  return text + ")";
}

std::string Text(const Question& question) {
  std::string text = question.rule;
  for (const Extents& operand : question.operands) text += " " + Text(operand);
  if (question.axis) text += " axis " + std::to_string(*question.axis);
  if (question.target) text += " target " + Text(*question.target);
  if (question.mapping) text += " mapping " + Text(*question.mapping);
  return text;
}

// Counts comparisons and prints the first differences; an assertion for each of
// millions of comparisons would be too slow.
class Differences {
 public:
  template <class Tell>
  void Check(bool same, Tell tell) {
    ++compared_;
    if (same) return;
    if (++different_ <= 10) UNSCOPED_INFO(tell());
  }
  void Require(size_t least) {
    INFO(compared_ << " comparisons, " << different_ << " differences");
    REQUIRE(different_ == 0);
    REQUIRE(compared_ >= least);  // comparisons did take place
  }

 private:
  size_t compared_ = 0;
  size_t different_ = 0;
};

// A request that points into a question.
class Request {
 public:
  explicit Request(const Question& question)
      : operands_(question.operands.begin(), question.operands.end()) {
    request_.rule = *broadloom::FindRule(question.rule);
    request_.operands = operands_;
    request_.axis = question.axis;
    if (question.target) request_.target_shape = *question.target;
    if (question.mapping) request_.axes_mapping = *question.mapping;
  }
  const broadloom::BroadcastRequest& get() const { return request_; }

  broadloom::ApplyOptions Options() const {
    return {.rule = request_.rule,
            .axis = request_.axis,
            .target_shape = request_.target_shape,
            .axes_mapping = request_.axes_mapping};
  }

 private:
  std::vector<ShapeView> operands_;
  broadloom::BroadcastRequest request_;
};

bool Same(ShapeView a, const Extents& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Elements from one index of a dense shape's axis `axis` to the next.
int64_t DenseStride(const Extents& shape, int axis) {
  return reference::Count({shape.begin() + axis + 1, shape.end()});
}

void CompareStrides(const Question& question, const Answer& answer,
                    const broadloom::Alignment& alignment,
                    Differences& differences) {
  for (size_t i = 0; i < question.operands.size(); ++i) {
    const Extents& shape = question.operands[i];
    Extents expected(answer.result.size(), 0);
    for (size_t axis = 0; axis < expected.size(); ++axis) {
      const int place = answer.places[i][axis];
      if (place < 0) continue;
      if (shape[static_cast<size_t>(place)] != answer.result[axis]) continue;
      expected[axis] = DenseStride(shape, place);
    }
    Extents strides(expected.size(), -7);
    const auto status = alignment.Strides(i, strides);
    differences.Check(status && strides == expected, [&] {
      return Text(question) + ": operand " + std::to_string(i) + " strides " +
             Text(strides);
    });
  }
}

// If extents conflict, the other operands still have their strides; if an axis
// has no place, no operand has any.
void CompareStridesOfError(const Question& question,
                           const broadloom::Alignment& alignment,
                           Differences& differences) {
  const bool placed =
      alignment.error()->error_class == broadloom::ErrorClass::kIncompatible;
  for (size_t i = 0; i < question.operands.size(); ++i) {
    Extents expected(alignment.rank(), -7);
    for (size_t axis = 0; placed && axis < expected.size(); ++axis) {
      const broadloom::AlignedCell& cell = alignment.cell(i, axis);
      expected[axis] = cell.relation == Relation::kConflict ? broadloom::kAbsent
                       : cell.relation == Relation::kMatch
                           ? DenseStride(question.operands[i], cell.source_axis)
                           : 0;
    }
    Extents strides(alignment.rank(), -7);
    const auto status = alignment.Strides(i, strides);
    differences.Check(
        strides == expected && status.has_value() == placed &&
            (placed || status.error() == *alignment.error()),
        [&] {
          return Text(question) + ": operand " + std::to_string(i) +
                 " of shapes that do not fit strides " + Text(strides);
        });
  }
}

void CompareCells(const Question& question, const Answer& answer,
                  const broadloom::Alignment& alignment,
                  Differences& differences) {
  for (size_t i = 0; i < question.operands.size(); ++i) {
    for (size_t axis = 0; axis < answer.result.size(); ++axis) {
      const broadloom::AlignedCell& cell = alignment.cell(i, axis);
      const int place = answer.places[i][axis];
      const int64_t extent =
          place < 0 ? 1 : question.operands[i][static_cast<size_t>(place)];
      const Relation relation = place < 0 ? Relation::kInsert
                                : extent == answer.result[axis]
                                    ? Relation::kMatch
                                    : Relation::kStretch;
      differences.Check(cell.source_axis == place && cell.extent == extent &&
                            cell.relation == relation,
                        [&] {
                          return Text(question) + ": operand " +
                                 std::to_string(i) + " axis " +
                                 std::to_string(axis) + " is " +
                                 std::string(Name(cell.relation)) + " from " +
                                 std::to_string(cell.source_axis);
                        });
    }
  }
}

bool Contains(const std::vector<broadloom::IndexRange>& box,
              const Extents& cell) {
  for (size_t axis = 0; axis < cell.size(); ++axis) {
    if (cell[axis] < box[axis].begin || cell[axis] >= box[axis].end) {
      return false;
    }
  }
  return true;
}

void CompareMaps(const Question& question, const Answer& answer,
                 const broadloom::Alignment& alignment,
                 Differences& differences) {
  const std::vector<Extents> cells = reference::Cells(answer.result);
  for (size_t i = 0; i < question.operands.size(); ++i) {
    const Extents& shape = question.operands[i];
    std::vector<Extents> sources;
    for (const Extents& cell : cells) {
      sources.push_back(reference::SourceIndex(question, answer, i, cell));
      Extents source(shape.size(), -7);
      const auto status = alignment.SourceOf(i, cell, source);
      differences.Check(status && source == sources.back(), [&] {
        return Text(question) + ": cell " + Text(cell) + " of operand " +
               std::to_string(i) + " comes from " + Text(source);
      });
    }
    for (const Extents& element : reference::Cells(shape)) {
      std::vector<broadloom::IndexRange> box(answer.result.size(), {-7, -7});
      bool same = alignment.FanOut(i, element, box).has_value();
      for (size_t k = 0; same && k < cells.size(); ++k) {
        same = Contains(box, cells[k]) == (sources[k] == element);
      }
      differences.Check(same, [&] {
        return Text(question) + ": fan-out of element " + Text(element) +
               " of operand " + std::to_string(i);
      });
    }
  }
}

void CompareError(const Question& question, const Answer& answer,
                  const broadloom::Alignment& alignment,
                  Differences& differences) {
  const auto& error = alignment.error();
  const auto say = [&] {
    return Text(question) + ": expected " + answer.error + " " + answer.detail +
           ", got " +
           (error ? std::string(Info(error->error_class).name) + " " +
                        std::string(Info(error->detail).name)
                  : "no error");
  };
  differences.Check(error && Info(error->error_class).name == answer.error &&
                        (answer.error != "axes_mapping" ||
                         Info(error->detail).name == answer.detail) &&
                        error->rule == alignment.rule(),
                    say);
  if (!error) return;
  if (answer.error == "incompatible") {
    std::vector<int> axes;
    for (const broadloom::Conflict& conflict : alignment.conflicts()) {
      if (axes.empty() || axes.back() != conflict.axis) {
        axes.push_back(conflict.axis);
      }
    }
    differences.Check(axes == answer.conflicts, [&] {
      return Text(question) + ": other axes are said to conflict";
    });
    for (size_t axis = 0; axis < alignment.rank(); ++axis) {
      const bool expected =
          std::ranges::find(answer.conflicts, static_cast<int>(axis)) !=
          answer.conflicts.end();
      differences.Check(alignment.conflicts(axis) == expected, [&] {
        return Text(question) + ": conflicts(" + std::to_string(axis) + ")";
      });
    }
  }
  const Extents cell(alignment.rank(), 0);
  Extents source(question.operands[0].size());
  const auto status = alignment.SourceOf(0, cell, source);
  differences.Check(!status && status.error() == *error, [&] {
    return Text(question) + ": SourceOf does not return the error";
  });
  CompareStridesOfError(question, alignment, differences);
}

void Compare(const Question& question, Differences& differences) {
  const Answer answer = reference::Ask(question);
  const Request request(question);
  const auto alignment = broadloom::Align(request.get());
  differences.Check(alignment.has_value(),
                    [&] { return Text(question) + ": Align failed"; });
  if (!alignment) return;

  const auto shape = broadloom::InferShape(request.get());
  if (!answer.error.empty()) {
    CompareError(question, answer, *alignment, differences);
    differences.Check(!shape && shape.error() == alignment->error(), [&] {
      return Text(question) + ": InferShape does not return the error";
    });
    return;
  }
  differences.Check(
      !alignment->error() && alignment->conflicts().empty() &&
          Same(alignment->output(), answer.result) && shape &&
          Same(shape->view(), answer.result),
      [&] {
        return Text(question) + ": expected " + Text(answer.result) +
               (alignment->error() ? ", got an error" : ", got another shape");
      });
  if (!Same(alignment->output(), answer.result)) return;
  CompareCells(question, answer, *alignment, differences);
  CompareStrides(question, answer, *alignment, differences);
  CompareMaps(question, answer, *alignment, differences);
}

// The rules whose traits pass, by name and in their order.
template <class Passes>
std::vector<std::string> RulesWhere(Passes passes) {
  std::vector<std::string> names;
  for (const auto& row : broadloom::AllRules()) {
    if (passes(broadloom::Traits(row.rule))) names.emplace_back(row.name);
  }
  return names;
}

std::vector<std::string> RulesOfTwo() {
  return RulesWhere([](const RuleTraits& rule) { return !rule.takes_target; });
}

std::vector<std::string> RulesOfAnyNumber() {
  return RulesWhere(
      [](const RuleTraits& rule) { return rule.most_operands == 0; });
}

std::vector<std::string> RulesWithTarget(bool takes_mapping) {
  return RulesWhere([=](const RuleTraits& rule) {
    return rule.takes_target && rule.takes_mapping == takes_mapping;
  });
}

// Calls ask(question) for each pair of shapes under each rule of two operands.
template <class Ask>
void ForEachPair(Ask ask) {
  const auto rules = RulesOfTwo();
  const auto with_axis =
      RulesWhere([](const RuleTraits& rule) { return rule.takes_axis; });
  for (const Extents& a : Shapes()) {
    for (const Extents& b : Shapes()) {
      for (const std::string& rule : rules) {
        ask(Question{.rule = rule, .operands = {a, b}});
      }
      for (const std::string& rule : with_axis) {
        for (int64_t axis = -2; axis <= 4; ++axis) {
          ask(Question{.rule = rule, .operands = {a, b}, .axis = axis});
        }
      }
    }
  }
}

TEST_CASE("alignments of all pairs of small shapes, every two-operand rule") {
  REQUIRE(Shapes().size() == 85);
  Differences differences;
  ForEachPair(
      [&](const Question& question) { Compare(question, differences); });
  differences.Require(700'000);
}

TEST_CASE("alignments of all small shapes with all small targets") {
  const auto with_mapping = RulesWithTarget(true);
  const auto without_mapping = RulesWithTarget(false);
  // Also targets with an extent of -1.
  const std::vector<Extents> targets = reference::AllShapes(3, -1, 3);
  Differences differences;
  for (const Extents& data : Shapes()) {
    for (const Extents& target : targets) {
      for (const std::string& rule : without_mapping) {
        Compare({.rule = rule, .operands = {data}, .target = target},
                differences);
        Compare({.rule = rule,
                 .operands = {data},
                 .target = target,
                 .mapping = Extents{0}},
                differences);
      }
      for (const std::string& rule : with_mapping) {
        Compare({.rule = rule, .operands = {data}, .target = target},
                differences);
      }
    }
  }
  differences.Require(100'000);
}

TEST_CASE("explicit alignments: all small shapes, targets and mappings") {
  const std::vector<Extents> mappings = reference::AllShapes(3, -1, 3);
  Differences differences;
  for (const Extents& data : Shapes()) {
    for (const Extents& target : Shapes()) {
      for (const Extents& mapping : mappings) {
        Compare({.rule = "explicit",
                 .operands = {data},
                 .target = target,
                 .mapping = mapping},
                differences);
      }
    }
  }
  for (const Extents& mapping : mappings) {
    Compare({.rule = "explicit",
             .operands = {{1}},
             .target = Extents{2, -1, 3},
             .mapping = mapping},
            differences);
  }
  differences.Require(1'000'000);
}

TEST_CASE("a mapping under the rules that take none, before their own errors") {
  const auto rules = RulesOfTwo();
  Differences differences;
  for (const Extents& a : Shapes()) {
    const Extents& b = Shapes()[(static_cast<size_t>(a.size()) * 29 + 40) % 85];
    for (const std::string& rule : rules) {
      for (const Extents& mapping : {Extents{}, Extents{0}, Extents{1, 0}}) {
        Compare({.rule = rule, .operands = {a, b}, .mapping = mapping},
                differences);
      }
    }
  }
  differences.Require(1000);
}

TEST_CASE("alignments of three operands") {
  const std::vector<Extents>& shapes = Shapes();
  const auto rules = RulesOfAnyNumber();
  Differences differences;
  size_t third = 0;
  for (const Extents& a : shapes) {
    for (const Extents& b : shapes) {
      for (const std::string& rule : rules) {
        // 37 and 85 have no common divisor, so that every shape is used.
        third = (third + 37) % shapes.size();
        Compare({.rule = rule, .operands = {a, b, shapes[third]}}, differences);
      }
    }
  }
  differences.Require(100'000);
}

TEST_CASE("one operand under the rules that take any number") {
  Differences differences;
  for (const Extents& a : Shapes()) {
    for (const std::string& rule : RulesOfAnyNumber()) {
      Compare({.rule = rule, .operands = {a}}, differences);
    }
  }
  differences.Require(1000);
}

// --- Execution ---------------------------------------------------------------

// Memory of exactly the bytes that a tensor needs, filled with a pattern, so
// that the sanitizer detects reads beyond it.
struct Elements {
  Elements(DType type, Extents extents, uint32_t seed)
      : dtype(type),
        shape(std::move(extents)),
        bytes(reference::Pattern(
            reference::BytesFor(static_cast<size_t>(reference::Count(shape)),
                                Info(type).bits),
            seed)) {}
  broadloom::TensorView view() const {
    return {dtype, shape, bytes.data(), bytes.size() + reference::kGuardBytes};
  }
  reference::ElementBits at(int64_t position) const {
    return reference::Get(bytes, Info(dtype).bits,
                          static_cast<size_t>(position));
  }

  DType dtype;
  Extents shape;
  reference::Buffer bytes;
};

// Computes one element of the result from the operands' elements.
using Combine = std::function<uint64_t(std::span<const uint64_t>)>;

// Runs `op` and compares every element of every result. Returns whether the
// shapes fit. `combine` is not given for Broadcast, which moves bits.
bool CompareRun(const Question& question, Op op, std::vector<DType> dtypes,
                const Combine& combine, const std::string& target,
                Differences& differences) {
  const Answer answer = reference::Ask(question);
  const Request request(question);
  std::vector<Elements> operands;
  std::vector<broadloom::TensorView> inputs;
  for (size_t i = 0; i < question.operands.size(); ++i) {
    operands.emplace_back(dtypes[i], question.operands[i],
                          static_cast<uint32_t>(i + 1));
  }
  for (const Elements& operand : operands) inputs.push_back(operand.view());
  const auto say = [&](const std::string& what) {
    return target + " " + std::string(Info(op).name) + " of " +
           std::string(Info(dtypes.back()).name) + " " + Text(question) + ": " +
           what;
  };

  std::vector<ShapeView> shapes(question.operands.begin(),
                                question.operands.end());
  const auto plan = broadloom::MakePlan(op, shapes, dtypes, request.Options());
  if (!answer.error.empty()) {
    differences.Check(
        !plan && Info(plan.error().error_class).name == answer.error,
        [&] { return say("no error " + answer.error); });
    return false;
  }
  differences.Check(plan.has_value(), [&] { return say("no plan"); });
  if (!plan) return false;

  std::vector<Elements> results;
  std::vector<broadloom::MutableTensorView> outputs;
  for (size_t i = 0; i < plan->output_count(); ++i) {
    results.emplace_back(plan->output_dtype(i), answer.result,
                         static_cast<uint32_t>(100 + i));
  }
  for (Elements& result : results) {
    outputs.push_back(
        {result.dtype, result.shape, result.bytes.data(), result.bytes.size()});
  }
  const auto status = broadloom::Run(*plan, inputs, outputs);
  differences.Check(status.has_value(), [&] { return say("Run failed"); });
  if (!status) return false;

  const std::vector<Extents> cells = reference::Cells(answer.result);
  for (size_t out = 0; out < results.size(); ++out) {
    for (size_t k = 0; k < cells.size(); ++k) {
      const reference::ElementBits got =
          results[out].at(static_cast<int64_t>(k));
      reference::ElementBits want;
      if (combine) {
        std::vector<uint64_t> values;
        for (size_t i = 0; i < operands.size(); ++i) {
          values.push_back(
              operands[i]
                  .at(reference::SourcePosition(question, answer, i, cells[k]))
                  .low);
        }
        want.low = combine(values);
      } else {
        want = operands[out].at(
            reference::SourcePosition(question, answer, out, cells[k]));
      }
      differences.Check(got == want, [&] {
        return say("cell " + Text(cells[k]) + " of output " +
                   std::to_string(out));
      });
    }
  }
  return true;
}

uint64_t AddI32(std::span<const uint64_t> values) {
  return (values[0] + values[1]) & 0xFFFFFFFFu;
}

uint64_t MaxI16(std::span<const uint64_t> values) {
  int16_t most = INT16_MIN;
  for (uint64_t value : values) {
    most = std::max(most, static_cast<int16_t>(value));
  }
  return static_cast<uint16_t>(most);
}

uint64_t Choose(std::span<const uint64_t> values) {
  return values[0] != 0 ? values[1] : values[2];
}

TEST_CASE("addition under every two-operand rule") {
  Differences differences;
  size_t ran = 0;
  ForEachPair([&](const Question& question) {
    if (!Accepts(Op::kAdd, *broadloom::FindRule(question.rule))) return;
    ran += CompareRun(question, Op::kAdd, {DType::kI32, DType::kI32}, AddI32,
                      "", differences);
  });
  REQUIRE(ran > 5000);
  differences.Require(100'000);
}

TEST_CASE("addition of all pairs on every target") {
  size_t targets = 0;
  reference::ForEachTarget([&](const std::string& target) {
    REQUIRE(broadloom::ActiveTarget() == target);
    ++targets;
    Differences differences;
    for (const Extents& a : Shapes()) {
      for (const Extents& b : Shapes()) {
        CompareRun({.rule = "numpy", .operands = {a, b}}, Op::kAdd,
                   {DType::kI32, DType::kI32}, AddI32, target, differences);
      }
    }
    differences.Require(10'000);
  });
  REQUIRE(targets >= 1);
}

TEST_CASE("Max of three and Where of all pairs and a third on every target") {
  reference::ForEachTarget([&](const std::string& target) {
    Differences differences;
    size_t third = 0;
    size_t ran = 0;
    for (const Extents& a : Shapes()) {
      for (const Extents& b : Shapes()) {
        third = (third + 37) % Shapes().size();
        const Extents& c = Shapes()[third];
        ran +=
            CompareRun({.rule = "onnx_multidirectional", .operands = {a, b, c}},
                       Op::kMax, {DType::kI16, DType::kI16, DType::kI16},
                       MaxI16, target, differences);
        // Each of the widths in turn.
        constexpr DType kTypes[] = {DType::kU8, DType::kBF16, DType::kF32,
                                    DType::kF64};
        const DType dtype = kTypes[third % 4];
        ran += CompareRun({.rule = "numpy", .operands = {c, a, b}}, Op::kWhere,
                          {DType::kBool, dtype, dtype}, Choose, target,
                          differences);
      }
    }
    REQUIRE(ran > 500);
    differences.Require(10'000);
  });
}

// Types of each width, including packed ones.
constexpr DType kMoved[] = {DType::kU8,  DType::kU16,  DType::kU32,
                            DType::kU64, DType::kC128, DType::kI4,
                            DType::kU4,  DType::kU1,   DType::kF8E4M3,
                            DType::kC64, DType::kBool};

TEST_CASE("Broadcast of all shapes to all targets, on every target") {
  reference::ForEachTarget([&](const std::string& target) {
    const auto rules = RulesWithTarget(false);
    Differences differences;
    size_t turn = 0;
    size_t ran = 0;
    for (const Extents& data : Shapes()) {
      for (const Extents& shape : Shapes()) {
        for (const std::string& rule : rules) {
          const DType dtype = kMoved[turn++ % std::size(kMoved)];
          ran +=
              CompareRun({.rule = rule, .operands = {data}, .target = shape},
                         Op::kBroadcast, {dtype}, nullptr, target, differences);
        }
      }
    }
    REQUIRE(ran > 1000);
    differences.Require(10'000);
  });
}

TEST_CASE("Broadcast of packed types to all targets, each type to all") {
  Differences differences;
  for (const DType dtype : {DType::kI4, DType::kU4, DType::kU1}) {
    for (const Extents& data : Shapes()) {
      for (const Extents& shape : Shapes()) {
        CompareRun(
            {.rule = "bidirectional", .operands = {data}, .target = shape},
            Op::kBroadcast, {dtype}, nullptr, "", differences);
      }
    }
  }
  differences.Require(10'000);
}

TEST_CASE("Broadcast with every legal mapping") {
  const std::vector<Extents> mappings = {{},     {0},    {1},    {2},
                                         {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};
  Differences differences;
  size_t turn = 0;
  size_t ran = 0;
  for (const Extents& data : Shapes()) {
    for (const Extents& shape : Shapes()) {
      for (const Extents& mapping : mappings) {
        const DType dtype = kMoved[turn++ % std::size(kMoved)];
        ran += CompareRun({.rule = "explicit",
                           .operands = {data},
                           .target = shape,
                           .mapping = mapping},
                          Op::kBroadcast, {dtype}, nullptr, "", differences);
      }
    }
  }
  REQUIRE(ran > 1000);
  differences.Require(10'000);
}

TEST_CASE("Broadcast under sonnx: every operand in the common shape") {
  reference::ForEachTarget([&](const std::string& target) {
    Differences differences;
    size_t turn = 0;
    size_t ran = 0;
    for (const Extents& a : Shapes()) {
      for (const Extents& b : Shapes()) {
        turn += 37;
        const DType dtype = kMoved[turn % std::size(kMoved)];
        std::vector<Extents> operands = {a, b};
        std::vector<DType> dtypes = {dtype, dtype};
        if (turn % 2 == 0) {
          operands.push_back(Shapes()[turn % Shapes().size()]);
          dtypes.push_back(dtype);
        }
        ran += CompareRun({.rule = "sonnx", .operands = operands},
                          Op::kBroadcast, dtypes, nullptr, target, differences);
      }
    }
    REQUIRE(ran > 300);
    differences.Require(5'000);
  });
}

// Larger extents, around the lengths of vectors and of unrolled loops; the
// small ones never reach the main part of a kernel.
TEST_CASE("addition and moving along long axes, on every target") {
  const std::vector<std::pair<Extents, Extents>> pairs = {
      {{1, 259}, {259}},
      {{3, 259}, {259}},
      {{3, 259}, {3, 1}},
      {{3, 259}, {1}},
      {{129, 3}, {3}},
      {{129, 3}, {129, 1}},
      {{5, 1, 7, 1}, {1, 6, 1, 67}},
      {{90, 1, 32}, {90, 9, 1}},
      {{70, 1, 128}, {70, 3, 1}},
      {{20, 9, 1, 4}, {20, 1, 8, 1}},
      {{2, 65, 33}, {65, 1}},
      {{2, 2, 2, 2, 2, 2, 2, 2, 2}, {2, 1, 2, 1, 2, 1, 2, 1, 2}},
      {{1025}, {}},
      {{17, 1}, {1, 1031}}};
  reference::ForEachTarget([&](const std::string& target) {
    Differences differences;
    for (const auto& [a, b] : pairs) {
      CompareRun({.rule = "numpy", .operands = {a, b}}, Op::kAdd,
                 {DType::kI32, DType::kI32}, AddI32, target, differences);
      CompareRun({.rule = "numpy", .operands = {b, a}}, Op::kMax,
                 {DType::kI16, DType::kI16}, MaxI16, target, differences);
      for (const DType dtype : kMoved) {
        CompareRun({.rule = "sonnx", .operands = {a, b}}, Op::kBroadcast,
                   {dtype, dtype}, nullptr, target, differences);
      }
    }
    differences.Require(100'000);
  });
}

// The bits of a small whole number, which every float type represents exactly.
uint64_t WholeNumber(DType dtype, int value) {
  const float number = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  if (dtype == DType::kF32) return bits;
  if (dtype == DType::kBF16) return bits >> 16;
  const uint64_t sign = bits >> 31;
  const uint64_t exponent = bits >> 23 & 0xFF;
  const uint64_t fraction = bits & 0x7FFFFF;
  if (dtype == DType::kF16) {
    if (value == 0) return sign << 15;
    return sign << 15 | (exponent - 127 + 15) << 10 | fraction >> 13;
  }
  if (value == 0) return sign << 63;
  return sign << 63 | (exponent - 127 + 1023) << 52 | fraction << 29;
}

// Sums and means of up to 6 operands, some of them scalars. They are computed
// through intermediate rows, which may end anywhere in a vector. The numbers
// are so small that every order and every type gives the same sum.
TEST_CASE("sums of small whole numbers, on every target") {
  const std::vector<size_t> lengths = {1,  2,  3,  4,  5,  7,   8,   9,   12,
                                       15, 16, 17, 24, 31, 32,  33,  40,  47,
                                       63, 64, 65, 96, 97, 128, 130, 1100};
  reference::ForEachTarget([&](const std::string& target) {
    Differences differences;
    for (const DType dtype :
         {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
      const size_t width = static_cast<size_t>(Info(dtype).bits) / 8;
      for (const size_t length : lengths) {
        for (size_t operands = 1; operands <= 6; ++operands) {
          // Bit i set: operand i is a scalar. All combinations up to 4
          // operands.
          const unsigned ways = 1u << operands;
          for (unsigned scalars = 0; scalars + 1 < ways;
               scalars += operands <= 4 ? 1 : 5) {
            const Extents row = {static_cast<int64_t>(length)};
            const Extents scalar;
            std::vector<reference::Buffer> data;
            std::vector<std::vector<int>> values;
            std::vector<broadloom::TensorView> inputs;
            for (size_t i = 0; i < operands; ++i) {
              const size_t size = (scalars >> i & 1) != 0 ? 1 : length;
              values.emplace_back();
              data.emplace_back(size * width);
              for (size_t k = 0; k < size; ++k) {
                const int value = static_cast<int>((k * 7 + i * 3) % 9) - 4;
                const uint64_t bits = WholeNumber(dtype, value);
                std::memcpy(&data.back()[k * width], &bits, width);
                values.back().push_back(value);
              }
            }
            for (size_t i = 0; i < operands; ++i) {
              inputs.push_back({dtype, (scalars >> i & 1) != 0 ? scalar : row,
                                data[i].data(),
                                data[i].size() + reference::kGuardBytes});
            }
            const auto sum = broadloom::Apply(Op::kSum, inputs);
            REQUIRE(sum);
            for (size_t k = 0; k < length; ++k) {
              int total = 0;
              for (const std::vector<int>& value : values) {
                total += value[value.size() == 1 ? 0 : k];
              }
              const uint64_t got =
                  reference::Get(sum->as<uint8_t>(), Info(dtype).bits, k).low;
              differences.Check(got == WholeNumber(dtype, total), [&] {
                std::ostringstream text;
                text << target << " Sum of " << operands << " "
                     << Info(dtype).name << ", length " << length
                     << ", scalars " << scalars << ": element " << k;
                return text.str();
              });
            }
          }
        }
      }
    }
    differences.Require(100'000);
  });
}

}  // namespace
