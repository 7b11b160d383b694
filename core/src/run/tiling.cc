#include "broadloom/tiling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <new>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "run/region.h"

namespace broadloom {
inline namespace v1 {
namespace {

struct Here;

// What is read over and over is kept in the memory if it takes no more than
// such a share of it, and all of it together no more than the second.
constexpr size_t kKeptShare = 8;
constexpr size_t kAllKeptShare = 4;

constexpr size_t kPlace = 64;

// The bytes that so many elements lie in; packed ones may begin within one.
uint64_t BytesAround(int64_t elements, uint8_t bits) {
  if (bits >= 8 || elements == 0) return BytesOfElements(elements, bits);
  // The first one, at worst, has the end of a byte.
  return BytesOfElements(elements - 1, bits) + 1;
}

uint64_t RoomFor(int64_t elements, uint8_t bits) {
  return RoundUp<uint64_t>(BytesAround(elements, bits), kPlace);
}

// The bytes of elements [first, first + count).
Piece PieceOf(int64_t first, int64_t count, uint8_t bits) {
  if (count == 0) return {};
  if (bits >= 8) {
    return {BytesOfElements(first, bits), BytesOfElements(count, bits)};
  }
  const uint64_t begin = static_cast<uint64_t>(first) / (8U / bits);
  return {begin, BytesOfElements(first + count, bits) - begin};
}

// Where the kernel is told of its operands, which up to 4 it is on the stack.
uint64_t RoomForTasks(size_t operands) {
  if (operands <= kInlineOperands) return 0;
  return RoundUp<uint64_t>(operands * sizeof(OperandMemory), kPlace);
}

// How far elements [first, ...) begin behind their piece.
int64_t WithinByte(int64_t first, uint8_t bits) {
  return bits >= 8 ? 0 : first % (8 / bits);
}

}  // namespace

// A template, as Aligner is.
template <class File>
class Tiler {
 public:
  Tiler(const Plan& plan, const std::span<const IndexRange>* box,
        size_t memory_bytes, const Allocator& allocator, Tiling& tiling)
      : plan_(plan),
        box_(box),
        memory_(std::min<uint64_t>(memory_bytes, PTRDIFF_MAX)),
        allocator_(allocator),
        tiling_(tiling) {}

  Status Make() {
    const bool empty = plan_.kernel() == nullptr;
    if (empty || plan_.output_count() != 1) {
      Error error = PlanFault(plan_, ErrorClass::kArity, kOutputOperand);
      if (empty) error.detail = Detail::kOtherCount;
      error.extent = static_cast<int64_t>(plan_.output_count());
      error.other_extent = empty ? 0 : 1;
      return std::unexpected(error);
    }
    if (box_ != nullptr) {
      if (Status checked = CheckBox(plan_, *box_); !checked) return checked;
    }
    tiling_.kernel_ = plan_.kernel();
    tiling_.dtype_ = plan_.output_dtype();
    tiling_.plan_ = plan_.fingerprint();
    if (!TakeLoops()) return Refused();
    const int64_t elements = tiling_.loops_.element_count();
    if (elements == 0) return {};
    KeepSmallOperands();
    if (Status cut = Cut(); !cut) return cut;
    Place();
    if (!MakeWork(tiling_.whole_, tiling_.steps_) ||
        (tiling_.tail_steps_ != 0 &&
         !MakeWork(tiling_.tail_, tiling_.tail_steps_))) {
      return Refused();
    }
    return {};
  }

 private:
  Status Refused() const {
    return std::unexpected(
        PlanFault(plan_, ErrorClass::kAllocation, kOutputOperand));
  }

  bool TakeLoops() {
    const size_t operands = plan_.operand_count();
    const size_t rank = plan_.output_shape().size();
    Shape extents;
    if (!extents.ResetForOverwrite(rank, allocator_) ||
        !tiling_.operands_.ResetForOverwrite(operands, allocator_) ||
        !bits_.ResetForOverwrite(operands, allocator_)) {
      return false;
    }
    for (size_t axis = 0; axis < rank; ++axis) {
      extents[axis] = box_ == nullptr ? plan_.output_shape()[axis]
                                      : (*box_)[axis].end - (*box_)[axis].begin;
    }
    // Of a result without elements the strides need not be countable.
    const bool begins =
        box_ != nullptr && std::ranges::count(extents.view(), 0) == 0;
    for (size_t i = 0; i < operands; ++i) {
      bits_[i] = static_cast<uint8_t>(BitsOf(plan_.dtype(i)));
      int64_t first = 0;
      for (size_t axis = 0; axis < rank && begins; ++axis) {
        first += (*box_)[axis].begin * plan_.StrideAlong(i, axis);
      }
      tiling_.operands_[i] = {.place = 0,
                              .room = 0,
                              .first = first,
                              .elements = 0,
                              .bits = bits_[i],
                              .kept = false};
    }
    tiling_.result_bits_ = static_cast<uint8_t>(BitsOf(plan_.output_dtype()));
    return tiling_.loops_.Reset(
        extents.view(), operands,
        [this](size_t operand, size_t axis) {
          return plan_.StrideAlong(operand, axis);
        },
        allocator_);
  }

  // From the first element of an operand that so many steps of a loop read to
  // the last one.
  int64_t Span(size_t operand, size_t loop, int64_t steps) const {
    const LoopNest& loops = tiling_.loops_;
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
    return loop < tiling_.loops_.loop_count() ? tiling_.loops_.extent(loop) : 1;
  }

  void KeepSmallOperands() {
    uint64_t kept = 0;
    for (Tiling::Operand& operand : tiling_.operands_) {
      const size_t i = static_cast<size_t>(&operand - tiling_.operands_.data());
      operand.elements = Span(i, 0, Extent(0));
      const uint64_t room = RoomFor(operand.elements, operand.bits);
      operand.kept = room <= memory_ / kKeptShare &&
                     kept + room <= memory_ / kAllKeptShare;
      if (operand.kept) kept += room;
    }
  }

  // What the pieces of a tile of so many steps take.
  uint64_t Room(size_t loop, int64_t steps, int64_t step_elements) const {
    uint64_t room =
        SaturatingAdd(RoomFor(steps * step_elements, tiling_.result_bits_),
                      RoomForTasks(tiling_.operands_.size()));
    for (size_t i = 0; i < tiling_.operands_.size(); ++i) {
      const Tiling::Operand& operand = tiling_.operands_[i];
      const int64_t elements =
          operand.kept ? operand.elements : Span(i, loop, steps);
      room = SaturatingAdd(room, RoomFor(elements, operand.bits));
    }
    return room;
  }

  // The outermost loop of which a step has room, and how many have.
  Status Cut() {
    const LoopNest& loops = tiling_.loops_;
    int64_t step_elements = loops.element_count();
    size_t loop = 0;
    for (;; ++loop) {
      step_elements /= Extent(loop);
      if (Room(loop, 1, step_elements) <= memory_) break;
      if (loop + 1 < loops.loop_count()) continue;
      Error error = PlanFault(plan_, ErrorClass::kLimit, kAbsent);
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
    // Tiles alike, rather than a small one at the end.
    const int64_t tiles = CeilDiv(extent, least);
    int64_t steps = CeilDiv(extent, tiles);
    constexpr int64_t kAligned = 64;
    if (step_elements == 1 && tiles > 1 && least >= kAligned) {
      steps = std::min(least / kAligned * kAligned, RoundUp(steps, kAligned));
    }
    tiling_.cut_ = loop;
    tiling_.cut_extent_ = extent;
    tiling_.step_elements_ = step_elements;
    tiling_.steps_ = steps;
    tiling_.tail_steps_ = extent % steps;
    tiling_.tiles_a_turn_ = CeilDiv(extent, steps);
    tiling_.tiles_ = turns * tiling_.tiles_a_turn_;
    return {};
  }

  void Place() {
    size_t place = 0;
    for (size_t i = 0; i < tiling_.operands_.size(); ++i) {
      Tiling::Operand& operand = tiling_.operands_[i];
      if (!operand.kept) {
        operand.elements = Span(i, tiling_.cut_, tiling_.steps_);
      }
      operand.place = place;
      operand.room =
          static_cast<size_t>(RoomFor(operand.elements, operand.bits));
      place += operand.room;
    }
    tiling_.result_place_ = place;
    place += static_cast<size_t>(
        RoomFor(tiling_.steps_ * tiling_.step_elements_, tiling_.result_bits_));
    tiling_.tasks_place_ = place;
    tiling_.bytes_ =
        place + static_cast<size_t>(RoomForTasks(tiling_.operands_.size()));
  }

  // The cut loop and those inside it.
  bool MakeWork(Work& work, int64_t steps) {
    const LoopNest& loops = tiling_.loops_;
    const size_t count =
        loops.loop_count() == 0 ? 0 : loops.loop_count() - tiling_.cut_;
    Shape extents;
    if (!extents.ResetForOverwrite(count, allocator_)) return false;
    for (size_t k = 0; k < count; ++k) {
      extents[k] = k == 0 ? steps : loops.extent(tiling_.cut_ + k);
    }
    return work.Reset(
        extents.view(),
        [&](size_t operand, size_t loop) {
          return loops.stride(operand, tiling_.cut_ + loop);
        },
        bits_.view(), tiling_.result_bits_, allocator_);
  }

  const Plan& plan_;
  const std::span<const IndexRange>* const box_;
  const uint64_t memory_;
  const Allocator& allocator_;
  Tiling& tiling_;
  InlineArray<uint8_t, kInlineOperands> bits_;
};

Result<Tiling> Tiling::Make(const Plan& plan, size_t memory_bytes,
                            const Allocator& allocator) noexcept {
  Result<Tiling> tiling;
  Status made =
      Tiler<Here>(plan, nullptr, memory_bytes, allocator, *tiling).Make();
  if (!made) tiling = std::unexpected(made.error());
  return tiling;
}

Result<Tiling> Tiling::Make(const Plan& plan, std::span<const IndexRange> box,
                            size_t memory_bytes,
                            const Allocator& allocator) noexcept {
  Result<Tiling> tiling;
  Status made =
      Tiler<Here>(plan, &box, memory_bytes, allocator, *tiling).Make();
  if (!made) tiling = std::unexpected(made.error());
  return tiling;
}

int64_t Tiling::FirstOf(Position at, size_t operand) const noexcept {
  int64_t first = operands_[operand].first;
  if (loops_.loop_count() == 0) return first;
  first += at.step * loops_.stride(operand, cut_);
  for (size_t loop = cut_; loop-- > 0;) {
    first += at.outer % loops_.extent(loop) * loops_.stride(operand, loop);
    at.outer /= loops_.extent(loop);
  }
  return first;
}

Piece Tiling::operand(int64_t tile, size_t operand) const noexcept {
  if (!Has(tile) || operand >= operands_.size()) return {};
  const Operand& it = operands_[operand];
  if (it.kept) return PieceOf(it.first, it.elements, it.bits);
  int64_t elements = it.elements;
  if (IsTail(tile)) {
    elements -= (steps_ - tail_steps_) * loops_.stride(operand, cut_);
  }
  return PieceOf(FirstOf(PositionOf(tile), operand), elements, it.bits);
}

Piece Tiling::result(int64_t tile) const noexcept {
  if (!Has(tile)) return {};
  return PieceOf(FirstOfResult(PositionOf(tile)),
                 StepsOf(tile) * step_elements_, result_bits_);
}

bool Tiling::shares_byte(int64_t tile) const noexcept {
  return Has(tile) &&
         WithinByte(FirstOfResult(PositionOf(tile)), result_bits_) != 0;
}

Status RunTile(const Plan& plan, const Tiling& tiling, int64_t tile,
               std::span<std::byte> memory) noexcept {
  if (tiling.kernel_ == nullptr || tiling.plan_ != plan.fingerprint()) {
    Error error = PlanFault(plan, ErrorClass::kIncompatible, kOutputOperand);
    error.detail = Detail::kOtherPlan;
    return std::unexpected(error);
  }
  if (!tiling.Has(tile)) {
    Error error = PlanFault(plan, ErrorClass::kExtent, kOutputOperand);
    error.detail = Detail::kOutOfRange;
    error.extent = tile;
    error.other_extent = tiling.tile_count();
    return std::unexpected(error);
  }
  if (memory.size() < tiling.memory_bytes()) {
    Error error = PlanFault(plan, ErrorClass::kLength, kAbsent);
    error.detail = Detail::kMemory;
    error.extent = ToInt64(memory.size());
    error.other_extent = ToInt64(tiling.memory_bytes());
    return std::unexpected(error);
  }
  if (reinterpret_cast<uintptr_t>(memory.data()) % kPlace != 0) {
    Error error = PlanFault(plan, ErrorClass::kLength, kAbsent);
    error.detail = Detail::kMisaligned;
    return std::unexpected(error);
  }
  const size_t count = tiling.operands_.size();
  OperandMemory few[kInlineOperands];
  auto* const operands = count <= kInlineOperands
                             ? few
                             : reinterpret_cast<OperandMemory*>(
                                   memory.data() + tiling.tasks_place_);
  const Tiling::Position at = tiling.PositionOf(tile);
  for (size_t i = 0; i < count; ++i) {
    const Tiling::Operand& it = tiling.operands_[i];
    const int64_t first = tiling.FirstOf(at, i);
    const int64_t begin = it.kept ? it.first : first;
    new (operands + i)
        OperandMemory{.data = memory.data() + it.place,
                      .first = first - begin + WithinByte(begin, it.bits),
                      .bytes = it.room};
  }
  const int64_t first = tiling.FirstOfResult(at);
  std::byte* const out = memory.data() + tiling.result_place_;
  const Work& work = tiling.IsTail(tile) ? tiling.tail_ : tiling.whole_;
  tiling.kernel_->run({.work = &work,
                       .operands = operands,
                       .out = out,
                       .out_first = WithinByte(first, tiling.result_bits_),
                       .begin = 0,
                       .end = work.schedule.run_count(),
                       .past_caches = false});
  if (tiling.result_bits_ < 8 && tile == tiling.tile_count() - 1) {
    const int64_t elements =
        first + tiling.StepsOf(tile) * tiling.step_elements_;
    ClearSpareBits(tiling.dtype_, elements,
                   out + tiling.result(tile).bytes - 1);
  }
  return {};
}

}  // namespace v1
}  // namespace broadloom
