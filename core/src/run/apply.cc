// The calls of execute.h that make a plan: MakePlan and Apply.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/execute.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/operator.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "run/check_tensors.h"
#include "run/plan_error.h"

namespace broadloom {
inline namespace v1 {

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
                                       .axes_mapping = options.axes_mapping,
                                       .policy = options.policy,
                                       .axis_names = options.axis_names},
                                      allocator);
  if (!alignment) {
    Error error = alignment.error();
    // An attribute error is about an option of the rule, not of the operator.
    if (error.error_class != ErrorClass::kAttribute) error.op = op;
    return std::unexpected(error);
  }
  return Plan::MakeChecked(op, *alignment, dtypes, options.attributes,
                           allocator);
}

namespace {

// The plan of Apply. Where the shapes cannot be broadcast and some data is too
// short for its shape, the error is about the data: it comes first in the order
// of ErrorClass. The plan is made in the result, since it is too large to move.
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
  Error error = PlanError(plan, ErrorClass::kArity, kOutputOperand);
  error.extent = static_cast<int64_t>(plan.output_count());
  error.other_extent = 1;
  return std::unexpected(error);
}

// Runs a plan of one result into a new tensor.
Result<Tensor> RunIntoNew(const Plan& plan, std::span<const TensorView> inputs,
                          const RunOptions& options,
                          const Allocator& allocator) {
  if (Status checked = CheckOneOutput(plan); !checked) {
    return std::unexpected(checked.error());
  }
  Result<Tensor> out =
      Tensor::Allocate(plan.output_dtype(), plan.output_shape(), allocator);
  if (!out) return out;
  const MutableTensorView view = out->view();
  Status ran = Run(plan, inputs, {&view, 1}, options, allocator);
  if (!ran) out = std::unexpected(ran.error());
  return out;
}

}  // namespace

Result<Tensor> Apply(Op op, std::span<const TensorView> inputs,
                     const ApplyOptions& options,
                     const Allocator& allocator) noexcept {
  const Result<Plan> plan = PlanFor(op, inputs, options, allocator);
  if (!plan) return std::unexpected(plan.error());
  Result<Tensor> out = RunIntoNew(*plan, inputs, options.run, allocator);
  // Whatever failed, data that is too short for its shape is reported first.
  if (!out) {
    Status checked = CheckLengths(op, inputs);
    if (!checked) out = std::unexpected(checked.error());
  }
  return out;
}

Status Apply(Op op, std::span<const TensorView> inputs,
             const MutableTensorView& output, const ApplyOptions& options,
             const Allocator& allocator) noexcept {
  const Result<Plan> plan = PlanFor(op, inputs, options, allocator);
  if (!plan) return std::unexpected(plan.error());
  return Run(*plan, inputs, {&output, 1}, options.run, allocator);
}

}  // namespace v1
}  // namespace broadloom
