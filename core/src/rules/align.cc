// Aligns shapes under a rule: Align and InferShape of alignment.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/alignment.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {
class Here;
}

// Makes an alignment of rows: the operands, then the target if there is one.
// What differs between rules is read from their RuleTraits.
//
// The class is a template on a type of this file, so that the compiler knows
// that all calls are in this file and inlines the steps into one function,
// which keeps their common values in registers. An unnamed namespace would do
// the same, but a friend of Alignment cannot be in one.
template <class File>
class Aligner {
 public:
  // `out` is a new record, which Make fills.
  Aligner(const BroadcastRequest& request, const Allocator& allocator,
          Alignment& out)
      : request_(request),
        traits_(Traits(request.rule)),
        allocator_(allocator),
        rows_(request.operands.size() + (traits_.takes_target ? 1 : 0)),
        reference_(ReferenceRow(traits_, request.operands.size())),
        out_(out) {}

  Status Make() {
    if (Status checked = CheckOptions(); !checked) return checked;
    if (!MakeRoom()) {
      return std::unexpected(
          NegativeExtent().value_or(Fault(ErrorClass::kAllocation)));
    }
    // CopyAndCombine() only finds out whether an extent is negative;
    // NegativeExtent() finds which.
    if (CopyAndCombine() < 0) return std::unexpected(*NegativeExtent());
    CheckTarget();
    CheckRanks();
    CheckAxis();
    CheckMapping();
    if (!SetCells()) return std::unexpected(Fault(ErrorClass::kAllocation));
    if (request_.policy != Policy{}) CheckPolicy();
    CheckSize();
    return {};
  }

 private:
  static constexpr size_t kNoRow = static_cast<size_t>(-1);

  Error Fault(ErrorClass error_class) const {
    return Error{.error_class = error_class, .rule = request_.rule};
  }

  // Keeps the first error. The checks run in the order in which the rules rank
  // the errors.
  void Keep(const Error& error) {
    if (!out_.error_) out_.error_ = error;
  }

  // Errors of requests that have no alignment.
  Status CheckOptions() const {
    if (!IsKnown(request_.rule) ||
        (request_.dtype && !IsKnown(*request_.dtype))) {
      return std::unexpected(Error{.error_class = ErrorClass::kUnknown,
                                   .detail = IsKnown(request_.rule)
                                                 ? Detail::kDTypeName
                                                 : Detail::kRule});
    }
    const size_t count = request_.operands.size();
    if (count < traits_.least_operands ||
        (traits_.most_operands != 0 && count > traits_.most_operands)) {
      Error error = Fault(ErrorClass::kArity);
      error.extent = static_cast<int64_t>(count);
      error.other_extent = static_cast<int64_t>(count < traits_.least_operands
                                                    ? traits_.least_operands
                                                    : traits_.most_operands);
      return std::unexpected(error);
    }
    if (request_.axis && !traits_.takes_axis) {
      Error error = Fault(ErrorClass::kAttribute);
      error.detail = Detail::kUnexpected;
      error.extent = *request_.axis;
      return std::unexpected(error);
    }
    if (request_.target_shape.has_value() != traits_.takes_target) {
      Error error = Fault(ErrorClass::kAttribute);
      error.detail =
          traits_.takes_target ? Detail::kMissing : Detail::kUnexpected;
      error.operand = kTargetOperand;
      return std::unexpected(error);
    }
    return CheckNames();
  }

  // As many lists of names as operands, and as many names as axes.
  Status CheckNames() const {
    const auto lists = request_.axis_names;
    if (lists.empty()) return {};
    Error error = Fault(ErrorClass::kAttribute);
    error.detail = Detail::kAxisNames;
    error.extent = static_cast<int64_t>(lists.size());
    error.other_extent = static_cast<int64_t>(request_.operands.size());
    if (error.extent != error.other_extent) return std::unexpected(error);
    for (size_t operand = 0; operand < lists.size(); ++operand) {
      const size_t rank = request_.operands[operand].size();
      if (lists[operand].empty() || lists[operand].size() == rank) continue;
      error.operand = static_cast<int32_t>(operand);
      error.extent = static_cast<int64_t>(lists[operand].size());
      error.other_extent = static_cast<int64_t>(rank);
      return std::unexpected(error);
    }
    return {};
  }

  // The first negative extent of an operand, if any. It is reported rather than
  // a refusal of memory.
  std::optional<Error> NegativeExtent() const {
    for (size_t operand = 0; operand < request_.operands.size(); ++operand) {
      const ShapeView shape = request_.operands[operand];
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] >= 0) continue;
        Error error = Fault(ErrorClass::kExtent);
        error.detail = Detail::kNegative;
        error.operand = static_cast<int32_t>(operand);
        error.operand_axis = static_cast<int32_t>(axis);
        error.extent = shape[axis];
        return error;
      }
    }
    return std::nullopt;
  }

  bool IsTarget(size_t row) const { return row == request_.operands.size(); }
  ShapeView GivenShape(size_t row) const {
    return IsTarget(row) ? *request_.target_shape : request_.operands[row];
  }
  // The same, after CopyAndCombine() has put it into the record.
  ShapeView RowShape(size_t row) const {
    const size_t* const begins = out_.begins_.data() + row;
    return {out_.extents_.data() + begins[0], begins[1] - begins[0]};
  }
  int32_t RowName(size_t row) const {
    return IsTarget(row) ? kTargetOperand : static_cast<int32_t>(row);
  }
  // The row that all others must fit, or kNoRow.
  static size_t ReferenceRow(const RuleTraits& traits, size_t operands) {
    switch (traits.reference) {
      case Reference::kEveryone:
        break;
      case Reference::kFirst:
        return 0;
      case Reference::kTarget:
        return operands;
    }
    return kNoRow;
  }

  // The reference's axes are the result's.
  Placement PlacementOf(size_t row) const {
    return row == reference_ ? Placement::kRight : traits_.placement;
  }

  // Makes room for the rows, the result and the cells.
  bool MakeRoom() {
    size_t total = 0;
    size_t rank = 0;
    for (size_t row = 0; row < rows_; ++row) {
      const size_t axes = GivenShape(row).size();
      total += axes;
      // Only rows that are aligned at the right add axes to the result.
      if (PlacementOf(row) == Placement::kRight) rank = std::max(rank, axes);
    }
    if (!out_.extents_.ResetForOverwrite(total, allocator_) ||
        !out_.begins_.ResetForOverwrite(rows_ + 1, allocator_) ||
        !out_.output_.ResetForOverwrite(rank, allocator_) ||
        !out_.cells_.ResetForOverwrite(rows_, rank, allocator_)) {
      return false;
    }
    rank_ = rank;
    return true;
  }

  // Copies the rows into the record and computes the result's extents. Returns
  // a negative number when an operand has a negative extent.
  int64_t CopyAndCombine() {
    out_.rule_ = request_.rule;
    out_.has_target_ = traits_.takes_target;
    out_.operands_ = request_.operands.size();
    int64_t* const result = out_.output_.data();
    size_t* const begins = out_.begins_.data();
    int64_t* extents = out_.extents_.data();
    // Copies of the members: for all the compiler knows, the stores to the
    // record could change the members.
    const size_t rows = rows_;
    const size_t rank = rank_;
    const size_t reference = reference_;
    const std::span<const ShapeView> operands = request_.operands;
    std::fill_n(result, rank, 1);
    int64_t signs = 0;
    size_t at = 0;
    for (size_t row = 0; row < rows; ++row) {
      const bool is_operand = row < operands.size();
      const ShapeView shape =
          is_operand ? operands[row] : *request_.target_shape;
      const size_t axes = shape.size();
      begins[row] = at;
      at += axes;
      int64_t row_signs = 0;
      // Rows that determine the result are aligned at the right.
      const bool counts = reference == kNoRow || row == reference;
      int64_t* const output = counts ? result + (rank - axes) : nullptr;
      for (size_t i = 0; i < axes; ++i) {
        const int64_t extent = shape[i];
        *extents++ = extent;
        row_signs |= extent;
        if (!counts) continue;
        if (CompareExtents<ConcreteExtents>(extent, output[i]) ==
            Comparison::kGrows) {
          output[i] = extent;
        }
      }
      if (is_operand) signs |= row_signs;
    }
    begins[rows] = at;
    return signs;
  }

  void CheckTarget() {
    if (!traits_.takes_target) return;
    const ShapeView target = *request_.target_shape;
    for (size_t axis = 0; axis < target.size(); ++axis) {
      if (target[axis] >= 0) continue;
      Error error = Fault(ErrorClass::kNegativeDim);
      error.clause = Clause::kBroadcast3Target;
      error.operand = kTargetOperand;
      error.axis = static_cast<int32_t>(axis);
      error.operand_axis = static_cast<int32_t>(axis);
      error.extent = target[axis];
      Keep(error);
      return;
    }
  }

  // An axes_mapping that the rule does not take, then the ranks.
  void CheckRanks() {
    if (request_.axes_mapping && !traits_.takes_mapping) {
      Error error = Fault(ErrorClass::kAxesMapping);
      error.detail = Detail::kUnexpected;
      error.clause = Clause::kBroadcast3Mapping;
      Keep(error);
    }
    if (reference_ == kNoRow || traits_.placement == Placement::kMapped) return;
    const size_t rank = RowShape(reference_).size();
    for (size_t row = 0; row < rows_; ++row) {
      const size_t row_rank = RowShape(row).size();
      const bool fits = traits_.stretches ? row_rank <= rank : row_rank == rank;
      if (fits) continue;
      Error error = Fault(traits_.stretches ? ErrorClass::kRank
                                            : ErrorClass::kIncompatible);
      error.detail = Detail::kSize;
      error.clause = traits_.rank;
      error.operand = RowName(row);
      error.other_operand = RowName(reference_);
      error.extent = static_cast<int64_t>(row_rank);
      error.other_extent = static_cast<int64_t>(rank);
      Keep(error);
      return;
    }
  }

  // PDPD, 1 to 5: where B begins, and whether B without its trailing 1s fits
  // into A from there.
  void CheckAxis() {
    if (traits_.placement != Placement::kFromAxis) return;
    const int64_t a_rank = static_cast<int64_t>(RowShape(0).size());
    const ShapeView b = RowShape(1);
    const int64_t b_rank = static_cast<int64_t>(b.size());
    const int64_t axis = request_.axis.value_or(-1);
    if (axis < -1) {
      KeepAxis(Detail::kNegative, Clause::kPdpdDefaultAxis, axis, a_rank);
      return;
    }
    // Negative when B has more axes than A; then B has no place.
    out_.start_axis_ =
        axis == -1 ? std::max<int64_t>(a_rank - b_rank, kAbsent) : axis;
    const int64_t last_start = a_rank - TrimmedRank(b);
    if (out_.start_axis_ > last_start) {
      KeepAxis(Detail::kOutOfRange, Clause::kPdpdAxis, axis, last_start);
    }
  }

  void KeepAxis(Detail detail, Clause clause, int64_t axis, int64_t limit) {
    Error error = Fault(ErrorClass::kAxis);
    error.detail = detail;
    error.clause = clause;
    error.operand = 1;
    error.other_operand = 0;
    error.extent = axis;
    error.other_extent = limit;
    Keep(error);
  }

  static int64_t TrimmedRank(ShapeView b) {
    size_t rank = b.size();
    while (rank > 0 && ConcreteExtents::IsOne(b[rank - 1])) --rank;
    return static_cast<int64_t>(rank);
  }

  void CheckMapping() {
    if (!traits_.takes_mapping) return;
    const int64_t rank = static_cast<int64_t>(RowShape(0).size());
    const int64_t target_rank = static_cast<int64_t>(RowShape(1).size());
    if (!request_.axes_mapping) {
      KeepMapping(Detail::kMissing, kAbsent, 0, rank);
      return;
    }
    const std::span<const int64_t> mapping = *request_.axes_mapping;
    if (static_cast<int64_t>(mapping.size()) != rank) {
      KeepMapping(Detail::kSize, kAbsent, static_cast<int64_t>(mapping.size()),
                  rank);
      return;
    }
    // The whole mapping is searched for one kind of fault before the next.
    for (const Detail detail :
         {Detail::kUnsorted, Detail::kOutOfRange, Detail::kDuplicate}) {
      for (size_t i = 0; i < mapping.size(); ++i) {
        const int64_t before = i == 0 ? -1 : mapping[i - 1];
        const bool faulty = detail == Detail::kUnsorted
                                ? i > 0 && mapping[i] < before
                            : detail == Detail::kOutOfRange
                                ? mapping[i] < 0 || mapping[i] >= target_rank
                                : i > 0 && mapping[i] == before;
        if (!faulty) continue;
        KeepMapping(detail, static_cast<int32_t>(i), mapping[i],
                    detail == Detail::kOutOfRange ? target_rank : before);
        return;
      }
    }
  }

  void KeepMapping(Detail detail, int32_t axis, int64_t extent,
                   int64_t other_extent) {
    Error error = Fault(ErrorClass::kAxesMapping);
    error.detail = detail;
    error.clause = Clause::kBroadcast3Mapping;
    error.operand = 0;
    error.other_operand = kTargetOperand;
    error.operand_axis = axis;
    error.extent = extent;
    error.other_extent = other_extent;
    Keep(error);
  }

  // The axes [first, end) of the result on which consecutive axes of a row lie,
  // its first one on `first`.
  struct AxisRange {
    size_t first;
    size_t end;
  };

  // The range of a row of so many axes; empty when they are not consecutive.
  AxisRange RangeOf(Placement placement, size_t axes) const {
    size_t first = rank_;
    switch (placement) {
      case Placement::kRight:
        // An operand with more axes than the result has no place in it.
        if (axes <= rank_) return {rank_ - axes, rank_};
        break;
      case Placement::kFromAxis:
        // A negative axis converts to a large number.
        first = std::min(static_cast<size_t>(out_.start_axis_), rank_);
        break;
      case Placement::kMapped:
        break;
    }
    return {first, first + std::min(axes, rank_ - first)};
  }

  // Compares every operand's extents with the result's, and sets the cells and
  // the conflicts.
  bool SetCells() {
    const size_t conflicts =
        traits_.stretches ? Relate<true>() : Relate<false>();
    if (traits_.takes_target) MarkNegativeTarget();
    if (traits_.placement == Placement::kFromAxis) MarkTrailingOnes();
    if (conflicts == 0) return true;
    return CollectConflicts(conflicts);
  }

  // Sets all cells; returns how many of them conflict.
  template <bool kStretches>
  size_t Relate() {
    const Clause clauses[] = {traits_.match, traits_.stretch, traits_.insert,
                              traits_.conflict};  // in the order of Relation
    const int64_t* const output = out_.output_.data();
    AlignedCell* cells = out_.cells_.data();
    // Under a rule that does not stretch, an axis that the reference lacks, or
    // that only the reference has, is a conflict even if its extent is 1.
    const AxisRange reference =
        kStretches
            ? AxisRange{}
            : RangeOf(PlacementOf(reference_), RowShape(reference_).size());
    const auto fits = [&](Comparison comparison, size_t axis, bool present) {
      if (comparison == Comparison::kEqual) {
        return kStretches ||
               present == (axis >= reference.first && axis < reference.end);
      }
      return kStretches && comparison == Comparison::kStretches;
    };
    size_t conflicts = 0;
    const auto set = [&](size_t axis, Relation relation, int32_t source,
                         int64_t extent) {
      cells[axis] = {.source_axis = source,
                     .relation = relation,
                     .clause = clauses[static_cast<size_t>(relation)],
                     .extent = extent};
      conflicts += relation == Relation::kConflict;
    };
    const auto insert = [&](size_t axis) {
      const Comparison comparison =
          CompareExtents<ConcreteExtents>(1, output[axis]);
      set(axis,
          fits(comparison, axis, false) ? Relation::kInsert
                                        : Relation::kConflict,
          kAbsent, 1);
    };
    const auto place = [&](size_t axis, size_t source, int64_t extent) {
      const Comparison comparison =
          CompareExtents<ConcreteExtents>(extent, output[axis]);
      set(axis,
          !fits(comparison, axis, true)      ? Relation::kConflict
          : comparison == Comparison::kEqual ? Relation::kMatch
                                             : Relation::kStretch,
          static_cast<int32_t>(source), extent);
    };
    const size_t rank = rank_;
    const size_t rows = rows_;
    const size_t* const begins = out_.begins_.data();
    const int64_t* extents = out_.extents_.data();
    for (size_t row = 0; row < rows; ++row, cells += rank) {
      const size_t axes = begins[row + 1] - begins[row];
      const AxisRange range = RangeOf(PlacementOf(row), axes);
      for (size_t axis = 0; axis < range.first; ++axis) insert(axis);
      for (size_t axis = range.first; axis < range.end; ++axis) {
        place(axis, axis - range.first, extents[axis - range.first]);
      }
      for (size_t axis = range.end; axis < rank; ++axis) insert(axis);
      extents += axes;
    }
    if (traits_.placement != Placement::kMapped || !request_.axes_mapping) {
      return conflicts;
    }
    const std::span<const int64_t> mapping = *request_.axes_mapping;
    for (size_t row = 0; row < rows; ++row) {
      if (PlacementOf(row) != Placement::kMapped) continue;
      const ShapeView shape = RowShape(row);
      cells = Row(row);
      for (size_t i = 0; i < std::min(shape.size(), mapping.size()); ++i) {
        const int64_t axis = mapping[i];
        if (axis < 0 || axis >= static_cast<int64_t>(rank)) continue;
        // A mapping with duplicates is an error; the first entry is shown.
        if (cells[axis].source_axis != kAbsent) continue;
        place(static_cast<size_t>(axis), i, shape[i]);
      }
    }
    return conflicts;
  }

  // A negative extent of the target is a conflict of its own; CheckTarget keeps
  // the error.
  void MarkNegativeTarget() {
    AlignedCell* const cells = Row(request_.operands.size());
    for (size_t axis = 0; axis < rank_; ++axis) {
      if (cells[axis].extent >= 0) continue;
      cells[axis].relation = Relation::kConflict;
      cells[axis].clause = Clause::kBroadcast3Target;
    }
  }

  // PDPD, 5: B's trailing 1s are left out. Their cells are kept, so that they
  // can be shown, and cite the clause.
  void MarkTrailingOnes() {
    const int32_t trimmed = static_cast<int32_t>(TrimmedRank(RowShape(1)));
    AlignedCell* cells = Row(1);
    for (size_t axis = 0; axis < rank_; ++axis) {
      if (cells[axis].source_axis >= trimmed) {
        cells[axis].clause = Clause::kPdpdTrailingOnes;
      }
    }
  }

  // The row from which the result has its extent along `axis`.
  size_t Holder(size_t axis) {
    if (reference_ != kNoRow) return reference_;
    size_t row = 0;
    while (Row(row)[axis].extent != out_.output_[axis]) ++row;
    return row;
  }

  bool CollectConflicts(size_t count) {
    if (!out_.conflicts_.Reset(count, allocator_)) return false;
    size_t found = 0;
    for (size_t axis = 0; axis < rank_; ++axis) {
      const size_t holder = Holder(axis);
      AlignedCell& held = Row(holder)[axis];
      for (size_t row = 0; row < rows_; ++row) {
        const AlignedCell& cell = Row(row)[axis];
        if (cell.relation != Relation::kConflict || row == holder) continue;
        out_.conflicts_[found++] = Conflict{.axis = static_cast<int32_t>(axis),
                                            .operand = RowName(row),
                                            .other_operand = RowName(holder),
                                            .operand_axis = cell.source_axis,
                                            .other_axis = held.source_axis,
                                            .extent = cell.extent,
                                            .other_extent = held.extent,
                                            .clause = traits_.conflict};
        // Without a reference both operands conflict; a reference never does.
        if (reference_ == kNoRow) {
          held.relation = Relation::kConflict;
          held.clause = traits_.conflict;
        }
      }
    }
    const Conflict& first = out_.conflicts_[0];
    Error error = Fault(ErrorClass::kIncompatible);
    error.clause = first.clause;
    error.operand = first.operand;
    error.other_operand = first.other_operand;
    error.axis = first.axis;
    error.operand_axis = first.operand_axis;
    error.other_axis = first.other_axis;
    error.extent = first.extent;
    error.other_extent = first.other_extent;
    Keep(error);
    return true;
  }

  // Keeps the first thing that the request's policy refuses, in the order of
  // axes, then operands. Axes have no place after another error.
  [[gnu::cold]] void CheckPolicy() {
    if (out_.error_) return;
    const Policy& policy = request_.policy;
    for (size_t axis = 0; axis < rank_; ++axis) {
      size_t named = kNoRow;  // the first operand that has this axis
      for (size_t row = 0; row < request_.operands.size(); ++row) {
        const AlignedCell& cell = Row(row)[axis];
        const bool is_scalar = RowShape(row).empty();
        if (cell.relation == Relation::kInsert && !is_scalar &&
            !policy.inserts) {
          return KeepRefusal(Detail::kRankPromotion, axis, row,
                             ExtentHolder(axis, row));
        }
        if (cell.relation == Relation::kStretch && !policy.stretches) {
          return KeepRefusal(Detail::kStretching, axis, row,
                             ExtentHolder(axis, row));
        }
        if (!policy.same_names || cell.source_axis == kAbsent) continue;
        if (named == kNoRow) {
          named = row;
        } else if (const std::string_view name = AxisName(row, axis);
                   name.empty() || name != AxisName(named, axis)) {
          return KeepRefusal(Detail::kAxisNames, axis, row, named);
        }
      }
    }
  }

  // A row other than `row` whose own axis there has the result's extent, or
  // kNoRow if there is none, which is possible where the extent is 1.
  size_t ExtentHolder(size_t axis, size_t row) {
    for (size_t other = 0; other < rows_; ++other) {
      const AlignedCell& cell = Row(other)[axis];
      if (other != row && cell.source_axis != kAbsent &&
          cell.extent == out_.output_[axis]) {
        return other;
      }
    }
    return kNoRow;
  }

  std::string_view AxisName(size_t operand, size_t axis) {
    if (operand >= request_.axis_names.size()) return {};
    const std::span<const std::string_view> names =
        request_.axis_names[operand];
    return names.empty()
               ? std::string_view()
               : names[static_cast<size_t>(Row(operand)[axis].source_axis)];
  }

  void KeepRefusal(Detail detail, size_t axis, size_t row, size_t other) {
    const AlignedCell& cell = Row(row)[axis];
    Error error = Fault(ErrorClass::kPolicy);
    error.detail = detail;
    error.operand = RowName(row);
    error.axis = static_cast<int32_t>(axis);
    error.operand_axis = cell.source_axis;
    error.extent = cell.extent;
    error.other_extent = out_.output_[axis];
    if (other != kNoRow) {
      error.other_operand = RowName(other);
      error.other_axis = Row(other)[axis].source_axis;
    }
    Keep(error);
  }

  AlignedCell* Row(size_t row) { return out_.cells_.data() + row * rank_; }

  // The elements of the result, or its bytes, must not exceed 2^63-1.
  void CheckSize() {
    if (out_.error_) return;
    int64_t size = request_.dtype ? BitsOf(*request_.dtype) : 1;
    bool countable = true;
    for (size_t axis = 0; axis < rank_; ++axis) {
      countable &= !OverflowsMultiply(size, out_.output_[axis], size);
    }
    if (!countable) Recount();
  }

  // The product of CheckSize may overflow although the count does not: an
  // extent may be 0, and CheckSize counts bits.
  [[gnu::cold]] void Recount() {
    const Result<int64_t> count =
        request_.dtype ? CountBytes(out_.output(), *request_.dtype)
                       : CountElements(out_.output());
    if (count) return;
    Error error = count.error();
    error.rule = request_.rule;
    error.operand = kOutputOperand;
    error.axis = error.operand_axis;
    Keep(error);
  }

  const BroadcastRequest& request_;
  const RuleTraits& traits_;
  const Allocator& allocator_;
  // Operands, and the target if there is one.
  const size_t rows_;
  const size_t reference_;
  Alignment& out_;
  size_t rank_ = 0;  // of the result; set by MakeRoom
};

Result<Alignment> Align(const BroadcastRequest& request,
                        const Allocator& allocator) noexcept {
  // Made in the result, since an alignment is too large to move.
  Result<Alignment> alignment;
  if (Status made = Aligner<Here>(request, allocator, *alignment).Make();
      !made) {
    alignment = std::unexpected(made.error());
  }
  return alignment;
}

Result<Shape> InferShape(const BroadcastRequest& request,
                         const Allocator& allocator) noexcept {
  const Result<Alignment> alignment = Align(request, allocator);
  if (!alignment) return std::unexpected(alignment.error());
  if (alignment->error()) return std::unexpected(*alignment->error());
  return CopyShape(alignment->output(), allocator);
}

}  // namespace v1
}  // namespace broadloom
