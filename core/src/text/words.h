// The words that all sentences share: the names of operands, lists of them, and
// shapes.

#ifndef BROADLOOM_TEXT_WORDS_H_
#define BROADLOOM_TEXT_WORDS_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "text/text_writer.h"

namespace broadloom {
inline namespace v1 {

// "A", "#26", "the target", "the result".
void WriteOperand(TextWriter& text, int32_t operand);

// The same at the beginning of a sentence: "The target".
void WriteOperandCapital(TextWriter& text, int32_t operand);

// The same at the beginning of a sentence about memory that a caller gave,
// where the result is called "out", as the argument is.
void WriteArray(TextWriter& text, int32_t operand);

// A list of operands: "B", "B and D" or "B, D and the target". Each is written
// once it is known whether another one follows.
class OperandList {
 public:
  enum class Place : uint8_t { kBegins, kWithin };  // a sentence

  OperandList(TextWriter& text, Place place) : text_(text), place_(place) {}

  void Add(int32_t operand);

  // Ends the list. Returns whether it has several operands, for the verb.
  bool End();

 private:
  void WriteLast();

  TextWriter& text_;
  const Place place_;
  int32_t last_ = kAbsent;
  size_t count_ = 0;
};

// "(2, 3)", "(5,)", "()".
void WriteShape(TextWriter& text, ShapeView shape);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_TEXT_WORDS_H_
