// Cast between numbers, and from bool: each element's value in the other type,
// rounded once. Integers wrap; floats saturate, and NaN becomes 0.

#include <cstddef>
#include <cstdint>

#include "loops/loop.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loops/casts.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "loops/conversions-inl.h"
#include "loops/dense-inl.h"
#include "loops/halves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

using broadloom::DType;
using broadloom::Op;

template <class From, class To>
inline constexpr bool kIsCopy =
    hwy::IsSame<From, To>() ||
    (hwy::IsInteger<From>() && hwy::IsInteger<To>() &&
     sizeof(From) == sizeof(To));
template <class To>
inline constexpr bool kIsBrain = hwy::IsSame<To, BF16>();

// The bytes of the widest element on the way.
template <class From, class To>
constexpr size_t WidestBytes() {
  using Value = typename Reader<From>::Value;
  const size_t ends = HWY_MAX(sizeof(Value), Writer<To>::kBytes);
  // From or to a float through 32 bits; i32 to bf16 through f64.
  const bool floats = hwy::IsFloat<Value>() || hwy::IsFloat<To>() ||
                      hwy::IsSame<To, F16>() || kIsBrain<To>;
  if (kIsBrain<To> && hwy::IsInteger<Value>() && sizeof(Value) == 4) return 8;
  return floats ? HWY_MAX(ends, size_t{4}) : ends;
}

template <class From, class To>
void CastLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  using Value = typename Reader<From>::Value;
  const Full<hwy::UnsignedFromSize<WidestBytes<From, To>()>> d;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) HWY_ATTR {
    Writer<To>::template Write<Value>(d, Reader<From>::Read(d, in[0], i), out,
                                      i);
  };
  for (size_t i = 0; i < count; i += 4 * n) {
    at(i);
    at(i + n);
    at(i + 2 * n);
    at(i + 3 * n);
  }
}

template <size_t kBytes>
void CopyLoop(const uint8_t* const* in, uint8_t* out, size_t count) {
  const Full<uint8_t> d;
  const size_t n = hn::Lanes(d);
  for (size_t i = 0; i < count * kBytes; i += 4 * n) {
    const auto v0 = hn::Load(d, in[0] + i);
    const auto v1 = hn::Load(d, in[0] + i + n);
    const auto v2 = hn::Load(d, in[0] + i + 2 * n);
    const auto v3 = hn::Load(d, in[0] + i + 3 * n);
    hn::Store(v0, d, out + i);
    hn::Store(v1, d, out + i + n);
    hn::Store(v2, d, out + i + 2 * n);
    hn::Store(v3, d, out + i + 3 * n);
  }
}

// --- The table --------------------------------------------------------------

template <class From>
Loop OfType(DType to) {
  return ForType(to, []<class To>() -> Loop {
    if constexpr (kIsCopy<From, To>) {
      return &CopyLoop<Writer<To>::kBytes>;
    } else {
      return &CastLoop<From, To>;
    }
  });
}

Loop Lookup(const Computation& of) {
  if (of.op != Op::kCast) return nullptr;
  if (of.types[0] == DType::kBool) return OfType<Bool>(of.to);
  return ForType(of.types[0],
                 [&]<class From>() -> Loop { return OfType<From>(of.to); });
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {
HWY_EXPORT(Lookup);
Loop FindCastLoop(const Computation& of) {
  return HWY_DYNAMIC_DISPATCH(Lookup)(of);
}
}  // namespace bench
#endif  // HWY_ONCE
