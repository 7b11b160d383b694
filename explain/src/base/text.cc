#include "base/text.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/explain.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {

Text& Text::Number(int64_t number) {
  char digits[24];
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof digits, number);
  return *this << std::string_view(digits,
                                   static_cast<size_t>(end.ptr - digits));
}

Text& Text::Shape(ShapeView shape) {
  *this << '(';
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    *this << (axis > 0 ? ", " : "") << shape[axis];
  }
  return *this << (shape.size() == 1 ? ",)" : ")");
}

Text& Text::Operand(int32_t operand) {
  char name[32];
  return *this << std::string_view(name, FormatOperand(operand, name));
}

Text& Text::OperandCapital(int32_t operand) {
  const size_t begin = size();
  Operand(operand);
  if (size() == begin) return *this;
  char& first = letters_[begin];
  if (first >= 'a' && first <= 'z')
    first = static_cast<char>(first - 'a' + 'A');
  return *this;
}

Text& Text::Count(int64_t count, std::string_view one, std::string_view many) {
  return *this << count << ' ' << (count == 1 ? one : many);
}

}  // namespace v1
}  // namespace broadloom
