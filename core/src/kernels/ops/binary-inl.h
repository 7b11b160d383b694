// Kernels of operators that have two operands, and their choice by element
// type.

#if defined(BROADLOOM_KERNELS_OPS_BINARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_BINARY_INL_H_
#undef BROADLOOM_KERNELS_OPS_BINARY_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_BINARY_INL_H_
#endif

#include <cstdint>

#include "base/built.h"
#include "broadloom/vocabulary.h"
#include "hwy/highway.h"
#include "kernels/ops/brain-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// out = Operator(a, b), in vectors.
template <class Operator, class In, class Out = In>
inline constexpr ElementwiseKernel kBinary =
    ElementwiseOf(kBinaryLoop<Operator, In, In, Out>);

// out = Operator(b, a), in vectors.
template <class Operator, class In, class Out = In>
inline constexpr ElementwiseKernel kSwapped =
    ElementwiseOf(kBinaryLoop<Operator, In, In, Out>, true);

// out = Operator(a, b), element by element.
template <class Operator, class T>
inline constexpr ElementwiseKernel kElements =
    ElementwiseOf(kElementLoop<Operator, T>);

// bf16, as the operator computes f32.
template <class Operator>
inline constexpr ElementwiseKernel kBrains =
    kBinary<BrainOp<Operator>, Same<uint16_t>>;

// The kernel of an operator on floats: f32 and f64 in their own type, f16 and
// bf16 as f32 in registers. Null for other types.
template <class Operator>
const Kernel* FloatKernel(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kBinary<Operator, F16>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kBrains<Operator>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(&kBinary<Operator, Same<float>>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(&kBinary<Operator, Same<double>>);
    default:
      return nullptr;
  }
}

// The kernel of an operator on integers whose bits are the same for signed and
// unsigned ones. Null for other types.
template <class Operator>
const Kernel* SignlessKernel(DType dtype) {
  switch (dtype) {
    case DType::kI8:
    case DType::kU8:
      return WhereBuilt<DType::kI8, DType::kU8>(
          &kBinary<Operator, Same<uint8_t>>);
    case DType::kI16:
    case DType::kU16:
      return WhereBuilt<DType::kI16, DType::kU16>(
          &kBinary<Operator, Same<uint16_t>>);
    case DType::kI32:
    case DType::kU32:
      return WhereBuilt<DType::kI32, DType::kU32>(
          &kBinary<Operator, Same<uint32_t>>);
    case DType::kI64:
    case DType::kU64:
      return WhereBuilt<DType::kI64, DType::kU64>(
          &kBinary<Operator, Same<uint64_t>>);
    default:
      return nullptr;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_BINARY_INL_H_
