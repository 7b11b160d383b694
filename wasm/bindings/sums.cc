// Sums back to an operand's shape, step by step.
// Each function returns a negative number, or null, after it has reported a
// fault.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "arena.h"
#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "request.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

// A sum that has begun, and the memory in which it works.
struct Sums {
  SumStream stream;
  std::span<std::byte> memory;
};

namespace {

// The state of a sum. The answer: bytes of the tensor, how many of them have
// been added, bytes of the sums; address of the memory; first byte and bytes of
// the sums that were just completed, which are there; of the segments that are
// to be copied there next, first byte, bytes of each, how many, bytes from one
// to the next; whether the sum is done.
void AnswerState(const Sums& sums) {
  const SumStream& stream = sums.stream;
  const Segment result = stream.result();
  const Segments input = stream.input();
  const uint64_t words[] = {stream.input_bytes(),
                            stream.added_bytes(),
                            stream.output_bytes(),
                            reinterpret_cast<uintptr_t>(sums.memory.data()),
                            result.begin,
                            result.bytes,
                            input.begin,
                            input.bytes,
                            input.count,
                            input.step,
                            stream.done() ? uint64_t{1} : uint64_t{0}};
  int64_t* answer = answer_words.data();
  for (const uint64_t word : words) *answer++ = static_cast<int64_t>(word);
}

}  // namespace

extern "C" {

// Begins the sum of a tensor to another shape. The request's operands are the
// tensor and the sums, of one type. The sum works in at most `bytes` bytes of
// memory, and asks for no more once it has begun. For a tensor that lies in
// memory these are the arena's: nothing else may be run before the sum is done.
// The answer is that of AnswerState.
EMSCRIPTEN_KEEPALIVE Sums* broadloom_sum(uint32_t bytes, bool in_memory) {
  Request request;
  if (!request.Read()) return nullptr;
  Result<SumStream> stream = SumStream::Make(
      request.dtypes[0], request.shapes[0], request.shapes[1], bytes,
      {.rule = *request.rule,
       .axis = request.axis,
       .axes_mapping = request.axes_mapping},
      in_memory ? SumInput::kInMemory : SumInput::kBrought, kAllocator);
  if (!stream) {
    Report(stream.error());
    return nullptr;
  }
  const size_t needed = stream->memory_bytes();
  std::byte* const memory = MemoryForSegments(needed, in_memory);
  Sums* const sums = memory == nullptr
                         ? nullptr
                         : Keep(Sums{std::move(*stream), {memory, needed}});
  if (sums == nullptr) {
    GiveBack(memory);
    ReportRefusal(needed + sizeof(Sums));
    return nullptr;
  }
  AnswerState(*sums);
  return sums;
}

EMSCRIPTEN_KEEPALIVE void broadloom_sum_release(Sums* sums) {
  GiveBack(sums->memory.data());
  Drop(sums);
}

// Adds the segments that the answer named, which were copied to its address, or
// lie in the tensor at `in`. The answer is that of AnswerState.
EMSCRIPTEN_KEEPALIVE void broadloom_sum_add(Sums* sums, const void* in) {
  // Cannot fail: the sum is not done, and has all of its memory.
  (void)sums->stream.Add(sums->memory, in);
  AnswerState(*sums);
}

}  // extern "C"

}  // namespace broadloom_wasm
