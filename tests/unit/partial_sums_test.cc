// Partial sums: whatever blocks an input is cut into, in whatever order they
// are summed and by however many threads, adding their partial sums in the
// blocks' order gives the same bits; and it gives the sum of the whole where
// that is exact.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/threads.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/questions.h"
#include "reference/trial.h"
#include "unit/allocation_watch.h"
#include "unit/boxes.h"

namespace {

using namespace reference;
using broadloom::AddPartialSums;
using broadloom::Detail;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::MutableTensorView;
using broadloom::PartialSumBytes;
using broadloom::RoundPartialSums;
using broadloom::ShapeView;
using broadloom::SumPlan;
using broadloom::SumToOptions;
using broadloom::TensorView;
using testing::Box;
using testing::ShapeOf;

using Sums = std::vector<std::byte>;

// Elements whose sums are exact in every type: small whole numbers. Bits of
// floats are made by the library's own Cast, which other tests check.
Buffer WholeNumbers(DType dtype, size_t count, Random& random) {
  const bool complex = dtype == DType::kC64 || dtype == DType::kC128;
  std::vector<int8_t> numbers(complex ? 2 * count : count);
  for (int8_t& number : numbers) {
    number = static_cast<int8_t>(static_cast<int>(random.Below(9)) - 4);
  }
  const DType part = dtype == DType::kC64    ? DType::kF32
                     : dtype == DType::kC128 ? DType::kF64
                                             : dtype;
  const Extents shape = {static_cast<int64_t>(numbers.size())};
  const TensorView input{DType::kI8, shape, numbers.data(), numbers.size()};
  const auto cast =
      broadloom::Apply(Op::kCast, {&input, 1}, {.attributes = {.to = part}});
  REQUIRE(cast);
  const auto* const bytes = static_cast<const uint8_t*>(cast->data());
  return Buffer(bytes, bytes + cast->bytes());
}

std::vector<DType> SummedTypes() {
  std::vector<DType> types;
  for (const broadloom::DTypeInfo& info : broadloom::AllDTypes()) {
    if (PartialSumBytes(info.dtype, Extents{1})) types.push_back(info.dtype);
  }
  return types;
}

// A sum to be cut into blocks: the broadcast of `shape` to `input`.
struct Case {
  DType dtype;
  Question question;  // the data is what is summed to, the target the input
  Extents input;
  Buffer elements;

  const Extents& shape() const { return question.operands[0]; }
  SumToOptions options() const {
    SumToOptions options{.rule = *broadloom::FindRule(question.rule)};
    if (question.mapping) options.axes_mapping = *question.mapping;
    return options;
  }
};

Case RandomCase(Random& random, DType dtype, bool whole_numbers) {
  Case made{.dtype = dtype,
            .question = QuestionUnder(
                random.Below(2) == 0 ? "explicit" : "broadcast_numpy", random,
                1, 3000),
            .input = {},
            .elements = {}};
  made.input = *made.question.target;
  const size_t count = static_cast<size_t>(Count(made.input));
  made.elements = whole_numbers ? WholeNumbers(dtype, count, random)
                                : RandomElements(dtype, count, random());
  return made;
}

// Cuts along every axis, so that all blocks of an output's region are summed to
// the same region.
std::vector<Box> RandomGrid(Random& random, const Extents& shape) {
  std::vector<Box> boxes = {{}};
  for (const int64_t extent : shape) {
    std::vector<IndexRange> ranges;
    for (int64_t begin = 0; begin < extent;) {
      const int64_t end = std::min(
          extent,
          begin + 1 +
              static_cast<int64_t>(random.Below(static_cast<size_t>(extent))));
      ranges.push_back({begin, end});
      begin = end;
    }
    std::vector<Box> longer;
    for (const Box& box : boxes) {
      for (const IndexRange& range : ranges) {
        longer.push_back(box);
        longer.back().push_back(range);
      }
    }
    boxes = longer;
  }
  return boxes;
}

// Sums block by block, in the order of `turns`, then adds the partial sums of
// each region in the order of blocks, and rounds them into the output.
Buffer SumInBlocks(const Case& it, const std::vector<Box>& boxes,
                   const std::vector<size_t>& turns, bool dense,
                   const broadloom::ParallelFor* parallel) {
  const Trial forward(it.question, Op::kBroadcast, {it.dtype}, 1, false);
  const auto plan = forward.MakePlan();
  REQUIRE(plan);
  const int bits = BitsOf(it.dtype);
  std::vector<Sums> sums(boxes.size());
  std::vector<Box> regions(boxes.size());
  for (const size_t turn : turns) {
    const auto found = broadloom::InputRegions(*plan, boxes[turn]);
    REQUIRE(found);
    regions[turn] = Box((*found)[0].begin(), (*found)[0].end());
    const Extents block = ShapeOf(boxes[turn]);
    const Extents output = ShapeOf(regions[turn]);
    const Buffer elements =
        testing::Cut(boxes[turn], it.input, bits, it.elements);
    const testing::Scattered scattered(it.dtype, block, elements);
    const TensorView view =
        dense ? TensorView{it.dtype, block, elements.data(), elements.size()}
              : scattered.view();
    const auto sum = SumPlan::Make(it.dtype, block, output, it.options());
    REQUIRE(sum);
    sums[turn].resize(*PartialSumBytes(it.dtype, output));
    REQUIRE(sum->RunPartially(view, sums[turn], {parallel}));
  }
  // Regions in the order of their first blocks.
  std::map<std::vector<int64_t>, size_t> first_of;
  Buffer out(BytesFor(static_cast<size_t>(Count(it.shape())), bits));
  for (size_t i = 0; i < boxes.size(); ++i) {
    std::vector<int64_t> begins;
    for (const IndexRange& range : regions[i]) begins.push_back(range.begin);
    const auto [first, is_new] = first_of.emplace(begins, i);
    if (is_new) continue;
    REQUIRE(AddPartialSums(it.dtype, ShapeOf(regions[i]), sums[first->second],
                           sums[i]));
  }
  for (const auto& [begins, first] : first_of) {
    const Extents shape = ShapeOf(regions[first]);
    const size_t bytes = BytesFor(static_cast<size_t>(Count(shape)), bits);
    Buffer rounded(bytes);
    REQUIRE(RoundPartialSums(
        sums[first],
        MutableTensorView{it.dtype, shape, rounded.data(), bytes}));
    testing::Place(regions[first], it.shape(), bits, rounded, out);
    // The same into a view of the output with strides.
    Extents strides(it.shape().size());
    int64_t stride = 1, offset = 0;
    for (size_t axis = strides.size(); axis-- > 0;) {
      strides[axis] = stride;
      offset += stride * regions[first][axis].begin;
      stride *= it.shape()[axis];
    }
    Buffer strided = out;
    REQUIRE(RoundPartialSums(
        sums[first], MutableTensorView{it.dtype, shape, strided.data(),
                                       strided.size(), strides, offset}));
    REQUIRE(strided == out);
  }
  return out;
}

Buffer SumWhole(const Case& it) {
  const auto sums = broadloom::SumTo(
      TensorView{it.dtype, it.input, it.elements.data(), it.elements.size()},
      it.shape(), it.options());
  REQUIRE(sums);
  const auto* const bytes = static_cast<const uint8_t*>(sums->data());
  return Buffer(bytes, bytes + sums->bytes());
}

std::string NameOf(const Case& it) {
  return std::string(broadloom::Info(it.dtype).name) + ' ' +
         ShapeText(it.input) + " to " + ShapeText(it.shape()) + ' ' +
         it.question.rule;
}

std::vector<size_t> Turns(size_t count) {
  std::vector<size_t> turns(count);
  for (size_t i = 0; i < count; ++i) turns[i] = i;
  return turns;
}

TEST_CASE("partial sums: exact sums of blocks are those of the whole") {
  Random random(31);
  REQUIRE(SummedTypes().size() == 14);
  for (const DType dtype : SummedTypes()) {
    for (size_t round = 0; round < (kSanitized ? 4u : 25u); ++round) {
      const Case it = RandomCase(random, dtype, true);
      INFO(NameOf(it));
      const std::vector<Box> boxes = RandomGrid(random, it.input);
      if (boxes.size() > 500) continue;
      const Buffer whole = SumWhole(it);
      for (const bool dense : {true, false}) {
        const bool equal = SumInBlocks(it, boxes, Turns(boxes.size()), dense,
                                       nullptr) == whole;
        REQUIRE(equal);
      }
    }
  }
}

TEST_CASE("partial sums: the same bits in any order and on any threads") {
  Random random(32);
  const auto threads = broadloom::Threads::Make(3);
  REQUIRE(threads);
  const broadloom::ParallelFor& parallel = threads->parallel_for();
  for (const DType dtype : SummedTypes()) {
    for (size_t round = 0; round < (kSanitized ? 3u : 12u); ++round) {
      const Case it = RandomCase(random, dtype, false);
      INFO(NameOf(it));
      const std::vector<Box> boxes = RandomGrid(random, it.input);
      if (boxes.size() > 500) continue;
      std::vector<size_t> turns = Turns(boxes.size());
      const Buffer in_order = SumInBlocks(it, boxes, turns, true, nullptr);
      for (size_t i = turns.size(); i > 1; --i) {
        std::swap(turns[i - 1], turns[random.Below(i)]);
      }
      const bool equal =
          SumInBlocks(it, boxes, turns, true, &parallel) == in_order;
      REQUIRE(equal);
    }
  }
  // Large enough to be shared.
  Case large{.dtype = DType::kF32,
             .question = {.rule = "broadcast_numpy",
                          .operands = {{700}},
                          .target = Extents{3000, 700}},
             .input = {3000, 700},
             .elements = RandomElements(DType::kF32, 2100000, 5)};
  const std::vector<Box> halves = {{{0, 1500}, {0, 700}},
                                   {{1500, 3000}, {0, 700}}};
  const bool equal = SumInBlocks(large, halves, {1, 0}, true, &parallel) ==
                     SumInBlocks(large, halves, {0, 1}, true, nullptr);
  REQUIRE(equal);
}

TEST_CASE("partial sums: one rounding, after all blocks") {
  // 2^24 and sixteen ones, each in a block of its own: f32 sums would lose
  // them.
  const Extents one = {1};
  const auto sum = SumPlan::Make(DType::kF32, one, Extents{});
  REQUIRE(sum);
  Sums all(*PartialSumBytes(DType::kF32, {}));
  float value = 16777216;
  REQUIRE(sum->RunPartially({DType::kF32, one, &value, 4}, all));
  for (size_t i = 0; i < 16; ++i) {
    value = 1;
    Sums next(all.size());
    REQUIRE(sum->RunPartially({DType::kF32, one, &value, 4}, next));
    REQUIRE(AddPartialSums(DType::kF32, {}, all, next));
  }
  REQUIRE(RoundPartialSums(
      all, MutableTensorView{DType::kF32, {}, &value, sizeof value}));
  REQUIRE(value == 16777232);
  // 1, 1e100, 1, -1e100 in f64 is 2.
  const auto wide = SumPlan::Make(DType::kF64, one, Extents{});
  REQUIRE(wide);
  Sums total(*PartialSumBytes(DType::kF64, {}));
  bool first = true;
  for (double term : {1.0, 1e100, 1.0, -1e100}) {
    Sums next(total.size());
    REQUIRE(wide->RunPartially({DType::kF64, one, &term, 8}, next));
    if (first) {
      total = next;
    } else {
      REQUIRE(AddPartialSums(DType::kF64, {}, total, next));
    }
    first = false;
  }
  double result = 0;
  REQUIRE(RoundPartialSums(
      total, MutableTensorView{DType::kF64, {}, &result, sizeof result}));
  REQUIRE(result == 2);
}

TEST_CASE("partial sums: the signs of zeros") {
  const Extents none = {0, 1}, one = {1, 1}, row = {1};
  const auto of_none = SumPlan::Make(DType::kF32, none, row);
  const auto of_one = SumPlan::Make(DType::kF32, one, row);
  REQUIRE(of_none);
  REQUIRE(of_one);
  const size_t bytes = *PartialSumBytes(DType::kF32, row);
  const float zero = -0.0f;
  for (const std::string order : {"n", "z", "nz", "zn", "nzn", "nn", "zz"}) {
    Sums sums;
    for (const char kind : order) {
      Sums next(bytes);
      if (kind == 'n') {
        REQUIRE(of_none->RunPartially({DType::kF32, none, nullptr, 0}, next));
      } else {
        REQUIRE(of_one->RunPartially({DType::kF32, one, &zero, 4}, next));
      }
      if (sums.empty()) {
        sums = next;
      } else {
        REQUIRE(AddPartialSums(DType::kF32, row, sums, next));
      }
    }
    float result = 7;
    REQUIRE(RoundPartialSums(
        sums, MutableTensorView{DType::kF32, row, &result, sizeof result}));
    // As SumTo has it: -0 where anything was summed, else 0.
    INFO(order);
    REQUIRE(result == 0);
    REQUIRE(std::signbit(result) == (order.find('z') != std::string::npos));
  }
}

TEST_CASE("partial sums: the bytes are those that the header specifies") {
  const Extents shape = {2, 3}, row = {3};
  const auto sum = SumPlan::Make(DType::kI16, shape, row);
  REQUIRE(sum);
  const int16_t elements[] = {1, 2, 3, 10, 20, 30000};
  Sums sums(*PartialSumBytes(DType::kI16, row));
  REQUIRE(
      sum->RunPartially({DType::kI16, shape, elements, sizeof elements}, sums));
  struct {
    char name[6] = {'B', 'L', 's', 'u', 'm', 's'};
    uint16_t version = 1;
    uint8_t dtype = static_cast<uint8_t>(DType::kI16);
    uint8_t summed = 1;
    uint8_t zeros[6] = {};
    uint64_t outputs = 3;
    uint64_t more = 0;
    int16_t sums[3] = {11, 22, 30003};
  } wanted;
  REQUIRE(sums.size() == 38);
  REQUIRE(std::memcmp(sums.data(), &wanted, 38) == 0);
}

TEST_CASE("partial sums: what is refused") {
  const Extents shape = {2, 3}, row = {3};
  const auto sum = SumPlan::Make(DType::kF32, shape, row);
  REQUIRE(sum);
  const float elements[6] = {};
  const TensorView input{DType::kF32, shape, elements, sizeof elements};
  const size_t bytes = *PartialSumBytes(DType::kF32, row);
  for (const size_t wrong : {size_t{0}, bytes - 1, bytes + 1}) {
    Sums sums(wrong, std::byte{7});
    const Sums before = sums;
    const auto ran = sum->RunPartially(input, sums);
    REQUIRE(!ran);
    REQUIRE(ran.error().error_class == ErrorClass::kLength);
    REQUIRE(ran.error().detail == Detail::kMemory);
    REQUIRE(ran.error().other_extent == static_cast<int64_t>(bytes));
    REQUIRE(sums == before);
  }
  Sums good(bytes);
  REQUIRE(sum->RunPartially(input, good));
  {
    Sums shared(bytes + 24);
    const TensorView inside{DType::kF32, shape, shared.data() + bytes - 4, 24};
    const auto ran = sum->RunPartially(inside, std::span(shared).first(bytes));
    REQUIRE(!ran);
    REQUIRE(ran.error().error_class == ErrorClass::kOverlap);
  }
  REQUIRE(!sum->RunPartially({DType::kF32, row, elements, 12}, good));
  REQUIRE(!sum->RunPartially({DType::kF64, shape, elements, 24}, good));
  REQUIRE(!sum->RunPartially({DType::kF32, shape, elements, 23}, good));
  REQUIRE(!SumPlan().RunPartially(input, good));

  // Other types, numbers of outputs, versions, and noise.
  const auto add_error = [&](DType dtype, const Extents& outputs, Sums to,
                             const Sums& from) {
    const Sums before = to;
    const auto added = AddPartialSums(dtype, outputs, to, from);
    REQUIRE(!added);
    REQUIRE(to == before);
    return added.error();
  };
  const auto is_other = [](const Error& error, int32_t operand) {
    return error.error_class == ErrorClass::kIncompatible &&
           error.detail == Detail::kOtherPlan && error.operand == operand;
  };
  REQUIRE(add_error(DType::kF64, row, good, good).error_class ==
          ErrorClass::kLength);
  REQUIRE(is_other(add_error(DType::kF16, row, good, good), 0));
  REQUIRE(add_error(DType::kBool, row, good, good).error_class ==
          ErrorClass::kDType);
  REQUIRE(add_error(DType::kF32, {-1}, good, good).error_class ==
          ErrorClass::kExtent);
  constexpr int64_t kVast = int64_t{1} << 60;
  REQUIRE(!PartialSumBytes(DType::kF32, Extents{kVast}));
  REQUIRE(!PartialSumBytes(DType::kF32, Extents{kVast, kVast}));
  for (size_t at = 0; at < 32; ++at) {
    if (at == 9) continue;  // 0 and 1 are both right
    Sums bad = good;
    bad[at] ^= std::byte{0x10};
    REQUIRE(is_other(add_error(DType::kF32, row, bad, good), 0));
    REQUIRE(is_other(add_error(DType::kF32, row, good, bad), 1));
    float out[3] = {1, 2, 3};
    const MutableTensorView output{DType::kF32, row, out, sizeof out};
    REQUIRE(!RoundPartialSums(bad, output));
    REQUIRE(out[0] == 1);
  }
  Random random(33);
  for (size_t round = 0; round < 2000; ++round) {
    Sums noise(random.Below(2) == 0 ? bytes : random.Below(80));
    for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
    REQUIRE(!AddPartialSums(DType::kF32, row, noise, good));
    // Accumulators may be anything.
    Sums odd = good;
    for (size_t i = 32; i < odd.size(); ++i) {
      odd[i] = static_cast<std::byte>(random());
    }
    REQUIRE(AddPartialSums(DType::kF32, row, odd, good));
  }
  // Outputs.
  float out[3] = {1, 2, 3};
  REQUIRE(
      !RoundPartialSums(good, MutableTensorView{DType::kF32, row, out, 11}));
  const Extents twice = {0};
  REQUIRE(!RoundPartialSums(
      good, MutableTensorView{DType::kF32, row, out, 12, twice}));
  REQUIRE(out[0] == 1);
}

TEST_CASE("partial sums: each refused allocation is an error") {
  const Extents shape = {2, 1, 2, 1, 2, 1, 2, 1, 2, 1};
  const Extents one(10, 1);
  const auto sum = SumPlan::Make(DType::kF32, shape, one);
  REQUIRE(sum);
  const Buffer elements = RandomElements(DType::kF32, 32, 6);
  const testing::Scattered scattered(DType::kF32, shape, elements);
  Sums sums(*PartialSumBytes(DType::kF32, one));
  REQUIRE(testing::RefuseEach([&](const broadloom::Allocator& allocator) {
            return sum->RunPartially(scattered.view(), sums, {}, allocator);
          }) >= 1);
  // Where nothing is summed, a strided input is copied.
  const Extents two = {2, 2};
  const auto copy = SumPlan::Make(DType::kF32, two, two);
  REQUIRE(copy);
  const testing::Scattered few(DType::kF32, two, elements);
  Sums copies(*PartialSumBytes(DType::kF32, two));
  REQUIRE(testing::RefuseEach([&](const broadloom::Allocator& allocator) {
            return copy->RunPartially(few.view(), copies, {}, allocator);
          }) >= 1);
}

}  // namespace
