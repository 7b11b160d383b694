// Sum and Mean of any number of operands, from left to right.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/sum_mean.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/arithmetic-inl.h"
#include "kernels/ops/binary-inl.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/fold_loop-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// (a + b) / 2: a product with 1/2 rounds as the quotient does.
struct MeanOfTwoOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::Mul(hn::Add(a, b), hn::Set(d, hn::TFromD<D>{0.5}));
  }
};
template <>
inline constexpr size_t kInterchangeable<MeanOfTwoOp> = 2;
template <class T>
inline constexpr bool kIsShort<MeanOfTwoOp, T> = true;

namespace {

template <bool kDivides>
using OfTwoOp = std::conditional_t<kDivides, MeanOfTwoOp, AddOp>;

// A fold that has a kernel of its own for two operands.
struct SumKernel : FoldKernel {
  const ElementwiseKernel* of_two;
};

void RunSum(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const SumKernel&>(self);
  switch (task.operand_count()) {
    case 1:
      return MoveElements(task, size_t{kernel.element_bytes} * 8);
    case 2:
      return kernel.of_two->run(task);
    default:
      return RunFold(self, task);
  }
}

// f32 and f64, computed in their own type.
template <class T, bool kDivides>
constexpr SumKernel kSum = {
    {FoldOf(&RunSum, kBinary<OfTwoOp<kDivides>, Same<T>>.loop_bytes,
            kHasLoopOfThree<AddOp, T>),
     nullptr, &kBinaryLoop<AddOp, Same<T>>, LoopOfThree<AddOp, Same<T>>(),
     LoopOfThree<AddOp, Same<T>, kDivides>(),
     kDivides ? &kBinaryLoop<DivOp, Same<T>> : nullptr, sizeof(T), kDivides,
     FoldLoopOf<AddOp, Same<T>, kDivides>()},
    &kBinary<OfTwoOp<kDivides>, Same<T>>};

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
constexpr SumKernel kHalfSum = {
    {FoldOf(&RunSum, kBinary<OfTwoOp<kDivides>, Half>.loop_bytes, false),
     Conversion(kHalf, DType::kF32), &kBinaryLoop<AddOp, Same<float>, Half>,
     nullptr, nullptr,
     &kBinaryLoop<hwy::If<kDivides || HWY_ARCH_WASM, DivOp, KeepOp>,
                  Same<float>, Same<float>, Half>,
     sizeof(typename Half::Element), kDivides,
     FoldLoopOf<AddOp, Half, kDivides>()},
    kHalf == DType::kBF16 ? &kBrains<OfTwoOp<kDivides>>
                          : &kBinary<OfTwoOp<kDivides>, Half>};

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
      return WhereBuilt<DType::kF32>(mean ? &kSum<float, true>
                                          : &kSum<float, false>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(mean ? &kSum<double, true>
                                          : &kSum<double, false>);
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
