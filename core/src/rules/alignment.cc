// What an alignment answers once it is made. align.cc makes it.

#include "broadloom/alignment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/result.h"
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
  // An empty result is not larger than anything.
  if (std::ranges::find(output(), 0) != output().end()) return false;
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

Status Alignment::Strides(size_t operand,
                          std::span<int64_t> strides) const noexcept {
  if (error_ && error_->error_class != ErrorClass::kIncompatible &&
      error_->error_class != ErrorClass::kOverflow) {
    return std::unexpected(*error_);
  }
  Status checked = CheckOperand(operand, operands_);
  if (!checked) return checked;
  checked = CheckLength(strides.size(), rank(), kOutputOperand);
  if (!checked) return checked;
  ElementCount behind;
  for (size_t axis = rank(); axis-- > 0;) {
    const AlignedCell& here = cell(operand, axis);
    const bool untold = here.relation == Relation::kConflict ||
                        (here.relation == Relation::kMatch && behind.overflow);
    strides[axis] = untold ? kAbsent : here.StrideOver(behind.count);
    behind.Times(here.extent);
  }
  return {};
}

}  // namespace v1
}  // namespace broadloom
