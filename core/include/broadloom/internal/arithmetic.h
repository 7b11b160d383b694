// Arithmetic on extents, counts, bytes, strides and offsets. Callers may give
// values up to 2^63-1, so every sum and product of them is computed by these
// functions:
//
//   Overflows...      where a result that is too large is an error
//   Saturating...     where the largest value can stand for a result that is
//                     too large: nothing that exists has so many elements
//   CeilDiv, RoundUp  divide and round up without computing `a + b - 1`, which
//                     could overflow

#ifndef BROADLOOM_INTERNAL_ARITHMETIC_H_
#define BROADLOOM_INTERNAL_ARITHMETIC_H_

#include <concepts>
#include <cstdint>
#include <limits>

namespace broadloom {
inline namespace v1 {

// WebAssembly has no multiplication that reports overflow. The code for it is
// long: inlined in a hundred places it would add more than 1 KiB to the
// download.
#ifdef __wasm__
#define BROADLOOM_NEVER_INLINE gnu::noinline
#else
#define BROADLOOM_NEVER_INLINE
#endif

// Whether the exact result does not fit T. `out` has its lowest bits in any
// case.
template <std::integral T>
[[nodiscard]] constexpr bool OverflowsAdd(T a, T b, T& out) noexcept {
  return __builtin_add_overflow(a, b, &out);
}
template <std::integral T>
[[nodiscard, BROADLOOM_NEVER_INLINE]]
constexpr bool OverflowsMultiply(T a, T b, T& out) noexcept {
#ifdef __wasm__
  // Nearly always both have at most 31 bits, and the product fits.
  if constexpr (sizeof(T) == sizeof(uint64_t)) {
    if (static_cast<uint64_t>(a | b) >> 31 == 0) {
      out = a * b;
      return false;
    }
  }
#endif
  return __builtin_mul_overflow(a, b, &out);
}

// The exact result, or the T nearest to it.
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

// The least multiple of `to` that is not below `value`; saturates.
template <std::integral T>
[[nodiscard]] constexpr T RoundUp(T value, T to) noexcept {
  return SaturatingMultiply(CeilDiv(value, to), to);
}

// A length as an error reports it; saturates.
[[nodiscard]] constexpr int64_t ToInt64(uint64_t value) noexcept {
  return value > INT64_MAX ? INT64_MAX : static_cast<int64_t>(value);
}

// The absolute value, also of the lowest number, which cannot be negated.
[[nodiscard]] constexpr uint64_t Magnitude(int64_t value) noexcept {
  const uint64_t bits = static_cast<uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

// The bytes of `count` >= 0 elements of `bits` bits, the first of which begins
// a byte. Saturates.
[[nodiscard]] constexpr uint64_t BytesOfElements(int64_t count,
                                                 int bits) noexcept {
  const uint64_t elements = static_cast<uint64_t>(count);
  if (bits >= 8) {
    return SaturatingMultiply(elements, static_cast<uint64_t>(bits) / 8);
  }
  return CeilDiv(elements, 8 / static_cast<uint64_t>(bits));
}

// Counts the elements of a dense row-major tensor, axis by axis from the last
// to the first. Before an axis is multiplied in, the count is that axis'
// stride. An extent of 0 makes the count 0, even if it has overflowed before.
struct ElementCount {
  int64_t count = 1;  // wrapped if `overflow`
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
