#include "base/json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {

Json& Json::Open(char bracket) {
  Separate();
  text_ << bracket;
  separates_ = false;
  return *this;
}

Json& Json::Close(char bracket) {
  text_ << bracket;
  separates_ = true;
  return *this;
}

Json& Json::Key(std::string_view name) {
  Value(name);
  text_ << ':';
  separates_ = false;
  return *this;
}

Json& Json::Value(std::string_view value) {
  Separate();
  text_ << '"';
  for (const char letter : value) {
    if (const unsigned char code = static_cast<unsigned char>(letter);
        code < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      text_ << "\\u00" << kDigits[code >> 4] << kDigits[code & 15];
      continue;
    }
    if (letter == '"' || letter == '\\') text_ << '\\';
    text_ << letter;
  }
  text_ << '"';
  return *this;
}

Json& Json::Null() {
  Separate();
  text_ << "null";
  return *this;
}

Json& Json::Extents(ShapeView shape) {
  Open('[');
  for (const int64_t extent : shape) Value(extent);
  return Close(']');
}

Json& Json::Words(std::string_view text) {
  Open('[');
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    Value(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return Close(']');
}

Json& Json::Bool(bool value) {
  Separate();
  text_ << (value ? "true" : "false");
  return *this;
}

Json& Json::Integer(int64_t value) {
  constexpr int64_t kMostExact = (int64_t{1} << 53) - 1;
  Separate();
  const bool exact = value >= -kMostExact && value <= kMostExact;
  if (!exact) text_ << '"';
  text_ << value;
  if (!exact) text_ << '"';
  return *this;
}

void Json::Separate() {
  if (separates_) text_ << ',';
  separates_ = true;
}

}  // namespace v1
}  // namespace broadloom
