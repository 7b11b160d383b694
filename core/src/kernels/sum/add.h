// Kernels that add elements to accumulators, fold accumulators and write sums.
// They know rows of elements and of accumulators, not shapes. Their callers
// decide what is added to what: a kernel never changes the order of additions,
// so that every SIMD target gives the same bits.

#ifndef BROADLOOM_KERNELS_SUM_ADD_H_
#define BROADLOOM_KERNELS_SUM_ADD_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Accumulators, side by side. Integers are summed in their own type, floats in
// f64. For f64 elements, `low` has the sum of the rounding errors of `high`; it
// is null for all other types. Kernels may read up to kSlackBytes behind the
// last accumulator, and write back what they read.
struct Accumulators {
  unsigned char* high;
  unsigned char* low;
};

inline constexpr size_t kSlackBytes = 256;

// Rows of the input that are added, one after the other, to one row of
// accumulators. Lengths are in elements.
struct RowsToAdd {
  const void* in;
  // Memory may be read up to here; null: only the elements of the rows.
  const void* end;
  size_t rows;
  ptrdiff_t row_stride;
  size_t width;  // of a row
  bool begins;   // the accumulators are taken to be empty
};

struct SumKernel {
  size_t element_bytes;
  size_t sum_bytes;  // of an accumulator, without its low part
  bool has_low;

  // Empty accumulators are -0 for floats, so that a sum of -0 alone is -0.
  void (*add_rows)(Accumulators sums, const RowsToAdd& rows);
  // Adds `count` accumulators at `from` to those at `sums`. They may adjoin.
  void (*merge)(Accumulators sums, Accumulators from, size_t count);
  // Adds each second one of 2 * count accumulators to the one before it, and
  // puts the `count` sums side by side.
  void (*merge_pairs)(Accumulators sums, size_t count);
  // Adds up each `terms` neighbouring rows of `width` accumulators, and puts
  // the rows of sums, `count` of them, side by side.
  void (*fold)(Accumulators sums, size_t count, size_t terms, size_t width);
  // Rounds `count` accumulators to elements of the output.
  void (*store)(Accumulators sums, void* out, size_t count);

  [[nodiscard]] Accumulators At(Accumulators sums, size_t index) const {
    return {sums.high + index * sum_bytes, sums.low + index * sum_bytes};
  }
};

// The kernel for elements of a type, or null if the type is not summed. For a
// complex type it is the kernel of its parts. Valid for ever.
[[nodiscard]] const SumKernel* FindSumKernel(DType dtype) noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_SUM_ADD_H_
