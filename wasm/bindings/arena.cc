// The arena: one block, or one sum of a tensor in memory, at a time.

#include "arena.h"

#include <cstddef>

#include "memory.h"

namespace broadloom_wasm {

namespace {

alignas(kAlignment) std::byte arena[256 << 10];

}  // namespace

std::byte* MemoryForSegments(size_t bytes, bool at_once) {
  return at_once && bytes <= sizeof arena
             ? arena
             : broadloom_allocate(static_cast<double>(bytes));
}

void GiveBack(std::byte* memory) {
  if (memory != nullptr && memory != arena) broadloom_release(memory);
}

}  // namespace broadloom_wasm
