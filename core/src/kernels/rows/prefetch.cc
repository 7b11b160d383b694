#include "kernels/rows/prefetch.h"

#include <cstddef>

#include "hwy/targets.h"

namespace broadloom::internal {

#if HWY_ARCH_X86
// Highway has this target for AMD's processors only. Until the library's static
// objects are initialised the distance is 0, which changes only times.
const ptrdiff_t prefetch_distance =
    (hwy::SupportedTargets() & HWY_AVX3_ZEN4) != 0 ? -64 : 1024;
#else
const ptrdiff_t prefetch_distance = 1024;
#endif

}  // namespace broadloom::internal
