// Operands that are cut into chunks along their axes, as Dask and Zarr cut
// arrays: which chunks the result gets, and how each operand has to be cut so
// that every chunk of the result is computed from one chunk of each operand.
//
// Only axes on which an operand lies count: a stretched axis has one chunk of
// extent 1, a missing one none, and neither cuts anything. Where operands are
// cut differently along an axis of the result, one of them has to be cut anew.
// Cutting all of them at every boundary (what Dask does) moves nothing, but the
// numbers of chunks multiply: 40 strips of rows with 40 strips of columns give
// 1600 chunks. Taking over the chunks of one operand moves the others instead.
// UnifyChunks chooses by cost. It measures these layouts, and takes the one for
// which
//
//   moved bytes + task_bytes * (chunks of the result + pieces of operands)
//
// is least, of equal ones that of fewer chunks:
//
//   - every boundary of every operand;
//   - the chunks of one operand, and along axes on which it does not lie those
//     of the next one, by bytes; for each of the 8 operands of most bytes.
//
// A layout of fewer chunks than an operand has is left out, since its chunks
// are what memory and workers were planned for. So a result never costs more
// than with every boundary, never has more chunks than that, and small operands
// are moved where that saves tasks. Two limits come on top: a layout of more
// chunks than most_chunks has neighbours joined before it is measured, and one
// that needs more than memory_bytes has its chunks halved.
//
// (6,6) in 3 strips of rows plus (6) in 2 chunks: the 6 elements of the second
// operand are joined, and there are 3 chunks, not 6. Example:
//   const Extents a{6, 6};
//   const Extents b{6};
//   const ShapeView shapes[] = {a, b};
//   const DType types[] = {DType::kF32, DType::kF32};
//   const Result<Plan> plan = MakePlan(Op::kAdd, shapes, types);
//   const Extents strips{2, 2, 2};
//   const Extents halves{3, 3};
//   const ShapeView of_a[] = {strips, b};
//   const ShapeView of_b[] = {halves};
//   const std::span<const ShapeView> chunks[] = {of_a, of_b};
//   const Result<UnifiedChunks> unified = UnifyChunks(*plan, chunks);
//   assert(std::ranges::equal(unified->result(0), ShapeView(strips)));
//   assert(unified->operand(1, 0).size() == 1);
//   assert(unified->cost().chunks == 3 && unified->cost().moved == 24);

#ifndef BROADLOOM_CHUNKS_H_
#define BROADLOOM_CHUNKS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

struct UnifyOptions {
  // The most memory that computing a chunk may take: ChunkCost::peak.
  uint64_t memory_bytes = UINT64_MAX;
  // The most chunks that the result may have; at least 1.
  int64_t most_chunks = 100'000;
  // What a task costs, as bytes that are moved in the same time. A task of a
  // scheduler such as Dask's takes about a millisecond, in which a network or a
  // memory moves about so much.
  uint64_t task_bytes = uint64_t{1} << 20;
};

// Counts saturate.
struct ChunkCost {
  // Of the result.
  int64_t chunks = 0;
  // Of all operands: how many parts their old chunks are cut into. Each new
  // chunk is one piece or is joined of several.
  int64_t pieces = 0;
  // Bytes of the new chunks that are joined of several pieces. A new chunk that
  // lies in an old one is a view of it and moves nothing.
  uint64_t moved = 0;
  // The most memory that is in use at once while a chunk of the result is
  // computed: RegionCost::peak of the largest chunk, and once more the input
  // regions of operands of which anything is moved, whose pieces are in memory
  // while they are joined.
  uint64_t peak = 0;
  friend bool operator==(const ChunkCost&, const ChunkCost&) = default;
};

class UnifiedChunks {
 public:
  // Not defaulted, for the reason given at Plan().
  UnifiedChunks() noexcept {}

  // The extents of the chunks along an axis of the result; their sum is its
  // extent. All are above 0, but an axis of extent 0 has one chunk of 0.
  [[nodiscard]] ShapeView result(size_t axis) const noexcept {
    return extents_.view().subspan(begins_[axis],
                                   begins_[axis + 1] - begins_[axis]);
  }
  // The chunks that an operand has to have along one of its axes: those of the
  // result's axis on which it lies; one of extent 1 where it is stretched.
  [[nodiscard]] ShapeView operand(size_t operand, size_t axis) const noexcept {
    const int32_t lies_on = lies_on_[operand_begins_[operand] + axis];
    if (lies_on >= 0) return result(static_cast<size_t>(lies_on));
    return {&one_, 1};
  }
  // Whether the operand's chunks differ from those that were given.
  [[nodiscard]] bool rechunks(size_t operand) const noexcept {
    return costs_[operand].rechunks;
  }
  // Of the whole; of what has to be done with one operand.
  [[nodiscard]] const ChunkCost& cost() const noexcept { return cost_; }
  [[nodiscard]] int64_t pieces(size_t operand) const noexcept {
    return costs_[operand].pieces;
  }
  [[nodiscard]] uint64_t moved(size_t operand) const noexcept {
    return costs_[operand].moved;
  }

 private:
  template <class File>
  friend class ChunkUnifier;

  struct OperandCost {
    int64_t pieces;
    uint64_t moved;
    bool rechunks;
  };

  int64_t one_ = 1;
  ChunkCost cost_;
  // The chunks along each axis of the result, one axis after the other.
  InlineArray<int64_t, 8 * kInlineRank> extents_;
  InlineArray<size_t, kInlineRank + 1> begins_;
  // For each axis of each operand the axis of the result, or kAbsent.
  InlineArray<int32_t, kInlineRank * kInlineOperands> lies_on_;
  InlineArray<size_t, kInlineOperands> operand_begins_;
  InlineArray<OperandCost, kInlineOperands> costs_;
};

// Finds chunks for the result of `plan`, whose operands are cut into `chunks`:
// for each operand, for each of its axes, the extents of its chunks. Extents of
// 0 are left out, and an axis of extent 0 may have no chunk. Errors:
//   kArity         the plan is empty (kOtherCount); lists for another number of
//                  operands than it has (kOtherCount), with both numbers
//   kExtent        a chunk of a negative extent (kNegative), with the operand,
//                  its axis and the extent
//   kIncompatible  an operand with lists for another number of axes; or chunks
//                  whose sum is not the extent of their axis, with the operand,
//                  its axis (`operand_axis`), the sum (`extent`, saturated) and
//                  the extent (`other_extent`)
//   kLimit         (kMemory) chunks as small as most_chunks allows still need
//                  more than memory_bytes: `extent` bytes
//   kAllocation
// Complexity: 9 times the number of all boundaries times the operands.
// See the top of this header.
[[nodiscard]] Result<UnifiedChunks> UnifyChunks(
    const Plan& plan, std::span<const std::span<const ShapeView>> chunks,
    const UnifyOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_CHUNKS_H_
