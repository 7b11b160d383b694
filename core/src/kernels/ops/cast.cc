// Cast: elements of each number type and bool as those of each other one.

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/cast.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Both have LookupCast.
#if defined(__wasm__)
#include "kernels/ops/cast_steps-inl.h"
#else
#include "kernels/ops/cast_loops-inl.h"
#endif

#if HWY_ONCE
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace {
HWY_EXPORT(LookupCast);

bool IsCast(DType dtype) {
  return Takes(TypeClass::kNumbersAndBool, 0, Info(dtype).kind, BitsOf(dtype),
               false);
}

// Whether an element converted from one type to the other keeps its bits.
bool KeepsBits(DType from, DType to, bool saturates) {
  if (from == to) return from != DType::kBool;
  const bool integers =
      Takes(TypeClass::kIntegers, 0, Info(from).kind, 0, false) &&
      Takes(TypeClass::kIntegers, 0, Info(to).kind, 0, false);
  return integers && !saturates && BitsOf(from) == BitsOf(to);
}
}  // namespace

const Kernel* FindCast(DType from, DType to, bool saturates) noexcept {
  if (!IsCast(from) || !IsCast(to)) return nullptr;
  if (KeepsBits(from, to, saturates)) return FindMove(from);
  return HWY_DYNAMIC_DISPATCH(LookupCast)(from, to, saturates);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
