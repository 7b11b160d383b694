#include "broadloom/blocks.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <new>
#include <span>

#include "base/spare_bits.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/work.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {
namespace {

// The bytes of elements [first, first + count).
Segment SegmentOf(int64_t first, int64_t count, uint8_t bits) {
  if (count == 0) return {};
  if (bits >= 8) {
    return {BytesOfElements(first, bits), BytesOfElements(count, bits)};
  }
  const uint64_t begin = static_cast<uint64_t>(first) / (8U / bits);
  return {begin, BytesOfElements(first + count, bits) - begin};
}

// How many elements of the same byte come before element `first`.
int64_t WithinByte(int64_t first, uint8_t bits) {
  return bits >= 8 ? 0 : first % (8 / bits);
}

}  // namespace

int64_t Blocks::FirstOf(Position at, size_t operand) const noexcept {
  int64_t first = operands_[operand].first;
  if (loops_.loop_count() == 0) return first;
  first += at.step * loops_.stride(operand, cut_);
  for (size_t loop = cut_; loop-- > 0;) {
    first += at.outer % loops_.extent(loop) * loops_.stride(operand, loop);
    at.outer /= loops_.extent(loop);
  }
  return first;
}

Segment Blocks::operand(int64_t block, size_t operand) const noexcept {
  if (!Has(block) || operand >= operands_.size()) return {};
  const Operand& it = operands_[operand];
  if (it.kept) return SegmentOf(it.first, it.elements, it.bits);
  int64_t elements = it.elements;
  if (IsTail(block)) {
    elements -= (steps_ - tail_steps_) * loops_.stride(operand, cut_);
  }
  return SegmentOf(FirstOf(PositionOf(block), operand), elements, it.bits);
}

Segment Blocks::result(int64_t block) const noexcept {
  if (!Has(block)) return {};
  return SegmentOf(FirstOfResult(PositionOf(block)),
                   StepsOf(block) * step_elements_, result_bits_);
}

bool Blocks::shares_byte(int64_t block) const noexcept {
  return Has(block) &&
         WithinByte(FirstOfResult(PositionOf(block)), result_bits_) != 0;
}

Status RunBlock(const Plan& plan, const Blocks& blocks, int64_t block,
                std::span<std::byte> memory) noexcept {
  if (blocks.kernel_ == nullptr || blocks.plan_ != plan.fingerprint()) {
    Error error = PlanError(plan, ErrorClass::kIncompatible, kOutputOperand);
    error.detail = Detail::kOtherPlan;
    return std::unexpected(error);
  }
  if (!blocks.Has(block)) {
    Error error = PlanError(plan, ErrorClass::kExtent, kOutputOperand);
    error.detail = Detail::kOutOfRange;
    error.extent = block;
    error.other_extent = blocks.count();
    return std::unexpected(error);
  }
  if (memory.size() < blocks.memory_bytes()) {
    Error error = PlanError(plan, ErrorClass::kLength, kAbsent);
    error.detail = Detail::kMemory;
    error.extent = ToInt64(memory.size());
    error.other_extent = ToInt64(blocks.memory_bytes());
    return std::unexpected(error);
  }
  if (reinterpret_cast<uintptr_t>(memory.data()) % kBlockAlignment != 0) {
    Error error = PlanError(plan, ErrorClass::kLength, kAbsent);
    error.detail = Detail::kMisaligned;
    return std::unexpected(error);
  }
  const size_t count = blocks.operands_.size();
  OperandMemory few[kInlineOperands];
  auto* const operands = count <= kInlineOperands
                             ? few
                             : reinterpret_cast<OperandMemory*>(
                                   memory.data() + blocks.tasks_place_);
  const Blocks::Position at = blocks.PositionOf(block);
  for (size_t i = 0; i < count; ++i) {
    const Blocks::Operand& it = blocks.operands_[i];
    const int64_t first = blocks.FirstOf(at, i);
    const int64_t begin = it.kept ? it.first : first;
    new (operands + i)
        OperandMemory{.data = memory.data() + it.place,
                      .first = first - begin + WithinByte(begin, it.bits),
                      .bytes = it.room};
  }
  const int64_t first = blocks.FirstOfResult(at);
  std::byte* const out = memory.data() + blocks.result_place_;
  const Work& work = blocks.IsTail(block) ? blocks.tail_ : blocks.whole_;
  blocks.kernel_->run({.work = &work,
                       .operands = operands,
                       .out = out,
                       .out_first = WithinByte(first, blocks.result_bits_),
                       .begin = 0,
                       .end = work.schedule.run_count(),
                       .past_caches = false});
  if (blocks.result_bits_ < 8 && block == blocks.count() - 1) {
    const int64_t elements =
        first + blocks.StepsOf(block) * blocks.step_elements_;
    ClearSpareBits(blocks.dtype_, elements,
                   out + blocks.result(block).bytes - 1);
  }
  return {};
}

}  // namespace v1
}  // namespace broadloom
