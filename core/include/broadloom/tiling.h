// Cuts the work of a plan into tiles for a small memory. Who has operands and
// result elsewhere, in a file, on a device or in another language's arrays,
// copies the pieces that a tile reads into the memory, runs the tile, and
// copies its piece of the result out. All of it stays in the cache, and the
// memory is as large for a result of a terabyte as for one of a kilobyte.
//
// (1000,1000) + (1000) of f32 in 256 KiB is 32 tiles of 32 rows, the last one
// of 8: pieces of 128,000 bytes of the first operand and of the result, and of
// the second operand all of its 4,000 bytes for every tile, so that they are
// copied once.

#ifndef BROADLOOM_TILING_H_
#define BROADLOOM_TILING_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/internal/config.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// A stretch of a dense operand or result, in bytes. Packed elements that share
// its first or last byte with others come and go with that byte.
struct Piece {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

class Tiling {
 public:
  // Not defaulted, as Plan's is not.
  Tiling() noexcept {}

  // Cuts `plan`, which must outlive the tiling, into tiles whose pieces have
  // room in so many bytes; or a part of it, the cells of the result in `box`,
  // whose result is a dense one of the box's shape (see RunRegion). Errors:
  // kArity when the plan has several results; kExtent when the box is not
  // inside the result (as RunRegion); kLimit when the memory is too small for
  // one element of each (`extent` bytes are needed, `other_extent` were given):
  // 64 bytes an operand and 64 for the result always do, or twice as much with
  // more than 4 operands; kAllocation.
  // Complexity: loops times operands, times the logarithm of a tile's extent.
  // Allocates nothing up to rank 8 and 4 operands. Example:
  //   const Result<Tiling> tiling = Tiling::Make(plan, 256 << 10);
  //   for (int64_t tile = 0; tile < tiling->tile_count(); ++tile) {
  //     for (size_t i = 0; i < plan.operand_count(); ++i) {
  //       const Piece piece = tiling->operand(tile, i);
  //       read(file[i], piece.begin, piece.bytes, memory + tiling->place(i));
  //     }
  //     const Status ran = RunTile(plan, *tiling, tile, {memory, 256 << 10});
  //     assert(ran);
  //     const Piece piece = tiling->result(tile);
  //     write(out, piece.begin, piece.bytes, memory + tiling->result_place());
  //   }
  [[nodiscard]] static Result<Tiling> Make(
      const Plan& plan, size_t memory_bytes,
      const Allocator& allocator = DefaultAllocator()) noexcept;
  [[nodiscard]] static Result<Tiling> Make(
      const Plan& plan, std::span<const IndexRange> box, size_t memory_bytes,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // 0 when there is nothing to compute.
  [[nodiscard]] int64_t tile_count() const noexcept { return tiles_; }
  // What a tile reads of an operand, and what it computes; nothing where there
  // is no such tile. Pieces of one operand that are equal need not be copied
  // again; those of the result come in its order, and together they are all of
  // it.
  [[nodiscard]] Piece operand(int64_t tile, size_t operand) const noexcept;
  [[nodiscard]] Piece result(int64_t tile) const noexcept;
  // Whether the first byte of the result's piece belongs to the tile before,
  // too (packed elements): it has to be in the memory when the tile is run.
  [[nodiscard]] bool shares_byte(int64_t tile) const noexcept;
  // Where in the memory the pieces belong, in bytes: multiples of 64.
  [[nodiscard]] size_t place(size_t operand) const noexcept {
    return operands_[operand].place;
  }
  [[nodiscard]] size_t result_place() const noexcept { return result_place_; }
  // The bytes that are used of the memory.
  [[nodiscard]] size_t memory_bytes() const noexcept { return bytes_; }

 private:
  friend Status RunTile(const Plan& plan, const Tiling& tiling, int64_t tile,
                        std::span<std::byte> memory) noexcept;
  template <class File>
  friend class Tiler;

  struct Operand {
    size_t place;
    size_t room;       // bytes in the memory
    int64_t first;     // element with which the loops begin
    int64_t elements;  // of the piece of a whole tile, the last one included
    uint8_t bits;
    bool kept;  // all that is read of it is in the memory all the time
  };
  // How many turns of the outer loops and steps of the cut one come before.
  struct Position {
    int64_t outer;
    int64_t step;
  };

  [[nodiscard]] Position PositionOf(int64_t tile) const noexcept {
    return {tile / tiles_a_turn_, tile % tiles_a_turn_ * steps_};
  }
  [[nodiscard]] bool IsTail(int64_t tile) const noexcept {
    return tail_steps_ != 0 && tile % tiles_a_turn_ == tiles_a_turn_ - 1;
  }
  [[nodiscard]] int64_t FirstOf(Position at, size_t operand) const noexcept;
  [[nodiscard]] int64_t FirstOfResult(Position at) const noexcept {
    return (at.outer * cut_extent_ + at.step) * step_elements_;
  }
  [[nodiscard]] int64_t StepsOf(int64_t tile) const noexcept {
    return IsTail(tile) ? tail_steps_ : steps_;
  }

  // Whether the tile is there.
  [[nodiscard]] bool Has(int64_t tile) const noexcept {
    return tile >= 0 && tile < tiles_;
  }

  const kernels::Kernel* kernel_ = nullptr;
  DType dtype_ = DType::kBool;  // of the result
  uint64_t plan_ = 0;           // its fingerprint
  LoopNest loops_;
  size_t cut_ = 0;             // the loop that tiles are steps of
  int64_t cut_extent_ = 1;     // its steps
  int64_t step_elements_ = 1;  // elements of the result in one step
  int64_t steps_ = 1;          // of a tile
  int64_t tail_steps_ = 0;     // of the last tile of a turn; 0: as the others
  int64_t tiles_a_turn_ = 1;
  Taken<int64_t> tiles_;
  uint8_t result_bits_ = 8;
  size_t result_place_ = 0;
  size_t tasks_place_ = 0;  // of what the kernel is told
  size_t bytes_ = 0;
  InlineArray<Operand, kInlineOperands> operands_;
  Work whole_;
  Work tail_;
};

// Runs a tile of `plan` on the pieces in `memory`, which is aligned to 64 bytes
// and has tiling.memory_bytes() or more. Errors: kIncompatible (kOtherPlan) for
// a tiling that was made of another plan (one that is the same in all that
// counts, made anew or moved, will do), kExtent (kOutOfRange) for a tile that
// is not there, kLength for memory that is too short or not aligned
// (kMisaligned). Allocates
// nothing, so that whoever has made the tiling is done with what can be
// refused. The result is that of Run, bit for bit (of a NaN made of two NaNs,
// which one it is may differ).
[[nodiscard]] Status RunTile(const Plan& plan, const Tiling& tiling,
                             int64_t tile,
                             std::span<std::byte> memory) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_TILING_H_
