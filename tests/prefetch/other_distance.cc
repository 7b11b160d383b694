// In place of the library's own definition (kernels/rows/prefetch.cc): the
// distance of prefetches that it chooses on other processors than this one.
// Loops with prefetches and without them are thus tested on every machine.

#include <cstddef>

#include "kernels/rows/prefetch.h"
#include "kernels/rows/prefetch_choice.h"

namespace broadloom::internal {

const ptrdiff_t prefetch_distance =
    GainsFromPrefetches() ? kPrefetchBehind : kPrefetchAhead;

}  // namespace broadloom::internal
