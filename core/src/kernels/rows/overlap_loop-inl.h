// Loops over short rows.

#if defined(BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/rows_operand-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether short rows are computed by such loops: on x86 with vectors of 32
// bytes or more. On AVX2 few shuffles cross the middle of a vector, so that
// another store takes less time than a shuffle. On AVX-512 a tile is stored and
// loaded again, and many of its vectors cross a cache line. Elsewhere short
// rows are computed from tiles, and these loops, some forms of each, would be
// code for nothing.
inline constexpr bool kHasShortRows =
    kHasRowsOperands && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2;

// out = Operator(operands...) for all rows of `row`, each of a vector of D or
// more. The last vector of a row ends with the row, so it may overlap the one
// before it. It is computed first, as loop-inl.h explains.
template <class Operator, class D, class Out, class... Operands>
HWY_INLINE void OverlapLoop(D d, const Row& row, Operands... operands) {
  const size_t lanes = hn::Lanes(d);
  const size_t end = row.count - lanes;
  const int64_t out_step = row.out_step;
  auto* out = static_cast<typename Out::Element*>(row.out);
  const auto compute_at = [&](size_t i) HWY_ATTR {
    return Operator::Apply(d, operands.At(d, i)...);
  };
  size_t i = 0;
  const auto compute = [&](size_t k)
                           HWY_ATTR { return compute_at(i + k * lanes); };
  // Rows of half vectors, and rows that are moved, are too short for steps.
  constexpr bool kTakesSteps =
      sizeof...(Operands) > 1 &&
      hn::MaxLanes(D()) == hn::MaxLanes(FullTag<hn::TFromD<D>>());
  constexpr size_t kStep = kVectorsAStep<D, Out>;
  const size_t steps_end = end - std::min(end, (kStep - 1) * lanes);
  const auto move = [&](auto ends_group) HWY_ATTR {
    (operands.FindNext(ends_group), ...);
    (operands.Next(), ...);
    out = AddBytes(out, out_step);
  };
  for (size_t left = row.rows;;) {
    size_t group_left = std::min(left, row.group_rows);
    left -= group_left;
    for (;;) {
      const auto last = compute_at(end);
      i = 0;
      if constexpr (kTakesSteps) {
        // Several vectors at a time: see BinaryLoop.
        for (; i < steps_end; i += kStep * lanes) {
          StoreStep<Out, kStep>(d, compute, out + i);
        }
      }
      for (; i < end; i += lanes) {
        PrefetchToWrite(Ahead(out + i));
        Out::Store(d, compute_at(i), out + i);
      }
      Out::Store(d, last, out + end);
      if (--group_left == 0) break;
      move(std::false_type());
    }
    if (left == 0) return;
    move(std::true_type());
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_OVERLAP_LOOP_INL_H_
