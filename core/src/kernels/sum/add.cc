#include "kernels/sum/add.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/built.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sum/add.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// --- How types are summed ---------------------------------------------------
// Each of these records has the type of elements in memory (Element) and of
// accumulators (Sum), and vectors of accumulators (Tag, Vec). Load converts
// elements to accumulators' type; Add and AddOne add to an accumulator and its
// low part, where the type has one (kHasLow).

// Integers, which wrap.
template <class T>
struct Wrapping {
  using Element = T;
  using Sum = T;
  using Tag = FullTag<T>;
  using Vec = hn::Vec<Tag>;
  static constexpr bool kHasLow = false;
  static constexpr T kEmpty = 0;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* p) {
    return LoadFrom(d, p);
  }
  template <class V>
  static HWY_INLINE void Add(V x, V& high, V&) {
    high = hn::Add(high, x);
  }
  static void AddOne(T x, T& high, T&) { high = static_cast<T>(high + x); }
};

// f32, each of which an f64 holds exactly.
struct Widened {
  using Element = float;
  using Sum = double;
  using Tag = FullTag<double>;
  using Vec = hn::Vec<Tag>;
  static constexpr bool kHasLow = false;
  static constexpr double kEmpty = -0.0;

  static HWY_INLINE Vec Load(Tag d, const float* p) {
    return hn::PromoteTo(d, LoadFrom(hn::Rebind<float, Tag>(), p));
  }
  static HWY_INLINE void Add(Vec x, Vec& high, Vec&) {
    high = hn::Add(high, x);
  }
  static void AddOne(double x, double& high, double&) { high += x; }
};

// f16 and bf16, converted by way of f32.
template <class Half>
struct WidenedHalf : Widened {
  using Element = uint16_t;

  static HWY_INLINE Vec Load(Tag d, const uint16_t* p) {
    return hn::PromoteTo(d, Half::Load(hn::Rebind<float, Tag>(), p));
  }
};

// f64. The rounding error of each addition is itself an f64 (Knuth's TwoSum);
// the low part is the sum of these errors.
struct Compensated {
  using Element = double;
  using Sum = double;
  using Tag = FullTag<double>;
  using Vec = hn::Vec<Tag>;
  static constexpr bool kHasLow = true;
  static constexpr double kEmpty = -0.0;

  static HWY_INLINE Vec Load(Tag d, const double* p) { return LoadFrom(d, p); }
  static HWY_INLINE void Add(Vec x, Vec& high, Vec& low) {
    const Vec sum = hn::Add(high, x);
    const Vec of_x = hn::Sub(sum, high);
    const Vec lost =
        hn::Add(hn::Sub(high, hn::Sub(sum, of_x)), hn::Sub(x, of_x));
    low = hn::Add(low, lost);
    high = sum;
  }
  static void AddOne(double x, double& high, double& low) {
    const double sum = high + x;
    const double of_x = sum - high;
    low += (high - (sum - of_x)) + (x - of_x);
    high = sum;
  }
};

// Loads and stores accumulators with their low parts, if the type has them.
template <class P>
struct Parts {
  using Tag = typename P::Tag;
  using Vec = typename P::Vec;
  using Sum = typename P::Sum;

  explicit Parts(Accumulators sums)
      : high(reinterpret_cast<Sum*>(sums.high)),
        low(reinterpret_cast<Sum*>(sums.low)) {}

  HWY_INLINE Vec LoadHigh(size_t i) const { return LoadFrom(Tag(), high + i); }
  HWY_INLINE Vec LoadLow(size_t i) const {
    if constexpr (P::kHasLow) {
      return LoadFrom(Tag(), low + i);
    } else {
      return hn::Zero(Tag());
    }
  }
  HWY_INLINE void Store(size_t i, Vec h, Vec l) const {
    StoreTo(h, Tag(), high + i);
    if constexpr (P::kHasLow) StoreTo(l, Tag(), low + i);
  }
  // Empty accumulators, or those in memory.
  HWY_INLINE Vec BeginHigh(size_t i, bool begins) const {
    return begins ? hn::Set(Tag(), P::kEmpty) : LoadHigh(i);
  }
  HWY_INLINE Vec BeginLow(size_t i, bool begins) const {
    return begins ? hn::Zero(Tag()) : LoadLow(i);
  }
  // Stores the first `count` lanes.
  HWY_INLINE void StoreSome(size_t i, Vec h, Vec l, size_t count) const {
    const auto mask = hn::FirstN(Tag(), count);
    Store(i, hn::IfThenElse(mask, h, LoadHigh(i)),
          hn::IfThenElse(mask, l, LoadLow(i)));
  }

  Sum* high;
  Sum* low;
};

// --- Kernels ----------------------------------------------------------------

// Loads a vector whose first `count` elements may be read, and the others only
// if all of them lie before `end`. Lanes behind `count` may have any value.
template <class P, class D, class Element>
HWY_INLINE hn::Vec<D> LoadSome(D d, const Element* p, const Element* end,
                               size_t count) {
  if ((!kMindsGaps || end != nullptr) &&
      HWY_LIKELY(static_cast<size_t>(end - p) >= hn::Lanes(d))) {
    return P::Load(d, p);
  }
  HWY_ALIGN Element some[kVectorBytes / sizeof(Element)] = {};
  std::memcpy(some, static_cast<const void*>(p), count * sizeof(Element));
  return P::Load(d, some);
}

// The outer loop is over columns: with rows outside, each accumulator would be
// loaded and stored for each row.
template <class P>
HWY_NOINLINE void AddRows(Accumulators sums, const RowsToAdd& given) {
  const RowsToAdd a = given;  // a copy: no store can change it

  using Vec = typename P::Vec;
  using Element = typename P::Element;
  const typename P::Tag d;
  const size_t lanes = hn::Lanes(d);
  const Parts<P> parts(sums);
  const auto* const first = static_cast<const Element*>(a.in);
  size_t i = 0;
  for (; i + 4 * lanes <= a.width; i += 4 * lanes) {
    Vec h0 = parts.BeginHigh(i, a.begins);
    Vec l0 = parts.BeginLow(i, a.begins);
    Vec h1 = parts.BeginHigh(i + lanes, a.begins);
    Vec l1 = parts.BeginLow(i + lanes, a.begins);
    Vec h2 = parts.BeginHigh(i + 2 * lanes, a.begins);
    Vec l2 = parts.BeginLow(i + 2 * lanes, a.begins);
    Vec h3 = parts.BeginHigh(i + 3 * lanes, a.begins);
    Vec l3 = parts.BeginLow(i + 3 * lanes, a.begins);
    const Element* p = first + i;
    for (size_t row = 0; row < a.rows; ++row, p += a.row_stride) {
      P::Add(P::Load(d, p), h0, l0);
      P::Add(P::Load(d, p + lanes), h1, l1);
      P::Add(P::Load(d, p + 2 * lanes), h2, l2);
      P::Add(P::Load(d, p + 3 * lanes), h3, l3);
    }
    parts.Store(i, h0, l0);
    parts.Store(i + lanes, h1, l1);
    parts.Store(i + 2 * lanes, h2, l2);
    parts.Store(i + 3 * lanes, h3, l3);
  }
  for (; i + lanes <= a.width; i += lanes) {
    Vec h = parts.BeginHigh(i, a.begins);
    Vec l = parts.BeginLow(i, a.begins);
    const Element* p = first + i;
    for (size_t row = 0; row < a.rows; ++row, p += a.row_stride) {
      P::Add(P::Load(d, p), h, l);
    }
    parts.Store(i, h, l);
  }
  if (i == a.width) return;
  // Lanes behind the width are added, too, and not stored.
  const auto* const end = static_cast<const Element*>(a.end);
  Vec h = parts.BeginHigh(i, a.begins);
  Vec l = parts.BeginLow(i, a.begins);
  const Element* p = first + i;
  for (size_t row = 0; row < a.rows; ++row, p += a.row_stride) {
    P::Add(LoadSome<P>(d, p, end, a.width - i), h, l);
  }
  parts.StoreSome(i, h, l, a.width - i);
}

template <class P>
void Merge(Accumulators sums, Accumulators from, size_t count) {
  using Vec = typename P::Vec;
  const typename P::Tag d;
  const size_t lanes = hn::Lanes(d);
  const Parts<P> to(sums);
  const Parts<P> other(from);
  for (size_t i = 0; i < count; i += lanes) {
    Vec h = to.LoadHigh(i), l = to.LoadLow(i);
    P::Add(other.LoadHigh(i), h, l);
    if constexpr (P::kHasLow) l = hn::Add(l, other.LoadLow(i));
    if (count - i >= lanes) {
      to.Store(i, h, l);
    } else {
      to.StoreSome(i, h, l, count - i);
    }
  }
}

template <class P>
void MergePairs(Accumulators sums, size_t count) {
  using Vec = typename P::Vec;
  const typename P::Tag d;
  const size_t lanes = hn::Lanes(d);
  const Parts<P> parts(sums);
  for (size_t i = 0; i < count; i += lanes) {
    const Vec first = parts.LoadHigh(2 * i);
    const Vec second = parts.LoadHigh(2 * i + lanes);
    Vec h = hn::ConcatEven(d, second, first);
    Vec l = hn::Zero(d);
    if constexpr (P::kHasLow) {
      const Vec first_low = parts.LoadLow(2 * i);
      const Vec second_low = parts.LoadLow(2 * i + lanes);
      l = hn::Add(hn::ConcatEven(d, second_low, first_low),
                  hn::ConcatOdd(d, second_low, first_low));
    }
    P::Add(hn::ConcatOdd(d, second, first), h, l);
    // Memory behind the accumulators keeps its values.
    if (count - i >= lanes) {
      parts.Store(i, h, l);
    } else {
      parts.StoreSome(i, h, l, count - i);
    }
  }
}

template <class P>
void Fold(Accumulators sums, size_t count, size_t terms, size_t width) {
  using Sum = typename P::Sum;
  const Parts<P> parts(sums);
  Sum none = 0;
  const auto low = [&](size_t i) -> Sum& {
    return P::kHasLow ? parts.low[i] : none;
  };
  for (size_t row = 0; row < count; ++row) {
    const size_t from = row * terms * width;
    for (size_t i = 0; i < width; ++i) {
      Sum h = parts.high[from + i], l = low(from + i);
      for (size_t term = 1; term < terms; ++term) {
        const size_t at = from + term * width + i;
        P::AddOne(parts.high[at], h, l);
        if constexpr (P::kHasLow) l += low(at);
      }
      parts.high[row * width + i] = h;
      low(row * width + i) = l;
    }
  }
}

// --- Results ----------------------------------------------------------------

template <class T>
void StoreWrapped(Accumulators sums, void* out, size_t count) {
  std::memcpy(out, sums.high, count * sizeof(T));
}

void StoreF32(Accumulators sums, void* out, size_t count) {
  const FullTag<double> d;
  const hn::Rebind<float, decltype(d)> d32;
  const size_t lanes = hn::Lanes(d);
  const auto* from = reinterpret_cast<const double*>(sums.high);
  auto* to = static_cast<float*>(out);
  for (size_t i = 0; i < count; i += lanes) {
    const auto v = hn::DemoteTo(d32, LoadFrom(d, from + i));
    if (count - i >= lanes) {
      StoreTo(v, d32, to + i);
    } else {
      StoreLanes(d32, v, to + i, count - i);
    }
  }
}

void StoreF64(Accumulators sums, void* out, size_t count) {
  const FullTag<double> d;
  const size_t lanes = hn::Lanes(d);
  const Parts<Compensated> parts(sums);
  auto* to = static_cast<double*>(out);
  for (size_t i = 0; i < count; i += lanes) {
    const auto h = parts.LoadHigh(i);
    const auto l = parts.LoadLow(i);
    // A low part of 0 must not change the sign of a sum of 0. A low part that
    // is not finite means nothing: the sum is, or was near, infinity.
    const auto has_low = hn::AndNot(hn::Eq(l, hn::Zero(d)), hn::IsFinite(l));
    const auto v = hn::IfThenElse(has_low, hn::Add(h, l), h);
    if (count - i >= lanes) {
      StoreTo(v, d, to + i);
    } else {
      StoreLanes(d, v, to + i, count - i);
    }
  }
}

template <class Half>
void StoreHalf(Accumulators sums, void* out, size_t count) {
  const FullTag<double> d;
  const hn::Rebind<float, decltype(d)> d32;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const size_t lanes = hn::Lanes(d);
  const auto* from = reinterpret_cast<const double*>(sums.high);
  auto* to = static_cast<uint16_t*>(out);
  for (size_t i = 0; i < count; i += lanes) {
    const auto v = Half::Encode(d32, RoundedToOdd(d, LoadFrom(d, from + i)));
    if (count - i >= lanes) {
      StoreTo(v, d16, to + i);
    } else {
      StoreLanes(d16, v, to + i, count - i);
    }
  }
}

// --- Tables -----------------------------------------------------------------

// P is the record of the element type. Q is one with the same accumulators,
// whose functions on accumulators alone several element types share.
template <class P, class Q>
constexpr SumKernel MakeKernel(void (*store)(Accumulators, void*, size_t)) {
  return {sizeof(typename P::Element),
          sizeof(typename P::Sum),
          P::kHasLow,
          &AddRows<P>,
          &Merge<Q>,
          &MergePairs<Q>,
          &Fold<Q>,
          store};
}

template <class T>
constexpr SumKernel kWrapping =
    MakeKernel<Wrapping<T>, Wrapping<T>>(&StoreWrapped<T>);
constexpr SumKernel kF32 = MakeKernel<Widened, Widened>(&StoreF32);
constexpr SumKernel kF64 = MakeKernel<Compensated, Compensated>(&StoreF64);
template <class Half>
constexpr SumKernel kHalf =
    MakeKernel<WidenedHalf<Half>, Widened>(&StoreHalf<Half>);

const SumKernel* LookupSumKernel(DType dtype) {
  switch (dtype) {
    case DType::kI8:
    case DType::kU8:
      return WhereBuilt<DType::kI8, DType::kU8>(&kWrapping<uint8_t>);
    case DType::kI16:
    case DType::kU16:
      return WhereBuilt<DType::kI16, DType::kU16>(&kWrapping<uint16_t>);
    case DType::kI32:
    case DType::kU32:
      return WhereBuilt<DType::kI32, DType::kU32>(&kWrapping<uint32_t>);
    case DType::kI64:
    case DType::kU64:
      return WhereBuilt<DType::kI64, DType::kU64>(&kWrapping<uint64_t>);
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kHalf<F16>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kHalf<BF16>);
    case DType::kF32:
    case DType::kC64:
      return WhereBuilt<DType::kF32, DType::kC64>(&kF32);
    case DType::kF64:
    case DType::kC128:
      return WhereBuilt<DType::kF64, DType::kC128>(&kF64);
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
HWY_EXPORT(LookupSumKernel);
}  // namespace

const SumKernel* FindSumKernel(DType dtype) noexcept {
  return IsBuilt(dtype) ? HWY_DYNAMIC_DISPATCH(LookupSumKernel)(dtype)
                        : nullptr;
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
