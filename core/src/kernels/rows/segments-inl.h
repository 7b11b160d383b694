// Writes many segments by whole vectors.

#if defined(BROADLOOM_KERNELS_ROWS_SEGMENTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_SEGMENTS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_SEGMENTS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_SEGMENTS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Writes `bytes` bytes to each of `segments` segments by whole vectors, which
// may write beyond the end of a segment, and read beyond what it is made of:
// by kVectors vectors, or by as many as it takes if that is 0. The strides are
// in bytes. T: the element that is repeated, in at most four vectors, or void
// for consecutive elements.
template <size_t kVectors, class T>
HWY_INLINE void WriteSegments(const uint8_t* from, ptrdiff_t stride,
                              size_t segments, size_t bytes, uint8_t* to,
                              ptrdiff_t to_stride) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  for (; segments != 0; --segments) {
    if constexpr (!hwy::IsSame<T, void>()) {
      const auto v = Repeated<sizeof(T)>(from);
      for (size_t i = 0; i < kVectors; ++i) StoreTo(v, d, to + i * lanes);
    } else if constexpr (kVectors != 0) {
      for (size_t i = 0; i < kVectors; ++i) {
        StoreTo(LoadFrom(d, from + i * lanes), d, to + i * lanes);
      }
    } else {
      size_t at = 0;
      for (; at + 4 * lanes <= bytes; at += 4 * lanes) {
        for (size_t i = 0; i < 4; ++i) {
          StoreTo(LoadFrom(d, from + at + i * lanes), d, to + at + i * lanes);
        }
      }
      for (; at < bytes; at += lanes) {
        StoreTo(LoadFrom(d, from + at), d, to + at);
      }
    }
    from = AddBytes(from, stride);
    to = AddBytes(to, to_stride);
  }
}

template <class T>
HWY_NOINLINE void WriteSegments(const uint8_t* from, ptrdiff_t stride,
                                size_t segments, size_t bytes, uint8_t* to,
                                ptrdiff_t to_stride) {
  const size_t lanes = hn::Lanes(ByteTag());
  if (bytes <= lanes) {
    WriteSegments<1, T>(from, stride, segments, bytes, to, to_stride);
  } else if (bytes <= 2 * lanes) {
    WriteSegments<2, T>(from, stride, segments, bytes, to, to_stride);
  } else if (bytes <= 3 * lanes) {
    WriteSegments<3, T>(from, stride, segments, bytes, to, to_stride);
  } else if (!hwy::IsSame<T, void>() || bytes <= 4 * lanes) {
    WriteSegments<4, T>(from, stride, segments, bytes, to, to_stride);
  } else {
    WriteSegments<0, T>(from, stride, segments, bytes, to, to_stride);
  }
}

// Writes segments of one element of kElementBytes each, which are at least a
// vector long. Writes nothing beyond the last one. All stores but the first and
// the last are aligned, as in SeamLoop, which also takes groups of rows: a
// store that is not aligned may take as long as two.
template <size_t kElementBytes>
HWY_NOINLINE void FillSegments(const uint8_t* from, ptrdiff_t stride,
                               size_t segments, size_t segment, uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  const auto address = reinterpret_cast<uintptr_t>(to);
  auto v = Repeated<kElementBytes>(from);
  StoreTo(v, d, to);
  uint8_t* end = to + segment;
  to += lanes - (address % kElementBytes == 0 ? address % lanes : 0);
  for (;; end += segment) {
    for (; to + 4 * lanes <= end; to += 4 * lanes) {
      for (size_t i = 0; i < 4; ++i) StoreTo(v, d, to + i * lanes);
    }
    for (; to + lanes <= end; to += lanes) StoreTo(v, d, to);
    if (--segments == 0) break;
    from = AddBytes(from, stride);
    const auto next = Repeated<kElementBytes>(from);
    const auto rest = static_cast<size_t>(end - to);
    StoreTo(hn::IfThenElse(hn::FirstN(d, rest), v, next), d, to);
    v = next;
    to += lanes;
  }
  StoreTo(v, d, end - lanes);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_SEGMENTS_INL_H_
