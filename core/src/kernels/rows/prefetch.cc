#include "kernels/rows/prefetch.h"

#include <cstddef>

#include "kernels/rows/prefetch_choice.h"

namespace broadloom::internal {

// Until the library's static objects are initialised the distance is 0, which
// changes only times.
#if HWY_ARCH_X86
const ptrdiff_t prefetch_distance =
    GainsFromPrefetches() ? kPrefetchAhead : kPrefetchBehind;
#else
const ptrdiff_t prefetch_distance = kPrefetchAhead;
#endif

}  // namespace broadloom::internal
