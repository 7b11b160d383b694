// Memory for elements that JavaScript allocates and releases, and views of the
// module's memory.

#include "memory.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>

#include "broadloom/broadloom.h"
#include "fault.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

// By how much the addresses of successive large allocations differ, modulo the
// size of a page.
constexpr size_t kPage = 4096;
constexpr size_t kSkew = 576;
size_t last_skew = 0;

// The distance of `place` from the beginning of its allocation is kept in front
// of it.
size_t* SkewOf(std::byte* place) {
  return reinterpret_cast<size_t*>(place - kAlignment);
}

}  // namespace

extern "C" {

// `change`: 1 before a user's function gets a view of the memory, -1 after it.
EMSCRIPTEN_KEEPALIVE void broadloom_lend(int32_t change) { lent += change; }

// Takes the elements from every view of the memory, so that none that a user's
// function has kept can be used.
EMSCRIPTEN_KEEPALIVE void broadloom_revoke() {
  __builtin_wasm_memory_grow(0, 0);
}

// For tests: so many allocations succeed, then none; -1 ends that.
EMSCRIPTEN_KEEPALIVE void broadloom_refuse_after(int32_t allocations) {
  allocations_left = allocations;
}

// Memory for elements, aligned to 64 bytes. `bytes` may be too large for this
// platform. Addresses of large allocations differ modulo the size of a page: a
// load waits for an earlier store whose address has the same last 12 bits,
// which operands and results that begin at the same place of a page would cause
// at every element.
EMSCRIPTEN_KEEPALIVE std::byte* broadloom_allocate(double bytes) {
  constexpr size_t kMost = SIZE_MAX - kPage - kAlignment + 1;
  if (bytes > static_cast<double>(kMost)) {
    Report({.error_class = ErrorClass::kLimit,
            .extent = bytes < 0x1p63 ? static_cast<int64_t>(bytes) : INT64_MAX,
            .other_extent = static_cast<int64_t>(kMost)});
    return nullptr;
  }
  const size_t size = bytes < 1 ? 1 : static_cast<size_t>(bytes);
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
