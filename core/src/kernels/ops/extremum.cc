// Max and Min of any number of operands.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/extremum.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/ops-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

template <class Operator, class T>
constexpr FoldKernel kFold = {
    {&RunFold}, nullptr,   &kBinaryLoop<Operator, Same<T>>,
    nullptr,    sizeof(T), false};

template <bool kMax>
const Kernel* ExtremumKernel(DType dtype) {
  using Extremum = ExtremumOp<kMax>;
  switch (dtype) {
    case DType::kI8:
      return WhereBuilt<DType::kI8>(&kFold<Extremum, int8_t>);
    case DType::kI16:
      return WhereBuilt<DType::kI16>(&kFold<Extremum, int16_t>);
    case DType::kI32:
      return WhereBuilt<DType::kI32>(&kFold<Extremum, int32_t>);
    case DType::kI64:
      return WhereBuilt<DType::kI64>(&kFold<Extremum, int64_t>);
    case DType::kU8:
      return WhereBuilt<DType::kU8>(&kFold<Extremum, uint8_t>);
    case DType::kU16:
      return WhereBuilt<DType::kU16>(&kFold<Extremum, uint16_t>);
    case DType::kU32:
      return WhereBuilt<DType::kU32>(&kFold<Extremum, uint32_t>);
    case DType::kU64:
      return WhereBuilt<DType::kU64>(&kFold<Extremum, uint64_t>);
    case DType::kF16:
      return WhereBuilt<DType::kF16>(
          &kFold<ExtremumBitsOp<kMax, 0x7C00>, int16_t>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(
          &kFold<ExtremumBitsOp<kMax, 0x7F80>, int16_t>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(&kFold<Extremum, float>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(&kFold<Extremum, double>);
    default:
      return nullptr;
  }
}

const Kernel* LookupExtremum(Op op, DType dtype) {
  switch (op) {
    case Op::kMax:
      return WhereBuilt<Op::kMax>(ExtremumKernel<true>(dtype));
    case Op::kMin:
      return WhereBuilt<Op::kMin>(ExtremumKernel<false>(dtype));
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
HWY_EXPORT(LookupExtremum);
}  // namespace

const Kernel* FindExtremum(Op op, DType dtype) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupExtremum)(op, dtype);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
