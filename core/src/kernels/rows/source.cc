// Prepares an operand for the runs of a task, and makes its tiles.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/source.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/pack-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/source-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

HWY_INLINE void Source::NumberTiles(const RunOdometer& runs, const Task& task,
                                    size_t operand, size_t tiles) {
  for (size_t i = 0; i < tiles; ++i) tile_first_[i] = kNothing;
  int64_t numbered = 1;
  tile_number_.Begin(runs, 0, [&](size_t level) -> int64_t {
    const size_t loop =
        runs.is_run(level) ? task.work->schedule.split() : runs.loop(level);
    if (task.work->nest.stride(operand, loop) == 0 ||
        numbered == static_cast<int64_t>(tiles)) {
      return 0;
    }
    const int64_t stride = numbered;
    numbered *= runs.extent(level);
    return stride;
  });
}

HWY_NOINLINE void Source::Prepare(const RunOdometer& runs, const Task& task,
                                  size_t operand, size_t bits, TileUse use,
                                  uint8_t* tiles) {
  const Schedule& schedule = task.work->schedule;
  const OperandRun& run = schedule.operand(operand);
  data_ = static_cast<const uint8_t*>(task.operands[operand].data);
  readable_ = task.operands[operand].Readable(bits);
  has_gaps_ = task.operands[operand].has_gaps();
  bits_ = bits;
  bytes_ = bits < 8 ? 1 : bits / 8;
  form_ = run.form;
  BeginOperand(runs, task, operand, first_);
  tiles_ = tiles;
  tile_first_[0] = kNothing;
  made_rows_ = 0;
  has_several_ = use == TileUse::kKept && run.tiles > 1;
  one_run_ = run.serves == 1 && bits >= 8 && use == TileUse::kKept;
  if (form_ != RunForm::kTile) return;
  const int64_t run_elements = schedule.run_steps() * schedule.step_elements();
  const int64_t elements = use == TileUse::kOneRun ? run_elements
                           : use == TileUse::kToResult
                               ? task.work->nest.element_count()
                               : task.work->nest.element_count() / run.serves;
  expander_.Prepare(task.work->nest, operand, schedule.split(),
                    schedule.run_steps(), bytes_, elements, TileSource(),
                    bits >= 8 && has_gaps_, bits >= 8, one_run_);
  tile_bytes_ = static_cast<size_t>(
      Schedule::WholeVectors(run_elements * static_cast<int64_t>(bytes_)));
  if (has_several_) NumberTiles(runs, task, operand, run.tiles);
}

HWY_NOINLINE void Source::ExpandRows(const RunOdometer& runs, size_t levels,
                                     const Row& row) {
  const auto steps_of = [&](size_t level, size_t most) {
    return tile_number_.stride(runs, level) == 0
               ? size_t{1}
               : std::min(most, static_cast<size_t>(runs.extent(level)));
  };
  const size_t in_group = std::min(row.rows, row.group_rows);
  const size_t rows = steps_of(0, in_group);
  // The task may end within the last group.
  const size_t all_groups = (row.rows + in_group - 1) / in_group;
  const size_t groups = levels > 1 ? steps_of(1, all_groups) : 1;
  for (size_t group = 0; group < groups; ++group) {
    for (size_t i = 0; i < rows; ++i) {
      const auto at = [&](const Cursor& cursor) {
        int64_t steps = static_cast<int64_t>(i) * cursor.stride(runs, 0);
        if (levels > 1) {
          steps += static_cast<int64_t>(group) * cursor.stride(runs, 1);
        }
        return cursor.at() + steps;
      };
      Tile(static_cast<size_t>(at(tile_number_)), at(first_), row.count);
    }
  }
  made_rows_ = row.rows;
  made_number_ = tile_number_.at();
  made_first_ = first_.at();
  made_count_ = row.count;
}

HWY_NOINLINE void Source::ExpandTo(int64_t first, size_t count, uint8_t* to,
                                   const uint8_t* limit) const {
  if (bits_ >= 8) {
    expander_.Expand(data_ + first * static_cast<int64_t>(bytes_), count, to,
                     limit);
    return;
  }
  const TileLoops& loops = expander_.loops();
  const int64_t reach = std::min(loops.Reach(), readable_ - first);
  if (!loops.goes_back() && reach <= Schedule::kTileBytes && !has_gaps_) {
    uint8_t* const unpacked = tiles_ + Schedule::kTileBytes;
    Elements(first, static_cast<size_t>(reach), unpacked);
    expander_.Expand(unpacked, count, to, limit);
    return;
  }
  loops.ForEachSource(count, [&](size_t i, int64_t source) {
    to[i] =
        UnpackOne(data_, static_cast<uint64_t>(first + source) * bits_, bits_);
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
