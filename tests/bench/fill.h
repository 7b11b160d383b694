// The elements of a case's operands.

#ifndef BROADLOOM_TESTS_BENCH_FILL_H_
#define BROADLOOM_TESTS_BENCH_FILL_H_

#include <cstddef>

#include "broadloom/vocabulary.h"
#include "memory.h"

namespace bench {

// Random values of operand number `operand` that make no operator slow, the
// same each time.
void Fill(const Memory& memory, broadloom::Op op, broadloom::DType dtype,
          size_t operand);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_FILL_H_
