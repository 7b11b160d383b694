// Results computed in boxes, and in blocks of a small memory: whatever boxes or
// blocks a result is made of, it is the whole result bit for bit, and that is
// what the oracles say. Random shapes, every rule, every SIMD target; and what
// RunRegion refuses.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/questions.h"
#include "reference/trial.h"
#include "unit/allocation_watch.h"
#include "unit/blocks.h"
#include "unit/boxes.h"

namespace {

using namespace reference;
using broadloom::Detail;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::MutableTensorView;
using broadloom::Plan;
using broadloom::Status;
using broadloom::TensorView;
using testing::Box;
using testing::Cut;
using testing::Place;
using testing::RandomBoxes;
using testing::Scattered;
using testing::ShapeOf;
using testing::Text;

// Runs the whole and each box in blocks of memories of several sizes. The boxes
// are those that the result is made of.
std::string FaultInBlocks(const Trial& trial, const Plan& plan,
                          const std::vector<Box>& boxes, const Buffer& whole) {
  const size_t place = plan.operand_count() > 4 ? 128 : 64;
  const size_t least = place * (plan.operand_count() + 1);
  for (const size_t memory :
       {least, least + 64, 3 * least, size_t{4096}, size_t{65536}}) {
    if (memory < least) continue;
    const auto blocks = broadloom::Blocks::Make(plan, memory);
    if (!blocks) return trial.name() + ": no blocks";
    Buffer out(whole.size());
    std::string fault = testing::RunBlocks(plan, *blocks, trial.operands, out);
    if (fault.empty() && !SameResults(trial.op, trial.result, out, whole)) {
      fault = "blocks give something else";
    }
    Buffer gathered(whole.size());
    for (const Box& box : boxes) {
      if (!fault.empty()) break;
      const auto part = broadloom::Blocks::Make(plan, box, memory);
      if (!part) return trial.name() + ": no blocks of a box";
      const Extents shape = ShapeOf(box);
      Buffer cells(
          BytesFor(static_cast<size_t>(Count(shape)), BitsOf(trial.result)));
      fault = testing::RunBlocks(plan, *part, trial.operands, cells);
      Place(box, trial.answer.result, BitsOf(trial.result), cells, gathered);
    }
    if (fault.empty() &&
        !SameResults(trial.op, trial.result, gathered, whole)) {
      fault = "blocks of boxes give something else";
    }
    if (fault.empty()) continue;
    return trial.name() + ": " + fault + ", memory " + std::to_string(memory);
  }
  return {};
}

// Runs each box on its input regions alone, dense and with gaps, the last box
// first.
std::string FaultOnInputRegions(const Trial& trial, const Plan& plan,
                                const std::vector<Box>& boxes,
                                const std::vector<Buffer>& whole) {
  const Extents& shape = trial.answer.result;
  for (const bool dense : {true, false}) {
    Outputs gathered(trial.result, shape, whole.size(), 0);
    for (size_t at = boxes.size(); at-- > 0;) {
      const Box& box = boxes[at];
      const auto regions = broadloom::InputRegions(plan, box);
      if (!regions) return trial.name() + ": no regions";
      std::vector<Scattered> scattered;
      std::vector<Buffer> blocks;
      std::vector<Extents> shapes;
      for (size_t i = 0; i < trial.dtypes.size(); ++i) {
        const Box region((*regions)[i].begin(), (*regions)[i].end());
        shapes.push_back(ShapeOf(region));
        blocks.push_back(Cut(region, trial.question.operands[i],
                             BitsOf(trial.dtypes[i]), trial.operands[i]));
        scattered.emplace_back(trial.dtypes[i], shapes[i], blocks[i]);
      }
      std::vector<TensorView> inputs;
      for (size_t i = 0; i < trial.dtypes.size(); ++i) {
        inputs.push_back(dense ? TensorView{trial.dtypes[i], shapes[i],
                                            blocks[i].data(), blocks[i].size()}
                               : scattered[i].view());
      }
      Outputs part(trial.result, ShapeOf(box), whole.size());
      if (!RunOnInputRegions(plan, box, inputs, part.views)) {
        return trial.name() + ' ' + Text(box) + ": RunOnInputRegions failed";
      }
      for (size_t i = 0; i < whole.size(); ++i) {
        Place(box, shape, BitsOf(trial.result), part.memory[i],
              gathered.memory[i]);
      }
    }
    if (!SameResults(trial.op, trial.result, gathered.memory, whole)) {
      return trial.name() + ": input regions give something else" +
             (dense ? "" : ", with gaps");
    }
  }
  return {};
}

// Runs the whole result and then boxes of it; returns a description of the
// first difference, or nothing.
std::string FaultOf(const Trial& trial, const std::vector<Box>& boxes) {
  const auto plan = trial.MakePlan();
  if (!plan) return trial.name() + ": no plan";
  const std::vector<TensorView> inputs = trial.inputs();
  const Extents& shape = trial.answer.result;
  const size_t count = trial.output_count();
  Outputs whole(trial.result, shape, count);
  if (!Run(*plan, inputs, whole.views)) return trial.name() + ": Run failed";
  for (size_t i = 0; i < count; ++i) {
    const std::string fault = trial.Fault(i, whole.memory[i]);
    if (!fault.empty()) return fault;
  }
  // Unused bits are 0 in both.
  Outputs gathered(trial.result, shape, count, 0);
  for (const Box& box : boxes) {
    Outputs part(trial.result, ShapeOf(box), count);
    if (!RunRegion(*plan, box, inputs, part.views)) {
      return trial.name() + ' ' + Text(box) + ": RunRegion failed";
    }
    for (size_t i = 0; i < count; ++i) {
      Place(box, shape, BitsOf(trial.result), part.memory[i],
            gathered.memory[i]);
    }
  }
  if (SameResults(trial.op, trial.result, gathered.memory, whole.memory)) {
    const std::string fault =
        FaultOnInputRegions(trial, *plan, boxes, whole.memory);
    if (!fault.empty()) return fault;
    return count == 1 ? FaultInBlocks(trial, *plan, boxes, whole.memory[0])
                      : std::string();
  }
  std::string text = trial.name() + ": boxes give something else:";
  for (const Box& box : boxes) text += ' ' + Text(box);
  return text;
}

// One operator with its types.
struct Work {
  Op op;
  std::vector<DType> dtypes;
};

std::vector<Work> AllWork() {
  std::vector<Work> all = {
      {Op::kSub, {DType::kI32, DType::kI32}},
      {Op::kAdd, {DType::kF32, DType::kF32}},
      {Op::kLess, {DType::kU8, DType::kU8}},
      {Op::kWhere, {DType::kBool, DType::kU16, DType::kU16}},
      {Op::kMax, std::vector<DType>(3, DType::kF16)},
      {Op::kMax, std::vector<DType>(6, DType::kF16)},
      {Op::kSum, std::vector<DType>(5, DType::kF32)},
      {Op::kPow, {DType::kF32, DType::kF32}},
      // Kernel drivers that the list above leaves out.
      {Op::kGreater, {DType::kF64, DType::kF64}},
      {Op::kMean, std::vector<DType>(6, DType::kBF16)},
      {Op::kPow, {DType::kU8, DType::kI64}},
      {Op::kWhere, {DType::kBool, DType::kU4, DType::kU4}},
      {Op::kWhere, {DType::kBool, DType::kU1, DType::kU1}},
      {Op::kWhere, {DType::kBool, DType::kC128, DType::kC128}},
  };
  return all;
}

constexpr DType kMoved[] = {DType::kU8,   DType::kU16, DType::kF32, DType::kI64,
                            DType::kC128, DType::kU4,  DType::kI4,  DType::kU1};

// `rounds` random trials, each made once and run on every SIMD target.
template <class MakeTrial>
void CheckRegions(size_t rounds, uint64_t seed, MakeTrial make) {
  if (kSanitized) rounds = (rounds + 4) / 5;
  struct Prepared {
    Trial trial;
    std::vector<Box> boxes;
  };
  std::vector<Prepared> all;
  Random random(seed);
  for (size_t round = 0; round < rounds; ++round) {
    Trial trial = make(random, seed * 1000 + round);
    INFO(trial.name());
    REQUIRE(trial.answer.error == "");
    std::vector<Box> boxes = RandomBoxes(random, trial.answer.result);
    all.push_back({std::move(trial), std::move(boxes)});
  }
  ForEachTarget([&](const std::string& target) {
    for (const Prepared& it : all) {
      const std::string fault = FaultOf(it.trial, it.boxes);
      if (fault.empty()) continue;
      FAIL_CHECK(target << ": " << fault);
      return;
    }
  });
}

TEST_CASE("regions: operators under NumPy's rule and its equivalents") {
  uint64_t seed = 1;
  for (const Work& work : AllWork()) {
    // Fewer trials for operators whose oracle is slow.
    const int64_t most = work.op == Op::kPow ? 1500 : 6000;
    CheckRegions(50, ++seed, [&](Random& random, uint64_t of) {
      return Trial(AlikeQuestion(random, work.dtypes.size(), most), work.op,
                   work.dtypes, of);
    });
  }
}

TEST_CASE("regions: operators under PDPD's rule") {
  uint64_t seed = 40;
  for (const Work& work : AllWork()) {
    if (work.dtypes.size() != 2) continue;
    const int64_t most = work.op == Op::kPow ? 1500 : 6000;
    CheckRegions(30, ++seed, [&](Random& random, uint64_t of) {
      return Trial(PdpdQuestion(random, most), work.op, work.dtypes, of);
    });
  }
}

TEST_CASE("regions: elements moved, of every width, under every rule") {
  uint64_t seed = 80;
  for (const DType dtype : kMoved) {
    CheckRegions(30, ++seed, [&](Random& random, uint64_t of) {
      return Trial(ExplicitQuestion(random, 6000), Op::kBroadcast, {dtype}, of);
    });
    CheckRegions(30, ++seed, [&](Random& random, uint64_t of) {
      return Trial(BidirectionalQuestion(random, 6000), Op::kBroadcast, {dtype},
                   of);
    });
    CheckRegions(20, ++seed, [&](Random& random, uint64_t of) {
      Question question = AlikeQuestion(random, 3, 3000);
      question.rule = "sonnx";
      return Trial(std::move(question), Op::kBroadcast,
                   std::vector<DType>(3, dtype), of);
    });
  }
}

TEST_CASE("regions: the header's example, and every single element") {
  Trial trial({.rule = "numpy", .operands = {{1000, 8}, {8}}}, Op::kSub,
              {DType::kI32, DType::kI32}, 5);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  const IndexRange box[] = {{10, 12}, {0, 8}};
  Outputs rows(DType::kI32, {2, 8}, 1);
  REQUIRE(RunRegion(*plan, box, trial.inputs(), rows.views));
  for (size_t i = 0; i < 16; ++i) {
    REQUIRE(Get(rows.memory[0], 32, i) == trial.wanted[0][80 + i]);
  }

  Trial packed({.rule = "numpy", .operands = {{3}, {5, 1}, {5, 3}}}, Op::kWhere,
               {DType::kBool, DType::kU1, DType::kU1}, 6);
  const auto packed_plan = packed.MakePlan();
  REQUIRE(packed_plan);
  for (int64_t row = 0; row < 5; ++row) {
    for (int64_t column = 0; column < 3; ++column) {
      const IndexRange cell[] = {{row, row + 1}, {column, column + 1}};
      Outputs one(DType::kU1, {1, 1}, 1);
      REQUIRE(RunRegion(*packed_plan, cell, packed.inputs(), one.views));
      REQUIRE(Get(one.memory[0], 1, 0) ==
              packed.wanted[0][static_cast<size_t>(row * 3 + column)]);
      REQUIRE((one.memory[0][0] & 0x7F) == 0);
    }
  }
}

// --- What RunRegion refuses --------------------------------------------------

// (4,6) + (6) with a box of (2,3); each test changes one argument.
struct Part {
  Trial trial{{.rule = "numpy", .operands = {{4, 6}, {6}}},
              Op::kAdd,
              {DType::kI32, DType::kI32},
              1};
  broadloom::Result<Plan> plan = trial.MakePlan();
  Box box = {{1, 3}, {2, 5}};
  Outputs out{DType::kI32, {2, 3}, 1};

  Status Run() { return RunRegion(*plan, box, trial.inputs(), out.views); }
  Error Refuse() {
    const Buffer before = out.memory[0];
    const Status status = Run();
    REQUIRE(!status);
    REQUIRE(out.memory[0] == before);
    REQUIRE(status.error().op == Op::kAdd);
    REQUIRE(status.error().rule == broadloom::Rule::kNumpy);
    REQUIRE(status.error().operand == broadloom::kOutputOperand);
    return status.error();
  }
};

TEST_CASE("regions: boxes of another rank") {
  for (const size_t rank : {0, 1, 3}) {
    Part part;
    REQUIRE(part.Run());
    part.box.resize(rank, {0, 1});
    const Error error = part.Refuse();
    REQUIRE(error.error_class == ErrorClass::kExtent);
    REQUIRE(error.detail == Detail::kSize);
    REQUIRE(error.extent == static_cast<int64_t>(rank));
    REQUIRE(error.other_extent == 2);
  }
}

TEST_CASE("regions: boxes that are not inside the result") {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  // The second value is the index in the error, along axis 1.
  const std::vector<std::pair<IndexRange, int64_t>> wrong = {
      {{-1, 2}, -1},
      {{4, 7}, 7},
      {{7, 7}, 7},
      {{3, 0}, 0},
      {{5, 4}, 4},
      {{-3, -1}, -3},
      {{0, kMost}, kMost},
      {{kLeast, kMost}, kLeast},
      {{kMost, kLeast}, kMost}};
  for (const auto& [range, told] : wrong) {
    Part part;
    part.box[1] = range;
    INFO(Text(part.box));
    const Error error = part.Refuse();
    REQUIRE(error.error_class == ErrorClass::kExtent);
    REQUIRE(error.detail == Detail::kOutOfRange);
    REQUIRE(error.axis == 1);
    REQUIRE(error.extent == told);
    REQUIRE(error.other_extent == 6);
  }
}

TEST_CASE("regions: outputs that do not fit the box") {
  for (const Extents& shape : {Extents{2}, Extents{3, 2}, Extents{4, 6},
                               Extents{2, 3, 1}, Extents{2, 4}, Extents{}}) {
    Part part;
    part.out.views[0].shape = shape;
    const Error error = part.Refuse();
    REQUIRE(error.error_class == ErrorClass::kIncompatible);
    REQUIRE(error.detail == Detail::kOutput);
  }
  Part part;
  part.out.views[0].bytes = 23;
  Error error = part.Refuse();
  REQUIRE(error.error_class == ErrorClass::kLength);
  REQUIRE(error.extent == 23);
  REQUIRE(error.other_extent == 24);
  part.out.views[0].bytes = 24;
  part.out.views[0].dtype = DType::kF32;
  REQUIRE(part.Refuse().error_class == ErrorClass::kDType);
  part.out.views[0].dtype = DType::kI32;
  part.out.views[0].data = nullptr;
  REQUIRE(part.Refuse().error_class == ErrorClass::kLength);
}

TEST_CASE("regions: empty boxes need no memory, and nothing is written") {
  for (const IndexRange& none :
       {IndexRange{0, 0}, IndexRange{3, 3}, IndexRange{6, 6}}) {
    Part part;
    part.box[1] = none;
    const Extents shape = {2, 0};
    part.out.views[0].shape = shape;
    const Buffer before = part.out.memory[0];
    REQUIRE(part.Run());
    REQUIRE(part.out.memory[0] == before);
    part.out.views[0].data = nullptr;
    part.out.views[0].bytes = 0;
    REQUIRE(part.Run());
  }
  // A box of an empty result.
  const Extents a = {0, 3};
  const TensorView inputs[] = {{DType::kF32, a, nullptr, 0},
                               {DType::kF32, a, nullptr, 0}};
  const std::vector<broadloom::ShapeView> shapes(2, a);
  const std::vector<DType> dtypes(2, DType::kF32);
  const auto plan = broadloom::MakePlan(Op::kAdd, shapes, dtypes);
  REQUIRE(plan);
  const IndexRange box[] = {{0, 0}, {1, 3}};
  const Extents shape = {0, 2};
  const MutableTensorView out{DType::kF32, shape, nullptr, 0};
  REQUIRE(RunRegion(*plan, box, inputs, {&out, 1}));
}

TEST_CASE("regions: nothing is allocated up to rank 8 and 4 operands") {
  const Extents a = {2, 1, 3, 1, 2, 1, 3, 1};
  const Extents b = {1, 4, 1, 5, 1, 4, 1, 5};
  Trial trial({.rule = "numpy", .operands = {a, b, {5}, {}}}, Op::kMax,
              std::vector<DType>(4, DType::kF32), 9);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  const std::vector<TensorView> inputs = trial.inputs();
  const Box box = {{0, 2}, {1, 3}, {0, 3}, {2, 5},
                   {0, 2}, {0, 4}, {1, 2}, {0, 5}};
  Outputs out(DType::kF32, ShapeOf(box), 1);
  testing::RequireNoAllocation([&](const broadloom::Allocator& allocator) {
    return RunRegion(*plan, box, inputs, out.views, {}, allocator).has_value();
  });
}

TEST_CASE("regions: beyond that each failed allocation is an error") {
  const Extents a = {2, 1, 2, 1, 2, 1, 2, 1, 2, 1};
  const Extents b = {1, 3, 1, 2, 1, 2, 1, 2, 1, 2};
  Trial trial({.rule = "numpy", .operands = {a, b, a, b, {2}}}, Op::kSum,
              std::vector<DType>(5, DType::kF32), 9);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  const std::vector<TensorView> inputs = trial.inputs();
  Box box;
  for (const int64_t extent : trial.answer.result) box.push_back({0, extent});
  box[3] = {1, 2};
  Outputs out(DType::kF32, ShapeOf(box), 1);
  const Buffer before = out.memory[0];
  const size_t requests =
      testing::RefuseEach([&](const broadloom::Allocator& allocator) {
        out.memory[0].assign(before.begin(), before.end());
        const Status status =
            RunRegion(*plan, box, inputs, out.views, {}, allocator);
        REQUIRE((out.memory[0] == before) == !status);
        return status;
      });
  REQUIRE(requests > 3);
}

}  // namespace
