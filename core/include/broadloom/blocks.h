// Computes a result block by block, in a memory that is smaller than operands
// and result ("out of core"). Operands and result may lie in a file, on a
// device or in the arrays of another language. For each block the caller copies
// the segments that the block reads into the memory, runs the block, and copies
// its segment of the result out. The memory stays in the cache, and its size
// does not depend on the size of the result.
//
// (1000,1000) + (1000) of f32 in 256 KiB is 32 blocks: 31 of 32 rows and one of
// 8. A block of 32 rows reads a segment of 128,000 bytes of the first operand
// and writes one of as many bytes. All blocks read the same 4,000 bytes of the
// second operand, which are therefore copied once.

#ifndef BROADLOOM_BLOCKS_H_
#define BROADLOOM_BLOCKS_H_

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

// Consecutive bytes of a dense operand or result. Packed elements (i4, u4, u1)
// may share the first and the last byte with elements of other segments.
struct Segment {
  uint64_t begin = 0;  // offset of the first byte
  uint64_t bytes = 0;
  friend bool operator==(const Segment&, const Segment&) = default;
};

// The blocks of a plan, in the order in which the result's segments lie in
// memory.
class Blocks {
 public:
  // Not defaulted, for the reason given at Plan().
  Blocks() noexcept {}

  // Cuts the result of `plan` into blocks. The segments of one block take at
  // most `memory_bytes` bytes. The plan must outlive the blocks. With `box`,
  // only those elements of the result are computed; the segments of the result
  // are then those of a dense tensor of the box's shape (see RunRegion).
  // Errors:
  //   kArity       the plan has several results, or is empty
  //   kExtent      the box is not inside the result (as RunRegion)
  //   kLimit       the memory is too small for one element of each operand and
  //                of the result: `extent` bytes are needed, `other_extent`
  //                were given. 64 bytes for each operand and for the result are
  //                always enough, with more than 4 operands 128 bytes.
  //   kAllocation
  // Complexity: loops times operands, times the logarithm of a block's extent.
  // Allocates nothing up to rank 8 and 4 operands. Example:
  //   const Result<Blocks> blocks = Blocks::Make(plan, 256 << 10);
  //   for (int64_t block = 0; block < blocks->count(); ++block) {
  //     for (size_t i = 0; i < plan.operand_count(); ++i) {
  //       const Segment segment = blocks->operand(block, i);
  //       read(file[i], segment.begin, segment.bytes,
  //            memory + blocks->place(i));
  //     }
  //     const Status ran = RunBlock(plan, *blocks, block, {memory, 256 << 10});
  //     assert(ran);
  //     const Segment segment = blocks->result(block);
  //     write(out, segment.begin, segment.bytes,
  //           memory + blocks->result_place());
  //   }
  [[nodiscard]] static Result<Blocks> Make(
      const Plan& plan, size_t memory_bytes,
      const Allocator& allocator = DefaultAllocator()) noexcept;
  [[nodiscard]] static Result<Blocks> Make(
      const Plan& plan, std::span<const IndexRange> box, size_t memory_bytes,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // The number of blocks; 0 when the result has no elements.
  [[nodiscard]] int64_t count() const noexcept { return count_; }
  // The segment of an operand that a block reads; empty when there is no such
  // block or operand. Where it equals the operand's segment of the block
  // before, it need not be copied again.
  [[nodiscard]] Segment operand(int64_t block, size_t operand) const noexcept;
  // The segment of the result that a block computes; empty when there is no
  // such block. The segments of all blocks, in order, are the whole result.
  [[nodiscard]] Segment result(int64_t block) const noexcept;
  // Whether the first byte of the result's segment also has elements of the
  // block before (packed elements). That byte must be in the memory when the
  // block is run.
  [[nodiscard]] bool shares_byte(int64_t block) const noexcept;
  // Offsets in the memory, in bytes: of an operand's segment, and of the
  // result's. Multiples of 64.
  [[nodiscard]] size_t place(size_t operand) const noexcept {
    return operands_[operand].place;
  }
  [[nodiscard]] size_t result_place() const noexcept { return result_place_; }
  // How many bytes of the memory are used.
  [[nodiscard]] size_t memory_bytes() const noexcept { return bytes_; }

 private:
  friend Status RunBlock(const Plan& plan, const Blocks& blocks, int64_t block,
                         std::span<std::byte> memory) noexcept;
  template <class File>
  friend class BlocksMaker;

  struct Operand {
    size_t place;
    size_t room;       // bytes in the memory
    int64_t first;     // element at which the loops begin
    int64_t elements;  // from the first to the last that a full block reads
    uint8_t bits;      // of an element
    bool kept;  // every block has the same segment, with all that is read
  };
  // Where a block begins.
  struct Position {
    int64_t outer;  // iterations of the loops outside the cut one
    int64_t step;   // steps of the cut loop
  };

  [[nodiscard]] Position PositionOf(int64_t block) const noexcept {
    return {block / blocks_a_turn_, block % blocks_a_turn_ * steps_};
  }
  [[nodiscard]] bool IsTail(int64_t block) const noexcept {
    return tail_steps_ != 0 && block % blocks_a_turn_ == blocks_a_turn_ - 1;
  }
  [[nodiscard]] int64_t FirstOf(Position at, size_t operand) const noexcept;
  [[nodiscard]] int64_t FirstOfResult(Position at) const noexcept {
    return (at.outer * cut_extent_ + at.step) * step_elements_;
  }
  [[nodiscard]] int64_t StepsOf(int64_t block) const noexcept {
    return IsTail(block) ? tail_steps_ : steps_;
  }

  [[nodiscard]] bool Has(int64_t block) const noexcept {
    return block >= 0 && block < count_;
  }

  const kernels::Kernel* kernel_ = nullptr;
  DType dtype_ = DType::kBool;  // of the result
  uint64_t plan_ = 0;           // its fingerprint
  LoopNest loops_;
  size_t cut_ = 0;             // the loop that is cut: a block is some steps
  int64_t cut_extent_ = 1;     // steps of the cut loop
  int64_t step_elements_ = 1;  // elements of the result in one step
  int64_t steps_ = 1;          // of a full block
  int64_t tail_steps_ = 0;     // of the last block of the loop; 0: it is full
  int64_t blocks_a_turn_ = 1;  // blocks of the cut loop
  Taken<int64_t> count_;
  uint8_t result_bits_ = 8;
  size_t result_place_ = 0;
  size_t tasks_place_ = 0;  // of the kernel's list of operands
  size_t bytes_ = 0;
  InlineArray<Operand, kInlineOperands> operands_;
  Work whole_;
  Work tail_;
};

// Runs one block of `plan` on the segments in `memory`, which is aligned to 64
// bytes and has blocks.memory_bytes() bytes or more. Errors:
//   kIncompatible  (kOtherPlan) the blocks were made of another plan. A plan
//                  that was moved is the same plan, and so is one that was
//                  made again from the same operator, rule, shapes, types and
//                  attributes.
//   kExtent        (kOutOfRange) there is no block of that index
//   kLength        the memory is too short (kMemory) or not aligned to 64
//                  bytes (kMisaligned)
// Allocates nothing. The result is that of Run, bit for bit, except that a NaN
// computed from two NaNs may be the other of the two.
[[nodiscard]] Status RunBlock(const Plan& plan, const Blocks& blocks,
                              int64_t block,
                              std::span<std::byte> memory) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_BLOCKS_H_
