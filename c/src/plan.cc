#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <utility>

#include "arguments.h"
#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "broadloom/internal/arithmetic.h"
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

using Ranges = InlineArray<IndexRange, kInlineRank>;

// The core's ranges for the caller's. Errors: those of ReadArray;
// BL_ERROR_ALLOCATION.
CStatus ReadBox(const bl_range* box, size_t count, const Allocator& allocator,
                Ranges& out) {
  const auto given = ReadArray(box, count, "box", "box_count");
  if (!given) return Failed(given.error());
  if (!out.ResetForOverwrite(count, allocator)) {
    return Failed(Error{.error_class = ErrorClass::kAllocation});
  }
  for (size_t i = 0; i < count; ++i) {
    out[i] = {(*given)[i].begin, (*given)[i].end};
  }
  return {};
}

CStatus WriteInputRegion(const bl_plan* handle, const bl_range* box,
                         size_t box_count, size_t operand, bl_range* region,
                         size_t region_count) {
  if (handle == nullptr) return FailedNull("plan");
  const Plan& plan = handle->plan;
  if (operand >= plan.operand_count()) {
    return Failed(Fault{.detail = BL_DETAIL_OUT_OF_RANGE,
                        .argument = "operand",
                        .value = BitsOfUnsigned(operand),
                        .needed = BitsOfUnsigned(plan.operand_count())});
  }
  const size_t rank = plan.operand_shape(operand).size();
  if (region_count != rank) {
    return Failed(Fault{.detail = BL_DETAIL_CAPACITY,
                        .argument = "region_count",
                        .value = BitsOfUnsigned(region_count),
                        .needed = BitsOfUnsigned(rank)});
  }
  if (rank != 0 && region == nullptr) return FailedNull("region");
  Ranges ranges;
  const CStatus read = ReadBox(box, box_count, handle->allocator, ranges);
  if (!read) return read;
  const Result<Regions> regions =
      InputRegions(plan, ranges.view(), handle->allocator);
  if (!regions) return Failed(regions.error());
  std::ranges::transform(
      (*regions)[operand], region,
      [](const IndexRange& range) { return bl_range{range.begin, range.end}; });
  return {};
}

CStatus WriteCost(const bl_plan* handle, const bl_range* box, size_t box_count,
                  bl_region_cost* out) {
  if (handle == nullptr) return FailedNull("plan");
  if (out == nullptr) return FailedNull("cost");
  Ranges ranges;
  const CStatus read = ReadBox(box, box_count, handle->allocator, ranges);
  if (!read) return read;
  const Result<RegionCost> cost = Cost(handle->plan, ranges.view());
  if (!cost) return Failed(cost.error());
  *out = {cost->read, cost->written, cost->peak};
  return {};
}

CResult<bl_plan*> MakePlanWithin(const bl_plan* handle, const bl_range* box,
                                 size_t box_count, const bl_allocator* given) {
  if (handle == nullptr) return FailedNull("plan");
  const CResult<Allocator> allocator = AllocatorOf(given);
  if (!allocator) return Failed(allocator.error());
  Ranges ranges;
  const CStatus read = ReadBox(box, box_count, *allocator, ranges);
  if (!read) return Failed(read.error());
  Result<Plan> within = handle->plan.Within(ranges.view(), *allocator);
  if (!within) return Failed(within.error());
  return MakeHandle<bl_plan>(*allocator, std::move(*within));
}

// The box of a region; none where all of the result is computed.
struct Box {
  const bl_range* ranges;
  size_t count;
};

CStatus RunPlan(const bl_plan* handle, const std::optional<Box>& box,
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
    Ranges ranges;
    read = ReadBox(box->ranges, box->count, allocator, ranges);
    if (!read) return read;
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
  return Call(error, [&] {
    return RunPlan(plan, {}, inputs, input_count, outputs, output_count,
                   options);
  });
}

bl_error_class bl_plan_run_region(
    const bl_plan* plan, const bl_range* box, size_t box_count,
    const bl_tensor_view* inputs, size_t input_count,
    const bl_tensor_view* outputs, size_t output_count,
    const bl_run_options* options, bl_error* error) {
  return Call(error, [&] {
    return RunPlan(plan, Box{box, box_count}, inputs, input_count, outputs,
                   output_count, options);
  });
}

bl_error_class bl_plan_input_region(const bl_plan* plan, const bl_range* box,
                                    size_t box_count, size_t operand,
                                    bl_range* region, size_t region_count,
                                    bl_error* error) {
  return Call(error, [&] {
    return WriteInputRegion(plan, box, box_count, operand, region,
                            region_count);
  });
}

bl_error_class bl_plan_cost(const bl_plan* plan, const bl_range* box,
                            size_t box_count, bl_region_cost* cost,
                            bl_error* error) {
  return Call(error, [&] { return WriteCost(plan, box, box_count, cost); });
}

bl_error_class bl_plan_within(const bl_plan* plan, const bl_range* box,
                              size_t box_count, const bl_allocator* allocator,
                              bl_plan** within, bl_error* error) {
  return Give(within, "within", error,
              [&] { return MakePlanWithin(plan, box, box_count, allocator); });
}

bl_error_class bl_apply(const bl_request* request, const bl_tensor_view* inputs,
                        size_t input_count, const bl_run_options* options,
                        bl_tensor** result, bl_error* error) {
  return Give(result, "result", error,
              [&] { return ApplyTo(request, inputs, input_count, options); });
}

}  // extern "C"
