// What a loop computes, from an operator's types and attributes.

#ifndef BROADLOOM_TESTS_BENCH_LOOPS_COMPUTATION_H_
#define BROADLOOM_TESTS_BENCH_LOOPS_COMPUTATION_H_

#include <optional>
#include <span>

#include "broadloom/plan.h"
#include "broadloom/vocabulary.h"
#include "loops/loop.h"

namespace bench {

// The computation of an operator with these types and attributes. None if there
// is no loop for it: for more operands, or a cast that saturates integers.
std::optional<Computation> ComputationOf(
    broadloom::Op op, std::span<const broadloom::DType> types,
    const broadloom::OpAttributes& attributes);

// The type of its result.
broadloom::DType ResultType(const Computation& of);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_COMPUTATION_H_
