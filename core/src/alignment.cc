#include "broadloom/alignment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

std::string_view Name(Relation relation) noexcept {
  switch (relation) {
    case Relation::kMatch:
      return "match";
    case Relation::kStretch:
      return "stretch";
    case Relation::kInsert:
      return "insert";
    case Relation::kConflict:
      return "conflict";
  }
  return "";
}

ShapeView Alignment::operand(size_t operand) const noexcept {
  return extents_.view().subspan(begins_[operand],
                                 begins_[operand + 1] - begins_[operand]);
}

ShapeView Alignment::target() const noexcept {
  if (!has_target_) return {};
  return operand(operands_);
}

std::span<const Conflict> Alignment::conflicts_along(
    size_t axis) const noexcept {
  const auto found = std::ranges::equal_range(
      conflicts_, static_cast<int32_t>(axis), {}, &Conflict::axis);
  return {found.begin(), found.end()};
}

bool Alignment::conflicts(size_t axis) const noexcept {
  return !conflicts_along(axis).empty();
}

bool Alignment::grows_both() const noexcept {
  if (error_ || operands_ < 2) return false;
  for (size_t operand = 0; operand < operands_; ++operand) {
    bool grows = false;
    for (size_t axis = 0; axis < rank() && !grows; ++axis) {
      grows = cell(operand, axis).extent == 1 && output_[axis] > 1;
    }
    if (!grows) return false;
  }
  return true;
}

namespace {

// Whether `index` lies within `extents`, axis for axis.
Status CheckIndex(std::span<const int64_t> index, ShapeView extents,
                  int32_t operand) noexcept {
  Error error{.error_class = ErrorClass::kExtent,
              .detail = Detail::kOutOfRange,
              .operand = operand};
  if (index.size() != extents.size()) {
    error.detail = Detail::kSize;
    error.extent = static_cast<int64_t>(index.size());
    error.other_extent = static_cast<int64_t>(extents.size());
    return std::unexpected(error);
  }
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    if (index[axis] < 0 || index[axis] >= extents[axis]) {
      error.operand_axis = static_cast<int32_t>(axis);
      error.extent = index[axis];
      error.other_extent = extents[axis];
      return std::unexpected(error);
    }
  }
  return {};
}

Status CheckLength(size_t length, size_t needed, int32_t operand) noexcept {
  if (length == needed) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kExtent,
                               .detail = Detail::kSize,
                               .operand = operand,
                               .extent = static_cast<int64_t>(length),
                               .other_extent = static_cast<int64_t>(needed)});
}

Status CheckOperand(size_t operand, size_t count) noexcept {
  if (operand < count) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kArity,
                               .extent = static_cast<int64_t>(operand),
                               .other_extent = static_cast<int64_t>(count)});
}

}  // namespace

Status Alignment::SourceOf(size_t operand,
                           std::span<const int64_t> output_index,
                           std::span<int64_t> source_index) const noexcept {
  if (error_) return std::unexpected(*error_);
  Status checked = CheckOperand(operand, operands_);
  if (!checked) return checked;
  checked = CheckIndex(output_index, output(), kOutputOperand);
  if (!checked) return checked;
  const ShapeView shape = this->operand(operand);
  checked = CheckLength(source_index.size(), shape.size(),
                        static_cast<int32_t>(operand));
  if (!checked) return checked;
  // An axis that is left out of the result (a trailing 1 under PDPD) has one
  // index only.
  std::ranges::fill(source_index, 0);
  for (size_t axis = 0; axis < rank(); ++axis) {
    const AlignedCell& here = cell(operand, axis);
    if (here.relation == Relation::kMatch) {
      source_index[static_cast<size_t>(here.source_axis)] = output_index[axis];
    }
  }
  return {};
}

Status Alignment::FanOut(size_t operand, std::span<const int64_t> source_index,
                         std::span<IndexRange> box) const noexcept {
  if (error_) return std::unexpected(*error_);
  Status checked = CheckOperand(operand, operands_);
  if (!checked) return checked;
  const int32_t name = static_cast<int32_t>(operand);
  checked = CheckIndex(source_index, this->operand(operand), name);
  if (!checked) return checked;
  checked = CheckLength(box.size(), rank(), kOutputOperand);
  if (!checked) return checked;
  for (size_t axis = 0; axis < rank(); ++axis) {
    const AlignedCell& here = cell(operand, axis);
    if (here.relation == Relation::kMatch) {
      const int64_t i = source_index[static_cast<size_t>(here.source_axis)];
      box[axis] = {i, i + 1};
    } else {
      box[axis] = {0, output_[axis]};
    }
  }
  return {};
}

// Makes an Alignment in one pass over rows (the operands, then the target) and
// axes. Everything that differs between rules is read from its RuleTraits.
class Aligner {
 public:
  // Fills `out`, which is a new record.
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
    if (!Copy()) return std::unexpected(Fault(ErrorClass::kAllocation));
    CheckTarget();
    CheckRanks();
    CheckAxis();
    CheckMapping();
    if (!Place() || !Compare()) {
      return std::unexpected(Fault(ErrorClass::kAllocation));
    }
    CheckSize();
    return {};
  }

 private:
  static constexpr size_t kNoRow = static_cast<size_t>(-1);

  Error Fault(ErrorClass error_class) const {
    return Error{.error_class = error_class, .rule = request_.rule};
  }

  // The first error that is found is the one that is kept: the checks run in
  // the order in which the rules rank them.
  void Keep(const Error& error) {
    if (!out_.error_) out_.error_ = error;
  }

  // What cannot be aligned at all.
  Status CheckOptions() const {
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
    for (size_t operand = 0; operand < count; ++operand) {
      const ShapeView shape = request_.operands[operand];
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] >= 0) continue;
        Error error = Fault(ErrorClass::kExtent);
        error.detail = Detail::kNegative;
        error.operand = static_cast<int32_t>(operand);
        error.operand_axis = static_cast<int32_t>(axis);
        error.extent = shape[axis];
        return std::unexpected(error);
      }
    }
    return {};
  }

  bool IsTarget(size_t row) const { return row == request_.operands.size(); }
  ShapeView RowShape(size_t row) const {
    return IsTarget(row) ? *request_.target_shape : request_.operands[row];
  }
  int32_t RowName(size_t row) const {
    return IsTarget(row) ? kTargetOperand : static_cast<int32_t>(row);
  }
  // The row that all others have to fit, or none of them.
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

  bool Copy() {
    out_.rule_ = request_.rule;
    out_.has_target_ = traits_.takes_target;
    out_.operands_ = request_.operands.size();
    size_t total = 0;
    for (size_t row = 0; row < rows_; ++row) total += RowShape(row).size();
    if (!out_.extents_.Reset(total, allocator_) ||
        !out_.begins_.Reset(rows_ + 1, allocator_)) {
      return false;
    }
    size_t at = 0;
    for (size_t row = 0; row < rows_; ++row) {
      out_.begins_[row] = at;
      for (int64_t extent : RowShape(row)) out_.extents_[at++] = extent;
    }
    out_.begins_[rows_] = at;
    return true;
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

  // The mapping where none belongs, then the ranks.
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

  // PDPD: where B begins, and whether what is left of it fits in A from there.
  void CheckAxis() {
    if (traits_.placement != Placement::kFromAxis) return;
    const int64_t a_rank = static_cast<int64_t>(RowShape(0).size());
    const ShapeView b = RowShape(1);
    const int64_t b_rank = static_cast<int64_t>(b.size());
    const int64_t axis = request_.axis.value_or(-1);
    Error error = Fault(ErrorClass::kAxis);
    error.operand = 1;
    error.other_operand = 0;
    error.extent = axis;
    if (axis < -1) {
      error.detail = Detail::kNegative;
      error.clause = Clause::kPdpdDefaultAxis;
      error.other_extent = a_rank;
      Keep(error);
      return;
    }
    // Below 0 when B has more axes than A: then it lies nowhere.
    out_.start_axis_ =
        axis == -1 ? std::max<int64_t>(a_rank - b_rank, kAbsent) : axis;
    if (TrimmedRank(b) > a_rank - out_.start_axis_) {
      error.detail = Detail::kOutOfRange;
      error.clause = Clause::kPdpdAxis;
      error.other_extent = a_rank - TrimmedRank(b);
      Keep(error);
    }
  }

  static int64_t TrimmedRank(ShapeView b) {
    size_t rank = b.size();
    while (rank > 0 && ConcreteExtents::IsOne(b[rank - 1])) --rank;
    return static_cast<int64_t>(rank);
  }

  void CheckMapping() {
    if (!traits_.takes_mapping) return;
    Error error = Fault(ErrorClass::kAxesMapping);
    error.clause = Clause::kBroadcast3Mapping;
    error.operand = 0;
    error.other_operand = kTargetOperand;
    const int64_t rank = static_cast<int64_t>(RowShape(0).size());
    const int64_t target_rank = static_cast<int64_t>(RowShape(1).size());
    if (!request_.axes_mapping) {
      error.detail = Detail::kMissing;
      error.other_extent = rank;
      Keep(error);
      return;
    }
    const std::span<const int64_t> mapping = *request_.axes_mapping;
    if (static_cast<int64_t>(mapping.size()) != rank) {
      error.detail = Detail::kSize;
      error.extent = static_cast<int64_t>(mapping.size());
      error.other_extent = rank;
      Keep(error);
      return;
    }
    // Each kind of fault is looked for in the whole mapping before the next.
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
        error.detail = detail;
        error.operand_axis = static_cast<int32_t>(i);
        error.extent = mapping[i];
        error.other_extent =
            detail == Detail::kOutOfRange ? target_rank : before;
        Keep(error);
        return;
      }
    }
  }

  // The axis of the result on which the row's first axis lies, when all of its
  // axes lie side by side; kAbsent when none of them has a place.
  int64_t FirstPlace(size_t row, int64_t rank) const {
    const int64_t at_right = rank - static_cast<int64_t>(RowShape(row).size());
    if (row == reference_ || traits_.placement == Placement::kRight) {
      return at_right;
    }
    return out_.start_axis_;
  }

  void PlaceAxis(size_t row, size_t source, int64_t axis) {
    if (axis < 0 || axis >= static_cast<int64_t>(out_.rank())) return;
    AlignedCell& cell = Row(row)[axis];
    // A mapping with duplicates is an error; its first axis is shown.
    if (cell.source_axis != kAbsent) return;
    cell.source_axis = static_cast<int32_t>(source);
    cell.extent = RowShape(row)[source];
  }

  void PlaceRow(size_t row) {
    const size_t axes = RowShape(row).size();
    if (traits_.placement == Placement::kMapped && row != reference_) {
      if (!request_.axes_mapping) return;
      const std::span<const int64_t> mapping = *request_.axes_mapping;
      for (size_t i = 0; i < std::min(axes, mapping.size()); ++i) {
        PlaceAxis(row, i, mapping[i]);
      }
      return;
    }
    const int64_t rank = static_cast<int64_t>(out_.rank());
    const int64_t first = FirstPlace(row, rank);
    // Beyond the result nothing has a place (and the sum could overflow).
    if (first < 0 || first >= rank) return;
    for (size_t i = 0; i < axes; ++i) {
      PlaceAxis(row, i, first + static_cast<int64_t>(i));
    }
  }

  // Gives every axis of every row its place in the result, and the result the
  // extents that the rows ask for.
  bool Place() {
    size_t rank = 0;
    for (size_t row = 0; row < rows_; ++row) {
      // Only aligned at the right can a row widen the result.
      if (traits_.placement == Placement::kRight || row == reference_) {
        rank = std::max(rank, RowShape(row).size());
      }
    }
    if (!out_.output_.Reset(rank, allocator_) ||
        !out_.cells_.Reset(rows_, rank, allocator_)) {
      return false;
    }
    std::ranges::fill(out_.output_, 1);
    for (size_t row = 0; row < rows_; ++row) {
      PlaceRow(row);
      if (reference_ != kNoRow && row != reference_) continue;
      const AlignedCell* cells = Row(row);
      for (size_t axis = 0; axis < rank; ++axis) {
        int64_t& extent = out_.output_[axis];
        if (Meet<ConcreteExtents>(cells[axis].extent, extent) ==
            Meeting::kGrows) {
          extent = cells[axis].extent;
        }
      }
    }
    return true;
  }

  // Lets every extent meet that of the result, and notes how.
  bool Compare() {
    size_t conflicts = 0;
    for (size_t row = 0; row < rows_; ++row) {
      AlignedCell* cells = Row(row);
      for (size_t axis = 0; axis < out_.rank(); ++axis) {
        conflicts += Relate(row, axis, cells[axis]);
      }
    }
    if (traits_.placement == Placement::kFromAxis) MarkTrailingOnes();
    if (conflicts == 0) return true;
    return CollectConflicts(conflicts);
  }

  // Sets the cell's relation and clause; true when it conflicts.
  bool Relate(size_t row, size_t axis, AlignedCell& cell) {
    const bool absent = cell.source_axis == kAbsent;
    const Meeting meeting =
        Meet<ConcreteExtents>(cell.extent, out_.output_[axis]);
    const bool conflicts =
        traits_.stretches
            ? meeting == Meeting::kClashes || meeting == Meeting::kGrows
            : meeting != Meeting::kEqual ||
                  absent != (Row(reference_)[axis].source_axis == kAbsent);
    if (conflicts) {
      cell.relation = Relation::kConflict;
      cell.clause = traits_.conflict;
    } else if (absent) {
      cell.relation = Relation::kInsert;
      cell.clause = traits_.insert;
    } else if (meeting == Meeting::kEqual) {
      cell.relation = Relation::kMatch;
      cell.clause = traits_.match;
    } else {
      cell.relation = Relation::kStretch;
      cell.clause = traits_.stretch;
    }
    // Nothing can meet a negative extent of the target; CheckTarget said so.
    if (IsTarget(row) && cell.extent < 0) {
      cell.relation = Relation::kConflict;
      cell.clause = Clause::kBroadcast3Target;
    }
    return conflicts;
  }

  // PDPD's trailing ones of B are there to be looked at, but count for nothing.
  void MarkTrailingOnes() {
    const int32_t trimmed = static_cast<int32_t>(TrimmedRank(RowShape(1)));
    AlignedCell* cells = Row(1);
    for (size_t axis = 0; axis < out_.rank(); ++axis) {
      if (cells[axis].source_axis >= trimmed) {
        cells[axis].clause = Clause::kPdpdTrailingOnes;
      }
    }
  }

  // The row that gave the result its extent along `axis`.
  size_t Holder(size_t axis) {
    if (reference_ != kNoRow) return reference_;
    size_t row = 0;
    while (Row(row)[axis].extent != out_.output_[axis]) ++row;
    return row;
  }

  bool CollectConflicts(size_t count) {
    if (!out_.conflicts_.Reset(count, allocator_)) return false;
    size_t found = 0;
    for (size_t axis = 0; axis < out_.rank(); ++axis) {
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
        // Among equals both sides are at fault; a reference never is.
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

  AlignedCell* Row(size_t row) {
    return out_.cells_.data() + row * out_.rank();
  }

  void CheckSize() {
    if (out_.error_) return;
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
  // The operands, and the target where there is one.
  const size_t rows_;
  const size_t reference_;
  Alignment& out_;
};

Result<Alignment> Align(const BroadcastRequest& request,
                        const Allocator& allocator) noexcept {
  // Made in its place, since a record is too large to be moved for nothing.
  Result<Alignment> alignment;
  if (Status made = Aligner(request, allocator, *alignment).Make(); !made) {
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
