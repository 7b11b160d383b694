// The limit of the package's bench, called from JavaScript: the loop of
// limit.h, on streams in this module's memory.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "limit.h"
#include "memory.h"

namespace {

constexpr size_t kMostStreams = 9;
bench::Memory streams[kMostStreams];  // the result, then each operand
size_t stream_count = 0;

}  // namespace

extern "C" {

// Allocates a stream: for the result first, then for each operand. Returns its
// address, or null if there is no memory.
EMSCRIPTEN_KEEPALIVE uint8_t* limit_add(size_t bytes) {
  if (stream_count == kMostStreams) return nullptr;
  bench::Memory& stream = streams[stream_count];
  stream = bench::Memory(bytes, stream_count);
  if (stream.data() == nullptr) return nullptr;
  ++stream_count;
  return stream.data();
}

// Reads every byte of the operands and writes every byte of the result, once.
EMSCRIPTEN_KEEPALIVE void limit_move() {
  bench::MoveStreams(std::span(streams).subspan(1, stream_count - 1),
                     streams[0], /*streaming=*/false, 0, 1);
}

}  // extern "C"
