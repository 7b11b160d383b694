// Memory for operands and results, placed so that only the loops themselves
// affect the times.

#ifndef BROADLOOM_TESTS_BENCH_MEMORY_H_
#define BROADLOOM_TESTS_BENCH_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bench {

// Every stream is padded to a multiple of this, so that the limit can move
// whole vectors.
inline constexpr size_t kUnit = 64;

inline size_t RoundUp(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

// An allocation, aligned to 64 bytes and padded to a multiple of them.
//
// Large allocations begin at the same offset in a page. Two streams read and
// written at the same pace would then have equal low 12 address bits.
// Processors compare those first to decide whether a load depends on an earlier
// store ("4K aliasing"), and loads would wait for unrelated stores. So buffer
// number k begins k times 256 bytes further into its page. The result is number
// 0: loads are then ahead of the stores, and a store with the same low bits is
// nearly a page behind, too long ago to matter.
//
// On Linux the pages are huge ones of 2 MiB, where the system has some. With
// pages of 4 KiB the same loop takes up to 1.3 times as long in one process as
// in another, as its pages happen to share parts of the caches.
class Memory {
 public:
  Memory() = default;
  Memory(size_t bytes, size_t number) : bytes_(bytes) {
#if defined(__linux__)
    constexpr size_t kPage = size_t{2} << 20;
#else
    constexpr size_t kPage = 4096;
#endif
    const size_t offset = number * 256 % 4096;
    const size_t used = offset + RoundUp(bytes, kUnit) + kUnit;
    const size_t size = RoundUp(used, kPage);
    whole_.reset(static_cast<uint8_t*>(std::aligned_alloc(kPage, size)));
    if (whole_ == nullptr) return;
#if defined(__linux__)
    madvise(whole_.get(), size, MADV_HUGEPAGE);
#endif
    std::memset(whole_.get(), 0, used);  // first touch: maps the pages
    data_ = whole_.get() + offset;
  }

  // Null if there is no memory.
  uint8_t* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(uint8_t* memory) const { std::free(memory); }
  };
  std::unique_ptr<uint8_t, Free> whole_;
  uint8_t* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_MEMORY_H_
