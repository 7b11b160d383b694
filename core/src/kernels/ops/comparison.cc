// Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual. With NaN only
// NotEqual is true.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/comparison.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/binary-inl.h"
#include "kernels/ops/comparison-inl.h"
#include "kernels/ops/truth-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct LessOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Lt(a, b);
  }
};
template <class T>
inline constexpr bool kIsShort<LessOp, T> =
    kHasMostOperations<T> || hwy::IsSigned<T>();

struct LessOrEqualOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Apply(D, V a, V b) {
    return hn::Le(a, b);
  }
};
template <class T>
inline constexpr bool kIsShort<LessOrEqualOp, T> =
    kHasMostOperations<T> || hwy::IsSigned<T>();

// Equal, of truth values.
struct SameTruthOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::Xor(XorOp::Apply(d, a, b), hn::Set(d, 1));
  }
};
template <>
inline constexpr size_t kInterchangeable<SameTruthOp> = 2;
template <class T>
inline constexpr bool kIsShort<SameTruthOp, T> = kHasMostOperations<T>;

namespace {

template <class Operator, class T>
const Kernel* Compare() {
  return &kBinary<Operator, Same<T>, TruthByte>;
}

// a > b is b < a.
template <class Operator, class T>
const Kernel* CompareSwapped() {
  return &kSwapped<Operator, Same<T>, TruthByte>;
}

// The comparisons that depend on the order of T.
template <class Less, class LessOrEqual, class T>
const Kernel* OrderKernel(Op op) {
  switch (op) {
    case Op::kLess:
      return WhereBuilt<Op::kLess>(Compare<Less, T>());
    case Op::kLessOrEqual:
      return WhereBuilt<Op::kLessOrEqual>(Compare<LessOrEqual, T>());
    case Op::kGreater:
      return WhereBuilt<Op::kGreater>(CompareSwapped<Less, T>());
    case Op::kGreaterOrEqual:
      return WhereBuilt<Op::kGreaterOrEqual>(CompareSwapped<LessOrEqual, T>());
    default:
      return nullptr;
  }
}

// Signed and unsigned integers share Equal and NotEqual.
template <class T>
const Kernel* IntegerKernel(Op op) {
  using Bits = hwy::MakeUnsigned<T>;
  switch (op) {
    case Op::kEqual:
      return WhereBuilt<Op::kEqual>(Compare<EqualOp, Bits>());
    case Op::kNotEqual:
      return WhereBuilt<Op::kNotEqual>(Compare<NotEqualOp, Bits>());
    default:
      return OrderKernel<LessOp, LessOrEqualOp, T>(op);
  }
}

template <class T>
const Kernel* FloatComparison(Op op) {
  switch (op) {
    case Op::kEqual:
      return WhereBuilt<Op::kEqual>(Compare<EqualOp, T>());
    case Op::kNotEqual:
      return WhereBuilt<Op::kNotEqual>(Compare<NotEqualOp, T>());
    default:
      return OrderKernel<LessOp, LessOrEqualOp, T>(op);
  }
}

template <int16_t kInfinity>
const Kernel* HalfKernel(Op op) {
  switch (op) {
    case Op::kEqual:
      return WhereBuilt<Op::kEqual>(
          Compare<CompareBitsOp<EqualOp, kInfinity>, int16_t>());
    case Op::kNotEqual:
      return WhereBuilt<Op::kNotEqual>(
          Compare<NotEqualBitsOp<kInfinity>, int16_t>());
    default:
      return OrderKernel<CompareBitsOp<LessOp, kInfinity>,
                         CompareBitsOp<LessOrEqualOp, kInfinity>, int16_t>(op);
  }
}

const Kernel* TruthKernel(Op op) {
  switch (op) {
    case Op::kEqual:
      return WhereBuilt<Op::kEqual>(&kBinary<SameTruthOp, Same<uint8_t>>);
    case Op::kNotEqual:
      return WhereBuilt<Op::kNotEqual>(&kBinary<XorOp, Same<uint8_t>>);
    default:
      return nullptr;
  }
}

const Kernel* LookupComparison(Op op, DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return WhereBuilt<DType::kBool>(TruthKernel(op));
    case DType::kI8:
      return WhereBuilt<DType::kI8>(IntegerKernel<int8_t>(op));
    case DType::kI16:
      return WhereBuilt<DType::kI16>(IntegerKernel<int16_t>(op));
    case DType::kI32:
      return WhereBuilt<DType::kI32>(IntegerKernel<int32_t>(op));
    case DType::kI64:
      return WhereBuilt<DType::kI64>(IntegerKernel<int64_t>(op));
    case DType::kU8:
      return WhereBuilt<DType::kU8>(IntegerKernel<uint8_t>(op));
    case DType::kU16:
      return WhereBuilt<DType::kU16>(IntegerKernel<uint16_t>(op));
    case DType::kU32:
      return WhereBuilt<DType::kU32>(IntegerKernel<uint32_t>(op));
    case DType::kU64:
      return WhereBuilt<DType::kU64>(IntegerKernel<uint64_t>(op));
    case DType::kF16:
      return WhereBuilt<DType::kF16>(HalfKernel<0x7C00>(op));
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(HalfKernel<0x7F80>(op));
    case DType::kF32:
      return WhereBuilt<DType::kF32>(FloatComparison<float>(op));
    case DType::kF64:
      return WhereBuilt<DType::kF64>(FloatComparison<double>(op));
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
HWY_EXPORT(LookupComparison);
}  // namespace

const Kernel* FindComparison(Op op, DType dtype) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupComparison)(op, dtype);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
