#include "fill.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bench {
namespace {

using broadloom::DType;
using broadloom::DTypeKind;
using broadloom::Op;

// Elements are random bits, of which some are kept and some are set.
struct Bits {
  uint64_t keep;
  uint64_t set;
};

// Values that make no operator slow: floats are between 1 and 2, of either
// sign.
Bits BitsOf(Op op, DType dtype, size_t operand) {
  const auto& info = broadloom::Info(dtype);
  // Few values, so that some are equal.
  const bool few = op == Op::kEqual || op == Op::kNotEqual;
  switch (dtype) {
    case DType::kBool:
      return {1, 0};
    case DType::kF16:
      return {few ? 0x0300u : 0x83FFu, 0x3C00};
    case DType::kBF16:
      return {few ? 0x0060u : 0x807Fu, 0x3F80};
    case DType::kF32:
      return {few ? 0x00600000u : 0x807FFFFFu, 0x3F800000};
    case DType::kF64:
      return {few ? 0x000C000000000000u : 0x800FFFFFFFFFFFFFu,
              0x3FF0000000000000};
    default:
      break;
  }
  const bool second = operand == 1;
  if (info.kind == DTypeKind::kOpaque) return {~uint64_t{0}, 0};
  if (few) return {3, 0};
  if (op == Op::kPow) return {second ? 7u : 15u, 0};
  if (op == Op::kBitShift && second) {
    return {static_cast<uint64_t>(info.bits) - 1, 0};
  }
  // A divisor that is not 0.
  if (op == Op::kDiv || op == Op::kMod) return {~uint64_t{0}, second ? 1u : 0u};
  return {~uint64_t{0}, 0};
}

}  // namespace

void Fill(const Memory& memory, Op op, DType dtype, size_t operand) {
  Bits bits = BitsOf(op, dtype, operand);
  // A power of a negative number is mostly NaN.
  if (op == Op::kPow && operand == 0 &&
      broadloom::Info(dtype).kind == DTypeKind::kFloat) {
    const int sign = broadloom::Info(dtype).bits - 1;
    bits.keep &= ~(uint64_t{1} << sign);
  }
  for (int width = broadloom::Info(dtype).bits; width < 64; width *= 2) {
    if (width < 8) continue;
    const uint64_t low = (uint64_t{1} << width) - 1;
    bits.keep = (bits.keep & low) | (bits.keep & low) << width;
    bits.set = (bits.set & low) | (bits.set & low) << width;
  }
  uint64_t state = 0x9E3779B97F4A7C15u * (operand + 1);
  for (size_t i = 0; i < RoundUp(memory.bytes(), kUnit); i += sizeof(state)) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const uint64_t word = (state * 0x2545F4914F6CDD1Du & bits.keep) | bits.set;
    std::memcpy(memory.data() + i, &word, sizeof(word));
  }
}

}  // namespace bench
