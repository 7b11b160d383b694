// The functions of embind: the vocabulary, sentences, shapes as texts. Each
// returns null after it has reported a fault.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "request.h"
#include "sentence.h"
#include "vocabulary.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

using emscripten::val;

val ExplainVerdictText() {
  Request request;
  if (!request.Read()) return val::null();
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return val::null();
  return Sentence(
      [&](std::span<char> out) { return ExplainVerdict(*alignment, out); });
}

// The sentences of all axes, one a line.
val ExplainAxesText() {
  Request request;
  if (!request.Read()) return val::null();
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return val::null();
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
val DescribeFault() {
  const Error error = Fault();
  return Sentence([&](std::span<char> out) { return Describe(error, out); });
}

// The shape in the request's index, as text.
val FormatShapeText() {
  Request request;
  if (!request.Read()) return val::null();
  return Sentence(
      [&](std::span<char> out) { return FormatShape(*request.index, out); });
}

val FormatOperandText(int32_t operand) {
  return Sentence(
      [&](std::span<char> out) { return FormatOperand(operand, out); });
}

EMSCRIPTEN_BINDINGS(broadloom) {
  emscripten::function("vocabulary", &VocabularyText);
  emscripten::function("names", &NamesText);
  emscripten::function("explainVerdict", &ExplainVerdictText);
  emscripten::function("explainAxes", &ExplainAxesText);
  emscripten::function("describe", &DescribeFault);
  emscripten::function("formatShape", &FormatShapeText);
  emscripten::function("formatOperand", &FormatOperandText);
}

}  // namespace

extern "C" {

// Replaces siprintf, which embind calls to name a type that was not registered.
// All types are registered, and siprintf would link the whole of printf.
int __wrap_siprintf(char* to, const char* /*format*/, ...) {
  *to = '\0';
  return 0;
}

}  // extern "C"

}  // namespace broadloom_wasm
