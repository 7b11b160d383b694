// Rows of two and more loops, computed by one call and in pieces: random nests
// of loops on every target, against a plain loop over the elements. Operands
// lie beside inaccessible pages, and results are written in pieces, in any
// order, so that a row that writes beyond its piece is found.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "catch2/catch_test_macros.hpp"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "reference/each_target.h"
#include "reference/guarded_buffer.h"
#include "reference/kernel_cases.h"
#include "reference/memory_bits.h"
#include "reference/scalar.h"

namespace {

using namespace reference;
using broadloom::OperandMemory;
using broadloom::Work;
using Extents = std::vector<int64_t>;

class Draw {
 public:
  explicit Draw(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  size_t Below(size_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % limit;
  }

 private:
  uint64_t state_;
};

// Loops, and an operand's strides in them, outermost first.
struct Nest {
  Extents extents;
  std::vector<Extents> strides;
  int64_t elements = 1;
};

// Each operand repeats along some loops; the last one that could repeat along a
// loop does not, so that the loops stay apart.
Nest DrawNest(Draw& draw, size_t operands) {
  Nest nest;
  const size_t loops = 1 + draw.Below(5);
  for (size_t loop = 0; loop < loops; ++loop) {
    const bool inner = loop + 1 == loops;
    nest.extents.push_back(
        static_cast<int64_t>(inner ? 1 + draw.Below(150) : 2 + draw.Below(5)));
    nest.elements *= nest.extents.back();
  }
  for (size_t k = 0; k < operands; ++k) {
    Extents strides(loops);
    int64_t next = 1;
    for (size_t loop = loops; loop-- > 0;) {
      if (draw.Below(2) == 0) continue;
      strides[loop] = next;
      next *= nest.extents[loop];
    }
    nest.strides.push_back(strides);
  }
  return nest;
}

int64_t ReachOf(const Nest& nest, size_t operand) {
  int64_t reach = 1;
  for (size_t loop = 0; loop < nest.extents.size(); ++loop) {
    reach += nest.strides[operand][loop] * (nest.extents[loop] - 1);
  }
  return reach;
}

std::string TextOf(const KernelCase& c, const Nest& nest) {
  std::string text = c.name() + ", loops";
  for (size_t loop = 0; loop < nest.extents.size(); ++loop) {
    text += ' ' + std::to_string(nest.extents[loop]) + " (";
    for (const Extents& strides : nest.strides) {
      text += std::to_string(strides[loop]) + ' ';
    }
    text.back() = ')';
  }
  return text;
}

// The results of all elements, one after the other.
Buffer Expected(const KernelCase& c, const Nest& nest,
                const std::vector<Buffer>& operands) {
  const size_t width = BytesOf(c.result);
  Buffer expected(static_cast<size_t>(nest.elements) * width);
  Extents index(nest.extents.size());
  std::vector<const void*> in(operands.size());
  for (int64_t cell = 0; cell < nest.elements; ++cell) {
    for (size_t k = 0; k < operands.size(); ++k) {
      int64_t at = 0;
      for (size_t loop = 0; loop < index.size(); ++loop) {
        at += index[loop] * nest.strides[k][loop];
      }
      in[k] =
          operands[k].data() + static_cast<size_t>(at) * BytesOf(c.dtypes[k]);
    }
    ElementBits result = {};
    if (c.op == Op::kBroadcast) {
      std::copy_n(static_cast<const uint8_t*>(in[0]), width,
                  reinterpret_cast<uint8_t*>(&result));
    } else {
      Evaluate(c.op, c.dtypes, c.attributes, in, &result.low);
    }
    std::copy_n(reinterpret_cast<const uint8_t*>(&result), width,
                expected.data() + static_cast<size_t>(cell) * width);
    for (size_t loop = index.size(); loop-- > 0;) {
      if (++index[loop] < nest.extents[loop]) break;
      index[loop] = 0;
    }
  }
  return expected;
}

// Runs [begin, end) of the work, last pieces first.
void RunInPieces(const KernelCase& c, const Work& work,
                 const std::vector<OperandMemory>& operands, void* out,
                 Draw& draw) {
  int64_t end = work.schedule.run_count();
  while (end > 0) {
    const auto most = static_cast<size_t>(std::min<int64_t>(end, 1 << 20));
    const int64_t begin =
        draw.Below(3) == 0 ? 0
                           : end - 1 - static_cast<int64_t>(draw.Below(most));
    c.kernel()->run({.work = &work,
                     .operands = operands.data(),
                     .out = out,
                     .out_first = 0,
                     .begin = begin,
                     .end = end,
                     .past_caches = draw.Below(4) == 0});
    end = begin;
  }
}

// Whether an operand is the whole result's size and can be its memory.
bool IsDense(const Nest& nest, size_t operand) {
  int64_t next = 1;
  for (size_t loop = nest.extents.size(); loop-- > 0;) {
    if (nest.strides[operand][loop] != next) return false;
    next *= nest.extents[loop];
  }
  return true;
}

std::vector<KernelCase> Cases() {
  std::vector<KernelCase> cases;
  for (const DType dtype : {DType::kU8, DType::kI16, DType::kF16, DType::kI32,
                            DType::kF32, DType::kU64, DType::kF64}) {
    cases.push_back({Op::kSub, {dtype, dtype}, {}, dtype});
    cases.push_back({Op::kMax, {dtype, dtype}, {}, dtype});
    cases.push_back({Op::kLess, {dtype, dtype}, {}, DType::kBool});
    cases.push_back({Op::kGreater, {dtype, dtype}, {}, DType::kBool});
    cases.push_back({Op::kDiv, {dtype, dtype}, {}, dtype});
    cases.push_back({Op::kWhere, {DType::kBool, dtype, dtype}, {}, dtype});
    cases.push_back({Op::kBroadcast, {dtype}, {}, dtype});
  }
  return cases;
}

TEST_CASE("kernels: rows of random loops, whole and in pieces") {
  const size_t rounds = kSanitized ? 12 : 60;
  for (const KernelCase& c : Cases()) {
    Draw draw(c.name().size());
    for (size_t round = 0; round < rounds; ++round) {
      const Nest nest = DrawNest(draw, c.dtypes.size());
      std::vector<Buffer> memory;
      std::vector<uint8_t> bits;
      for (size_t k = 0; k < c.dtypes.size(); ++k) {
        memory.push_back(RandomElements(
            c.dtypes[k], static_cast<size_t>(ReachOf(nest, k)), round * 8 + k));
        bits.push_back(static_cast<uint8_t>(broadloom::Info(c.dtypes[k]).bits));
      }
      const Buffer expected = Expected(c, nest, memory);
      ForEachTarget([&](const std::string& target) {
        INFO(target << ' ' << TextOf(c, nest));
        Work work;
        REQUIRE(work.Reset(
            nest.extents,
            [&](size_t operand, size_t loop) {
              return nest.strides[operand][loop];
            },
            bits, static_cast<uint8_t>(broadloom::Info(c.result).bits),
            c.kernel()->ComputesRows(bits.size()),
            broadloom::DefaultAllocator()));
        const size_t width = BytesOf(c.result);
        const size_t skew = draw.Below(2) * width;
        Buffer out(skew + expected.size(), 0x5A);
        std::vector<OperandMemory> operands;
        const bool in_place =
            IsDense(nest, 0) && c.dtypes[0] == c.result && draw.Below(2) == 0;
        if (in_place)
          std::copy_n(memory[0].data(), expected.size(), &out[skew]);
        for (size_t k = 0; k < bits.size(); ++k) {
          const uint8_t* const data =
              in_place && k == 0 ? &out[skew] : memory[k].data();
          operands.push_back(MemoryOf(work.nest, k, data, 0, bits[k]));
        }
        RunInPieces(c, work, operands, &out[skew], draw);
        const Buffer got(out.begin() + static_cast<ptrdiff_t>(skew), out.end());
        bool same = got.size() == expected.size();
        for (size_t at = 0; same && at < got.size(); at += width) {
          same = std::equal(&got[at], &got[at] + width, &expected[at]) ||
                 (IsNaN(c.result, &got[at]) && IsNaN(c.result, &expected[at]));
        }
        CHECK(same);
      });
    }
  }
}

}  // namespace
