#include "unit/allocation_watch.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

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
thread_local bool refuses = false;
thread_local size_t calls_before_refusal = 0;

// Counts a call, and returns whether it is the one to refuse. Does not change
// errno, which the C library expects.
bool IsRefused() noexcept {
  ++heap_calls;
  if (!refuses || calls_before_refusal-- != 0) return false;
  refuses = false;
  errno = ENOMEM;
  return true;
}

}  // namespace

namespace testing {

size_t HeapCalls() noexcept { return heap_calls; }

HeapRefusal::HeapRefusal(size_t refused) noexcept {
  calls_before_refusal = refused;
  refuses = true;
}
HeapRefusal::~HeapRefusal() { refuses = false; }
bool HeapRefusal::happened() const noexcept { return !refuses; }

bool HeapIsWatched() noexcept { return BROADLOOM_WATCH_HEAP != 0; }

}  // namespace testing

// Makes the sanitizers return null for too large requests, as malloc does,
// instead of ending the process.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

#if BROADLOOM_WATCH_HEAP
// Counting versions of the heap's functions. operator new and aligned_alloc
// call them as well, also in shared libraries.
extern "C" {

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) noexcept {
  if (IsRefused()) return nullptr;
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) noexcept {
  if (IsRefused()) return nullptr;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, size_t bytes) noexcept {
  if (IsRefused()) return nullptr;
  return __libc_realloc(memory, bytes);
}
void* memalign(size_t alignment, size_t bytes) noexcept {
  if (IsRefused()) return nullptr;
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  if (IsRefused()) return nullptr;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, size_t alignment, size_t bytes) noexcept {
  if (IsRefused()) return ENOMEM;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"
#else
// Elsewhere these call malloc; here they call the sanitizer's.
void* operator new(size_t bytes) {
  void* memory = IsRefused() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return IsRefused() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](size_t bytes, const std::nothrow_t& tag) noexcept {
  return operator new(bytes, tag);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  const size_t unit = static_cast<size_t>(alignment);
  void* memory =
      IsRefused() ? nullptr
                  : std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return operator new(bytes, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}
#endif
