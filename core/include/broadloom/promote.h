// Type promotion: the element type in which operands of different types are
// computed, as in NumPy. The governing documents are NumPy's "Data type
// promotion", NEP 50 for scalars without a type, and ml_dtypes for the types
// that NumPy lacks. Example:
//   // i16 holds i8 and u8; no integer type holds i64 and u64.
//   assert(PromoteTypes(DType::kI8, DType::kU8) == DType::kI16);
//   assert(PromoteTypes(DType::kI64, DType::kU64) == DType::kF64);
//   assert(PromoteTypes(DType::kF16, DType::kI16) == DType::kF32);
//   assert(!PromoteTypes(DType::kF16, DType::kBF16));
//
// For NumPy's types the result has the highest kind, in the order bool,
// integer, float, complex. Its width follows from the operands' widths:
//   integers of both signs: a signed type of twice the unsigned type's width,
//     or f64 where that would be more than 64 bits
//   floats, and the parts of complex numbers: the widest float, and at least 16
//     bits beside 8-bit integers, 32 beside 16-bit, 64 beside wider integers
// So promoting a list differs from promoting its types pair by pair: i16, u16
// and f32 give f32, although i16 and u16 give i32, and i32 and f32 give f64.
//
// bf16, f8e4m3 and f8e5m2 promote bool, i8 and u8 to themselves, and are
// promoted to f32, f64 and complex types. f8e5m2 also promotes with wider
// integers and f16, as if it were f32. Packed types promote only with
// themselves.

#ifndef BROADLOOM_PROMOTE_H_
#define BROADLOOM_PROMOTE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// The kind of a scalar without an element type, such as a number in a program.
// It takes the type of the other operands, as far as its kind allows (NEP 50).
// In the order of promotion.
enum class WeakKind : uint8_t { kNone, kBool, kInt, kFloat };

// The common type of two types, in any order, or none.
[[nodiscard]] std::optional<DType> PromoteTypes(DType a, DType b) noexcept;

// The common type of a list of types, in any order, with repetitions, and of
// scalars without a type, of which `weak` is the highest kind. The types are
// promoted first. Then kInt promotes bool to an integer type, and kFloat
// promotes bool and integers to a float type; types of the same or a higher
// kind stay. None where two of the types have no common type, or where there is
// neither a type nor a scalar. Example:
//   assert(ResultDType({DType::kF32}, WeakKind::kFloat) == DType::kF32);
//   assert(ResultDType({DType::kI32}, WeakKind::kFloat) == DType::kF64);
//   assert(ResultDType({DType::kU8}, WeakKind::kInt) == DType::kU8);
//   assert(ResultDType({}, WeakKind::kInt) == DType::kI64);
//
// For lists with bf16, f8e4m3 or f8e5m2 NumPy's result depends on the order of
// the list where two of the types have no common type, and where there are
// scalars beside several types.
[[nodiscard]] std::optional<DType> ResultDType(
    std::span<const DType> dtypes, WeakKind weak = WeakKind::kNone) noexcept;
[[nodiscard]] inline std::optional<DType> ResultDType(
    std::initializer_list<DType> dtypes,
    WeakKind weak = WeakKind::kNone) noexcept {
  return ResultDType(std::span(dtypes.begin(), dtypes.size()), weak);
}

// Whether operand `operand` of `op` takes part in promotion. One that is always
// bool does not, as Where's condition; Mod takes floats with fmod alone, and
// promotes them. Example:
//   assert(IsPromoted(Op::kWhere, 2) && !IsPromoted(Op::kWhere, 0));
[[nodiscard]] bool IsPromoted(Op op, size_t operand) noexcept;

// The type in which `op` computes bools and integers under promotion, where it
// is not their common type: f64 for Div, since NumPy's division is true
// division.
[[nodiscard]] std::optional<DType> PromotedIntegers(Op op) noexcept;

// The type in which `op` computes operands of these types under promotion.
// Example:
//   assert(ResultDType(Op::kDiv, {DType::kU8}, WeakKind::kInt) == DType::kF64);
//   assert(ResultDType(Op::kDiv, {DType::kU8, DType::kF32}) == DType::kF32);
[[nodiscard]] std::optional<DType> ResultDType(
    Op op, std::span<const DType> dtypes,
    WeakKind weak = WeakKind::kNone) noexcept;
[[nodiscard]] inline std::optional<DType> ResultDType(
    Op op, std::initializer_list<DType> dtypes,
    WeakKind weak = WeakKind::kNone) noexcept {
  return ResultDType(op, std::span(dtypes.begin(), dtypes.size()), weak);
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PROMOTE_H_
