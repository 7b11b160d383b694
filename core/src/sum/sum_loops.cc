#include "sum/sum_loops.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "base/built.h"
#include "base/footprint.h"
#include "broadloom/alignment.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "sum/summation.h"

namespace broadloom {
inline namespace v1 {
namespace {

// The rows of the alignment: the input is operand A or the target, the summed
// shape the operand that broadcasts to it.
size_t ShapeRow(const Alignment& alignment) {
  return alignment.has_target() ? 0 : 1;
}
const AlignedCell& InputCell(const Alignment& alignment, size_t axis) {
  return alignment.has_target() ? alignment.target_cell(axis)
                                : alignment.cell(0, axis);
}

Status CheckExtents(ShapeView shape, int32_t operand, Rule rule) {
  const Result<int64_t> count = CountElements(shape);
  if (count || count.error().error_class != ErrorClass::kExtent) return {};
  Error error = count.error();
  error.rule = rule;
  error.operand = operand;
  return std::unexpected(error);
}

bool IsSummed(const Alignment& alignment, size_t axis) {
  return alignment.cell(ShapeRow(alignment), axis).relation != Relation::kMatch;
}

}  // namespace

Result<Alignment> AlignSum(DType dtype, ShapeView input, ShapeView shape,
                           Rule rule, std::optional<int64_t> axis,
                           std::optional<std::span<const int64_t>> axes_mapping,
                           const Allocator& allocator) noexcept {
  const ShapeView both[] = {input, shape};
  BroadcastRequest request{.rule = rule,
                           .operands = both,
                           .axis = axis,
                           .axes_mapping = axes_mapping,
                           .dtype = dtype};
  if (Traits(rule).takes_target) {
    request.operands = request.operands.last(1);
    request.target_shape = input;
  }
  Result<Alignment> alignment = Align(request, allocator);
  if (!alignment && alignment.error().error_class < ErrorClass::kExtent) {
    return alignment;
  }
  if (Status checked = CheckExtents(input, 0, rule); !checked) {
    return std::unexpected(checked.error());
  }
  if (Status checked = CheckExtents(shape, kOutputOperand, rule); !checked) {
    return std::unexpected(checked.error());
  }
  if (!CanBeSummed(dtype)) {
    return std::unexpected(Error{
        .error_class = ErrorClass::kDType,
        .detail = IsBuilt(dtype) ? Detail::kUnsupported : Detail::kNotBuilt,
        .rule = rule,
        .operand = 0,
        .dtype = dtype});
  }
  return alignment;
}

Status CheckSumFits(const Alignment& alignment, DType dtype) noexcept {
  if (alignment.error()) return std::unexpected(*alignment.error());
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    const AlignedCell& cell = InputCell(alignment, axis);
    if (cell.relation == Relation::kMatch) continue;
    const size_t row = ShapeRow(alignment);
    const AlignedCell& other = alignment.cell(row, axis);
    return std::unexpected(
        Error{.error_class = ErrorClass::kIncompatible,
              .detail = Detail::kOutput,
              .rule = alignment.rule(),
              .clause = cell.clause,
              .operand = alignment.has_target() ? kTargetOperand : 0,
              .other_operand = static_cast<int32_t>(row),
              .axis = static_cast<int32_t>(axis),
              .operand_axis = cell.source_axis,
              .other_axis = other.source_axis,
              .extent = cell.extent,
              .other_extent = other.extent});
  }
  const Result<int64_t> bytes =
      CountBytes(alignment.operand(ShapeRow(alignment)), dtype);
  if (bytes) return {};
  Error error = bytes.error();
  error.rule = alignment.rule();
  error.operand = kOutputOperand;
  return std::unexpected(error);
}

bool SumIsCopy(const Alignment& alignment) noexcept {
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    if (alignment.output()[axis] != 1 && IsSummed(alignment, axis)) {
      return false;
    }
  }
  return true;
}

bool MakeSumLoops(const Alignment& alignment, const TensorView& input,
                  LoopNest& nest, const Allocator& allocator) noexcept {
  Shape in_strides, out_strides;
  if (!DenseStrides(input.shape, in_strides, allocator) ||
      !out_strides.ResetForOverwrite(alignment.rank(), allocator) ||
      !alignment.Strides(ShapeRow(alignment), out_strides)) {
    return false;
  }
  const ShapeView own =
      input.strides.empty() ? in_strides.view() : input.strides;
  const auto stride_along = [&](size_t operand, size_t axis) {
    return operand == 0 ? own[axis] : out_strides[axis];
  };
  return nest.Reset(input.shape, 2, stride_along, allocator);
}

}  // namespace v1
}  // namespace broadloom
