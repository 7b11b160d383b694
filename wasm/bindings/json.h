// A writer of JSON.

#ifndef BROADLOOM_WASM_JSON_H_
#define BROADLOOM_WASM_JSON_H_

#include <emscripten/val.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"

namespace broadloom_wasm {

using namespace broadloom;

// Writes JSON. One string crosses to JavaScript a hundred times faster than the
// thousands of objects that it describes.
class Json {
 public:
  Json& Open(char bracket) {
    Separate();
    Put({&bracket, 1});
    separator_ = "";
    return *this;
  }
  Json& Close(char bracket) {
    Put({&bracket, 1});
    separator_ = ",";
    return *this;
  }
  Json& Key(std::string_view name) {
    Value(name);
    separator_ = ":";
    return *this;
  }
  Json& Value(std::string_view value) {
    Separate();
    Put("\"");
    for (const char& c : value) {
      if (static_cast<unsigned char>(c) < 0x20) {
        constexpr char kDigits[] = "0123456789abcdef";
        const char code[] = {'\\',           'u', '0', '0', kDigits[c >> 4],
                             kDigits[c & 15]};
        Put({code, sizeof code});
        continue;
      }
      if (c == '"' || c == '\\') Put("\\");
      Put({&c, 1});
    }
    Put("\"");
    return *this;
  }
  Json& Value(size_t value) {
    Separate();
    char digits[20];
    char* begin = digits + sizeof digits;
    do *--begin = static_cast<char>('0' + value % 10);
    while (value /= 10);
    Put({begin, digits + sizeof digits});
    return *this;
  }
  Json& Value(bool value) {
    Separate();
    Put(value ? "true" : "false");
    return *this;
  }
  Json& Null() {
    Separate();
    Put("null");
    return *this;
  }
  template <class T>
  Json& Field(std::string_view name, T value) {
    return Key(name).Value(value);
  }

  // The text. Null: a fault was reported.
  [[nodiscard]] emscripten::val text() {
    Put({"", 1});
    if (!refused_) return emscripten::val::u8string(text_.data());
    ReportRefusal(2 * text_.size());
    return emscripten::val::null();
  }

 private:
  void Separate() {
    Put(separator_);
    separator_ = ",";
  }

  // A std::string would abort if memory is refused.
  void Put(std::string_view part) {
    if (refused_) return;
    if (part.size() > text_.size() - size_) {
      InlineArray<char, 1> larger;
      refused_ =
          !larger.ResetForOverwrite(2 * text_.size() + kLeast, kAllocator);
      if (refused_) return;
      std::ranges::copy(text_.view().first(size_), larger.data());
      text_ = std::move(larger);
    }
    std::ranges::copy(part, text_.data() + size_);
    size_ += part.size();
  }

  static constexpr size_t kLeast = 8192;  // longer than any value

  InlineArray<char, 1> text_;
  size_t size_ = 0;
  bool refused_ = false;
  const char* separator_ = "";
};

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_JSON_H_
