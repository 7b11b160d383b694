// Sums of what lies in memory, in the order that SumOrder says, shared out
// among threads.

#ifndef BROADLOOM_SUM_SUMMATION_H_
#define BROADLOOM_SUM_SUMMATION_H_

#include "broadloom/internal/sum_order.h"
#include "broadloom/parallel.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

[[nodiscard]] bool CanBeSummed(DType dtype) noexcept;

// Sums what `order` was made of. `first` is the element with which the nest of
// the input begins; memory may be read up to `end`, if there is one, or else no
// further than each row of elements goes.
void Sum(const SumOrder& order, DType dtype, const void* first, const void* end,
         void* sums, const ParallelFor* parallel) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_SUMMATION_H_
