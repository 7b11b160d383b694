#include "broadcasts.h"

#include <algorithm>
#include <string>

#include "compute.h"
#include "operators.h"
#include "run_plan.h"

namespace broadloom_python {

namespace {

// A number without an element type keeps that of its kind.
Operand ReadData(PyObject* object) {
  Operand data(object, 0);
  data.Settle(data.dtype(), 0);
  return data;
}

// Where the axes of data lie in the target, under a rule that has no target.
// Such a rule takes the target as its first operand, and data as its second.
Integers MapAxes(Rule rule, const Options& options, ShapeView data) {
  const ShapeView target = *options.values.target_shape;
  const ShapeView shapes[] = {target, data};
  const Question question{
      .request = {.rule = rule,
                  .operands = shapes,
                  .axis = options.values.axis,
                  .axes_mapping = options.values.axes_mapping,
                  .policy = options.values.policy,
                  .axis_names = options.values.axis_names}};
  const Alignment alignment = Expect(Align(question.request), &question);
  if (alignment.error()) Raise(*alignment.error(), &question);
  if (!std::ranges::equal(alignment.output(), target)) {
    for (size_t axis = 0; axis < alignment.rank(); ++axis) {
      const AlignedCell& cell = alignment.cell(0, axis);
      if (cell.relation == Relation::kMatch) continue;
      Raise({.error_class = ErrorClass::kIncompatible,
             .rule = rule,
             .clause = cell.clause,
             .operand = 0,
             .axis = static_cast<int32_t>(axis),
             .extent = cell.extent,
             .other_extent = alignment.output()[axis]},
            "Axis " + std::to_string(axis) + ": the target shape has " +
                (cell.source_axis == kAbsent ? "no such axis"
                                             : std::to_string(cell.extent)) +
                ", and would itself be broadcast to " +
                std::to_string(alignment.output()[axis]) +
                ": give the whole result's shape.");
    }
  }
  Integers mapping;
  if (!mapping.Reset(data.size(), DefaultAllocator())) RaiseNoMemory();
  size_t placed = 0;
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    if (alignment.cell(1, axis).source_axis == kAbsent) continue;
    mapping[placed++] = static_cast<int64_t>(axis);
  }
  Integers used;
  if (!used.CopyFrom(mapping.view().first(placed), DefaultAllocator())) {
    RaiseNoMemory();
  }
  return used;
}

nb::object BroadcastTo(PyObject* object, const Options& options,
                       PyObject* out) {
  Operand data = ReadData(object);
  const Rule rule = options.values.rule.value_or(DefaultRule(Op::kBroadcast));
  if (Traits(rule).takes_target) {
    const ShapeView shapes[] = {data.shape()};
    const DType dtypes[] = {data.dtype()};
    return NamedPlan::Make(Op::kBroadcast, shapes, dtypes, options)
        .Run(std::nullopt, {&data, 1}, out);
  }
  // As the explicit rule with the axes where the other rule has them.
  const Integers mapping = MapAxes(rule, options, data.shape());
  if (mapping.size() < data.shape().size()) data.DropAxes(mapping.size());
  Options placed;
  placed.values.rule = Rule::kExplicit;
  placed.values.target_shape = options.values.target_shape;
  placed.values.axes_mapping = mapping.view();
  const ShapeView shapes[] = {data.shape()};
  const DType dtypes[] = {data.dtype()};
  return NamedPlan::Make(Op::kBroadcast, shapes, dtypes, placed)
      .Run(std::nullopt, {&data, 1}, out);
}

Integers ReadTarget(PyObject* shape) {
  return ReadIntegers(
      shape, {.error_class = ErrorClass::kExtent, .operand = kTargetOperand},
      "The target shape");
}

PyObject* BroadcastToFunction(PyObject*, PyObject* const* values,
                              Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    const Arguments arguments(
        "broadcast_to", values, positional, keywords, 2, 2,
        SetOf({Keyword::rule, Keyword::axis, Keyword::axes_mapping,
               Keyword::policy, Keyword::names, Keyword::out}));
    Options options(arguments);
    options.SetTarget(ReadTarget(arguments.positional()[1]));
    return BroadcastTo(arguments.positional()[0], options,
                       arguments[Keyword::out]);
  });
}

// map_axes(shape, target_shape, /, **options)
PyObject* MapAxesFunction(PyObject*, PyObject* const* values,
                          Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    const Arguments arguments(
        "map_axes", values, positional, keywords, 2, 2,
        SetOf({Keyword::rule, Keyword::axis, Keyword::axes_mapping,
               Keyword::policy, Keyword::names}));
    Options options(arguments);
    options.SetTarget(ReadTarget(arguments.positional()[1]));
    const Integers shape =
        ReadIntegers(arguments.positional()[0],
                     {.error_class = ErrorClass::kExtent}, "The shape");
    return nb::object(
        ShapeTuple(MapAxes(options.values.rule.value_or(Rule::kNumpy), options,
                           shape.view())
                       .view()));
  });
}

// The modes of OpenVINO's Broadcast-3.
Rule ReadMode(PyObject* value) {
  const std::string mode = value == nullptr ? "numpy" : ReadText(value, "mode");
  if (mode == "numpy") return Rule::kBroadcastNumpy;
  if (mode == "bidirectional") return Rule::kBidirectional;
  if (mode == "explicit") return Rule::kExplicit;
  Raise({.error_class = ErrorClass::kUnknown, .detail = Detail::kRule},
        "mode is 'numpy', 'bidirectional' or 'explicit', not " + Show(value) +
            ".");
}

PyObject* BroadcastFunction(PyObject*, PyObject* const* values,
                            Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    const Arguments arguments(
        "broadcast", values, positional, keywords, 2, 2,
        SetOf({Keyword::mode, Keyword::axes_mapping, Keyword::out}));
    Options options(arguments);
    options.SetTarget(ReadTarget(arguments.positional()[1]));
    options.values.rule = ReadMode(arguments[Keyword::mode]);
    return BroadcastTo(arguments.positional()[0], options,
                       arguments[Keyword::out]);
  });
}

PyObject* SumToFunction(PyObject*, PyObject* const* values,
                        Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&]() -> nb::object {
    const Arguments arguments("sum_to", values, positional, keywords, 2, 2,
                              SetOf({Keyword::rule, Keyword::axis,
                                     Keyword::axes_mapping, Keyword::out}));
    const Options options(arguments);
    const Operand input = ReadData(arguments.positional()[0]);
    const Integers shape = ReadIntegers(arguments.positional()[1],
                                        {.error_class = ErrorClass::kExtent},
                                        "The shape to sum to");
    SumToOptions asked{.axis = options.values.axis,
                       .axes_mapping = options.values.axes_mapping};
    if (options.values.rule) asked.rule = *options.values.rule;

    const bool takes_target = Traits(asked.rule).takes_target;
    const ShapeView data[] = {shape.view()};
    const ShapeView both[] = {input.shape(), shape.view()};
    Question question{
        .request = {.rule = asked.rule,
                    .operands = takes_target ? std::span<const ShapeView>(data)
                                             : std::span<const ShapeView>(both),
                    .axis = asked.axis,
                    .axes_mapping = asked.axes_mapping}};
    if (takes_target) question.request.target_shape = input.shape();
    // The type as it is named, not as it is moved, is the one to be summed.
    const SumPlan plan =
        Expect(SumPlan::Make(input.dtype(), input.shape(), shape.view(), asked,
                             input.view().strides),
               &question);
    PyObject* const out = arguments[Keyword::out];
    const nb::object result = out == nullptr
                                  ? NewArray(input.dtype(), shape.view())
                                  : nb::borrow(out);
    const Operand output = Operand::ForOutput(result.ptr());
    Expect(Released(plan.input_bytes(), [&](const ParallelFor* parallel) {
      return plan.Run(input.view(), output.mutable_view(),
                      {.parallel = parallel});
    }));
    output.WriteBack();
    return result;
  });
}

}  // namespace

void AddBroadcasts(nb::module_& module) {
  AddFunction(
      module, "map_axes", &MapAxesFunction,
      "map_axes(shape, target_shape, /, *, rule=None, axis=None, "
      "axes_mapping=None, policy=None, names=None)\n--\n\n"
      "The axes of the target shape on which broadcast_to places those of an "
      "array, under a rule that has no target.");
  AddFunction(
      module, "broadcast_to", &BroadcastToFunction,
      "broadcast_to(array, shape, /, *, rule=None, axis=None, "
      "axes_mapping=None, policy=None, names=None, out=None)\n--\n\n"
      "A copy of the array, repeated into a shape by a rule.\n\n"
      "The rule is broadcast_numpy, that of numpy.broadcast_to, unless another "
      "is given.\nA rule without a target takes the shape as operand A and the "
      "array as operand B.\n\n"
      ">>> import broadloom\n"
      ">>> broadloom.broadcast_to([1, 2], (2, 3), rule='pdpd', "
      "axis=0).tolist()\n"
      "[[1, 1, 1], [2, 2, 2]]");
  AddFunction(
      module, "broadcast", &BroadcastFunction,
      "broadcast(array, target_shape, /, *, mode='numpy', axes_mapping=None, "
      "out=None)\n--\n\n"
      "OpenVINO's Broadcast-3, of mode 'numpy', 'bidirectional' or "
      "'explicit'.\n\n"
      ">>> import broadloom\n"
      ">>> broadloom.broadcast([1, 2], (2, 3), mode='explicit', "
      "axes_mapping=[0]).tolist()\n"
      "[[1, 1, 1], [2, 2, 2]]");
  AddFunction(
      module, "sum_to", &SumToFunction,
      "sum_to(array, shape, /, *, rule=None, axis=None, axes_mapping=None, "
      "out=None)\n--\n\n"
      "The adjoint of broadcasting: the array summed to a shape, as a gradient "
      "needs it.\n\n"
      "The rule is broadcast_numpy unless another is given.\n\n"
      ">>> import broadloom\n"
      ">>> broadloom.sum_to([[0., 1., 2.], [3., 4., 5.]], (3,)).tolist()\n"
      "[3.0, 5.0, 7.0]");
}

}  // namespace broadloom_python
