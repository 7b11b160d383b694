// Sentences of the core as JavaScript strings.

#ifndef BROADLOOM_WASM_SENTENCE_H_
#define BROADLOOM_WASM_SENTENCE_H_

#include <emscripten/val.h>

#include <cstddef>
#include <span>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"

namespace broadloom_wasm {

using namespace broadloom;

// The sentence that `write` writes: it gets a buffer, fills as much of it as
// the sentence needs, and returns the length of the whole sentence. Null: a
// fault was reported.
template <class Write>
emscripten::val Sentence(Write write) {
  // Long enough for all but sentences about many axes or operands.
  char some[4096];
  const size_t size = write(std::span<char>(some, sizeof some - 1));
  if (size < sizeof some) {
    some[size] = '\0';
    return emscripten::val::u8string(some);
  }
  InlineArray<char, 1> all;
  if (!all.Reset(size + 1, kAllocator)) {
    ReportRefusal(size + 1);
    return emscripten::val::null();
  }
  write(all.view().first(size));
  return emscripten::val::u8string(all.data());
}

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_SENTENCE_H_
