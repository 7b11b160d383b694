// The limits of the engine, each with its reason, and with the measurement
// where it was measured. What belongs to one algorithm stands with it: how runs
// and tiles are cut in internal/schedule.h, how sums are grouped in
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

// Results of so many bytes and more are written with streaming stores when
// nothing else is asked for. Below it, writing a result and then reading it is
// slower that way. `npm run bench:native -- --stores` measures it. On a machine
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

// --- Repairs ----------------------------------------------------------------

// How many repairs are proposed, and how many of one kind for one operand:
// different kinds help more than many of a kind.
inline constexpr size_t kMostRepairs = 6;
inline constexpr size_t kMostAlikeRepairs = 2;

// The largest PDPD axis that is tried. Each attempt takes time in proportion to
// the rank.
inline constexpr size_t kMostAxisTried = 256;

// Shapes of more axes are not rearranged, since there are too many
// arrangements: 2^8 choices of axes, 5! orders.
inline constexpr size_t kMostRepairAxes = 8;
inline constexpr size_t kMostTransposedAxes = 5;

// Of more operands, only the two that the first error names are rearranged.
inline constexpr size_t kMostRepairOperands = 8;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_LIMITS_H_
