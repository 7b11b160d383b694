// In place of the library's own definition (kernels/rows/prefetch.cc): the
// distance of prefetches that it chooses on other processors than this one.
// Loops with prefetches and without them are thus tested on every machine.

#include <cstddef>

#include "hwy/targets.h"
#include "kernels/rows/prefetch.h"

namespace broadloom::internal {

const ptrdiff_t prefetch_distance =
    (hwy::SupportedTargets() & HWY_AVX3_ZEN4) != 0 ? 1024 : -64;

}  // namespace broadloom::internal
