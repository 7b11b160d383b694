// Reads what JavaScript asks for.

#include "request.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

bool Request::Read() {
  const int64_t* word = request_words.data();
  op = Optional<Op>(*word++);
  rule = Optional<Rule>(*word++);
  result_dtype = Optional<DType>(*word++);
  if (*word++ != 0) axis = *word;
  ++word;
  const int64_t target_size = *word++;
  const int64_t mapping_size = *word++;
  const int64_t index_size = *word++;
  if (*word++ != 0) attributes.fmod = *word;
  ++word;
  attributes.direction = Optional<ShiftDirection>(*word++);
  attributes.to = Optional<DType>(*word++);
  if (*word++ != 0) attributes.saturate = *word;
  ++word;
  const size_t operands = static_cast<size_t>(*word++);
  if (!shapes.Reset(operands, kAllocator) ||
      !dtypes.Reset(operands, kAllocator)) {
    ReportRefusal(operands * sizeof(ShapeView));
    return false;
  }
  const int64_t* list = word + 2 * operands;
  const auto next = [&list](int64_t size) {
    const std::span<const int64_t> values(list, static_cast<size_t>(size));
    list += size;
    return values;
  };
  for (size_t i = 0; i < operands; ++i) {
    dtypes[i] = static_cast<DType>(*word++);
    shapes[i] = next(*word++);
  }
  if (target_size >= 0) target_shape = next(target_size);
  if (mapping_size >= 0) axes_mapping = next(mapping_size);
  if (index_size >= 0) index = next(index_size);
  return true;
}

std::optional<Alignment> AlignRequest(const Request& request) {
  Result<Alignment> alignment = Align(request.broadcast(), kAllocator);
  if (alignment) return std::move(*alignment);
  Report(alignment.error());
  return std::nullopt;
}

extern "C" {

// Where requests are written: room for at least `words` of them.
EMSCRIPTEN_KEEPALIVE int64_t* broadloom_request(uint32_t words) {
  int64_t* block = request_words.Reserve(words);
  if (block == nullptr) ReportRefusal(uint64_t{words} * sizeof(int64_t));
  return block;
}

EMSCRIPTEN_KEEPALIVE int64_t* broadloom_answer() { return answer_words.data(); }

}  // extern "C"

}  // namespace broadloom_wasm
