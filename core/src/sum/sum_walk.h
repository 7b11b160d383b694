// The walk through a part of a sum's input: in the order that SumOrder says, it
// adds elements to accumulators that lie in memory. Which part, and whose
// accumulators, is the caller's to say.

#ifndef BROADLOOM_SUM_SUM_WALK_H_
#define BROADLOOM_SUM_SUM_WALK_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/sum_order.h"
#include "kernels/sum/gather.h"
#include "kernels/sum/reduce.h"

namespace broadloom {
inline namespace v1 {

// Folds the columns of so many blocks. What is left are the sums of their
// outputs, side by side.
void FoldColumns(const SumOrder& order, const kernels::SumKernel& kernel,
                 kernels::Accumulators sums, size_t blocks) noexcept;

// A loop has at least two steps and the steps of all multiply to an int64_t;
// complex numbers have one more.
inline constexpr size_t kMostSumLoops = 64;

class SumWalk {
 public:
  // So many steps of a loop, and where they lie.
  struct Loop {
    size_t extent;
    ptrdiff_t step;  // bytes
  };
  // Blocks, or columns of one, that are added up at once.
  struct Panel {
    const unsigned char* in;
    size_t first_block;
    size_t blocks;
    size_t first_column;
    size_t columns;
  };
  // Steps of the loop that is split into parts.
  struct Steps {
    size_t begin;
    size_t end;
  };

  // `box` has the loops of `order`, with those of their steps that are walked,
  // from the element at `first` on; memory may be read up to `end`, if there is
  // one, or else no further than each row of elements goes. Panels have
  // at most `most_sums` accumulators, if a block has no more.
  SumWalk(const SumOrder& order, const kernels::SumKernel& kernel,
          const Loop* box, const void* first, const void* end,
          size_t most_sums) noexcept;

  [[nodiscard]] size_t panels() const noexcept { return panels_; }
  [[nodiscard]] Panel PanelAt(size_t index) const noexcept;

  // Adds all terms of a panel, of the split loop those steps, to accumulators,
  // which are empty where it begins.
  void Add(const Panel& panel, Steps steps, bool begins,
           kernels::Accumulators sums) const noexcept;

 private:
  struct Loops {
    size_t count = 0;
    Loop loop[kMostSumLoops];

    const Loop& operator[](size_t i) const { return loop[i]; }
    void Push(const Loop& next) { loop[count++] = next; }
  };

  // No panel has more.
  static constexpr size_t kMostBlocks = 1024;

  void MakePanels(size_t most_sums) noexcept;
  [[nodiscard]] size_t MostGathered() const noexcept;
  void FindOffsets(size_t blocks) noexcept;
  void AddGathered(const Panel& panel, const unsigned char* in, size_t rows,
                   bool begins, kernels::Accumulators sums) const noexcept;
  void AddInPlace(const Panel& panel, const unsigned char* in, size_t steps,
                  bool begins, kernels::Accumulators sums) const noexcept;

  const kernels::SumKernel& kernel_;
  const kernels::Gather gather_;
  const unsigned char* const in_;
  const unsigned char* const end_;
  const size_t inside_;
  const size_t pieces_;
  const bool folds_;
  const bool gathers_;

  size_t columns_;
  Loops blocks_;
  Loops terms_;  // of which the first are rows
  size_t split_term_ = 0;

  size_t panels_ = 1;
  size_t panel_columns_ = 1;
  size_t column_panels_ = 1;
  // A panel has the loops of blocks inside `cut_`, and steps of that one.
  size_t cut_ = 0;
  size_t cut_steps_ = 1;
  size_t whole_blocks_ = 1;
  ptrdiff_t offsets_[kMostBlocks];  // of its blocks, in bytes
  ptrdiff_t furthest_ = 0;
  ptrdiff_t piece_step_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_SUM_WALK_H_
