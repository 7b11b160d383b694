// The memory of an operand that the loops of a result read.

#ifndef BROADLOOM_LOOPS_OPERAND_MEMORY_H_
#define BROADLOOM_LOOPS_OPERAND_MEMORY_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"

namespace broadloom {
inline namespace v1 {

// Whether kernels must not read the memory between an operand's elements. In
// WebAssembly they may: all of its memory is readable, and they ignore the
// values that they read there.
#if defined(__wasm__)
inline constexpr bool kMindsGaps = false;
#else
inline constexpr bool kMindsGaps = true;
#endif

// The memory of an operand from its lowest to its highest element that the
// loops read. Elements are counted from the first bit of `data`.
struct OperandMemory {
  const void* data;
  int64_t first;      // the element with which the loops begin
  uint64_t bytes;     // how many may be read from `data` on
  bool gaps = false;  // memory between the elements must not be read

  [[nodiscard]] bool has_gaps() const { return kMindsGaps && gaps; }

  // How many elements of `bits` bits, a power of two, may be read. Not stored,
  // because small results do not need it.
  [[nodiscard]] int64_t Readable(size_t bits) const {
    const uint64_t held = std::min<uint64_t>(bytes, INT64_MAX / 8);
    return static_cast<int64_t>(held * 8 >> std::countr_zero(bits));
  }
};

// The memory of elements [begin, end) of `data`, which have `bits` bits each.
// The loops begin with element `first`.
[[nodiscard]] OperandMemory MemoryBetween(const void* data, int64_t first,
                                          int64_t begin, int64_t end, int bits);

// The memory of operand `operand` of `nest`, whose elements have `bits` bits.
// The loops, which have at least one step, begin with element `first` of
// `data`. The operand has gaps if whole bytes are never read.
[[nodiscard]] OperandMemory MemoryOf(const LoopNest& nest, size_t operand,
                                     const void* data, int64_t first, int bits);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_LOOPS_OPERAND_MEMORY_H_
