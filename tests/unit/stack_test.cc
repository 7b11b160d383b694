// Memory that running needs besides operands and results: no heap, and no more
// stack than the header says, on the deepest call paths through the kernel
// drivers.

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
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
using broadloom::Plan;
using broadloom::StorePolicy;
using broadloom::TensorView;

#if defined(NDEBUG)
constexpr bool kOptimised = true;
#else
constexpr bool kOptimised = false;
#endif

// Runs work(state) on a thread whose stack is filled with a pattern. Returns
// the number of stack bytes written, or 0 if there is no such thread.
size_t StackOf(void* (*work)(void* state), void* state) {
  constexpr size_t kBytes = size_t{512} << 10;
  constexpr uint8_t kPaint = 0xB7;
  const std::unique_ptr<void, decltype(&std::free)> memory(
      std::aligned_alloc(4096, kBytes), &std::free);
  auto* const stack = static_cast<uint8_t*>(memory.get());
  std::fill_n(stack, kBytes, kPaint);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kBytes);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, work, state) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return 0;
  pthread_join(thread, nullptr);
  size_t untouched = 0;
  while (untouched < kBytes && stack[untouched] == kPaint) ++untouched;
  return kBytes - untouched;
}

struct Deep {
  const char* what;
  Op op;
  std::vector<DType> dtypes;
  std::vector<Extents> shapes;
  // Strides of the operands: none, or all axes reversed.
  bool reversed = false;
};

std::vector<Deep> AllDeep() {
  // Spans: (64,1) is the same for each of 256 steps around it.
  const Extents whole = {64, 64, 12};
  const Extents column = {64, 1};
  const Extents row = {12};
  return {
      {"two tiles", Op::kSub, {DType::kI32, DType::kI32}, {column, row}},
      {"small", Op::kSub, {DType::kU8, DType::kU8}, {{3, 1}, {5}}},
      {"comparison", Op::kLess, {DType::kF64, DType::kF64}, {whole, column}},
      {"Pow with conversions",
       Op::kPow,
       {DType::kF16, DType::kI64},
       {whole, column}},
      {"Pow with other conversions",
       Op::kPow,
       {DType::kU8, DType::kF64},
       {column, whole}},
      {"Pow of f32", Op::kPow, {DType::kF32, DType::kF32}, {column, row}},
      {"Pow of bf16 by u64",
       Op::kPow,
       {DType::kBF16, DType::kU64},
       {row, column}},
      {"Sum of 6",
       Op::kSum,
       std::vector<DType>(6, DType::kF16),
       {whole, column, row, {64, 1, 1}, {64, 12}, column}},
      {"Mean of 6 wide ones",
       Op::kMean,
       std::vector<DType>(6, DType::kF64),
       {whole, column, row, {64, 1, 1}, {64, 12}, column}},
      {"Max of 5",
       Op::kMax,
       std::vector<DType>(5, DType::kBF16),
       {whole, column, row, column, column}},
      {"Where of packed elements",
       Op::kWhere,
       {DType::kBool, DType::kU4, DType::kU4},
       {column, whole, row}},
      {"Where of bits, reversed",
       Op::kWhere,
       {DType::kBool, DType::kU1, DType::kU1},
       {column, whole, row},
       true},
      {"wide Where",
       Op::kWhere,
       {DType::kBool, DType::kC128, DType::kC128},
       {column, whole, row}},
      {"Where",
       Op::kWhere,
       {DType::kBool, DType::kF32, DType::kF32},
       {column, row, whole},
       true},
      {"Broadcast",
       Op::kBroadcast,
       {DType::kC128, DType::kC128},
       {column, {12}}},
      {"Broadcast of bits",
       Op::kBroadcast,
       {DType::kU1, DType::kU1},
       {column, {12}},
       true},
      {"rank 16",
       Op::kMax,
       std::vector<DType>(3, DType::kF16),
       {{2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1},
        {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2},
        {2, 1}}},
  };
}

struct Work {
  const Plan* plan;
  const std::vector<TensorView>* inputs;
  const Outputs* out;
  const std::vector<broadloom::IndexRange>* box;
  StorePolicy stores;
  bool ran = false;
};

void* RunIt(void* state) {
  Work& work = *static_cast<Work*>(state);
  work.ran = RunRegion(*work.plan, *work.box, *work.inputs, work.out->views,
                       {.stores = work.stores})
                 .has_value();
  return nullptr;
}

TEST_CASE("stack: the deepest call paths need less than 64 KiB") {
  if (kSanitized || !kOptimised) SKIP("this build's stack is its own");
  // The thread's own use: its record and the system's first calls.
  const size_t idle = StackOf([](void*) -> void* { return nullptr; }, nullptr);
  REQUIRE(idle > 0);
  uint64_t seed = 0;
  std::string report;
  size_t most = 0;
  for (const Deep& deep : AllDeep()) {
    const bool moves = deep.op == Op::kBroadcast;
    const Trial trial(
        {.rule = moves ? "sonnx" : "numpy", .operands = deep.shapes}, deep.op,
        deep.dtypes, ++seed, false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    std::vector<TensorView> inputs = trial.inputs();
    std::vector<Extents> strides;
    for (const TensorView& input : inputs) {
      strides.emplace_back(input.shape.size());
      int64_t dense = 1;
      for (size_t axis = input.shape.size(); axis-- > 0;) {
        strides.back()[axis] = -dense;
        dense *= input.shape[axis];
      }
    }
    for (size_t k = 0; k < inputs.size() && deep.reversed; ++k) {
      inputs[k].strides = strides[k];
      inputs[k].offset = Count(deep.shapes[k]) - 1;
    }
    // Regions have the deepest call path, since they compute loops and runs.
    std::vector<broadloom::IndexRange> box;
    for (const int64_t extent : trial.answer.result) box.push_back({0, extent});
    Outputs out(trial.result, trial.answer.result, plan->output_count());
    ForEachTarget([&](const std::string& target) {
      for (const StorePolicy stores :
           {StorePolicy::kCached, StorePolicy::kStreaming}) {
        Work work = {&*plan, &inputs, &out, &box, stores};
        RunIt(&work);  // resolves functions that are bound at the first call
        REQUIRE(work.ran);
        work.ran = false;
        const size_t bytes = StackOf(&RunIt, &work) - idle;
        REQUIRE(work.ran);
        most = std::max(most, bytes);
        INFO(target << ' ' << deep.what << ": " << bytes << " bytes");
        CHECK(bytes < size_t{64} << 10);
      }
    });
  }
  // The deepest path expands tiles; less would mean that it was not taken.
  INFO("at most " << most << " bytes");
  REQUIRE(most > size_t{16} << 10);
}

struct Sums {
  TensorView from;
  broadloom::MutableTensorView to;
  bool ran = false;
};

void* SumThem(void* state) {
  Sums& sums = *static_cast<Sums*>(state);
  sums.ran = SumTo(sums.from, sums.to).has_value();
  return nullptr;
}

TEST_CASE("stack: sums need less than 64 KiB too") {
  if (kSanitized || !kOptimised) SKIP("this build's stack is its own");
  const size_t idle = StackOf([](void*) -> void* { return nullptr; }, nullptr);
  const std::vector<std::pair<Extents, Extents>> shapes = {
      {{400000}, {}},                 // parts, pieces of a long loop
      {{300000, 2, 3}, {2, 1}},       // loops folded at last
      {{100, 40, 70}, {1, 70}},       // rows where they lie
      {{50000, 5}, {50000, 1}},       // rows gathered
      {{40, 20, 7, 20}, {20, 1, 1}},  // both in parts
      {{2, 3, 4, 5, 6, 7, 8, 9}, {3, 1, 5, 1, 7, 1, 9}}};
  const std::vector<double> memory(4000000);
  std::vector<double> out(200000);
  size_t most = 0;
  for (const DType dtype : {DType::kF64, DType::kC128, DType::kF16}) {
    for (const auto& [from, to] : shapes) {
      Sums sums = {{dtype, from, memory.data(), memory.size() * 8},
                   {dtype, to, out.data(), out.size() * 8}};
      ForEachTarget([&](const std::string& target) {
        SumThem(&sums);
        REQUIRE(sums.ran);
        const size_t bytes = StackOf(&SumThem, &sums) - idle;
        most = std::max(most, bytes);
        INFO(target << ' ' << broadloom::Info(dtype).name << " of "
                    << Count(from) << ": " << bytes << " bytes");
        CHECK(bytes < size_t{64} << 10);
      });
    }
  }
  INFO("at most " << most << " bytes");
  REQUIRE(most > size_t{16} << 10);
}

TEST_CASE("stack: nothing is taken from the heap") {
  uint64_t seed = 0;
  for (const Deep& deep : AllDeep()) {
    if (deep.dtypes.size() > 4 || deep.shapes[0].size() > 8) continue;
    const bool moves = deep.op == Op::kBroadcast;
    const Trial trial(
        {.rule = moves ? "sonnx" : "numpy", .operands = deep.shapes}, deep.op,
        deep.dtypes, ++seed, false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    const std::vector<TensorView> inputs = trial.inputs();
    const Outputs out(trial.result, trial.answer.result, plan->output_count());
    std::vector<broadloom::IndexRange> box;
    for (const int64_t extent : trial.answer.result) box.push_back({0, extent});
    INFO(deep.what);
    testing::RequireNoAllocation([&](const broadloom::Allocator& allocator) {
      return Run(*plan, inputs, out.views, {}, allocator) &&
             RunRegion(*plan, box, inputs, out.views, {}, allocator);
    });
  }
}

}  // namespace
