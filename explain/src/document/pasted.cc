// What people paste, as JSON.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/text.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/document.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"

namespace broadloom {
inline namespace v1 {

namespace {

std::string_view NameOf(PastedAxis counts) {
  switch (counts) {
    case PastedAxis::kFromLeftInResult:
      return "from_left_in_result";
    case PastedAxis::kFromRightInResult:
      return "from_right_in_result";
    case PastedAxis::kInOperand:
      return "in_operand";
    case PastedAxis::kNoAxis:
      break;
  }
  return {};
}

class PastedWriter {
 public:
  PastedWriter(std::string_view text, Arena& arena)
      : from_(text), text_(arena), json_(text_) {}

  Result<std::string_view> Write(const Pasted& pasted) {
    json_.Open('{').Field("version", 1).Field("kind", "pasted");
    WriteText("system", pasted.system);
    WriteText("systemTitle", pasted.system_title);
    WriteWords("also", pasted.also);
    WriteText("format", pasted.format);
    WriteText("rule",
              pasted.rule ? Info(*pasted.rule).name : std::string_view());
    WriteText("otherRule", pasted.other_rule);
    json_.Key("noBroadcast");
    if (pasted.no_broadcast) {
      json_.Open('{')
          .Field("kind", pasted.no_broadcast->kind)
          .Field("message", pasted.no_broadcast->message)
          .Close('}');
    } else {
      json_.Null();
    }
    json_.Key("ruleAxis");
    if (pasted.rule_axis) {
      json_.Value(*pasted.rule_axis);
    } else {
      json_.Null();
    }
    WriteText("operator", pasted.operator_name);
    WriteText("op", pasted.op ? Info(*pasted.op).name : std::string_view());
    json_.Key("shapes").Open('[');
    for (const PastedShape& shape : pasted.shapes) {
      json_.Open('{').Field("role", Name(shape.role));
      json_.Field("isOperand", IsOperand(shape.role));
      const bool is_read = shape.read.span.end > shape.read.span.begin ||
                           !shape.read.shape.has_unknown_rank;
      WriteText("shape", is_read ? FormatShape(shape.read.shape, text_.arena())
                                 : std::string_view());
      WriteShape(shape.read);
      WriteText("expression", shape.expression);
      WriteSpan("expressionSpan", shape.expression_span);
      json_.Close('}');
    }
    json_.Close(']').Key("sizes");
    WriteExtents(pasted.sizes);
    const bool has_axis = pasted.axis_counts != PastedAxis::kNoAxis;
    json_.Key("axis");
    has_axis ? json_.Value(pasted.axis) : json_.Null();
    WriteText("axisCounts", NameOf(pasted.axis_counts));
    json_.Field("inPlace", pasted.is_in_place);
    json_.Field("lacksShapes", pasted.lacks_shapes);
    WriteQuestion(pasted);
    WriteText("sourceLine", pasted.source_line);
    WriteSpan("sourceSpan", pasted.source_span);
    WriteSpan("messageSpan", pasted.message_span);
    json_.Key("notes").Open('[');
    for (const std::string_view note : pasted.notes) json_.Value(note);
    json_.Close(']').Close('}');
    return Written();
  }

  Result<std::string_view> Write(std::span<const ShapeInText> shapes) {
    json_.Open('[');
    for (const ShapeInText& shape : shapes) {
      json_.Open('{');
      WriteShape(shape);
      json_.Close('}');
    }
    json_.Close(']');
    return Written();
  }

  Result<std::string_view> WriteNothing() {
    json_.Null();
    return Written();
  }

 private:
  Result<std::string_view> Written() {
    if (text_.arena().refused()) {
      return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
    }
    return text_.view();
  }

  void WriteQuestion(const Pasted& pasted) {
    json_.Key("question");
    if (!pasted.question) {
      json_.Null();
      return;
    }
    const PastedQuestion& question = *pasted.question;
    json_.Open('{').Field("rule", Info(question.rule).name);
    json_.Key("operands").Open('[');
    for (const uint32_t i : question.operands) json_.Value(i);
    json_.Close(']').Key("target");
    question.target ? json_.Value(*question.target) : json_.Null();
    json_.Field("isSymbolic", question.is_symbolic);
    json_.Field("writesToTarget", question.writes_to_target);
    json_.Field("writesOperand", question.writes_operand);
    json_.Field("keepsRule", question.keeps_rule).Close('}');
  }

  void WriteShape(const ShapeInText& read) {
    const SymbolicShape& shape = read.shape;
    json_.Key("extents");
    shape.has_unknown_rank ? void(json_.Null()) : WriteExtents(shape.extents);
    json_.Key("names");
    if (shape.axis_names.empty()) {
      json_.Null();
    } else {
      json_.Open('[');
      for (const std::string_view name : shape.axis_names) {
        name.empty() ? json_.Null() : json_.Value(name);
      }
      json_.Close(']');
    }
    json_.Field("text",
                from_.substr(read.span.begin, read.span.end - read.span.begin));
    WriteText("label", read.label);
    WriteSpan("span", read.span);
    json_.Field("isPartial", read.is_partial);
    WriteText("elementType", read.element_type);
    const std::optional<DType> dtype = FindElementType(read.element_type);
    WriteText("dtype", dtype ? Info(*dtype).name : std::string_view());
  }

  void WriteExtents(std::span<const SymbolicExtent> extents) {
    json_.Open('[');
    for (const SymbolicExtent& extent : extents) {
      if (extent.is_known()) {
        json_.Value(extent.least);
        continue;
      }
      json_.Open('{');
      WriteText("name", extent.name);
      json_.Field("least", extent.least).Key("most");
      extent.most == kUnbounded ? json_.Null() : json_.Value(extent.most);
      json_.Close('}');
    }
    json_.Close(']');
  }

  void WriteText(std::string_view name, std::string_view value) {
    json_.Key(name);
    value.empty() ? json_.Null() : json_.Value(value);
  }

  void WriteSpan(std::string_view name, const TextSpan& span) {
    json_.Key(name);
    if (span.begin == span.end) {
      json_.Null();
      return;
    }
    json_.Open('{')
        .Field("begin", span.begin)
        .Field("end", span.end)
        .Close('}');
  }

  // Words between blanks, as a list.
  void WriteWords(std::string_view name, std::string_view words) {
    json_.Key(name).Open('[');
    while (!words.empty()) {
      const size_t size = words.find(' ');
      json_.Value(words.substr(0, size));
      words.remove_prefix(size < words.size() ? size + 1 : words.size());
    }
    json_.Close(']');
  }

  std::string_view from_;
  Text text_;
  Json json_;
};

}  // namespace

Result<std::string_view> WritePasted(std::string_view text,
                                     Arena& arena) noexcept {
  const Result<std::optional<Pasted>> pasted = ReadPasted(text, arena);
  if (!pasted) return std::unexpected(pasted.error());
  PastedWriter writer(text, arena);
  return *pasted ? writer.Write(**pasted) : writer.WriteNothing();
}

Result<std::string_view> WriteShapes(std::string_view text,
                                     Arena& arena) noexcept {
  const Result<std::span<const ShapeInText>> shapes = ReadShapes(text, arena);
  if (!shapes) return std::unexpected(shapes.error());
  return PastedWriter(text, arena).Write(*shapes);
}

}  // namespace v1
}  // namespace broadloom
