// Comparisons, casts to bool, and operators on bool.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/comparisons.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/dense-inl.h"
#include "loops/truth-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

// --- Numbers ----------------------------------------------------------------

// Less and LessOrEqual also serve for Greater and GreaterOrEqual, with the
// operands exchanged.
template <Op kOp, class M, class V>
HWY_INLINE M Compared(V a, V b) {
  if constexpr (kOp == Op::kEqual) return hn::Eq(a, b);
  // Not Ne, which is false of NaN on AVX-512.
  if constexpr (kOp == Op::kNotEqual) return hn::Not(hn::Eq(a, b));
  if constexpr (kOp == Op::kLess) return hn::Lt(a, b);
  if constexpr (kOp == Op::kLessOrEqual) return hn::Le(a, b);
}

template <class T, Op kOp, size_t kFirst>
void CompareLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<T> d;
  const T* const a = As<T>(in[kFirst]);
  const T* const b = As<T>(in[1 - kFirst]);
  StoreTruth<sizeof(T)>(count, out, [=](size_t i) HWY_ATTR {
    return Compared<kOp, hn::Mask<Full<T>>>(hn::Load(d, a + i),
                                            hn::Load(d, b + i));
  });
}

// --- f16 and bf16, by their bits --------------------------------------------

template <Op kOp, int16_t kInfinity, size_t kFirst>
void CompareHalfLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  using D = Full<int16_t>;
  const D d;
  const auto* const p = As<int16_t>(in[kFirst]);
  const auto* const q = As<int16_t>(in[1 - kFirst]);
  StoreTruth<2>(count, out, [=](size_t i) HWY_ATTR {
    const auto most = hn::Set(d, 0x7FFF);
    const auto a = hn::Load(d, p + i);
    const auto b = hn::Load(d, q + i);
    const auto size_a = hn::And(a, most);
    const auto size_b = hn::And(b, most);
    const auto unordered =
        hn::Gt(hn::Max(size_a, size_b), hn::Set(d, kInfinity));
    // In the order of the numbers; both zeros are 0.
    const auto order_a = hn::IfNegativeThenElse(a, hn::Neg(size_a), a);
    const auto order_b = hn::IfNegativeThenElse(b, hn::Neg(size_b), b);
    const auto mask = Compared<kOp, hn::Mask<D>>(order_a, order_b);
    return kOp == Op::kNotEqual ? hn::Or(mask, unordered)
                                : hn::AndNot(unordered, mask);
  });
}

// --- Casts to bool ----------------------------------------------------------

template <class T>
void IsNotZeroLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<T> d;
  const T* const a = As<T>(in[0]);
  StoreTruth<sizeof(T)>(count, out, [=](size_t i) HWY_ATTR {
    return hn::Not(hn::Eq(hn::Load(d, a + i), hn::Zero(d)));
  });
}

void IsHalfNotZeroLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<int16_t> d;
  const auto* const a = As<int16_t>(in[0]);
  StoreTruth<2>(count, out, [=](size_t i) HWY_ATTR {
    const auto v = hn::Load(d, a + i);
    return hn::Ne(hn::Add(v, v), hn::Zero(d));
  });
}

// --- bool: any byte but 0 is true -------------------------------------------

struct Both {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    return hn::Min(hn::Min(a, b), hn::Set(d, 1));
  }
};
struct Either {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    return hn::Min(hn::Or(a, b), hn::Set(d, 1));
  }
};
struct Different {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    const V one = hn::Set(d, 1);
    return hn::Xor(hn::Min(a, one), hn::Min(b, one));
  }
};
struct Alike {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    return hn::Xor(Different::Of(d, a, b), hn::Set(d, 1));
  }
};

Loop OfBools(Op op) {
  switch (op) {
    case Op::kAnd:
      return &DenseLoop<uint8_t, Both>;
    case Op::kOr:
      return &DenseLoop<uint8_t, Either>;
    case Op::kXor:
    case Op::kNotEqual:
      return &DenseLoop<uint8_t, Different>;
    case Op::kEqual:
      return &DenseLoop<uint8_t, Alike>;
    default:
      return nullptr;
  }
}

// --- The table --------------------------------------------------------------

// loop_of(op, first operand) returns the loop of one of the four comparisons.
template <class LoopOf>
Loop OfComparison(Op op, LoopOf loop_of) {
  switch (op) {
    case Op::kEqual:
      return loop_of.template operator()<Op::kEqual, 0>();
    case Op::kNotEqual:
      return loop_of.template operator()<Op::kNotEqual, 0>();
    case Op::kLess:
      return loop_of.template operator()<Op::kLess, 0>();
    case Op::kLessOrEqual:
      return loop_of.template operator()<Op::kLessOrEqual, 0>();
    case Op::kGreater:
      return loop_of.template operator()<Op::kLess, 1>();
    case Op::kGreaterOrEqual:
      return loop_of.template operator()<Op::kLessOrEqual, 1>();
    default:
      return nullptr;
  }
}

template <class T>
Loop OfNumbers(const Computation& of) {
  if (of.op == Op::kCast) return &IsNotZeroLoop<T>;
  return OfComparison(of.op, []<Op kOp, size_t kFirst>() -> Loop {
    return &CompareLoop<T, kOp, kFirst>;
  });
}

template <int16_t kInfinity>
Loop OfHalves(const Computation& of) {
  if (of.op == Op::kCast) return &IsHalfNotZeroLoop;
  return OfComparison(of.op, []<Op kOp, size_t kFirst>() -> Loop {
    return &CompareHalfLoop<kOp, kInfinity, kFirst>;
  });
}

Loop Lookup(const Computation& of) {
  if (of.op == Op::kCast && of.to != DType::kBool) return nullptr;
  switch (of.types[0]) {
    case DType::kBool:
      return of.op == Op::kCast ? &IsNotZeroLoop<uint8_t> : OfBools(of.op);
    case DType::kI8:
      return OfNumbers<int8_t>(of);
    case DType::kI16:
      return OfNumbers<int16_t>(of);
    case DType::kI32:
      return OfNumbers<int32_t>(of);
    case DType::kI64:
      return OfNumbers<int64_t>(of);
    case DType::kU8:
      return OfNumbers<uint8_t>(of);
    case DType::kU16:
      return OfNumbers<uint16_t>(of);
    case DType::kU32:
      return OfNumbers<uint32_t>(of);
    case DType::kU64:
      return OfNumbers<uint64_t>(of);
    case DType::kF16:
      return OfHalves<0x7C00>(of);
    case DType::kBF16:
      return OfHalves<0x7F80>(of);
    case DType::kF32:
      return OfNumbers<float>(of);
    case DType::kF64:
      return OfNumbers<double>(of);
    default:
      return nullptr;
  }
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {
HWY_EXPORT(Lookup);
Loop FindComparisonLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
