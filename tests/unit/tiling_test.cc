// How work is cut into tiles, and what is refused. That tiles compute what
// they should is regions_test.cc's to find out.

#include "broadloom/tiling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/tiles.h"

namespace {

using broadloom::Detail;
using broadloom::DType;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::Op;
using broadloom::Piece;
using broadloom::Plan;
using broadloom::Result;
using broadloom::ShapeView;
using broadloom::Tiling;
using Extents = std::vector<int64_t>;

// Large enough for the tiles of all tests.
alignas(64) std::byte memory[65536];

Result<Plan> PlanOf(Op op, const std::vector<Extents>& shapes, DType dtype,
                    const broadloom::ApplyOptions& options = {}) {
  const std::vector<ShapeView> views(shapes.begin(), shapes.end());
  const std::vector<DType> dtypes(shapes.size(), dtype);
  return MakePlan(op, views, dtypes, options);
}

TEST_CASE("tiling: the header's example") {
  const auto plan = PlanOf(Op::kAdd, {{1000, 1000}, {1000}}, DType::kF32);
  REQUIRE(plan);
  const auto tiling = Tiling::Make(*plan, 256 << 10);
  REQUIRE(tiling);
  REQUIRE(tiling->tile_count() == 32);
  REQUIRE(tiling->operand(0, 0) == Piece{0, 128'000});
  REQUIRE(tiling->operand(1, 0) == Piece{128'000, 128'000});
  REQUIRE(tiling->operand(31, 0) == Piece{31 * 128'000, 32'000});
  REQUIRE(tiling->result(31) == Piece{31 * 128'000, 32'000});
  for (int64_t tile = 0; tile < 32; ++tile) {
    REQUIRE(tiling->operand(tile, 1) == Piece{0, 4000});
    REQUIRE(!tiling->shares_byte(tile));
  }
  REQUIRE(tiling->memory_bytes() <= 256 << 10);
  REQUIRE(tiling->memory_bytes() > 200 << 10);
}

TEST_CASE("tiling: work that has room is one tile") {
  const auto plan = PlanOf(Op::kAdd, {{2, 3}, {3}}, DType::kF32);
  const auto tiling = Tiling::Make(*plan, 192);
  REQUIRE(tiling);
  REQUIRE(tiling->tile_count() == 1);
  REQUIRE(tiling->place(0) == 0);
  REQUIRE(tiling->place(1) == 64);
  REQUIRE(tiling->result_place() == 128);
  REQUIRE(tiling->memory_bytes() == 192);
}

TEST_CASE("tiling: nothing to compute is no tile") {
  for (const Extents& shape : {Extents{0, 3}, Extents{3, 0}}) {
    const auto plan = PlanOf(Op::kAdd, {shape, {1}}, DType::kF32);
    const auto tiling = Tiling::Make(*plan, 0);
    REQUIRE(tiling);
    REQUIRE(tiling->tile_count() == 0);
    REQUIRE(tiling->memory_bytes() == 0);
  }
  const auto plan = PlanOf(Op::kAdd, {{4, 3}, {1}}, DType::kF32);
  const IndexRange none[] = {{2, 2}, {0, 3}};
  REQUIRE(Tiling::Make(*plan, none, 0)->tile_count() == 0);
}

TEST_CASE("tiling: results that no memory holds are cut all the same") {
  const int64_t huge = int64_t{1} << 40;
  const auto plan = PlanOf(Op::kAdd, {{huge, 1}, {1024}}, DType::kF32);
  REQUIRE(plan);
  const auto tiling = Tiling::Make(*plan, 256 << 10);
  REQUIRE(tiling);
  REQUIRE(tiling->tile_count() == (huge + 61) / 62);
  const int64_t last = tiling->tile_count() - 1;
  const Piece piece = tiling->result(last);
  REQUIRE(piece.begin + piece.bytes == uint64_t{1} << 52);
  // A window of it.
  const IndexRange box[] = {{huge - 10, huge}, {100, 110}};
  const auto window = Tiling::Make(*plan, box, 256 << 10);
  REQUIRE(window);
  REQUIRE(window->tile_count() == 1);
  REQUIRE(window->operand(0, 0) ==
          Piece{static_cast<uint64_t>(huge - 10) * 4, 40});
  REQUIRE(window->operand(0, 1) == Piece{400, 40});
  REQUIRE(window->result(0) == Piece{0, 400});
}

TEST_CASE("tiling: what is read over and over is copied once") {
  const auto plan =
      PlanOf(Op::kAdd, {{500, 1, 400}, {1, 30, 400}}, DType::kF32);
  const auto tiling = Tiling::Make(*plan, 512 << 10);
  REQUIRE(tiling);
  REQUIRE(tiling->tile_count() > 50);
  for (int64_t tile = 0; tile < tiling->tile_count(); ++tile) {
    REQUIRE(tiling->operand(tile, 1) == Piece{0, 48'000});
  }
}

TEST_CASE("tiling: what is refused") {
  const auto plan = PlanOf(Op::kAdd, {{2, 3}, {3}}, DType::kF32);
  auto tiling = Tiling::Make(*plan, 191);
  REQUIRE(!tiling);
  REQUIRE(tiling.error().error_class == ErrorClass::kLimit);
  REQUIRE(tiling.error().extent == 192);
  REQUIRE(tiling.error().other_extent == 191);
  REQUIRE(tiling.error().op == Op::kAdd);

  const IndexRange outside[] = {{0, 2}, {0, 4}};
  tiling = Tiling::Make(*plan, outside, 4096);
  REQUIRE(!tiling);
  REQUIRE(tiling.error().error_class == ErrorClass::kExtent);
  REQUIRE(tiling.error().detail == Detail::kOutOfRange);

  const auto many = PlanOf(Op::kBroadcast, {{2, 1}, {3}}, DType::kF32,
                           {.rule = broadloom::Rule::kSonnx});
  REQUIRE(many);
  tiling = Tiling::Make(*many, 4096);
  REQUIRE(!tiling);
  REQUIRE(tiling.error().error_class == ErrorClass::kArity);
  REQUIRE(tiling.error().extent == 2);
  REQUIRE(tiling.error().other_extent == 1);

  tiling = Tiling::Make(Plan(), 4096);
  REQUIRE(!tiling);
}

TEST_CASE("tiling: tiles that are not there, and memory that is too short") {
  const auto plan = PlanOf(Op::kAdd, {{2, 3}, {3}}, DType::kF32);
  const auto tiling = Tiling::Make(*plan, 192);
  REQUIRE(RunTile(*plan, *tiling, 0, memory));
  for (const int64_t tile : {int64_t{-1}, int64_t{1}, INT64_MAX, INT64_MIN}) {
    const auto ran = RunTile(*plan, *tiling, tile, memory);
    REQUIRE(!ran);
    REQUIRE(ran.error().error_class == ErrorClass::kExtent);
    REQUIRE(ran.error().extent == tile);
    REQUIRE(ran.error().other_extent == 1);
  }
  const auto ran = RunTile(*plan, *tiling, 0, std::span(memory).first(191));
  REQUIRE(!ran);
  REQUIRE(ran.error().error_class == ErrorClass::kLength);
}

TEST_CASE("tiling: nothing is allocated up to rank 8 and 4 operands") {
  const Extents a = {2, 1, 3, 1, 2, 1, 3, 1};
  const Extents b = {1, 4, 1, 5, 1, 4, 1, 5};
  const auto plan = PlanOf(Op::kMax, {a, b, {5}, {}}, DType::kF32);
  REQUIRE(plan);
  testing::RequireNoAllocation([&](const broadloom::Allocator& allocator) {
    const auto tiling = Tiling::Make(*plan, 1024, allocator);
    return tiling && RunTile(*plan, *tiling, 3, memory);
  });
}

TEST_CASE("tiling: refused memory is an error") {
  const Extents wide(20, 2);
  const auto plan =
      PlanOf(Op::kMax, std::vector<Extents>(9, wide), DType::kF32);
  REQUIRE(plan);
  const size_t requests = testing::RefuseEach([&](const auto& allocator) {
    return Tiling::Make(*plan, 65536, allocator);
  });
  REQUIRE(requests > 3);
}

TEST_CASE("tiling: a tile of any number of operands allocates nothing") {
  for (const size_t operands : {4u, 5u, 9u, 100u}) {
    const auto plan = PlanOf(
        Op::kSum, std::vector<Extents>(operands, Extents{7}), DType::kF32);
    REQUIRE(plan);
    // The least that always does, and that nothing beyond it is written.
    const size_t least = (operands > 4 ? 128 : 64) * (operands + 1);
    const auto tiling = Tiling::Make(*plan, least);
    REQUIRE(tiling);
    const size_t used = tiling->memory_bytes();
    REQUIRE(used <= least);
    std::ranges::fill(memory, std::byte{0x5A});
    for (size_t i = 0; i < operands; ++i) {
      const std::vector<float> ones(7, 1.0f);
      std::memcpy(memory + tiling->place(i), ones.data(), 28);
    }
    testing::RequireNoAllocation([&](const broadloom::Allocator&) {
      return RunTile(*plan, *tiling, 0, {memory, used}).has_value();
    });
    float sums[7];
    std::memcpy(sums, memory + tiling->result_place(), 28);
    REQUIRE(sums[0] == static_cast<float>(operands));
    REQUIRE(sums[6] == static_cast<float>(operands));
    REQUIRE(memory[used] == std::byte{0x5A});
  }
}

}  // namespace
