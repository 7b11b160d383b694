// What the outer loops and the kernels agree on. Kernels know blocks of rows,
// not shapes; they are compiled once for each SIMD target and chosen at run
// time.

#ifndef BROADLOOM_KERNELS_KERNELS_H_
#define BROADLOOM_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/plan.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// One operand of a block of rows.
struct BlockOperand {
  // First element of the first row, `first_bit` bits (0 but for types of less
  // than 8 bits) after this byte.
  const void* data;
  uint64_t first_bit;
  // Elements from one row to the next; 0 when all rows are the same one.
  int64_t row_stride;
  // False: a row has `columns` elements side by side. True: a row is one
  // element, repeated.
  bool repeats;
};

// rows x columns of the result, dense in memory: row r begins at element
// r * columns, counted from `out` and `out_first_bit`. Neighbouring elements of
// packed types that share a byte with the block keep their value.
struct Block {
  const BlockOperand* operands;
  size_t operand_count;
  void* out;
  uint64_t out_first_bit;
  size_t rows;     // at least 1
  size_t columns;  // at least 1
};

// A kernel computes blocks. It may read an operand that is exactly `out` (in
// place), never one that overlaps it otherwise. What a kernel knows beside its
// function follows it in memory, as in a class derived from this one.
struct Kernel {
  void (*run_block)(const Kernel& self, const Block& block);

  void run(const Block& block) const { run_block(*this, block); }
};

// The kernel for an operator on operands of these types (checked by the
// caller: Accepts says yes and types agree), or null when there is none. The
// pointer is valid for ever. For Pow dtypes[1] is the exponent's type; for
// Where the first is bool and the others agree; for the rest only dtypes[0]
// matters.
[[nodiscard]] const Kernel* FindKernel(Op op, std::span<const DType> dtypes,
                                       const OpAttributes& attributes) noexcept;

// The target that FindKernel chooses from now.
[[nodiscard]] const char* TargetName() noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_KERNELS_H_
