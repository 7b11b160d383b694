// Loops that fold a few operands in registers.

#if defined(BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/overlap_loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/rows_loop-inl.h"
#include "kernels/rows/rows_operand-inl.h"
#include "kernels/rows/seam_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// out = Operator(Operator(a, b), c) ..., divided by the number of operands if
// kDivides, in `Lanes`. kOperands is how many operands there are; 0:
// row.operands says so. All rows are in one group.
template <class Operator, class Lanes, bool kDivides, size_t kOperands>
HWY_NOINLINE void FoldLoopOfCount(const FoldRow& row) {
  const typename Lanes::Tag d;
  using T = typename Lanes::Element;
  using V = hn::Vec<decltype(d)>;
  constexpr size_t kMost = kOperands == 0 ? kMostFused : kOperands;
  const size_t operands = kOperands == 0 ? row.operands : kOperands;
  const size_t lanes = hn::Lanes(d);
  // Of each operand where it is in this row, or the vector that repeats its
  // element; and the bits of an index that count.
  alignas(kVectorBytes) T splats[kMost][kVectorBytes / sizeof(T)];
  const T* in[kMost];
  const T* from[kMost];
  size_t mask[kMost];
  for (size_t k = 0; k < operands; ++k) {
    in[k] = static_cast<const T*>(row.in[k]);
    from[k] = splats[k];
    mask[k] = size_t{0} - row.step[k];
  }
  auto* out = static_cast<T*>(row.out);
  const size_t end = row.count - lanes;
  const auto vector_of = [&](size_t k, size_t i) HWY_ATTR {
    return Lanes::Load(d, from[k] + (i & mask[k]));
  };
  const auto finished = [&](V v) HWY_ATTR {
    if constexpr (kDivides) {
      using Number = hn::TFromD<decltype(d)>;
      return hn::Div(v, hn::Set(d, static_cast<Number>(operands)));
    } else {
      return v;
    }
  };
  const auto compute = [&](size_t i) HWY_ATTR {
    V v = vector_of(0, i);
    for (size_t k = 1; k < operands; ++k) {
      v = Operator::Apply(d, v, vector_of(k, i));
    }
    return finished(v);
  };

  for (size_t number = 0;;) {
    for (size_t k = 0; k < operands; ++k) {
      if (row.step[k] != 0) {
        from[k] = in[k];
      } else if (number == 0 || row.row_step[k] != 0) {
        const T element = ReadAs<T>(reinterpret_cast<const uint8_t*>(in[k]));
        Lanes::Store(d, Lanes::Repeat(d, element), splats[k]);
      }
    }
    size_t i = 0;
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      PrefetchAhead(out + i, 4 * lanes);
      if constexpr (kOperands == 0) {
        // Four vectors share the steps of the loop over operands.
        V v0 = vector_of(0, i);
        V v1 = vector_of(0, i + lanes);
        V v2 = vector_of(0, i + 2 * lanes);
        V v3 = vector_of(0, i + 3 * lanes);
        for (size_t k = 1; k < operands; ++k) {
          v0 = Operator::Apply(d, v0, vector_of(k, i));
          v1 = Operator::Apply(d, v1, vector_of(k, i + lanes));
          v2 = Operator::Apply(d, v2, vector_of(k, i + 2 * lanes));
          v3 = Operator::Apply(d, v3, vector_of(k, i + 3 * lanes));
        }
        Lanes::Store(d, finished(v0), out + i);
        Lanes::Store(d, finished(v1), out + i + lanes);
        Lanes::Store(d, finished(v2), out + i + 2 * lanes);
        Lanes::Store(d, finished(v3), out + i + 3 * lanes);
      } else {
        for (size_t j = 0; j < 4 * lanes; j += lanes) {
          Lanes::Store(d, compute(i + j), out + i + j);
        }
      }
    }
    const auto compute_rest = [&](size_t k)
                                  HWY_ATTR { return compute(i + k * lanes); };
    const auto compute_last = [&]() HWY_ATTR { return compute(end); };
    StoreEnd<Lanes, 4>(d, compute_rest, compute_last, out, i, end);
    if (++number == row.rows) return;
    for (size_t k = 0; k < operands; ++k) {
      in[k] = AddBytes(in[k], row.row_step[k]);
    }
    out += row.count;
  }
}

// A fold as one operator of several operands.
template <class Operator, bool kDivides>
struct FoldOp {
  template <class D, class V, class... Others>
  static HWY_INLINE V Apply(D d, V v, Others... others) {
    ((v = Operator::Apply(d, v, others)), ...);
    if constexpr (kDivides) {
      return hn::Div(v, hn::Set(d, hn::TFromD<D>{1 + sizeof...(others)}));
    } else {
      return v;
    }
  }
};
template <class Operator, bool kDivides>
inline constexpr size_t kInterchangeable<FoldOp<Operator, kDivides>> =
    kInterchangeable<Operator>;

// The same for the rows of all groups, of operands that are all in the same
// lanes. An operator whose loops take no short rows (kTakesShortRows) needs one
// loop for each form, not those of RowsLoop for rows of few vectors.
template <class Operator, bool kDivides, class Lanes, class... Others>
HWY_NOINLINE void FoldRows(const FoldRow& row) {
  using Fold = FoldOp<Operator, kDivides>;
  using D = typename Lanes::Tag;
  if constexpr (kHasShortRows &&
                kTakesShortRows<Operator, typename Lanes::Element>) {
    RowsLoop<Fold, D, Lanes, true, nullptr, Lanes, Others...>::Run(
        WithPlaces<kMostRowOperands>(row));
  } else if constexpr (kHasShortRows) {
    const Row rows = WithPlaces<kMostRowOperands>(row);
    const RowsOperands<Fold, true, D, Lanes, Others...> operands(rows);
    operands.With([&](auto... each) HWY_ATTR __attribute__((always_inline)) {
      OverlapLoopOf<Fold, D, Lanes, 0>(D(), rows, each...);
    });
  } else {
    constexpr size_t kOperands = 1 + sizeof...(Others);
    ForEachGroup(row, kOperands,
                 &FoldLoopOfCount<Operator, Lanes, kDivides, kOperands>);
  }
}

template <class Operator, class Lanes, bool kDivides>
void FoldLoop(const FoldRow& row) {
  switch (row.operands) {
    case 3:
      return FoldRows<Operator, kDivides, Lanes, Lanes, Lanes>(row);
    case 4:
      return FoldRows<Operator, kDivides, Lanes, Lanes, Lanes, Lanes>(row);
    default:
      return ForEachGroup(row, row.operands,
                          &FoldLoopOfCount<Operator, Lanes, kDivides, 0>);
  }
}

// Null where a fold takes one operand after the other, to save code.
template <class Operator, class Lanes, bool kDivides = false>
constexpr void (*FoldLoopOf())(const FoldRow& row) {
  if constexpr (kFoldsInRegisters) {
    return &FoldLoop<Operator, Lanes, kDivides>;
  } else {
    return nullptr;
  }
}

// out = Operator(Operator(a, b), c), divided by 3 if kDivides, for rows of
// whole vectors.
template <class Operator, class Lanes, bool kDivides>
void WholeVectorsOfThree(const Row& row) {
  using T = typename Lanes::Element;
  const typename Lanes::Tag d;
  const size_t lanes = hn::Lanes(d);
  ForStepsOfThree<T, T, T, T>(
      row, [&](const T* a, const T* b, const T* c, T* out) HWY_ATTR {
        const auto compute = [&](size_t k) HWY_ATTR {
          const size_t i = k * lanes;
          const auto ab =
              Operator::Apply(d, Lanes::Load(d, a + i), Lanes::Load(d, b + i));
          const auto abc = Operator::Apply(d, ab, Lanes::Load(d, c + i));
          if constexpr (kDivides) {
            return hn::Div(abc, hn::Set(d, T{3}));
          } else {
            return abc;
          }
        };
        StoreStep<Lanes, 4>(d, compute, out);
      });
}

// Whether there is that loop: only in WebAssembly, and not of operators of many
// instructions, as it would be a larger part of the download.
template <class Operator, class T>
inline constexpr bool kHasLoopOfThree =
    !kFoldsInRegisters && kIsShort<Operator, T> && kHasMostOperations<T>;

template <class Operator, class Lanes, bool kDivides = false>
constexpr void (*LoopOfThree())(const Row& row) {
  if constexpr (kHasLoopOfThree<Operator, typename Lanes::Element>) {
    return &WholeVectorsOfThree<Operator, Lanes, kDivides>;
  } else {
    return nullptr;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
