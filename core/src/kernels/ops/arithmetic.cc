// Add, Sub, Mul, SquaredDifference. Integers wrap, so that signed and unsigned
// ones share their kernels.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/arithmetic.cc"
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

template <class Operator>
const Kernel* ArithmeticKernel(DType dtype) {
  const Kernel* kernel = FloatKernel<Operator>(dtype);
  return kernel != nullptr ? kernel : SignlessKernel<Operator>(dtype);
}

const Kernel* LookupArithmetic(Op op, DType dtype) {
  switch (op) {
    case Op::kAdd:
      return WhereBuilt<Op::kAdd>(ArithmeticKernel<AddOp>(dtype));
    case Op::kSub:
      return WhereBuilt<Op::kSub>(ArithmeticKernel<SubOp>(dtype));
    case Op::kMul:
      return WhereBuilt<Op::kMul>(ArithmeticKernel<MulOp>(dtype));
    case Op::kSquaredDifference:
      return WhereBuilt<Op::kSquaredDifference>(
          ArithmeticKernel<SquaredDifferenceOp>(dtype));
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
HWY_EXPORT(LookupArithmetic);
}  // namespace

const Kernel* FindArithmetic(Op op, DType dtype) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupArithmetic)(op, dtype);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
