// ONNX: a model made by onnx.helper, run by the reference evaluator, so that
// every type has its operators.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain/code.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/array_library.h"
#include "code/dtypes.h"
#include "code/operators.h"
#include "code/writing.h"

namespace broadloom {
inline namespace v1 {
namespace {

using View = std::string_view;

class OnnxWriter {
 public:
  explicit OnnxWriter(Writing& writing)
      : w_(writing), nodes_(w_.arena), constants_(w_.arena) {}

  View Write(Names names) {
    const bool is_several = w_.returns_each();
    const bool only_repeats = w_.only_repeats();
    Check();
    List<View> inputs(w_.arena);
    for (size_t i = 0; i < names.size(); ++i) {
      if (w_.LiesRight(i)) {
        inputs.Push(names[i]);
        continue;
      }
      const View placed[] = {names[i],
                             Shape(w_.Cat(names[i], "_shape"), w_.Placed(i))};
      inputs.Push(
          Node("Reshape", placed, w_.Cat(names[i], "_placed"), "allowzero=1"));
    }
    List<View> outputs(w_.arena);
    if (only_repeats) {
      const View target = Shape(
          "target_shape",
          w_.question.rule == Rule::kBidirectional ? w_.target() : w_.output());
      for (size_t i = 0; i < inputs.size(); ++i) {
        const View two[] = {inputs[i], target};
        outputs.Push(
            Node("Expand", two, inputs.size() == 1 ? "out" : w_.Cat("out", i)));
      }
    } else {
      outputs.Push("out");
      Compute(inputs.view());
    }
    Text text(w_.arena);
    const bool borrows = std::ranges::any_of(
        w_.question.operands,
        [](const CodeOperand& operand) { return IsBorrowed(operand.dtype); });
    if (borrows) text << "import ml_dtypes\n";
    text << "import numpy as np\nfrom onnx import TensorProto, helper\n"
            "from onnx.reference import ReferenceEvaluator\n\n";
    List<View> given(w_.arena);
    List<View> feeds(w_.arena);
    for (size_t i = 0; i < names.size(); ++i) {
      const CodeOperand& operand = w_.operand(i);
      text << names[i] << " = " << MadeByNumPy(w_, operand) << '\n';
      given.Push(Info_(names[i], operand.dtype, operand.shape));
      feeds.Push(w_.Cat('"', names[i], "\": ", names[i]));
    }
    List<View> made(w_.arena);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const DType type = only_repeats && i < w_.count() ? w_.operand(i).dtype
                                                        : w_.result_type();
      made.Push(Info_(outputs[i], type, w_.output()));
    }
    text << "graph = helper.make_graph(\n";
    Rows(text, nodes_.view());
    text << "    \"broadcast\",\n";
    Rows(text, given.view());
    Rows(text, made.view());
    if (!constants_.empty()) Rows(text, constants_.view());
    text << ")\nmodel = helper.make_model(graph, "
            "opset_imports=[helper.make_opsetid(\"\", 21)], ir_version=10)\n"
         << (is_several ? "outs" : "(out,)")
         << " = ReferenceEvaluator(model).run(None, "
         << w_.Listed("{", feeds.view(), "}") << ")  # "
         << (is_several ? "each of shape " : "shape ") << w_.Tuple(w_.output())
         << '\n';
    return text.view();
  }

 private:
  View Type(DType dtype) {
    const View type = NameOf(dtype, TypeColumn::kOnnx);
    if (type.empty()) {
      w_.Refuse("ONNX's operators do not take ", Info(dtype).name, ".");
    }
    return w_.Cat("TensorProto.", type);
  }

  View Info_(View name, DType dtype, ShapeView shape) {
    return w_.Cat("helper.make_tensor_value_info(\"", name, "\", ", Type(dtype),
                  ", ", w_.Brackets(shape), ")");
  }

  static void Rows(Text& text, Names items) {
    text << "    [\n";
    for (const View item : items) text << "        " << item << ",\n";
    text << "    ],\n";
  }

  // Adds a node; returns its output's name.
  View Node(View op, Names inputs, View output, View attributes = {}) {
    Text node(w_.arena);
    node << "helper.make_node(\"" << op << "\", [";
    for (size_t i = 0; i < inputs.size(); ++i) {
      node << (i > 0 ? ", \"" : "\"") << inputs[i] << '"';
    }
    node << "], [\"" << output << "\"]";
    if (!attributes.empty()) node << ", " << attributes;
    node << ')';
    nodes_.Push(node.view());
    return output;
  }

  // Adds a constant; returns its name.
  View Constant(View name, View type, View shape, View values) {
    constants_.Push(w_.Cat("helper.make_tensor(\"", name, "\", ", type, ", ",
                           shape, ", ", values, ")"));
    return name;
  }

  View Shape(View name, std::span<const int64_t> shape) {
    return Constant(name, "TensorProto.INT64", w_.Cat('[', shape.size(), ']'),
                    w_.Brackets(shape));
  }

  void Check() {
    const Op op = w_.question.op;
    for (const CodeOperand& operand : w_.question.operands) {
      Type(operand.dtype);
    }
    const DType dtype = w_.leading_type();
    if ((op == Op::kDiv || op == Op::kMod) && IsInteger(dtype) &&
        w_.DividesByZero()) {
      w_.Refuse(
          "ONNX leaves open what integers divided by 0 give; runtimes fail.");
    }
    if (op == Op::kPow) {
      if (dtype != DType::kI32 && dtype != DType::kI64 && !IsFloat(dtype)) {
        w_.Refuse("ONNX's Pow takes no base of type ", Info(dtype).name, ".");
      }
      if (IsInteger(dtype) && w_.HasNegativeExponent()) {
        w_.Refuse("ONNX leaves open what integers to negative powers give.");
      }
    }
    w_.CheckCast("ONNX");
    if (op == Op::kBitShift && w_.ShiftsPastWidth()) {
      w_.Refuse("ONNX leaves open what a shift by the width or more gives.");
    }
  }

  // The nodes of the operator, from its operands to `out`.
  void Compute(Names inputs) {
    const DType dtype = w_.leading_type();
    if (!IsHalf(dtype) || !HasSteps(w_.question.op)) {
      Operator(inputs, dtype, "out");
      return;
    }
    // Runtimes round at every step; through FLOAT there is one rounding.
    List<View> wide(w_.arena);
    for (const View input : inputs) {
      wide.Push(Node("Cast", {&input, 1}, w_.Cat(input, "_wide"),
                     "to=TensorProto.FLOAT"));
    }
    const View made = Operator(wide.view(), DType::kF32, "wide");
    Node("Cast", {&made, 1}, "out", w_.Cat("to=", Type(dtype)));
  }

  // The node's attribute as an argument of make_node.
  View Attribute() {
    switch (w_.op().attribute) {
      case OpAttribute::kDirection:
        return w_.is_right_shift() ? "direction=\"RIGHT\""
                                   : "direction=\"LEFT\"";
      case OpAttribute::kFmod:
        return w_.is_fmod() ? "fmod=1" : "";
      case OpAttribute::kTo:
        return w_.Cat("to=", Type(w_.to()));
      default:
        return {};
    }
  }

  // The operator's nodes on inputs of type `dtype`; the name of their output.
  View Operator(Names inputs, DType dtype, View output) {
    const Op op = w_.question.op;
    const View node = SpellingOf(op, w_.leading_type(), w_.question.attributes,
                                 OperatorColumn::kOnnx);
    if (!node.empty() && node != kComposed) {
      return Node(node, inputs, output, Attribute());
    }
    const View a = inputs.empty() ? View() : inputs[0];
    const View b = inputs.size() < 2 ? View() : inputs[1];
    switch (node.empty() ? Op::kAdd : op) {
      case Op::kMean: {
        // Divided, since runtimes' Mean multiplies by a rounded reciprocal.
        const View count = Constant("count", Type(dtype), "[]",
                                    w_.Cat('[', inputs.size(), ']'));
        const View two[] = {Node("Sum", inputs, "sum"), count};
        return Node("Div", two, output);
      }
      case Op::kSquaredDifference: {
        const View difference = Node("Sub", inputs, "difference");
        const View two[] = {difference, difference};
        return Node("Mul", two, output);
      }
      case Op::kNotEqual: {
        const View equal = Node("Equal", inputs, "equal");
        return Node("Not", {&equal, 1}, output);
      }
      case Op::kPRelu: {
        // ONNX's PRelu never stretches its first input.
        if (dtype != DType::kBF16 &&
            std::ranges::equal(w_.operand(0).shape, w_.output())) {
          return Node("PRelu", inputs, output);
        }
        const View zero = Constant("zero", Type(dtype), "[]", "[0]");
        const View compared[] = {a, zero};
        const View negative = Node("Less", compared, "negative");
        const View two[] = {a, b};
        const View three[] = {negative, Node("Mul", two, "sloped"), a};
        return Node("Where", three, output);
      }
      default:
        w_.Refuse("ONNX has no operator ", w_.op().name, ".");
        return {};
    }
  }

  Writing& w_;
  List<View> nodes_;
  List<View> constants_;
};

}  // namespace

View WriteOnnx(Writing& writing, Names names) {
  return OnnxWriter(writing).Write(names);
}

}  // namespace v1
}  // namespace broadloom
