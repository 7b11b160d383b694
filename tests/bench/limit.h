// The limit with which work is compared: a loop that only reads every byte of
// the inputs once and writes every byte of the result once, with the target's
// widest vectors and the store policy of the work.

#ifndef BROADLOOM_TESTS_BENCH_LIMIT_H_
#define BROADLOOM_TESTS_BENCH_LIMIT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory.h"

namespace bench {

// How lines are written: as they come, after a prefetch, which is faster on
// some processors and slower on others, or past the caches.
enum class Writes { kPlain, kPrefetched, kStreaming };

// Reads `inputs` and writes `output`, both divided into `parts` slices, of
// which only number `part` is processed.
void MoveStreams(std::span<const Memory> inputs, const Memory& output,
                 Writes writes, size_t part, size_t parts);

// Only reads. The returned value depends on every byte.
uint64_t ReadStream(const Memory& input);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_LIMIT_H_
