// Every public function that may allocate, with each of its allocations refused
// in turn: first those of the caller's allocator, then those of the heap,
// operator new included. Each refusal must return the error `allocation`, and
// all memory must be released.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/explain/repair.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/threads.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"

namespace {

using broadloom::Allocator;
using broadloom::Arena;
using broadloom::DType;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::IndexRange;
using broadloom::MutableTensorView;
using broadloom::Op;
using broadloom::Plan;
using broadloom::Rule;
using broadloom::ShapeView;
using broadloom::Status;
using broadloom::TensorView;

// More axes and operands than the inline capacity of the records.
constexpr size_t kRank = 12;
constexpr size_t kOperands = 6;

struct Question {
  Question() {
    extents.assign(kRank, 1);
    extents[0] = 3;
    extents[5] = 2;
    extents[11] = 4;
    narrow = extents;
    narrow[5] = 1;
    clashing = extents;
    clashing[0] = 5;
    strides.assign(kRank, 0);
    strides[0] = 8;
    strides[5] = 4;
    strides[11] = 1;
    for (const int64_t extent : extents) box.push_back({0, extent});
    for (size_t i = 0; i < kOperands; ++i) {
      shapes.push_back(i % 2 == 0 ? extents : narrow);
      clash.push_back(i % 2 == 0 ? extents : clashing);
    }
    types.assign(kOperands, DType::kF32);
    for (const ShapeView& shape : shapes) {
      inputs.push_back({DType::kF32, shape, data.data(), sizeof data});
    }
    strided = inputs;
    strided[0].strides = strides;
    output = {DType::kF32, extents, result.data(), sizeof result};
    for (auto& one : results) {
      outputs.push_back({DType::kF32, extents, one.data(), sizeof one});
    }
  }

  std::vector<int64_t> extents, narrow, clashing, strides;
  std::vector<IndexRange> box;
  std::vector<ShapeView> shapes, clash;
  std::vector<DType> types;
  std::vector<TensorView> inputs, strided;
  std::array<float, 24> data = {};
  std::array<float, 24> result = {};
  std::array<std::array<float, 24>, kOperands> results = {};
  MutableTensorView output;
  std::vector<MutableTensorView> outputs;
};

struct Call {
  const char* name;
  std::function<Status(const Allocator&)> run;
};

template <class R>
Status StatusOf(const R& result) {
  if (!result) return std::unexpected(result.error());
  return {};
}

Status StatusOf(bool made) {
  if (made) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
}

std::vector<Call> Calls(Question& q) {
  using namespace broadloom;
  const auto plan = [&q] {
    auto made = MakePlan(Op::kSum, q.shapes, q.types);
    REQUIRE(made);
    return std::make_shared<Plan>(std::move(*made));
  }();
  const auto many = [&q] {
    auto made =
        MakePlan(Op::kBroadcast, q.shapes, q.types, {.rule = Rule::kSonnx});
    REQUIRE(made);
    return std::make_shared<Plan>(std::move(*made));
  }();
  const auto sum_plan = [&q] {
    auto made = SumPlan::Make(DType::kF32, q.extents, q.narrow, {}, q.strides);
    REQUIRE(made);
    return std::make_shared<SumPlan>(std::move(*made));
  }();
  const auto nest = [](LoopNest& out, const Allocator& a) {
    // Loops that cannot be joined.
    std::array<int64_t, kRank> twos;
    twos.fill(2);
    return out.Reset(
        twos, 2,
        [](size_t operand, size_t axis) {
          return operand == 0 ? int64_t{1} << (2 * axis)
                 : axis % 2   ? int64_t{1} << (2 * axis)
                              : int64_t{0};
        },
        a);
  };
  return {
      {"Align",
       [&](const Allocator& a) {
         return StatusOf(Align({.operands = q.shapes}, a));
       }},
      {"Align, with conflicts",
       [&](const Allocator& a) {
         return StatusOf(Align({.operands = q.clash}, a));
       }},
      {"InferShape",
       [&](const Allocator& a) {
         return StatusOf(InferShape({.operands = q.shapes}, a));
       }},
      {"CopyShape",
       [&](const Allocator& a) { return StatusOf(CopyShape(q.extents, a)); }},
      {"FindRepairs",
       [&](const Allocator& a) {
         Arena arena(a);
         return StatusOf(FindRepairs({.operands = q.clash}, arena));
       }},
      {"ParseShape",
       [](const Allocator& a) {
         return StatusOf(ParseShape("1x2x3x4x5x6x7x8x9x10", kAbsent, a));
       }},
      {"ParseIntegers",
       [](const Allocator& a) {
         return StatusOf(
             ParseIntegers("1 2 3 4 5 6 7 8 9 -10", kTargetOperand, a));
       }},
      {"Plan::Make",
       [&](const Allocator& a) {
         const auto alignment = Align({.operands = q.shapes}, a);
         if (!alignment) return StatusOf(alignment);
         return StatusOf(Plan::Make(Op::kSum, *alignment, q.types, {}, a));
       }},
      {"MakePlan",
       [&](const Allocator& a) {
         return StatusOf(MakePlan(Op::kSum, q.shapes, q.types, {}, a));
       }},
      {"Run",
       [&, plan](const Allocator& a) {
         return Run(*plan, q.inputs, {&q.output, 1}, {}, a);
       }},
      {"Run, of strided operands",
       [&, plan](const Allocator& a) {
         return Run(*plan, q.strided, {&q.output, 1}, {}, a);
       }},
      {"Run, of several results",
       [&, many](const Allocator& a) {
         return Run(*many, q.inputs, q.outputs, {}, a);
       }},
      {"RunRegion",
       [&, plan](const Allocator& a) {
         return RunRegion(*plan, q.box, q.inputs, {&q.output, 1}, {}, a);
       }},
      {"Apply",
       [&](const Allocator& a) {
         return StatusOf(Apply(Op::kSum, q.inputs, {}, a));
       }},
      {"Apply, into memory",
       [&](const Allocator& a) {
         return Apply(Op::kSum, q.inputs, q.output, {}, a);
       }},
      {"Tensor::Allocate",
       [&](const Allocator& a) {
         return StatusOf(Tensor::Allocate(DType::kF32, q.extents, a));
       }},
      {"Blocks::Make",
       [&, plan](const Allocator& a) {
         return StatusOf(Blocks::Make(*plan, 1024, a));
       }},
      {"Blocks::Make, of a box",
       [&, plan](const Allocator& a) {
         return StatusOf(Blocks::Make(*plan, q.box, 1024, a));
       }},
      {"SumPlan::Make",
       [&](const Allocator& a) {
         return StatusOf(
             SumPlan::Make(DType::kF32, q.extents, q.narrow, {}, {}, a));
       }},
      {"SumPlan::Make, a copy of a view",
       [&](const Allocator& a) {
         return StatusOf(SumPlan::Make(DType::kF32, q.extents, q.extents, {},
                                       q.strides, a));
       }},
      {"SumPlan::Run, of other strides",
       [&, sum_plan](const Allocator& a) {
         std::array<float, 12> sums;
         return sum_plan->Run(
             q.inputs[0],
             MutableTensorView{DType::kF32, q.narrow, sums.data(), 48}, {}, a);
       }},
      {"SumStream::Make, of a plan for views",
       [&, sum_plan](const Allocator& a) {
         return StatusOf(
             SumStream::Make(*sum_plan, 128 << 10, SumInput::kBrought, a));
       }},
      {"SumTo",
       [&](const Allocator& a) {
         return StatusOf(SumTo(q.strided[0], q.narrow, {}, a));
       }},
      {"SumTo, into memory",
       [&](const Allocator& a) {
         std::array<float, 12> sums;
         return SumTo(q.inputs[0], {DType::kF32, q.narrow, sums.data(), 48}, {},
                      a);
       }},
      {"SumTo, a copy",
       [&](const Allocator& a) {
         return StatusOf(SumTo(q.strided[0], q.extents, {}, a));
       }},
      {"SumStream::Make",
       [&](const Allocator& a) {
         return StatusOf(SumStream::Make(DType::kF32, q.extents, q.narrow,
                                         128 << 10, {}, SumInput::kBrought, a));
       }},
      {"LoopNest::Reset",
       [=](const Allocator& a) {
         LoopNest made;
         return StatusOf(nest(made, a));
       }},
      {"Schedule::Reset",
       [=](const Allocator& a) {
         LoopNest made;
         Schedule schedule;
         const uint8_t bits[] = {32, 32};
         return StatusOf(
             nest(made, a) &&
             schedule.Reset(made, bits, 32, broadloom::RunUse::kOneByOne, a));
       }},
      {"SumOrder::Reset",
       [=](const Allocator& a) {
         LoopNest made;
         SumOrder order;
         return StatusOf(nest(made, a) && order.Reset(made, DType::kF32, a));
       }},
      {"Threads::Make",
       [](const Allocator& a) { return StatusOf(Threads::Make(3, a)); }},
  };
}

TEST_CASE("refusal: each request to the allocator") {
  Question q;
  for (const Call& call : Calls(q)) {
    INFO(call.name);
    // Each of them allocates here, or the test would show nothing.
    REQUIRE(testing::RefuseEach(call.run) > 0);
  }
}

TEST_CASE("refusal: each request to the heap") {
  Question q;
  size_t refusals = 0;
  for (const Call& call : Calls(q)) {
    INFO(call.name);
    const bool of_threads = std::string(call.name) == "Threads::Make";
    bool refused = true;
    for (size_t i = 0; refused; ++i) {
      INFO("request " << i);
      Status got;
      {
        const testing::HeapRefusal refusal(i);
        got = call.run(broadloom::DefaultAllocator());
        refused = refusal.happened();
      }
      REQUIRE(i < 1000);
      refusals += refused;
      // If the system has no memory for a thread, there is one thread less.
      if (!refused || (of_threads && got)) {
        REQUIRE(got);
      } else {
        REQUIRE(!got);
        REQUIRE(got.error().error_class == ErrorClass::kAllocation);
      }
    }
  }
  if (testing::HeapIsWatched()) REQUIRE(refusals > 50);
}

// All memory of the library comes from the caller's allocator.
TEST_CASE(
    "refusal: no memory is taken from the heap except through the allocator") {
  Question q;
  for (const Call& call : Calls(q)) {
    INFO(call.name);
    if (std::string(call.name) == "Threads::Make")
      continue;  // allocated by the system
    // Memory that does not come from the heap.
    struct Pool {
      alignas(64) std::array<std::byte, 1 << 18> memory;
      size_t used = 0;
    };
    static Pool pool;
    pool.used = 0;
    const Allocator from_pool{
        [](void* context, size_t bytes, size_t) {
          auto* const self = static_cast<Pool*>(context);
          const size_t place = self->used;
          self->used += bytes;
          return self->used > self->memory.size()
                     ? nullptr
                     : static_cast<void*>(self->memory.data() + place);
        },
        [](void*, void*, size_t, size_t) {}, &pool};
    const size_t before = testing::HeapCalls();
    const Status got = call.run(from_pool);
    const size_t calls = testing::HeapCalls() - before;
    REQUIRE(got);
    REQUIRE(calls == 0);
  }
}

}  // namespace
