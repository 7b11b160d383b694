// The heap of a module: aligned_alloc and free, with which the core and the
// bindings allocate everything. Smaller than a general one, since all addresses
// are aligned to 64 bytes and nothing is resized.

#include <emscripten/emscripten.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "memory.h"

namespace broadloom_wasm {

namespace {

constexpr uintptr_t kWasmPage = 65536;
// Sizes are multiples of this, and memory is aligned to it.
constexpr uintptr_t kUnit = 64;

// The heap consists of chunks without gaps between them. The last one marks the
// end: it has no memory and is never free. The memory of a chunk begins at a
// multiple of kUnit, 16 bytes after the chunk, and ends where the next begins.
struct Chunk {
  uint32_t units;         // its size, with these fields
  uint32_t units_before;  // that of the chunk before it; 0: it is the first
  bool is_free;
  alignas(16) Chunk* next;  // from here: only of free chunks, in their list
  Chunk** link;             // what points to this chunk
};
constexpr uintptr_t kHeader = offsetof(Chunk, next);
static_assert(kHeader == 16 && sizeof(Chunk) <= kUnit);

Chunk* last = nullptr;

// Lists of free chunks by size, two for each power of two, and a bit for each
// list that is not empty. 2^26 units are 4 GiB.
Chunk* lists[54];
uint64_t filled = 0;

Chunk* At(uintptr_t address) { return reinterpret_cast<Chunk*>(address); }
uintptr_t AddressOf(const Chunk* chunk) {
  return reinterpret_cast<uintptr_t>(chunk);
}
Chunk* After(const Chunk* chunk) {
  return At(AddressOf(chunk) + chunk->units * kUnit);
}
Chunk* Before(const Chunk* chunk) {
  return At(AddressOf(chunk) - chunk->units_before * kUnit);
}

int ListOf(uint32_t units) {
  const int power = std::bit_width(units) - 1;
  const uint32_t upper_half = (uint64_t{units} * 2 >> power) & 1;
  return power * 2 + static_cast<int>(upper_half);
}

void Insert(Chunk* chunk) {
  const int list = ListOf(chunk->units);
  chunk->is_free = true;
  chunk->next = lists[list];
  chunk->link = &lists[list];
  if (chunk->next != nullptr) chunk->next->link = &chunk->next;
  lists[list] = chunk;
  filled |= uint64_t{1} << list;
}

void Remove(Chunk* chunk) {
  const int list = ListOf(chunk->units);
  chunk->is_free = false;
  *chunk->link = chunk->next;
  if (chunk->next != nullptr) chunk->next->link = chunk->link;
  if (lists[list] == nullptr) filled &= ~(uint64_t{1} << list);
}

// A free chunk of at least so many units: one of the first `tries` in the list
// of that size, or the first of the next list. Null: there is none.
Chunk* Find(uint32_t units, uint32_t tries) {
  const int list = ListOf(units);
  for (Chunk* chunk = lists[list]; chunk != nullptr && tries > 0;
       chunk = chunk->next, --tries) {
    if (chunk->units >= units) return chunk;
  }
  const uint64_t larger = filled >> list >> 1;
  return larger == 0 ? nullptr : lists[list + 1 + std::countr_zero(larger)];
}

// Makes a chunk free and joins it with free neighbours.
void Release(Chunk* chunk) {
  if (Chunk* const after = After(chunk); after->is_free) {
    Remove(after);
    chunk->units += after->units;
  }
  if (chunk->units_before != 0) {
    if (Chunk* const before = Before(chunk); before->is_free) {
      Remove(before);
      before->units += chunk->units;
      chunk = before;
    }
  }
  After(chunk)->units_before = chunk->units;
  Insert(chunk);
}

// Makes the memory behind the heap a free chunk. The module's memory ends at a
// multiple of kUnit, possibly at 2^32, for which an address wraps to 0.
void Extend() {
  Chunk* const chunk = last;
  last = At(__builtin_wasm_memory_size(0) * kWasmPage - kHeader);
  last->units = 0;
  last->is_free = false;
  chunk->units = (AddressOf(last) - AddressOf(chunk)) / kUnit;
  Release(chunk);
}

extern "C" std::byte __heap_base;  // the linker's

void Begin() {
  const auto base = reinterpret_cast<uintptr_t>(&__heap_base);
  last = At((base + kHeader + kUnit - 1) / kUnit * kUnit - kHeader);
  last->units_before = 0;
  Extend();
}

// Grows the module's memory for a chunk of so many units, of which there is
// none. Memory that grows takes the elements from every view of it: not while a
// user's function has one.
bool Grow(uint32_t units) {
  if (lent > 0) return false;
  const Chunk* const end = Before(last);
  const uint32_t missing = units - (end->is_free ? end->units : 0);
  constexpr uint32_t kUnitsOfPage = kWasmPage / kUnit;
  const uint32_t needs = (missing + kUnitsOfPage - 1) / kUnitsOfPage;
  // An eighth more than needed, if there is that much, so that the memory
  // grows, and views of it are made anew, less often.
  const uint32_t more = __builtin_wasm_memory_size(0) / 8;
  for (const uint32_t pages : {needs + more, needs}) {
    if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) continue;
    Extend();
    return true;
  }
  return false;
}

}  // namespace

extern "C" {

// Nothing is aligned to more than kUnit.
void* aligned_alloc(size_t, size_t bytes) {
  // Bounds the time. Before the memory grows, the list is searched to its end.
  constexpr uint32_t kTries = 32;
  const auto units =
      static_cast<uint32_t>((uint64_t{bytes} + kHeader + kUnit - 1) / kUnit);
  if (last == nullptr) Begin();
  Chunk* chunk = Find(units, kTries);
  if (chunk == nullptr) chunk = Find(units, UINT32_MAX);
  if (chunk == nullptr) {
    if (!Grow(units)) return nullptr;
    chunk = Before(last);
  }
  Remove(chunk);
  if (const uint32_t rest = chunk->units - units; rest > 0) {
    chunk->units = units;
    Chunk* const after = After(chunk);
    after->units = rest;
    after->units_before = units;
    After(after)->units_before = rest;
    Insert(after);
  }
  return At(AddressOf(chunk) + kHeader);
}

void free(void* memory) {
  if (memory == nullptr) return;
  Release(At(reinterpret_cast<uintptr_t>(memory) - kHeader));
}

}  // extern "C"

}  // namespace broadloom_wasm
