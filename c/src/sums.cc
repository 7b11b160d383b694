// Sums to an operand's shape.

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
#include "sized.h"
#include "tensor.h"
#include "vocabulary.h"

struct bl_sum_plan {
  broadloom::Allocator allocator;
  broadloom::SumPlan plan;
};

namespace broadloom_c {
namespace {

// What both kinds of sums ask for.
struct SumRequest {
  bl_sum_request given;
  ShapeView shape = {};
  SumToOptions options = {};
  Allocator allocator = DefaultAllocator();
};

CResult<SumRequest> ReadSumRequest(const bl_sum_request* request) {
  const CResult<bl_sum_request> given =
      ReadSized(request, "request", "request->size");
  if (!given) return Failed(given.error());
  const CResult<Allocator> allocator = AllocatorOf(given->allocator);
  if (!allocator) return Failed(allocator.error());
  SumRequest out{.given = *given, .allocator = *allocator};
  const CResult<ShapeView> shape =
      ReadList(given->shape, "request->shape.values", "request->shape.count");
  if (!shape) return Failed(shape.error());
  out.shape = *shape;
  if (given->rule != 0) {
    const std::optional<Rule> rule = RuleOf(given->rule);
    if (!rule) {
      return FailedNumber("request->rule", given->rule, BL_DETAIL_RULE);
    }
    out.options.rule = *rule;
  }
  if (given->axis != nullptr) out.options.axis = *given->axis;
  if (given->axes_mapping != nullptr) {
    const CResult<ShapeView> mapping =
        ReadList(*given->axes_mapping, "request->axes_mapping->values",
                 "request->axes_mapping->count");
    if (!mapping) return Failed(mapping.error());
    out.options.axes_mapping = *mapping;
  }
  return out;
}

CResult<bl_sum_plan*> MakeSumPlan(const bl_sum_request* given) {
  const CResult<SumRequest> request = ReadSumRequest(given);
  if (!request) return Failed(request.error());
  const std::optional<DType> dtype = DTypeOf(request->given.dtype);
  if (!dtype) {
    return FailedNumber("request->dtype", request->given.dtype,
                        BL_DETAIL_DTYPE);
  }
  const CResult<ShapeView> input = ReadList(
      request->given.input, "request->input.values", "request->input.count");
  if (!input) return Failed(input.error());
  std::span<const int64_t> strides;
  if (request->given.strides != nullptr) {
    strides = {request->given.strides, input->size()};
  }
  Result<SumPlan> plan =
      SumPlan::Make(*dtype, *input, request->shape, request->options, strides,
                    request->allocator);
  if (!plan) return Failed(plan.error());
  return MakeHandle<bl_sum_plan>(request->allocator, std::move(*plan));
}

CStatus RunSumPlan(const bl_sum_plan* handle, const bl_tensor_view* input,
                   const bl_tensor_view* output,
                   const bl_run_options* options) {
  if (handle == nullptr) return FailedNull("plan");
  if (input == nullptr) return FailedNull("input");
  if (output == nullptr) return FailedNull("output");
  RunSettings settings;
  const CStatus read = settings.Read(options);
  if (!read) return read;
  const CResult<TensorView> from = ReadInput(*input, kInput);
  if (!from) return Failed(from.error());
  const CResult<MutableTensorView> to = ReadOutput(*output, kOutput);
  if (!to) return Failed(to.error());
  const Status ran = handle->plan.Run(
      *from, *to, {.parallel = settings.parallel()}, settings.allocator());
  if (!ran) return Failed(ran.error());
  return {};
}

CResult<bl_tensor*> SumToNew(const bl_sum_request* given,
                             const bl_tensor_view* input,
                             const bl_run_options* options) {
  if (input == nullptr) return FailedNull("input");
  RunSettings settings;
  const CStatus read = settings.Read(options);
  if (!read) return Failed(read.error());
  CResult<SumRequest> request = ReadSumRequest(given);
  if (!request) return Failed(request.error());
  const CResult<TensorView> from = ReadInput(*input, kInput);
  if (!from) return Failed(from.error());
  request->options.parallel = settings.parallel();
  Result<Tensor> sums =
      SumTo(*from, request->shape, request->options, settings.allocator());
  if (!sums) return Failed(sums.error());
  return MakeTensor(std::move(*sums), settings.allocator());
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

bl_error_class bl_sum_plan_make(const bl_sum_request* request,
                                bl_sum_plan** plan, bl_error* error) {
  return Give(plan, "plan", error, [&] { return MakeSumPlan(request); });
}

void bl_sum_plan_free(bl_sum_plan* plan) { FreeHandle(plan); }

bl_dtype bl_sum_plan_dtype(const bl_sum_plan* plan) {
  return plan == nullptr ? 0 : NumberOf(plan->plan.dtype());
}

bl_rule bl_sum_plan_rule(const bl_sum_plan* plan) {
  return plan == nullptr ? 0 : NumberOf(plan->plan.rule());
}

bl_shape bl_sum_plan_input_shape(const bl_sum_plan* plan) {
  return plan == nullptr ? bl_shape{} : ListOf(plan->plan.input_shape());
}

bl_shape bl_sum_plan_result_shape(const bl_sum_plan* plan) {
  return plan == nullptr ? bl_shape{} : ListOf(plan->plan.output_shape());
}

bl_error_class bl_sum_plan_run(const bl_sum_plan* plan,
                               const bl_tensor_view* input,
                               const bl_tensor_view* output,
                               const bl_run_options* options, bl_error* error) {
  return Call(error, [&] { return RunSumPlan(plan, input, output, options); });
}

bl_error_class bl_sum_to(const bl_sum_request* request,
                         const bl_tensor_view* input,
                         const bl_run_options* options, bl_tensor** sums,
                         bl_error* error) {
  return Give(sums, "sums", error,
              [&] { return SumToNew(request, input, options); });
}

}  // extern "C"
