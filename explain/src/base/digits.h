// The shortest decimal digits of a double.

#ifndef BROADLOOM_EXPLAIN_BASE_DIGITS_H_
#define BROADLOOM_EXPLAIN_BASE_DIGITS_H_

#include <cstddef>
#include <string_view>

namespace broadloom {
inline namespace v1 {

// value = 0.d1d2d3... x 10^point, d1 not 0.
struct Digits {
  char digits[17];
  size_t count = 0;
  int point = 0;

  std::string_view view() const { return {digits, count}; }
};

// The fewest digits that read back as `value`, which is finite and above 0; of
// several the closest. std::to_chars gives the same digits, but with tables
// that take 80 KB of a compressed WebAssembly module.
Digits ShortestDigits(double value);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_DIGITS_H_
