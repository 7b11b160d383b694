// Results that replace an operand: each operand of every kind of kernel driver,
// small results and results of several runs, with any stores and threads; and
// overlaps that must be refused before anything is written.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/test_loops.h"
#include "reference/trial.h"

namespace {

using namespace reference;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::MutableTensorView;
using broadloom::Plan;
using broadloom::RunOptions;
using broadloom::Status;
using broadloom::StorePolicy;
using broadloom::TensorView;

struct Work {
  Op op;
  std::vector<DType> dtypes;
  int64_t most;  // elements of a large result
};

std::vector<Work> AllWork() {
  return {
      {Op::kSub, {DType::kI32, DType::kI32}, 150'000},
      {Op::kSub, {DType::kU8, DType::kU8}, 600'000},
      {Op::kGreater, {DType::kU8, DType::kU8}, 600'000},
      {Op::kAnd, {DType::kBool, DType::kBool}, 600'000},
      {Op::kWhere, {DType::kBool, DType::kBool, DType::kBool}, 600'000},
      {Op::kWhere, {DType::kBool, DType::kU16, DType::kU16}, 300'000},
      {Op::kWhere, {DType::kBool, DType::kC128, DType::kC128}, 40'000},
      {Op::kWhere, {DType::kBool, DType::kU4, DType::kU4}, 30'000},
      {Op::kWhere, {DType::kBool, DType::kU1, DType::kU1}, 30'000},
      {Op::kMax, std::vector<DType>(3, DType::kF16), 150'000},
      {Op::kMax, std::vector<DType>(6, DType::kI16), 150'000},
      {Op::kSum, std::vector<DType>(5, DType::kF32), 150'000},
      {Op::kMean, std::vector<DType>(6, DType::kBF16), 60'000},
      {Op::kPow, {DType::kI64, DType::kU8}, 30'000},
      {Op::kPow, {DType::kU8, DType::kU8}, 30'000},
      {Op::kBroadcast, {DType::kF32}, 150'000},
      {Op::kBroadcast, {DType::kU4}, 30'000},
      {Op::kBroadcast, {DType::kU1}, 30'000},
      {Op::kMax, {DType::kF64}, 60'000},
  };
}

// Runs with the result in place of operand `operand`, and compares it with
// `wanted`.
bool Same(const Plan& plan, const Trial& trial, size_t operand, bool strided,
          const RunOptions& options, const Buffer& wanted) {
  std::vector<TensorView> inputs = trial.inputs();
  Buffer memory = trial.operands[operand];
  const Extents& shape = trial.answer.result;
  // Strides of dense elements; along an axis of extent 1 any stride is valid.
  Extents strides(shape.size());
  int64_t dense = 1;
  for (size_t axis = shape.size(); axis-- > 0; dense *= shape[axis]) {
    strides[axis] = shape[axis] == 1 ? 12345 : dense;
  }
  inputs[operand].data = memory.data();
  if (strided) inputs[operand].strides = strides;
  const MutableTensorView out{trial.result, shape, memory.data(),
                              memory.size()};
  return Run(plan, inputs, {&out, 1}, options).has_value() &&
         SameResults(trial.op, trial.result, memory, wanted);
}

void CheckInPlace(const Trial& trial, bool oracle) {
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  constexpr StorePolicy kStores[] = {
      StorePolicy::kAutomatic, StorePolicy::kCached, StorePolicy::kStreaming};
  ForEachTarget([&](const std::string& target) {
    INFO(target << ' ' << trial.name());
    Outputs apart(trial.result, trial.answer.result, 1);
    REQUIRE(Run(*plan, trial.inputs(), apart.views));
    if (oracle) REQUIRE(trial.Fault(0, apart.memory[0]) == "");
    const TestLoop loop(3);
    for (size_t k = 0; k < trial.dtypes.size(); ++k) {
      if (BitsOf(trial.dtypes[k]) != BitsOf(trial.result) ||
          trial.question.operands[k] != trial.answer.result) {
        continue;
      }
      for (const StorePolicy stores : kStores) {
        for (const bool shared : {false, true}) {
          const bool same = Same(
              *plan, trial, k, shared,
              {.stores = stores, .parallel = shared ? loop.get() : nullptr},
              apart.memory[0]);
          if (same) continue;
          FAIL_CHECK("operand " << k << ", stores " << static_cast<int>(stores)
                                << (shared ? ", strided, shared" : ""));
          return;
        }
      }
    }
  });
}

Question Alike(std::vector<Extents> operands) {
  return {.rule = "numpy", .operands = std::move(operands)};
}

TEST_CASE("in place: each operand of small results") {
  uint64_t seed = 0;
  for (const Work& work : AllWork()) {
    for (const Extents& shape :
         {Extents{1}, Extents{7}, Extents{2, 1, 9}, Extents{64}, Extents{5, 13},
          Extents{131}, Extents{3, 43, 1}}) {
      const Question question =
          Alike(std::vector<Extents>(work.dtypes.size(), shape));
      Question moved = question;
      if (work.op == Op::kBroadcast) moved.rule = "sonnx";
      CheckInPlace(Trial(moved, work.op, work.dtypes, ++seed), true);
    }
  }
}

TEST_CASE("in place: each operand of results of several runs") {
  uint64_t seed = 100;
  for (const Work& work : AllWork()) {
    const int64_t columns = 331;
    const int64_t rows = work.most / columns / (kSanitized ? 8 : 1);
    const Extents shape = {rows, columns};
    // All operands of the result's shape, then each beside operands that repeat
    // in some way.
    const std::vector<std::vector<Extents>> others = {
        {shape}, {{columns}, {rows, 1}, {}}};
    for (const std::vector<Extents>& other : others) {
      for (size_t mine = 0; mine < work.dtypes.size(); mine += 2) {
        std::vector<Extents> operands;
        for (size_t k = 0; k < work.dtypes.size(); ++k) {
          operands.push_back(k == mine ? shape
                                       : other[(k + mine) % other.size()]);
        }
        Question question = Alike(operands);
        if (work.op == Op::kBroadcast) question.rule = "sonnx";
        CheckInPlace(Trial(question, work.op, work.dtypes, ++seed, false),
                     false);
        if (operands.size() == 1 || other.size() == 1) break;
      }
    }
    // Rows of three: tiles beside what is replaced.
    if (work.dtypes.size() < 2) continue;
    const Extents thin = {rows * 40, 3};
    std::vector<Extents> operands(work.dtypes.size(), thin);
    operands[0] = {3};
    if (operands.size() > 2) operands[2] = {rows * 40, 1};
    CheckInPlace(Trial(Alike(operands), work.op, work.dtypes, ++seed, false),
                 false);
  }
}

TEST_CASE("in place: all operands are replaced by the result") {
  const Extents shape = {300, 211};
  for (const Op op : {Op::kSub, Op::kMax, Op::kMul}) {
    const Trial trial(Alike({shape, shape}), op, {DType::kI32, DType::kI32}, 3);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    ForEachTarget([&](const std::string& target) {
      INFO(target);
      Buffer memory = trial.operands[0];
      const TensorView one{DType::kI32, shape, memory.data(), memory.size()};
      const TensorView inputs[] = {one, one};
      const MutableTensorView out{DType::kI32, shape, memory.data(),
                                  memory.size()};
      REQUIRE(Run(*plan, inputs, {&out, 1}));
      size_t wrong = 0;
      for (size_t i = 0; i < memory.size() / 4; ++i) {
        const int32_t x = Read<int32_t>(trial.operands[0].data() + i * 4);
        const int32_t want =
            op == Op::kSub   ? 0
            : op == Op::kMax ? x
                             : static_cast<int32_t>(static_cast<uint32_t>(x) *
                                                    static_cast<uint32_t>(x));
        wrong += Read<int32_t>(memory.data() + i * 4) != want ? 1 : 0;
      }
      REQUIRE(wrong == 0);
    });
  }
}

// --- What is refused ---------------------------------------------------------

// a + b of shape (4,6) with operands and result in one buffer.
struct Shared {
  const char* what;
  Extents a_shape;
  Extents a_strides;
  int64_t a_offset;
  size_t a_at;  // elements from the beginning of the buffer
  size_t out_at;
  std::vector<IndexRange> box;  // none: all of it
  bool fine;
};

TEST_CASE("in place: overlaps are distinguished from replaced operands") {
  const std::vector<IndexRange> all = {{0, 4}, {0, 6}};
  const std::vector<IndexRange> part = {{1, 3}, {2, 5}};
  const std::vector<Shared> cases = {
      {"itself", {4, 6}, {}, 0, 10, 10, {}, true},
      {"itself, strides said", {4, 6}, {6, 1}, 0, 10, 10, {}, true},
      {"itself, as a box", {4, 6}, {}, 0, 10, 10, all, true},
      {"one on", {4, 6}, {}, 0, 10, 11, {}, false},
      {"one back", {4, 6}, {}, 0, 10, 9, {}, false},
      {"one on, as an offset", {4, 6}, {6, 1}, 1, 10, 10, {}, false},
      {"one on, as a dense offset", {4, 6}, {}, 1, 10, 10, {}, false},
      {"its last element", {4, 6}, {}, 0, 10, 33, {}, false},
      {"right behind it", {4, 6}, {}, 0, 10, 34, {}, true},
      {"right before it", {4, 6}, {}, 0, 34, 10, {}, true},
      {"transposed", {4, 6}, {1, 4}, 0, 10, 10, {}, false},
      {"reversed", {4, 6}, {-6, -1}, 23, 10, 10, {}, false},
      {"a row that repeats", {4, 6}, {0, 1}, 0, 10, 10, {}, false},
      {"rows apart", {4, 6}, {8, 1}, 0, 10, 10, {}, false},
      {"between the rows", {4, 6}, {40, 1}, 0, 0, 10, {}, false},
      {"a row", {6}, {}, 0, 10, 10, {}, false},
      {"a row inside", {6}, {}, 0, 14, 10, {}, false},
      {"an element inside", {}, {}, 0, 20, 10, {}, false},
      {"an element behind", {}, {}, 0, 34, 10, {}, true},
      {"a row of two columns", {4, 1}, {12, 1}, 0, 0, 30, {}, false},
      {"a box inside", {4, 6}, {}, 0, 10, 10, part, false},
      {"a box at its place", {4, 6}, {}, 0, 10, 18, part, false},
      // Overlap with the operand's other elements is refused as well, even
      // outside the box.
      {"a box before its place", {4, 6}, {}, 0, 10, 12, part, false},
      {"a box behind", {4, 6}, {}, 0, 10, 34, part, true},
      {"a box that ends where it begins", {4, 6}, {}, 0, 10, 4, part, true},
  };
  const Extents shape = {4, 6};
  const Extents part_shape = {2, 3};
  const std::vector<int32_t> b(24, 1000);
  for (const Shared& one : cases) {
    for (const bool second : {false, true}) {
      INFO(one.what << (second ? ", second operand" : ""));
      std::vector<int32_t> memory(200);
      std::iota(memory.begin(), memory.end(), 1);
      const std::vector<int32_t> before = memory;
      std::vector<TensorView> inputs = {
          {DType::kI32, one.a_shape, memory.data() + one.a_at,
           (memory.size() - one.a_at) * 4, one.a_strides, one.a_offset},
          {DType::kI32, shape, b.data(), 96}};
      if (second) std::swap(inputs[0], inputs[1]);
      const std::vector<broadloom::ShapeView> shapes = {inputs[0].shape,
                                                        inputs[1].shape};
      const std::vector<DType> dtypes(2, DType::kI32);
      const auto plan = broadloom::MakePlan(Op::kAdd, shapes, dtypes);
      REQUIRE(plan);
      const bool boxed = one.box == part;
      const MutableTensorView out{DType::kI32, boxed ? part_shape : shape,
                                  memory.data() + one.out_at, 96};
      const Status status = one.box.empty()
                                ? Run(*plan, inputs, {&out, 1})
                                : RunRegion(*plan, one.box, inputs, {&out, 1});
      REQUIRE(status.has_value() == one.fine);
      if (!status) {
        REQUIRE(status.error().error_class == ErrorClass::kOverlap);
        REQUIRE(status.error().operand == broadloom::kOutputOperand);
        REQUIRE(status.error().other_operand == (second ? 1 : 0));
        REQUIRE(memory == before);
        continue;
      }
      for (size_t i = 0; i < memory.size(); ++i) {
        const size_t cells = boxed ? 6 : 24;
        if (i < one.out_at || i >= one.out_at + cells) {
          REQUIRE(memory[i] == before[i]);
          continue;
        }
        const size_t cell = i - one.out_at;
        const size_t row = boxed ? 1 + cell / 3 : cell / 6;
        const size_t column = boxed ? 2 + cell % 3 : cell % 6;
        const size_t from = one.a_shape.empty() ? 0 : row * 6 + column;
        REQUIRE(memory[i] == before[one.a_at + from] + 1000);
      }
    }
  }
}

TEST_CASE("in place: an operand with wider elements cannot be replaced") {
  const Extents shape = {6};
  std::vector<float> memory = {1, 2, 3, 4, 5, 6};
  const std::vector<float> before = memory;
  const TensorView in{DType::kF32, shape, memory.data(), 24};
  const TensorView inputs[] = {in, in};
  const std::vector<broadloom::ShapeView> shapes(2, shape);
  const std::vector<DType> dtypes(2, DType::kF32);
  const auto plan = broadloom::MakePlan(Op::kLess, shapes, dtypes);
  REQUIRE(plan);
  const MutableTensorView out{DType::kBool, shape, memory.data(), 6};
  const Status status = Run(*plan, inputs, {&out, 1});
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kOverlap);
  REQUIRE(memory == before);
}

TEST_CASE("in place: packed views that share a byte with the result") {
  // The operand begins in the byte in which the result ends: different
  // elements, but shared memory.
  const Extents shape = {3};
  const Extents one_stride = {1};
  Buffer memory = {0x21, 0x43, 0x65, 0x87};
  const Buffer before = memory;
  const TensorView in{DType::kU4, shape, memory.data(), 4, one_stride, 3};
  const std::vector<broadloom::ShapeView> shapes = {shape};
  const std::vector<DType> dtypes = {DType::kU4};
  const auto plan = broadloom::MakePlan(Op::kBroadcast, shapes, dtypes,
                                        {.rule = broadloom::Rule::kSonnx});
  REQUIRE(plan);
  const MutableTensorView out{DType::kU4, shape, memory.data(), 2};
  const Status status = Run(*plan, {&in, 1}, {&out, 1});
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kOverlap);
  REQUIRE(memory == before);
}

}  // namespace
