// Chooses a loop for each conversion of convert-inl.h.

#include <cstddef>
#include <cstdint>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/convert.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/convert_elements-inl.h"
#include "kernels/rows/convert_vectors-inl.h"
#include "kernels/rows/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// f32 to integers. WebAssembly has a loop for u8 only, to save code; the others
// go through f64.
template <class T>
constexpr RowLoop TruncatingLoop() {
  if constexpr (HWY_ARCH_WASM && !hwy::IsSame<T, uint8_t>()) {
    return {};
  } else {
    return kMove<Same<float>, Integers<T>>;
  }
}

// Integers to f32. WebAssembly has vector loops for u8 (images) and i32
// (indices) only, to save code.
template <class T>
constexpr RowLoop WideningLoop() {
  if constexpr (HWY_ARCH_WASM && !hwy::IsSame<T, uint8_t>() &&
                !hwy::IsSame<T, int32_t>()) {
    return kConvert<T, float>;
  } else {
    return kMove<Integers<T>, Same<float>>;
  }
}

// For conversions that a table does not have.
constexpr RowLoop kNone = {};

}  // namespace

// The order is i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64.

const RowLoop kToF32[kNumberTypes] = {WideningLoop<int8_t>(),
                                      WideningLoop<int16_t>(),
                                      WideningLoop<int32_t>(),
                                      kNone,
                                      WideningLoop<uint8_t>(),
                                      WideningLoop<uint16_t>(),
                                      kNone,
                                      kNone,
                                      kMove<F16, Same<float>>,
                                      kMove<BF16, Same<float>>,
                                      kNone,
                                      kNone};

const RowLoop kToF64[kNumberTypes] = {kConvert<int8_t, double>,
                                      kConvert<int16_t, double>,
                                      kConvert<int32_t, double>,
                                      kConvert<int64_t, double>,
                                      kConvert<uint8_t, double>,
                                      kConvert<uint16_t, double>,
                                      kConvert<uint32_t, double>,
                                      kConvert<uint64_t, double>,
                                      kWiden<F16>,
                                      kWiden<BF16>,
                                      kWiden<Same<float>>,
                                      kNone};

const RowLoop kToOddF64[kNumberTypes] = {
    kNone, kNone, kNone, kConvert<int64_t, double, RoundToOdd>,
    kNone, kNone, kNone, kConvert<uint64_t, double, RoundToOdd>,
    kNone, kNone, kNone, kNone};

const RowLoop kToF64KeepingParity[kNumberTypes] = {
    kNone, kNone, kNone, kConvert<int64_t, double, KeepParity>,
    kNone, kNone, kNone, kConvert<uint64_t, double, KeepParity>,
    kNone, kNone, kNone, kNone};

const RowLoop kU64ToI64KeepingParity =
    kConvert<uint64_t, int64_t, ClampKeepingParity>;

const RowLoop kFromF32[kNumberTypes] = {TruncatingLoop<int8_t>(),
                                        TruncatingLoop<int16_t>(),
                                        TruncatingLoop<int32_t>(),
                                        kNone,
                                        TruncatingLoop<uint8_t>(),
                                        TruncatingLoop<uint16_t>(),
                                        kNone,
                                        kNone,
                                        kMove<Same<float>, F16>,
                                        kMove<Same<float>, BF16>,
                                        kNone,
                                        kNone};

const RowLoop kFromF64[kNumberTypes] = {kConvert<double, int8_t, Saturate>,
                                        kConvert<double, int16_t, Saturate>,
                                        kConvert<double, int32_t, Saturate>,
                                        kConvert<double, int64_t, Saturate>,
                                        kConvert<double, uint8_t, Saturate>,
                                        kConvert<double, uint16_t, Saturate>,
                                        kConvert<double, uint32_t, Saturate>,
                                        kConvert<double, uint64_t, Saturate>,
                                        kNarrow<F16>,
                                        kNarrow<BF16>,
                                        kNarrow<Same<float>>,
                                        kNone};

const RowLoop kToI32[kNumberTypes] = {kConvert<int8_t, int32_t>,
                                      kConvert<int16_t, int32_t>,
                                      kNone,
                                      kConvert<uint64_t, int32_t>,
                                      kConvert<uint8_t, int32_t>,
                                      kConvert<uint16_t, int32_t>,
                                      kNone,
                                      kConvert<uint64_t, int32_t>,
                                      kNone,
                                      kNone,
                                      kNone,
                                      kNone};

const RowLoop kFromI32[kNumberTypes] = {kConvert<int32_t, uint8_t>,
                                        kConvert<int32_t, uint16_t>,
                                        kNone,
                                        kNone,
                                        kConvert<int32_t, uint8_t>,
                                        kConvert<int32_t, uint16_t>,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone,
                                        kNone};

const RowLoop kToExponent8[kNumberTypes] = {
    kNone,
    kConvert<int16_t, int8_t, ReduceExponent>,
    kConvert<int32_t, int8_t, ReduceExponent>,
    kConvert<int64_t, int8_t, ReduceExponent>,
    kConvert<uint8_t, int8_t, ReduceExponent>,
    kConvert<uint16_t, int8_t, ReduceExponent>,
    kConvert<uint32_t, int8_t, ReduceExponent>,
    kConvert<uint64_t, int8_t, ReduceExponent>,
    kNone,
    kNone,
    kNone,
    kNone};

const RowLoop kToExponent16[kNumberTypes] = {
    kConvert<int8_t, int16_t>,
    kNone,
    kConvert<int32_t, int16_t, ReduceExponent>,
    kConvert<int64_t, int16_t, ReduceExponent>,
    kConvert<uint8_t, int16_t>,
    kConvert<uint16_t, int16_t, ReduceExponent>,
    kConvert<uint32_t, int16_t, ReduceExponent>,
    kConvert<uint64_t, int16_t, ReduceExponent>,
    kNone,
    kNone,
    kNone,
    kNone};

const RowLoop kToExponent32[kNumberTypes] = {
    kConvert<int8_t, int32_t>,
    kConvert<int16_t, int32_t>,
    kNone,
    kConvert<int64_t, int32_t, ReduceExponent>,
    kConvert<uint8_t, int32_t>,
    kConvert<uint16_t, int32_t>,
    kConvert<uint32_t, int32_t, ReduceExponent>,
    kConvert<uint64_t, int32_t, ReduceExponent>,
    kNone,
    kNone,
    kNone,
    kNone};

const RowLoop kToExponent64[kNumberTypes] = {
    kConvert<int8_t, int64_t>,
    kConvert<int16_t, int64_t>,
    kConvert<int32_t, int64_t>,
    kNone,
    kConvert<uint8_t, int64_t>,
    kConvert<uint16_t, int64_t>,
    kConvert<uint32_t, int64_t>,
    kConvert<uint64_t, int64_t, ReduceExponent>,
    kNone,
    kNone,
    kNone,
    kNone};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
