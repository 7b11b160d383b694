// Loops that convert between number types, for kernels that compute in another
// type than their operands have. Each SIMD target has its own.

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

// The tables have one loop for each number type, in the order of DType. A loop
// whose `run` is null does not exist.
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

// To floats. Exact, except for i32 to f32 and for i64 and u64 to f64, which
// round. kToF32 has no loops for integers wider than i32.
extern const RowLoop kToF32[kNumberTypes];
extern const RowLoop kToF64[kNumberTypes];

// From i64 and u64 only. An integer that f64 does not have becomes that
// neighbour whose last bit is 1 (round to odd): to round it again to a narrower
// float gives what rounding once would.
extern const RowLoop kToOddF64[kNumberTypes];

// From i64 and u64 only, for exponents of narrow floats: those beyond 2^52
// become an even or odd number near 2^52, as they are even or odd. To so great
// a power every f32 is 0, 1 or infinite.
extern const RowLoop kToF64KeepingParity[kNumberTypes];

// For exponents of f64: those beyond i64 become its last even or odd number. To
// so great a power every f64, too, is 0, 1 or infinite.
extern const RowLoop kU64ToI64KeepingParity;

// From floats. To floats they round to nearest even; to integers they truncate
// and saturate, and NaN becomes 0. kFromF32 has f16, bf16 and some of the
// integers of up to 32 bits.
extern const RowLoop kFromF32[kNumberTypes];
extern const RowLoop kFromF64[kNumberTypes];

// To i32: extends narrower integers and takes the low bits of wider ones. From
// i32: takes the low bits.
extern const RowLoop kToI32[kNumberTypes];
extern const RowLoop kFromI32[kNumberTypes];

// Integer exponents as an integer of n bits that gives the same power of every
// base of up to n bits.
extern const RowLoop kToExponent8[kNumberTypes];
extern const RowLoop kToExponent16[kNumberTypes];
extern const RowLoop kToExponent32[kNumberTypes];
extern const RowLoop kToExponent64[kNumberTypes];

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_INL_H_
