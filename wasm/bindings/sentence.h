// Sentences of the core, for JavaScript.

#ifndef BROADLOOM_WASM_SENTENCE_H_
#define BROADLOOM_WASM_SENTENCE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "words.h"

namespace broadloom_wasm {

// Writes a sentence into the answer and returns its length in bytes. `write`
// gets a buffer, fills as much of it as the sentence needs, and returns the
// length of the whole sentence. Negative: a fault was reported.
template <class Write>
int32_t Sentence(Write write) {
  const std::span<char> room = answer_words.text();
  const size_t size = write(room);
  if (size > room.size()) {
    if (!answer_words.ReserveText(size)) return -1;
    write(answer_words.text());
  }
  return static_cast<int32_t>(size);
}

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_SENTENCE_H_
