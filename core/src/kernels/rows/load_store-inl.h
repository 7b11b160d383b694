// Loads and stores of vectors and of their first lanes, for elements that need
// not be aligned; splats; and prefetching.

#if defined(BROADLOOM_KERNELS_ROWS_LOAD_STORE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_LOAD_STORE_INL_H_
#undef BROADLOOM_KERNELS_ROWS_LOAD_STORE_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_LOAD_STORE_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/rows/prefetch.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using ByteTag = hn::CappedTag<uint8_t, kVectorBytes>;

// The widest vectors of T, but of no more than kVectorBytes.
template <class T>
using FullTag = hn::CappedTag<T, kVectorBytes / sizeof(T)>;

// `from`, advanced by `bytes` bytes.
template <class T>
HWY_INLINE T* AddBytes(T* from, int64_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(from) +
                              static_cast<uintptr_t>(bytes));
}

template <class T>
HWY_INLINE T ReadAs(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Whole vectors, where elements may begin at any byte: hn::LoadU and hn::StoreU
// of less than 16 bytes promise the compiler that they are aligned.
template <class D>
HWY_INLINE hn::Vec<D> LoadFrom(D d, const hn::TFromD<D>* from) {
  const hn::Repartition<uint8_t, D> d8;
  return hn::BitCast(d, hn::LoadU(d8, reinterpret_cast<const uint8_t*>(from)));
}
template <class D>
HWY_INLINE void StoreTo(hn::Vec<D> v, D, hn::TFromD<D>* to) {
  const hn::Repartition<uint8_t, D> d8;
  hn::StoreU(hn::BitCast(d8, v), d8, reinterpret_cast<uint8_t*>(to));
}

// Whether the target's masked loads and stores of T never touch the memory of
// lanes that are masked out.
template <class T>
inline constexpr bool kMasksLanes =
    !HWY_MEM_OPS_MIGHT_FAULT || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);

// The first `count` lanes; the others are 0. Reads nothing else. Elements may
// begin at any byte, which hn::LoadN does not promise.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const T* from, size_t count) {
  if constexpr (kMasksLanes<T>) {
    return hn::MaskedLoad(hn::FirstN(d, count), d, from);
  } else {
    const hn::Repartition<uint8_t, D> d8;
    return hn::BitCast(d, hn::LoadN(d8, reinterpret_cast<const uint8_t*>(from),
                                    count * sizeof(T)));
  }
}

// The first `count` lanes from `from`, lane i of the others from rest[i]. Reads
// nothing else where kMasksLanes<T>.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadBoth(D d, const T* from, size_t count,
                               const T* rest) {
  const auto mask = hn::FirstN(d, count);
  const auto first = hn::MaskedLoad(mask, d, from);
  // Highway's MaskedLoadOr reads whole vectors on AVX2.
  if constexpr (HWY_TARGET == HWY_AVX2) {
    return hn::Or(first, hn::MaskedLoad(hn::Not(mask), d, rest));
  } else {
    return hn::MaskedLoadOr(first, hn::Not(mask), d, rest);
  }
}

// Stores the first `count` lanes only.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreLanes(D d, hn::Vec<D> v, T* to, size_t count) {
  if constexpr (kMasksLanes<T>) {
    hn::BlendedStore(v, hn::FirstN(d, count), d, to);
  } else {
    const hn::Repartition<uint8_t, D> d8;
    hn::StoreN(hn::BitCast(d8, v), d8, reinterpret_cast<uint8_t*>(to),
               count * sizeof(T));
  }
}

// Fills kVectorBytes with one element of `bytes` bytes: 1, 2, 4, 8 or 16.
// Stores whole vectors, as they will be loaded as such soon.
HWY_INLINE void Splat(const uint8_t* element, size_t bytes, uint8_t* to) {
  const hn::CappedTag<uint64_t, kVectorBytes / 8> d;
  auto v = hn::Undefined(d);
  if (bytes == 16) {
    v = hn::LoadDup128(d, reinterpret_cast<const uint64_t*>(element));
  } else {
    uint64_t word = 0;
    switch (bytes) {
      case 1:
        word = *element * uint64_t{0x0101010101010101};
        break;
      case 2:
        word = ReadAs<uint16_t>(element) * uint64_t{0x0001000100010001};
        break;
      case 4:
        word = ReadAs<uint32_t>(element) * uint64_t{0x0000000100000001};
        break;
      default:
        word = ReadAs<uint64_t>(element);
        break;
    }
    v = hn::Set(d, word);
  }
  for (size_t i = 0; i < kVectorBytes / 8; i += hn::Lanes(d)) {
    StoreTo(v, d, reinterpret_cast<uint64_t*>(to) + i);
  }
}

// A vector of one element, repeated.
template <size_t kElementBytes>
HWY_INLINE hn::Vec<ByteTag> Repeated(const uint8_t* element) {
  const ByteTag d;
  if constexpr (kElementBytes == 16) {
    return hn::LoadDup128(d, element);
  } else {
    using T = hwy::UnsignedFromSize<kElementBytes>;
    return hn::BitCast(
        d, hn::Set(hn::Repartition<T, ByteTag>(), ReadAs<T>(element)));
  }
}

// Whether shuffles of elements of T are much faster if all lanes of a vector
// come from 16 bytes: on AVX2 one instruction moves bytes, but only within
// halves of 16 bytes. Both halves are then those 16 bytes.
template <class T>
inline constexpr bool kBlocksAreFast = HWY_TARGET == HWY_AVX2 && sizeof(T) < 4;

// Such a shuffle of the 16 bytes at `from`, by a table of the indices of bytes.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> ShuffledBlock(D d, const T* from, const T* table) {
  const hn::Repartition<uint8_t, D> d8;
  const auto block = hn::LoadDup128(d8, reinterpret_cast<const uint8_t*>(from));
  return hn::BitCast(
      d, hn::TableLookupBytes(
             block, hn::LoadU(d8, reinterpret_cast<const uint8_t*>(table))));
}

// How many elements lie between `out` and the next address that is aligned to a
// vector of `lanes` elements. `out` is aligned to its elements.
template <class T>
HWY_INLINE size_t ElementsToAligned(const T* out, size_t lanes) {
  const size_t vector = lanes * sizeof(T);
  const size_t skew = (0 - reinterpret_cast<uintptr_t>(out)) % vector;
  return skew / sizeof(T);
}

// Every x86-64 processor has the instruction or ignores it, but compilers emit
// it for the builtin only if a flag allows it.
HWY_INLINE void PrefetchToWrite(const void* line) {
#if HWY_ARCH_X86_64
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#elif !HWY_ARCH_WASM
  __builtin_prefetch(line, 1, 3);
#else
  (void)line;
#endif
}

// The line to prefetch when `to` is written. It may lie outside the result: a
// prefetch is harmless there.
template <class T>
HWY_INLINE const void* Ahead(const T* to) {
  return reinterpret_cast<const char*>(to) + internal::prefetch_distance;
}
// The same for each line of `count` elements.
template <class T>
HWY_INLINE void PrefetchAhead(const T* to, size_t count) {
  constexpr size_t kLine = 64;
  const auto* const line = static_cast<const uint8_t*>(Ahead(to));
  for (size_t i = 0; i < count * sizeof(T); i += kLine) {
    PrefetchToWrite(line + i);
  }
}

// Calls `loop` with whether to prefetch, as a constant: for loops that do so
// little that even a prefetch without effect takes a part of their time.
template <class Loop>
HWY_INLINE void WithPrefetches(const Loop& loop) {
  if constexpr (HWY_ARCH_WASM) {
    loop(std::false_type());
  } else if (internal::prefetch_distance > 0) {
    loop(std::true_type());
  } else {
    loop(std::false_type());
  }
}

// The vectors of D whose results fill a cache line, at least 1.
template <class D, class Out>
inline constexpr size_t kVectorsALine =
    hn::MaxLanes(D()) * sizeof(typename Out::Element) >= 64
        ? 1
        : 64 / (hn::MaxLanes(D()) * sizeof(typename Out::Element));

// How many vectors of D a loop computes at a time: a cache line of results, but
// 2 at least and 4 at most.
template <class D, class Out>
inline constexpr size_t kVectorsAStep =
    std::clamp<size_t>(kVectorsALine<D, Out>, 2, 4);

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_LOAD_STORE_INL_H_
