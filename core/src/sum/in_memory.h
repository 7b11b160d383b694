// Adds up an input that lies in memory, shared among threads.

#ifndef BROADLOOM_SUM_IN_MEMORY_H_
#define BROADLOOM_SUM_IN_MEMORY_H_

#include "broadloom/internal/nest.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/parallel.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/add.h"
#include "loops/operand_memory.h"

namespace broadloom {
inline namespace v1 {

// Writes all sums to `out`. The nest that `order` was made of begins at the
// element `first`. Memory may be read up to `end`; if that is null, only the
// elements of the nest may be read. `kernel` is that of the element type.
void SumInMemory(const SumOrder& order, const kernels::SumKernel& kernel,
                 const void* first, const void* end, void* out,
                 const ParallelFor* parallel) noexcept;

// The same without rounding: writes the accumulators of all sums to `out`, of
// any alignment.
void SumInMemoryUnrounded(const SumOrder& order,
                          const kernels::SumKernel& kernel, const void* first,
                          const void* end, kernels::Accumulators out,
                          const ParallelFor* parallel) noexcept;

// Where the elements of a sum's input lie.
struct SumInputMemory {
  const void* first;  // with which the nest begins
  const void* end;    // as SumInMemory takes it
};

// The memory of `input`, whose loops are `nest`.
[[nodiscard]] inline SumInputMemory MemoryOfInput(const LoopNest& nest,
                                                  const TensorView& input) {
  const int bits = BitsOf(input.dtype);
  const OperandMemory memory =
      MemoryOf(nest, 0, input.data, input.offset, bits);
  const auto* const data = static_cast<const unsigned char*>(memory.data);
  return {data + memory.first * (bits / 8),
          memory.has_gaps() ? nullptr : data + memory.bytes};
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_IN_MEMORY_H_
