#include "kernels/sum/concatenate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sum/concatenate.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// 128 bits, within which vector instructions interleave: a lane block. So many
// bytes are read at once of each group.
constexpr size_t kLaneBlockBytes = 16;

// --- Rows of one element, which adjoin in each group ------------------------
// Here rows become columns: it is a transposition.

// Vectors that are loaded from several groups, a lane block from each. Only x86
// combines lane blocks in registers fast enough.
template <class T>
using LaneBlocksTag =
    hn::CappedTag<T,
                  (HWY_ARCH_X86 ? kVectorBytes : kLaneBlockBytes) / sizeof(T)>;

// Lane block b begins at in + offsets[b * apart].
template <class D>
HWY_INLINE hn::Vec<D> LoadLaneBlocks(D d, const uint8_t* in,
                                     const ptrdiff_t* offsets, size_t apart) {
  if constexpr (HWY_MAX_LANES_D(D) * sizeof(hn::TFromD<D>) <= kLaneBlockBytes) {
    return LoadFrom(d, reinterpret_cast<const hn::TFromD<D>*>(in + offsets[0]));
  } else {
    const hn::Half<D> half;
    const size_t blocks =
        hn::Lanes(half) * sizeof(hn::TFromD<D>) / kLaneBlockBytes;
    return hn::Combine(
        d, LoadLaneBlocks(half, in, offsets + blocks * apart, apart),
        LoadLaneBlocks(half, in, offsets, apart));
  }
}

// Transposes the first `rows` (at most kRows) elements of as many groups as a
// vector has lanes. With n elements a lane block, vector i has those of the
// groups i, i + n, i + 2 n, ...: interleaving halves log2(n) times brings
// element r of all groups into vector r.
template <size_t kRows, class D, class T = hn::TFromD<D>>
HWY_INLINE void TransposeSome(D d, const uint8_t* in, const ptrdiff_t* offsets,
                              size_t rows, uint8_t* out, size_t out_stride) {
  constexpr size_t kBlock = kLaneBlockBytes / sizeof(T);
  hn::Vec<D> v[kBlock];
  for (size_t i = 0; i < kBlock; ++i) {
    v[i] = LoadLaneBlocks(d, in, offsets + i, kBlock);
  }
  // The upper halves have only elements of rows from kRows on: not needed.
  size_t left = kBlock;
  for (; left > kRows; left /= 2) {
    for (size_t i = 0; i < left / 2; ++i) {
      v[i] = hn::InterleaveLower(d, v[i], v[i + left / 2]);
    }
  }
  for (size_t stage = 1; stage < kRows; stage *= 2) {
    hn::Vec<D> w[kRows];
    for (size_t i = 0; i < kRows / 2; ++i) {
      w[2 * i] = hn::InterleaveLower(d, v[i], v[i + kRows / 2]);
      w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kRows / 2]);
    }
    for (size_t i = 0; i < kRows; ++i) v[i] = w[i];
  }
  for (size_t i = 0; i < kRows; ++i) {
    if (i < rows) StoreTo(v[i], d, reinterpret_cast<T*>(out + i * out_stride));
  }
}

template <size_t kRows, class D>
HWY_INLINE void TransposeUpTo(D d, const uint8_t* in, const ptrdiff_t* offsets,
                              size_t rows, uint8_t* out, size_t out_stride) {
  // In wasm, where code size counts, few rows are computed as if they were
  // many.
  if constexpr (kRows > 2 && !HWY_ARCH_WASM) {
    if (rows <= kRows / 2) {
      return TransposeUpTo<kRows / 2>(d, in, offsets, rows, out, out_stride);
    }
  }
  TransposeSome<kRows>(d, in, offsets, rows, out, out_stride);
}

// Element by element, where a lane block would reach behind the memory.
template <class T>
void TransposeOneByOne(const uint8_t* in, const ptrdiff_t* offsets,
                       size_t groups, size_t rows, uint8_t* out,
                       size_t out_stride) {
  for (size_t row = 0; row < rows; ++row, in += sizeof(T), out += out_stride) {
    for (size_t i = 0; i < groups; ++i) {
      std::memcpy(out + i * sizeof(T), in + offsets[i], sizeof(T));
    }
  }
}

// Transposes where the groups adjoin as well, with the target's own loads of
// interleaved elements.
template <size_t kRows, class D, class T = hn::TFromD<D>>
HWY_INLINE void Deinterleave(D d, const T* in, uint8_t* out,
                             size_t out_stride) {
  const auto store = [&](size_t row, hn::Vec<D> v) HWY_ATTR {
    StoreTo(v, d, reinterpret_cast<T*>(out + row * out_stride));
  };
  hn::Vec<D> v0, v1;
  if constexpr (kRows == 2) {
    hn::LoadInterleaved2(d, in, v0, v1);
  } else {
    hn::Vec<D> v2;
    if constexpr (kRows == 3) {
      hn::LoadInterleaved3(d, in, v0, v1, v2);
    } else {
      hn::Vec<D> v3;
      hn::LoadInterleaved4(d, in, v0, v1, v2, v3);
      store(3, v3);
    }
    store(2, v2);
  }
  store(0, v0);
  store(1, v1);
}

// Transposes as many groups as fill whole vectors, and returns how many.
template <class T>
size_t DeinterleaveAll(const RowsToConcatenate& given) {
  const RowsToConcatenate a = given;  // a copy: no store can change it

  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  const size_t lanes = hn::Lanes(d);
  const size_t whole = a.groups - a.groups % lanes;
  const T* in = reinterpret_cast<const T*>(a.in + a.offsets[0]);
  uint8_t* out = a.out;
  for (size_t i = 0; i < whole; i += lanes, out += lanes * sizeof(T)) {
    if (a.rows == 2) {
      Deinterleave<2>(d, in, out, a.out_stride);
    } else if (a.rows == 3) {
      Deinterleave<3>(d, in, out, a.out_stride);
    } else {
      Deinterleave<4>(d, in, out, a.out_stride);
    }
    in += a.rows * lanes;
  }
  return whole;
}

// Rows of one T, which adjoin in each group.
template <class T>
HWY_NOINLINE void Transpose(const RowsToConcatenate& given) {
  const RowsToConcatenate a = given;  // a copy: no store can change it

  const LaneBlocksTag<T> d;
  constexpr size_t kMost = HWY_MAX_LANES_D(LaneBlocksTag<T>);
  constexpr size_t kBlock = kLaneBlockBytes / sizeof(T);
  const size_t lanes = hn::Lanes(d);
  const size_t blocks = (a.rows + kBlock - 1) / kBlock;
  const bool exactly = kMindsGaps && a.end == nullptr;
  const ptrdiff_t reach =
      exactly ? PTRDIFF_MAX
              : a.end - a.in - static_cast<ptrdiff_t>(blocks * kLaneBlockBytes);
  // Rows of whole lane blocks.
  const size_t rows = exactly ? a.rows / kBlock * kBlock : a.rows;
  const bool adjoin =
      a.offset_stride == static_cast<ptrdiff_t>(a.rows * sizeof(T));
  size_t i = adjoin && a.rows <= 4 ? DeinterleaveAll<T>(a) : 0;
  uint8_t* out = a.out + i * sizeof(T);
  ptrdiff_t some[kMost];
  for (; i < a.groups; i += lanes, out += lanes * sizeof(T)) {
    const ptrdiff_t* offsets = a.offsets + i;
    const size_t groups = std::min(lanes, a.groups - i);
    if (a.greatest_offset > reach &&
        *std::max_element(offsets, offsets + groups) > reach) {
      TransposeOneByOne<T>(a.in, offsets, groups, a.rows, out, a.out_stride);
      continue;
    }
    if (rows < a.rows) {
      TransposeOneByOne<T>(a.in + rows * sizeof(T), offsets, groups,
                           a.rows - rows, out + rows * a.out_stride,
                           a.out_stride);
    }
    if (groups < lanes) {
      std::copy_n(offsets, groups, some);
      std::fill(some + groups, some + lanes, offsets[0]);
      offsets = some;
    }
    for (size_t row = 0; row < rows; row += kBlock) {
      TransposeUpTo<kBlock>(d, a.in + row * sizeof(T), offsets,
                            std::min(kBlock, rows - row),
                            out + row * a.out_stride, a.out_stride);
    }
  }
}

// --- Rows of any length -----------------------------------------------------

template <class T>
HWY_NOINLINE void ConcatenateElements(const RowsToConcatenate& given) {
  const RowsToConcatenate a = given;  // a copy: no store can change it

  const uint8_t* in = a.in;
  uint8_t* out = a.out;
  for (size_t row = 0; row < a.rows; ++row) {
    TransposeOneByOne<T>(in, a.offsets, a.groups, 1, out, a.out_stride);
    in += a.row_stride;
    out += a.out_stride;
  }
}

// In vectors of kBytes. The last vector of a group's row may overrun it: the
// row of the next group is written over that.
template <size_t kBytes>
HWY_NOINLINE void ConcatenateBytes(const RowsToConcatenate& given) {
  const RowsToConcatenate a = given;  // a copy: no store can change it
  const hn::CappedTag<uint8_t, kBytes> d;
  const size_t lanes = hn::Lanes(d);
  const ptrdiff_t read =
      static_cast<ptrdiff_t>((a.row_bytes + lanes - 1) / lanes * lanes);
  const uint8_t* in = a.in;
  for (size_t row = 0; row < a.rows; ++row, in += a.row_stride) {
    uint8_t* out = a.out + row * a.out_stride;
    const bool whole = (!kMindsGaps || a.end != nullptr) &&
                       a.greatest_offset <= a.end - in - read;
    for (size_t i = 0; i < a.groups; ++i, out += a.row_bytes) {
      const uint8_t* const from = in + a.offsets[i];
      if (HWY_UNLIKELY(!whole)) {
        std::memcpy(out, from, a.row_bytes);
        continue;
      }
      StoreTo(LoadFrom(d, from), d, out);
      for (size_t at = lanes; at < a.row_bytes; at += lanes) {
        StoreTo(LoadFrom(d, from + at), d, out + at);
      }
    }
  }
}

template <class T>
void ConcatenateAs(const RowsToConcatenate& a) {
  // Vectors whose length is only known at run time cannot lie in arrays.
  if constexpr (!HWY_HAVE_SCALABLE) {
    if (a.row_stride == static_cast<ptrdiff_t>(sizeof(T)) && a.rows > 1) {
      return Transpose<T>(a);
    }
  }
  ConcatenateElements<T>(a);
}

void ConcatenateAny(const RowsToConcatenate& a) {
  switch (a.row_bytes) {
    case 1:
      return ConcatenateAs<uint8_t>(a);
    case 2:
      return ConcatenateAs<uint16_t>(a);
    case 4:
      return ConcatenateAs<uint32_t>(a);
    case 8:
      return ConcatenateAs<uint64_t>(a);
    default:
      if (a.row_bytes <= 16) return ConcatenateBytes<16>(a);
      if (a.row_bytes <= 32) return ConcatenateBytes<32>(a);
      return ConcatenateBytes<64>(a);
  }
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace {
HWY_EXPORT(ConcatenateAny);
}  // namespace

Concatenate FindConcatenate() noexcept {
  return HWY_DYNAMIC_POINTER(ConcatenateAny);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
