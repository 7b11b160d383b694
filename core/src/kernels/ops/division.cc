// Div and Mod. Nothing traps: x / 0 and x mod 0 are 0, MIN / -1 is MIN, and
// MIN mod -1 is 0.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/division.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/arithmetic-inl.h"
#include "kernels/ops/binary-inl.h"
#include "kernels/ops/division_bytes-inl.h"
#include "kernels/ops/division_floats-inl.h"
#include "kernels/ops/fmod-inl.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/run_task-inl.h"
#include "kernels/rows/wider-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// --- Integers of 64 bits, element by element --------------------------------

// Truncated; x / 0 is 0 and MIN / -1 is MIN.
struct Quotient64 {
  template <class T>
  static T Apply(T a, T b) {
    using Bits = hwy::MakeUnsigned<T>;
    if (b == 0) return 0;
    if (hwy::IsSigned<T>() && b == static_cast<T>(-1)) {
      return static_cast<T>(Bits{0} - static_cast<Bits>(a));
    }
    return a / b;
  }
};

// With the sign of the dividend.
struct Remainder64 {
  template <class T>
  static T Apply(T a, T b) {
    if (b == 0 || (hwy::IsSigned<T>() && b == static_cast<T>(-1))) return 0;
    return a % b;
  }
};

// With the sign of the divisor.
struct Modulo64 {
  template <class T>
  static T Apply(T a, T b) {
    const T remainder = Remainder64::Apply(a, b);
    return remainder != 0 && (remainder ^ b) < 0 ? remainder + b : remainder;
  }
};

// --- fmod of floats ---------------------------------------------------------

#if HWY_ARCH_WASM

// Element by element, to save code.
// In f32, which is exact: the remainder of two f16 or bf16 has no more bits
// than they have.
template <DType kHalf>
constexpr ConvertingKernel kHalfFmod = {
    {&RunConverting},
    {Conversion(kHalf, DType::kF32), Conversion(kHalf, DType::kF32)},
    &kElementLoop<FmodOfElementsOp, float>,
    Conversion(DType::kF32, kHalf)};

const Kernel* FmodKernel(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kHalfFmod<DType::kF16>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kHalfFmod<DType::kBF16>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(&kElements<FmodOfElementsOp, float>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(&kElements<FmodOfElementsOp, double>);
    default:
      return nullptr;
  }
}

#elif HWY_NATIVE_FMA

const Kernel* FmodKernel(DType dtype) { return FloatKernel<FmodOp>(dtype); }

#else

const Kernel* FmodKernel(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kBinary<FmodOp, Wider<F16>>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kBinary<FmodOp, Wider<BF16>>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(&kBinary<FmodOp, Wider<Same<float>>>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(&kElements<FmodOfElementsOp, double>);
    default:
      return nullptr;
  }
}

#endif

// --- Lookup -----------------------------------------------------------------

template <class OfBytes, class OfFloats, class Of64>
const Kernel* IntegerKernel(DType dtype) {
  switch (dtype) {
    case DType::kI8:
      return WhereBuilt<DType::kI8>(&kBinary<OfBytes, Same<int8_t>>);
    case DType::kI16:
      return WhereBuilt<DType::kI16>(&kBinary<OfFloats, AsFloat<int16_t>>);
    case DType::kI32:
      return WhereBuilt<DType::kI32>(&kBinary<OfFloats, AsFloat<int32_t>>);
    case DType::kI64:
      return WhereBuilt<DType::kI64>(&kElements<Of64, int64_t>);
    default:
      return nullptr;
  }
}

template <class OfBytes, class OfFloats, class Of64>
const Kernel* UnsignedKernel(DType dtype) {
  switch (dtype) {
    case DType::kU8:
      return WhereBuilt<DType::kU8>(&kBinary<OfBytes, Same<uint8_t>>);
    case DType::kU16:
      return WhereBuilt<DType::kU16>(&kBinary<OfFloats, AsFloat<uint16_t>>);
    case DType::kU32:
      return WhereBuilt<DType::kU32>(&kBinary<OfFloats, AsFloat<uint32_t>>);
    case DType::kU64:
      return WhereBuilt<DType::kU64>(&kElements<Of64, uint64_t>);
    default:
      return nullptr;
  }
}

const Kernel* DivKernel(DType dtype) {
  if (const Kernel* k = FloatKernel<DivOp>(dtype)) return k;
  if (const Kernel* k =
          UnsignedKernel<ByteQuotientOp, QuotientOp, Quotient64>(dtype)) {
    return k;
  }
  return IntegerKernel<ByteQuotientOp, QuotientOp, Quotient64>(dtype);
}

const Kernel* ModKernel(DType dtype, bool fmod) {
  // For unsigned integers both kinds of Mod are the same.
  if (const Kernel* k =
          UnsignedKernel<ByteRemainderOp, RemainderOp, Remainder64>(dtype)) {
    return k;
  }
  if (!fmod) return IntegerKernel<ByteModuloOp, ModuloOp, Modulo64>(dtype);
  if (const Kernel* k = FmodKernel(dtype)) return k;
  return IntegerKernel<ByteRemainderOp, RemainderOp, Remainder64>(dtype);
}

const Kernel* LookupDivision(Op op, DType dtype, bool fmod) {
  switch (op) {
    case Op::kDiv:
      return WhereBuilt<Op::kDiv>(DivKernel(dtype));
    case Op::kMod:
      return WhereBuilt<Op::kMod>(ModKernel(dtype, fmod));
    default:
      return nullptr;
  }
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
HWY_EXPORT(LookupDivision);
}  // namespace

const Kernel* FindDivision(Op op, DType dtype, bool fmod) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupDivision)(op, dtype, fmod);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
