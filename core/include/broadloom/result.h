// What a fallible call returns: a value or an Error, never an exception.
//
// An Error is plain data: which class, which rule and clause, and which
// operand, axis and extents. Sentences are made from it by explain.h.
// (2,3,4) with (3,5) under numpy gives
//   {kIncompatible, rule kNumpy, clause kNumpyCompatible, operand 1, other 0,
//    axis 2, operand axis 1, other axis 2, extent 5, other extent 4}.

#ifndef BROADLOOM_RESULT_H_
#define BROADLOOM_RESULT_H_

#include <cstdint>
#include <expected>
#include <optional>

#include "broadloom/internal/config.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Values of a field for an operand's index that mean the target shape, the
// result, and no operand. kAbsent also means no axis.
inline constexpr int32_t kTargetOperand = -2;
inline constexpr int32_t kOutputOperand = -3;
inline constexpr int32_t kAbsent = -1;

// Fields that do not apply to an error keep their defaults.
struct Error {
  ErrorClass error_class;
  Detail detail = Detail::kNoDetail;
  // The rule that was applied and the clause that was broken.
  std::optional<Rule> rule = std::nullopt;
  Clause clause = Clause::kNoClause;
  std::optional<Op> op = std::nullopt;
  // The operand at fault, and the operand with which it conflicts.
  int32_t operand = kAbsent;
  int32_t other_operand = kAbsent;
  // The axis at fault: of the result, of the operand, of the other operand.
  int32_t axis = kAbsent;
  int32_t operand_axis = kAbsent;
  int32_t other_axis = kAbsent;
  // The values at fault: extents, ranks, lengths in bytes, or a wrong value.
  // For kParse: begin and end of the token, in characters, not bytes.
  int64_t extent = 0;
  int64_t other_extent = 0;
  // For kDType: the operand's type, and the type with which it conflicts.
  std::optional<DType> dtype = std::nullopt;
  std::optional<DType> other_dtype = std::nullopt;
  // For kParse and for extents read from a text: the bytes [begin, end) of the
  // text.
  uint32_t text_begin = 0;
  uint32_t text_end = 0;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;
using Status = std::expected<void, Error>;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RESULT_H_
