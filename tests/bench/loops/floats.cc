// f32 and f64.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/floats.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/dense-inl.h"
#include "loops/float_operators-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

template <class T>
Loop MeanOf(size_t operands) {
  switch (operands) {
    case 2:
      return &DenseLoop<T, Sum, 2, DividedBy<2>>;
    case 3:
      return &DenseLoop<T, Sum, 3, DividedBy<3>>;
    case 4:
      return &DenseLoop<T, Sum, 4, DividedBy<4>>;
    default:
      return nullptr;
  }
}

template <class T>
Loop OfType(const Computation& of) {
  switch (of.op) {
    case Op::kAdd:
    case Op::kSum:
      return DenseLoopOf<T, Sum>(of.operands);
    case Op::kSub:
      return &DenseLoop<T, Difference>;
    case Op::kMul:
      return &DenseLoop<T, FloatProduct>;
    case Op::kDiv:
      return &DenseLoop<T, FloatQuotient>;
    case Op::kSquaredDifference:
      return &DenseLoop<T, FloatSquareOfDifference>;
    case Op::kMax:
      return DenseLoopOf<T, FloatExtremum<true>>(of.operands);
    case Op::kMin:
      return DenseLoopOf<T, FloatExtremum<false>>(of.operands);
    case Op::kMean:
      return MeanOf<T>(of.operands);
    case Op::kPRelu:
      return &DenseLoop<T, FloatRelu>;
    default:
      return nullptr;
  }
}

Loop Lookup(const Computation& of) {
  if (of.types[0] == DType::kF32) return OfType<float>(of);
  if (of.types[0] == DType::kF64) return OfType<double>(of);
  return nullptr;
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {
HWY_EXPORT(Lookup);
Loop FindFloatLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
