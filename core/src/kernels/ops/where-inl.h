// Where: its loop, and how it runs on elements that the loop does not take.

#if defined(BROADLOOM_KERNELS_OPS_WHERE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_WHERE_INL_H_
#undef BROADLOOM_KERNELS_OPS_WHERE_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_WHERE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/each_row-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/rows_loop-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/run_task-inl.h"
#include "kernels/rows/source-inl.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Conditions: bytes in memory, lanes as wide as T in vectors.
template <class T>
struct Condition {
  using Element = uint8_t;
  using Tag = FullTag<T>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const uint8_t* p) {
    return Widen(d, LoadFrom(hn::Rebind<uint8_t, D>(), p));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> Repeat(D d, uint8_t element) {
    return hn::Set(d, static_cast<T>(element));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadFirst(D d, const uint8_t* p, size_t n) {
    return Widen(d, LoadLanes(hn::Rebind<uint8_t, D>(), p, n));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadSeam(D d, const uint8_t* p, size_t n,
                                        const uint8_t* rest) {
    return Widen(d, LoadBoth(hn::Rebind<uint8_t, D>(), p, n, rest));
  }

 private:
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> Widen(D d, V truth) {
    if constexpr (sizeof(T) == 1) {
      return truth;
    } else {
      return hn::PromoteTo(d, truth);
    }
  }
};

struct WhereOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V condition, V a, V b) {
    return hn::IfThenElse(hn::Eq(condition, hn::Zero(d)), b, a);
  }
};

// out = condition ? a : b, bit for bit. Only the width of T matters.
template <class T>
void WhereLoop(const Row& row) {
  const FullTag<T> d;
  const size_t lanes = hn::Lanes(d);
  RowOperands<uint8_t> condition_rows(row, 0);
  RowOperands<T> yes_rows(row, 1);
  RowOperands<T> no_rows(row, 2);
  auto* out = static_cast<T*>(row.out);
  const size_t end = row.count - lanes;
  for (size_t left = row.rows;;) {
    const uint8_t* const condition = condition_rows.Next();
    const T* const yes = yes_rows.Next();
    const T* const no = no_rows.Next();
    const auto choose = [&](size_t i) HWY_ATTR {
      return WhereOp::Apply(d,
                            Condition<T>::Load(d, condition + row.step[0] * i),
                            LoadFrom(d, yes + row.step[1] * i),
                            LoadFrom(d, no + row.step[2] * i));
    };
    size_t i = 0;
    for (; i + lanes <= end; i += lanes) StoreTo(choose(i), d, out + i);
    const auto last = choose(end);  // now, see StoreEnd
    if (i < end) StoreTo(choose(i), d, out + i);
    StoreTo(last, d, out + end);
    if (!kLoopsTakeRows || --left == 0) return;
    out = AddBytes(out, row.out_step);
  }
}

// As WhereLoop, for many rows, which may be shorter.
template <class T>
using WhereRows = RowsLoop<WhereOp, FullTag<T>, Same<T>, true, &WhereLoop<T>,
                           Condition<T>, Same<T>, Same<T>>;

// For rows of whole vectors.
template <class T>
void WholeVectorWhereLoop(const Row& row) {
  const FullTag<T> d;
  const size_t lanes = hn::Lanes(d);
  ForStepsOfThree<uint8_t, T, T, T>(
      row, [&](const uint8_t* condition, const T* yes, const T* no,
               T* out) HWY_ATTR {
        const auto choose = [&](size_t k) HWY_ATTR {
          const size_t i = k * lanes;
          return WhereOp::Apply(d, Condition<T>::Load(d, condition + i),
                                LoadFrom(d, yes + i), LoadFrom(d, no + i));
        };
        StoreStep<Same<T>, 4>(d, choose, out);
      });
}

template <class T>
constexpr RowLoop WhereLoopOf() {
  constexpr size_t kLanes = hn::MaxLanes(FullTag<T>());
  RowLoop loop = {
      &WhereLoop<T>, 3, {1, sizeof(T), sizeof(T)}, sizeof(T), kLanes};
  if constexpr (kLoopsTakeWholeVectors) {
    loop.run = &WholeVectorWhereLoop<T>;
    loop.least_count = 4 * kLanes;
    loop.takes_whole_vectors = true;
  } else if constexpr (WhereRows<T>::kHasSeams || WhereRows<T>::kOverlaps) {
    loop.rows = &WhereRows<T>::Run;
    loop.least_row_count = WhereRows<T>::kLeast;
  }
  return loop;
}

template <class T>
inline constexpr RowLoop kWhereLoop = WhereLoopOf<T>();

template <class T>
inline constexpr ElementwiseKernel kWhere = ElementwiseOf(kWhereLoop<T>);

// Where on elements of another width than its loop: on elements of 4 bits and 1
// bit by a loop for bytes, and on those of 16 bytes by a loop for 8.
struct OtherWidthKernel : Kernel {
  const RowLoop* loop;
  uint8_t element_bits;
};

// Unpacks the operands, runs the loop, and packs the result.
inline void RunPackedWhere(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const OtherWidthKernel&>(self);
  const size_t bits = kernel.element_bits;
  RunOdometer runs(task);
  TileMemory<kMostLoopOperands> tiles;
  Source sources[kMostLoopOperands];
  for (size_t k = 0; k < kMostLoopOperands; ++k) {
    const size_t operand_bits = k == 0 ? 8 : bits;
    sources[k].Prepare(runs, task, k, operand_bits, TileUse::kKept,
                       tiles.Take(Source::TileBytes(task, k, operand_bits)));
  }
  Destination place(runs, task, bits);
  alignas(kVectorBytes) uint8_t result[Schedule::kTileBytes];
  Row row = {};
  for (;;) {
    row.count = runs.count();
    for (size_t k = 0; k < kMostLoopOperands; ++k) {
      const RowOperand fetched = sources[k].Fetch(row.count);
      row.in[k] = fetched.data;
      row.step[k] = fetched.step;
    }
    row.out = result;
    RunRow(*kernel.loop, row);
    place.Write(result, 0, row.count);
    if (!runs.Next()) return;
    for (size_t k = 0; k < kMostLoopOperands; ++k) sources[k].Follow(runs);
    place.Follow(runs);
  }
}

// Takes each element as two of 8 bytes, and its condition twice.
inline void RunWideWhere(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const OtherWidthKernel&>(self);
  const RowLoop& half = *kernel.loop;
  alignas(kVectorBytes) uint8_t twice[kBufferBytes / 8];
  const RowFormat format = {3, {1, 16, 16}, 16, false, kBufferBytes / 16};
  ForEachRow<kMostLoopOperands>(
      task, format, [&](const Row& row, const Shuffles*) {
        Row halves = row;
        halves.count = row.count * 2;
        if (row.step[0] != 0) {
          const auto* condition = static_cast<const uint8_t*>(row.in[0]);
          for (size_t i = 0; i < row.count; ++i) {
            twice[2 * i] = twice[2 * i + 1] = condition[i];
          }
          halves.in[0] = twice;
        }
        RunRow(half, halves);
      });
}

template <uint8_t kBits>
inline constexpr OtherWidthKernel kPackedWhere = {
    {&RunPackedWhere}, &kWhereLoop<uint8_t>, kBits};
inline constexpr OtherWidthKernel kWideWhere = {
    {&RunWideWhere}, &kWhereLoop<uint64_t>, 128};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_WHERE_INL_H_
