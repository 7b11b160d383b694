// Runs the blocks of a plan as a caller would whose operands are elsewhere.

#ifndef BROADLOOM_TESTS_UNIT_BLOCKS_H_
#define BROADLOOM_TESTS_UNIT_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "reference/guarded_buffer.h"

namespace testing {

// Computes `out` from dense operands, block by block. Returns what is wrong
// with a segment, or an empty string. The memory of the result's segment holds
// noise that changes from block to block.
inline std::string RunBlocks(const broadloom::Plan& plan,
                             const broadloom::Blocks& blocks,
                             const std::vector<reference::Buffer>& operands,
                             reference::Buffer& out) {
  using broadloom::Segment;
  // Aligned and exactly as long as required: the address sanitizer finds
  // accesses beyond it.
  const auto shape = std::vector<int64_t>{
      static_cast<int64_t>(std::max<size_t>(blocks.memory_bytes(), 1))};
  auto memory = broadloom::Tensor::Allocate(broadloom::DType::kU8, shape);
  if (!memory) return "no memory";
  uint8_t* const bytes = static_cast<uint8_t*>(memory->data());
  const std::span<std::byte> whole{reinterpret_cast<std::byte*>(bytes),
                                   blocks.memory_bytes()};
  std::vector<Segment> copied(operands.size());
  size_t done = 0;  // bytes of the result
  for (int64_t block = 0; block < blocks.count(); ++block) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const Segment segment = blocks.operand(block, i);
      if (blocks.place(i) % 64 != 0) return "an operand's place is odd";
      if (blocks.place(i) + segment.bytes > blocks.result_place()) {
        return "an operand's segment has no room";
      }
      if (segment.begin + segment.bytes > operands[i].size()) {
        return "a segment is not in its operand";
      }
      if (block > 0 && segment == copied[i]) continue;
      copied[i] = segment;
      std::copy_n(operands[i].data() + segment.begin, segment.bytes,
                  bytes + blocks.place(i));
    }
    const Segment segment = blocks.result(block);
    const size_t place = blocks.result_place();
    const bool shares = blocks.shares_byte(block);
    if (segment.begin != done - (shares ? 1 : 0)) return "segments leave a gap";
    if (segment.begin + segment.bytes > out.size()) {
      return "a segment is not in it";
    }
    if (place % 64 != 0 || place + segment.bytes > blocks.memory_bytes()) {
      return "the result's segment has no room";
    }
    std::fill_n(bytes + place, segment.bytes,
                static_cast<uint8_t>(block * 37 + 5));
    if (shares) bytes[place] = out[segment.begin];
    if (!RunBlock(plan, blocks, block, whole)) return "RunBlock failed";
    std::copy_n(bytes + place, segment.bytes, out.data() + segment.begin);
    done = segment.begin + segment.bytes;
  }
  return done == out.size() ? "" : "the blocks are not all of the result";
}

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_BLOCKS_H_
