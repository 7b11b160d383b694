// Moves elements as they are, by their width.

#include "kernels/rows/move.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/move.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/each_row-inl.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/overlap_loop-inl.h"
#include "kernels/rows/packed_mover-inl.h"
#include "kernels/rows/rows_operand-inl.h"
#include "kernels/rows/run_loop-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_rows-inl.h"
#include "kernels/rows/run_task-inl.h"
#include "kernels/rows/seam_loop-inl.h"
#include "kernels/rows/segments-inl.h"
#include "kernels/rows/small_result-inl.h"
#include "kernels/rows/source-inl.h"
#include "kernels/rows/splat_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

namespace {

[[maybe_unused]] HWY_NOINLINE void MoveSmall(const Task& task, size_t bytes) {
  alignas(kVectorBytes) uint8_t vector[kVectorBytes];
  const size_t count = CountOf(task);
  Collect(task, 0, bytes, count, vector);
  StoreFirst(vector, count * bytes, task.out);
}

// `after`: how many elements behind the run are written later. `buffer` has
// kBufferBytes. `writes`: the destination writes the run itself.
HWY_INLINE void MoveRun(Source& source, size_t count, size_t after,
                        size_t bytes, bool writes, Destination& place,
                        uint8_t* buffer) {
  uint8_t* const to = place.at();
  const size_t total = count * bytes;
  // Expanding a run costs no more than copying it from a tile.
  if (source.is_tile() && !writes) {
    source.FetchTo(count, to, after);
    return;
  }
  const RowOperand fetched = source.Fetch(count);
  const auto* from = static_cast<const uint8_t*>(fetched.data);
  if (fetched.step == 0) {
    if (!writes) {
      Fill(from, bytes, to, total);
      return;
    }
    const size_t most = kBufferBytes / bytes;
    Fill(from, bytes, buffer, std::min(count, most) * bytes);
    for (size_t done = 0; done < count; done += most) {
      place.Write(buffer, done, std::min(count - done, most));
    }
  } else if (writes) {
    place.Write(from, 0, count);
  } else if (from != to) {
    Copy(from, total, to);
  }
}

struct MoveOp {
  template <class D>
  static HWY_INLINE hn::Vec<D> Apply(D, hn::Vec<D> a) {
    return a;
  }
};

template <class T>
void MoveRows(const Row& row) {
  const size_t total = row.count * sizeof(T);
  RowOperands<T> rows(row, 0);
  auto* out = static_cast<uint8_t*>(row.out);
  for (size_t left = row.rows; left != 0; --left) {
    const auto* const from = reinterpret_cast<const uint8_t*>(rows.Next());
    if (row.step[0] == 0) {
      Fill(from, sizeof(T), out, total);
    } else if (from != out) {
      Copy(from, total, out);
    }
    out = AddBytes(out, row.out_step);
  }
}

// Whether rows of `count` elements are moved by OverlapLoop, where there is
// one.
template <class T>
HWY_INLINE bool TakesOverlap(size_t count) {
  return !kSeamsAreFast || count < kLeastSeamVectors * hn::Lanes(FullTag<T>());
}

template <class T, class Operand>
HWY_INLINE void MoveSeams(const Row& row, Operand operand) {
  using D = FullTag<T>;
  WithPrefetches([&](auto prefetches) HWY_ATTR {
    SeamLoop<MoveOp, D, Same<T>, prefetches>(D(), row, operand);
  });
}

// For rows of one element each, which TakesSplats has taken.
template <class Out, class Lanes = Out>
HWY_INLINE void MoveSplats(const Row& row) {
  using D = typename Out::Tag;
  WithPrefetches([&](auto prefetches) HWY_ATTR {
    SplatLoop<Out, prefetches>(D(), row, RowsOperand<Lanes, D, true>(row, 0),
                               NoOther());
  });
}

// As MoveRows, for rows of a vector or more. Rows of a few vectors are moved in
// one loop, since a call of Copy or Fill for each would take longer.
template <class T>
void MoveVectorRows(const Row& row) {
  using D = FullTag<T>;
  const D d;
  const size_t lanes = hn::Lanes(d);
  if (row.step[0] == 0 && TakesSplats<Same<T>>(row, lanes)) {
    return MoveSplats<Same<T>>(row);
  }
  const RowsOperands<MoveOp, true, D, Same<T>> operands(row);
  if (TakesSeams<Same<T>>(row, kLeastSeamVectors * lanes)) {
    const auto move = [&](auto operand)
                          HWY_ATTR { MoveSeams<T>(row, operand); };
    if constexpr (kSeamsAreFast && kLoadsSeams<Same<T>>) {
      return operands.With(move);
    } else if (row.step[0] == 0) {
      // Two splats make a seam without masked loads.
      return move(RowsOperand<Same<T>, D, true>(row, 0));
    }
  }
  if constexpr (kHasShortRows) {
    if (TakesOverlap<T>(row.count)) {
      return operands.With([&](auto operand) HWY_ATTR {
        OverlapLoop<MoveOp, D, Same<T>>(d, row, operand);
      });
    }
  }
  InPlainGroups(row, 1, &MoveRows<T>);
}

// A pair in memory, whose halves are lanes.
struct PairLanes {
  using Element = Pair;

  template <class D>
  static HWY_INLINE hn::Vec<D> Repeat(D d, const Pair& pair) {
    return hn::BitCast(
        d, Repeated<sizeof(Pair)>(reinterpret_cast<const uint8_t*>(&pair)));
  }
};

// As MoveVectorRows for pairs, whose halves of type T are lanes: a vector of
// the result must not begin with a second one.
template <class T>
void MovePairRows(const Row& row) {
  using D = FullTag<T>;
  const D d;
  if (reinterpret_cast<uintptr_t>(row.out) % sizeof(Pair) == 0) {
    Row halves = row;
    halves.count = 2 * row.count;
    if (row.step[0] == 0 && TakesSplats<Same<T>>(halves, hn::Lanes(d))) {
      return MoveSplats<Same<T>, PairLanes>(halves);
    }
    const auto with = [&](const auto& run) HWY_ATTR {
      if (row.step[0] == 0) {
        run(RowsOperand<PairLanes, D, true>(halves, 0));
      } else {
        run(RowsOperand<Same<T>, D, false>(halves, 0));
      }
    };
    if constexpr (kSeamsAreFast && kLoadsSeams<Same<T>>) {
      if (TakesSeams<Same<T>>(halves, kLeastSeamVectors * hn::Lanes(d))) {
        return with([&](auto operand)
                        HWY_ATTR { MoveSeams<T>(halves, operand); });
      }
    }
    if constexpr (kHasShortRows) {
      if (TakesOverlap<T>(halves.count)) {
        return with([&](auto operand) HWY_ATTR {
          OverlapLoop<MoveOp, D, Same<T>>(d, halves, operand);
        });
      }
    }
  }
  InPlainGroups(row, 1, &MoveRows<Pair>);
}

// For rows of whole vectors, as WholeVectorLoop, and for long rows of any
// count. Of an operand of step 0 only the first element is read.
template <size_t kElementBytes>
void MoveWholeVectors(const Row& row) {
  const auto* from = static_cast<const uint8_t*>(row.in[0]);
  auto* out = static_cast<uint8_t*>(row.out);
  const size_t total = row.count * kElementBytes;
  const auto whole = static_cast<ptrdiff_t>(total);
  if (row.step[0] != 0 && total < kLongRowBytes) {
    // Of a row that the next one overwrites only what is left then.
    const ptrdiff_t stride = whole + row.out_step;
    const size_t bytes =
        stride > 0 && stride < whole ? static_cast<size_t>(stride) : total;
    WriteSegments<void>(from, whole + row.row_step[0], row.rows, bytes, out,
                        stride);
    return;
  }
  for (size_t left = row.rows;;) {
    if (row.step[0] == 0) {
      // Rows that follow each other are filled together.
      const size_t rows = row.out_step == 0 ? left : 1;
      FillSegments<kElementBytes>(from, row.row_step[0], rows, total, out);
      out += total;
      if (rows == left) return;
    } else {
      if (from != out) Copy(from, total, out);
      from += total;
      out += total;
    }
    if (--left == 0) return;
    from = AddBytes(from, row.row_step[0]);
    out = AddBytes(out, row.out_step);
  }
}

template <size_t kElementBytes>
constexpr RowLoop MoveLoopOf() {
  if constexpr (kLoopsTakeWholeVectors) {
    return {&MoveWholeVectors<kElementBytes>,
            1,
            {kElementBytes},
            kElementBytes,
            2 * hn::MaxLanes(ByteTag()) / kElementBytes,
            true,
            true};
  } else if constexpr (kElementBytes == sizeof(Pair)) {
    using Half = hwy::UnsignedFromSize<kElementBytes / 2>;
    RowLoop loop = {&MoveRows<Pair>, 1, {sizeof(Pair)}, sizeof(Pair), 1};
    if constexpr (kLoadsSeams<Same<Half>> || kHasShortRows) {
      loop.rows = &MovePairRows<Half>;
      loop.least_row_count =
          std::max<size_t>(hn::MaxLanes(FullTag<Half>()) / 2, 1);
    }
    return loop;
  } else {
    using T = hwy::UnsignedFromSize<kElementBytes>;
    RowLoop loop = {&MoveRows<T>, 1, {sizeof(T)}, sizeof(T), 1};
    if constexpr (kHasRowsOperands) {
      loop.rows = &MoveVectorRows<T>;
      loop.least_row_count = hn::MaxLanes(FullTag<T>());
    }
    return loop;
  }
}
template <size_t kElementBytes>
constexpr RowLoop kMoveLoop = MoveLoopOf<kElementBytes>();

// A tile that is used for this many runs is copied. Otherwise each run is
// expanded straight to the result.
constexpr uint16_t kLeastServes = 4;

const RowLoop& MoveLoop(size_t bytes) {
  switch (bytes) {
    case 1:
      return kMoveLoop<1>;
    case 2:
      return kMoveLoop<2>;
    case 4:
      return kMoveLoop<4>;
    case 8:
      return kMoveLoop<8>;
    default:
      return kMoveLoop<16>;
  }
}

}  // namespace

HWY_NOINLINE void MoveElements(const Task& task, size_t bits) {
  const size_t bytes = bits / 8;
  const Schedule& schedule = task.work->schedule;
  const RowLoop& loop = MoveLoop(bytes);
  // What collects small results has no elements of 16 bytes.
  const bool collects = bytes <= sizeof(uint64_t);
  if constexpr (!kLoopsTakeRows) {
    if (collects && task.end == 1 && schedule.is_small() &&
        schedule.operand(0).form == RunForm::kTile) {
      return CollectEach(task, 0, bytes, static_cast<uint8_t*>(task.out));
    }
    if (schedule.operand(0).form != RunForm::kTile && IsOneRow(loop, task)) {
      return RunOneRow(loop, false, task);
    }
    if (schedule.has_rows()) return RunLoopOnRows(loop, false, task);
  } else {
    if (collects && FitsVector(task)) return MoveSmall(task, bytes);
    if (InterleavesRows(loop, task)) {
      return RunInterleavedRows(loop, false, task);
    }
    if (TakesRows(loop, task)) return RunRows(loop, false, task);
  }
  if (schedule.operand(0).serves >= kLeastServes) {
    return RunLoopOnRows(loop, false, task);
  }
  RunOdometer runs(task);
  Destination place(runs, task, bits);
  const bool writes = task.streams() || place.scatters();
  TileMemory<1> tiles;
  Source source;
  source.Prepare(runs, task, 0, bits,
                 writes ? TileUse::kKept : TileUse::kToResult,
                 tiles.Take(Source::TileBytes(task, 0, bits)));
  alignas(kVectorBytes) uint8_t buffer[kBufferBytes];
  // What is expanded straight to the result need not stop where a tile is full.
  const bool joins_runs =
      source.is_tile() && !writes && source.shuffles_continue();
  // Whether the results of all runs follow each other.
  const bool follows = !schedule.swaps_outer_loop() && !task.has_result();
  for (;;) {
    const int64_t following = joins_runs ? runs.following() : 0;
    const int64_t after =
        follows ? (runs.left() - 1 - following) * runs.least_count() : 0;
    MoveRun(source, runs.count(following), static_cast<size_t>(after), bytes,
            writes, place, buffer);
    if (following > 0) {
      runs.Skip(following);
      place.Skip(following);
      source.Skip(following);
    }
    if (!runs.Next()) break;
    source.Follow(runs);
    place.Follow(runs);
  }
  place.Finish();
}

namespace {

struct MoveKernel : Kernel {
  uint8_t element_bits;
};

void RunMove(const Kernel& self, const Task& task) {
  const size_t bits = static_cast<const MoveKernel&>(self).element_bits;
  if (bits < 8) {
    MovePacked(task, bits);
  } else {
    MoveElements(task, bits);
  }
}

// Rows of a vector or more are moved by MoveVectorRows, where it takes short
// ones.
constexpr LoopBytes kMoveBytes = {
    .least_row = kHasShortRows ? hn::MaxLanes(ByteTag()) : kVectorBytes,
    .vector = hn::MaxLanes(ByteTag())};

template <uint8_t kBits>
constexpr MoveKernel kMove = {{&RunMove, kBits >= 8, kMoveBytes}, kBits};

const Kernel* LookupMoveKernel(size_t bits) {
  switch (bits) {
    case 1:
      return &kMove<1>;
    case 4:
      return &kMove<4>;
    case 8:
      return &kMove<8>;
    case 16:
      return &kMove<16>;
    case 32:
      return &kMove<32>;
    case 64:
      return &kMove<64>;
    case 128:
      return &kMove<128>;
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
HWY_EXPORT(LookupMoveKernel);
}  // namespace

const Kernel* FindMoveKernel(size_t bits) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupMoveKernel)(bits);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
