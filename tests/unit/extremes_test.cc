// Every public function near 2^31, 2^32, 2^53, 2^62 and 2^63, compared with
// sums and products of 128 bits. The sanitizers detect overflows in
// intermediate results.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/explain/repair.h"
#include "catch2/catch_test_macros.hpp"

namespace {

using broadloom::Align;
using broadloom::Apply;
using broadloom::Blocks;
using broadloom::Describe;
using broadloom::Detail;
using broadloom::DType;
using broadloom::ErrorClass;
using broadloom::ExplainAxis;
using broadloom::IndexRange;
using broadloom::Info;
using broadloom::MakePlan;
using broadloom::Op;
using broadloom::Plan;
using broadloom::Rule;
using broadloom::RunBlock;
using broadloom::RunRegion;
using broadloom::Segment;
using broadloom::ShapeView;
using broadloom::SumInput;
using broadloom::SumPlan;
using broadloom::SumStream;
using broadloom::SumTo;
using broadloom::TensorView;
using Extents = std::vector<int64_t>;
__extension__ typedef __int128 Wide;

constexpr int64_t kLargest = INT64_MAX;

constexpr broadloom::Allocator kNoMemory{
    [](void*, size_t, size_t) -> void* { return nullptr; },
    [](void*, void*, size_t, size_t) {}, nullptr};

// The bounds and their neighbours.
Extents Large() {
  Extents all;
  for (const int bits : {31, 32, 53, 62}) {
    const int64_t bound = int64_t{1} << bits;
    all.insert(all.end(), {bound - 1, bound, bound + 1});
  }
  all.insert(all.end(), {kLargest - 64, kLargest - 63, kLargest - 1, kLargest});
  return all;
}

// At most 2^63, since larger numbers need not be distinguished.
Wide Product(const Extents& shape) {
  Wide product = 1;
  for (const int64_t extent : shape) {
    if (extent == 0) return 0;
    product = std::min(product * extent, Wide{kLargest} + 1);
  }
  return product;
}

Wide BytesOf(Wide elements, DType dtype) {
  return (elements * BitsOf(dtype) + 7) / 8;
}

bool IsCountable(const Extents& shape, DType dtype) {
  const Wide elements = Product(shape);
  return elements <= kLargest && BytesOf(elements, dtype) <= kLargest;
}

// Shapes of one to three axes of which one or two are large, some of them
// empty.
std::vector<Extents> LargeShapes() {
  std::vector<Extents> shapes;
  for (const int64_t n : Large()) {
    for (const Extents& shape : {Extents{n},
                                 {n, 1},
                                 {1, n},
                                 {3, n},
                                 {n, 3},
                                 {n, n},
                                 {0, n},
                                 {n, 0},
                                 {0, n, n},
                                 {n, 0, n},
                                 {n, n, 0},
                                 {2, n / 2},
                                 {n / 2, 2},
                                 {7, n / 7},
                                 {n / 7, 7},
                                 {5, n / 35, 7}}) {
      shapes.push_back(shape);
    }
  }
  return shapes;
}

constexpr DType kTypes[] = {DType::kU8,   DType::kF16, DType::kF32, DType::kF64,
                            DType::kC128, DType::kU4,  DType::kU1};

TEST_CASE("extremes: elements and bytes are counted exactly, or an error") {
  for (const Extents& shape : LargeShapes()) {
    const Wide elements = Product(shape);
    const auto counted = broadloom::CountElements(shape);
    REQUIRE(counted.has_value() == (elements <= kLargest));
    if (counted) REQUIRE(*counted == elements);
    for (const broadloom::DTypeInfo& type : broadloom::AllDTypes()) {
      const Wide bytes = BytesOf(elements, type.dtype);
      const bool countable = elements <= kLargest && bytes <= kLargest;
      const auto in_bytes = broadloom::CountBytes(shape, type.dtype);
      REQUIRE(in_bytes.has_value() == countable);
      if (in_bytes) REQUIRE(*in_bytes == bytes);
      if (!in_bytes) {
        REQUIRE(in_bytes.error().error_class == ErrorClass::kOverflow);
      }
      const auto tensor =
          broadloom::Tensor::Allocate(type.dtype, shape, kNoMemory);
      REQUIRE(!tensor);
      REQUIRE((tensor.error().error_class == ErrorClass::kOverflow) ==
              !countable);
      const ShapeView operands[] = {shape, {}};
      const auto inferred = broadloom::InferShape(
          {.rule = Rule::kNumpy, .operands = operands, .dtype = type.dtype});
      REQUIRE(inferred.has_value() == countable);
    }
  }
}

TEST_CASE("extremes: alignments of large extents") {
  for (const int64_t n : Large()) {
    for (const Extents& shape :
         {Extents{n}, {3, n}, {n, 3}, {n, n}, {0, n, n}, {n, 0}}) {
      const Extents last = {shape.back()};
      const ShapeView operands[] = {shape, last};
      const auto alignment =
          Align({.rule = Rule::kNumpy, .operands = operands});
      REQUIRE(alignment);
      Extents strides(shape.size());
      REQUIRE(alignment->Strides(0, strides));
      Extents behind;
      for (size_t axis = shape.size(); axis-- > 0;) {
        const Wide stride = Product(behind);
        REQUIRE(strides[axis] == (stride > kLargest ? -1 : stride));
        behind.push_back(shape[axis]);
      }
      if (Product(shape) == 0 || alignment->error()) continue;
      Extents index = shape;
      for (int64_t& i : index) --i;
      Extents source(1);
      REQUIRE(alignment->SourceOf(1, index, source));
      REQUIRE(source == Extents{shape.back() - 1});
      std::vector<IndexRange> box(shape.size());
      REQUIRE(alignment->FanOut(1, source, box));
      REQUIRE(box.back() == IndexRange{shape.back() - 1, shape.back()});
      for (Extents wrong : {Extents{shape.back()}, Extents{-1},
                            Extents{INT64_MIN}, Extents{kLargest}}) {
        if (wrong[0] >= 0 && wrong[0] < shape.back()) continue;
        REQUIRE(!alignment->FanOut(1, wrong, box));
      }
    }
    const Extents a = {n, 3};
    const Extents b = {n - 1, 3};
    const ShapeView clash[] = {a, b};
    const broadloom::BroadcastRequest request{.rule = Rule::kNumpy,
                                              .operands = clash};
    broadloom::Arena arena;
    REQUIRE(broadloom::FindRepairs(request, arena));
    const auto alignment = Align(request);
    REQUIRE(alignment);
    std::array<char, 400> text;
    const size_t length = ExplainAxis(*alignment, 0, text);
    REQUIRE(std::string(text.data(), length).find(std::to_string(n)) !=
            std::string::npos);
    for (const int64_t axis : {n, -n, kLargest, INT64_MIN}) {
      REQUIRE(Align({.rule = Rule::kPdpd, .operands = clash, .axis = axis})
                  ->error());
      const Extents mapping = {axis, axis};
      const ShapeView one[] = {a};
      REQUIRE(Align({.rule = Rule::kExplicit,
                     .operands = one,
                     .target_shape = b,
                     .axes_mapping = mapping})
                  ->error());
      const Extents target = {-n, axis};
      REQUIRE(Align({.rule = Rule::kBidirectional,
                     .operands = one,
                     .target_shape = target}));
    }
  }
}

// Memory for blocks.
alignas(64) std::byte memory[8192];

// The element of a dense operand of `shape`, aligned to the right of the
// result, that a cell of the flat result reads.
Wide ElementFor(Wide cell, const Extents& result, const Extents& shape) {
  Wide element = 0;
  Wide behind = 1;
  for (size_t axis = result.size(); axis-- > 0;) {
    const Wide index = cell % result[axis];
    cell /= result[axis];
    const size_t missing = result.size() - shape.size();
    if (axis < missing) continue;
    const int64_t extent = shape[axis - missing];
    element += extent == 1 ? 0 : index * behind;
    behind *= extent;
  }
  return element;
}

void CheckHolds(const Segment& segment, Wide element, DType dtype) {
  REQUIRE(Wide{segment.begin} * 8 <= element * BitsOf(dtype));
  REQUIRE((Wide{segment.begin} + segment.bytes) * 8 >=
          (element + 1) * BitsOf(dtype));
}

// A result of one operand and another that is repeated, in blocks.
void CheckBlocks(const Extents& shape, const Extents& other, DType dtype) {
  const auto plan = MakePlan(Op::kBroadcast, std::array{ShapeView(other)},
                             std::array{dtype}, {.target_shape = shape});
  const Wide elements = Product(shape);
  if (!IsCountable(shape, dtype) || !IsCountable(other, dtype)) {
    REQUIRE(!plan);
    REQUIRE(plan.error().error_class == ErrorClass::kOverflow);
    return;
  }
  REQUIRE(plan);
  REQUIRE(Wide{plan->output_bytes()} == BytesOf(elements, dtype));
  REQUIRE(plan->work().schedule.run_count() >= (elements > 0 ? 1 : 0));
  REQUIRE(plan->work().nest.element_count() == elements);
  for (const size_t room :
       {size_t{256}, sizeof memory, size_t{1} << 31, SIZE_MAX}) {
    const auto blocks = Blocks::Make(*plan, room);
    if (!blocks) {
      REQUIRE(blocks.error().error_class == ErrorClass::kLimit);
      continue;
    }
    if (elements == 0) {
      REQUIRE(blocks->count() == 0);
      continue;
    }
    const int64_t count = blocks->count();
    REQUIRE(count > 0);
    REQUIRE(blocks->memory_bytes() <= room);
    // Results lie end to end: a few of them from all over.
    Extents some = {0, 1, 2, count / 2, count - 2, count - 1};
    std::erase_if(some, [&](int64_t i) { return i < 0 || i >= count; });
    for (const int64_t block : some) {
      const Segment result = blocks->result(block);
      REQUIRE(result.bytes > 0);
      REQUIRE(Wide{result.begin} + result.bytes <= plan->output_bytes());
      if (block == 0) REQUIRE(result.begin == 0);
      if (block + 1 == count) {
        REQUIRE(Wide{result.begin} + result.bytes == plan->output_bytes());
      } else {
        const Segment next = blocks->result(block + 1);
        REQUIRE(Wide{next.begin} + blocks->shares_byte(block + 1) ==
                Wide{result.begin} + result.bytes);
      }
      const Segment segment = blocks->operand(block, 0);
      REQUIRE(Wide{segment.begin} + segment.bytes <= plan->operand_bytes(0));
      if (BitsOf(dtype) >= 8) {
        const Wide first = Wide{result.begin} * 8 / BitsOf(dtype);
        const Wide end =
            (Wide{result.begin} + result.bytes) * 8 / BitsOf(dtype);
        CheckHolds(segment, ElementFor(first, shape, other), dtype);
        CheckHolds(segment, ElementFor(end - 1, shape, other), dtype);
      }
      if (blocks->memory_bytes() <= sizeof memory) {
        std::ranges::fill(memory, std::byte{0});
        REQUIRE(RunBlock(*plan, *blocks, block, memory));
      }
    }
  }
}

TEST_CASE("extremes: plans, schedules and blocks") {
  for (const Extents& shape : LargeShapes()) {
    for (const DType dtype : kTypes) {
      INFO(::Catch::Detail::stringify(shape) << " of " << Info(dtype).name);
      CheckBlocks(shape, shape, dtype);
      CheckBlocks(shape, {}, dtype);
      Extents last = {shape.back()};
      CheckBlocks(shape, last, dtype);
      Extents column = shape;
      column.back() = 1;
      CheckBlocks(shape, column, dtype);
    }
  }
}

TEST_CASE("extremes: boxes of results") {
  alignas(64) const std::array<uint8_t, 64> data = {1, 2, 3, 4, 5, 6, 7, 8};
  for (const int64_t n : Large()) {
    const Extents target = {n};
    for (const Extents& shape : {Extents{}, Extents{1}}) {
      const auto plan =
          MakePlan(Op::kBroadcast, std::array{ShapeView(shape)},
                   std::array{DType::kU8}, {.target_shape = target});
      REQUIRE(plan);
      const TensorView input{DType::kU8, shape, data.data(), 1};
      std::array<uint8_t, 16> out = {};
      const Extents part = {16};
      const broadloom::MutableTensorView output{DType::kU8, part, out.data(),
                                                out.size()};
      for (const int64_t begin : {int64_t{0}, n / 2, n - 16}) {
        const IndexRange box[] = {{begin, begin + 16}};
        out.fill(0);
        REQUIRE(RunRegion(*plan, box, {&input, 1}, {&output, 1}));
        REQUIRE(std::ranges::count(out, 1) == 16);
        const auto blocks = Blocks::Make(*plan, box, sizeof memory);
        REQUIRE(blocks);
        REQUIRE(blocks->result(0) == Segment{0, 16});
      }
      for (const IndexRange range :
           {IndexRange{n - 15, n == kLargest ? INT64_MIN : n + 1},
            IndexRange{-1, 15}, IndexRange{INT64_MIN, kLargest},
            IndexRange{kLargest, INT64_MIN}, IndexRange{16, 0}}) {
        const auto ran =
            RunRegion(*plan, {&range, 1}, {&input, 1}, {&output, 1});
        REQUIRE(!ran);
        REQUIRE(ran.error().error_class == ErrorClass::kExtent);
        REQUIRE(!Blocks::Make(*plan, {&range, 1}, sizeof memory));
      }
    }
    // An empty result is not iterated over, however large its other extents
    // are.
    for (const Extents& empty : {Extents{0, n, n}, {n, 0, n}, {n, n, 0}}) {
      const auto plan =
          MakePlan(Op::kBroadcast, std::array{ShapeView(empty)},
                   std::array{DType::kU8}, {.target_shape = empty});
      REQUIRE(plan);
      std::vector<IndexRange> box;
      for (const int64_t extent : empty) box.push_back({extent, extent});
      const auto blocks = Blocks::Make(*plan, box, sizeof memory);
      REQUIRE(blocks);
      REQUIRE(blocks->count() == 0);
      const TensorView input{DType::kU8, empty, nullptr, 0};
      const Extents none = {0, 0, 0};
      const broadloom::MutableTensorView output{DType::kU8, none, nullptr, 0};
      REQUIRE(RunRegion(*plan, box, {&input, 1}, {&output, 1}));
    }
  }
}

// The bytes that a strided view needs, or the reason why it is invalid.
std::optional<Wide> NeededBytes(const TensorView& view) {
  Wide low = view.offset;
  Wide high = view.offset;
  for (size_t axis = 0; axis < view.shape.size(); ++axis) {
    const Wide last = Wide{view.shape[axis] - 1} * view.strides[axis];
    (last < 0 ? low : high) += last;
  }
  if (low < 0) return std::nullopt;
  return BytesOf(high + 1, view.dtype);
}

TEST_CASE("extremes: strides and offsets") {
  Extents numbers = {0, 1, -1, 2, INT64_MIN, INT64_MIN + 1};
  for (const int64_t n : Large()) {
    numbers.push_back(n);
    numbers.push_back(-n);
  }
  std::mt19937_64 random(7);
  const auto pick = [&] { return numbers[random() % numbers.size()]; };
  alignas(64) const std::array<std::byte, 256> data = {};
  std::array<std::byte, 256> out = {};
  const Extents shape = {2, 3};
  size_t held = 0;
  for (int round = 0; round < 20000; ++round) {
    // Small strides now and then, so that some views are valid.
    Extents strides = {pick(), pick()};
    int64_t offset = pick();
    if (random() % 3 == 0)
      strides = {static_cast<int64_t>(random() % 9) - 4, 1};
    if (random() % 2 == 0) offset = static_cast<int64_t>(random() % 64);
    const DType dtype = kTypes[random() % std::size(kTypes)];
    const TensorView view{dtype,       shape,   data.data(),
                          data.size(), strides, offset};
    const std::optional<Wide> needed = NeededBytes(view);
    const bool holds = needed && *needed <= static_cast<Wide>(data.size());
    INFO(strides[0] << ", " << strides[1] << ", offset " << offset << ", "
                    << Info(dtype).name);
    const broadloom::MutableTensorView output{dtype, shape, out.data(),
                                              out.size()};
    const auto ran =
        Apply(Op::kBroadcast, {&view, 1}, output, {.target_shape = shape});
    REQUIRE(ran.has_value() == holds);
    held += holds;
    if (!ran) {
      const broadloom::Error& error = ran.error();
      REQUIRE(error.error_class == ErrorClass::kLength);
      std::array<char, 300> text;
      const size_t length = Describe(error, text);
      const std::string said(text.data(), std::min(length, text.size()));
      REQUIRE(said.find("--") == std::string::npos);
      // Exact if the number can be represented.
      if (error.detail != Detail::kNegative && needed && *needed <= kLargest &&
          error.other_extent != kLargest) {
        REQUIRE(error.other_extent == *needed);
      }
    }
    if (dtype != DType::kU4 && dtype != DType::kU1) {
      const auto summed = SumTo(view, Extents{3});
      REQUIRE(summed.has_value() == holds);
    }
  }
  REQUIRE(held > 500);
}

TEST_CASE("extremes: sums that are brought piece by piece") {
  for (const Extents& shape : LargeShapes()) {
    for (const DType dtype : {DType::kU8, DType::kF32, DType::kF64, DType::kC64,
                              DType::kC128, DType::kI64}) {
      Extents column = shape;
      column.back() = 1;
      Extents row = shape;
      row.front() = 1;
      for (const Extents& to :
           {Extents{}, Extents{shape.back()}, column, row}) {
        INFO(::Catch::Detail::stringify(shape)
             << " of " << Info(dtype).name << " to "
             << ::Catch::Detail::stringify(to));
        const Wide bytes = BytesOf(Product(shape), dtype);
        // An empty result still has sums.
        const bool countable =
            IsCountable(shape, dtype) && IsCountable(to, dtype);
        REQUIRE(SumPlan::Make(dtype, shape, to).has_value() == countable);
        for (const size_t room : {size_t{64}, size_t{128} << 10, SIZE_MAX}) {
          for (const SumInput from :
               {SumInput::kBrought, SumInput::kInMemory}) {
            auto stream = SumStream::Make(dtype, shape, to, room, {}, from);
            if (!countable) {
              REQUIRE(!stream);
              continue;
            }
            if (!stream) {
              REQUIRE(room == 64);
              REQUIRE(stream.error().error_class == ErrorClass::kLimit);
              REQUIRE(stream.error().extent > 64);
              continue;
            }
            REQUIRE(Wide{stream->input_bytes()} == bytes);
            REQUIRE(Wide{stream->output_bytes()} ==
                    BytesOf(Product(to), dtype));
            REQUIRE(stream->memory_bytes() <= room);
            if (stream->done()) continue;
            const broadloom::Segments segments = stream->input();
            REQUIRE((bytes == 0) == (segments.bytes == 0));
            if (bytes == 0) continue;
            REQUIRE(Wide{segments.begin} +
                        Wide{segments.step} * (segments.count - 1) +
                        segments.bytes <=
                    bytes);
          }
        }
      }
    }
  }
}

// Loops that no plan makes, but any caller can.
TEST_CASE("extremes: loops, schedules and orders of any numbers") {
  Extents numbers = {0, 1, 2, 3, -1, INT64_MIN, INT64_MIN + 1};
  for (const int64_t n : Large()) {
    numbers.push_back(n);
    numbers.push_back(-n);
  }
  std::mt19937_64 random(11);
  const auto pick = [&] { return numbers[random() % numbers.size()]; };
  const broadloom::Allocator& heap = broadloom::DefaultAllocator();
  for (int round = 0; round < 20000; ++round) {
    const size_t rank = random() % 6 == 0 ? 100 : random() % 5;
    Extents shape(rank), a(rank), b(rank);
    for (size_t i = 0; i < rank; ++i) {
      shape[i] = pick();
      a[i] = pick();
      b[i] = random() % 2 == 0 ? 0 : pick();
    }
    broadloom::LoopNest nest;
    REQUIRE(nest.Reset(
        shape, 2,
        [&](size_t operand, size_t axis) {
          return operand == 0 ? a[axis] : b[axis];
        },
        heap));
    Wide elements = 1;
    for (const int64_t extent : shape) {
      elements = extent <= 0 ? 0 : std::min<Wide>(elements * extent, kLargest);
    }
    if (std::ranges::any_of(shape, [](int64_t i) { return i <= 0; })) {
      elements = 0;
    }
    REQUIRE(nest.element_count() == elements);
    broadloom::Schedule schedule;
    const uint8_t bits[] = {32, 8};
    REQUIRE(schedule.Reset(nest, bits, 64, broadloom::RunUse::kOneByOne, heap));
    REQUIRE(schedule.run_count() >= 0);
    REQUIRE((schedule.run_count() == 0) == (elements == 0));
    broadloom::SumOrder order;
    for (const DType dtype : {DType::kF32, DType::kC128, DType::kU4}) {
      const bool made = order.Reset(nest, dtype, heap);
      if (dtype == DType::kU4) REQUIRE(!made);
      if (!made) continue;
      REQUIRE(order.columns() > 0);
      REQUIRE(order.groups() > 0);
      REQUIRE(order.partials() > 0);
    }
  }
}

TEST_CASE("extremes: numbers read and written") {
  for (const int64_t n : Large()) {
    for (const int64_t number : {n, -n, INT64_MIN, INT64_MIN + 1}) {
      const std::string text = std::to_string(number);
      const auto integers = broadloom::ParseIntegers(text);
      REQUIRE(integers);
      REQUIRE(integers->values[0] == number);
      const auto shape = broadloom::ParseShape(text);
      REQUIRE(shape.has_value() == (number >= 0));
      if (!shape) {
        REQUIRE(shape.error().detail == Detail::kNegative);
        REQUIRE(shape.error().extent == number);
      }
      const Extents one = {number};
      std::array<char, 64> out;
      const size_t length = broadloom::FormatShape(one, out);
      REQUIRE(std::string(out.data(), length) == "(" + text + ",)");
    }
  }
  for (const char* text : {"9223372036854775808", "-9223372036854775809",
                           "-92233720368547758080", "18446744073709551616"}) {
    const auto integers = broadloom::ParseIntegers(text);
    REQUIRE(!integers);
    REQUIRE(integers.error().detail == Detail::kUnsafe);
  }
}

}  // namespace
