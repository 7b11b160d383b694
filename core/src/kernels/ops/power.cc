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
using NarrowOp = std::conditional_t<kHasFma, PowOp, MixedPowOp>;

template <class Lanes>
constexpr const RowLoop* kNarrowPow = &kBinaryLoop<NarrowOp, Lanes>;

constexpr const RowLoop* kF64Pow = &kBinaryLoop<PowOp, Same<double>>;

// Of integers, to the power of floats.
constexpr const RowLoop* kPowOfIntegers =
    &kBinaryLoop<PowOfIntegersOp, Same<double>>;

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

// Whether all exponents are brought to 8 bits for bases of 8 bits. WebAssembly
// does so for those of 8 bits only, to save code: with others it computes in 16
// bits.
constexpr bool kBringsToBytes = !HWY_ARCH_WASM;

// Converts exponents to `type`, which is signed and as wide as the loop's
// lanes.
constexpr ConvertingKernel IntegerPowKernel(DType exponent, DType type,
                                            const RowLoop* loop) {
  return {{&RunConverting},
          {nullptr, ExponentConversion(exponent, type)},
          loop,
          nullptr};
}

constexpr ConvertingKernel IntegerPowKernel(DType base, DType exponent) {
  switch (base) {
    case DType::kI64:
      return IntegerPowKernel(exponent, DType::kI64, kIntegerPow<int64_t>);
    case DType::kU64:
      return IntegerPowKernel(exponent, DType::kI64, kIntegerPow<uint64_t>);
    case DType::kI32:
      return IntegerPowKernel(exponent, DType::kI32, kIntegerPow<int32_t>);
    case DType::kU32:
      return IntegerPowKernel(exponent, DType::kI32, kIntegerPow<uint32_t>);
    case DType::kI16:
      return IntegerPowKernel(exponent, DType::kI16, kIntegerPow<int16_t>);
    case DType::kU16:
      return IntegerPowKernel(exponent, DType::kI16, kIntegerPow<uint16_t>);
    default:
      break;
  }
  if (kBringsToBytes || broadloom::BitsOf(exponent) == 8) {
    return IntegerPowKernel(
        exponent, DType::kI8,
        base == DType::kI8 ? kIntegerPow<int8_t> : kIntegerPow<uint8_t>);
  }
  ConvertingKernel kernel =
      IntegerPowKernel(exponent, DType::kI16, kIntegerPow<int16_t>);
  kernel.convert_in[0] = Conversion(base, DType::kI16);
  kernel.convert_out = Conversion(DType::kI16, base);
  return kernel;
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
  const bool narrow = IsFloat(base) && base != DType::kF64;
  if (narrow && base == exponent) {
    return {run, {nullptr, nullptr}, NarrowPow(base), nullptr};
  }
  if (narrow && FitsF32(exponent)) {
    return {run,
            {Conversion(base, DType::kF32), Conversion(exponent, DType::kF32)},
            NarrowPow(DType::kF32),
            Conversion(DType::kF32, base)};
  }
  const bool by_64_bits = exponent == DType::kI64 || exponent == DType::kU64;
  const bool by_i64 = exponent == DType::kI64;
  const RowLoop* enter = Conversion(base, DType::kF64);
  const RowLoop* enter_exponent = Conversion(exponent, DType::kF64);
  const RowLoop* leave = Conversion(DType::kF64, base);
  if (narrow) {
    // An integer exponent of 64 bits is brought near 0, but stays even or odd.
    if (by_64_bits) {
      enter_exponent =
          by_i64 ? &kI64ToF64KeepingParity : &kU64ToF64KeepingParity;
    }
    return {run, {enter, enter_exponent}, kNarrowF64Pow, leave};
  }
  if (by_64_bits) {
    return {run,
            {enter, by_i64 ? nullptr : &kU64ToI64KeepingParity},
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
