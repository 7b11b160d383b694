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

// `kVectors` vectors for each of `segments` segments, which are `segment` bytes
// long: the next segment overwrites what is too much. So there is room for that
// many vectors, to read and to write, at the last segment. `stride` is in
// bytes. T: the element that is repeated, or void for consecutive elements.
template <size_t kVectors, class T>
HWY_INLINE void WriteSegments(const uint8_t* from, ptrdiff_t stride,
                              size_t segments, size_t segment, uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  for (; segments != 0; --segments, to += segment) {
    if constexpr (hwy::IsSame<T, void>()) {
      for (size_t i = 0; i < kVectors; ++i) {
        StoreTo(LoadFrom(d, from + i * lanes), d, to + i * lanes);
      }
    } else {
      const auto v = Repeated<sizeof(T)>(from);
      for (size_t i = 0; i < kVectors; ++i) StoreTo(v, d, to + i * lanes);
    }
    from = AddBytes(from, stride);
  }
}

template <class T>
HWY_NOINLINE void WriteSegments(const uint8_t* from, ptrdiff_t stride,
                                size_t segments, size_t segment, uint8_t* to) {
  const size_t lanes = hn::Lanes(ByteTag());
  if (segment <= lanes) {
    WriteSegments<1, T>(from, stride, segments, segment, to);
  } else if (segment <= 2 * lanes) {
    WriteSegments<2, T>(from, stride, segments, segment, to);
  } else if (segment <= 3 * lanes) {
    WriteSegments<3, T>(from, stride, segments, segment, to);
  } else {
    WriteSegments<4, T>(from, stride, segments, segment, to);
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
