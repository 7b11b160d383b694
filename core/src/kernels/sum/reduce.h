// What SumTo and its kernels agree on. A kernel knows runs of elements and
// accumulators, not shapes. Where it adds what to is all the caller's: a kernel
// never changes the order of summation, so that every SIMD target gives the
// same bits.

#ifndef BROADLOOM_KERNELS_SUM_REDUCE_H_
#define BROADLOOM_KERNELS_SUM_REDUCE_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Accumulators, side by side. Integers add up in their own type and floats in
// f64; sums of f64 have their lost low parts in `low`, null for all others.
// Kernels may read, and write again what they read, kSlackBytes after the last
// accumulator.
struct Accumulators {
  unsigned char* high;
  unsigned char* low;
};

inline constexpr size_t kSlackBytes = 256;

// Rows of the input that are added to one row of accumulators, in order.
// Counted in elements.
struct RowsToAdd {
  const void* in;
  const void* end;  // memory can be read up to here; null: each row alone
  size_t rows;
  ptrdiff_t row_step;
  size_t width;  // of a row
  bool begins;   // the accumulators are empty, whatever is in them
};

struct SumKernel {
  size_t element_bytes;
  size_t sum_bytes;  // of an accumulator
  bool has_low;

  // An empty accumulator changes no sign of 0.
  void (*add_rows)(Accumulators sums, const RowsToAdd& rows);
  // Adds `count` accumulators to others, which may lie beside them.
  void (*merge)(Accumulators sums, Accumulators from, size_t count);
  // Halves the number of accumulators, from 2 * count: each becomes the sum of
  // two neighbours.
  void (*merge_pairs)(Accumulators sums, size_t count);
  // `groups` of `terms` rows of `width` accumulators: each group becomes one
  // row, the sum of its rows. The rows that are left lie side by side.
  void (*fold)(Accumulators sums, size_t groups, size_t terms, size_t width);
  // The elements that the accumulators stand for.
  void (*store)(Accumulators sums, void* out, size_t count);

  [[nodiscard]] Accumulators At(Accumulators sums, size_t index) const {
    return {sums.high + index * sum_bytes, sums.low + index * sum_bytes};
  }
};

// The kernel for elements of that type, or null when it is not summed; of
// complex numbers, which are pairs, that of their parts. Valid for ever.
[[nodiscard]] const SumKernel* FindSumKernel(DType dtype) noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_SUM_REDUCE_H_
