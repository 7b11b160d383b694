// Broadcast of elements of less than a byte through random loops, forwards and
// backwards, dense, repeated and apart, from any bit to any bit, in any parts,
// by every SIMD target, against single elements.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/vocabulary.h"
#include "kernels/find.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/memory_bits.h"
#include "reference/trial.h"

namespace {

using namespace reference;
using broadloom::Work;

constexpr int64_t kMostElements = kSanitized ? 1 << 13 : 1 << 16;

struct Loops {
  std::vector<int64_t> extents;  // outermost first
  std::vector<int64_t> strides;
  int64_t first;     // the operand's element with which they begin
  int64_t readable;  // elements of the operand
  int64_t count;     // elements of the result
};

Loops RandomLoops(Random& random) {
  constexpr int64_t kExtents[] = {2,  3,  5,  7,   8,   16,  17,   31,
                                  63, 64, 65, 200, 513, 999, 2048, 9001};
  Loops loops = {{}, {}, 0, 1, 1};
  int64_t reach = 1;  // elements that the loops so far lie in
  for (size_t left = 1 + random.Below(4); left != 0; --left) {
    const int64_t extent = kExtents[random.Below(std::size(kExtents))];
    if (extent > kMostElements / loops.count) continue;
    int64_t stride = 0;
    switch (random.Below(6)) {
      case 0:
      case 1:
        break;
      case 2:
        stride = reach + static_cast<int64_t>(random.Below(4));
        break;
      case 3:
        stride = 1 + static_cast<int64_t>(random.Below(300));
        break;
      default:
        stride = reach;
    }
    if (stride * extent > kMostElements * 4) stride = 1;
    if (random.Below(8) == 0) {
      loops.first += stride * (extent - 1);
      stride = -stride;
    }
    loops.extents.insert(loops.extents.begin(), extent);
    loops.strides.insert(loops.strides.begin(), stride);
    loops.count *= extent;
    reach += (extent - 1) * std::abs(stride);
  }
  const int64_t before = static_cast<int64_t>(random.Below(9));
  loops.first += before;
  loops.readable = before + reach;
  return loops;
}

std::vector<int64_t> SourcesOf(const Loops& loops) {
  std::vector<int64_t> sources = {loops.first};
  for (size_t loop = 0; loop < loops.extents.size(); ++loop) {
    std::vector<int64_t> finer;
    for (const int64_t source : sources) {
      for (int64_t i = 0; i < loops.extents[loop]; ++i) {
        finer.push_back(source + i * loops.strides[loop]);
      }
    }
    sources = std::move(finer);
  }
  return sources;
}

std::string TextOf(const Loops& loops) {
  std::string text;
  for (size_t loop = 0; loop < loops.extents.size(); ++loop) {
    text += std::to_string(loops.extents[loop]) + " by " +
            std::to_string(loops.strides[loop]) + ", ";
  }
  return text + "from " + std::to_string(loops.first);
}

// Runs the task's runs in two parts, the second one first.
std::string FaultOf(DType dtype, const Loops& loops, uint64_t seed) {
  Random random(seed);
  const int bits = broadloom::BitsOf(dtype);
  const size_t count = static_cast<size_t>(loops.count);
  const Buffer memory =
      Pattern(BytesFor(static_cast<size_t>(loops.readable), bits),
              static_cast<uint32_t>(seed));
  const size_t begin = random.Below(8 / static_cast<size_t>(bits));
  const Buffer before = Pattern(BytesFor(begin + count, bits),
                                static_cast<uint32_t>(seed) ^ 0x55);
  Buffer out = before;

  Work work;
  const uint8_t width = static_cast<uint8_t>(bits);
  const auto stride = [&](size_t, size_t loop) { return loops.strides[loop]; };
  REQUIRE(work.Reset(loops.extents, stride, {&width, 1}, width,
                     broadloom::RunUse::kOneByOne,
                     broadloom::DefaultAllocator()));
  const broadloom::OperandMemory operand =
      broadloom::MemoryOf(work.nest, 0, memory.data(), loops.first, bits);
  const DType dtypes[] = {dtype};
  const auto* kernel =
      broadloom::kernels::FindKernel(Op::kBroadcast, dtypes, {});
  const int64_t runs = work.schedule.run_count();
  const int64_t cut =
      static_cast<int64_t>(random.Below(static_cast<size_t>(runs)));
  for (const auto& [from, to] :
       {std::pair(cut, runs), std::pair(int64_t{0}, cut)}) {
    kernel->run({.work = &work,
                 .operands = &operand,
                 .out = out.data(),
                 .out_first = static_cast<int64_t>(begin),
                 .begin = from,
                 .end = to,
                 .past_caches = false});
  }

  const std::vector<int64_t> sources = SourcesOf(loops);
  const size_t elements = before.size() * 8 / static_cast<size_t>(bits);
  for (size_t i = 0; i < elements; ++i) {
    const bool inside = i >= begin && i < begin + count;
    const ElementBits wanted =
        inside ? Get(memory, bits, static_cast<size_t>(sources[i - begin]))
               : Get(before, bits, i);
    if (Get(out, bits, i) == wanted) continue;
    return inside ? "element " + std::to_string(i - begin) + " is wrong"
                  : "wrote beside the result";
  }
  return {};
}

TEST_CASE("Packed elements through any loops") {
  for (const DType dtype : {DType::kU1, DType::kU4}) {
    ForEachTarget([&](const std::string& target) {
      for (uint64_t seed = 1; seed <= (kSanitized ? 200 : 1500); ++seed) {
        Random random(seed);
        const Loops loops = RandomLoops(random);
        const std::string fault = FaultOf(dtype, loops, seed);
        if (fault.empty()) continue;
        FAIL_CHECK(target << ' ' << broadloom::Info(dtype).name << ' '
                          << TextOf(loops) << ": " << fault);
        break;
      }
    });
  }
}

}  // namespace
