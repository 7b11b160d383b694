#include "run/check_tensors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "base/footprint.h"
#include "broadloom/alignment.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "loops/operand_memory.h"
#include "run/check_tensor.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {
namespace {

class TensorCheck {
 public:
  TensorCheck(const RunTensors& given, std::span<OperandMemory> operands,
              CheckedTensors& checked, const Allocator& allocator)
      : plan_(given.plan),
        given_(given),
        operands_(operands),
        checked_(checked),
        allocator_(allocator) {}

  Status Check() {
    for (size_t i = 0; i < given_.inputs.size(); ++i) {
      if (Status input = CheckInput(i); !input) return input;
    }
    for (size_t i = 0; i < given_.outputs.size(); ++i) {
      if (Status output = CheckOutput(i); !output) return output;
    }
    return CheckOverlap();
  }

 private:
  Status Refused() const {
    return std::unexpected(
        PlanError(plan_, ErrorClass::kAllocation, kOutputOperand));
  }

  TensorRole Role(int32_t operand) const {
    return {.rule = plan_.rule(), .op = plan_.op(), .operand = operand};
  }

  Status CheckInput(size_t i) {
    const TensorView& input = given_.inputs[i];
    const TensorRole role = Role(static_cast<int32_t>(i));
    Elements elements;
    Status checked = CheckType(input.dtype, plan_.dtype(i), role);
    if (checked) {
      checked = CheckShape(input.shape, plan_.operand_shape(i), role);
    }
    if (checked) {
      checked = CheckMemory(input, plan_.operand_bytes(i), role, elements);
    }
    if (!checked) return checked;
    checked_.strided = checked_.strided || !input.strides.empty();
    operands_[i] = {input.data, elements.first, plan_.operand_bytes(i)};
    // The memory of strided inputs follows from the loops that are made for
    // them.
    if (input.strides.empty() && elements.first != 0) {
      operands_[i] = MemoryBetween(input.data, elements.first, elements.begin,
                                   elements.end, BitsOf(input.dtype));
    }
    return {};
  }

  Status CheckOutput(size_t i) {
    const MutableTensorView& output = given_.outputs[i];
    const TensorRole role = Role(kOutputOperand);
    Status checked = CheckType(output.dtype, plan_.output_dtype(i), role);
    if (checked) checked = CheckOutputShape(output.shape, role);
    if (checked) {
      checked =
          CheckResultMemory(output, given_.OutputBytes(i), role, allocator_);
    }
    checked_.strided =
        checked_.strided || !output.strides.empty() || output.offset != 0;
    return checked;
  }

  Status CheckOutputShape(ShapeView shape, const TensorRole& role) const {
    if (given_.box == nullptr) {
      return CheckShape(shape, plan_.output_shape(), role);
    }
    const std::span<const IndexRange> box = *given_.box;
    InlineArray<int64_t, kInlineRank> wanted;
    if (!wanted.ResetForOverwrite(box.size(), allocator_)) return Refused();
    for (size_t axis = 0; axis < box.size(); ++axis) {
      wanted[axis] = box[axis].end - box[axis].begin;
    }
    return CheckShape(shape, wanted.view(), role);
  }

  // --- Overlap --------------------------------------------------------------

  MemoryRange RangeOfInput(size_t i) const {
    return RangeOf(given_.inputs[i], plan_.operand_bytes(i), i);
  }

  MemoryRange RangeOfOutput(size_t i) const {
    return RangeOf(given_.outputs[i], given_.OutputBytes(i), i);
  }

  Status Overlapping(int32_t other) const {
    Error error = PlanError(plan_, ErrorClass::kOverlap, kOutputOperand);
    error.other_operand = other;
    return std::unexpected(error);
  }

  Status CheckOverlap() {
    if (given_.outputs.size() > 1) return CheckOverlapOfMany();
    const MemoryRange output = RangeOfOutput(0);
    for (size_t i = 0; i < given_.inputs.size(); ++i) {
      if (Status checked = CheckOverlapOf(i, output); !checked) return checked;
    }
    return {};
  }

  // Input `i` and an output must lie apart, or between each other's elements,
  // or the output must take the place of the input.
  Status CheckOverlapOf(size_t i, const MemoryRange& output) {
    const MemoryRange input = RangeOfInput(i);
    if (!Overlap(input, output) ||
        LieBetween(given_.inputs[i], plan_.operand_bytes(i),
                   given_.outputs[output.tensor],
                   given_.OutputBytes(output.tensor))) {
      return {};
    }
    // With several outputs only an operand's own output may take its place.
    const bool own = given_.outputs.size() == 1 || i == output.tensor;
    if (!own || !InPlace(given_.inputs[i], given_.outputs[output.tensor])) {
      return Overlapping(static_cast<int32_t>(i));
    }
    checked_.in_place = true;
    return {};
  }

  // The outputs are sorted by address, so that each input is compared only with
  // the outputs that it overlaps.
  Status CheckOverlapOfMany() {
    InlineArray<MemoryRange, kInlineOperands> ranges;
    if (!ranges.Reset(given_.outputs.size(), allocator_)) return Refused();
    size_t count = 0;
    for (size_t i = 0; i < given_.outputs.size(); ++i) {
      const MemoryRange range = RangeOfOutput(i);
      if (range.begin != range.end) ranges[count++] = range;
    }
    // A heap sort takes far less code than std::sort.
    const std::span<MemoryRange> sorted = ranges.view().first(count);
    std::ranges::make_heap(sorted, {}, &MemoryRange::begin);
    std::ranges::sort_heap(sorted, {}, &MemoryRange::begin);
    for (size_t i = 1; i < count; ++i) {
      if (sorted[i - 1].end > sorted[i].begin) {
        return Overlapping(kOutputOperand);
      }
    }
    for (size_t in = 0; in < given_.inputs.size(); ++in) {
      const MemoryRange input = RangeOfInput(in);
      auto output =
          std::ranges::upper_bound(sorted, input.begin, {}, &MemoryRange::end);
      for (; output != sorted.end() && output->begin < input.end; ++output) {
        if (Status checked = CheckOverlapOf(in, *output); !checked) {
          return checked;
        }
      }
    }
    return {};
  }

  const Plan& plan_;
  const RunTensors& given_;
  const std::span<OperandMemory> operands_;
  CheckedTensors& checked_;
  const Allocator& allocator_;
};

}  // namespace

uint64_t RunTensors::BoxBytes(size_t output) const {
  // The bytes of the whole result can be counted, so those of a box can.
  return static_cast<uint64_t>(
      CountBytes(outputs[output].shape, outputs[output].dtype).value_or(0));
}

Status WrongCounts(const RunTensors& given) {
  const size_t wanted_in = given.plan.operand_count();
  const size_t wanted_out = given.plan.output_count();
  const bool of_inputs = given.inputs.size() != wanted_in;
  Error error = PlanError(given.plan, ErrorClass::kArity,
                          of_inputs ? kAbsent : kOutputOperand);
  error.detail = Detail::kOtherCount;
  error.extent = static_cast<int64_t>(of_inputs ? given.inputs.size()
                                                : given.outputs.size());
  error.other_extent = static_cast<int64_t>(of_inputs ? wanted_in : wanted_out);
  return std::unexpected(error);
}

Status CheckTensors(const RunTensors& given, std::span<OperandMemory> operands,
                    CheckedTensors& checked, const Allocator& allocator) {
  return TensorCheck(given, operands, checked, allocator).Check();
}

Status CheckLengths(Op op, std::span<const TensorView> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorView& input = inputs[i];
    const Result<int64_t> bytes = CountBytes(input.shape, input.dtype);
    if (!bytes || (!input.strides.empty() &&
                   input.strides.size() != input.shape.size())) {
      continue;
    }
    Elements elements;
    const TensorRole role = {
        .rule = {}, .op = op, .operand = static_cast<int32_t>(i)};
    Status checked =
        CheckMemory(input, static_cast<uint64_t>(*bytes), role, elements);
    if (!checked) return checked;
  }
  return {};
}

}  // namespace v1
}  // namespace broadloom
