#include "broadloom/sum_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/explain.h"
#include "broadloom/sum_stream.h"
#include "broadloom/sum_to.h"
#include "broadloom/threads.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/guarded_buffer.h"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using reference::Buffer;
using testing::Extents;
using testing::ToVector;

struct Shapes {
  Extents input;
  Extents output;
};

Buffer Elements(DType dtype, const Extents& shape, uint32_t state) {
  Buffer bytes(static_cast<size_t>(*CountBytes(shape, dtype)));
  for (size_t i = 0; i < bytes.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = static_cast<uint8_t>(state >> 24);
    // No exponent of all ones, of any float.
    if (i % 2 == 1) bytes[i] &= 0xBB;
  }
  return bytes;
}

TensorView View(DType dtype, const Extents& shape, const Buffer& data) {
  return {dtype, shape, data.data(), data.size()};
}

Buffer BytesOf(const Result<Tensor>& tensor) {
  REQUIRE(tensor);
  const auto* const bytes = static_cast<const uint8_t*>(tensor->data());
  return {bytes, bytes + tensor->bytes()};
}

const std::vector<Shapes>& AllShapes() {
  static const std::vector<Shapes> all = {
      {{32, 32}, {32}},
      {{600, 500}, {}},
      {{600, 500}, {600, 1}},
      {{8, 16, 28, 28}, {16, 1, 1}},
      {{30000, 5}, {30000, 1}},
      {{70000, 2, 2}, {2, 1}},
      {{3, 10, 1000}, {10, 1}},
      {{3, 4, 5, 4, 3, 4, 5, 4, 3, 4}, {3, 1, 5, 1, 3, 1, 5, 1, 3, 1}},
      // Nothing to sum; nothing at all.
      {{3, 500}, {3, 500}},
      {{1, 3, 1, 5}, {3, 1, 5}},
      {{}, {}},
      {{0, 300}, {300}},
      {{2, 0}, {0}}};
  return all;
}

TEST_CASE("sum_plan: says what it was made for") {
  const Extents shape = {4, 3, 5};
  const Result<SumPlan> plan = SumPlan::Make(DType::kF16, shape, Extents{4, 1},
                                             {.rule = Rule::kPdpd, .axis = 0});
  REQUIRE(plan);
  CHECK(plan->dtype() == DType::kF16);
  CHECK(plan->rule() == Rule::kPdpd);
  CHECK(ToVector(plan->input_shape()) == shape);
  CHECK(ToVector(plan->output_shape()) == Extents{4, 1});
  CHECK(plan->input_bytes() == 120);
  CHECK(plan->output_bytes() == 8);
}

TEST_CASE("sum_plan: a kept plan gives the bits of SumTo") {
  const Result<Threads> threads = Threads::Make(3);
  REQUIRE(threads);
  for (const Shapes& shapes : AllShapes()) {
    for (const DType dtype :
         {DType::kF32, DType::kF64, DType::kBF16, DType::kC64, DType::kI8}) {
      INFO(Info(dtype).name << ' ' << ::Catch::Detail::stringify(shapes.input)
                            << " to "
                            << ::Catch::Detail::stringify(shapes.output));
      const Result<SumPlan> plan =
          SumPlan::Make(dtype, shapes.input, shapes.output);
      REQUIRE(plan);
      for (const uint32_t seed : {1u, 2u, 3u}) {
        const Buffer in = Elements(dtype, shapes.input, seed);
        const TensorView input = View(dtype, shapes.input, in);
        const Buffer wanted = BytesOf(SumTo(input, shapes.output));
        CHECK(BytesOf(plan->Run(input)) == wanted);
        CHECK(BytesOf(plan->Run(
                  input, {.parallel = &threads->parallel_for()})) == wanted);
        Buffer out(wanted.size(), 7);
        REQUIRE(plan->Run(input, MutableTensorView{dtype, shapes.output,
                                                   out.data(), out.size()}));
        CHECK(out == wanted);
      }
    }
  }
}

TEST_CASE("sum_plan: any strides, planned or not") {
  const Extents shape = {40, 7, 30};
  const Extents dense = {210, 30, 1};
  // Of the same memory: transposed, backwards, every second element, repeated.
  const std::vector<std::pair<Extents, int64_t>> views = {
      {dense, 0},        {{1, 1200, 40}, 0}, {{-210, 30, 1}, 39 * 210},
      {{420, 60, 2}, 0}, {{0, 30, 1}, 5},    {{210, 30, -1}, 29}};
  const Buffer data = Elements(DType::kF32, {2 * 40 * 7 * 30}, 9);
  for (const Extents& output :
       {Extents{30}, Extents{7, 1}, Extents{40, 1, 1}, Extents{}, shape}) {
    for (const auto& [planned, at] : views) {
      const Result<SumPlan> plan =
          SumPlan::Make(DType::kF32, shape, output, {}, planned);
      REQUIRE(plan);
      for (const auto& [strides, offset] : views) {
        TensorView input = View(DType::kF32, shape, data);
        input.strides = strides;
        input.offset = offset;
        CHECK(BytesOf(plan->Run(input)) == BytesOf(SumTo(input, output)));
      }
      const TensorView without = View(DType::kF32, shape, data);
      CHECK(BytesOf(plan->Run(without)) == BytesOf(SumTo(without, output)));
      // A stream's input is dense, whatever the plan's strides are.
      alignas(64) static std::byte memory[256 << 10];
      auto stream = SumStream::Make(*plan, sizeof memory, SumInput::kInMemory);
      REQUIRE(stream);
      Buffer streamed;
      while (!stream->done()) {
        REQUIRE(stream->Add(memory, data.data()));
        const auto* const bytes = reinterpret_cast<const uint8_t*>(memory);
        streamed.insert(streamed.end(), bytes, bytes + stream->result().bytes);
      }
      CHECK(streamed == BytesOf(SumTo(without, output)));
    }
  }
}

// From rank 9 on an alignment asks for memory: that is how it is noticed.
TEST_CASE("sum_plan: shapes are aligned once, and not again by a kept plan") {
  const Extents shape(12, 2);
  Extents output(12, 2);
  for (size_t axis = 0; axis < 12; axis += 2) output[axis] = 1;
  const Buffer data = Elements(DType::kI32, shape, 1);
  const TensorView input = View(DType::kI32, shape, data);
  Buffer out(256);
  const MutableTensorView sums{DType::kI32, output, out.data(), out.size()};
  const auto requests = [](auto run) {
    testing::Hook hook;
    const bool done = run(hook.get()).has_value();
    REQUIRE(done);
    return hook.calls();
  };
  const size_t of_align = requests([&](const Allocator& a) {
    const ShapeView operand = output;
    return Align({.rule = Rule::kBroadcastNumpy,
                  .operands = {&operand, 1},
                  .target_shape = shape},
                 a);
  });
  const size_t of_plan = requests([&](const Allocator& a) {
    return SumPlan::Make(DType::kI32, shape, output, {}, {}, a);
  });
  const size_t of_tensor = requests([&](const Allocator& a) {
    return Tensor::Allocate(DType::kI32, output, a);
  });
  CHECK(of_align > 0);
  CHECK(of_plan > of_align);
  CHECK(requests([&](const Allocator& a) {
          return SumTo(input, sums, {}, a);
        }) == of_plan);
  CHECK(requests([&](const Allocator& a) {
          return SumTo(input, output, {}, a);
        }) == of_plan + of_tensor);

  const Result<SumPlan> plan = SumPlan::Make(DType::kI32, shape, output);
  REQUIRE(plan);
  CHECK(requests([&](const Allocator& a) {
          return plan->Run(input, sums, {}, a);
        }) == 0);
  CHECK(requests([&](const Allocator& a) { return plan->Run(input, {}, a); }) ==
        of_tensor);
  // Its order of additions, which a stream has a copy of, and where the stream
  // stands.
  CHECK(requests([&](const Allocator& a) {
          return SumStream::Make(*plan, 65536, SumInput::kBrought, a);
        }) <= 2);
}

TEST_CASE("sum_plan: up to rank 8 nothing is allocated") {
  const Extents shape(8, 3);
  const Extents output = {3, 1, 3, 1, 3, 1, 3, 1};
  const Extents strides = {1, 3, 9, 27, 81, 243, 729, 2187};
  const std::vector<double> in(6561, 1.0);
  std::vector<double> out(81);
  const TensorView dense{DType::kF64, shape, in.data(), in.size() * 8};
  TensorView strided = dense;
  strided.strides = strides;
  const MutableTensorView sums{DType::kF64, output, out.data(), 648};
  testing::RequireNoAllocation([&](const Allocator& allocator) {
    const auto plan =
        SumPlan::Make(DType::kF64, shape, output, {}, {}, allocator);
    return plan && plan->Run(dense, sums, {}, allocator) &&
           plan->Run(strided, sums, {}, allocator);
  });
  CHECK(out == std::vector<double>(81, 81.0));
}

TEST_CASE("sum_plan: tensors that are not as planned") {
  const Extents shape = {2, 3}, three = {3}, four = {4}, other = {2, 4},
                flat = {6};
  const std::vector<float> in(8, 1.0f);
  std::vector<float> out(4, 7.0f);
  const Result<SumPlan> plan = SumPlan::Make(DType::kF32, shape, three);
  REQUIRE(plan);
  const TensorView input{DType::kF32, shape, in.data(), 24};
  const MutableTensorView output{DType::kF32, three, out.data(), 12};
  const auto refused = [&](const TensorView& from,
                           const MutableTensorView& to) {
    const Status ran = plan->Run(from, to);
    REQUIRE(!ran);
    REQUIRE(out == std::vector<float>(4, 7.0f));
    return ran.error();
  };
  const auto sentence = [](const Error& error) {
    std::array<char, 300> text;
    return std::string(text.data(), Describe(error, text));
  };

  Error error = refused({DType::kI32, other, in.data(), 1}, output);
  CHECK(error.error_class == ErrorClass::kDType);
  CHECK(error.detail == Detail::kMixed);
  CHECK(error.operand == 0);
  CHECK(sentence(error) ==
        "A is i32, but the plan is made for f32: give one of f32.");
  error = refused({DType::kF32, other, in.data(), 1}, output);
  CHECK(error.error_class == ErrorClass::kIncompatible);
  CHECK(error.detail == Detail::kSize);
  CHECK(error.operand_axis == 1);
  CHECK(error.extent == 4);
  CHECK(error.other_extent == 3);
  CHECK(sentence(error) ==
        "A has 4 along axis 1, but the plan is made for 3: give one of that "
        "shape.");
  error = refused({DType::kF32, flat, in.data(), 24}, output);
  CHECK(error.operand_axis == kAbsent);
  CHECK(error.extent == 1);
  CHECK(error.other_extent == 2);
  error = refused(input, {DType::kI32, three, out.data(), 12});
  CHECK(error.error_class == ErrorClass::kDType);
  CHECK(error.detail == Detail::kOutput);
  CHECK(error.operand == kOutputOperand);
  error = refused(input, {DType::kF32, four, out.data(), 16});
  CHECK(error.error_class == ErrorClass::kIncompatible);
  CHECK(error.detail == Detail::kOutput);
  CHECK(sentence(error) ==
        "out has 4 along axis 0, but the result has 3: give one of that "
        "shape.");
  error = refused({DType::kF32, shape, in.data(), 23}, output);
  CHECK(error.error_class == ErrorClass::kLength);
  CHECK(error.operand == 0);
  CHECK(error.rule == Rule::kBroadcastNumpy);
  error = refused(input, {DType::kF32, three, out.data(), 11});
  CHECK(error.error_class == ErrorClass::kLength);
  CHECK(error.operand == kOutputOperand);
  const int64_t one[] = {1};
  error = refused({DType::kF32, shape, in.data(), 24, one}, output);
  CHECK(error.error_class == ErrorClass::kIncompatible);
  CHECK(error.detail == Detail::kStrides);
  error = refused({DType::kF32, three, out.data(), 12}, output);
  CHECK(error.error_class == ErrorClass::kIncompatible);
  const Result<Tensor> made = plan->Run({DType::kF32, shape, in.data(), 23});
  REQUIRE(!made);
  CHECK(made.error().error_class == ErrorClass::kLength);
  // On a part of the input.
  std::vector<float> both(8, 1.0f);
  const Status over =
      plan->Run({DType::kF32, shape, both.data(), 24},
                MutableTensorView{DType::kF32, three, both.data() + 3, 12});
  REQUIRE(!over);
  CHECK(over.error().error_class == ErrorClass::kOverlap);
}

TEST_CASE("sum_plan: strides that lead out of any memory") {
  const Extents shape = {3, 5, 2};
  const std::vector<float> in(30, 1.0f);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (const int64_t far : {kMost, kLeast, kMost / 2, kLeast / 4}) {
    for (size_t axis = 0; axis < 3; ++axis) {
      Extents strides = {10, 2, 1};
      strides[axis] = far;
      for (const Extents& output :
           {Extents{2}, Extents{5, 1}, Extents{3, 1, 1}, shape}) {
        const Result<SumPlan> plan =
            SumPlan::Make(DType::kF32, shape, output, {}, strides);
        REQUIRE(plan);
        TensorView input{DType::kF32, shape, in.data(), 120, strides};
        const Result<Tensor> ran = plan->Run(input);
        REQUIRE(!ran);
        CHECK(ran.error().error_class == ErrorClass::kLength);
        input.strides = {};
        CHECK(BytesOf(plan->Run(input)) == BytesOf(SumTo(input, output)));
      }
    }
  }
}

TEST_CASE("sum_plan: threads share one plan") {
  const Extents shape = {64, 3, 500};
  const Result<SumPlan> plan = SumPlan::Make(DType::kF32, shape, Extents{3, 1});
  REQUIRE(plan);
  const Buffer data = Elements(DType::kF32, shape, 4);
  const Buffer wanted =
      BytesOf(SumTo(View(DType::kF32, shape, data), Extents{3, 1}));
  std::array<std::vector<float>, 4> sums;
  std::vector<std::thread> threads;
  for (std::vector<float>& own : sums) {
    own.resize(3);
    threads.emplace_back([&] {
      const Extents output = {3, 1};
      for (int round = 0; round < 50; ++round) {
        (void)plan->Run(View(DType::kF32, shape, data),
                        MutableTensorView{DType::kF32, output, own.data(), 12});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& own : sums) {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(own.data());
    CHECK(Buffer(bytes, bytes + 12) == wanted);
  }
}

}  // namespace
