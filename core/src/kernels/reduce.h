// What SumTo and its kernels agree on. A kernel knows runs of elements and
// accumulators, not shapes. Where it adds what to is all the caller's: a kernel
// never changes the order of summation, so that every SIMD target gives the
// same bits.

#ifndef BROADLOOM_KERNELS_REDUCE_H_
#define BROADLOOM_KERNELS_REDUCE_H_

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

// Adds to each of `blocks` rows of accumulators the `rows` rows of the input
// that belong to it, in order. All strides in elements. The memory of the input
// can be read up to `end`.
struct RowsToAdd {
  const void* in;
  const void* end;
  size_t blocks;
  size_t block_stride;  // in the input
  size_t sum_stride;    // in the accumulators
  size_t rows;
  size_t row_stride;
  size_t width;  // of a row
  // Whether sum_stride leaves room for whole vectors, of which the lanes beyond
  // the width may become anything.
  bool padded;
};

// What sums have to be apart, in bytes, to be padded: a multiple of this.
inline constexpr size_t kPaddedBytes = 64;

struct SumKernel {
  size_t in_bytes;   // of an element
  size_t sum_bytes;  // of an accumulator
  bool has_low;

  // Makes `count` accumulators empty: adding to them changes no sign of 0.
  void (*clear)(Accumulators sums, size_t count);
  void (*add_rows)(Accumulators sums, const RowsToAdd& rows);
  // Adds to each of `blocks` rows of `sum_stride` accumulators `terms`
  // neighbouring elements, one to each; sum_stride is a multiple of 8 and no
  // less than `terms`. The memory of the input can be read up to `end`.
  void (*add_short)(Accumulators sums, const void* in, const void* end,
                    size_t blocks, size_t terms, size_t sum_stride);
  // Adds to each of `count` accumulators three neighbouring elements.
  void (*add_triples)(Accumulators sums, const void* in, size_t count);
  // Adds `count` accumulators to others, which may lie beside them.
  void (*merge)(Accumulators sums, Accumulators from, size_t count);
  // Halves the number of accumulators, from 2 * count: each becomes the sum of
  // two neighbours.
  void (*merge_pairs)(Accumulators sums, size_t count);
  // `groups` of `terms` rows of `width` accumulators: each group becomes one
  // row, the sum of its rows. The rows that are left lie side by side.
  void (*fold)(Accumulators sums, size_t groups, size_t terms, size_t width);
  // Takes the padding out from between `blocks` rows of `width` accumulators.
  void (*compact)(Accumulators sums, size_t blocks, size_t sum_stride,
                  size_t width);
  // The elements that the accumulators stand for.
  void (*store)(Accumulators sums, void* out, size_t count);
};

// The kernel for elements of that type (real ones: complex numbers are pairs),
// or null when it is not summed. Valid for ever.
[[nodiscard]] const SumKernel* FindSumKernel(DType dtype) noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_REDUCE_H_
