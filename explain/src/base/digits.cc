// Steele and White's algorithm, with exact integers. Guy L. Steele and Jon L.
// White, "How to print floating-point numbers accurately", PLDI 1990.

#include "base/digits.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace broadloom {
inline namespace v1 {
namespace {

// A whole number below 2^1184: the least double needs 1078 bits, as it is
// multiplied by 10^324.
class Whole {
 public:
  explicit Whole(uint64_t value)
      : words_{static_cast<uint32_t>(value),
               static_cast<uint32_t>(value >> 32)} {}

  void Multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (size_t i = 0; i < size_ || carry != 0; ++i) {
      carry += uint64_t{words_[i]} * factor;
      words_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
      size_ = std::max(size_, i + 1);
    }
  }

  void MultiplyByPowerOf10(int power) {
    for (; power >= 9; power -= 9) Multiply(1'000'000'000);
    for (; power > 0; --power) Multiply(10);
  }

  void ShiftLeft(int bits) {
    for (; bits >= 31; bits -= 31) Multiply(uint32_t{1} << 31);
    Multiply(uint32_t{1} << bits);
  }

  void Add(const Whole& other) {
    size_ = std::max(size_, other.size_);
    uint64_t carry = 0;
    for (size_t i = 0; i < size_; ++i) {
      carry += uint64_t{words_[i]} + other.words_[i];
      words_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words_[size_++] = static_cast<uint32_t>(carry);
  }

  // `other` is not larger.
  void Subtract(const Whole& other) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < size_; ++i) {
      const uint64_t less = uint64_t{words_[i]} - other.words_[i] - borrow;
      words_[i] = static_cast<uint32_t>(less);
      borrow = less >> 63;
    }
  }

  std::strong_ordering operator<=>(const Whole& other) const {
    for (size_t i = std::max(size_, other.size_); i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] <=> other.words_[i];
    }
    return std::strong_ordering::equal;
  }

 private:
  static constexpr size_t kMostWords = 37;

  uint32_t words_[kMostWords];
  size_t size_ = 2;
};

}  // namespace

Digits ShortestDigits(double value) {
  constexpr int kBits = std::numeric_limits<double>::digits - 1;
  constexpr int kLeastExponent = -1074;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const int biased = static_cast<int>(bits >> kBits);
  const uint64_t fraction = bits & ((uint64_t{1} << kBits) - 1);
  // value = mantissa x 2^exponent
  const uint64_t mantissa =
      biased == 0 ? fraction : fraction | uint64_t{1} << kBits;
  const int exponent = kLeastExponent + std::max(biased - 1, 0);
  // Below a power of 2 the next double is half as far away as above it.
  const int is_uneven = fraction == 0 && biased > 1 ? 1 : 0;

  // value = rest / scale; `above` and `below`, over `scale`, are half the
  // distances to the next doubles.
  Whole rest(mantissa);
  Whole scale(1);
  Whole below(1);
  Whole above(1);
  rest.ShiftLeft(1 + is_uneven + std::max(exponent, 0));
  scale.ShiftLeft(1 + is_uneven + std::max(-exponent, 0));
  below.ShiftLeft(std::max(exponent, 0));
  above.ShiftLeft(is_uneven + std::max(exponent, 0));

  // Scaled to value / 10^point, of which the first digit is after the point.
  // The estimate is at most 1 too low: 1233 / 4096 is just below log10(2).
  Digits result;
  const int highest = exponent + 63 - std::countl_zero(mantissa);
  result.point = highest * 1233 >> 12;
  const int power = result.point;
  scale.MultiplyByPowerOf10(std::max(power, 0));
  for (Whole* const number : {&rest, &below, &above}) {
    number->MultiplyByPowerOf10(std::max(-power, 0));
  }
  // A number halfway between two doubles reads back as the even one.
  const bool is_even = (mantissa & 1) == 0;
  const auto reaches_up = [&] {
    Whole sum = rest;
    sum.Add(above);
    return is_even ? sum >= scale : sum > scale;
  };
  while (reaches_up()) {
    scale.Multiply(10);
    ++result.point;
  }
  while (true) {
    for (Whole* const number : {&rest, &below, &above}) number->Multiply(10);
    int digit = 0;
    for (; rest >= scale; ++digit) rest.Subtract(scale);
    const bool is_low = is_even ? rest <= below : rest < below;
    const bool is_high = reaches_up();
    if (is_low || is_high) {
      Whole twice = rest;
      twice.Multiply(2);
      const std::strong_ordering half = twice <=> scale;
      const bool rounds_up = is_low && is_high
                                 ? half > 0 || (half == 0 && digit % 2 == 1)
                                 : is_high;
      digit += rounds_up ? 1 : 0;
      result.digits[result.count++] = static_cast<char>('0' + digit);
      return result;
    }
    result.digits[result.count++] = static_cast<char>('0' + digit);
  }
}

}  // namespace v1
}  // namespace broadloom
