// The contract between the drivers, which make rows of tasks, and the loops of
// the operators, which are compiled once for each operator and type and see
// nothing but runs of elements.

#ifndef BROADLOOM_KERNELS_ROWS_ROW_H_
#define BROADLOOM_KERNELS_ROWS_ROW_H_

#include <cstddef>
#include <cstdint>

#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

inline constexpr size_t kMostRowOperands = 3;

// No loop loads more than this at once, whatever the width of the target's
// vectors.
inline constexpr size_t kVectorBytes = Schedule::kVectorBytes;

// An element in memory that begins at any byte.
template <class T>
struct [[gnu::packed, gnu::may_alias]] Unaligned {
  T value;
};

// A run of `count` results. Operand k is either `count` elements side by side
// (step 1), or kVectorBytes of one element over and over (step 0), from which
// the loop loads the same vector each time. One loop thus serves vector-vector,
// vector-scalar and scalar-vector: the second load of a scalar costs less than
// a second and third copy of every operator would.
//
// `out` may be an operand of step 1 and the same width; nothing else overlaps.
struct Row {
  const void* in[kMostRowOperands];
  size_t step[kMostRowOperands];
  void* out;
  size_t count;
};

// An operand that a loop shuffles out of its memory while it computes: vector i
// of a row is the lanes table[i % count] of the vector at
// from + begins[i % count] + i / count * advance, in bytes.
struct Shuffles {
  size_t operand;  // of the row
  const void* from;
  const void* table;  // one element's width for each lane
  const int32_t* begins;
  size_t count;
  int64_t advance;
};

// A loop with what its callers must know: the bytes of one element of each
// operand and of the result, and the least count that it takes.
struct RowLoop {
  void (*run)(const Row& row);
  uint8_t operands;
  uint8_t in_bytes[kMostRowOperands];
  uint8_t out_bytes;
  uint8_t least_count;
  // Whether counts are to be multiples of the least one, a power of two.
  bool takes_blocks = false;
  // The same past the caches, for as many elements, which are aligned in the
  // result; null: there is no such loop, and the result has to be computed
  // beside its place.
  void (*stream)(const Row& row) = nullptr;
  // The same for any count, where this operand is shuffled, whatever the row
  // says of it; null: it has to be expanded.
  void (*shuffle[2])(const Row& row, const Shuffles& shuffles) = {nullptr,
                                                                  nullptr};
};

// out = loop(operands...). `swapped`: the loop's first operand is the
// operator's second, so that a > b is b < a.
struct ElementwiseKernel : Kernel {
  RowLoop loop;
  bool swapped;
};

// out = leave(core(enter[0](a), enter[1](b))): operands go tile by tile into
// another type, in which the operator works. Null: the type stays.
struct ThroughKernel : Kernel {
  const RowLoop* enter[2];
  const RowLoop* core;
  const RowLoop* leave;
};

// out = finish(step(step(enter(a), b), c) ..., number of operands), for any
// number of operands. Null: left out. `step` takes what has been gathered and
// the next operand; `finish` a divisor beside what has been gathered.
struct FoldKernel : Kernel {
  const RowLoop* enter;
  const RowLoop* step;
  const RowLoop* finish;
  uint8_t element_bytes;
  bool divides;  // `finish`: by the number of operands; else it is given 1
};

// Where on elements of 4 bits and 1 bit, by a loop for bytes, and on those of
// 16 bytes, by a loop for 8.
struct ByPartsKernel : Kernel {
  const RowLoop* loop;
  uint8_t element_bits;
};

// A loop of several that an operand goes through, one after the other. Those of
// two operands take the low bytes of `constant` as their second one.
struct RowStep {
  const RowLoop* loop;
  uint64_t constant;
};
inline constexpr size_t kMostSteps = 4;

// out = the operand's elements, which have `element_bits` bits.
struct MoveKernel : Kernel {
  uint8_t element_bits;
};

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_ROW_H_
