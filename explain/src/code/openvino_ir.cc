// The layer of OpenVINO's IR, as in a model's XML.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/list.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/code.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"
#include "code/openvino.h"
#include "code/operators.h"
#include "code/writing.h"

namespace broadloom {
inline namespace v1 {
namespace {

using View = std::string_view;

class LayerWriter {
 public:
  explicit LayerWriter(Writing& writing) : w_(writing), inputs_(w_.arena) {}

  View Write() {
    CheckLayer(w_);
    return w_.only_repeats() ? Broadcast() : Elementwise();
  }

 private:
  LayerType Named() {
    const View name =
        SpellingOf(w_.question.op, w_.leading_type(), w_.question.attributes,
                   OperatorColumn::kLayer);
    if (name.empty() || name == kComposed) {
      w_.Refuse("OpenVINO has no layer for ", w_.op().name,
                " under this rule.");
    }
    const LayerType layer = LayerNamed(name);
    if (w_.takes_any_number() && !w_.only_repeats() && w_.count() != 2) {
      w_.Refuse("OpenVINO's ", layer.type, " takes two inputs: ", w_.count(),
                " need several layers.");
    }
    return layer;
  }

  View Port(size_t id, DType dtype, ShapeView shape) {
    const View precision = NameOf(dtype, TypeColumn::kPrecision);
    if (precision.empty()) {
      w_.Refuse("OpenVINO's IR has no precision for ", Info(dtype).name, ".");
    }
    Text text(w_.arena);
    text << "    <port id=\"" << id << "\" precision=\"" << precision << '"';
    if (shape.empty()) {
      text << " />\n";
      return text.view();
    }
    text << '>';
    for (const int64_t extent : shape) text << "<dim>" << extent << "</dim>";
    text << "</port>\n";
    return text.view();
  }

  // An input from a Const layer, whose values are not in the XML.
  void Constant(size_t id, View name, std::span<const int64_t> values) {
    inputs_ << "    <!-- " << name << ", from a Const: " << w_.Numbers(values)
            << " -->\n";
    const int64_t length[] = {static_cast<int64_t>(values.size())};
    inputs_ << Port(id, DType::kI64, length);
  }

  View Joined(const LayerType& layer, View data, View output) {
    return w_.Cat("<layer id=\"0\" name=\"out\" type=\"", layer.type,
                  "\" version=\"", layer.version, "\">\n  <data ", data,
                  " />\n  <input>\n", inputs_.view(),
                  "  </input>\n  <output>\n", output,
                  "  </output>\n</layer>\n");
  }

  View Broadcast() {
    if (w_.returns_each() || w_.count() == 0) {
      w_.Refuse(
          "SONNX returns every operand: in OpenVINO that is one Broadcast "
          "layer for each of them.");
      return {};
    }
    const Rule rule = w_.question.rule;
    const CodeOperand& data = w_.operand(0);
    const bool is_explicit = rule == Rule::kExplicit;
    // The first reason counts, and the layer is asked first.
    const LayerType layer = Named();
    inputs_ << Port(0, data.dtype, data.shape);
    Constant(1, "target_shape", w_.target());
    if (is_explicit) Constant(2, "axes_mapping", w_.mapping());
    const View mode =
        rule == Rule::kBroadcastNumpy ? View("numpy") : Info(rule).name;
    return Joined(layer, w_.Cat("mode=\"", mode, '"'),
                  Port(is_explicit ? 3 : 2, data.dtype, w_.output()));
  }

  // Whether OpenVINO computes the layer under PDPD. Its CPU plugin takes other
  // layers apart and loses the axis, or ignores it. It refuses extents of 0,
  // and trailing 1s beyond A's axes.
  bool TakesAxis() {
    const CodeQuestion& question = w_.question;
    if (question.rule != Rule::kPdpd || w_.LiesRight(1)) return false;
    const ShapeView a = w_.operand(0).shape;
    const ShapeView b = w_.operand(1).shape;
    const int64_t start = w_.alignment.start_axis();
    if (start < 0 || static_cast<size_t>(start) + b.size() > a.size() ||
        std::ranges::find(w_.output(), 0) != w_.output().end()) {
      return false;
    }
    switch (question.op) {
      case Op::kAdd:
      case Op::kSum:
      case Op::kMul:
      case Op::kPow:
      case Op::kMax:
      case Op::kMin:
        return true;
      case Op::kMod:
        return question.attributes.fmod != 1;
      default:
        return false;
    }
  }

  View Elementwise() {
    const LayerType layer = Named();
    const Rule rule = w_.question.rule;
    const bool is_pdpd = TakesAxis();
    View mode = rule == Rule::kNone ? "none" : "numpy";
    if (is_pdpd) {
      mode = w_.Cat("pdpd\" auto_broadcast.auto_broadcast_axis=\"",
                    w_.alignment.start_axis());
    }
    const bool divides =
        w_.question.op == Op::kDiv && IsInteger(w_.leading_type());
    for (size_t i = 0; i < w_.count(); ++i) {
      const CodeOperand& operand = w_.operand(i);
      if (is_pdpd || w_.LiesRight(i)) {
        inputs_ << Port(i, operand.dtype, operand.shape);
        continue;
      }
      inputs_ << "    <!-- of shape (" << w_.Numbers(operand.shape)
              << ") before a Reshape: the CPU plugin does not place this "
                 "by PDPD's axis -->\n"
              << Port(i, operand.dtype, w_.Placed(i));
    }
    const View data = w_.question.op == Op::kCast
                          ? w_.Cat("destination_type=\"",
                                   NameOf(w_.to(), TypeColumn::kOpenVino), '"')
                          : w_.Cat("auto_broadcast=\"", mode, '"',
                                   divides ? " m_pythondiv=\"false\"" : "");
    return Joined(layer, data, Port(w_.count(), w_.result_type(), w_.output()));
  }

  Writing& w_;
  Text inputs_;
};

}  // namespace

View WriteOpenVinoIr(Writing& writing, Names) {
  return LayerWriter(writing).Write();
}

}  // namespace v1
}  // namespace broadloom
