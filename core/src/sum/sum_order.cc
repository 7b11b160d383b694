#include "broadloom/internal/sum_order.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/memory.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/reduce.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::SumKernel;
using Loop = SumOrder::Loop;

// A loop has at least two steps and the steps of all multiply to an int64_t;
// complex numbers have one more.
constexpr size_t kMostLoops = 64;

// Bytes of the accumulators that are added to at once: fewer columns are few.
// Of a long loop as many steps are taken for columns, whatever is inside.
constexpr int64_t kColumnsBytes = 256;
// Columns of fewer bytes are gathered.
constexpr int64_t kNarrowBytes = 64;
// To take whole loops for columns is worth it from so many terms on, well worth
// it from so many.
constexpr int64_t kWorthTerms = 16;
constexpr int64_t kWellWorthTerms = 64;
// Rows are few, so that it does not pay to begin with them, below this.
constexpr int64_t kFewRows = 8;

// What can be computed by itself: a block, or so many columns. So many of them
// are enough without parts.
constexpr int64_t kLeastColumns = 64;
constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kMostParts = 32;
constexpr int64_t kLeastPartElements = 32768;

int64_t BitFloor(int64_t value) {
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(value)));
}

bool IsComplex(DType dtype) {
  return dtype == DType::kC64 || dtype == DType::kC128;
}

// Whether there is anything to add, and something is added to it.
bool SumsElements(const LoopNest& nest) {
  bool sums = false;
  for (size_t i = 0; i < nest.loop_count(); ++i) {
    if (nest.extent(i) < 1) return false;
    sums = sums || nest.stride(1, i) == 0;
  }
  return sums;
}

// What is repeated is repeated as a whole.
bool LiesInside(const Loop& a, const Loop& b) {
  return a.step != 0 && (b.step == 0 || Magnitude(a.step) < Magnitude(b.step));
}

}  // namespace

// Of one element, accumulator or open sum.
struct SumOrder::Widths {
  int64_t element;
  int64_t sum;
  int64_t open;  // with its low part

  [[nodiscard]] bool IsFew(int64_t columns) const {
    return SaturatingMultiply(columns, sum) < kColumnsBytes;
  }
};

bool SumOrder::Reset(const LoopNest& nest, DType dtype,
                     const Allocator& allocator) noexcept {
  *this = SumOrder();
  const SumKernel* const found = kernels::FindSumKernel(dtype);
  // One loop more for the parts of complex numbers.
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
  MakeParts(widths);
  return true;
}

// Loops that are kept stay in the order of the output. Those that are summed
// go to where they lie in the input, and forwards: the sum does not mind.
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
    if (next.step < 0) {
      first_ =
          SaturatingAdd(first_, SaturatingMultiply(next.step, next.extent - 1));
      next.step = SaturatingMultiply(next.step, int64_t{-1});
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
    elements_ = SaturatingMultiply(elements_, next.extent);
    // Those that are walked as one are one.
    if (count > 0) {
      Loop& inner = all[count - 1];
      if (inner.summed == next.summed &&
          SaturatingMultiply(inner.step, inner.extent) == next.step) {
        inner.extent = SaturatingMultiply(inner.extent, next.extent);
        continue;
      }
    }
    all[count++] = next;
  }
  return loops_.CopyFrom({all, count}, allocator);
}

void SumOrder::MakeColumns(const Widths& widths) noexcept {
  for (size_t i = loops_.size(); i-- > 0;) {
    if (!loops_[i].summed) own_ = i;
  }
  if (own_ != kNone && loops_[own_].step == 1) {
    columns_ = loops_[own_].extent;
  } else {
    own_ = kNone;
  }
  if (!widths.IsFew(columns_) || !FoldInnerLoops(widths)) {
    gathers_ = SaturatingMultiply(columns_, widths.element) < kNarrowBytes;
    outputs_ = columns_;
  }
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (!loops_[i].summed && !IsColumns(i)) {
      blocks_ = SaturatingMultiply(blocks_, loops_[i].extent);
    }
  }
}

// Finds the loop of rows inside of which all is taken for columns: the
// outermost of which that can be said.
bool SumOrder::FoldInnerLoops(const Widths& widths) noexcept {
  const int64_t most = kBlockBytes / widths.sum;
  size_t dense = 0;  // so many loops are one piece of memory
  for (int64_t step = 1; dense < loops_.size(); ++dense) {
    if (loops_[dense].step != step) break;
    step = SaturatingMultiply(step, loops_[dense].extent);
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
      int64_t pieces = 1;
      if (widths.IsFew(inside)) {
        pieces = std::min(kColumnsBytes / widths.sum, BitFloor(most / inside));
        if (i == dense || loops_[i].extent < pieces * kFewRows) continue;
      }
      folded_ = i;
      inside_ = inside;
      outputs_ = outputs;
      pieces_ = pieces;
      columns_ = inside * pieces;
      return true;
    }
  }
  return false;
}

void SumOrder::MakeParts(const Widths& widths) noexcept {
  parts_loop_ = loops_.size();
  for (size_t i = folded_; i < loops_.size(); ++i) {
    if (!loops_[i].summed) continue;
    if (parts_loop_ == loops_.size() ||
        loops_[i].extent >= loops_[parts_loop_].extent) {
      parts_loop_ = i;
    }
  }
  int64_t units = blocks_;
  if (!folds()) {
    units = gathers_
                ? CeilDiv(blocks_, CeilDiv(kLeastColumns, columns_))
                : SaturatingMultiply(blocks_, CeilDiv(columns_, kLeastColumns));
  }
  if (units >= kEnoughUnits) return;
  const int64_t rows = loops_[parts_loop_].extent / StepsAtOnce(parts_loop_);
  parts_ = std::min(
      {kMostParts, elements_ / kLeastPartElements, rows,
       kPartsBytes / widths.sum / SaturatingMultiply(blocks_, outputs_),
       kOpenBytes / widths.open / SaturatingMultiply(blocks_, columns_)});
  parts_ = parts_ < 1 ? 1 : BitFloor(parts_);
}

int64_t SumOrder::PartBegin(int64_t part) const noexcept {
  if (parts_loop_ >= loops_.size()) return 0;
  const int64_t extent = loops_[parts_loop_].extent;
  if (part < 0 || part >= parts_) return part < 0 ? 0 : extent;
  const int64_t steps = StepsAtOnce(parts_loop_);
  const int64_t rows = extent / steps;
  return (rows / parts_ * part + std::min(part, rows % parts_)) * steps;
}

}  // namespace v1
}  // namespace broadloom
