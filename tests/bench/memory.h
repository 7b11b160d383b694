// Memory for operands and results, laid so that nothing but the loops
// themselves is measured.

#ifndef BROADLOOM_TESTS_BENCH_MEMORY_H_
#define BROADLOOM_TESTS_BENCH_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace bench {

// What every stream is padded to, so that the limit can move whole vectors.
inline constexpr size_t kUnit = 64;

inline size_t RoundUp(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

// Bytes of one's own, aligned to 64 and padded to a multiple of it.
//
// Large allocations begin at the same place of a page. Two streams walked in
// step would then meet in the low 12 bits of their addresses, by which a
// processor first judges whether a load depends on an earlier store ("4K
// aliasing"): loads would wait for stores that have nothing to do with them.
// So buffer number k begins k times 256 bytes further into its page. The result
// is number 0: a load then runs ahead of the stores, and the store with the
// same low bits is nearly a page behind, long out of the processor's sight.
class Memory {
 public:
  Memory() = default;
  Memory(size_t bytes, size_t number) : bytes_(bytes) {
    constexpr size_t kPage = 4096;
    const size_t offset = number * 256 % kPage;
    const size_t size = RoundUp(offset + RoundUp(bytes, kUnit) + kUnit, kPage);
    whole_.reset(static_cast<uint8_t*>(std::aligned_alloc(kPage, size)));
    if (whole_ == nullptr) return;
    std::memset(whole_.get(), 0, size);  // first touch: the pages are there
    data_ = whole_.get() + offset;
  }

  // Null when the memory was refused.
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
