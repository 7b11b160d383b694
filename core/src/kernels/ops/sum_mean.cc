// Sum and Mean of any number of operands, from left to right.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/sum_mean.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/arithmetic-inl.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

// f32 and f64, computed in their own type.
template <class T>
constexpr FoldKernel kSum = {{&RunFold, kFoldedRows, 3},
                             nullptr,
                             &kBinaryLoop<AddOp, Same<T>>,
                             nullptr,
                             sizeof(T),
                             false};
template <class T>
constexpr FoldKernel kMean = {{&RunFold, 0, 1},
                              nullptr,
                              &kBinaryLoop<AddOp, Same<T>>,
                              &kBinaryLoop<DivOp, Same<T>>,
                              sizeof(T),
                              true};

// Sum has no division; its last step only rounds. WebAssembly divides by 1
// instead, to save the code of another loop.
struct KeepOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V) {
    return a;
  }
};

// f16 and bf16, computed in f32 and rounded at the end.
template <class Half, DType kHalf, bool kDivides>
constexpr FoldKernel kHalfSum = {
    {&RunFold, 0, 1},
    &kToF32[NumberIndex(kHalf)],
    &kBinaryLoop<AddOp, Same<float>, Half>,
    &kBinaryLoop<hwy::If<kDivides || HWY_ARCH_WASM, DivOp, KeepOp>, Same<float>,
                 Same<float>, Half>,
    sizeof(typename Half::Element),
    kDivides};

const Kernel* LookupSum(Op op, DType dtype) {
  const bool mean = op == Op::kMean;
  if ((!mean && op != Op::kSum) || !(IsBuilt(Op::kSum) || IsBuilt(Op::kMean))) {
    return nullptr;
  }
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(mean ? &kHalfSum<F16, DType::kF16, true>
                                          : &kHalfSum<F16, DType::kF16, false>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(
          mean ? &kHalfSum<BF16, DType::kBF16, true>
               : &kHalfSum<BF16, DType::kBF16, false>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(mean ? &kMean<float> : &kSum<float>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(mean ? &kMean<double> : &kSum<double>);
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
HWY_EXPORT(LookupSum);
}  // namespace

const Kernel* FindSum(Op op, DType dtype) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupSum)(op, dtype);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
