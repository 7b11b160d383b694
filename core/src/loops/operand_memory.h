// The memory that loops walk of an operand.

#ifndef BROADLOOM_LOOPS_OPERAND_MEMORY_H_
#define BROADLOOM_LOOPS_OPERAND_MEMORY_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"

namespace broadloom {
inline namespace v1 {

// Whether kernels mind what lies between an operand's elements. WebAssembly has
// no pages that must not be read inside a memory, and what is read and not used
// does no harm there.
#if defined(__wasm__)
inline constexpr bool kMindsGaps = false;
#else
inline constexpr bool kMindsGaps = true;
#endif

// An operand's memory: from the first to the last of the elements that the
// loops walk. Elements of less than 8 bits are counted from the first bit of
// `data`.
struct OperandMemory {
  const void* data;
  int64_t first;      // the element with which the loops begin
  uint64_t bytes;     // that may be read
  bool gaps = false;  // but what lies between the elements

  [[nodiscard]] bool has_gaps() const { return kMindsGaps && gaps; }

  // Elements of so many bits, a power of two, that may be read. Counted by
  // those who ask alone: small results never do.
  [[nodiscard]] int64_t Readable(size_t bits) const {
    const uint64_t held = std::min<uint64_t>(bytes, INT64_MAX / 8);
    return static_cast<int64_t>(held * 8 >> std::countr_zero(bits));
  }
};

// The memory of elements [begin, end) behind `data`, of so many bits, of which
// `first` is the one to begin with.
[[nodiscard]] OperandMemory MemoryBetween(const void* data, int64_t first,
                                          int64_t begin, int64_t end, int bits);

// The memory of operand `operand` of `nest`, which begins at element `first`
// behind `data` and has elements of so many bits: from the first to the last
// of the elements that the loops walk, and whether they leave out whole bytes
// between. The loops have at least one step.
[[nodiscard]] OperandMemory MemoryOf(const LoopNest& nest, size_t operand,
                                     const void* data, int64_t first, int bits);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_LOOPS_OPERAND_MEMORY_H_
