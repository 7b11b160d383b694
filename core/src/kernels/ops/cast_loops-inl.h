// Cast by a loop for each pair of types, which converts in registers.

#if defined(BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_
#undef BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_CAST_LOOPS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/built.h"
#include "broadloom/vocabulary.h"
#include "hwy/highway.h"
#include "kernels/ops/cast_values-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

// As BinaryLoop, for one operand.
template <class From, class To, bool kSaturates>
void CastLoop(const Row& row) {
  const CastTag<From, To> d;
  const size_t lanes = hn::Lanes(d);
  RowOperands<typename From::Element> rows(row, 0);
  auto* out = static_cast<typename To::Element*>(row.out);
  const size_t end = row.count - lanes;
  const size_t step = row.step[0] * lanes;
  for (size_t left = row.rows;;) {
    const auto* from = rows.Next();
    const auto convert = [&](size_t i) HWY_ATTR {
      return ConvertValues<From, To, kSaturates>(
          d, LoadValues<From, To>(d, from + i));
    };
    const auto last = convert(row.step[0] * end);
    size_t i = 0;
    for (; i + 3 * lanes < end; i += 4 * lanes) {
      constexpr size_t kLine = 64;
      for (size_t at = 0; at < 4 * lanes * sizeof(*out); at += kLine) {
        PrefetchToWrite(Ahead(reinterpret_cast<const uint8_t*>(out + i) + at));
      }
      for (size_t k = 0; k < 4; ++k) {
        StoreValues<To>(d, convert(k * step), out + i + k * lanes);
      }
      from += 4 * step;
    }
    for (; i < end; i += lanes) {
      StoreValues<To>(d, convert(0), out + i);
      from += step;
    }
    StoreValues<To>(d, last, out + end);
    if (--left == 0) return;
    out = AddBytes(out, row.out_step);
  }
}

template <class From, class To, bool kSaturates>
inline constexpr ElementwiseKernel kCast = {
    {&RunElementwise, kMostRowOperands},
    {&CastLoop<From, To, kSaturates>,
     1,
     {sizeof(typename From::Element), 0, 0},
     sizeof(typename To::Element),
     hn::MaxLanes(CastTag<From, To>())},
    false};

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
    if (saturates) return &kCast<From, To, true>;
  }
  return &kCast<CastFrom<From, To>, CastTo<From, To>, false>;
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
