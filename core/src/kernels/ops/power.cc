// Pow: bases of every number type, with exponents of every number type.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/power.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/power-inl.h"
#include "kernels/ops/power_integer-inl.h"
#include "kernels/ops/power_narrow-inl.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/convert_vectors-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// --- Loops ------------------------------------------------------------------

constexpr bool kHasFma = HWY_NATIVE_FMA;
using NarrowOp = std::conditional_t<kHasFma, PowOp, NarrowPowOp>;

template <class Lanes>
constexpr const RowLoop* kNarrowPow =
    &kBinaryLoop<NarrowOp, std::conditional_t<kHasFma, Lanes, Wider<Lanes>>>;

constexpr const RowLoop* kF64Pow = &kBinaryLoop<PowOp, Same<double>>;

// Of integers, to the power of floats. Without FMA special bases take no longer
// than others.
constexpr const RowLoop* kPowOfIntegers =
    kHasFma ? &kBinaryLoop<PowOfIntegersOp, Same<double>> : kF64Pow;

// Computed in f64 for bases and results of narrower types.
constexpr const RowLoop* kNarrowF64Pow =
    &kBinaryLoop<NarrowPowOp, Same<double>>;

// i64 in memory, their bits as f64 in vectors.
struct I64Bits {
  using Element = int64_t;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const int64_t* p) {
    return hn::BitCast(d, LoadFrom(hn::RebindToSigned<D>(), p));
  }
};

constexpr const RowLoop* kF64PowByI64 =
    &kBinaryLoop<PowByI64Op, Same<double>, I64Bits>;

template <class T>
constexpr const RowLoop* kIntegerPow =
    &kBinaryLoop<IntegerPowOp, Same<T>, IntegerExponents<T>>;

// --- The type that each pair of types is computed in ------------------------

constexpr bool IsFloat(DType dtype) {
  return dtype >= DType::kF16 && dtype <= DType::kF64;
}

// Whether integers of 8 and 16 bits have loops of their own. In WebAssembly
// they are computed as i32, to save code.
constexpr bool kHasNarrowPow = !HWY_ARCH_WASM;

constexpr ConvertingKernel IntegerPowKernel(DType base, DType exponent) {
  const RowLoop* to8 =
      exponent == DType::kI8 ? nullptr : &kToExponent8[NumberIndex(exponent)];
  const RowLoop* to16 =
      exponent == DType::kI16 ? nullptr : &kToExponent16[NumberIndex(exponent)];
  const RowLoop* to32 =
      exponent == DType::kI32 ? nullptr : &kToExponent32[NumberIndex(exponent)];
  const RowLoop* to64 =
      exponent == DType::kI64 ? nullptr : &kToExponent64[NumberIndex(exponent)];
  const Kernel run = {&RunConverting};
  switch (base) {
    case DType::kI64:
      return {run, {nullptr, to64}, kIntegerPow<int64_t>, nullptr};
    case DType::kU64:
      return {run, {nullptr, to64}, kIntegerPow<uint64_t>, nullptr};
    case DType::kI32:
      return {run, {nullptr, to32}, kIntegerPow<int32_t>, nullptr};
    case DType::kU32:
      return {run, {nullptr, to32}, kIntegerPow<uint32_t>, nullptr};
    default:
      if constexpr (kHasNarrowPow) {
        switch (base) {
          case DType::kI16:
            return {run, {nullptr, to16}, kIntegerPow<int16_t>, nullptr};
          case DType::kU16:
            return {run, {nullptr, to16}, kIntegerPow<uint16_t>, nullptr};
          case DType::kI8:
            return {run, {nullptr, to8}, kIntegerPow<int8_t>, nullptr};
          default:
            return {run, {nullptr, to8}, kIntegerPow<uint8_t>, nullptr};
        }
      }
      return {run,
              {&kToI32[NumberIndex(base)], to32},
              kIntegerPow<int32_t>,
              &kFromI32[NumberIndex(base)]};
  }
}

// Whether f32 has all values of the type.
constexpr bool FitsF32(DType dtype) {
  return dtype == DType::kI8 || dtype == DType::kI16 || dtype == DType::kU8 ||
         dtype == DType::kU16 || dtype == DType::kF16 ||
         dtype == DType::kBF16 || dtype == DType::kF32;
}

constexpr const RowLoop* NarrowPow(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return kNarrowPow<F16>;
    case DType::kBF16:
      return kNarrowPow<BF16>;
    default:
      return kNarrowPow<Same<float>>;
  }
}

constexpr ConvertingKernel FloatPowKernel(DType base, DType exponent) {
  const Kernel run = {&RunConverting};
  const size_t from = NumberIndex(base);
  const size_t by = NumberIndex(exponent);
  const bool narrow = IsFloat(base) && base != DType::kF64;
  if (narrow && base == exponent) {
    return {run, {nullptr, nullptr}, NarrowPow(base), nullptr};
  }
  if (narrow && FitsF32(exponent)) {
    const bool is_f32 = base == DType::kF32;
    return {run,
            {is_f32 ? nullptr : &kToF32[from],
             exponent == DType::kF32 ? nullptr : &kToF32[by]},
            NarrowPow(DType::kF32),
            is_f32 ? nullptr : &kFromF32[from]};
  }
  const bool by_64_bits = exponent == DType::kI64 || exponent == DType::kU64;
  const RowLoop* enter_exponent =
      exponent == DType::kF64 ? nullptr : &kToF64[by];
  if (narrow) {
    // An integer exponent of 64 bits is brought near 0, but stays even or odd.
    return {
        run,
        {&kToF64[from], by_64_bits ? &kToF64KeepingParity[by] : enter_exponent},
        kNarrowF64Pow,
        &kFromF64[from]};
  }
  const RowLoop* enter = base == DType::kF64 ? nullptr : &kToF64[from];
  const RowLoop* leave = base == DType::kF64 ? nullptr : &kFromF64[from];
  if (by_64_bits) {
    const bool is_signed = exponent == DType::kI64;
    return {run,
            {enter, is_signed ? nullptr : &kU64ToI64KeepingParity},
            kF64PowByI64,
            leave};
  }
  return {run,
          {enter, enter_exponent},
          IsFloat(base) ? kF64Pow : kPowOfIntegers,
          leave};
}

struct PowerTable {
  ConvertingKernel kernels[kNumberTypes][kNumberTypes];
};

constexpr PowerTable MakePowerTable() {
  PowerTable table = {};
  for (size_t base = 0; base < kNumberTypes; ++base) {
    for (size_t exponent = 0; exponent < kNumberTypes; ++exponent) {
      const DType base_type = NumberType(base);
      const DType exponent_type = NumberType(exponent);
      table.kernels[base][exponent] =
          IsFloat(base_type) || IsFloat(exponent_type)
              ? FloatPowKernel(base_type, exponent_type)
              : IntegerPowKernel(base_type, exponent_type);
    }
  }
  return table;
}

constexpr PowerTable kPowerTable = MakePowerTable();

const Kernel* LookupPower(DType base, DType exponent) {
  if (!IsBuilt(Op::kPow) || !IsNumber(base) || !IsNumber(exponent)) {
    return nullptr;
  }
  return &kPowerTable.kernels[NumberIndex(base)][NumberIndex(exponent)];
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace {
HWY_EXPORT(LookupPower);
}  // namespace

const Kernel* FindPower(DType base, DType exponent) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupPower)(base, exponent);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
