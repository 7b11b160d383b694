// The limit that work is held against: a loop that does nothing but read every
// byte of the inputs once and write every byte of the result once, with the
// widest vectors of the machine, under the store policy of the work.

#ifndef BROADLOOM_TESTS_BENCH_LIMIT_H_
#define BROADLOOM_TESTS_BENCH_LIMIT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory.h"

namespace bench {

// Reads `inputs` and writes `output`; of `parts` slices of all of them slice
// number `part` alone. `streaming` stores go past the caches.
void MoveStreams(std::span<const Memory> inputs, const Memory& output,
                 bool streaming, size_t part, size_t parts);

// Reads alone. What it returns depends on every byte.
uint64_t ReadStream(const Memory& input);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_LIMIT_H_
