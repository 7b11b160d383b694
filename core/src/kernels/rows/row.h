// Rows, and the loops and kernels that compute them. The drivers (the .cc files
// of this folder) make rows of a task; the loops of the operators compute one
// row at a time. There is one loop for each operator and element type, compiled
// once for each SIMD target; it knows nothing of broadcasting.

#ifndef BROADLOOM_KERNELS_ROWS_ROW_H_
#define BROADLOOM_KERNELS_ROWS_ROW_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/rows/run_odometer.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// The most operands of an operator's loop.
inline constexpr size_t kMostLoopOperands = 3;

// No loop loads more than this at once, however wide the target's vectors are.
inline constexpr size_t kVectorBytes = Schedule::kVectorBytes;

// Whether most loops take rows of whole vectors only (takes_whole_vectors), so
// that the drivers have to compute the end of a row: such a loop is half the
// code, and WebAssembly loads all code before it runs any.
#if defined(__wasm__)
inline constexpr bool kLoopsTakeWholeVectors = true;
#else
inline constexpr bool kLoopsTakeWholeVectors = false;
#endif
// Loops that move (RowLoop::moves) take rows of so many bytes or more of any
// count, and store most of their vectors aligned.
inline constexpr size_t kLongRowBytes = Schedule::kLongRowBytes;
// Whether there are loops that shuffle an operand themselves: two more for each
// operator and type.
inline constexpr bool kLoopsShuffle = !kLoopsTakeWholeVectors;
// Whether all loops take several rows of any count, in groups, by one call. In
// WebAssembly only loops of whole vectors do, without groups.
inline constexpr bool kLoopsTakeRows = !kLoopsTakeWholeVectors;
// Whether any number of operands is folded in registers. In WebAssembly three
// are: a loop for more would take too much of the module.
inline constexpr bool kFoldsInRegisters = !kLoopsTakeWholeVectors;
// The most operands of a row: so many are folded row by row, however they
// repeat. More would take too much of the stack.
inline constexpr size_t kMostRowOperands =
    kFoldsInRegisters ? kMostLoopOperands + 1 : kMostLoopOperands;

// An element in memory that need not be aligned.
template <class T>
struct [[gnu::packed, gnu::may_alias]] Unaligned {
  T value;
};

// An element of 16 bytes.
struct Pair {
  uint64_t halves[2];
};

// The loops around rows of two loops, from the one around the groups on,
// innermost first.
struct OuterLoops {
  static constexpr size_t kMost = RunOdometer::kMostLevels;

  size_t count;
  size_t extents[kMost];
  size_t index[kMost];  // of the row; what computes the rows advances it
  // steps[i][k]: of operand k, in bytes, from the last row of loop i to the
  // first row of the next step of the loop around it.
  ptrdiff_t steps[kMost][kMostRowOperands];
};

// `count` consecutive results. Operand k has either `count` consecutive
// elements (step 1) or a splat, kVectorBytes filled with one element (step 0),
// from which the loop loads the same vector each time. One loop thus serves
// vector-vector, vector-scalar and scalar-vector: loading a splat again costs
// less than a second and a third copy of every operator would. Short operators
// have these copies in WebAssembly, for many rows (RowLoop::takes_constants).
//
// `out` may be an operand that has step 1 and elements of the same width.
// Nothing else overlaps.
//
// Several rows of the same form follow each other at equal distances, in bytes,
// from one beginning to the next (for loops of whole vectors: see
// RowLoop::run). After each group of rows an operand may be at another
// distance: rows of two loops, one around the other, are computed by one call.
// RowLoop::rows takes rows of more loops. The results of a row may be operands
// of the same row only.
template <size_t kMostOperands>
struct RowOf {
  const void* in[kMostOperands];
  size_t step[kMostOperands];
  void* out;
  size_t count;
  size_t rows = 1;
  ptrdiff_t row_step[kMostOperands] = {};
  ptrdiff_t out_step = 0;
  size_t group_rows = SIZE_MAX;
  // From the last row of a group to the first one of the next group, unless an
  // outer loop advances there.
  ptrdiff_t group_step[kMostOperands] = {};
  // From where the result would be if the next group followed like a row to
  // where it is.
  ptrdiff_t group_out_skip = 0;
  OuterLoops* outer = nullptr;  // null: there are none
  // Whether operands of step 0 have splats, kVectorBytes each. If not, they
  // have one element.
  bool has_splats = true;
  // How many rows of as many elements are computed after these ones, directly
  // behind them in the result: they overwrite what was written there before.
  size_t rows_after = 0;
};
using Row = RowOf<kMostRowOperands>;

// An operand that a loop shuffles while it computes, instead of reading it from
// a tile: vector i of the row has the lanes table[i % count] of the vector at
// from + begins[i % count] + i / count * advance. Offsets are in bytes.
struct Shuffles {
  size_t operand;  // of the row
  const void* from;
  const void* table;  // for each lane an index as wide as an element
  const int32_t* begins;
  size_t count;
  int64_t advance;
  // Whether all lanes of each vector come from 16 bytes, and the table has the
  // indices of bytes (kBlocksAreFast).
  bool blocks;
};

// A loop, and what its callers must know of it.
struct RowLoop {
  // Takes several rows if the loop is that of a kernel that does
  // (Kernel::row_operands). A loop of whole vectors does: its rows are in one
  // group, and their distances are those from where the operand's elements in a
  // row end to where they begin in the next one.
  void (*run)(const Row& row);
  uint8_t operands;
  uint8_t in_bytes[kMostLoopOperands];  // of an element
  uint8_t out_bytes;                    // of an element
  uint8_t least_count;                  // the shortest row that `run` takes
  // Whether `run` takes multiples of least_count only, which is a power of 2.
  bool takes_whole_vectors = false;
  // Whether such a loop reads one element of operands of step 0, not a splat,
  // and takes rows of any count: of kLongRowBytes or more, or of kVectorBytes
  // or more if the operand's step is 0.
  bool moves = false;
  // Whether such a loop takes an operand of step 0 without a splat, if the
  // other operand has step 1. Such loops have two operands.
  bool takes_constants = false;
#if defined(__wasm__)
  // None of the loops below. As constants they take no room in the module.
  static constexpr void (*rows)(const Row& row) = nullptr;
  static constexpr uint8_t least_row_count = 0;
  static constexpr void (*stream)(const Row& row) = nullptr;
  static constexpr void (*shuffle[2])(const Row& row,
                                      const Shuffles& shuffles) = {nullptr,
                                                                   nullptr};
#else
  // For several rows, also of more than two loops. Null: `run` is as fast.
  void (*rows)(const Row& row) = nullptr;
  // The shortest rows that `rows` takes.
  uint8_t least_row_count = 0;
  // The same with streaming stores. `out` must be aligned to its elements.
  // Null: there is no such loop, and the driver computes into a buffer first.
  void (*stream)(const Row& row) = nullptr;
  // shuffle[k]: the same for a row of any count whose operand k is given by
  // `shuffles`; the row's in[k] and step[k] are not read. Null: there is no
  // such loop, and the operand has to be expanded.
  void (*shuffle[2])(const Row& row, const Shuffles& shuffles) = {nullptr,
                                                                  nullptr};
#endif
};

// Whether `rows` takes shorter rows than `run`.
constexpr bool TakesShortRows(const RowLoop& loop) {
  return loop.rows != nullptr && loop.least_row_count < loop.least_count;
}

// The bytes of the widest element of an operand or the result.
constexpr uint8_t WidestBytes(const RowLoop& loop) {
  uint8_t widest = loop.out_bytes;
  for (const uint8_t bytes : loop.in_bytes) widest = std::max(widest, bytes);
  return widest;
}

// A loop that takes constants (RowLoop::takes_constants) takes rows of so many
// bytes or more, a vector of WebAssembly.
inline constexpr uint8_t kLeastConstantRowBytes = 16;

// As LoopBytes has it.
constexpr uint8_t LeastRowBytes(const RowLoop& loop) {
  if (loop.takes_constants) return kLeastConstantRowBytes;
  if (!TakesShortRows(loop)) return kVectorBytes;
  return static_cast<uint8_t>(
      std::min<size_t>(loop.least_row_count * WidestBytes(loop), kVectorBytes));
}

// out = loop(operands...). `swapped`: the loop's first operand is the second
// one of the operator: a > b is computed as b < a.
struct ElementwiseKernel : Kernel {
  RowLoop loop;
  bool swapped;
};

// out = convert_out(loop(convert_in[0](a), convert_in[1](b))): the operator
// computes in another type than that of its operands, tile by tile. Null:
// nothing is converted.
struct ConvertingKernel : Kernel {
  const RowLoop* convert_in[2];
  const RowLoop* loop;
  const RowLoop* convert_out;
};

// The part of a fold that all kernels have. Of few operands it takes many rows
// by one call, of more it takes blocks. `of_three`: it has
// FoldKernel::of_three.
constexpr Kernel FoldOf(void (*run)(const Kernel& self, const Task& task),
                        LoopBytes loop_bytes, bool of_three) {
  constexpr uint8_t kMost = kMostRowOperands;
  const uint8_t most = kFoldsInRegisters || of_three ? kMost : 2;
  return {run, most, loop_bytes, size_t{most} + 1};
}

// The most operands that are folded in registers.
inline constexpr size_t kMostFused = 8;

// Rows of `operands` operands, without outer loops: operands of step 0 have one
// element, and the results follow each other.
struct FoldRow : RowOf<kMostFused> {
  size_t operands;
};

// The same rows with places for other numbers of operands. All places are
// copied, not only those of the operands: for a constant number the compiler
// needs no call of memmove.
template <size_t kTo, size_t kFrom>
RowOf<kTo> WithPlaces(const RowOf<kFrom>& row) {
  constexpr size_t kPlaces = std::min(kTo, kFrom);
  RowOf<kTo> to;
  std::copy_n(row.in, kPlaces, to.in);
  std::copy_n(row.step, kPlaces, to.step);
  to.out = row.out;
  to.count = row.count;
  to.rows = row.rows;
  std::copy_n(row.row_step, kPlaces, to.row_step);
  to.out_step = row.out_step;
  to.group_rows = row.group_rows;
  std::copy_n(row.group_step, kPlaces, to.group_step);
  to.group_out_skip = row.group_out_skip;
  to.outer = row.outer;
  to.has_splats = row.has_splats;
  return to;
}

// out = finish(combine(combine(convert(a), b), c) ..., divisor), for any number
// of operands. `convert` and `finish` may be null: then they are left out.
// `combine` takes what has been accumulated and the next operand, `combine_two`
// the next two; `finish` takes what has been accumulated and a divisor;
// `of_three` computes the result of three operands. Null: there is no such
// loop.
struct FoldKernel : Kernel {
  const RowLoop* convert;
  const RowLoop* combine;
  void (*combine_two)(const Row& row);
  void (*of_three)(const Row& row);
  const RowLoop* finish;
  uint8_t element_bytes;
  bool divides;  // the divisor is the number of operands; if not, it is 1
  // The same for rows of at least kVectorBytes, in registers; of at most
  // kMostRowOperands operands also for rows of loop_bytes.least_row. Null:
  // there is no such loop.
  void (*fused)(const FoldRow& row) = nullptr;
};

// One of several loops that an operand goes through, one after the other. A
// loop of two operands takes the low bytes of `constant` as its second one.
struct RowStep {
  const RowLoop* loop;
  uint64_t constant;
};
inline constexpr size_t kMostSteps = 4;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_ROW_H_
