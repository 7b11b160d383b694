// How the loops of a result are cut into runs. A run is a stretch of the result
// that an operator's loop computes in one go, from operands that lie before it
// side by side or are one and the same element:
//
//   direct    the operand's elements lie side by side in its own memory
//   constant  one element serves the whole run
//   tile      anything else is expanded into a tile of the first-level cache:
//             repeats, periods, alternations and strided views alike
//
// One loop is split: a run takes some steps of it, with all loops inside. Which
// one, and how many steps, is chosen by cost. The unit is the time in which
// one byte goes to memory, so that nothing here depends on a clock:
//
//   each run                                            420
//   a constant, each time that it changes                40
//   a tile, each time that it changes        200 + 0.6 a byte
//
// divided by the elements of a run; the cheapest split wins. What has at most
// 512 bytes is one run, since choosing would cost more, and where it fits a
// vector a tile is one shuffle of the operand. Runs with tiles have at most
// 4 KiB, which stay in the first-level cache.
//
// A tile is kept while its operand stands still: (768,768,3) * (3) expands its
// three elements once. An operand that walks some loops and comes back to where
// it was, since it repeats along one around them, keeps the tiles of all their
// steps, if 17 KiB are enough for all operands'; shorter runs are tried where
// they are not. A tile that would serve one run alone need not be made: an
// operator's loop can shuffle the operand out of its memory while it computes.
//
// Runs come in the order of the result, with one exception: where a direct
// operand has more than 64 KiB in a turn of the split loop and repeats them
// along the loop around it, that one is walked inside, in runs of 16 KiB.
//
// Worked out: (524288,3) * (524288,1) has the loops 524288 x 3. Split at the
// inner one, runs have 3 elements: (420 + 40) / 3 an element. Split at the
// outer one, 336 steps (341, less what is no whole vector) make a run of 1008
// elements: (420 + 200 + 0.6 * 4032) / 1008, which is 51 times better. The
// first operand is direct, the second one a tile that serves one run.

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

enum class RunForm : uint8_t { kDirect, kConstant, kTile };

struct OperandRun {
  RunForm form;
  uint8_t tiles;    // that are kept at once; 0 where there are none
  uint16_t serves;  // so many runs (or more) a tile; 0 where there are none
  friend bool operator==(const OperandRun&, const OperandRun&) = default;
};

class Schedule {
 public:
  // The widest vector of any target.
  static constexpr int64_t kVectorBytes = 64;
  // Bytes of a result that is one run, of a run with tiles, of the tiles that
  // are kept beside one for each operand, and of a run without tiles (which
  // could be any; threads share the runs).
  static constexpr int64_t kSmallBytes = 512;
  static constexpr int64_t kTileBytes = 4096;
  static constexpr int64_t kKeptBytes = 17408;
  static constexpr int64_t kRunBytes = 65536;
  // Bytes that a tile of so many takes: it may end with less than a vector.
  [[nodiscard]] static constexpr int64_t WholeVectors(int64_t bytes) noexcept {
    return RoundUp(bytes, kVectorBytes);
  }
  // Tiles that one operand keeps.
  static constexpr int64_t kMostTiles = 32;
  // Bytes of a run that is used over and over.
  static constexpr int64_t kNearBytes = 16384;

  Schedule() noexcept = default;

  // Cuts `nest`, whose operands and result have elements of so many bits.
  // False when memory is refused, which up to 4 operands it is never asked for.
  // Complexity: loops times operands.
  [[nodiscard]] bool Reset(const LoopNest& nest,
                           std::span<const uint8_t> operand_bits,
                           uint8_t result_bits,
                           const Allocator& allocator) noexcept;

  // The split loop; 0 when there is none.
  [[nodiscard]] size_t split() const noexcept { return split_; }
  // Elements of one step of the split loop.
  [[nodiscard]] int64_t step_elements() const noexcept { return step_; }
  // Steps of a run; the last one of a turn of the split loop may have fewer.
  [[nodiscard]] int64_t run_steps() const noexcept { return run_steps_; }
  // Steps of the split loop.
  [[nodiscard]] int64_t split_extent() const noexcept { return extent_; }
  // Runs of one turn of the split loop, and of the result.
  [[nodiscard]] int64_t runs_a_turn() const noexcept { return turn_; }
  [[nodiscard]] int64_t run_count() const noexcept { return runs_; }
  // Whether the loop around the split one is walked inside it: each run is
  // computed for all its steps before the next run, so that what an operand
  // repeats along it is still in the cache.
  [[nodiscard]] bool walks_outer_inside() const noexcept { return inside_; }
  [[nodiscard]] const OperandRun& operand(size_t operand) const noexcept {
    return operands_[operand];
  }
  // Whether the elements of the result, and as many of each operand, fit a
  // vector of so many bytes.
  [[nodiscard]] bool FitsVector(size_t bytes) const noexcept {
    return vector_bytes_ <= bytes;
  }
  // Of an operand with a tile, where the result fits the widest vector: element
  // i of the tile is element shuffle[i] of the operand. The last one of them is
  // the highest, and what follows is 0. Null where an operand lies further
  // apart than that, as strided views may, and for more operands than are kept
  // without allocating.
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

  // Makes one run of all, if asked to with shuffles; false when there are none.
  bool TakeWhole(const LoopNest& nest, int64_t elements,
                 bool shuffles) noexcept;
  // False when the operand lies too far apart for it.
  bool MakeShuffle(const LoopNest& nest, size_t operand,
                   int64_t elements) noexcept;

  size_t split_ = 0;
  int64_t step_ = 1;
  int64_t run_steps_ = 1;
  int64_t extent_ = 1;
  int64_t turn_ = 1;
  int64_t runs_ = 1;
  size_t vector_bytes_ = kFitsNone;
  bool inside_ = false;
  InlineArray<OperandRun, kInlineOperands> operands_;
  InlineArray<Shuffle, kInlineOperands> shuffles_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_INTERNAL_SCHEDULE_H_
