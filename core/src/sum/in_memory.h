// Adds up an input that lies in memory, shared among threads.

#ifndef BROADLOOM_SUM_IN_MEMORY_H_
#define BROADLOOM_SUM_IN_MEMORY_H_

#include "broadloom/internal/sum_order.h"
#include "broadloom/parallel.h"
#include "kernels/sum/add.h"

namespace broadloom {
inline namespace v1 {

// Writes all sums to `out`. The nest that `order` was made of begins at the
// element `first`. Memory may be read up to `end`; if that is null, only the
// elements of the nest may be read. `kernel` is that of the element type.
void SumInMemory(const SumOrder& order, const kernels::SumKernel& kernel,
                 const void* first, const void* end, void* out,
                 const ParallelFor* parallel) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_IN_MEMORY_H_
