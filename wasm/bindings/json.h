// A writer of JSON.

#ifndef BROADLOOM_WASM_JSON_H_
#define BROADLOOM_WASM_JSON_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "broadloom/broadloom.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

// Writes JSON into the answer. One text crosses to JavaScript a hundred times
// faster than the thousands of objects that it describes.
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

  // The length of the text in bytes. Negative: a fault was reported.
  [[nodiscard]] int32_t size() const {
    return refused_ ? -1 : static_cast<int32_t>(size_);
  }

 private:
  void Separate() {
    Put(separator_);
    separator_ = ",";
  }

  void Put(std::string_view part) {
    if (refused_) return;
    if (part.size() > answer_words.text().size() - size_) {
      refused_ = !answer_words.ReserveText(2 * size_ + kLeast);
      if (refused_) return;
    }
    std::ranges::copy(part, answer_words.text().data() + size_);
    size_ += part.size();
  }

  static constexpr size_t kLeast = 8192;  // longer than any value

  size_t size_ = 0;
  bool refused_ = false;
  const char* separator_ = "";
};

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_JSON_H_
