// One operand made into rows, run by run, and the memory of its tiles. The
// larger functions are compiled in source.cc.

#if defined(BROADLOOM_KERNELS_ROWS_SOURCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_SOURCE_INL_H_
#undef BROADLOOM_KERNELS_ROWS_SOURCE_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_SOURCE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/highway.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/expander-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/pack-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// The memory of all tiles of a task, of so many operands, or of fewer if those
// are at most 3 (see schedule.h for the sizes).
template <size_t kOperands>
class TileMemory {
 public:
  uint8_t* Take(size_t bytes) {
    uint8_t* const taken = memory_ + used_;
    used_ += bytes;
    return taken;
  }

 private:
  static constexpr size_t kBytes =
      kOperands * Schedule::kTileBytes + Schedule::KeptBytes(kOperands);

  alignas(kVectorBytes) uint8_t memory_[kBytes];
  size_t used_ = 0;
};

// What the tiles of an operand are for.
enum class TileUse : uint8_t {
  kKept,     // as many as the schedule says, each used for several runs
  kOneRun,   // used for the current run only; other operands use the memory too
  kToResult  // none: each run is expanded straight to the result
};

// An operand of a row (see Row).
struct RowOperand {
  const void* data;
  size_t step;
};

// Makes the rows of one operand, run by run.
class Source {
 public:
  // `tiles` has TileBytes(task, operand, bits).
  void Prepare(const RunOdometer& runs, const Task& task, size_t operand,
               size_t bits, TileUse use, uint8_t* tiles);

  static size_t TileBytes(const Task& task, size_t operand, size_t bits) {
    // Packed elements are unpacked before they are expanded.
    if (bits < 8) return 2 * Schedule::kTileBytes;
    const OperandRun& run = task.work->schedule.operand(operand);
    if (run.form != RunForm::kTile) return 0;
    const int64_t elements =
        task.work->schedule.run_steps() * task.work->schedule.step_elements();
    return run.tiles * static_cast<size_t>(Schedule::WholeVectors(
                           elements * static_cast<int64_t>(bits / 8)));
  }

  // Call once after each Next() of the odometer.
  HWY_INLINE void Follow(const RunOdometer& runs) {
    first_.Follow(runs);
    if (has_several_) tile_number_.Follow(runs);
  }

  bool is_tile() const { return form_ == RunForm::kTile; }

  // The first `count` elements of the run. They may be more than one run, if
  // the operand is no tile.
  HWY_INLINE RowOperand Fetch(size_t count) {
    const int64_t first = first_.at();
    switch (form_) {
      case RunForm::kDirect:
        if (HWY_LIKELY(bits_ >= 8)) {
          return {data_ + first * static_cast<int64_t>(bytes_), 1};
        }
        return {Elements(first, count, tiles_), 1};
      case RunForm::kConstant:
        if (first != tile_first_[0]) {
          uint8_t unpacked;
          Splat(Elements(first, 1, &unpacked), bytes_, splat_);
          tile_first_[0] = first;
        }
        return {splat_, 0};
      case RunForm::kTile:
        break;
    }
    return {Tile(TileNumber(), first, count), 1};
  }

  // Whether the operand has rows at equal distances in runs that differ in the
  // `levels` innermost levels only, 1 or 2 (RunOdometer::alike, together): it
  // has no tiles, or keeps those of all these runs.
  bool has_rows(const RunOdometer& runs, size_t levels) const {
    if (form_ != RunForm::kTile) return bits_ >= 8;
    for (size_t level = 0; level < levels; ++level) {
      if (first_.stride(runs, level) != 0 &&
          (!has_several_ || tile_number_.stride(runs, level) == 0)) {
        return false;
      }
    }
    return true;
  }
  // The operand in `row.rows` such runs, row.count elements of each: sets its
  // first row and the distances, in groups if there are two levels. One that is
  // repeated is not a splat.
  HWY_INLINE void FetchRows(const RunOdometer& runs, size_t levels, size_t k,
                            Row& row) {
    const bool is_tile = form_ == RunForm::kTile;
    row.step[k] = form_ != RunForm::kConstant;
    const int64_t bytes = static_cast<int64_t>(is_tile ? tile_bytes_ : bytes_);
    if (is_tile && !has_several_) {
      row.in[k] = Tile(0, first_.at(), row.count);
      row.row_step[k] = row.group_step[k] = 0;
      return;
    }
    const Cursor& place = is_tile ? tile_number_ : first_;
    row.in[k] = (is_tile ? tiles_ : data_) + place.at() * bytes;
    row.row_step[k] = static_cast<ptrdiff_t>(place.change(0) * bytes);
    row.group_step[k] =
        static_cast<ptrdiff_t>(levels > 1 ? place.change(1) * bytes : 0);
    if (is_tile) MakeTiles(runs, levels, row);
  }

  // Whether an operator's loop had better shuffle the operand itself: a tile
  // would be used only once.
  bool is_shuffles() const { return one_run_ && expander_.is_shuffles(); }
  // See Expander::AsShuffles.
  bool AsShuffles(size_t count, Shuffles& out) const {
    return expander_.AsShuffles(
        data_ + first_.at() * static_cast<int64_t>(bytes_), count, out);
  }

  // Whether the runs of a turn continue the same shuffles.
  bool shuffles_continue() const { return expander_.shuffles_continue(); }
  // Call once after each Skip(following) of the odometer.
  void Skip(int64_t following) {
    first_.Skip(following);
    if (has_several_) tile_number_.Skip(following);
  }
  // As for a Cursor.
  void SkipTogether(int64_t runs, int64_t steps) {
    first_.SkipTogether(runs, steps);
    if (has_several_) tile_number_.SkipTogether(runs, steps);
  }

  // Expands the run straight to its place in the result. So many elements
  // `after` it may be overwritten.
  void FetchTo(size_t count, uint8_t* to, size_t after) const {
    expander_.ExpandToResult(data_ + first_.at() * static_cast<int64_t>(bytes_),
                             count, to, to + (count + after) * bytes_);
  }

 private:
  static constexpr int64_t kNothing = -1;

  HWY_INLINE size_t TileNumber() const {
    return has_several_ ? static_cast<size_t>(tile_number_.at()) : 0;
  }
  // Tile `number`, expanded if it has other elements than `count` from `first`
  // on.
  HWY_INLINE const uint8_t* Tile(size_t number, int64_t first, size_t count) {
    uint8_t* const tile = tiles_ + number * tile_bytes_;
    if (first != tile_first_[number] || count > tile_count_[number]) {
      ExpandTo(first, count, tile, tile + tile_bytes_);
      tile_first_[number] = first;
      tile_count_[number] = static_cast<uint16_t>(count);
      made_rows_ = 0;
    }
    return tile;
  }
  // Expands the tiles of all rows of `row` (FetchRows), unless they are the
  // last ones that this function has expanded.
  HWY_INLINE void MakeTiles(const RunOdometer& runs, size_t levels,
                            const Row& row) {
    if (made_rows_ >= row.rows && made_number_ == tile_number_.at() &&
        made_first_ == first_.at() && made_count_ >= row.count) {
      return;
    }
    ExpandRows(runs, levels, row);
  }
  void ExpandRows(const RunOdometer& runs, size_t levels, const Row& row);

  // Numbers the tiles along the innermost levels in which the operand advances,
  // as many as give `tiles` tiles.
  void NumberTiles(const RunOdometer& runs, const Task& task, size_t operand,
                   size_t tiles);

  // The memory that tiles are expanded from. Packed elements are unpacked for
  // each tile, to memory behind the tile.
  std::span<const uint8_t> TileSource() const {
    if (bits_ < 8) return {tiles_ + Schedule::kTileBytes, Schedule::kTileBytes};
    return {data_, static_cast<size_t>(readable_) * bytes_};
  }

  // `count` elements from element `first` on. Packed ones are unpacked to
  // `unpacked`, one byte each.
  const uint8_t* Elements(int64_t first, size_t count,
                          uint8_t* unpacked) const {
    if (bits_ >= 8) return data_ + first * static_cast<int64_t>(bytes_);
    Unpack(data_, static_cast<uint64_t>(first) * bits_, bits_, count, unpacked);
    return unpacked;
  }

  // Expands `count` elements from element `first` on to `to`. Memory up to
  // `limit` may be overwritten.
  void ExpandTo(int64_t first, size_t count, uint8_t* to,
                const uint8_t* limit) const;

  const uint8_t* data_ = nullptr;
  int64_t readable_ = 0;
  bool has_gaps_ = false;
  size_t bits_ = 0;
  size_t bytes_ = 0;  // of one element, as loops see it
  RunForm form_ = RunForm::kDirect;
  bool has_several_ = false;  // there are several tiles, which are kept
  bool one_run_ = false;      // a tile would be used for one run only
  Cursor first_;              // the first element of the run
  Cursor tile_number_;        // the tile of the run
  uint8_t* tiles_ = nullptr;
  size_t tile_bytes_ = 0;
  // For each tile, or the splat: the first element that it has, and how many.
  int64_t tile_first_[Schedule::kMostTiles];
  uint16_t tile_count_[Schedule::kMostTiles];
  // What MakeTiles has expanded: how many rows, the first tile, its first
  // element, and the elements of each.
  size_t made_rows_ = 0;
  int64_t made_number_ = 0;
  int64_t made_first_ = 0;
  size_t made_count_ = 0;
  alignas(kVectorBytes) uint8_t splat_[kVectorBytes];
  Expander expander_;
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_SOURCE_INL_H_
