#include "plans.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "measure.h"

namespace bench {
namespace {

using namespace broadloom;

// Uses the result, so that no part of the call can be optimised away.
template <class Call>
auto Kept(Call call) {
  return [call] {
    const auto result = call();
    Keep(&result);
  };
}

// A sum of f32 from one shape to another, with a kept plan and without one.
struct SumCase {
  SumCase(std::vector<int64_t> from, std::vector<int64_t> to)
      : shape(std::move(from)),
        summed(std::move(to)),
        data(static_cast<size_t>(CountElements(shape).value_or(0)), 1.0F),
        sums(static_cast<size_t>(CountElements(summed).value_or(0))),
        input{DType::kF32, shape, data.data(), data.size() * sizeof(float)},
        output{DType::kF32, summed, sums.data(), sums.size() * sizeof(float)},
        plan(SumPlan::Make(DType::kF32, shape, summed)) {}

  std::vector<int64_t> shape, summed;
  std::vector<float> data, sums;
  TensorView input;
  MutableTensorView output;
  Result<SumPlan> plan;
};

void AddSums(std::vector<Timed>& steps, double least) {
  static const SumCase small({32, 32}, {32});
  static const SumCase high({2, 3, 2, 3, 2, 3, 2, 3}, {3, 1, 3, 1, 3, 1, 3});
  static const SumCase large({1024, 1024}, {1024});
  const auto add = [&](const std::string& name, const SumCase& sum) {
    steps.emplace_back("SumPlan::Make " + name, least, Kept([&sum] {
                         return SumPlan::Make(DType::kF32, sum.shape,
                                              sum.summed);
                       }));
    steps.emplace_back("Run of a kept SumPlan " + name, least, Kept([&sum] {
                         return sum.plan->Run(sum.input, sum.output);
                       }));
    steps.emplace_back("SumTo " + name, least,
                       Kept([&sum] { return SumTo(sum.input, sum.output); }));
    steps.emplace_back("SumTo, into a new tensor " + name, least,
                       Kept([&sum] { return SumTo(sum.input, sum.summed); }));
  };
  add("(32,32) to (32)", small);
  add("of rank 8", high);
  add("(1024,1024) to (1024)", large);
}

}  // namespace

std::string MeasurePlans(const Fields& fields) {
  const auto rounds = static_cast<size_t>(fields.Number("rounds").value_or(15));
  const auto least =
      static_cast<double>(fields.Number("least").value_or(1'000'000));

  // The smallest realistic case: (2,3) + (3).
  const int64_t a_shape[] = {2, 3}, b_shape[] = {3};
  const float a[] = {0, 1, 2, 3, 4, 5}, b[] = {10, 20, 30};
  float out[6] = {};
  const ShapeView shapes[] = {a_shape, b_shape};
  const DType dtypes[] = {DType::kF32, DType::kF32};
  const TensorView inputs[] = {{DType::kF32, a_shape, a, sizeof a},
                               {DType::kF32, b_shape, b, sizeof b}};
  const MutableTensorView output{DType::kF32, a_shape, out, sizeof out};
  const BroadcastRequest tiny{.rule = Rule::kNumpy,
                              .operands = shapes,
                              .axis = {},
                              .target_shape = {},
                              .axes_mapping = {},
                              .dtype = DType::kF32};
  const ApplyOptions options{.rule = Rule::kNumpy};
  const Result<Plan> plan = MakePlan(Op::kAdd, shapes, dtypes, options);

  // Rank 16, four operands, each repeated along every fourth axis.
  constexpr size_t kRank = 16, kOperands = 4;
  std::vector<std::vector<int64_t>> high(kOperands,
                                         std::vector<int64_t>(kRank, 2));
  for (size_t axis = 0; axis < kRank; ++axis) high[axis % kOperands][axis] = 1;
  const std::vector<ShapeView> high_shapes(high.begin(), high.end());
  const std::vector<DType> high_dtypes(kOperands, DType::kF32);
  const BroadcastRequest large{.rule = Rule::kNumpy,
                               .operands = high_shapes,
                               .axis = {},
                               .target_shape = {},
                               .axes_mapping = {},
                               .dtype = DType::kF32};
  const Result<Alignment> aligned = Align(large);
  if (!plan || !aligned || !Plan::Make(Op::kSum, *aligned, high_dtypes)) {
    return R"({"error":"no plan"})";
  }
  if (auto ran = Run(*plan, inputs, {&output, 1}); !ran || out[5] != 35) {
    return R"({"error":"the run is wrong"})";
  }

  std::vector<Timed> steps;
  const auto add = [&](const char* name, auto call) {
    steps.emplace_back(name, least, Kept(call));
  };
  add("a bare loop over (2,3) + (3)", [&] {
    Keep(a);
    for (size_t row = 0; row < 2; ++row) {
      for (size_t i = 0; i < 3; ++i) out[row * 3 + i] = a[row * 3 + i] + b[i];
    }
    Keep(out);
    return 0;
  });
  add("Align (2,3) + (3)", [&] { return Align(tiny); });
  add("InferShape (2,3) + (3)", [&] { return InferShape(tiny); });
  add("MakePlan (2,3) + (3)",
      [&] { return MakePlan(Op::kAdd, shapes, dtypes, options); });
  add("Run of a kept plan (2,3) + (3)",
      [&] { return Run(*plan, inputs, {&output, 1}); });
  add("from shapes to the result (2,3) + (3)", [&] {
    const Result<Plan> fresh = MakePlan(Op::kAdd, shapes, dtypes, options);
    return Run(*fresh, inputs, {&output, 1});
  });
  add("Apply, into a new tensor (2,3) + (3)",
      [&] { return Apply(Op::kAdd, inputs, options); });
  add("Align, rank 16, 4 operands", [&] { return Align(large); });
  add("Plan::Make, rank 16, 4 operands",
      [&] { return Plan::Make(Op::kSum, *aligned, high_dtypes); });
  add("Align and Plan::Make, rank 16, 4 operands", [&] {
    const Result<Alignment> fresh = Align(large);
    return Plan::Make(Op::kSum, *fresh, high_dtypes);
  });
  AddSums(steps, least);
  return TimeInTurn(steps, rounds);
}

}  // namespace bench
