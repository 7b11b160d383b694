#include "vocabulary.h"

#include <limits>
#include <string>
#include <string_view>

#include "broadloom/broadloom.h"
#include "operators.h"
#include "settle_types.h"

namespace broadloom_python {

namespace {

template <class Row>
nb::tuple Names(std::span<const Row> rows) {
  nb::list names;
  for (const Row& row : rows) {
    if (!row.name.empty()) names.append(Str(row.name));
  }
  return nb::tuple(names);
}

std::string_view Name(OpAttribute attribute) {
  switch (attribute) {
    case OpAttribute::kFmod:
      return "fmod";
    case OpAttribute::kDirection:
      return "direction";
    case OpAttribute::kTo:
      return "to";
    case OpAttribute::kNoAttribute:
      return "";
  }
  return "";
}

// What stubs and tests are made from: for each operator its row.
nb::dict OpRows() {
  nb::dict rows;
  for (const OpInfo& info : AllOps()) {
    nb::dict row;
    row["function"] = Str(FunctionName(info.op));
    row["least_operands"] = info.least_operands;
    row["most_operands"] = info.most_operands;
    row["attribute"] = Str(Name(info.attribute));
    row["default_rule"] = Str(Info(info.default_rule).name);
    row["doc"] = Str(info.doc);
    nb::list types;
    for (size_t operand = 0; operand < 2; ++operand) {
      nb::list names;
      for (const DTypeInfo& dtype : AllDTypes()) {
        if (Accepts(info.op, operand, dtype.dtype, true)) {
          names.append(Str(dtype.name));
        }
      }
      types.append(nb::tuple(names));
    }
    row["types"] = nb::tuple(types);
    rows[Str(info.name)] = row;
  }
  return rows;
}

nb::dict RuleRows() {
  nb::dict rows;
  for (const RuleInfo& info : AllRules()) {
    nb::dict row;
    row["title"] = Str(info.title);
    row["doc"] = Str(info.doc);
    const RuleTraits& traits = Traits(info.rule);
    row["takes_axis"] = traits.takes_axis;
    row["takes_target"] = traits.takes_target;
    row["takes_mapping"] = traits.takes_mapping;
    row["returns_each"] = traits.returns_each;
    rows[Str(info.name)] = row;
  }
  return rows;
}

nb::dict ErrorRows() {
  nb::dict rows;
  for (const ErrorClassInfo& info : AllErrorClasses()) {
    rows[Str(info.name)] = Str(info.doc);
  }
  return rows;
}

Promoted ReadPromoted(PyObject* value) {
  // A type; else an array or a number, which stands for its type or kind.
  if (PyUnicode_Check(value) || PyType_Check(value) ||
      PyArray_DescrCheck(value)) {
    return {ReadDType(value), WeakKind::kNone};
  }
  const Operand operand(value, 0);
  return {operand.dtype(),
          operand.is_scalar() ? operand.weak() : WeakKind::kNone};
}

std::vector<Promoted> ReadAllPromoted(std::span<PyObject* const> operands) {
  std::vector<Promoted> promoted;
  for (PyObject* const operand : operands) {
    promoted.push_back(ReadPromoted(operand));
  }
  return promoted;
}

using Values = std::span<PyObject* const>;

// More operands than any call has.
constexpr size_t kMostOperands = size_t{1} << 20;

}  // namespace

void AddVocabulary(nb::module_& module) {
  module.attr("rules") = Names(AllRules());
  module.attr("dtypes") = Names(AllDTypes());
  module.attr("target") = Str(ActiveTarget());
  AddPositional<0, 0>(
      module, "op_rows", [](Values) { return OpRows(); },
      "op_rows()\n--\n\nThe operators: what each takes.");
  AddPositional<0, 0>(
      module, "rule_rows", [](Values) { return RuleRows(); },
      "rule_rows()\n--\n\nThe rules: which options each takes.");
  AddPositional<0, 0>(
      module, "error_rows", [](Values) { return ErrorRows(); },
      "error_rows()\n--\n\nThe classes of errors.");
  AddPositional<1, 1>(
      module, "format_shape",
      [](Values values) {
        const Integers extents = ReadIntegers(
            values[0], {.error_class = ErrorClass::kExtent}, "The shape");
        std::string text(FormatShape(extents.view(), {}), ' ');
        (void)FormatShape(extents.view(), text);
        return Str(text);
      },
      "format_shape(shape, /)\n--\n\n"
      "A shape as messages write it.\n\n"
      ">>> import broadloom\n>>> broadloom.format_shape([5])\n'(5,)'");
  AddPositional<1, 1>(
      module, "show", [](Values values) { return Str(Show(values[0])); },
      "show(value, /)\n--\n\n"
      "A value as messages show it: its repr, if that is short, and its type.");
  AddPositional<1, 1>(
      module, "format_operand",
      [](Values values) {
        const Error error{.error_class = ErrorClass::kArity};
        const int64_t operand = ReadInteger(values[0], error, "operand");
        if (operand < kOutputOperand ||
            operand > std::numeric_limits<int32_t>::max()) {
          Raise(error, "There is no operand " + std::to_string(operand) + ".");
        }
        return Str(OperandName(static_cast<int32_t>(operand)));
      },
      "format_operand(operand, /)\n--\n\n"
      "An operand as messages name it.\n\n"
      ">>> import broadloom\n>>> broadloom.format_operand(1)\n'B'");
  AddPositional<0, kMostOperands>(
      module, "result_type",
      [](Values values) {
        return Str(Info(CommonType(ReadAllPromoted(values))).name);
      },
      "result_type(*operands)\n--\n\n"
      "The common element type of arrays, numbers and types by NumPy 2's "
      "promotion.\n\n"
      ">>> import broadloom\n>>> broadloom.result_type('i8', 'u8')\n'i16'");
  AddPositional<1, kMostOperands>(
      module, "promoted_types",
      [](Values values) {
        nb::list names;
        for (const auto& type : PromotedTypes(
                 ReadOp(values[0]), ReadAllPromoted(values.subspan(1)))) {
          names.append(type ? nb::object(Str(Info(*type).name)) : nb::none());
        }
        return nb::tuple(names);
      },
      "promoted_types(op, /, *operands)\n--\n\n"
      "The element types in which an operator computes operands of mixed "
      "types; None for one that takes no part.\n\n"
      ">>> import broadloom\n"
      ">>> broadloom.promoted_types('Div', 'u8', 'u8')\n('f64', 'f64')");
  AddPositional<2, kMostOperands>(
      module, "settled_types",
      [](Values values) {
        std::vector<Operand> operands;
        for (PyObject* const value : values.subspan(2)) {
          operands.emplace_back(value, static_cast<int32_t>(operands.size()));
        }
        SettleTypes(ReadOp(values[0]), operands, values[1] == Py_True);
        nb::list names;
        for (const Operand& operand : operands) {
          names.append(Str(Info(operand.dtype()).name));
        }
        return nb::tuple(names);
      },
      "settled_types(op, promote, /, *operands)\n--\n\n"
      "The element type in which an operator computes each of its operands, "
      "those without a type included. `promote` is True or False.");
  AddPositional<1, 1>(
      module, "numpy_dtype",
      [](Values values) { return DescrOf(ReadDType(values[0])); },
      "numpy_dtype(dtype, /)\n--\n\n"
      "The NumPy dtype of an element type.\n\n"
      ">>> import broadloom\n"
      ">>> broadloom.numpy_dtype('f16')\ndtype('float16')");
  AddPositional<1, 1>(
      module, "dtype_name",
      [](Values values) { return Str(Info(ReadDType(values[0])).name); },
      "dtype_name(dtype, /)\n--\n\n"
      "Broadloom's name of an element type.\n\n"
      ">>> import broadloom, numpy\n"
      ">>> broadloom.dtype_name(numpy.float32)\n'f32'");
}

}  // namespace broadloom_python
