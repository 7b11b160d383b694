// Plans that are run block by block.
// Each function returns a negative number, or null, after it has reported a
// fault.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "arena.h"
#include "box.h"
#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

// A plan, the blocks it is cut into, and the memory in which they are run.
struct BlockedPlan {
  const Plan* plan;
  Blocks blocks;
  std::span<std::byte> memory;  // the arena, unless it is too small
};

extern "C" {

// Cuts a plan, or the box of its result that the request begins with, into
// blocks that need at most `bytes` bytes of memory each. The plan must outlive
// them. Everything is allocated here, so running a block cannot fail. The
// answer: number of blocks; elements and bytes of the result, or of its box;
// rank and extents of that; address of each operand's segment, then of the
// result's.
EMSCRIPTEN_KEEPALIVE BlockedPlan* broadloom_blocks(const Plan* plan, bool boxed,
                                                   uint32_t bytes) {
  Box box;
  if (!box.Read(*plan, boxed)) return nullptr;
  const size_t operands = plan->operand_count();
  const size_t least = 2 * kAlignment * (operands + 1);
  const size_t most = least > bytes ? least : bytes;
  Result<Blocks> blocks =
      boxed ? Blocks::Make(*plan, box.ranges(), most, kAllocator)
            : Blocks::Make(*plan, most, kAllocator);
  if (!blocks) {
    Report(blocks.error());
    return nullptr;
  }
  const size_t needed = blocks->memory_bytes();
  std::byte* const memory = MemoryForSegments(needed, true);
  const ShapeView shape = box.shape(*plan);
  // This is room for the answers of broadloom_block, too.
  int64_t* answer = answer_words.Reserve(5 + shape.size() + 2 * operands);
  BlockedPlan* const blocked =
      memory == nullptr || answer == nullptr
          ? nullptr
          : Keep(BlockedPlan{plan, std::move(*blocks), {memory, needed}});
  if (blocked == nullptr) {
    GiveBack(memory);
    ReportRefusal(needed + sizeof(BlockedPlan));
    return nullptr;
  }
  const auto address = [memory](size_t place) {
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory + place));
  };
  *answer++ = blocked->blocks.count();
  // The counts of the whole result exist, so those of a box do.
  *answer++ = CountElements(shape).value_or(0);
  *answer++ = CountBytes(shape, plan->output_dtype()).value_or(0);
  *answer++ = static_cast<int64_t>(shape.size());
  for (const int64_t extent : shape) *answer++ = extent;
  for (size_t i = 0; i < operands; ++i) {
    *answer++ = address(blocked->blocks.place(i));
  }
  *answer++ = address(blocked->blocks.result_place());
  return blocked;
}

EMSCRIPTEN_KEEPALIVE void broadloom_blocks_release(BlockedPlan* blocked) {
  GiveBack(blocked->memory.data());
  Drop(blocked);
}

// What a block reads and writes. The answer: first byte and bytes of each
// operand's segment, then of the result's, and whether its first byte belongs
// to the block before it as well.
EMSCRIPTEN_KEEPALIVE void broadloom_block(const BlockedPlan* blocked,
                                          double block) {
  const size_t operands = blocked->plan->operand_count();
  int64_t* answer = answer_words.data();
  const auto put = [&answer](const Segment& segment) {
    *answer++ = static_cast<int64_t>(segment.begin);
    *answer++ = static_cast<int64_t>(segment.bytes);
  };
  const int64_t index = static_cast<int64_t>(block);
  for (size_t i = 0; i < operands; ++i) {
    put(blocked->blocks.operand(index, i));
  }
  put(blocked->blocks.result(index));
  *answer = blocked->blocks.shares_byte(index) ? 1 : 0;
}

// Runs a block on the segments at the addresses that broadloom_blocks answered.
EMSCRIPTEN_KEEPALIVE void broadloom_run_block(const BlockedPlan* blocked,
                                              double block) {
  // Cannot fail: the block's index is valid.
  (void)RunBlock(*blocked->plan, blocked->blocks, static_cast<int64_t>(block),
                 blocked->memory);
}

}  // extern "C"

}  // namespace broadloom_wasm
