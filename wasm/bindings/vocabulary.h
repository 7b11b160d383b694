// What the core knows by name, for JavaScript.

#ifndef BROADLOOM_WASM_VOCABULARY_H_
#define BROADLOOM_WASM_VOCABULARY_H_

#include <emscripten/val.h>

namespace broadloom_wasm {

// Everything that is known by name, as JSON of the package's type Vocabulary.
emscripten::val VocabularyText();

// The SIMD target, and names by the enums' values, for reading and writing the
// blocks, as JSON.
emscripten::val NamesText();

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_VOCABULARY_H_
