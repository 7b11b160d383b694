// Input regions, their costs, and the plans of boxes: against the elements that
// the plain implementation of the rules says each cell is computed from.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/questions.h"
#include "reference/trial.h"
#include "unit/allocation_watch.h"
#include "unit/boxes.h"

namespace {

using namespace reference;
using broadloom::Cost;
using broadloom::Detail;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::InputRegions;
using broadloom::MutableTensorView;
using broadloom::Plan;
using broadloom::RegionCost;
using broadloom::TensorView;
using testing::Box;
using testing::ShapeOf;
using testing::Text;

// An operator that takes the rule, and its operands' type.
Op OpFor(const std::string& rule) {
  return Accepts(Op::kAdd, *broadloom::FindRule(rule)) ? Op::kAdd
                                                       : Op::kBroadcast;
}

// Calls check(box) for each box in a shape.
template <class Check>
void ForEachBox(const Extents& shape, Box box, Check check) {
  if (box.size() == shape.size()) {
    check(box);
    return;
  }
  const int64_t extent = shape[box.size()];
  for (int64_t begin = 0; begin <= extent; ++begin) {
    for (int64_t end = begin; end <= extent; ++end) {
      Box longer = box;
      longer.push_back({begin, end});
      ForEachBox(shape, longer, check);
    }
  }
}

// Whether the regions of `box` have exactly the elements that feed it, and the
// cost counts them; returns what is wrong, or nothing.
std::string FaultOf(const Trial& trial, const Plan& plan, const Box& box) {
  const auto regions = InputRegions(plan, box);
  if (!regions) return "no regions";
  const size_t operands = trial.dtypes.size();
  if (regions->operand_count() != operands) return "operands are missing";
  std::vector<uint64_t> bytes_read(operands);
  const auto cost = Cost(plan, box, bytes_read);
  if (!cost) return "no cost";
  std::vector<Extents> cells = Cells(ShapeOf(box));
  for (Extents& cell : cells) {
    for (size_t axis = 0; axis < box.size(); ++axis) {
      cell[axis] += box[axis].begin;
    }
  }
  uint64_t read = 0;
  for (size_t i = 0; i < operands; ++i) {
    std::set<Extents> sources;
    for (const Extents& cell : cells) {
      sources.insert(SourceIndex(trial.question, trial.answer, i, cell));
    }
    const std::span<const IndexRange> region = (*regions)[i];
    const Extents& shape = trial.question.operands[i];
    if (region.size() != shape.size()) return "a region has another rank";
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (region[axis].begin < 0 || region[axis].end > shape[axis] ||
          region[axis].begin > region[axis].end) {
        return "a region is not in its operand";
      }
      if (cells.empty() && region[axis].begin != region[axis].end) {
        return "an empty box needs elements";
      }
    }
    for (const Extents& source : sources) {
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (source[axis] < region[axis].begin ||
            source[axis] >= region[axis].end) {
          return "an element that is needed is not in the region";
        }
      }
    }
    // As many as are needed, and all of these: exactly these.
    const Extents extents = ShapeOf({region.begin(), region.end()});
    if (!cells.empty() &&
        sources.size() != static_cast<size_t>(Count(extents))) {
      return "the region has elements that are not needed";
    }
    const uint64_t bytes = BytesFor(sources.size(), BitsOf(trial.dtypes[i]));
    if (bytes_read[i] != bytes) return "the cost of an operand is wrong";
    read += bytes;
  }
  uint64_t written = 0;
  for (size_t i = 0; i < plan.output_count(); ++i) {
    const DType dtype =
        plan.output_count() > 1 ? trial.dtypes[i] : trial.result;
    written += BytesFor(cells.size(), BitsOf(dtype));
  }
  if (*cost != RegionCost{read, written, read + written}) {
    return "the cost is wrong";
  }
  const auto of_box = plan.Within(box);
  if (!of_box) return "no plan of the box";
  if (!std::ranges::equal(of_box->output_shape(), ShapeOf(box))) {
    return "the plan of the box has another shape";
  }
  for (size_t i = 0; i < operands; ++i) {
    if (!std::ranges::equal(
            of_box->operand_shape(i),
            ShapeOf({(*regions)[i].begin(), (*regions)[i].end()}))) {
      return "the plan of the box has other operands";
    }
  }
  return {};
}

void Check(const Question& question, const std::vector<DType>& dtypes,
           const std::vector<Box>& boxes) {
  const Trial trial(question, OpFor(question.rule), dtypes, 1, false);
  INFO(trial.name());
  const auto plan = trial.MakePlan();
  REQUIRE(plan.has_value() == trial.answer.error.empty());
  if (!plan) return;
  const auto check = [&](const Box& box) {
    const std::string fault = FaultOf(trial, *plan, box);
    if (fault.empty()) return;
    FAIL(Text(box) << ": " << fault);
  };
  if (boxes.empty()) {
    ForEachBox(trial.answer.result, {}, check);
  } else {
    for (const Box& box : boxes) check(box);
  }
}

TEST_CASE("input regions: every box of small shapes, under every rule") {
  const std::vector<Extents> shapes = AllShapes(2, 0, 2);
  const std::vector<DType> two = {DType::kI16, DType::kI16};
  for (const Extents& a : shapes) {
    for (const Extents& b : shapes) {
      for (const char* rule :
           {"none", "numpy", "onnx_multidirectional", "onnx_unidirectional"}) {
        Check({.rule = rule, .operands = {a, b}}, two, {});
      }
      for (const int64_t axis : {-1, 0, 1}) {
        Check({.rule = "pdpd", .operands = {a, b}, .axis = axis}, two, {});
      }
      Check({.rule = "sonnx", .operands = {a, b}}, {DType::kU8, DType::kC64},
            {});
      for (const char* rule : {"bidirectional", "broadcast_numpy"}) {
        Check({.rule = rule, .operands = {a}, .target = b}, {DType::kU1}, {});
      }
      for (const Extents& mapping :
           {Extents{}, Extents{0}, Extents{1}, Extents{0, 1}}) {
        Check({.rule = "explicit",
               .operands = {a},
               .target = b,
               .mapping = mapping},
              {DType::kI4}, {});
      }
    }
  }
}

TEST_CASE("input regions: random boxes, of many operands and axes") {
  Random random(11);
  for (const broadloom::RuleInfo& rule : broadloom::AllRules()) {
    for (size_t round = 0; round < 40; ++round) {
      const std::string name(rule.name);
      const size_t most = OpFor(name) == Op::kAdd ? 2 : 7;
      const size_t count = most == 2 ? 2 : 1 + random.Below(most);
      const Question question = QuestionUnder(name, random, count, 700);
      std::vector<DType> dtypes(question.operands.size(), DType::kF32);
      if (OpFor(name) == Op::kBroadcast && round % 2 == 0) {
        for (DType& dtype : dtypes) dtype = DType::kU4;
      }
      const Extents result = Ask(question).result;
      Check(question, dtypes, testing::RandomBoxes(random, result));
    }
  }
}

// Every operator with every combination of types: boxes computed from their
// input regions are the whole result, bit for bit. (Every rule, and packed
// types, are in regions_test.cc.)
TEST_CASE("input regions: every operator and type") {
  constexpr const char* kRules[] = {"none", "numpy", "onnx_multidirectional",
                                    "onnx_unidirectional", "pdpd"};
  Random random(12);
  size_t runs = 0;
  for (const KernelCase& it : AllKernelCases()) {
    const size_t count = it.dtypes.size();
    for (const char* rule : kRules) {
      if (!Accepts(it.op, *broadloom::FindRule(rule))) continue;
      const std::string name = rule;
      if (count != 2 && (name == "pdpd" || name == "onnx_unidirectional")) {
        continue;
      }
      if (kSanitized && random.Below(5) != 0) continue;
      const Trial trial(QuestionUnder(name, random, count, 300), it.op,
                        it.dtypes, runs, false, it.attributes);
      INFO(trial.name());
      const auto plan = trial.MakePlan();
      REQUIRE(plan);
      const Extents& shape = trial.answer.result;
      Outputs whole(trial.result, shape, 1);
      REQUIRE(Run(*plan, trial.inputs(), whole.views));
      Outputs gathered(trial.result, shape, 1);
      for (const Box& box : testing::RandomBoxes(random, shape)) {
        const auto regions = InputRegions(*plan, box);
        REQUIRE(regions);
        std::vector<Buffer> blocks;
        std::vector<Extents> shapes;
        for (size_t i = 0; i < count; ++i) {
          const Box region((*regions)[i].begin(), (*regions)[i].end());
          shapes.push_back(ShapeOf(region));
          blocks.push_back(testing::Cut(region, trial.question.operands[i],
                                        BitsOf(it.dtypes[i]),
                                        trial.operands[i]));
        }
        std::vector<TensorView> inputs;
        for (size_t i = 0; i < count; ++i) {
          inputs.push_back(
              {it.dtypes[i], shapes[i], blocks[i].data(), blocks[i].size()});
        }
        Outputs part(trial.result, ShapeOf(box), 1);
        REQUIRE(RunOnInputRegions(*plan, box, inputs, part.views));
        testing::Place(box, shape, BitsOf(trial.result), part.memory[0],
                       gathered.memory[0]);
      }
      ++runs;
      REQUIRE(SameResults(it.op, trial.result, gathered.memory, whole.memory));
    }
  }
  REQUIRE(runs > (kSanitized ? 200 : 1000));
}

// The cases of python-blosc2 issue 688: slices, also by an index, of a result
// some of whose operands are repeated.
TEST_CASE("input regions: slices of an expression with a repeated operand") {
  const std::vector<std::vector<Extents>> operands = {
      {{2, 3, 4}, {2, 1, 1}}, {{2, 3, 4}, {3, 1}},    {{2, 3, 4}, {4}},
      {{2, 3, 4}, {2, 3, 4}}, {{2, 3, 4}, {1, 3, 1}}, {{2, 1, 4}, {3, 1}}};
  // [:, 0], [..., 0], [0], [:, 1:3], [1, 2, 3]
  const std::vector<Box> slices = {{{0, 2}, {0, 1}, {0, 4}},
                                   {{0, 2}, {0, 3}, {0, 1}},
                                   {{0, 1}, {0, 3}, {0, 4}},
                                   {{0, 2}, {1, 3}, {0, 4}},
                                   {{1, 2}, {2, 3}, {3, 4}}};
  for (const std::vector<Extents>& shapes : operands) {
    const Question question{.rule = "numpy", .operands = shapes};
    Check(question, {DType::kF64, DType::kF64}, slices);
  }
  // The values, for (2,3,4) + (2,1,1) and [:, 0].
  std::vector<double> a(8);
  for (size_t i = 0; i < 8; ++i) {
    a[i] = static_cast<double>(i % 4 + i / 4 * 12);
  }
  const double b[] = {100, 101};
  const Extents of_a = {2, 3, 4}, of_b = {2, 1, 1}, row = {2, 1, 4};
  const std::vector<broadloom::ShapeView> shapes = {of_a, of_b};
  const std::vector<DType> types(2, DType::kF64);
  const auto plan = broadloom::MakePlan(Op::kAdd, shapes, types);
  REQUIRE(plan);
  const TensorView inputs[] = {{DType::kF64, row, a.data(), 64},
                               {DType::kF64, of_b, b, 16}};
  // An index leaves its axis out of the output: the memory is the same.
  double sums[8];
  const MutableTensorView out{DType::kF64, row, sums, sizeof sums};
  REQUIRE(RunOnInputRegions(*plan, slices[0], inputs, {&out, 1}));
  REQUIRE(std::ranges::equal(
      sums, std::vector<double>{100, 101, 102, 103, 113, 114, 115, 116}));
}

// --- What is refused ---------------------------------------------------------

constexpr IndexRange kBox[] = {{1, 3}, {2, 5}};

// (4,6) + (6); each test changes something.
struct Part {
  Trial trial{{.rule = "numpy", .operands = {{4, 6}, {6}}},
              Op::kAdd,
              {DType::kI32, DType::kI32},
              1};
  broadloom::Result<Plan> plan = trial.MakePlan();
  Extents shapes[2] = {{2, 3}, {3}};
  std::vector<uint8_t> memory = std::vector<uint8_t>(24, 7);
  TensorView inputs[2] = {{DType::kI32, shapes[0], memory.data(), 24},
                          {DType::kI32, shapes[1], memory.data(), 12}};
  Outputs out{DType::kI32, {2, 3}, 1};

  Error Refuse() {
    const Buffer before = out.memory[0];
    const auto ran = RunOnInputRegions(*plan, kBox, inputs, out.views);
    REQUIRE(!ran);
    REQUIRE(out.memory[0] == before);
    REQUIRE(ran.error().op == Op::kAdd);
    return ran.error();
  }
};

TEST_CASE("input regions: inputs of another shape, type or length") {
  {
    Part part;
    REQUIRE(RunOnInputRegions(*part.plan, kBox, part.inputs, part.out.views));
  }
  {
    Part part;  // the whole operand instead of its region
    part.shapes[1] = {6};
    part.inputs[1].shape = part.shapes[1];
    const Error error = part.Refuse();
    REQUIRE(error.error_class == ErrorClass::kIncompatible);
    REQUIRE(error.operand == 1);
    REQUIRE(error.operand_axis == 0);
    REQUIRE(error.extent == 6);
    REQUIRE(error.other_extent == 3);
    char text[200];
    const size_t length = broadloom::Describe(error, text);
    REQUIRE(std::string(text, length) ==
            "B has 6 along axis 0, but the plan is made for 3: give one of "
            "that shape.");
  }
  {
    Part part;
    part.shapes[0] = {2, 3, 1};
    part.inputs[0].shape = part.shapes[0];
    const Error error = part.Refuse();
    REQUIRE(error.error_class == ErrorClass::kIncompatible);
    REQUIRE(error.operand == 0);
    REQUIRE(error.extent == 3);
    REQUIRE(error.other_extent == 2);
  }
  {
    Part part;
    part.inputs[0].dtype = DType::kU32;
    REQUIRE(part.Refuse().error_class == ErrorClass::kDType);
  }
  {
    Part part;
    part.inputs[0].bytes = 23;
    const Error error = part.Refuse();
    REQUIRE(error.error_class == ErrorClass::kLength);
    REQUIRE(error.operand == 0);
    REQUIRE(error.other_extent == 24);
  }
  {
    Part part;  // the output's shape
    part.out.views[0].shape = part.shapes[1];
    const Error error = part.Refuse();
    REQUIRE(error.error_class == ErrorClass::kIncompatible);
    REQUIRE(error.operand == broadloom::kOutputOperand);
  }
}

TEST_CASE("input regions: boxes and plans that are refused by every function") {
  const Part part;
  const auto class_of = [](const auto& result) {
    REQUIRE(!result);
    return result.error();
  };
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  const std::vector<Box> wrong = {{},
                                  {{0, 4}},
                                  {{0, 4}, {0, 6}, {0, 1}},
                                  {{0, 4}, {-1, 2}},
                                  {{0, 4}, {3, 2}},
                                  {{0, 5}, {0, 6}},
                                  {{kLeast, kMost}, {0, 6}},
                                  {{kMost, kMost}, {0, 6}},
                                  {{kMost, kLeast}, {0, 6}}};
  for (const Box& box : wrong) {
    INFO(Text(box));
    const Error error = class_of(InputRegions(*part.plan, box));
    REQUIRE(error.error_class == ErrorClass::kExtent);
    REQUIRE(error.detail ==
            (box.size() == 2 ? Detail::kOutOfRange : Detail::kSize));
    REQUIRE(class_of(Cost(*part.plan, box)) == error);
    REQUIRE(class_of(part.plan->Within(box)) == error);
    REQUIRE(class_of(RunOnInputRegions(*part.plan, box, part.inputs,
                                       part.out.views)) == error);
  }
  const Plan empty;
  const Error error = class_of(InputRegions(empty, {}));
  REQUIRE(error.error_class == ErrorClass::kArity);
  REQUIRE(error.detail == Detail::kOtherCount);
  REQUIRE(class_of(Cost(empty, {})) == error);
  REQUIRE(class_of(empty.Within({})) == error);
  REQUIRE(class_of(RunOnInputRegions(empty, {}, {}, {})) == error);
  uint64_t bytes[3];
  const Error counts = class_of(Cost(*part.plan, kBox, bytes));
  REQUIRE(counts.error_class == ErrorClass::kArity);
  REQUIRE(counts.extent == 3);
  REQUIRE(counts.other_extent == 2);
}

TEST_CASE("input regions: of shapes near the largest") {
  // No element exists; the box is counted, not touched.
  const Extents a = {int64_t{1} << 31, int64_t{1} << 31}, b = {1};
  const std::vector<broadloom::ShapeView> shapes = {a, b};
  const std::vector<DType> types(2, DType::kU8);
  const auto plan = broadloom::MakePlan(Op::kAdd, shapes, types);
  REQUIRE(plan);
  const Box whole = {{0, a[0]}, {0, a[1]}};
  const auto cost = Cost(*plan, whole);
  REQUIRE(cost);
  const uint64_t bytes = uint64_t{1} << 62;
  REQUIRE(*cost == RegionCost{bytes + 1, bytes, 2 * bytes + 1});
  const IndexRange corner[] = {{a[0] - 1, a[0]}, {a[1] - 2, a[1]}};
  const auto regions = InputRegions(*plan, corner);
  REQUIRE(regions);
  REQUIRE(std::ranges::equal((*regions)[0], corner));
  REQUIRE((*regions)[1][0] == IndexRange{0, 1});
  // Extents whose product overflows, of a result without elements.
  const Extents c = {int64_t{1} << 40, 0, int64_t{1} << 40};
  const std::vector<broadloom::ShapeView> none = {c, c};
  const auto empty = broadloom::MakePlan(Op::kAdd, none, types);
  REQUIRE(empty);
  const IndexRange box[] = {{0, c[0]}, {0, 0}, {0, c[2]}};
  REQUIRE(*Cost(*empty, box) == RegionCost{});
  REQUIRE(empty->Within(box)->output_bytes() == 0);
}

TEST_CASE("input regions: allocate nothing up to rank 8 and 4 operands") {
  const Extents a = {2, 1, 3, 1, 2, 1, 3, 1};
  const Extents b = {1, 4, 1, 5, 1, 4, 1, 5};
  const Trial trial({.rule = "numpy", .operands = {a, b, {5}, {}}}, Op::kMax,
                    std::vector<DType>(4, DType::kF32), 9, false);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  const Box box = {{0, 2}, {1, 3}, {0, 3}, {2, 5},
                   {0, 2}, {0, 4}, {1, 2}, {0, 5}};
  testing::RequireNoAllocation([&](const broadloom::Allocator& allocator) {
    return InputRegions(*plan, box, allocator).has_value() &&
           plan->Within(box, allocator).has_value() &&
           Cost(*plan, box).has_value();
  });
}

TEST_CASE("input regions: beyond that each refused allocation is an error") {
  const Extents a = {2, 1, 2, 1, 2, 1, 2, 1, 2, 1};
  const Extents b = {1, 3, 1, 2, 1, 2, 1, 2, 1, 2};
  const Trial trial({.rule = "numpy", .operands = {a, b, a, b, {2}}}, Op::kSum,
                    std::vector<DType>(5, DType::kF32), 9, false);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  Box box;
  for (const int64_t extent : trial.answer.result) box.push_back({0, extent});
  REQUIRE(testing::RefuseEach([&](const broadloom::Allocator& allocator) {
            return InputRegions(*plan, box, allocator);
          }) >= 1);
  REQUIRE(testing::RefuseEach([&](const broadloom::Allocator& allocator) {
            return plan->Within(box, allocator);
          }) > 3);
}

}  // namespace
