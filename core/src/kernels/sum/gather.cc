#include "kernels/sum/gather.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sum/gather.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// What is read at once of each piece, and what an interleaving of vectors keeps
// apart: 128 bits.
constexpr size_t kBlockBytes = 16;

// --- Neighbours that become rows --------------------------------------------

// Vectors of blocks that lie apart. Only x86 puts them together in registers at
// no cost worth the mention.
template <class T>
using BlocksTag =
    hn::CappedTag<T, (HWY_ARCH_X86 ? kVectorBytes : kBlockBytes) / sizeof(T)>;

// Block b begins at in + offsets[b * apart].
template <class D>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const uint8_t* in,
                                 const ptrdiff_t* offsets, size_t apart) {
  if constexpr (HWY_MAX_LANES_D(D) * sizeof(hn::TFromD<D>) <= kBlockBytes) {
    return LoadFrom(d, reinterpret_cast<const hn::TFromD<D>*>(in + offsets[0]));
  } else {
    const hn::Half<D> half;
    const size_t blocks = hn::Lanes(half) * sizeof(hn::TFromD<D>) / kBlockBytes;
    return hn::Combine(d, LoadBlocks(half, in, offsets + blocks * apart, apart),
                       LoadBlocks(half, in, offsets, apart));
  }
}

// The first `rows` of at most kRows elements of a vector full of pieces, to a
// row each. Of vector i the blocks belong to the pieces i, i + n, i + 2 n, ...
// where n elements are a block; interleaving halves of them log2(n) times
// brings element r of all pieces into vector r.
template <size_t kRows, class D, class T = hn::TFromD<D>>
HWY_INLINE void TransposeSome(D d, const uint8_t* in, const ptrdiff_t* offsets,
                              size_t rows, uint8_t* out, size_t out_step) {
  constexpr size_t kBlock = kBlockBytes / sizeof(T);
  hn::Vec<D> v[kBlock];
  for (size_t i = 0; i < kBlock; ++i) {
    v[i] = LoadBlocks(d, in, offsets + i, kBlock);
  }
  // Nobody asks for the upper half of what is interleaved first.
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
    if (i < rows) StoreTo(v[i], d, reinterpret_cast<T*>(out + i * out_step));
  }
}

template <size_t kRows, class D>
HWY_INLINE void TransposeUpTo(D d, const uint8_t* in, const ptrdiff_t* offsets,
                              size_t rows, uint8_t* out, size_t out_step) {
  // Every page loads the code for wasm: there, few rows are what is left of
  // many.
  if constexpr (kRows > 2 && !HWY_ARCH_WASM) {
    if (rows <= kRows / 2) {
      return TransposeUpTo<kRows / 2>(d, in, offsets, rows, out, out_step);
    }
  }
  TransposeSome<kRows>(d, in, offsets, rows, out, out_step);
}

// Element by element, where a block would reach beyond the memory.
template <class T>
void TransposeOneByOne(const uint8_t* in, const ptrdiff_t* offsets,
                       size_t pieces, size_t rows, uint8_t* out,
                       size_t out_step) {
  for (size_t row = 0; row < rows; ++row, in += sizeof(T), out += out_step) {
    for (size_t i = 0; i < pieces; ++i) {
      std::memcpy(out + i * sizeof(T), in + offsets[i], sizeof(T));
    }
  }
}

// Of pieces that adjoin, too: the target's own loads take them apart.
template <size_t kRows, class D, class T = hn::TFromD<D>>
HWY_INLINE void Deinterleave(D d, const T* in, uint8_t* out, size_t out_step) {
  const auto store = [&](size_t row, hn::Vec<D> v) HWY_ATTR {
    StoreTo(v, d, reinterpret_cast<T*>(out + row * out_step));
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

// As many pieces as fill whole vectors; returns how many.
template <class T>
size_t DeinterleaveAll(const PiecesToGather& given) {
  const PiecesToGather a = given;  // which no store can change

  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  const size_t lanes = hn::Lanes(d);
  const size_t whole = a.pieces - a.pieces % lanes;
  const T* in = reinterpret_cast<const T*>(a.in + a.offsets[0]);
  uint8_t* out = a.out;
  for (size_t i = 0; i < whole; i += lanes, out += lanes * sizeof(T)) {
    if (a.rows == 2) {
      Deinterleave<2>(d, in, out, a.out_step);
    } else if (a.rows == 3) {
      Deinterleave<3>(d, in, out, a.out_step);
    } else {
      Deinterleave<4>(d, in, out, a.out_step);
    }
    in += a.rows * lanes;
  }
  return whole;
}

// Pieces of one T, the rows of which are neighbours.
template <class T>
HWY_NOINLINE void Transpose(const PiecesToGather& given) {
  const PiecesToGather a = given;  // which no store can change

  const BlocksTag<T> d;
  constexpr size_t kMost = HWY_MAX_LANES_D(BlocksTag<T>);
  constexpr size_t kBlock = kBlockBytes / sizeof(T);
  const size_t lanes = hn::Lanes(d);
  const size_t blocks = (a.rows + kBlock - 1) / kBlock;
  const bool exactly = kMindsGaps && a.end == nullptr;
  const ptrdiff_t reach =
      exactly ? PTRDIFF_MAX
              : a.end - a.in - static_cast<ptrdiff_t>(blocks * kBlockBytes);
  // Rows of whole blocks.
  const size_t rows = exactly ? a.rows / kBlock * kBlock : a.rows;
  const bool adjoin =
      a.piece_step == static_cast<ptrdiff_t>(a.rows * sizeof(T));
  size_t i = adjoin && a.rows <= 4 ? DeinterleaveAll<T>(a) : 0;
  uint8_t* out = a.out + i * sizeof(T);
  ptrdiff_t some[kMost];
  for (; i < a.pieces; i += lanes, out += lanes * sizeof(T)) {
    const ptrdiff_t* offsets = a.offsets + i;
    const size_t pieces = std::min(lanes, a.pieces - i);
    if (a.furthest > reach &&
        *std::max_element(offsets, offsets + pieces) > reach) {
      TransposeOneByOne<T>(a.in, offsets, pieces, a.rows, out, a.out_step);
      continue;
    }
    if (rows < a.rows) {
      TransposeOneByOne<T>(a.in + rows * sizeof(T), offsets, pieces,
                           a.rows - rows, out + rows * a.out_step, a.out_step);
    }
    if (pieces < lanes) {
      std::copy_n(offsets, pieces, some);
      std::fill(some + pieces, some + lanes, offsets[0]);
      offsets = some;
    }
    for (size_t row = 0; row < rows; row += kBlock) {
      TransposeUpTo<kBlock>(d, a.in + row * sizeof(T), offsets,
                            std::min(kBlock, rows - row),
                            out + row * a.out_step, a.out_step);
    }
  }
}

// --- Pieces of any length ---------------------------------------------------

template <class T>
HWY_NOINLINE void GatherElements(const PiecesToGather& given) {
  const PiecesToGather a = given;  // which no store can change

  const uint8_t* in = a.in;
  uint8_t* out = a.out;
  for (size_t row = 0; row < a.rows; ++row) {
    TransposeOneByOne<T>(in, a.offsets, a.pieces, 1, out, a.out_step);
    in += a.row_step;
    out += a.out_step;
  }
}

// By vectors of so many bytes, of which the last one of a piece goes beyond it:
// the next piece is written over that.
template <size_t kBytes>
HWY_NOINLINE void GatherPieces(const PiecesToGather& given) {
  const PiecesToGather a = given;  // which no store can change
  const hn::CappedTag<uint8_t, kBytes> d;
  const size_t lanes = hn::Lanes(d);
  const ptrdiff_t read =
      static_cast<ptrdiff_t>((a.piece_bytes + lanes - 1) / lanes * lanes);
  const uint8_t* in = a.in;
  for (size_t row = 0; row < a.rows; ++row, in += a.row_step) {
    uint8_t* out = a.out + row * a.out_step;
    const bool whole =
        (!kMindsGaps || a.end != nullptr) && a.furthest <= a.end - in - read;
    for (size_t i = 0; i < a.pieces; ++i, out += a.piece_bytes) {
      const uint8_t* const from = in + a.offsets[i];
      if (HWY_UNLIKELY(!whole)) {
        std::memcpy(out, from, a.piece_bytes);
        continue;
      }
      StoreTo(LoadFrom(d, from), d, out);
      for (size_t at = lanes; at < a.piece_bytes; at += lanes) {
        StoreTo(LoadFrom(d, from + at), d, out + at);
      }
    }
  }
}

template <class T>
void GatherAs(const PiecesToGather& a) {
  // Vectors without a length of their own cannot be kept in arrays.
  if constexpr (!HWY_HAVE_SCALABLE) {
    if (a.row_step == static_cast<ptrdiff_t>(sizeof(T)) && a.rows > 1) {
      return Transpose<T>(a);
    }
  }
  GatherElements<T>(a);
}

void GatherAny(const PiecesToGather& a) {
  switch (a.piece_bytes) {
    case 1:
      return GatherAs<uint8_t>(a);
    case 2:
      return GatherAs<uint16_t>(a);
    case 4:
      return GatherAs<uint32_t>(a);
    case 8:
      return GatherAs<uint64_t>(a);
    default:
      if (a.piece_bytes <= 16) return GatherPieces<16>(a);
      if (a.piece_bytes <= 32) return GatherPieces<32>(a);
      return GatherPieces<64>(a);
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
HWY_EXPORT(GatherAny);
}  // namespace

Gather FindGather() noexcept { return HWY_DYNAMIC_POINTER(GatherAny); }

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
