#include "text/words.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/explain.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "text/text_writer.h"

namespace broadloom {
inline namespace v1 {

void WriteOperand(TextWriter& text, int32_t operand) {
  if (operand == kTargetOperand) {
    text << "the target";
  } else if (operand == kOutputOperand) {
    text << "the result";
  } else if (operand >= 0 && operand < 26) {
    const char letter = static_cast<char>('A' + operand);
    text << std::string_view(&letter, 1);
  } else {
    text << "#" << static_cast<int64_t>(operand);
  }
}

void WriteOperandCapital(TextWriter& text, int32_t operand) {
  if (operand == kTargetOperand) {
    text << "The target";
  } else if (operand == kOutputOperand) {
    text << "The result";
  } else {
    WriteOperand(text, operand);
  }
}

void WriteArray(TextWriter& text, int32_t operand) {
  if (operand == kOutputOperand) {
    text << "out";
  } else {
    WriteOperandCapital(text, operand);
  }
}

void OperandList::Add(int32_t operand) {
  if (count_ > 1) text_ << ", ";
  WriteLast();
  last_ = operand;
  ++count_;
}

bool OperandList::End() {
  if (count_ > 1) text_ << " and ";
  WriteLast();
  return count_ > 1;
}

void OperandList::WriteLast() {
  if (count_ == 1 && place_ == Place::kBegins) {
    WriteOperandCapital(text_, last_);
  } else if (count_ > 0) {
    WriteOperand(text_, last_);
  }
}

void WriteShape(TextWriter& text, ShapeView shape) {
  text << "(";
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text << ", ";
    text << shape[axis];
  }
  text << (shape.size() == 1 ? ",)" : ")");
}

size_t FormatShape(ShapeView shape, std::span<char> out) noexcept {
  TextWriter text(out);
  WriteShape(text, shape);
  return text.length();
}

size_t FormatOperand(int32_t operand, std::span<char> out) noexcept {
  TextWriter text(out);
  WriteOperand(text, operand);
  return text.length();
}

}  // namespace v1
}  // namespace broadloom
