// Cached, streaming and automatic stores write the same bytes, at any address
// of the result, and none beside it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/trial.h"

namespace {

using namespace reference;
using broadloom::MutableTensorView;
using broadloom::Plan;
using broadloom::StorePolicy;
using broadloom::TensorView;

struct Case {
  Op op;
  std::vector<DType> dtypes;
  std::vector<Extents> shapes;
  Extents target;  // of Broadcast
};

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  const auto binary = [&](Op op, DType dtype) {
    const std::vector<DType> two(2, dtype);
    cases.push_back({op, two, {{37}, {37}}, {}});
    cases.push_back({op, two, {{1300}, {}}, {}});
    cases.push_back({op, two, {{19, 67}, {67}}, {}});
    cases.push_back({op, two, {{500, 3}, {3}}, {}});
    cases.push_back({op, two, {{3, 70, 5}, {70, 1}}, {}});
  };
  binary(Op::kSub, DType::kU8);
  binary(Op::kMax, DType::kF16);
  binary(Op::kSub, DType::kI32);
  binary(Op::kMul, DType::kI64);
  binary(Op::kLess, DType::kF64);
  for (const DType dtype :
       {DType::kU8, DType::kU16, DType::kF32, DType::kI64, DType::kC64,
        DType::kC128, DType::kU4, DType::kU1}) {
    cases.push_back({Op::kBroadcast, {dtype}, {{}}, {1500}});
    cases.push_back({Op::kBroadcast, {dtype}, {{333}}, {4, 333}});
    cases.push_back({Op::kBroadcast, {dtype}, {{400, 1}}, {400, 3}});
    cases.push_back({Op::kBroadcast, {dtype}, {{3}}, {9, 3}});
    cases.push_back({Op::kBroadcast, {dtype}, {{70, 1}}, {9, 70, 5}});
  }
  cases.push_back({Op::kWhere,
                   {DType::kBool, DType::kC64, DType::kC64},
                   {{300, 1}, {2}, {300, 2}},
                   {}});
  cases.push_back({Op::kWhere,
                   {DType::kBool, DType::kC128, DType::kC128},
                   {{2}, {300, 1}, {300, 2}},
                   {}});
  cases.push_back({Op::kSum,
                   std::vector<DType>(5, DType::kBF16),
                   {{40, 33}, {33}, {40, 1}, {}, {40, 33}},
                   {}});
  cases.push_back({Op::kMax, std::vector<DType>(1, DType::kF32), {{999}}, {}});
  cases.push_back({Op::kPow, {DType::kI32, DType::kU8}, {{40, 33}, {33}}, {}});
  return cases;
}

TEST_CASE("stores: every policy, at every address of the result") {
  uint64_t seed = 0;
  for (const Case& one : AllCases()) {
    Question question{.rule = "numpy", .operands = one.shapes};
    if (one.op == Op::kBroadcast) {
      question.rule = "bidirectional";
      question.target = one.target;
    }
    const Trial trial(question, one.op, one.dtypes, ++seed);
    INFO(trial.name());
    REQUIRE(trial.answer.error == "");
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    const std::vector<TensorView> inputs = trial.inputs();
    // Complex numbers are aligned to their two parts.
    const DType dtype = trial.result;
    const bool complex = dtype == DType::kC64 || dtype == DType::kC128;
    const size_t width = std::max<size_t>(BytesOf(dtype), 1);
    const size_t step = complex ? width / 2 : width;
    ForEachTarget([&](const std::string& target) {
      Outputs apart(dtype, trial.answer.result, 1);
      REQUIRE(Run(*plan, inputs, apart.views));
      const std::string fault = trial.Fault(0, apart.memory[0]);
      if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
      for (size_t skew = 0; skew < 64; skew += step) {
        for (const StorePolicy stores :
             {StorePolicy::kAutomatic, StorePolicy::kCached,
              StorePolicy::kStreaming}) {
          Guarded memory(trial.output_bytes(), skew);
          const MutableTensorView out{dtype, trial.answer.result, memory.data(),
                                      trial.output_bytes()};
          const bool ran =
              Run(*plan, inputs, {&out, 1}, {.stores = stores}).has_value();
          const bool same =
              SameResults(one.op, dtype, memory.view(), apart.memory[0]);
          if (ran && same && memory.IsWhole()) continue;
          FAIL_CHECK(target << ": " << trial.name() << " at byte " << skew
                            << ", stores " << static_cast<int>(stores)
                            << (!ran    ? ": Run failed"
                                : !same ? ": another result"
                                        : ": wrote beside"));
          return;
        }
      }
    });
  }
}

TEST_CASE("stores: regions and several results are streamed too") {
  Trial trial({.rule = "sonnx", .operands = {{61, 1}, {47}}}, Op::kBroadcast,
              {DType::kF32, DType::kF32}, 2);
  const auto plan = trial.MakePlan();
  REQUIRE(plan);
  ForEachTarget([&](const std::string& target) {
    INFO(target);
    Outputs out(DType::kF32, trial.answer.result, 2);
    REQUIRE(Run(*plan, trial.inputs(), out.views,
                {.stores = StorePolicy::kStreaming}));
    REQUIRE(trial.Fault(0, out.memory[0]) == "");
    REQUIRE(trial.Fault(1, out.memory[1]) == "");
    const broadloom::IndexRange box[] = {{3, 60}, {1, 46}};
    Outputs part(DType::kF32, {57, 45}, 2);
    Outputs cached(DType::kF32, {57, 45}, 2);
    REQUIRE(RunRegion(*plan, box, trial.inputs(), part.views,
                      {.stores = StorePolicy::kStreaming}));
    REQUIRE(RunRegion(*plan, box, trial.inputs(), cached.views,
                      {.stores = StorePolicy::kCached}));
    REQUIRE(part.memory == cached.memory);
  });
}

TEST_CASE("stores: the automatic choice depends only on the result's bytes") {
  const Extents one = {1};
  const auto chosen = [&](DType dtype, int64_t extent) {
    const Extents target = {extent};
    const broadloom::ShapeView shapes[] = {one};
    const auto plan =
        broadloom::MakePlan(Op::kBroadcast, shapes, {&dtype, 1},
                            {.target_shape = broadloom::ShapeView(target)});
    REQUIRE(plan);
    return ChosenStores(*plan);
  };
  const auto bytes = static_cast<int64_t>(broadloom::kStreamingBytes);
  REQUIRE(chosen(DType::kU8, bytes) == StorePolicy::kStreaming);
  REQUIRE(chosen(DType::kU8, bytes - 1) == StorePolicy::kCached);
  REQUIRE(chosen(DType::kF64, bytes / 8) == StorePolicy::kStreaming);
  REQUIRE(chosen(DType::kF64, bytes / 8 - 1) == StorePolicy::kCached);
  REQUIRE(chosen(DType::kU4, bytes * 2) == StorePolicy::kCached);
  REQUIRE(broadloom::ChosenStores(Plan()) == StorePolicy::kCached);
}

}  // namespace
