// Work on several threads: the same bytes for any number of threads and any
// order of tasks; small work is not divided; and the library's own threads.

#include "broadloom/threads.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
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
using broadloom::ErrorClass;
using broadloom::ParallelFor;
using broadloom::Plan;
using broadloom::RunOptions;
using broadloom::StorePolicy;
using broadloom::Threads;

struct Case {
  Op op;
  std::vector<DType> dtypes;
  std::vector<Extents> shapes;
  Extents target;  // of Broadcast; empty under sonnx
};

// Each is more than twice kLeastBytesAThread.
std::vector<Case> LargeCases() {
  const std::vector<DType> i32(2, DType::kI32);
  return {
      {Op::kSub, i32, {{200, 1001}, {200, 1001}}, {}},
      {Op::kSub, i32, {{200, 1001}, {1001}}, {}},
      {Op::kSub, i32, {{1001, 200}, {1001, 1}}, {}},
      {Op::kSub, i32, {{70001, 3}, {3}}, {}},
      {Op::kSub, i32, {{3, 70001}, {3, 1}}, {}},
      {Op::kSub, i32, {{70, 31, 90}, {31, 1}}, {}},
      {Op::kLess, std::vector<DType>(2, DType::kF64), {{3001, 40}, {40}}, {}},
      {Op::kWhere,
       {DType::kBool, DType::kC128, DType::kC128},
       {{9001, 1}, {5}, {9001, 5}},
       {}},
      {Op::kMax,
       std::vector<DType>(6, DType::kF16),
       {{613, 501}, {501}, {613, 1}, {}, {613, 501}, {1, 501}},
       {}},
      {Op::kMean,
       std::vector<DType>(5, DType::kBF16),
       {{613, 501}, {501}, {613, 1}, {}, {613, 501}},
       {}},
      {Op::kPow, {DType::kI64, DType::kU8}, {{29, 2503}, {29, 1}}, {}},
      {Op::kBroadcast, {DType::kF32}, {{70001, 1}}, {70001, 3}},
      {Op::kBroadcast, {DType::kU8}, {{}}, {777'777}},
      // Packed: runs end inside a byte, and two threads may not share one.
      {Op::kBroadcast, {DType::kU4}, {{1201, 1}}, {1201, 1003}},
      {Op::kBroadcast, {DType::kU4}, {{3, 1}}, {3, 500'001}},
      {Op::kBroadcast, {DType::kU1}, {{5003, 1}}, {5003, 1001}},
      {Op::kBroadcast, {DType::kU1}, {{1001}}, {5003, 1001}},
      {Op::kWhere,
       {DType::kBool, DType::kU1, DType::kU1},
       {{1009, 1}, {1003}, {1009, 1003}},
       {}},
      {Op::kBroadcast, {DType::kI16, DType::kI16}, {{700, 1}, {701}}, {}},
  };
}

TEST_CASE("threads: any number of them, in any order, gives the same bytes") {
  uint64_t seed = 0;
  for (const Case& one : LargeCases()) {
    Question question{.rule = "numpy", .operands = one.shapes};
    if (one.op == Op::kBroadcast) {
      question.rule = one.target.empty() ? "sonnx" : "bidirectional";
      if (!one.target.empty()) question.target = one.target;
    }
    const Trial trial(question, one.op, one.dtypes, ++seed, false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    const size_t outputs = plan->output_count();
    ForEachTarget([&](const std::string& target) {
      INFO(target << ' ' << trial.name());
      Outputs alone(trial.result, trial.answer.result, outputs, 1);
      REQUIRE(Run(*plan, trial.inputs(), alone.views));
      for (const size_t threads : {1, 2, 3, 7}) {
        for (const bool real : {false, true}) {
          for (const StorePolicy stores :
               {StorePolicy::kCached, StorePolicy::kStreaming}) {
            const TestLoop loop(threads, real);
            Outputs shared(trial.result, trial.answer.result, outputs, 2);
            REQUIRE(Run(*plan, trial.inputs(), shared.views,
                        {.stores = stores, .parallel = loop.get()}));
            if (!SameResults(one.op, trial.result, shared.memory,
                             alone.memory)) {
              FAIL_CHECK(threads << " threads" << (real ? "" : ", backwards")
                                 << ", stores " << static_cast<int>(stores));
              return;
            }
            // With one thread, no loop is called.
            REQUIRE(loop.calls() == (threads == 1 ? 0 : outputs));
            REQUIRE(loop.tasks() >= 2 * loop.calls());
          }
        }
      }
    });
  }
}

// Runs each task on two memories with different contents, to find the bytes
// that it writes. If two tasks wrote the same byte, threads would race for it,
// even if they seldom run at the same time.
struct Watch {
  static void RunWatched(void* context, size_t tasks,
                         void (*task)(void* state, size_t index), void* state) {
    Watch& self = *static_cast<Watch*>(context);
    Buffer& out = *self.out;
    Buffer result(out.size());
    for (size_t i = 0; i < tasks; ++i) {
      std::vector<bool> written(out.size());
      for (const uint8_t fill : {uint8_t{0x00}, uint8_t{0xFF}}) {
        out.assign(out.size(), fill);
        task(state, i);
        for (size_t at = 0; at < out.size(); ++at) {
          written[at] = written[at] || out[at] != fill;
        }
      }
      for (size_t at = 0; at < out.size(); ++at) {
        if (!written[at]) continue;
        result[at] = out[at];
        self.shared += self.writers[at]++ == 0 ? 0 : 1;
      }
    }
    out.assign(result.begin(), result.end());
  }

  Buffer* out;
  std::vector<int> writers = std::vector<int>(out->size());
  size_t shared = 0;
};

TEST_CASE("threads: each byte is written by exactly one task") {
  for (const Case& one : LargeCases()) {
    Question question{.rule = "numpy", .operands = one.shapes};
    if (one.op == Op::kBroadcast) {
      if (one.target.empty()) continue;
      question.rule = "bidirectional";
      question.target = one.target;
    }
    const Trial trial(question, one.op, one.dtypes, 3, false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    for (const StorePolicy stores :
         {StorePolicy::kCached, StorePolicy::kStreaming}) {
      INFO(trial.name() << ", stores " << static_cast<int>(stores));
      Outputs alone(trial.result, trial.answer.result, 1, 1);
      REQUIRE(Run(*plan, trial.inputs(), alone.views));
      Outputs shared(trial.result, trial.answer.result, 1, 2);
      Watch watch{.out = shared.memory.data()};
      const ParallelFor loop{&watch, 4, &Watch::RunWatched};
      REQUIRE(Run(*plan, trial.inputs(), shared.views,
                  {.stores = stores, .parallel = &loop}));
      REQUIRE(watch.shared == 0);
      REQUIRE(std::ranges::count(watch.writers, 0) == 0);
      REQUIRE(SameResults(one.op, trial.result, shared.memory, alone.memory));
    }
  }
}

TEST_CASE(
    "threads: regions, strided operands and given outputs are divided too") {
  const Extents shape = {700, 701};
  const Extents strides = {1, 700};
  const Trial trial({.rule = "numpy", .operands = {shape, {701}}}, Op::kSub,
                    {DType::kI32, DType::kI32}, 4, false);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  std::vector<broadloom::TensorView> inputs = trial.inputs();
  inputs[0].strides = strides;
  const broadloom::IndexRange box[] = {{11, 690}, {3, 699}};
  for (const bool real : {false, true}) {
    const TestLoop loop(5, real);
    Outputs alone(DType::kI32, {679, 696}, 1, 1);
    Outputs shared(DType::kI32, {679, 696}, 1, 2);
    REQUIRE(RunRegion(*plan, box, inputs, alone.views));
    REQUIRE(
        RunRegion(*plan, box, inputs, shared.views, {.parallel = loop.get()}));
    REQUIRE(shared.memory == alone.memory);
    REQUIRE(loop.calls() == 1);
  }
}

TEST_CASE("threads: small work is never divided") {
  const TestLoop loop(8);
  const auto calls_of = [&](DType dtype, int64_t extent) {
    const Extents one = {1};
    const Extents target = {extent};
    const Trial trial(
        {.rule = "bidirectional", .operands = {one}, .target = target},
        Op::kBroadcast, {dtype}, 1, false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    Outputs out(dtype, target, 1);
    const size_t before = loop.calls();
    REQUIRE(Run(*plan, trial.inputs(), out.views, {.parallel = loop.get()}));
    return loop.calls() - before;
  };
  // Less than two parts.
  const auto least = static_cast<int64_t>(2 * broadloom::kLeastBytesAThread);
  for (const int64_t bytes : {int64_t{0}, int64_t{8}, least / 2, least - 8}) {
    REQUIRE(calls_of(DType::kU8, bytes) == 0);
    REQUIRE(calls_of(DType::kF64, bytes / 8) == 0);
    REQUIRE(calls_of(DType::kU1, bytes * 8) == 0);
  }
  REQUIRE(calls_of(DType::kU8, least) == 1);
  REQUIRE(calls_of(DType::kF64, least / 8) == 1);
  REQUIRE(calls_of(DType::kU1, least * 8) == 1);
  REQUIRE(calls_of(DType::kU1, least * 8 - 8) == 0);

  // A loop of no thread is ignored.
  const TestLoop none(0);
  const Extents shape = {1 << 20};
  const Trial trial({.rule = "numpy", .operands = {shape, {}}}, Op::kAdd,
                    {DType::kU8, DType::kU8}, 1, false);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  Outputs out(DType::kU8, shape, 1);
  REQUIRE(Run(*plan, trial.inputs(), out.views, {.parallel = none.get()}));
  REQUIRE(none.calls() == 0);

  // Apply passes the loop on.
  Outputs applied(DType::kU8, shape, 1);
  REQUIRE(Apply(Op::kAdd, trial.inputs(), applied.views[0],
                {.run = {.parallel = loop.get()}}));
  REQUIRE(applied.memory == out.memory);
  const auto made = broadloom::Apply(Op::kAdd, trial.inputs(),
                                     {.run = {.parallel = loop.get()}});
  REQUIRE(made);
  REQUIRE(std::ranges::equal(made->as<uint8_t>(), out.memory[0]));
  REQUIRE(loop.calls() == 5);
}

// --- Threads -----------------------------------------------------------------

// Each of `tasks` tasks is run once, by at most as many threads as there are.
void CheckLoop(const ParallelFor& loop, size_t tasks) {
  std::vector<std::atomic<int>> runs(tasks);
  loop.run(
      loop.context, tasks,
      [](void* state, size_t index) {
        ++(*static_cast<std::vector<std::atomic<int>>*>(state))[index];
      },
      &runs);
  size_t wrong = 0;
  for (const std::atomic<int>& count : runs) wrong += count == 1 ? 0 : 1;
  REQUIRE(wrong == 0);
}

TEST_CASE("threads: as many as requested, each task once") {
  for (const size_t count : {1, 2, 3, 7}) {
    auto threads = Threads::Make(count);
    REQUIRE(threads);
    REQUIRE(threads->parallel_for().threads == count);
    for (const size_t tasks : {0, 1, 2, 3, 8, 1000}) {
      CheckLoop(threads->parallel_for(), tasks);
    }
  }
  auto all = Threads::Make();
  REQUIRE(all);
  REQUIRE(all->parallel_for().threads ==
          std::max(1u, std::thread::hardware_concurrency()));
  CheckLoop(all->parallel_for(), 10);
  const Threads none;
  REQUIRE(none.parallel_for().threads == 1);
  CheckLoop(none.parallel_for(), 10);
}

TEST_CASE("threads: too many are an error") {
  for (const size_t count : {size_t{1025}, size_t{2000}, SIZE_MAX}) {
    const auto threads = Threads::Make(count);
    REQUIRE(!threads);
    REQUIRE(threads.error().error_class == ErrorClass::kLimit);
    REQUIRE(threads.error().extent ==
            static_cast<int64_t>(std::min<size_t>(count, INT64_MAX)));
    REQUIRE(threads.error().other_extent == 1024);
  }
}

TEST_CASE(
    "threads: failed allocations are errors, and all memory is released") {
  for (const size_t refused : {size_t{0}, testing::Hook::kNever}) {
    testing::Hook hook(refused);
    {
      const auto threads = Threads::Make(2, hook.get());
      REQUIRE(threads.has_value() == (refused != 0));
      if (!threads) {
        REQUIRE(threads.error().error_class == ErrorClass::kAllocation);
      }
      REQUIRE(hook.blocks() == (threads ? 1 : 0));
    }
    REQUIRE(hook.blocks() == 0);
  }
}

TEST_CASE("threads: they survive a move") {
  testing::Hook hook;
  {
    auto made = Threads::Make(3, hook.get());
    REQUIRE(made);
    Threads moved = std::move(*made);
    REQUIRE(moved.parallel_for().threads == 3);
    CheckLoop(moved.parallel_for(), 50);
    // The moved-from object has only the caller's thread.
    REQUIRE(made->parallel_for().threads == 1);
    CheckLoop(made->parallel_for(), 50);

    Threads assigned;
    assigned = std::move(moved);
    REQUIRE(assigned.parallel_for().threads == 3);
    CheckLoop(assigned.parallel_for(), 50);
    CheckLoop(moved.parallel_for(), 5);
    auto other = Threads::Make(2, hook.get());
    REQUIRE(other);
    assigned = std::move(*other);
    REQUIRE(assigned.parallel_for().threads == 2);
    CheckLoop(assigned.parallel_for(), 50);
    Threads& self = assigned;
    assigned = std::move(self);
    CheckLoop(assigned.parallel_for(), 50);
  }
  REQUIRE(hook.blocks() == 0);
}

TEST_CASE("threads: runs divided among the library's threads") {
  const auto threads = Threads::Make(3);
  REQUIRE(threads);
  for (const Case& one : LargeCases()) {
    Question question{.rule = "numpy", .operands = one.shapes};
    if (one.op == Op::kBroadcast) {
      question.rule = one.target.empty() ? "sonnx" : "bidirectional";
      if (!one.target.empty()) question.target = one.target;
    }
    const Trial trial(question, one.op, one.dtypes, 9, false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    INFO(trial.name());
    Outputs alone(trial.result, trial.answer.result, plan->output_count(), 1);
    REQUIRE(Run(*plan, trial.inputs(), alone.views));
    for (int round = 0; round < 3; ++round) {
      Outputs shared(trial.result, trial.answer.result, plan->output_count(),
                     2);
      REQUIRE(Run(*plan, trial.inputs(), shared.views,
                  {.parallel = &threads->parallel_for()}));
      REQUIRE(SameResults(one.op, trial.result, shared.memory, alone.memory));
    }
  }
}

}  // namespace
