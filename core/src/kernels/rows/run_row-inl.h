// Runs a loop on a row, also one that is shorter than the loop takes or, for
// loops of whole vectors, one that ends within a vector.

#if defined(BROADLOOM_KERNELS_ROWS_RUN_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_RUN_ROW_INL_H_
#undef BROADLOOM_KERNELS_ROWS_RUN_ROW_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_RUN_ROW_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// For a row that is shorter than the loop takes: pads it.
HWY_NOINLINE inline void RunPadded(const RowLoop& loop, const Row& row) {
  alignas(kVectorBytes) uint8_t pad[kMostLoopOperands][kVectorBytes];
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  Row padded = row;
  for (size_t k = 0; k < loop.operands; ++k) {
    if (row.step[k] == 0) continue;
    std::memset(pad[k], 0, kVectorBytes);
    std::memcpy(pad[k], row.in[k], row.count * loop.in_bytes[k]);
    padded.in[k] = pad[k];
  }
  padded.out = result;
  padded.count = loop.least_count;
  loop.run(padded);
  std::memcpy(row.out, result, row.count * loop.out_bytes);
}

// For a loop of whole vectors and a row that is not: the last elements are
// computed by a call of their own, of the least count that the loop takes,
// which overlaps the rest of the row. In place, the rest would overwrite the
// operands of the last elements: so those are computed first, to a buffer, and
// copied last.
HWY_NOINLINE inline void RunWholeVectors(const RowLoop& loop, const Row& row) {
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  const size_t least = loop.least_count;
  const size_t begin = row.count - least;
  auto* const end = static_cast<uint8_t*>(row.out) + begin * loop.out_bytes;
  bool in_place = false;
  Row whole;
  Row last;
  for (size_t k = 0; k < loop.operands; ++k) {
    whole.in[k] = row.in[k];
    whole.step[k] = last.step[k] = row.step[k];
    last.in[k] = static_cast<const uint8_t*>(row.in[k]) +
                 begin * row.step[k] * loop.in_bytes[k];
    in_place = in_place || row.in[k] == row.out;
  }
  whole.has_splats = last.has_splats = row.has_splats;
  whole.out = row.out;
  whole.count = row.count & ~(least - 1);
  last.out = in_place ? result : end;
  last.count = least;
  if (in_place) loop.run(last);
  loop.run(whole);
  if (in_place) {
    Copy(result, least * loop.out_bytes, end);
  } else {
    loop.run(last);
  }
}

// Runs `loop` on a row of any length from 1 on.
HWY_INLINE void RunRow(const RowLoop& loop, const Row& row) {
  if (HWY_UNLIKELY(row.count < loop.least_count)) {
    RunPadded(loop, row);
  } else if (kLoopsTakeWholeVectors && loop.takes_whole_vectors &&
             (row.count & (size_t{loop.least_count} - 1)) != 0) {
    RunWholeVectors(loop, row);
  } else {
    loop.run(row);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_RUN_ROW_INL_H_
