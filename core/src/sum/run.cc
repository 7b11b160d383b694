// Runs a SumPlan on tensors that lie in memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "base/footprint.h"
#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/sum_to.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/find.h"
#include "kernels/rows/task.h"
#include "kernels/sum/add.h"
#include "loops/operand_memory.h"
#include "sum/in_memory.h"

namespace broadloom {
inline namespace v1 {
namespace {

// --- Checks -----------------------------------------------------------------
// The input is operand 0.

// Errors: kDType when the tensor is not of type `wanted`.
Status CheckType(const TensorView& tensor, DType wanted, int32_t operand,
                 Rule rule) {
  if (tensor.dtype == wanted) return {};
  return std::unexpected(Error{
      .error_class = ErrorClass::kDType,
      .detail = operand == kOutputOperand ? Detail::kOutput : Detail::kMixed,
      .rule = rule,
      .operand = operand,
      .dtype = tensor.dtype,
      .other_dtype = wanted});
}

// Errors: kIncompatible when the tensor is not of shape `wanted`: the number of
// axes differs, or the extent of the first axis that is named.
Status CheckShape(const TensorView& tensor, ShapeView wanted, int32_t operand,
                  Rule rule) {
  const ShapeView shape = tensor.shape;
  if (std::ranges::equal(shape, wanted)) return {};
  Error error{
      .error_class = ErrorClass::kIncompatible,
      .detail = operand == kOutputOperand ? Detail::kOutput : Detail::kSize,
      .rule = rule,
      .operand = operand,
      .extent = static_cast<int64_t>(shape.size()),
      .other_extent = static_cast<int64_t>(wanted.size())};
  if (shape.size() == wanted.size()) {
    size_t axis = 0;
    while (shape[axis] == wanted[axis]) ++axis;
    error.operand_axis = static_cast<int32_t>(axis);
    error.extent = shape[axis];
    error.other_extent = wanted[axis];
  }
  return std::unexpected(error);
}

// Errors: kIncompatible (kStrides) and kLength when the tensor's memory is not
// what its shape and strides need. `dense_bytes` is what its shape alone needs.
Status CheckMemory(const TensorView& tensor, uint64_t dense_bytes,
                   int32_t operand, Rule rule) {
  Elements elements;
  Status checked = CheckStrides(tensor);
  if (checked) checked = FindElements(tensor, dense_bytes, elements);
  if (checked) return checked;
  checked.error().rule = rule;
  checked.error().operand = operand;
  return checked;
}

// As above. Bytes that cannot be counted are another error, of SumPlan::Make.
Status CheckMemory(const TensorView& tensor, int32_t operand, Rule rule) {
  const Result<int64_t> bytes = CountBytes(tensor.shape, tensor.dtype);
  return CheckMemory(tensor, static_cast<uint64_t>(bytes.value_or(0)), operand,
                     rule);
}

// Whether errors of memory come before an error of SumPlan::Make: data that is
// too short for its shape explains more than that two shapes clash.
bool ComesAfterMemory(const Error& error) {
  return error.error_class > ErrorClass::kLength;
}

// --- Copies -----------------------------------------------------------------
// Where nothing is summed. Adding an element to -0 instead would not keep every
// bit of a NaN.

// Not inlined into Copy, whose stack frame it would enlarge. False when memory
// is refused.
[[gnu::noinline]] bool CopyStrided(const TensorView& input, void* output,
                                   const Allocator& allocator) {
  const uint8_t bits = static_cast<uint8_t>(BitsOf(input.dtype));
  Work work;
  if (!work.Reset(
          input.shape, [&](size_t, size_t axis) { return input.strides[axis]; },
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

// `bytes` are those of the output. False when memory is refused.
bool Copy(const TensorView& input, const MutableTensorView& output,
          size_t bytes, const Allocator& allocator) {
  if (InPlace(input, output)) return true;
  if (!input.strides.empty()) {
    return CopyStrided(input, output.data, allocator);
  }
  const auto* const data = static_cast<const std::byte*>(input.data);
  std::memcpy(output.data, data + input.offset * (BitsOf(input.dtype) / 8),
              bytes);
  return true;
}

}  // namespace

// --- SumPlan ----------------------------------------------------------------

Status SumPlan::CheckInput(const TensorView& input) const noexcept {
  Status checked = CheckMade();
  if (checked) checked = CheckType(input, dtype_, 0, rule_);
  if (checked) checked = CheckShape(input, input_shape(), 0, rule_);
  return checked;
}

Status SumPlan::Check(const TensorView& input,
                      const MutableTensorView& output) const noexcept {
  Status checked = CheckInput(input);
  if (checked) checked = CheckType(output, dtype_, kOutputOperand, rule_);
  if (checked) {
    checked = CheckShape(output, output_shape(), kOutputOperand, rule_);
  }
  if (checked) checked = CheckMemory(input, input_bytes_, 0, rule_);
  if (checked) {
    checked = CheckMemory(output, output_bytes_, kOutputOperand, rule_);
  }
  if (!checked) return checked;
  const MemoryRange in = RangeOf(input, input_bytes_, 0);
  const MemoryRange out = RangeOf(output, output_bytes_, 0);
  if (in.begin >= out.end || out.begin >= in.end || in.begin == in.end ||
      out.begin == out.end || InPlace(input, output)) {
    return {};
  }
  return std::unexpected(Error{.error_class = ErrorClass::kOverlap,
                               .rule = rule_,
                               .operand = kOutputOperand,
                               .other_operand = 0});
}

void SumPlan::RunLoops(const Loops& loops, const TensorView& input,
                       void* output,
                       const SumRunOptions& options) const noexcept {
  const int bits = BitsOf(dtype_);
  const OperandMemory memory =
      MemoryOf(loops.nest, 0, input.data, input.offset, bits);
  const auto* const data = static_cast<const unsigned char*>(memory.data);
  const void* const first = data + memory.first * (bits / 8);
  const void* const end = memory.has_gaps() ? nullptr : data + memory.bytes;
  SumInMemory(loops.order, *kernel_, first, end, output, options.parallel);
}

Status SumPlan::Run(const TensorView& input, const MutableTensorView& output,
                    const SumRunOptions& options,
                    const Allocator& allocator) const noexcept {
  if (Status checked = Check(input, output); !checked) return checked;
  const size_t bytes = static_cast<size_t>(uint64_t{output_bytes_});
  if (bytes == 0) return {};
  bool done = true;
  switch (kind_) {
    case Kind::kZero:
      std::memset(output.data, 0, bytes);
      break;
    case Kind::kCopied:
      done = Copy(input, output, bytes, allocator);
      break;
    case Kind::kSummed:
      if (HasPlannedStrides(input)) {
        RunLoops(loops_, input, output.data, options);
      } else {
        done = RunOtherStrides(input, output.data, options, allocator);
      }
  }
  if (done) return {};
  return std::unexpected(
      Error{.error_class = ErrorClass::kAllocation, .rule = rule_});
}

bool SumPlan::HasPlannedStrides(const TensorView& input) const noexcept {
  return input.strides.empty()
             ? dense_
             : std::ranges::equal(input.strides, input_strides());
}

// Not inlined into Run, whose stack frame it would enlarge.
[[gnu::noinline]] bool SumPlan::RunOtherStrides(
    const TensorView& input, void* output, const SumRunOptions& options,
    const Allocator& allocator) const noexcept {
  ShapeView strides = input.strides;
  Shape dense;
  if (strides.empty()) {
    if (!dense.ResetForOverwrite(rank_, allocator)) return false;
    DenseStrides(input.shape, dense.view());
    strides = dense.view();
  }
  Loops loops;
  if (!MakeLoops(strides, loops, allocator)) return false;
  RunLoops(loops, input, output, options);
  return true;
}

Result<Tensor> SumPlan::Run(const TensorView& input,
                            const SumRunOptions& options,
                            const Allocator& allocator) const noexcept {
  // Before memory is asked for.
  Status checked = CheckInput(input);
  if (checked) checked = CheckMemory(input, input_bytes_, 0, rule_);
  if (!checked) return std::unexpected(checked.error());
  Result<Tensor> out = Tensor::Allocate(dtype_, output_shape(), allocator);
  if (!out) return out;
  if (Status ran = Run(input, out->view(), options, allocator); !ran) {
    out = std::unexpected(ran.error());
  }
  return out;
}

// --- SumTo ------------------------------------------------------------------

Status SumTo(const TensorView& input, const MutableTensorView& output,
             const SumToOptions& options, const Allocator& allocator) noexcept {
  const Result<SumPlan> plan =
      SumPlan::Make(input.dtype, input.shape, output.shape, options,
                    input.strides, allocator);
  if (plan)
    return plan->Run(input, output, SumRunOptions{options.parallel}, allocator);
  if (ComesAfterMemory(plan.error())) {
    Status checked =
        CheckType(output, input.dtype, kOutputOperand, options.rule);
    if (checked) checked = CheckMemory(input, 0, options.rule);
    if (checked) checked = CheckMemory(output, kOutputOperand, options.rule);
    if (!checked) return checked;
  }
  return std::unexpected(plan.error());
}

Result<Tensor> SumTo(const TensorView& input, ShapeView shape,
                     const SumToOptions& options,
                     const Allocator& allocator) noexcept {
  const Result<SumPlan> plan = SumPlan::Make(input.dtype, input.shape, shape,
                                             options, input.strides, allocator);
  if (plan) return plan->Run(input, SumRunOptions{options.parallel}, allocator);
  if (ComesAfterMemory(plan.error())) {
    if (Status checked = CheckMemory(input, 0, options.rule); !checked) {
      return std::unexpected(checked.error());
    }
  }
  return std::unexpected(plan.error());
}

}  // namespace v1
}  // namespace broadloom
