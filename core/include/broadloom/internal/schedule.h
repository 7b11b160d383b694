// How the loops of a result are cut into runs. A run is consecutive elements of
// the result that one call of an operator's loop computes. In a run each
// operand has one of these forms:
//
//   direct    its elements are consecutive in its own memory
//   constant  it is one element, repeated
//   tile      anything else: it is expanded into a tile, a buffer in the
//             first-level cache (repeats, periods, strided views)
//
// So has a result that is not dense (LoopNest::has_result): it is direct, or
// computed into a tile, from which its elements are scattered.
//
// One loop is split: a run is some steps of it, with all loops inside. Which
// loop and how many steps is chosen by cost. The unit of cost is the time to
// write one byte to memory, so that the choice depends on no clock:
//
//   each run                                            420
//   a constant, each time that it changes; in rows 0     40
//   a tile, each time that it changes                   200
//   each byte of a tile that is used again after the
//   runs between have read and written 24 KiB; not
//   in WebAssembly                                     0.25
//
// and for vectors of 16, 32 and 64 bytes, and for those of WebAssembly
//
//                                             16    32    64   wasm
//   each run that is a row                    64    40    20     40
//   each call of the operator's loop for
//   rows                                     130   250   100    400
//   the same if the rows have tiles          560   800   800    800
//   each vector of a tile                     10    40    60    9.6
//   the same if the tile serves one run and
//   there are two operands: the operator's
//   loop then shuffles the operand itself      6    28    28    9.6
//
// In loops that take short rows (LoopBytes) a row costs 10 x (1 + stores -
// vectors that its bytes fill): it is stored by whole vectors that overlap, or,
// if it is shorter than a vector, by one or two halves. In WebAssembly it is
// stored by four vectors at a time, of which the next row overwrites what is
// too much, and the factor is 7 instead of 10. There a row of an only operand
// costs 12, if that is direct and has less than kLongRowBytes: its vectors are
// stored wherever they begin.
//
// Rows of two loops are in groups, the rows of the inner one. In WebAssembly
// each group costs 150, beside the call, as it is a call of the loop itself.
//
// The costs were fitted to times of all runs that could be chosen
// (docs/speed-notes.md).
//
// Runs of 64 bytes or more are rows, if the operator's loop takes several, and
// shorter ones if it takes short rows: one call of it computes those of the
// whole loop around the split one, and of the loop around that. Where
// operands have tiles, all tiles of these runs must be kept.
//
// The sum is divided by the elements of a run, on average; the cheapest split
// wins. A result of at most 512 bytes is one run, since choosing would cost
// more. If it also fits a vector, the tile of an operand is one shuffle of its
// elements. Runs with tiles have at most 4 KiB, so that they stay in the
// first-level cache.
//
// A tile is kept as long as its operand stays at the same elements:
// (768,768,3) * (3) expands its three elements once. An operand may advance
// along some loops and repeat along a loop around them: it keeps the tiles of
// all steps of those loops, if 17 KiB are enough for the tiles of all operands
// (8.5 KiB if there are more than 3); if not, shorter runs are tried. A tile
// that would be used for one run only need not be made: an operator's loop can
// shuffle the operand itself.
//
// A kernel that folds many operands takes a block at a time, which it cuts into
// runs once more for each operand. A block has at most 16 KiB, so that it stays
// in the first-level cache; or 256 KiB if its rows are shorter than 64 bytes,
// since every block begins with new tiles.
//
// Runs are in the order of the result, with one exception: if a direct operand
// has more than 16 KiB in one turn of the split loop (all its steps, once) and
// repeats along the loop around it, the two loops are swapped, in runs of 8
// KiB. Not if operands and result have more than 10 MiB: to jump from row to
// row then takes longer than the first-level cache saves. If no operand has a
// tile, kernels may compute several turns at a time instead, each in order.
//
// Example: (524288,3) * (524288,1) has the loops 524288 x 3. If the inner loop
// is split, a run has 3 elements: (420 + 40) / 3 for each element. If the outer
// one is split, 336 steps (341, rounded down to whole vectors) are a run of
// 1008 elements: (420 + 200 + 6 * 252) / 1008 for each element with vectors of
// 16 bytes, which is 72 times less. The first operand is direct, the second a
// tile that is used for one run.

#ifndef BROADLOOM_INTERNAL_SCHEDULE_H_
#define BROADLOOM_INTERNAL_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/config.h"
#include "broadloom/internal/nest.h"
#include "broadloom/memory.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// What a kernel does with the runs of a schedule.
enum class RunUse : uint8_t {
  kOneByOne,  // one call of the operator's loop computes a run
  kRows,      // one call can compute many rows (Schedule::has_rows)
  kBlocks     // a run is a result of its own, with loops and runs of its own
};

// The loops of a kernel, in bytes, as if every element were as wide as the
// widest one.
struct LoopBytes {
  // The shortest row of which one call computes many: 64
  // (Schedule::kVectorBytes), unless the loops take short rows: then it is half
  // a vector, or a vector if rows are only moved. In WebAssembly only loops of
  // two operands take short rows, of a vector or more.
  uint8_t least_row = 64;
  // A vector of the SIMD target: 16, 32 or 64. It decides the costs.
  uint8_t vector = 16;
};

// How a kernel uses runs.
struct KernelRuns {
  // NOLINTNEXTLINE(google-explicit-constructor): most uses name no loops.
  constexpr KernelRuns(RunUse runs, LoopBytes of = {}) : use(runs), loops(of) {}

  RunUse use;
  LoopBytes loops;
};

enum class RunForm : uint8_t { kDirect, kConstant, kTile };

struct OperandRun {
  RunForm form;
  uint8_t tiles;  // how many are kept at the same time; 0 unless kTile
  uint16_t
      serves;  // for how many runs, at least, a tile is used; 0 unless kTile
  friend bool operator==(const OperandRun&, const OperandRun&) = default;
};

class Schedule {
 public:
  // The widest vector of any target.
  static constexpr int64_t kVectorBytes = 64;
  // The largest result that is always one run.
  static constexpr int64_t kSmallBytes = 512;
  // The longest run that has tiles, and the largest tile.
  static constexpr int64_t kTileBytes = 4096;
  // All tiles that are kept in addition to one for each operand. More operands
  // than 3 keep fewer, since all of this memory is on the stack.
  [[nodiscard]] static constexpr int64_t KeptBytes(size_t operands) noexcept {
    return operands > 3 ? 8704 : 17408;
  }
  // The longest run without tiles. It is limited only so that threads can share
  // the runs.
  static constexpr int64_t kRunBytes = 65536;
  // The memory that a tile of `bytes` takes: its last vector may be incomplete.
  [[nodiscard]] static constexpr int64_t WholeVectors(int64_t bytes) noexcept {
    return RoundUp(bytes, kVectorBytes);
  }
  // The most tiles that one operand keeps.
  static constexpr int64_t kMostTiles = 32;
  // The longest block of rows of kVectorBytes or more. Blocks of shorter rows
  // may be longer.
  static constexpr int64_t kNearBlockBytes = 16384;
  // Rows of so many bytes or more are copied by aligned vectors in WebAssembly.
  static constexpr int64_t kLongRowBytes = 256;
  // The most loops of a block: so many strides of 4 operands take no memory.
  static constexpr size_t kMostBlockLoops = kInlineRank;

  Schedule() noexcept = default;

  // Cuts `nest`, whose operands and result have elements of `operand_bits` and
  // `result_bits` bits. Returns false if memory cannot be allocated; for up to
  // 4 operands and a result none is. Complexity: loops times operands.
  [[nodiscard]] bool Reset(const LoopNest& nest,
                           std::span<const uint8_t> operand_bits,
                           uint8_t result_bits, KernelRuns runs,
                           const Allocator& allocator) noexcept;

  // The split loop; 0 if there are no loops.
  [[nodiscard]] size_t split() const noexcept { return split_; }
  // Elements of one step of the split loop.
  [[nodiscard]] int64_t step_elements() const noexcept { return step_; }
  // Steps of a run; the last run of a turn of the split loop may have fewer.
  [[nodiscard]] int64_t run_steps() const noexcept { return run_steps_; }
  // Steps of the split loop.
  [[nodiscard]] int64_t split_extent() const noexcept { return extent_; }
  // Runs in one turn of the split loop, and in the whole result.
  [[nodiscard]] int64_t runs_a_turn() const noexcept { return turn_; }
  [[nodiscard]] int64_t run_count() const noexcept { return runs_; }
  // Whether the split loop and the one around it are swapped: each run is
  // computed for all steps of the loop around before the next run, so that an
  // operand that repeats along that loop is still in the cache.
  [[nodiscard]] bool swaps_outer_loop() const noexcept {
    return swaps_outer_loop_;
  }
  // Whether several turns of the split loop are best computed at a time, in
  // short parts: a long operand repeats along the loop around it, and none has
  // a tile.
  [[nodiscard]] bool interleaves_rows() const noexcept {
    return interleaves_rows_;
  }
  // Whether the whole result is one run because it is small.
  [[nodiscard]] bool is_small() const noexcept { return is_small_; }
  // Whether the runs are rows, which an operator's loop can compute one after
  // the other: each is a whole turn of the split loop, and no operand has a
  // tile. The loop around the split one is the loop of rows.
  [[nodiscard]] bool has_rows() const noexcept { return has_rows_; }
  [[nodiscard]] const OperandRun& operand(size_t operand) const noexcept {
    return operands_[operand];
  }
  // Whether a vector of `bytes` bytes has room for the elements of the result,
  // and for as many elements of each operand.
  [[nodiscard]] bool FitsVector(size_t bytes) const noexcept {
    return vector_bytes_ <= bytes;
  }
  // For an operand with a tile, if the result fits the widest vector: element i
  // of the tile is element shuffle[i] of the operand. The last of these indices
  // is the highest; those after it, up to kVectorBytes, are 0. Null if an
  // operand is spread over more elements than the result has, as strided views
  // may be, and if there are more operands than fit without allocation.
  [[nodiscard]] const uint8_t* shuffle(size_t operand) const noexcept {
    return operand < shuffles_.size() ? shuffles_[operand].source : nullptr;
  }

 private:
  template <class File>
  friend class Scheduler;

  struct Shuffle {
    uint8_t source[kVectorBytes];
  };
  static constexpr size_t kFitsNone = static_cast<size_t>(-1);

  // Makes the whole result one run; if `shuffles`, also the operands' shuffles.
  // Returns whether there are shuffles.
  bool TakeWhole(const LoopNest& nest, int64_t elements,
                 bool shuffles) noexcept;
  // Returns false if the operand is spread over too many elements.
  bool MakeShuffle(const LoopNest& nest, size_t operand,
                   int64_t elements) noexcept;

  size_t split_ = 0;
  int64_t step_ = 1;
  int64_t run_steps_ = 1;
  int64_t extent_ = 1;
  int64_t turn_ = 1;
  int64_t runs_ = 1;
  size_t vector_bytes_ = kFitsNone;
  bool swaps_outer_loop_ = false;
  bool interleaves_rows_ = false;
  bool has_rows_ = false;
  bool is_small_ = false;
  InlineArray<OperandRun, kInlineOperands + 1> operands_;
  InlineArray<Shuffle, kInlineOperands> shuffles_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_INTERNAL_SCHEDULE_H_
