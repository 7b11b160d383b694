// Writes text into a caller's buffer of fixed size. Characters that do not fit
// are counted but not written, so that the caller learns the length.

#ifndef BROADLOOM_TEXT_TEXT_WRITER_H_
#define BROADLOOM_TEXT_TEXT_WRITER_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/internal/arithmetic.h"

namespace broadloom {
inline namespace v1 {

class TextWriter {
 public:
  explicit TextWriter(std::span<char> out) : out_(out) {}

  // The length of the whole text, including what did not fit.
  size_t length() const { return length_; }

  TextWriter& operator<<(std::string_view text) {
    return Write(text.data(), text.size());
  }

  TextWriter& operator<<(int64_t number) {
    if (number < 0) *this << "-";
    return Unsigned(Magnitude(number));
  }
  TextWriter& Unsigned(uint64_t number) {
    char digits[24];
    const std::to_chars_result end =
        std::to_chars(digits, digits + sizeof digits, number);
    return *this << std::string_view(digits,
                                     static_cast<size_t>(end.ptr - digits));
  }
  TextWriter& operator<<(size_t number) {
    return *this << static_cast<int64_t>(number);
  }
  TextWriter& operator<<(int number) {
    return *this << static_cast<int64_t>(number);
  }

  // `count` and the noun, with an s unless there is one.
  TextWriter& Count(int64_t count, std::string_view noun) {
    return *this << count << " " << noun << (count == 1 ? "" : "s");
  }

 private:
  // Takes no string_view: it would be passed in memory, which needs more code
  // in each of the many calls.
  TextWriter& Write(const char* text, size_t size) {
    for (size_t i = 0; i < size; ++i, ++length_) {
      if (length_ < out_.size()) out_[length_] = text[i];
    }
    return *this;
  }

  std::span<char> out_;
  size_t length_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_TEXT_TEXT_WRITER_H_
