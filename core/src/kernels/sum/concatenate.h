// Concatenates short rows of several groups, so that sums are added in whole
// vectors: the rows of five neighbouring elements that many groups have become
// five long rows, each of one element a group.

#ifndef BROADLOOM_KERNELS_SUM_CONCATENATE_H_
#define BROADLOOM_KERNELS_SUM_CONCATENATE_H_

#include <cstddef>
#include <cstdint>

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Row r of group g has `row_bytes` bytes at in + offsets[g] + r * row_stride.
// Row r of the output, at out + r * out_stride, is the row r of all groups, one
// after the other. All lengths are in bytes.
struct RowsToConcatenate {
  const uint8_t* in;
  // Memory may be read up to here; null: only the rows.
  const uint8_t* end;
  const ptrdiff_t* offsets;
  ptrdiff_t greatest_offset;
  ptrdiff_t offset_stride;  // from each offset to the next; 0 if it varies
  size_t groups;
  size_t row_bytes;
  ptrdiff_t row_stride;
  size_t rows;
  uint8_t* out;
  size_t out_stride;
};

// The output's rows are written in order, and each may be overrun: up to the
// next multiple of so many bytes, and as many again.
inline constexpr size_t kConcatenatedBytes = 64;

using Concatenate = void (*)(const RowsToConcatenate& rows);

// The function for this machine. Valid for ever.
[[nodiscard]] Concatenate FindConcatenate() noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_SUM_CONCATENATE_H_
