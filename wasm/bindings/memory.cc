// Memory that JavaScript asks for, lends out and gives back.

#include "memory.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>

#include "broadloom/broadloom.h"
#include "fault.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

// How many views of the memory are lent out.
int32_t lent = 0;

// How far apart the beginnings of large pieces are within a page.
constexpr size_t kPage = 4096;
constexpr size_t kSkew = 576;
size_t last_skew = 0;

// How far behind the beginning of its memory a piece begins.
size_t* SkewOf(std::byte* place) {
  return reinterpret_cast<size_t*>(place - kAlignment);
}

}  // namespace

extern "C" {

void emscripten_notify_memory_growth(size_t memory);

// Emscripten's seam for more memory. While a view of the memory is lent out it
// must not move.
int emscripten_resize_heap(size_t bytes) {
  constexpr size_t kWasmPage = 65536;
  if (lent > 0) return 0;
  const size_t has = __builtin_wasm_memory_size(0);
  const size_t needs = bytes / kWasmPage + (bytes % kWasmPage != 0) - has;
  // Somewhat more than is asked for, where there is, since every view of the
  // memory is lost each time.
  for (const size_t pages : {needs + has / 8, needs}) {
    if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) continue;
    emscripten_notify_memory_growth(0);
    return 1;
  }
  return 0;
}

// While it is lent out, memory does not grow.
EMSCRIPTEN_KEEPALIVE void broadloom_lend(int32_t change) { lent += change; }

// Takes back every view of the memory that there is: they have no elements from
// now on.
EMSCRIPTEN_KEEPALIVE void broadloom_revoke() {
  __builtin_wasm_memory_grow(0, 0);
  emscripten_notify_memory_growth(0);
}

// The seam that tests inject failures into: so many allocations succeed, then
// none; -1 lifts it.
EMSCRIPTEN_KEEPALIVE void broadloom_refuse_after(int32_t allocations) {
  allocations_left = allocations;
}

// Memory for elements, aligned to 64 bytes. `bytes` is a count that may be too
// large for this platform. Large pieces begin at different places of a page:
// where operands are read and results written at like places of theirs, a load
// waits for a store that has only the last 12 bits of its address in common.
EMSCRIPTEN_KEEPALIVE std::byte* broadloom_allocate(double bytes) {
  constexpr size_t kMost = SIZE_MAX - kPage - kAlignment + 1;
  if (bytes > static_cast<double>(kMost)) {
    Report({.error_class = ErrorClass::kLimit,
            .extent = bytes < 0x1p63 ? static_cast<int64_t>(bytes) : INT64_MAX,
            .other_extent = static_cast<int64_t>(kMost)});
    return nullptr;
  }
  const size_t size = bytes < 1 ? 1 : static_cast<size_t>(bytes);
  // The place of a piece is told by what lies before it.
  size_t skew = kAlignment;
  if (size >= kPage) skew += last_skew = (last_skew + kSkew) % kPage;
  auto* const memory = static_cast<std::byte*>(kAllocator.allocate(
      kAllocator.context, RoundUp(size) + skew, kAlignment));
  if (memory == nullptr) {
    ReportRefusal(static_cast<size_t>(bytes));
    return nullptr;
  }
  std::byte* const place = memory + skew;
  *SkewOf(place) = skew;
  return place;
}

EMSCRIPTEN_KEEPALIVE void broadloom_release(std::byte* place) {
  kAllocator.deallocate(kAllocator.context, place - *SkewOf(place), 0,
                        kAlignment);
}

}  // extern "C"

}  // namespace broadloom_wasm
