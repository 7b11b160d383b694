// Runs and sums access only the elements that they are asked for, and no bytes
// beside or between them, so that other threads may write there at the same
// time. The thread sanitizer detects other accesses; without it, these are
// tests of results.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/guarded_buffer.h"
#include "reference/trial.h"

namespace {

using namespace reference;
using broadloom::IndexRange;
using broadloom::MutableTensorView;
using broadloom::StorePolicy;
using broadloom::TensorView;
using broadloom::Threads;

// A thread that writes bytes of memory. It has written all of them when Others'
// constructor returns, but the thread sanitizer sees no synchronisation before
// Others is destroyed.
class Others {
 public:
  Others(std::span<uint8_t> memory, const std::vector<bool>& theirs)
      : thread_([this, memory, &theirs] {
          for (size_t i = 0; i < memory.size(); ++i) {
            if (theirs[i]) memory[i] = static_cast<uint8_t>(~memory[i]);
          }
          done_.store(true, std::memory_order_relaxed);
        }) {
    while (!done_.load(std::memory_order_relaxed)) std::this_thread::yield();
  }
  ~Others() { thread_.join(); }

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

// Elements in memory, with kMargin more bytes before and after them.
struct Laid {
  Laid(DType type, Extents extents, Extents steps, uint64_t seed)
      : dtype(type), shape(std::move(extents)), strides(std::move(steps)) {
    int64_t least = 0, most = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      (strides[axis] < 0 ? least : most) += strides[axis] * (shape[axis] - 1);
    }
    const int bits = BitsOf(dtype);
    lead = kMargin * 8 / bits;
    offset = lead - least;
    const size_t held = static_cast<size_t>(most - least + 1 + 2 * lead);
    memory = SomeElements(dtype, held, seed);
    Extents index(shape.size(), 0);
    const size_t count = static_cast<size_t>(Count(shape));
    dense.resize(BytesFor(count, bits));
    for (size_t i = 0; i < count; ++i) {
      const size_t at = static_cast<size_t>(At(index));
      PutBits(dense, bits, i, Get(memory, bits, at));
      for (size_t axis = shape.size(); axis-- > 0;) {
        if (++index[axis] < shape[axis]) break;
        index[axis] = 0;
      }
    }
  }

  // The bytes in which no element of `box` lies.
  std::vector<bool> Beside(std::span<const IndexRange> box) const {
    const int bits = BitsOf(dtype);
    std::vector<bool> beside(memory.size(), true);
    Extents index;
    for (const IndexRange& range : box) index.push_back(range.begin);
    for (;;) {
      const size_t bit = static_cast<size_t>(At(index) * bits);
      for (size_t i = bit / 8; i <= (bit + static_cast<size_t>(bits) - 1) / 8;
           ++i) {
        beside[i] = false;
      }
      size_t axis = index.size();
      for (; axis-- > 0;) {
        if (++index[axis] < box[axis].end) break;
        index[axis] = box[axis].begin;
      }
      if (axis == SIZE_MAX) return beside;
    }
  }

  int64_t At(const Extents& index) const {
    int64_t at = offset;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      at += index[axis] * strides[axis];
    }
    return at;
  }
  // All of the memory is named.
  TensorView view() const {
    return {dtype, shape, memory.data(), memory.size(), strides, offset};
  }
  TensorView dense_view() const {
    return {dtype, shape, dense.data(), dense.size()};
  }

  static constexpr int64_t kMargin = 640;
  DType dtype;
  Extents shape;
  Extents strides;
  int64_t lead = 0;
  int64_t offset = 0;
  Buffer memory;
  Buffer dense;
};

struct Form {
  Extents shape;
  Extents strides;
  Extents large;  // the shape to which it stretches
};

const std::vector<Form> kPatterns = {
    {{2, 3}, {5, 1}, {2, 3}},  // shorter than a vector
    {{7}, {3}, {7}},
    {{40, 3}, {4, 1}, {40, 3}},     // red, green, blue of four channels
    {{40, 67}, {70, 1}, {40, 67}},  // padded rows
    {{40, 33}, {80, 2}, {40, 33}},  // every second element
    {{300}, {5}, {300}},            // a column
    {{50, 5}, {-7, 1}, {50, 5}},    // rows in reverse order
    {{90, 8}, {-20, -2}, {90, 8}},
    {{6, 7, 3}, {33, 4, 1}, {6, 7, 3}},
    {{40, 1, 3}, {5, 0, 1}, {40, 20, 3}},  // repeated
    {{40, 9, 1}, {12, 1, 0}, {40, 9, 5}},
    {{30, 21}, {1, 37}, {30, 21}},  // a transpose
    {{700, 3}, {3, 1}, {700, 3}},   // dense
    {{500, 1, 3}, {3, 0, 1}, {500, 30, 3}},
};

std::vector<IndexRange> Whole(const Extents& shape) {
  std::vector<IndexRange> box;
  for (const int64_t extent : shape) box.push_back({0, extent});
  return box;
}

TEST_CASE("access: gaps in and around a view may be written meanwhile") {
  for (const DType dtype : {DType::kU8, DType::kU16, DType::kF32, DType::kI64,
                            DType::kC128, DType::kU4, DType::kU1}) {
    const bool moves = BitsOf(dtype) < 8 || dtype == DType::kC128;
    for (const Form& pattern : kPatterns) {
      Laid laid(dtype, pattern.shape, pattern.strides, 7);
      const Laid other(dtype, pattern.large, Extents(pattern.large.size(), 0),
                       8);
      broadloom::ApplyOptions options{.rule = broadloom::Rule::kNumpy};
      std::vector<broadloom::ShapeView> shapes = {laid.shape, other.shape};
      std::vector<DType> dtypes(2, dtype);
      if (moves) {
        options.rule = broadloom::Rule::kBidirectional;
        options.target_shape = pattern.large;
        shapes.pop_back();
        dtypes.pop_back();
      }
      const auto plan = broadloom::MakePlan(moves ? Op::kBroadcast : Op::kSub,
                                            shapes, dtypes, options);
      REQUIRE(plan);
      // The whole result, and all but the last index along each axis.
      for (const bool part : {false, true}) {
        std::vector<IndexRange> box = Whole(pattern.large);
        std::vector<IndexRange> read = Whole(pattern.shape);
        Extents extents = pattern.large;
        for (size_t axis = 0; part && axis < box.size(); ++axis) {
          --box[axis].end, --extents[axis];
          if (pattern.shape[axis] != 1) --read[axis].end;
        }
        const size_t bytes =
            BytesFor(static_cast<size_t>(Count(extents)), BitsOf(dtype));
        const size_t margin = static_cast<size_t>(Laid::kMargin);
        ForEachTarget([&](const std::string& target) {
          INFO(target << ' ' << broadloom::Info(dtype).name
                      << ShapeText(pattern.shape) << " strides "
                      << ShapeText(pattern.strides) << (part ? " part" : ""));
          for (const StorePolicy stores :
               {StorePolicy::kCached, StorePolicy::kStreaming}) {
            std::vector<TensorView> inputs = {laid.dense_view()};
            if (!moves) inputs.push_back(other.view());
            Outputs wanted(dtype, extents, 1, 1);
            REQUIRE(RunRegion(*plan, box, inputs, wanted.views));
            inputs[0] = laid.view();
            Buffer around(bytes + 2 * margin, 2);
            const MutableTensorView out{dtype, extents, around.data() + margin,
                                        bytes};
            std::vector<bool> beside(around.size(), true);
            std::fill_n(beside.begin() + Laid::kMargin, bytes, false);
            {
              const std::vector<bool> gaps = laid.Beside(read);
              const Others theirs(laid.memory, gaps);
              const Others more(around, beside);
              const auto ran =
                  part ? RunRegion(*plan, box, inputs, {&out, 1},
                                   {.stores = stores})
                       : Run(*plan, inputs, {&out, 1}, {.stores = stores});
              REQUIRE(ran);
            }
            REQUIRE(SameResults(plan->op(), dtype,
                                {around.data() + margin, bytes},
                                wanted.memory[0]));
          }
        });
      }
    }
  }
}

TEST_CASE("access: gaps in a summed view may be written meanwhile") {
  for (const DType dtype : {DType::kU8, DType::kI16, DType::kF32, DType::kF64,
                            DType::kBF16, DType::kC64}) {
    for (const Form& pattern : kPatterns) {
      if (pattern.shape != pattern.large) continue;
      Laid laid(dtype, pattern.shape, pattern.strides, 7);
      for (size_t i = 1; i < laid.memory.size(); i += 2) {
        laid.memory[i] &= 0xBB;
      }
      const std::vector<bool> gaps = laid.Beside(Whole(pattern.shape));
      for (size_t summed = 0; summed < pattern.shape.size(); ++summed) {
        Extents shape = pattern.shape;
        shape[summed] = 1;
        ForEachTarget([&](const std::string& target) {
          INFO(target << ' ' << broadloom::Info(dtype).name
                      << ShapeText(pattern.shape) << " strides "
                      << ShapeText(pattern.strides) << " to "
                      << ShapeText(shape));
          const auto wanted = SumTo(laid.view(), shape);
          REQUIRE(wanted);
          const Others theirs(laid.memory, gaps);
          const auto sum = SumTo(laid.view(), shape);
          REQUIRE(sum);
          REQUIRE(
              std::ranges::equal(sum->as<uint8_t>(), wanted->as<uint8_t>()));
        });
      }
    }
  }
}

TEST_CASE("access: a result directly after its operand in one memory") {
  // The bytes read of the operand end where the result of another thread
  // begins.
  const auto threads = Threads::Make(4);
  REQUIRE(threads);
  const Extents operand = {500, 1, 3};
  const Extents target = {500, 300, 3};
  for (const DType dtype : {DType::kF32, DType::kU8, DType::kI64}) {
    for (const Extents& other : {Extents{}, Extents{3}, Extents{300, 1}}) {
      const Trial trial({.rule = "numpy", .operands = {operand, other, target}},
                        Op::kMax, std::vector<DType>(3, dtype), 3, false);
      const Trial two({.rule = "numpy", .operands = {operand, target}},
                      Op::kSub, {dtype, dtype}, 3, false);
      for (const Trial* const which : {&trial, &two}) {
        const Trial& one = *which;
        const auto plan = one.MakePlan();
        REQUIRE(plan);
        const size_t begin = one.operands[0].size();
        ForEachTarget([&](const std::string& name) {
          INFO(name << ' ' << one.name());
          Outputs wanted(dtype, target, 1);
          REQUIRE(Run(*plan, one.inputs(), wanted.views));
          const size_t bytes = wanted.memory[0].size();
          for (const StorePolicy stores :
               {StorePolicy::kCached, StorePolicy::kStreaming}) {
            Buffer arena(begin + bytes);
            std::ranges::copy(one.operands[0], arena.begin());
            std::vector<TensorView> inputs = one.inputs();
            // The whole memory is named.
            inputs[0].data = arena.data();
            inputs[0].bytes = arena.size();
            const MutableTensorView out{dtype, target, arena.data() + begin,
                                        bytes};
            REQUIRE(
                Run(*plan, inputs, {&out, 1},
                    {.stores = stores, .parallel = &threads->parallel_for()}));
            REQUIRE(SameResults(one.op, dtype, {arena.data() + begin, bytes},
                                wanted.memory[0]));
          }
        });
      }
    }
  }
}

}  // namespace
