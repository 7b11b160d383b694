// Cuts a plan into blocks: Make of blocks.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/blocks.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/work.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "run/box.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {
namespace {

struct Here;

// The most bytes over which so many consecutive elements extend. Packed ones
// may begin within a byte.
uint64_t BytesAround(int64_t elements, uint8_t bits) {
  if (bits >= 8 || elements == 0) return BytesOfElements(elements, bits);
  // At worst the first element is the last one of its byte.
  return BytesOfElements(elements - 1, bits) + 1;
}

uint64_t RoomFor(int64_t elements, uint8_t bits) {
  return RoundUp<uint64_t>(BytesAround(elements, bits), kBlockAlignment);
}

// The memory for the kernel's list of operands. Up to 4 operands it is on the
// stack.
uint64_t RoomForTasks(size_t operands) {
  if (operands <= kInlineOperands) return 0;
  return RoundUp<uint64_t>(operands * sizeof(OperandMemory), kBlockAlignment);
}

}  // namespace

// Cuts a plan into blocks. A template for the reason given at Aligner.
template <class File>
class BlocksMaker {
 public:
  BlocksMaker(const Plan& plan, const std::span<const IndexRange>* box,
              size_t memory_bytes, const Allocator& allocator, Blocks& blocks)
      : plan_(plan),
        box_(box),
        memory_(std::min<uint64_t>(memory_bytes, PTRDIFF_MAX)),
        allocator_(allocator),
        blocks_(blocks) {}

  Status Make() {
    if (Status made = CheckMade(plan_); !made) return made;
    if (plan_.output_count() != 1) {
      Error error = PlanError(plan_, ErrorClass::kArity, kOutputOperand);
      error.extent = static_cast<int64_t>(plan_.output_count());
      error.other_extent = 1;
      return std::unexpected(error);
    }
    if (box_ != nullptr) {
      if (Status checked = CheckBox(plan_, *box_); !checked) return checked;
    }
    blocks_.kernel_ = plan_.kernel();
    blocks_.dtype_ = plan_.output_dtype();
    blocks_.plan_ = plan_.fingerprint();
    if (!TakeLoops()) return Refused();
    const int64_t elements = blocks_.loops_.element_count();
    if (elements == 0) return {};
    KeepSmallOperands();
    if (Status cut = Cut(); !cut) return cut;
    Place();
    if (!MakeWork(blocks_.whole_, blocks_.steps_) ||
        (blocks_.tail_steps_ != 0 &&
         !MakeWork(blocks_.tail_, blocks_.tail_steps_))) {
      return Refused();
    }
    return {};
  }

 private:
  Status Refused() const {
    return std::unexpected(
        PlanError(plan_, ErrorClass::kAllocation, kOutputOperand));
  }

  bool TakeLoops() {
    const size_t operands = plan_.operand_count();
    const size_t rank = plan_.output_shape().size();
    Shape extents;
    if (!extents.ResetForOverwrite(rank, allocator_) ||
        !blocks_.operands_.ResetForOverwrite(operands, allocator_) ||
        !bits_.ResetForOverwrite(operands, allocator_)) {
      return false;
    }
    for (size_t axis = 0; axis < rank; ++axis) {
      extents[axis] = box_ == nullptr ? plan_.output_shape()[axis]
                                      : (*box_)[axis].end - (*box_)[axis].begin;
    }
    // Strides of a result without elements may be too large to multiply.
    const bool begins =
        box_ != nullptr && std::ranges::count(extents.view(), 0) == 0;
    for (size_t i = 0; i < operands; ++i) {
      bits_[i] = static_cast<uint8_t>(BitsOf(plan_.dtype(i)));
      int64_t first = 0;
      for (size_t axis = 0; axis < rank && begins; ++axis) {
        first += (*box_)[axis].begin * plan_.StrideAlong(i, axis);
      }
      blocks_.operands_[i] = {.place = 0,
                              .room = 0,
                              .first = first,
                              .elements = 0,
                              .bits = bits_[i],
                              .kept = false};
    }
    blocks_.result_bits_ = static_cast<uint8_t>(BitsOf(plan_.output_dtype()));
    return blocks_.loops_.Reset(
        extents.view(), operands,
        [this](size_t operand, size_t axis) {
          return plan_.StrideAlong(operand, axis);
        },
        allocator_);
  }

  // How many elements an operand has from the first to the last that `steps`
  // steps of a loop read.
  int64_t Span(size_t operand, size_t loop, int64_t steps) const {
    const LoopNest& loops = blocks_.loops_;
    int64_t last = 0;
    if (loop < loops.loop_count()) {
      last = (steps - 1) * loops.stride(operand, loop);
    }
    for (size_t inner = loop + 1; inner < loops.loop_count(); ++inner) {
      last += (loops.extent(inner) - 1) * loops.stride(operand, inner);
    }
    return last + 1;
  }

  int64_t Extent(size_t loop) const {
    return loop < blocks_.loops_.loop_count() ? blocks_.loops_.extent(loop) : 1;
  }

  void KeepSmallOperands() {
    uint64_t kept = 0;
    for (Blocks::Operand& operand : blocks_.operands_) {
      const size_t i = static_cast<size_t>(&operand - blocks_.operands_.data());
      operand.elements = Span(i, 0, Extent(0));
      const uint64_t room = RoomFor(operand.elements, operand.bits);
      operand.kept = room <= memory_ / kKeptBlockShare &&
                     kept + room <= memory_ / kAllKeptBlockShare;
      if (operand.kept) kept += room;
    }
  }

  // The memory, in bytes, for a block of `steps` steps of `loop`.
  uint64_t Room(size_t loop, int64_t steps, int64_t step_elements) const {
    uint64_t room =
        SaturatingAdd(RoomFor(steps * step_elements, blocks_.result_bits_),
                      RoomForTasks(blocks_.operands_.size()));
    for (size_t i = 0; i < blocks_.operands_.size(); ++i) {
      const Blocks::Operand& operand = blocks_.operands_[i];
      const int64_t elements =
          operand.kept ? operand.elements : Span(i, loop, steps);
      room = SaturatingAdd(room, RoomFor(elements, operand.bits));
    }
    return room;
  }

  // Cuts the outermost loop of which one step fits the memory, into blocks of
  // as many steps as fit.
  Status Cut() {
    const LoopNest& loops = blocks_.loops_;
    int64_t step_elements = loops.element_count();
    size_t loop = 0;
    for (;; ++loop) {
      step_elements /= Extent(loop);
      if (Room(loop, 1, step_elements) <= memory_) break;
      if (loop + 1 < loops.loop_count()) continue;
      Error error = PlanError(plan_, ErrorClass::kLimit, kAbsent);
      error.detail = Detail::kMemory;
      error.extent = ToInt64(Room(loop, 1, step_elements));
      error.other_extent = ToInt64(memory_);
      return std::unexpected(error);
    }
    int64_t turns = 1;
    for (size_t outer = 0; outer < loop; ++outer) turns *= loops.extent(outer);
    const int64_t extent = Extent(loop);
    int64_t least = 1;
    int64_t most = extent;
    while (least < most) {
      const int64_t steps = least + (most - least + 1) / 2;
      if (Room(loop, steps, step_elements) <= memory_) {
        least = steps;
      } else {
        most = steps - 1;
      }
    }
    // Equal blocks rather than a small one at the end.
    const int64_t blocks = CeilDiv(extent, least);
    int64_t steps = CeilDiv(extent, blocks);
    constexpr int64_t kAligned = 64;
    if (step_elements == 1 && blocks > 1 && least >= kAligned) {
      steps = std::min(least / kAligned * kAligned, RoundUp(steps, kAligned));
    }
    blocks_.cut_ = loop;
    blocks_.cut_extent_ = extent;
    blocks_.step_elements_ = step_elements;
    blocks_.steps_ = steps;
    blocks_.tail_steps_ = extent % steps;
    blocks_.blocks_a_turn_ = CeilDiv(extent, steps);
    blocks_.count_ = turns * blocks_.blocks_a_turn_;
    return {};
  }

  void Place() {
    size_t place = 0;
    for (size_t i = 0; i < blocks_.operands_.size(); ++i) {
      Blocks::Operand& operand = blocks_.operands_[i];
      if (!operand.kept) {
        operand.elements = Span(i, blocks_.cut_, blocks_.steps_);
      }
      operand.place = place;
      operand.room =
          static_cast<size_t>(RoomFor(operand.elements, operand.bits));
      place += operand.room;
    }
    blocks_.result_place_ = place;
    place += static_cast<size_t>(
        RoomFor(blocks_.steps_ * blocks_.step_elements_, blocks_.result_bits_));
    blocks_.tasks_place_ = place;
    blocks_.bytes_ =
        place + static_cast<size_t>(RoomForTasks(blocks_.operands_.size()));
  }

  // The work of one block: `steps` steps of the cut loop and all loops inside
  // it.
  bool MakeWork(Work& work, int64_t steps) {
    const LoopNest& loops = blocks_.loops_;
    const size_t count =
        loops.loop_count() == 0 ? 0 : loops.loop_count() - blocks_.cut_;
    Shape extents;
    if (!extents.ResetForOverwrite(count, allocator_)) return false;
    for (size_t k = 0; k < count; ++k) {
      extents[k] = k == 0 ? steps : loops.extent(blocks_.cut_ + k);
    }
    return work.Reset(
        extents.view(),
        [&](size_t operand, size_t loop) {
          return loops.stride(operand, blocks_.cut_ + loop);
        },
        bits_.view(), blocks_.result_bits_,
        plan_.kernel(0)->UseOfRuns(bits_.size()), allocator_);
  }

  const Plan& plan_;
  const std::span<const IndexRange>* const box_;
  const uint64_t memory_;
  const Allocator& allocator_;
  Blocks& blocks_;
  InlineArray<uint8_t, kInlineOperands> bits_;
};

Result<Blocks> Blocks::Make(const Plan& plan, size_t memory_bytes,
                            const Allocator& allocator) noexcept {
  Result<Blocks> blocks;
  Status made =
      BlocksMaker<Here>(plan, nullptr, memory_bytes, allocator, *blocks).Make();
  if (!made) blocks = std::unexpected(made.error());
  return blocks;
}

Result<Blocks> Blocks::Make(const Plan& plan, std::span<const IndexRange> box,
                            size_t memory_bytes,
                            const Allocator& allocator) noexcept {
  Result<Blocks> blocks;
  Status made =
      BlocksMaker<Here>(plan, &box, memory_bytes, allocator, *blocks).Make();
  if (!made) blocks = std::unexpected(made.error());
  return blocks;
}

}  // namespace v1
}  // namespace broadloom
