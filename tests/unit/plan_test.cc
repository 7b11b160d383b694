#include "broadloom/plan.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "broadloom/execute.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Request;
using testing::ToVector;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

Result<Plan> Make(const Request& request, Op op, std::vector<DType> dtypes,
                  const OpAttributes& attributes = {},
                  const Allocator& allocator = DefaultAllocator()) {
  const auto alignment = Align(request.get(), allocator);
  if (!alignment) return std::unexpected(alignment.error());
  return Plan::Make(op, *alignment, dtypes, attributes, allocator);
}

Plan Made(const Request& request, Op op = Op::kAdd) {
  auto plan =
      Make(request, op,
           std::vector<DType>(request.get().operands.size(), DType::kF32));
  REQUIRE(plan);
  return std::move(*plan);
}

Error Refused(const Request& request, Op op, std::vector<DType> dtypes,
              const OpAttributes& attributes = {}) {
  const auto plan = Make(request, op, std::move(dtypes), attributes);
  REQUIRE(!plan);
  return plan.error();
}

Extents Loops(const Plan& plan) {
  Extents loops;
  for (size_t i = 0; i < plan.work().nest.loop_count(); ++i) {
    loops.push_back(plan.work().nest.extent(i));
  }
  return loops;
}

Extents Strides(const Plan& plan, size_t operand) {
  Extents strides;
  for (size_t i = 0; i < plan.work().nest.loop_count(); ++i) {
    strides.push_back(plan.work().nest.stride(operand, i));
  }
  return strides;
}

TEST_CASE("plan: the header's example, three loops for a channel bias") {
  const Plan plan = Made(Request(Rule::kNumpy, {{8, 64, 56, 56}, {64, 1, 1}}));
  REQUIRE(Loops(plan) == Extents{8, 64, 3136});
  REQUIRE(Strides(plan, 0) == Extents{200704, 3136, 1});
  REQUIRE(Strides(plan, 1) == Extents{0, 1, 0});
  REQUIRE(plan.op() == Op::kAdd);
  REQUIRE(plan.rule() == Rule::kNumpy);
  REQUIRE(plan.operand_count() == 2);
  REQUIRE(plan.output_count() == 1);
  REQUIRE(ToVector(plan.output_shape()) == Extents{8, 64, 56, 56});
  REQUIRE(ToVector(plan.operand_shape(0)) == Extents{8, 64, 56, 56});
  REQUIRE(ToVector(plan.operand_shape(1)) == Extents{64, 1, 1});
  REQUIRE(plan.dtype(0) == DType::kF32);
  REQUIRE(plan.output_dtype() == DType::kF32);
  REQUIRE(plan.kernel() != nullptr);
}

TEST_CASE(
    "plan: neighbouring axes with matching strides in all operands are one "
    "loop") {
  struct Case {
    Extents a;
    Extents b;
    Extents loops;
    Extents a_strides;
    Extents b_strides;
  };
  const std::vector<Case> cases = {
      {{2, 3, 4}, {2, 3, 4}, {24}, {1}, {1}},
      {{2, 3, 4}, {}, {24}, {1}, {0}},
      {{2, 3, 4}, {1, 1, 1}, {24}, {1}, {0}},
      {{2, 3, 4}, {4}, {6, 4}, {4, 1}, {0, 1}},
      {{2, 3, 4}, {3, 4}, {2, 12}, {12, 1}, {0, 1}},
      {{2, 3, 4}, {2, 1, 1}, {2, 12}, {12, 1}, {1, 0}},
      {{2, 3, 4}, {2, 3, 1}, {6, 4}, {4, 1}, {1, 0}},
      {{2, 3, 4}, {2, 1, 4}, {2, 3, 4}, {12, 4, 1}, {4, 0, 1}},
      {{2, 1, 4}, {1, 3, 1}, {2, 3, 4}, {4, 0, 1}, {0, 1, 0}},
      {{1, 5, 1, 6, 1}, {5, 1, 6, 1}, {30}, {1}, {1}},
      {{5, 1}, {1, 6}, {5, 6}, {1, 0}, {0, 1}},
      {{1, 1}, {1}, {}, {}, {}},
      {{}, {}, {}, {}, {}},
  };
  for (const Case& one : cases) {
    const Plan plan = Made(Request(Rule::kNumpy, {one.a, one.b}));
    INFO("case " << &one - cases.data());
    CHECK(Loops(plan) == one.loops);
    CHECK(Strides(plan, 0) == one.a_strides);
    CHECK(Strides(plan, 1) == one.b_strides);
  }
}

TEST_CASE("plan: an empty result has one loop of extent 0") {
  for (const auto& shapes :
       std::vector<std::vector<Extents>>{{{0}, {0}},
                                         {{2, 0, 3}, {3}},
                                         {{1}, {0}},
                                         {{kMost, kMost, 0}, {1}}}) {
    const Plan plan = Made(Request(Rule::kNumpy, shapes));
    REQUIRE(Loops(plan) == Extents{0});
  }
}

TEST_CASE("plan: pdpd and explicit need no special loops") {
  const Plan pdpd =
      Made(Request(Rule::kPdpd, {{8, 64, 56, 56}, {64, 1}}).Axis(1));
  REQUIRE(Loops(pdpd) == Extents{8, 64, 3136});
  REQUIRE(Strides(pdpd, 1) == Extents{0, 1, 0});
  const Plan mapped = Made(
      Request(Rule::kExplicit, {{3, 5}}).Target({2, 3, 4, 5}).Mapping({1, 3}),
      Op::kBroadcast);
  REQUIRE(Loops(mapped) == Extents{2, 3, 4, 5});
  REQUIRE(Strides(mapped, 0) == Extents{0, 5, 0, 1});
}

TEST_CASE("plan: result types") {
  const Request request(Rule::kNumpy, {{2}, {2}});
  REQUIRE(
      Make(request, Op::kLess, {DType::kF32, DType::kF32})->output_dtype() ==
      DType::kBool);
  REQUIRE(
      Make(request, Op::kAnd, {DType::kBool, DType::kBool})->output_dtype() ==
      DType::kBool);
  REQUIRE(Make(request, Op::kPow, {DType::kI8, DType::kF64})->output_dtype() ==
          DType::kI8);
  const Request three(Rule::kNumpy, {{2}, {2}, {2}});
  REQUIRE(Make(three, Op::kWhere, {DType::kBool, DType::kC64, DType::kC64})
              ->output_dtype() == DType::kC64);
}

TEST_CASE("plan: Broadcast under sonnx has an output for each operand") {
  const auto plan = Make(Request(Rule::kSonnx, {{2, 1}, {3}, {}}),
                         Op::kBroadcast, {DType::kU8, DType::kU8, DType::kU8});
  REQUIRE(plan);
  REQUIRE(plan->output_count() == 3);
  REQUIRE(ToVector(plan->output_shape()) == Extents{2, 3});
  for (size_t i = 0; i < 3; ++i) REQUIRE(plan->output_dtype(i) == DType::kU8);
}

TEST_CASE("plan: under sonnx each operand keeps its type") {
  const auto plan =
      Make(Request(Rule::kSonnx, {{1, 1}, {1, 1, 3}, {}}), Op::kBroadcast,
           {DType::kU16, DType::kBool, DType::kU1});
  REQUIRE(plan);
  REQUIRE(plan->output_count() == 3);
  REQUIRE(plan->output_dtype(0) == DType::kU16);
  REQUIRE(plan->output_dtype(1) == DType::kBool);
  REQUIRE(plan->output_dtype(2) == DType::kU1);
  REQUIRE(plan->output_bytes(0) == 6);
  REQUIRE(plan->output_bytes(1) == 3);
  REQUIRE(plan->output_bytes(2) == 1);
}

TEST_CASE("plan: Cast returns the requested type") {
  const Request request(Rule::kNumpy, {{2, 3}});
  const auto plan = Make(request, Op::kCast, {DType::kU8}, {.to = DType::kF64});
  REQUIRE(plan);
  REQUIRE(plan->output_dtype() == DType::kF64);
  REQUIRE(plan->output_bytes() == 48);
  const Error missing = Refused(request, Op::kCast, {DType::kU8});
  REQUIRE(missing.error_class == ErrorClass::kAttribute);
  REQUIRE(missing.detail == Detail::kMissing);
  const Error opaque =
      Refused(request, Op::kCast, {DType::kU8}, {.to = DType::kC64});
  REQUIRE(opaque.error_class == ErrorClass::kDType);
  REQUIRE(opaque.operand == broadloom::kOutputOperand);
  REQUIRE(opaque.dtype == DType::kC64);
  REQUIRE(
      Refused(request, Op::kCast, {DType::kU4}, {.to = DType::kF32}).operand ==
      0);
  const Error range = Refused(request, Op::kCast, {DType::kU8},
                              {.to = DType::kI8, .saturate = 2});
  REQUIRE(range.error_class == ErrorClass::kAttribute);
  REQUIRE(range.extent == 2);
  const Request two(Rule::kNumpy, {{2}, {2}});
  for (const OpAttributes& other :
       {OpAttributes{.to = DType::kI8}, OpAttributes{.saturate = 1}}) {
    REQUIRE(Refused(two, Op::kAdd, {DType::kU8, DType::kU8}, other).detail ==
            Detail::kUnexpected);
  }
}

TEST_CASE("plan: types that the operator does not take") {
  const Request request(Rule::kNumpy, {{2}, {2}});
  const Error refused = Refused(request, Op::kSum, {DType::kF32, DType::kI32});
  REQUIRE(refused.error_class == ErrorClass::kDType);
  REQUIRE(refused.detail == Detail::kUnsupported);
  REQUIRE(refused.op == Op::kSum);
  REQUIRE(refused.operand == 1);
  REQUIRE(refused.dtype == DType::kI32);
  for (const auto& op : AllOps()) {
    if (op.op == Op::kBroadcast) continue;
    const size_t operands = op.most_operands == 1   ? 1
                            : op.least_operands < 2 ? 2
                                                    : op.least_operands;
    const Request some(Rule::kNumpy,
                       std::vector<Extents>(operands, Extents{2}));
    OpAttributes attributes;
    if (op.attribute == OpAttribute::kDirection) {
      attributes.direction = ShiftDirection::kLeft;
    }
    if (op.attribute == OpAttribute::kTo) attributes.to = DType::kF16;
    for (const auto& dtype : AllDTypes()) {
      std::vector<DType> dtypes(operands, dtype.dtype);
      if (op.op == Op::kWhere) dtypes[0] = DType::kBool;
      const auto plan = Make(some, op.op, dtypes, attributes);
      INFO(op.name << " " << dtype.name);
      REQUIRE(plan.has_value() ==
              Accepts(op.op, operands - 1, dtype.dtype, false));
      if (!plan) REQUIRE(plan.error().error_class == ErrorClass::kDType);
    }
  }
}

TEST_CASE("plan: types that cannot be combined") {
  const Error mixed = Refused(Request(Rule::kNumpy, {{2}, {2}}), Op::kAdd,
                              {DType::kF32, DType::kF64});
  REQUIRE(mixed.error_class == ErrorClass::kDType);
  REQUIRE(mixed.detail == Detail::kMixed);
  REQUIRE(mixed.operand == 1);
  REQUIRE(mixed.other_operand == 0);
  REQUIRE(mixed.dtype == DType::kF64);
  REQUIRE(mixed.other_dtype == DType::kF32);
  const Request three(Rule::kNumpy, {{2}, {2}, {2}});
  REQUIRE(
      Refused(three, Op::kMax, {DType::kI8, DType::kI8, DType::kU8}).operand ==
      2);
  REQUIRE(Refused(three, Op::kWhere, {DType::kBool, DType::kI8, DType::kU8})
              .error_class == ErrorClass::kDType);
  REQUIRE(Refused(three, Op::kWhere, {DType::kU8, DType::kI8, DType::kI8})
              .operand == 0);
  REQUIRE(Refused(Request(Rule::kNumpy, {{2}, {2}}), Op::kPow,
                  {DType::kF32, DType::kBool})
              .error_class == ErrorClass::kDType);
  // The exponent may have any type.
  for (const auto& base : AllDTypes()) {
    for (const auto& exponent : AllDTypes()) {
      const auto plan = Make(Request(Rule::kNumpy, {{2}, {2}}), Op::kPow,
                             {base.dtype, exponent.dtype});
      REQUIRE(plan.has_value() == (Accepts(Op::kAdd, 0, base.dtype) &&
                                   Accepts(Op::kAdd, 0, exponent.dtype)));
    }
  }
}

TEST_CASE(
    "plan: rules, operands and attributes that the operator does not take") {
  const Error rule = Refused(Request(Rule::kSonnx, {{2}, {2}}), Op::kAdd,
                             {DType::kF32, DType::kF32});
  REQUIRE(rule.error_class == ErrorClass::kUnknown);
  REQUIRE(rule.detail == Detail::kRule);
  REQUIRE(rule.rule == Rule::kSonnx);
  REQUIRE(rule.op == Op::kAdd);
  REQUIRE(Refused(Request(Rule::kNumpy, {{2}}), Op::kBroadcast, {DType::kF32})
              .error_class == ErrorClass::kUnknown);

  const Error few =
      Refused(Request(Rule::kNumpy, {{2}}), Op::kAdd, {DType::kF32});
  REQUIRE(few.error_class == ErrorClass::kArity);
  REQUIRE(few.extent == 1);
  REQUIRE(few.other_extent == 2);
  const Request three(Rule::kNumpy, {{2}, {2}, {2}});
  REQUIRE(Refused(three, Op::kAdd, {DType::kF32, DType::kF32, DType::kF32})
              .error_class == ErrorClass::kArity);
  REQUIRE(Refused(three, Op::kMax, {DType::kF32, DType::kF32}).error_class ==
          ErrorClass::kArity);

  const Request two(Rule::kNumpy, {{2}, {2}});
  const std::vector<DType> i32(2, DType::kI32);
  const std::vector<DType> u32(2, DType::kU32);
  const Error unexpected = Refused(two, Op::kAdd, i32, {.fmod = 1});
  REQUIRE(unexpected.error_class == ErrorClass::kAttribute);
  REQUIRE(unexpected.detail == Detail::kUnexpected);
  REQUIRE(Refused(two, Op::kMod, i32, {.direction = ShiftDirection::kLeft})
              .detail == Detail::kUnexpected);
  for (const int64_t fmod : {int64_t{2}, int64_t{-1}, kMost}) {
    const Error range = Refused(two, Op::kMod, i32, {.fmod = fmod});
    REQUIRE(range.error_class == ErrorClass::kAttribute);
    REQUIRE(range.extent == fmod);
  }
  const Error missing = Refused(two, Op::kBitShift, u32);
  REQUIRE(missing.error_class == ErrorClass::kAttribute);
  REQUIRE(missing.detail == Detail::kMissing);
  REQUIRE(Make(two, Op::kMod, i32, {.fmod = 0}));
  REQUIRE(Make(two, Op::kMod, {DType::kF32, DType::kF32}, {.fmod = 1}));
  REQUIRE(Refused(two, Op::kMod, {DType::kF32, DType::kF32}, {.fmod = 0})
              .error_class == ErrorClass::kDType);
  REQUIRE(Refused(two, Op::kMod, {DType::kF32, DType::kF32}).error_class ==
          ErrorClass::kDType);
}

TEST_CASE("plan: the alignment's error is returned") {
  const Error error = Refused(Request(Rule::kNumpy, {{2, 4}, {3}}), Op::kAdd,
                              {DType::kF32, DType::kF32});
  REQUIRE(error.error_class == ErrorClass::kIncompatible);
  REQUIRE(error.axis == 1);
  REQUIRE(error.extent == 3);
  REQUIRE(error.op == Op::kAdd);
}

TEST_CASE("plan: more bytes than can be counted") {
  const Request request(Rule::kNumpy,
                        {{int64_t{1} << 40, 1}, {int64_t{1} << 20}});
  REQUIRE(Refused(request, Op::kAdd, {DType::kF64, DType::kF64}).error_class ==
          ErrorClass::kOverflow);
  REQUIRE(Make(request, Op::kAdd, {DType::kF32, DType::kF32}));
  REQUIRE(Make(request, Op::kLess, {DType::kF64, DType::kF64}));
}

TEST_CASE("plan: rank 8 with 4 operands allocates nothing") {
  const std::vector<Extents> shapes = {
      {2, 1, 3, 1, 2, 1, 3, 1}, {1, 4, 1, 5, 1, 4, 1, 5}, {5}, {}};
  const Request request(Rule::kNumpy, shapes);
  const std::vector<DType> dtypes(4, DType::kF32);
  testing::RequireNoAllocation([&](const Allocator& allocator) {
    const auto alignment = Align(request.get(), allocator);
    if (!alignment) return false;
    const auto plan = Plan::Make(Op::kMax, *alignment, dtypes, {}, allocator);
    if (!plan) return false;
    const auto made =
        MakePlan(Op::kMax, request.get().operands, dtypes, {}, allocator);
    return made.has_value() && plan->work().nest.loop_count() == 8;
  });
}

TEST_CASE(
    "plan: beyond that it allocates, and each failed allocation is an error") {
  const std::vector<std::vector<Extents>> cases = {
      {{2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1},
       {1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3}},
      std::vector<Extents>(40, Extents{3, 1, 2}),
  };
  for (const auto& shapes : cases) {
    const Request request(Rule::kNumpy, shapes);
    const std::vector<DType> dtypes(shapes.size(), DType::kF32);
    const size_t requests =
        testing::RefuseEach([&](const Allocator& allocator) {
          return Make(request, Op::kMax, dtypes, {}, allocator);
        });
    REQUIRE(requests > 2);
    testing::RefuseEach([&](const Allocator& allocator) {
      return MakePlan(Op::kMax, request.get().operands, dtypes, {}, allocator);
    });
  }
}

TEST_CASE("plan: a move keeps it intact") {
  Plan plan = Made(Request(Rule::kNumpy, {{2, 1, 2, 1, 2, 1, 2, 1, 2, 1},
                                          {1, 3, 1, 3, 1, 3, 1, 3, 1, 3}}));
  const Extents loops = Loops(plan);
  REQUIRE(loops.size() == 10);
  const Plan moved = std::move(plan);
  REQUIRE(Loops(moved) == loops);
  REQUIRE(Strides(moved, 1) == Extents{0, 81, 0, 27, 0, 9, 0, 3, 0, 1});
}

TEST_CASE("plan: threads may share one") {
  const Plan plan = Made(Request(Rule::kNumpy, {{64, 33}, {33}}));
  std::vector<float> a(64 * 33);
  std::vector<float> b(33);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i) * 0.5f;
  const Extents a_shape = {64, 33};
  const Extents b_shape = {33};
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : wrong) {
      threads.emplace_back([&] {
        std::vector<float> out(a.size());
        for (int round = 0; round < 200; ++round) {
          const TensorView inputs[] = {
              {DType::kF32, a_shape, a.data(), a.size() * 4},
              {DType::kF32, b_shape, b.data(), b.size() * 4}};
          const MutableTensorView output{DType::kF32, a_shape, out.data(),
                                         out.size() * 4};
          if (!Run(plan, inputs, {&output, 1})) ++count;
          for (size_t i = 0; i < out.size(); ++i) {
            if (out[i] != a[i] + b[i % 33]) ++count;
          }
        }
      });
    }
  }
  REQUIRE(wrong == std::vector<int>(4, 0));
}

}  // namespace
