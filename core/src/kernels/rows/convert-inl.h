// Conversions between element types for kernels that compute in another type
// than their operands', as each target has them.

#if defined(BROADLOOM_KERNELS_ROWS_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CONVERT_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CONVERT_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CONVERT_INL_H_
#endif

#include <cstddef>

#include "broadloom/vocabulary.h"
#include "hwy/highway.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Tables with one loop for each number type, in the order of DType.
inline constexpr size_t kNumberTypes = 12;
constexpr size_t NumberIndex(DType dtype) {
  return static_cast<size_t>(dtype) - static_cast<size_t>(DType::kI8);
}
constexpr DType NumberType(size_t index) {
  return static_cast<DType>(index + static_cast<size_t>(DType::kI8));
}
constexpr bool IsNumber(DType dtype) {
  return dtype >= DType::kI8 && dtype <= DType::kF64;
}
static_assert(NumberIndex(DType::kF64) == kNumberTypes - 1);

// To floats: exact, but for i32 to f32, and i64 and u64 to f64. kToF32 has no
// wider integers.
extern const RowLoop kToF32[kNumberTypes];
extern const RowLoop kToF64[kNumberTypes];

// 64-bit integers, those that f64 does not have to that neighbour whose last
// bit is 1: what is rounded from there is rounded once. No others.
extern const RowLoop kToOddF64[kNumberTypes];

// 64-bit integers, those beyond 2^52 brought nearer to 0 with their parity: to
// so great a power f32's numbers are 0, 1 or infinite. No others.
extern const RowLoop kToF64KeepingParity[kNumberTypes];

// Those beyond i64 brought to its end with their parity: to so great a power
// f64's numbers too are 0, 1 or infinite.
extern const RowLoop kU64ToI64KeepingParity;

// From floats: rounded to nearest even, integers truncated and saturated, NaN
// to 0. kFromF32 has f16, bf16 and some of the integers of up to 32 bits.
extern const RowLoop kFromF32[kNumberTypes];
extern const RowLoop kFromF64[kNumberTypes];

// Integers of less than 32 bits, extended, the low bits of wider ones, and
// i32's low bits.
extern const RowLoop kToI32[kNumberTypes];
extern const RowLoop kFromI32[kNumberTypes];

// Integer exponents, brought into an i32 or i64 which gives the same power of
// every base of up to 32 or 64 bits.
extern const RowLoop kToExponent32[kNumberTypes];
extern const RowLoop kToExponent64[kNumberTypes];

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_INL_H_
