// UnifyChunks: that the chunks which it returns fit together, that its costs
// are those that counting pieces one by one gives, that limits are kept, and
// that it is never dearer than cutting at every boundary.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/questions.h"
#include "reference/trial.h"
#include "unit/allocation_watch.h"
#include "unit/boxes.h"

namespace {

using namespace reference;
using broadloom::ChunkCost;
using broadloom::Detail;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::Plan;
using broadloom::ShapeView;
using broadloom::UnifiedChunks;
using broadloom::UnifyChunks;
using broadloom::UnifyOptions;
using testing::Box;

// By operand and axis, the extents of chunks.
using Chunks = std::vector<std::vector<Extents>>;

// A call with lists that own their extents.
broadloom::Result<UnifiedChunks> Unify(
    const Plan& plan, const Chunks& chunks, const UnifyOptions& options = {},
    const broadloom::Allocator& allocator = broadloom::DefaultAllocator()) {
  std::vector<std::vector<ShapeView>> views;
  for (const auto& operand : chunks) {
    views.emplace_back(operand.begin(), operand.end());
  }
  const std::vector<std::span<const ShapeView>> lists(views.begin(),
                                                      views.end());
  return UnifyChunks(plan, lists, options, allocator);
}

Extents RandomChunks(Random& random, int64_t extent) {
  Extents chunks;
  const size_t kind = random.Below(4);
  const int64_t most =
      kind == 0 ? extent : 1 + static_cast<int64_t>(random.Below(5));
  for (int64_t left = extent; left > 0;) {
    if (random.Below(12) == 0) chunks.push_back(0);
    int64_t next = most;
    if (kind == 1) {
      next =
          1 + static_cast<int64_t>(random.Below(static_cast<size_t>(extent)));
    }
    chunks.push_back(std::min(next, left));
    left -= chunks.back();
  }
  return chunks;
}

std::vector<IndexRange> RangesOf(ShapeView chunks) {
  std::vector<IndexRange> ranges;
  int64_t begin = 0;
  for (const int64_t extent : chunks) {
    if (extent > 0) ranges.push_back({begin, begin + extent});
    begin += extent;
  }
  return ranges;
}

// Every box of a grid, given the ranges along its axes, with its place in it.
struct Grid {
  std::vector<std::vector<IndexRange>> axes;

  std::vector<Extents> places() const {
    Extents counts;
    for (const auto& axis : axes) {
      counts.push_back(static_cast<int64_t>(axis.size()));
    }
    return Cells(counts);
  }
  Box at(const Extents& place) const {
    Box box;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      box.push_back(axes[axis][static_cast<size_t>(place[axis])]);
    }
    return box;
  }
};

bool Meet(const Box& a, const Box& b) {
  for (size_t axis = 0; axis < a.size(); ++axis) {
    if (a[axis].begin >= b[axis].end || b[axis].begin >= a[axis].end) {
      return false;
    }
  }
  return true;
}

// The costs of cutting `chunks` anew into the grid's, counted one by one.
struct Counted {
  int64_t pieces = 0;
  int64_t moved_elements = 0;
};
Counted Count(const Grid& from, const Grid& to) {
  Counted counted;
  for (const Extents& place : to.places()) {
    const Box box = to.at(place);
    int64_t pieces = 0;
    for (const Extents& old : from.places()) {
      if (Meet(box, from.at(old))) ++pieces;
    }
    counted.pieces += pieces;
    if (pieces > 1) {
      counted.moved_elements += reference::Count(testing::ShapeOf(box));
    }
  }
  return counted;
}

std::string FaultOf(const Trial& trial, const Plan& plan, const Chunks& chunks,
                    const UnifyOptions& options, const UnifiedChunks& unified) {
  const Extents& shape = trial.answer.result;
  Grid result;
  int64_t count = 1;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const ShapeView extents = unified.result(axis);
    int64_t sum = 0;
    for (const int64_t extent : extents) {
      if (extent <= 0) return "a chunk is empty";
      sum += extent;
    }
    if (sum != shape[axis]) return "chunks do not sum to the extent";
    result.axes.push_back(RangesOf(extents));
    count *= static_cast<int64_t>(extents.size());
  }
  ChunkCost cost;
  cost.chunks = count;
  std::vector<Grid> grids;
  std::vector<bool> moves;
  for (size_t i = 0; i < trial.dtypes.size(); ++i) {
    Grid old, cut;
    bool same = true;
    for (size_t axis = 0; axis < chunks[i].size(); ++axis) {
      old.axes.push_back(RangesOf(chunks[i][axis]));
      cut.axes.push_back(RangesOf(unified.operand(i, axis)));
      same = same && old.axes.back() == cut.axes.back();
    }
    const Counted counted = Count(old, cut);
    const uint64_t moved = BytesFor(static_cast<size_t>(counted.moved_elements),
                                    BitsOf(trial.dtypes[i]));
    if (unified.pieces(i) != counted.pieces) return "wrong pieces";
    if (unified.moved(i) != moved) return "wrong bytes moved";
    if (unified.rechunks(i) == same) return "rechunks() is wrong";
    cost.pieces += counted.pieces;
    cost.moved += moved;
    moves.push_back(moved > 0);
    grids.push_back(cut);
  }
  for (const Extents& place : result.places()) {
    const Box box = result.at(place);
    const auto regions = broadloom::InputRegions(plan, box);
    std::vector<uint64_t> read(grids.size());
    const auto of_box = broadloom::Cost(plan, box, read);
    if (!regions || !of_box) return "no regions";
    uint64_t peak = of_box->peak;
    for (size_t i = 0; i < grids.size(); ++i) {
      // The chunk of the operand at the same place: one for each chunk.
      Extents own;
      for (size_t axis = 0; axis < grids[i].axes.size(); ++axis) {
        own.push_back(0);
        for (size_t of = 0; of < shape.size(); ++of) {
          if (trial.answer.places[i][of] == static_cast<int>(axis) &&
              trial.question.operands[i][axis] != 1) {
            own.back() = place[of];
          }
        }
      }
      if (!std::ranges::equal((*regions)[i], grids[i].at(own))) {
        return "a region is no chunk of its operand";
      }
      if (moves[i]) peak += read[i];
    }
    cost.peak = std::max(cost.peak, peak);
  }
  if (unified.cost() != cost) return "wrong cost";
  if (cost.chunks > options.most_chunks) return "too many chunks";
  if (cost.peak > options.memory_bytes) return "too much memory";
  return {};
}

// The cost of cutting at every boundary.
uint64_t CostOfAll(const Trial& trial, const Chunks& chunks,
                   const UnifyOptions& options) {
  Grid result;
  int64_t tasks = 1;
  for (size_t axis = 0; axis < trial.answer.result.size(); ++axis) {
    std::set<int64_t> ends = {trial.answer.result[axis]};
    for (size_t i = 0; i < chunks.size(); ++i) {
      const int place = trial.answer.places[i][axis];
      if (place < 0) continue;
      const size_t own = static_cast<size_t>(place);
      if (trial.question.operands[i][own] == 1) continue;
      for (const IndexRange& range : RangesOf(chunks[i][own])) {
        ends.insert(range.end);
      }
    }
    result.axes.emplace_back();
    int64_t begin = 0;
    for (const int64_t end : ends) {
      result.axes.back().push_back({begin, end});
      begin = end;
    }
    tasks *= static_cast<int64_t>(ends.size());
  }
  for (size_t i = 0; i < chunks.size(); ++i) {
    int64_t pieces = 1;
    for (size_t axis = 0; axis < trial.answer.result.size(); ++axis) {
      const int place = trial.answer.places[i][axis];
      if (place < 0 ||
          trial.question.operands[i][static_cast<size_t>(place)] == 1) {
        continue;
      }
      pieces *= static_cast<int64_t>(result.axes[axis].size());
    }
    tasks += pieces;
  }
  return static_cast<uint64_t>(tasks) * options.task_bytes;
}

TEST_CASE("chunks: random chunks under every rule") {
  Random random(21);
  size_t limited = 0;
  for (const broadloom::RuleInfo& rule : broadloom::AllRules()) {
    const bool adds = Accepts(Op::kAdd, rule.rule);
    for (size_t round = 0; round < (kSanitized ? 30u : 150u); ++round) {
      const Question question = QuestionUnder(
          std::string(rule.name), random, adds ? 2 : 1 + random.Below(6), 300);
      DType dtype = DType::kF32;
      if (!adds && round % 3 == 0) dtype = DType::kU4;
      const Trial trial(question, adds ? Op::kAdd : Op::kBroadcast,
                        std::vector<DType>(question.operands.size(), dtype), 1,
                        false);
      const auto plan = trial.MakePlan();
      REQUIRE(plan);
      Chunks chunks;
      for (const Extents& shape : question.operands) {
        chunks.emplace_back();
        for (const int64_t extent : shape) {
          chunks.back().push_back(RandomChunks(random, extent));
        }
      }
      UnifyOptions options;
      options.task_bytes = uint64_t{1} << random.Below(12);
      const bool limits = random.Below(2) == 0;
      if (limits) {
        options.most_chunks = 1 + static_cast<int64_t>(random.Below(60));
        options.memory_bytes = 16 << random.Below(8);
      }
      INFO(trial.name() << ", memory " << options.memory_bytes << ", chunks "
                        << options.most_chunks);
      const auto unified = Unify(*plan, chunks, options);
      if (!unified) {
        REQUIRE(limits);
        REQUIRE(unified.error().error_class == ErrorClass::kLimit);
        REQUIRE(unified.error().detail == Detail::kMemory);
        REQUIRE(static_cast<uint64_t>(unified.error().extent) >
                options.memory_bytes);
        ++limited;
        continue;
      }
      const std::string fault =
          FaultOf(trial, *plan, chunks, options, *unified);
      if (!fault.empty()) FAIL(fault);
      if (limits) continue;
      const ChunkCost& cost = unified->cost();
      REQUIRE(cost.moved +
                  options.task_bytes *
                      static_cast<uint64_t>(cost.chunks + cost.pieces) <=
              CostOfAll(trial, chunks, options));
    }
  }
  REQUIRE(limited > 10);
}

Plan PlanOf(const std::vector<Extents>& operands, DType dtype = DType::kF32) {
  const std::vector<ShapeView> shapes(operands.begin(), operands.end());
  const std::vector<DType> types(operands.size(), dtype);
  auto plan = broadloom::MakePlan(Op::kSum, shapes, types);
  REQUIRE(plan);
  return std::move(*plan);
}

Extents Even(int64_t count, int64_t extent) {
  return Extents(static_cast<size_t>(count), extent / count);
}

TEST_CASE("chunks: strips of rows and strips of columns do not multiply") {
  // 256 MB each: the columns are moved, and 40 chunks stay 40.
  const Extents small = {8000, 8000};
  const auto strips =
      Unify(PlanOf({small, small}),
            {{Even(40, 8000), Even(1, 8000)}, {Even(1, 8000), Even(40, 8000)}});
  REQUIRE(strips);
  REQUIRE(strips->cost().chunks == 40);
  REQUIRE(strips->cost().pieces == 40 + 1600);
  REQUIRE(strips->cost().moved == 8000 * 8000 * 4);
  REQUIRE(!strips->rechunks(0));
  REQUIRE(strips->rechunks(1));
  // 40 GB each: moving them costs more than 4,800 tasks.
  const Extents large = {100000, 100000};
  const Plan plan = PlanOf({large, large});
  const Chunks chunks = {{Even(40, 100000), Even(1, 100000)},
                         {Even(1, 100000), Even(40, 100000)}};
  const auto cut = Unify(plan, chunks);
  REQUIRE(cut);
  REQUIRE(cut->cost().chunks == 1600);
  REQUIRE(cut->cost().moved == 0);
  // A bound on the chunks prevails.
  const auto bounded = Unify(plan, chunks, {.most_chunks = 400});
  REQUIRE(bounded);
  REQUIRE(bounded->cost().chunks <= 400);
}

TEST_CASE("chunks: an outer product stays below the most chunks") {
  const Plan plan = PlanOf({{10000, 1}, {10000}});
  const Chunks chunks = {{Even(1000, 10000), {1}}, {Even(1000, 10000)}};
  const auto product = Unify(plan, chunks);
  REQUIRE(product);
  REQUIRE(product->cost().chunks <= 100000);
  const auto ten = Unify(plan, chunks, {.most_chunks = 10});
  REQUIRE(ten);
  REQUIRE(ten->cost().chunks <= 10);
  // And within memory: 1 MB is 262,144 elements, 10^8 of them 382 chunks.
  const auto both =
      Unify(plan, chunks, {.memory_bytes = 1 << 20, .most_chunks = 2000});
  REQUIRE(both);
  REQUIRE(both->cost().peak <= 1 << 20);
  REQUIRE(both->cost().chunks <= 2000);
  const auto neither =
      Unify(plan, chunks, {.memory_bytes = 1 << 20, .most_chunks = 100});
  REQUIRE(!neither);
  REQUIRE(neither.error().error_class == ErrorClass::kLimit);
}

TEST_CASE("chunks: stretched and missing axes force nothing") {
  // a*x with x along one axis only.
  const auto unified = Unify(PlanOf({{100, 60}, {60}, {100, 1}, {}}),
                             {{{50, 50}, {60}}, {{60}}, {{100}, {1}}, {}});
  REQUIRE(unified);
  REQUIRE(unified->cost().chunks == 2);
  REQUIRE(std::ranges::equal(unified->operand(1, 0), Extents{60}));
  REQUIRE(std::ranges::equal(unified->operand(2, 0), Extents{50, 50}));
  REQUIRE(std::ranges::equal(unified->operand(2, 1), Extents{1}));
  REQUIRE(!unified->rechunks(0));
  REQUIRE(!unified->rechunks(3));
  REQUIRE(unified->cost().moved == 0);
}

TEST_CASE("chunks: results without elements, and scalars") {
  const auto empty = Unify(PlanOf({{0, 6}, {6}}), {{{}, {3, 3}}, {{0, 6, 0}}});
  REQUIRE(empty);
  REQUIRE(std::ranges::equal(empty->result(0), Extents{0}));
  REQUIRE(empty->cost().peak == 0);
  const auto scalar = Unify(PlanOf({{}, {}}), {{}, {}});
  REQUIRE(scalar);
  REQUIRE(scalar->cost() == ChunkCost{1, 2, 0, 12});
}

TEST_CASE("chunks: vast extents in few chunks") {
  constexpr int64_t kVast = int64_t{1} << 60;
  const Plan plan = PlanOf({{kVast}, {1}}, DType::kF16);
  const auto whole = Unify(plan, {{{kVast}}, {{1}}});
  REQUIRE(whole);
  REQUIRE(whole->cost().chunks == 1);
  // Halved until memory or chunks run out.
  const auto small = Unify(plan, {{{kVast}}, {{1}}}, {.memory_bytes = 1 << 20});
  REQUIRE(!small);
  REQUIRE(small.error().error_class == ErrorClass::kLimit);
  const auto halved =
      Unify(plan, {{{kVast}}, {{1}}}, {.memory_bytes = uint64_t{1} << 52});
  REQUIRE(halved);
  REQUIRE(halved->cost().chunks == 2048);
}

TEST_CASE("chunks: what is refused") {
  const Plan plan = PlanOf({{4, 6}, {6}});
  const auto refuse = [&](const Chunks& chunks) {
    const auto unified = Unify(plan, chunks);
    REQUIRE(!unified);
    REQUIRE(unified.error().op == Op::kSum);
    return unified.error();
  };
  REQUIRE(Unify(plan, {{{4}, {6}}, {{6}}}));
  const Error sum = refuse({{{4}, {6}}, {{3, 2}}});
  REQUIRE(sum.error_class == ErrorClass::kIncompatible);
  REQUIRE(sum.operand == 1);
  REQUIRE(sum.operand_axis == 0);
  REQUIRE(sum.extent == 5);
  REQUIRE(sum.other_extent == 6);
  char text[200];
  const size_t length = broadloom::Describe(sum, text);
  REQUIRE(std::string(text, length) ==
          "B has 5 along axis 0, but the plan is made for 6: give one of that "
          "shape.");
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  REQUIRE(refuse({{{4}, {kMost, kMost}}, {{6}}}).extent == kMost);
  const Error negative = refuse({{{5, -1}, {6}}, {{6}}});
  REQUIRE(negative.error_class == ErrorClass::kExtent);
  REQUIRE(negative.detail == Detail::kNegative);
  REQUIRE(negative.operand == 0);
  REQUIRE(negative.operand_axis == 0);
  REQUIRE(negative.extent == -1);
  const Error rank = refuse({{{4}}, {{6}}});
  REQUIRE(rank.error_class == ErrorClass::kIncompatible);
  REQUIRE(rank.operand == 0);
  REQUIRE(rank.extent == 1);
  REQUIRE(rank.other_extent == 2);
  const Error count = refuse({{{4}, {6}}});
  REQUIRE(count.error_class == ErrorClass::kArity);
  REQUIRE(count.extent == 1);
  REQUIRE(count.other_extent == 2);
  REQUIRE(Unify(Plan(), {}).error().error_class == ErrorClass::kArity);
}

TEST_CASE("chunks: each refused allocation is an error") {
  const Plan plan = PlanOf({{1000, 6}, {1000, 1}, {6}, {6}, {6}});
  const Chunks chunks = {
      {Even(100, 1000), {6}}, {Even(200, 1000), {1}}, {{6}}, {{6}}, {{6}}};
  REQUIRE(testing::RefuseEach([&](const broadloom::Allocator& allocator) {
            return Unify(plan, chunks, {}, allocator);
          }) > 3);
}

}  // namespace
