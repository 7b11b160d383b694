// Sums of an input that is summed block by block, by several threads, processes
// or machines. Each block gives partial sums (SumPlan::RunPartially); these are
// added together without rounding (AddPartialSums), and rounded once at the end
// (RoundPartialSums). So integers wrap, and floats are summed in f64 or in
// twice the precision of f64, as if no block had been cut.
//
// Which block is summed when and where does not matter: the partial sums of a
// block are always the same bits. The order in which floats are added does: add
// the partial sums in the same order, such as that of the blocks, or along the
// same tree, and the result has the same bits whatever the scheduler did.
//
// Blocks and outputs are matched by InputRegions (regions.h) of the broadcast
// whose adjoint the sum is: the box of the broadcast's result is the block, the
// operand's input region the part of the output that it is added to.
//
// (4,3) to (3), in two blocks of two rows. Example:
//   const Extents two_rows{2, 3};
//   const Extents row{3};
//   const float input[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
//   const Result<SumPlan> sum = SumPlan::Make(DType::kF32, two_rows, row);
//   const size_t bytes = *PartialSumBytes(DType::kF32, row);
//   std::vector<std::byte> first(bytes), second(bytes);
//   const TensorView blocks[] = {{DType::kF32, two_rows, input, 24},
//                                {DType::kF32, two_rows, input + 6, 24}};
//   Status done = sum->RunPartially(blocks[1], second);  // in any order
//   if (done) done = sum->RunPartially(blocks[0], first);
//   if (done) done = AddPartialSums(DType::kF32, row, first, second);
//   float sums[3];
//   const MutableTensorView output{DType::kF32, row, sums, sizeof sums};
//   if (done) done = RoundPartialSums(first, output);
//   assert(done && sums[0] == 18 && sums[1] == 22 && sums[2] == 26);

#ifndef BROADLOOM_PARTIAL_SUMS_H_
#define BROADLOOM_PARTIAL_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Partial sums are plain bytes of any alignment, which may be copied, stored
// and sent to another process of the same version on a machine of the same byte
// order. They are:
//
//   bytes 0 to 7    "BLsums", and the version of the layout as a 16-bit integer
//   byte 8          the element type (the row in BROADLOOM_DTYPES)
//   byte 9          1 if any element was summed, else 0
//   bytes 10 to 15  0
//   bytes 16 to 23  the number of outputs, as a 64-bit integer
//   bytes 24 to 31  0
//   then            an accumulator for each output, in the output's order; of
//                   complex types one for each part. Of integers it has the
//                   element type; of f16, bf16, f32 and c64 it is an f64.
//   f64, c128       an f64, and after those of all outputs, in the same order,
//                   another f64 each: the rounding errors of the first
//
// All numbers have the machine's byte order. Where no element was summed, the
// accumulators are 0.
inline constexpr uint16_t kPartialSumVersion = 1;

// The size of the partial sums of an output of type `dtype` and shape `shape`,
// in bytes. Errors: kDType (kUnsupported, kNotBuilt) for a type that is not
// summed; kExtent, kOverflow; kLimit when it is more than can be addressed.
// Example:
//   assert(*PartialSumBytes(DType::kF32, Extents{3}) == 32 + 3 * 8);
//   assert(*PartialSumBytes(DType::kF64, Extents{3}) == 32 + 3 * 16);
//   assert(*PartialSumBytes(DType::kI16, Extents{3}) == 32 + 3 * 2);
[[nodiscard]] Result<size_t> PartialSumBytes(DType dtype,
                                             ShapeView shape) noexcept;

// Adds `more` to `sums`, both partial sums of an output of type `dtype` and
// shape `shape`. Errors: those of PartialSumBytes; kLength (kMemory) when one
// has another size; kIncompatible (kOtherPlan) when one is no partial sum of
// this version, type and number of outputs, `operand` 0 for `sums` and 1 for
// `more`. Nothing has been written then. They may be the same memory, but not
// overlap otherwise. Complexity: the number of outputs. Allocates nothing.
[[nodiscard]] Status AddPartialSums(DType dtype, ShapeView shape,
                                    std::span<std::byte> sums,
                                    std::span<const std::byte> more) noexcept;

// Rounds partial sums to the elements of `output`. Errors: those of
// AddPartialSums for the output's type and shape; kIncompatible (kStrides) and
// kLength (memory too short for its shape and strides); kOverlap (kStrides: of
// the output with itself); kAllocation. Nothing has been written then. The
// output may be strided, and does not overlap `sums`. Where nothing was summed
// the elements are 0. Complexity: the number of outputs. Allocates nothing for
// a dense output, else a dense copy.
[[nodiscard]] Status RoundPartialSums(
    std::span<const std::byte> sums, const MutableTensorView& output,
    const Allocator& allocator = DefaultAllocator()) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PARTIAL_SUMS_H_
