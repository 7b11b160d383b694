// The memory in which blocks and sums keep copies of operands and results.

#ifndef BROADLOOM_WASM_ARENA_H_
#define BROADLOOM_WASM_ARENA_H_

#include <cstddef>

#include "memory.h"

namespace broadloom_wasm {

// Memory for so many bytes: of the arena, if it has room and nothing else is
// put there in between (`at_once`). Null: a fault was reported.
std::byte* MemoryForSegments(size_t bytes, bool at_once);

// Gives back what MemoryForSegments gave, or null.
void GiveBack(std::byte* memory);

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_ARENA_H_
