// The core's names and their rows, for JavaScript.

#ifndef BROADLOOM_WASM_VOCABULARY_H_
#define BROADLOOM_WASM_VOCABULARY_H_

#include <emscripten/val.h>

namespace broadloom_wasm {

// Everything known by name, as JSON of the package's type Vocabulary. Null: a
// fault was reported.
emscripten::val VocabularyText();

// JSON of the package's type CoreNames: the SIMD target, lists of names in the
// order of their enumerators, and how operators are called. Null: a fault was
// reported.
emscripten::val NamesText();

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_VOCABULARY_H_
