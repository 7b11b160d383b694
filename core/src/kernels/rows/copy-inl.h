// Elements moved as they are: copied, repeated, and written past the caches.

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
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using ByteTag = hn::CappedTag<uint8_t, kVectorBytes>;

template <class T>
HWY_INLINE T ReadAs(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Loads and stores of whole vectors where elements begin at any byte:
// hn::LoadU and hn::StoreU of less than 16 bytes promise the compiler that they
// are aligned.
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

// Whether the target's own loads and stores of some lanes touch no others.
template <class T>
inline constexpr bool kMasksLanes =
    !HWY_MEM_OPS_MIGHT_FAULT || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);

// The first `count` lanes, and 0 for the others: nothing else is read, and
// elements begin at any byte, which hn::LoadN does not promise.
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

// The first `count` lanes alone.
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

// A few bytes, where a call of memcpy would cost more than the copy.
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

// One element over and over, in kVectorBytes: stored in whole vectors, as it
// will be loaded soon.
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

// Before a line of the result is written, it is fetched to be written, this far
// ahead: else it is first fetched to be read, and the store waits until it is
// ours. Beyond the result it does no harm. x86-64 has always had the
// instruction, or done nothing; the builtin gives it by a compiler's flag only.
constexpr size_t kPrefetchBytes = 1024;

HWY_INLINE void PrefetchToWrite(const void* line) {
#if HWY_ARCH_X86_64
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#elif !HWY_ARCH_WASM
  __builtin_prefetch(line, 1, 3);
#else
  (void)line;
#endif
}

// The line that will be written soon.
template <class T>
HWY_INLINE const void* Ahead(const T* to) {
  return reinterpret_cast<const char*>(to) + kPrefetchBytes;
}

// `bytes` of a splat; a whole number of elements.
inline void Fill(const uint8_t* splat, uint8_t* to, size_t bytes) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  if (bytes < lanes) {
    CopyShort(splat, bytes, to);
    return;
  }
  const auto v = LoadFrom(d, splat);
  for (size_t i = 0; i < bytes - lanes; i += lanes) {
    PrefetchToWrite(to + i + kPrefetchBytes);
    StoreTo(v, d, to + i);
  }
  StoreTo(v, d, to + bytes - lanes);
}

// What does not overlap.
inline void Copy(const uint8_t* from, size_t bytes, uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  if (bytes < lanes) {
    CopyShort(from, bytes, to);
    return;
  }
  const auto last = LoadFrom(d, from + bytes - lanes);
  StoreTo(LoadFrom(d, from), d, to);
  // From here on no store crosses a line of the cache.
  size_t i = lanes - reinterpret_cast<uintptr_t>(to) % lanes;
  if constexpr (HWY_ARCH_WASM) {
    // A line at a time, of which the addresses are worked out once.
    for (; i + 4 * lanes < bytes; i += 4 * lanes) {
      const uint8_t* const line = from + i;
      uint8_t* const to_line = to + i;
      StoreTo(LoadFrom(d, line), d, to_line);
      StoreTo(LoadFrom(d, line + lanes), d, to_line + lanes);
      StoreTo(LoadFrom(d, line + 2 * lanes), d, to_line + 2 * lanes);
      StoreTo(LoadFrom(d, line + 3 * lanes), d, to_line + 3 * lanes);
    }
  }
  for (; i + lanes < bytes; i += lanes) {
    PrefetchToWrite(to + i + kPrefetchBytes);
    StoreTo(LoadFrom(d, from + i), d, to + i);
  }
  StoreTo(last, d, to + bytes - lanes);
}

// The same, past the caches: whole lines are streamed, what is left over at the
// ends is stored as usual.
inline void StreamCopy(const uint8_t* from, size_t bytes, uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  const size_t head = std::min(
      bytes, (kVectorBytes - reinterpret_cast<uintptr_t>(to) % kVectorBytes) %
                 kVectorBytes);
  Copy(from, head, to);
  size_t i = head;
  for (; i + kVectorBytes <= bytes; i += kVectorBytes) {
    for (size_t part = 0; part < kVectorBytes; part += lanes) {
      hn::Stream(LoadFrom(d, from + i + part), d, to + i + part);
    }
  }
  Copy(from + i, bytes - i, to + i);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_COPY_INL_H_
