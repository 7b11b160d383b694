#include "summation.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "broadloom/nest.h"
#include "broadloom/parallel.h"
#include "broadloom/vocabulary.h"
#include "kernels/gather.h"
#include "kernels/reduce.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

// Columns are elements side by side that are added each to an accumulator of
// its own; a block is one row of them. Blocks belong to what is kept around
// the columns, terms to what is summed, of which the innermost are rows:
//
//   (8,64,56,56) to (64,1,1):   8 x 98 rows | 64 blocks | 32 columns
//   (768,768,3) to (3):         18432 rows |  1 block  | 96 columns
//   (9,1000,70) to (9,1,70):     1000 rows |  9 blocks | 70 columns
//   (524288,5) to (524288,1):       5 rows | 524288 blocks | 1 column
//
// What is summed innermost may be taken for columns, too, and be folded at the
// very end, if there is enough to add up before that: whole loops (of (100,2,3)
// to (2,1) it is the 3) or, of a loop that is long, a piece with all loops
// inside (above, 32 of the 3136 and of the 589824).
//
// Where blocks are narrower than a vector, those of one row are gathered side
// by side in the first-level cache, some rows at a time; above, 5 x 384 blocks.
//
// So each output is the sum of other sums, each in the order of the input's
// memory. Accumulators of a panel of blocks fit on the stack. Where outputs are
// too few to go around among threads the longest loop of terms is split as
// well, and the parts merged in order. All this is a function of the loops and
// the type alone, so that one thread does the same as many.

// A loop has at least two steps and the steps of all multiply to an int64_t;
// complex numbers have one more.
constexpr size_t kMostLoops = 64;

// Of a panel's accumulators, of those of all parts, and of gathered rows.
constexpr size_t kPanelBytes = 8192;
constexpr size_t kPartsBytes = 4096;
constexpr size_t kRowsBytes = 8192;
constexpr size_t kMostBlocks = 1024;

// Bytes of the accumulators that are added to at once: fewer columns are few.
// Of a long loop as many steps are taken for columns, whatever is inside.
constexpr size_t kColumnsBytes = 256;
// Columns of fewer bytes are gathered.
constexpr size_t kNarrowBytes = 64;
// To take whole loops for columns is worth it from so many terms on, well worth
// it from so many.
constexpr size_t kWorthTerms = 16;
constexpr size_t kWellWorthTerms = 64;
// Rows are few, so that it does not pay to begin with them, below this.
constexpr size_t kFewRows = 8;
// Accumulators' worth of rows that are walked once for each few columns.
constexpr size_t kNearBytes = 16384;

// What can be computed by itself: a block, or so many columns. So many of them
// are enough without parts.
constexpr size_t kLeastColumns = 64;
constexpr size_t kEnoughUnits = 16;
constexpr size_t kMostParts = 32;
constexpr size_t kLeastPartElements = 32768;
constexpr size_t kLeastParallelBytes = 256 * 1024;
constexpr size_t kTasksPerThread = 4;

bool IsComplex(DType dtype) {
  return dtype == DType::kC64 || dtype == DType::kC128;
}

// The kernel for a type, which for complex numbers is that of their parts.
const SumKernel* KernelFor(DType dtype) {
  if (dtype == DType::kC64) return kernels::FindSumKernel(DType::kF32);
  if (dtype == DType::kC128) return kernels::FindSumKernel(DType::kF64);
  return kernels::FindSumKernel(dtype);
}

size_t CeilDiv(size_t a, size_t b) { return (a + b - 1) / b; }

struct Loop {
  size_t extent;
  ptrdiff_t step;  // in elements of the input
  bool summed;
};

// Innermost first.
struct Loops {
  size_t count = 0;
  Loop loop[kMostLoops];

  const Loop& operator[](size_t i) const { return loop[i]; }
  Loop& operator[](size_t i) { return loop[i]; }
  // As one with the innermost so far, if they are walked as one.
  void Push(const Loop& next) {
    if (count > 0) {
      Loop& inner = loop[count - 1];
      if (inner.summed == next.summed &&
          inner.step * static_cast<ptrdiff_t>(inner.extent) == next.step) {
        inner.extent *= next.extent;
        return;
      }
    }
    loop[count++] = next;
  }
};

// Accumulators on the stack.
template <size_t kBytes>
struct SumsMemory {
  alignas(64) unsigned char high[kBytes + kernels::kSlackBytes];
  alignas(64) unsigned char low[kBytes + kernels::kSlackBytes];

  Accumulators view() { return {high, low}; }
};

class Summation {
 public:
  Summation(const LoopNest& nest, DType dtype, const void* first,
            const void* end, void* sums)
      : kernel_(*KernelFor(dtype)),
        gather_(kernels::FindGather()),
        in_(static_cast<const unsigned char*>(first)),
        end_(static_cast<const unsigned char*>(end)),
        out_(static_cast<unsigned char*>(sums)),
        most_sums_(kPanelBytes / kernel_.sum_bytes) {
    TakeLoops(nest, IsComplex(dtype));
    MakeColumns();
    MakeParts();
  }

  void Run(const ParallelFor* parallel) {
    const bool in_parallel =
        parallel != nullptr && parallel->threads > 1 &&
        elements_ * kernel_.element_bytes >= kLeastParallelBytes;
    const size_t threads = in_parallel ? parallel->threads : 1;
    MakePanels(threads);
    tasks_ = std::min(panels_,
                      std::max<size_t>(threads * kTasksPerThread / parts_, 1));
    if (parts_ == 1) {
      RunTasks(in_parallel ? parallel : nullptr);
    } else {
      RunParts(in_parallel ? parallel : nullptr);
    }
  }

 private:
  // --- Loops, columns, parts ------------------------------------------------

  // Loops that are kept stay in the order of the output. Those that are summed
  // go to where they lie in the input, and forwards: the sum does not mind.
  void TakeLoops(const LoopNest& nest, bool complex) {
    Loop kept[kMostLoops];
    Loop summed[kMostLoops];
    size_t kept_count = 0;
    size_t summed_count = 0;
    const ptrdiff_t scale = complex ? 2 : 1;
    if (complex) kept[kept_count++] = {2, 1, false};
    for (size_t i = nest.loop_count(); i-- > 0;) {
      Loop next = {static_cast<size_t>(nest.extent(i)),
                   static_cast<ptrdiff_t>(nest.stride(0, i)) * scale,
                   nest.stride(1, i) == 0};
      if (!next.summed) {
        kept[kept_count++] = next;
        continue;
      }
      if (next.step < 0) {
        in_ += next.step * static_cast<ptrdiff_t>(next.extent - 1) *
               static_cast<ptrdiff_t>(kernel_.element_bytes);
        next.step = -next.step;
      }
      Loop* place = summed + summed_count++;
      for (; place > summed && LiesInside(next, place[-1]); --place) {
        place[0] = place[-1];
      }
      *place = next;
    }
    const Loop* k = kept;
    const Loop* s = summed;
    while (k < kept + kept_count || s < summed + summed_count) {
      const bool takes_kept = s == summed + summed_count ||
                              (k < kept + kept_count && LiesInside(*k, *s));
      all_.Push(takes_kept ? *k++ : *s++);
    }
    for (size_t i = 0; i < all_.count; ++i) elements_ *= all_[i].extent;
  }

  // What is repeated is repeated as a whole.
  static bool LiesInside(const Loop& a, const Loop& b) {
    return a.step != 0 && (b.step == 0 || std::abs(a.step) < std::abs(b.step));
  }

  void MakeColumns() {
    size_t own = all_.count;  // the loop that is columns
    for (size_t i = all_.count; i-- > 0;) {
      if (!all_[i].summed) own = i;
    }
    if (own < all_.count && all_[own].step == 1) {
      columns_ = all_[own].extent;
    } else {
      own = all_.count;
    }
    if (!IsFew(columns_) || !FoldInnerLoops()) {
      gathers_ = columns_ * kernel_.element_bytes < kNarrowBytes;
      outputs_ = columns_;
      for (size_t i = 0; i < all_.count; ++i) {
        if (i != own) (all_[i].summed ? terms_ : blocks_).Push(all_[i]);
      }
    }
    for (size_t i = 0; i < blocks_.count; ++i) {
      total_blocks_ *= blocks_[i].extent;
    }
  }

  [[nodiscard]] bool IsFew(size_t columns) const {
    return columns * kernel_.sum_bytes < kColumnsBytes;
  }

  // Finds the loop of rows inside of which all is taken for columns: the
  // outermost of which that can be said.
  bool FoldInnerLoops() {
    size_t dense = 0;  // so many loops are one piece of memory
    for (ptrdiff_t step = 1; dense < all_.count; ++dense) {
      if (all_[dense].step != step) break;
      step *= static_cast<ptrdiff_t>(all_[dense].extent);
    }
    for (const size_t worth : {kWellWorthTerms, kWorthTerms}) {
      size_t terms = 1;
      for (size_t i = all_.count; i-- > 0;) {
        if (!all_[i].summed) continue;
        terms *= all_[i].extent;
        if (i > dense || terms < worth) continue;
        size_t inside = 1;
        for (size_t j = 0; j < i; ++j) inside *= all_[j].extent;
        if (inside > most_sums_) continue;
        size_t pieces = 1;
        if (IsFew(inside)) {
          pieces = std::min(kColumnsBytes / kernel_.sum_bytes,
                            std::bit_floor(most_sums_ / inside));
          if (i == dense || all_[i].extent < pieces * kFewRows) continue;
        }
        FoldInside(i, inside, pieces);
        return true;
      }
    }
    return false;
  }

  void FoldInside(size_t rows, size_t inside, size_t pieces) {
    folded_ = rows;
    inside_ = inside;
    pieces_ = pieces;
    columns_ = inside * pieces_;
    terms_.Push(all_[rows]);
    for (size_t i = 0; i < all_.count; ++i) {
      if (i < rows) {
        if (!all_[i].summed) outputs_ *= all_[i].extent;
      } else if (i > rows) {
        (all_[i].summed ? terms_ : blocks_).Push(all_[i]);
      }
    }
  }

  [[nodiscard]] bool folds() const { return folded_ > 0 || pieces_ > 1; }

  void MakeParts() {
    const size_t units =
        gathers_  ? CeilDiv(total_blocks_, CeilDiv(kLeastColumns, columns_))
        : folds() ? total_blocks_
                  : total_blocks_ * CeilDiv(columns_, kLeastColumns);
    if (units >= kEnoughUnits) return;
    for (size_t i = 0; i < terms_.count; ++i) {
      if (terms_[i].extent >= terms_[parts_loop_].extent) parts_loop_ = i;
    }
    const size_t room = kPartsBytes / kernel_.sum_bytes;
    parts_ = std::bit_floor(std::min(
        {kMostParts, elements_ / kLeastPartElements, terms_[parts_loop_].extent,
         room / (total_blocks_ * outputs_)}));
    parts_ = std::max<size_t>(parts_, 1);
  }

  // Where part `part` begins in the loop that is split.
  [[nodiscard]] size_t PartBegin(size_t part) const {
    const size_t extent = terms_[parts_loop_].extent;
    return extent / parts_ * part + std::min(part, extent % parts_);
  }

  // --- Panels ---------------------------------------------------------------

  // How many accumulators a panel has does not change what is added to which.
  void MakePanels(size_t threads) {
    size_t most = most_sums_;
    if (threads > 1) {
      const size_t panels =
          std::max<size_t>(threads * kTasksPerThread / parts_, 1);
      size_t sums;
      if (!__builtin_mul_overflow(total_blocks_, columns_, &sums)) {
        const size_t each = (sums / panels + kLeastColumns) / kLeastColumns;
        most = std::min(most, each * kLeastColumns);
      }
    }
    panel_columns_ = columns_;
    if (columns_ > most && !folds()) panel_columns_ = most;
    column_panels_ = CeilDiv(columns_, panel_columns_);
    size_t most_blocks = std::clamp<size_t>(most / columns_, 1, kMostBlocks);
    if (gathers_) most_blocks = std::min(most_blocks, MostGathered());
    // Whole loops, and steps of the next.
    size_t blocks = 1;
    for (; cut_ < blocks_.count; ++cut_) {
      if (blocks * blocks_[cut_].extent > most_blocks) break;
      blocks *= blocks_[cut_].extent;
    }
    panels_ = column_panels_;
    if (cut_ < blocks_.count) {
      cut_steps_ = most_blocks / blocks;
      panels_ *= CeilDiv(blocks_[cut_].extent, cut_steps_);
    }
    for (size_t i = cut_ + 1; i < blocks_.count; ++i) {
      panels_ *= blocks_[i].extent;
    }
    whole_blocks_ = blocks;
    FindOffsets(blocks * cut_steps_);
  }

  // As many as have room with all their rows, in whole vectors.
  [[nodiscard]] size_t MostGathered() const {
    const size_t whole = CeilDiv(kColumnsBytes / kernel_.sum_bytes, columns_);
    const size_t room =
        kRowsBytes / terms_[0].extent / (columns_ * kernel_.element_bytes);
    return std::max<size_t>(room / whole, 1) * whole;
  }

  void FindOffsets(size_t blocks) {
    bool even = true;
    size_t index[kMostLoops] = {};
    ptrdiff_t offset = 0;
    for (size_t block = 0; block < blocks; ++block) {
      offsets_[block] = offset;
      furthest_ = std::max(furthest_, offset);
      if (block == 1) piece_step_ = offset;
      if (offset != piece_step_ * static_cast<ptrdiff_t>(block)) even = false;
      for (size_t i = 0; i < blocks_.count; ++i) {
        const ptrdiff_t step = InBytes(blocks_[i].step);
        offset += step;
        if (++index[i] < blocks_[i].extent || i == cut_) break;
        offset -= step * static_cast<ptrdiff_t>(blocks_[i].extent);
        index[i] = 0;
      }
    }
    if (!even) piece_step_ = 0;
  }

  [[nodiscard]] ptrdiff_t InBytes(ptrdiff_t elements) const {
    return elements * static_cast<ptrdiff_t>(kernel_.element_bytes);
  }

  struct Panel {
    const unsigned char* in;
    size_t blocks;
    size_t columns;
    size_t first_output;
  };

  [[nodiscard]] Panel PanelAt(size_t index) const {
    Panel panel = {in_, whole_blocks_, panel_columns_, 0};
    const size_t column = index % column_panels_ * panel_columns_;
    index /= column_panels_;
    panel.columns = std::min(panel_columns_, columns_ - column);
    panel.in += InBytes(static_cast<ptrdiff_t>(column));
    panel.first_output = column;
    size_t output_step = outputs_ * whole_blocks_;
    for (size_t i = cut_; i < blocks_.count; ++i) {
      const size_t steps = i == cut_ ? cut_steps_ : 1;
      const size_t turns = CeilDiv(blocks_[i].extent, steps);
      const size_t step = index % turns * steps;
      index /= turns;
      panel.in += InBytes(blocks_[i].step) * static_cast<ptrdiff_t>(step);
      panel.first_output += step * output_step;
      panel.blocks *= std::min(steps, blocks_[i].extent - step);
      output_step *= blocks_[i].extent;
    }
    return panel;
  }

  // --- A panel's sums -------------------------------------------------------

  struct Memory {
    SumsMemory<kPanelBytes> sums;
    alignas(64) unsigned char rows[kRowsBytes + 2 * kernels::kGatheredBytes];
  };

  [[nodiscard]] Accumulators At(Accumulators sums, size_t index) const {
    const size_t bytes = index * kernel_.sum_bytes;
    return {sums.high + bytes, sums.low + bytes};
  }

  // Rows of all blocks, gathered some at a time.
  void AddGathered(const Panel& panel, const unsigned char* in, size_t rows,
                   bool begins, Memory& memory) const {
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
                                        .row_step = InBytes(terms_[0].step),
                                        .rows = 0,
                                        .out = memory.rows,
                                        .out_step = step};
    for (size_t row = 0; row < rows; row += at_once) {
      gathered.rows = std::min(at_once, rows - row);
      gather_(gathered);
      gathered.in += gathered.row_step * static_cast<ptrdiff_t>(gathered.rows);
      kernel_.add_rows(
          memory.sums.view(),
          {.in = memory.rows,
           .end = memory.rows + sizeof(memory.rows),
           .rows = gathered.rows,
           .row_step = static_cast<ptrdiff_t>(step / kernel_.element_bytes),
           .width = panel.blocks * columns_,
           .begins = begins});
      begins = false;
    }
  }

  // Rows of each block where they lie, as many at a time as stay near.
  void AddInPlace(const Panel& panel, const unsigned char* in, size_t steps,
                  bool begins, Memory& memory) const {
    const size_t rows = steps / pieces_;
    const size_t rest = steps % pieces_ * inside_;
    const ptrdiff_t row_step = terms_[0].step * static_cast<ptrdiff_t>(pieces_);
    const size_t at_once =
        std::max(kFewRows, kNearBytes / kernel_.sum_bytes / panel.columns);
    for (size_t block = 0; block < panel.blocks; ++block) {
      const Accumulators to = At(memory.sums.view(), block * panel.columns);
      kernels::RowsToAdd add = {.in = in + offsets_[block],
                                .end = end_,
                                .rows = 0,
                                .row_step = row_step,
                                .width = panel.columns,
                                .begins = begins};
      const auto add_next = [&](size_t count) {
        add.rows = count;
        kernel_.add_rows(to, add);
        add.begins = false;
        add.in = static_cast<const unsigned char*>(add.in) +
                 InBytes(row_step) * static_cast<ptrdiff_t>(count);
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

  // All terms that part `part` has.
  void AddTerms(const Panel& panel, size_t part, Memory& memory) const {
    const auto begin_of = [&](size_t i) {
      return i == parts_loop_ ? PartBegin(part) : 0;
    };
    const auto end_of = [&](size_t i) {
      return i == parts_loop_ ? PartBegin(part + 1) : terms_[i].extent;
    };
    const unsigned char* in = panel.in;
    size_t index[kMostLoops];
    for (size_t i = 0; i < terms_.count; ++i) {
      index[i] = begin_of(i);
      in += InBytes(terms_[i].step) * static_cast<ptrdiff_t>(index[i]);
    }
    const size_t rows = end_of(0) - begin_of(0);
    for (bool begins = true;; begins = false) {
      if (gathers_) {
        AddGathered(panel, in, rows, begins, memory);
      } else {
        AddInPlace(panel, in, rows, begins, memory);
      }
      size_t i = 1;
      for (; i < terms_.count; ++i) {
        const ptrdiff_t step = InBytes(terms_[i].step);
        in += step;
        if (++index[i] < end_of(i)) break;
        in -= step * static_cast<ptrdiff_t>(index[i] - begin_of(i));
        index[i] = begin_of(i);
      }
      if (i >= terms_.count) return;
    }
  }

  // What is left are the sums of the panel's outputs, side by side.
  void Fold(Accumulators sums, size_t blocks) const {
    FoldLoop(sums, blocks * inside_, pieces_, inside_);
    size_t count = blocks * inside_;
    size_t width = 1;
    for (size_t i = 0; i < folded_; ++i) {
      const size_t extent = all_[i].extent;
      if (all_[i].summed) {
        count /= extent;
        FoldLoop(sums, count, extent, width);
      } else {
        width *= extent;
      }
    }
  }

  // Of `terms` rows of `width` accumulators one is left, `count` in all.
  void FoldLoop(Accumulators sums, size_t count, size_t terms,
                size_t width) const {
    if (width > 1 || !std::has_single_bit(terms)) {
      kernel_.fold(sums, count / width, terms, width);
      return;
    }
    for (; terms > 1; terms /= 2) kernel_.merge_pairs(sums, count * terms / 2);
  }

  void RunTask(size_t task) const {
    const size_t part = task % parts_;
    const size_t range = task / parts_;
    const auto begins = [&](size_t i) {
      return panels_ / tasks_ * i + std::min(i, panels_ % tasks_);
    };
    Memory memory;
    const Accumulators sums = memory.sums.view();
    for (size_t i = begins(range); i < begins(range + 1); ++i) {
      const Panel panel = PanelAt(i);
      AddTerms(panel, part, memory);
      if (folds()) Fold(sums, panel.blocks);
      const size_t count = panel.blocks * (folds() ? outputs_ : panel.columns);
      if (parts_ > 1) {
        const size_t place = part * total_blocks_ * outputs_;
        Copy(At(part_sums_, place + panel.first_output), sums, count);
      } else {
        kernel_.store(sums, out_ + panel.first_output * kernel_.element_bytes,
                      count);
      }
    }
  }

  void Copy(Accumulators to, Accumulators from, size_t count) const {
    std::memcpy(to.high, from.high, count * kernel_.sum_bytes);
    if (kernel_.has_low) {
      std::memcpy(to.low, from.low, count * kernel_.sum_bytes);
    }
  }

  void RunTasks(const ParallelFor* parallel) {
    const size_t tasks = tasks_ * parts_;
    if (parallel != nullptr && tasks > 1) {
      parallel->run(
          parallel->context, tasks,
          [](void* state, size_t task) {
            static_cast<const Summation*>(state)->RunTask(task);
          },
          this);
      return;
    }
    for (size_t task = 0; task < tasks; ++task) RunTask(task);
  }

  void RunParts(const ParallelFor* parallel) {
    SumsMemory<kPartsBytes> memory;
    part_sums_ = memory.view();
    RunTasks(parallel);
    const size_t outputs = total_blocks_ * outputs_;
    for (size_t part = 1; part < parts_; ++part) {
      kernel_.merge(part_sums_, At(part_sums_, part * outputs), outputs);
    }
    kernel_.store(part_sums_, out_, outputs);
  }

  const SumKernel& kernel_;
  const kernels::Gather gather_;
  const unsigned char* in_;
  const unsigned char* const end_;
  unsigned char* const out_;
  const size_t most_sums_;  // of a panel
  Loops all_;
  size_t elements_ = 1;

  size_t columns_ = 1;
  size_t outputs_ = 1;  // of a block
  Loops blocks_;
  size_t total_blocks_ = 1;
  Loops terms_;  // of which the innermost are rows
  bool gathers_ = false;
  // Columns that are folded: so many loops, their elements, and pieces of the
  // rows side by side.
  size_t folded_ = 0;
  size_t inside_ = 1;
  size_t pieces_ = 1;

  size_t parts_ = 1;
  size_t parts_loop_ = 0;
  Accumulators part_sums_ = {};

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
  size_t tasks_ = 1;  // of each part
};

}  // namespace

bool CanBeSummed(DType dtype) noexcept { return KernelFor(dtype) != nullptr; }

void Sum(const LoopNest& nest, DType dtype, const void* first, const void* end,
         void* sums, const ParallelFor* parallel) noexcept {
  Summation(nest, dtype, first, end, sums).Run(parallel);
}

}  // namespace v1
}  // namespace broadloom
