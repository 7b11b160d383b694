// Operands and results that begin at any byte: every operator on every type,
// every offset from the alignment of an element, every store policy, sizes that
// fit a vector and sizes that are streamed and divided among threads, on every
// SIMD target, compared with aligned elements.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/guarded_buffer.h"
#include "reference/kernel_cases.h"
#include "reference/test_loops.h"
#include "reference/trial.h"
#include "unit/blocks.h"

namespace {

using namespace reference;
using broadloom::IndexRange;
using broadloom::MutableTensorView;
using broadloom::Plan;
using broadloom::RunOptions;
using broadloom::StorePolicy;
using broadloom::SumInput;
using broadloom::SumStream;
using broadloom::TensorView;

// Elements that begin `offset` bytes after an address that is aligned for every
// type.
class Placed {
 public:
  Placed(std::span<const uint8_t> elements, size_t offset)
      : memory_(elements.size() + 2 * kAligned) {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    begin_ = (kAligned - address % kAligned) % kAligned + offset;
    std::copy(elements.begin(), elements.end(), data());
  }
  uint8_t* data() { return memory_.data() + begin_; }
  const uint8_t* data() const { return memory_.data() + begin_; }

 private:
  static constexpr size_t kAligned = 16;

  Buffer memory_;
  size_t begin_;
};

// The largest misalignment of an operator's elements in bytes, plus one.
size_t Width(std::span<const DType> dtypes, DType result) {
  size_t width = BytesOf(result);
  for (const DType dtype : dtypes) width = std::max(width, BytesOf(dtype));
  return width;
}

// Runs `trial` aligned and at each of `offsets`; returns a description of an
// error.
std::string FaultOf(const Trial& trial, const std::vector<size_t>& offsets,
                    const std::vector<RunOptions>& ways) {
  const auto plan = trial.MakePlan();
  if (!plan) return "no plan";
  const Extents& shape = trial.answer.result;
  Outputs wanted(trial.result, shape, 1);
  if (!Run(*plan, trial.inputs(), wanted.views)) return "Run failed";
  const size_t bytes = wanted.memory[0].size();
  for (const size_t offset : offsets) {
    std::vector<Placed> operands;
    std::vector<TensorView> inputs = trial.inputs();
    for (size_t k = 0; k < inputs.size(); ++k) {
      // Each tensor is misaligned by another number of bytes.
      operands.emplace_back(trial.operands[k], (offset + k) % 16);
    }
    for (size_t k = 0; k < inputs.size(); ++k) {
      inputs[k].data = operands[k].data();
      inputs[k].bytes = trial.operands[k].size();
    }
    for (const RunOptions& way : ways) {
      Placed out(Buffer(bytes, 0xCC), offset);
      const MutableTensorView view{trial.result, shape, out.data(), bytes};
      const bool ran = Run(*plan, inputs, {&view, 1}, way).has_value();
      if (ran && SameResults(trial.op, trial.result, {out.data(), bytes},
                             wanted.memory[0])) {
        continue;
      }
      return trial.name() + " at byte " + std::to_string(offset) + ", stores " +
             std::to_string(static_cast<int>(way.stores)) +
             (ran ? ": another result" : ": Run failed");
    }
  }
  return {};
}

Question Numpy(std::vector<Extents> operands) {
  return {.rule = "numpy", .operands = std::move(operands)};
}

const std::vector<RunOptions> kPolicies = {{.stores = StorePolicy::kCached},
                                           {.stores = StorePolicy::kStreaming}};

TEST_CASE("unaligned: every operator on every type at every offset") {
  // A vector, several of them, shuffles, periods and columns.
  const std::pair<Extents, Extents> shapes[] = {{{2, 3}, {3}},
                                                {{131}, {131}},
                                                {{90, 3}, {90, 1}},
                                                {{65, 5}, {5}},
                                                {{7, 67}, {7, 1}}};
  uint64_t seed = 0;
  for (const KernelCase& one : AllKernelCases()) {
    ++seed;
    // Pow has 144 pairs of types.
    if (kSanitized && one.op == Op::kPow && seed % 5 != 0) continue;
    for (const auto& [large, small] : shapes) {
      std::vector<Extents> operands(one.dtypes.size(), large);
      operands.back() = small;
      const Trial trial(Numpy(operands), one.op, one.dtypes, seed, false,
                        one.attributes);
      std::vector<size_t> offsets;
      for (size_t i = 1; i < Width(one.dtypes, one.result); ++i) {
        if (!kSanitized || i % 2 == 1) offsets.push_back(i);
      }
      ForEachTarget([&](const std::string& target) {
        const std::string fault = FaultOf(trial, offsets, kPolicies);
        if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
      });
    }
  }
}

TEST_CASE("unaligned: moves, attributes and many operands") {
  std::vector<Trial> trials;
  for (const DType dtype : {DType::kU16, DType::kF32, DType::kI64, DType::kC64,
                            DType::kC128, DType::kU4, DType::kU1}) {
    for (const auto& [from, to] : {std::pair(Extents{}, Extents{1500}),
                                   std::pair(Extents{333}, Extents{4, 333}),
                                   std::pair(Extents{200, 1}, Extents{200, 3}),
                                   std::pair(Extents{3}, Extents{3, 3}),
                                   std::pair(Extents{9, 1}, Extents{9, 70})}) {
      Question question{
          .rule = "bidirectional", .operands = {from}, .target = to};
      trials.emplace_back(question, Op::kBroadcast, std::vector<DType>{dtype},
                          1, false);
    }
  }
  for (const Op op : {Op::kSum, Op::kMean, Op::kMax}) {
    for (const DType dtype : {DType::kF16, DType::kF32, DType::kF64}) {
      trials.emplace_back(Numpy({{40, 33}, {33}, {40, 1}, {}, {40, 33}}), op,
                          std::vector<DType>(5, dtype), 2, false);
    }
  }
  std::vector<size_t> offsets;
  for (size_t i = 1; i < 16; ++i) offsets.push_back(i);
  ForEachTarget([&](const std::string& target) {
    for (const Trial& trial : trials) {
      const std::string fault = FaultOf(trial, offsets, kPolicies);
      if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
    }
  });
}

TEST_CASE("unaligned: results that are divided among threads and streamed") {
  const TestLoop loop(3, true);
  const std::vector<RunOptions> ways = {
      {.stores = StorePolicy::kCached, .parallel = loop.get()},
      {.stores = StorePolicy::kStreaming, .parallel = loop.get()}};
  for (const auto& [op, dtype] :
       {std::pair(Op::kSub, DType::kU16), std::pair(Op::kMul, DType::kF16),
        std::pair(Op::kSub, DType::kI32), std::pair(Op::kAdd, DType::kF64),
        std::pair(Op::kDiv, DType::kI64), std::pair(Op::kLess, DType::kF64)}) {
    const size_t width = BytesOf(dtype);
    for (const auto& [large, small] :
         {std::pair(Extents{300, 2111}, Extents{300, 2111}),
          std::pair(Extents{211'001, 3}, Extents{3}),
          std::pair(Extents{211'001, 3}, Extents{211'001, 1})}) {
      const Trial trial(Numpy({large, small}), op, {dtype, dtype}, 3, false);
      ForEachTarget([&](const std::string& target) {
        const std::string fault = FaultOf(trial, {1, width - 1}, ways);
        if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
      });
    }
  }
}

TEST_CASE("unaligned: results so large that they are streamed by default") {
  for (const DType dtype :
       {DType::kI16, DType::kF32, DType::kF64, DType::kC128}) {
    const int64_t width = static_cast<int64_t>(BytesOf(dtype));
    const int64_t columns = 1 << 14;
    const int64_t rows = (int64_t{64} << 20) / width / columns;
    const bool moves = dtype == DType::kC128;
    Question question = Numpy({{columns}, {rows, 1}});
    if (moves) {
      question = {.rule = "bidirectional",
                  .operands = {{columns}},
                  .target = Extents{rows, columns}};
    }
    const Trial trial(question, moves ? Op::kBroadcast : Op::kAdd,
                      std::vector<DType>(moves ? 1 : 2, dtype), 4, false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    REQUIRE(broadloom::ChosenStores(*plan) == StorePolicy::kStreaming);
    ForEachTarget([&](const std::string& target) {
      const std::string fault = FaultOf(trial, {1}, {{}});
      if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
    });
  }
}

TEST_CASE("unaligned: regions, blocks and views with strides") {
  for (const DType dtype :
       {DType::kU16, DType::kF16, DType::kF32, DType::kI64, DType::kF64}) {
    const Trial trial(Numpy({{31, 45}, {31, 1}}), Op::kSub, {dtype, dtype}, 5,
                      false);
    const auto plan = trial.MakePlan();
    REQUIRE(plan);
    const IndexRange box[] = {{3, 29}, {2, 44}};
    const Extents part = {26, 42};
    // The transpose of the first operand's memory, as shape (31,45).
    const Extents strides = {1, 31};
    const size_t bytes = static_cast<size_t>(Count(part)) * BytesOf(dtype);
    ForEachTarget([&](const std::string& target) {
      INFO(target << ' ' << trial.name());
      std::vector<TensorView> inputs = trial.inputs();
      Outputs whole(dtype, trial.answer.result, 1);
      REQUIRE(Run(*plan, inputs, whole.views));
      Outputs wanted(dtype, part, 1);
      REQUIRE(RunRegion(*plan, box, inputs, wanted.views));
      inputs[0].strides = strides;
      Outputs turned(dtype, part, 1);
      REQUIRE(RunRegion(*plan, box, inputs, turned.views));
      for (size_t offset = 1; offset < BytesOf(dtype); ++offset) {
        const Placed a(trial.operands[0], offset);
        const Placed b(trial.operands[1], (offset + 1) % BytesOf(dtype));
        inputs[0].data = a.data();
        inputs[1].data = b.data();
        for (const bool strided : {false, true}) {
          inputs[0].strides = strided ? std::span<const int64_t>(strides)
                                      : std::span<const int64_t>();
          for (const RunOptions& way : kPolicies) {
            Placed out(Buffer(bytes, 0xCC), offset);
            const MutableTensorView view{dtype, part, out.data(), bytes};
            REQUIRE(RunRegion(*plan, box, inputs, {&view, 1}, way));
            REQUIRE(SameResults(Op::kSub, dtype, {out.data(), bytes},
                                strided ? turned.memory[0] : wanted.memory[0]));
          }
        }
      }
      const auto blocks = broadloom::Blocks::Make(*plan, 1024);
      REQUIRE(blocks);
      Buffer in_blocks(whole.memory[0].size());
      REQUIRE(testing::RunBlocks(*plan, *blocks, trial.operands, in_blocks) ==
              "");
      REQUIRE(SameResults(Op::kSub, dtype, in_blocks, whole.memory[0]));
    });
  }
}

TEST_CASE("unaligned: sums") {
  const std::pair<Extents, Extents> shapes[] = {
      {{70, 50}, {50}},     {{70, 50}, {70, 1}},
      {{300, 5}, {300, 1}}, {{90, 2, 4}, {90, 1, 4}},
      {{9, 40}, {9, 40}},   {{7, 1}, {7, 1}},
      {{1023}, {}},         {{200, 700}, {200, 1}}};
  const TestLoop loop(3, true);
  for (const DType dtype :
       {DType::kI16, DType::kI32, DType::kI64, DType::kF16, DType::kBF16,
        DType::kF32, DType::kF64, DType::kC64, DType::kC128}) {
    for (const auto& [input, output] : shapes) {
      const size_t count = static_cast<size_t>(Count(input));
      Buffer elements = Pattern(count * BytesOf(dtype), 6);
      // No exponent with all bits set.
      for (size_t i = 1; i < elements.size(); i += 2) elements[i] &= 0xBB;
      ForEachTarget([&](const std::string& target) {
        INFO(target << ' ' << broadloom::Info(dtype).name << ShapeText(input)
                    << ShapeText(output));
        Outputs wanted(dtype, output, 1);
        REQUIRE(SumTo({dtype, input, elements.data(), elements.size()},
                      wanted.views[0]));
        const size_t bytes = wanted.memory[0].size();
        for (size_t offset = 1; offset < BytesOf(dtype); ++offset) {
          const Placed in(elements, offset);
          const TensorView view{dtype, input, in.data(), elements.size()};
          Placed out(Buffer(bytes, 0xCC), (offset + 1) % BytesOf(dtype));
          const MutableTensorView to{dtype, output, out.data(), bytes};
          for (const broadloom::ParallelFor* parallel :
               {static_cast<const broadloom::ParallelFor*>(nullptr),
                loop.get()}) {
            std::memset(out.data(), 0xCC, bytes);
            REQUIRE(SumTo(view, to, {.parallel = parallel}));
            REQUIRE(std::ranges::equal(std::span(out.data(), bytes),
                                       wanted.memory[0]));
          }
          auto stream = SumStream::Make(dtype, input, output, size_t{128} << 10,
                                        {}, SumInput::kInMemory);
          REQUIRE(stream);
          const Extents room = {static_cast<int64_t>(stream->memory_bytes())};
          auto memory = broadloom::Tensor::Allocate(DType::kU8, room);
          REQUIRE(memory);
          auto* const begin = static_cast<std::byte*>(memory->data());
          Buffer streamed;
          while (!stream->done()) {
            REQUIRE(stream->Add({begin, memory->bytes()}, in.data()));
            const auto* const given = reinterpret_cast<uint8_t*>(begin);
            streamed.insert(streamed.end(), given,
                            given + stream->result().bytes);
          }
          REQUIRE(streamed == wanted.memory[0]);
        }
      });
    }
  }
}

}  // namespace
