// Buffers for the elements of tests, directly beside inaccessible pages: at
// their end or their beginning, as a generator decides. A read or write beyond
// that end stops the program at once. A write beyond the other end is detected
// when the buffer is released, and at once with the address sanitizer. In
// WebAssembly, which has no pages to guard, writes beyond both ends are
// detected when the buffer is released. For tests only.

#ifndef BROADLOOM_TESTS_REFERENCE_GUARDED_BUFFER_H_
#define BROADLOOM_TESTS_REFERENCE_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#if defined(__wasm__)
#define BROADLOOM_TESTS_GUARD_PAGES 0
#else
#define BROADLOOM_TESTS_GUARD_PAGES 1
#include <sys/mman.h>
#endif

// The address sanitizer detects accesses beyond memory itself, and is so slow
// that random trials are fewer with it; the thread sanitizer is slower still.
#if defined(__SANITIZE_ADDRESS__)
#define BROADLOOM_TESTS_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define BROADLOOM_TESTS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BROADLOOM_TESTS_ASAN 1
#elif __has_feature(thread_sanitizer)
#define BROADLOOM_TESTS_TSAN 1
#endif
#endif
#ifndef BROADLOOM_TESTS_ASAN
#define BROADLOOM_TESTS_ASAN 0
#endif
#ifndef BROADLOOM_TESTS_TSAN
#define BROADLOOM_TESTS_TSAN 0
#endif

#if BROADLOOM_TESTS_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace reference {

inline constexpr bool kSanitized =
    BROADLOOM_TESTS_ASAN != 0 || BROADLOOM_TESTS_TSAN != 0;

// Bytes before and after each buffer that a view may include but nothing may
// touch: a view's `bytes` may be this much more than its elements take. 0
// without guard pages.
inline constexpr size_t kGuardBytes =
    BROADLOOM_TESTS_GUARD_PAGES != 0 ? size_t{64} << 10 : 0;

inline constexpr uint8_t kWatch = 0xA5;

// Marks the bytes of [begin, begin + room) beside the buffer, so that
// CheckWatched detects a write to them.
inline void Watch(uint8_t* begin, size_t room, uint8_t* buffer, size_t bytes) {
  const auto before = static_cast<size_t>(buffer - begin);
  std::memset(begin, kWatch, before);
  std::memset(buffer + bytes, kWatch, room - bytes - before);
}

inline void CheckWatched(const uint8_t* begin, size_t room,
                         const uint8_t* buffer, size_t bytes) {
  for (const uint8_t* at = begin; at < begin + room; ++at) {
    if (at == buffer) at += bytes;
    if (at == begin + room || *at == kWatch) continue;
    std::fprintf(stderr, "a byte %td bytes from a buffer of %zu was written\n",
                 at - buffer, bytes);
    std::abort();
  }
}

#if BROADLOOM_TESTS_GUARD_PAGES
// Pages between guard pages, kept for the next buffer of the same size.
class GuardedMemory {
 public:
  static GuardedMemory& Get() {
    static GuardedMemory pages;
    return pages;
  }

  uint8_t* Take(size_t bytes) {
    const size_t room = RoomFor(bytes);
    uint8_t* begin = nullptr;
    bool flush_at_end = false;
    {
      const std::lock_guard lock(mutex_);
      turn_ = turn_ * 6364136223846793005u + 1442695040888963407u;
      flush_at_end = (turn_ >> 33 & 1) != 0;
      std::vector<uint8_t*>& free = free_[room];
      if (!free.empty()) {
        begin = free.back();
        free.pop_back();
      }
    }
    if (begin == nullptr) begin = Map(room);
    uint8_t* const buffer = flush_at_end ? begin + (room - bytes) : begin;
    Watch(begin, room, buffer, bytes);
    Poison(begin, buffer, bytes, room);
    return buffer;
  }

  void Return(uint8_t* buffer, size_t bytes) {
    const size_t room = RoomFor(bytes);
    const auto address = reinterpret_cast<uintptr_t>(buffer);
    // A buffer that fills its pages begins at their beginning in both cases.
    uint8_t* const begin =
        address % kPage == 0 ? buffer : buffer - (room - bytes);
#if BROADLOOM_TESTS_ASAN
    ASAN_UNPOISON_MEMORY_REGION(begin, room);
#endif
    CheckWatched(begin, room, buffer, bytes);
    // Large ones are unmapped, so that a test of gigabytes leaves none behind.
    if (room > kMostKept) {
      munmap(begin - kGuardBytes, room + 2 * kGuardBytes);
      return;
    }
    const std::lock_guard lock(mutex_);
    free_[room].push_back(begin);
  }

 private:
  static constexpr size_t kPage = 4096;
  static constexpr size_t kMostKept = size_t{1} << 20;

  static size_t RoomFor(size_t bytes) {
    const size_t pages = (bytes + kPage - 1) / kPage;
    return (pages == 0 ? 1 : pages) * kPage;
  }

  static uint8_t* Map(size_t room) {
    void* const all = mmap(nullptr, room + 2 * kGuardBytes, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    uint8_t* const begin = static_cast<uint8_t*>(all) + kGuardBytes;
    if (all == MAP_FAILED ||
        mprotect(begin, room, PROT_READ | PROT_WRITE) != 0) {
      std::fprintf(stderr, "no more pages to guard: too many buffers\n");
      std::abort();
    }
    return begin;
  }

  static void Poison(uint8_t* begin, uint8_t* buffer, size_t bytes,
                     size_t room) {
#if BROADLOOM_TESTS_ASAN
    ASAN_POISON_MEMORY_REGION(begin, room);
    ASAN_UNPOISON_MEMORY_REGION(buffer, bytes);
#else
    (void)begin, (void)buffer, (void)bytes, (void)room;
#endif
  }

  std::mutex mutex_;
  uint64_t turn_ = 1;
  std::map<size_t, std::vector<uint8_t*>> free_;  // by size in bytes
};

#else
// Memory with watched bytes at both ends.
class GuardedMemory {
 public:
  static GuardedMemory& Get() {
    static GuardedMemory memory;
    return memory;
  }

  uint8_t* Take(size_t bytes) {
    const size_t room = RoomFor(bytes);
    auto* const begin = static_cast<uint8_t*>(std::malloc(room));
    if (begin == nullptr) std::abort();
    Watch(begin, room, begin + kWatchedBytes, bytes);
    return begin + kWatchedBytes;
  }

  void Return(uint8_t* buffer, size_t bytes) {
    uint8_t* const begin = buffer - kWatchedBytes;
    CheckWatched(begin, RoomFor(bytes), buffer, bytes);
    std::free(begin);
  }

 private:
  static constexpr size_t kWatchedBytes = 256;  // at each end

  static size_t RoomFor(size_t bytes) { return bytes + 2 * kWatchedBytes; }
};
#endif

template <class T>
struct GuardAllocator {
  using value_type = T;
  GuardAllocator() = default;
  template <class U>
  explicit GuardAllocator(const GuardAllocator<U>&) {}

  T* allocate(size_t count) {
    return reinterpret_cast<T*>(GuardedMemory::Get().Take(count * sizeof(T)));
  }
  void deallocate(T* buffer, size_t count) {
    GuardedMemory::Get().Return(reinterpret_cast<uint8_t*>(buffer),
                                count * sizeof(T));
  }
  friend bool operator==(const GuardAllocator&, const GuardAllocator&) {
    return true;
  }
};

using Buffer = std::vector<uint8_t, GuardAllocator<uint8_t>>;

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_GUARDED_BUFFER_H_
