#include "run_plan.h"

#include <algorithm>
#include <string>
#include <utility>

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

// What the caller gives for the results: an array, for several results a list
// of them; nothing if `out` is null.
nb::object ReadOutputs(PyObject* out, size_t count) {
  if (out == nullptr) return {};
  if (count == 1) return nb::borrow(out);
  const nb::object list = nb::steal(PySequence_List(out));
  if (!list.is_valid()) ThrowUnlessCauseOrType();
  const int64_t given = list.is_valid() ? PyList_GET_SIZE(list.ptr()) : -1;
  if (given != static_cast<int64_t>(count)) {
    Raise({.error_class = ErrorClass::kArity,
           .operand = kOutputOperand,
           .extent = given,
           .other_extent = static_cast<int64_t>(count)},
          "out has to be a list of " + std::to_string(count) +
              " arrays, one for each result.");
  }
  return list;
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

NamedPlan NamedPlan::Within(std::span<const IndexRange> box) const {
  NamedPlan within;
  within.plan_ = Expect(plan_.Within(box));
  within.is_packed_ = is_packed_;
  within.dtypes_ = dtypes_;
  within.output_dtypes_ = output_dtypes_;
  return within;
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

  // The arrays of the results, and what the call returns.
  const size_t count = plan_.output_count();
  const nb::object given = ReadOutputs(out, count);
  std::vector<Operand> outputs;
  std::vector<MutableTensorView> views;
  std::vector<nb::object> made;
  outputs.reserve(count);
  views.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (given.is_valid()) {
      const nb::object array = count == 1 ? given : nb::object(given[i]);
      outputs.push_back(ReadOutput(array.ptr(), output_dtype(i)));
    } else {
      nb::object array = NewArray(output_dtype(i), shape,
                                  box ? ShapeView() : OrderOf(operands, shape));
      outputs.emplace_back(array.ptr(), kOutputOperand);
      made.push_back(std::move(array));
    }
    views.push_back(outputs.back().mutable_view());
    bytes += views.back().bytes;
  }

  // A large new array has fresh pages, which the system has just zeroed: they
  // are in the cache, and streaming stores would write past them.
  const StorePolicy stores =
      given.is_valid() ? StorePolicy::kAutomatic : StorePolicy::kCached;
  const Status ran = Released(bytes, [&](const ParallelFor* parallel) {
    const RunOptions options{.stores = stores, .parallel = parallel};
    if (box) return RunRegion(plan_, *box, inputs, views, options);
    return broadloom::Run(plan_, inputs, views, options);
  });
  if (!ran) Raise(ran.error());
  for (const Operand& output : outputs) output.WriteBack();
  if (given.is_valid()) return given;
  if (count == 1) return std::move(made[0]);
  nb::list list;
  for (const nb::object& array : made) list.append(array);
  return list;
}

}  // namespace broadloom_python
