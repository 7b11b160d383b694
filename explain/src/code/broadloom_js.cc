// This package's JavaScript.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain/code.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"
#include "code/writing.h"

namespace broadloom {
inline namespace v1 {
namespace {

using View = std::string_view;

constexpr ValueSpelling kDigits{.yes = "1",
                                .no = "0",
                                .nan = "NaN",
                                .infinity = "Infinity",
                                .imaginary = ""};

// The typed array of an element type, and whether it implies the type.
struct TypedArray {
  View name;
  bool implies_type;
};

class JsWriter {
 public:
  explicit JsWriter(Writing& writing) : w_(writing) {}

  View Write(Names names) {
    const bool is_several = w_.returns_each();
    Text text(w_.arena);
    text << "import { load } from 'broadloom';\n\n"
            "const bl = await load();\n";
    for (size_t i = 0; i < names.size(); ++i) {
      text << "const " << names[i] << " = " << Array(w_.operand(i)) << ";\n";
    }
    text << (is_several ? "const outs = " : "const out = ") << Call(names)
         << "; // " << (is_several ? "each of shape " : "shape ")
         << w_.Brackets(w_.output())
         << (is_several ? "\nfor (const { data } of outs) console.log(data);\n"
                        : "\nconsole.log(out.data);\n");
    return text.view();
  }

 private:
  TypedArray ArrayOf(DType dtype) {
    if (const int bits = IntegerBits(dtype); bits != 0) {
      return {w_.Cat(bits == 64 ? "Big" : "", IsSigned(dtype) ? "Int" : "Uint",
                     bits, "Array"),
              true};
    }
    switch (dtype) {
      case DType::kF32:
        return {"Float32Array", true};
      case DType::kF64:
        return {"Float64Array", true};
      case DType::kC64:
        return {"Float32Array", false};
      case DType::kC128:
        return {"Float64Array", false};
      default:
        break;
    }
    if (IsFloat(dtype)) return {"Uint16Array", false};
    if (dtype != DType::kBool && !IsSmallFloat(dtype)) {
      w_.Refuse(Info(dtype).name,
                " is packed: its bytes are best read from a file.");
    }
    return {"Uint8Array", false};
  }

  // One entry of the typed array for each value; a complex number has two.
  Names Entries(const CodeOperand& operand) {
    List<View> entries(w_.arena);
    if (IsSmallFloat(operand.dtype)) {
      for (const double value : w_.EveryReal(operand)) {
        entries.Push(w_.Hexadecimal(EncodeFloat(value, operand.dtype)));
      }
      return entries.view();
    }
    const bool is_big = IntegerBits(operand.dtype) == 64;
    for (const View part : w_.SpelledParts(operand, kDigits)) {
      entries.Push(w_.Cat(part == "-0.0" ? "-0" : part, is_big ? "n" : ""));
    }
    return entries.view();
  }

  View Counting(const CodeOperand& operand) {
    const auto& [kind, first, step, integers, reals] = operand.values;
    if (operand.dtype == DType::kBool) {
      return step == 1 ? View("i % 2")
                       : w_.Cat("Math.floor(i / ", step, ") % 2");
    }
    const View steps = step == 1 ? View("i") : w_.Cat(step, " * i");
    const View value = first == 0 ? steps : w_.Cat(first, " + ", steps);
    return IntegerBits(operand.dtype) == 64 ? w_.Cat("BigInt(", value, ')')
                                            : value;
  }

  View Data(const CodeOperand& operand) {
    const DType dtype = operand.dtype;
    const View name = ArrayOf(dtype).name;
    const bool has_formula = Writing::Counts(operand) &&
                             (IsInteger(dtype) || dtype == DType::kBool ||
                              dtype == DType::kF32 || dtype == DType::kF64);
    const int64_t elements = Writing::Elements(operand);
    const bool is_scalar = operand.shape.empty();
    if (Writing::Repeats(operand) && !IsComplex(dtype) && !is_scalar) {
      const Names one = Entries(Writing::One(operand));
      return w_.Cat("new ", name, '(', elements, ").fill(",
                    one.empty() ? View() : one[0], ')');
    }
    if (!has_formula || is_scalar) {
      return w_.Listed(w_.Cat("new ", name, "(["), Entries(operand), "])");
    }
    return w_.Cat(name, ".from({ length: ", elements, " }, (_, i) => ",
                  Counting(operand), ')');
  }

  View Array(const CodeOperand& operand) {
    const View data = Data(operand);
    Text text(w_.arena);
    text << "{ data: " << data << ", shape: " << w_.Brackets(operand.shape);
    if (!ArrayOf(operand.dtype).implies_type) {
      text << ", dtype: '" << Info(operand.dtype).name << '\'';
    }
    text << " }";
    return text.view();
  }

  Names Options() {
    List<View> options(w_.arena);
    const CodeQuestion& question = w_.question;
    const OpAttribute attribute = w_.op().attribute;
    // One operand is matched with none.
    if (question.rule != w_.op().default_rule &&
        attribute != OpAttribute::kTo) {
      options.Push(w_.Cat(w_.only_repeats() ? "mode: '" : "rule: '",
                          Info(question.rule).name, '\''));
    }
    if (question.axis) options.Push(w_.Cat("axis: ", *question.axis));
    if (question.target_shape) {
      options.Push(w_.Cat("targetShape: ", w_.Brackets(w_.target())));
    }
    if (question.axes_mapping) {
      options.Push(w_.Cat("axesMapping: ", w_.Brackets(w_.mapping())));
    }
    if (attribute == OpAttribute::kDirection) {
      options.Push(w_.is_right_shift() ? "attrs: { direction: 'right' }"
                                       : "attrs: { direction: 'left' }");
    } else if (attribute == OpAttribute::kTo && w_.saturates()) {
      options.Push("saturate: true");
    } else if (attribute == OpAttribute::kFmod && w_.is_fmod()) {
      options.Push("attrs: { fmod: 1 }");
    }
    return options.view();
  }

  View Call(Names names) {
    const View all = w_.Joined(names, ", ");
    if (w_.returns_each()) return w_.Cat("bl.broadcastArrays(", all, ')');
    const bool takes_list = w_.takes_any_number() && !w_.only_repeats();
    Text text(w_.arena);
    text << "bl." << w_.op().method << (takes_list ? "([" : "(") << all
         << (takes_list ? "]" : "");
    if (w_.op().attribute == OpAttribute::kTo) {
      text << ", '" << Info(w_.to()).name << '\'';
    }
    const Names options = Options();
    if (!options.empty()) {
      text << ", { " << w_.Joined(options, ", ") << " }";
    }
    text << ')';
    return text.view();
  }

  Writing& w_;
};

}  // namespace

View WriteBroadloomJs(Writing& writing, Names names) {
  return JsWriter(writing).Write(names);
}

}  // namespace v1
}  // namespace broadloom
