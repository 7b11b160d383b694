// Whether processors gain from prefetches of results.

#ifndef BROADLOOM_SRC_KERNELS_ROWS_PREFETCH_CHOICE_H_
#define BROADLOOM_SRC_KERNELS_ROWS_PREFETCH_CHOICE_H_

#include <cstddef>

#include "hwy/targets.h"

namespace broadloom::internal {

// The values of prefetch_distance.
inline constexpr ptrdiff_t kPrefetchAhead = 1024;
inline constexpr ptrdiff_t kPrefetchBehind = -64;

// Highway has the target AVX3_ZEN4 for AMD's processors only.
inline bool GainsFromPrefetches() {
#if HWY_ARCH_X86
  return (hwy::SupportedTargets() & HWY_AVX3_ZEN4) == 0;
#else
  return true;
#endif
}

}  // namespace broadloom::internal

#endif  // BROADLOOM_SRC_KERNELS_ROWS_PREFETCH_CHOICE_H_
