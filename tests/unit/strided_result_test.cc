// Results with strides: random layouts of the results of every kind of kernel,
// under every rule, on every SIMD target, also in boxes and on threads,
// compared with the oracles; nothing but the result is written. Then results in
// place, between operands' elements, sums; and what is refused.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/test_loops.h"
#include "reference/trial.h"
#include "unit/allocation_watch.h"

namespace {

using namespace reference;
using broadloom::Detail;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::MutableTensorView;
using broadloom::RunOptions;
using broadloom::Status;
using broadloom::StorePolicy;
using broadloom::TensorView;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

// A layout of a shape in which no two indices have the same element: axes in
// any order in memory, dense, reversed, every second or third index of a larger
// axis, or rows of a larger array.
struct Layout {
  Layout(Random& random, const Extents& the_shape) : shape(the_shape) {
    const size_t rank = shape.size();
    strides.resize(rank);
    std::vector<size_t> order(rank);  // innermost in memory first
    std::iota(order.rbegin(), order.rend(), size_t{0});
    if (random.Below(2) == 0 && rank > 1) {
      for (size_t swaps = random.Below(3); swaps > 0; --swaps) {
        std::swap(order[random.Below(rank)], order[random.Below(rank)]);
      }
    }
    const size_t kinds = random.Below(3) == 0 ? 5 : 2;
    int64_t unit = 1;
    int64_t below = 0;
    int64_t above = 0;
    for (const size_t axis : order) {
      const int64_t extent = shape[axis];
      const size_t kind = random.Below(kinds);
      const int64_t step = kind == 3 ? 2 : kind == 4 ? 3 : 1;
      strides[axis] = unit * step;
      unit *= step * extent;
      if (kind == 1) unit += static_cast<int64_t>(random.Below(40));
      if (kind == 2) strides[axis] = -strides[axis];
      // Any stride will do for one index.
      if (extent == 1) strides[axis] = random.Below(2) == 0 ? 0 : kLeast;
      if (extent < 2) continue;
      (strides[axis] < 0 ? below : above) += (extent - 1) * strides[axis];
    }
    // A scalar has no strides, and without an offset it is dense.
    const int64_t lead =
        static_cast<int64_t>(random.Below(8)) + (rank == 0 ? 1 : 0);
    offset = lead - below;
    elements = static_cast<size_t>(lead - below + above + 1);
  }

  // The element of an index.
  size_t At(const Extents& index) const {
    int64_t at = offset;
    for (size_t axis = 0; axis < index.size(); ++axis) {
      if (shape[axis] != 1) at += index[axis] * strides[axis];
    }
    return static_cast<size_t>(at);
  }

  Extents shape;
  Extents strides;
  int64_t offset;
  size_t elements;  // of the memory
};

// Dense elements in a layout, and other elements between them.
Buffer Lay(const Layout& layout, DType dtype, std::span<const uint8_t> dense,
           uint64_t seed) {
  Buffer memory = SomeElements(dtype, layout.elements, seed);
  const std::vector<Extents> cells = Cells(layout.shape);
  for (size_t i = 0; i < cells.size(); ++i) {
    PutBits(memory, BitsOf(dtype), layout.At(cells[i]),
            Get(dense, BitsOf(dtype), i));
  }
  return memory;
}

std::string Text(const Layout& layout) {
  return " strides " + ShapeText(layout.strides) + " offset " +
         std::to_string(layout.offset);
}

struct Work {
  Op op;
  std::vector<DType> dtypes;
};

std::vector<Work> AllWork() {
  return {
      {Op::kSub, {DType::kI32, DType::kI32}},
      {Op::kAdd, {DType::kF32, DType::kF32}},
      {Op::kSub, {DType::kU8, DType::kU8}},
      {Op::kMul, {DType::kF64, DType::kF64}},
      {Op::kLess, {DType::kU8, DType::kU8}},
      {Op::kGreater, {DType::kF64, DType::kF64}},
      {Op::kAdd, {DType::kF16, DType::kF16}},
      {Op::kMax, {DType::kF64}},
      {Op::kWhere, {DType::kBool, DType::kU16, DType::kU16}},
      {Op::kWhere, {DType::kBool, DType::kC128, DType::kC128}},
      {Op::kWhere, {DType::kBool, DType::kU4, DType::kU4}},
      {Op::kWhere, {DType::kBool, DType::kU1, DType::kU1}},
      {Op::kMax, {DType::kI16, DType::kI16}},
      {Op::kMax, std::vector<DType>(4, DType::kF16)},
      {Op::kSum, std::vector<DType>(5, DType::kF32)},
      {Op::kMean, std::vector<DType>(6, DType::kBF16)},
      {Op::kPow, {DType::kU8, DType::kI64}},
  };
}

constexpr DType kMoved[] = {DType::kU8,   DType::kU16, DType::kF32, DType::kI64,
                            DType::kC128, DType::kU4,  DType::kI4,  DType::kU1};

// How a trial is run.
struct Way {
  std::vector<Layout> results;                 // of each output
  std::vector<Layout> operands;                // none: they are dense
  std::vector<std::vector<IndexRange>> boxes;  // none: all at once
  StorePolicy stores;
  bool shared;  // on threads
};

// The result in two boxes along each axis, in the reverse order.
std::vector<std::vector<IndexRange>> Halves(Random& random,
                                            const Extents& shape) {
  std::vector<std::vector<IndexRange>> boxes = {{}};
  for (const int64_t extent : shape) {
    const int64_t cut =
        static_cast<int64_t>(random.Below(static_cast<size_t>(extent) + 1));
    std::vector<std::vector<IndexRange>> longer;
    for (const auto& box : boxes) {
      for (const IndexRange& half :
           {IndexRange{cut, extent}, IndexRange{0, cut}}) {
        longer.push_back(box);
        longer.back().push_back(half);
      }
    }
    boxes = std::move(longer);
  }
  return boxes;
}

Way RandomWay(Random& random, const Trial& trial) {
  Way way = {
      {},
      {},
      {},
      random.Below(3) == 0 ? StorePolicy::kStreaming : StorePolicy::kAutomatic,
      random.Below(3) == 0};
  for (size_t i = 0; i < trial.output_count(); ++i) {
    way.results.emplace_back(random, trial.answer.result);
  }
  if (random.Below(3) == 0) {
    for (const Extents& shape : trial.question.operands) {
      way.operands.emplace_back(random, shape);
    }
  }
  if (random.Below(4) == 0) way.boxes = Halves(random, trial.answer.result);
  return way;
}

// Returns a description of an error, or nothing.
std::string FaultOf(const Trial& trial, const Way& way) {
  const auto plan = trial.MakePlan();
  if (!plan) return trial.name() + ": no plan";
  std::vector<TensorView> inputs = trial.inputs();
  std::vector<Buffer> laid;
  for (size_t k = 0; k < way.operands.size(); ++k) {
    laid.push_back(
        Lay(way.operands[k], trial.dtypes[k], trial.operands[k], k + 50));
    inputs[k].data = laid[k].data();
    inputs[k].bytes = laid[k].size() + kGuardBytes;
    inputs[k].strides = way.operands[k].strides;
    inputs[k].offset = way.operands[k].offset;
  }
  std::vector<Buffer> memory;
  std::vector<MutableTensorView> outputs;
  for (const Layout& layout : way.results) {
    memory.push_back(
        SomeElements(trial.result, layout.elements, memory.size() + 70));
  }
  const std::vector<Buffer> before = memory;
  for (size_t i = 0; i < memory.size(); ++i) {
    outputs.push_back({trial.result, way.results[i].shape, memory[i].data(),
                       memory[i].size() + kGuardBytes, way.results[i].strides,
                       way.results[i].offset});
  }
  const TestLoop loop(3);
  const RunOptions options{.stores = way.stores,
                           .parallel = way.shared ? loop.get() : nullptr};
  if (way.boxes.empty() && !Run(*plan, inputs, outputs, options)) {
    return trial.name() + ": Run failed";
  }
  for (const std::vector<IndexRange>& box : way.boxes) {
    std::vector<MutableTensorView> parts = outputs;
    Extents shape;
    for (const IndexRange& range : box) {
      shape.push_back(range.end - range.begin);
    }
    for (MutableTensorView& part : parts) {
      for (size_t axis = 0; axis < box.size(); ++axis) {
        if (part.shape[axis] != 1 && Count(shape) != 0) {
          part.offset += box[axis].begin * part.strides[axis];
        }
      }
    }
    for (MutableTensorView& part : parts) part.shape = shape;
    if (!RunRegion(*plan, box, inputs, parts, options)) {
      return trial.name() + ": RunRegion failed";
    }
  }
  const int bits = BitsOf(trial.result);
  const std::vector<Extents> cells = Cells(trial.answer.result);
  for (size_t i = 0; i < memory.size(); ++i) {
    const std::string what = trial.name() + Text(way.results[i]) +
                             (way.boxes.empty() ? "" : " in boxes") +
                             (way.shared ? " on threads" : "");
    Buffer beside = memory[i];
    for (size_t cell = 0; cell < cells.size(); ++cell) {
      const size_t at = way.results[i].At(cells[cell]);
      if (!trial.Agrees(i, cell, Get(memory[i], bits, at))) {
        return what + ": output " + std::to_string(i) + " cell " +
               std::to_string(cell) + " of " + ShapeText(trial.answer.result);
      }
      PutBits(beside, bits, at, Get(before[i], bits, at));
    }
    if (beside != before[i]) return what + ": something else was written";
  }
  return {};
}

// `rounds` random trials, each made once and run on every SIMD target.
template <class MakeTrial>
void CheckRandom(size_t rounds, uint64_t seed, MakeTrial make) {
  if (kSanitized) rounds = (rounds + 4) / 5;
  std::vector<std::pair<Trial, Way>> all;
  Random random(seed);
  for (size_t round = 0; round < rounds; ++round) {
    Trial trial = make(random, seed * 1000 + round);
    INFO(trial.name());
    REQUIRE(trial.answer.error == "");
    Way way = RandomWay(random, trial);
    all.emplace_back(std::move(trial), std::move(way));
  }
  ForEachTarget([&](const std::string& target) {
    for (const auto& [trial, way] : all) {
      const std::string fault = FaultOf(trial, way);
      if (fault.empty()) continue;
      FAIL_CHECK(target << ": " << fault);
      return;
    }
  });
}

Question AlikeQuestion(Random& random, size_t count, int64_t most) {
  const Extents shape = RandomShape(random, most);
  Question question{.rule = "numpy", .operands = {}};
  for (size_t k = 0; k < count; ++k) {
    question.operands.push_back(RandomOperand(random, shape));
  }
  return question;
}

TEST_CASE("strided results: operators under NumPy's rule") {
  uint64_t seed = 1;
  for (const Work& work : AllWork()) {
    const int64_t most = work.op == Op::kPow ? 1500 : 6000;
    CheckRandom(100, ++seed, [&](Random& random, uint64_t of) {
      return Trial(AlikeQuestion(random, work.dtypes.size(), most), work.op,
                   work.dtypes, of);
    });
  }
}

TEST_CASE("strided results: operators under PDPD's rule") {
  uint64_t seed = 40;
  for (const Work& work : AllWork()) {
    if (work.dtypes.size() != 2) continue;
    CheckRandom(30, ++seed, [&](Random& random, uint64_t of) {
      const Extents a = RandomShape(random, 1500);
      const size_t begin = random.Below(a.size() + 1);
      const size_t length = random.Below(a.size() - begin + 1);
      Extents b(a.begin() + static_cast<ptrdiff_t>(begin),
                a.begin() + static_cast<ptrdiff_t>(begin + length));
      return Trial({.rule = "pdpd",
                    .operands = {a, b},
                    .axis = static_cast<int64_t>(begin)},
                   work.op, work.dtypes, of);
    });
  }
}

TEST_CASE("strided results: elements moved, of every width") {
  uint64_t seed = 80;
  for (const DType dtype : kMoved) {
    CheckRandom(60, ++seed, [&](Random& random, uint64_t of) {
      const Extents shape = RandomShape(random, 6000);
      return Trial({.rule = "bidirectional",
                    .operands = {RandomOperand(random, shape)},
                    .target = RandomOperand(random, shape)},
                   Op::kBroadcast, {dtype}, of);
    });
    CheckRandom(30, ++seed, [&](Random& random, uint64_t of) {
      const Extents target = RandomShape(random, 3000);
      Extents data;
      Extents mapping;
      for (size_t axis = 0; axis < target.size(); ++axis) {
        if (random.Below(2) == 0) continue;
        data.push_back(random.Below(4) == 0 ? 1 : target[axis]);
        mapping.push_back(static_cast<int64_t>(axis));
      }
      return Trial({.rule = "explicit",
                    .operands = {data},
                    .target = target,
                    .mapping = mapping},
                   Op::kBroadcast, {dtype}, of);
    });
    CheckRandom(20, ++seed, [&](Random& random, uint64_t of) {
      Question question = AlikeQuestion(random, 3, 2000);
      question.rule = "sonnx";
      return Trial(std::move(question), Op::kBroadcast,
                   std::vector<DType>(3, dtype), of);
    });
  }
}

// Rows and columns of a larger array, whose rows are as long as a few elements,
// vectors or pages.
TEST_CASE("strided results: chunks of a larger array") {
  uint64_t seed = 0;
  for (const DType dtype : {DType::kU8, DType::kF32, DType::kF64}) {
    for (const int64_t columns : {1, 3, 8, 17, 64, 100, 513, 1300}) {
      const int64_t rows = std::max<int64_t>(2, 9000 / columns);
      for (const std::vector<Extents>& operands :
           {std::vector<Extents>{{rows, columns}, {columns}},
            {{rows, 1}, {rows, columns}},
            {{columns}, {rows, 1}},
            {{}, {rows, columns}}}) {
        const Trial trial({.rule = "numpy", .operands = operands}, Op::kAdd,
                          {dtype, dtype}, ++seed);
        Random random(seed);
        Way way = {{Layout(random, trial.answer.result)},
                   {},
                   {},
                   StorePolicy::kAutomatic,
                   false};
        Layout& layout = way.results[0];
        layout.strides = {columns + 5, 1};
        layout.offset = 2;
        layout.elements =
            static_cast<size_t>(2 + (rows - 1) * (columns + 5) + columns);
        ForEachTarget([&](const std::string& target) {
          for (const StorePolicy stores :
               {StorePolicy::kCached, StorePolicy::kStreaming}) {
            way.stores = stores;
            const std::string fault = FaultOf(trial, way);
            INFO(target);
            REQUIRE(fault == "");
          }
        });
      }
    }
  }
}

// --- In place, and side by side ----------------------------------------------

TEST_CASE("strided results: in place of an operand of the same strides") {
  Random random(5);
  for (const Work& work : AllWork()) {
    for (size_t round = 0; round < (kSanitized ? 5u : 25u); ++round) {
      const Extents shape = RandomShape(random, 3000);
      std::vector<Extents> operands(work.dtypes.size());
      for (Extents& operand : operands) {
        operand = RandomOperand(random, shape);
      }
      const size_t mine = random.Below(operands.size());
      operands[mine] = shape;
      const Trial trial({.rule = "numpy", .operands = operands}, work.op,
                        work.dtypes, random());
      if (BitsOf(work.dtypes[mine]) != BitsOf(trial.result)) continue;
      const Layout layout(random, shape);
      const auto plan = trial.MakePlan();
      REQUIRE(plan);
      const Buffer before =
          Lay(layout, trial.result, trial.operands[mine], round);
      ForEachTarget([&](const std::string& target) {
        INFO(target << ' ' << trial.name() << Text(layout));
        Buffer memory = before;
        std::vector<TensorView> inputs = trial.inputs();
        const MutableTensorView out{trial.result,   shape,
                                    memory.data(),  memory.size(),
                                    layout.strides, layout.offset};
        inputs[mine] = out;
        inputs[mine].dtype = trial.dtypes[mine];
        REQUIRE(Run(*plan, inputs, {&out, 1}));
        const std::vector<Extents> cells = Cells(shape);
        const int bits = BitsOf(trial.result);
        size_t wrong = 0;
        for (size_t cell = 0; cell < cells.size(); ++cell) {
          const size_t at = layout.At(cells[cell]);
          if (!trial.Agrees(0, cell, Get(memory, bits, at))) ++wrong;
          PutBits(memory, bits, at, Get(before, bits, at));
        }
        REQUIRE(wrong == 0);
        REQUIRE(memory == before);
      });
    }
  }
}

// a + b of the same shape, with a and the result in one array.
struct Beside {
  const char* what;
  Extents shape;
  Extents a_strides;
  int64_t a_offset;
  Extents strides;
  int64_t offset;
  bool fine;
};

TEST_CASE("strided results: between an operand's elements") {
  const std::vector<Beside> cases = {
      {"columns", {20}, {10}, 0, {10}, 3, true},
      {"columns, the other way", {20}, {10}, 3, {10}, 0, true},
      {"columns, one reversed", {20}, {10}, 0, {-10}, 193, true},
      {"the same column reversed", {20}, {10}, 0, {-10}, 190, false},
      {"columns of other steps", {10}, {10}, 0, {20}, 5, true},
      {"columns that meet", {10}, {10}, 0, {15}, 5, false},
      {"blocks", {20, 4}, {10, 1}, 0, {10, 1}, 4, true},
      {"blocks, the other way", {20, 4}, {10, 1}, 6, {10, 1}, 1, true},
      {"blocks that overlap", {20, 4}, {10, 1}, 0, {10, 1}, 3, false},
      {"blocks that overlap around", {19, 6}, {10, 1}, 0, {10, 1}, 5, false},
      {"blocks, one transposed", {4, 4}, {10, 1}, 0, {1, 10}, 4, true},
      {"the transposed block", {4, 4}, {10, 1}, 0, {1, 10}, 0, false},
      {"even and odd", {50}, {2}, 0, {2}, 1, true},
      {"even and even", {50}, {2}, 0, {2}, 2, false},
      {"planes", {3, 4, 5}, {60, 10, 1}, 0, {60, 10, 1}, 5, true},
      {"a repeated row", {3, 5}, {0, 1}, 0, {10, 1}, 5, true},
      {"a repeated row that is written", {3, 5}, {0, 1}, 10, {10, 1}, 0, false},
      {"itself", {20, 4}, {10, 1}, 2, {10, 1}, 2, true},
      {"itself, one row down", {19, 4}, {10, 1}, 2, {10, 1}, 12, false},
  };
  for (const Beside& one : cases) {
    INFO(one.what);
    std::vector<int32_t> memory(200);
    std::iota(memory.begin(), memory.end(), 1);
    const std::vector<int32_t> before = memory;
    const std::vector<int32_t> b(static_cast<size_t>(Count(one.shape)), 1000);
    const TensorView inputs[] = {
        {DType::kI32, one.shape, memory.data(), 800, one.a_strides,
         one.a_offset},
        {DType::kI32, one.shape, b.data(), b.size() * 4}};
    const MutableTensorView out{DType::kI32, one.shape,   memory.data(),
                                800,         one.strides, one.offset};
    const Status status = Apply(Op::kAdd, inputs, out);
    REQUIRE(status.has_value() == one.fine);
    if (!status) {
      REQUIRE(status.error().error_class == ErrorClass::kOverlap);
      REQUIRE(status.error().detail == Detail::kNoDetail);
      REQUIRE(status.error().other_operand == 0);
      REQUIRE(memory == before);
      continue;
    }
    std::vector<int32_t> wanted = before;
    for (const Extents& index : Cells(one.shape)) {
      int64_t from = one.a_offset;
      int64_t to = one.offset;
      for (size_t axis = 0; axis < index.size(); ++axis) {
        from += index[axis] * one.a_strides[axis];
        to += index[axis] * one.strides[axis];
      }
      wanted[static_cast<size_t>(to)] =
          before[static_cast<size_t>(from)] + 1000;
    }
    REQUIRE(memory == wanted);
  }
}

// --- Sums
// ---------------------------------------------------------------------

TEST_CASE("strided results: sums") {
  Random random(9);
  for (const DType dtype :
       {DType::kI32, DType::kF32, DType::kF16, DType::kU8}) {
    for (size_t round = 0; round < 40; ++round) {
      const Extents input = RandomShape(random, 3000);
      const Extents shape = RandomOperand(random, input);
      const Buffer data =
          SomeElements(dtype, static_cast<size_t>(Count(input)), round);
      const TensorView in{dtype, input, data.data(), data.size()};
      const auto dense = SumTo(in, shape);
      REQUIRE(dense);
      const std::span<const uint8_t> sums(
          static_cast<const uint8_t*>(dense->data()), dense->bytes());
      const Layout layout(random, shape);
      Buffer memory = SomeElements(dtype, layout.elements, round + 1);
      const Buffer wanted = Lay(layout, dtype, sums, round + 1);
      const MutableTensorView out{dtype,         shape,          memory.data(),
                                  memory.size(), layout.strides, layout.offset};
      INFO(ShapeText(input) << " to " << ShapeText(shape) << Text(layout));
      REQUIRE(SumTo(in, out));
      REQUIRE(memory == wanted);
    }
  }
  // A result in which two sums have the same place.
  const float ones[] = {1, 1, 1, 1};
  float memory[4] = {};
  const Extents shape = {2, 2};
  const Extents strides = {1, 1};
  const TensorView in{DType::kF32, shape, ones, 16};
  const MutableTensorView out{DType::kF32, shape, memory, 16, strides};
  const Status status = SumTo(in, out);
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kOverlap);
  REQUIRE(status.error().detail == Detail::kStrides);
}

// --- What is refused
// ----------------------------------------------------------

struct Wrong {
  const char* what;
  Extents shape;
  Extents strides;
  int64_t offset;
  Error error;  // class, detail, axis, extents
};

TEST_CASE("strided results: what is refused, and nothing is written") {
  constexpr ErrorClass kOverlap = ErrorClass::kOverlap;
  constexpr Detail kStrides = Detail::kStrides;
  const auto overlap = [](int32_t axis, int64_t stride, int64_t least) {
    return Error{.error_class = kOverlap,
                 .detail = kStrides,
                 .operand_axis = axis,
                 .extent = stride,
                 .other_extent = least};
  };
  const std::vector<Wrong> cases = {
      {"a stride of 0", {3}, {0}, 0, overlap(0, 0, 1)},
      {"a row that repeats", {4, 6}, {0, 1}, 0, overlap(0, 0, 1)},
      {"rows that overlap", {4, 6}, {5, 1}, 0, overlap(0, 5, 6)},
      {"rows that overlap, backwards", {4, 6}, {-5, 1}, 20, overlap(0, -5, 6)},
      {"equal strides", {2, 3}, {4, 4}, 0, overlap(0, 4, 9)},
      {"columns outside", {6, 4}, {1, 5}, 0, overlap(1, 5, 6)},
      {"the middle axis", {2, 3, 4}, {20, 3, 1}, 0, overlap(1, 3, 4)},
      {"too few strides",
       {2, 3},
       {1},
       0,
       {.error_class = ErrorClass::kIncompatible,
        .detail = kStrides,
        .extent = 1,
        .other_extent = 2}},
      {"beyond the memory",
       {2, 3},
       {40, 1},
       10,
       {.error_class = ErrorClass::kLength,
        .detail = Detail::kOffset,
        .extent = 200,
        .other_extent = 212,
        .dtype = DType::kI32}},
      {"before the memory",
       {2, 3},
       {-4, 1},
       3,
       {.error_class = ErrorClass::kLength,
        .detail = Detail::kNegative,
        .extent = -1,
        .dtype = DType::kI32}},
      {"a dense offset beyond the memory",
       {2, 3},
       {},
       45,
       {.error_class = ErrorClass::kLength,
        .detail = Detail::kOffset,
        .extent = 200,
        .other_extent = 204,
        .dtype = DType::kI32}},
      {"huge strides",
       {2, 3},
       {kLeast, kMost},
       0,
       {.error_class = ErrorClass::kLength,
        .detail = Detail::kOffset,
        .extent = 200,
        .other_extent = kMost,
        .dtype = DType::kI32}},
  };
  for (const Wrong& one : cases) {
    INFO(one.what);
    const std::vector<int32_t> a(static_cast<size_t>(Count(one.shape)), 1);
    const TensorView in{DType::kI32, one.shape, a.data(), a.size() * 4};
    const TensorView inputs[] = {in, in};
    std::vector<int32_t> memory(50, 7);
    const MutableTensorView out{DType::kI32, one.shape,   memory.data(),
                                200,         one.strides, one.offset};
    const Status status = Apply(Op::kAdd, inputs, out);
    REQUIRE(!status);
    Error wanted = one.error;
    wanted.rule = status.error().rule;
    wanted.op = Op::kAdd;
    wanted.operand = broadloom::kOutputOperand;
    CHECK(status.error() == wanted);
    REQUIRE(memory == std::vector<int32_t>(50, 7));
  }
}

TEST_CASE("strided results: the error of one that overlaps itself") {
  const float a[] = {1, 2, 3, 4, 5, 6};
  const Extents shape = {2, 3};
  const Extents strides = {2, 1};
  const TensorView in{DType::kF32, shape, a, 24};
  const TensorView inputs[] = {in, in};
  float memory[8] = {};
  const Status status =
      Apply(Op::kAdd, inputs,
            MutableTensorView{DType::kF32, shape, memory, 32, strides});
  REQUIRE(!status);
  char text[200];
  const size_t length = broadloom::Describe(status.error(), text);
  REQUIRE(std::string(text, length) ==
          "out overlaps itself: its stride 2 along axis 0 has to be at least 3 "
          "or at most -3, so that no element is written twice.");
}

TEST_CASE("strided results: an empty one has any strides, and no memory") {
  const Extents shape = {0, 3};
  const Extents strides = {0, 0};
  const TensorView none{DType::kF32, shape, nullptr, 0};
  const TensorView inputs[] = {none, none};
  REQUIRE(Apply(Op::kAdd, inputs,
                MutableTensorView{DType::kF32, shape, nullptr, 0, strides, 7}));
}

TEST_CASE("strided results: nothing is allocated up to rank 8") {
  const Extents shape = {2, 1, 3, 1, 2, 1, 3, 2};
  Trial trial({.rule = "numpy", .operands = {shape, {2}, {3, 1}, {}}}, Op::kMax,
              std::vector<DType>(4, DType::kF32), 9);
  Random random(3);
  const Layout layout(random, shape);
  Buffer memory(layout.elements * 4);
  const MutableTensorView out{DType::kF32,   shape,          memory.data(),
                              memory.size(), layout.strides, layout.offset};
  const std::vector<TensorView> inputs = trial.inputs();
  testing::RequireNoAllocation([&](const broadloom::Allocator& allocator) {
    return Apply(Op::kMax, inputs, out, {}, allocator).has_value();
  });
}

}  // namespace
