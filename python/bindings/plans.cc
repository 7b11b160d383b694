#include "plans.h"

#include <string>
#include <utility>
#include <vector>

#include "run_plan.h"

namespace broadloom_python {

namespace {

// A plan, and the arguments of plan() that make it anew when it is unpickled.
class KeptPlan {
 public:
  KeptPlan(NamedPlan plan, nb::tuple made_of)
      : plan_(std::move(plan)), made_of_(std::move(made_of)) {}

  const Plan& plan() const { return plan_.plan(); }
  nb::tuple made_of() const { return made_of_; }

  nb::tuple shapes() const {
    nb::list shapes;
    for (size_t i = 0; i < plan().operand_count(); ++i) {
      shapes.append(ShapeTuple(plan().operand_shape(i)));
    }
    return nb::tuple(shapes);
  }

  nb::tuple dtypes() const {
    nb::list names;
    for (size_t i = 0; i < plan().operand_count(); ++i) {
      names.append(Str(Info(plan_.dtype(i)).name));
    }
    return nb::tuple(names);
  }

  nb::tuple result_dtypes() const {
    nb::list names;
    for (size_t i = 0; i < plan().output_count(); ++i) {
      names.append(Str(Info(plan_.output_dtype(i)).name));
    }
    return nb::tuple(names);
  }

  nb::object Run(nb::handle inputs, nb::handle out) const {
    const std::vector<Operand> operands = ReadInputs(inputs);
    return plan_.Run(std::nullopt, operands, Given(out));
  }

  nb::object RunRegion(nb::handle box, nb::handle inputs,
                       nb::handle out) const {
    const std::vector<IndexRange> ranges = ReadBox(box);
    const std::vector<Operand> operands = ReadInputs(inputs);
    return plan_.Run(std::span<const IndexRange>(ranges), operands, Given(out));
  }

 private:
  static PyObject* Given(nb::handle out) {
    return out.is_none() ? nullptr : out.ptr();
  }

  // Values without an element type get that of the plan.
  std::vector<Operand> ReadInputs(nb::handle inputs) const {
    if (!PyList_Check(inputs.ptr()) && !PyTuple_Check(inputs.ptr())) {
      Raise({.error_class = ErrorClass::kArity, .op = plan().op()},
            "The inputs have to be a list, as [a, b], not " +
                Show(inputs.ptr()) + ".");
    }
    const nb::tuple items(nb::borrow(inputs));
    std::vector<Operand> operands;
    for (size_t i = 0; i < items.size(); ++i) {
      const auto number = static_cast<int32_t>(i);
      operands.emplace_back(items[i].ptr(), number);
      if (i < plan().operand_count()) {
        operands[i].Settle(plan_.dtype(i), number);
      }
    }
    return operands;
  }

  std::vector<IndexRange> ReadBox(nb::handle box) const {
    const Error error{.error_class = ErrorClass::kExtent,
                      .operand = kOutputOperand};
    const auto refuse = [&](nb::handle value) {
      Raise(error,
            "A box has a range for each axis of the result, as [(0, 2), (1, "
            "4)] or slices with a start and a stop, not " +
                Show(value.ptr()) + ".");
    };
    if (!PyList_Check(box.ptr()) && !PyTuple_Check(box.ptr())) refuse(box);
    const nb::tuple axes(nb::borrow(box));
    std::vector<IndexRange> ranges;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      const nb::object range = axes[axis];
      nb::object begin, end;
      if (PySlice_Check(range.ptr())) {
        begin = range.attr("start");
        end = range.attr("stop");
        const nb::object step = range.attr("step");
        if (begin.is_none()) begin = nb::int_(0);
        if (end.is_none() && axis < plan().output_shape().size()) {
          end = nb::int_(plan().output_shape()[axis]);
        }
        if (!step.is_none() && !step.equal(nb::int_(1))) refuse(range);
      } else if ((PyTuple_Check(range.ptr()) || PyList_Check(range.ptr())) &&
                 nb::len(range) == 2) {
        begin = range[0];
        end = range[1];
      } else {
        refuse(range);
      }
      Error at = error;
      at.axis = static_cast<int32_t>(axis);
      const std::string name = "The box, axis " + std::to_string(axis);
      ranges.push_back({ReadInteger(begin.ptr(), at, name),
                        ReadInteger(end.ptr(), at, name)});
    }
    return ranges;
  }

  NamedPlan plan_;
  nb::tuple made_of_;
};

// Keyword arguments as a dict, for unpickling.
nb::dict Keywords(PyObject* const* values, PyObject* names) {
  nb::dict keywords;
  if (names == nullptr) return keywords;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
    if (values[i] != Py_None) {
      keywords[nb::handle(PyTuple_GET_ITEM(names, i))] = nb::handle(values[i]);
    }
  }
  return keywords;
}

// plan(op, rule, shapes, dtypes, **options)
PyObject* PlanFunction(PyObject*, PyObject* const* values,
                       Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    constexpr KeywordSet kTaken =
        SetOf({Keyword::axis, Keyword::target_shape, Keyword::axes_mapping,
               Keyword::policy, Keyword::names, Keyword::fmod,
               Keyword::direction, Keyword::to, Keyword::saturate});
    const Arguments arguments("plan", values, positional, keywords, 4, 4,
                              kTaken);
    const auto given = arguments.positional();
    const Op op = ReadOp(given[0]);
    Options options(arguments);
    if (given[1] != Py_None) options.values.rule = ReadRule(given[1]);
    if (PyObject* const to = arguments[Keyword::to]) {
      options.values.attributes.to = ReadDType(to);
    }
    const Shapes shapes(given[2]);
    if (!PyList_Check(given[3]) && !PyTuple_Check(given[3])) {
      Raise({.error_class = ErrorClass::kArity, .op = op},
            "The element types have to be a list, as ['f32', 'f32'], not " +
                Show(given[3]) + ".");
    }
    const nb::tuple names(nb::borrow(given[3]));
    std::vector<DType> dtypes;
    for (size_t i = 0; i < names.size(); ++i) {
      dtypes.push_back(ReadDType(names[i].ptr()));
    }
    if (dtypes.size() != shapes.views().size()) {
      Raise({.error_class = ErrorClass::kArity,
             .op = op,
             .extent = static_cast<int64_t>(dtypes.size()),
             .other_extent = static_cast<int64_t>(shapes.views().size())},
            "There are " + std::to_string(dtypes.size()) +
                " element types for " + std::to_string(shapes.views().size()) +
                " shapes: give one for each.");
    }
    NamedPlan plan = NamedPlan::Make(op, shapes.views(), dtypes, options);
    // The arguments as plain values, whatever objects they were.
    nb::list plain_shapes;
    for (const ShapeView shape : shapes.views()) {
      plain_shapes.append(ShapeTuple(shape));
    }
    nb::list plain_types;
    for (const DType dtype : dtypes) plain_types.append(Str(Info(dtype).name));
    nb::dict options_given = Keywords(values + positional, keywords);
    if (options.values.attributes.to) {
      options_given["to"] = Str(Info(*options.values.attributes.to).name);
    }
    nb::tuple made_of = nb::make_tuple(
        Str(Info(op).name), Str(Info(plan.plan().rule()).name),
        nb::tuple(plain_shapes), nb::tuple(plain_types), options_given);
    return nb::cast(KeptPlan(std::move(plan), std::move(made_of)));
  });
}

}  // namespace

void AddPlans(nb::module_& module) {
  nb::class_<KeptPlan>(module, "Plan",
                       "An operator made ready for operands of given shapes "
                       "and types: keep it, run it any number of times.")
      .def_prop_ro(
          "op",
          [](const KeptPlan& self) { return Str(Info(self.plan().op()).name); })
      .def_prop_ro("rule",
                   [](const KeptPlan& self) {
                     return Str(Info(self.plan().rule()).name);
                   })
      .def_prop_ro("shapes", &KeptPlan::shapes)
      .def_prop_ro("dtypes", &KeptPlan::dtypes)
      .def_prop_ro("shape",
                   [](const KeptPlan& self) {
                     return ShapeTuple(self.plan().output_shape());
                   })
      .def_prop_ro("result_dtypes", &KeptPlan::result_dtypes)
      .def("__reduce__",
           [](const KeptPlan& self) {
             return nb::make_tuple(
                 nb::module_::import_("broadloom._plans").attr("make_plan"),
                 self.made_of());
           })
      .def("run", &KeptPlan::Run, nb::arg("inputs"),
           nb::arg("out") = nb::none())
      .def("run_region", &KeptPlan::RunRegion, nb::arg("box"),
           nb::arg("inputs"), nb::arg("out") = nb::none());
  AddFunction(
      module, "plan", &PlanFunction,
      "plan(op, rule, shapes, dtypes, /, *, axis=None, target_shape=None, "
      "axes_mapping=None, policy=None, names=None, fmod=None, direction=None, "
      "to=None, saturate=None)\n--\n\n"
      "A plan of an operator for operands of these shapes and element "
      "types.\n\n"
      ">>> import broadloom, numpy\n"
      ">>> plan = broadloom.plan('Add', 'numpy', [(2, 3), (3,)], ['f64', "
      "'f64'])\n"
      ">>> plan.run([numpy.ones((2, 3)), [0, 1, 2]]).tolist()\n"
      "[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]");
}

}  // namespace broadloom_python
