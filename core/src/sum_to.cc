#include "broadloom/sum_to.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/memory.h"
#include "broadloom/nest.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/schedule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "footprint.h"
#include "kernels/kernels.h"
#include "summation.h"

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

// The alignment of the two shapes, which may hold an error. Fails where the
// question itself is wrong.
Result<Alignment> AlignSum(DType dtype, ShapeView input, ShapeView shape,
                           const SumToOptions& options,
                           const Allocator& allocator) {
  const bool has_target = Traits(options.rule).takes_target;
  const ShapeView both[] = {input, shape};
  BroadcastRequest request{.rule = options.rule,
                           .operands = both,
                           .axis = options.axis,
                           .axes_mapping = options.axes_mapping,
                           .dtype = dtype};
  if (has_target) {
    request.operands = request.operands.last(1);
    request.target_shape = input;
  }
  Result<Alignment> alignment = Align(request, allocator);
  if (!alignment && alignment.error().error_class < ErrorClass::kExtent) {
    return alignment;
  }
  if (Status checked = CheckExtents(input, 0, options.rule); !checked) {
    return std::unexpected(checked.error());
  }
  if (Status checked = CheckExtents(shape, kOutputOperand, options.rule);
      !checked) {
    return std::unexpected(checked.error());
  }
  if (!CanBeSummed(dtype)) {
    return std::unexpected(Error{.error_class = ErrorClass::kDType,
                                 .detail = Detail::kUnsupported,
                                 .rule = options.rule,
                                 .operand = 0,
                                 .dtype = dtype});
  }
  return alignment;
}

// Whether the shapes broadcast, and to the input's.
Status CheckFit(const Alignment& alignment) {
  if (alignment.error()) return std::unexpected(*alignment.error());
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    const AlignedCell& cell = InputCell(alignment, axis);
    if (cell.relation == Relation::kMatch) continue;
    const size_t row = ShapeRow(alignment);
    const AlignedCell& other = alignment.cell(row, axis);
    return std::unexpected(
        Error{.error_class = ErrorClass::kIncompatible,
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
  return {};
}

// Bytes of a dense tensor; what cannot be counted is said by the alignment.
uint64_t BytesOf(const TensorView& tensor) {
  return static_cast<uint64_t>(
      CountBytes(tensor.shape, tensor.dtype).value_or(0));
}

// Whether the memory of a tensor is what its shape and strides say.
Status CheckMemory(const TensorView& tensor, int32_t operand, Rule rule) {
  Elements elements;
  Status checked = CheckStrides(tensor);
  if (checked) checked = FindElements(tensor, BytesOf(tensor), elements);
  if (checked) return checked;
  Error error = checked.error();
  error.rule = rule;
  error.operand = operand;
  return std::unexpected(error);
}

Status CheckOverlap(const TensorView& input, const MutableTensorView& output,
                    Rule rule) {
  const MemoryRange in = RangeOf(input, BytesOf(input), 0);
  const MemoryRange out = RangeOf(output, BytesOf(output), 0);
  if (in.begin >= out.end || out.begin >= in.end || in.begin == in.end ||
      out.begin == out.end || InPlace(input, output)) {
    return {};
  }
  return std::unexpected(Error{.error_class = ErrorClass::kOverlap,
                               .rule = rule,
                               .operand = kOutputOperand,
                               .other_operand = 0});
}

Status Refused(Rule rule) {
  return std::unexpected(
      Error{.error_class = ErrorClass::kAllocation, .rule = rule});
}

// Elements from one index to the next along each axis, when they are dense.
bool DenseStrides(ShapeView shape, Shape& strides, const Allocator& allocator) {
  if (!strides.ResetForOverwrite(shape.size(), allocator)) return false;
  int64_t dense = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = dense;
    dense *= shape[axis];
  }
  return true;
}

bool IsSummed(const Alignment& alignment, size_t axis) {
  return alignment.cell(ShapeRow(alignment), axis).relation != Relation::kMatch;
}

// Where nothing is summed the output is a copy.
bool IsCopy(const Alignment& alignment) {
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    if (alignment.output()[axis] != 1 && IsSummed(alignment, axis)) {
      return false;
    }
  }
  return true;
}

// The loops of the input as it walks itself and, where there is a sum, the
// output, which stands still along what is summed.
bool MakeLoops(const Alignment& alignment, const TensorView& input,
               ShapeView sums, LoopNest& nest, const Allocator& allocator) {
  Shape in_strides, out_strides;
  if (!DenseStrides(input.shape, in_strides, allocator) ||
      !DenseStrides(sums, out_strides, allocator)) {
    return false;
  }
  const ShapeView own =
      input.strides.empty() ? in_strides.view() : input.strides;
  const size_t row = ShapeRow(alignment);
  const auto stride_along = [&](size_t operand, size_t axis) -> int64_t {
    if (operand == 0) return own[axis];
    if (IsSummed(alignment, axis)) return 0;
    return out_strides[static_cast<size_t>(
        alignment.cell(row, axis).source_axis)];
  };
  return nest.Reset(input.shape, IsCopy(alignment) ? 1 : 2, stride_along,
                    allocator);
}

// To the bit, as a sum would not.
bool Copy(const TensorView& input, const LoopNest& nest, void* output,
          const Allocator& allocator) {
  const uint8_t bits = static_cast<uint8_t>(BitsOf(input.dtype));
  Schedule schedule;
  if (!schedule.Reset(nest, {&bits, 1}, bits, allocator)) return false;
  const kernels::TaskOperand operand = {input.data, input.offset, input.bytes};
  const kernels::Kernel* const moves =
      kernels::FindKernel(Op::kBroadcast, {&input.dtype, 1}, {});
  moves->run({.nest = &nest,
              .schedule = &schedule,
              .operands = &operand,
              .out = output,
              .out_first = 0,
              .begin = 0,
              .end = schedule.run_count(),
              .past_caches = false});
  return true;
}

}  // namespace

Status CheckSumTo(DType dtype, ShapeView input, ShapeView shape,
                  const SumToOptions& options,
                  const Allocator& allocator) noexcept {
  const Result<Alignment> alignment =
      AlignSum(dtype, input, shape, options, allocator);
  if (!alignment) return std::unexpected(alignment.error());
  return CheckFit(*alignment);
}

Status SumTo(const TensorView& input, const MutableTensorView& output,
             const SumToOptions& options, const Allocator& allocator) noexcept {
  const Result<Alignment> alignment =
      AlignSum(input.dtype, input.shape, output.shape, options, allocator);
  if (!alignment) return std::unexpected(alignment.error());
  if (output.dtype != input.dtype) {
    return std::unexpected(Error{.error_class = ErrorClass::kDType,
                                 .detail = Detail::kOutput,
                                 .rule = options.rule,
                                 .operand = kOutputOperand,
                                 .dtype = output.dtype,
                                 .other_dtype = input.dtype});
  }
  Status checked = CheckMemory(input, 0, options.rule);
  if (checked) checked = CheckMemory(output, kOutputOperand, options.rule);
  if (checked) checked = CheckFit(*alignment);
  if (checked) checked = CheckOverlap(input, output, options.rule);
  if (!checked) return checked;

  const uint64_t out_bytes = BytesOf(output);
  if (out_bytes == 0) return {};
  if (BytesOf(input) == 0) {
    std::memset(output.data, 0, static_cast<size_t>(out_bytes));
    return {};
  }
  LoopNest nest;
  if (!MakeLoops(*alignment, input, output.shape, nest, allocator)) {
    return Refused(options.rule);
  }
  if (IsCopy(*alignment)) {
    const bool done =
        InPlace(input, output) || Copy(input, nest, output.data, allocator);
    return done ? Status{} : Refused(options.rule);
  }
  const auto* const data = static_cast<const unsigned char*>(input.data);
  const void* const first = data + input.offset * (BitsOf(input.dtype) / 8);
  Sum(nest, input.dtype, first, data + input.bytes, output.data,
      options.parallel);
  return {};
}

Result<Tensor> SumTo(const TensorView& input, ShapeView shape,
                     const SumToOptions& options,
                     const Allocator& allocator) noexcept {
  // Data too short for its shape says more than what the shapes clash in.
  const Status checked =
      CheckSumTo(input.dtype, input.shape, shape, options, allocator);
  if (checked || checked.error().error_class > ErrorClass::kLength) {
    if (Status whole = CheckMemory(input, 0, options.rule); !whole) {
      return std::unexpected(whole.error());
    }
  }
  if (!checked) return std::unexpected(checked.error());
  Result<Tensor> out = Tensor::Allocate(input.dtype, shape, allocator);
  if (!out) return out;
  if (Status summed = SumTo(input, out->view(), options, allocator); !summed) {
    return std::unexpected(summed.error());
  }
  return out;
}

}  // namespace v1
}  // namespace broadloom
