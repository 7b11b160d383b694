// Operands with any layout in memory: every pattern of strides up to rank 4 and
// random larger ones, on every SIMD target, compared with dense operands of the
// same elements; and views that are larger than their memory.

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
#include "reference/trial.h"
#include "unit/allocation_watch.h"

namespace {

using namespace reference;
using broadloom::Detail;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::MutableTensorView;
using broadloom::Plan;
using broadloom::Status;
using broadloom::TensorView;

// How an axis is laid out in memory.
enum class Lie : uint8_t { kDense, kSliced, kReversed, kStill, kGap };
constexpr size_t kLies = 5;

// A tensor in exactly the memory that its view reaches, which is part of a
// larger buffer that may not be touched: `lead` elements of the buffer come
// before it. Packed elements of the lead are accessible, because they may share
// a byte with the tensor. And a dense copy of the elements.
struct Strided {
  // `order`: the axes, innermost in memory first.
  Strided(DType type, Extents extents, const std::vector<size_t>& order,
          const std::vector<Lie>& lies, size_t lead, uint64_t seed)
      : dtype(type), shape(std::move(extents)), strides(shape.size()) {
    int64_t unit = 1;
    int64_t least = 0;
    int64_t most = 0;
    for (const size_t axis : order) {
      const int64_t extent = shape[axis];
      switch (lies[axis]) {
        case Lie::kDense:
          strides[axis] = unit;
          unit *= extent;
          break;
        case Lie::kSliced:
          strides[axis] = 2 * unit;
          unit *= 2 * extent;
          break;
        case Lie::kReversed:
          strides[axis] = -unit;
          unit *= extent;
          break;
        case Lie::kStill:
          break;
        case Lie::kGap:
          strides[axis] = unit;
          unit *= extent + 1;
          break;
      }
      (strides[axis] < 0 ? least : most) += strides[axis] * (extent - 1);
    }
    offset = static_cast<int64_t>(lead) - least;
    const int bits = BitsOf(dtype);
    const size_t absent = bits < 8 || kGuardBytes == 0 ? 0 : lead;
    const size_t held = lead - absent + static_cast<size_t>(most - least) + 1;
    memory = SomeElements(dtype, held, seed);
    absent_bytes = BytesFor(absent, bits);
    const size_t count = static_cast<size_t>(Count(shape));
    dense.resize(BytesFor(count, bits));
    Extents index(shape.size(), 0);
    for (size_t i = 0; i < count; ++i) {
      int64_t at = offset - static_cast<int64_t>(absent);
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        at += index[axis] * strides[axis];
      }
      PutBits(dense, bits, i, Get(memory, bits, static_cast<size_t>(at)));
      for (size_t axis = shape.size(); axis-- > 0;) {
        if (++index[axis] < shape[axis]) break;
        index[axis] = 0;
      }
    }
  }

  TensorView view() const {
    return {dtype,
            shape,
            memory.data() - absent_bytes,
            absent_bytes + memory.size() + kGuardBytes,
            strides,
            offset};
  }
  TensorView dense_view() const {
    return {dtype, shape, dense.data(), dense.size() + kGuardBytes};
  }
  std::string text() const {
    return ' ' + std::string(broadloom::Info(dtype).name) + ShapeText(shape) +
           " strides " + ShapeText(strides) + " offset " +
           std::to_string(offset);
  }

  DType dtype;
  Extents shape;
  Extents strides;
  int64_t offset;
  size_t absent_bytes;  // of the larger buffer, before the tensor's
  Buffer memory;
  Buffer dense;
};

struct Work {
  Op op;
  std::vector<DType> dtypes;
};

std::vector<Work> AllWork() {
  std::vector<Work> all = {
      {Op::kSub, {DType::kI32, DType::kI32}},
      {Op::kBroadcast, {DType::kU4}},
      {Op::kSub, {DType::kU8, DType::kU8}},
      {Op::kWhere, {DType::kBool, DType::kU16, DType::kU16}},
      {Op::kBroadcast, {DType::kU1}},
      {Op::kAdd, {DType::kF16, DType::kF16}},
      {Op::kWhere, {DType::kBool, DType::kC128, DType::kC128}},
      {Op::kLess, {DType::kF64, DType::kF64}},
      {Op::kBroadcast, {DType::kC128}},
      {Op::kWhere, {DType::kBool, DType::kU1, DType::kU1}},
      {Op::kSum, std::vector<DType>(5, DType::kF32)},
      {Op::kBroadcast, {DType::kU8}},
      {Op::kPow, {DType::kU8, DType::kI64}},
      {Op::kMax, std::vector<DType>(3, DType::kI16)},
      {Op::kBroadcast, {DType::kI64}},
      {Op::kWhere, {DType::kBool, DType::kI4, DType::kI4}},
      {Op::kBroadcast, {DType::kF16}},
  };
  return all;
}

// Operands and the expected result.
struct Case {
  Op op;
  std::vector<Strided> operands;

  std::string name() const {
    std::string text(broadloom::Info(op).name);
    for (const Strided& operand : operands) text += operand.text();
    return text;
  }

  // Returns a description of an error, or nothing. Broadcast stretches to
  // `target`.
  std::string Fault(const Extents& target) const {
    std::vector<broadloom::ShapeView> shapes;
    std::vector<DType> dtypes;
    std::vector<TensorView> strided;
    std::vector<TensorView> dense;
    for (const Strided& operand : operands) {
      shapes.push_back(operand.shape);
      dtypes.push_back(operand.dtype);
      strided.push_back(operand.view());
      dense.push_back(operand.dense_view());
    }
    broadloom::ApplyOptions options{.rule = broadloom::Rule::kNumpy};
    if (op == Op::kBroadcast) {
      options.rule = broadloom::Rule::kBidirectional;
      options.target_shape = target;
    }
    const auto plan = broadloom::MakePlan(op, shapes, dtypes, options);
    if (!plan) return name() + ": no plan";
    const Extents shape(plan->output_shape().begin(),
                        plan->output_shape().end());
    Outputs wanted(plan->output_dtype(), shape, 1, 0x11);
    Outputs got(plan->output_dtype(), shape, 1, 0xEE);
    if (!Run(*plan, dense, wanted.views) || !Run(*plan, strided, got.views)) {
      return name() + ": Run failed";
    }
    if (SameResults(op, plan->output_dtype(), got.memory, wanted.memory)) {
      return {};
    }
    const int bits = BitsOf(plan->output_dtype());
    size_t cell = 0;
    while (Get(got.memory[0], bits, cell) ==
           Get(wanted.memory[0], bits, cell)) {
      ++cell;
    }
    return name() + ": cell " + std::to_string(cell) + " of " +
           ShapeText(shape);
  }
};

void CheckOnEachTarget(const std::vector<Case>& cases, const Extents& target) {
  ForEachTarget([&](const std::string& name) {
    for (const Case& one : cases) {
      const std::string fault = one.Fault(target);
      if (fault.empty()) continue;
      FAIL_CHECK(name << ": " << fault);
      return;
    }
  });
}

TEST_CASE("strided: every pattern up to rank 4") {
  const std::vector<Work> all = AllWork();
  const Extents shapes[] = {{}, {7}, {3, 5}, {2, 3, 4}, {3, 2, 4, 3}};
  Random random(11);
  size_t turn = 0;
  size_t tried = 0;
  for (const Extents& shape : shapes) {
    const size_t rank = shape.size();
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    do {
      std::vector<Case> cases;
      size_t patterns = 1;
      for (size_t axis = 0; axis < rank; ++axis) patterns *= kLies;
      for (size_t pattern = 0; pattern < patterns; ++pattern) {
        ++tried;
        if (kSanitized && rank == 4 && tried % 4 != 0) continue;
        const auto lies_of = [&](size_t digits) {
          std::vector<Lie> lies;
          for (size_t axis = 0; axis < rank; ++axis, digits /= kLies) {
            lies.push_back(static_cast<Lie>(digits % kLies));
          }
          return lies;
        };
        // Low ranks with every operator, higher ranks with one after the other.
        for (size_t i = 0; i < (rank < 3 ? all.size() : 1); ++i) {
          const Work& work = all[turn++ % all.size()];
          // One operand has the pattern; the others have random ones.
          const size_t mine = turn / all.size() % work.dtypes.size();
          Case one{work.op, {}};
          for (size_t k = 0; k < work.dtypes.size(); ++k) {
            std::vector<size_t> other = order;
            if (k != mine) std::ranges::next_permutation(other);
            one.operands.emplace_back(
                work.dtypes[k], shape, k == mine ? order : other,
                lies_of(k == mine ? pattern : random.Below(patterns)), turn % 3,
                turn * 8 + k);
          }
          cases.push_back(std::move(one));
        }
      }
      CheckOnEachTarget(cases, shape);
    } while (std::ranges::next_permutation(order).found);
  }
  REQUIRE(tried == 1 + 5 + 2 * 25 + 6 * 125 + 24 * 625);
}

TEST_CASE("strided: random patterns that take several runs") {
  Random random(12);
  const std::vector<Work> all = AllWork();
  const size_t rounds = kSanitized ? 40 : 200;
  for (const Work& work : all) {
    for (size_t round = 0; round < rounds; ++round) {
      const Extents shape = RandomShape(random, 9000);
      Case one{work.op, {}};
      for (size_t k = 0; k < work.dtypes.size(); ++k) {
        Extents own = RandomOperand(random, shape);
        std::vector<size_t> order(own.size());
        std::iota(order.begin(), order.end(), 0);
        // Mostly row-major, like slices and reversals of arrays.
        std::ranges::reverse(order);
        if (random.Below(3) == 0 && own.size() > 1) {
          std::swap(order[0], order[random.Below(own.size())]);
        }
        std::vector<Lie> lies;
        const size_t kinds = random.Below(3) == 0 ? kLies : 3;
        for (size_t axis = 0; axis < own.size(); ++axis) {
          lies.push_back(static_cast<Lie>(random.Below(kinds)));
        }
        one.operands.emplace_back(work.dtypes[k], std::move(own), order, lies,
                                  random.Below(5), random());
      }
      CheckOnEachTarget({one}, shape);
    }
  }
}

TEST_CASE("strided: shapes around the number of elements expanded at once") {
  // Rows of odd lengths, reversed, sliced or with gaps, in a whole tile or
  // several: extents around the widths of vectors and of shuffle tables.
  const std::vector<Lie> ways[] = {{Lie::kDense, Lie::kGap, Lie::kReversed},
                                   {Lie::kDense, Lie::kDense, Lie::kReversed},
                                   {Lie::kReversed, Lie::kGap, Lie::kSliced},
                                   {Lie::kStill, Lie::kGap, Lie::kReversed},
                                   {Lie::kGap, Lie::kStill, Lie::kReversed},
                                   {Lie::kGap, Lie::kStill, Lie::kDense},
                                   {Lie::kGap, Lie::kReversed, Lie::kStill},
                                   {Lie::kStill, Lie::kReversed, Lie::kStill}};
  const std::vector<size_t> order = {2, 1, 0};
  size_t turn = 0;
  for (const DType dtype : {DType::kU4, DType::kU1, DType::kU8, DType::kU16,
                            DType::kF32, DType::kI64, DType::kC128}) {
    std::vector<Case> cases;
    for (const int64_t columns : {3, 5, 15, 17, 33, 35, 65}) {
      for (const int64_t rows : {2, 17, 31, 32, 33, 63}) {
        for (const std::vector<Lie>& lies : ways) {
          if (kSanitized && turn++ % 4 != 0) continue;
          const int64_t planes = std::max<int64_t>(2, 3300 / (rows * columns));
          Case one{Op::kBroadcast, {}};
          one.operands.emplace_back(dtype, Extents{planes, rows, columns},
                                    order, lies, 1,
                                    static_cast<uint64_t>(rows * columns));
          cases.push_back(std::move(one));
        }
      }
    }
    CheckOnEachTarget(cases, {});
  }
}

TEST_CASE("strided: complex numbers need only the alignment of their parts") {
  for (const DType dtype : {DType::kC64, DType::kC128}) {
    const size_t width = BytesOf(dtype);
    const size_t part = width / 2;
    for (const Extents& data :
         {Extents{5, 7, 3}, Extents{7, 1}, Extents{1}, Extents{5, 1, 3}}) {
      for (const auto& strides : {Extents{}, Extents{1, 5, 35}}) {
        if (!strides.empty() && data.size() != 3) continue;
        const size_t count = static_cast<size_t>(Count(data));
        const Extents target = {5, 7, 3};
        if (!strides.empty() && count != 105) continue;
        Buffer memory = Pattern(count * width + part, 3);
        const std::vector<broadloom::ShapeView> shapes = {data};
        const std::vector<DType> dtypes = {dtype};
        const auto plan =
            broadloom::MakePlan(Op::kBroadcast, shapes, dtypes,
                                {.rule = broadloom::Rule::kBidirectional,
                                 .target_shape = broadloom::ShapeView(target)});
        REQUIRE(plan);
        ForEachTarget([&](const std::string& name) {
          INFO(name << ' ' << broadloom::Info(dtype).name << ShapeText(data));
          Buffer out(105 * width + part);
          const TensorView in{dtype, data, memory.data() + part, count * width,
                              strides};
          const MutableTensorView view{dtype, target, out.data() + part,
                                       105 * width};
          REQUIRE(Run(*plan, {&in, 1}, {&view, 1}));
          for (int64_t cell = 0; cell < 105; ++cell) {
            const int64_t index[] = {cell / 21, cell / 3 % 7, cell % 3};
            int64_t at = 0;
            const size_t absent = 3 - data.size();
            for (size_t axis = 0; axis < data.size(); ++axis) {
              const int64_t i = data[axis] == 1 ? 0 : index[axis + absent];
              at = strides.empty() ? at * data[axis] + i
                                   : at + i * strides[axis];
            }
            const auto from =
                memory.begin() +
                static_cast<ptrdiff_t>(part + static_cast<size_t>(at) * width);
            const auto to =
                out.begin() + static_cast<ptrdiff_t>(
                                  part + static_cast<size_t>(cell) * width);
            if (!std::equal(from, from + static_cast<ptrdiff_t>(width), to)) {
              FAIL("cell " << cell);
            }
          }
        });
      }
    }
  }
}

// --- Views as the header explains them ---------------------------------------

TEST_CASE("strided: the header's examples, and offsets of dense views") {
  const float data[] = {0, 1, 2, 3, 4, 5};
  const int64_t shape[] = {3, 2}, strides[] = {1, 3};
  const TensorView transpose{DType::kF32, shape, data, 24, strides};
  const int64_t two[] = {2}, three[] = {3};
  const TensorView column{DType::kF32, two, data, 24, three, 2};
  const TensorView inputs[] = {transpose, column};
  const auto sum = broadloom::Apply(Op::kAdd, inputs);
  REQUIRE(sum);
  const std::span<const float> got = sum->as<float>();
  // 0 3, 1 4, 2 5 and 2 5.
  REQUIRE(std::vector<float>(got.begin(), got.end()) ==
          std::vector<float>{2, 8, 3, 9, 4, 10});

  const TensorView tail{DType::kF32, two, data, 24, {}, 4};
  const TensorView scalar{DType::kF32, {}, data, 24, {}, 5};
  const TensorView both[] = {tail, scalar};
  const auto shifted = broadloom::Apply(Op::kAdd, both);
  REQUIRE(shifted);
  REQUIRE(shifted->as<float>()[0] == 9);
  REQUIRE(shifted->as<float>()[1] == 10);
}

// --- Views that their memory does not hold -----------------------------------

struct Wrong {
  const char* what;
  Extents strides;
  int64_t offset;
  size_t elements;  // in the memory
  ErrorClass error_class;
  Detail detail;
};

TEST_CASE("strided: after an error nothing has changed") {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr ErrorClass kLength = ErrorClass::kLength;
  const Extents shape = {3, 4};
  const std::vector<Wrong> all = {
      {"too few strides",
       {4},
       0,
       12,
       ErrorClass::kIncompatible,
       Detail::kStrides},
      {"too many strides",
       {4, 1, 1},
       0,
       12,
       ErrorClass::kIncompatible,
       Detail::kStrides},
      {"dense, too short", {4, 1}, 0, 11, kLength, Detail::kOffset},
      {"dense, moved on", {}, 1, 12, kLength, Detail::kOffset},
      {"dense, moved back", {}, -1, 12, kLength, Detail::kNegative},
      {"moved on", {4, 1}, 1, 12, kLength, Detail::kOffset},
      {"moved back", {4, 1}, -1, 20, kLength, Detail::kNegative},
      {"apart", {5, 1}, 0, 13, kLength, Detail::kOffset},
      {"reversed without an offset",
       {4, -1},
       0,
       50,
       kLength,
       Detail::kNegative},
      {"reversed, one short", {4, -1}, 2, 50, kLength, Detail::kNegative},
      {"all reversed, one short", {-4, -1}, 10, 50, kLength, Detail::kNegative},
      {"reversed, too short", {4, -1}, 3, 11, kLength, Detail::kOffset},
      {"a stride beyond everything",
       {kMost, 1},
       0,
       12,
       kLength,
       Detail::kOffset},
      {"a stride before everything",
       {kLeast, 1},
       0,
       12,
       kLength,
       Detail::kOffset},
      {"strides that wrap",
       {int64_t{1} << 62, 1},
       0,
       12,
       kLength,
       Detail::kOffset},
      {"strides whose sum wraps",
       {kMost / 2, kMost / 3},
       0,
       12,
       kLength,
       Detail::kOffset},
      {"an offset that wraps", {4, 1}, kMost, 12, kLength, Detail::kOffset},
      {"a dense offset that wraps",
       {},
       kMost - 3,
       12,
       kLength,
       Detail::kOffset},
      {"the least offset", {4, 1}, kLeast, 12, kLength, Detail::kNegative},
      {"bits that wrap", {kMost / 16, 1}, 0, 12, kLength, Detail::kOffset},
  };
  for (const Wrong& wrong : all) {
    for (const size_t operand : {0, 1}) {
      INFO(wrong.what << ", operand " << operand);
      const std::vector<int32_t> memory(wrong.elements, 7);
      const std::vector<int32_t> good(12, 1);
      std::vector<int32_t> out(12, -99);
      TensorView inputs[] = {{DType::kI32, shape, good.data(), 48},
                             {DType::kI32, shape, good.data(), 48}};
      inputs[operand] = {DType::kI32,        shape,         memory.data(),
                         wrong.elements * 4, wrong.strides, wrong.offset};
      const std::vector<broadloom::ShapeView> shapes(2, shape);
      const std::vector<DType> dtypes(2, DType::kI32);
      const auto plan = broadloom::MakePlan(Op::kAdd, shapes, dtypes);
      REQUIRE(plan);
      const MutableTensorView output{DType::kI32, shape, out.data(), 48};
      const auto check = [&](const Error& error) {
        CHECK(error.error_class == wrong.error_class);
        CHECK(error.detail == wrong.detail);
        CHECK(error.operand == static_cast<int32_t>(operand));
        CHECK(error.op == Op::kAdd);
        CHECK(out == std::vector<int32_t>(12, -99));
      };
      const Status status = Run(*plan, inputs, {&output, 1});
      REQUIRE(!status);
      check(status.error());
      const broadloom::IndexRange box[] = {{0, 3}, {0, 4}};
      const Status part = RunRegion(*plan, box, inputs, {&output, 1});
      REQUIRE(!part);
      check(part.error());
      const auto applied = broadloom::Apply(Op::kAdd, inputs);
      REQUIRE(!applied);
      check(applied.error());
      const Status into = broadloom::Apply(Op::kAdd, inputs, output);
      REQUIRE(!into);
      check(into.error());
    }
  }
}

TEST_CASE(
    "strided: memory that is just enough, and strides along unused axes") {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  const std::vector<int32_t> memory = {1, 2, 3, 4, 5, 6, 7, 8};
  struct Fine {
    Extents shape;
    Extents strides;
    int64_t offset;
    size_t elements;
    std::vector<int32_t> wanted;
  };
  const std::vector<Fine> all = {
      {{2, 2}, {-2, -1}, 3, 4, {4, 3, 2, 1}},
      {{2, 2}, {4, 3}, 0, 8, {1, 4, 5, 8}},
      {{3}, {0}, 7, 8, {8, 8, 8}},
      {{1, 3}, {kMost, 2}, 0, 5, {1, 3, 5}},
      {{3, 1}, {-1, kLeast}, 2, 3, {3, 2, 1}},
      {{1}, {kLeast}, 0, 1, {1}},
      {{0, 3}, {kLeast, kMost}, kMost, 0, {}},
      {{2, 0}, {}, -5, 0, {}},
  };
  for (const Fine& fine : all) {
    INFO(ShapeText(fine.shape) << " strides " << ShapeText(fine.strides));
    // The sanitizer would detect any read beyond it.
    const std::vector<int32_t> held(
        memory.begin(), memory.begin() + static_cast<ptrdiff_t>(fine.elements));
    const TensorView view{DType::kI32,     fine.shape,   held.data(),
                          held.size() * 4, fine.strides, fine.offset};
    const std::vector<int32_t> zero = {0};
    const TensorView inputs[] = {view, {DType::kI32, {}, zero.data(), 4}};
    const auto sum = broadloom::Apply(Op::kAdd, inputs);
    REQUIRE(sum);
    const std::span<const int32_t> got = sum->as<int32_t>();
    REQUIRE(std::vector<int32_t>(got.begin(), got.end()) == fine.wanted);
  }
}

TEST_CASE("strided: nothing is allocated up to rank 8 and 4 operands") {
  const Extents shape(8, 2);
  std::vector<float> data(256);
  std::iota(data.begin(), data.end(), 0.0f);
  Extents strides;
  for (size_t axis = 0; axis < 8; ++axis) strides.push_back(int64_t{1} << axis);
  const TensorView view{DType::kF32, shape, data.data(), 1024, strides};
  const std::vector<TensorView> inputs(4, view);
  std::vector<float> out(256);
  const MutableTensorView output{DType::kF32, shape, out.data(), 1024};
  testing::RequireNoAllocation([&](const broadloom::Allocator& allocator) {
    return broadloom::Apply(Op::kSum, inputs, output, {}, allocator)
        .has_value();
  });
  REQUIRE(out[1] == 4 * 128.0f);
  REQUIRE(out[128] == 4 * 1.0f);
}

}  // namespace
