// Code that all writers of questions share. A writer knows a system's notation;
// where an operand's axes lie they read from the alignment.

#ifndef BROADLOOM_EXPLAIN_CODE_WRITING_H_
#define BROADLOOM_EXPLAIN_CODE_WRITING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/list.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

using Names = std::span<const std::string_view>;

// How a language spells values that are not written in digits.
struct ValueSpelling {
  std::string_view yes;
  std::string_view no;
  std::string_view nan;
  std::string_view infinity;
  std::string_view imaginary;  // after an imaginary part
};

inline constexpr ValueSpelling kPythonValues{.yes = "True",
                                             .no = "False",
                                             .nan = "float(\"nan\")",
                                             .infinity = "float(\"inf\")",
                                             .imaginary = "j"};

// The extents of operands may make a counting value larger than 64 bits.
__extension__ using Wide = __int128;

class Writing {
 public:
  Writing(const CodeQuestion& asked, const Alignment& aligned, Arena& memory)
      : question(asked), alignment(aligned), arena(memory) {}

  const CodeQuestion& question;
  const Alignment& alignment;
  Arena& arena;

  // The system lacks something that the question needs. The first reason is
  // kept; what is written afterwards is not used.
  template <class... Part>
  void Refuse(const Part&... parts) {
    if (reason_.empty()) reason_ = Cat(parts...);
  }
  std::string_view reason() const { return reason_; }

  template <class... Part>
  std::string_view Cat(const Part&... parts) {
    Text text(arena);
    (void)(text << ... << parts);
    return text.view();
  }

  // --- Lists and shapes -----------------------------------------------------

  // `a, b, c` if that is short; else lines of their own between the brackets.
  std::string_view Listed(std::string_view open, Names items,
                          std::string_view close);
  std::string_view Joined(Names items, std::string_view between);
  std::string_view Numbers(std::span<const int64_t> numbers);   // 1, 2
  std::string_view Tuple(ShapeView shape);                      // (1, 2), (1,)
  std::string_view Brackets(std::span<const int64_t> numbers);  // [1, 2]

  // --- The question ---------------------------------------------------------

  size_t count() const { return question.operands.size(); }
  const CodeOperand& operand(size_t i) const { return question.operands[i]; }
  ShapeView output() const { return alignment.output(); }
  ShapeView target() const {
    return question.target_shape.value_or(ShapeView{});
  }
  std::span<const int64_t> mapping() const {
    return question.axes_mapping.value_or(std::span<const int64_t>{});
  }
  const OpInfo& op() const { return Info(question.op); }
  bool takes_any_number() const { return op().most_operands == 0; }
  // Every operand is given back.
  bool returns_each() const { return Traits(question.rule).returns_each; }
  // The operands are only repeated, not computed with.
  bool only_repeats() const { return question.op == Op::kBroadcast; }
  // The type that is computed in: that of the first operand that is no
  // condition.
  DType leading_type() const;
  DType result_type() const;
  DType to() const { return question.attributes.to.value_or(DType::kF32); }
  bool is_right_shift() const {
    return question.attributes.direction == ShiftDirection::kRight;
  }
  bool is_fmod() const { return question.attributes.fmod == 1; }
  bool saturates() const { return question.attributes.saturate == 1; }
  // The operand's extents on the axes of the result, 1 where it has no axis.
  ShapeView Placed(size_t i);
  // Whether right alignment puts the operand's axes where the rule puts them.
  bool LiesRight(size_t i);

  // --- Values ---------------------------------------------------------------

  static int64_t Elements(const CodeOperand& operand);
  static bool Counts(const CodeOperand& operand) {
    return operand.values.kind == CodeValues::Kind::kCounting;
  }
  static bool Repeats(const CodeOperand& operand) {
    return operand.values.kind == CodeValues::Kind::kRepeated;
  }
  // A repeated value as a scalar operand.
  static CodeOperand One(const CodeOperand& operand);
  // Whether a formula can stand for the values of a type of these kinds.
  static Wide CountedEnd(const CodeOperand& operand);
  std::string_view WideNumber(Wide number);
  std::string_view Hexadecimal(uint32_t number);  // 0x3c00
  // Whether counting goes beyond the integer type.
  static bool Wraps(const CodeOperand& operand);
  // Every element, of integers and bools or of floats; refuses too many.
  std::span<const int64_t> EveryInteger(const CodeOperand& operand);
  std::span<const double> EveryReal(const CodeOperand& operand);
  // A real number in digits that read back as the same value, as JavaScript
  // writes it.
  std::string_view Spelled(double value, const ValueSpelling& spelling);
  std::string_view SpelledInteger(int64_t value, DType dtype);
  // Every element in digits: complex ones as a sum of their parts.
  Names SpelledValues(const CodeOperand& operand,
                      const ValueSpelling& spelling);
  // Each part of an element by itself.
  Names SpelledParts(const CodeOperand& operand, const ValueSpelling& spelling);

  // Whether the last operand, a divisor, has a 0.
  bool DividesByZero() const;
  bool HasNegativeExponent() const;
  // Whether a shift is by the type's width or more.
  bool ShiftsPastWidth() const;
  // Whether Cast meets a value outside its integer type.
  enum class Beyond : uint8_t { kNothing, kInteger, kFloat };
  Beyond CastsBeyond() const;
  // Refuses casts that other systems do not define.
  void CheckCast(std::string_view title);

 private:
  bool HasTooMany(const CodeOperand& operand);

  std::string_view reason_;
};

// Writers, one for each system: the text with these variables.
std::string_view WriteNumPy(Writing& writing, Names names);
std::string_view WritePyTorch(Writing& writing, Names names);
std::string_view WriteJax(Writing& writing, Names names);
std::string_view WriteTensorFlow(Writing& writing, Names names);
std::string_view WriteOnnx(Writing& writing, Names names);
std::string_view WriteOpenVino(Writing& writing, Names names);
std::string_view WriteOpenVinoIr(Writing& writing, Names names);
std::string_view WriteBroadloomJs(Writing& writing, Names names);
std::string_view WriteBroadloomCpp(Writing& writing, Names names);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_WRITING_H_
