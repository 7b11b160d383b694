// A text that grows in an arena, and the words that all sentences share.

#ifndef BROADLOOM_EXPLAIN_BASE_TEXT_H_
#define BROADLOOM_EXPLAIN_BASE_TEXT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {

class Text {
 public:
  explicit Text(Arena& arena) : letters_(arena) {}

  Text& operator<<(std::string_view text) {
    letters_.Append({text.data(), text.size()});
    return *this;
  }
  Text& operator<<(char letter) {
    letters_.Push(letter);
    return *this;
  }
  template <std::integral T>
  Text& operator<<(T number) {
    return Number(static_cast<int64_t>(number));
  }

  // "(2, 3)", "(5,)", "()".
  Text& Shape(ShapeView shape);
  // "A", "#26", "the target", "the result".
  Text& Operand(int32_t operand);
  // The same at the beginning of a sentence: "The target".
  Text& OperandCapital(int32_t operand);
  // "1 axis", "2 axes": a count, then the noun or its plural.
  Text& Count(int64_t count, std::string_view one, std::string_view many);

  size_t size() const { return letters_.size(); }
  bool empty() const { return letters_.empty(); }
  void Truncate(size_t size) { letters_.Truncate(size); }
  // Valid until more is written, as long as the arena lives.
  std::string_view view() const { return {letters_.begin(), letters_.size()}; }
  Arena& arena() { return letters_.arena(); }

 private:
  Text& Number(int64_t number);

  List<char> letters_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_TEXT_H_
