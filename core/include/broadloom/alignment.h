// What a rule says about given shapes, as data. This is the middle of the way
// from text to view: the plan is derived from it, sentences are made from it,
// and the page draws it. (2,1,4) with (3,1) under numpy:
//
//   axis      0        1        2
//   A         2 match  1 stretch 4 match
//   B         . insert 3 match   1 stretch
//   result    2        3         4
//
// Making one for up to 4 operands of rank 8 allocates nothing and costs some
// tens of nanoseconds; it holds no strings.

#ifndef BROADLOOM_ALIGNMENT_H_
#define BROADLOOM_ALIGNMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// How an operand takes part in one axis of the result.
enum class Relation : uint8_t {
  kMatch,     // same extent: index for index
  kStretch,   // extent 1: the one element serves every index
  kInsert,    // the operand has no such axis: as if its extent were 1
  kConflict,  // the extents cannot meet
};

// The spelling of a relation: "match", "stretch", "insert", "conflict".
[[nodiscard]] std::string_view Name(Relation relation) noexcept;

// One operand along one axis of the result.
struct AlignedCell {
  int32_t source_axis = kAbsent;  // the operand's own axis, or kAbsent
  Relation relation = Relation::kInsert;
  Clause clause = Clause::kNoClause;
  int64_t extent = 1;  // the operand's own; 1 where it has no such axis

  // Elements from one index to the next, if the operand is dense and its axes
  // behind this one hold `behind`: those, or 0 where it stands still.
  [[nodiscard]] int64_t StrideOver(int64_t behind) const noexcept {
    return relation == Relation::kMatch ? behind : 0;
  }
};

// Two operands whose extents clash along one axis.
struct Conflict {
  int32_t axis;           // of the result
  int32_t operand;        // at fault; or kTargetOperand
  int32_t other_operand;  // whose extent the axis already has
  int32_t operand_axis;
  int32_t other_axis;
  int64_t extent;
  int64_t other_extent;
  Clause clause;
};

// Indexes [begin, end) along one axis.
struct IndexRange {
  int64_t begin;
  int64_t end;
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

// An immutable record, made by Align.
class Alignment {
 public:
  // Not defaulted: to value-initialise the record would then first set all of
  // it to zero, the room for values included.
  Alignment() noexcept {}

  [[nodiscard]] Rule rule() const noexcept { return rule_; }
  // Operands, without the target shape.
  [[nodiscard]] size_t operand_count() const noexcept { return operands_; }
  [[nodiscard]] bool has_target() const noexcept { return has_target_; }
  // Axes of the result.
  [[nodiscard]] size_t rank() const noexcept { return output_.size(); }
  // Extents of the result. Along an axis with a conflict: the extent that the
  // first clashing operand asked for.
  [[nodiscard]] ShapeView output() const noexcept { return output_.view(); }
  // The shape of operand `operand` as it was given. `operand` must be below
  // operand_count(); so for all that take one, unless they return an error.
  [[nodiscard]] ShapeView operand(size_t operand) const noexcept {
    const size_t* const begins = begins_.data() + operand;
    return {extents_.data() + begins[0], begins[1] - begins[0]};
  }
  // Those of all operands, one after the other.
  [[nodiscard]] ShapeView operand_extents() const noexcept {
    // One that was not made has nothing that begins.
    return {extents_.data(), begins_.empty() ? 0 : begins_[operands_]};
  }
  // The target shape as it was given; empty when the rule takes none.
  [[nodiscard]] ShapeView target() const noexcept;
  // PDPD: the axis from which B lies on A, -1 resolved; else kAbsent.
  [[nodiscard]] int64_t start_axis() const noexcept { return start_axis_; }

  // Operand `operand` along axis `axis` of the result; `axis` must be below
  // rank(). Its clause says by which document it is so.
  [[nodiscard]] const AlignedCell& cell(size_t operand,
                                        size_t axis) const noexcept {
    return cells_[operand * rank() + axis];
  }
  // The same along all axes.
  [[nodiscard]] std::span<const AlignedCell> cells(
      size_t operand) const noexcept {
    return {cells_.data() + operand * rank(), rank()};
  }
  // The target shape's part in axis `axis`; only where has_target().
  [[nodiscard]] const AlignedCell& target_cell(size_t axis) const noexcept {
    return cells_[operands_ * rank() + axis];
  }
  // Whether any operand (or the target) conflicts along `axis`.
  [[nodiscard]] bool conflicts(size_t axis) const noexcept;

  // The first error in the order of the rules, or none when the shapes fit.
  [[nodiscard]] const std::optional<Error>& error() const noexcept {
    return error_;
  }
  // Every clash of extents, leftmost axis first. An error of class kRank,
  // kAxis, kAxesMapping or kNegativeDim may leave axes unplaced; those that
  // could be placed are compared all the same.
  [[nodiscard]] std::span<const Conflict> conflicts() const noexcept {
    return conflicts_.view();
  }
  // Those along one axis.
  [[nodiscard]] std::span<const Conflict> conflicts_along(
      size_t axis) const noexcept;

  // No operand has the result's shape: each is repeated along some axis, so
  // that the result is larger than all of them. Right for an outer product, a
  // common accident otherwise. Not of one operand, an empty result, or a clash.
  [[nodiscard]] bool grows_both() const noexcept;

  // Which element of operand `operand` feeds the result's cell `output_index`
  // (rank() indexes): written to `source_index` (one for each of the operand's
  // axes). Errors: the alignment's own; kExtent when an index is out of range
  // or a span has the wrong length. Example, in the picture above (`alignment`
  // is what Align makes of it):
  //   const int64_t cell[] = {1, 2, 3};
  //   int64_t of_a[3], of_b[2];
  //   assert(alignment.SourceOf(0, cell, of_a));
  //   assert(alignment.SourceOf(1, cell, of_b));
  //   assert(of_a[0] == 1 && of_a[1] == 0 && of_a[2] == 3);
  //   assert(of_b[0] == 2 && of_b[1] == 0);
  [[nodiscard]] Status SourceOf(size_t operand,
                                std::span<const int64_t> output_index,
                                std::span<int64_t> source_index) const noexcept;

  // The other way: the cells of the result that read the operand's element
  // `source_index` are a box, written to `box` (rank() ranges). Errors: as
  // SourceOf. Example, in the same picture:
  //   const int64_t element[] = {2, 0};
  //   IndexRange box[3];
  //   assert(alignment.FanOut(1, element, box));
  //   assert(box[0] == (IndexRange{0, 2}) && box[1] == (IndexRange{2, 3}));
  //   assert(box[2] == (IndexRange{0, 4}));
  [[nodiscard]] Status FanOut(size_t operand,
                              std::span<const int64_t> source_index,
                              std::span<IndexRange> box) const noexcept;

  // How operand `operand`, dense and row-major, is walked: the elements in it
  // from one index of each axis of the result to the next, written to `strides`
  // (rank() of them). Along a match that is how many the operand's axes behind
  // hold: none (0) where one of those has an extent of 0. Along a stretch or an
  // insert it is 0. kAbsent stands along a conflict, and for what is above
  // 2^63-1. So the element that feeds a cell lies at the sum of its indexes
  // times the strides. A target is no operand, and has none.
  //
  // Errors, before anything is written: the alignment's own, except
  // kIncompatible and kOverflow, since all others may leave axes unplaced;
  // kArity and kExtent as SourceOf. Complexity: rank; allocates nothing.
  // Example, in the same picture:
  //   int64_t strides[3];
  //   assert(alignment.Strides(0, strides));
  //   assert(strides[0] == 4 && strides[1] == 0 && strides[2] == 1);
  [[nodiscard]] Status Strides(size_t operand,
                               std::span<int64_t> strides) const noexcept;

 private:
  template <class File>
  friend class Aligner;

  Rule rule_ = Rule::kNone;
  Taken<bool> has_target_;
  Taken<size_t> operands_;
  int64_t start_axis_ = kAbsent;
  Shape output_;
  // Row by row: each operand's cells, then the target's.
  InlineArray<AlignedCell, kInlineRank * kInlineOperands> cells_;
  // The operands' extents and the target's, one after the other, and where
  // each begins (one more entry for the end).
  InlineArray<int64_t, kInlineRank * kInlineOperands> extents_;
  InlineArray<size_t, kInlineOperands + 2> begins_;
  InlineArray<Conflict, kInlineRank> conflicts_;
  std::optional<Error> error_;
};

// Applies a rule to shapes. Shapes that do not fit are no failure: the record
// says what clashes, in error() and conflicts(). What cannot be aligned at all
// is returned as an error: kUnknown (a rule or an element type that there is
// not), kArity (number of operands), kAttribute (an axis or
// a target that the rule does not take, or a missing target), kExtent (a
// negative extent in an operand), kAllocation.
//
// The governing clause of every cell and error is in the record (the five
// documents are the rows of BROADLOOM_DOCUMENTS).
//
// Complexity: rank times operands. No allocation up to rank 8 and 4 operands
// (3 beside a target), unless more than 8 axes conflict.
[[nodiscard]] Result<Alignment> Align(
    const BroadcastRequest& request,
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The result's shape alone: Align, with the record's error returned as one.
// Errors: those of Align, then kNegativeDim, kAxesMapping, kRank, kAxis,
// kIncompatible, kOverflow, in the order of docs/divergences.md. Allocates
// from rank 9 on. Which document governs is said by each rule's row.
// Example:
//   const Extents a{2, 1, 4};
//   const Extents b{3, 1};
//   const ShapeView shapes[] = {a, b};
//   const Result<Shape> shape =
//       InferShape({.rule = Rule::kNumpy, .operands = shapes});
//   assert(*shape == Extents(2, 3, 4));
[[nodiscard]] Result<Shape> InferShape(
    const BroadcastRequest& request,
    const Allocator& allocator = DefaultAllocator()) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_ALIGNMENT_H_
