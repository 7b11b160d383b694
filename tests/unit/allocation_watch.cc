#include "unit/allocation_watch.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BROADLOOM_WATCH_HEAP 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define BROADLOOM_WATCH_HEAP 0
#endif
#endif
#ifndef BROADLOOM_WATCH_HEAP
#ifdef __GLIBC__
#define BROADLOOM_WATCH_HEAP 1
#else
#define BROADLOOM_WATCH_HEAP 0
#endif
#endif

namespace {
thread_local size_t heap_calls = 0;
}  // namespace

namespace testing {

size_t HeapCalls() noexcept { return heap_calls; }
bool HeapIsWatched() noexcept { return BROADLOOM_WATCH_HEAP != 0; }

}  // namespace testing

// Under the sanitizers a heap that is asked for too much says no, as it does
// without them; otherwise they would end the tests of just that.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

#if BROADLOOM_WATCH_HEAP
// The heap's own functions, counted. operator new and aligned_alloc end here
// too, those of shared libraries included.
extern "C" {

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) noexcept {
  ++heap_calls;
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) noexcept {
  ++heap_calls;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, size_t bytes) noexcept {
  ++heap_calls;
  return __libc_realloc(memory, bytes);
}
void* memalign(size_t alignment, size_t bytes) noexcept {
  ++heap_calls;
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  ++heap_calls;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, size_t alignment, size_t bytes) noexcept {
  ++heap_calls;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"
#endif
