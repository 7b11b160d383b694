// 2^20 random pairs of floats of each type, on every SIMD target: comparisons,
// extrema, sums, products and quotients. Random bits, including denormals,
// infinities, NaNs, zeros of both signs, and pairs of close numbers.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/kernel_work.h"
#include "reference/scalar.h"
#include "reference/trial.h"

namespace {

using namespace reference;

constexpr size_t kCount = kSanitized ? size_t{1} << 16 : size_t{1} << 20;

struct Pairs {
  Buffer a;
  Buffer b;
};

Pairs RandomPairs(DType dtype) {
  const size_t width = BytesOf(dtype);
  Pairs pairs = {Buffer(kCount * width), Buffer(kCount * width)};
  const Buffer special = SpecialElements(dtype);
  Random random(width);
  const auto put = [&](Buffer& to, size_t i, uint64_t bits) {
    std::memcpy(to.data() + i * width, &bits, width);
  };
  const auto any_special = [&] {
    uint64_t bits = 0;
    std::memcpy(&bits,
                special.data() + random.Below(special.size() / width) * width,
                width);
    return bits;
  };
  const uint64_t fraction = (uint64_t{1} << (dtype == DType::kF16    ? 10
                                             : dtype == DType::kBF16 ? 7
                                             : dtype == DType::kF32  ? 23
                                                                     : 52)) -
                            1;
  const uint64_t sign = uint64_t{1} << (width * 8 - 1);
  for (size_t i = 0; i < kCount; ++i) {
    uint64_t a = random() ^ random() << 32;
    uint64_t b = random() ^ random() << 32;
    switch (i % 8) {
      case 0:  // denormals, some of whose sums and products are denormal too
        a &= fraction | sign;
        break;
      case 1:
        a &= fraction | sign;
        b &= fraction | sign;
        break;
      case 2:  // close or equal numbers
        b = a ^ (random() & 3);
        break;
      case 3:
        b = a ^ sign ^ (random() & 1);
        break;
      case 4:
        a = any_special();
        break;
      case 5:
        a = any_special();
        b = any_special();
        break;
      default:
        break;
    }
    put(pairs.a, i, a);
    put(pairs.b, i, b);
  }
  return pairs;
}

TEST_CASE("2^20 pairs of floats of each type") {
  constexpr Op kCompared[] = {Op::kEqual,   Op::kNotEqual,
                              Op::kLess,    Op::kLessOrEqual,
                              Op::kGreater, Op::kGreaterOrEqual};
  constexpr Op kComputed[] = {Op::kMax, Op::kMin, Op::kAdd,   Op::kSub,
                              Op::kMul, Op::kDiv, Op::kPRelu, Op::kMean};
  for (const DType dtype :
       {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
    const size_t width = BytesOf(dtype);
    const Pairs pairs = RandomPairs(dtype);
    std::vector<Op> ops(std::begin(kCompared), std::end(kCompared));
    ops.insert(ops.end(), std::begin(kComputed), std::end(kComputed));
    for (const Op op : ops) {
      const bool compared =
          broadloom::Info(op).result == broadloom::ResultType::kBoolType;
      const KernelCase c = {
          op, {dtype, dtype}, {}, compared ? DType::kBool : dtype};
      const size_t out_width = compared ? 1 : width;
      Buffer wanted(kCount * out_width);
      for (size_t i = 0; i < kCount; ++i) {
        const void* in[] = {pairs.a.data() + i * width,
                            pairs.b.data() + i * width};
        Evaluate(op, c.dtypes, {}, in, wanted.data() + i * out_width);
      }
      ForEachTarget([&](const std::string& target) {
        Buffer out(wanted.size());
        const int64_t stride = static_cast<int64_t>(kCount);
        const BlockOperand operands[] = {{pairs.a.data(), 0, stride, false},
                                         {pairs.b.data(), 0, stride, false}};
        RunBlock(c, {operands, out.data(), 0, 1, kCount});
        if (out == wanted) return;
        for (size_t i = 0; i < kCount; ++i) {
          const uint8_t* got = out.data() + i * out_width;
          const uint8_t* want = wanted.data() + i * out_width;
          if (std::memcmp(got, want, out_width) == 0 ||
              (IsNaN(c.result, got) && IsNaN(c.result, want))) {
            continue;
          }
          FAIL_CHECK(target << ' ' << c.name() << ": pair " << i << ", "
                            << Get(pairs.a, BitsOf(dtype), i).low << " and "
                            << Get(pairs.b, BitsOf(dtype), i).low << " gives "
                            << Get(out, BitsOf(c.result), i).low << ", not "
                            << Get(wanted, BitsOf(c.result), i).low);
          return;
        }
      });
    }
  }
}

}  // namespace
