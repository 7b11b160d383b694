#include "sum/in_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/share.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/parallel.h"
#include "kernels/sum/add.h"
#include "sum/panels.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

// A panel's accumulators, without low parts: they lie on the stack.
constexpr size_t kPanelBytes = SumOrder::kGroupBytes;

constexpr size_t kLeastColumns = static_cast<size_t>(SumOrder::kLeastColumns);

void CopySums(const SumKernel& kernel, Accumulators to, Accumulators from,
              size_t count) {
  std::memcpy(to.high, from.high, count * kernel.sum_bytes);
  if (kernel.has_low) {
    std::memcpy(to.low, from.low, count * kernel.sum_bytes);
  }
}

// Accumulators on the stack.
template <size_t kBytes>
struct SumsMemory {
  alignas(64) unsigned char high[kBytes + kernels::kSlackBytes];
  alignas(64) unsigned char low[kBytes + kernels::kSlackBytes];

  Accumulators view() { return {high, low}; }
};

// All steps of an order's loops.
struct WholeBox {
  WholeBox(const SumOrder& order, size_t element_bytes) {
    for (size_t i = 0; i < order.loops().size(); ++i) {
      const SumOrder::Loop& it = order.loops()[i];
      loop[i] = {static_cast<size_t>(it.extent),
                 static_cast<ptrdiff_t>(it.stride) *
                     static_cast<ptrdiff_t>(element_bytes)};
    }
  }

  SumPanels::Loop loop[SumOrder::kMostLoops];
};

// Where sums go: rounded to elements of the output,
struct Rounded {
  const SumKernel& kernel;
  unsigned char* out;

  void Take(Accumulators sums, size_t first, size_t count) const {
    kernel.store(sums, out + first * kernel.element_bytes, count);
  }
};
// or as they are.
struct Unrounded {
  const SumKernel& kernel;
  Accumulators out;

  void Take(Accumulators sums, size_t first, size_t count) const {
    CopySums(kernel, kernel.At(out, first), sums, count);
  }
};

// The tasks of a sum: ranges of panels, each once for every partial sum.
template <class Out>
class SumTasks {
 public:
  SumTasks(const SumOrder& order, const SumKernel& kernel, const void* first,
           const void* end, const Out& out, const ParallelFor* parallel)
      : order_(order),
        kernel_(kernel),
        shares_(TasksFor(static_cast<double>(order.elements()) *
                             static_cast<double>(kernel.element_bytes),
                         parallel)),
        parallel_(shares_ > 1 ? parallel : nullptr),
        partials_(static_cast<size_t>(order.partials())),
        group_outputs_(static_cast<size_t>(order.outputs())),
        outputs_(static_cast<size_t>(order.groups()) * group_outputs_),
        ranges_(CeilDiv(shares_, partials_)),
        panels_(order, kernel, WholeBox(order, kernel.element_bytes).loop,
                FirstOfLoops(first), end, MostSums()),
        out_(out) {
    ranges_ = std::min(ranges_, panels_.count());
  }

  void Run() {
    if (partials_ == 1) {
      RunAll();
      return;
    }
    SumsMemory<SumOrder::kPartialSumBytes> memory;
    partial_sums_ = memory.view();
    RunAll();
    for (size_t partial = 1; partial < partials_; ++partial) {
      kernel_.merge(partial_sums_,
                    kernel_.At(partial_sums_, partial * outputs_), outputs_);
    }
    out_.Take(partial_sums_, 0, outputs_);
  }

 private:
  // From the element with which the nest begins to that with which the order's
  // loops begin.
  [[nodiscard]] const unsigned char* FirstOfLoops(const void* first) const {
    return static_cast<const unsigned char*>(first) +
           static_cast<ptrdiff_t>(order_.first()) *
               static_cast<ptrdiff_t>(kernel_.element_bytes);
  }

  // Accumulators of a panel: so few that there are panels enough to be shared.
  [[nodiscard]] size_t MostSums() const {
    const size_t most = kPanelBytes / kernel_.sum_bytes;
    int64_t sums;
    if (parallel_ == nullptr ||
        OverflowsMultiply(order_.groups(), order_.columns(), sums)) {
      return most;
    }
    const size_t each =
        CeilDiv(static_cast<size_t>(sums) / ranges_, kLeastColumns);
    return std::min(most, std::max<size_t>(each, 1) * kLeastColumns);
  }

  void RunAll() {
    const size_t tasks = ranges_ * partials_;
    const auto run_task = [this](size_t task) { RunTask(task); };
    if (parallel_ != nullptr && tasks > 1) {
      RunTasks(*parallel_, tasks, run_task);
      return;
    }
    for (size_t task = 0; task < tasks; ++task) run_task(task);
  }

  void RunTask(size_t task) const {
    const size_t partial = task % partials_;
    const size_t range = task / partials_;
    const auto range_begin = [&](size_t i) {
      return FirstItemOf(i, ranges_, panels_.count());
    };
    const auto partial_begin = [&](size_t i) {
      return static_cast<size_t>(order_.PartialBegin(static_cast<int64_t>(i)));
    };
    SumsMemory<kPanelBytes> memory;
    const Accumulators sums = memory.view();
    for (size_t i = range_begin(range); i < range_begin(range + 1); ++i) {
      const SumPanels::Panel panel = panels_.At(i);
      panels_.Add(panel, {partial_begin(partial), partial_begin(partial + 1)},
                  true, sums);
      if (order_.folds()) FoldColumns(order_, kernel_, sums, panel.groups);
      const size_t first =
          panel.first_group * group_outputs_ + panel.first_column;
      const size_t count =
          panel.groups * (order_.folds() ? group_outputs_ : panel.columns);
      if (partials_ > 1) {
        CopySums(kernel_, kernel_.At(partial_sums_, partial * outputs_ + first),
                 sums, count);
      } else {
        out_.Take(sums, first, count);
      }
    }
  }

  const SumOrder& order_;
  const SumKernel& kernel_;
  const size_t shares_;                // tasks that pay for their threads
  const ParallelFor* const parallel_;  // null: this thread alone
  const size_t partials_;
  const size_t group_outputs_;
  const size_t outputs_;
  size_t ranges_;
  const SumPanels panels_;
  const Out out_;
  // Of all outputs, one partial sum after the other; only where there are
  // several.
  Accumulators partial_sums_ = {};
};

}  // namespace

void SumInMemory(const SumOrder& order, const SumKernel& kernel,
                 const void* first, const void* end, void* out,
                 const ParallelFor* parallel) noexcept {
  const Rounded rounded = {kernel, static_cast<unsigned char*>(out)};
  SumTasks<Rounded>(order, kernel, first, end, rounded, parallel).Run();
}

void SumInMemoryUnrounded(const SumOrder& order, const SumKernel& kernel,
                          const void* first, const void* end, Accumulators out,
                          const ParallelFor* parallel) noexcept {
  SumTasks<Unrounded>(order, kernel, first, end, {kernel, out}, parallel).Run();
}

}  // namespace v1
}  // namespace broadloom
