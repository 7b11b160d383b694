// How a plan is cut into blocks, and which calls are refused. regions_test.cc
// checks what blocks compute.

#include "broadloom/blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/blocks.h"

namespace {

using broadloom::Blocks;
using broadloom::Detail;
using broadloom::DType;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::Op;
using broadloom::Plan;
using broadloom::Result;
using broadloom::Segment;
using broadloom::ShapeView;
using Extents = std::vector<int64_t>;

// Large enough for the blocks of all tests.
alignas(64) std::byte memory[65536];

Result<Plan> PlanOf(Op op, const std::vector<Extents>& shapes, DType dtype,
                    const broadloom::ApplyOptions& options = {}) {
  const std::vector<ShapeView> views(shapes.begin(), shapes.end());
  const std::vector<DType> dtypes(shapes.size(), dtype);
  return MakePlan(op, views, dtypes, options);
}

TEST_CASE("blocks: the header's example") {
  const auto plan = PlanOf(Op::kAdd, {{1000, 1000}, {1000}}, DType::kF32);
  REQUIRE(plan);
  const auto blocks = Blocks::Make(*plan, 256 << 10);
  REQUIRE(blocks);
  REQUIRE(blocks->count() == 32);
  REQUIRE(blocks->operand(0, 0) == Segment{0, 128'000});
  REQUIRE(blocks->operand(1, 0) == Segment{128'000, 128'000});
  REQUIRE(blocks->operand(31, 0) == Segment{31 * 128'000, 32'000});
  REQUIRE(blocks->result(31) == Segment{31 * 128'000, 32'000});
  for (int64_t block = 0; block < 32; ++block) {
    REQUIRE(blocks->operand(block, 1) == Segment{0, 4000});
    REQUIRE(!blocks->shares_byte(block));
  }
  REQUIRE(blocks->memory_bytes() <= 256 << 10);
  REQUIRE(blocks->memory_bytes() > 200 << 10);
}

TEST_CASE("blocks: a result that fits in memory is one block") {
  const auto plan = PlanOf(Op::kAdd, {{2, 3}, {3}}, DType::kF32);
  const auto blocks = Blocks::Make(*plan, 192);
  REQUIRE(blocks);
  REQUIRE(blocks->count() == 1);
  REQUIRE(blocks->place(0) == 0);
  REQUIRE(blocks->place(1) == 64);
  REQUIRE(blocks->result_place() == 128);
  REQUIRE(blocks->memory_bytes() == 192);
}

TEST_CASE("blocks: an empty result has no block") {
  for (const Extents& shape : {Extents{0, 3}, Extents{3, 0}}) {
    const auto plan = PlanOf(Op::kAdd, {shape, {1}}, DType::kF32);
    const auto blocks = Blocks::Make(*plan, 0);
    REQUIRE(blocks);
    REQUIRE(blocks->count() == 0);
    REQUIRE(blocks->memory_bytes() == 0);
  }
  const auto plan = PlanOf(Op::kAdd, {{4, 3}, {1}}, DType::kF32);
  const IndexRange none[] = {{2, 2}, {0, 3}};
  REQUIRE(Blocks::Make(*plan, none, 0)->count() == 0);
}

TEST_CASE("blocks: results larger than any memory can be cut") {
  const int64_t huge = int64_t{1} << 40;
  const auto plan = PlanOf(Op::kAdd, {{huge, 1}, {1024}}, DType::kF32);
  REQUIRE(plan);
  const auto blocks = Blocks::Make(*plan, 256 << 10);
  REQUIRE(blocks);
  REQUIRE(blocks->count() == (huge + 61) / 62);
  const int64_t last = blocks->count() - 1;
  const Segment segment = blocks->result(last);
  REQUIRE(segment.begin + segment.bytes == uint64_t{1} << 52);
  // A region of it.
  const IndexRange box[] = {{huge - 10, huge}, {100, 110}};
  const auto window = Blocks::Make(*plan, box, 256 << 10);
  REQUIRE(window);
  REQUIRE(window->count() == 1);
  REQUIRE(window->operand(0, 0) ==
          Segment{static_cast<uint64_t>(huge - 10) * 4, 40});
  REQUIRE(window->operand(0, 1) == Segment{400, 40});
  REQUIRE(window->result(0) == Segment{0, 400});
}

TEST_CASE("blocks: operand elements that are read repeatedly are copied once") {
  const auto plan =
      PlanOf(Op::kAdd, {{500, 1, 400}, {1, 30, 400}}, DType::kF32);
  const auto blocks = Blocks::Make(*plan, 512 << 10);
  REQUIRE(blocks);
  REQUIRE(blocks->count() > 50);
  for (int64_t block = 0; block < blocks->count(); ++block) {
    REQUIRE(blocks->operand(block, 1) == Segment{0, 48'000});
  }
}

TEST_CASE("blocks: errors") {
  const auto plan = PlanOf(Op::kAdd, {{2, 3}, {3}}, DType::kF32);
  auto blocks = Blocks::Make(*plan, 191);
  REQUIRE(!blocks);
  REQUIRE(blocks.error().error_class == ErrorClass::kLimit);
  REQUIRE(blocks.error().extent == 192);
  REQUIRE(blocks.error().other_extent == 191);
  REQUIRE(blocks.error().op == Op::kAdd);

  const IndexRange outside[] = {{0, 2}, {0, 4}};
  blocks = Blocks::Make(*plan, outside, 4096);
  REQUIRE(!blocks);
  REQUIRE(blocks.error().error_class == ErrorClass::kExtent);
  REQUIRE(blocks.error().detail == Detail::kOutOfRange);

  const auto many = PlanOf(Op::kBroadcast, {{2, 1}, {3}}, DType::kF32,
                           {.rule = broadloom::Rule::kSonnx});
  REQUIRE(many);
  blocks = Blocks::Make(*many, 4096);
  REQUIRE(!blocks);
  REQUIRE(blocks.error().error_class == ErrorClass::kArity);
  REQUIRE(blocks.error().extent == 2);
  REQUIRE(blocks.error().other_extent == 1);

  blocks = Blocks::Make(Plan(), 4096);
  REQUIRE(!blocks);
}

TEST_CASE("blocks: block numbers out of range, and too little memory") {
  const auto plan = PlanOf(Op::kAdd, {{2, 3}, {3}}, DType::kF32);
  const auto blocks = Blocks::Make(*plan, 192);
  REQUIRE(RunBlock(*plan, *blocks, 0, memory));
  for (const int64_t block : {int64_t{-1}, int64_t{1}, INT64_MAX, INT64_MIN}) {
    const auto ran = RunBlock(*plan, *blocks, block, memory);
    REQUIRE(!ran);
    REQUIRE(ran.error().error_class == ErrorClass::kExtent);
    REQUIRE(ran.error().extent == block);
    REQUIRE(ran.error().other_extent == 1);
  }
  const auto ran = RunBlock(*plan, *blocks, 0, std::span(memory).first(191));
  REQUIRE(!ran);
  REQUIRE(ran.error().error_class == ErrorClass::kLength);
}

TEST_CASE("blocks: nothing is allocated up to rank 8 and 4 operands") {
  const Extents a = {2, 1, 3, 1, 2, 1, 3, 1};
  const Extents b = {1, 4, 1, 5, 1, 4, 1, 5};
  const auto plan = PlanOf(Op::kMax, {a, b, {5}, {}}, DType::kF32);
  REQUIRE(plan);
  testing::RequireNoAllocation([&](const broadloom::Allocator& allocator) {
    const auto blocks = Blocks::Make(*plan, 1024, allocator);
    return blocks && RunBlock(*plan, *blocks, 3, memory);
  });
}

TEST_CASE("blocks: a failed allocation is an error") {
  const Extents wide(20, 2);
  const auto plan =
      PlanOf(Op::kMax, std::vector<Extents>(9, wide), DType::kF32);
  REQUIRE(plan);
  const size_t requests = testing::RefuseEach([&](const auto& allocator) {
    return Blocks::Make(*plan, 65536, allocator);
  });
  REQUIRE(requests > 3);
}

TEST_CASE("blocks: a block of any number of operands allocates nothing") {
  for (const size_t operands : {4u, 5u, 9u, 100u}) {
    const auto plan = PlanOf(
        Op::kSum, std::vector<Extents>(operands, Extents{7}), DType::kF32);
    REQUIRE(plan);
    // The least memory that always suffices, and nothing beyond it is written.
    const size_t least = (operands > 4 ? 128 : 64) * (operands + 1);
    const auto blocks = Blocks::Make(*plan, least);
    REQUIRE(blocks);
    const size_t used = blocks->memory_bytes();
    REQUIRE(used <= least);
    std::ranges::fill(memory, std::byte{0x5A});
    for (size_t i = 0; i < operands; ++i) {
      const std::vector<float> ones(7, 1.0f);
      std::memcpy(memory + blocks->place(i), ones.data(), 28);
    }
    testing::RequireNoAllocation([&](const broadloom::Allocator&) {
      return RunBlock(*plan, *blocks, 0, {memory, used}).has_value();
    });
    float sums[7];
    std::memcpy(sums, memory + blocks->result_place(), 28);
    REQUIRE(sums[0] == static_cast<float>(operands));
    REQUIRE(sums[6] == static_cast<float>(operands));
    REQUIRE(memory[used] == std::byte{0x5A});
  }
}

}  // namespace
