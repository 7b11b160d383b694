// The shortest digits of doubles, compared with std::to_chars.

#include "base/digits.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "catch2/catch_test_macros.hpp"

namespace broadloom {
namespace {

// As digits, e, and the power of ten of the first digit.
std::string Shortest(double value) {
  const Digits digits = ShortestDigits(value);
  return std::string(digits.view()) + 'e' + std::to_string(digits.point - 1);
}

std::string Wanted(double value) {
  char text[40];
  const std::to_chars_result end = std::to_chars(
      text, text + sizeof text, value, std::chars_format::scientific);
  std::string digits(text, end.ptr);
  const size_t mark = digits.find('e');
  const int power = std::stoi(digits.substr(mark + 1));
  digits.resize(mark);
  std::erase(digits, '.');
  return digits + 'e' + std::to_string(power);
}

void Check(double value) {
  const std::string got = Shortest(value);
  const std::string wanted = Wanted(value);
  if (got == wanted) return;
  INFO(wanted);
  CHECK(got == wanted);
}

TEST_CASE("digits: known numbers") {
  CHECK(Shortest(0.1) == "1e-1");
  CHECK(Shortest(123456) == "123456e5");
  CHECK(Shortest(5e-324) == "5e-324");
  CHECK(Shortest(std::numeric_limits<double>::max()) ==
        "17976931348623157e308");
  CHECK(Shortest(9007199254740993.0) == "9007199254740992e15");
}

TEST_CASE("digits: every power of two, and its neighbours") {
  for (int power = -1074; power < 1024; ++power) {
    const double value = std::ldexp(1.0, power);
    Check(value);
    Check(std::nextafter(value, 1e308));
    if (power > -1074) Check(std::nextafter(value, 0.0));
  }
}

TEST_CASE("digits: powers of ten, and halves of them") {
  for (int power = -323; power <= 308; ++power) {
    const double value =
        std::strtod(("1e" + std::to_string(power)).c_str(), nullptr);
    for (const double factor : {1.0, 0.5, 2.5, 3.0}) {
      if (value * factor > 0 && std::isfinite(value * factor)) {
        Check(value * factor);
      }
    }
  }
}

TEST_CASE("digits: random bits, random floats, small integers") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const double value =
        std::abs(std::bit_cast<double>(static_cast<uint64_t>(random())));
    if (std::isfinite(value) && value > 0) Check(value);
    const float narrow =
        std::abs(std::bit_cast<float>(static_cast<uint32_t>(random())));
    if (std::isfinite(narrow) && narrow > 0) Check(narrow);
    Check(static_cast<double>(i + 1));
    Check(static_cast<double>(i + 1) / 1000);
  }
}

}  // namespace
}  // namespace broadloom
