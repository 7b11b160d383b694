// Checks elements that a loop has computed, by the reference. For tests only.

#ifndef BROADLOOM_TESTS_BENCH_LOOPS_ELEMENTS_H_
#define BROADLOOM_TESTS_BENCH_LOOPS_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "broadloom/plan.h"
#include "broadloom/vocabulary.h"
#include "loops/loop.h"
#include "reference/memory_bits.h"
#include "reference/scalar.h"

namespace bench {

inline size_t BitsOfType(broadloom::DType dtype) {
  return broadloom::kBitsOfDTypes[static_cast<size_t>(dtype)];
}

inline size_t BytesOfType(size_t elements, broadloom::DType dtype) {
  return (elements * BitsOfType(dtype) + 7) / 8;
}

// Whether element `i` of `out`, of type `result`, is right.
inline bool IsRight(const Computation& of,
                    const broadloom::OpAttributes& attributes,
                    broadloom::DType result, const uint8_t* const* in,
                    const uint8_t* out, size_t i) {
  using broadloom::Op;
  const std::span<const broadloom::DType> types(of.types, of.operands);
  const size_t bits = BitsOfType(result);
  if (bits < 8) {
    const size_t bytes = BytesOfType(i + 1, result);
    const auto get = [&](const uint8_t* from) {
      return reference::Get(std::span(from, bytes), static_cast<int>(bits), i);
    };
    return get(out) == get(in[in[0][i] != 0 ? 1 : 2]);
  }
  const void* elements[kMostLoopOperands] = {};
  for (size_t k = 0; k < of.operands; ++k) {
    elements[k] = in[k] + BytesOfType(i, of.types[k]);
  }
  const uint8_t* const got = out + BytesOfType(i, result);
  const std::span<const void* const> given(elements, of.operands);
  if (const int most = reference::MostUlps(of.op, result)) {
    const long double exact = reference::ExactResult(of.op, types, given);
    return reference::IsWithinUlps(result, exact, got, most);
  }
  uint8_t expected[16] = {};
  reference::Evaluate(of.op, types, attributes, given, expected);
  if (std::memcmp(expected, got, bits / 8) == 0) return true;
  if (of.op == Op::kWhere) return false;
  // Any NaN is as good as another.
  if (reference::IsNaN(result, expected)) return reference::IsNaN(result, got);
  // Powers of more than 53 bits are those of f64, within 2 ulps.
  bool near = false;
  if (of.op == Op::kPow && types[1] >= broadloom::DType::kF16) {
    reference::VisitNumber(result, [&]<class T>(T) {
      if constexpr (reference::kIsInteger<T> && sizeof(T) == 8) {
        const auto right =
            static_cast<reference::Wide>(reference::Read<T>(expected));
        const auto is = static_cast<reference::Wide>(reference::Read<T>(got));
        near = (right < is ? is - right : right - is) <=
               (right < 0 ? -right : right) >> 51;
      }
    });
  }
  return near;
}

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_ELEMENTS_H_
