// The arithmetic of an operator as a loop on dense operands: how fast the
// operator could be if all its operands were in the first-level cache and
// nothing were broadcast. The loops are written by hand, share no code with the
// library's kernels, and compute exactly what tests/reference/scalar.h does.

#ifndef BROADLOOM_TESTS_BENCH_ARITHMETIC_LOOP_H_
#define BROADLOOM_TESTS_BENCH_ARITHMETIC_LOOP_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/vocabulary.h"

namespace bench {

// Computes `count` elements of the result, a multiple of kLoopStep. All streams
// are aligned to 64 bytes.
using Loop = void (*)(const uint8_t* const* in, uint8_t* out, size_t count);

inline constexpr size_t kLoopStep = 256;
inline constexpr size_t kMostLoopOperands = 4;

// What a loop computes.
struct Computation {
  broadloom::Op op;
  size_t operands = 0;
  broadloom::DType types[kMostLoopOperands] = {};
  broadloom::DType to = {};  // of Cast
  bool fmod = false;
  bool left = false;  // of BitShift
};

// The loop of each family of operators on the SIMD target in use; null if the
// computation is not of the family.
Loop FindIntegerLoop(const Computation& of);
Loop FindDivisionLoop(const Computation& of);
Loop FindFloatLoop(const Computation& of);
Loop FindHalfLoop(const Computation& of);
Loop FindRemainderLoop(const Computation& of);
Loop FindComparisonLoop(const Computation& of);
Loop FindSelectionLoop(const Computation& of);
Loop FindCastLoop(const Computation& of);
Loop FindIntegerPowerLoop(const Computation& of);
Loop FindPowerLoop(const Computation& of);

// The loop of any operator; null if the operator only moves elements.
Loop FindLoop(const Computation& of);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_ARITHMETIC_LOOP_H_
