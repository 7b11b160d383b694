// Classes of ASCII characters.

#ifndef BROADLOOM_EXPLAIN_BASE_CHARACTERS_H_
#define BROADLOOM_EXPLAIN_BASE_CHARACTERS_H_

namespace broadloom {
inline namespace v1 {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
// A letter of an identifier: '_' is one.
constexpr bool IsAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool IsAsciiWord(char c) { return IsAsciiLetter(c) || IsDigit(c); }

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_CHARACTERS_H_
