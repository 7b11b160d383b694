#include "sum/summation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/share.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/parallel.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/reduce.h"
#include "sum/sum_walk.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

// Of a panel's accumulators, which lie on the stack.
constexpr size_t kPanelBytes = SumOrder::kBlockBytes;

// Fewer columns are no panel.
constexpr size_t kLeastColumns = 64;

// Accumulators on the stack.
template <size_t kBytes>
struct SumsMemory {
  alignas(64) unsigned char high[kBytes + kernels::kSlackBytes];
  alignas(64) unsigned char low[kBytes + kernels::kSlackBytes];

  Accumulators view() { return {high, low}; }
};

// All of the input, as it lies there.
struct WholeBox {
  WholeBox(const SumOrder& order, size_t element_bytes) {
    for (size_t i = 0; i < order.loops().size(); ++i) {
      const SumOrder::Loop& it = order.loops()[i];
      loop[i] = {static_cast<size_t>(it.extent),
                 static_cast<ptrdiff_t>(it.step) *
                     static_cast<ptrdiff_t>(element_bytes)};
    }
  }

  SumWalk::Loop loop[kMostSumLoops];
};

// Panels of blocks, in tasks that threads may share. Where there are parts,
// each panel is as many tasks.
class Summation {
 public:
  Summation(const SumOrder& order, const SumKernel& kernel, const void* first,
            const void* end, void* sums, const ParallelFor* parallel)
      : order_(order),
        kernel_(kernel),
        tasks_(TasksFor(static_cast<double>(order.elements()) *
                            static_cast<double>(kernel.element_bytes),
                        parallel)),
        parallel_(tasks_ > 1 ? parallel : nullptr),
        parts_(static_cast<size_t>(order.parts())),
        outputs_(static_cast<size_t>(order.outputs())),
        all_outputs_(static_cast<size_t>(order.blocks()) * outputs_),
        ranges_(std::max<size_t>(tasks_ / parts_, 1)),
        walk_(order, kernel, WholeBox(order, kernel.element_bytes).loop,
              First(first), end, MostSums()),
        out_(static_cast<unsigned char*>(sums)) {
    ranges_ = std::min(ranges_, walk_.panels());
  }

  void Run() {
    if (parts_ == 1) {
      RunAll();
      return;
    }
    SumsMemory<SumOrder::kPartsBytes> memory;
    part_sums_ = memory.view();
    RunAll();
    for (size_t part = 1; part < parts_; ++part) {
      kernel_.merge(part_sums_, kernel_.At(part_sums_, part * all_outputs_),
                    all_outputs_);
    }
    kernel_.store(part_sums_, out_, all_outputs_);
  }

 private:
  [[nodiscard]] const unsigned char* First(const void* first) const {
    return static_cast<const unsigned char*>(first) +
           static_cast<ptrdiff_t>(order_.first()) *
               static_cast<ptrdiff_t>(kernel_.element_bytes);
  }

  // Of a panel: fewer where there are threads to share them.
  [[nodiscard]] size_t MostSums() const {
    const size_t most = kPanelBytes / kernel_.sum_bytes;
    int64_t sums;
    if (parallel_ == nullptr ||
        OverflowsMultiply(order_.blocks(), order_.columns(), sums)) {
      return most;
    }
    const size_t each =
        (static_cast<size_t>(sums) / ranges_ + kLeastColumns) / kLeastColumns;
    return std::min(most, each * kLeastColumns);
  }

  void RunAll() {
    const size_t tasks = ranges_ * parts_;
    const auto run_task = [this](size_t task) { RunTask(task); };
    if (parallel_ != nullptr && tasks > 1) {
      RunTasks(*parallel_, tasks, run_task);
      return;
    }
    for (size_t task = 0; task < tasks; ++task) run_task(task);
  }

  void RunTask(size_t task) const {
    const size_t part = task % parts_;
    const size_t range = task / parts_;
    const auto begins = [&](size_t i) {
      return FirstItemOf(i, ranges_, walk_.panels());
    };
    const auto part_begins = [&](size_t i) {
      return static_cast<size_t>(order_.PartBegin(static_cast<int64_t>(i)));
    };
    SumsMemory<kPanelBytes> memory;
    const Accumulators sums = memory.view();
    for (size_t i = begins(range); i < begins(range + 1); ++i) {
      const SumWalk::Panel panel = walk_.PanelAt(i);
      walk_.Add(panel, {part_begins(part), part_begins(part + 1)}, true, sums);
      if (order_.folds()) FoldColumns(order_, kernel_, sums, panel.blocks);
      const size_t first = panel.first_block * outputs_ + panel.first_column;
      const size_t count =
          panel.blocks * (order_.folds() ? outputs_ : panel.columns);
      if (parts_ > 1) {
        Copy(kernel_.At(part_sums_, part * all_outputs_ + first), sums, count);
      } else {
        kernel_.store(sums, out_ + first * kernel_.element_bytes, count);
      }
    }
  }

  void Copy(Accumulators to, Accumulators from, size_t count) const {
    std::memcpy(to.high, from.high, count * kernel_.sum_bytes);
    if (kernel_.has_low) {
      std::memcpy(to.low, from.low, count * kernel_.sum_bytes);
    }
  }

  const SumOrder& order_;
  const SumKernel& kernel_;
  const size_t tasks_;
  const ParallelFor* const parallel_;  // null: this thread alone
  const size_t parts_;
  const size_t outputs_;  // of a block
  const size_t all_outputs_;
  size_t ranges_;  // of panels, each a task
  const SumWalk walk_;
  unsigned char* const out_;
  Accumulators part_sums_ = {};
};

}  // namespace

bool CanBeSummed(DType dtype) noexcept {
  return kernels::FindSumKernel(dtype) != nullptr;
}

void Sum(const SumOrder& order, DType dtype, const void* first, const void* end,
         void* sums, const ParallelFor* parallel) noexcept {
  Summation(order, *kernels::FindSumKernel(dtype), first, end, sums, parallel)
      .Run();
}

}  // namespace v1
}  // namespace broadloom
