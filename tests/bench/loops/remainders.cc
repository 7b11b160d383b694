// Exact remainders of floats (fmod). a - q b is exact in one fused step, or in
// f64, if the quotient q has few bits; other vectors are computed one by one.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/remainders.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/dense-inl.h"
#include "loops/halves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

// |a| - q |b| with the whole quotient q, in lanes of D, whose fractions are
// either fused or twice as long as those of the operands; valid where `few`.
template <class D, class V, class M>
HWY_INLINE V Remainder(D d, V a, V b, M& few) {
  using T = hn::TFromD<D>;
  const V x = hn::Abs(a);
  const V y = hn::Abs(b);
  const V quotient = hn::Trunc(hn::Div(x, y));
  few = hn::And(
      hn::Lt(quotient, hn::Set(d, sizeof(T) == 4 ? T{1 << 22} : T{1 << 28})),
      hn::Lt(y, hn::Inf(d)));
  const V rest = hn::NegMulAdd(quotient, y, x);
  // The quotient may have been rounded up.
  return hn::CopySign(hn::MaskedAddOr(rest, hn::Lt(rest, hn::Zero(d)), rest, y),
                      a);
}

struct Plain32 {
  using Element = float;
  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const float* from) {
    return hn::LoadU(d, from);
  }
  template <class D, class V>
  static HWY_INLINE void Store(D d, V v, float* to) {
    hn::StoreU(v, d, to);
  }
};
template <class Half>
struct Halves {
  using Element = uint16_t;
  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const uint16_t* from) {
    return LoadHalf<Half>(d, from);
  }
  template <class D, class V>
  static HWY_INLINE void Store(D d, V v, uint16_t* to) {
    StoreHalf<Half>(d, v, to);
  }
};

template <class T, class D, class V>
HWY_NOINLINE V OneByOne(D d, V a, V b) {
  alignas(64) T x[HWY_MAX_BYTES / sizeof(T)];
  alignas(64) T y[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(a, d, x);
  hn::Store(b, d, y);
  for (size_t i = 0; i < hn::Lanes(d); ++i) x[i] = std::fmod(x[i], y[i]);
  return hn::Load(d, x);
}

template <class Lanes>
void NarrowLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  using Element = typename Lanes::Element;
#if HWY_NATIVE_FMA
  const Full<float> d;
  const auto compute = [&](auto a, auto b) HWY_ATTR {
    hn::Mask<Full<float>> few;
    const auto rest = Remainder(d, a, b, few);
    return HWY_LIKELY(hn::AllTrue(d, few)) ? rest : OneByOne<float>(d, a, b);
  };
#else
  const hn::Rebind<float, Full<double>> d;
  const Full<double> dd;
  const auto compute = [&](auto a, auto b) HWY_ATTR {
    hn::Mask<Full<double>> few;
    const auto rest =
        Remainder(dd, hn::PromoteTo(dd, a), hn::PromoteTo(dd, b), few);
    return HWY_LIKELY(hn::AllTrue(dd, few)) ? hn::DemoteTo(d, rest)
                                            : OneByOne<float>(d, a, b);
  };
#endif
  const size_t n = hn::Lanes(d);
  for (size_t i = 0; i < count; i += n) {
    const auto a = Lanes::Load(d, As<Element>(in[0]) + i);
    const auto b = Lanes::Load(d, As<Element>(in[1]) + i);
    Lanes::Store(d, compute(a, b), As<Element>(out) + i);
  }
}

void F64Loop(const uint8_t* const* in, uint8_t* out, size_t count) {
#if HWY_NATIVE_FMA
  const Full<double> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto a = hn::Load(d, As<double>(in[0]) + i);
    const auto b = hn::Load(d, As<double>(in[1]) + i);
    hn::Mask<Full<double>> few;
    auto rest = Remainder(d, a, b, few);
    if (HWY_UNLIKELY(!hn::AllTrue(d, few))) rest = OneByOne<double>(d, a, b);
    hn::Store(rest, d, As<double>(out) + i);
  }
#else
  for (size_t i = 0; i < count; ++i) {
    As<double>(out)[i] = std::fmod(As<double>(in[0])[i], As<double>(in[1])[i]);
  }
#endif
}

Loop Lookup(const Computation& of) {
  if (of.op != Op::kMod) return nullptr;
  switch (of.types[0]) {
    case DType::kF16:
      return &NarrowLoop<Halves<F16>>;
    case DType::kBF16:
      return &NarrowLoop<Halves<BF16>>;
    case DType::kF32:
      return &NarrowLoop<Plain32>;
    case DType::kF64:
      return &F64Loop;
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
Loop FindRemainderLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
