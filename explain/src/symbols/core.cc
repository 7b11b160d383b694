#include "symbols/core.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/list.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

Core::Core(const SymbolicRequest& request, std::span<const Terms> rows,
           size_t symbols, Arena& arena)
    : request_(request),
      rows_(rows),
      arena_(arena),
      values_(arena.Make<int64_t>(symbols)) {
  size_t total = 0;
  for (const Terms row : rows) total += row.size();
  extents_ = arena.Make<int64_t>(total);
  shapes_ = arena.Make<ShapeView>(rows.size());
  if (arena.refused()) return;
  size_t at = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    shapes_[i] = extents_.subspan(at, rows[i].size());
    at += rows[i].size();
  }
  concrete_.rule = request.rule;
  concrete_.operands = shapes_.first(request.operands.size());
  concrete_.axis = request.axis;
  if (request.target_shape) concrete_.target_shape = shapes_.back();
  concrete_.axes_mapping = request.axes_mapping;
}

std::optional<Alignment> Core::Ask() {
  if (arena_.refused()) return std::nullopt;
  size_t at = 0;
  for (const Terms row : rows_) {
    for (const ExtentTerm& term : row) extents_[at++] = ValueOf(term);
  }
  Result<Alignment> made = Align(concrete_, arena_.allocator());
  if (made) return std::move(*made);
  fault_ = made.error();
  return std::nullopt;
}

std::optional<Error> Core::Place() {
  const std::optional<Alignment> made = Ask();
  if (!made) return fault_;
  rank_ = made->rank();
  source_axes_ = arena_.Make<int32_t>(rows_.size() * rank_);
  if (source_axes_.size() == rows_.size() * rank_) {
    for (size_t row = 0; row < rows_.size(); ++row) {
      for (size_t axis = 0; axis < rank_; ++axis) {
        source_axes_[row * rank_ + axis] =
            (row < made->operand_count() ? made->cell(row, axis)
                                         : made->target_cell(axis))
                .source_axis;
      }
    }
  }
  const std::optional<Error>& error = made->error();
  // Extents conflict in one way or another according to the numbers; all other
  // errors are there whatever the numbers are.
  if (!error || error->error_class == ErrorClass::kOverflow ||
      (error->error_class == ErrorClass::kIncompatible &&
       error->detail != Detail::kSize)) {
    return std::nullopt;
  }
  return error;
}

void Core::PlaceByName() {
  List<std::string_view> names(arena_);
  for (const SymbolicShape& shape : request_.operands) {
    for (const std::string_view name : shape.axis_names) {
      if (std::ranges::find(names, name) == names.end()) names.Push(name);
    }
  }
  names_ = names.view();
  rank_ = names_.size();
  source_axes_ = arena_.Make<int32_t>(rows_.size() * rank_);
  if (arena_.refused()) return;
  for (size_t row = 0; row < rows_.size(); ++row) {
    const auto own = request_.operands[row].axis_names;
    for (size_t axis = 0; axis < rank_; ++axis) {
      const auto found = std::ranges::find(own, names_[axis]);
      source_axes_[row * rank_ + axis] =
          found == own.end() ? kAbsent
                             : static_cast<int32_t>(found - own.begin());
    }
  }
}

Core::Reply Core::AskAxis(size_t axis) {
  if (!request_.by_name) {
    const std::optional<Alignment> made = Ask();
    if (!made) return {.fits = false, .extent = 0};
    return {.fits = !made->conflicts(axis), .extent = made->output()[axis]};
  }
  // The extents of one name as shapes of rank 1, under the rule that nothing
  // stretches.
  int64_t extents[kMostSymbolicOperands];
  ShapeView shapes[kMostSymbolicOperands];
  size_t count = 0;
  for (size_t row = 0; row < rows_.size(); ++row) {
    const int32_t source = source_axes_[row * rank_ + axis];
    if (source == kAbsent) continue;
    extents[count] = ValueOf(rows_[row][static_cast<size_t>(source)]);
    shapes[count] = {extents + count, 1};
    ++count;
  }
  const Result<Shape> shape = InferShape(
      {.rule = Rule::kNone, .operands = {shapes, count}}, arena_.allocator());
  return {.fits = shape.has_value(), .extent = extents[0]};
}

bool Core::AskAll() {
  if (request_.by_name) {
    for (size_t axis = 0; axis < rank_; ++axis) {
      if (!AskAxis(axis).fits) return false;
    }
    return true;
  }
  const std::optional<Alignment> made = Ask();
  return made && (!made->error() ||
                  made->error()->error_class == ErrorClass::kOverflow);
}

}  // namespace v1
}  // namespace broadloom
