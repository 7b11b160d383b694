// Sums along some loops of a nest: how the sums are cut into pieces of work,
// which is a function of loops and type alone, and the walk through them.

#ifndef BROADLOOM_SUMMATION_H_
#define BROADLOOM_SUMMATION_H_

#include <cstdint>

#include "broadloom/nest.h"
#include "broadloom/parallel.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

[[nodiscard]] bool CanBeSummed(DType dtype) noexcept;

// Operand 0 of `nest` is what is summed; operand 1, with dense strides or 0,
// are the sums, so that loops of stride 0 are those that are summed. At least
// one is, and none is empty. `first` is the element with which the loops begin;
// memory may be read up to `end`.
void Sum(const LoopNest& nest, DType dtype, const void* first, const void* end,
         void* sums, const ParallelFor* parallel) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUMMATION_H_
