// OpenVINO's Python: a model of the operator, run by the CPU plugin.

#include "code/openvino.h"

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

// Whether its Python exchanges arrays of the type with NumPy: it does so of
// NumPy's own types.
bool IsShared(DType dtype) {
  return !NameOf(dtype, TypeColumn::kOpenVino).empty() &&
         !NameOf(dtype, TypeColumn::kNumPy).empty() && !IsBorrowed(dtype);
}

void CheckBroadcast(Writing& w) {
  if (w.output().empty()) {
    w.Refuse(
        "OpenVINO crashes where target_shape has no entries; a scalar is "
        "itself already.");
  }
  if (std::ranges::any_of(w.question.operands, [](const CodeOperand& operand) {
        return Writing::Elements(operand) == 0;
      })) {
    w.Refuse("OpenVINO crashes where the data of a Broadcast has no elements.");
  }
  if (w.question.rule != Rule::kBidirectional) return;
  if (w.target().empty()) {
    w.Refuse(
        "OpenVINO crashes where target_shape has no entries; the data is the "
        "result.");
  }
  if (std::ranges::find(w.target(), 0) != w.target().end()) {
    w.Refuse(
        "OpenVINO leaves 1 as it is where a bidirectional target has a 0.");
  }
}

class OpenVinoWriter {
 public:
  explicit OpenVinoWriter(Writing& writing) : w_(writing) {}

  View Write(Names names) {
    for (const CodeOperand& operand : w_.question.operands) {
      if (IsShared(operand.dtype)) continue;
      w_.Refuse("OpenVINO's Python takes no arrays of ",
                Info(operand.dtype).name, " from NumPy.");
    }
    if (!IsShared(w_.result_type())) {
      w_.Refuse("OpenVINO's Python gives NumPy no arrays of ",
                Info(w_.result_type()).name, ".");
    }
    CheckLayer(w_);
    List<View> nodes(w_.arena);
    List<View> placed(w_.arena);
    for (size_t i = 0; i < names.size(); ++i) {
      const View node = w_.Cat(names[i], "_in");
      nodes.Push(node);
      const bool stays = w_.only_repeats() || w_.LiesRight(i);
      placed.Push(stays ? node
                        : w_.Cat("ops.reshape(", node, ", ",
                                 Array(w_.Placed(i)), ", False)"));
    }
    List<View> results(w_.arena);
    if (w_.only_repeats()) {
      Repeat(nodes.view(), results);
    } else {
      results.Push(Compute(placed.view()));
    }
    Text text(w_.arena);
    text << "import numpy as np\nimport openvino as ov\n"
            "import openvino.opset15 as ops\n\n";
    for (size_t i = 0; i < names.size(); ++i) {
      text << names[i] << " = " << MadeByNumPy(w_, w_.operand(i)) << '\n';
    }
    for (const View name : names) {
      text << name << "_in = ops.parameter(" << name << ".shape, " << name
           << ".dtype)\n";
    }
    Note(text);
    text << "nodes = [";
    if (results.size() == 1) {
      text << results[0];
    } else {
      text << '\n';
      for (const View result : results) text << "    " << result << ",\n";
    }
    text << "]\nmodel = ov.Model(nodes, [" << w_.Joined(nodes.view(), ", ")
         << "])\ncompiled = ov.compile_model(model, \"CPU\", "
            "{\"INFERENCE_PRECISION_HINT\": \"f32\"})\n";
    const View run = w_.Cat("compiled([", w_.Joined(names, ", "), "])");
    if (w_.returns_each()) {
      text << "outs = list(" << run << ".values())  # each of shape ";
    } else {
      text << "out = " << run << "[0]  # shape ";
    }
    text << w_.Tuple(w_.output()) << '\n';
    return text.view();
  }

 private:
  View Array(std::span<const int64_t> numbers) {
    return w_.Cat("np.array(", w_.Brackets(numbers), ", dtype=np.int64)");
  }

  // A comment on what the CPU plugin does differently from the core.
  void Note(Text& text) {
    const DType dtype = w_.leading_type();
    if (dtype == DType::kI64 || dtype == DType::kU64 || dtype == DType::kF64) {
      text << "# The CPU plugin brings " << Info(dtype).name
           << " to 32 bits on the way.\n";
    } else if (!w_.only_repeats() && w_.question.op != Op::kWhere &&
               (dtype == DType::kI8 || dtype == DType::kU8)) {
      text << "# The CPU plugin saturates " << Info(dtype).name
           << ", where others wrap.\n";
    }
  }

  template <class... Operand>
  View Of(View name, const Operand&... operands) {
    const View list[] = {operands...};
    return OfAll(name, list);
  }

  View OfAll(View name, Names operands) {
    // This interface has no argument for PDPD's axis: operands are reshaped
    // beforehand.
    return w_.Cat(
        "ops.", name, '(', w_.Joined(operands, ", "),
        w_.question.rule == Rule::kNone ? ", auto_broadcast=\"NONE\"" : "",
        ')');
  }

  View Chained(View name, Names inputs) {
    View made = inputs.empty() ? View() : inputs[0];
    for (size_t i = 1; i < inputs.size(); ++i) made = Of(name, made, inputs[i]);
    return made;
  }

  View Compute(Names inputs) {
    const Op op = w_.question.op;
    const View a = inputs.empty() ? View() : inputs[0];
    const View b = inputs.size() < 2 ? View() : inputs[1];
    const View name = SpellingOf(op, w_.leading_type(), w_.question.attributes,
                                 OperatorColumn::kOpenVino);
    if (!name.empty() && name != kComposed) {
      return w_.takes_any_number() ? Chained(name, inputs)
                                   : OfAll(name, inputs);
    }
    const View type = TypeInNumPy(w_, w_.leading_type());
    switch (name.empty() ? Op::kAdd : op) {
      case Op::kDiv:
        // Its division of integers rounds down; the core's rounds toward zero.
        return Of("divide", Of("subtract", a, Of("mod", a, b)), b);
      case Op::kMean:
        return w_.Cat("ops.divide(", Chained("add", inputs), ", ops.constant(",
                      inputs.size(), ", ", type, "))");
      case Op::kPRelu:
        // OpenVINO's PRelu puts a slope of rank 1 on axis 1.
        return w_.Cat("ops.select(ops.less(", a, ", ops.constant(0, ", type,
                      ")), ", Of("multiply", a, b), ", ", a, ')');
      case Op::kCast:
        return w_.Cat("ops.convert(", a, ", \"",
                      NameOf(w_.to(), TypeColumn::kOpenVino), "\")");
      default:
        w_.Refuse("OpenVINO has no operator ", w_.op().name, ".");
        return {};
    }
  }

  // Broadcast-3, a node for each result.
  void Repeat(Names inputs, List<View>& results) {
    const View data = inputs.empty() ? View() : inputs[0];
    if (w_.question.rule == Rule::kExplicit) {
      results.Push(w_.Cat("ops.broadcast(", data, ", ", Array(w_.target()),
                          ", ", Array(w_.mapping()), ", \"EXPLICIT\")"));
      return;
    }
    if (w_.question.rule == Rule::kBidirectional) {
      results.Push(w_.Cat("ops.broadcast(", data, ", ", Array(w_.target()),
                          ", broadcast_spec=\"BIDIRECTIONAL\")"));
      return;
    }
    for (const View input : inputs) {
      results.Push(
          w_.Cat("ops.broadcast(", input, ", ", Array(w_.output()), ')'));
    }
  }

  Writing& w_;
};

}  // namespace

void CheckLayer(Writing& w) {
  const Op op = w.question.op;
  if (w.only_repeats()) CheckBroadcast(w);
  const DType dtype = w.leading_type();
  if ((op == Op::kDiv || op == Op::kMod) && IsInteger(dtype) &&
      w.DividesByZero()) {
    w.Refuse("OpenVINO leaves open what integers divided by 0 give.");
  }
  if (op == Op::kPow) {
    for (const CodeOperand& operand : w.question.operands) {
      if (operand.dtype == w.operand(0).dtype) continue;
      w.Refuse("OpenVINO's Power takes a base and an exponent of one type.");
    }
    if (IsInteger(dtype) && w.HasNegativeExponent()) {
      w.Refuse("OpenVINO leaves open what integers to negative powers give.");
    }
  }
  w.CheckCast("OpenVINO");
  if (op == Op::kCast && w.CastsBeyond() != Writing::Beyond::kNothing) {
    w.Refuse(
        "OpenVINO leaves open what integers beyond an integer type become.");
  }
  if (op == Op::kBitShift && w.ShiftsPastWidth()) {
    w.Refuse("OpenVINO leaves open what a shift by the width or more gives.");
  }
}

View WriteOpenVino(Writing& writing, Names names) {
  return OpenVinoWriter(writing).Write(names);
}

}  // namespace v1
}  // namespace broadloom
