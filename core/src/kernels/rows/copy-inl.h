// Copies bytes, fills memory with an element, and copies with streaming stores.

#if defined(BROADLOOM_KERNELS_ROWS_COPY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_COPY_INL_H_
#undef BROADLOOM_KERNELS_ROWS_COPY_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_COPY_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Fewer bytes than a vector, for which a call of memcpy would cost more than
// the copy.
HWY_INLINE void CopyShort(const uint8_t* from, size_t bytes, uint8_t* to) {
  for (; bytes >= 8; bytes -= 8, from += 8, to += 8) std::memcpy(to, from, 8);
  if (bytes >= 4) {
    std::memcpy(to, from, 4);
    bytes -= 4, from += 4, to += 4;
  }
  if (bytes >= 2) {
    std::memcpy(to, from, 2);
    bytes -= 2, from += 2, to += 2;
  }
  if (bytes != 0) *to = *from;
}

// Writes `bytes` of a splat: a whole number of elements of `element_bytes`.
inline void Fill(const uint8_t* splat, size_t element_bytes, uint8_t* to,
                 size_t bytes) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  if (bytes < lanes) {
    CopyShort(splat, bytes, to);
    return;
  }
  const auto v = LoadFrom(d, splat);
  StoreTo(v, d, to);
  // From here on vectors are aligned in `to`, as in Copy, if elements are.
  const auto address = reinterpret_cast<uintptr_t>(to);
  const size_t begin =
      lanes - (address % element_bytes == 0 ? address % lanes : 0);
  WithPrefetches([&](auto prefetches) HWY_ATTR {
    size_t i = begin;
    // A cache line at a time, with one computation of the address.
    for (; i + kVectorBytes < bytes; i += kVectorBytes) {
      uint8_t* const line = to + i;
      if constexpr (prefetches) PrefetchToWrite(Ahead(line));
      for (size_t at = 0; at < kVectorBytes; at += lanes) {
        StoreTo(v, d, line + at);
      }
    }
    for (; i < bytes - lanes; i += lanes) StoreTo(v, d, to + i);
  });
  StoreTo(v, d, to + bytes - lanes);
}

// Copies `bytes`; `from` and `to` do not overlap.
inline void Copy(const uint8_t* from, size_t bytes, uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  if (bytes < lanes) {
    CopyShort(from, bytes, to);
    return;
  }
  const auto last = LoadFrom(d, from + bytes - lanes);
  StoreTo(LoadFrom(d, from), d, to);
  // From here on vectors are aligned in `to`: no store crosses a cache line.
  size_t i = lanes - reinterpret_cast<uintptr_t>(to) % lanes;
  if constexpr (HWY_ARCH_WASM) {
    // Four vectors at a time, with one computation of the addresses.
    for (; i + 4 * lanes < bytes; i += 4 * lanes) {
      const uint8_t* const line = from + i;
      uint8_t* const to_line = to + i;
      StoreTo(LoadFrom(d, line), d, to_line);
      StoreTo(LoadFrom(d, line + lanes), d, to_line + lanes);
      StoreTo(LoadFrom(d, line + 2 * lanes), d, to_line + 2 * lanes);
      StoreTo(LoadFrom(d, line + 3 * lanes), d, to_line + 3 * lanes);
    }
  }
  // Two vectors at a time: see BinaryLoop.
  WithPrefetches([&](auto prefetches) HWY_ATTR {
    for (; i + 2 * lanes < bytes; i += 2 * lanes) {
      if constexpr (prefetches) PrefetchAhead(to + i, 2 * lanes);
      StoreTo(LoadFrom(d, from + i), d, to + i);
      StoreTo(LoadFrom(d, from + i + lanes), d, to + i + lanes);
    }
  });
  if (i + lanes < bytes) StoreTo(LoadFrom(d, from + i), d, to + i);
  StoreTo(last, d, to + bytes - lanes);
}

// Writes a cache line with streaming stores.
HWY_INLINE void StreamLine(const uint8_t* from, uint8_t* to) {
  const ByteTag d;
  for (size_t i = 0; i < kVectorBytes; i += hn::Lanes(d)) {
    hn::Stream(LoadFrom(d, from + i), d, to + i);
  }
}

// The bytes before `p` in its cache line.
inline size_t InLine(const uint8_t* p) {
  return reinterpret_cast<uintptr_t>(p) % kVectorBytes;
}

// Writes bytes that follow each other with streaming stores. What does not fill
// its line is kept for the bytes that follow: an ordinary store to a line of
// which another part was streamed waits for memory, some hundred nanoseconds.
class LineStream {
 public:
  // Writes `bytes` bytes to `to`. Those that are kept are not there before
  // Flush.
  void Write(const uint8_t* from, size_t bytes, uint8_t* to) {
    if (to != next_) {
      Flush();
      next_ = to;
      begin_ = InLine(to);
    }
    if (const size_t at = InLine(next_); at != 0) {
      const size_t n = std::min(bytes, kVectorBytes - at);
      std::memcpy(line_ + at, from, n);
      next_ += n;
      from += n;
      bytes -= n;
      if (at + n < kVectorBytes) return;
      if (begin_ == 0) {
        StreamLine(line_, next_ - kVectorBytes);
      } else {
        Copy(line_ + begin_, kVectorBytes - begin_,
             next_ - (kVectorBytes - begin_));
        begin_ = 0;
      }
    }
    for (; bytes >= kVectorBytes; bytes -= kVectorBytes) {
      StreamLine(from, next_);
      from += kVectorBytes;
      next_ += kVectorBytes;
    }
    std::memcpy(line_, from, bytes);
    next_ += bytes;
  }

  void Flush() {
    const size_t kept = InLine(next_) - begin_;
    Copy(line_ + begin_, kept, next_ - kept);
    next_ = nullptr;
    begin_ = 0;
  }

 private:
  // The bytes that are kept of a line, from begin_ on.
  alignas(kVectorBytes) uint8_t line_[kVectorBytes];
  uint8_t* next_ = nullptr;  // where the byte after them goes
  size_t begin_ = 0;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_COPY_INL_H_
