#include "broadloom/chunks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <utility>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {
namespace {

struct Here;

// How many operands are tried as the one whose chunks are taken over.
constexpr size_t kMostLeaders = 8;

// Lists of chunks, each as the indices at which its chunks end: increasing, the
// last one is the extent. Chunks of extent 0 are left out, except that of an
// axis of extent 0.
class EndsLists {
 public:
  [[nodiscard]] size_t size() const { return lists_; }
  [[nodiscard]] ShapeView operator[](size_t list) const {
    const size_t begin = list == 0 ? 0 : list_ends_[list - 1];
    return {ends_.data() + begin, list_ends_[list] - begin};
  }
  // False when memory is refused, here and below. `most` lists can be closed.
  [[nodiscard]] bool Reset(size_t most, const Allocator& allocator) {
    count_ = 0;
    lists_ = 0;
    return list_ends_.ResetForOverwrite(most, allocator);
  }
  [[nodiscard]] bool Push(int64_t end, const Allocator& allocator) {
    if (count_ == ends_.size() && !Grow(allocator)) return false;
    ends_[count_++] = end;
    return true;
  }
  void Close() { list_ends_[lists_++] = count_; }
  [[nodiscard]] bool Append(ShapeView list, const Allocator& allocator) {
    for (const int64_t end : list) {
      if (!Push(end, allocator)) return false;
    }
    Close();
    return true;
  }

 private:
  bool Grow(const Allocator& allocator) {
    InlineArray<int64_t, kInlineEnds> more;
    if (!more.ResetForOverwrite(std::max(kInlineEnds, 2 * count_), allocator)) {
      return false;
    }
    std::ranges::copy(ends_.view(), more.begin());
    ends_ = std::move(more);
    return true;
  }

  static constexpr size_t kInlineEnds = 64;
  size_t count_ = 0;
  size_t lists_ = 0;
  InlineArray<int64_t, kInlineEnds> ends_;
  InlineArray<size_t, kInlineRank * kInlineOperands> list_ends_;
};

int64_t LongestOf(ShapeView ends) {
  int64_t longest = 0;
  int64_t begin = 0;
  for (const int64_t end : ends) {
    longest = std::max(longest, end - begin);
    begin = end;
  }
  return longest;
}

// Into how many pieces boundaries at `to` cut chunks that end at `from`, and
// how many indices lie in chunks of `to` that are one piece.
struct Pieces {
  int64_t count = 0;
  int64_t unjoined = 0;
};
Pieces CutAnew(ShapeView from, ShapeView to) {
  Pieces pieces;
  int64_t begin = 0;
  size_t at = 0;
  for (const int64_t end : to) {
    int64_t inside = 1;
    while (from[at] < end) {
      ++at;
      ++inside;
    }
    if (from[at] == end && at + 1 < from.size()) ++at;
    pieces.count += inside;
    if (inside == 1) pieces.unjoined += end - begin;
    begin = end;
  }
  return pieces;
}

}  // namespace

// A template for the reason given at Aligner.
template <class File>
class ChunkUnifier {
 public:
  ChunkUnifier(const Plan& plan,
               std::span<const std::span<const ShapeView>> chunks,
               const UnifyOptions& options, const Allocator& allocator,
               UnifiedChunks& unified)
      : plan_(plan),
        chunks_(chunks),
        options_(options),
        most_chunks_(std::max<int64_t>(options.most_chunks, 1)),
        allocator_(allocator),
        unified_(unified),
        rank_(plan.output_shape().size()),
        operands_(plan.operand_count()) {}

  Status Make() {
    if (Status checked = Check(); !checked) return checked;
    if (!TakeOperands() || !SortOperands()) return Refused();
    if (!TryAll()) return Refused();
    if (!has_best_) {
      Error error = PlanError(plan_, ErrorClass::kLimit, kOutputOperand);
      error.detail = Detail::kMemory;
      error.extent = ToInt64(least_peak_);
      error.other_extent = ToInt64(options_.memory_bytes);
      return std::unexpected(error);
    }
    return Take() ? Status() : Refused();
  }

 private:
  Status Refused() const {
    return std::unexpected(
        PlanError(plan_, ErrorClass::kAllocation, kOutputOperand));
  }

  // --- The operands' chunks -------------------------------------------------

  Status Check() const {
    if (Status made = CheckMade(plan_); !made) return made;
    if (chunks_.size() != operands_) {
      Error error = PlanError(plan_, ErrorClass::kArity, kAbsent);
      error.detail = Detail::kOtherCount;
      error.extent = static_cast<int64_t>(chunks_.size());
      error.other_extent = static_cast<int64_t>(operands_);
      return std::unexpected(error);
    }
    for (size_t i = 0; i < operands_; ++i) {
      const size_t rank = plan_.operand_shape(i).size();
      if (chunks_[i].size() != rank) {
        Error error = Incompatible(i);
        error.extent = static_cast<int64_t>(chunks_[i].size());
        error.other_extent = static_cast<int64_t>(rank);
        return std::unexpected(error);
      }
      for (size_t axis = 0; axis < rank; ++axis) {
        if (Status checked = CheckAxis(i, axis); !checked) return checked;
      }
    }
    return {};
  }

  Error Incompatible(size_t operand) const {
    Error error = PlanError(plan_, ErrorClass::kIncompatible,
                            static_cast<int32_t>(operand));
    error.detail = Detail::kSize;
    return error;
  }

  Status CheckAxis(size_t operand, size_t axis) const {
    int64_t sum = 0;
    for (const int64_t extent : chunks_[operand][axis]) {
      if (extent < 0) {
        Error error = PlanError(plan_, ErrorClass::kExtent,
                                static_cast<int32_t>(operand));
        error.detail = Detail::kNegative;
        error.operand_axis = static_cast<int32_t>(axis);
        error.extent = extent;
        return std::unexpected(error);
      }
      sum = SaturatingAdd(sum, extent);
    }
    const int64_t wanted = plan_.operand_shape(operand)[axis];
    if (sum == wanted) return {};
    Error error = Incompatible(operand);
    error.operand_axis = static_cast<int32_t>(axis);
    error.extent = sum;
    error.other_extent = wanted;
    return std::unexpected(error);
  }

  // Their ends, and the axes of the result on which they lie.
  bool TakeOperands() {
    size_t axes = 0;
    for (size_t i = 0; i < operands_; ++i) axes += chunks_[i].size();
    if (!given_.Reset(axes, allocator_) ||
        !unified_.lies_on_.ResetForOverwrite(axes, allocator_) ||
        !unified_.operand_begins_.ResetForOverwrite(operands_, allocator_) ||
        !unified_.costs_.Reset(operands_, allocator_) ||
        !next_.ResetForOverwrite(operands_, allocator_)) {
      return false;
    }
    std::ranges::fill(unified_.lies_on_.view(), kAbsent);
    size_t begin = 0;
    for (size_t i = 0; i < operands_; ++i) {
      unified_.operand_begins_[i] = begin;
      for (size_t axis = 0; axis < rank_; ++axis) {
        const int32_t source = plan_.SourceAxis(i, axis);
        if (source == kAbsent) continue;
        unified_.lies_on_[begin + static_cast<size_t>(source)] =
            static_cast<int32_t>(axis);
      }
      for (const ShapeView extents : chunks_[i]) {
        int64_t end = 0;
        for (const int64_t extent : extents) {
          end += extent;
          if (extent > 0 && !given_.Push(end, allocator_)) return false;
        }
        if (end == 0 && !given_.Push(0, allocator_)) return false;
        given_.Close();
      }
      int64_t chunks = 1;
      for (size_t axis = 0; axis < chunks_[i].size(); ++axis) {
        chunks = SaturatingMultiply(
            chunks, static_cast<int64_t>(given_[begin + axis].size()));
      }
      least_chunks_ = std::max(least_chunks_, chunks);
      begin += chunks_[i].size();
    }
    return true;
  }

  // By bytes, most first; equal ones stay in their order.
  bool SortOperands() {
    if (!by_bytes_.ResetForOverwrite(operands_, allocator_)) return false;
    for (size_t i = 0; i < operands_; ++i) by_bytes_[i] = i;
    // A heap sort, since a stable one allocates; so the order is made total.
    const auto comes_before = [this](size_t a, size_t b) {
      const uint64_t of_a = plan_.operand_bytes(a);
      const uint64_t of_b = plan_.operand_bytes(b);
      return of_a != of_b ? of_a > of_b : a < b;
    };
    std::ranges::make_heap(by_bytes_.view(), comes_before);
    std::ranges::sort_heap(by_bytes_.view(), comes_before);
    return true;
  }

  // The ends of an operand along an axis of the result; none where it repeats.
  ShapeView Given(size_t operand, size_t axis) const {
    const int32_t source = plan_.SourceAxis(operand, axis);
    if (source == kAbsent) return {};
    return given_[unified_.operand_begins_[operand] +
                  static_cast<size_t>(source)];
  }

  // --- Layouts --------------------------------------------------------------

  // A layout is a list of ends for each axis of the result. False when memory
  // is refused.
  bool TryAll() {
    const auto every = [this](size_t axis) { return PushEvery(axis); };
    if (!Try(every)) return false;
    for (size_t k = 0; k < std::min(operands_, kMostLeaders); ++k) {
      const size_t leader = by_bytes_[k];
      const auto follow = [this, leader](size_t axis) {
        ShapeView ends = Given(leader, axis);
        for (size_t i = 0; i < operands_ && ends.empty(); ++i) {
          ends = Given(by_bytes_[i], axis);
        }
        return PushOrWhole(ends, axis);
      };
      if (!Try(follow)) return false;
    }
    return true;
  }

  bool PushOrWhole(ShapeView ends, size_t axis) {
    const int64_t whole = plan_.output_shape()[axis];
    return layout_.Append(ends.empty() ? ShapeView{&whole, 1} : ends,
                          allocator_);
  }

  // Every end that an operand has along the axis.
  bool PushEvery(size_t axis) {
    const int64_t whole = plan_.output_shape()[axis];
    std::ranges::fill(next_.view(), size_t{0});
    for (int64_t end = -1; end < whole;) {
      int64_t least = whole;
      for (size_t i = 0; i < operands_; ++i) {
        const ShapeView ends = Given(i, axis);
        while (next_[i] < ends.size() && ends[next_[i]] <= end) ++next_[i];
        if (next_[i] < ends.size()) least = std::min(least, ends[next_[i]]);
      }
      end = least;
      if (!layout_.Push(end, allocator_)) return false;
    }
    layout_.Close();
    return true;
  }

  // Makes a layout, fits it, measures it, and keeps it if it is the best.
  template <class PushAxis>
  bool Try(PushAxis push_axis) {
    if (!layout_.Reset(rank_, allocator_)) return false;
    for (size_t axis = 0; axis < rank_; ++axis) {
      if (!push_axis(axis)) return false;
    }
    if (ChunksOf(layout_) < least_chunks_) return true;
    while (ChunksOf(layout_) > most_chunks_) {
      if (!Change(AxisOfMost(), false)) return false;
    }
    ChunkCost cost = Measure();
    while (cost.peak > options_.memory_bytes) {
      const size_t axis = AxisOfLongest();
      if (axis == rank_) return Fails(cost);
      if (!Change(axis, true)) return false;
      if (ChunksOf(layout_) > most_chunks_) return Fails(cost);
      cost = Measure();
    }
    const auto total = [this](const ChunkCost& it) {
      const uint64_t tasks =
          static_cast<uint64_t>(SaturatingAdd(it.chunks, it.pieces));
      return SaturatingAdd(it.moved,
                           SaturatingMultiply(tasks, options_.task_bytes));
    };
    if (has_best_ &&
        std::pair(total(cost), cost.chunks) >=
            std::pair(total(unified_.cost_), unified_.cost_.chunks)) {
      return true;
    }
    has_best_ = true;
    unified_.cost_ = cost;
    std::swap(best_, layout_);
    return true;
  }

  // The layout needs too much memory.
  bool Fails(const ChunkCost& cost) {
    least_peak_ = std::min(least_peak_, cost.peak);
    return true;
  }

  static int64_t ChunksOf(const EndsLists& layout) {
    int64_t chunks = 1;
    for (size_t axis = 0; axis < layout.size(); ++axis) {
      chunks =
          SaturatingMultiply(chunks, static_cast<int64_t>(layout[axis].size()));
    }
    return chunks;
  }

  size_t AxisOfMost() const {
    size_t most = 0;
    for (size_t axis = 1; axis < rank_; ++axis) {
      if (layout_[axis].size() > layout_[most].size()) most = axis;
    }
    return most;
  }

  // The axis of the longest chunk, or rank_ where no chunk can be halved.
  size_t AxisOfLongest() const {
    size_t longest = rank_;
    int64_t extent = 1;
    for (size_t axis = 0; axis < rank_; ++axis) {
      const int64_t here = LongestOf(layout_[axis]);
      if (here <= extent) continue;
      extent = here;
      longest = axis;
    }
    return longest;
  }

  // Halves the chunks along an axis that are longer than half the longest, or
  // joins pairs of neighbours.
  bool Change(size_t changed, bool halves) {
    if (!other_.Reset(rank_, allocator_)) return false;
    for (size_t axis = 0; axis < rank_; ++axis) {
      const ShapeView ends = layout_[axis];
      if (axis != changed) {
        if (!other_.Append(ends, allocator_)) return false;
        continue;
      }
      const int64_t most = CeilDiv(LongestOf(ends), int64_t{2});
      int64_t begin = 0;
      for (size_t i = 0; i < ends.size(); ++i) {
        const int64_t extent = ends[i] - begin;
        if (halves && extent > most &&
            !other_.Push(begin + CeilDiv(extent, int64_t{2}), allocator_)) {
          return false;
        }
        const bool joined = !halves && i % 2 == 0 && i + 1 < ends.size();
        if (!joined && !other_.Push(ends[i], allocator_)) return false;
        begin = ends[i];
      }
      other_.Close();
    }
    std::swap(layout_, other_);
    return true;
  }

  // --- Costs ----------------------------------------------------------------

  ChunkCost Measure() const {
    ChunkCost cost;
    cost.chunks = ChunksOf(layout_);
    for (size_t i = 0; i < operands_; ++i) {
      // The largest region that a chunk needs, and what is joined.
      const UnifiedChunks::OperandCost of = MeasureOperand(layout_, i);
      cost.pieces = SaturatingAdd(cost.pieces, of.pieces);
      cost.moved = SaturatingAdd(cost.moved, of.moved);
      const uint64_t region = LargestRegion(i);
      cost.peak = SaturatingAdd(cost.peak, region);
      if (of.moved > 0) cost.peak = SaturatingAdd(cost.peak, region);
    }
    int64_t elements = 1;
    for (size_t axis = 0; axis < rank_; ++axis) {
      elements = SaturatingMultiply(elements, LongestOf(layout_[axis]));
    }
    for (size_t i = 0; i < plan_.output_count(); ++i) {
      const int bits = BitsOf(plan_.output_dtype(i));
      cost.peak = SaturatingAdd(cost.peak, BytesOfElements(elements, bits));
    }
    if (elements == 0) cost.peak = 0;
    return cost;
  }

  // Chunks are a product of cuts along axes: one of them is the longest along
  // every axis.
  uint64_t LargestRegion(size_t operand) const {
    int64_t elements = 1;
    for (size_t axis = 0; axis < rank_; ++axis) {
      if (plan_.SourceAxis(operand, axis) == kAbsent) continue;
      elements = SaturatingMultiply(elements, LongestOf(layout_[axis]));
    }
    return BytesOfElements(elements, BitsOf(plan_.dtype(operand)));
  }

  UnifiedChunks::OperandCost MeasureOperand(const EndsLists& layout,
                                            size_t operand) const {
    UnifiedChunks::OperandCost cost = {
        .pieces = 1, .moved = 0, .rechunks = false};
    int64_t unjoined = 1;
    int64_t elements = 1;
    for (size_t axis = 0; axis < rank_; ++axis) {
      const ShapeView given = Given(operand, axis);
      if (given.empty()) continue;
      const Pieces pieces = CutAnew(given, layout[axis]);
      cost.pieces = SaturatingMultiply(cost.pieces, pieces.count);
      unjoined = SaturatingMultiply(unjoined, pieces.unjoined);
      elements = SaturatingMultiply(elements, layout[axis].back());
      cost.rechunks = cost.rechunks || !std::ranges::equal(given, layout[axis]);
    }
    cost.moved =
        BytesOfElements(elements - unjoined, BitsOf(plan_.dtype(operand)));
    return cost;
  }

  // --- The result -----------------------------------------------------------

  bool Take() {
    size_t count = 0;
    for (size_t axis = 0; axis < rank_; ++axis) count += best_[axis].size();
    if (!unified_.extents_.ResetForOverwrite(count, allocator_) ||
        !unified_.begins_.ResetForOverwrite(rank_ + 1, allocator_)) {
      return false;
    }
    count = 0;
    for (size_t axis = 0; axis < rank_; ++axis) {
      unified_.begins_[axis] = count;
      int64_t begin = 0;
      for (const int64_t end : best_[axis]) {
        unified_.extents_[count++] = end - begin;
        begin = end;
      }
    }
    unified_.begins_[rank_] = count;
    for (size_t i = 0; i < operands_; ++i) {
      unified_.costs_[i] = MeasureOperand(best_, i);
    }
    return true;
  }

  const Plan& plan_;
  const std::span<const std::span<const ShapeView>> chunks_;
  const UnifyOptions& options_;
  const int64_t most_chunks_;
  const Allocator& allocator_;
  UnifiedChunks& unified_;
  const size_t rank_;
  const size_t operands_;
  EndsLists given_;           // of all axes of all operands
  int64_t least_chunks_ = 1;  // as many as the operand of most chunks has
  InlineArray<size_t, kInlineOperands> by_bytes_;
  InlineArray<size_t, kInlineOperands> next_;  // of PushEvery
  EndsLists layout_;
  EndsLists other_;
  EndsLists best_;
  bool has_best_ = false;
  uint64_t least_peak_ = UINT64_MAX;
};

Result<UnifiedChunks> UnifyChunks(
    const Plan& plan, std::span<const std::span<const ShapeView>> chunks,
    const UnifyOptions& options, const Allocator& allocator) noexcept {
  Result<UnifiedChunks> unified;
  if (Status made =
          ChunkUnifier<Here>(plan, chunks, options, allocator, *unified).Make();
      !made) {
    unified = std::unexpected(made.error());
  }
  return unified;
}

}  // namespace v1
}  // namespace broadloom
