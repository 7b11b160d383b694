#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <utility>

#include "arguments.h"
#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "handle.h"
#include "request.h"
#include "tensor.h"
#include "vocabulary.h"

struct bl_plan {
  broadloom::Allocator allocator;
  broadloom::Plan plan;
};

namespace broadloom_c {
namespace {

CResult<bl_plan*> MakePlanOf(const bl_request* given) {
  Request request;
  const CStatus read = request.Read(given, Request::Use::kPlan);
  if (!read) return Failed(read.error());
  Result<Plan> plan =
      MakePlan(*request.op(), request.broadcast().operands, request.dtypes(),
               request.apply(), request.allocator());
  if (!plan) return Failed(plan.error());
  return MakeHandle<bl_plan>(request.allocator(), std::move(*plan));
}

// The box of a region; none where all of the result is computed.
using Box = std::optional<std::span<const bl_range>>;

CStatus RunPlan(const bl_plan* handle, const Box& box,
                const bl_tensor_view* inputs, size_t input_count,
                const bl_tensor_view* outputs, size_t output_count,
                const bl_run_options* options) {
  if (handle == nullptr) return FailedNull("plan");
  RunSettings settings;
  CStatus read = settings.Read(options);
  if (!read) return read;
  const Allocator& allocator = settings.allocator();
  Views<TensorView> from;
  Views<MutableTensorView> to;
  read = ReadInputs(inputs, input_count, allocator, from);
  if (read) read = ReadOutputs(outputs, output_count, allocator, to);
  if (!read) return read;

  const std::span<const TensorView> ins = from.view();
  const std::span<const MutableTensorView> outs = to.view();
  Status ran;
  if (box) {
    InlineArray<IndexRange, kInlineRank> ranges;
    if (!ranges.ResetForOverwrite(box->size(), allocator)) {
      return Failed(Error{.error_class = ErrorClass::kAllocation});
    }
    for (size_t i = 0; i < box->size(); ++i) {
      ranges[i] = {(*box)[i].begin, (*box)[i].end};
    }
    ran = RunRegion(handle->plan, ranges.view(), ins, outs, settings.run(),
                    allocator);
  } else {
    ran = Run(handle->plan, ins, outs, settings.run(), allocator);
  }
  if (!ran) return Failed(ran.error());
  return {};
}

CResult<bl_tensor*> ApplyTo(const bl_request* given,
                            const bl_tensor_view* inputs, size_t input_count,
                            const bl_run_options* options) {
  RunSettings settings;
  CStatus read = settings.Read(options);
  if (!read) return Failed(read.error());
  const Allocator& allocator = settings.allocator();
  Views<TensorView> from;
  read = ReadInputs(inputs, input_count, allocator, from);
  if (!read) return Failed(read.error());
  Request request;
  read = request.Read(given, Request::Use::kApply, input_count);
  if (!read) return Failed(read.error());
  ApplyOptions apply = request.apply();
  apply.run = settings.run();
  Result<Tensor> result =
      Apply(*request.op(), std::as_const(from).view(), apply, allocator);
  if (!result) return Failed(result.error());
  return MakeTensor(std::move(*result), allocator);
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

bl_error_class bl_plan_make(const bl_request* request, bl_plan** plan,
                            bl_error* error) {
  return Give(plan, "plan", error, [&] { return MakePlanOf(request); });
}

void bl_plan_free(bl_plan* plan) { FreeHandle(plan); }

bl_op bl_plan_op(const bl_plan* plan) {
  return plan == nullptr ? 0 : NumberOf(plan->plan.op());
}

bl_rule bl_plan_rule(const bl_plan* plan) {
  return plan == nullptr ? 0 : NumberOf(plan->plan.rule());
}

size_t bl_plan_operand_count(const bl_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.operand_count();
}

bl_shape bl_plan_operand_shape(const bl_plan* plan, size_t operand) {
  if (operand >= bl_plan_operand_count(plan)) return {};
  return ListOf(plan->plan.operand_shape(operand));
}

bl_dtype bl_plan_operand_dtype(const bl_plan* plan, size_t operand) {
  if (operand >= bl_plan_operand_count(plan)) return 0;
  return NumberOf(plan->plan.dtype(operand));
}

size_t bl_plan_result_count(const bl_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.output_count();
}

bl_shape bl_plan_result_shape(const bl_plan* plan) {
  return plan == nullptr ? bl_shape{} : ListOf(plan->plan.output_shape());
}

bl_dtype bl_plan_result_dtype(const bl_plan* plan, size_t result) {
  if (result >= bl_plan_result_count(plan)) return 0;
  return NumberOf(plan->plan.output_dtype(result));
}

uint64_t bl_plan_result_bytes(const bl_plan* plan, size_t result) {
  if (result >= bl_plan_result_count(plan)) return 0;
  return plan->plan.output_bytes(result);
}

bl_error_class bl_plan_run(const bl_plan* plan, const bl_tensor_view* inputs,
                           size_t input_count, const bl_tensor_view* outputs,
                           size_t output_count, const bl_run_options* options,
                           bl_error* error) {
  return Report(
      RunPlan(plan, {}, inputs, input_count, outputs, output_count, options),
      error);
}

bl_error_class bl_plan_run_region(
    const bl_plan* plan, const bl_range* box, size_t box_count,
    const bl_tensor_view* inputs, size_t input_count,
    const bl_tensor_view* outputs, size_t output_count,
    const bl_run_options* options, bl_error* error) {
  const auto ranges = ReadArray(box, box_count, "box", "box_count");
  if (!ranges) return Report(Failed(ranges.error()), error);
  return Report(RunPlan(plan, *ranges, inputs, input_count, outputs,
                        output_count, options),
                error);
}

bl_error_class bl_apply(const bl_request* request, const bl_tensor_view* inputs,
                        size_t input_count, const bl_run_options* options,
                        bl_tensor** result, bl_error* error) {
  return Give(result, "result", error,
              [&] { return ApplyTo(request, inputs, input_count, options); });
}

}  // extern "C"
