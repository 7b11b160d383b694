// Wrong calls: every public function with nothing, with a moved-from object,
// with an object of another call, with numbers and enum values out of range, or
// called twice. Each returns an error value, or does what its comment says; the
// sanitizers detect the rest. (Not tested: spans and allocators that point to
// invalid memory, which cannot be detected, and accessors that require a valid
// index.)

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/explain/repair.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/threads.h"
#include "catch2/catch_test_macros.hpp"

namespace {

using broadloom::Align;
using broadloom::Alignment;
using broadloom::ApplyOptions;
using broadloom::Arena;
using broadloom::Blocks;
using broadloom::BroadcastRequest;
using broadloom::Detail;
using broadloom::DType;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::FindRepairs;
using broadloom::IndexRange;
using broadloom::MakePlan;
using broadloom::MutableTensorView;
using broadloom::Op;
using broadloom::Plan;
using broadloom::Rule;
using broadloom::RunBlock;
using broadloom::Segment;
using broadloom::ShapeView;
using broadloom::ShiftDirection;
using broadloom::SumInput;
using broadloom::SumOrder;
using broadloom::SumPlan;
using broadloom::SumStream;
using broadloom::SumTo;
using broadloom::SumToOptions;
using broadloom::Tensor;
using broadloom::TensorView;
using broadloom::Threads;
using Class = std::optional<ErrorClass>;

// Enum values without a row in the tables.
constexpr uint8_t kWrong[] = {30, 31, 32, 63, 64, 127, 128, 200, 255};

constexpr int64_t kShape[] = {4, 3};
constexpr int64_t kRow[] = {3};
constexpr int64_t kNegative[] = {-4, 3};
constexpr float kData[12] = {};
alignas(64) std::byte memory[4096];
float result[12];

const TensorView kInputs[] = {{DType::kF32, kShape, kData, sizeof kData},
                              {DType::kF32, kRow, kData, 12}};
const MutableTensorView kOutput{DType::kF32, kShape, result, sizeof result};
const ShapeView kShapes[] = {kShape, kRow};
const DType kTypes[] = {DType::kF32, DType::kF32};

// The class of a returned error; none if there is no error.
template <class R>
Class ClassOf(const R& returned) {
  if (returned) return std::nullopt;
  // Every error can be described.
  std::array<char, 500> text;
  REQUIRE(Describe(returned.error(), text) > 0);
  return returned.error().error_class;
}

Plan MakeAdd() {
  auto plan = MakePlan(Op::kAdd, kShapes, kTypes);
  REQUIRE(plan);
  return std::move(*plan);
}

Blocks MakeBlocks(const Plan& plan) {
  auto blocks = Blocks::Make(plan, 256);
  REQUIRE(blocks);
  return std::move(*blocks);
}

Alignment MakeAlignment() {
  auto alignment = Align({.operands = kShapes});
  REQUIRE(alignment);
  return std::move(*alignment);
}

struct Misuse {
  const char* name;
  std::function<Class()> call;
  Class expected;
};

std::vector<Misuse> PlanMisuses() {
  return {
      {"Run: a plan that was never made",
       [] { return ClassOf(Run(Plan(), {}, {&kOutput, 1})); },
       ErrorClass::kArity},
      {"Run: nothing at all, of a plan that was never made",
       [] { return ClassOf(Run(Plan(), {}, {})); }, ErrorClass::kArity},
      {"Run: a plan that was moved from",
       [] {
         Plan plan = MakeAdd();
         const Plan moved = std::move(plan);
         return ClassOf(Run(plan, {}, {&kOutput, 1}));
       },
       ErrorClass::kArity},
      {"Run: a plan that was moved from, with its operands",
       [] {
         Plan plan = MakeAdd();
         Plan moved;
         moved = std::move(plan);
         return ClassOf(Run(plan, kInputs, {&kOutput, 1}));
       },
       ErrorClass::kArity},
      {"Run: a plan that was moved",
       [] {
         Plan plan = MakeAdd();
         const Plan moved = std::move(plan);
         return ClassOf(Run(moved, kInputs, {&kOutput, 1}));
       },
       std::nullopt},
      {"Run: no operands", [] { return ClassOf(Run(MakeAdd(), {}, {})); },
       ErrorClass::kArity},
      {"Run: no result", [] { return ClassOf(Run(MakeAdd(), kInputs, {})); },
       ErrorClass::kArity},
      {"Run: views of nothing",
       [] {
         const TensorView none[2] = {};
         return ClassOf(Run(MakeAdd(), none, {&kOutput, 1}));
       },
       ErrorClass::kIncompatible},
      {"Run: no data",
       [] {
         const TensorView none[] = {{DType::kF32, kShape, nullptr, 48},
                                    {DType::kF32, kRow, nullptr, 12}};
         return ClassOf(Run(MakeAdd(), none, {&kOutput, 1}));
       },
       ErrorClass::kLength},
      {"Run: no memory for the result",
       [] {
         const MutableTensorView none{DType::kF32, kShape, nullptr, 48};
         return ClassOf(Run(MakeAdd(), kInputs, {&none, 1}));
       },
       ErrorClass::kLength},
      {"Run: operands of another plan",
       [] {
         const int64_t shape[] = {3, 3};
         const TensorView other[] = {{DType::kF32, shape, kData, 36},
                                     kInputs[1]};
         return ClassOf(Run(MakeAdd(), other, {&kOutput, 1}));
       },
       ErrorClass::kIncompatible},
      {"RunRegion: a plan that was moved from",
       [] {
         Plan plan = MakeAdd();
         const Plan moved = std::move(plan);
         return ClassOf(RunRegion(plan, {}, {}, {&kOutput, 1}));
       },
       ErrorClass::kArity},
      {"RunRegion: no box",
       [] { return ClassOf(RunRegion(MakeAdd(), {}, kInputs, {&kOutput, 1})); },
       ErrorClass::kExtent},
      {"RunRegion: a box from below 0",
       [] {
         const IndexRange box[] = {{-1, 3}, {0, 3}};
         return ClassOf(RunRegion(MakeAdd(), box, kInputs, {&kOutput, 1}));
       },
       ErrorClass::kExtent},
      {"RunRegion: a box that ends before it begins",
       [] {
         const IndexRange box[] = {{3, 1}, {0, 3}};
         return ClassOf(RunRegion(MakeAdd(), box, kInputs, {&kOutput, 1}));
       },
       ErrorClass::kExtent},
      {"Plan::Make: an alignment that was moved from",
       [] {
         Alignment alignment = MakeAlignment();
         const Alignment moved = std::move(alignment);
         return ClassOf(Plan::Make(Op::kAdd, alignment, kTypes));
       },
       ErrorClass::kArity},
      {"Plan::Make: an alignment that was never made",
       [] { return ClassOf(Plan::Make(Op::kAdd, Alignment(), kTypes)); },
       ErrorClass::kArity},
      {"Plan::Make: no types",
       [] { return ClassOf(Plan::Make(Op::kAdd, MakeAlignment(), {})); },
       ErrorClass::kArity},
      {"MakePlan: nothing", [] { return ClassOf(MakePlan(Op::kAdd, {}, {})); },
       ErrorClass::kArity},
      {"MakePlan: fewer types than shapes",
       [] { return ClassOf(MakePlan(Op::kAdd, kShapes, {kTypes, 1})); },
       ErrorClass::kArity},
      {"MakePlan: a negative extent",
       [] {
         const ShapeView shapes[] = {kNegative, kRow};
         return ClassOf(MakePlan(Op::kAdd, shapes, kTypes));
       },
       ErrorClass::kExtent},
      {"Apply: nothing", [] { return ClassOf(Apply(Op::kAdd, {})); },
       ErrorClass::kArity},
      {"Apply: nothing into nothing",
       [] { return ClassOf(Apply(Op::kAdd, {}, MutableTensorView())); },
       ErrorClass::kArity},
      {"Apply: a result with no memory",
       [] {
         return ClassOf(
             Apply(Op::kAdd, kInputs, {DType::kF32, kShape, nullptr, 48}));
       },
       ErrorClass::kLength},
      {"Apply: a tensor that was moved from",
       [] {
         auto tensor = Tensor::Allocate(DType::kF32, kRow);
         REQUIRE(tensor);
         const Tensor moved = std::move(*tensor);
         const TensorView one[] = {tensor->view(), kInputs[1]};
         return ClassOf(Apply(Op::kAdd, one));
       },
       ErrorClass::kLength},
      {"Apply: one tensor allocated twice",
       [] {
         auto tensor = Tensor::Allocate(DType::kF32, kRow);
         tensor = Tensor::Allocate(DType::kF32, kShape);
         Tensor& self = *tensor;
         *tensor = std::move(self);
         return ClassOf(Run(MakeAdd(), kInputs, std::array{tensor->view()}));
       },
       std::nullopt},
      {"Tensor::Allocate: a negative extent",
       [] { return ClassOf(Tensor::Allocate(DType::kF32, kNegative)); },
       ErrorClass::kExtent},
      {"CountElements: a negative extent",
       [] { return ClassOf(broadloom::CountElements(kNegative)); },
       ErrorClass::kExtent},
      {"Align: nothing", [] { return ClassOf(Align({})); }, ErrorClass::kArity},
      {"InferShape: nothing", [] { return ClassOf(broadloom::InferShape({})); },
       ErrorClass::kArity},
      {"FindRepairs: nothing to repair",
       [] {
         Arena arena;
         return ClassOf(FindRepairs({}, arena));
       },
       std::nullopt},
      {"ParseShape: nothing", [] { return ClassOf(broadloom::ParseShape({})); },
       ErrorClass::kParse},
      {"ParseIntegers: nothing",
       [] { return ClassOf(broadloom::ParseIntegers({})); },
       ErrorClass::kParse},
  };
}

std::vector<Misuse> BlocksMisuses() {
  return {
      {"Blocks::Make: a plan that was never made",
       [] { return ClassOf(Blocks::Make(Plan(), 256)); }, ErrorClass::kArity},
      {"Blocks::Make: a plan that was moved from",
       [] {
         Plan plan = MakeAdd();
         const Plan moved = std::move(plan);
         return ClassOf(Blocks::Make(plan, 256));
       },
       ErrorClass::kArity},
      {"Blocks::Make: no memory",
       [] { return ClassOf(Blocks::Make(MakeAdd(), 0)); }, ErrorClass::kLimit},
      {"Blocks::Make: no box",
       [] {
         return ClassOf(
             Blocks::Make(MakeAdd(), std::span<const IndexRange>(), 256));
       },
       ErrorClass::kExtent},
      {"RunBlock: blocks of a smaller plan",
       [] {
         const int64_t large[] = {400, 300};
         const int64_t row[] = {300};
         const ShapeView shapes[] = {large, row};
         const auto plan = MakePlan(Op::kAdd, shapes, kTypes);
         REQUIRE(plan);
         return ClassOf(RunBlock(*plan, MakeBlocks(MakeAdd()), 0, memory));
       },
       ErrorClass::kIncompatible},
      {"RunBlock: blocks of a plan of narrower elements",
       [] {
         const DType wide[] = {DType::kF64, DType::kF64};
         const auto plan = MakePlan(Op::kAdd, kShapes, wide);
         REQUIRE(plan);
         return ClassOf(RunBlock(*plan, MakeBlocks(MakeAdd()), 0, memory));
       },
       ErrorClass::kIncompatible},
      {"RunBlock: blocks of a plan of fewer operands",
       [] {
         const ShapeView shapes[] = {kShape, kRow,   kShape,
                                     kShape, kShape, kShape};
         const std::vector<DType> types(6, DType::kF32);
         const auto plan = MakePlan(Op::kSum, shapes, types);
         REQUIRE(plan);
         return ClassOf(RunBlock(*plan, MakeBlocks(MakeAdd()), 0, memory));
       },
       ErrorClass::kIncompatible},
      {"RunBlock: blocks of another operator",
       [] {
         const auto plan = MakePlan(Op::kSub, kShapes, kTypes);
         REQUIRE(plan);
         return ClassOf(RunBlock(*plan, MakeBlocks(MakeAdd()), 0, memory));
       },
       ErrorClass::kIncompatible},
      {"RunBlock: blocks of the same shapes, otherwise aligned",
       [] {
         const int64_t square[] = {3, 3};
         const ShapeView shapes[] = {square, kRow};
         const auto rows = MakePlan(Op::kAdd, shapes, kTypes);
         const auto columns = MakePlan(Op::kAdd, shapes, kTypes,
                                       {.rule = Rule::kPdpd, .axis = 0});
         REQUIRE((rows && columns));
         return ClassOf(RunBlock(*columns, MakeBlocks(*rows), 0, memory));
       },
       ErrorClass::kIncompatible},
      {"RunBlock: a plan that was moved from",
       [] {
         Plan plan = MakeAdd();
         const Blocks blocks = MakeBlocks(plan);
         const Plan moved = std::move(plan);
         return ClassOf(RunBlock(plan, blocks, 0, memory));
       },
       ErrorClass::kIncompatible},
      {"RunBlock: a plan that was moved, or made anew",
       [] {
         Plan plan = MakeAdd();
         const Blocks blocks = MakeBlocks(plan);
         const Plan moved = std::move(plan);
         REQUIRE(RunBlock(moved, blocks, 0, memory));
         return ClassOf(RunBlock(MakeAdd(), blocks, 0, memory));
       },
       std::nullopt},
      {"RunBlock: blocks that were never made",
       [] { return ClassOf(RunBlock(MakeAdd(), Blocks(), 0, memory)); },
       ErrorClass::kIncompatible},
      {"RunBlock: neither was made",
       [] { return ClassOf(RunBlock(Plan(), Blocks(), 0, memory)); },
       ErrorClass::kIncompatible},
      {"RunBlock: blocks that were moved from",
       [] {
         const Plan plan = MakeAdd();
         Blocks blocks = MakeBlocks(plan);
         const Blocks moved = std::move(blocks);
         REQUIRE(blocks.operand(0, 0) == Segment());
         REQUIRE(blocks.result(0) == Segment());
         return ClassOf(RunBlock(plan, blocks, 0, memory));
       },
       ErrorClass::kExtent},
      {"RunBlock: block -1",
       [] {
         const Plan plan = MakeAdd();
         return ClassOf(RunBlock(plan, MakeBlocks(plan), -1, memory));
       },
       ErrorClass::kExtent},
      {"RunBlock: one block too far",
       [] {
         const Plan plan = MakeAdd();
         const Blocks blocks = MakeBlocks(plan);
         for (const int64_t block :
              {blocks.count(), int64_t{-1}, INT64_MIN, INT64_MAX}) {
           REQUIRE(blocks.operand(block, 0) == Segment());
           REQUIRE(blocks.result(block) == Segment());
           REQUIRE(!blocks.shares_byte(block));
         }
         REQUIRE(blocks.operand(0, 2) == Segment());
         REQUIRE(blocks.operand(0, SIZE_MAX) == Segment());
         return ClassOf(RunBlock(plan, blocks, blocks.count(), memory));
       },
       ErrorClass::kExtent},
      {"RunBlock: no memory",
       [] {
         const Plan plan = MakeAdd();
         return ClassOf(RunBlock(plan, MakeBlocks(plan), 0, {}));
       },
       ErrorClass::kLength},
      {"RunBlock: memory that is not aligned",
       [] {
         const Plan plan = MakeAdd();
         return ClassOf(
             RunBlock(plan, MakeBlocks(plan), 0, std::span(memory).subspan(4)));
       },
       ErrorClass::kLength},
      {"RunBlock: the same block twice",
       [] {
         const Plan plan = MakeAdd();
         const Blocks blocks = MakeBlocks(plan);
         REQUIRE(RunBlock(plan, blocks, 0, memory));
         return ClassOf(RunBlock(plan, blocks, 0, memory));
       },
       std::nullopt},
  };
}

std::vector<Misuse> SumMisuses() {
  const auto stream = [](SumInput from) {
    auto made =
        SumStream::Make(DType::kF32, kShape, kRow, sizeof memory, {}, from);
    REQUIRE(made);
    return std::move(*made);
  };
  return {
      {"SumTo: no data",
       [] { return ClassOf(SumTo({DType::kF32, kShape, nullptr, 48}, kRow)); },
       ErrorClass::kLength},
      {"SumTo: a view of nothing to what is larger",
       [] { return ClassOf(SumTo(TensorView(), kRow)); }, ErrorClass::kLength},
      {"SumTo: no memory for the sums",
       [] {
         return ClassOf(SumTo(kInputs[0], {DType::kF32, kRow, nullptr, 12}));
       },
       ErrorClass::kLength},
      {"SumTo: a type that is not summed",
       [] { return ClassOf(SumTo({DType::kBool, kShape, kData, 48}, kRow)); },
       ErrorClass::kDType},
      {"SumPlan::Make: a negative extent",
       [] { return ClassOf(SumPlan::Make(DType::kF32, kNegative, kRow)); },
       ErrorClass::kExtent},
      {"SumPlan::Make: strides of another rank",
       [] {
         const int64_t strides[] = {1};
         return ClassOf(SumPlan::Make(DType::kF32, kShape, kRow, {}, strides));
       },
       ErrorClass::kIncompatible},
      {"SumPlan::Run: never made",
       [] { return ClassOf(SumPlan().Run(TensorView())); }, ErrorClass::kArity},
      {"SumPlan::Run: moved from",
       [] {
         auto made = SumPlan::Make(DType::kF32, kShape, kRow);
         REQUIRE(made);
         const SumPlan to = std::move(*made);
         REQUIRE(made->input_shape().empty());
         REQUIRE(made->output_shape().empty());
         REQUIRE(to.Run(kInputs[0]));
         return ClassOf(made->Run(kInputs[0]));
       },
       ErrorClass::kArity},
      {"SumStream::Make: of a plan that was never made",
       [] { return ClassOf(SumStream::Make(SumPlan(), 4096)); },
       ErrorClass::kArity},
      {"SumStream: never made",
       [] {
         SumStream none;
         REQUIRE(none.done());
         return ClassOf(none.Add(memory));
       },
       ErrorClass::kExtent},
      {"SumStream: moved from",
       [=] {
         SumStream from = stream(SumInput::kBrought);
         SumStream to = std::move(from);
         REQUIRE(from.done());
         REQUIRE(from.input() == broadloom::Segments());
         REQUIRE(from.result() == Segment());
         REQUIRE(!to.done());
         return ClassOf(from.Add(memory));
       },
       ErrorClass::kExtent},
      {"SumStream: moved from halfway",
       [=] {
         const int64_t shape[] = {512, 512};
         auto from = SumStream::Make(DType::kF32, shape, shape, 4096, {});
         REQUIRE(from);
         REQUIRE(from->Add(memory));
         SumStream to;
         to = std::move(*from);
         REQUIRE(from->done());
         REQUIRE(from->result() == Segment());
         REQUIRE(to.Add(memory));
         return ClassOf(from->Add(memory));
       },
       ErrorClass::kExtent},
      {"SumStream: no input where it should lie in memory",
       [=] { return ClassOf(stream(SumInput::kInMemory).Add(memory)); },
       ErrorClass::kLength},
      {"SumStream: no input to copy",
       [] {
         auto made = SumStream::Make(DType::kF32, kShape, kShape, 4096, {},
                                     SumInput::kInMemory);
         REQUIRE(made);
         return ClassOf(made->Add(memory));
       },
       ErrorClass::kLength},
      {"SumStream: no such way to bring it",
       [=] { return ClassOf(stream(SumInput{7}).Add(memory)); },
       ErrorClass::kLength},
      {"SumStream: no memory",
       [=] { return ClassOf(stream(SumInput::kBrought).Add({})); },
       ErrorClass::kLength},
      {"SumStream: memory that is not aligned",
       [=] {
         auto made = SumStream::Make(DType::kF32, kShape, kRow, 2048);
         REQUIRE(made);
         return ClassOf(made->Add(std::span(memory).subspan(8)));
       },
       ErrorClass::kLength},
      {"SumStream: more than there is",
       [=] {
         SumStream sum = stream(SumInput::kBrought);
         while (!sum.done()) REQUIRE(sum.Add(memory));
         return ClassOf(sum.Add(memory));
       },
       ErrorClass::kExtent},
      {"Threads: too many", [] { return ClassOf(Threads::Make(SIZE_MAX)); },
       ErrorClass::kLimit},
  };
}

TEST_CASE("misuse: each wrong call returns its error") {
  for (const auto& misuses : {PlanMisuses(), BlocksMisuses(), SumMisuses()}) {
    for (const Misuse& misuse : misuses) {
      INFO(misuse.name);
      const Class got = misuse.call();
      REQUIRE(got.has_value() == misuse.expected.has_value());
      if (got) {
        REQUIRE(Info(*got).name == Info(*misuse.expected).name);
      }
    }
  }
}

// The description of the returned error.
template <class R>
std::string SentenceOf(const R& returned) {
  REQUIRE(!returned);
  std::array<char, 500> text;
  return {text.data(), Describe(returned.error(), text)};
}

TEST_CASE("misuse: each error is described in terms of the call") {
  const Plan plan = MakeAdd();
  const Blocks blocks = MakeBlocks(plan);
  const std::string memory_bytes = std::to_string(blocks.memory_bytes());
  SumStream sums = *SumStream::Make(DType::kF32, kShape, kRow, 2048);
  const std::string sum_bytes = std::to_string(sums.memory_bytes());
  const std::string empty =
      "The plan is empty: it was never made, or was moved from.";
  const std::string misaligned =
      "The memory to work in has to begin at a multiple of 64 bytes.";

  CHECK(SentenceOf(Run(Plan(), {}, {&kOutput, 1})) == empty);
  CHECK(SentenceOf(Run(Plan(), {}, {})) == empty);
  CHECK(SentenceOf(Run(Plan(), kInputs, {&kOutput, 1})) == empty);
  CHECK(SentenceOf(Blocks::Make(Plan(), 4096)) == empty);
  CHECK(SentenceOf(SumPlan().Run(TensorView())) == empty);
  CHECK(SentenceOf(SumStream::Make(SumPlan(), 4096)) == empty);
  CHECK(SentenceOf(Run(plan, std::span(kInputs).first(1), {&kOutput, 1})) ==
        "The plan is made for 2 operands, not 1.");
  CHECK(SentenceOf(Run(plan, kInputs, {})) ==
        "There has to be 1 result, not 0.");

  CHECK(SentenceOf(Blocks::Make(plan, 1))
            .starts_with("The memory to work in may have 1 bytes, but "));
  CHECK(SentenceOf(SumStream::Make(DType::kF32, kShape, kRow, 1))
            .starts_with("The memory to work in may have 1 bytes, but "));
  CHECK(SentenceOf(RunBlock(plan, blocks, 0, {})) ==
        "The memory to work in has 0 bytes, but " + memory_bytes +
            " are needed.");
  CHECK(SentenceOf(sums.Add({})) ==
        "The memory to work in has 0 bytes, but " + sum_bytes + " are needed.");
  CHECK(SentenceOf(RunBlock(plan, blocks, 0, std::span(memory).subspan(4))) ==
        misaligned);
  CHECK(SentenceOf(sums.Add(std::span(memory).subspan(8))) == misaligned);

  CHECK(SentenceOf(Threads::Make(1025)) ==
        "There can be 1024 threads at most, not 1025.");

  const int64_t strides[] = {3, 1};
  const TensorView late[] = {
      {DType::kF32, kShape, kData, sizeof kData, strides, 1}, kInputs[1]};
  CHECK(SentenceOf(Run(plan, late, {&kOutput, 1})) ==
        "A: its offset and strides lead to byte 52, but its data has 48 "
        "bytes.");
  const TensorView none[] = {{DType::kF32, kShape, nullptr, 48}, kInputs[1]};
  CHECK(SentenceOf(Run(plan, none, {&kOutput, 1})) ==
        "A: its shape needs 48 bytes, but its data has 0. Give as many, or "
        "another shape.");

  const DType unknown[] = {DType::kF32, static_cast<DType>(200)};
  CHECK(SentenceOf(MakePlan(Op::kAdd, kShapes, unknown)) ==
        "This version does not know the element type of B.");
  CHECK(SentenceOf(MakePlan(Op::kAdd, kShapes, std::span(kTypes).first(1))) ==
        "There have to be 2 element types, one for each shape, not 1.");
  CHECK(SentenceOf(RunBlock(plan, blocks, -1, memory)) ==
        "There is no block -1; there are " + std::to_string(blocks.count()) +
            ".");
  while (!sums.done()) REQUIRE(sums.Add(memory));
  CHECK(SentenceOf(sums.Add(memory)) ==
        "The sum is done: there is no more to add.");
  const DType shifted[] = {DType::kU8, DType::kU8};
  const auto direction = static_cast<ShiftDirection>(7);
  CHECK(SentenceOf(MakePlan(Op::kBitShift, kShapes, shifted,
                            {.attributes = {.direction = direction}})) ==
        "BitShift: direction is left or right.");
  CHECK(SentenceOf(MakePlan(Op::kAdd, kShapes, kTypes, {.axis = 1})) ==
        "ONNX multidirectional takes no axis (1 was given); that is for pdpd.");
}

TEST_CASE("misuse: enum values without a row") {
  const auto unknown = [](const auto& returned, Detail detail) {
    REQUIRE(ClassOf(returned) == ErrorClass::kUnknown);
    REQUIRE(returned.error().detail == detail);
  };
  for (const uint8_t wrong : kWrong) {
    INFO(static_cast<int>(wrong));
    const Op op{wrong};
    const Rule rule{wrong};
    const DType dtype{wrong};
    REQUIRE(Info(op).name.empty());
    REQUIRE(Info(rule).name.empty());
    REQUIRE(Info(dtype).name.empty());
    REQUIRE(Info(ErrorClass{wrong}).name.empty());
    if (wrong > 60) REQUIRE(Info(Detail{wrong}).name.empty());
    REQUIRE(Info(broadloom::Document{wrong}).name.empty());
    if (wrong > 60) REQUIRE(Info(broadloom::Clause{wrong}).name.empty());
    REQUIRE(Name(broadloom::Relation{wrong}).empty());
    REQUIRE(Name(broadloom::RepairKind{wrong}).empty());
    REQUIRE(Name(broadloom::Grade{wrong}).empty());
    REQUIRE(broadloom::Traits(rule).most_operands == 0);
    REQUIRE(!Accepts(op, Rule::kNumpy));
    REQUIRE(!Accepts(Op::kAdd, rule));
    REQUIRE(!Accepts(op, 0, DType::kF32));
    REQUIRE(!Accepts(Op::kBroadcast, 0, dtype));
    REQUIRE(!TypeLeader(op, 1));
    (void)broadloom::DefaultRule(op);
    REQUIRE(!broadloom::PromoteTypes(dtype, DType::kF32));
    REQUIRE(!broadloom::PromoteTypes(dtype, dtype));
    (void)broadloom::ResultDType({}, broadloom::WeakKind{wrong});
    (void)broadloom::ResultDType(kTypes, broadloom::WeakKind{wrong});

    unknown(broadloom::CountBytes(kShape, dtype), Detail::kDTypeName);
    unknown(Tensor::Allocate(dtype, kShape), Detail::kDTypeName);
    unknown(Align({.rule = rule, .operands = kShapes}), Detail::kRule);
    unknown(Align({.operands = kShapes, .dtype = dtype}), Detail::kDTypeName);
    unknown(broadloom::InferShape({.rule = rule, .operands = kShapes}),
            Detail::kRule);
    unknown(CheckOperator(op, Rule::kNumpy, 2, {}), Detail::kOp);
    unknown(CheckOperator(Op::kAdd, rule, 2, {}), Detail::kRule);
    unknown(MakePlan(op, kShapes, kTypes), Detail::kOp);
    unknown(MakePlan(Op::kAdd, kShapes, kTypes, {.rule = rule}), Detail::kRule);
    unknown(Plan::Make(op, MakeAlignment(), kTypes), Detail::kOp);
    unknown(Apply(op, kInputs), Detail::kOp);
    unknown(Apply(op, kInputs, kOutput), Detail::kOp);
    unknown(Apply(Op::kAdd, kInputs, {.rule = rule}), Detail::kRule);
    unknown(SumPlan::Make(DType::kF32, kShape, kRow, {.rule = rule}),
            Detail::kRule);
    unknown(SumTo(kInputs[0], kRow, {.rule = rule}), Detail::kRule);
    unknown(SumStream::Make(DType::kF32, kShape, kRow, 4096, {.rule = rule}),
            Detail::kRule);
    Arena arena;
    REQUIRE(FindRepairs({.rule = rule, .operands = kShapes}, arena)->empty());

    const DType types[] = {dtype, dtype};
    REQUIRE(ClassOf(MakePlan(Op::kAdd, kShapes, types)) == ErrorClass::kDType);
    REQUIRE(ClassOf(SumPlan::Make(dtype, kShape, kRow)).has_value());
    REQUIRE(
        ClassOf(SumTo({dtype, kShape, kData, sizeof kData}, kRow)).has_value());
    REQUIRE(ClassOf(SumStream::Make(dtype, kShape, kRow, 4096)).has_value());
    const TensorView of_no_type[] = {{dtype, kShape, kData, 48}, kInputs[1]};
    REQUIRE(ClassOf(Apply(Op::kAdd, of_no_type)) == ErrorClass::kDType);
    REQUIRE(ClassOf(Run(MakeAdd(), of_no_type, {&kOutput, 1})) ==
            ErrorClass::kDType);
    const MutableTensorView out{dtype, kShape, result, sizeof result};
    REQUIRE(ClassOf(Run(MakeAdd(), kInputs, {&out, 1})) == ErrorClass::kDType);
    const DType bytes[] = {DType::kU8, DType::kU8};
    REQUIRE(
        ClassOf(MakePlan(
            Op::kBitShift, kShapes, bytes,
            {.attributes = {.direction = broadloom::ShiftDirection{wrong}}})) ==
        ErrorClass::kAttribute);
    REQUIRE(Run(MakeAdd(), kInputs, {&kOutput, 1},
                {.stores = broadloom::StorePolicy{wrong}}));

    // Errors are plain data, so they may contain anything.
    std::array<char, 600> text;
    for (uint8_t error_class = 0; error_class < 20; ++error_class) {
      for (const uint8_t detail : {uint8_t{0}, uint8_t{8}, wrong}) {
        const Error odd{.error_class = ErrorClass{error_class},
                        .detail = Detail{detail},
                        .rule = rule,
                        .clause = broadloom::Clause{wrong},
                        .op = op,
                        .operand = INT32_MIN,
                        .other_operand = INT32_MAX,
                        .axis = INT32_MIN,
                        .operand_axis = INT32_MAX,
                        .extent = INT64_MIN,
                        .other_extent = INT64_MIN,
                        .dtype = dtype,
                        .other_dtype = dtype};
        (void)Describe(odd, text);
        Error other = odd;
        other.extent = INT64_MAX;
        other.other_extent = INT64_MAX;
        (void)Describe(other, {});
      }
    }
    (void)broadloom::FormatOperand(INT32_MIN, text);
  }
}

TEST_CASE("misuse: empty alignments, and indexes out of range") {
  std::array<char, 200> text;
  Alignment alignment = MakeAlignment();
  for (const size_t operand : {size_t{2}, SIZE_MAX}) {
    const std::array<int64_t, 2> index = {};
    std::array<int64_t, 2> source = {};
    std::array<IndexRange, 2> box = {};
    REQUIRE(ClassOf(alignment.SourceOf(operand, index, source)));
    REQUIRE(ClassOf(alignment.FanOut(operand, index, box)));
    REQUIRE(ClassOf(alignment.Strides(operand, source)));
    REQUIRE(ClassOf(alignment.SourceOf(0, {}, source)));
    REQUIRE(ClassOf(alignment.SourceOf(0, index, {})));
    REQUIRE(ClassOf(alignment.FanOut(0, {}, box)));
    REQUIRE(ClassOf(alignment.FanOut(0, index, {})));
    REQUIRE(ClassOf(alignment.Strides(0, {})));
  }
  REQUIRE(ExplainAxis(alignment, 2, text) == 0);
  REQUIRE(ExplainAxis(alignment, SIZE_MAX, {}) == 0);
  REQUIRE(alignment.conflicts_along(SIZE_MAX).empty());
  const Alignment moved = std::move(alignment);
  const Alignment none;
  for (const Alignment* const empty : {&std::as_const(alignment), &none}) {
    REQUIRE(empty->operand_count() == 0);
    REQUIRE(empty->rank() == 0);
    REQUIRE(!empty->has_target());
    REQUIRE(empty->target().empty());
    REQUIRE(empty->operand_extents().empty());
    REQUIRE(empty->conflicts().empty());
    REQUIRE(!empty->grows_both());
    REQUIRE(ClassOf(empty->Strides(0, {})));
    REQUIRE(ClassOf(empty->SourceOf(0, {}, {})));
    REQUIRE(ClassOf(empty->FanOut(0, {}, {})));
    (void)ExplainVerdict(*empty, text);
    REQUIRE(ExplainAxis(*empty, 0, text) == 0);
  }
  // An alignment with ranks on the heap and a target.
  const std::vector<int64_t> shape(20, 1);
  const ShapeView one[] = {shape};
  auto large = Align(
      {.rule = Rule::kBidirectional, .operands = one, .target_shape = shape});
  REQUIRE(large);
  const Alignment gone = std::move(*large);
  REQUIRE(large->operand_extents().empty());
  REQUIRE(large->target().empty());
}

TEST_CASE("misuse: empty plans have no operands and no output") {
  Plan plan = MakeAdd();
  const Plan moved = std::move(plan);
  const Plan none;
  for (const Plan* const empty : {&std::as_const(plan), &none}) {
    REQUIRE(empty->operand_count() == 0);
    REQUIRE(empty->output_count() == 0);
    REQUIRE(empty->output_shape().empty());
    REQUIRE(empty->kernel() == nullptr);
    REQUIRE(empty->work().nest.loop_count() == 0);
    REQUIRE(empty->work().nest.operand_count() == 0);
    (void)empty->output_dtype();
    (void)ChosenStores(*empty);
  }
}

TEST_CASE("misuse: orders of sums made twice, or of nothing that is summed") {
  const broadloom::Allocator& heap = broadloom::DefaultAllocator();
  const auto make = [&](broadloom::LoopNest& nest, ShapeView shape,
                        size_t operands, int64_t kept) {
    return nest.Reset(
        shape, operands,
        [&](size_t operand, size_t axis) {
          if (operand > 0) return axis == 0 ? kept : int64_t{0};
          return axis == 0 ? shape[1] : int64_t{1};
        },
        heap);
  };
  const int64_t shape[] = {600, 70};
  broadloom::LoopNest nest;
  REQUIRE(make(nest, shape, 2, 1));
  SumOrder once;
  REQUIRE(once.Reset(nest, DType::kF32, heap));
  SumOrder twice;
  const int64_t before[] = {9000, 300};
  broadloom::LoopNest other;
  REQUIRE(make(other, before, 2, 1));
  REQUIRE(twice.Reset(other, DType::kC128, heap));
  REQUIRE(twice.Reset(nest, DType::kF32, heap));
  REQUIRE(twice.Reset(nest, DType::kF32, heap));
  REQUIRE(twice.elements() == once.elements());
  REQUIRE(twice.first() == once.first());
  REQUIRE(twice.columns() == once.columns());
  REQUIRE(twice.groups() == once.groups());
  REQUIRE(twice.outputs() == once.outputs());
  REQUIRE(twice.concatenates() == once.concatenates());
  REQUIRE(twice.folded_loops() == once.folded_loops());
  REQUIRE(twice.step_elements() == once.step_elements());
  REQUIRE(twice.steps_per_row() == once.steps_per_row());
  REQUIRE(twice.partials() == once.partials());
  REQUIRE(twice.partials_loop() == once.partials_loop());
  REQUIRE(twice.loops().size() == once.loops().size());
  for (const int64_t partial :
       {INT64_MIN, int64_t{-1}, once.partials(), INT64_MAX}) {
    const int64_t begin = once.PartialBegin(partial);
    REQUIRE(begin >= 0);
    REQUIRE(begin <= once.loops()[once.partials_loop()].extent);
  }
  // Also a copy of the previous contents.
  SumOrder moved = std::move(twice);
  REQUIRE(twice.loops().empty());
  REQUIRE(twice.PartialBegin(0) == 0);
  REQUIRE(moved.PartialBegin(0) == 0);

  for (const DType dtype :
       {DType::kBool, DType::kU4, DType::kF8E4M3, DType{200}}) {
    REQUIRE(!once.Reset(nest, dtype, heap));
  }
  // Of one operand, of nothing summed, and of no loop.
  broadloom::LoopNest one;
  REQUIRE(make(one, shape, 1, 1));
  REQUIRE(!once.Reset(one, DType::kF32, heap));
  const int64_t column[] = {600, 1};
  broadloom::LoopNest kept;
  REQUIRE(make(kept, column, 2, 1));
  REQUIRE(!once.Reset(kept, DType::kF32, heap));
  REQUIRE(!once.Reset(broadloom::LoopNest(), DType::kF32, heap));
  const int64_t empty[] = {0, 3};
  broadloom::LoopNest nothing;
  REQUIRE(make(nothing, empty, 2, 0));
  REQUIRE(!once.Reset(nothing, DType::kF32, heap));
}

TEST_CASE("misuse: a parallel loop without a function does nothing") {
  const std::vector<int64_t> shape = {1 << 20};
  const std::vector<float> data(1 << 20, 1.0F);
  const TensorView inputs[] = {{DType::kF32, shape, data.data(), 4 << 20},
                               {DType::kF32, shape, data.data(), 4 << 20}};
  const broadloom::ParallelFor none{nullptr, 8, nullptr};
  const auto sum =
      Apply(Op::kAdd, inputs, ApplyOptions{.run = {.parallel = &none}});
  REQUIRE(sum);
  REQUIRE(sum->as<float>()[77] == 2.0F);
  REQUIRE(SumTo(inputs[0], ShapeView(), SumToOptions{.parallel = &none}));
}

TEST_CASE("misuse: loops, schedules and arrays made twice") {
  const broadloom::Allocator& heap = broadloom::DefaultAllocator();
  broadloom::LoopNest nest;
  broadloom::Schedule schedule;
  const uint8_t bits[] = {32};
  for (const int64_t extent : {int64_t{100000}, int64_t{5}, int64_t{0}}) {
    const int64_t shape[] = {extent, 3};
    REQUIRE(nest.Reset(
        shape, 1, [](size_t, size_t axis) { return axis == 0 ? 5 : 2; }, heap));
    REQUIRE(nest.element_count() == extent * 3);
    REQUIRE(schedule.Reset(nest, bits, 32, broadloom::RunUse::kOneByOne, heap));
    REQUIRE((schedule.run_count() == 0) == (extent == 0));
  }
  broadloom::LoopNest moved = std::move(nest);
  REQUIRE(nest.loop_count() == 0);
  REQUIRE(nest.element_count() == 1);
  REQUIRE(schedule.Reset(nest, {}, 32, broadloom::RunUse::kOneByOne, heap));
}

}  // namespace
