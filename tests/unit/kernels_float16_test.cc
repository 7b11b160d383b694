// f16 and bf16 to f32 and back, on every SIMD target: all 65,536 codes, and
// some millions of f32 values that must be rounded.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/kernel_work.h"
#include "reference/scalar.h"

namespace {

using namespace reference;

struct HalfType {
  DType dtype;
  FloatFormat format;
};
constexpr HalfType kHalfTypes[] = {{DType::kF16, kBinary16},
                                   {DType::kBF16, kBFloat16}};

constexpr size_t kCodes = 65536;

std::vector<uint16_t> AllCodes() {
  std::vector<uint16_t> codes(kCodes);
  for (size_t i = 0; i < kCodes; ++i) codes[i] = static_cast<uint16_t>(i);
  return codes;
}

std::vector<uint16_t> Run(const KernelCase& c,
                          const std::vector<std::vector<uint16_t>>& operands) {
  std::vector<uint16_t> out(operands[0].size());
  std::vector<BlockOperand> block_operands;
  for (const std::vector<uint16_t>& operand : operands) {
    block_operands.push_back(
        {operand.data(), 0, static_cast<int64_t>(out.size()), false});
  }
  RunBlock(c, {block_operands, out.data(), 0, 1, out.size()});
  return out;
}

bool IsNaNCode(FloatFormat format, uint16_t code) {
  return std::isnan(Decode(format, code));
}

// The first code that differs, with all NaNs equal; kCodes or more if none.
size_t FirstDifference(FloatFormat format, const std::vector<uint16_t>& got,
                       const std::vector<uint16_t>& wanted) {
  size_t i = 0;
  while (i < got.size() &&
         (got[i] == wanted[i] ||
          (IsNaNCode(format, got[i]) && IsNaNCode(format, wanted[i])))) {
    ++i;
  }
  return i;
}

TEST_CASE("The oracle's conversions restore every code") {
  for (const HalfType& type : kHalfTypes) {
    for (size_t code = 0; code < kCodes; ++code) {
      const double value = Decode(type.format, code);
      if (std::isnan(value)) continue;
      REQUIRE(Encode(type.format, value) == code);
    }
  }
  CHECK(Decode(kBinary16, 0x3C00) == 1);
  CHECK(Decode(kBinary16, 0x0001) == 0x1p-24);
  CHECK(Decode(kBFloat16, 0xC049) == -3.140625);
  CHECK(Encode(kBinary16, 65519.99) == 0x7BFF);
  CHECK(Encode(kBinary16, 65520) == 0x7C00);
  CHECK(Encode(kBinary16, 0x1p-25) == 0);
  CHECK(Encode(kBinary16, 0x1.8p-24) == 2);
  for (const float x : {1.0f, -0.1f, 0x1p-149f, 0x1.fffffep127f, 0x1.8p-130f}) {
    CHECK(Decode(kBinary32, Encode(kBinary32, static_cast<double>(x))) ==
          static_cast<double>(x));
  }
}

TEST_CASE("Every code converted to f32 and back is unchanged") {
  const std::vector<uint16_t> codes = AllCodes();
  for (const HalfType& type : kHalfTypes) {
    // A Sum of one operand returns it after conversion to f32 and back.
    const KernelCase sum = {Op::kSum, {type.dtype}, {}, type.dtype};
    ForEachTarget([&](const std::string& target) {
      INFO(target << ' ' << sum.name());
      CHECK(FirstDifference(type.format, Run(sum, {codes}), codes) == kCodes);
    });
  }
}

TEST_CASE("Every code has the right value in f32") {
  // A wrong value would make its sum with another number wrong, even if the
  // conversion back compensates.
  const std::vector<uint16_t> codes = AllCodes();
  for (const HalfType& type : kHalfTypes) {
    const KernelCase add = {Op::kAdd, {type.dtype, type.dtype}, {}, type.dtype};
    for (const double addend : {0.0, 1.0, 0x1p-14, 3.0e4}) {
      const auto other = static_cast<uint16_t>(Encode(type.format, addend));
      const double rounded_addend = Decode(type.format, other);
      std::vector<uint16_t> wanted;
      for (const uint16_t code : codes) {
        const auto exact =
            static_cast<float>(Decode(type.format, code) + rounded_addend);
        wanted.push_back(static_cast<uint16_t>(
            Encode(type.format, static_cast<double>(exact))));
      }
      const std::vector<uint16_t> others(kCodes, other);
      ForEachTarget([&](const std::string& target) {
        INFO(target << ' ' << add.name() << ' ' << addend);
        CHECK(FirstDifference(type.format, Run(add, {codes, others}), wanted) ==
              kCodes);
      });
    }
  }
}

TEST_CASE("2^20 results of f32 are rounded once") {
  constexpr size_t kCount = size_t{1} << 20;
  for (const HalfType& type : kHalfTypes) {
    Random random(20);
    std::vector<uint16_t> a(kCount);
    std::vector<uint16_t> b(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      const uint64_t bits = random();
      a[i] = static_cast<uint16_t>(bits >> 7);
      b[i] = static_cast<uint16_t>(bits >> 29);
      // Half of them near each other, so that sums have various bits.
      if ((bits & 1) != 0)
        b[i] = static_cast<uint16_t>((a[i] & 0xF800) | (b[i] & 0x87FF));
    }
    for (const Op op : {Op::kAdd, Op::kMul, Op::kDiv, Op::kSquaredDifference}) {
      const KernelCase c = {op, {type.dtype, type.dtype}, {}, type.dtype};
      std::vector<uint16_t> wanted(kCount);
      for (size_t i = 0; i < kCount; ++i) {
        const auto x = static_cast<float>(Decode(type.format, a[i]));
        const auto y = static_cast<float>(Decode(type.format, b[i]));
        wanted[i] = static_cast<uint16_t>(
            Encode(type.format, static_cast<double>(Arithmetic(op, x, y, {}))));
        if (op == Op::kSquaredDifference) continue;
        // Rounding through f32 is correct: double holds any sum or product
        // exactly, and more than enough bits of a quotient.
        const double exact =
            op == Op::kAdd   ? static_cast<double>(x) + static_cast<double>(y)
            : op == Op::kMul ? static_cast<double>(x) * static_cast<double>(y)
                             : static_cast<double>(x) / static_cast<double>(y);
        if (!std::isnan(exact) && Encode(type.format, exact) != wanted[i]) {
          FAIL("rounded twice: " << c.name() << ' ' << a[i] << ' ' << b[i]);
        }
      }
      ForEachTarget([&](const std::string& target) {
        INFO(target << ' ' << c.name());
        CHECK(FirstDifference(type.format, Run(c, {a, b}), wanted) == kCount);
      });
    }
  }
}

TEST_CASE("Every code is compared and selected as a number") {
  const std::vector<uint16_t> codes = AllCodes();
  for (const HalfType& type : kHalfTypes) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    for (const double other :
         {0.0, -0.0, 1.0, -1.5, 0x1p-133, kInfinity, -kInfinity, kNaN}) {
      const auto code = static_cast<uint16_t>(Encode(type.format, other));
      const std::vector<uint16_t> others(kCodes, code);
      const auto y = static_cast<float>(Decode(type.format, code));
      for (const Op op : {Op::kMax, Op::kMin, Op::kPRelu}) {
        const KernelCase c = {op, {type.dtype, type.dtype}, {}, type.dtype};
        std::vector<uint16_t> wanted;
        for (const uint16_t x : codes) {
          const float result =
              Arithmetic(op, static_cast<float>(Decode(type.format, x)), y, {});
          wanted.push_back(static_cast<uint16_t>(
              Encode(type.format, static_cast<double>(result))));
        }
        ForEachTarget([&](const std::string& target) {
          INFO(target << ' ' << c.name() << ' ' << other);
          CHECK(FirstDifference(type.format, Run(c, {codes, others}), wanted) ==
                kCodes);
        });
      }
      for (const Op op :
           {Op::kEqual, Op::kNotEqual, Op::kLess, Op::kLessOrEqual,
            Op::kGreater, Op::kGreaterOrEqual}) {
        const KernelCase c = {op, {type.dtype, type.dtype}, {}, DType::kBool};
        ForEachTarget([&](const std::string& target) {
          INFO(target << ' ' << c.name() << ' ' << other);
          std::vector<uint8_t> truth(kCodes);
          const BlockOperand operands[] = {{codes.data(), 0, kCodes, false},
                                           {others.data(), 0, 0, false}};
          RunBlock(c, {operands, truth.data(), 0, 1, kCodes});
          size_t wrong = 0;
          for (size_t i = 0; i < kCodes; ++i) {
            const auto x = static_cast<float>(Decode(type.format, codes[i]));
            wrong +=
                truth[i] != static_cast<uint8_t>(Compare(op, x, y)) ? 1 : 0;
          }
          CHECK(wrong == 0);
        });
      }
    }
  }
}

}  // namespace
