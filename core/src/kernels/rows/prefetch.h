// How far ahead the lines of a result are prefetched.

#ifndef BROADLOOM_SRC_KERNELS_ROWS_PREFETCH_H_
#define BROADLOOM_SRC_KERNELS_ROWS_PREFETCH_H_

#include <cstddef>

namespace broadloom::internal {

// A cache line of a result is prefetched for writing so many bytes before it is
// written. Without that, Intel's processors first fetch it for reading, and the
// store waits until the core owns the line. On AMD's from Zen 4 on, such
// prefetches take up to 1.5 times as long as none, so there the distance is
// negative: to prefetch a line that has just been written does nothing, and
// costs less than a test of whether to prefetch. Code that is chosen at run
// time anyway prefetches only if the distance is positive.
//
// Hidden, so that a shared library reads it without a table of addresses.
[[gnu::visibility("hidden")]] extern const ptrdiff_t prefetch_distance;

}  // namespace broadloom::internal

#endif  // BROADLOOM_SRC_KERNELS_ROWS_PREFETCH_H_
