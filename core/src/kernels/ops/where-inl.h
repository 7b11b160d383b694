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
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/row.h"
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

// out = condition ? a : b, bit for bit. Only the width of T matters.
template <class T>
void WhereLoop(const Row& row) {
  const FullTag<T> d;
  const hn::Rebind<uint8_t, FullTag<T>> d_condition;
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
      const auto truth = LoadFrom(d_condition, condition + row.step[0] * i);
      const auto a = LoadFrom(d, yes + row.step[1] * i);
      const auto b = LoadFrom(d, no + row.step[2] * i);
      if constexpr (sizeof(T) == 1) {
        return hn::IfThenElse(hn::Eq(truth, hn::Zero(d)), b, a);
      } else {
        return hn::IfThenElse(hn::Eq(hn::PromoteTo(d, truth), hn::Zero(d)), b,
                              a);
      }
    };
    const auto last = choose(end);  // first, as loop-inl.h explains
    for (size_t i = 0; i < end; i += lanes) StoreTo(choose(i), d, out + i);
    StoreTo(last, d, out + end);
    if (!kLoopsTakeRows || --left == 0) return;
    out = AddBytes(out, row.out_step);
  }
}

template <class T>
inline constexpr RowLoop kWhereLoop = {&WhereLoop<T>,
                                       3,
                                       {1, sizeof(T), sizeof(T)},
                                       sizeof(T),
                                       hn::MaxLanes(FullTag<T>())};

template <class T>
inline constexpr ElementwiseKernel kWhere = {
    {&RunElementwise, kMostOperandsOfRows}, kWhereLoop<T>, false};

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
  TileMemory tiles;
  Source sources[kMostRowOperands];
  for (size_t k = 0; k < kMostRowOperands; ++k) {
    const size_t operand_bits = k == 0 ? 8 : bits;
    sources[k].Prepare(runs, task, k, operand_bits, TileUse::kKept,
                       tiles.Take(Source::TileBytes(task, k, operand_bits)));
  }
  Destination place(runs, task, bits);
  alignas(kVectorBytes) uint8_t result[Schedule::kTileBytes];
  Row row = {};
  for (;;) {
    row.count = runs.count();
    for (size_t k = 0; k < kMostRowOperands; ++k) {
      const RowOperand fetched = sources[k].Fetch(row.count);
      row.in[k] = fetched.data;
      row.step[k] = fetched.step;
    }
    row.out = result;
    RunRow(*kernel.loop, row);
    place.Write(result, 0, row.count);
    if (!runs.Next()) return;
    for (size_t k = 0; k < kMostRowOperands; ++k) sources[k].Follow(runs);
    place.Follow(runs);
  }
}

// Takes each element as two of 8 bytes, and its condition twice.
inline void RunWideWhere(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const OtherWidthKernel&>(self);
  const RowLoop& half = *kernel.loop;
  alignas(kVectorBytes) uint8_t twice[kBufferBytes / 8];
  const RowFormat format = {3, {1, 16, 16}, 16, false, kBufferBytes / 16};
  ForEachRow<kMostRowOperands>(
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
