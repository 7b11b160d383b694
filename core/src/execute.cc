#include "broadloom/execute.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>
#include <type_traits>

#include "broadloom/alignment.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/kernels.h"

namespace broadloom {
inline namespace v1 {
namespace {

// A loop has at least two steps and the steps of all multiply to an int64_t.
constexpr size_t kMostLoops = 63;

Error Fault(const Plan& plan, ErrorClass error_class, int32_t operand) {
  return Error{.error_class = error_class,
               .rule = plan.rule(),
               .op = plan.op(),
               .operand = operand};
}

// Whether `tensor` is what the plan was made for.
Status CheckTensor(const Plan& plan, const TensorView& tensor, DType dtype,
                   ShapeView shape, int32_t operand) {
  if (tensor.dtype != dtype) {
    Error error = Fault(plan, ErrorClass::kDType, operand);
    error.detail = operand == kOutputOperand ? Detail::kOutput : Detail::kMixed;
    error.dtype = tensor.dtype;
    error.other_dtype = dtype;
    return std::unexpected(error);
  }
  if (!std::ranges::equal(tensor.shape, shape)) {
    Error error = Fault(plan, ErrorClass::kIncompatible, operand);
    error.detail = operand == kOutputOperand ? Detail::kOutput : Detail::kSize;
    error.extent = static_cast<int64_t>(tensor.shape.size());
    error.other_extent = static_cast<int64_t>(shape.size());
    const size_t common = std::min(tensor.shape.size(), shape.size());
    for (size_t axis = 0; axis < common; ++axis) {
      if (tensor.shape.size() != shape.size()) break;
      if (tensor.shape[axis] == shape[axis]) continue;
      error.operand_axis = static_cast<int32_t>(axis);
      error.extent = tensor.shape[axis];
      error.other_extent = shape[axis];
      break;
    }
    return std::unexpected(error);
  }
  // Countable: the plan has counted it.
  const int64_t bytes = CountBytes(shape, dtype).value_or(0);
  if (static_cast<uint64_t>(bytes) > tensor.bytes ||
      (bytes > 0 && tensor.data == nullptr)) {
    Error error = Fault(plan, ErrorClass::kLength, operand);
    error.dtype = dtype;
    error.extent =
        tensor.data == nullptr ? 0 : static_cast<int64_t>(tensor.bytes);
    error.other_extent = bytes;
    return std::unexpected(error);
  }
  return {};
}

Status CheckLengths(Op op, std::span<const TensorView> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorView& input = inputs[i];
    const Result<int64_t> bytes = CountBytes(input.shape, input.dtype);
    const size_t held = input.data == nullptr ? 0 : input.bytes;
    if (!bytes || static_cast<uint64_t>(*bytes) <= held) continue;
    return std::unexpected(Error{.error_class = ErrorClass::kLength,
                                 .op = op,
                                 .operand = static_cast<int32_t>(i),
                                 .extent = static_cast<int64_t>(held),
                                 .other_extent = *bytes,
                                 .dtype = input.dtype});
  }
  return {};
}

// The memory of one result, and which one it is.
struct OutputRange {
  uintptr_t begin;
  uintptr_t end;
  size_t output;
};

OutputRange RangeOf(const TensorView& tensor, size_t output) {
  const int64_t bytes = CountBytes(tensor.shape, tensor.dtype).value_or(0);
  const uintptr_t begin = reinterpret_cast<uintptr_t>(tensor.data);
  return {begin, begin + static_cast<uintptr_t>(bytes), output};
}

// Whether the result may take the place of the operand: every element is read
// just before its own place is written.
bool InPlace(const TensorView& input, const TensorView& output) {
  return input.data == output.data &&
         Info(input.dtype).bits == Info(output.dtype).bits &&
         std::ranges::equal(input.shape, output.shape);
}

// Results are sorted by where they lie, so that each operand meets only those
// that it overlaps.
Status CheckOverlap(const Plan& plan, std::span<const TensorView> inputs,
                    std::span<const MutableTensorView> outputs,
                    const Allocator& allocator) {
  Error error = Fault(plan, ErrorClass::kOverlap, kOutputOperand);
  InlineArray<OutputRange, kInlineOperands> ranges;
  if (!ranges.Reset(outputs.size(), allocator)) {
    error.error_class = ErrorClass::kAllocation;
    return std::unexpected(error);
  }
  size_t count = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputRange range = RangeOf(outputs[i], i);
    if (range.begin != range.end) ranges[count++] = range;
  }
  const std::span<OutputRange> sorted = ranges.view().first(count);
  std::ranges::sort(sorted, {}, &OutputRange::begin);
  for (size_t i = 1; i < count; ++i) {
    if (sorted[i - 1].end <= sorted[i].begin) continue;
    error.other_operand = kOutputOperand;
    return std::unexpected(error);
  }
  for (size_t in = 0; in < inputs.size(); ++in) {
    const OutputRange input = RangeOf(inputs[in], 0);
    if (input.begin == input.end) continue;
    auto met =
        std::ranges::upper_bound(sorted, input.begin, {}, &OutputRange::end);
    for (; met != sorted.end() && met->begin < input.end; ++met) {
      // With several results only the operand's own one may replace it.
      const bool own = outputs.size() == 1 || in == met->output;
      if (own && InPlace(inputs[in], outputs[met->output])) continue;
      error.other_operand = static_cast<int32_t>(in);
      return std::unexpected(error);
    }
  }
  return {};
}

// `elements` elements after `data`: whole bytes, and for packed types bits.
template <class Pointer>
Pointer Advance(Pointer data, uint64_t elements, int bits,
                uint64_t& first_bit) {
  using Byte =
      std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>,
                         const char, char>;
  const uint64_t bit = elements * static_cast<uint64_t>(bits);
  first_bit = bit % 8;
  return static_cast<Byte*>(data) + bit / 8;
}

// Walks the outer loops and hands the two innermost ones to the kernel, for the
// operands [first, first + inputs.size()) of the plan.
void Walk(const Plan& plan, size_t first, std::span<const TensorView> inputs,
          const MutableTensorView& output,
          std::span<kernels::BlockOperand> operands) {
  const size_t loops = plan.loop_count();
  const size_t outer = loops < 2 ? 0 : loops - 2;
  const int out_bits = Info(output.dtype).bits;
  kernels::Block block{.operands = operands.data(),
                       .operand_count = operands.size(),
                       .out = output.data,
                       .out_first_bit = 0,
                       .rows = 1,
                       .columns = 1};
  if (loops > 0) {
    block.columns = static_cast<size_t>(plan.loop_extent(loops - 1));
  }
  if (loops > 1) block.rows = static_cast<size_t>(plan.loop_extent(loops - 2));
  for (size_t i = 0; i < operands.size(); ++i) {
    operands[i].row_stride = loops > 1 ? plan.stride(first + i, loops - 2) : 0;
    operands[i].repeats = loops > 0 && plan.stride(first + i, loops - 1) == 0;
  }

  int64_t index[kMostLoops] = {};
  const uint64_t block_elements = uint64_t{block.rows} * block.columns;
  for (uint64_t done = 0;; done += block_elements) {
    block.out = Advance(output.data, done, out_bits, block.out_first_bit);
    for (size_t i = 0; i < operands.size(); ++i) {
      uint64_t offset = 0;
      for (size_t loop = 0; loop < outer; ++loop) {
        offset += static_cast<uint64_t>(index[loop]) *
                  static_cast<uint64_t>(plan.stride(first + i, loop));
      }
      operands[i].data =
          Advance(inputs[i].data, offset, Info(inputs[i].dtype).bits,
                  operands[i].first_bit);
    }
    plan.kernel()->run(block);
    size_t loop = outer;
    while (loop > 0 && ++index[loop - 1] == plan.loop_extent(loop - 1)) {
      index[--loop] = 0;
    }
    if (loop == 0) return;
  }
}

// Packed types leave bits over in the last byte: they are 0 in every result,
// so that equal results have equal bytes.
void ClearSpareBits(const MutableTensorView& output) {
  const int bits = Info(output.dtype).bits;
  if (bits >= 8) return;
  const int64_t bytes = CountBytes(output.shape, output.dtype).value_or(0);
  const int64_t used =
      CountElements(output.shape).value_or(0) % (8 / bits) * bits;
  if (used == 0) return;
  unsigned char& last = static_cast<unsigned char*>(output.data)[bytes - 1];
  // One-bit elements fill a byte from its highest bit, nibbles from its lowest.
  const unsigned mask = bits == 1 ? 0xFF00u >> used : (1u << used) - 1;
  last = static_cast<unsigned char>(last & mask);
}

}  // namespace

Status Run(const Plan& plan, std::span<const TensorView> inputs,
           std::span<const MutableTensorView> outputs,
           const Allocator& allocator) noexcept {
  if (inputs.size() != plan.operand_count() ||
      outputs.size() != plan.output_count()) {
    const bool of_inputs = inputs.size() != plan.operand_count();
    Error error =
        Fault(plan, ErrorClass::kArity, of_inputs ? kAbsent : kOutputOperand);
    error.extent =
        static_cast<int64_t>(of_inputs ? inputs.size() : outputs.size());
    error.other_extent = static_cast<int64_t>(of_inputs ? plan.operand_count()
                                                        : plan.output_count());
    return std::unexpected(error);
  }
  if (plan.kernel() == nullptr) {  // a plan that was never made
    return std::unexpected(Fault(plan, ErrorClass::kArity, kOutputOperand));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    Status checked =
        CheckTensor(plan, inputs[i], plan.dtype(i), plan.operand_shape(i),
                    static_cast<int32_t>(i));
    if (!checked) return checked;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    Status checked = CheckTensor(plan, outputs[i], plan.output_dtype(i),
                                 plan.output_shape(), kOutputOperand);
    if (!checked) return checked;
  }
  if (Status checked = CheckOverlap(plan, inputs, outputs, allocator);
      !checked) {
    return checked;
  }
  if (plan.loop_count() == 1 && plan.loop_extent(0) == 0) return {};

  if (outputs.size() > 1) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      kernels::BlockOperand operand;
      Walk(plan, i, inputs.subspan(i, 1), outputs[i], {&operand, 1});
      ClearSpareBits(outputs[i]);
    }
    return {};
  }
  InlineArray<kernels::BlockOperand, kInlineOperands> operands;
  if (!operands.Reset(inputs.size(), allocator)) {
    return std::unexpected(
        Fault(plan, ErrorClass::kAllocation, kOutputOperand));
  }
  Walk(plan, 0, inputs, outputs[0], operands.view());
  ClearSpareBits(outputs[0]);
  return {};
}

Result<Plan> MakePlan(Op op, std::span<const ShapeView> shapes,
                      std::span<const DType> dtypes,
                      const ApplyOptions& options,
                      const Allocator& allocator) noexcept {
  const Rule rule = options.rule.value_or(DefaultRule(op));
  if (Status checked =
          CheckOperator(op, rule, shapes.size(), options.attributes);
      !checked) {
    return std::unexpected(checked.error());
  }
  Result<Alignment> alignment = Align({.rule = rule,
                                       .operands = shapes,
                                       .axis = options.axis,
                                       .target_shape = options.target_shape,
                                       .axes_mapping = options.axes_mapping},
                                      allocator);
  if (!alignment) {
    Error error = alignment.error();
    error.op = op;
    return std::unexpected(error);
  }
  return Plan::Make(op, *alignment, dtypes, options.attributes, allocator);
}

Result<Tensor> Apply(Op op, std::span<const TensorView> inputs,
                     const ApplyOptions& options,
                     const Allocator& allocator) noexcept {
  InlineArray<ShapeView, kInlineOperands> shapes;
  InlineArray<DType, kInlineOperands> dtypes;
  if (!shapes.Reset(inputs.size(), allocator) ||
      !dtypes.Reset(inputs.size(), allocator)) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kAllocation, .op = op});
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    shapes[i] = inputs[i].shape;
    dtypes[i] = inputs[i].dtype;
  }
  const Result<Plan> plan =
      MakePlan(op, shapes.view(), dtypes.view(), options, allocator);
  // Data too short for its shape says more than what the shapes clash in.
  if (plan || plan.error().error_class > ErrorClass::kLength) {
    if (Status checked = CheckLengths(op, inputs); !checked) {
      return std::unexpected(checked.error());
    }
  }
  if (!plan) return std::unexpected(plan.error());
  if (plan->output_count() != 1) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kArity,
              .rule = plan->rule(),
              .op = op,
              .operand = kOutputOperand,
              .extent = static_cast<int64_t>(plan->output_count()),
              .other_extent = 1});
  }
  Result<Tensor> out =
      Tensor::Allocate(plan->output_dtype(), plan->output_shape(), allocator);
  if (!out) return out;
  const MutableTensorView view = out->view();
  if (Status ran = Run(*plan, inputs, {&view, 1}, allocator); !ran) {
    return std::unexpected(ran.error());
  }
  return out;
}

std::string_view ActiveTarget() noexcept { return kernels::TargetName(); }

}  // namespace v1
}  // namespace broadloom
