// Add, Sub, Mul, SquaredDifference. Integers wrap: signed and unsigned ones
// share their kernels.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/arithmetic.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/arithmetic-inl.h"
#include "kernels/ops/binary-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct SubOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Sub(a, b);
  }
};
template <class T>
inline constexpr bool kIsShort<SubOp, T> = true;

struct SquaredDifferenceOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V difference = hn::Sub(a, b);
    return MulOp::Apply(d, difference, difference);
  }
};
template <>
inline constexpr size_t kInterchangeable<SquaredDifferenceOp> = 2;
template <class T>
inline constexpr bool kIsShort<SquaredDifferenceOp, T> = kHasMostOperations<T>;

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
