// The element type in which operands of several types are computed: NumPy's.
// The governing documents are NumPy's data type promotion, NEP 50 for scalars
// without a type, and ml_dtypes for the types that NumPy lacks. Example:
//   // i16 holds both; no integer holds i64 and u64.
//   assert(PromoteTypes(DType::kI8, DType::kU8) == DType::kI16);
//   assert(PromoteTypes(DType::kI64, DType::kU64) == DType::kF64);
//   assert(PromoteTypes(DType::kF16, DType::kI16) == DType::kF32);
//   assert(!PromoteTypes(DType::kF16, DType::kBF16));
//
// For NumPy's own types the rule is one of kinds and widths. A kind is taken
// before its widths are compared: bool, integer, float, complex. Integers of
// both signs need a signed type of twice the unsigned one's width, and f64
// where that would be more than 64 bits. A float, or the parts of a complex
// number, are as wide as the widest of them and of what each integer asks for
// by itself: 16 bits for those of 8, 32 for those of 16, else 64. So promoting
// a list is not the same as promoting its types two by two: of i16, u16 and
// f32 the first two would make i32, and that with f32 f64; the list gives f32.
//
// bf16, f8e4m3 and f8e5m2 take in bool, i8 and u8, and are taken in by f32, f64
// and complex types. f8e5m2 alone goes with wider integers and f16, too: as if
// it were f32. Packed types go with themselves only.

#ifndef BROADLOOM_PROMOTE_H_
#define BROADLOOM_PROMOTE_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// What is known of a scalar that has a value but no element type, such as a
// number written into a program. It follows the types it meets, as far as its
// kind allows (NEP 50). In the order of their width.
enum class WeakKind : uint8_t { kNone, kBool, kInt, kFloat };

// The common type of two, or none. It does not matter which is first.
[[nodiscard]] std::optional<DType> PromoteTypes(DType a, DType b) noexcept;

// The common type of a list, in any order, in which a type may occur more than
// once, and of scalars without a type, the widest of whose kinds is `weak`. The
// types come first, then the scalars: kInt makes an integer of bool, kFloat
// makes a float of bool and of integers; types of their kind or above stay what
// they are. Where two of the types have no common type, the list has none.
// Nothing at all has none, either. Example:
//   assert(ResultDType({DType::kF32}, WeakKind::kFloat) == DType::kF32);
//   assert(ResultDType({DType::kI32}, WeakKind::kFloat) == DType::kF64);
//   assert(ResultDType({DType::kU8}, WeakKind::kInt) == DType::kU8);
//   assert(ResultDType({}, WeakKind::kInt) == DType::kI64);
//
// NumPy's own answers for lists with bf16, f8e4m3 or f8e5m2 depend on the order
// of the list where two of the types have no common type, and where there are
// scalars beside several types.
[[nodiscard]] std::optional<DType> ResultDType(
    std::span<const DType> dtypes, WeakKind weak = WeakKind::kNone) noexcept;
[[nodiscard]] inline std::optional<DType> ResultDType(
    std::initializer_list<DType> dtypes,
    WeakKind weak = WeakKind::kNone) noexcept {
  return ResultDType(std::span(dtypes.begin(), dtypes.size()), weak);
}

// As which type `op` computes bools and integers under promotion, where that is
// not their common type: f64 for Div, since NumPy's division is true division.
[[nodiscard]] std::optional<DType> PromotedIntegers(Op op) noexcept;

// The type in which `op` computes these under promotion. Example:
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
