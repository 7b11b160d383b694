// Div and Mod. Nothing traps: x / 0 and x mod 0 are 0, MIN / -1 is MIN, and
// MIN mod -1 is 0.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/families.h"
#include "kernels/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/division.cc"
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

// --- Integers of up to 32 bits, in floats -----------------------------------
// f32 divides integers of up to 16 bits, and f64 those of up to 32, so that the
// quotient truncates right: one that is no integer is further from the next
// one than it is off.

// Integers in memory, floats in vectors.
template <class T>
struct AsFloat {
  using Element = T;
  using Float = hwy::If<sizeof(T) <= 2, float, double>;
  using Tag = FullTag<Float>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* p) {
    const auto v = hn::LoadU(hn::Rebind<T, D>(), p);
    if constexpr (sizeof(T) == 4) {
      return hn::PromoteTo(d, v);
    } else {
      return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), v));
    }
  }

  // Integral numbers of one bit more than T: that bit is dropped, so that
  // -MIN is MIN.
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, T* p) {
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<hwy::MakeUnsigned<T>, D> d_narrow;
    // Added to this, an integer stands in the low bits of the mantissa.
    const auto magic =
        hn::Set(d, sizeof(T) == 4 ? Float{0x1.8p52} : Float{0x1.8p23f});
    const auto bits = hn::BitCast(du, hn::Add(v, magic));
    hn::StoreU(hn::TruncateTo(d_narrow, bits), d_narrow,
               reinterpret_cast<hwy::MakeUnsigned<T>*>(p));
  }
};

struct QuotientOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), hn::Trunc(hn::Div(a, b)));
  }
};

// With the dividend's sign.
struct RemainderOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V quotient = hn::Trunc(hn::Div(a, b));
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)),
                              hn::Sub(a, hn::Mul(quotient, b)));
  }
};

// With the divisor's sign.
struct ModuloOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V a, V b) {
    const V remainder = RemainderOp::Apply(d, a, b);
    const auto differ = hn::Lt(hn::Mul(remainder, b), hn::Zero(d));
    return hn::Add(remainder, hn::IfThenElseZero(differ, b));
  }
};

// --- Integers of 64 bits, one by one ----------------------------------------

struct Quotient64 {
  template <class T>
  static T Apply(T a, T b) {
    using Bits = hwy::MakeUnsigned<T>;
    if (b == 0) return 0;
    if (hwy::IsSigned<T>() && b == static_cast<T>(-1)) {
      return static_cast<T>(Bits{0} - static_cast<Bits>(a));
    }
    return a / b;
  }
};

struct Remainder64 {
  template <class T>
  static T Apply(T a, T b) {
    if (b == 0 || (hwy::IsSigned<T>() && b == static_cast<T>(-1))) return 0;
    return a % b;
  }
};

struct Modulo64 {
  template <class T>
  static T Apply(T a, T b) {
    const T remainder = Remainder64::Apply(a, b);
    return remainder != 0 && (remainder ^ b) < 0 ? remainder + b : remainder;
  }
};

// --- fmod of floats, one by one ---------------------------------------------

struct FmodOp {
  template <class T>
  static T Apply(T a, T b) {
    return std::fmod(a, b);
  }
};

// Exact in f32: what is left has no bits that its operands have not.
template <DType kHalf>
constexpr ThroughKernel kHalfFmod = {
    {&RunThrough},
    {&kToF32[NumberIndex(kHalf)], &kToF32[NumberIndex(kHalf)]},
    &kElementLoop<FmodOp, float>,
    &kFromF32[NumberIndex(kHalf)]};

// --- Lookup -----------------------------------------------------------------

template <class Small, class Large>
const Kernel* IntegerKernel(DType dtype) {
  switch (dtype) {
    case DType::kI8:
      return &kBinary<Small, AsFloat<int8_t>>;
    case DType::kI16:
      return &kBinary<Small, AsFloat<int16_t>>;
    case DType::kI32:
      return &kBinary<Small, AsFloat<int32_t>>;
    case DType::kI64:
      return &kElements<Large, int64_t>;
    default:
      return nullptr;
  }
}

template <class Small, class Large>
const Kernel* UnsignedKernel(DType dtype) {
  switch (dtype) {
    case DType::kU8:
      return &kBinary<Small, AsFloat<uint8_t>>;
    case DType::kU16:
      return &kBinary<Small, AsFloat<uint16_t>>;
    case DType::kU32:
      return &kBinary<Small, AsFloat<uint32_t>>;
    case DType::kU64:
      return &kElements<Large, uint64_t>;
    default:
      return nullptr;
  }
}

const Kernel* DivKernel(DType dtype) {
  if (const Kernel* k = FloatKernel<DivOp>(dtype)) return k;
  if (const Kernel* k = UnsignedKernel<QuotientOp, Quotient64>(dtype)) return k;
  return IntegerKernel<QuotientOp, Quotient64>(dtype);
}

const Kernel* ModKernel(DType dtype, bool fmod) {
  // Without signs both are the same.
  if (const Kernel* k = UnsignedKernel<RemainderOp, Remainder64>(dtype)) {
    return k;
  }
  if (!fmod) return IntegerKernel<ModuloOp, Modulo64>(dtype);
  switch (dtype) {
    case DType::kF16:
      return &kHalfFmod<DType::kF16>;
    case DType::kBF16:
      return &kHalfFmod<DType::kBF16>;
    case DType::kF32:
      return &kElements<FmodOp, float>;
    case DType::kF64:
      return &kElements<FmodOp, double>;
    default:
      return IntegerKernel<RemainderOp, Remainder64>(dtype);
  }
}

const Kernel* LookupDivision(Op op, DType dtype, bool fmod) {
  switch (op) {
    case Op::kDiv:
      return DivKernel(dtype);
    case Op::kMod:
      return ModKernel(dtype, fmod);
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
HWY_EXPORT(LookupDivision);
}  // namespace

const Kernel* FindDivision(Op op, DType dtype, bool fmod) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupDivision)(op, dtype, fmod);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
