#include "sum/sum_walk.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/sum_order.h"
#include "kernels/sum/gather.h"
#include "kernels/sum/reduce.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

// Of gathered rows: where blocks are narrower than a vector, those of one row
// are put side by side in the first-level cache, some rows at a time; of
// (524288,5) to (524288,1) 5 x 384 blocks.
constexpr size_t kRowsBytes = 8192;
// Gathered accumulators that are added to at once.
constexpr size_t kGatheredSumsBytes = 256;
// Rows are few, so that it does not pay to begin with them, below this.
constexpr size_t kFewRows = 8;
// Accumulators' worth of rows that are walked once for each few columns.
constexpr size_t kNearBytes = 16384;

// Of `terms` rows of `width` accumulators one is left, `count` in all.
void FoldLoop(const SumKernel& kernel, Accumulators sums, size_t count,
              size_t terms, size_t width) {
  if (width > 1 || !std::has_single_bit(terms)) {
    kernel.fold(sums, count / width, terms, width);
    return;
  }
  for (; terms > 1; terms /= 2) kernel.merge_pairs(sums, count * terms / 2);
}

}  // namespace

void FoldColumns(const SumOrder& order, const SumKernel& kernel,
                 Accumulators sums, size_t blocks) noexcept {
  size_t count = blocks * static_cast<size_t>(order.inside());
  FoldLoop(kernel, sums, count, static_cast<size_t>(order.pieces()),
           static_cast<size_t>(order.inside()));
  size_t width = 1;
  for (const SumOrder::Loop& loop : order.loops().first(order.folded())) {
    const size_t extent = static_cast<size_t>(loop.extent);
    if (loop.summed) {
      count /= extent;
      FoldLoop(kernel, sums, count, extent, width);
    } else {
      width *= extent;
    }
  }
}

SumWalk::SumWalk(const SumOrder& order, const SumKernel& kernel,
                 const Loop* box, const void* first, const void* end,
                 size_t most_sums) noexcept
    : kernel_(kernel),
      gather_(kernels::FindGather()),
      in_(static_cast<const unsigned char*>(first)),
      end_(static_cast<const unsigned char*>(end)),
      inside_(static_cast<size_t>(order.inside())),
      pieces_(static_cast<size_t>(order.pieces())),
      folds_(order.folds()),
      gathers_(order.gathers()),
      columns_(folds_ ? inside_ * pieces_ : 1) {
  const std::span<const SumOrder::Loop> loops = order.loops();
  for (size_t i = 0; i < loops.size(); ++i) {
    if (order.IsColumns(i)) {
      if (!folds_) columns_ = box[i].extent;
    } else if (loops[i].summed) {
      if (i == order.parts_loop()) split_term_ = terms_.count;
      terms_.Push(box[i]);
    } else {
      blocks_.Push(box[i]);
    }
  }
  MakePanels(most_sums);
}

// --- Panels -----------------------------------------------------------------

// How many accumulators a panel has does not change what is added to which.
void SumWalk::MakePanels(size_t most_sums) noexcept {
  panel_columns_ = columns_;
  if (columns_ > most_sums && !folds_) panel_columns_ = most_sums;
  column_panels_ = CeilDiv(columns_, panel_columns_);
  size_t most_blocks = std::clamp<size_t>(most_sums / columns_, 1, kMostBlocks);
  if (gathers_) most_blocks = std::min(most_blocks, MostGathered());
  // Whole loops, and steps of the next.
  for (; cut_ < blocks_.count; ++cut_) {
    if (whole_blocks_ * blocks_[cut_].extent > most_blocks) break;
    whole_blocks_ *= blocks_[cut_].extent;
  }
  panels_ = column_panels_;
  if (cut_ < blocks_.count) {
    cut_steps_ = most_blocks / whole_blocks_;
    panels_ *= CeilDiv(blocks_[cut_].extent, cut_steps_);
  }
  for (size_t i = cut_ + 1; i < blocks_.count; ++i) {
    panels_ *= blocks_[i].extent;
  }
  FindOffsets(whole_blocks_ * cut_steps_);
}

// As many as have room with all their rows, in whole vectors.
size_t SumWalk::MostGathered() const noexcept {
  const size_t whole =
      CeilDiv(kGatheredSumsBytes / kernel_.sum_bytes, columns_);
  const size_t room =
      kRowsBytes / terms_[0].extent / (columns_ * kernel_.element_bytes);
  return std::max<size_t>(room / whole, 1) * whole;
}

void SumWalk::FindOffsets(size_t blocks) noexcept {
  bool even = true;
  size_t index[kMostSumLoops] = {};
  ptrdiff_t offset = 0;
  for (size_t block = 0; block < blocks; ++block) {
    offsets_[block] = offset;
    furthest_ = std::max(furthest_, offset);
    if (block == 1) piece_step_ = offset;
    if (offset != piece_step_ * static_cast<ptrdiff_t>(block)) even = false;
    for (size_t i = 0; i < blocks_.count; ++i) {
      const ptrdiff_t step = blocks_[i].step;
      offset += step;
      if (++index[i] < blocks_[i].extent || i == cut_) break;
      offset -= step * static_cast<ptrdiff_t>(blocks_[i].extent);
      index[i] = 0;
    }
  }
  if (!even) piece_step_ = 0;
}

SumWalk::Panel SumWalk::PanelAt(size_t index) const noexcept {
  const size_t column = index % column_panels_ * panel_columns_;
  index /= column_panels_;
  Panel panel = {in_ + column * kernel_.element_bytes, 0, whole_blocks_, column,
                 std::min(panel_columns_, columns_ - column)};
  size_t block_step = whole_blocks_;
  for (size_t i = cut_; i < blocks_.count; ++i) {
    const size_t steps = i == cut_ ? cut_steps_ : 1;
    const size_t turns = CeilDiv(blocks_[i].extent, steps);
    const size_t step = index % turns * steps;
    index /= turns;
    panel.in += blocks_[i].step * static_cast<ptrdiff_t>(step);
    panel.first_block += step * block_step;
    panel.blocks *= std::min(steps, blocks_[i].extent - step);
    block_step *= blocks_[i].extent;
  }
  return panel;
}

// --- A panel's sums ---------------------------------------------------------

// Rows of all blocks, gathered some at a time.
void SumWalk::AddGathered(const Panel& panel, const unsigned char* in,
                          size_t rows, bool begins,
                          Accumulators sums) const noexcept {
  alignas(64) unsigned char memory[kRowsBytes + 2 * kernels::kGatheredBytes];
  const size_t piece = columns_ * kernel_.element_bytes;
  const size_t step = CeilDiv(panel.blocks * piece, kernels::kGatheredBytes) *
                      kernels::kGatheredBytes;
  size_t at_once = std::max<size_t>(kRowsBytes / step, 1);
  if (at_once < rows && at_once > kFewRows) at_once -= at_once % kFewRows;
  kernels::PiecesToGather gathered = {.in = in,
                                      .end = end_,
                                      .offsets = offsets_,
                                      .furthest = furthest_,
                                      .piece_step = piece_step_,
                                      .pieces = panel.blocks,
                                      .piece_bytes = piece,
                                      .row_step = terms_[0].step,
                                      .rows = 0,
                                      .out = memory,
                                      .out_step = step};
  for (size_t row = 0; row < rows; row += at_once) {
    gathered.rows = std::min(at_once, rows - row);
    gather_(gathered);
    gathered.in += gathered.row_step * static_cast<ptrdiff_t>(gathered.rows);
    kernel_.add_rows(
        sums, {.in = memory,
               .end = memory + sizeof(memory),
               .rows = gathered.rows,
               .row_step = static_cast<ptrdiff_t>(step / kernel_.element_bytes),
               .width = panel.blocks * columns_,
               .begins = begins});
    begins = false;
  }
}

// Rows of each block where they lie, as many at a time as stay near.
void SumWalk::AddInPlace(const Panel& panel, const unsigned char* in,
                         size_t steps, bool begins,
                         Accumulators sums) const noexcept {
  const size_t rows = steps / pieces_;
  const size_t rest = steps % pieces_ * inside_;
  const ptrdiff_t row_step = terms_[0].step * static_cast<ptrdiff_t>(pieces_);
  const size_t at_once =
      std::max(kFewRows, kNearBytes / kernel_.sum_bytes / panel.columns);
  for (size_t block = 0; block < panel.blocks; ++block) {
    const Accumulators to = kernel_.At(sums, block * panel.columns);
    kernels::RowsToAdd add = {
        .in = in + offsets_[block],
        .end = end_,
        .rows = 0,
        .row_step = row_step / static_cast<ptrdiff_t>(kernel_.element_bytes),
        .width = panel.columns,
        .begins = begins};
    const auto add_next = [&](size_t count) {
      add.rows = count;
      kernel_.add_rows(to, add);
      add.begins = false;
      add.in = static_cast<const unsigned char*>(add.in) +
               row_step * static_cast<ptrdiff_t>(count);
    };
    size_t row = 0;
    do {
      add_next(std::min(at_once, rows - row));
      row += at_once;
    } while (row < rows);
    if (rest == 0) continue;
    add.width = rest;
    add_next(1);
  }
}

void SumWalk::Add(const Panel& panel, Steps steps, bool begins,
                  Accumulators sums) const noexcept {
  const auto begin_of = [&](size_t i) {
    return i == split_term_ ? steps.begin : 0;
  };
  const auto end_of = [&](size_t i) {
    return i == split_term_ ? steps.end : terms_[i].extent;
  };
  const unsigned char* in = panel.in;
  size_t index[kMostSumLoops];
  for (size_t i = 0; i < terms_.count; ++i) {
    index[i] = begin_of(i);
    in += terms_[i].step * static_cast<ptrdiff_t>(index[i]);
  }
  const size_t rows = end_of(0) - begin_of(0);
  for (;; begins = false) {
    if (gathers_) {
      AddGathered(panel, in, rows, begins, sums);
    } else {
      AddInPlace(panel, in, rows, begins, sums);
    }
    size_t i = 1;
    for (; i < terms_.count; ++i) {
      const ptrdiff_t step = terms_[i].step;
      in += step;
      if (++index[i] < end_of(i)) break;
      in -= step * static_cast<ptrdiff_t>(index[i] - begin_of(i));
      index[i] = begin_of(i);
    }
    if (i >= terms_.count) return;
  }
}

}  // namespace v1
}  // namespace broadloom
