#include "plans.h"

#include <string>
#include <utility>
#include <vector>

#include "broadloom/explain/plan_text.h"
#include "run_plan.h"

namespace broadloom_python {

namespace {

// A class of the package's own Python.
nb::object PackageClass(const char* name) {
  return nb::module_::import_("broadloom._plans").attr(name);
}

// A plan, and what it is made of anew when it is unpickled: its text, and of a
// part of a plan the boxes by which it was cut out, the first one first.
class KeptPlan {
 public:
  KeptPlan(NamedPlan plan, nb::str text, nb::tuple boxes)
      : plan_(std::move(plan)),
        text_(std::move(text)),
        boxes_(std::move(boxes)) {}

  const Plan& plan() const { return plan_.plan(); }

  nb::tuple Reduce() const {
    return nb::make_tuple(PackageClass("make_plan"),
                          nb::make_tuple(text_, boxes_));
  }

  // Plans of the same question and boxes are equal.
  nb::object Equals(nb::handle other) const {
    if (!nb::isinstance<KeptPlan>(other)) {
      return nb::borrow(Py_NotImplemented);
    }
    const auto& plan = nb::cast<const KeptPlan&>(other);
    return nb::bool_(text_.equal(plan.text_) && boxes_.equal(plan.boxes_));
  }

  Py_hash_t Hash() const { return nb::hash(nb::make_tuple(text_, boxes_)); }

  nb::str ToJson() const {
    if (boxes_.size() == 0) return text_;
    Raise({.error_class = ErrorClass::kAttribute},
          "The plan of a box has no text: write that of the whole plan, and "
          "ask it for within(box).");
  }

  KeptPlan Within(nb::handle box) const {
    const std::vector<IndexRange> ranges = ReadBox(box);
    nb::list boxes(boxes_);
    boxes.append(RangesTuple(ranges));
    return {plan_.Within(ranges), text_, nb::tuple(boxes)};
  }

  // For each operand a range for each of its axes.
  nb::tuple InputRegionsOf(nb::handle box) const {
    const std::vector<IndexRange> ranges = ReadBox(box);
    const Regions regions = Expect(InputRegions(plan(), ranges));
    nb::list list;
    for (size_t i = 0; i < regions.operand_count(); ++i) {
      list.append(RangesTuple(regions[i]));
    }
    return nb::tuple(list);
  }

  nb::object CostOf(nb::handle box) const {
    const std::vector<IndexRange> ranges = ReadBox(box);
    std::vector<uint64_t> bytes_read(plan().operand_count());
    const RegionCost cost = Expect(Cost(plan(), ranges, bytes_read));
    nb::list of_operands;
    for (const uint64_t bytes : bytes_read) of_operands.append(bytes);
    return PackageClass("RegionCost")(cost.read, cost.written, cost.peak,
                                      nb::tuple(of_operands));
  }

  nb::object Unify(nb::handle chunks, nb::handle memory_bytes,
                   nb::handle most_chunks, nb::handle task_bytes) const {
    std::vector<std::vector<Integers>> extents;
    std::vector<std::vector<ShapeView>> axes;
    for (const nb::handle operand : ReadSequence(chunks)) {
      auto& own = extents.emplace_back();
      for (const nb::handle axis : ReadSequence(operand)) {
        own.push_back(ReadIntegers(
            axis.ptr(),
            {.error_class = ErrorClass::kExtent,
             .operand = static_cast<int32_t>(extents.size() - 1),
             .operand_axis = static_cast<int32_t>(own.size())},
            "The chunks of " +
                OperandName(static_cast<int32_t>(extents.size() - 1)) +
                " along its axis " + std::to_string(own.size())));
      }
    }
    for (const auto& own : extents) {
      auto& views = axes.emplace_back();
      for (const Integers& axis : own) views.push_back(axis.view());
    }
    const std::vector<std::span<const ShapeView>> given(axes.begin(),
                                                        axes.end());
    UnifyOptions options;
    if (!memory_bytes.is_none()) {
      options.memory_bytes = ReadCount(memory_bytes, "memory_bytes");
    }
    if (!most_chunks.is_none()) {
      options.most_chunks =
          static_cast<int64_t>(ReadCount(most_chunks, "most_chunks"));
    }
    if (!task_bytes.is_none()) {
      options.task_bytes = ReadCount(task_bytes, "task_bytes");
    }
    const Result<UnifiedChunks> made = UnifyChunks(plan(), given, options);
    if (!made) RaiseAboutChunks(made.error());
    const UnifiedChunks& unified = *made;

    nb::list result;
    for (size_t axis = 0; axis < plan().output_shape().size(); ++axis) {
      result.append(ShapeTuple(unified.result(axis)));
    }
    nb::list operands;
    nb::list rechunks;
    nb::list moved;
    for (size_t i = 0; i < plan().operand_count(); ++i) {
      nb::list own;
      for (size_t axis = 0; axis < plan().operand_shape(i).size(); ++axis) {
        own.append(ShapeTuple(unified.operand(i, axis)));
      }
      operands.append(nb::tuple(own));
      rechunks.append(unified.rechunks(i));
      moved.append(unified.moved(i));
    }
    const ChunkCost& cost = unified.cost();
    return PackageClass("UnifiedChunks")(
        nb::tuple(result), nb::tuple(operands), nb::tuple(rechunks),
        nb::tuple(moved), cost.chunks, cost.pieces, cost.moved, cost.peak);
  }

  // The core's sentence speaks of a tensor of another shape.
  [[noreturn]] static void RaiseAboutChunks(const Error& error) {
    if (error.error_class != ErrorClass::kIncompatible) Raise(error);
    const std::string operand = OperandName(error.operand);
    const auto number = [](int64_t count) { return std::to_string(count); };
    if (error.operand_axis == kAbsent) {
      Raise(error, operand + " has " + number(error.other_extent) +
                       " axes, but chunks are given for " +
                       number(error.extent) + ": give a list for each axis.");
    }
    Raise(error, "The chunks of " + operand + " along its axis " +
                     number(error.operand_axis) + " have " +
                     number(error.extent) + " together, but the axis has " +
                     number(error.other_extent) + ".");
  }

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
  static nb::tuple RangesTuple(std::span<const IndexRange> ranges) {
    nb::list list;
    for (const auto [begin, end] : ranges) {
      list.append(nb::make_tuple(begin, end));
    }
    return nb::tuple(list);
  }

  static nb::tuple ReadSequence(nb::handle value) {
    const nb::object items = TupleOf(value.ptr());
    if (items.is_valid()) return nb::borrow<nb::tuple>(items);
    Raise({.error_class = ErrorClass::kArity},
          "The chunks have to be lists: for each operand, for each of its "
          "axes, the extents of the chunks, as [[(2, 2), (3,)], [(3,)]], not " +
              Show(value.ptr()) + ".");
  }

  static uint64_t ReadCount(nb::handle value, std::string_view what) {
    const Error error{.error_class = ErrorClass::kAttribute};
    const int64_t count = ReadInteger(value.ptr(), error, what);
    if (count >= 0) return static_cast<uint64_t>(count);
    Raise(error, std::string(what) + " has to be 0 or more, not " +
                     std::to_string(count) + ".");
  }

  static PyObject* Given(nb::handle out) {
    return out.is_none() ? nullptr : out.ptr();
  }

  // Values without an element type get that of the plan.
  std::vector<Operand> ReadInputs(nb::handle inputs) const {
    const nb::object items = TupleOf(inputs.ptr());
    if (!items.is_valid()) {
      Raise({.error_class = ErrorClass::kArity, .op = plan().op()},
            "The inputs have to be a list, as [a, b], not " +
                Show(inputs.ptr()) + ".");
    }
    std::vector<Operand> operands;
    for (size_t i = 0; i < nb::len(items); ++i) {
      const auto number = static_cast<int32_t>(i);
      operands.emplace_back(nb::object(items[i]).ptr(), number);
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
    const nb::object given = TupleOf(box.ptr());
    if (!given.is_valid()) refuse(box);
    const nb::tuple axes = nb::borrow<nb::tuple>(given);
    std::vector<IndexRange> ranges;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      const nb::object range = axes[axis];
      const nb::object pair = TupleOf(range.ptr());
      nb::object begin, end;
      Error at = error;
      at.axis = static_cast<int32_t>(axis);
      const std::string name = "The box, axis " + std::to_string(axis);
      if (PySlice_Check(range.ptr())) {
        begin = range.attr("start");
        end = range.attr("stop");
        const nb::object step = range.attr("step");
        if (begin.is_none()) begin = nb::int_(0);
        if (end.is_none() && axis < plan().output_shape().size()) {
          end = nb::int_(plan().output_shape()[axis]);
        }
        if (!step.is_none() && ReadInteger(step.ptr(), at, name) != 1) {
          refuse(range);
        }
      } else if (pair.is_valid() && nb::len(pair) == 2) {
        begin = pair[0];
        end = pair[1];
      } else {
        refuse(range);
      }
      ranges.push_back({ReadInteger(begin.ptr(), at, name),
                        ReadInteger(end.ptr(), at, name)});
    }
    return ranges;
  }

  NamedPlan plan_;
  nb::str text_;
  nb::tuple boxes_;
};

nb::object MakeKept(Op op, std::span<const ShapeView> shapes,
                    std::span<const DType> dtypes, const Options& options) {
  NamedPlan plan = NamedPlan::Make(op, shapes, dtypes, options);
  Arena arena;
  const std::string_view text = Expect(WritePlan(
      {.op = op, .shapes = shapes, .dtypes = dtypes, .options = options.values},
      arena));
  return nb::cast(KeptPlan(std::move(plan), Str(text), nb::tuple()));
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
    const nb::object names = TupleOf(given[3]);
    if (!names.is_valid()) {
      Raise({.error_class = ErrorClass::kArity, .op = op},
            "The element types have to be a list, as ['f32', 'f32'], not " +
                Show(given[3]) + ".");
    }
    std::vector<DType> dtypes;
    for (size_t i = 0; i < nb::len(names); ++i) {
      dtypes.push_back(ReadDType(nb::object(names[i]).ptr()));
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
    return MakeKept(op, shapes.views(), dtypes, options);
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
      .def("__reduce__", &KeptPlan::Reduce)
      .def("__eq__", &KeptPlan::Equals, nb::arg("other").none())
      .def("__hash__", &KeptPlan::Hash)
      .def("to_json", &KeptPlan::ToJson,
           "The plan as text, from which read_plan makes it anew. It is the "
           "same on every platform.")
      .def("within", &KeptPlan::Within, nb::arg("box").none(),
           "The plan of a box of the result: its operands have the shapes of "
           "the box's input regions.")
      .def("input_regions", &KeptPlan::InputRegionsOf, nb::arg("box").none(),
           "Which elements of each operand a box of the result is computed "
           "from: a range for each of its axes.")
      .def("cost", &KeptPlan::CostOf, nb::arg("box").none(),
           "The bytes that computing a box reads and writes, and the most "
           "memory in use.")
      .def("unify_chunks", &KeptPlan::Unify, nb::arg("chunks").none(),
           nb::kw_only(), nb::arg("memory_bytes") = nb::none(),
           nb::arg("most_chunks") = nb::none(),
           nb::arg("task_bytes") = nb::none(),
           "Chunks with which each chunk of the result is computed from one "
           "chunk of each operand, by cost.")
      .def("run", &KeptPlan::Run, nb::arg("inputs").none(),
           nb::arg("out") = nb::none())
      .def("run_region", &KeptPlan::RunRegion, nb::arg("box").none(),
           nb::arg("inputs").none(), nb::arg("out") = nb::none());
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
  AddPositional<1, 1>(
      module, "read_plan",
      [](std::span<PyObject* const> values) {
        Arena arena;
        const std::string text = ReadText(values[0], "The plan");
        const ReadPlanText read = Expect(ReadPlan(text, arena));
        if (!read.reason.empty()) {
          Raise({.error_class = ErrorClass::kParse,
                 .text_begin = static_cast<uint32_t>(read.at),
                 .text_end = static_cast<uint32_t>(read.at)},
                read.reason);
        }
        Options options;
        options.values = read.request.options;
        return MakeKept(read.request.op, read.request.shapes,
                        read.request.dtypes, options);
      },
      "read_plan(text, /)\n--\n\n"
      "The plan of a text that Plan.to_json() wrote, on any platform.\n\n"
      ">>> import broadloom\n"
      ">>> plan = broadloom.plan('Add', 'numpy', [(2, 3), (3,)], ['f64', "
      "'f64'])\n"
      ">>> broadloom.read_plan(plan.to_json()).shape\n(2, 3)");
}

}  // namespace broadloom_python
