// The limits of the engine, each with its reason, and with the measurement
// where there is one. Limits of a single algorithm are in its own header: how
// runs and tiles are cut in internal/schedule.h, how sums are grouped in
// internal/sum_order.h.

#ifndef BROADLOOM_LIMITS_H_
#define BROADLOOM_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/config.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// --- Memory -----------------------------------------------------------------

// Records of up to so many axes and operands need no allocation. Rank 8 and 4
// operands cover the operators of neural networks, and records of that size are
// small enough for the stack.
inline constexpr size_t kInlineRank = 8;
inline constexpr size_t kInlineOperands = 4;

// --- Stores and threads -----------------------------------------------------

// Results of so many bytes and more are written with streaming stores unless
// the caller asks for others. Smaller results that are read again soon cost
// more that way, as `npm run bench:native -- --stores` measures. On a machine
// with 2 MiB of second-level cache, in ns a byte:
//                            4 MiB   32 MiB   64 MiB
//   copy, cached             0.074            0.127
//   copy, streaming          0.064            0.102
//   copy and read, cached    0.112    0.120   0.188
//   copy and read, streaming 0.144    0.153   0.173
inline constexpr uint64_t kStreamingBytes = uint64_t{64} << 20;

// A thread gets at least so many bytes of the result, or of the widest
// operand's elements. Less than twice as many are computed by the caller's
// thread alone: a thread that sleeps starts after about 25 us (see threads.cc),
// in which one thread moves that much.
inline constexpr uint64_t kLeastBytesAThread = uint64_t{256} << 10;

// Work is cut into so many tasks a thread, so that the other threads take over
// what a delayed thread leaves.
inline constexpr size_t kTasksAThread = 4;

// Threads in a pool. More than any machine has; a larger number is taken for a
// mistake.
inline constexpr size_t kMostThreads = 1024;

// --- Blocks -----------------------------------------------------------------

// Segments begin in a block's memory at multiples of so many bytes: the widest
// vector, and a cache line.
inline constexpr size_t kBlockAlignment = 64;

// An operand is copied once for all blocks, whole, if it takes at most this
// share of the memory, and all such operands together at most the second share:
// more would leave too little room for the blocks.
inline constexpr size_t kKeptBlockShare = 8;     // 1/8
inline constexpr size_t kAllKeptBlockShare = 4;  // 1/4

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_LIMITS_H_
