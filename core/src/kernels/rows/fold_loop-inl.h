// Loops that fold a few operands in registers.

#if defined(BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// out = Operator(Operator(a, b), c) ..., divided by the number of operands if
// kDivides, in `Lanes`. The last vector may overlap the one before it: it is
// computed first and stored last, as loop-inl.h explains.
template <class Operator, class Lanes, bool kDivides>
void FoldLoop(const FoldRow& row) {
  const typename Lanes::Tag d;
  using T = typename Lanes::Element;
  using V = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  const T* in[kMostFused];
  for (size_t k = 0; k < row.operands; ++k) {
    in[k] = static_cast<const T*>(row.in[k]);
  }
  auto* out = static_cast<T*>(row.out);
  const size_t end = row.count - lanes;
  const auto vector_of = [&](size_t k, size_t i) HWY_ATTR {
    return row.step[k] != 0
               ? Lanes::Load(d, in[k] + i)
               : Lanes::Repeat(
                     d, ReadAs<T>(reinterpret_cast<const uint8_t*>(in[k])));
  };
  const auto finished = [&](V v) HWY_ATTR {
    if constexpr (kDivides) {
      using Number = hn::TFromD<decltype(d)>;
      return hn::Div(v, hn::Set(d, static_cast<Number>(row.operands)));
    } else {
      return v;
    }
  };
  const auto compute = [&](size_t i) HWY_ATTR {
    V v = vector_of(0, i);
    for (size_t k = 1; k < row.operands; ++k) {
      v = Operator::Apply(d, v, vector_of(k, i));
    }
    return finished(v);
  };

  for (size_t left = row.rows;;) {
    const V last = compute(end);
    size_t i = 0;
    // Four vectors at a time share the steps of the loop over operands.
    for (; i + 3 * lanes < end; i += 4 * lanes) {
      V v0 = vector_of(0, i);
      V v1 = vector_of(0, i + lanes);
      V v2 = vector_of(0, i + 2 * lanes);
      V v3 = vector_of(0, i + 3 * lanes);
      for (size_t k = 1; k < row.operands; ++k) {
        v0 = Operator::Apply(d, v0, vector_of(k, i));
        v1 = Operator::Apply(d, v1, vector_of(k, i + lanes));
        v2 = Operator::Apply(d, v2, vector_of(k, i + 2 * lanes));
        v3 = Operator::Apply(d, v3, vector_of(k, i + 3 * lanes));
      }
      for (size_t j = 0; j < 4; ++j) {
        PrefetchToWrite(Ahead(out + i + j * lanes));
      }
      Lanes::Store(d, finished(v0), out + i);
      Lanes::Store(d, finished(v1), out + i + lanes);
      Lanes::Store(d, finished(v2), out + i + 2 * lanes);
      Lanes::Store(d, finished(v3), out + i + 3 * lanes);
    }
    for (; i < end; i += lanes) Lanes::Store(d, compute(i), out + i);
    Lanes::Store(d, last, out + end);
    if (--left == 0) return;
    for (size_t k = 0; k < row.operands; ++k) {
      in[k] = AddBytes(in[k], row.row_step[k]);
    }
    out += row.count;
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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_FOLD_LOOP_INL_H_
