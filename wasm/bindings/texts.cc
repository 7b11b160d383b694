// What embind gives: the vocabulary, sentences, shapes as texts.

#include <emscripten/bind.h>
#include <emscripten/val.h>

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

val ExplainAxisText(uint32_t axis) {
  Request request;
  if (!request.Read()) return val::null();
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return val::null();
  return Sentence(
      [&](std::span<char> out) { return ExplainAxis(*alignment, axis, out); });
}

// The sentence for what is in the fault block.
val DescribeFault() {
  const Error error = Fault();
  return Sentence([&](std::span<char> out) { return Describe(error, out); });
}

// The index list of the request, as a shape.
val FormatShapeText() {
  Request request;
  if (!request.Read()) return val::null();
  return Sentence(
      [&](std::span<char> out) { return FormatShape(request.index, out); });
}

val FormatOperandText(int32_t operand) {
  return Sentence(
      [&](std::span<char> out) { return FormatOperand(operand, out); });
}

EMSCRIPTEN_BINDINGS(broadloom) {
  emscripten::function("vocabulary", &VocabularyText);
  emscripten::function("names", &NamesText);
  emscripten::function("explainVerdict", &ExplainVerdictText);
  emscripten::function("explainAxis", &ExplainAxisText);
  emscripten::function("describe", &DescribeFault);
  emscripten::function("formatShape", &FormatShapeText);
  emscripten::function("formatOperand", &FormatOperandText);
}

}  // namespace

extern "C" {

// In place of siprintf, by which embind would name a type that it has no name
// for: a function's, of which it knows all. It would bring the whole of printf.
int __wrap_siprintf(char* to, const char* /*format*/, ...) {
  *to = '\0';
  return 0;
}

}  // extern "C"

}  // namespace broadloom_wasm
