#include "broadloom/sum_to.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "base/footprint.h"
#include "broadloom/alignment.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/find.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "sum/sum_loops.h"
#include "sum/summation.h"

namespace broadloom {
inline namespace v1 {
namespace {

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

// To the bit, as a sum would not.
bool Copy(const TensorView& input, void* output, const Allocator& allocator) {
  const uint8_t bits = static_cast<uint8_t>(BitsOf(input.dtype));
  Shape dense;
  if (!DenseStrides(input.shape, dense, allocator)) return false;
  const ShapeView strides =
      input.strides.empty() ? dense.view() : input.strides;
  Work work;
  if (!work.Reset(
          input.shape, [&](size_t, size_t axis) { return strides[axis]; },
          {&bits, 1}, bits, allocator)) {
    return false;
  }
  const OperandMemory operand =
      MemoryOf(work.nest, 0, input.data, input.offset, bits);
  const kernels::Kernel* const moves =
      kernels::FindKernel(Op::kBroadcast, {&input.dtype, 1}, {});
  moves->run({.work = &work,
              .operands = &operand,
              .out = output,
              .out_first = 0,
              .begin = 0,
              .end = work.schedule.run_count(),
              .past_caches = false});
  return true;
}

}  // namespace

Status CheckSumTo(DType dtype, ShapeView input, ShapeView shape,
                  const SumToOptions& options,
                  const Allocator& allocator) noexcept {
  const Result<Alignment> alignment =
      AlignSum(dtype, input, shape, options.rule, options.axis,
               options.axes_mapping, allocator);
  if (!alignment) return std::unexpected(alignment.error());
  return CheckSumFits(*alignment, dtype);
}

Status SumTo(const TensorView& input, const MutableTensorView& output,
             const SumToOptions& options, const Allocator& allocator) noexcept {
  const Result<Alignment> alignment =
      AlignSum(input.dtype, input.shape, output.shape, options.rule,
               options.axis, options.axes_mapping, allocator);
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
  if (checked) checked = CheckSumFits(*alignment, input.dtype);
  if (checked) checked = CheckOverlap(input, output, options.rule);
  if (!checked) return checked;

  const uint64_t out_bytes = BytesOf(output);
  if (out_bytes == 0) return {};
  if (BytesOf(input) == 0) {
    std::memset(output.data, 0, static_cast<size_t>(out_bytes));
    return {};
  }
  if (SumIsCopy(*alignment)) {
    const bool done =
        InPlace(input, output) || Copy(input, output.data, allocator);
    return done ? Status{} : Refused(options.rule);
  }
  LoopNest nest;
  SumOrder order;
  if (!MakeSumLoops(*alignment, input, nest, allocator) ||
      !order.Reset(nest, input.dtype, allocator)) {
    return Refused(options.rule);
  }
  const int bits = BitsOf(input.dtype);
  const OperandMemory memory =
      MemoryOf(nest, 0, input.data, input.offset, bits);
  const auto* const data = static_cast<const unsigned char*>(memory.data);
  const void* const first = data + memory.first * (bits / 8);
  const void* const end = memory.has_gaps() ? nullptr : data + memory.bytes;
  Sum(order, input.dtype, first, end, output.data, options.parallel);
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
