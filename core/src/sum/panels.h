// Adds the terms of a sum to accumulators, in the order that SumOrder says, one
// panel after the other: some groups, or some columns of one group. Which steps
// of the loops are added, and where the accumulators lie, is up to the caller.

#ifndef BROADLOOM_SUM_PANELS_H_
#define BROADLOOM_SUM_PANELS_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/sum_order.h"
#include "kernels/sum/add.h"
#include "kernels/sum/concatenate.h"

namespace broadloom {
inline namespace v1 {

// Folds the columns of `groups` groups, whose accumulators lie side by side.
// Afterwards the sums of their outputs lie side by side.
void FoldColumns(const SumOrder& order, const kernels::SumKernel& kernel,
                 kernels::Accumulators sums, size_t groups) noexcept;

class SumPanels {
 public:
  // The steps of a loop that are added here.
  struct Loop {
    size_t extent;
    ptrdiff_t stride;  // bytes
  };
  struct Panel {
    const unsigned char* in;  // the first term of the first column
    size_t first_group;
    size_t groups;
    size_t first_column;
    size_t columns;  // of each group
  };
  // Steps [begin, end) of the loop that is split into partial sums.
  struct Steps {
    size_t begin;
    size_t end;
  };

  // `box` has one entry for each loop of `order`, and begins at the element
  // `first`. Memory may be read up to `end`; if that is null, only the elements
  // that are added may be read. A panel has at most `most_sums` accumulators,
  // or those of one folded group. How the panels are cut does not change what
  // is added to which accumulator.
  SumPanels(const SumOrder& order, const kernels::SumKernel& kernel,
            const Loop* box, const void* first, const void* end,
            size_t most_sums) noexcept;

  [[nodiscard]] size_t count() const noexcept { return count_; }
  [[nodiscard]] Panel At(size_t index) const noexcept;

  // Adds the terms of a panel within `steps` to its accumulators, which lie
  // side by side at `sums`. If `begins`, their values are taken to be empty.
  void Add(const Panel& panel, Steps steps, bool begins,
           kernels::Accumulators sums) const noexcept;

 private:
  struct Loops {
    size_t count = 0;
    Loop loop[SumOrder::kMostLoops];

    const Loop& operator[](size_t i) const { return loop[i]; }
    void Push(const Loop& next) { loop[count++] = next; }
  };

  // Of a panel.
  static constexpr size_t kMostGroups = 1024;

  void Cut(size_t most_sums) noexcept;
  [[nodiscard]] size_t MostConcatenated() const noexcept;
  void FindOffsets(size_t groups) noexcept;
  void AddConcatenated(const Panel& panel, const unsigned char* in, size_t rows,
                       bool begins, kernels::Accumulators sums) const noexcept;
  void AddInPlace(const Panel& panel, const unsigned char* in, size_t steps,
                  bool begins, kernels::Accumulators sums) const noexcept;

  const kernels::SumKernel& kernel_;
  const kernels::Concatenate concatenate_;
  const unsigned char* const in_;
  const unsigned char* const end_;
  const size_t step_elements_;
  const size_t steps_per_row_;
  const bool folds_;
  const bool concatenates_;

  size_t columns_;     // of a group
  Loops group_loops_;  // innermost first
  Loops term_loops_;   // innermost first: the first one is the loop of rows
  size_t partials_term_ = 0;  // the term loop that is split into partial sums

  size_t count_ = 1;
  // Columns of a panel, and how many panels the columns of a group give.
  size_t panel_columns_ = 1;
  size_t column_panels_ = 1;
  // A panel has all steps of the group loops inside cut_loop_, which are
  // whole_groups_ groups, and cut_steps_ steps of that loop.
  size_t cut_loop_ = 0;
  size_t cut_steps_ = 1;
  size_t whole_groups_ = 1;
  // Bytes from the first group of a panel to each of its groups, the greatest
  // of them, and the distance of neighbours: 0 if it varies.
  ptrdiff_t offsets_[kMostGroups];
  ptrdiff_t greatest_offset_ = 0;
  ptrdiff_t group_stride_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_PANELS_H_
