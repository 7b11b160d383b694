#include "run_plan.h"

#include <algorithm>
#include <string>

#include "compute.h"

namespace broadloom_python {

namespace {

// The strides whose order of axes the result takes: as in NumPy those of the
// operands, where these are not row-major. None: row-major.
ShapeView OrderOf(std::span<const Operand> operands, ShapeView shape) {
  ShapeView order;
  if (shape.size() < 2) return order;
  for (const Operand& operand : operands) {
    if (!std::ranges::equal(operand.shape(), shape)) continue;
    const ShapeView strides = operand.strides();
    if (strides.empty()) return {};
    // Memory that is repeated has no order.
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      if (strides[axis] == 0 && shape[axis] > 1) return {};
    }
    if (order.empty()) order = strides;
  }
  return order;
}

// The arrays of the results.
struct Outputs {
  Operand first;
  std::vector<Operand> others;
  nb::object objects;  // what the call returns
};

Operand ReadOutput(PyObject* object, DType named) {
  Operand output = Operand::ForOutput(object);
  // The core sees the type as which elements are moved alone.
  if (output.dtype() != named) {
    Raise({.error_class = ErrorClass::kDType,
           .detail = Detail::kOutput,
           .operand = kOutputOperand,
           .dtype = output.dtype(),
           .other_dtype = named});
  }
  return output;
}

}  // namespace

NamedPlan NamedPlan::Make(Op op, std::span<const ShapeView> shapes,
                          std::span<const DType> dtypes,
                          const Options& options) {
  const Question question{
      .op = op,
      .request = options.Request(options.values.rule.value_or(DefaultRule(op)),
                                 shapes)};
  NamedPlan made;
  made.plan_ = Expect(MakePlan(op, shapes, dtypes, options.values), &question);
  made.is_packed_ = std::ranges::any_of(
      dtypes, [](DType dtype) { return StorageOf(dtype) != dtype; });
  if (!made.is_packed_) return made;
  // The plan for the types as they are named has found all errors.
  made.dtypes_.assign(dtypes.begin(), dtypes.end());
  for (size_t i = 0; i < made.plan_.output_count(); ++i) {
    made.output_dtypes_.push_back(made.plan_.output_dtype(i));
  }
  std::vector<DType> moved;
  for (const DType dtype : dtypes) moved.push_back(StorageOf(dtype));
  made.plan_ = Expect(MakePlan(op, shapes, moved, options.values), &question);
  return made;
}

nb::object NamedPlan::Run(std::optional<std::span<const IndexRange>> box,
                          std::span<const Operand> operands,
                          PyObject* out) const {
  uint64_t bytes = 0;
  TensorView few_inputs[kInlineOperands];
  std::vector<TensorView> many_inputs;
  std::span<TensorView> inputs(few_inputs);
  if (operands.size() > kInlineOperands) {
    many_inputs.resize(operands.size());
    inputs = many_inputs;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    inputs[i] = operands[i].view();
    bytes += inputs[i].bytes;
    if (i < plan_.operand_count() && operands[i].dtype() != dtype(i)) {
      Raise({.error_class = ErrorClass::kDType,
             .detail = Detail::kMixed,
             .op = plan_.op(),
             .operand = static_cast<int32_t>(i),
             .dtype = operands[i].dtype(),
             .other_dtype = dtype(i)},
            OperandName(static_cast<int32_t>(i)) + " is of type " +
                std::string(Info(operands[i].dtype()).name) +
                ", and the plan is made for " +
                std::string(Info(dtype(i)).name) +
                ": convert it, or make a plan for its type.");
    }
  }
  inputs = inputs.first(operands.size());

  Integers extents;
  ShapeView shape = plan_.output_shape();
  if (box) {
    if (!extents.Reset(box->size(), DefaultAllocator())) RaiseNoMemory();
    for (size_t axis = 0; axis < box->size(); ++axis) {
      // A box that is wrong is refused by RunRegion, which is asked first.
      const auto [begin, end] = (*box)[axis];
      extents[axis] = end > begin && begin >= 0 ? end - begin : 0;
    }
    shape = extents.view();
  }

  const size_t count = plan_.output_count();
  Outputs outputs;
  const nb::object results = [&]() -> nb::object {
    if (count == 1) return out == nullptr ? nb::object() : nb::borrow(out);
    nb::list list;
    if (out == nullptr) return list;
    const Py_ssize_t given = PySequence_Check(out) ? PySequence_Size(out) : -1;
    if (given != static_cast<Py_ssize_t>(count)) {
      PyErr_Clear();
      Raise({.error_class = ErrorClass::kArity,
             .operand = kOutputOperand,
             .extent = given,
             .other_extent = static_cast<int64_t>(count)},
            "out has to be a list of " + std::to_string(count) +
                " arrays, one for each result.");
    }
    for (size_t i = 0; i < count; ++i) {
      list.append(
          nb::steal(PySequence_GetItem(out, static_cast<Py_ssize_t>(i))));
    }
    return list;
  }();

  const auto output_of = [&](size_t i, nb::object& object) {
    if (out != nullptr) return ReadOutput(object.ptr(), output_dtype(i));
    object = NewArray(output_dtype(i), shape,
                      box ? ShapeView() : OrderOf(operands, shape));
    return Operand(object.ptr(), kOutputOperand);
  };
  std::vector<MutableTensorView> many_views;
  MutableTensorView one_view;
  nb::object returned = results;
  if (count == 1) {
    outputs.first = output_of(0, returned);
    one_view = outputs.first.mutable_view();
    bytes += one_view.bytes;
  } else {
    for (size_t i = 0; i < count; ++i) {
      nb::object object;
      if (out != nullptr) object = results[i];
      outputs.others.push_back(output_of(i, object));
      if (out == nullptr) results.attr("append")(object);
      many_views.push_back(outputs.others.back().mutable_view());
      bytes += many_views.back().bytes;
    }
  }
  const std::span<const MutableTensorView> views =
      count == 1 ? std::span<const MutableTensorView>(&one_view, 1)
                 : std::span<const MutableTensorView>(many_views);

  const Status ran = Released(bytes, [&](const ParallelFor* parallel) {
    const RunOptions options{.parallel = parallel};
    if (box) return RunRegion(plan_, *box, inputs, views, options);
    return broadloom::Run(plan_, inputs, views, options);
  });
  if (!ran) Raise(ran.error());
  return returned;
}

}  // namespace broadloom_python
