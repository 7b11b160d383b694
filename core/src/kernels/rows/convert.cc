// The tables of convert-inl.h.

#include <cstddef>
#include <cstdint>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/convert.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/convert_changes-inl.h"
#include "kernels/rows/convert_loop-inl.h"
#include "kernels/rows/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

template <class Lanes>
constexpr bool kComputes =
    hwy::IsSame<Lanes, Same<float>>() || hwy::IsSame<Lanes, Same<double>>();

template <class From, class To>
constexpr RowLoop ConversionOf() {
  constexpr bool kIsThere = HWY_ARCH_WASM || kComputes<From> || kComputes<To>;
  if constexpr (kIsThere && !hwy::IsSame<From, To>()) {
    return kConvertNumber<From, To>;
  } else {
    return {};
  }
}

// `Lanes` are in the order of DType.
template <class... Lanes>
constexpr ConversionTable MakeConversions() {
  ConversionTable table = {};
  size_t from = 0;
  const auto add_row = [&]<class From>() {
    size_t to = 0;
    ((table.loops[from][to++] = ConversionOf<From, Lanes>()), ...);
    ++from;
  };
  (add_row.template operator()<Lanes>(), ...);
  return table;
}

template <class From, class To>
constexpr RowLoop ExponentOf() {
  constexpr bool kIsThere =
      !HWY_ARCH_WASM || sizeof(To) > 1 || sizeof(From) == sizeof(To);
  if constexpr (hwy::IsSame<From, To>() || !kIsThere) {
    return {};
  } else if constexpr (sizeof(From) < sizeof(To)) {
    return kConvertNumber<Same<From>, Same<To>>;
  } else {
    return kConvert<Same<From>, Same<To>, ReducedExponent<To>>;
  }
}

template <class... From>
constexpr ExponentTable MakeExponents() {
  ExponentTable table = {};
  size_t width = 0;
  const auto add_row = [&]<class To>() {
    size_t from = 0;
    ((table.loops[width][from++] = ExponentOf<From, To>()), ...);
    ++width;
  };
  add_row.template operator()<int8_t>();
  add_row.template operator()<int16_t>();
  add_row.template operator()<int32_t>();
  add_row.template operator()<int64_t>();
  return table;
}

}  // namespace

constinit const ConversionTable kConversions =
    MakeConversions<Same<int8_t>, Same<int16_t>, Same<int32_t>, Same<int64_t>,
                    Same<uint8_t>, Same<uint16_t>, Same<uint32_t>,
                    Same<uint64_t>, F16, BF16, Same<float>, Same<double>>();

constinit const ExponentTable kExponents =
    MakeExponents<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                  uint32_t, uint64_t>();

const RowLoop kI64ToF64KeepingParity =
    kConvert<Same<int64_t>, Same<double>, NearKeepingParity>;
const RowLoop kU64ToF64KeepingParity =
    kConvert<Same<uint64_t>, Same<double>, NearKeepingParity>;
const RowLoop kU64ToI64KeepingParity =
    kConvert<Same<uint64_t>, Same<int64_t>, SignedKeepingParity>;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
