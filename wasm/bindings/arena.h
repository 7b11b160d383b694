// Where tiles and sums have what is copied in and out.

#ifndef BROADLOOM_WASM_ARENA_H_
#define BROADLOOM_WASM_ARENA_H_

#include <cstddef>

#include "memory.h"

namespace broadloom_wasm {

// Memory for so many bytes: of the arena, if it has room and nothing else is
// put there in between (`at_once`). Null: a fault was reported.
std::byte* MemoryForPieces(size_t bytes, bool at_once);

// Gives back what MemoryForPieces gave, or null.
void GiveBack(std::byte* memory);

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_ARENA_H_
