#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/memory.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/add.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::SumKernel;
using Loop = SumOrder::Loop;

// Accumulators of fewer bytes are few columns: kernels add to as many at once.
// Of a long loop as many steps become columns, whatever lies inside it.
constexpr int64_t kColumnsBytes = 256;
// Rows of fewer bytes are concatenated with those of other groups.
constexpr int64_t kNarrowBytes = 64;
// Whole loops become columns if at least kWorthTerms terms are left to be added
// to each column, and in preference where kWellWorthTerms are left.
constexpr int64_t kWorthTerms = 16;
constexpr int64_t kWellWorthTerms = 64;

// A unit of work is what can be computed without anything else: a group, or
// SumOrder::kLeastColumns columns. With fewer than kEnoughUnits of them there
// are partial sums, of at least kLeastPartialElements elements of the input.
constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kMostPartials = 32;
constexpr int64_t kLeastPartialElements = 32768;

int64_t BitFloor(int64_t value) {
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(value)));
}

bool IsComplex(DType dtype) {
  return dtype == DType::kC64 || dtype == DType::kC128;
}

// Whether the loops have elements, and at least one loop is summed.
bool SumsElements(const LoopNest& nest) {
  bool sums = false;
  for (size_t i = 0; i < nest.loop_count(); ++i) {
    if (nest.extent(i) < 1) return false;
    sums = sums || nest.stride(1, i) == 0;
  }
  return sums;
}

// Whether the steps of `a` are nearer in memory than those of `b`. A loop that
// repeats its elements (stride 0) lies outside all others.
bool LiesInside(const Loop& a, const Loop& b) {
  return a.stride != 0 &&
         (b.stride == 0 || Magnitude(a.stride) < Magnitude(b.stride));
}

}  // namespace

// Bytes of an element of the input, and of an accumulator without and with its
// low part.
struct SumOrder::Widths {
  int64_t element;
  int64_t sum;
  int64_t sum_with_low;

  [[nodiscard]] bool IsFew(int64_t columns) const {
    return SaturatingMultiply(columns, sum) < kColumnsBytes;
  }
};

bool SumOrder::Reset(const LoopNest& nest, DType dtype,
                     const Allocator& allocator) noexcept {
  *this = SumOrder();
  const SumKernel* const found = kernels::FindSumKernel(dtype);
  // Complex numbers have one loop more, over their two parts.
  if (found == nullptr || nest.operand_count() != 2 ||
      nest.loop_count() >= kMostLoops || !SumsElements(nest)) {
    return false;
  }
  const SumKernel& kernel = *found;
  const int64_t sum = static_cast<int64_t>(kernel.sum_bytes);
  const Widths widths = {static_cast<int64_t>(kernel.element_bytes), sum,
                         kernel.has_low ? 2 * sum : sum};
  if (!TakeLoops(nest, IsComplex(dtype), allocator)) return false;
  MakeColumns(widths);
  MakePartials(widths);
  return true;
}

// Kept loops stay in the order of the output. Summed loops may come in any
// order and direction: they are sorted by stride and walked forwards.
bool SumOrder::TakeLoops(const LoopNest& nest, bool complex,
                         const Allocator& allocator) noexcept {
  Loop kept[kMostLoops];
  Loop summed[kMostLoops];
  size_t kept_count = 0;
  size_t summed_count = 0;
  const int64_t scale = complex ? 2 : 1;
  if (complex) kept[kept_count++] = {2, 1, false};
  for (size_t i = nest.loop_count(); i-- > 0;) {
    Loop next = {nest.extent(i), SaturatingMultiply(nest.stride(0, i), scale),
                 nest.stride(1, i) == 0};
    if (!next.summed) {
      kept[kept_count++] = next;
      continue;
    }
    if (next.stride < 0) {
      counts_.first = SaturatingAdd(
          first(), SaturatingMultiply(next.stride, next.extent - 1));
      next.stride = SaturatingMultiply(next.stride, int64_t{-1});
    }
    Loop* place = summed + summed_count++;
    for (; place > summed && LiesInside(next, place[-1]); --place) {
      place[0] = place[-1];
    }
    *place = next;
  }
  Loop all[kMostLoops];
  size_t count = 0;
  const Loop* k = kept;
  const Loop* s = summed;
  while (k < kept + kept_count || s < summed + summed_count) {
    const bool takes_kept = s == summed + summed_count ||
                            (k < kept + kept_count && LiesInside(*k, *s));
    const Loop& next = takes_kept ? *k++ : *s++;
    counts_.elements = SaturatingMultiply(elements(), next.extent);
    // Neighbours that are walked as one loop become one.
    if (count > 0) {
      Loop& inner = all[count - 1];
      if (inner.summed == next.summed &&
          SaturatingMultiply(inner.stride, inner.extent) == next.stride) {
        inner.extent = SaturatingMultiply(inner.extent, next.extent);
        continue;
      }
    }
    all[count++] = next;
  }
  return loops_.CopyFrom({all, count}, allocator);
}

void SumOrder::MakeColumns(const Widths& widths) noexcept {
  size_t innermost = kNone;  // of the kept loops
  for (size_t i = loops_.size(); i-- > 0;) {
    if (!loops_[i].summed) innermost = i;
  }
  if (innermost != kNone && loops_[innermost].stride == 1) {
    counts_.column_loop = innermost;
    counts_.columns = loops_[innermost].extent;
  }
  if (!widths.IsFew(columns()) || !FoldInnerLoops(widths)) {
    counts_.concatenates =
        SaturatingMultiply(columns(), widths.element) < kNarrowBytes;
    counts_.outputs = columns();
  }
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (!loops_[i].summed && !IsColumns(i)) {
      counts_.groups = SaturatingMultiply(groups(), loops_[i].extent);
    }
  }
}

// Finds the loop of rows: the outermost summed loop inside of which everything
// can become columns. False when there is none.
bool SumOrder::FoldInnerLoops(const Widths& widths) noexcept {
  const int64_t most = kGroupBytes / widths.sum;
  size_t dense = 0;  // so many loops walk consecutive elements
  for (int64_t stride = 1; dense < loops_.size(); ++dense) {
    if (loops_[dense].stride != stride) break;
    stride = SaturatingMultiply(stride, loops_[dense].extent);
  }
  for (const int64_t worth : {kWellWorthTerms, kWorthTerms}) {
    int64_t terms = 1;
    for (size_t i = loops_.size(); i-- > 0;) {
      if (!loops_[i].summed) continue;
      terms = SaturatingMultiply(terms, loops_[i].extent);
      if (i > dense || terms < worth) continue;
      int64_t inside = 1;
      int64_t outputs = 1;
      for (size_t j = 0; j < i; ++j) {
        inside = SaturatingMultiply(inside, loops_[j].extent);
        if (!loops_[j].summed) {
          outputs = SaturatingMultiply(outputs, loops_[j].extent);
        }
      }
      if (inside > most) continue;
      int64_t steps = 1;
      if (widths.IsFew(inside)) {
        steps = std::min(kColumnsBytes / widths.sum, BitFloor(most / inside));
        if (i == dense || loops_[i].extent < steps * kFewRows) continue;
      }
      counts_.folded_loops = i;
      counts_.step_elements = inside;
      counts_.outputs = outputs;
      counts_.steps_per_row = steps;
      counts_.columns = inside * steps;
      return true;
    }
  }
  return false;
}

void SumOrder::MakePartials(const Widths& widths) noexcept {
  size_t longest = loops_.size();  // of the loops of terms
  for (size_t i = folded_loops(); i < loops_.size(); ++i) {
    if (!loops_[i].summed) continue;
    if (longest == loops_.size() ||
        loops_[i].extent >= loops_[longest].extent) {
      longest = i;
    }
  }
  counts_.partials_loop = longest;
  int64_t units = groups();
  if (!folds()) {
    units =
        concatenates()
            ? CeilDiv(groups(), CeilDiv(kLeastColumns, columns()))
            : SaturatingMultiply(groups(), CeilDiv(columns(), kLeastColumns));
  }
  if (units >= kEnoughUnits) return;
  const int64_t rows = loops_[longest].extent / StepsTogether(longest);
  const int64_t partials = std::min(
      {kMostPartials, elements() / kLeastPartialElements, rows,
       kPartialSumBytes / widths.sum / SaturatingMultiply(groups(), outputs()),
       kPartialAccumulatorBytes / widths.sum_with_low /
           SaturatingMultiply(groups(), columns())});
  counts_.partials = partials < 1 ? 1 : BitFloor(partials);
}

int64_t SumOrder::PartialBegin(int64_t partial) const noexcept {
  if (partials_loop() >= loops_.size()) return 0;
  const int64_t extent = loops_[partials_loop()].extent;
  if (partial < 0) return 0;
  if (partial >= partials()) return extent;
  const int64_t steps = StepsTogether(partials_loop());
  const int64_t rows = extent / steps;
  const int64_t first_row =
      rows / partials() * partial + std::min(partial, rows % partials());
  return first_row * steps;
}

bool SumOrder::CopyFrom(const SumOrder& other,
                        const Allocator& allocator) noexcept {
  if (!loops_.CopyFrom(other.loops(), allocator)) return false;
  counts_ = other.counts_;
  return true;
}

}  // namespace v1
}  // namespace broadloom
