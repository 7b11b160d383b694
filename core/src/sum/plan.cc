#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <utility>

#include "base/built.h"
#include "base/footprint.h"
#include "broadloom/alignment.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/add.h"

namespace broadloom {
inline namespace v1 {
namespace {

// The operand of the alignment that has the summed shape. The input's shape is
// operand A or the target (SumToOptions).
size_t SummedOperand(const Alignment& alignment) {
  return alignment.has_target() ? 0 : 1;
}
const AlignedCell& InputCell(const Alignment& alignment, size_t axis) {
  return alignment.has_target() ? alignment.target_cell(axis)
                                : alignment.cell(0, axis);
}

// Errors: kExtent, of a negative extent.
Status CheckExtents(ShapeView shape, int32_t operand, Rule rule) {
  const Result<int64_t> count = CountElements(shape);
  if (count || count.error().error_class != ErrorClass::kExtent) return {};
  Error error = count.error();
  error.rule = rule;
  error.operand = operand;
  return std::unexpected(error);
}

// Errors: kExtent, of the input or of the shape; kDType of a type that is not
// summed.
Status CheckQuestion(DType dtype, ShapeView input, ShapeView shape, Rule rule) {
  if (Status checked = CheckExtents(input, 0, rule); !checked) return checked;
  if (Status checked = CheckExtents(shape, kOutputOperand, rule); !checked) {
    return checked;
  }
  if (kernels::FindSumKernel(dtype) != nullptr) return {};
  return std::unexpected(
      Error{.error_class = ErrorClass::kDType,
            .detail = IsBuilt(dtype) ? Detail::kUnsupported : Detail::kNotBuilt,
            .rule = rule,
            .operand = 0,
            .dtype = dtype});
}

// Errors: the alignment's own; kIncompatible where the input would stretch;
// kOverflow where the bytes of the output cannot be counted. The output may be
// larger than the input if the input has no elements.
Status CheckShapes(const Alignment& alignment, DType dtype) {
  if (alignment.error()) return std::unexpected(*alignment.error());
  const size_t summed = SummedOperand(alignment);
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    const AlignedCell& cell = InputCell(alignment, axis);
    if (cell.relation == Relation::kMatch) continue;
    const AlignedCell& other = alignment.cell(summed, axis);
    return std::unexpected(
        Error{.error_class = ErrorClass::kIncompatible,
              .detail = Detail::kOutput,
              .rule = alignment.rule(),
              .clause = cell.clause,
              .operand = alignment.has_target() ? kTargetOperand : 0,
              .other_operand = static_cast<int32_t>(summed),
              .axis = static_cast<int32_t>(axis),
              .operand_axis = cell.source_axis,
              .other_axis = other.source_axis,
              .extent = cell.extent,
              .other_extent = other.extent});
  }
  const Result<int64_t> bytes = CountBytes(alignment.operand(summed), dtype);
  if (bytes) return {};
  Error error = bytes.error();
  error.rule = alignment.rule();
  error.operand = kOutputOperand;
  return std::unexpected(error);
}

uint64_t BytesOf(ShapeView shape, DType dtype) {
  return static_cast<uint64_t>(CountBytes(shape, dtype).value_or(0));
}

}  // namespace

Result<SumPlan> SumPlan::Make(DType dtype, ShapeView input, ShapeView shape,
                              const SumToOptions& options,
                              std::span<const int64_t> strides,
                              const Allocator& allocator) noexcept {
  Result<SumPlan> plan;
  if (Status made =
          plan->MakeHere(dtype, input, shape, options, strides, allocator);
      !made) {
    plan = std::unexpected(made.error());
  }
  return plan;
}

Status SumPlan::MakeHere(DType dtype, ShapeView input, ShapeView shape,
                         const SumToOptions& options,
                         std::span<const int64_t> strides,
                         const Allocator& allocator) noexcept {
  const ShapeView both[] = {input, shape};
  BroadcastRequest request{.rule = options.rule,
                           .operands = both,
                           .axis = options.axis,
                           .axes_mapping = options.axes_mapping,
                           .dtype = dtype};
  if (Traits(options.rule).takes_target) {
    request.operands = request.operands.last(1);
    request.target_shape = input;
  }
  const Result<Alignment> alignment = Align(request, allocator);
  if (alignment || alignment.error().error_class >= ErrorClass::kExtent) {
    if (Status checked = CheckQuestion(dtype, input, shape, options.rule);
        !checked) {
      return checked;
    }
  }
  if (!alignment) return std::unexpected(alignment.error());
  if (Status checked =
          CheckStrides({.dtype = dtype, .shape = input, .strides = strides});
      !checked) {
    checked.error().rule = options.rule;
    checked.error().operand = 0;
    return checked;
  }
  if (Status checked = CheckShapes(*alignment, dtype); !checked) return checked;
  if (Take(*alignment, dtype, input, shape, strides, allocator)) return {};
  return std::unexpected(
      Error{.error_class = ErrorClass::kAllocation, .rule = options.rule});
}

bool SumPlan::Take(const Alignment& alignment, DType dtype, ShapeView input,
                   ShapeView shape, std::span<const int64_t> strides,
                   const Allocator& allocator) noexcept {
  dtype_ = dtype;
  rule_ = alignment.rule();
  kernel_ = kernels::FindSumKernel(dtype);
  rank_ = input.size();
  // Both can be counted: CheckShapes would have found an error.
  input_bytes_ = BytesOf(input, dtype);
  output_bytes_ = BytesOf(shape, dtype);
  const size_t rank = input.size();
  if (!values_.ResetForOverwrite(3 * rank + shape.size(), allocator)) {
    return false;
  }
  const std::span<int64_t> values = values_.view();
  std::ranges::copy(input, values.begin());
  std::ranges::copy(shape, values.subspan(3 * rank).begin());
  const std::span<int64_t> planned = values.subspan(rank, rank);
  DenseStrides(input, planned);
  if (!strides.empty()) {
    dense_ = std::ranges::equal(strides, planned);
    std::ranges::copy(strides, planned.begin());
  }
  const std::span<int64_t> output = values.subspan(2 * rank, rank);
  if (!alignment.Strides(SummedOperand(alignment), output)) return false;
  if (input_bytes_ == 0) return true;
  kind_ = Kind::kCopied;
  for (size_t axis = 0; axis < rank; ++axis) {
    if (input[axis] != 1 && output[axis] == 0) kind_ = Kind::kSummed;
  }
  return MakeLoops(planned, loops_, allocator);
}

// A plan that was never made is an error as with Plan: it was made for another
// number of operands, namely none.
Status SumPlan::CheckMade() const noexcept {
  if (kernel_ != nullptr) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kArity,
                               .detail = Detail::kOtherCount,
                               .rule = rule_,
                               .extent = 1});
}

bool SumPlan::MakeLoops(ShapeView strides, Loops& loops,
                        const Allocator& allocator) const noexcept {
  if (kind_ != Kind::kSummed) return true;
  const ShapeView output = output_strides();
  return loops.nest.Reset(
             input_shape(), 2,
             [&](size_t operand, size_t axis) {
               return operand == 0 ? strides[axis] : output[axis];
             },
             allocator) &&
         loops.order.Reset(loops.nest, dtype_, allocator);
}

bool SumPlan::CopyOrderOfDense(SumOrder& order,
                               const Allocator& allocator) const noexcept {
  if (dense_) return order.CopyFrom(loops_.order, allocator);
  Shape strides;
  Loops loops;
  if (!strides.ResetForOverwrite(rank_, allocator)) return false;
  DenseStrides(input_shape(), strides.view());
  if (!MakeLoops(strides.view(), loops, allocator)) return false;
  order = std::move(loops.order);
  return true;
}

}  // namespace v1
}  // namespace broadloom
