#include "broadloom/internal/nest.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "broadloom/memory.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/kernel_cases.h"
#include "unit/allocation_watch.h"

namespace {

using broadloom::Allocator;
using broadloom::LoopNest;
using Extents = std::vector<int64_t>;

struct Walk {
  Extents extents;
  std::vector<Extents> strides;  // by operand and axis
};

bool Reset(LoopNest& nest, const Walk& walk,
           const Allocator& allocator = broadloom::DefaultAllocator()) {
  return nest.Reset(
      walk.extents, walk.strides.size(),
      [&](size_t operand, size_t axis) { return walk.strides[operand][axis]; },
      allocator);
}

// The source of each element of the result, by plain loops.
std::vector<Extents> Sources(const Walk& walk) {
  std::vector<Extents> sources(walk.strides.size());
  int64_t count = 1;
  for (const int64_t extent : walk.extents) count *= extent;
  for (int64_t cell = 0; cell < count; ++cell) {
    for (size_t k = 0; k < walk.strides.size(); ++k) {
      int64_t left = cell;
      int64_t source = 0;
      for (size_t axis = walk.extents.size(); axis-- > 0;) {
        source += left % walk.extents[axis] * walk.strides[k][axis];
        left /= walk.extents[axis];
      }
      sources[k].push_back(source);
    }
  }
  return sources;
}

// The loops as given.
Walk Loops(const LoopNest& nest) {
  Walk walk;
  for (size_t loop = 0; loop < nest.loop_count(); ++loop) {
    walk.extents.push_back(nest.extent(loop));
  }
  for (size_t k = 0; k < nest.operand_count(); ++k) {
    walk.strides.emplace_back();
    for (size_t loop = 0; loop < nest.loop_count(); ++loop) {
      walk.strides[k].push_back(nest.stride(k, loop));
    }
  }
  return walk;
}

TEST_CASE("nest: the header's example") {
  LoopNest nest;
  REQUIRE(
      Reset(nest, {{8, 64, 56, 56}, {{200704, 3136, 56, 1}, {0, 1, 0, 0}}}));
  REQUIRE(Loops(nest).extents == Extents{8, 64, 3136});
  REQUIRE(Loops(nest).strides ==
          std::vector<Extents>{{200704, 3136, 1}, {0, 1, 0}});
  REQUIRE(nest.element_count() == int64_t{8} * 64 * 3136);
}

TEST_CASE(
    "nest: loops visit the elements of the axes, and are as few as possible") {
  reference::Random random(7);
  LoopNest nest;  // one object, used repeatedly
  for (int round = 0; round < 3000; ++round) {
    Walk walk;
    walk.extents.resize(random.Below(7));
    for (int64_t& extent : walk.extents) {
      extent = static_cast<int64_t>(random.Below(4)) + 1;
    }
    walk.strides.resize(1 + random.Below(5));
    for (Extents& strides : walk.strides) {
      strides.resize(walk.extents.size());
      int64_t dense = random.Below(4) == 0 ? 3 : 1;
      for (size_t axis = strides.size(); axis-- > 0;) {
        constexpr size_t kKinds = 8;
        const size_t kind = random.Below(kKinds);
        // Mostly continues from the axis inside it.
        strides[axis] = kind == 0   ? 0
                        : kind == 1 ? -dense
                        : kind == 2
                            ? static_cast<int64_t>(random.Below(50)) - 25
                            : dense;
        dense = strides[axis] * walk.extents[axis];
      }
    }
    REQUIRE(Reset(nest, walk));
    const Walk loops = Loops(nest);
    REQUIRE(loops.strides.size() == walk.strides.size());
    REQUIRE(Sources(loops) == Sources(walk));
    REQUIRE(nest.element_count() ==
            static_cast<int64_t>(Sources(walk)[0].size()));
    for (size_t loop = 0; loop < loops.extents.size(); ++loop) {
      REQUIRE(loops.extents[loop] > 1);
      if (loop == 0) continue;
      bool one = true;  // could this loop and the one around it be joined?
      for (const Extents& strides : loops.strides) {
        one = one && strides[loop - 1] == strides[loop] * loops.extents[loop];
      }
      REQUIRE(!one);
    }
  }
}

TEST_CASE(
    "nest: no elements are one loop of extent 0, one element is no loop") {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (const Extents& extents : {Extents{0}, Extents{3, 0}, Extents{0, 4, 2},
                                 Extents{kMost, kMost, 0}, Extents{1, 0, 1}}) {
    LoopNest nest;
    REQUIRE(Reset(nest, {extents, {Extents(extents.size(), 5)}}));
    REQUIRE(nest.loop_count() == 1);
    REQUIRE(nest.extent(0) == 0);
    REQUIRE(nest.element_count() == 0);
  }
  for (const Extents& extents : {Extents{}, Extents{1}, Extents{1, 1, 1}}) {
    LoopNest nest;
    REQUIRE(Reset(nest, {extents, {Extents(extents.size(), 5)}}));
    REQUIRE(nest.loop_count() == 0);
    REQUIRE(nest.element_count() == 1);
  }
}

// Axes that cannot be joined: as many loops as axes.
Walk Alternating(size_t rank, size_t operands) {
  Walk walk{Extents(rank, 2), std::vector<Extents>(operands, Extents(rank, 0))};
  int64_t strides[2] = {1, 1};
  for (size_t axis = rank; axis-- > 0;) {
    walk.strides[axis % 2 % operands][axis] = strides[axis % 2];
    strides[axis % 2] *= 2;
  }
  return walk;
}

TEST_CASE("nest: it allocates only beyond rank 8, 4 operands and a result") {
  for (const size_t operands : {1, 2, 4, 5}) {
    const Walk walk = Alternating(8, operands);
    LoopNest nest;
    testing::RequireNoAllocation([&](const Allocator& allocator) {
      return Reset(nest, walk, allocator);
    });
    // A single operand whose axes can partly be joined.
    if (operands > 1) REQUIRE(nest.loop_count() == 8);
  }
  for (const Walk& walk : {Alternating(9, 2), Alternating(8, 6),
                           Alternating(16, 2), Alternating(16, 7)}) {
    for (size_t refused = 0;; ++refused) {
      testing::Hook hook(refused);
      const Allocator allocator = hook.get();
      LoopNest nest;
      const bool made = Reset(nest, walk, allocator);
      if (hook.calls() <= refused) {
        REQUIRE(made);
        REQUIRE(refused > 0);
        REQUIRE(Sources(Loops(nest)) == Sources(walk));
        break;
      }
      REQUIRE(!made);
    }
  }
}

}  // namespace
