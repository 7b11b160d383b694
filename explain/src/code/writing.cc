#include "code/writing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/digits.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/code.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr size_t kWidest = 96;

// An integer as a type of `bits` holds it; a u64 by its bits.
int64_t Held(Wide value, DType dtype) {
  const int bits = IntegerBits(dtype);
  if (bits == 0 || bits == 64) return static_cast<int64_t>(value);
  const Wide all = (Wide{1} << bits) - 1;
  Wide held = value & all;
  if (IsSigned(dtype) && held >> (bits - 1) != 0) held -= Wide{1} << bits;
  return static_cast<int64_t>(held);
}

// The number that the bits of an element stand for.
Wide NumberOf(int64_t value, DType dtype) {
  return dtype == DType::kU64 ? Wide{static_cast<uint64_t>(value)}
                              : Wide{value};
}

Wide Counted(const CodeValues& values, int64_t i) {
  return Wide{values.first} + Wide{i} * values.step;
}

// Whether any element of an integer operand passes `test`, which is given the
// number. Counting values repeat after 2^bits at most.
template <class Test>
bool AnyInteger(const CodeOperand& operand, Test test) {
  const int bits = IntegerBits(operand.dtype);
  if (bits == 0) return false;
  const CodeValues& values = operand.values;
  if (values.kind != CodeValues::Kind::kCounting) {
    return std::ranges::any_of(values.integers, [&](int64_t value) {
      return test(NumberOf(Held(NumberOf(value, operand.dtype), operand.dtype),
                           operand.dtype));
    });
  }
  const int64_t looked =
      std::min(Writing::Elements(operand), int64_t{1} << std::min(bits, 16));
  for (int64_t i = 0; i < looked; ++i) {
    if (test(
            NumberOf(Held(Counted(values, i), operand.dtype), operand.dtype))) {
      return true;
    }
  }
  return false;
}

}  // namespace

// --- Lists and shapes --------------------------------------------------------

std::string_view Writing::Listed(std::string_view open, Names items,
                                 std::string_view close) {
  size_t flat = 0;
  for (const std::string_view item : items) flat += item.size() + 2;
  if (flat <= kWidest - 30 + 2) {
    return Cat(open, Joined(items, ", "), close);
  }
  Text text(arena);
  text << open << "\n    ";
  size_t line = 0;
  for (const std::string_view item : items) {
    if (line != 0 && line + item.size() + 2 > kWidest - 8) {
      text << ",\n    ";
      line = 0;
    }
    if (line != 0) {
      text << ", ";
      line += 2;
    }
    text << item;
    line += item.size();
  }
  text << ",\n" << close;
  return text.view();
}

std::string_view Writing::Joined(Names items, std::string_view between) {
  Text text(arena);
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text << between;
    text << items[i];
  }
  return text.view();
}

std::string_view Writing::Numbers(std::span<const int64_t> numbers) {
  Text text(arena);
  for (size_t i = 0; i < numbers.size(); ++i) {
    text << (i > 0 ? ", " : "") << numbers[i];
  }
  return text.view();
}

std::string_view Writing::Tuple(ShapeView shape) {
  Text text(arena);
  text.Shape(shape);
  return text.view();
}

std::string_view Writing::Brackets(std::span<const int64_t> numbers) {
  return Cat('[', Numbers(numbers), ']');
}

// --- The question ------------------------------------------------------------

DType Writing::leading_type() const {
  const size_t leading = op().result == ResultType::kSecondType ? 1 : 0;
  return leading < count() ? operand(leading).dtype : DType::kF32;
}

DType Writing::result_type() const {
  switch (op().result) {
    case ResultType::kBoolType:
      return DType::kBool;
    case ResultType::kAttributeType:
      return to();
    default:
      return leading_type();
  }
}

ShapeView Writing::Placed(size_t i) {
  const std::span<const AlignedCell> cells = alignment.cells(i);
  const std::span<int64_t> placed = arena.Make<int64_t>(cells.size());
  for (size_t axis = 0; axis < placed.size(); ++axis) {
    placed[axis] = cells[axis].extent;
  }
  return placed;
}

bool Writing::LiesRight(size_t i) {
  const ShapeView placed = Placed(i);
  const ShapeView own = operand(i).shape;
  if (placed.size() < own.size()) return false;
  const size_t lead = placed.size() - own.size();
  return std::ranges::equal(placed.subspan(lead), own) &&
         std::ranges::all_of(placed.first(lead),
                             [](int64_t extent) { return extent == 1; });
}

// --- Values ------------------------------------------------------------------

int64_t Writing::Elements(const CodeOperand& operand) {
  int64_t elements = 1;
  for (const int64_t extent : operand.shape) {
    if (extent == 0) return 0;
    elements *= extent;  // below 2^63, since the operands fit
  }
  return elements;
}

CodeOperand Writing::One(const CodeOperand& operand) {
  CodeOperand one = operand;
  one.shape = {};
  one.values.kind = CodeValues::Kind::kListed;
  return one;
}

Wide Writing::CountedEnd(const CodeOperand& operand) {
  return Counted(operand.values, Elements(operand));
}

std::string_view Writing::WideNumber(Wide number) {
  if (number == 0) return "0";
  char digits[48];
  size_t at = sizeof digits;
  const bool is_negative = number < 0;
  for (; number != 0; number /= 10) {
    const int digit = static_cast<int>(number % 10);
    digits[--at] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (is_negative) digits[--at] = '-';
  return Cat(std::string_view(digits + at, sizeof digits - at));
}

std::string_view Writing::Hexadecimal(uint32_t number) {
  char digits[8];
  size_t at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[number & 15];
    number >>= 4;
  } while (number != 0);
  return Cat("0x", std::string_view(digits + at, sizeof digits - at));
}

bool Writing::Wraps(const CodeOperand& operand) {
  const int bits = IntegerBits(operand.dtype);
  if (bits == 0 || !Counts(operand) || Elements(operand) == 0) return false;
  const Wide last = CountedEnd(operand) - operand.values.step;
  return last >= Wide{1} << (IsSigned(operand.dtype) ? bits - 1 : bits);
}

bool Writing::HasTooMany(const CodeOperand& operand) {
  const int64_t elements = Elements(operand);
  if (elements <= kMostListed) return false;
  Refuse(operand.name, " has ", elements,
         " values that would have to be written one by one: up to ",
         kMostListed, " are.");
  return true;
}

std::span<const int64_t> Writing::EveryInteger(const CodeOperand& operand) {
  if (HasTooMany(operand)) return {};
  const CodeValues& values = operand.values;
  if (values.kind == CodeValues::Kind::kListed) return values.integers;
  const std::span<int64_t> every =
      arena.Make<int64_t>(static_cast<size_t>(Elements(operand)));
  for (size_t i = 0; i < every.size(); ++i) {
    const int64_t place = static_cast<int64_t>(i);
    if (Repeats(operand)) {
      every[i] = values.integers[0];
    } else if (operand.dtype == DType::kBool) {
      every[i] = place / values.step % 2;
    } else {
      every[i] = Held(Counted(values, place), operand.dtype);
    }
  }
  return every;
}

std::span<const double> Writing::EveryReal(const CodeOperand& operand) {
  if (HasTooMany(operand)) return {};
  const CodeValues& values = operand.values;
  if (values.kind == CodeValues::Kind::kListed) return values.reals;
  const size_t parts = Repeats(operand) ? values.reals.size() : 1;
  const std::span<double> every =
      arena.Make<double>(static_cast<size_t>(Elements(operand)) * parts);
  for (size_t i = 0; i < every.size(); ++i) {
    every[i] =
        Repeats(operand)
            ? values.reals[i % parts]
            : static_cast<double>(Counted(values, static_cast<int64_t>(i)));
  }
  return every;
}

std::string_view Writing::Spelled(double value, const ValueSpelling& spelling) {
  if (std::isnan(value)) return spelling.nan;
  if (std::isinf(value)) {
    return value < 0 ? Cat('-', spelling.infinity) : spelling.infinity;
  }
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";
  const Digits digits = ShortestDigits(std::abs(value));
  // JavaScript's layout: no exponent from 1e-6 up to 1e21.
  const std::string_view all = digits.view();
  const size_t count = all.size();
  const int point = digits.point;
  Text text(arena);
  if (value < 0) text << '-';
  if (point > 21 || point < -5) {
    text << all.substr(0, 1);
    if (count > 1) text << '.' << all.substr(1);
    text << (point < 1 ? "e-" : "e+") << std::abs(point - 1);
  } else if (point <= 0) {
    text << "0.";
    for (int i = point; i < 0; ++i) text << '0';
    text << all;
  } else if (static_cast<size_t>(point) >= count) {
    text << all;
    for (int i = static_cast<int>(count); i < point; ++i) text << '0';
  } else {
    const size_t split = static_cast<size_t>(point);
    text << all.substr(0, split) << '.' << all.substr(split);
  }
  return text.view();
}

std::string_view Writing::SpelledInteger(int64_t value, DType dtype) {
  return WideNumber(NumberOf(value, dtype));
}

Names Writing::SpelledParts(const CodeOperand& operand,
                            const ValueSpelling& spelling) {
  List<std::string_view> parts(arena);
  if (!IsInteger(operand.dtype) && operand.dtype != DType::kBool &&
      operand.values.integers.empty()) {
    for (const double value : EveryReal(operand)) {
      parts.Push(Spelled(value, spelling));
    }
  } else {
    for (const int64_t value : EveryInteger(operand)) {
      parts.Push(operand.dtype != DType::kBool
                     ? SpelledInteger(value, operand.dtype)
                 : value != 0 ? spelling.yes
                              : spelling.no);
    }
  }
  return parts.view();
}

Names Writing::SpelledValues(const CodeOperand& operand,
                             const ValueSpelling& spelling) {
  const Names parts = SpelledParts(operand, spelling);
  if (!IsComplex(operand.dtype)) return parts;
  List<std::string_view> values(arena);
  for (size_t i = 0; i + 1 < parts.size(); i += 2) {
    const std::string_view imaginary = parts[i + 1];
    values.Push(Cat(parts[i], imaginary.starts_with('-') ? "" : "+", imaginary,
                    spelling.imaginary));
  }
  return values.view();
}

bool Writing::DividesByZero() const {
  return count() > 0 && AnyInteger(operand(count() - 1),
                                   [](Wide value) { return value == 0; });
}

bool Writing::HasNegativeExponent() const {
  return count() > 0 &&
         AnyInteger(operand(count() - 1), [](Wide value) { return value < 0; });
}

bool Writing::ShiftsPastWidth() const {
  if (count() == 0) return false;
  const CodeOperand& shift = operand(count() - 1);
  const int bits = IntegerBits(shift.dtype);
  return AnyInteger(shift, [&](Wide value) { return value >= bits; });
}

Writing::Beyond Writing::CastsBeyond() const {
  const int bits = IntegerBits(to());
  if (bits == 0 || !question.attributes.to || count() == 0) {
    return Beyond::kNothing;
  }
  const CodeOperand& cast = operand(0);
  if (Elements(cast) == 0 || cast.dtype == DType::kBool) {
    return Beyond::kNothing;
  }
  const Wide high = Wide{1} << (IsSigned(to()) ? bits - 1 : bits);
  const Wide low = IsSigned(to()) ? -high : Wide{0};
  const auto is_beyond = [&](Wide value) {
    return value < low || value >= high;
  };
  if (IsInteger(cast.dtype)) {
    return AnyInteger(cast, is_beyond) ? Beyond::kInteger : Beyond::kNothing;
  }
  if (Counts(cast)) {
    const bool beyond = is_beyond(cast.values.first) ||
                        is_beyond(CountedEnd(cast) - cast.values.step);
    return beyond ? Beyond::kFloat : Beyond::kNothing;
  }
  const bool beyond = std::ranges::any_of(cast.values.reals, [&](double value) {
    return !std::isfinite(value) || std::abs(value) >= 0x1p100 ||
           is_beyond(static_cast<Wide>(value));
  });
  return beyond ? Beyond::kFloat : Beyond::kNothing;
}

void Writing::CheckCast(std::string_view title) {
  if (op().attribute != OpAttribute::kTo) return;
  const Beyond beyond = CastsBeyond();
  if (beyond == Beyond::kFloat) {
    Refuse(title, " leaves open what floats beyond an integer type become.");
  }
  if (beyond == Beyond::kInteger && saturates()) {
    Refuse(title, " has no cast that saturates integers.");
  }
}

}  // namespace v1
}  // namespace broadloom
