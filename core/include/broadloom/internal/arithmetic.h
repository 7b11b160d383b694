// The arithmetic of extents, counts, bytes, strides and offsets, which callers
// may take up to 2^63-1. Sums and products of them are computed here alone:
//
//   Overflows...  where a result that is too large is an error
//   Saturating... where it only has to be larger than anything there is
//   CeilDiv, RoundUp  without the sum `a + b - 1`, which would be too large

#ifndef BROADLOOM_INTERNAL_ARITHMETIC_H_
#define BROADLOOM_INTERNAL_ARITHMETIC_H_

#include <concepts>
#include <cstdint>
#include <limits>

namespace broadloom {
inline namespace v1 {

// WebAssembly has no multiplication that tells of overflow: what stands for it
// is long, and inlined a hundred times it is over 1 KiB of the download.
#ifdef __wasm__
#define BROADLOOM_NEVER_INLINE gnu::noinline
#else
#define BROADLOOM_NEVER_INLINE
#endif

// Whether the exact result is no T; `out` has its lowest bits in any case.
template <std::integral T>
[[nodiscard]] constexpr bool OverflowsAdd(T a, T b, T& out) noexcept {
  return __builtin_add_overflow(a, b, &out);
}
template <std::integral T>
[[nodiscard, BROADLOOM_NEVER_INLINE]]
constexpr bool OverflowsMultiply(T a, T b, T& out) noexcept {
#ifdef __wasm__
  // Almost always both have 31 bits at most, and their product fits 64.
  if constexpr (sizeof(T) == sizeof(uint64_t)) {
    if (static_cast<uint64_t>(a | b) >> 31 == 0) {
      out = a * b;
      return false;
    }
  }
#endif
  return __builtin_mul_overflow(a, b, &out);
}

// The exact result, or the nearest T to it.
template <std::integral T>
[[nodiscard]] constexpr T SaturatingAdd(T a, T b) noexcept {
  T sum;
  if (!OverflowsAdd(a, b, sum)) return sum;
  return b < T{0} ? std::numeric_limits<T>::min()
                  : std::numeric_limits<T>::max();
}
template <std::integral T>
[[nodiscard, BROADLOOM_NEVER_INLINE]]
constexpr T SaturatingMultiply(T a, T b) noexcept {
  T product;
  if (!OverflowsMultiply(a, b, product)) return product;
  return (a < T{0}) != (b < T{0}) ? std::numeric_limits<T>::min()
                                  : std::numeric_limits<T>::max();
}

// a / b, rounded up; a >= 0, b > 0.
template <std::integral T>
[[nodiscard]] constexpr T CeilDiv(T a, T b) noexcept {
  return a / b + (a % b != 0);
}

// The multiple of `to` that is not below `value`, or the largest T.
template <std::integral T>
[[nodiscard]] constexpr T RoundUp(T value, T to) noexcept {
  return SaturatingMultiply(CeilDiv(value, to), to);
}

// A length as errors have it.
[[nodiscard]] constexpr int64_t ToInt64(uint64_t value) noexcept {
  return value > INT64_MAX ? INT64_MAX : static_cast<int64_t>(value);
}

// How far a number is from 0; also for the lowest, which cannot be negated.
[[nodiscard]] constexpr uint64_t Magnitude(int64_t value) noexcept {
  const uint64_t bits = static_cast<uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

// The bytes in which `count` >= 0 elements of so many bits lie, the first of
// which begins a byte; saturating.
[[nodiscard]] constexpr uint64_t BytesOfElements(int64_t count,
                                                 int bits) noexcept {
  const uint64_t elements = static_cast<uint64_t>(count);
  if (bits >= 8) {
    return SaturatingMultiply(elements, static_cast<uint64_t>(bits) / 8);
  }
  return CeilDiv(elements, 8 / static_cast<uint64_t>(bits));
}

// The elements that some axes of a dense row-major tensor hold, from its last
// axis to its first. On the way the count says how far apart the neighbours
// along the next axis lie. An extent of 0 makes any count 0, however large it
// was.
struct ElementCount {
  int64_t count = 1;  // wraps where `overflow`
  bool overflow = false;

  constexpr void Times(int64_t extent) noexcept {
    overflow |= OverflowsMultiply(count, extent, count);
    overflow &= extent != 0;
  }
};

}  // namespace v1
}  // namespace broadloom

#undef BROADLOOM_NEVER_INLINE

#endif  // BROADLOOM_INTERNAL_ARITHMETIC_H_
