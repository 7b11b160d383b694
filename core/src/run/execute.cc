#include "broadloom/execute.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include "base/built.h"
#include "base/footprint.h"
#include "base/spare_bits.h"
#include "broadloom/alignment.h"
#include "broadloom/internal/work.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/find.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "run/box.h"
#include "run/check_tensor.h"
#include "run/check_tensors.h"
#include "run/plan_error.h"
#include "run/share_runs.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Whether a result of so many bytes is written past the caches.
bool UsesStreamingStores(StorePolicy policy, DType dtype, uint64_t bytes,
                         bool in_place) {
  if (!kernels::kHasStreamingStores || BitsOf(dtype) < 8) return false;
  if (policy != StorePolicy::kAutomatic) {
    return policy == StorePolicy::kStreaming;
  }
  // In place every line is in the cache already.
  return bytes >= kStreamingBytes && !in_place;
}

// One call of Run or RunRegion: checks the tensors, chooses the loops, and runs
// the kernels.
class Execution {
 public:
  // The fields of `given` are copied one by one, so that the compiler keeps
  // those that a small run needs in registers.
  Execution(const RunTensors& given, const RunOptions& options,
            const Allocator& allocator)
      : plan_(given.plan),
        box_(given.box),
        inputs_(given.inputs),
        outputs_(given.outputs),
        options_(options),
        allocator_(allocator) {}

  Status Run() {
    if (inputs_.size() != plan_.operand_count() ||
        outputs_.size() != plan_.output_count() || plan_.kernel() == nullptr) {
      return WrongCounts(Given());
    }
    if (box_ != nullptr) {
      if (Status checked = CheckBox(plan_, *box_); !checked) {
        return checked;
      }
    }
    if (!operands_.ResetForOverwrite(inputs_.size(), allocator_)) {
      return Refused();
    }
    if (!TakeDense()) {
      if (Status taken = TakeChecked(); !taken) return taken;
    }
    if (outputs_.size() == 1 && box_ == nullptr && !checked_.strided) {
      Execute(plan_.work(), 0, 0, outputs_[0].data, 0);
      return {};
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (!ExecuteWithOwnLoops(i)) return Refused();
    }
    return {};
  }

 private:
  RunTensors Given() const { return {plan_, box_, inputs_, outputs_}; }

  Status Refused() const {
    return std::unexpected(
        PlanError(plan_, ErrorClass::kAllocation, kOutputOperand));
  }

  // Checks the usual case quickly: one whole result, and dense operands that
  // lie apart from it. Returns false where something is otherwise, so that
  // CheckTensors finds out what.
  bool TakeDense() {
    if (outputs_.size() != 1 || box_ != nullptr) return false;
    // Copies of the members: for all the compiler knows, the stores to
    // `operands` could change the members.
    const Plan& plan = plan_;
    const std::span<const TensorView> inputs = inputs_;
    const MutableTensorView& output = outputs_[0];
    const uintptr_t out = reinterpret_cast<uintptr_t>(output.data);
    const uint64_t out_bytes = plan.output_bytes();
    bool fits = output.dtype == plan.output_dtype() &&
                SameShape(output.shape, plan.output_shape()) &&
                output.strides.empty() && output.offset == 0 &&
                (output.data == nullptr ? 0 : output.bytes) >= out_bytes;
    OperandMemory* const operands = operands_.data();
    for (size_t i = 0; i < inputs.size() && fits; ++i) {
      const TensorView& input = inputs[i];
      const uintptr_t in = reinterpret_cast<uintptr_t>(input.data);
      // A negative difference wraps to a large number.
      const bool apart =
          out - in >= plan.operand_bytes(i) && in - out >= out_bytes;
      fits =
          apart && input.dtype == plan.dtype(i) && input.strides.empty() &&
          input.offset == 0 &&
          (input.data == nullptr ? 0 : input.bytes) >= plan.operand_bytes(i) &&
          SameShape(input.shape, plan.operand_shape(i));
      operands[i] = {input.data, 0, plan.operand_bytes(i)};
    }
    return fits;
  }

  [[gnu::noinline]] Status TakeChecked() {
    return CheckTensors(Given(), operands_.view(), checked_, allocator_);
  }

  // Computes output `output` with loops of its own, which follow the strides of
  // the inputs, the box, and the memory of the output: the loops of an output
  // that is transposed or reversed are those of a dense output and of inputs
  // that are transposed and reversed instead. False when memory is refused. Not
  // inline: its loops would enlarge the stack frame of every run.
  [[gnu::noinline]] bool ExecuteWithOwnLoops(size_t output) {
    const Plan& plan = plan_;
    const std::span<const TensorView> inputs = inputs_;
    const MutableTensorView& out = outputs_[output];
    const size_t rank = plan.output_shape().size();
    const size_t first = outputs_.size() == 1 ? 0 : output;
    const size_t operands = outputs_.size() == 1 ? inputs.size() : 1;
    const uint8_t out_bits = static_cast<uint8_t>(BitsOf(out.dtype));
    MemoryOrder order;
    Work work;
    InlineArray<uint8_t, kInlineOperands + 1> bits;
    if (!order.Reset(out, allocator_) ||
        !bits.ResetForOverwrite(operands + 1, allocator_)) {
      return false;
    }
    for (size_t k = 0; k < operands; ++k) {
      bits[k] = static_cast<uint8_t>(BitsOf(inputs[first + k].dtype));
    }
    bits[operands] = out_bits;
    const auto stride_along = [&](size_t operand, size_t i) {
      const MemoryOrder::Axis axis = order[i];
      if (operand == operands) return axis.stride;
      const int64_t stride = plan.StrideAlong(first + operand, axis.axis,
                                              inputs[first + operand].strides);
      return axis.reversed ? -stride : stride;
    };
    const bool has_result = kStridedResultsBuilt && !order.IsDense();
    if (!work.Reset(order.extents(), stride_along,
                    bits.view().first(operands + has_result), out_bits,
                    plan_.kernel(output)->UseOfRuns(operands), allocator_,
                    has_result)) {
      return false;
    }
    if (work.schedule.run_count() == 0) return true;
    int64_t out_first = out.offset;
    for (size_t i = 0; i < rank; ++i) {
      const MemoryOrder::Axis axis = order[i];
      if (axis.reversed) out_first -= (axis.extent - 1) * axis.stride;
    }
    for (size_t k = 0; k < operands; ++k) {
      OperandMemory& operand = operands_[first + k];
      for (size_t i = 0; i < rank; ++i) {
        const MemoryOrder::Axis axis = order[i];
        const int64_t begin = box_ == nullptr ? 0 : (*box_)[axis.axis].begin;
        operand.first += axis.reversed
                             ? -(begin + axis.extent - 1) * stride_along(k, i)
                             : begin * stride_along(k, i);
      }
      operand = MemoryOf(work.nest, k, operand.data, operand.first, bits[k]);
    }
    // Whole bytes, and the elements that the first byte has before it.
    const int64_t within = out_bits < 8 ? out_first % (8 / out_bits) : 0;
    Execute(work, first, output,
            static_cast<std::byte*>(out.data) +
                BytesOfElements(out_first - within, out_bits),
            within);
    return true;
  }

  // Computes output `output`, which begins with element `out_first` of
  // `out_data`, from the operands from `first` on. Inline in both its callers:
  // a call takes a twentieth of the time of a small run.
  [[gnu::always_inline]] void Execute(const Work& work, size_t first,
                                      size_t output, void* out_data,
                                      int64_t out_first) {
    const MutableTensorView& out = outputs_[output];
    const uint64_t bytes = box_ == nullptr ? plan_.output_bytes(output)
                                           : Given().OutputBytes(output);
    const bool streams = UsesStreamingStores(options_.stores, out.dtype, bytes,
                                             checked_.in_place) &&
                         !(kStridedResultsBuilt && work.ScattersResult());
    const kernels::Task task{.work = &work,
                             .operands = operands_.data() + first,
                             .out = out_data,
                             .out_first = out_first,
                             .begin = 0,
                             .end = work.schedule.run_count(),
                             .past_caches = streams};
    if (task.end == 0) return;
    if (options_.parallel == nullptr || !Share(task, output)) {
      plan_.kernel(output)->run(task);
    }
    if (BitsOf(out.dtype) < 8 && out.strides.empty() && out.offset == 0) {
      ClearSpare(out);
    }
  }

  [[gnu::noinline]] bool Share(const kernels::Task& task, size_t output) const {
    const int result_bits = BitsOf(outputs_[output].dtype);
    // Threads must not write the same byte (ShareRuns).
    if (result_bits < 8 && (task.has_result() || task.out_first != 0)) {
      return false;
    }
    int widest_bits = result_bits;
    for (const TensorView& input : inputs_) {
      widest_bits = std::max(widest_bits, BitsOf(input.dtype));
    }
    return ShareRuns(*plan_.kernel(output), task, result_bits, widest_bits,
                     *options_.parallel);
  }

  [[gnu::noinline]] static void ClearSpare(const MutableTensorView& out) {
    const int64_t elements = CountElements(out.shape).value_or(0);
    const int64_t bytes = CountBytes(out.shape, out.dtype).value_or(0);
    ClearSpareBits(out.dtype, elements,
                   static_cast<std::byte*>(out.data) + bytes - 1);
  }

  const Plan& plan_;
  const std::span<const IndexRange>* const box_;
  const std::span<const TensorView> inputs_;
  const std::span<const MutableTensorView> outputs_;
  const RunOptions& options_;
  const Allocator& allocator_;
  InlineArray<OperandMemory, kInlineOperands> operands_;
  CheckedTensors checked_;
};

}  // namespace

StorePolicy ChosenStores(const Plan& plan) noexcept {
  const bool streams =
      plan.kernel() != nullptr &&
      UsesStreamingStores(StorePolicy::kAutomatic, plan.output_dtype(),
                          plan.output_bytes(), false);
  return streams ? StorePolicy::kStreaming : StorePolicy::kCached;
}

Status Run(const Plan& plan, std::span<const TensorView> inputs,
           std::span<const MutableTensorView> outputs,
           const RunOptions& options, const Allocator& allocator) noexcept {
  return Execution({plan, nullptr, inputs, outputs}, options, allocator).Run();
}

Status RunRegion(const Plan& plan, std::span<const IndexRange> box,
                 std::span<const TensorView> inputs,
                 std::span<const MutableTensorView> outputs,
                 const RunOptions& options,
                 const Allocator& allocator) noexcept {
  return Execution({plan, &box, inputs, outputs}, options, allocator).Run();
}

std::string_view ActiveTarget() noexcept { return kernels::TargetName(); }

}  // namespace v1
}  // namespace broadloom
