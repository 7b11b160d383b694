// Runs a SumPlan on tensors that lie in memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "base/built.h"
#include "base/footprint.h"
#include "broadloom/execute.h"
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
#include "run/check_tensor.h"
#include "sum/in_memory.h"

namespace broadloom {
inline namespace v1 {
namespace {

// --- Checks -----------------------------------------------------------------

TensorRole Role(Rule rule, int32_t operand) {
  return {.rule = rule, .op = {}, .operand = operand};
}
TensorRole InputRole(Rule rule) { return Role(rule, 0); }
TensorRole OutputRole(Rule rule) { return Role(rule, kOutputOperand); }

// Errors: those of CheckMemory. Bytes that cannot be counted are another error,
// of SumPlan::Make.
Status CheckMemoryAlone(const TensorView& tensor, const TensorRole& role) {
  const Result<int64_t> bytes = CountBytes(tensor.shape, tensor.dtype);
  Elements elements;
  return CheckMemory(tensor, static_cast<uint64_t>(bytes.value_or(0)), role,
                     elements);
}

// Whether errors of memory come before an error of SumPlan::Make: data that is
// too short for its shape explains more than that two shapes conflict.
bool ComesAfterMemory(const Error& error) {
  return error.error_class > ErrorClass::kLength;
}

// --- Copies -----------------------------------------------------------------
// If no axis is summed, the output is a copy: adding each element to -0 would
// not keep every bit of a NaN.

// Not inlined into Copy, whose stack frame it would enlarge. False when memory
// is refused.
[[gnu::noinline]] bool CopyStrided(const TensorView& input, void* output,
                                   const Allocator& allocator) {
  const uint8_t bits = static_cast<uint8_t>(BitsOf(input.dtype));
  const kernels::Kernel* const moves =
      kernels::FindKernel(Op::kBroadcast, {&input.dtype, 1}, {});
  Work work;
  if (!work.Reset(
          input.shape, [&](size_t, size_t axis) { return input.strides[axis]; },
          {&bits, 1}, bits, moves->UseOfRuns(1), allocator)) {
    return false;
  }
  const OperandMemory operand =
      MemoryOf(work.nest, 0, input.data, input.offset, bits);
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
  const TensorRole role = InputRole(rule_);
  Status checked = CheckMade();
  if (checked) checked = CheckType(input.dtype, dtype_, role);
  if (checked) checked = CheckShape(input.shape, input_shape(), role);
  return checked;
}

Status SumPlan::Check(const TensorView& input, const MutableTensorView& output,
                      const Allocator& allocator) const noexcept {
  const TensorRole role = OutputRole(rule_);
  Elements elements;
  Status checked = CheckInput(input);
  if (checked) checked = CheckType(output.dtype, dtype_, role);
  if (checked) checked = CheckShape(output.shape, output_shape(), role);
  if (checked) {
    checked = CheckMemory(input, input_bytes_, InputRole(rule_), elements);
  }
  if (checked) {
    checked = CheckResultMemory(output, output_bytes_, role, allocator);
  }
  if (!checked) return checked;
  if (!Overlap(RangeOf(input, input_bytes_, 0),
               RangeOf(output, output_bytes_, 0)) ||
      LieBetween(input, input_bytes_, output, output_bytes_) ||
      InPlace(input, output)) {
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
  const SumInputMemory memory = MemoryOfInput(loops.nest, input);
  SumInMemory(loops.order, *kernel_, memory.first, memory.end, output,
              options.parallel);
}

Status SumPlan::Run(const TensorView& input, const MutableTensorView& output,
                    const SumRunOptions& options,
                    const Allocator& allocator) const noexcept {
  if (Status checked = Check(input, output, allocator); !checked) {
    return checked;
  }
  const size_t bytes = static_cast<size_t>(uint64_t{output_bytes_});
  if (bytes == 0) return {};
  if (kStridedResultsBuilt && (!output.strides.empty() || output.offset != 0)) {
    return RunToDenseFirst(input, output, options, allocator);
  }
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

// Not inlined into Run, whose stack frame it would enlarge.
[[gnu::noinline]] Status SumPlan::RunToDenseFirst(
    const TensorView& input, const MutableTensorView& output,
    const SumRunOptions& options, const Allocator& allocator) const noexcept {
  if (InPlace(input, output)) return {};
  const Result<Tensor> sums = Run(input, options, allocator);
  if (!sums) return std::unexpected(sums.error());
  const TensorView dense = sums->view();
  if (Apply(Op::kBroadcast, {&dense, 1}, output,
            {.rule = Rule::kBroadcastNumpy, .target_shape = output.shape},
            allocator)) {
    return {};
  }
  // Whatever else Apply refuses has been checked.
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
  Loops loops;
  if (!MakeLoopsOf(input, loops, allocator)) return false;
  RunLoops(loops, input, output, options);
  return true;
}

bool SumPlan::MakeLoopsOf(const TensorView& input, Loops& loops,
                          const Allocator& allocator) const noexcept {
  ShapeView strides = input.strides;
  Shape dense;
  if (strides.empty()) {
    if (!dense.ResetForOverwrite(rank_, allocator)) return false;
    DenseStrides(input.shape, dense.view());
    strides = dense.view();
  }
  return MakeLoops(strides, loops, allocator);
}

Result<Tensor> SumPlan::Run(const TensorView& input,
                            const SumRunOptions& options,
                            const Allocator& allocator) const noexcept {
  // Before memory is asked for.
  Elements elements;
  Status checked = CheckInput(input);
  if (checked) {
    checked = CheckMemory(input, input_bytes_, InputRole(rule_), elements);
  }
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
    const TensorRole role = OutputRole(options.rule);
    Status checked = CheckType(output.dtype, input.dtype, role);
    if (checked) checked = CheckMemoryAlone(input, InputRole(options.rule));
    if (checked) checked = CheckMemoryAlone(output, role);
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
    if (Status checked = CheckMemoryAlone(input, InputRole(options.rule));
        !checked) {
      return std::unexpected(checked.error());
    }
  }
  return std::unexpected(plan.error());
}

}  // namespace v1
}  // namespace broadloom
