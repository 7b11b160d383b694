#include "operators.h"

#include <array>
#include <vector>

#include "run_plan.h"
#include "settle_types.h"

namespace broadloom_python {

namespace {

constexpr KeywordSet kOptions =
    SetOf({Keyword::rule, Keyword::axis, Keyword::policy, Keyword::names,
           Keyword::out, Keyword::promote});

constexpr KeywordSet Attributes(OpAttribute attribute) {
  switch (attribute) {
    case OpAttribute::kFmod:
      return SetOf({Keyword::fmod});
    case OpAttribute::kDirection:
      return SetOf({Keyword::direction});
    case OpAttribute::kTo:
      return SetOf({Keyword::to, Keyword::saturate});
    case OpAttribute::kNoAttribute:
      return 0;
  }
  return 0;
}

// The operands of operators that take any number of them.
nb::object ReadList(Op op, PyObject* list) {
  // Of a list a copy: reading an operand may run the caller's code.
  nb::object operands = TupleOf(list);
  if (operands.is_valid()) return operands;
  Raise({.error_class = ErrorClass::kArity, .op = op},
        std::string(Info(op).name) +
            " takes one list of operands, as [a, b, c], not " + Show(list) +
            ".");
}

std::span<PyObject* const> Items(const nb::object& list) {
  return {PySequence_Fast_ITEMS(list.ptr()),
          static_cast<size_t>(PySequence_Fast_GET_SIZE(list.ptr()))};
}

// By operator; made once.
std::vector<std::string> function_names;

struct Row {
  Op op;
  OpAttribute attribute;
  size_t least;
  size_t most;
};

template <Op kOp>
constexpr Row kRow = {};
#define BROADLOOM_X(symbol, name, method, least, most, types, result, attr, \
                    ...)                                                    \
  template <>                                                               \
  constexpr Row kRow<Op::symbol> = {Op::symbol, OpAttribute::attr, least,   \
                                    most};
BROADLOOM_OPS(BROADLOOM_X)
#undef BROADLOOM_X

nb::object Call(const Row& row, PyObject* const* values, Py_ssize_t positional,
                PyObject* keywords) {
  const std::string& name = function_names[static_cast<size_t>(row.op)];
  const bool takes_list = row.most == 0;
  // Cast's type is its second argument.
  const bool takes_type = row.attribute == OpAttribute::kTo;
  const size_t count = takes_list ? 1 : row.most;
  const Arguments arguments(name, values, positional, keywords, count,
                            count + (takes_type ? 1 : 0),
                            kOptions | Attributes(row.attribute));
  Options options(arguments);
  std::span<PyObject* const> inputs = arguments.positional();
  if (takes_type) {
    PyObject* const to =
        inputs.size() > count ? inputs[count] : arguments[Keyword::to];
    if (to != nullptr) options.values.attributes.to = ReadDType(to);
    inputs = inputs.first(count);
  }
  if (!takes_list)
    return Compute(row.op, inputs, options, arguments[Keyword::out]);
  const nb::object list = ReadList(row.op, inputs[0]);
  return Compute(row.op, Items(list), options, arguments[Keyword::out]);
}

template <Op kOp>
PyObject* Function(PyObject*, PyObject* const* values, Py_ssize_t positional,
                   PyObject* keywords) {
  return Guarded([&] { return Call(kRow<kOp>, values, positional, keywords); });
}

// apply(op, inputs, **options)
PyObject* ApplyFunction(PyObject*, PyObject* const* values,
                        Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    constexpr KeywordSet kAll =
        kOptions | SetOf({Keyword::fmod, Keyword::direction, Keyword::to,
                          Keyword::saturate, Keyword::target_shape,
                          Keyword::axes_mapping});
    const Arguments arguments("apply", values, positional, keywords, 2, 2,
                              kAll);
    const Op op = ReadOp(arguments.positional()[0]);
    Options options(arguments);
    if (PyObject* const to = arguments[Keyword::to]) {
      options.values.attributes.to = ReadDType(to);
    }
    const nb::object list = ReadList(op, arguments.positional()[1]);
    return Compute(op, Items(list), options, arguments[Keyword::out]);
  });
}

// The signature, as inspect reads it from a docstring, and the docstring.
std::string Documentation(Op op) {
  const OpInfo& info = Info(op);
  const Row row = [&] {
#define BROADLOOM_X(symbol, ...) \
  if (op == Op::symbol) return kRow<Op::symbol>;
    BROADLOOM_OPS(BROADLOOM_X)
#undef BROADLOOM_X
    return Row{};
  }();
  std::string text = FunctionName(op) + "(";
  constexpr const char* kOperands[] = {"a", "b", "c"};
  constexpr const char* kChoice[] = {"condition", "a", "b"};
  if (row.most == 0) {
    text += "operands, ";
  } else {
    for (size_t i = 0; i < row.most; ++i) {
      text += row.most == 3 ? kChoice[i] : kOperands[i];
      text += ", ";
    }
  }
  text += row.attribute == OpAttribute::kTo ? "/, to, *" : "/, *";
  text +=
      ", rule=None, axis=None, policy=None, names=None, out=None, "
      "promote='strict'";
  switch (row.attribute) {
    case OpAttribute::kFmod:
      text += ", fmod=0";
      break;
    case OpAttribute::kDirection:
      text += ", direction=None";
      break;
    case OpAttribute::kTo:
      text += ", saturate=0";
      break;
    case OpAttribute::kNoAttribute:
      break;
  }
  text += ")\n--\n\n";
  text += info.name;
  text += ": ";
  text += info.doc;
  text += ".\n\nThe rule is ";
  text += Info(info.default_rule).name;
  text += " unless another is given.";
  return text;
}

}  // namespace

std::string FunctionName(Op op) {
  std::string name;
  for (const char letter : Info(op).method) {
    if (letter >= 'A' && letter <= 'Z') {
      name += '_';
      name += static_cast<char>(letter - 'A' + 'a');
    } else {
      name += letter;
    }
  }
  const bool is_keyword = nb::cast<bool>(
      nb::module_::import_("keyword").attr("iskeyword")(Str(name)));
  return is_keyword ? name + "_" : name;
}

nb::object Compute(Op op, std::span<PyObject* const> inputs,
                   const Options& options, PyObject* out) {
  std::array<Operand, kInlineOperands> few;
  std::vector<Operand> many;
  std::span<Operand> operands(few);
  if (inputs.size() > few.size()) {
    many.resize(inputs.size());
    operands = many;
  }
  operands = operands.first(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    operands[i] = Operand(inputs[i], static_cast<int32_t>(i));
  }
  if (op == Op::kBroadcast) {
    // Its tensors keep their own types.
    for (size_t i = 0; i < operands.size(); ++i) {
      operands[i].Settle(operands[i].dtype(), static_cast<int32_t>(i));
    }
  } else {
    SettleTypes(op, operands, options.promote);
  }

  ShapeView few_shapes[kInlineOperands];
  DType few_types[kInlineOperands];
  std::vector<ShapeView> many_shapes;
  std::vector<DType> many_types;
  std::span<ShapeView> shapes(few_shapes);
  std::span<DType> types(few_types);
  if (operands.size() > kInlineOperands) {
    many_shapes.resize(operands.size());
    many_types.resize(operands.size());
    shapes = many_shapes;
    types = many_types;
  }
  shapes = shapes.first(operands.size());
  types = types.first(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    shapes[i] = operands[i].shape();
    types[i] = operands[i].dtype();
  }
  return NamedPlan::Make(op, shapes, types, options)
      .Run(std::nullopt, operands, out);
}

void AddOperators(nb::module_& module) {
  for (const OpInfo& info : AllOps()) {
    function_names.push_back(FunctionName(info.op));
  }
  nb::dict names;
  const auto add = [&](Op op, FastFunction function) {
    const std::string& name = function_names[static_cast<size_t>(op)];
    // It stays, as AddFunction asks.
    const auto* const documentation = new std::string(Documentation(op));
    AddFunction(module, name.c_str(), function, documentation->c_str());
    names[Str(Info(op).name)] = Str(name);
  };
#define BROADLOOM_X(symbol, ...) \
  if (Op::symbol != Op::kBroadcast) add(Op::symbol, &Function<Op::symbol>);
  BROADLOOM_OPS(BROADLOOM_X)
#undef BROADLOOM_X
  module.attr("operators") = names;
  AddFunction(
      module, "apply", &ApplyFunction,
      "apply(op, operands, /, *, rule=None, axis=None, target_shape=None, "
      "axes_mapping=None, policy=None, names=None, out=None, "
      "promote='strict', fmod=None, direction=None, to=None, saturate=None)\n"
      "--\n\nComputes the operator of this name.\n\n"
      ">>> import broadloom\n"
      ">>> broadloom.apply('Add', [[1, 2], 10]).tolist()\n[11, 12]");
}

}  // namespace broadloom_python
