#include "sum/panels.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/sum_order.h"
#include "kernels/sum/add.h"
#include "kernels/sum/concatenate.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

constexpr size_t kFewRows = static_cast<size_t>(SumOrder::kFewRows);
// Concatenated rows take at most so many bytes, so that they stay in the
// first-level cache: of (524288,5) to (524288,1), 5 rows of 384 groups.
constexpr size_t kRowsBytes = 8192;
// Kernels add to so many bytes of accumulators at once: the rows of so many
// groups are concatenated, or of a multiple.
constexpr size_t kSumsAtOnceBytes = 256;
// Rows of more accumulators than have room in so many bytes are added a few at
// a time: they stay in the cache while the kernel goes from columns to columns.
constexpr size_t kNearBytes = 16384;

// Adds up each `terms` neighbouring rows of `width` accumulators. `count`
// accumulators are left in all.
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
                 Accumulators sums, size_t groups) noexcept {
  size_t count = groups * static_cast<size_t>(order.step_elements());
  FoldLoop(kernel, sums, count, static_cast<size_t>(order.steps_per_row()),
           static_cast<size_t>(order.step_elements()));
  size_t width = 1;
  for (const SumOrder::Loop& loop : order.loops().first(order.folded_loops())) {
    const size_t extent = static_cast<size_t>(loop.extent);
    if (loop.summed) {
      count /= extent;
      FoldLoop(kernel, sums, count, extent, width);
    } else {
      width *= extent;
    }
  }
}

SumPanels::SumPanels(const SumOrder& order, const SumKernel& kernel,
                     const Loop* box, const void* first, const void* end,
                     size_t most_sums) noexcept
    : kernel_(kernel),
      concatenate_(kernels::FindConcatenate()),
      in_(static_cast<const unsigned char*>(first)),
      end_(static_cast<const unsigned char*>(end)),
      step_elements_(static_cast<size_t>(order.step_elements())),
      steps_per_row_(static_cast<size_t>(order.steps_per_row())),
      folds_(order.folds()),
      concatenates_(order.concatenates()),
      columns_(folds_ ? step_elements_ * steps_per_row_ : 1) {
  const std::span<const SumOrder::Loop> loops = order.loops();
  for (size_t i = 0; i < loops.size(); ++i) {
    if (order.IsColumns(i)) {
      if (!folds_) columns_ = box[i].extent;
    } else if (loops[i].summed) {
      if (i == order.partials_loop()) partials_term_ = term_loops_.count;
      term_loops_.Push(box[i]);
    } else {
      group_loops_.Push(box[i]);
    }
  }
  Cut(most_sums);
}

// --- Panels -----------------------------------------------------------------

void SumPanels::Cut(size_t most_sums) noexcept {
  panel_columns_ = columns_;
  if (columns_ > most_sums && !folds_) panel_columns_ = most_sums;
  column_panels_ = CeilDiv(columns_, panel_columns_);
  size_t most_groups = std::clamp<size_t>(most_sums / columns_, 1, kMostGroups);
  if (concatenates_) most_groups = std::min(most_groups, MostConcatenated());
  // All steps of some loops, and some steps of the next one.
  for (; cut_loop_ < group_loops_.count; ++cut_loop_) {
    if (whole_groups_ * group_loops_[cut_loop_].extent > most_groups) break;
    whole_groups_ *= group_loops_[cut_loop_].extent;
  }
  count_ = column_panels_;
  if (cut_loop_ < group_loops_.count) {
    cut_steps_ = most_groups / whole_groups_;
    count_ *= CeilDiv(group_loops_[cut_loop_].extent, cut_steps_);
  }
  for (size_t i = cut_loop_ + 1; i < group_loops_.count; ++i) {
    count_ *= group_loops_[i].extent;
  }
  FindOffsets(whole_groups_ * cut_steps_);
}

// How many groups are concatenated: as many as have room with all their rows,
// a multiple of what a kernel adds to at once.
size_t SumPanels::MostConcatenated() const noexcept {
  const size_t whole = CeilDiv(kSumsAtOnceBytes / kernel_.sum_bytes, columns_);
  const size_t room =
      kRowsBytes / term_loops_[0].extent / (columns_ * kernel_.element_bytes);
  return std::max<size_t>(room / whole, 1) * whole;
}

void SumPanels::FindOffsets(size_t groups) noexcept {
  bool even = true;
  size_t index[SumOrder::kMostLoops] = {};
  ptrdiff_t offset = 0;
  for (size_t group = 0; group < groups; ++group) {
    offsets_[group] = offset;
    greatest_offset_ = std::max(greatest_offset_, offset);
    if (group == 1) group_stride_ = offset;
    if (offset != group_stride_ * static_cast<ptrdiff_t>(group)) even = false;
    for (size_t i = 0; i < group_loops_.count; ++i) {
      const ptrdiff_t stride = group_loops_[i].stride;
      offset += stride;
      if (++index[i] < group_loops_[i].extent || i == cut_loop_) break;
      offset -= stride * static_cast<ptrdiff_t>(group_loops_[i].extent);
      index[i] = 0;
    }
  }
  if (!even) group_stride_ = 0;
}

SumPanels::Panel SumPanels::At(size_t index) const noexcept {
  const size_t column = index % column_panels_ * panel_columns_;
  index /= column_panels_;
  Panel panel = {in_ + column * kernel_.element_bytes, 0, whole_groups_, column,
                 std::min(panel_columns_, columns_ - column)};
  size_t groups_per_step = whole_groups_;
  for (size_t i = cut_loop_; i < group_loops_.count; ++i) {
    const Loop& loop = group_loops_[i];
    const size_t steps = i == cut_loop_ ? cut_steps_ : 1;
    const size_t panels = CeilDiv(loop.extent, steps);
    const size_t step = index % panels * steps;
    index /= panels;
    panel.in += loop.stride * static_cast<ptrdiff_t>(step);
    panel.first_group += step * groups_per_step;
    panel.groups *= std::min(steps, loop.extent - step);
    groups_per_step *= loop.extent;
  }
  return panel;
}

// --- Adding -----------------------------------------------------------------

// Adds rows of all groups of a panel, which are concatenated, some at a time.
void SumPanels::AddConcatenated(const Panel& panel, const unsigned char* in,
                                size_t rows, bool begins,
                                Accumulators sums) const noexcept {
  alignas(
      64) unsigned char memory[kRowsBytes + 2 * kernels::kConcatenatedBytes];
  const size_t row_bytes = columns_ * kernel_.element_bytes;
  const size_t stride =
      RoundUp(panel.groups * row_bytes, kernels::kConcatenatedBytes);
  size_t at_once = std::max<size_t>(kRowsBytes / stride, 1);
  if (at_once < rows && at_once > kFewRows) at_once -= at_once % kFewRows;
  kernels::RowsToConcatenate some = {.in = in,
                                     .end = end_,
                                     .offsets = offsets_,
                                     .greatest_offset = greatest_offset_,
                                     .offset_stride = group_stride_,
                                     .groups = panel.groups,
                                     .row_bytes = row_bytes,
                                     .row_stride = term_loops_[0].stride,
                                     .rows = 0,
                                     .out = memory,
                                     .out_stride = stride};
  for (size_t row = 0; row < rows; row += at_once) {
    some.rows = std::min(at_once, rows - row);
    concatenate_(some);
    some.in += some.row_stride * static_cast<ptrdiff_t>(some.rows);
    kernel_.add_rows(
        sums,
        {.in = memory,
         .end = memory + sizeof(memory),
         .rows = some.rows,
         .row_stride = static_cast<ptrdiff_t>(stride / kernel_.element_bytes),
         .width = panel.groups * columns_,
         .begins = begins});
    begins = false;
  }
}

// Adds rows of one group after the other where they lie, as many at a time as
// stay in the cache.
void SumPanels::AddInPlace(const Panel& panel, const unsigned char* in,
                           size_t steps, bool begins,
                           Accumulators sums) const noexcept {
  const size_t rows = steps / steps_per_row_;
  const size_t rest = steps % steps_per_row_ * step_elements_;
  const ptrdiff_t row_stride =
      term_loops_[0].stride * static_cast<ptrdiff_t>(steps_per_row_);
  const size_t at_once =
      std::max(kFewRows, kNearBytes / kernel_.sum_bytes / panel.columns);
  for (size_t group = 0; group < panel.groups; ++group) {
    const Accumulators to = kernel_.At(sums, group * panel.columns);
    kernels::RowsToAdd add = {
        .in = in + offsets_[group],
        .end = end_,
        .rows = 0,
        .row_stride =
            row_stride / static_cast<ptrdiff_t>(kernel_.element_bytes),
        .width = panel.columns,
        .begins = begins};
    const auto add_next = [&](size_t count) {
      add.rows = count;
      kernel_.add_rows(to, add);
      add.begins = false;
      add.in = static_cast<const unsigned char*>(add.in) +
               row_stride * static_cast<ptrdiff_t>(count);
    };
    size_t row = 0;
    do {
      add_next(std::min(at_once, rows - row));
      row += at_once;
    } while (row < rows);
    // The last steps may be less than a row.
    if (rest == 0) continue;
    add.width = rest;
    add_next(1);
  }
}

void SumPanels::Add(const Panel& panel, Steps steps, bool begins,
                    Accumulators sums) const noexcept {
  const auto begin_of = [&](size_t i) {
    return i == partials_term_ ? steps.begin : 0;
  };
  const auto end_of = [&](size_t i) {
    return i == partials_term_ ? steps.end : term_loops_[i].extent;
  };
  const unsigned char* in = panel.in;
  size_t index[SumOrder::kMostLoops];
  for (size_t i = 0; i < term_loops_.count; ++i) {
    index[i] = begin_of(i);
    in += term_loops_[i].stride * static_cast<ptrdiff_t>(index[i]);
  }
  const size_t rows = end_of(0) - begin_of(0);
  for (;; begins = false) {
    if (concatenates_) {
      AddConcatenated(panel, in, rows, begins, sums);
    } else {
      AddInPlace(panel, in, rows, begins, sums);
    }
    size_t i = 1;
    for (; i < term_loops_.count; ++i) {
      const ptrdiff_t stride = term_loops_[i].stride;
      in += stride;
      if (++index[i] < end_of(i)) break;
      in -= stride * static_cast<ptrdiff_t>(index[i] - begin_of(i));
      index[i] = begin_of(i);
    }
    if (i >= term_loops_.count) return;
  }
}

}  // namespace v1
}  // namespace broadloom
