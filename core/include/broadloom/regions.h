// Which elements of the operands a box of the result is computed from, and what
// computing it costs. With these a scheduler or a store of chunks (Dask, Zarr,
// a pool of workers) can compute a broadcast box by box, wherever the operands
// are: it reads the input regions of a box and calls RunOnInputRegions.
//
// An operand's elements that feed a box always form a box as well, its input
// region: along an axis on which it lies, the box's range; along an axis that
// repeats, [0,1). Axes that the operand does not have are left out. PDPD and
// explicit mappings are followed, since the regions are read from the plan.
//
// (4,1,6) with (5,1) under numpy gives (4,5,6). The box [1,3) x [2,4) x [0,6)
// is computed from [1,3) x [0,1) x [0,6) of A and [2,4) x [0,1) of B. Example:
//   const Extents a{4, 1, 6};
//   const Extents b{5, 1};
//   const ShapeView shapes[] = {a, b};
//   const DType types[] = {DType::kF32, DType::kF32};
//   const Result<Plan> plan = MakePlan(Op::kAdd, shapes, types);
//   const IndexRange box[] = {{1, 3}, {2, 4}, {0, 6}};
//   const Result<Regions> regions = InputRegions(*plan, box);
//   const IndexRange of_a[] = {{1, 3}, {0, 1}, {0, 6}};
//   const IndexRange of_b[] = {{2, 4}, {0, 1}};
//   assert(std::ranges::equal((*regions)[0], of_a));
//   assert(std::ranges::equal((*regions)[1], of_b));

#ifndef BROADLOOM_REGIONS_H_
#define BROADLOOM_REGIONS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/execute.h"
#include "broadloom/internal/config.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/tensor.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// The input regions of a box.
class Regions {
 public:
  // Not defaulted, for the reason given at Plan().
  Regions() noexcept {}

  [[nodiscard]] size_t operand_count() const noexcept { return count_; }
  // The region of an operand, one range for each of its axes. `operand` must be
  // below operand_count().
  [[nodiscard]] std::span<const IndexRange> operator[](
      size_t operand) const noexcept {
    return ranges_.view().subspan(begins_[operand],
                                  begins_[operand + 1] - begins_[operand]);
  }

 private:
  friend Result<Regions> InputRegions(const Plan& plan,
                                      std::span<const IndexRange> box,
                                      const Allocator& allocator) noexcept;

  Taken<size_t> count_;
  // The ranges of all operands, one operand after the other, and where each
  // operand's begin, with one more entry for the end.
  InlineArray<IndexRange, kInlineRank * kInlineOperands> ranges_;
  InlineArray<size_t, kInlineOperands + 1> begins_;
};

// The input regions of `box`, one range for each axis of the result. Each
// element of a region is needed. A box without elements needs none: all ranges
// of its regions are empty. (An operand of rank 0 has no range; its element is
// not read either.) With several results (sonnx) the box is that of each
// result, and region i is needed for result i alone.
//
// Errors: kArity (kOtherCount) when the plan is empty; kExtent when the box has
// another number of ranges than the result has axes (kSize), or is not inside
// the result (kOutOfRange, with the axis, the bound and the result's extent);
// kAllocation. Complexity: rank times operands. Allocates nothing up to rank 8
// and 4 operands. See the top of this
// header.
[[nodiscard]] Result<Regions> InputRegions(
    const Plan& plan, std::span<const IndexRange> box,
    const Allocator& allocator = DefaultAllocator()) noexcept;

// RunRegion on input regions instead of whole operands: computes the elements
// of the result in `box` from `inputs`, which have the shapes of the box's
// input regions, into `outputs` of the box's shape. All of them may be strided.
// The result is that of RunRegion, bit for bit. Errors: kArity, kExtent as
// InputRegions; those of Run, where the shapes of the input regions take the
// place of the operands': an input of another shape is kIncompatible, with the
// operand, its axis, its extent and the region's.
//
// Where many boxes have the same size, keep their plan instead: this is
// plan.Within(box), then Run. Example, rows 10 to 12 of (1000,8) + (8):
//   const IndexRange box[] = {{10, 12}, {0, 8}};
//   const float a[16] = {1, 2, 3}, b[8] = {10, 20, 30};
//   float rows[16];
//   const Extents some{2, 8};
//   const Extents row{8};
//   const TensorView blocks[] = {{DType::kF32, some, a, sizeof a},
//                                {DType::kF32, row, b, sizeof b}};
//   const MutableTensorView sums{DType::kF32, some, rows, sizeof rows};
//   const Status ran = RunOnInputRegions(plan, box, blocks, {&sums, 1});
//   assert(ran && rows[0] == 11 && rows[2] == 33 && rows[8] == 10);
[[nodiscard]] Status RunOnInputRegions(
    const Plan& plan, std::span<const IndexRange> box,
    std::span<const TensorView> inputs,
    std::span<const MutableTensorView> outputs, const RunOptions& options = {},
    const Allocator& allocator = DefaultAllocator()) noexcept;

// What it takes to compute a box.
struct RegionCost {
  // Bytes of all input regions together. Each element counts once, however
  // often it repeats; a region counts as a dense tensor of its shape, packed
  // elements rounded up to whole bytes.
  uint64_t read = 0;
  // Bytes of the results: of the box, as a dense tensor, for each result.
  uint64_t written = 0;
  // The most memory that is in use at once while the box is computed: read and
  // written together, since all regions and results are in memory then. What
  // kernels have on the stack (64 KiB a thread) is not counted, nor are copies
  // that the caller makes. Saturates.
  uint64_t peak = 0;
  friend bool operator==(const RegionCost&, const RegionCost&) = default;
};

// The cost of `box`. With `bytes_read`, one entry for each operand, also the
// bytes of each region. Errors: those of InputRegions but kAllocation; kArity
// (kSize) when `bytes_read` has entries, but not one for each operand. A box
// without elements costs nothing. Allocates nothing up to rank 8. Complexity:
// rank times operands. Example, rows 10 to 12 of (1000,8) + (8) of f32:
//   const IndexRange box[] = {{10, 12}, {0, 8}};
//   uint64_t bytes_read[2];
//   const Result<RegionCost> cost = Cost(plan, box, bytes_read);
//   assert(bytes_read[0] == 64 && bytes_read[1] == 32);
//   assert(*cost == (RegionCost{.read = 96, .written = 64, .peak = 160}));
[[nodiscard]] Result<RegionCost> Cost(
    const Plan& plan, std::span<const IndexRange> box,
    std::span<uint64_t> bytes_read = {}) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_REGIONS_H_
