// Pow: bases of every number type, with exponents of every number type.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/families.h"
#include "kernels/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/power.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/loop-inl.h"
#include "kernels/ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// --- Floats of less than 64 bits, in vectors of f64 -------------------------
// 2^(exponent * log2(base)), in f64 with more than 40 good bits: what is left
// of them after rounding to f32 is within 1 ulp.

struct NarrowPowOp {
  // Bases are of f32 or less: none is subnormal in f64. Results beyond f32's
  // range need only be beyond it.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent) {
    const V zero = hn::Zero(d);
    const V one = hn::Set(d, 1.0);
    const V magnitude = hn::Abs(base);
    const V power = Exp2(d, hn::Mul(exponent, Log2(d, magnitude)));

    // The sign, and whether there is a real result.
    const auto negative = hn::Lt(base, zero);
    const auto integral = IsIntegral(d, exponent);
    const V half = hn::Mul(exponent, hn::Set(d, 0.5));
    const auto odd = hn::AndNot(IsIntegral(d, half), integral);
    const auto finite = hn::Lt(magnitude, hn::Inf(d));
    const V sign = hn::IfThenElseZero(odd, hn::And(base, hn::SignBit(d)));
    const V real =
        hn::IfThenElse(hn::AndNot(integral, hn::And(negative, finite)),
                       hn::NaN(d), hn::Or(power, sign));

    // 1 to any power, NaN too, and anything to the power 0; -1 to an infinite.
    const auto infinite = hn::Eq(hn::Abs(exponent), hn::Inf(d));
    const auto unit = hn::Or(hn::Or(hn::Eq(base, one), hn::Eq(exponent, zero)),
                             hn::And(hn::Eq(magnitude, one), infinite));
    return hn::IfThenElse(unit, one, real);
  }

 private:
  // Adding and subtracting this rounds to an integer, which then stands in the
  // low bits.
  static constexpr double kRounder = 0x1.8p52;

  // Also infinity, and what is too large to be anything else.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> IsIntegral(D d, V x) {
    const V limit = hn::Set(d, 0x1p52);
    const V magnitude = hn::Abs(x);
    const V rounded = hn::Sub(hn::Add(magnitude, limit), limit);
    return hn::Or(hn::Eq(rounded, magnitude), hn::Ge(magnitude, limit));
  }

  // x = m * 2^k with m from sqrt(1/2) to sqrt(2), and with t = (m - 1)/(m + 1)
  // ln m = 2 atanh t = 2 (t + t^3/3 + t^5/5 + ...). x >= 0 or NaN.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Log2(D d, V x) {
    const hn::RebindToUnsigned<D> du;
    constexpr uint64_t kOne = 0x3FF0000000000000;
    constexpr uint64_t kSqrtHalf = 0x3FE6A09E667F3BCD;
    const V one = hn::Set(d, 1.0);

    const auto bits = hn::BitCast(du, x);
    const auto exponent =
        hn::ShiftRight<52>(hn::Add(bits, hn::Set(du, kOne - kSqrtHalf)));
    const V m = hn::BitCast(d, hn::Sub(hn::Add(bits, hn::Set(du, kOne)),
                                       hn::ShiftLeft<52>(exponent)));
    // An integer below 2^52 beside the bits of 2^52 is 2^52 more.
    const V k = hn::Sub(
        hn::BitCast(d, hn::Or(exponent, hn::Set(du, 0x4330000000000000))),
        hn::Set(d, 0x1p52 + 1023));

    const V t = hn::Div(hn::Sub(m, one), hn::Add(m, one));
    const V s = hn::Mul(t, t);
    V series = hn::Set(d, 1.0 / 15);
    series = hn::MulAdd(series, s, hn::Set(d, 1.0 / 13));
    series = hn::MulAdd(series, s, hn::Set(d, 1.0 / 11));
    series = hn::MulAdd(series, s, hn::Set(d, 1.0 / 9));
    series = hn::MulAdd(series, s, hn::Set(d, 1.0 / 7));
    series = hn::MulAdd(series, s, hn::Set(d, 1.0 / 5));
    series = hn::MulAdd(series, s, hn::Set(d, 1.0 / 3));
    series = hn::MulAdd(series, s, one);
    constexpr double kTwoOverLn2 = 2.8853900817779268;
    const V log2 = hn::MulAdd(hn::Mul(series, t), hn::Set(d, kTwoOverLn2), k);

    const V special =
        hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(hn::Inf(d)), x);
    const auto usual = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Inf(d)));
    return hn::IfThenElse(usual, log2, special);
  }

  // x = n + f with f from -1/2 to 1/2: 2^n, times the series of e^(f ln 2).
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Exp2(D d, V x) {
    const hn::RebindToUnsigned<D> du;
    // Far beyond f32. NaN stays.
    const V most = hn::Set(d, 400.0);
    x = hn::IfThenElse(hn::Gt(x, most), most, x);
    x = hn::IfThenElse(hn::Lt(x, hn::Neg(most)), hn::Neg(most), x);

    const V rounder = hn::Set(d, kRounder);
    const V shifted = hn::Add(x, rounder);
    const V f = hn::Sub(x, hn::Sub(shifted, rounder));
    V series = hn::Set(d, 7.0549116208011233e-9);
    series = hn::MulAdd(series, f, hn::Set(d, 1.0178086009239700e-7));
    series = hn::MulAdd(series, f, hn::Set(d, 1.3215486790144309e-6));
    series = hn::MulAdd(series, f, hn::Set(d, 1.5252733804059840e-5));
    series = hn::MulAdd(series, f, hn::Set(d, 1.5403530393381609e-4));
    series = hn::MulAdd(series, f, hn::Set(d, 1.3333558146428443e-3));
    series = hn::MulAdd(series, f, hn::Set(d, 9.6181291076284772e-3));
    series = hn::MulAdd(series, f, hn::Set(d, 5.5504108664821580e-2));
    series = hn::MulAdd(series, f, hn::Set(d, 2.4022650695910071e-1));
    series = hn::MulAdd(series, f, hn::Set(d, 6.9314718055994531e-1));
    series = hn::MulAdd(series, f, hn::Set(d, 1.0));
    const auto n = hn::ShiftLeft<52>(hn::BitCast(du, shifted));
    const V power = hn::BitCast(d, hn::Add(hn::BitCast(du, series), n));
    return hn::IfThenElse(hn::IsNaN(x), x, power);
  }
};

// f32 in memory, f64 in vectors.
struct FloatAsDouble {
  using Element = float;
  using Tag = FullTag<double>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const float* p) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), p));
  }
  template <class D>
  static HWY_INLINE void Store(D, hn::Vec<D> v, float* p) {
    const hn::Rebind<float, D> df;
    hn::StoreU(hn::DemoteTo(df, v), df, p);
  }
};

// --- Bases of f64, and integers with exponents of floats: one by one --------

struct PowOp {
  template <class T>
  static T Apply(T base, T exponent) {
    // For signaling NaNs as for others; C libraries differ in this.
    if (base == 1 || exponent == 0) return 1;
    return std::pow(base, exponent);
  }
};

// Exponents of 64 bits, of which f64 holds 53: in two parts that it does hold,
// of one sign. The greater part is even, so that the other has the parity.
struct PowSplitOp {
  template <class Exponent>
  static double Apply(double base, Exponent exponent) {
    constexpr Exponent kExact = Exponent{1} << 53;
    const bool exact = exponent <= kExact &&
                       (hwy::IsSigned<Exponent>() ? exponent >= -kExact : true);
    if (exact) return PowOp::Apply(base, static_cast<double>(exponent));
    const Exponent low = exponent % 2048;
    const Exponent high = exponent - low;
    return std::pow(base, static_cast<double>(high)) *
           std::pow(base, static_cast<double>(low));
  }
};

// --- Integers: square and multiply ------------------------------------------

// Signed exponents beside integers of any sign.
template <class T>
struct Exponents {
  using Element = hwy::MakeSigned<T>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const Element* p) {
    return hn::BitCast(d, hn::LoadU(hn::RebindToSigned<D>(), p));
  }
};

struct IntegerPowOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V base, V exponent_bits) {
    const hn::RebindToSigned<D> ds;
    const auto exponent = hn::BitCast(ds, exponent_bits);
    const auto zero = hn::Zero(ds);
    const auto lowest = hn::Set(ds, 1);
    const V one = hn::Set(d, 1);

    const auto negative = hn::Lt(exponent, zero);
    auto rest = hn::IfThenZeroElse(negative, exponent);
    V power = one;
    V square = base;
    while (!hn::AllTrue(ds, hn::Eq(rest, zero))) {
      const auto odd = hn::RebindMask(d, hn::TestBit(rest, lowest));
      power = hn::IfThenElse(odd, hn::Mul(power, square), power);
      square = hn::Mul(square, square);
      rest = hn::ShiftRight<1>(rest);
    }

    // 1 / base^n, truncated: not 0 for 1 and -1 alone, which are their own
    // inverses.
    V inverse = hn::IfThenElseZero(hn::Eq(base, one), one);
    if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
      const auto odd = hn::RebindMask(d, hn::TestBit(exponent, lowest));
      const V minus_one = hn::Set(d, -1);
      const V alternating = hn::IfThenElse(odd, minus_one, one);
      inverse = hn::IfThenElse(hn::Eq(base, minus_one), alternating, inverse);
    }
    return hn::IfThenElse(hn::RebindMask(d, negative), inverse, power);
  }
};

template <class T>
constexpr const RowLoop* kIntegerPow =
    &kBinaryLoop<IntegerPowOp, Same<T>, Exponents<T>>;

// --- What is computed in what -----------------------------------------------

constexpr bool IsFloat(DType dtype) {
  return dtype >= DType::kF16 && dtype <= DType::kF64;
}

constexpr ThroughKernel IntegerPowKernel(DType base, DType exponent) {
  const RowLoop* to32 =
      exponent == DType::kI32 ? nullptr : &kToExponent32[NumberIndex(exponent)];
  const RowLoop* to64 =
      exponent == DType::kI64 ? nullptr : &kToExponent64[NumberIndex(exponent)];
  const Kernel run = {&RunThrough};
  switch (base) {
    case DType::kI64:
      return {run, {nullptr, to64}, kIntegerPow<int64_t>, nullptr};
    case DType::kU64:
      return {run, {nullptr, to64}, kIntegerPow<uint64_t>, nullptr};
    case DType::kI32:
      return {run, {nullptr, to32}, kIntegerPow<int32_t>, nullptr};
    case DType::kU32:
      return {run, {nullptr, to32}, kIntegerPow<uint32_t>, nullptr};
    default:
      return {run,
              {&kToI32[NumberIndex(base)], to32},
              kIntegerPow<int32_t>,
              &kFromI32[NumberIndex(base)]};
  }
}

constexpr ThroughKernel FloatPowKernel(DType base, DType exponent) {
  const Kernel run = {&RunThrough};
  const size_t from = NumberIndex(base);
  const size_t by = NumberIndex(exponent);
  const RowLoop* enter_exponent =
      exponent == DType::kF64 ? nullptr : &kToF64[by];
  if (base == DType::kF32 && exponent == DType::kF32) {
    return {run,
            {nullptr, nullptr},
            &kBinaryLoop<NarrowPowOp, FloatAsDouble>,
            nullptr};
  }
  if (base == DType::kF16 || base == DType::kBF16 || base == DType::kF32) {
    // An exponent of 64 bits is far enough, and its parity is right.
    const bool wide = exponent == DType::kI64 || exponent == DType::kU64;
    return {run,
            {&kToF64[from], wide ? &kToF64KeepingParity[by] : enter_exponent},
            &kBinaryLoop<NarrowPowOp, Same<double>>,
            &kFromF64[from]};
  }
  const RowLoop* enter = base == DType::kF64 ? nullptr : &kToF64[from];
  const RowLoop* leave = base == DType::kF64 ? nullptr : &kFromF64[from];
  switch (exponent) {
    case DType::kI64:
      return {run,
              {enter, nullptr},
              &kElementLoop<PowSplitOp, double, int64_t>,
              leave};
    case DType::kU64:
      return {run,
              {enter, nullptr},
              &kElementLoop<PowSplitOp, double, uint64_t>,
              leave};
    default:
      return {
          run, {enter, enter_exponent}, &kElementLoop<PowOp, double>, leave};
  }
}

struct PowerTable {
  ThroughKernel kernels[kNumberTypes][kNumberTypes];
};

constexpr PowerTable MakePowerTable() {
  PowerTable table = {};
  for (size_t base = 0; base < kNumberTypes; ++base) {
    for (size_t exponent = 0; exponent < kNumberTypes; ++exponent) {
      const DType base_type = NumberType(base);
      const DType exponent_type = NumberType(exponent);
      table.kernels[base][exponent] =
          IsFloat(base_type) || IsFloat(exponent_type)
              ? FloatPowKernel(base_type, exponent_type)
              : IntegerPowKernel(base_type, exponent_type);
    }
  }
  return table;
}

constexpr PowerTable kPowerTable = MakePowerTable();

const Kernel* LookupPower(DType base, DType exponent) {
  if (!IsNumber(base) || !IsNumber(exponent)) return nullptr;
  return &kPowerTable.kernels[NumberIndex(base)][NumberIndex(exponent)];
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
HWY_EXPORT(LookupPower);
}  // namespace

const Kernel* FindPower(DType base, DType exponent) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupPower)(base, exponent);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
