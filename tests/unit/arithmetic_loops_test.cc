// The bench's loops of arithmetic are right: a loop that computed something
// else would set a wrong floor. On special values, which the bench does not
// use, and on random bits; on every SIMD target.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "loops/computation.h"
#include "loops/elements.h"
#include "loops/loop.h"
#include "memory.h"
#include "reference/each_target.h"
#include "reference/scalar.h"
#include "vocabulary.h"

namespace {

using broadloom::DType;
using broadloom::Op;

// Numbers at which conversions, rounding and signs change, as elements.
std::vector<std::vector<uint8_t>> SpecialElements(DType dtype) {
  std::vector<std::vector<uint8_t>> elements;
  const auto add = [&](uint64_t bits) {
    std::vector<uint8_t> bytes(16);
    std::memcpy(bytes.data(), &bits, sizeof(bits));
    elements.push_back(bytes);
  };
  bool is_number = false;
  reference::VisitNumber(dtype, [&]<class T>(T) {
    is_number = true;
    if constexpr (reference::kIsInteger<T>) {
      for (const int shift :
           {0, 1, 2, 3, 7, 8, 15, 16, 23, 24, 25, 31, 32, 52, 53, 54, 62, 63}) {
        const uint64_t power = uint64_t{1} << shift;
        for (const uint64_t value : {power - 1, power, power + 1}) {
          add(value);
          add(uint64_t{0} - value);
        }
      }
      add(100);
      // Just beside the middle between two bf16, two f32.
      add(0x01010001);
      add(0x0101000000000001);
      add(0x7FFFFFBFFFFFFFFF);
    } else {
      const auto format = reference::FormatOf<T>();
      for (const double size :
           {0.0, 0x1p-1074, 0x1p-149, 0x1p-133, 0x1p-126, 0x1p-24, 0x1.8p-15,
            0x1p-14, 0.5, 0x1.fffffffffffffp-2, 1.0, 0x1.0000001p0, 1.5, 2.0,
            2.5, 3.0, 127.5, 128.0, 255.5, 256.0, 32767.5, 65504.0, 65519.99,
            65520.0, 0x1.ffffffp30, 0x1p31, 0x1.fffffffep31, 0x1p32, 0x1p53,
            0x1p63, 0x1p64, 0x1.fffffep127, 0x1.ffffffffffffp1023,
            // Just beside the middle between two f16, two bf16.
            1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-8 + 0x1p-45,
            1 + 0x3p-8 - 0x1p-45, std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::quiet_NaN()}) {
        add(reference::Encode(format, size));
        add(reference::Encode(format, -size));
      }
    }
  });
  if (!is_number) {
    for (const uint64_t bits : {0x00, 0x01, 0x02, 0x80, 0xFF}) add(bits);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 24; ++i) add(random());
  return elements;
}

struct Streams {
  std::vector<bench::Memory> inputs;
  size_t count;
};

// Every pair of special elements for two operands, every element for one;
// random choices for more. Padded with choices to whole steps.
Streams SpecialOperands(std::span<const DType> types) {
  std::vector<std::vector<std::vector<uint8_t>>> special;
  for (const DType type : types) special.push_back(SpecialElements(type));
  size_t count = special[0].size() * (types.size() > 1 ? special[1].size() : 1);
  count = bench::RoundUp(count, bench::kLoopStep);
  Streams streams{.inputs = {}, .count = count};
  for (size_t k = 0; k < types.size(); ++k) {
    streams.inputs.emplace_back(bench::BytesOfType(count, types[k]), k);
    uint8_t* const to = streams.inputs.back().data();
    const size_t bits = bench::BitsOfType(types[k]);
    std::mt19937_64 random(k);
    for (size_t i = 0; i < count; ++i) {
      const auto& all = special[k];
      const uint64_t pick = types.size() > 2 ? random()
                            : k == 0         ? i
                                             : i / special[0].size();
      const auto& element = all[pick % all.size()];
      if (bits >= 8) {
        std::memcpy(to + i * (bits / 8), element.data(), bits / 8);
      } else if (i % (8 / bits) == 0) {
        to[i * bits / 8] = static_cast<uint8_t>(random());
      }
    }
  }
  return streams;
}

// Requires that the loop of the operator is right on them.
void RequireRight(Op op, std::span<const DType> types,
                  const broadloom::OpAttributes& attributes,
                  const std::string& where) {
  const auto of = bench::ComputationOf(op, types, attributes);
  REQUIRE(of.has_value());
  const bench::Loop loop = bench::FindLoop(*of);
  if (op == Op::kBroadcast) {
    REQUIRE(loop == nullptr);
    return;
  }
  INFO(where);
  REQUIRE(loop != nullptr);
  const Streams streams = SpecialOperands(types);
  const DType result = bench::ResultType(*of);
  const bench::Memory output(bench::BytesOfType(streams.count, result), 4);
  const uint8_t* in[bench::kMostLoopOperands] = {};
  for (size_t k = 0; k < types.size(); ++k) in[k] = streams.inputs[k].data();
  loop(in, output.data(), streams.count);
  for (size_t i = 0; i < streams.count; ++i) {
    if (!bench::IsRight(*of, attributes, result, in, output.data(), i)) {
      std::string elements;
      constexpr char kDigits[] = "0123456789abcdef";
      const auto spell = [&](DType type, const uint8_t* data) {
        elements += ' ';
        for (size_t byte = bench::BytesOfType(1, type); byte-- > 0;) {
          const uint8_t value = data[bench::BytesOfType(i, type) + byte];
          elements += kDigits[value >> 4];
          elements += kDigits[value & 15];
        }
      };
      for (size_t k = 0; k < types.size(); ++k) spell(types[k], in[k]);
      elements += " ->";
      spell(result, output.data());
      FAIL_CHECK("element " << i << ":" << elements);
      return;
    }
  }
}

std::string Named(const std::string& target, const broadloom::OpInfo& op,
                  std::span<const DType> types, const std::string& attribute) {
  std::string name = target + " " + std::string(op.name);
  for (const DType type : types) {
    name += ' ';
    name += broadloom::Info(type).name;
  }
  return name + ' ' + attribute;
}

}  // namespace

TEST_CASE("the bench's arithmetic is that of the reference") {
  reference::ForEachTarget([](const std::string& target) {
    bench::ForEachComputation([&](const broadloom::OpInfo& op,
                                  const std::vector<DType>& types,
                                  const broadloom::OpAttributes& attributes,
                                  const std::string& attribute) {
      RequireRight(op.op, types, attributes,
                   Named(target, op, types, attribute));
    });
  });
}

TEST_CASE("the bench's arithmetic shifts right") {
  broadloom::OpAttributes right;
  right.direction = broadloom::ShiftDirection::kRight;
  reference::ForEachTarget([&](const std::string& target) {
    for (const DType type :
         {DType::kU8, DType::kU16, DType::kU32, DType::kU64}) {
      const DType types[] = {type, type};
      RequireRight(Op::kBitShift, types, right, target);
    }
  });
}

TEST_CASE("the bench's arithmetic of three and four operands") {
  reference::ForEachTarget([](const std::string& target) {
    for (const Op op : {Op::kSum, Op::kMean, Op::kMax, Op::kMin}) {
      for (const auto& type : broadloom::AllDTypes()) {
        if (!broadloom::Accepts(op, 0, type.dtype)) continue;
        for (const size_t operands : {3u, 4u}) {
          const std::vector<DType> types(operands, type.dtype);
          RequireRight(op, types, {},
                       Named(target, broadloom::Info(op), types, ""));
        }
      }
    }
  });
}

TEST_CASE("some computations have no arithmetic loop") {
  const std::vector<DType> five(5, DType::kF32);
  REQUIRE(!bench::ComputationOf(Op::kSum, five, {}));
  broadloom::OpAttributes saturating;
  saturating.to = DType::kU8;
  saturating.saturate = 1;
  const DType from[] = {DType::kI32};
  REQUIRE(!bench::ComputationOf(Op::kCast, from, saturating));
}
