// Results of several loops, computed whole and in pieces: random nests of loops
// for every operator and type on every target, against a plain loop over the
// elements. Operands lie beside inaccessible pages, and the last piece is
// computed first, so that a row that writes beyond its piece is found.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
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
#include "reference/scalar.h"

#if defined(__wasm__)
#include <unistd.h>
#endif

namespace {

using namespace reference;
using broadloom::OperandMemory;
using broadloom::Work;
using Extents = std::vector<int64_t>;

// Loops, and an operand's strides in them, outermost first.
struct Nest {
  Extents extents;
  std::vector<Extents> strides;
  int64_t elements = 1;
};

// Each operand repeats along about half of the loops. Half of the innermost
// ones are about as short as a vector.
Nest DrawNest(Random& random, size_t operands) {
  Nest nest;
  const size_t loops = 1 + random.Below(5);
  for (size_t loop = 0; loop < loops; ++loop) {
    const bool inner = loop + 1 == loops;
    nest.extents.push_back(static_cast<int64_t>(
        inner ? 1 + random.Below(random.Below(2) == 0 ? 20 : 150)
              : 2 + random.Below(5)));
    nest.elements *= nest.extents.back();
  }
  for (size_t k = 0; k < operands; ++k) {
    Extents strides(loops);
    int64_t next = 1;
    for (size_t loop = loops; loop-- > 0;) {
      if (random.Below(2) == 0) continue;
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

// What has to come of each element, one after the other.
struct Expected {
  Buffer results;
  // In their place where approximate; before conversion for powers through f64.
  std::vector<long double> exact;
};

Expected Expect(const KernelCase& c, const Nest& nest,
                const std::vector<Buffer>& operands) {
  const size_t width = BytesOf(c.result);
  Expected expected = {Buffer(static_cast<size_t>(nest.elements) * width), {}};
  // The steps of outer loops along which all operands repeat are alike.
  size_t outer = 0;
  int64_t cells = nest.elements;
  for (; outer + 1 < nest.extents.size(); ++outer) {
    if (std::ranges::any_of(nest.strides, [&](const Extents& strides) {
          return strides[outer] != 0;
        })) {
      break;
    }
    cells /= nest.extents[outer];
  }
  Extents index(nest.extents.size());
  std::vector<const void*> in(operands.size());
  uint8_t* out = expected.results.data();
  for (int64_t cell = 0; cell < cells; ++cell, out += width) {
    for (size_t k = 0; k < operands.size(); ++k) {
      int64_t at = 0;
      for (size_t loop = outer; loop < index.size(); ++loop) {
        at += index[loop] * nest.strides[k][loop];
      }
      in[k] =
          operands[k].data() + static_cast<size_t>(at) * BytesOf(c.dtypes[k]);
    }
    if (c.op == Op::kBroadcast) {
      std::memcpy(out, in[0], width);
    } else if (c.op == Op::kWhere) {
      std::memcpy(out, Read<uint8_t>(in[0]) != 0 ? in[1] : in[2], width);
    } else {
      if (c.is_approximate() || IsPowerThroughF64(c.op, c.dtypes)) {
        expected.exact.push_back(ExactResult(c.op, c.dtypes, in));
      }
      if (!c.is_approximate()) {
        Evaluate(c.op, c.dtypes, c.attributes, in, out);
      }
    }
    for (size_t loop = index.size(); loop-- > outer;) {
      if (++index[loop] < nest.extents[loop]) break;
      index[loop] = 0;
    }
  }
  for (int64_t cell = cells; cell < nest.elements; ++cell, out += width) {
    std::memcpy(out, out - static_cast<size_t>(cells) * width, width);
    if (!expected.exact.empty()) {
      expected.exact.push_back(
          expected.exact[static_cast<size_t>(cell - cells)]);
    }
  }
  return expected;
}

// The first wrong element; -1 if there is none.
int64_t FirstWrong(const KernelCase& c, const Expected& expected,
                   const uint8_t* got) {
  const size_t width = BytesOf(c.result);
  const size_t count = expected.results.size() / width;
  if (!c.is_approximate() &&
      std::memcmp(got, expected.results.data(), expected.results.size()) == 0) {
    return -1;
  }
  for (size_t cell = 0; cell < count; ++cell, got += width) {
    const uint8_t* const wanted = &expected.results[cell * width];
    const bool same =
        c.is_approximate()
            ? IsWithinUlps(c.result, expected.exact[cell], got, c.most_ulps())
            : std::equal(got, got + width, wanted) ||
                  (IsPowerThroughF64(c.op, c.dtypes) &&
                   AgreeThroughF64(c.result, expected.exact[cell],
                                   Read<uint64_t>(got))) ||
                  (c.op != Op::kWhere && c.op != Op::kBroadcast &&
                   IsNaN(c.result, got) && IsNaN(c.result, wanted));
    if (!same) return static_cast<int64_t>(cell);
  }
  return -1;
}

// Overwrites the stack below its caller, so that no piece finds what another
// one has left there, such as its tiles.
[[gnu::noinline]] void OverwriteStack() {
  volatile uint64_t words[7500];
  for (volatile uint64_t& word : words) word = 0xA5A5A5A5A5A5A5A5;
}

// Where the last piece of the runs 0 to `end` begins.
using BeginOfPiece = std::function<int64_t(int64_t end, Random& random)>;

int64_t AnyBegin(int64_t end, Random& random) {
  if (random.Below(3) == 0) return 0;
  const auto most = static_cast<size_t>(std::min<int64_t>(end, 1 << 20));
  return end - 1 - static_cast<int64_t>(random.Below(most));
}

// Computes the first `elements` elements of the work, last pieces first.
void RunInPieces(const KernelCase& c, const Work& work, int64_t elements,
                 const std::vector<OperandMemory>& operands, void* out,
                 Random& random, const BeginOfPiece& begin_of) {
  int64_t end =
      work.schedule.run_count() / (work.nest.element_count() / elements);
  while (end > 0) {
    const int64_t begin = begin_of(end, random);
    OverwriteStack();
    c.kernel()->run({.work = &work,
                     .operands = operands.data(),
                     .out = out,
                     .out_first = 0,
                     .begin = begin,
                     .end = end,
                     .past_caches = random.Below(4) == 0});
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

std::vector<KernelCase> AllCases() {
  std::vector<KernelCase> cases = AllKernelCases();
  for (const auto& type : broadloom::AllDTypes()) {
    if (type.bits < 8) continue;
    cases.push_back({Op::kBroadcast, {type.dtype}, {}, type.dtype});
  }
  return cases;
}

// The loops and runs of `nest` for the kernel that is chosen now.
void ResetWork(const KernelCase& c, const Nest& nest,
               const std::vector<uint8_t>& bits, Work& work) {
  REQUIRE(work.Reset(
      nest.extents,
      [&](size_t operand, size_t loop) { return nest.strides[operand][loop]; },
      bits, static_cast<uint8_t>(broadloom::Info(c.result).bits),
      c.kernel()->UseOfRuns(bits.size()), broadloom::DefaultAllocator()));
}

// Computes `nest` on each target, in pieces; `times` times as many steps of the
// outermost loop belong to the work, and are not computed. Along that loop the
// operands repeat if `times` is more than 1.
void CheckOnEachTarget(const KernelCase& c, const Nest& nest, Random& random,
                       int64_t times = 1,
                       const BeginOfPiece& begin_of = AnyBegin) {
  std::vector<Buffer> memory;
  std::vector<uint8_t> bits;
  for (size_t k = 0; k < c.dtypes.size(); ++k) {
    memory.push_back(RandomElements(
        c.dtypes[k], static_cast<size_t>(ReachOf(nest, k)), random()));
    bits.push_back(static_cast<uint8_t>(broadloom::Info(c.dtypes[k]).bits));
  }
  const Expected expected = Expect(c, nest, memory);
  ForEachTarget([&](const std::string& target) {
    INFO(target << ' ' << TextOf(c, nest));
    Work work;
    Nest whole = nest;
    whole.extents[0] *= times;
    ResetWork(c, whole, bits, work);
    const size_t skew = random.Below(2) * BytesOf(c.result);
    Buffer out(skew + expected.results.size(), 0x5A);
    std::vector<OperandMemory> operands;
    const bool in_place =
        IsDense(nest, 0) && c.dtypes[0] == c.result && random.Below(2) == 0;
    if (in_place) {
      std::copy_n(memory[0].data(), expected.results.size(), &out[skew]);
    }
    for (size_t k = 0; k < bits.size(); ++k) {
      const uint8_t* const data =
          in_place && k == 0 ? &out[skew] : memory[k].data();
      operands.push_back(MemoryOf(work.nest, k, data, 0, bits[k]));
    }
    RunInPieces(c, work, nest.elements, operands, &out[skew], random, begin_of);
    CHECK(FirstWrong(c, expected, &out[skew]) == -1);
  });
}

// Calls check(c, random, draw) some times for each case: fewer with sanitizers.
// draw(least, count) is one of `count` numbers from `least` on.
template <class Check>
void ForEachRound(size_t rounds, const Check& check) {
  uint64_t seed = 0;
  for (const KernelCase& c : AllCases()) {
    Random random(++seed);
    const auto draw = [&](size_t least, size_t count) {
      return static_cast<int64_t>(least + random.Below(count));
    };
    for (size_t round = 0; round < (kSanitized ? 2 : rounds); ++round) {
      check(c, random, draw);
    }
  }
}

TEST_CASE("kernels: rows of random loops, whole and in pieces") {
  ForEachRound(8, [](const KernelCase& c, Random& random, const auto&) {
    CheckOnEachTarget(c, DrawNest(random, c.dtypes.size()), random);
  });
}

// Short rows of many loops are computed by one call. A piece may begin and end
// anywhere within them.
TEST_CASE("kernels: short rows of many loops, in pieces") {
  ForEachRound(12, [](const KernelCase& c, Random& random, const auto& draw) {
    const auto width = static_cast<int64_t>(BytesOf(c.dtypes.back()));
    Nest nest;
    const size_t loops = 4 + random.Below(4);
    for (size_t loop = 1; loop < loops; ++loop) {
      nest.extents.push_back(draw(2, 3));
    }
    nest.extents.push_back(std::max<int64_t>(draw(8, 280) / width, 1));
    for (const int64_t extent : nest.extents) nest.elements *= extent;
    // Along each loop one operand advances at least, so that no two are joined.
    for (size_t k = 0; k < c.dtypes.size(); ++k) {
      Extents strides(loops);
      int64_t next = 1;
      for (size_t loop = loops; loop-- > 0;) {
        const bool repeats = loop % 2 == k % 2 && random.Below(8) != 0;
        if (repeats && c.dtypes.size() > 1) continue;
        strides[loop] = next;
        next *= nest.extents[loop];
      }
      nest.strides.push_back(strides);
    }
    CheckOnEachTarget(c, nest, random);
  });
}

// A long row of the last operand repeats in a result that is larger than the
// caches: several rows are computed at a time. A piece may begin and end within
// a row, where it has more than 64 KiB.
TEST_CASE("kernels: long rows that one operand repeats, in pieces") {
  ForEachRound(4, [](const KernelCase& c, Random& random, const auto& draw) {
    const auto width = static_cast<int64_t>(BytesOf(c.dtypes.back()));
    const int64_t bytes =
        draw(0, 4) == 0 ? draw(66'000, 4000) : draw(16'400, 4000);
    const int64_t count = bytes / width;
    const int64_t rows = draw(2, 9);
    const int64_t outer = draw(1, 2);
    Nest nest = {{outer, rows, count}, {}, outer * rows * count};
    for (size_t k = 0; k + 1 < c.dtypes.size(); ++k) {
      // Another operand advances, or has one element in each row.
      const bool constant = random.Below(4) == 0;
      nest.strides.push_back({0, constant ? 1 : count, constant ? 0 : 1});
    }
    nest.strides.push_back({0, 0, 1});
    constexpr int64_t kLarge = int64_t{11} << 20;
    const int64_t result_bytes =
        nest.elements * static_cast<int64_t>(BytesOf(c.result));
    CheckOnEachTarget(c, nest, random, kLarge / result_bytes + 1);
  });
}

// The last operand has a tile for each step of a loop, and repeats along the
// loops inside and around that loop: one call computes the rows of both loops.
// A piece may end anywhere within them.
TEST_CASE("kernels: rows of tiles that are kept, in pieces") {
  ForEachRound(8, [](const KernelCase& c, Random& random, const auto& draw) {
    // A step of the third loop has 1.5 to 3.5 KiB, so that it is a run.
    size_t width = BytesOf(c.result);
    for (const DType dtype : c.dtypes) {
      width = std::max(width, BytesOf(dtype));
    }
    const int64_t inner = draw(2, 7);
    const int64_t run = draw(1536, 2048) / static_cast<int64_t>(width);
    Nest nest = {
        {draw(2, 2), draw(2, 2), draw(3, 3), run / inner, inner}, {}, 1};
    for (const int64_t extent : nest.extents) nest.elements *= extent;
    for (size_t k = 1; k < c.dtypes.size(); ++k) {
      Extents strides(5);
      // Another one advances along the innermost loop, or nowhere.
      strides[4] = static_cast<int64_t>(random.Below(2));
      nest.strides.push_back(strides);
    }
    nest.strides.push_back({0, nest.extents[3], 0, 1, 0});
    CheckOnEachTarget(c, nest, random);
  });
}

// The last operand is a short segment, repeated in results so small that tables
// of shuffles do not pay.
TEST_CASE("kernels: a short segment repeated many times") {
  ForEachRound(8, [](const KernelCase& c, Random& random, const auto& draw) {
    const auto segment = draw(2, 40);
    const auto repeats = draw(14, 30);
    const auto outer = draw(1, 3);
    Nest nest = {{outer, repeats, segment}, {}, outer * repeats * segment};
    for (size_t k = 1; k < c.dtypes.size(); ++k) {
      nest.strides.push_back({repeats * segment, segment, 1});
    }
    nest.strides.push_back({segment, 0, 1});
    CheckOnEachTarget(c, nest, random);
  });
}

// Each element of the last operand is repeated, or a short segment of it, often
// enough for tables of shuffles.
TEST_CASE("kernels: elements or short segments repeated in a long result") {
  ForEachRound(6, [](const KernelCase& c, Random& random, const auto& draw) {
    const auto times = draw(2, 30);
    const auto count = draw(3000, 3000) / times;
    const bool elements = random.Below(3) != 0;
    const Extents inner =
        elements ? Extents{count, times} : Extents{times, count};
    Nest nest = {inner, {}, count * times};
    for (size_t k = 1; k < c.dtypes.size(); ++k) {
      nest.strides.push_back({inner[1], 1});
    }
    nest.strides.push_back(elements ? Extents{1, 0} : Extents{0, 1});
    CheckOnEachTarget(c, nest, random);
  });
}

// Every number of columns that shuffles or short segments may write.
TEST_CASE("kernels: an element repeated 2 to 66 times") {
  Random random(1);
  for (const DType dtype :
       {DType::kU8, DType::kI16, DType::kF32, DType::kF64, DType::kC128}) {
    const KernelCase c = {Op::kBroadcast, {dtype}, {}, dtype};
    for (int64_t times = 2; times <= 66; times += kSanitized ? 9 : 1) {
      const int64_t count = 2000 / times;
      CheckOnEachTarget(c, {{count, times}, {{1, 0}}, count * times}, random);
    }
  }
}

// One operand has the same short row in all rows of a group, the others have
// rows that follow each other, in each group their own or the same ones.
TEST_CASE("kernels: rows that one operand repeats, in pieces") {
  ForEachRound(12, [](const KernelCase& c, Random& random, const auto& draw) {
    const auto width = static_cast<int64_t>(BytesOf(c.dtypes.back()));
    const int64_t outer = draw(1, 3);
    const int64_t groups = draw(1, 4);
    const int64_t rows = draw(8, 40);
    const int64_t count = std::max<int64_t>(draw(12, 280) / width, 1);
    Nest nest = {
        {outer, groups, rows, count}, {}, outer * groups * rows * count};
    const size_t repeated = random.Below(c.dtypes.size());
    for (size_t k = 0; k < c.dtypes.size(); ++k) {
      const int64_t own = k == repeated ? count : rows * count;
      const bool alike = random.Below(3) == 0;
      nest.strides.push_back({alike ? 0 : groups * own, alike ? 0 : own,
                              k == repeated ? 0 : count, 1});
    }
    CheckOnEachTarget(c, nest, random);
  });
}

// One operand has one element in each row, the others have rows that follow
// each other, or the same row in all rows of a group.
TEST_CASE("kernels: rows of one element beside other rows, in pieces") {
  ForEachRound(12, [](const KernelCase& c, Random& random, const auto& draw) {
    const auto width = static_cast<int64_t>(BytesOf(c.dtypes.back()));
    const int64_t groups = draw(1, 3);
    const int64_t rows = draw(2, 60);
    const int64_t count = std::max<int64_t>(draw(16, 350) / width, 1);
    Nest nest = {{groups, rows, count}, {}, groups * rows * count};
    const size_t splat = random.Below(c.dtypes.size());
    for (size_t k = 0; k < c.dtypes.size(); ++k) {
      const bool alike = random.Below(4) == 0;
      const bool repeats = random.Below(3) == 0;
      if (k == splat) {
        nest.strides.push_back({alike ? 0 : rows, 1, 0});
      } else if (repeats) {
        nest.strides.push_back({alike ? 0 : count, 0, 1});
      } else {
        nest.strides.push_back({alike ? 0 : rows * count, count, 1});
      }
    }
    CheckOnEachTarget(c, nest, random);
  });
}

// Rows that are shorter than what a loop may store at a time, so that several
// of the next ones are overwritten. The first piece ends with the first or
// second row of a step of the outermost loop. Each operand needs a tile, which
// takes longer than rows.
TEST_CASE("kernels: rows of 16 to 63 bytes before few others") {
  uint64_t seed = 0;
  for (const KernelCase& c : AllCases()) {
    if (c.dtypes.size() != 2) continue;
    Random random(++seed);
    const auto width = static_cast<int64_t>(BytesOf(c.dtypes.back()));
    constexpr int64_t kRows = 32;
    for (int64_t count = std::max<int64_t>(16 / width, 1); count * width < 64;
         count += kSanitized ? 15 : 1) {
      const int64_t gap = count + 1;
      const Nest nest = {
          {2, 2, kRows, count},
          {{2 * kRows, kRows, 1, 0}, {0, kRows * gap + 1, gap, 1}},
          4 * kRows * count};
      for (int64_t rows = 1; rows <= 2; ++rows) {
        CheckOnEachTarget(c, nest, random, 1, [&](int64_t end, Random&) {
          const int64_t half = end / 2 + rows;
          return end == 4 * kRows ? half : 0;
        });
      }
    }
  }
}

#if defined(__wasm__)
// Where the memory ends, after at least `bytes` bytes that nothing else uses.
uint8_t* TakeMemoryEnd(size_t bytes) {
  static uint8_t* begin = nullptr;
  static uint8_t* end = nullptr;
  const auto memory_end = [] {
    return reinterpret_cast<uint8_t*>(__builtin_wasm_memory_size(0) << 16);
  };
  // Whatever is allocated later may make the memory grow.
  if (end != memory_end() || end - begin < static_cast<ptrdiff_t>(bytes)) {
    begin = static_cast<uint8_t*>(sbrk(static_cast<intptr_t>(bytes)));
    sbrk(memory_end() - static_cast<uint8_t*>(sbrk(0)));
    end = memory_end();
  }
  return end;
}

TEST_CASE("kernels: an operand ends where the memory ends") {
  Random random(1);
  for (const KernelCase& c : AllCases()) {
    // Rows that end within a vector.
    Nest nest;
    nest.extents = {7, 3, 83};
    nest.elements = int64_t{7} * 3 * 83;
    std::vector<Buffer> memory;
    std::vector<uint8_t> bits;
    for (size_t k = 0; k < c.dtypes.size(); ++k) {
      const bool last = k + 1 == c.dtypes.size();
      nest.strides.push_back(last ? Extents{83, 0, 1} : Extents{0, 1, 0});
      memory.push_back(RandomElements(
          c.dtypes[k], static_cast<size_t>(ReachOf(nest, k)), random()));
      bits.push_back(static_cast<uint8_t>(broadloom::Info(c.dtypes[k]).bits));
    }
    const Expected expected = Expect(c, nest, memory);
    Work work;
    ResetWork(c, nest, bits, work);
    Buffer out(expected.results.size());
    std::vector<OperandMemory> operands(bits.size());
    const Buffer& last = memory.back();
    uint8_t* const end = TakeMemoryEnd(last.size());
    uint8_t* const begin = end - last.size();
    std::copy(last.begin(), last.end(), begin);
    for (size_t k = 0; k < bits.size(); ++k) {
      const uint8_t* const data =
          k + 1 == bits.size() ? begin : memory[k].data();
      operands[k] = MemoryOf(work.nest, k, data, 0, bits[k]);
    }
    c.kernel()->run({.work = &work,
                     .operands = operands.data(),
                     .out = out.data(),
                     .out_first = 0,
                     .begin = 0,
                     .end = work.schedule.run_count(),
                     .past_caches = false});
    INFO(TextOf(c, nest));
    CHECK(FirstWrong(c, expected, out.data()) == -1);
    CHECK(end ==
          reinterpret_cast<uint8_t*>(__builtin_wasm_memory_size(0) << 16));
  }
}
#endif

}  // namespace
