// And, Or, Xor of truth values; bitwise operators and shifts of integers.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/logic.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/binary-inl.h"
#include "kernels/ops/truth-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct AndOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return TruthOf(d, hn::Min(a, b));
  }
};
template <>
inline constexpr size_t kInterchangeable<AndOp> = 2;
template <class T>
inline constexpr bool kIsShort<AndOp, T> = kHasMostOperations<T>;

struct OrOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return TruthOf(d, hn::Or(a, b));
  }
};
template <>
inline constexpr size_t kInterchangeable<OrOp> = 2;
template <class T>
inline constexpr bool kIsShort<OrOp, T> = kHasMostOperations<T>;

struct BitwiseAndOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::And(a, b);
  }
};
template <>
inline constexpr size_t kInterchangeable<BitwiseAndOp> = 2;
template <class T>
inline constexpr bool kIsShort<BitwiseAndOp, T> = true;

struct BitwiseOrOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Or(a, b);
  }
};
template <>
inline constexpr size_t kInterchangeable<BitwiseOrOp> = 2;
template <class T>
inline constexpr bool kIsShort<BitwiseOrOp, T> = true;

struct BitwiseXorOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D, V a, V b) {
    return hn::Xor(a, b);
  }
};
template <>
inline constexpr size_t kInterchangeable<BitwiseXorOp> = 2;
template <class T>
inline constexpr bool kIsShort<BitwiseXorOp, T> = true;

// A shift of the width or more gives 0. Highway leaves its result to the
// target.
template <bool kLeft>
struct ShiftOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    using T = hn::TFromD<D>;
    constexpr T kLast = sizeof(T) * 8 - 1;
    const V within = hn::And(b, hn::Set(d, kLast));
    const V shifted = kLeft ? hn::Shl(a, within) : hn::Shr(a, within);
    return hn::IfThenElseZero(hn::Eq(within, b), shifted);
  }
};

namespace {

template <bool kLeft>
const Kernel* ShiftKernel(DType dtype) {
  switch (dtype) {
    case DType::kU8:
      return WhereBuilt<DType::kU8>(&kBinary<ShiftOp<kLeft>, Same<uint8_t>>);
    case DType::kU16:
      return WhereBuilt<DType::kU16>(&kBinary<ShiftOp<kLeft>, Same<uint16_t>>);
    case DType::kU32:
      return WhereBuilt<DType::kU32>(&kBinary<ShiftOp<kLeft>, Same<uint32_t>>);
    case DType::kU64:
      return WhereBuilt<DType::kU64>(&kBinary<ShiftOp<kLeft>, Same<uint64_t>>);
    default:
      return nullptr;
  }
}

template <class Operator>
const Kernel* TruthKernel(DType dtype) {
  return dtype == DType::kBool ? &kBinary<Operator, Same<uint8_t>> : nullptr;
}

const Kernel* LookupLogic(Op op, DType dtype, ShiftDirection direction) {
  switch (op) {
    case Op::kAnd:
      return WhereBuilt<Op::kAnd>(TruthKernel<AndOp>(dtype));
    case Op::kOr:
      return WhereBuilt<Op::kOr>(TruthKernel<OrOp>(dtype));
    case Op::kXor:
      return WhereBuilt<Op::kXor>(TruthKernel<XorOp>(dtype));
    case Op::kBitwiseAnd:
      return WhereBuilt<Op::kBitwiseAnd>(SignlessKernel<BitwiseAndOp>(dtype));
    case Op::kBitwiseOr:
      return WhereBuilt<Op::kBitwiseOr>(SignlessKernel<BitwiseOrOp>(dtype));
    case Op::kBitwiseXor:
      return WhereBuilt<Op::kBitwiseXor>(SignlessKernel<BitwiseXorOp>(dtype));
    case Op::kBitShift:
      return WhereBuilt<Op::kBitShift>(direction == ShiftDirection::kLeft
                                           ? ShiftKernel<true>(dtype)
                                           : ShiftKernel<false>(dtype));
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
HWY_EXPORT(LookupLogic);
}  // namespace

const Kernel* FindLogic(Op op, DType dtype, ShiftDirection direction) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupLogic)(op, dtype, direction);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
