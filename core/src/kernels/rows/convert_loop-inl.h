// A loop that converts the elements of a row to another type in registers.

#if defined(BROADLOOM_KERNELS_ROWS_CONVERT_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_CONVERT_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_CONVERT_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_CONVERT_LOOP_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/convert_changes-inl.h"
#include "kernels/rows/convert_values-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The lanes of d at `from`, as StoreValues takes them.
template <class From, class To, class Change, class D>
HWY_INLINE auto LoadConverted(D d, const typename From::Element* from) {
  const hn::Rebind<EnteringValue<From, To>, D> values;
  return ConvertValues<From, To>(
      d, Change::Apply(values, LoadValues<From, To>(d, from)));
}

// As BinaryLoop, for one operand.
template <class From, class To, class Change>
void ConvertLoop(const Row& row) {
  const ConvertTag<From, To> d;
  const size_t lanes = hn::Lanes(d);
  RowOperands<typename From::Element> rows(row, 0);
  auto* out = static_cast<typename To::Element*>(row.out);
  const size_t end = row.count - lanes;
  const size_t step = row.step[0] * lanes;
  for (size_t left = row.rows;;) {
    const auto* from = rows.Next();
    const auto convert = [&](size_t i) HWY_ATTR {
      return LoadConverted<From, To, Change>(d, from + i);
    };
    const auto last = convert(row.step[0] * end);
    size_t i = 0;
    for (; i + 3 * lanes < end; i += 4 * lanes) {
      constexpr size_t kLine = 64;
      for (size_t at = 0; at < 4 * lanes * sizeof(*out); at += kLine) {
        PrefetchToWrite(Ahead(reinterpret_cast<const uint8_t*>(out + i) + at));
      }
      for (size_t k = 0; k < 4; ++k) {
        StoreValues<To>(d, convert(k * step), out + i + k * lanes);
      }
      from += 4 * step;
    }
    for (; i < end; i += lanes) {
      StoreValues<To>(d, convert(0), out + i);
      from += step;
    }
    StoreValues<To>(d, last, out + end);
    if (--left == 0) return;
    out = AddBytes(out, row.out_step);
  }
}

// Whether a vector takes so few instructions that a loop gains from two at a
// time.
template <class From, class To, class Change>
inline constexpr bool kConvertsFast =
    hwy::IsSame<Change, Unchanged>() && !kIsHalf<From> && !kIsHalf<To> &&
    (kIsInteger<To> ? kIsInteger<From>
                    : !kIsInteger<From> || sizeof(ValueOf<From>) < 8);

// How many vectors a loop of whole vectors takes at a time. Four masks are
// packed together.
template <class From, class To, class Change>
inline constexpr size_t kVectorsAtOnce =
    kIsTruth<To> && WidestBytes<From, To>() > 1 ? 4
    : kConvertsFast<From, To, Change>           ? 2
                                                : 1;

// For rows of whole vectors (kLoopsTakeWholeVectors).
template <class From, class To, class Change>
struct WholeVectorConversion {
  using Tag = ConvertTag<From, To>;
  static constexpr size_t kVectors = kVectorsAtOnce<From, To, Change>;
  static constexpr size_t kElements = kVectors * hn::MaxLanes(Tag());

  static HWY_INLINE void Convert(const typename From::Element* from,
                                 typename To::Element* out) {
    const Tag d;
    const size_t lanes = hn::Lanes(d);
    if constexpr (kVectors == 4) {
      static_assert(hwy::IsSame<Change, Unchanged>());
      const hn::Rebind<EnteringValue<From, To>, Tag> values;
      const auto is_true = [&](size_t i) HWY_ATTR {
        return hn::Not(
            IsFalse<From>(values, LoadValues<From, To>(d, from + i)));
      };
      TruthByte::StoreFour(values, is_true(0), is_true(lanes),
                           is_true(2 * lanes), is_true(3 * lanes), out);
    } else {
      const auto first = LoadConverted<From, To, Change>(d, from);
      if constexpr (kVectors == 2) {
        const auto second = LoadConverted<From, To, Change>(d, from + lanes);
        StoreValues<To>(d, second, out + lanes);
      }
      StoreValues<To>(d, first, out);
    }
  }

  static void Run(const Row& row) {
    const auto* from = static_cast<const typename From::Element*>(row.in[0]);
    auto* out = static_cast<typename To::Element*>(row.out);
    const size_t step = row.step[0] * kElements;
    for (size_t left = row.rows;;) {
      const auto* const end = out + row.count;
      do {
        Convert(from, out);
        from += step;
        out += kElements;
      } while (out != end);
      if (--left == 0) return;
      from = AddBytes(from, row.row_step[0]);
      out = AddBytes(out, row.out_step);
    }
  }
};

template <class From, class To, class Change = Unchanged>
inline constexpr RowLoop kConvert = {
    kLoopsTakeWholeVectors ? &WholeVectorConversion<From, To, Change>::Run
                           : &ConvertLoop<From, To, Change>,
    1,
    {sizeof(typename From::Element), 0, 0},
    sizeof(typename To::Element),
    kLoopsTakeWholeVectors ? WholeVectorConversion<From, To, Change>::kElements
                           : hn::MaxLanes(ConvertTag<From, To>()),
    kLoopsTakeWholeVectors};

// The same for each number: pairs of types whose conversions are the same share
// a loop.
template <class From, class To>
inline constexpr RowLoop kConvertNumber =
    kConvert<SharedFrom<From, To>, SharedTo<From, To>>;

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_CONVERT_LOOP_INL_H_
