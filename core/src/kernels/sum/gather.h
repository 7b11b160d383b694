// Puts pieces of memory that lie apart side by side, so that sums run along
// whole vectors: five neighbours of each of many rows become five rows.

#ifndef BROADLOOM_KERNELS_SUM_GATHER_H_
#define BROADLOOM_KERNELS_SUM_GATHER_H_

#include <cstddef>
#include <cstdint>

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Row r of what is made has, side by side, the pieces that begin at
// in + offsets[i] + r * row_step. All in bytes.
struct PiecesToGather {
  const uint8_t* in;
  const uint8_t* end;  // memory can be read up to here; null: pieces alone
  const ptrdiff_t* offsets;
  ptrdiff_t furthest;    // no offset is greater
  ptrdiff_t piece_step;  // from each offset to the next; 0 if it differs
  size_t pieces;
  size_t piece_bytes;
  ptrdiff_t row_step;
  size_t rows;
  uint8_t* out;
  size_t out_step;  // from one row to the next
};

// A row that is made may become longer than its pieces: to a multiple of so
// many bytes and as many again, where anything may be. Rows are made in order.
inline constexpr size_t kGatheredBytes = 64;

using Gather = void (*)(const PiecesToGather& pieces);

// Valid for ever.
[[nodiscard]] Gather FindGather() noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_SUM_GATHER_H_
