// Sentences, and shapes as texts. Each function writes a text in UTF-8 into the
// answer and returns its length in bytes; a negative number after it has
// reported a fault.

#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "request.h"
#include "sentence.h"

namespace broadloom_wasm {

using namespace broadloom;

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t broadloom_explain_verdict() {
  Request request;
  if (!request.Read()) return -1;
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return -1;
  return Sentence(
      [&](std::span<char> out) { return ExplainVerdict(*alignment, out); });
}

// The sentences of all axes, one a line.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_explain_axes() {
  Request request;
  if (!request.Read()) return -1;
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return -1;
  return Sentence([&](std::span<char> out) {
    size_t size = 0;
    for (size_t axis = 0; axis < alignment->rank(); ++axis) {
      if (axis > 0) {
        if (size < out.size()) out[size] = '\n';
        ++size;
      }
      size += ExplainAxis(*alignment, axis,
                          out.subspan(std::min(size, out.size())));
    }
    return size;
  });
}

// The sentence of the error in the fault block.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_describe() {
  const Error error = Fault();
  return Sentence([&](std::span<char> out) { return Describe(error, out); });
}

// The shape in the request's index, as text.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_format_shape() {
  Request request;
  if (!request.Read()) return -1;
  return Sentence(
      [&](std::span<char> out) { return FormatShape(*request.index, out); });
}

EMSCRIPTEN_KEEPALIVE int32_t broadloom_format_operand(int32_t operand) {
  return Sentence(
      [&](std::span<char> out) { return FormatOperand(operand, out); });
}

}  // extern "C"

}  // namespace broadloom_wasm
