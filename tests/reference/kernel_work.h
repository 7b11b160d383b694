// Calls a kernel for a block of rows, with the loops and runs that execution
// would make for it. For tests of kernels only.

#ifndef BROADLOOM_TESTS_REFERENCE_KERNEL_WORK_H_
#define BROADLOOM_TESTS_REFERENCE_KERNEL_WORK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "reference/kernel_cases.h"

namespace reference {

// One operand of a block of rows.
struct BlockOperand {
  // First element of the first row, `first_bit` bits (0 except for types of
  // less than 8 bits) after this byte.
  const void* data;
  uint64_t first_bit;
  // Elements from one row to the next; 0 if all rows are the same.
  int64_t row_stride;
  // False: a row has `columns` consecutive elements. True: a row is one
  // element, repeated.
  bool repeats;
};

// rows x columns of the result, at least 1 each, dense, beginning at `out` and
// `out_first_bit`.
struct Block {
  std::span<const BlockOperand> operands;
  void* out;
  uint64_t out_first_bit;
  size_t rows;
  size_t columns;
  bool streams = false;
};

inline void RunBlock(const KernelCase& c, const Block& block) {
  using namespace broadloom;
  const int64_t extents[] = {static_cast<int64_t>(block.rows),
                             static_cast<int64_t>(block.columns)};
  const auto stride = [&](size_t operand, size_t axis) -> int64_t {
    const BlockOperand& it = block.operands[operand];
    return axis == 0 ? it.row_stride : it.repeats ? 0 : 1;
  };
  Work work;
  std::vector<uint8_t> bits;
  std::vector<OperandMemory> operands;
  for (const DType dtype : c.dtypes) {
    bits.push_back(static_cast<uint8_t>(Info(dtype).bits));
  }
  const int result_bits = Info(c.result).bits;
  if (!work.Reset(extents, stride, bits, static_cast<uint8_t>(result_bits),
                  c.kernel()->UseOfRuns(bits.size()), DefaultAllocator())) {
    return;
  }
  for (size_t k = 0; k < bits.size(); ++k) {
    const BlockOperand& it = block.operands[k];
    const int64_t first = static_cast<int64_t>(it.first_bit) / bits[k];
    operands.push_back(MemoryOf(work.nest, k, it.data, first, bits[k]));
  }
  c.kernel()->run(
      {.work = &work,
       .operands = operands.data(),
       .out = block.out,
       .out_first = static_cast<int64_t>(block.out_first_bit) / result_bits,
       .begin = 0,
       .end = work.schedule.run_count(),
       .past_caches = block.streams});
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_KERNEL_WORK_H_
