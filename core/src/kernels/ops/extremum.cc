// Max and Min of any number of operands.

#include <cstddef>
#include <cstdint>

#include "base/built.h"
#include "broadloom/vocabulary.h"
#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/extremum.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/extremum-inl.h"
#include "kernels/ops/half_bits-inl.h"
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

// Max and Min of f16 or bf16, by their bits.
template <bool kMax, int16_t kInfinity>
struct ExtremumBitsOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V a_key = Key(d, a);
    const V b_key = Key(d, b);
    // The key is its own inverse.
    const V number =
        Key(d, kMax ? hn::Max(a_key, b_key) : hn::Min(a_key, b_key));
    // If an operand is NaN, so is the result: 0x7FFF is NaN in both formats.
    return hn::IfThenElse(AreNumbers<kInfinity>(d, a, b), number,
                          hn::Set(d, 0x7FFF));
  }

 private:
  // Integers in the order of the numbers, with -0 below +0.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Key(D d, V bits) {
    return hn::Xor(bits, MagnitudeBits(d, SignOf(bits)));
  }
};
template <bool kMax, int16_t kInfinity>
inline constexpr size_t kInterchangeable<ExtremumBitsOp<kMax, kInfinity>> =
    SIZE_MAX;

namespace {

template <class Operator, class T>
constexpr FoldKernel kFold = {
    FoldOf(&RunFold, LoopBytesOf(kBinaryLoop<Operator, Same<T>>),
           kHasLoopOfThree<Operator, T>),
    nullptr,
    &kBinaryLoop<Operator, Same<T>>,
    LoopOfThree<Operator, Same<T>>(),
    LoopOfThree<Operator, Same<T>>(),
    nullptr,
    sizeof(T),
    false,
    FoldLoopOf<Operator, Same<T>>()};

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
