// An alignment: what a rule says about given shapes, as data. For each operand
// and each axis of the result it has a cell with the operand's axis and the
// relation between the two. Plans, sentences, repairs and the page's drawings
// are made from it. (2,1,4) with (3,1) under numpy:
//
//   axis      0        1        2
//   A         2 match  1 stretch 4 match
//   B         . insert 3 match   1 stretch
//   result    2        3         4
//
// Making an alignment of up to 4 operands of rank 8 allocates nothing and takes
// some tens of nanoseconds. It holds no strings.

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

// How an operand's axis stands to an axis of the result.
enum class Relation : uint8_t {
  kMatch,     // equal extents: the same index in both
  kStretch,   // the operand's extent is 1: its one index is used for all
  kInsert,    // the operand has no such axis; treated as an extent of 1
  kConflict,  // the extents cannot be broadcast together
};

// The spelling of a relation: "match", "stretch", "insert", "conflict".
[[nodiscard]] std::string_view Name(Relation relation) noexcept;

// A cell of the alignment: one operand along one axis of the result.
struct AlignedCell {
  int32_t source_axis = kAbsent;  // the operand's axis, or kAbsent
  Relation relation = Relation::kInsert;
  Clause clause = Clause::kNoClause;
  int64_t extent = 1;  // the operand's; 1 where it has no such axis

  // The stride of a dense operand along the result's axis, in elements: 0 where
  // it repeats, else `behind`, the product of the operand's extents behind this
  // axis.
  [[nodiscard]] int64_t StrideOver(int64_t behind) const noexcept {
    return relation == Relation::kMatch ? behind : 0;
  }
};

// Two operands whose extents conflict along one axis.
struct Conflict {
  int32_t axis;           // of the result
  int32_t operand;        // the operand at fault, or kTargetOperand
  int32_t other_operand;  // the operand whose extent the result's axis has
  int32_t operand_axis;
  int32_t other_axis;
  int64_t extent;
  int64_t other_extent;
  Clause clause;
};

// Indices [begin, end) along one axis.
struct IndexRange {
  int64_t begin;
  int64_t end;
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

// Immutable; made by Align.
class Alignment {
 public:
  // Not defaulted: value-initialisation would then set the whole object to zero
  // first, including the inline memory of its arrays.
  Alignment() noexcept {}

  [[nodiscard]] Rule rule() const noexcept { return rule_; }
  // The number of operands, without the target shape.
  [[nodiscard]] size_t operand_count() const noexcept { return operands_; }
  [[nodiscard]] bool has_target() const noexcept { return has_target_; }
  // The number of axes of the result.
  [[nodiscard]] size_t rank() const noexcept { return output_.size(); }
  // The extents of the result. Along an axis with a conflict: the extent of the
  // first operand of the conflict.
  [[nodiscard]] ShapeView output() const noexcept { return output_.view(); }
  // The shape of an operand as it was given. `operand` must be below
  // operand_count(), here and in all functions below that return no error.
  [[nodiscard]] ShapeView operand(size_t operand) const noexcept {
    const size_t* const begins = begins_.data() + operand;
    return {extents_.data() + begins[0], begins[1] - begins[0]};
  }
  // The extents of all operands, one operand after the other.
  [[nodiscard]] ShapeView operand_extents() const noexcept {
    // Empty in an alignment that Align did not make.
    return {extents_.data(), begins_.empty() ? 0 : begins_[operands_]};
  }
  // The target shape as it was given; empty when the rule takes none.
  [[nodiscard]] ShapeView target() const noexcept;
  // PDPD: the axis from which B lies on A, -1 resolved; else kAbsent.
  [[nodiscard]] int64_t start_axis() const noexcept { return start_axis_; }

  // The cell of an operand along axis `axis` of the result, which must be below
  // rank(). The cell cites the clause that governs it.
  [[nodiscard]] const AlignedCell& cell(size_t operand,
                                        size_t axis) const noexcept {
    return cells_[operand * rank() + axis];
  }
  // The cells of an operand, one for each axis of the result.
  [[nodiscard]] std::span<const AlignedCell> cells(
      size_t operand) const noexcept {
    return {cells_.data() + operand * rank(), rank()};
  }
  // The cell of the target shape; only where has_target().
  [[nodiscard]] const AlignedCell& target_cell(size_t axis) const noexcept {
    return cells_[operands_ * rank() + axis];
  }
  // Whether any operand (or the target) conflicts along `axis`.
  [[nodiscard]] bool conflicts(size_t axis) const noexcept;

  // The first error in the order of the rules, or none when the shapes fit.
  [[nodiscard]] const std::optional<Error>& error() const noexcept {
    return error_;
  }
  // All conflicts, leftmost axis first. After an error of class kRank, kAxis,
  // kAxesMapping or kNegativeDim some axes of operands may have no place in the
  // result; the others are compared nevertheless.
  [[nodiscard]] std::span<const Conflict> conflicts() const noexcept {
    return conflicts_.view();
  }
  // The conflicts along one axis.
  [[nodiscard]] std::span<const Conflict> conflicts_along(
      size_t axis) const noexcept;

  // Whether there are several operands and each is repeated along some axis, so
  // that the result is larger than any of them. That is meant in an outer
  // product, and often a mistake otherwise. False for an empty result and for
  // shapes that conflict.
  [[nodiscard]] bool grows_both() const noexcept;

  // Writes to `source_index` (one index for each of the operand's axes) which
  // element of the operand the result's element `output_index` (rank() indices)
  // is computed from. Errors: error(), if there is one; kArity when there is no
  // such operand; kExtent when an index is out of range or a span has the wrong
  // length. Example, with the alignment at the top of this header:
  //   const int64_t cell[] = {1, 2, 3};
  //   int64_t of_a[3], of_b[2];
  //   assert(alignment.SourceOf(0, cell, of_a));
  //   assert(alignment.SourceOf(1, cell, of_b));
  //   assert(of_a[0] == 1 && of_a[1] == 0 && of_a[2] == 3);
  //   assert(of_b[0] == 2 && of_b[1] == 0);
  [[nodiscard]] Status SourceOf(size_t operand,
                                std::span<const int64_t> output_index,
                                std::span<int64_t> source_index) const noexcept;

  // The inverse: writes to `box` (rank() ranges) which elements of the result
  // read the operand's element `source_index`; they always form a box. Errors:
  // those of SourceOf. Example, with the same alignment:
  //   const int64_t element[] = {2, 0};
  //   IndexRange box[3];
  //   assert(alignment.FanOut(1, element, box));
  //   assert(box[0] == (IndexRange{0, 2}) && box[1] == (IndexRange{2, 3}));
  //   assert(box[2] == (IndexRange{0, 4}));
  [[nodiscard]] Status FanOut(size_t operand,
                              std::span<const int64_t> source_index,
                              std::span<IndexRange> box) const noexcept;

  // Writes to `strides` (rank() of them) the strides of a dense row-major
  // operand along the result's axes: how many elements there are from one index
  // to the next. Along a match it is the product of the operand's extents
  // behind that axis (0 if one of them is 0), along a stretch or an insert 0.
  // It is kAbsent along a conflict, and where it would be above 2^63-1. The
  // element at a result's index is the sum of its indices times the strides.
  //
  // Errors, before anything is written: error(), except of class kIncompatible
  // or kOverflow, since after all others axes may have no place; kArity and
  // kExtent as SourceOf. Complexity: rank. Allocates nothing. Example, with the
  // same alignment:
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
  // The cells of each operand, then those of the target.
  InlineArray<AlignedCell, kInlineRank * kInlineOperands> cells_;
  // The extents of each operand, then those of the target, and where each
  // begins (with one more entry for the end).
  InlineArray<int64_t, kInlineRank * kInlineOperands> extents_;
  InlineArray<size_t, kInlineOperands + 2> begins_;
  InlineArray<Conflict, kInlineRank> conflicts_;
  std::optional<Error> error_;
};

// Applies a rule to shapes. Shapes that do not fit are not an error of this
// call: the alignment has an error() and conflicts(). Errors of the call are
// requests that have no alignment: kUnknown (an unknown rule or element type),
// kArity (the rule takes another number of operands), kAttribute (an axis or a
// target that the rule does not take, a missing target, or names of axes for
// another number of operands or axes), kExtent (a negative
// extent of an operand), kAllocation.
//
// Every cell and error cites the clause that governs it. The documents are the
// rows of BROADLOOM_DOCUMENTS.
//
// Complexity: rank times operands. No allocation up to rank 8 and 4 operands
// (3 beside a target), unless more than 8 axes conflict.
[[nodiscard]] Result<Alignment> Align(
    const BroadcastRequest& request,
    const Allocator& allocator = DefaultAllocator()) noexcept;

// The shape of the result. Errors: those of Align, and the alignment's error():
// kNegativeDim, kAxesMapping, kRank, kAxis, kIncompatible, kPolicy or
// kOverflow, in the order of docs/divergences.md. Allocates from rank 9 on. The
// governing document is that of the rule (see Traits). Example:
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
