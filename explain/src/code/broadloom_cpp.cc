// This library's C++: a whole program.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/characters.h"
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

// The most elements that are written out; longer arrays are filled by a loop.
constexpr int64_t kMostWritten = 32;

class CppWriter {
 public:
  explicit CppWriter(Writing& writing) : w_(writing), lines_(w_.arena) {}

  View Write(Names names) {
    const bool is_several = w_.returns_each();
    for (size_t i = 0; i < names.size(); ++i) Memory(w_.operand(i), names[i]);
    if (w_.question.target_shape) Extents("target", w_.target());
    if (w_.question.axes_mapping) Extents("mapping", w_.mapping());
    Line("const TensorView inputs[] = {");
    for (size_t i = 0; i < names.size(); ++i) {
      const View name = names[i];
      Line("    {", TypeName(w_.operand(i).dtype), ", ", name, "_shape, ", name,
           ".data(), ", name, ".size() * sizeof(",
           EntryType(w_.operand(i).dtype), ")},");
    }
    Line("};");
    if (is_several) {
      Several(names);
    } else {
      Single();
    }
    Text text(w_.arena);
    text << "#include <broadloom/broadloom.h>\n\n"
            "#include <cstdint>\n#include <iostream>\n";
    const bool has_limits = std::ranges::any_of(lines_, [](View line) {
      return line.find("std::numeric_limits") != View::npos;
    });
    if (has_limits) text << "#include <limits>\n";
    if (is_several) text << "#include <utility>\n";
    text << "#include <vector>\n\nint main() {\n  using namespace broadloom;\n";
    for (const View line : lines_) {
      text << "  ";
      for (const char letter : line) {
        text << letter;
        if (letter == '\n') text << "  ";
      }
      text << '\n';
    }
    text << "}\n";
    return text.view();
  }

 private:
  template <class... Part>
  void Line(const Part&... parts) {
    lines_.Push(w_.Cat(parts...));
  }

  // The C++ type that an entry of the memory has.
  View EntryType(DType dtype) {
    if (const int bits = IntegerBits(dtype); bits != 0) {
      return w_.Cat(IsSigned(dtype) ? "int" : "uint", bits, "_t");
    }
    if (dtype == DType::kF32 || dtype == DType::kC64) return "float";
    if (dtype == DType::kF64 || dtype == DType::kC128) return "double";
    if (IsFloat(dtype)) return "uint16_t";
    if (dtype != DType::kBool && !IsSmallFloat(dtype)) {
      w_.Refuse(Info(dtype).name,
                " is packed: its bytes are best read from a file.");
    }
    return "uint8_t";
  }

  View TypeName(DType dtype) {
    if (dtype == DType::kBool) return "DType::kBool";
    Text text(w_.arena);
    text << "DType::k";
    for (const char c : Info(dtype).name) {
      text << (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    }
    return text.view();
  }

  View RuleName(Rule rule) {
    Text text(w_.arena);
    text << "Rule::k";
    bool is_first = true;
    for (const char c : Info(rule).name) {
      if (c == '_') {
        is_first = true;
        continue;
      }
      text << (is_first ? static_cast<char>(c - 'a' + 'A') : c);
      is_first = false;
    }
    return text.view();
  }

  // A number as a literal of the type, so that nothing is narrowed: 12 stays,
  // 0.5 is 0.5f as a float.
  View Literal(View text, bool is_float) {
    if (text.find_first_not_of("-0123456789.e+") != View::npos) return text;
    const View digits = text.starts_with('-') ? text.substr(1) : text;
    const bool is_small = !digits.empty() && digits.size() <= 7 &&
                          std::ranges::all_of(digits, IsDigit);
    if (is_small) return text;
    const bool is_real = text.find_first_of(".e") != View::npos;
    return w_.Cat(text, is_real ? "" : ".0", is_float ? "f" : "");
  }

  Names Entries(const CodeOperand& operand) {
    const DType dtype = operand.dtype;
    List<View> entries(w_.arena);
    if (IsSmallFloat(dtype)) {
      for (const double value : w_.EveryReal(operand)) {
        entries.Push(w_.Hexadecimal(EncodeFloat(value, dtype)));
      }
      return entries.view();
    }
    const View type = EntryType(dtype);
    const View limits = w_.Cat("std::numeric_limits<", type, '>');
    const ValueSpelling digits{.yes = "1",
                               .no = "0",
                               .nan = w_.Cat(limits, "::quiet_NaN()"),
                               .infinity = w_.Cat(limits, "::infinity()"),
                               .imaginary = ""};
    for (const View part : w_.SpelledParts(operand, digits)) {
      if (!IsInteger(dtype)) {
        entries.Push(Literal(part, type == "float"));
      } else if (part == "-9223372036854775808") {
        entries.Push("INT64_MIN");  // the least value has no literal
      } else {
        entries.Push(w_.Cat(part, dtype == DType::kU64 ? "u" : ""));
      }
    }
    return entries.view();
  }

  void Extents(View name, std::span<const int64_t> values) {
    Line("const std::vector<int64_t> ", name, " = {", w_.Numbers(values), "};");
  }

  // The operand's memory and its extents.
  void Memory(const CodeOperand& operand, View variable) {
    const DType dtype = operand.dtype;
    const View type = EntryType(dtype);
    const View shape = w_.Cat(variable, "_shape");
    const int64_t elements = Writing::Elements(operand);
    const bool has_formula = Writing::Counts(operand) &&
                             (IsInteger(dtype) || dtype == DType::kBool ||
                              dtype == DType::kF32 || dtype == DType::kF64);
    if (Writing::Repeats(operand) && !IsComplex(dtype) &&
        elements > kMostWritten) {
      const Names one = Entries(Writing::One(operand));
      Line("const std::vector<", type, "> ", variable, '(', elements, ", ",
           one.empty() ? View() : one[0], ");");
      Extents(shape, operand.shape);
      return;
    }
    if (!has_formula || elements <= kMostWritten) {
      Line("const std::vector<", type, "> ", variable, " = ",
           w_.Listed("{", Entries(operand), "}"), ';');
      Extents(shape, operand.shape);
      return;
    }
    const int64_t first = operand.values.first;
    const int64_t step = operand.values.step;
    const View steps = step == 1 ? View("i") : w_.Cat("i * ", step);
    const View count =
        dtype == DType::kBool
            ? w_.Cat(step == 1 ? View("i") : w_.Cat("i / ", step), " % 2")
        : first == 0 ? steps
                     : w_.Cat(first, " + ", steps);
    Line("std::vector<", type, "> ", variable, '(', elements, ");");
    Line("for (size_t i = 0; i < ", variable, ".size(); ++i) ", variable,
         "[i] = static_cast<", type, ">(", count, ");");
    Extents(shape, operand.shape);
  }

  // The fields of ApplyOptions, in their order.
  Names Fields() {
    List<View> fields(w_.arena);
    const CodeQuestion& question = w_.question;
    if (question.rule != w_.op().default_rule) {
      fields.Push(w_.Cat(".rule = ", RuleName(question.rule)));
    }
    if (question.axis) fields.Push(w_.Cat(".axis = ", *question.axis));
    if (question.target_shape) fields.Push(".target_shape = target");
    if (question.axes_mapping) fields.Push(".axes_mapping = mapping");
    switch (w_.op().attribute) {
      case OpAttribute::kDirection:
        fields.Push(w_.Cat(".attributes = {.direction = ShiftDirection::k",
                           w_.is_right_shift() ? "Right" : "Left", '}'));
        break;
      case OpAttribute::kTo:
        fields.Push(w_.Cat(".attributes = {.to = ", TypeName(w_.to()),
                           w_.saturates() ? ", .saturate = 1" : "", '}'));
        break;
      case OpAttribute::kFmod:
        if (w_.is_fmod()) fields.Push(".attributes = {.fmod = 1}");
        break;
      default:
        break;
    }
    return fields.view();
  }

  // One result from one call.
  void Single() {
    const Names given = Fields();
    const View options =
        given.empty() ? View() : w_.Cat('{', w_.Joined(given, ", "), '}');
    // On a line of their own if they are long.
    const View joint = options.empty()       ? ""
                       : options.size() > 40 ? ",\n    "
                                             : ", ";
    const View type = EntryType(w_.result_type());
    Line("const Result<Tensor> out = Apply(Op::k", w_.op().name, ", inputs",
         joint, options, ");");
    Line("if (!out) return 1;");
    Line("// out->shape() is ", w_.Tuple(w_.output()));
    Line("for (const ", type, " value : out->as<", type,
         ">()) std::cout << +value << ' ';");
  }

  // A result for each operand comes from a plan.
  void Several(Names names) {
    List<View> shapes(w_.arena);
    List<View> types(w_.arena);
    for (size_t i = 0; i < names.size(); ++i) {
      shapes.Push(w_.Cat(names[i], "_shape"));
      types.Push(TypeName(w_.operand(i).dtype));
    }
    Line("const ShapeView shapes[] = {", w_.Joined(shapes.view(), ", "), "};");
    Line("const DType types[] = {", w_.Joined(types.view(), ", "), "};");
    Line(
        "const Result<Plan> plan = MakePlan(Op::kBroadcast, shapes, types, "
        "{.rule = ",
        RuleName(w_.question.rule), "});");
    Line("if (!plan) return 1;");
    Line("std::vector<Tensor> outs;");
    Line("std::vector<MutableTensorView> views;");
    Line("for (const DType type : types) {");
    Line(
        "  Result<Tensor> out = Tensor::Allocate(type, "
        "plan->output_shape());");
    Line("  if (!out) return 1;");
    Line("  outs.push_back(std::move(*out));");
    Line("}");
    Line("for (Tensor& out : outs) views.push_back(out.view());");
    Line("if (!Run(*plan, inputs, views)) return 1;");
    Line("// each of outs has the shape ", w_.Tuple(w_.output()));
    for (size_t i = 0; i < names.size(); ++i) {
      const View type = EntryType(w_.operand(i).dtype);
      Line("for (const ", type, " value : outs[", i, "].as<", type,
           ">()) std::cout << +value << ' ';");
    }
  }

  Writing& w_;
  List<View> lines_;
};

}  // namespace

View WriteBroadloomCpp(Writing& writing, Names names) {
  return CppWriter(writing).Write(names);
}

}  // namespace v1
}  // namespace broadloom
