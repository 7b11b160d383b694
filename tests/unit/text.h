// The functions of explain.h as strings, called as their header describes: once
// for the length and once for the text, and again with every shorter buffer.

#ifndef BROADLOOM_TESTS_UNIT_TEXT_H_
#define BROADLOOM_TESTS_UNIT_TEXT_H_

#include <cstddef>
#include <span>
#include <string>

#include "catch2/catch_test_macros.hpp"

namespace testing {

// write(span) is one of the functions with all other arguments bound.
template <class Write>
std::string TextOf(Write write) {
  const size_t length = write(std::span<char>());
  std::string text(length, '\0');
  REQUIRE(write(std::span<char>(text)) == length);
  REQUIRE(text.find('\0') == std::string::npos);
  // Truncated to every length: the whole length is returned, the beginning
  // written, and nothing beyond the buffer touched.
  for (size_t room = 0; room <= length + 2; ++room) {
    std::string buffer(length + 4, '#');
    const size_t told = write(std::span<char>(buffer.data(), room));
    const size_t written = room < length ? room : length;
    const bool good =
        told == length && buffer.compare(0, written, text, 0, written) == 0 &&
        buffer.find_first_not_of('#', written) == std::string::npos;
    if (!good) FAIL("a buffer of " << room << " for: " << text);
  }
  return text;
}

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_TEXT_H_
