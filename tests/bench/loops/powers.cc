// Pow, except integers to integers. Of narrow floats as 2^(exponent *
// log2(base)), in f32 where multiplications are fused, else in f64; of f64, and
// of integers with exponents that are floats, with a logarithm of twice as many
// bits where multiplications are fused, else one by one.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/powers.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/conversions-inl.h"
#include "loops/dense-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::Op;

// --- One by one: special operands -------------------------------------------

template <class T>
HWY_INLINE double Number(T x) {
  return static_cast<double>(x);
}

// base^exponent, where the exponent's parity may be lost in `exponent`.
HWY_NOINLINE double OnePower(double base, double exponent, bool odd) {
  if (!std::signbit(base) || !(std::fabs(exponent) >= 0x1p53)) {
    return std::pow(base, exponent);
  }
  const double power = std::pow(-base, exponent);
  return odd ? -power : power;
}

template <class T>
HWY_INLINE bool IsOdd(T exponent) {
  if constexpr (hwy::IsInteger<T>()) return (exponent & 1) != 0;
  return false;
}

// --- Narrow floats ----------------------------------------------------------

template <class D, class V>
HWY_INLINE V Polynomial(D d, V x, const double* coefficients, size_t count) {
  V sum = hn::Set(d, coefficients[count - 1]);
  for (size_t i = count - 1; i-- > 0;) {
    sum = hn::MulAdd(sum, x, hn::Set(d, coefficients[i]));
  }
  return sum;
}

// Adding it rounds to an integer, which is then in the lowest bits.
constexpr double kRounder = 0x1.8p52;
constexpr uint64_t kOneBits = 0x3FF0000000000000;
constexpr uint64_t kRootHalfBits = 0x3FE6A09E667F3BCD;

// x = m * 2^exponent, with m from sqrt(1/2) to sqrt(2); of a normal x > 0.
template <class D, class V>
HWY_INLINE V Mantissa(D d, V x, V& exponent) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, x);
  const auto biased =
      hn::ShiftRight<52>(hn::Add(bits, hn::Set(du, kOneBits - kRootHalfBits)));
  exponent =
      hn::Sub(hn::BitCast(d, hn::Or(biased, hn::Set(du, 0x4330000000000000u))),
              hn::Set(d, 0x1p52 + 1023));
  return hn::BitCast(d, hn::Sub(hn::Add(bits, hn::Set(du, kOneBits)),
                                hn::ShiftLeft<52>(biased)));
}

// Of normal numbers base > 0. Chebyshev fits: of log2(m) / t in t^2, where
// t = (m - 1) / (m + 1), with a relative error of 2^-36; of 2^f, with 2^-29.
template <class D, class V>
HWY_INLINE V RoughPower(D d, V base, V exponent) {
  constexpr double kLog[5] = {0x1.71547652bed21p+1, 0x1.ec709d13ae363p-1,
                              0x1.27777f54b0e3dp-1, 0x1.a58dc78dd320fp-2,
                              0x1.5ce42aa8d1c0cp-2};
  constexpr double kExp[7] = {1.0,
                              0x1.62e430d07986cp-1,
                              0x1.ebfbe0460cc0bp-3,
                              0x1.c6aecc0a7de9fp-5,
                              0x1.3b2a1b516ca7fp-7,
                              0x1.5f48ee5d03a91p-10,
                              0x1.44401fae30efep-13};
  const hn::RebindToUnsigned<D> du;
  V whole;
  const V m = Mantissa(d, base, whole);
  const V one = hn::Set(d, 1.0);
  const V t = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const V log = hn::MulAdd(t, Polynomial(d, hn::Mul(t, t), kLog, 5), whole);
  // Beyond, f32 is 0 or infinite.
  const V limit = hn::Set(d, 300.0);
  const V y = hn::Min(hn::Max(hn::Mul(exponent, log), hn::Neg(limit)), limit);
  const V shifted = hn::Add(y, hn::Set(d, kRounder));
  const V f = hn::Sub(y, hn::Sub(shifted, hn::Set(d, kRounder)));
  const V power = Polynomial(d, f, kExp, 7);
  return hn::BitCast(d, hn::Add(hn::BitCast(du, power),
                                hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
}

// Lanes of f64.
template <class From, class D>
HWY_INLINE hn::Vec<D> ReadF64(D d, const uint8_t* in, size_t i) {
  using Value = typename Reader<From>::Value;
  const auto v = Reader<From>::Read(d, in, i);
  if constexpr (hwy::IsSame<Value, float>()) {
    return hn::PromoteTo(d, v);
  } else {
    return ToF64<Value>(d, v);
  }
}

// An element as f64.
template <class From>
HWY_INLINE double OneF64(const uint8_t* in, size_t i) {
  if constexpr (hwy::IsSame<From, F16>() || hwy::IsSame<From, BF16>()) {
    const hn::CappedTag<float, 1> d;
    return Number(hn::GetLane(LoadHalf<From>(d, As<uint16_t>(in) + i)));
  } else {
    return Number(As<From>(in)[i]);
  }
}
template <class From>
HWY_INLINE bool OneIsOdd(const uint8_t* in, size_t i) {
  if constexpr (hwy::IsSame<From, F16>() || hwy::IsSame<From, BF16>()) {
    return false;
  } else {
    return IsOdd(As<From>(in)[i]);
  }
}

// Element `i` of the result, in f64.
using One = double (*)(const uint8_t* const* in, size_t i);

template <class Base, class Exponent>
double OneResult(const uint8_t* const* in, size_t i) {
  return OnePower(OneF64<Base>(in[0], i), OneF64<Exponent>(in[1], i),
                  OneIsOdd<Exponent>(in[1], i));
}

template <class D>
HWY_NOINLINE hn::Vec<D> OneByOne(D d, One one, const uint8_t* const* in,
                                 size_t i) {
  alignas(64) double powers[HWY_MAX_BYTES / sizeof(double)];
  for (size_t k = 0; k < hn::Lanes(d); ++k) powers[k] = one(in, i + k);
  return hn::Load(d, powers);
}

// The elements from `i` on, of which `base` and `exponent` are the operands.
template <class D, class V>
HWY_INLINE V NarrowPower(D d, V base, V exponent, One one,
                         const uint8_t* const* in, size_t i) {
  const V infinity = hn::Inf(d);
  const auto usual =
      hn::And(hn::And(hn::Gt(base, hn::Zero(d)), hn::Lt(base, infinity)),
              hn::Lt(hn::Abs(exponent), infinity));
  if (HWY_UNLIKELY(!hn::AllTrue(d, usual))) return OneByOne(d, one, in, i);
  return RoughPower(d, base, exponent);
}

// --- Narrow floats with exponents that f32 has all values of ----------------

#if HWY_NATIVE_FMA

// In f32. kTwoParts: the logarithm has a second part, for a power with the bits
// of f32; otherwise for one with those of f16 or bf16. `usual`: where it is a
// normal number; of a normal base > 0. Chebyshev fits of the same functions.
template <bool kTwoParts, class D, class V, class M>
HWY_INLINE V ShortPower(D d, V base, V exponent, M& usual) {
  constexpr float kRound = 0x1.8p23f;
  const hn::RebindToSigned<D> di;
  const V one = hn::Set(d, 1.0f);
  const auto bits = hn::BitCast(di, base);
  const auto biased =
      hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3F3504F3)));
  const V whole = hn::ConvertTo(d, biased);
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(biased)));

  const V numerator = hn::Sub(m, one);
  const V denominator = hn::Add(m, one);
  const V c = hn::Set(d, 0x1.715476p+1f);
  V y, f;
  if constexpr (kTwoParts) {
    const V inverse = hn::Div(one, denominator);
    const V t = hn::Mul(numerator, inverse);
    const V lost = hn::Sub(m, hn::Sub(denominator, one));
    V rest = hn::NegMulAdd(t, denominator, numerator);
    rest = hn::NegMulAdd(t, lost, rest);
    const V s = hn::Mul(t, t);
    V series =
        hn::MulAdd(hn::Set(d, 0x1.58aad4p-2f), s, hn::Set(d, 0x1.a5c96ep-2f));
    series = hn::MulAdd(series, s, hn::Set(d, 0x1.2777p-1f));
    series = hn::MulAdd(series, s, hn::Set(d, 0x1.ec709ep-1f));
    series = hn::MulAdd(series, s, hn::Set(d, 0x1.4ae0cp-25f));
    const V product = hn::Mul(c, t);
    V low = hn::MulSub(c, t, product);
    low = hn::MulAdd(t, series, low);
    low = hn::MulAdd(hn::Mul(rest, inverse), c, low);
    const V log = hn::Add(whole, product);
    low = hn::Add(hn::Add(hn::Sub(whole, log), product), low);
    y = hn::Mul(exponent, log);
    const V y_low = hn::MulAdd(exponent, low, hn::MulSub(exponent, log, y));
    f = y_low;
  } else {
    const V t = hn::Div(numerator, denominator);
    const V s = hn::Mul(t, t);
    V series =
        hn::MulAdd(hn::Set(d, 0x1.58aad4p-2f), s, hn::Set(d, 0x1.a5c96ep-2f));
    series = hn::MulAdd(series, s, hn::Set(d, 0x1.2777p-1f));
    series = hn::MulAdd(series, s, hn::Set(d, 0x1.ec709ep-1f));
    series = hn::MulAdd(series, s, c);
    y = hn::Mul(exponent, hn::MulAdd(t, series, whole));
    f = hn::Zero(d);
  }
  usual = hn::Lt(hn::Abs(y), hn::Set(d, 125.0f));
  const V shifted = hn::Add(y, hn::Set(d, kRound));
  f = hn::Add(hn::Sub(y, hn::Sub(shifted, hn::Set(d, kRound))), f);
  V power =
      hn::MulAdd(hn::Set(d, 0x1.44402p-13f), f, hn::Set(d, 0x1.5f48eep-10f));
  power = hn::MulAdd(power, f, hn::Set(d, 0x1.3b2a1cp-7f));
  power = hn::MulAdd(power, f, hn::Set(d, 0x1.c6aeccp-5f));
  power = hn::MulAdd(power, f, hn::Set(d, 0x1.ebfbep-3f));
  power = hn::MulAdd(power, f, hn::Set(d, 0x1.62e43p-1f));
  power = hn::MulAdd(power, f, one);
  return hn::BitCast(d, hn::Add(hn::BitCast(di, power),
                                hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

template <class From, class D>
HWY_INLINE hn::Vec<D> ReadF32(D d, const uint8_t* in, size_t i) {
  using Value = typename Reader<From>::Value;
  return ToF32<Value>(d, Reader<From>::Read(d, in, i));
}

template <class D>
HWY_NOINLINE hn::Vec<D> OneByOneF32(D d, One one, const uint8_t* const* in,
                                    size_t i) {
  alignas(64) float powers[HWY_MAX_BYTES / sizeof(float)];
  for (size_t k = 0; k < hn::Lanes(d); ++k) {
    powers[k] = static_cast<float>(one(in, i + k));
  }
  return hn::Load(d, powers);
}

// Of exponents that f32 has all values of.
template <class Base, class Exponent>
void ShortLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<float> d;
  const auto least = hn::Set(d, 0x1p-126f);
  const auto infinity = hn::Inf(d);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto base = ReadF32<Base>(d, in[0], i);
    const auto exponent = ReadF32<Exponent>(d, in[1], i);
    hn::Mask<Full<float>> usual;
    auto power =
        ShortPower<hwy::IsSame<Base, float>()>(d, base, exponent, usual);
    usual =
        hn::And(usual, hn::And(hn::Ge(base, least), hn::Lt(base, infinity)));
    if (HWY_UNLIKELY(!hn::AllTrue(d, usual))) {
      power = OneByOneF32(d, &OneResult<Base, Exponent>, in, i);
    }
    Writer<Base>::template Write<float>(d, power, out, i);
  }
}

#endif  // HWY_NATIVE_FMA

// --- Operands of different types: in f64, a block at a time -----------------

constexpr size_t kBlock = 64;

struct Block {
  alignas(64) double base[kBlock];
  alignas(64) double exponent[kBlock];
  alignas(64) double exponent_low[kBlock];  // of integers of 64 bits
  alignas(64) double power[kBlock];
};

template <class From>
HWY_NOINLINE void ReadBlock(const uint8_t* in, size_t i, double* to) {
  const Full<double> d;
  for (size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    hn::Store(ReadF64<From>(d, in, i + k), d, to + k);
  }
}

template <class To>
HWY_NOINLINE void WriteBlock(const double* from, uint8_t* out, size_t i) {
  const Full<double> d;
  const hn::Rebind<float, decltype(d)> df;
  for (size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const auto v = hn::Load(d, from + k);
    if constexpr (hwy::IsInteger<To>() || hwy::IsSame<To, double>()) {
      Writer<To>::template Write<double>(d, v, out, i + k);
    } else {
      Writer<To>::template Write<float>(d, hn::DemoteTo(df, v), out, i + k);
    }
  }
}

HWY_NOINLINE void NarrowBlock(Block& block, One one, const uint8_t* const* in,
                              size_t i) {
  const Full<double> d;
  for (size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    hn::Store(NarrowPower(d, hn::Load(d, block.base + k),
                          hn::Load(d, block.exponent + k), one, in, i + k),
              d, block.power + k);
  }
}

template <class Base, class Exponent>
void NarrowBlocksLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  Block block;
  for (size_t i = 0; i < count; i += kBlock) {
    ReadBlock<Base>(in[0], i, block.base);
    ReadBlock<Exponent>(in[1], i, block.exponent);
    NarrowBlock(block, &OneResult<Base, Exponent>, in, i);
    WriteBlock<Base>(block.power, out, i);
  }
}

// --- f64, and integers with exponents that are floats -----------------------

#if HWY_NATIVE_FMA

// The sum of two numbers, the lower of which has the bits that the higher one
// has no room for.
template <class V>
struct Pair {
  V high;
  V low;
};

// |a| >= |b|, or a = 0.
template <class V>
HWY_INLINE Pair<V> PairSum(V a, V b) {
  const V sum = hn::Add(a, b);
  return {sum, hn::Add(hn::Sub(a, sum), b)};
}
template <class V>
HWY_INLINE Pair<V> PairProduct(Pair<V> a, Pair<V> b) {
  const V product = hn::Mul(a.high, b.high);
  V low = hn::MulSub(a.high, b.high, product);
  low = hn::MulAdd(a.high, b.low, low);
  return {product, hn::MulAdd(a.low, b.high, low)};
}

// Of a normal base > 0; `usual`: where the power is a normal number. Chebyshev
// fits: log2(m) / t = 2/ln2 + s (2/(3 ln2) + s Q(s)) with s = t^2, to 2^-70;
// e^z = 1 + z + z^2/2 + z^3 R(z), to 2^-64.
template <class D, class V, class M>
HWY_INLINE V ExactPower(D d, V base, Pair<V> exponent, M& usual) {
  constexpr double kLog[8] = {0x1.2776c50ef9bfep-1, 0x1.a61762a7adfa8p-2,
                              0x1.484b13d79c3b6p-2, 0x1.0c9a84bf5081cp-2,
                              0x1.c68f2f01d5108p-3, 0x1.89fed27be41bep-3,
                              0x1.59e08811ee6b3p-3, 0x1.5a60ae4e0bdd7p-3};
  constexpr double kExp[10] = {0x1.5555555555556p-3,  0x1.5555555555555p-5,
                               0x1.11111111109afp-7,  0x1.6c16c16c167dfp-10,
                               0x1.a01a01a7c73c0p-13, 0x1.a01a01a47ccd9p-16,
                               0x1.71de0da24602dp-19, 0x1.27e4e1ed9933ep-22,
                               0x1.af38c67fbb53ep-26, 0x1.1f66eff4fc984p-29};
  const Pair<V> two_over_ln2 = {hn::Set(d, 0x1.71547652b82fep+1),
                                hn::Set(d, 0x1.777d0ffda0d24p-55)};
  const Pair<V> third = {hn::Set(d, 0x1.ec709dc3a03fdp-1),
                         hn::Set(d, 0x1.d27f05548af0cp-55)};
  const Pair<V> ln2 = {hn::Set(d, 0x1.62e42fefa39efp-1),
                       hn::Set(d, 0x1.abc9e3b39803fp-56)};
  const hn::RebindToUnsigned<D> du;
  const V one = hn::Set(d, 1.0);

  V whole;
  const V m = Mantissa(d, base, whole);
  const V numerator = hn::Sub(m, one);
  const Pair<V> denominator = PairSum(one, m);
  const V inverse = hn::Div(one, denominator.high);
  Pair<V> t;
  t.high = hn::Mul(numerator, inverse);
  V rest = hn::NegMulAdd(t.high, denominator.high, numerator);
  rest = hn::NegMulAdd(t.high, denominator.low, rest);
  t.low = hn::Mul(rest, inverse);

  const Pair<V> s = PairProduct(t, t);
  Pair<V> inner =
      PairSum(third.high, hn::Mul(s.high, Polynomial(d, s.high, kLog, 8)));
  inner.low = hn::Add(inner.low, third.low);
  const Pair<V> product = PairProduct(s, inner);
  Pair<V> series = PairSum(two_over_ln2.high, product.high);
  series.low = hn::Add(series.low, hn::Add(product.low, two_over_ln2.low));
  const Pair<V> log_m = PairProduct(t, series);
  Pair<V> log = PairSum(whole, log_m.high);
  log.low = hn::Add(log.low, log_m.low);

  const Pair<V> y = PairProduct(exponent, log);
  usual = hn::Lt(hn::Abs(y.high), hn::Set(d, 1020.0));
  const V shifted = hn::Add(y.high, hn::Set(d, kRounder));
  const Pair<V> f = {hn::Sub(y.high, hn::Sub(shifted, hn::Set(d, kRounder))),
                     y.low};
  const Pair<V> z = PairProduct(f, ln2);
  const V half = hn::Mul(z.high, hn::Set(d, 0.5));
  const V square = hn::Mul(half, z.high);
  const V cube = hn::Mul(hn::Mul(z.high, z.high), z.high);
  const V tail = hn::Mul(cube, Polynomial(d, z.high, kExp, 10));
  const Pair<V> first = PairSum(one, z.high);
  const Pair<V> second = PairSum(first.high, square);
  V low = hn::Add(hn::MulSub(half, z.high, square), tail);
  low = hn::MulAdd(z.low, hn::Add(second.high, tail), low);
  const V power =
      hn::Add(second.high, hn::Add(hn::Add(second.low, first.low), low));
  return hn::BitCast(d, hn::Add(hn::BitCast(du, power),
                                hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
}

// Exponents of 64 bits need a pair.
template <class Exponent, class D>
HWY_INLINE Pair<hn::Vec<D>> ReadPair(D d, const uint8_t* in, size_t i) {
  if constexpr (hwy::IsInteger<Exponent>() && sizeof(Exponent) == 8) {
    using Half =
        std::conditional_t<hwy::IsSigned<Exponent>(), int32_t, uint32_t>;
    const hn::Rebind<Exponent, D> de;
    const hn::Rebind<uint64_t, D> du;
    const auto bits = hn::LoadU(de, As<Exponent>(in) + i);
    const auto unsigned_bits = hn::BitCast(du, bits);
    const hn::Rebind<uint32_t, D> d32;
    const auto high =
        hn::BitCast(hn::Rebind<Half, D>(),
                    hn::TruncateTo(d32, hn::ShiftRight<32>(unsigned_bits)));
    const auto low = hn::TruncateTo(d32, unsigned_bits);
    return PairSum(hn::Mul(hn::PromoteTo(d, high), hn::Set(d, 0x1p32)),
                   hn::PromoteTo(d, low));
  } else {
    return {ReadF64<Exponent>(d, in, i), hn::Zero(d)};
  }
}

// The elements from `i` on.
template <bool kInteger, class D, class V>
HWY_INLINE V WidePower(D d, V base, Pair<V> exponent, One one,
                       const uint8_t* const* in, size_t i) {
  const V zero = hn::Zero(d);
  const V unit = hn::Set(d, 1.0);
  hn::Mask<D> usual;
  V power;
  if constexpr (kInteger) {
    const auto is_zero = hn::Eq(base, zero);
    power = ExactPower(d, hn::IfThenElse(is_zero, unit, base), exponent, usual);
    const V of_zero = hn::IfThenElse(
        hn::Gt(exponent.high, zero), zero,
        hn::IfThenElse(hn::Eq(exponent.high, zero), unit, hn::Inf(d)));
    power = hn::IfThenElse(is_zero, of_zero, power);
    usual = hn::And(usual, hn::Ge(base, zero));
  } else {
    power = ExactPower(d, base, exponent, usual);
    usual = hn::And(usual, hn::And(hn::Ge(base, hn::Set(d, 0x1p-1022)),
                                   hn::Lt(base, hn::Inf(d))));
  }
  if (HWY_UNLIKELY(!hn::AllTrue(d, usual))) return OneByOne(d, one, in, i);
  return power;
}

void F64Loop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<double> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto base = hn::Load(d, As<double>(in[0]) + i);
    const auto exponent = hn::Load(d, As<double>(in[1]) + i);
    hn::Store(WidePower<false>(
                  d, base, Pair<hn::Vec<Full<double>>>{exponent, hn::Zero(d)},
                  &OneResult<double, double>, in, i),
              d, As<double>(out) + i);
  }
}

template <class Exponent>
HWY_NOINLINE void ReadPairs(const uint8_t* in, size_t i, Block& block) {
  const Full<double> d;
  for (size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const auto pair = ReadPair<Exponent>(d, in, i + k);
    hn::Store(pair.high, d, block.exponent + k);
    hn::Store(pair.low, d, block.exponent_low + k);
  }
}

template <bool kInteger>
HWY_NOINLINE void WideBlock(Block& block, One one, const uint8_t* const* in,
                            size_t i) {
  const Full<double> d;
  for (size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const Pair<hn::Vec<Full<double>>> exponent = {
        hn::Load(d, block.exponent + k), hn::Load(d, block.exponent_low + k)};
    hn::Store(WidePower<kInteger>(d, hn::Load(d, block.base + k), exponent, one,
                                  in, i + k),
              d, block.power + k);
  }
}

template <class Base, class Exponent>
void WideBlocksLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  Block block;
  for (size_t i = 0; i < count; i += kBlock) {
    ReadBlock<Base>(in[0], i, block.base);
    ReadPairs<Exponent>(in[1], i, block);
    WideBlock<hwy::IsInteger<Base>()>(block, &OneResult<Base, Exponent>, in, i);
    WriteBlock<Base>(block.power, out, i);
  }
}

template <class Base, class Exponent>
Loop WideLoopOf() {
  if constexpr (hwy::IsSame<Base, double>() &&
                hwy::IsSame<Exponent, double>()) {
    return &F64Loop;
  } else {
    return &WideBlocksLoop<Base, Exponent>;
  }
}

#else

template <class Base, class Exponent>
void OneByOneLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  alignas(64) double powers[kBlock];
  for (size_t i = 0; i < count; i += kBlock) {
    for (size_t k = 0; k < kBlock; ++k) {
      powers[k] = OneResult<Base, Exponent>(in, i + k);
    }
    WriteBlock<Base>(powers, out, i);
  }
}

template <class Base, class Exponent>
Loop WideLoopOf() {
  return &OneByOneLoop<Base, Exponent>;
}

#endif  // HWY_NATIVE_FMA

// --- The table --------------------------------------------------------------

template <class T>
inline constexpr bool kIsNarrowFloat =
    hwy::IsSame<T, F16>() || hwy::IsSame<T, BF16>() || hwy::IsSame<T, float>();

template <class Base, class Exponent>
Loop LoopOf() {
#if HWY_NATIVE_FMA
  if constexpr (kIsNarrowFloat<Base> &&
                (kIsNarrowFloat<Exponent> || sizeof(Exponent) <= 2)) {
    return &ShortLoop<Base, Exponent>;
  }
#endif
  if constexpr (kIsNarrowFloat<Base>) {
    return &NarrowBlocksLoop<Base, Exponent>;
  } else if constexpr (hwy::IsInteger<Base>() && hwy::IsInteger<Exponent>()) {
    return nullptr;  // integer_powers.cc
  } else {
    return WideLoopOf<Base, Exponent>();
  }
}

Loop Lookup(const Computation& of) {
  if (of.op != Op::kPow) return nullptr;
  return ForType(of.types[0], [&]<class Base>() -> Loop {
    return ForType(of.types[1], []<class Exponent>() -> Loop {
      return LoopOf<Base, Exponent>();
    });
  });
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {
HWY_EXPORT(Lookup);
Loop FindPowerLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
