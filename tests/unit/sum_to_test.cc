#include "broadloom/sum_to.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/explain.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/guarded_buffer.h"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using reference::Buffer;
using testing::Extents;
using testing::ToVector;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

template <class T, class A>
TensorView View(DType dtype, const Extents& shape,
                const std::vector<T, A>& data) {
  return {dtype, shape, data.data(), data.size() * sizeof(T)};
}
template <class T, class A>
MutableTensorView Out(DType dtype, const Extents& shape,
                      std::vector<T, A>& data) {
  return {dtype, shape, data.data(), data.size() * sizeof(T)};
}

// The error of both forms and of the plan, which needs no data.
Error Refused(DType dtype, const Extents& input, const Extents& shape,
              const SumToOptions& options = {}) {
  const Result<SumPlan> planned = SumPlan::Make(dtype, input, shape, options);
  REQUIRE(!planned);
  // Enough for all shapes here that can be counted.
  static const std::vector<double> memory(1000);
  const TensorView from = {dtype, input, memory.data(), memory.size() * 8};
  const Result<Tensor> made = SumTo(from, shape, options);
  REQUIRE(!made);
  std::vector<double> out(1000, 7.0);
  const Status summed = SumTo(from, Out(dtype, shape, out), options);
  REQUIRE(!summed);
  REQUIRE(std::ranges::all_of(out, [](double x) { return x == 7.0; }));
  if (planned.error().error_class != ErrorClass::kOverflow) {
    REQUIRE(made.error() == planned.error());
    REQUIRE(summed.error() == planned.error());
  }
  return planned.error();
}

TEST_CASE("sum_to: the header's examples") {
  const float g[] = {0, 1, 2, 3, 4, 5};
  const int64_t g_shape[] = {2, 3}, b_shape[] = {3};
  Result<Tensor> b = SumTo({DType::kF32, g_shape, g, sizeof g}, b_shape);
  REQUIRE(b);
  REQUIRE(b->dtype() == DType::kF32);
  REQUIRE(ToVector(b->shape()) == Extents{3});
  const std::span<const float> sums = b->as<float>();
  REQUIRE(std::vector<float>(sums.begin(), sums.end()) ==
          std::vector<float>{3, 5, 7});
  REQUIRE(SumPlan::Make(DType::kF32, g_shape, b_shape));
  REQUIRE(Refused(DType::kF32, {2, 3}, {4}).error_class ==
          ErrorClass::kIncompatible);
}

TEST_CASE("sum_to: shapes that do not broadcast are the alignment's errors") {
  const Extents input = {4, 3, 5};
  const auto same = [&](Rule rule, const Extents& shape,
                        std::optional<int64_t> axis = std::nullopt,
                        std::optional<Extents> mapping = std::nullopt) {
    SumToOptions options = {.rule = rule, .axis = axis};
    BroadcastRequest request;
    request.rule = rule;
    request.axis = axis;
    if (mapping) options.axes_mapping = request.axes_mapping = *mapping;
    const ShapeView both[] = {input, shape};
    const bool targeted = Traits(rule).takes_target;
    request.operands = std::span(both).last(targeted ? 1 : 2);
    if (targeted) request.target_shape = input;
    request.dtype = DType::kF64;
    const auto alignment = Align(request);
    REQUIRE(alignment);
    REQUIRE(alignment->error());
    const Error error = Refused(DType::kF64, input, shape, options);
    REQUIRE(error == *alignment->error());
    return error.error_class;
  };
  CHECK(same(Rule::kBroadcastNumpy, {2}) == ErrorClass::kIncompatible);
  CHECK(same(Rule::kBroadcastNumpy, {1, 4, 3, 5}) == ErrorClass::kRank);
  CHECK(same(Rule::kNumpy, {2}) == ErrorClass::kIncompatible);
  CHECK(same(Rule::kNone, {3, 5}) == ErrorClass::kIncompatible);
  CHECK(same(Rule::kOnnxUnidirectional, {1, 4, 3, 5}) == ErrorClass::kRank);
  CHECK(same(Rule::kPdpd, {3}, 0) == ErrorClass::kIncompatible);
  CHECK(same(Rule::kPdpd, {3}, 3) == ErrorClass::kAxis);
  CHECK(same(Rule::kPdpd, {3}, -2) == ErrorClass::kAxis);
  CHECK(same(Rule::kExplicit, {3}) == ErrorClass::kAxesMapping);
  CHECK(same(Rule::kExplicit, {3}, {}, Extents{0}) ==
        ErrorClass::kIncompatible);
  CHECK(same(Rule::kNumpy, {3, 1}, {}, Extents{0}) == ErrorClass::kAxesMapping);
}

TEST_CASE("sum_to: an input that would itself stretch is refused") {
  for (const Rule rule : {Rule::kNumpy, Rule::kOnnxMultidirectional,
                          Rule::kSonnx, Rule::kBidirectional}) {
    INFO(Info(rule).name);
    const bool targeted = Traits(rule).takes_target;
    Error error = Refused(DType::kF32, {2, 1}, {2, 3}, {.rule = rule});
    CHECK(error.error_class == ErrorClass::kIncompatible);
    CHECK(error.rule == rule);
    CHECK(error.clause != Clause::kNoClause);
    CHECK(error.operand == (targeted ? kTargetOperand : 0));
    CHECK(error.other_operand == (targeted ? 0 : 1));
    CHECK(error.axis == 1);
    CHECK(error.operand_axis == 1);
    CHECK(error.other_axis == 1);
    CHECK(error.extent == 1);
    CHECK(error.other_extent == 3);
    error = Refused(DType::kF32, {3}, {1, 3}, {.rule = rule});
    CHECK(error.error_class == ErrorClass::kIncompatible);
    CHECK(error.axis == 0);
    CHECK(error.operand_axis == kAbsent);
  }
}

TEST_CASE("sum_to: what is wrong with the question itself") {
  Error error = Refused(DType::kF32, {2, 3}, {3}, {.axis = 1});
  CHECK(error.error_class == ErrorClass::kAttribute);
  CHECK(error.detail == Detail::kUnexpected);
  error = Refused(DType::kF32, {2, -3}, {3});
  CHECK(error.error_class == ErrorClass::kExtent);
  CHECK(error.operand == 0);
  CHECK(error.operand_axis == 1);
  error = Refused(DType::kF32, {2, 3}, {-3});
  CHECK(error.error_class == ErrorClass::kExtent);
  CHECK(error.operand == kOutputOperand);
  for (const DTypeInfo& type : AllDTypes()) {
    const bool summed = Accepts(Op::kAdd, 0, type.dtype) ||
                        type.dtype == DType::kC64 || type.dtype == DType::kC128;
    INFO(type.name);
    if (summed) {
      CHECK(SumPlan::Make(type.dtype, Extents{2, 3}, Extents{3}));
      continue;
    }
    // Before the shapes are looked at.
    error = Refused(type.dtype, {2, 3}, {4});
    CHECK(error.error_class == ErrorClass::kDType);
    CHECK(error.detail == Detail::kUnsupported);
    CHECK(error.operand == 0);
    CHECK(error.dtype == type.dtype);
    char text[100];
    const size_t length = Describe(error, text);
    CHECK(std::string_view(text, length) ==
          "A is " + std::string(type.name) +
              ", which is not summed: convert it.");
  }
  const Result<SumPlan> overflow =
      SumPlan::Make(DType::kF64, Extents{kMost / 2, 2}, Extents{});
  REQUIRE(!overflow);
  CHECK(overflow.error().error_class == ErrorClass::kOverflow);
}

TEST_CASE("sum_to: tensors that are not what their shapes say") {
  const std::vector<float> in(6, 1.0f);
  std::vector<float> out(3, 7.0f);
  const Extents shape = {2, 3};
  const TensorView from = View(DType::kF32, shape, in);
  const auto refused = [&](const TensorView& input,
                           const MutableTensorView& output) {
    const Status summed = SumTo(input, output);
    REQUIRE(!summed);
    REQUIRE(out == std::vector<float>(3, 7.0f));
    return summed.error();
  };
  const Extents three = {3};
  const Extents four = {4};
  Error error = refused({DType::kF32, from.shape, in.data(), 23},
                        Out(DType::kF32, three, out));
  CHECK(error.error_class == ErrorClass::kLength);
  CHECK(error.operand == 0);
  CHECK(error.extent == 23);
  CHECK(error.other_extent == 24);
  // Before what the shapes clash in.
  error = refused({DType::kF32, from.shape, nullptr, 24},
                  Out(DType::kF32, four, out));
  CHECK(error.error_class == ErrorClass::kLength);
  CHECK(error.operand == 0);
  error = refused(from, {DType::kF32, three, out.data(), 11});
  CHECK(error.error_class == ErrorClass::kLength);
  CHECK(error.operand == kOutputOperand);
  error = refused(from, {DType::kI32, three, out.data(), 12});
  CHECK(error.error_class == ErrorClass::kDType);
  CHECK(error.detail == Detail::kOutput);
  CHECK(error.operand == kOutputOperand);
  CHECK(error.dtype == DType::kI32);
  CHECK(error.other_dtype == DType::kF32);
  const Result<Tensor> made =
      SumTo({DType::kF32, from.shape, in.data(), 23}, four);
  REQUIRE(!made);
  CHECK(made.error().error_class == ErrorClass::kLength);
}

TEST_CASE("sum_to: overlap") {
  std::vector<int32_t> memory = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<int32_t> before = memory;
  const Extents shape = {2, 3};
  const Extents three = {3};
  const TensorView from = {DType::kI32, shape, memory.data(), 24};
  for (const size_t offset : {0u, 1u, 5u}) {
    const Status summed = SumTo(
        from, MutableTensorView{DType::kI32, three, memory.data() + offset,
                                (8 - offset) * 4});
    REQUIRE(!summed);
    CHECK(summed.error().error_class == ErrorClass::kOverlap);
    CHECK(summed.error().operand == kOutputOperand);
    CHECK(summed.error().other_operand == 0);
    CHECK(memory == before);
  }
  // A copy may lie on its original, but not askew.
  CHECK(SumTo(from, MutableTensorView{DType::kI32, shape, memory.data(), 24}));
  CHECK(memory == before);
  CHECK(!SumTo(from,
               MutableTensorView{DType::kI32, shape, memory.data() + 1, 28}));
  const Extents two = {2};
  CHECK(SumTo({DType::kI32, Extents{2, 2}, memory.data(), 16},
              MutableTensorView{DType::kI32, two, memory.data() + 4, 8}));
  CHECK(memory == std::vector<int32_t>{1, 2, 3, 4, 4, 6, 7, 8});
  // A copy of the very bits.
  const std::vector<uint64_t> nan = {0x7FF4000000000001, 0x8000000000000000};
  std::vector<uint64_t> copy(2);
  REQUIRE(SumTo(View(DType::kF64, {2}, nan), Out(DType::kF64, {2}, copy)));
  CHECK(copy == nan);
}

// --- Threads ----------------------------------------------------------------

// Real threads, and who was asked.
struct TestThreads {
  size_t threads;
  size_t runs = 0;
  size_t tasks = 0;

  ParallelFor get() {
    return {this, threads,
            [](void* context, size_t count, void (*task)(void*, size_t),
               void* state) {
              auto& self = *static_cast<TestThreads*>(context);
              ++self.runs;
              self.tasks += count;
              std::atomic<size_t> next = 0;
              const auto work = [&] {
                // From the last one on, since order must not matter.
                for (size_t i; (i = next++) < count;)
                  task(state, count - 1 - i);
              };
              std::vector<std::thread> others;
              for (size_t i = 1; i < self.threads; ++i) {
                others.emplace_back(work);
              }
              work();
              for (std::thread& other : others) other.join();
            }};
  }
};

TEST_CASE("sum_to: any number of threads gives the same bits") {
  const std::vector<std::pair<Extents, Extents>> shapes = {
      {{600, 500}, {}},
      {{600, 500}, {500}},
      {{600, 500}, {600, 1}},
      {{8, 64, 28, 28}, {64, 1, 1}},
      {{300, 400, 3}, {3}},
      {{100000, 3}, {100000, 1}},
      {{16, 256, 64}, {16, 1, 64}},
      {{4, 100000}, {100000}},
      {{5, 70000}, {5, 1}},
      {{70000, 2, 2}, {2, 1}},
      {{40000, 7}, {7}},
      {{3, 10, 10000}, {10, 1}},
      {{3, 4, 5, 4, 3, 4, 5, 4, 3, 4}, {3, 1, 5, 1, 3, 1, 5, 1, 3, 1}}};
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kC64,
                            DType::kU8, DType::kI64}) {
    for (const auto& [input, output] : shapes) {
      const auto bytes = static_cast<size_t>(*CountBytes(input, dtype));
      const auto out_bytes = static_cast<size_t>(*CountBytes(output, dtype));
      Buffer in(bytes);
      uint32_t state = 1;
      for (size_t i = 0; i < bytes; ++i) {
        state = state * 1664525u + 1013904223u;
        in[i] = static_cast<uint8_t>(state >> 24);
        // No exponent of all ones.
        if (i % 2 == 1) in[i] &= 0xBB;
      }
      Buffer alone(out_bytes, 1);
      REQUIRE(SumTo(View(dtype, input, in), Out(dtype, output, alone)));
      for (const size_t threads : {1, 2, 3, 7}) {
        INFO(Info(dtype).name << ' ' << bytes << " bytes to " << out_bytes
                              << " by " << threads);
        TestThreads lent = {threads};
        const ParallelFor parallel = lent.get();
        Buffer together(out_bytes, 2);
        REQUIRE(SumTo(View(dtype, input, in), Out(dtype, output, together),
                      {.parallel = &parallel}));
        CHECK(together == alone);
        const bool used = threads > 1 && bytes >= 2 * kLeastBytesAThread;
        CHECK(lent.runs == (used ? 1 : 0));
        if (used) {
          CHECK(lent.tasks >=
                std::min<size_t>(threads, bytes / kLeastBytesAThread));
        }
      }
    }
  }
}

// --- Memory -----------------------------------------------------------------

TEST_CASE("sum_to: up to rank 8 nothing is allocated") {
  Extents shape(8, 3);
  Extents summed = {3, 1, 3, 1, 3, 1, 3, 1};
  const std::vector<double> in(6561, 1.0);
  std::vector<double> out(81);
  const TensorView from = View(DType::kF64, shape, in);
  const MutableTensorView to = Out(DType::kF64, summed, out);
  testing::Hook hook;
  const size_t before = testing::HeapCalls();
  const bool done = SumTo(from, to, {}, hook.get()).has_value();
  const size_t after = testing::HeapCalls();
  CHECK(done);
  CHECK(after == before);
  CHECK(hook.calls() == 0);
  CHECK(out == std::vector<double>(81, 81.0));
}

TEST_CASE("sum_to: memory that is refused is an error, whichever it is") {
  const Extents shape(12, 2);
  Extents summed(12, 2);
  for (size_t axis = 0; axis < 12; axis += 2) summed[axis] = 1;
  const std::vector<int32_t> in(4096, 1);
  size_t needed = 0;
  {
    testing::Hook hook;
    const Result<Tensor> sum =
        SumTo(View(DType::kI32, shape, in), summed, {}, hook.get());
    REQUIRE(sum);
    CHECK(sum->as<int32_t>()[63] == 64);
    needed = hook.calls();
  }
  REQUIRE(needed > 1);
  for (size_t refused = 0; refused < needed; ++refused) {
    testing::Hook hook(refused);
    const Result<Tensor> sum =
        SumTo(View(DType::kI32, shape, in), summed, {}, hook.get());
    REQUIRE(!sum);
    CHECK(sum.error().error_class == ErrorClass::kAllocation);
    CHECK(hook.blocks() == 0);
  }
}

TEST_CASE("sum_to: views, and those that are none") {
  const std::vector<float> data = {1, 2, 3, 4, 5, 6};
  std::vector<float> out(3, 7.0f);
  const Extents shape = {3, 2}, strides = {1, 3}, two = {2};
  TensorView view = View(DType::kF32, shape, data);
  view.strides = strides;  // the transpose of (2,3)
  REQUIRE(SumTo(view, Out(DType::kF32, {3, 1}, out)));
  CHECK(out == std::vector<float>{5, 7, 9});
  const Result<Tensor> sum = SumTo(view, two);
  REQUIRE(sum);
  CHECK(sum->as<float>()[0] == 6);
  CHECK(sum->as<float>()[1] == 15);

  const auto refused = [&](const TensorView& input) {
    out.assign(3, 7.0f);
    const Status summed = SumTo(input, Out(DType::kF32, {3, 1}, out));
    REQUIRE(!summed);
    CHECK(out == std::vector<float>(3, 7.0f));
    const Result<Tensor> made = SumTo(input, Extents{3, 1});
    REQUIRE(!made);
    CHECK(made.error() == summed.error());
    CHECK(made.error().operand == 0);
    return made.error();
  };
  Error error = refused({DType::kF32, shape, data.data(), 24, strides, 5});
  CHECK(error.error_class == ErrorClass::kLength);
  CHECK(error.other_extent == 44);
  const Extents back = {-1, 3};
  error = refused({DType::kF32, shape, data.data(), 24, back, 1});
  CHECK(error.error_class == ErrorClass::kLength);
  CHECK(error.detail == Detail::kNegative);
  CHECK(error.extent == -1);
  const Extents one = {2};
  error = refused({DType::kF32, shape, data.data(), 24, one});
  CHECK(error.error_class == ErrorClass::kIncompatible);
  CHECK(error.detail == Detail::kStrides);
  CHECK(error.extent == 1);
  CHECK(error.other_extent == 2);
}

TEST_CASE("sum_to: a view may lie around the output, but not on it") {
  std::vector<int32_t> memory = {1, 2, 3, 4, 5, 6};
  const Extents three = {3}, one = {1}, strides = {2};
  const TensorView odd = {DType::kI32, three, memory.data(), 24, strides};
  const auto into = [&](size_t at) {
    return SumTo(odd,
                 MutableTensorView{DType::kI32, one, memory.data() + at, 4});
  };
  for (const size_t at : {0, 1, 4}) {
    const Status summed = into(at);
    REQUIRE(!summed);
    CHECK(summed.error().error_class == ErrorClass::kOverlap);
  }
  CHECK(into(5));
  CHECK(memory == std::vector<int32_t>{1, 2, 3, 4, 5, 9});
}

}  // namespace
