// f16 and bf16: computed in f32, rounded once.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/halves.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/dense-inl.h"
#include "loops/float_operators-inl.h"
#include "loops/halves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

// --- f16: as many elements as a vector has lanes of f32 ---------------------

template <class Combine, size_t kOperands = 2, class Finish = AsCombined>
void F16Loop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<float> d;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    auto v = LoadHalf<F16>(d, As<uint16_t>(in[0]) + i);
    v = Combine::Of(d, v, LoadHalf<F16>(d, As<uint16_t>(in[1]) + i));
    if constexpr (kOperands > 2) {
      v = Combine::Of(d, v, LoadHalf<F16>(d, As<uint16_t>(in[2]) + i));
    }
    if constexpr (kOperands > 3) {
      v = Combine::Of(d, v, LoadHalf<F16>(d, As<uint16_t>(in[3]) + i));
    }
    StoreHalf<F16>(d, Finish::Of(d, v), As<uint16_t>(out) + i);
  };
  for (size_t i = 0; i < count; i += 4 * n) {
    at(i);
    at(i + n);
    at(i + 2 * n);
    at(i + 3 * n);
  }
}

// --- bf16: elements at even and odd places of whole vectors -----------------

template <class Combine, size_t kOperands = 2, class Finish = AsCombined>
void BF16Loop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<float> d;
  const Full<uint32_t> du;
  const size_t n = 2 * hn::Lanes(d);
  const auto high = hn::Set(du, 0xFFFF0000u);
  const auto load = [&](size_t operand, size_t i) HWY_ATTR {
    return hn::Load(du, As<uint32_t>(in[operand] + 2 * i));
  };
  const auto even = [&](auto pair) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftLeft<16>(pair));
  };
  const auto odd = [&](auto pair)
                       HWY_ATTR { return hn::BitCast(d, hn::And(pair, high)); };
  const auto at = [&](size_t i) HWY_ATTR {
    const auto first = load(0, i);
    auto low_sum = even(first);
    auto high_sum = odd(first);
    const auto add = [&](size_t operand) HWY_ATTR {
      const auto pair = load(operand, i);
      low_sum = Combine::Of(d, low_sum, even(pair));
      high_sum = Combine::Of(d, high_sum, odd(pair));
    };
    add(1);
    if constexpr (kOperands > 2) add(2);
    if constexpr (kOperands > 3) add(3);
    const auto low_bits = BF16::NarrowResult(d, Finish::Of(d, low_sum));
    const auto high_bits = BF16::Rounded(d, Finish::Of(d, high_sum));
    hn::Store(hn::OrAnd(low_bits, high_bits, high), du,
              As<uint32_t>(out + 2 * i));
  };
  for (size_t i = 0; i < count; i += 2 * n) {
    at(i);
    at(i + n);
  }
}

// --- Extrema: without rounding, by the order of the bits --------------------

// As signed integers in the order of the numbers; the second application
// restores the bits.
template <class D, class V>
HWY_INLINE V Ordered(D d, V bits) {
  return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(d, 0x7FFF)));
}

template <class Half, bool kMax>
struct HalfExtremum {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    constexpr int16_t kInfinity =
        hwy::IsSame<Half, F16>() ? int16_t{0x7C00} : int16_t{0x7F80};
    const V infinity = hn::Set(d, kInfinity);
    const V most = hn::Set(d, 0x7FFF);
    const V x = Ordered(d, a);
    const V y = Ordered(d, b);
    const V number = Ordered(d, kMax ? hn::Max(x, y) : hn::Min(x, y));
    const V one = hn::IfThenElse(hn::Gt(hn::And(b, most), infinity), b, number);
    return hn::IfThenElse(hn::Gt(hn::And(a, most), infinity), a, one);
  }
};

// --- The table --------------------------------------------------------------

template <class Half, class Combine, size_t kOperands = 2,
          class Finish = AsCombined>
Loop LoopOf() {
  if constexpr (hwy::IsSame<Half, F16>()) {
    return &F16Loop<Combine, kOperands, Finish>;
  } else {
    return &BF16Loop<Combine, kOperands, Finish>;
  }
}

template <class Half, bool kMean>
Loop SumOf(size_t operands) {
  switch (operands) {
    case 2:
      return kMean ? LoopOf<Half, Sum, 2, DividedBy<2>>()
                   : LoopOf<Half, Sum, 2>();
    case 3:
      return kMean ? LoopOf<Half, Sum, 3, DividedBy<3>>()
                   : LoopOf<Half, Sum, 3>();
    case 4:
      return kMean ? LoopOf<Half, Sum, 4, DividedBy<4>>()
                   : LoopOf<Half, Sum, 4>();
    default:
      return nullptr;
  }
}

template <class Half>
Loop OfType(const Computation& of) {
  switch (of.op) {
    case Op::kAdd:
      return LoopOf<Half, Sum>();
    case Op::kSum:
      return SumOf<Half, false>(of.operands);
    case Op::kMean:
      return SumOf<Half, true>(of.operands);
    case Op::kSub:
      return LoopOf<Half, Difference>();
    case Op::kMul:
      return LoopOf<Half, FloatProduct>();
    case Op::kDiv:
      return LoopOf<Half, FloatQuotient>();
    case Op::kSquaredDifference:
      return LoopOf<Half, FloatSquareOfDifference>();
    case Op::kPRelu:
      return LoopOf<Half, FloatRelu>();
    case Op::kMax:
      return DenseLoopOf<int16_t, HalfExtremum<Half, true>>(of.operands);
    case Op::kMin:
      return DenseLoopOf<int16_t, HalfExtremum<Half, false>>(of.operands);
    default:
      return nullptr;
  }
}

Loop Lookup(const Computation& of) {
  if (of.types[0] == DType::kF16) return OfType<F16>(of);
  if (of.types[0] == DType::kBF16) return OfType<BF16>(of);
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
Loop FindHalfLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
