#include "broadloom/execute.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "kernels/find.h"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::ToVector;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

template <class T>
TensorView View(DType dtype, const Extents& shape, const std::vector<T>& data) {
  return {dtype, shape, data.data(), data.size() * sizeof(T)};
}
template <class T>
MutableTensorView Out(DType dtype, const Extents& shape, std::vector<T>& data) {
  return {dtype, shape, data.data(), data.size() * sizeof(T)};
}

Plan MadePlan(Op op, const std::vector<TensorView>& inputs,
              const ApplyOptions& options = {}) {
  std::vector<ShapeView> shapes;
  std::vector<DType> dtypes;
  for (const TensorView& input : inputs) {
    shapes.push_back(input.shape);
    dtypes.push_back(input.dtype);
  }
  auto plan = MakePlan(op, shapes, dtypes, options);
  REQUIRE(plan);
  return std::move(*plan);
}

template <class T>
std::vector<T> Applied(Op op, const std::vector<TensorView>& inputs,
                       const ApplyOptions& options = {}) {
  const auto result = Apply(op, inputs, options);
  REQUIRE(result);
  return {result->as<T>().begin(), result->as<T>().end()};
}

Error Refused(Op op, const std::vector<TensorView>& inputs,
              const ApplyOptions& options = {}) {
  const auto result = Apply(op, inputs, options);
  REQUIRE(!result);
  return result.error();
}

TEST_CASE("execute: the header's example") {
  const float a[] = {0, 1, 2, 3, 4, 5}, b[] = {10, 20, 30};
  const int64_t a_shape[] = {2, 3}, b_shape[] = {3};
  const TensorView inputs[] = {{DType::kF32, a_shape, a, sizeof a},
                               {DType::kF32, b_shape, b, sizeof b}};
  const Result<Tensor> sum = Apply(Op::kAdd, inputs);
  REQUIRE(sum);
  REQUIRE(sum->dtype() == DType::kF32);
  REQUIRE(ToVector(sum->shape()) == Extents{2, 3});
  const std::span<const float> values = sum->as<float>();
  REQUIRE(std::vector<float>(values.begin(), values.end()) ==
          std::vector<float>{10, 21, 32, 13, 24, 35});
}

TEST_CASE("execute: the SIMD target of the kernels is reported") {
  REQUIRE(!ActiveTarget().empty());
  REQUIRE(ActiveTarget() == kernels::TargetName());
}

// --- What Run refuses
// -----------------------------------------------------------

// (2,3) + (3) -> (2,3); each test changes one argument.
struct Addition {
  Extents a_shape = {2, 3};
  Extents b_shape = {3};
  Extents out_shape = {2, 3};
  std::vector<int32_t> a = {0, 1, 2, 3, 4, 5};
  std::vector<int32_t> b = {10, 20, 30};
  std::vector<int32_t> out = std::vector<int32_t>(6, -99);
  std::vector<TensorView> inputs = {View(DType::kI32, a_shape, a),
                                    View(DType::kI32, b_shape, b)};
  std::vector<MutableTensorView> outputs = {Out(DType::kI32, out_shape, out)};
  Plan plan = MadePlan(Op::kAdd, inputs);

  Error Refuse() {
    const Status status = Run(plan, inputs, outputs);
    REQUIRE(!status);
    // No part of the result has been written.
    REQUIRE(out == std::vector<int32_t>(6, -99));
    REQUIRE(a == std::vector<int32_t>{0, 1, 2, 3, 4, 5});
    REQUIRE(b == std::vector<int32_t>{10, 20, 30});
    REQUIRE(status.error().op == Op::kAdd);
    REQUIRE(status.error().rule == Rule::kOnnxMultidirectional);
    return status.error();
  }
};

TEST_CASE("execute: a plan may run any number of times") {
  Addition addition;
  for (int i = 0; i < 3; ++i) {
    std::ranges::fill(addition.out, -99);
    REQUIRE(Run(addition.plan, addition.inputs, addition.outputs));
    REQUIRE(addition.out == std::vector<int32_t>{10, 21, 32, 13, 24, 35});
  }
}

TEST_CASE("execute: a wrong number of tensors") {
  Addition few;
  few.inputs.pop_back();
  Error error = few.Refuse();
  REQUIRE(error.error_class == ErrorClass::kArity);
  REQUIRE(error.extent == 1);
  REQUIRE(error.other_extent == 2);
  Addition many;
  many.inputs.push_back(many.inputs[0]);
  REQUIRE(many.Refuse().error_class == ErrorClass::kArity);
  Addition nowhere;
  nowhere.outputs.clear();
  error = nowhere.Refuse();
  REQUIRE(error.error_class == ErrorClass::kArity);
  REQUIRE(error.operand == kOutputOperand);
  Addition twice;
  twice.outputs.push_back(twice.outputs[0]);
  REQUIRE(twice.Refuse().error_class == ErrorClass::kArity);
}

TEST_CASE("execute: a type other than the plan's") {
  Addition input;
  input.inputs[1].dtype = DType::kF32;
  Error error = input.Refuse();
  REQUIRE(error.error_class == ErrorClass::kDType);
  REQUIRE(error.operand == 1);
  REQUIRE(error.dtype == DType::kF32);
  REQUIRE(error.other_dtype == DType::kI32);
  Addition output;
  output.outputs[0].dtype = DType::kU32;
  error = output.Refuse();
  REQUIRE(error.error_class == ErrorClass::kDType);
  REQUIRE(error.operand == kOutputOperand);
  REQUIRE(error.detail == Detail::kOutput);
}

TEST_CASE("execute: a shape other than the plan's") {
  const Extents other = {3, 2};
  Addition input;
  input.inputs[0].shape = other;
  Error error = input.Refuse();
  REQUIRE(error.error_class == ErrorClass::kIncompatible);
  REQUIRE(error.operand == 0);
  REQUIRE(error.operand_axis == 0);
  REQUIRE(error.extent == 3);
  REQUIRE(error.other_extent == 2);
  Addition output;
  output.outputs[0].shape = other;
  error = output.Refuse();
  REQUIRE(error.error_class == ErrorClass::kIncompatible);
  REQUIRE(error.operand == kOutputOperand);
  const Extents flat = {6};
  Addition rank;
  rank.outputs[0].shape = flat;
  error = rank.Refuse();
  REQUIRE(error.error_class == ErrorClass::kIncompatible);
  REQUIRE(error.extent == 1);
  REQUIRE(error.other_extent == 2);
}

TEST_CASE("execute: less data than the shape needs") {
  for (const size_t bytes : {size_t{0}, size_t{23}}) {
    Addition input;
    input.inputs[0].bytes = bytes;
    Error error = input.Refuse();
    REQUIRE(error.error_class == ErrorClass::kLength);
    REQUIRE(error.operand == 0);
    REQUIRE(error.extent == static_cast<int64_t>(bytes));
    REQUIRE(error.other_extent == 24);
    Addition output;
    output.outputs[0].bytes = bytes;
    error = output.Refuse();
    REQUIRE(error.error_class == ErrorClass::kLength);
    REQUIRE(error.operand == kOutputOperand);
  }
  Addition input;
  input.inputs[1].data = nullptr;
  REQUIRE(input.Refuse().error_class == ErrorClass::kLength);
  Addition output;
  output.outputs[0].data = nullptr;
  REQUIRE(output.Refuse().error_class == ErrorClass::kLength);
}

TEST_CASE("execute: data beyond what the shape needs is not touched") {
  Addition addition;
  addition.out.assign(100, -99);
  addition.outputs[0] = Out(DType::kI32, addition.out_shape, addition.out);
  addition.b.resize(50, 7);
  addition.inputs[1] = View(DType::kI32, addition.b_shape, addition.b);
  REQUIRE(Run(addition.plan, addition.inputs, addition.outputs));
  REQUIRE(addition.out[5] == 35);
  REQUIRE(std::all_of(addition.out.begin() + 6, addition.out.end(),
                      [](int32_t value) { return value == -99; }));
}

TEST_CASE("execute: thousands of results are quickly checked for overlap") {
  const size_t count = 50'000;
  const Extents shape = {1};
  std::vector<uint8_t> in(count, 1), out(count + 1, 0);
  std::vector<ShapeView> shapes(count, shape);
  const std::vector<DType> types(count, DType::kU8);
  const Result<Plan> plan =
      MakePlan(Op::kBroadcast, shapes, types, {.rule = Rule::kSonnx});
  REQUIRE(plan);
  std::vector<TensorView> inputs;
  std::vector<MutableTensorView> outputs;
  for (size_t i = 0; i < count; ++i) {
    inputs.push_back({DType::kU8, shape, &in[i], 1});
    outputs.push_back({DType::kU8, shape, &out[count - 1 - i], 1});
  }
  REQUIRE(Run(*plan, inputs, outputs));
  REQUIRE(out[0] == 1);
  REQUIRE(out[count - 1] == 1);
  outputs[7].data = outputs[3].data;
  const Status status = Run(*plan, inputs, outputs);
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kOverlap);
  outputs[7].data = &out[count];
  REQUIRE(Run(*plan, inputs, outputs));
  inputs[9].data = outputs[8].data;
  const Status taken = Run(*plan, inputs, outputs);
  REQUIRE(!taken);
  REQUIRE(taken.error().error_class == ErrorClass::kOverlap);
  REQUIRE(taken.error().other_operand == 9);
}

TEST_CASE("execute: a default-constructed plan does not run") {
  const Plan plan;
  const Status status = Run(plan, {}, {});
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kArity);
}

// --- In place and overlap ---------------------------------------------------

TEST_CASE("execute: an operand of the result's shape may be replaced") {
  Addition first;
  first.outputs[0] = Out(DType::kI32, first.a_shape, first.a);
  REQUIRE(Run(first.plan, first.inputs, first.outputs));
  REQUIRE(first.a == std::vector<int32_t>{10, 21, 32, 13, 24, 35});

  // The second operand, and both at once.
  const Extents shape = {130};
  std::vector<int32_t> a(130);
  std::vector<int32_t> b(130, 5);
  std::iota(a.begin(), a.end(), 0);
  std::vector<TensorView> inputs = {View(DType::kI32, shape, a),
                                    View(DType::kI32, shape, b)};
  const Plan plan = MadePlan(Op::kSub, inputs);
  MutableTensorView out = Out(DType::kI32, shape, b);
  REQUIRE(Run(plan, inputs, {&out, 1}));
  REQUIRE(b[129] == 124);
  inputs[1] = inputs[0];
  out = Out(DType::kI32, shape, a);
  REQUIRE(Run(plan, inputs, {&out, 1}));
  REQUIRE(a == std::vector<int32_t>(130, 0));
}

TEST_CASE("execute: in place beside operands that repeat, on long rows") {
  const Extents a_shape = {37, 129};
  for (const Extents& b_shape :
       {Extents{129}, Extents{37, 1}, Extents{1}, Extents{}, Extents{1, 129}}) {
    std::vector<int32_t> a(37 * 129);
    std::iota(a.begin(), a.end(), -100);
    std::vector<int32_t> b(static_cast<size_t>(*CountElements(b_shape)));
    std::iota(b.begin(), b.end(), 1000);
    for (const bool second : {false, true}) {
      std::vector<int32_t> in_place = a;
      std::vector<int32_t> apart(a.size());
      std::vector<TensorView> inputs = {View(DType::kI32, a_shape, in_place),
                                        View(DType::kI32, b_shape, b)};
      if (second) std::swap(inputs[0], inputs[1]);
      const Plan plan = MadePlan(Op::kSub, inputs);
      MutableTensorView out = Out(DType::kI32, a_shape, apart);
      REQUIRE(Run(plan, inputs, {&out, 1}));
      out = Out(DType::kI32, a_shape, in_place);
      REQUIRE(Run(plan, inputs, {&out, 1}));
      REQUIRE(in_place == apart);
    }
  }
}

TEST_CASE("execute: any other overlap is an error, and nothing is written") {
  const Extents a_shape = {2, 3};
  const Extents b_shape = {3};
  // a, b and the result are in one buffer, at every distance.
  for (int from = 0; from <= 24; ++from) {
    std::vector<int32_t> memory(64);
    std::iota(memory.begin(), memory.end(), 0);
    const std::vector<int32_t> before = memory;
    const TensorView inputs[] = {{DType::kI32, a_shape, &memory[8], 24},
                                 {DType::kI32, b_shape, &memory[40], 12}};
    const MutableTensorView out{DType::kI32, a_shape, &memory[from], 24};
    const std::vector<TensorView> views(inputs, inputs + 2);
    const Status status = Run(MadePlan(Op::kAdd, views), inputs, {&out, 1});
    const bool overlaps = from + 6 > 8 && from < 8 + 6;
    INFO("result at " << from);
    REQUIRE(status.has_value() == (!overlaps || from == 8));
    if (status) continue;
    REQUIRE(status.error().error_class == ErrorClass::kOverlap);
    REQUIRE(status.error().operand == kOutputOperand);
    REQUIRE(status.error().other_operand == 0);
    REQUIRE(memory == before);
  }
}

TEST_CASE("execute: an operand that repeats cannot be replaced") {
  const Extents a_shape = {2, 3};
  const Extents b_shape = {3};
  std::vector<int32_t> memory(6, 1);
  const std::vector<TensorView> inputs = {
      {DType::kI32, a_shape, memory.data(), 24},
      {DType::kI32, b_shape, memory.data(), 12}};
  const MutableTensorView out{DType::kI32, a_shape, memory.data(), 24};
  const Status status = Run(MadePlan(Op::kAdd, inputs), inputs, {&out, 1});
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kOverlap);
  REQUIRE(status.error().other_operand == 1);
  REQUIRE(memory == std::vector<int32_t>(6, 1));
}

TEST_CASE("execute: memory beyond what the shapes need may overlap") {
  // The views are longer than their tensors; the tensors do not overlap.
  const Extents shape = {4};
  std::vector<int32_t> memory = {1, 2, 3, 4, -1, -1, -1, -1, 5, 6, 7, 8};
  const std::vector<TensorView> inputs = {{DType::kI32, shape, &memory[0], 48},
                                          {DType::kI32, shape, &memory[8], 16}};
  const MutableTensorView out{DType::kI32, shape, &memory[4], 32};
  REQUIRE(Run(MadePlan(Op::kAdd, inputs), inputs, {&out, 1}));
  REQUIRE(memory == std::vector<int32_t>{1, 2, 3, 4, 6, 8, 10, 12, 5, 6, 7, 8});
}

// --- No elements
// ------------------------------------------------------------------

TEST_CASE("execute: results without elements need no data") {
  for (const auto& [a, b, out_shape] : std::vector<std::array<Extents, 3>>{
           {{{0}, {0}, {0}}},
           {{{2, 0, 3}, {1, 3}, {2, 0, 3}}},
           {{{kMost, kMost, 0}, {1}, {kMost, kMost, 0}}}}) {
    const std::vector<float> three = {1, 2, 3};
    const size_t b_bytes = static_cast<size_t>(*CountElements(b)) * 4;
    const std::vector<TensorView> inputs = {
        {DType::kF32, a, nullptr, 0},
        {DType::kF32, b, b_bytes == 0 ? nullptr : three.data(), b_bytes}};
    const Plan plan = MadePlan(Op::kAdd, inputs);
    const MutableTensorView out{DType::kF32, out_shape, nullptr, 0};
    REQUIRE(Run(plan, inputs, {&out, 1}));
    const auto result = Apply(Op::kAdd, inputs);
    REQUIRE(result);
    REQUIRE(result->bytes() == 0);
    REQUIRE(ToVector(result->shape()) == out_shape);
  }
}

TEST_CASE("execute: scalars") {
  const std::vector<double> a = {2};
  const std::vector<double> b = {5};
  REQUIRE(Applied<double>(
              Op::kMul, {View(DType::kF64, {}, a), View(DType::kF64, {}, b)}) ==
          std::vector<double>{10});
}

// --- Operators with something of their own
// -------------------------------------------

TEST_CASE("execute: attributes reach the kernels") {
  const std::vector<int32_t> a = {-7, 7, -7, 7};
  const std::vector<int32_t> b = {3, -3, -3, 3};
  const Extents four = {4};
  const std::vector<TensorView> ints = {View(DType::kI32, four, a),
                                        View(DType::kI32, four, b)};
  REQUIRE(Applied<int32_t>(Op::kMod, ints) ==
          std::vector<int32_t>{2, -2, -1, 1});
  REQUIRE(Applied<int32_t>(Op::kMod, ints, {.attributes = {.fmod = 0}}) ==
          std::vector<int32_t>{2, -2, -1, 1});
  REQUIRE(Applied<int32_t>(Op::kMod, ints, {.attributes = {.fmod = 1}}) ==
          std::vector<int32_t>{-1, 1, -1, 1});

  const std::vector<uint8_t> bits = {0x81, 0xFF, 1, 0x80};
  const std::vector<uint8_t> shifts = {1, 7, 8, 200};
  const std::vector<TensorView> bytes = {View(DType::kU8, four, bits),
                                         View(DType::kU8, four, shifts)};
  REQUIRE(
      Applied<uint8_t>(Op::kBitShift, bytes,
                       {.attributes = {.direction = ShiftDirection::kLeft}}) ==
      std::vector<uint8_t>{2, 0x80, 0, 0});
  REQUIRE(
      Applied<uint8_t>(Op::kBitShift, bytes,
                       {.attributes = {.direction = ShiftDirection::kRight}}) ==
      std::vector<uint8_t>{0x40, 1, 0, 0});
}

TEST_CASE("execute: integer division never traps") {
  constexpr int32_t kLow = std::numeric_limits<int32_t>::min();
  const std::vector<int32_t> a = {5, kLow, 0, kLow, -7};
  const std::vector<int32_t> b = {0, -1, 0, 0, 2};
  const Extents five = {5};
  const std::vector<TensorView> inputs = {View(DType::kI32, five, a),
                                          View(DType::kI32, five, b)};
  REQUIRE(Applied<int32_t>(Op::kDiv, inputs) ==
          std::vector<int32_t>{0, kLow, 0, 0, -3});
  REQUIRE(Applied<int32_t>(Op::kMod, inputs) ==
          std::vector<int32_t>{0, 0, 0, 0, 1});
}

TEST_CASE("execute: any nonzero byte is true, and a result is 0 or 1") {
  const std::vector<uint8_t> a = {0, 1, 2, 255, 128, 0};
  const std::vector<uint8_t> b = {0, 0, 1, 7, 0, 128};
  const Extents six = {6};
  const std::vector<TensorView> inputs = {View(DType::kBool, six, a),
                                          View(DType::kBool, six, b)};
  REQUIRE(Applied<uint8_t>(Op::kAnd, inputs) ==
          std::vector<uint8_t>{0, 0, 1, 1, 0, 0});
  REQUIRE(Applied<uint8_t>(Op::kOr, inputs) ==
          std::vector<uint8_t>{0, 1, 1, 1, 1, 1});
  REQUIRE(Applied<uint8_t>(Op::kXor, inputs) ==
          std::vector<uint8_t>{0, 1, 0, 0, 1, 1});
  const std::vector<float> yes(6, 1);
  const std::vector<float> no(6, -1);
  REQUIRE(Applied<float>(Op::kWhere, {View(DType::kBool, six, a),
                                      View(DType::kF32, six, yes),
                                      View(DType::kF32, six, no)}) ==
          std::vector<float>{-1, 1, 1, 1, 1, -1});
}

TEST_CASE("execute: pdpd, none and the default rules") {
  const Extents a_shape = {2, 3, 2};
  const Extents b_shape = {3, 1};
  const std::vector<int64_t> a(12, 100);
  const std::vector<int64_t> b = {1, 2, 3};
  const std::vector<TensorView> inputs = {View(DType::kI64, a_shape, a),
                                          View(DType::kI64, b_shape, b)};
  REQUIRE(
      Applied<int64_t>(Op::kAdd, inputs, {.rule = Rule::kPdpd, .axis = 1}) ==
      std::vector<int64_t>{101, 101, 102, 102, 103, 103, 101, 101, 102, 102,
                           103, 103});
  REQUIRE(Refused(Op::kAdd, inputs, {.rule = Rule::kNone}).error_class ==
          ErrorClass::kIncompatible);
  REQUIRE(
      Refused(Op::kAdd, inputs, {.rule = Rule::kPdpd, .axis = 3}).error_class ==
      ErrorClass::kAxis);
  // PRelu's default rule stretches only the slope.
  const std::vector<float> x = {-2};
  const std::vector<float> slope = {1, 2};
  REQUIRE(Refused(Op::kPRelu,
                  {View(DType::kF32, {1}, x), View(DType::kF32, {2}, slope)})
              .error_class == ErrorClass::kIncompatible);
  REQUIRE(Applied<float>(Op::kPRelu, {View(DType::kF32, {2}, slope),
                                      View(DType::kF32, {1}, x)}) ==
          std::vector<float>{1, 2});
}

TEST_CASE("execute: Broadcast to a target, under each rule that has one") {
  const std::vector<uint8_t> data = {1, 2, 3};
  const Extents three = {3};
  const Extents column = {3, 1};
  const Extents target = {2, 3};
  const Extents tall = {3, 2};
  const Extents mapping = {0};
  REQUIRE(Applied<uint8_t>(Op::kBroadcast, {View(DType::kU8, three, data)},
                           {.target_shape = ShapeView(target)}) ==
          std::vector<uint8_t>{1, 2, 3, 1, 2, 3});
  REQUIRE(Applied<uint8_t>(
              Op::kBroadcast, {View(DType::kU8, column, data)},
              {.rule = Rule::kBidirectional, .target_shape = ShapeView(three)})
              .size() == 9);
  REQUIRE(Applied<uint8_t>(Op::kBroadcast, {View(DType::kU8, three, data)},
                           {.rule = Rule::kExplicit,
                            .target_shape = ShapeView(tall),
                            .axes_mapping = mapping}) ==
          std::vector<uint8_t>{1, 1, 2, 2, 3, 3});
}

TEST_CASE("execute: sonnx returns every operand in the common shape") {
  const Extents row = {1, 3};
  const Extents column = {2, 1};
  const Extents common = {2, 3};
  const std::vector<uint16_t> a = {1, 2, 3};
  const std::vector<uint16_t> b = {7, 8};
  const std::vector<uint16_t> c = {9};
  std::vector<TensorView> inputs = {View(DType::kU16, row, a),
                                    View(DType::kU16, column, b),
                                    View(DType::kU16, {}, c)};
  const Plan plan = MadePlan(Op::kBroadcast, inputs, {.rule = Rule::kSonnx});
  std::vector<std::vector<uint16_t>> results(3, std::vector<uint16_t>(6, 99));
  std::vector<MutableTensorView> outputs;
  for (auto& result : results) {
    outputs.push_back(Out(DType::kU16, common, result));
  }
  REQUIRE(Run(plan, inputs, outputs));
  REQUIRE(results[0] == std::vector<uint16_t>{1, 2, 3, 1, 2, 3});
  REQUIRE(results[1] == std::vector<uint16_t>{7, 7, 7, 8, 8, 8});
  REQUIRE(results[2] == std::vector<uint16_t>(6, 9));

  // Results must not share memory, and none may overlap another operand.
  const std::vector<std::vector<uint16_t>> before = results;
  outputs[1] = outputs[0];
  Status status = Run(plan, inputs, outputs);
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kOverlap);
  outputs[1] = Out(DType::kU16, common, results[1]);
  REQUIRE(results == before);

  // Apply returns only one result.
  REQUIRE(Refused(Op::kBroadcast, inputs, {.rule = Rule::kSonnx}).error_class ==
          ErrorClass::kArity);
  inputs.resize(1);
  REQUIRE(Applied<uint16_t>(Op::kBroadcast, inputs, {.rule = Rule::kSonnx}) ==
          a);
}

TEST_CASE("execute: under sonnx each operand keeps its type") {
  const Extents row = {1, 1, 3};
  const Extents one = {1, 1};
  const Extents column = {2, 1, 1};
  const Extents common = {2, 1, 3};
  const std::vector<uint8_t> a = {1, 0, 1};
  const std::vector<uint16_t> b = {515};
  const std::vector<double> c = {0.5, -2};
  const std::vector<uint8_t> packed = {0x80};
  const std::vector<TensorView> inputs = {
      View(DType::kBool, row, a), View(DType::kU16, one, b),
      View(DType::kF64, column, c), View(DType::kU1, column, packed)};
  const Plan plan = MadePlan(Op::kBroadcast, inputs, {.rule = Rule::kSonnx});
  std::vector<uint8_t> as(6), bits(1, 0xFF);
  std::vector<uint16_t> bs(6);
  std::vector<double> cs(6);
  const std::vector<MutableTensorView> outputs = {
      Out(DType::kBool, common, as), Out(DType::kU16, common, bs),
      Out(DType::kF64, common, cs), Out(DType::kU1, common, bits)};
  REQUIRE(Run(plan, inputs, outputs));
  REQUIRE(as == std::vector<uint8_t>{1, 0, 1, 1, 0, 1});
  REQUIRE(bs == std::vector<uint16_t>(6, 515));
  REQUIRE(cs == std::vector<double>{0.5, 0.5, 0.5, -2, -2, -2});
  REQUIRE(bits == std::vector<uint8_t>{0xE0});
}

TEST_CASE("execute: a result of sonnx must not replace another operand") {
  const Extents shape = {4};
  std::vector<uint8_t> a = {1, 2, 3, 4};
  std::vector<uint8_t> b = {5, 6, 7, 8};
  const std::vector<TensorView> inputs = {View(DType::kU8, shape, a),
                                          View(DType::kU8, shape, b)};
  const Plan plan = MadePlan(Op::kBroadcast, inputs, {.rule = Rule::kSonnx});
  // Swapped: the second would read elements that the first has overwritten.
  std::vector<MutableTensorView> outputs = {Out(DType::kU8, shape, b),
                                            Out(DType::kU8, shape, a)};
  const Status status = Run(plan, inputs, outputs);
  REQUIRE(!status);
  REQUIRE(status.error().error_class == ErrorClass::kOverlap);
  REQUIRE(b == std::vector<uint8_t>{5, 6, 7, 8});
  // Each replacing its own operand is allowed.
  std::swap(outputs[0], outputs[1]);
  REQUIRE(Run(plan, inputs, outputs));
  REQUIRE(a == std::vector<uint8_t>{1, 2, 3, 4});
}

TEST_CASE("execute: forty operands") {
  const Extents shape = {3};
  std::vector<std::vector<float>> data;
  std::vector<TensorView> inputs;
  for (int i = 0; i < 40; ++i) {
    data.push_back({static_cast<float>(i), 1, static_cast<float>(-i)});
  }
  for (const auto& values : data) {
    inputs.push_back(View(DType::kF32, shape, values));
  }
  REQUIRE(Applied<float>(Op::kMax, inputs) == std::vector<float>{39, 1, 0});
  REQUIRE(Applied<float>(Op::kMin, inputs) == std::vector<float>{0, 1, -39});
  REQUIRE(Applied<float>(Op::kSum, inputs) ==
          std::vector<float>{780, 40, -780});
  REQUIRE(Applied<float>(Op::kMean, inputs) ==
          std::vector<float>{19.5f, 1, -19.5f});
  inputs.resize(1);
  for (const Op op : {Op::kMax, Op::kMin, Op::kSum, Op::kMean}) {
    REQUIRE(Applied<float>(op, inputs) == data[0]);
  }
}

TEST_CASE("execute: ranks beyond the inline capacity") {
  const Extents a_shape = {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  const Extents b_shape = {1, 3, 1, 2, 1, 2, 1, 2, 1, 2, 1};
  std::vector<int64_t> a(64);
  std::vector<int64_t> b(48);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 0);
  for (int64_t& value : b) value *= 1000;
  const std::vector<int64_t> sum = Applied<int64_t>(
      Op::kAdd, {View(DType::kI64, a_shape, a), View(DType::kI64, b_shape, b)});
  REQUIRE(sum.size() == 64 * 48);
  // Expected: the result's index has the digits of both in turn.
  const Extents out_shape = {2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  for (size_t k = 0; k < sum.size(); ++k) {
    size_t left = k;
    Extents index(11);
    for (size_t axis = 11; axis-- > 0;) {
      const size_t extent = static_cast<size_t>(out_shape[axis]);
      index[axis] = static_cast<int64_t>(left % extent);
      left /= extent;
    }
    int64_t a_at = 0;
    int64_t b_at = 0;
    for (size_t axis = 0; axis < 11; ++axis) {
      a_at = a_at * a_shape[axis] + (a_shape[axis] == 1 ? 0 : index[axis]);
      b_at = b_at * b_shape[axis] + (b_shape[axis] == 1 ? 0 : index[axis]);
    }
    if (sum[k] != a_at + 1000 * b_at) FAIL("element " << k);
  }
}

TEST_CASE("execute: the unused bits of packed results are 0") {
  const std::vector<uint8_t> ones(4, 0xFF);
  for (const auto& [dtype, extent, last] :
       std::vector<std::tuple<DType, int64_t, uint8_t>>{
           {DType::kU4, 3, 0x0F},
           {DType::kI4, 1, 0x0F},
           {DType::kU1, 9, 0x80},
           {DType::kU1, 3, 0xE0}}) {
    const Extents target = {extent};
    const std::vector<TensorView> inputs = {{dtype, {}, ones.data(), 1}};
    const ApplyOptions options{.target_shape = ShapeView(target)};
    const auto result = Apply(Op::kBroadcast, inputs, options);
    REQUIRE(result);
    REQUIRE(result->as<uint8_t>().back() == last);
    // Also into the caller's memory, and not a byte further.
    std::vector<uint8_t> memory(8, 0xAA);
    const MutableTensorView out{dtype, target, memory.data(), memory.size()};
    REQUIRE(Run(MadePlan(Op::kBroadcast, inputs, options), inputs, {&out, 1}));
    const size_t bytes = result->bytes();
    REQUIRE(memory[bytes - 1] == last);
    REQUIRE(memory[bytes] == 0xAA);
  }
}

// --- The first of several errors
// -----------------------------------------------------

// One error of each class, in the order in which they are reported: of any two
// at once, the first is reported.
struct Faults {
  bool rule = false;       // unknown: the operator does not take the rule
  bool operands = false;   // arity
  bool attribute = false;  // attribute
  bool extent = false;     // extent
  bool dtype = false;      // dtype
  bool length = false;     // length
  bool shapes = false;     // incompatible
};

ErrorClass FirstOf(const Faults& faults) {
  const Extents a_shape = {2, faults.extent ? -3 : 3};
  const Extents b_shape = {faults.shapes ? 5 : 1, 1};
  const Extents c_shape = {};
  const std::vector<float> a(6);
  const std::vector<float> b(5);
  std::vector<TensorView> inputs = {View(DType::kF32, a_shape, a),
                                    View(DType::kF32, b_shape, b)};
  if (faults.dtype) inputs[1].dtype = DType::kI32;
  if (faults.length) inputs[0].bytes = 3;
  if (faults.operands) inputs.push_back(View(DType::kF32, c_shape, b));
  ApplyOptions options{.rule = faults.rule ? Rule::kSonnx : Rule::kNumpy};
  if (faults.attribute) options.attributes.fmod = 1;
  return Refused(Op::kAdd, inputs, options).error_class;
}

TEST_CASE(
    "execute: of several errors the first in the documented order is "
    "reported") {
  constexpr bool Faults::* kFaults[] = {
      &Faults::rule,  &Faults::operands, &Faults::attribute, &Faults::extent,
      &Faults::dtype, &Faults::length,   &Faults::shapes};
  constexpr ErrorClass kClasses[] = {
      ErrorClass::kUnknown,     ErrorClass::kArity, ErrorClass::kAttribute,
      ErrorClass::kExtent,      ErrorClass::kDType, ErrorClass::kLength,
      ErrorClass::kIncompatible};
  for (size_t first = 0; first < std::size(kFaults); ++first) {
    for (size_t second = first; second < std::size(kFaults); ++second) {
      Faults faults;
      faults.*kFaults[first] = true;
      faults.*kFaults[second] = true;
      INFO(Info(kClasses[first]).name << " beside "
                                      << Info(kClasses[second]).name);
      CHECK(FirstOf(faults) == kClasses[first]);
    }
  }
}

TEST_CASE("execute: too large to count, to address, or to allocate") {
  const Extents column = {int64_t{1} << 20, 1};
  const Extents row = {int64_t{1} << 43};
  // Only shapes and types are given, since no data is needed for these errors.
  const std::vector<ShapeView> shapes = {column, row};
  const std::vector<DType> f32(2, DType::kF32);
  const auto plan = MakePlan(Op::kAdd, shapes, f32);
  REQUIRE(!plan);
  REQUIRE(plan.error().error_class == ErrorClass::kOverflow);

  const std::vector<float> one = {1};
  const Extents ones = {1};
  const Extents huge = {int64_t{1} << 60};
  const Error refused = Refused(Op::kBroadcast, {View(DType::kF32, ones, one)},
                                {.target_shape = ShapeView(huge)});
  REQUIRE((refused.error_class == ErrorClass::kAllocation ||
           refused.error_class == ErrorClass::kLimit));
}

// --- Memory
// ------------------------------------------------------------------------------

TEST_CASE("execute: Run allocates nothing up to 4 operands") {
  Addition addition;
  testing::RequireNoAllocation([&](const Allocator& allocator) {
    return Run(addition.plan, addition.inputs, addition.outputs, {}, allocator)
        .has_value();
  });
  const Extents shape = {3};
  std::vector<float> data = {1, 2, 3};
  std::vector<float> out(3);
  const std::vector<TensorView> four(4, View(DType::kF32, shape, data));
  const Plan plan = MadePlan(Op::kSum, four);
  const MutableTensorView output = Out(DType::kF32, shape, out);
  testing::RequireNoAllocation([&](const Allocator& allocator) {
    return Run(plan, four, {&output, 1}, {}, allocator).has_value();
  });
  REQUIRE(out[2] == 12.0f);
}

TEST_CASE(
    "execute: each failed allocation is an error, and nothing is written") {
  const Extents shape(9, 1);
  const std::vector<float> data = {1};
  const std::vector<TensorView> inputs(6, View(DType::kF32, shape, data));
  const size_t requests = testing::RefuseEach([&](const Allocator& allocator) {
    return Apply(Op::kSum, inputs, {}, allocator);
  });
  REQUIRE(requests > 4);

  const Plan plan = MadePlan(Op::kSum, inputs);
  std::vector<float> out = {-99};
  const MutableTensorView output = Out(DType::kF32, shape, out);
  testing::RefuseEach([&](const Allocator& allocator) {
    out[0] = -99;
    const Status status = Run(plan, inputs, {&output, 1}, {}, allocator);
    REQUIRE(out[0] == (status ? 6.0f : -99.0f));
    return status;
  });
}

TEST_CASE("execute: a small Apply allocates only its result") {
  Addition addition;
  testing::Hook hook;
  {
    const auto result = Apply(Op::kAdd, addition.inputs, {}, hook.get());
    REQUIRE(result);
    REQUIRE(hook.calls() == 1);
  }
}

}  // namespace
