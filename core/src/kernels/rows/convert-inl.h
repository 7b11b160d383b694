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

inline constexpr size_t kNumberTypes = 12;
inline constexpr size_t kIntegerTypes = 8;
constexpr size_t NumberIndex(DType dtype) {
  return static_cast<size_t>(dtype) - static_cast<size_t>(DType::kI8);
}
constexpr DType NumberType(size_t index) {
  return static_cast<DType>(index + static_cast<size_t>(DType::kI8));
}
constexpr bool IsNumber(DType dtype) {
  return dtype >= DType::kI8 && dtype <= DType::kF64;
}
constexpr bool IsFloat(DType dtype) {
  return dtype >= DType::kF16 && dtype <= DType::kF64;
}
constexpr bool IsSigned(DType dtype) {
  return dtype >= DType::kI8 && dtype <= DType::kI64;
}
static_assert(NumberIndex(DType::kF64) == kNumberTypes - 1);
static_assert(NumberIndex(DType::kU64) == kIntegerTypes - 1);

// The loops from each number type to each other one, in the order of DType.
// Integers wrap or are extended. Results in floats are rounded once, to nearest
// even. Floats that become integers are truncated and saturate; NaN becomes 0.
// In WebAssembly Cast has no other loops; on other targets it does, and here
// are those alone from and to f32 and f64.
struct ConversionTable {
  RowLoop loops[kNumberTypes][kNumberTypes];
};
extern const ConversionTable kConversions;

// Null if the types are the same.
constexpr const RowLoop* Conversion(DType from, DType to) {
  return from == to ? nullptr
                    : &kConversions.loops[NumberIndex(from)][NumberIndex(to)];
}

// Integer exponents of each type as signed integers of 2^(i + 3) bits that give
// the same power of every base of up to so many bits. WebAssembly has none to 8
// bits from more.
struct ExponentTable {
  RowLoop loops[4][kIntegerTypes];
};
extern const ExponentTable kExponents;

// Null if the types are the same. `to` is signed.
constexpr const RowLoop* ExponentConversion(DType exponent, DType to) {
  return exponent == to
             ? nullptr
             : &kExponents.loops[NumberIndex(to)][NumberIndex(exponent)];
}

// From i64 and u64, for exponents of narrow floats: those beyond 2^52 become an
// even or odd number near 2^52, as they are even or odd. To so great a power
// every f32 is 0, 1 or infinite.
extern const RowLoop kI64ToF64KeepingParity;
extern const RowLoop kU64ToF64KeepingParity;

// For exponents of f64: those beyond i64 become its last even or odd number. To
// so great a power every f64, too, is 0, 1 or infinite.
extern const RowLoop kU64ToI64KeepingParity;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_INL_H_
