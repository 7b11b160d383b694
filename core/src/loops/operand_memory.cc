#include "loops/operand_memory.h"

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {

OperandMemory MemoryBetween(const void* data, int64_t first, int64_t begin,
                            int64_t end, int bits) {
  // Begins at a whole byte.
  if (bits < 8) begin -= begin % (8 / bits);
  const uint64_t skipped = BytesOfElements(begin, bits);
  return {.data = static_cast<const uint8_t*>(data) + skipped,
          .first = first - begin,
          .bytes = BytesOfElements(end, bits) - skipped};
}

OperandMemory MemoryOf(const LoopNest& nest, size_t operand, const void* data,
                       int64_t first, int bits) {
  int64_t lowest = first, highest = first;
  // One bit for each loop in which the operand advances. There are fewer than
  // 64 loops, as each has at least two steps.
  uint64_t left = 0;
  for (size_t loop = 0; loop < nest.loop_count(); ++loop) {
    const int64_t stride = nest.stride(operand, loop);
    (stride < 0 ? lowest : highest) += (nest.extent(loop) - 1) * stride;
    if (stride != 0) left |= uint64_t{1} << loop;
  }
  // Some loops read a dense stretch of memory; a loop whose step is no longer
  // than the stretch extends it. The operand has gaps if some loop extends
  // nothing. Packed elements have no gap within a byte, since the whole byte is
  // read anyway.
  if constexpr (kMindsGaps) {
    const int64_t slack = bits < 8 ? 8 / bits - 1 : 0;
    int64_t dense = 1;
    for (bool longer = true; longer && left != 0;) {
      longer = false;
      for (size_t loop = nest.loop_count(); loop-- > 0;) {
        const int64_t stride = nest.stride(operand, loop);
        const int64_t step = stride < 0 ? -stride : stride;
        if ((left >> loop & 1) == 0 || step > dense + slack) continue;
        dense += (nest.extent(loop) - 1) * step;
        left &= ~(uint64_t{1} << loop);
        longer = true;
      }
    }
  }
  OperandMemory memory = MemoryBetween(data, first, lowest, highest + 1, bits);
  memory.gaps = left != 0;
  return memory;
}

}  // namespace v1
}  // namespace broadloom
