#include "broadloom/execute.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include "base/footprint.h"
#include "broadloom/alignment.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "broadloom/internal/work.h"
#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/find.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"
#include "run/region.h"

namespace broadloom {
inline namespace v1 {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
// A fuzzer's small tensors reach what large ones do.
constexpr uint64_t kBytesWorthAThread = 64;
#else
constexpr uint64_t kBytesWorthAThread = kLeastBytesAThread;
#endif

// What is wrong with a tensor is found out here, where nobody is in a hurry.

[[gnu::cold]] Status WrongShape(const Plan& plan, ShapeView shape,
                                ShapeView wanted, int32_t operand) {
  Error error = PlanFault(plan, ErrorClass::kIncompatible, operand);
  error.detail = operand == kOutputOperand ? Detail::kOutput : Detail::kSize;
  error.extent = static_cast<int64_t>(shape.size());
  error.other_extent = static_cast<int64_t>(wanted.size());
  for (size_t axis = 0; shape.size() == wanted.size() && axis < shape.size();
       ++axis) {
    if (shape[axis] == wanted[axis]) continue;
    error.operand_axis = static_cast<int32_t>(axis);
    error.extent = shape[axis];
    error.other_extent = wanted[axis];
    break;
  }
  return std::unexpected(error);
}

[[gnu::cold]] Status WrongType(const Plan& plan, DType given, DType wanted,
                               int32_t operand) {
  Error error = PlanFault(plan, ErrorClass::kDType, operand);
  error.detail = operand == kOutputOperand ? Detail::kOutput : Detail::kMixed;
  error.dtype = given;
  error.other_dtype = wanted;
  return std::unexpected(error);
}

bool SameShape(ShapeView a, ShapeView b) {
  if (a.size() != b.size()) return false;
  for (size_t axis = 0; axis < a.size(); ++axis) {
    if (a[axis] != b[axis]) return false;
  }
  return true;
}

Status CheckLengths(Op op, std::span<const TensorView> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorView& input = inputs[i];
    const Result<int64_t> bytes = CountBytes(input.shape, input.dtype);
    // What cannot be counted, or walked, is another error's affair.
    if (!bytes || (!input.strides.empty() &&
                   input.strides.size() != input.shape.size())) {
      continue;
    }
    Elements elements;
    Status found = FindElements(input, static_cast<uint64_t>(*bytes), elements);
    if (found) continue;
    found.error().op = op;
    found.error().operand = static_cast<int32_t>(i);
    return found;
  }
  return {};
}

// What is to be run: a plan, or a box of it.
class Job {
 public:
  Job(const Plan& plan, const std::span<const IndexRange>* box,
      std::span<const TensorView> inputs,
      std::span<const MutableTensorView> outputs, const RunOptions& options,
      const Allocator& allocator)
      : plan_(plan),
        box_(box),
        inputs_(inputs),
        outputs_(outputs),
        options_(options),
        allocator_(allocator) {}

  Status Run() {
    if (inputs_.size() != plan_.operand_count() ||
        outputs_.size() != plan_.output_count() || plan_.kernel() == nullptr) {
      return WrongCounts();
    }
    if (box_ != nullptr) {
      if (Status checked = CheckBox(plan_, *box_); !checked) return checked;
    }
    if (!operands_.ResetForOverwrite(inputs_.size(), allocator_)) {
      return Refused();
    }
    if (!TakeDense()) {
      if (Status taken = TakeOneByOne(); !taken) return taken;
    }
    if (outputs_.size() == 1 && box_ == nullptr && !strided_) {
      Execute(plan_.work(), 0, 0);
      return {};
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (!ExecuteAnew(i)) return Refused();
    }
    return {};
  }

 private:
  Status Refused() const {
    return std::unexpected(
        PlanFault(plan_, ErrorClass::kAllocation, kOutputOperand));
  }

  [[gnu::cold]] Status WrongCounts() const {
    const size_t wanted_in = plan_.operand_count();
    const size_t wanted_out = plan_.output_count();
    const bool of_inputs = inputs_.size() != wanted_in;
    Error error = PlanFault(plan_, ErrorClass::kArity,
                            of_inputs ? kAbsent : kOutputOperand);
    error.detail = Detail::kOtherCount;
    error.extent =
        static_cast<int64_t>(of_inputs ? inputs_.size() : outputs_.size());
    error.other_extent =
        static_cast<int64_t>(of_inputs ? wanted_in : wanted_out);
    return std::unexpected(error);
  }

  // Whether all is as it was planned: one result, dense operands apart from it.
  // It is checked at once; who is not so is found out one by one.
  bool TakeDense() {
    if (outputs_.size() != 1 || box_ != nullptr) return false;
    // Not the members, which what is noted of operands could change, as far as
    // one can see here.
    const Plan& plan = plan_;
    const std::span<const TensorView> inputs = inputs_;
    const MutableTensorView& output = outputs_[0];
    const uintptr_t out = reinterpret_cast<uintptr_t>(output.data);
    const uint64_t out_bytes = plan.output_bytes();
    bool fits = output.dtype == plan.output_dtype() &&
                SameShape(output.shape, plan.output_shape()) &&
                (output.data == nullptr ? 0 : output.bytes) >= out_bytes;
    OperandMemory* const operands = operands_.data();
    for (size_t i = 0; i < inputs.size() && fits; ++i) {
      const TensorView& input = inputs[i];
      const uintptr_t in = reinterpret_cast<uintptr_t>(input.data);
      // A difference below 0 is a large number.
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

  [[gnu::noinline]] Status TakeOneByOne() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (Status checked = TakeInput(i); !checked) return checked;
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (Status checked = CheckOutput(i); !checked) return checked;
    }
    return CheckOverlap();
  }

  uint64_t OutputBytes(size_t output) const {
    if (box_ == nullptr) return plan_.output_bytes(output);
    // Countable, as that of the whole result is.
    return static_cast<uint64_t>(
        CountBytes(outputs_[output].shape, outputs_[output].dtype).value_or(0));
  }

  Status TakeInput(size_t i) {
    const TensorView& input = inputs_[i];
    const int32_t name = static_cast<int32_t>(i);
    if (input.dtype != plan_.dtype(i)) {
      return WrongType(plan_, input.dtype, plan_.dtype(i), name);
    }
    if (!SameShape(input.shape, plan_.operand_shape(i))) {
      return WrongShape(plan_, input.shape, plan_.operand_shape(i), name);
    }
    strided_ = strided_ || !input.strides.empty();
    Elements elements;
    Status found = CheckStrides(input);
    if (found) found = FindElements(input, plan_.operand_bytes(i), elements);
    if (!found) {
      Error error = found.error();
      error.rule = plan_.rule();
      error.op = plan_.op();
      error.operand = name;
      return std::unexpected(error);
    }
    operands_[i] = {input.data, elements.first, plan_.operand_bytes(i)};
    // Of strided ones the loops tell more.
    if (input.strides.empty() && elements.first != 0) {
      operands_[i] = MemoryBetween(input.data, elements.first, elements.begin,
                                   elements.end, BitsOf(input.dtype));
    }
    return {};
  }

  Status CheckOutput(size_t i) const {
    const MutableTensorView& output = outputs_[i];
    if (output.dtype != plan_.output_dtype(i)) {
      return WrongType(plan_, output.dtype, plan_.output_dtype(i),
                       kOutputOperand);
    }
    if (box_ == nullptr && !SameShape(output.shape, plan_.output_shape())) {
      return WrongShape(plan_, output.shape, plan_.output_shape(),
                        kOutputOperand);
    }
    if (box_ != nullptr) {
      if (Status checked = CheckBoxShape(output.shape); !checked) {
        return checked;
      }
    }
    const uint64_t needed = OutputBytes(i);
    if (needed == 0 || (needed <= output.bytes && output.data)) return {};
    Error error = PlanFault(plan_, ErrorClass::kLength, kOutputOperand);
    error.dtype = output.dtype;
    error.extent = output.data == nullptr ? 0 : ToInt64(output.bytes);
    error.other_extent = ToInt64(needed);
    return std::unexpected(error);
  }

  Status CheckBoxShape(ShapeView shape) const {
    InlineArray<int64_t, kInlineRank> wanted;
    if (!wanted.ResetForOverwrite(box_->size(), allocator_)) return Refused();
    for (size_t axis = 0; axis < box_->size(); ++axis) {
      wanted[axis] = (*box_)[axis].end - (*box_)[axis].begin;
    }
    if (SameShape(shape, wanted.view())) return {};
    return WrongShape(plan_, shape, wanted.view(), kOutputOperand);
  }

  MemoryRange RangeOfInput(size_t i) const {
    return RangeOf(inputs_[i], plan_.operand_bytes(i), i);
  }

  MemoryRange RangeOfOutput(size_t i) const {
    const uintptr_t data = reinterpret_cast<uintptr_t>(outputs_[i].data);
    return {data, data + static_cast<uintptr_t>(OutputBytes(i)), i};
  }

  Status Overlapping(int32_t other) const {
    Error error = PlanFault(plan_, ErrorClass::kOverlap, kOutputOperand);
    error.other_operand = other;
    return std::unexpected(error);
  }

  Status CheckOverlap() {
    if (outputs_.size() > 1) return CheckOverlapOfMany();
    const MemoryRange output = RangeOfOutput(0);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (Status checked = Meet(i, output); !checked) return checked;
    }
    return {};
  }

  // An operand and a result: apart, or in place.
  Status Meet(size_t i, const MemoryRange& output) {
    const MemoryRange input = RangeOfInput(i);
    if (input.begin >= output.end || output.begin >= input.end ||
        input.begin == input.end || output.begin == output.end) {
      return {};
    }
    // With several results only the operand's own one may replace it.
    const bool own = outputs_.size() == 1 || i == output.tensor;
    if (!own || !InPlace(inputs_[i], outputs_[output.tensor])) {
      return Overlapping(static_cast<int32_t>(i));
    }
    in_place_ = true;
    return {};
  }

  // Results are sorted by where they lie, so that each operand meets only those
  // that it overlaps.
  Status CheckOverlapOfMany() {
    InlineArray<MemoryRange, kInlineOperands> ranges;
    if (!ranges.Reset(outputs_.size(), allocator_)) return Refused();
    size_t count = 0;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const MemoryRange range = RangeOfOutput(i);
      if (range.begin != range.end) ranges[count++] = range;
    }
    // By a heap: far less code than the library's sort.
    const std::span<MemoryRange> sorted = ranges.view().first(count);
    std::ranges::make_heap(sorted, {}, &MemoryRange::begin);
    std::ranges::sort_heap(sorted, {}, &MemoryRange::begin);
    for (size_t i = 1; i < count; ++i) {
      if (sorted[i - 1].end > sorted[i].begin) {
        return Overlapping(kOutputOperand);
      }
    }
    for (size_t in = 0; in < inputs_.size(); ++in) {
      const MemoryRange input = RangeOfInput(in);
      auto met =
          std::ranges::upper_bound(sorted, input.begin, {}, &MemoryRange::end);
      for (; met != sorted.end() && met->begin < input.end; ++met) {
        if (Status checked = Meet(in, *met); !checked) return checked;
      }
    }
    return {};
  }

  // Output `output` alone, by loops that are made for it. They would have the
  // frame of all runs be large.
  [[gnu::noinline]] bool ExecuteAnew(size_t output) {
    const size_t rank = plan_.output_shape().size();
    const size_t first = outputs_.size() == 1 ? 0 : output;
    const size_t operands = outputs_.size() == 1 ? inputs_.size() : 1;
    const auto stride_along = [&](size_t operand, size_t axis) {
      return plan_.StrideAlong(first + operand, axis,
                               inputs_[first + operand].strides);
    };
    Work work;
    InlineArray<uint8_t, kInlineOperands> bits;
    if (!bits.ResetForOverwrite(operands, allocator_)) return false;
    for (size_t k = 0; k < operands; ++k) {
      bits[k] = static_cast<uint8_t>(BitsOf(inputs_[first + k].dtype));
    }
    if (!work.Reset(outputs_[output].shape, stride_along, bits.view(),
                    static_cast<uint8_t>(BitsOf(outputs_[output].dtype)),
                    allocator_)) {
      return false;
    }
    if (work.schedule.run_count() == 0) return true;
    for (size_t k = 0; k < operands; ++k) {
      OperandMemory& operand = operands_[first + k];
      for (size_t axis = 0; axis < rank && box_ != nullptr; ++axis) {
        operand.first += (*box_)[axis].begin * stride_along(k, axis);
      }
      operand = MemoryOf(work.nest, k, operand.data, operand.first, bits[k]);
    }
    Execute(work, first, output);
    return true;
  }

  // Inline in both its callers: to call it is a twentieth of a small run.
  [[gnu::always_inline]] void Execute(const Work& work, size_t first,
                                      size_t output) {
    const MutableTensorView& out = outputs_[output];
    kernels::Task task{.work = &work,
                       .operands = operands_.data() + first,
                       .out = out.data,
                       .out_first = 0,
                       .begin = 0,
                       .end = work.schedule.run_count(),
                       .past_caches = Streams(output)};
    if (task.end == 0) return;
    if (options_.parallel == nullptr || !Share(task, output)) {
      plan_.kernel(output)->run(task);
    }
    if (BitsOf(out.dtype) < 8) ClearSpare(out);
  }

  [[gnu::noinline]] static void ClearSpare(const MutableTensorView& out) {
    const int64_t elements = CountElements(out.shape).value_or(0);
    const int64_t bytes = CountBytes(out.shape, out.dtype).value_or(0);
    ClearSpareBits(out.dtype, elements,
                   static_cast<std::byte*>(out.data) + bytes - 1);
  }

  bool Streams(size_t output) const {
    if (!kernels::kHasStreamingStores || BitsOf(outputs_[output].dtype) < 8) {
      return false;
    }
    if (options_.stores != StorePolicy::kAutomatic) {
      return options_.stores == StorePolicy::kStreaming;
    }
    // In place every line is in the cache already.
    return OutputBytes(output) >= kStreamingBytes && !in_place_;
  }

  // Into how many parts the work is worth to be cut. More than there are
  // threads, so that one that is held up leaves some to the others.
  size_t Parts(const LoopNest& nest, size_t output) const {
    int bits = BitsOf(outputs_[output].dtype);
    for (const TensorView& input : inputs_) {
      bits = std::max(bits, BitsOf(input.dtype));
    }
    const double bytes = static_cast<double>(nest.element_count()) * bits / 8;
    const double most = bytes / static_cast<double>(kBytesWorthAThread);
    const size_t threads = options_.parallel->threads;
    if (threads < 2 || most < 2 || options_.parallel->run == nullptr) return 1;
    constexpr size_t kPartsAThread = 4;
    return static_cast<size_t>(
        std::min(most, static_cast<double>(threads * kPartsAThread)));
  }

  // Parts of packed results begin at whole bytes, since threads must not share
  // one.
  static int64_t PartBegin(const kernels::Task& task, size_t part, size_t parts,
                           int bits) {
    const int64_t runs = task.end;
    const int64_t n = static_cast<int64_t>(parts);
    const int64_t i = static_cast<int64_t>(part);
    int64_t run = runs / n * i + std::min(i, runs % n);
    const Schedule& schedule = task.work->schedule;
    const auto begins_within = [&] {
      const uint64_t turn = static_cast<uint64_t>(run / schedule.runs_a_turn());
      const uint64_t in_turn =
          static_cast<uint64_t>(run % schedule.runs_a_turn());
      const uint64_t steps =
          turn * static_cast<uint64_t>(schedule.split_extent()) +
          in_turn * static_cast<uint64_t>(schedule.run_steps());
      return steps * static_cast<uint64_t>(schedule.step_elements()) *
                 static_cast<uint64_t>(bits) % 8 !=
             0;
    };
    while (bits < 8 && run < runs && begins_within()) ++run;
    return run;
  }

  struct Shared {
    const kernels::Kernel* kernel;
    const kernels::Task* task;
    size_t parts;
    int bits;
  };

  // Runs the task if it is worth several threads.
  [[gnu::noinline]] bool Share(const kernels::Task& task, size_t output) const {
    const size_t parts = Parts(task.work->nest, output);
    if (parts < 2 || task.end < 2) return false;
    Shared shared{plan_.kernel(output), &task, parts,
                  BitsOf(outputs_[output].dtype)};
    options_.parallel->run(
        options_.parallel->context, parts,
        [](void* state, size_t part) {
          const Shared& work = *static_cast<const Shared*>(state);
          kernels::Task own = *work.task;
          own.begin = PartBegin(*work.task, part, work.parts, work.bits);
          own.end = PartBegin(*work.task, part + 1, work.parts, work.bits);
          if (own.begin < own.end) work.kernel->run(own);
        },
        &shared);
    return true;
  }

  const Plan& plan_;
  const std::span<const IndexRange>* const box_;  // null: all of it
  const std::span<const TensorView> inputs_;
  const std::span<const MutableTensorView> outputs_;
  const RunOptions& options_;
  const Allocator& allocator_;
  InlineArray<OperandMemory, kInlineOperands> operands_;
  bool strided_ = false;
  bool in_place_ = false;
};

}  // namespace

StorePolicy ChosenStores(const Plan& plan) noexcept {
  const bool streams = kernels::kHasStreamingStores &&
                       plan.kernel() != nullptr &&
                       BitsOf(plan.output_dtype()) >= 8 &&
                       plan.output_bytes() >= kStreamingBytes;
  return streams ? StorePolicy::kStreaming : StorePolicy::kCached;
}

Status Run(const Plan& plan, std::span<const TensorView> inputs,
           std::span<const MutableTensorView> outputs,
           const RunOptions& options, const Allocator& allocator) noexcept {
  return Job(plan, nullptr, inputs, outputs, options, allocator).Run();
}

Status RunRegion(const Plan& plan, std::span<const IndexRange> box,
                 std::span<const TensorView> inputs,
                 std::span<const MutableTensorView> outputs,
                 const RunOptions& options,
                 const Allocator& allocator) noexcept {
  return Job(plan, &box, inputs, outputs, options, allocator).Run();
}

Result<Plan> MakePlan(Op op, std::span<const ShapeView> shapes,
                      std::span<const DType> dtypes,
                      const ApplyOptions& options,
                      const Allocator& allocator) noexcept {
  const Rule rule = options.rule ? *options.rule : DefaultRule(op);
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
    // Axis and target are the rule's, not the operator's.
    if (error.error_class != ErrorClass::kAttribute) error.op = op;
    return std::unexpected(error);
  }
  return Plan::MakeChecked(op, *alignment, dtypes, options.attributes,
                           allocator);
}

namespace {

// The plan of Apply. Data too short for its shape says more than what the
// shapes clash in. It is made in its place: a plan is too large to be moved.
Result<Plan> PlanFor(Op op, std::span<const TensorView> inputs,
                     std::span<const ShapeView> shapes,
                     std::span<const DType> dtypes, const ApplyOptions& options,
                     const Allocator& allocator) {
  Result<Plan> plan = MakePlan(op, shapes, dtypes, options, allocator);
  if (!plan && plan.error().error_class > ErrorClass::kLength) {
    Status checked = CheckLengths(op, inputs);
    if (!checked) plan = std::unexpected(checked.error());
  }
  return plan;
}

Result<Plan> PlanFor(Op op, std::span<const TensorView> inputs,
                     const ApplyOptions& options, const Allocator& allocator) {
  InlineArray<ShapeView, kInlineOperands> shapes;
  InlineArray<DType, kInlineOperands> dtypes;
  if (!shapes.ResetForOverwrite(inputs.size(), allocator) ||
      !dtypes.ResetForOverwrite(inputs.size(), allocator)) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kAllocation, .op = op});
  }
  ShapeView* const shape = shapes.data();
  DType* const dtype = dtypes.data();
  for (size_t i = 0; i < inputs.size(); ++i) {
    shape[i] = inputs[i].shape;
    dtype[i] = inputs[i].dtype;
  }
  return PlanFor(op, inputs, shapes.view(), dtypes.view(), options, allocator);
}

Status CheckOneOutput(const Plan& plan) {
  if (plan.output_count() == 1) return {};
  Error error = PlanFault(plan, ErrorClass::kArity, kOutputOperand);
  error.extent = static_cast<int64_t>(plan.output_count());
  error.other_extent = 1;
  return std::unexpected(error);
}

}  // namespace

Result<Tensor> Apply(Op op, std::span<const TensorView> inputs,
                     const ApplyOptions& options,
                     const Allocator& allocator) noexcept {
  const Result<Plan> plan = PlanFor(op, inputs, options, allocator);
  if (!plan) return std::unexpected(plan.error());
  Status status = CheckLengths(op, inputs);
  if (status) status = CheckOneOutput(*plan);
  if (!status) return std::unexpected(status.error());
  Result<Tensor> out =
      Tensor::Allocate(plan->output_dtype(), plan->output_shape(), allocator);
  if (!out) return out;
  const MutableTensorView view = out->view();
  status = Run(*plan, inputs, {&view, 1}, options.run, allocator);
  if (!status) out = std::unexpected(status.error());
  return out;
}

Status Apply(Op op, std::span<const TensorView> inputs,
             const MutableTensorView& output, const ApplyOptions& options,
             const Allocator& allocator) noexcept {
  const Result<Plan> plan = PlanFor(op, inputs, options, allocator);
  if (!plan) return std::unexpected(plan.error());
  return Run(*plan, inputs, {&output, 1}, options.run, allocator);
}

std::string_view ActiveTarget() noexcept { return kernels::TargetName(); }

}  // namespace v1
}  // namespace broadloom
