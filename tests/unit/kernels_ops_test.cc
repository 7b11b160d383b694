// Every operator with every type, on every SIMD target of this machine,
// compared with the oracle of reference/scalar.h: rows of all lengths around
// the width of vectors, special values, all pairs of bytes, in place.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "kernels/find.h"
#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/kernel_work.h"
#include "reference/scalar.h"

namespace {

using namespace reference;

constexpr uint8_t kSentinel = 0xA5;

// The expected results: from element i of each operand, or from its first
// element if the operand repeats.
struct Expected {
  Buffer bytes;
  std::vector<long double> exact;  // where the result is approximate
  std::vector<bool> any_nan;       // whether any NaN is accepted
};

const void* ElementAt(const Buffer& elements, DType dtype, size_t index) {
  return elements.data() + index * BytesOf(dtype);
}

using Operands = std::vector<Buffer>;

// Bit k of `repeats`: operand k repeats its first element. Operands beyond the
// bits do not repeat.
bool Repeats(unsigned repeats, size_t k) {
  return k < 32 && (repeats >> k & 1) != 0;
}

Expected Expect(const KernelCase& c, const Operands& operands, unsigned repeats,
                size_t count) {
  Expected expected;
  const size_t width = BytesOf(c.result);
  expected.bytes.resize(count * width);
  for (size_t i = 0; i < count; ++i) {
    std::vector<const void*> in;
    for (size_t k = 0; k < operands.size(); ++k) {
      in.push_back(
          ElementAt(operands[k], c.dtypes[k], Repeats(repeats, k) ? 0 : i));
    }
    if (c.is_approximate()) {
      expected.exact.push_back(ExactResult(c.op, c.dtypes, in));
    } else {
      Evaluate(c.op, c.dtypes, c.attributes, in,
               expected.bytes.data() + i * width);
      const bool moved = c.op == Op::kWhere ||
                         (c.op == Op::kPRelu && IsNaN(c.dtypes[0], in[0]));
      expected.any_nan.push_back(!moved);
    }
  }
  return expected;
}

bool Agrees(const KernelCase& c, const Expected& expected, size_t i,
            const uint8_t* got) {
  if (c.is_approximate()) {
    return IsWithinUlps(c.result, expected.exact[i], got, c.most_ulps());
  }
  const size_t width = BytesOf(c.result);
  const uint8_t* wanted = expected.bytes.data() + i * width;
  if (std::memcmp(wanted, got, width) == 0) return true;
  return expected.any_nan[i] && IsNaN(c.result, wanted) && IsNaN(c.result, got);
}

std::string Hex(const void* from, size_t bytes) {
  std::string text;
  for (size_t i = bytes; i-- > 0;) {
    constexpr char kDigits[] = "0123456789abcdef";
    const uint8_t byte = static_cast<const uint8_t*>(from)[i];
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// A description of the first wrong result of `count`, or nothing.
std::string FirstFault(const KernelCase& c, const Operands& operands,
                       unsigned repeats, const Expected& expected,
                       const uint8_t* results, size_t count) {
  const size_t width = BytesOf(c.result);
  for (size_t i = 0; i < count; ++i) {
    if (Agrees(c, expected, i, results + i * width)) continue;
    std::string text = c.name() + " repeats " + std::to_string(repeats) +
                       " element " + std::to_string(i) + " of " +
                       std::to_string(count) + ":";
    for (size_t k = 0; k < operands.size(); ++k) {
      const size_t at = Repeats(repeats, k) ? 0 : i;
      text += ' ' + Hex(ElementAt(operands[k], c.dtypes[k], at),
                        BytesOf(c.dtypes[k]));
    }
    text += " gives " + Hex(results + i * width, width);
    if (c.is_approximate()) {
      text += " not " + std::to_string(expected.exact[i]);
    } else {
      text += " not " + Hex(expected.bytes.data() + i * width, width);
    }
    return text;
  }
  return {};
}

// Runs one row whose operands and result begin `offset` elements into memory
// that ends with them.
std::string FaultOfRow(const KernelCase& c, const Operands& operands,
                       unsigned repeats, const Expected& expected, size_t count,
                       size_t offset) {
  if (c.kernel() == nullptr) return c.name() + ": no kernel";
  std::vector<Buffer> memory;
  std::vector<BlockOperand> block_operands;
  for (size_t k = 0; k < operands.size(); ++k) {
    const size_t width = BytesOf(c.dtypes[k]);
    const bool repeated = Repeats(repeats, k);
    const size_t elements = repeated ? 1 : count;
    memory.emplace_back((offset + elements) * width);
    std::copy_n(operands[k].data(), elements * width,
                memory.back().data() + offset * width);
    block_operands.push_back({memory.back().data() + offset * width, 0,
                              repeated ? 0 : static_cast<int64_t>(count),
                              repeated});
  }
  const size_t width = BytesOf(c.result);
  Buffer result((offset + count + 1) * width, kSentinel);
  RunBlock(c, {block_operands, result.data() + offset * width, 0, 1, count});
  for (size_t i = 0; i < result.size(); ++i) {
    const bool inside = i >= offset * width && i < (offset + count) * width;
    if (!inside && result[i] != kSentinel) return c.name() + ": wrote beside";
  }
  return FirstFault(c, operands, repeats, expected,
                    result.data() + offset * width, count);
}

// Up to twice the elements that any target computes at once, and a few more.
size_t MostColumns(const KernelCase& c) {
  size_t narrowest = 8;
  for (const DType dtype : c.dtypes) {
    narrowest = std::min(narrowest, BytesOf(dtype));
  }
  return 128 / narrowest + 3;
}

TEST_CASE("Every operator has a kernel for every type that it takes") {
  ForEachTarget([](const std::string& target) {
    INFO(target);
    CHECK(broadloom::kernels::TargetName() == target);
    for (const KernelCase& c : AllKernelCases()) {
      INFO(c.name());
      CHECK(c.kernel() != nullptr);
    }
  });
}

TEST_CASE("Operators reject types that they do not take") {
  for (const auto& op : broadloom::AllOps()) {
    if (op.op == Op::kWhere || op.op == Op::kBroadcast) continue;
    for (const auto& type : broadloom::AllDTypes()) {
      if (Accepts(op.op, 0, type.dtype, true)) continue;
      const std::vector<DType> dtypes(2, type.dtype);
      INFO(op.name << ' ' << type.name);
      CHECK(broadloom::kernels::FindKernel(
                op.op, dtypes,
                {.direction = broadloom::ShiftDirection::kLeft,
                 .to = DType::kF32}) == nullptr);
    }
  }
}

TEST_CASE("Rows of every length, vectors and scalars") {
  for (const KernelCase& c : AllKernelCases()) {
    const size_t most = MostColumns(c);
    Operands operands;
    for (size_t k = 0; k < c.dtypes.size(); ++k) {
      operands.push_back(RandomElements(c.dtypes[k], most, 17 * k + 3));
    }
    const unsigned forms = 1u << operands.size();
    for (unsigned repeats = 0; repeats < forms; ++repeats) {
      const Expected expected = Expect(c, operands, repeats, most);
      ForEachTarget([&](const std::string& target) {
        // Pow is slow, and has few loops.
        const size_t step = c.op == Op::kPow ? 13 : 1;
        for (size_t count = 1; count <= most; count += step) {
          const std::string fault =
              FaultOfRow(c, operands, repeats, expected, count, count % 3);
          if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
          if (!fault.empty()) break;
        }
      });
    }
  }
}

TEST_CASE("Every special value with every other") {
  for (const KernelCase& c : AllKernelCases()) {
    std::vector<Buffer> special;
    size_t count = 1;
    for (size_t k = 0; k < std::min<size_t>(c.dtypes.size(), 2); ++k) {
      special.push_back(SpecialElements(c.dtypes[k]));
      count *= special[k].size() / BytesOf(c.dtypes[k]);
    }
    const size_t rhs_count =
        special.size() < 2 ? 1 : special[1].size() / BytesOf(c.dtypes[1]);
    Operands operands(c.dtypes.size());
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < operands.size(); ++k) {
        const size_t width = BytesOf(c.dtypes[k]);
        const Buffer& from = special[std::min<size_t>(k, 1)];
        const size_t at = (k == 0 ? i / rhs_count : i % rhs_count) * width;
        operands[k].insert(operands[k].end(),
                           from.begin() + static_cast<ptrdiff_t>(at),
                           from.begin() + static_cast<ptrdiff_t>(at + width));
      }
    }
    const Expected expected = Expect(c, operands, 0, count);
    ForEachTarget([&](const std::string& target) {
      const std::string fault = FaultOfRow(c, operands, 0, expected, count, 1);
      if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
    });
  }
}

TEST_CASE("All pairs of bytes") {
  for (const KernelCase& c : AllKernelCases()) {
    if (c.op == Op::kWhere) continue;
    if (c.dtypes.size() < 2) continue;
    if (BytesOf(c.dtypes[0]) != 1 || BytesOf(c.dtypes[1]) != 1) continue;
    constexpr size_t kPairs = 256 * 256;
    Operands operands(2);
    for (size_t i = 0; i < kPairs; ++i) {
      operands[0].push_back(static_cast<uint8_t>(i >> 8));
      operands[1].push_back(static_cast<uint8_t>(i));
    }
    const Expected expected = Expect(c, operands, 0, kPairs);
    ForEachTarget([&](const std::string& target) {
      const std::string fault = FaultOfRow(c, operands, 0, expected, kPairs, 0);
      if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
    });
  }
}

// Pairs for which a slightly wrong quotient truncates to another integer.
TEST_CASE("Dividends next to multiples of their divisors") {
  constexpr size_t kPairs = 1 << 17;
  for (const KernelCase& c : AllKernelCases()) {
    if (c.op != Op::kDiv && c.op != Op::kMod) continue;
    const size_t width = BytesOf(c.dtypes[0]);
    if (broadloom::Info(c.dtypes[0]).kind == broadloom::DTypeKind::kFloat) {
      continue;
    }
    Random random(width);
    Operands operands(2, Buffer(kPairs * width));
    for (size_t i = 0; i < kPairs; ++i) {
      // Any number of bits and either sign; the product may wrap.
      const auto any = [&] {
        const uint64_t magnitude =
            (random() & (~uint64_t{0} >> (64 - 8 * width))) >>
            random.Below(8 * width);
        return random.Below(2) == 0 ? magnitude : 0 - magnitude;
      };
      const uint64_t divisor = any();
      const uint64_t dividend = any() * divisor + random.Below(3) - 1;
      std::memcpy(operands[0].data() + i * width, &dividend, width);
      std::memcpy(operands[1].data() + i * width, &divisor, width);
    }
    const Expected expected = Expect(c, operands, 0, kPairs);
    ForEachTarget([&](const std::string& target) {
      const std::string fault = FaultOfRow(c, operands, 0, expected, kPairs, 0);
      if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
    });
  }
}

TEST_CASE("In place") {
  for (const KernelCase& c : AllKernelCases()) {
    for (size_t in_place = 0; in_place < c.dtypes.size(); ++in_place) {
      if (BytesOf(c.dtypes[in_place]) != BytesOf(c.result)) continue;
      const size_t most = MostColumns(c);
      Operands operands;
      for (size_t k = 0; k < c.dtypes.size(); ++k) {
        operands.push_back(RandomElements(c.dtypes[k], most, 5 * k + 11));
      }
      const Expected expected = Expect(c, operands, 0, most);
      ForEachTarget([&](const std::string& target) {
        const size_t step = c.op == Op::kPow ? 17 : 1;
        for (size_t count = 1; count <= most; count += step) {
          Operands memory = operands;
          std::vector<BlockOperand> block_operands;
          for (size_t k = 0; k < memory.size(); ++k) {
            memory[k].resize(count * BytesOf(c.dtypes[k]));
            // A row of one element may be described as repeated.
            block_operands.push_back(
                {memory[k].data(), 0, static_cast<int64_t>(count), count == 1});
          }
          RunBlock(c, {block_operands, memory[in_place].data(), 0, 1, count});
          const std::string fault = FirstFault(c, operands, 0, expected,
                                               memory[in_place].data(), count);
          if (!fault.empty()) {
            FAIL_CHECK(target << ": operand " << in_place << ": " << fault);
            break;
          }
        }
      });
    }
  }
}

TEST_CASE("Any number of operands") {
  for (const auto& info : broadloom::AllOps()) {
    if (info.most_operands != 0 || info.op == Op::kBroadcast) continue;
    for (const auto& type : broadloom::AllDTypes()) {
      if (!Accepts(info.op, 0, type.dtype)) continue;
      for (const size_t arity : {1, 2, 3, 5, 40}) {
        KernelCase c = {
            info.op, std::vector<DType>(arity, type.dtype), {}, type.dtype};
        constexpr size_t kCount = 3001;
        Operands operands;
        for (size_t k = 0; k < arity; ++k) {
          operands.push_back(RandomElements(type.dtype, kCount, 29 * k + 7));
        }
        // Every second operand repeats one element, except the last three.
        unsigned repeats = 0;
        for (size_t k = 1; k + 3 < std::min<size_t>(arity, 32); k += 2) {
          repeats |= 1u << k;
        }
        const size_t count = arity == 40 ? 70 : kCount;
        const Expected expected = Expect(c, operands, repeats, count);
        ForEachTarget([&](const std::string& target) {
          for (const size_t n : {size_t{1}, size_t{7}, size_t{66}, count}) {
            const std::string fault =
                FaultOfRow(c, operands, repeats, expected, n, 2);
            if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
          }
          // In place, for the first, second and last operand.
          for (const size_t k : {size_t{0}, size_t{1}, arity - 1}) {
            if (k >= arity || Repeats(repeats, k)) continue;
            Operands memory = operands;
            std::vector<BlockOperand> block_operands;
            for (size_t i = 0; i < arity; ++i) {
              const bool repeated = Repeats(repeats, i);
              block_operands.push_back(
                  {memory[i].data(), 0,
                   repeated ? 0 : static_cast<int64_t>(count), repeated});
            }
            RunBlock(c, {block_operands, memory[k].data(), 0, 1, count});
            const std::string fault = FirstFault(c, operands, repeats, expected,
                                                 memory[k].data(), count);
            if (!fault.empty()) FAIL_CHECK(target << " in place: " << fault);
          }
        });
      }
    }
  }
}

}  // namespace
