// Writes JSON into a text.

#ifndef BROADLOOM_EXPLAIN_BASE_JSON_H_
#define BROADLOOM_EXPLAIN_BASE_JSON_H_

#include <concepts>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {

// A number beyond 2^53 - 1 is written as a string of its digits, since a JSON
// number would lose some of them. Texts are expected in UTF-8; control
// characters are escaped. Used as
//   Json json(text);
//   json.Open('{').Field("rule",
//   "numpy").Key("shape").Extents(shape).Close('}');
class Json {
 public:
  explicit Json(Text& text) : text_(text) {}

  Json& Open(char bracket);   // { or [
  Json& Close(char bracket);  // } or ]
  Json& Key(std::string_view name);
  Json& Value(std::string_view value);
  Json& Value(const char* value) { return Value(std::string_view(value)); }
  template <std::integral T>
  Json& Value(T value) {
    if constexpr (std::same_as<T, bool>) {
      return Bool(value);
    } else {
      return Integer(static_cast<int64_t>(value));
    }
  }
  Json& Null();
  Json& Extents(ShapeView shape);
  // A list of the words of a text, which are separated by blanks.
  Json& Words(std::string_view text);
  template <class T>
  Json& Field(std::string_view name, T value) {
    return Key(name).Value(value);
  }

 private:
  Json& Bool(bool value);
  Json& Integer(int64_t value);
  void Separate();

  Text& text_;
  bool separates_ = false;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_JSON_H_
