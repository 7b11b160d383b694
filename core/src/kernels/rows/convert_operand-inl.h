// Converts an operand of a row to another type.

#if defined(BROADLOOM_KERNELS_ROWS_CONVERT_OPERAND_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CONVERT_OPERAND_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CONVERT_OPERAND_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CONVERT_OPERAND_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/source-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Operand `k` of the row after the conversion, in `tile`.
HWY_INLINE RowOperand ConvertOperand(const RowLoop& convert, const Row& row,
                                     size_t k, uint8_t* tile) {
  if (row.step[k] == 0) {
    uint8_t element[kVectorBytes];
    RunRow(convert, {{row.in[k]}, {0}, element, 1});
    Splat(element, convert.out_bytes, tile);
    return {tile, 0};
  }
  RunRow(convert, {{row.in[k]}, {1}, tile, row.count});
  return {tile, 1};
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_OPERAND_INL_H_
