// Which writes to the caches are faster on this machine, for a result and its
// operands.

#ifndef BROADLOOM_TESTS_BENCH_FASTER_WRITES_H_
#define BROADLOOM_TESTS_BENCH_FASTER_WRITES_H_

#include <span>

#include "limit.h"
#include "memory.h"

namespace bench {

// Measures plain and prefetched writes in turn, on one thread. Overwrites
// `output`.
Writes FasterWrites(std::span<const Memory> inputs, const Memory& output);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_FASTER_WRITES_H_
