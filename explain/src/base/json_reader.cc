#include "base/json_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "base/utf8.h"
#include "broadloom/internal/arithmetic.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr int64_t kMostExact = (int64_t{1} << 53) - 1;

// The integer that `text` is: digits, perhaps with a sign, without leading
// zeros. False where it is none, or not from -2^63 to 2^63-1.
bool ReadInteger(std::string_view text, int64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  if (negative && text == "0") return false;
  int64_t sum = 0;
  for (const char letter : text) {
    if (!IsDigit(letter)) return false;
    const int64_t digit = letter - '0';
    if (OverflowsMultiply(sum, int64_t{10}, sum) ||
        OverflowsAdd(sum, negative ? -digit : digit, sum)) {
      return false;
    }
  }
  value = sum;
  return true;
}

}  // namespace

size_t JsonReader::Here() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                text_[at_] == '\n' || text_[at_] == '\r')) {
    ++at_;
  }
  return at_;
}

bool JsonReader::Fail(size_t at, std::string_view fault) {
  if (!failed()) {
    fault_ = fault;
    fault_at_ = at;
  }
  return false;
}

bool JsonReader::TakeIf(char letter) {
  if (failed()) return false;
  const size_t at = Here();
  if (at >= text_.size() || text_[at] != letter) return false;
  ++at_;
  return true;
}

bool JsonReader::Take(char letter, std::string_view wanted) {
  return TakeIf(letter) || Fail(Here(), wanted);
}

bool JsonReader::Next(char close) {
  if (TakeIf(',')) return true;
  if (!TakeIf(close)) {
    Fail(Here(), close == ']'
                     ? "a list goes on with a comma or ends with ]"
                     : "an object goes on with a comma or ends with }");
  }
  return false;
}

bool JsonReader::String(std::string_view& value) {
  if (!Take('"', "a string has to be here")) return false;
  const size_t begin = at_;
  size_t end = begin;
  bool escapes = false;
  for (;;) {
    if (end >= text_.size()) return Fail(begin - 1, "the string has no end");
    const char letter = text_[end];
    if (letter == '"') break;
    if (static_cast<unsigned char>(letter) < 0x20) {
      return Fail(end, "a control character in a string has to be escaped");
    }
    if (letter == '\\') {
      escapes = true;
      end += 2;
      continue;
    }
    const size_t bytes = CharacterBytes(text_.substr(end));
    if (bytes == 0) return Fail(end, "this is not UTF-8");
    end += bytes;
  }
  value = text_.substr(begin, end - begin);
  if (escapes) {
    // Each escape is longer than what it stands for.
    const std::span<char> room = arena_.Make<char>(value.size());
    if (room.empty()) return Fail(begin, "memory was refused");
    char* out = room.data();
    while (at_ < end) {
      if (text_[at_] != '\\') {
        *out++ = text_[at_++];
      } else if (!Escape(out)) {
        return false;
      }
    }
    value = {room.data(), static_cast<size_t>(out - room.data())};
  }
  at_ = end + 1;
  return true;
}

bool JsonReader::Escape(char*& out) {
  const size_t begin = at_;
  const char kind = text_[at_ + 1];
  at_ += 2;
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  if (const size_t which = kLetters.find(kind);
      which != std::string_view::npos) {
    *out++ = kMeant[which];
    return true;
  }
  unsigned code;
  if (kind != 'u' || !Hexadecimal(code)) {
    return Fail(begin, "there is no such escape");
  }
  if (code >= 0xD800 && code < 0xE000) {
    unsigned low = 0;
    const bool pairs = code < 0xDC00 && text_.substr(at_).starts_with("\\u") &&
                       (at_ += 2, Hexadecimal(low)) && low >= 0xDC00 &&
                       low < 0xE000;
    if (!pairs) return Fail(begin, "half of a surrogate pair is no character");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  const auto put = [&out](unsigned byte) { *out++ = static_cast<char>(byte); };
  const auto put_rest = [&](unsigned shift) {
    put(0x80 | (code >> shift & 0x3F));
  };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put_rest(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put_rest(6);
    put_rest(0);
  } else {
    put(0xF0 | code >> 18);
    put_rest(12);
    put_rest(6);
    put_rest(0);
  }
  return true;
}

bool JsonReader::Hexadecimal(unsigned& code) {
  code = 0;
  if (text_.size() - at_ < 4) return false;
  for (size_t i = 0; i < 4; ++i) {
    const char letter = text_[at_ + i];
    const char lower = letter >= 'A' && letter <= 'F'
                           ? static_cast<char>(letter | 32)
                           : letter;
    const bool is_letter = lower >= 'a' && lower <= 'f';
    if (!is_letter && !IsDigit(lower)) return false;
    code = code * 16 +
           static_cast<unsigned>(is_letter ? lower - 'a' + 10 : lower - '0');
  }
  at_ += 4;
  return true;
}

bool JsonReader::Integer(int64_t& value) {
  if (failed()) return false;
  const size_t begin = Here();
  if (begin < text_.size() && text_[begin] == '"') {
    std::string_view digits;
    if (!String(digits)) return false;
    if (ReadInteger(digits, value) &&
        (value > kMostExact || value < -kMostExact)) {
      return true;
    }
    return Fail(begin,
                "a whole number has to be here, and strings are for "
                "those beyond 2^53-1");
  }
  size_t end = begin;
  while (end < text_.size() && (IsAsciiWord(text_[end]) || text_[end] == '-' ||
                                text_[end] == '+' || text_[end] == '.')) {
    ++end;
  }
  if (!ReadInteger(text_.substr(begin, end - begin), value)) {
    return Fail(begin, "a whole number from -2^63 to 2^63-1 has to be here");
  }
  at_ = end;
  return true;
}

bool JsonReader::End() {
  if (failed()) return false;
  return Here() == text_.size() || Fail(at_, "nothing may follow the plan");
}

}  // namespace v1
}  // namespace broadloom
