// Sums to an operand's shape, compared with loops that only read the input, and
// that read it and write the sums.

#ifndef BROADLOOM_TESTS_BENCH_SUMS_H_
#define BROADLOOM_TESTS_BENCH_SUMS_H_

#include <string>

#include "fields.h"

namespace bench {

// sum dtype=f32 from=[N,5] to=[N,1] rounds=R -> times of the sum ("work"), of
// reading the input ("read"), and of also writing the sums ("limit"). Checks
// the sums first: {"wrong":"element 7"}, which spoil=N causes.
std::string MeasureSum(const Fields& fields);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_SUMS_H_
