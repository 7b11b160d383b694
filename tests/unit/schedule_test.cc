// How results are cut into runs: the choice for each named pattern, and the
// properties of all schedules, checked with plain loops over the elements.

#include "broadloom/internal/schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/kernel_cases.h"
#include "unit/allocation_watch.h"

namespace {

using namespace broadloom;
using Extents = std::vector<int64_t>;

constexpr OperandRun kDirect = {RunForm::kDirect, 0, 0};
constexpr OperandRun kConstant = {RunForm::kConstant, 0, 0};
constexpr OperandRun kFresh = {RunForm::kTile, 1, 1};
constexpr OperandRun Tiles(uint8_t tiles, uint16_t serves) {
  return {RunForm::kTile, tiles, serves};
}

// --- Patterns with a name ----------------------------------------------------

struct Pattern {
  const char* name;
  std::vector<Extents> shapes;
  // Extents of all operands and of the result: Add, or Broadcast of one operand
  // to `target`.
  DType dtype;
  Extents target;
  size_t split;
  int64_t run_steps;
  int64_t step_elements;
  int64_t run_count;
  std::vector<OperandRun> operands;
  LoopBytes loops = {};
};

std::string Text(const Schedule& schedule, size_t operands) {
  std::string text = "split " + std::to_string(schedule.split()) +
                     ", runs of " + std::to_string(schedule.run_steps()) +
                     " x " + std::to_string(schedule.step_elements()) + ", " +
                     std::to_string(schedule.run_count()) + " of them;";
  constexpr const char* kForms[] = {" direct", " constant", " tile"};
  for (size_t k = 0; k < operands; ++k) {
    const OperandRun& run = schedule.operand(k);
    text += kForms[static_cast<size_t>(run.form)];
    if (run.tiles > 1) text += " x " + std::to_string(run.tiles);
    if (run.serves > 0) text += " for " + std::to_string(run.serves);
  }
  return text;
}

TEST_CASE("schedule: named patterns") {
  const std::vector<Pattern> patterns = {
      // 65,536 bytes if nothing is expanded.
      {"same",
       {{1024, 1024}, {1024, 1024}},
       DType::kF32,
       {},
       0,
       16384,
       1,
       64,
       {kDirect, kDirect}},
      {"scalar",
       {{1024, 1024}, {}},
       DType::kF32,
       {},
       0,
       16384,
       1,
       64,
       {kDirect, kConstant}},
      {"scalar first",
       {{}, {1000, 1000}},
       DType::kU8,
       {},
       0,
       62528,
       1,
       16,
       {kConstant, kDirect}},
      {"row",
       {{1024, 1024}, {1024}},
       DType::kF32,
       {},
       1,
       1024,
       1,
       1024,
       {kDirect, kDirect}},
      {"column",
       {{1024, 1024}, {1024, 1}},
       DType::kF32,
       {},
       1,
       1024,
       1,
       1024,
       {kDirect, kConstant}},
      {"outer",
       {{1000, 1}, {1, 1000}},
       DType::kF32,
       {},
       1,
       1000,
       1,
       1000,
       {kConstant, kDirect}},
      {"NCHW bias",
       {{8, 64, 56, 56}, {64, 1, 1}},
       DType::kF32,
       {},
       2,
       3136,
       1,
       512,
       {kDirect, kConstant}},
      // 4,096 bytes if an operand is expanded, rounded to whole vectors of the
      // result.
      {"rgb",
       {{768, 768, 3}, {3}},
       DType::kF32,
       {},
       0,
       336,
       3,
       1756,
       {kDirect, Tiles(1, 1756)}},
      {"thin",
       {{524288, 3}, {524288, 1}},
       DType::kF32,
       {},
       0,
       336,
       3,
       1561,
       {kDirect, kFresh}},
      {"thin of bytes",
       {{524288, 3}, {524288, 1}},
       DType::kU8,
       {},
       0,
       1344,
       3,
       391,
       {kDirect, kFresh}},
      {"moved thin",
       {{524288, 1}},
       DType::kF32,
       {524288, 3},
       0,
       336,
       3,
       1561,
       {kFresh}},
      {"moved rgb",
       {{3}},
       DType::kF32,
       {768, 768, 3},
       0,
       336,
       3,
       1756,
       {Tiles(1, 1756)}},
      {"small", {{2, 3}, {3}}, DType::kF32, {}, 0, 2, 3, 1, {kDirect, kFresh}},
      {"one element",
       {{1, 1}, {}},
       DType::kF32,
       {},
       0,
       1,
       1,
       1,
       {kConstant, kConstant}},
      {"packed",
       {{100000}},
       DType::kU4,
       {3, 100000},
       1,
       4032,
       1,
       75,
       {kDirect}},
      // The second operand is the same 64 x 48 elements for each step of the
      // outermost loop, so its tiles are made once.
      {"kept tiles",
       {{256, 64, 48}, {64, 1}},
       DType::kF32,
       {},
       1,
       16,
       48,
       1024,
       {kDirect, Tiles(4, 256)}},
      // Rows of 3/4 of a vector, which two halves store, are cheaper than a
      // tile that serves one run.
      {"rows of a part of a vector",
       {{407, 174, 23}, {407, 1, 23}},
       DType::kU8,
       {},
       2,
       23,
       1,
       70818,
       {kDirect, kDirect},
       {16, 32}},
      // Six tiles of 16 rows would be kept, but the runs between two uses read
      // and write more than the first-level cache has.
      {"rows, as tiles would be far",
       {{727, 92, 196}, {92, 1}},
       DType::kU8,
       {},
       2,
       196,
       1,
       66884,
       {kDirect, kConstant},
       {32, 64}},
      {"wide elements",
       {{1000, 3}, {1000, 1}},
       DType::kF64,
       {},
       0,
       168,
       3,
       6,
       {kDirect, kFresh}},
      // Where both operands would have a tile for each run, rows of half a
      // vector are cheaper.
      {"short rows",
       {{300, 40, 1}, {300, 1, 5}},
       DType::kF32,
       {},
       2,
       5,
       1,
       12000,
       {kConstant, kDirect},
       {16, 32}},
      {"short rows of a longer vector",
       {{300, 40, 1}, {300, 1, 5}},
       DType::kF32,
       {},
       0,
       4,
       200,
       75,
       {kFresh, kFresh},
       {32, 64}},
      {"short rows, of which a tile is kept",
       {{30000, 5}, {5}},
       DType::kF32,
       {},
       0,
       192,
       5,
       157,
       {kDirect, Tiles(1, 157)},
       {16, 32}},
  };
  for (const Pattern& pattern : patterns) {
    const std::vector<ShapeView> shapes(pattern.shapes.begin(),
                                        pattern.shapes.end());
    const std::vector<DType> dtypes(shapes.size(), pattern.dtype);
    ApplyOptions options;
    if (shapes.size() == 1) options.target_shape = pattern.target;
    const auto plan = MakePlan(shapes.size() == 1 ? Op::kBroadcast : Op::kAdd,
                               shapes, dtypes, options);
    REQUIRE(plan);
    // The plan's own schedule depends on the target.
    const std::vector<uint8_t> bits(
        shapes.size(), static_cast<uint8_t>(Info(pattern.dtype).bits));
    const KernelRuns runs(RunUse::kRows, pattern.loops);
    Schedule schedule;
    REQUIRE(schedule.Reset(plan->work().nest, bits, bits[0], runs,
                           DefaultAllocator()));
    INFO(pattern.name << ": " << Text(schedule, shapes.size()));
    CHECK(schedule.split() == pattern.split);
    CHECK(schedule.run_steps() == pattern.run_steps);
    CHECK(schedule.step_elements() == pattern.step_elements);
    CHECK(schedule.run_count() == pattern.run_count);
    for (size_t k = 0; k < shapes.size(); ++k) {
      CHECK(schedule.operand(k) == pattern.operands[k]);
    }
  }
}

TEST_CASE("schedule: results without elements have no runs") {
  const Extents a = {2, 0, 3};
  const Extents b = {3};
  const ShapeView shapes[] = {a, b};
  const DType dtypes[] = {DType::kF32, DType::kF32};
  const auto plan = MakePlan(Op::kAdd, shapes, dtypes);
  REQUIRE(plan);
  REQUIRE(plan->work().schedule.run_count() == 0);
}

TEST_CASE("schedule: results too large to run still have a plan") {
  // The bytes of all operands and of the result can be counted, but not those
  // of a result with elements as wide as the operands'.
  constexpr int64_t k2to59 = int64_t{1} << 59;
  for (const auto& [a, b] :
       std::vector<std::pair<Extents, Extents>>{{{2, 1, 4}, {k2to59, 1}},
                                                {{2, 1, 3}, {k2to59, 1}},
                                                {{2, 1, 4}, {k2to59 / 2, 1}},
                                                {{2, 1, 2}, {k2to59, 1}},
                                                {{4, 1}, {k2to59}},
                                                {{k2to59, 1}, {4}}}) {
    const ShapeView shapes[] = {a, b};
    const DType dtypes[] = {DType::kF64, DType::kF64};
    const auto plan = MakePlan(Op::kLess, shapes, dtypes);
    REQUIRE(plan);
    const Schedule& schedule = plan->work().schedule;
    INFO(Text(schedule, 2));
    REQUIRE(schedule.run_count() > 0);
    REQUIRE(schedule.run_steps() * schedule.step_elements() * 8 <=
            Schedule::kRunBytes);
    for (size_t k = 0; k < 2; ++k) CHECK(schedule.operand(k).tiles <= 1);
  }
}

// A row of more than 16 KiB that is added to each row of a matrix stays in the
// caches if the result is computed 8 KiB after 8 KiB, each for all rows; if the
// result is larger than the caches, if several rows are computed at a time.
TEST_CASE("schedule: rows that repeat stay in the caches") {
  enum class Order : uint8_t { kInOrder, kSwapped, kInterleaved };
  const auto order_of = [](const Extents& a, const Extents& b) {
    const ShapeView shapes[] = {a, b};
    const DType dtypes[] = {DType::kF32, DType::kF32};
    const auto plan = MakePlan(Op::kAdd, shapes, dtypes);
    REQUIRE(plan);
    const Schedule& schedule = plan->work().schedule;
    CHECK_FALSE((schedule.swaps_outer_loop() && schedule.interleaves_rows()));
    return schedule.swaps_outer_loop()   ? Order::kSwapped
           : schedule.interleaves_rows() ? Order::kInterleaved
                                         : Order::kInOrder;
  };
  // A row of 16 KiB, and a longer one.
  CHECK(order_of({100, 4096}, {4096}) == Order::kInOrder);
  CHECK(order_of({100, 4097}, {4097}) == Order::kSwapped);
  // 10 MiB in all, less 32 KiB; and 10 MiB and the row.
  CHECK(order_of({159, 8192}, {8192}) == Order::kSwapped);
  CHECK(order_of({160, 8192}, {8192}) == Order::kInterleaved);
  // Rows of 16 MiB.
  CHECK(order_of({2, 4 << 20}, {4 << 20}) == Order::kInterleaved);
  // The other operand has a tile.
  CHECK(order_of({1, 2000, 7}, {300, 2000, 1}) == Order::kInOrder);
}

// --- What holds for every schedule -------------------------------------------

struct Loops {
  Extents extents;
  std::vector<Extents> strides;  // by operand
  std::vector<uint8_t> bits;
  uint8_t result_bits;
};

Loops RandomLoops(reference::Random& random) {
  Loops loops;
  loops.extents.resize(random.Below(6));
  for (int64_t& extent : loops.extents) {
    constexpr int64_t kLong[] = {33, 100, 256, 1023, 5000};
    extent = random.Below(4) == 0 ? kLong[random.Below(std::size(kLong))]
                                  : static_cast<int64_t>(random.Below(8)) + 2;
  }
  int64_t count = 1;
  for (int64_t& extent : loops.extents) {
    if (count * extent > 200'000) extent = 2;
    count *= extent;
  }
  constexpr uint8_t kBits[] = {1, 4, 8, 16, 32, 64, 128};
  const uint8_t bits = kBits[random.Below(std::size(kBits))];
  loops.result_bits = random.Below(4) == 0 && bits >= 8 ? 8 : bits;
  loops.strides.resize(1 + random.Below(5));
  for (Extents& strides : loops.strides) {
    loops.bits.push_back(random.Below(8) == 0 ? 8 : bits);
    strides.resize(loops.extents.size());
    int64_t dense = 1;
    for (size_t axis = strides.size(); axis-- > 0;) {
      const size_t kind = random.Below(12);
      if (kind < 5) continue;  // repeats
      strides[axis] = kind == 5 ? -dense : kind == 6 ? dense * 2 : dense;
      dense =
          std::max<int64_t>(std::abs(strides[axis]), 1) * loops.extents[axis];
    }
  }
  return loops;
}

// A description of an error in the shuffle of an operand whose tile has the
// operand's element `at(i)` at `i`; or nothing.
template <class At>
std::string ShuffleFault(const Schedule& schedule, size_t operand,
                         int64_t elements, size_t operands, const At& at) {
  const uint8_t* const shuffle = schedule.shuffle(operand);
  bool near = operands <= broadloom::kInlineOperands;
  for (int64_t i = 0; i < elements; ++i) {
    near = near && at(i) >= 0 && at(i) < elements;
    if (shuffle != nullptr && shuffle[i] != at(i)) return "shuffle";
  }
  if (shuffle == nullptr) return {};
  if (!near) return "a shuffle from afar";
  for (int64_t i = elements; i < Schedule::kVectorBytes; ++i) {
    if (shuffle[i] != 0) return "the rest of a shuffle";
  }
  if (*std::max_element(shuffle, shuffle + elements) != shuffle[elements - 1]) {
    return "the end of a shuffle";
  }
  return {};
}

// A description of an error in a schedule, or nothing.
std::string Fault(const LoopNest& nest, const Loops& loops,
                  const Schedule& schedule) {
  const size_t split = schedule.split();
  int64_t step = 1;
  int64_t turns = 1;
  for (size_t loop = 0; loop < nest.loop_count(); ++loop) {
    if (loop < split) turns *= nest.extent(loop);
    if (loop > split) step *= nest.extent(loop);
  }
  const bool any = nest.loop_count() > 0;
  const int64_t extent = any ? nest.extent(split) : 1;
  const int64_t steps = schedule.run_steps();
  if (schedule.step_elements() != step) return "elements of a step";
  if (schedule.split_extent() != extent) return "steps of the split loop";
  if (steps < 1 || steps > extent) return "steps of a run";
  if (schedule.runs_a_turn() != (extent + steps - 1) / steps) {
    return "runs of a turn";
  }
  if (schedule.run_count() != turns * schedule.runs_a_turn()) return "runs";

  int64_t widest = std::max(1, loops.result_bits / 8);
  bool packed = false;
  bool tiles = false;
  for (size_t k = 0; k < loops.bits.size(); ++k) {
    widest = std::max<int64_t>(widest, loops.bits[k] / 8);
    packed = packed || loops.bits[k] < 8;
    tiles = tiles || schedule.operand(k).form == RunForm::kTile;
  }
  const int64_t run_bytes = steps * step * widest;
  if (run_bytes >
      (tiles || packed ? Schedule::kTileBytes : Schedule::kRunBytes)) {
    return "bytes of a run";
  }

  const bool fits = !packed && schedule.run_count() == 1 &&
                    run_bytes <= Schedule::kVectorBytes;
  if (schedule.FitsVector(Schedule::kVectorBytes) != fits ||
      (fits && (schedule.FitsVector(static_cast<size_t>(run_bytes - 1)) ||
                !schedule.FitsVector(static_cast<size_t>(run_bytes))))) {
    return "fits a vector";
  }

  int64_t kept_bytes = 0;
  for (size_t k = 0; k < loops.bits.size(); ++k) {
    // Where the elements of a run of this operand are.
    const auto at = [&](int64_t left) {
      int64_t offset = 0;
      for (size_t loop = nest.loop_count(); loop-- > split;) {
        offset += left % nest.extent(loop) * nest.stride(k, loop);
        left /= nest.extent(loop);
      }
      return offset;
    };
    bool direct = true;
    bool constant = true;
    for (int64_t i = 0; i < steps * step; ++i) {
      direct = direct && at(i) == i;
      constant = constant && at(i) == 0;
    }
    const OperandRun& run = schedule.operand(k);
    const RunForm form = constant ? RunForm::kConstant
                         : direct ? RunForm::kDirect
                                  : RunForm::kTile;
    const std::string who = " of operand " + std::to_string(k);
    if (run.form != form) return "form" + who;
    if (fits && form == RunForm::kTile) {
      const std::string fault =
          ShuffleFault(schedule, k, steps * step, loops.bits.size(), at);
      if (!fault.empty()) return fault + who;
    }
    if ((form == RunForm::kTile) != (run.tiles > 0)) return "tiles" + who;
    if ((run.tiles > 0) != (run.serves > 0)) return "use" + who;
    if (run.tiles > 1 && run.serves < 2) return "no use" + who;
    if (run.tiles <= 1) continue;
    // All tiles of some loops are kept and reused.
    int64_t walked = 1;
    bool again = false;
    const auto walk = [&](int64_t loop_extent, int64_t stride) {
      if (walked == run.tiles && stride == 0) again = true;
      if (walked < run.tiles && stride != 0) walked *= loop_extent;
    };
    walk(schedule.runs_a_turn(), nest.stride(k, split));
    for (size_t loop = split; loop-- > 0;) {
      walk(nest.extent(loop), nest.stride(k, loop));
    }
    if (packed || walked != run.tiles || !again) return "tiles kept" + who;
    const int64_t bytes = (steps * step * loops.bits[k] / 8 + 63) / 64 * 64;
    kept_bytes += bytes * (run.tiles - 1);
  }
  if (kept_bytes > Schedule::KeptBytes(nest.operand_count()))
    return "bytes of tiles";
  return {};
}

TEST_CASE("schedule: runs cover the result, forms match the memory layout") {
  reference::Random random(3);
  LoopNest nest;
  Schedule schedule;  // used repeatedly
  size_t kept = 0;
  size_t fresh = 0;
  size_t tiles = 0;
  size_t shuffles = 0;
  const Allocator& allocator = DefaultAllocator();
  for (int round = 0; round < 4000; ++round) {
    const Loops loops = RandomLoops(random);
    REQUIRE(nest.Reset(
        loops.extents, loops.strides.size(),
        [&](size_t operand, size_t axis) {
          return loops.strides[operand][axis];
        },
        allocator));
    constexpr LoopBytes kLoops[] = {{8, 16},  {64, 16}, {16, 32},
                                    {64, 32}, {32, 64}, {64, 64}};
    const KernelRuns runs(RunUse::kRows,
                          kLoops[random.Below(std::size(kLoops))]);
    REQUIRE(
        schedule.Reset(nest, loops.bits, loops.result_bits, runs, allocator));
    const std::string fault = Fault(nest, loops, schedule);
    if (!fault.empty()) {
      FAIL("round " << round << ": " << fault << ": "
                    << Text(schedule, loops.bits.size()));
    }
    for (size_t k = 0; k < loops.bits.size(); ++k) {
      tiles += schedule.operand(k).form == RunForm::kTile ? 1 : 0;
      kept += schedule.operand(k).tiles > 1 ? 1 : 0;
      fresh += schedule.operand(k).serves == 1 ? 1 : 0;
      shuffles += schedule.shuffle(k) != nullptr ? 1 : 0;
    }
  }
  // The cases did occur.
  REQUIRE(tiles > 500);
  REQUIRE(kept > 50);
  REQUIRE(fresh > 50);
  REQUIRE(shuffles > 50);
}

TEST_CASE("schedule: it allocates only beyond 4 operands and a result") {
  const Extents extents = {3, 2, 3, 2, 3, 2, 3, 2};
  const auto stride = [](size_t operand, size_t axis) -> int64_t {
    return axis % 2 == operand % 2 ? int64_t{1} << (7 - axis) : 0;
  };
  for (const size_t operands : {1, 4, 5, 6, 40}) {
    LoopNest nest;
    REQUIRE(nest.Reset(extents, operands, stride, DefaultAllocator()));
    const std::vector<uint8_t> bits(operands, 32);
    const auto make = [&](const Allocator& allocator) {
      Schedule schedule;
      return schedule.Reset(nest, bits, 32, broadloom::RunUse::kRows,
                            allocator);
    };
    if (operands <= 5) {
      testing::RequireNoAllocation(make);
      continue;
    }
    size_t refused = 0;
    for (;; ++refused) {
      testing::Hook hook(refused);
      const bool made = make(hook.get());
      REQUIRE(made == (hook.calls() <= refused));
      if (made) break;
    }
    REQUIRE(refused > 0);
  }
}

}  // namespace
