// Cast by a loop for each pair of types, which converts in registers.

#if defined(BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_
#undef BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_
#endif

#include <cstdint>

#include "base/built.h"
#include "broadloom/vocabulary.h"
#include "hwy/highway.h"
#include "kernels/rows/convert_changes-inl.h"
#include "kernels/rows/convert_loop-inl.h"
#include "kernels/rows/convert_values-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

template <const RowLoop& kLoop>
inline constexpr ElementwiseKernel kCast = ElementwiseOf(kLoop);

// Calls visit<Lanes>() for the type.
template <class Visit>
HWY_INLINE const Kernel* VisitLanes(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::kBool:
      return visit.template operator()<Truths>();
#define BROADLOOM_VISIT(type, lanes)             \
  case DType::type:                              \
    if constexpr (!IsBuilt(DType::type)) {       \
      return nullptr;                            \
    } else {                                     \
      return visit.template operator()<lanes>(); \
    }
      BROADLOOM_VISIT(kI8, Same<int8_t>)
      BROADLOOM_VISIT(kI16, Same<int16_t>)
      BROADLOOM_VISIT(kI32, Same<int32_t>)
      BROADLOOM_VISIT(kI64, Same<int64_t>)
      BROADLOOM_VISIT(kU8, Same<uint8_t>)
      BROADLOOM_VISIT(kU16, Same<uint16_t>)
      BROADLOOM_VISIT(kU32, Same<uint32_t>)
      BROADLOOM_VISIT(kU64, Same<uint64_t>)
      BROADLOOM_VISIT(kF16, F16)
      BROADLOOM_VISIT(kBF16, BF16)
      BROADLOOM_VISIT(kF32, Same<float>)
      BROADLOOM_VISIT(kF64, Same<double>)
#undef BROADLOOM_VISIT
    default:
      return nullptr;
  }
}

template <class From, class To>
const Kernel* CastKernel(bool saturates) {
  if constexpr (kSaturatesCast<From, To>) {
    using Change = Saturated<typename To::Element>;
    if (saturates) return &kCast<kConvert<From, To, Change>>;
  }
  return &kCast<kConvertNumber<From, To>>;
}

const Kernel* LookupCast(DType from, DType to, bool saturates) {
  if constexpr (!IsBuilt(Op::kCast)) return nullptr;
  return VisitLanes(from, [&]<class From>() {
    return VisitLanes(
        to, [&]<class To>() { return CastKernel<From, To>(saturates); });
  });
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_
