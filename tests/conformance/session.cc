// Answers conformance records for scripts/conformance.mjs through the public
// API of the core. One question and one answer per line; words are separated by
// single spaces, a list is [2,3], a missing option is -, tensors are base64.
// The JavaScript runner reads the corpora, asks and judges; this program knows
// neither JSON nor the expected answers.
//
//   vocabulary
//   -> vocabulary dtype:f32:32:float op:Mod:fmod rule:numpy
//      rule:sonnx:moves error:rank ...
//   shape RULE AXIS TARGET MAPPING DTYPE SHAPE...
//   -> shape [2,3]
//   apply OP RULE AXIS TARGET MAPPING ATTRIBUTE=VALUE,... (DTYPE SHAPE DATA)...
//   -> tensors (DTYPE SHAPE DATA)...
//   align RULE AXIS TARGET MAPPING SHAPE...
//   -> alignment CLASS CONFLICTING-AXES RANK
//                (KIND OPERAND SHAPE RULE AXIS MAPPING RESULT)...   the repairs
//   warn OP RULE AXIS TARGET MAPPING EXPECT NAMES SHAPE...
//   -> warnings (KIND AXES MESSAGE-IN-BASE64)...
//      EXPECT is outer,empty_result,... and NAMES batch,heads;batch
//   link BASE RULE AXIS TARGET MAPPING OP DTYPE TYPES ATTRIBUTES EXPECT POLICY
//        SHAPE...
//   -> link ADDRESS, or: none REASON
//      BASE, ADDRESS and REASON in base64; TYPES is f32,i64; POLICY has i and s
//      for what it refuses, inserted and stretched axes
//   divergences
//   -> divergences (SECTION TITLE MESSAGE)...   in base64, or - for no message
//   paste TEXT        base64
//   -> paste JSON     what ReadPasted returns: see AnswerPaste
//   symbolic ...                                      as symbolic.h says
//   diagnose RULE AXIS TARGET MAPPING SHAPE...
//   -> cause KIND OPERAND AXIS THIN; TEXT (; KIND OPERAND GRADE; MEANING)...
//      or: cause -
//   any -> error CLASS DETAIL, or: malformed WHY

#include <charconv>
#include <cstdint>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/cause.h"
#include "broadloom/explain/link.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/repair.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/explain/warning.h"
#include "symbolic.h"

namespace {

using broadloom::Detail;
using broadloom::DType;
using broadloom::Error;
using broadloom::ErrorClass;
using broadloom::ShapeView;

using Integers = std::vector<int64_t>;

struct Malformed {
  std::string why;
};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

int64_t ReadInteger(std::string_view word) {
  int64_t value = 0;
  const auto [end, problem] =
      std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size()) {
    throw Malformed{"not a 64-bit integer: " + std::string(word)};
  }
  return value;
}

Integers ReadIntegers(std::string_view word) {
  if (word.size() < 2 || word.front() != '[' || word.back() != ']') {
    throw Malformed{"not a list: " + std::string(word)};
  }
  Integers values;
  if (word == "[]") return values;
  for (std::string_view part : Split(word.substr(1, word.size() - 2), ',')) {
    values.push_back(ReadInteger(part));
  }
  return values;
}

std::string WriteIntegers(ShapeView values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(values[i]);
  }
  return text + "]";
}

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::vector<uint8_t> ReadBase64(std::string_view word) {
  std::vector<uint8_t> bytes;
  uint32_t bits = 0;
  int count = 0;
  for (char letter : word) {
    if (letter == '=') break;
    const size_t digit = kDigits.find(letter);
    if (digit == std::string_view::npos) throw Malformed{"not base64"};
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<uint8_t>(bits >> count));
    }
  }
  return bytes;
}

std::string WriteBase64(std::span<const uint8_t> bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

std::string Write(const Error& error) {
  std::string text = "error ";
  text += Info(error.error_class).name;
  text += ' ';
  const std::string_view detail = Info(error.detail).name;
  text += detail.empty() ? "-" : detail;
  return text;
}

Error Unknown(Detail detail) {
  return {.error_class = ErrorClass::kUnknown, .detail = detail};
}

std::string Vocabulary() {
  std::string text = "vocabulary";
  for (const auto& row : broadloom::AllDTypes()) {
    constexpr const char* kKinds[] = {"boolean", "signed", "unsigned", "float",
                                      "opaque"};
    text += " dtype:" + std::string(row.name) + ":" + std::to_string(row.bits) +
            ":" + kKinds[static_cast<size_t>(row.kind)];
  }
  for (const auto& row : broadloom::AllOps()) {
    text += " op:" + std::string(row.name);
    if (row.attribute == broadloom::OpAttribute::kFmod) text += ":fmod";
    if (row.attribute == broadloom::OpAttribute::kDirection) {
      text += ":direction";
    }
    if (row.attribute == broadloom::OpAttribute::kTo) text += ":to:saturate";
  }
  for (const auto& row : broadloom::AllRules()) {
    text += " rule:" + std::string(row.name);
    const auto& traits = broadloom::Traits(row.rule);
    if (traits.takes_target || traits.returns_each) text += ":moves";
  }
  for (const auto& row : broadloom::AllErrorClasses()) {
    text += " error:" + std::string(row.name);
  }
  return text;
}

// The options that both kinds of question have.
struct Options {
  std::optional<int64_t> axis;
  std::optional<Integers> target;
  std::optional<Integers> mapping;

  // Reads three words.
  explicit Options(std::span<const std::string_view> words) {
    if (words[0] != "-") axis = ReadInteger(words[0]);
    if (words[1] != "-") target = ReadIntegers(words[1]);
    if (words[2] != "-") mapping = ReadIntegers(words[2]);
  }
};

// Shapes under a rule. `options` and `shapes` must outlive the request.
broadloom::BroadcastRequest RequestFor(broadloom::Rule rule,
                                       const Options& options,
                                       std::span<const ShapeView> shapes) {
  broadloom::BroadcastRequest request{.rule = rule, .operands = shapes};
  request.axis = options.axis;
  if (options.target) request.target_shape = *options.target;
  if (options.mapping) request.axes_mapping = *options.mapping;
  return request;
}

std::vector<Integers> ReadShapes(std::span<const std::string_view> words) {
  std::vector<Integers> shapes;
  for (std::string_view word : words) shapes.push_back(ReadIntegers(word));
  return shapes;
}

std::string AnswerShape(std::span<const std::string_view> words) {
  if (words.size() < 6) throw Malformed{"shape: too few words"};
  const auto rule = broadloom::FindRule(words[1]);
  if (!rule) return Write(Unknown(Detail::kRule));
  const Options options(words.subspan(2, 3));
  const std::vector<Integers> shapes = ReadShapes(words.subspan(6));
  const std::vector<ShapeView> operands(shapes.begin(), shapes.end());

  broadloom::BroadcastRequest request = RequestFor(*rule, options, operands);
  if (words[5] != "-") {
    request.dtype = broadloom::FindDType(words[5]);
    if (!request.dtype) return Write(Unknown(Detail::kDTypeName));
  }
  const auto shape = broadloom::InferShape(request);
  if (!shape) return Write(shape.error());
  return "shape " + WriteIntegers(shape->view());
}

std::string AnswerAlign(std::span<const std::string_view> words) {
  if (words.size() < 5) throw Malformed{"align: too few words"};
  const auto rule = broadloom::FindRule(words[1]);
  if (!rule) return Write(Unknown(Detail::kRule));
  const Options options(words.subspan(2, 3));
  const std::vector<Integers> shapes = ReadShapes(words.subspan(5));
  const std::vector<ShapeView> operands(shapes.begin(), shapes.end());
  broadloom::BroadcastRequest request = RequestFor(*rule, options, operands);

  const auto alignment = broadloom::Align(request);
  if (!alignment) return Write(alignment.error());
  const auto& error = alignment->error();
  Integers axes;
  for (size_t axis = 0; axis < alignment->rank(); ++axis) {
    if (alignment->conflicts(axis)) axes.push_back(static_cast<int64_t>(axis));
  }
  std::string text = "alignment ";
  text += error ? Info(error->error_class).name : "-";
  text += " " + WriteIntegers(axes) + " " + std::to_string(alignment->rank());
  broadloom::Arena arena;
  const auto repairs = broadloom::FindRepairs(request, arena);
  if (!repairs) return Write(repairs.error());
  for (const broadloom::Repair& repair : *repairs) {
    text += " " + std::string(Name(repair.kind)) + " " +
            std::to_string(repair.operand) + " " + WriteIntegers(repair.shape) +
            " " + std::string(Info(repair.rule).name) + " " +
            std::to_string(repair.axis) + " " +
            WriteIntegers(repair.axes_mapping) + " " +
            WriteIntegers(repair.result);
  }
  return text;
}

std::string AnswerDiagnose(std::span<const std::string_view> words) {
  if (words.size() < 5) throw Malformed{"diagnose: too few words"};
  const auto rule = broadloom::FindRule(words[1]);
  if (!rule) return Write(Unknown(Detail::kRule));
  const Options options(words.subspan(2, 3));
  const std::vector<Integers> shapes = ReadShapes(words.subspan(5));
  const std::vector<ShapeView> operands(shapes.begin(), shapes.end());
  const broadloom::BroadcastRequest request =
      RequestFor(*rule, options, operands);
  broadloom::Arena arena;
  const auto cause = broadloom::FindCause(request, arena);
  if (!cause) return Write(cause.error());
  if (!*cause) return "cause -";
  std::string text = "cause " + std::string(Name((*cause)->kind)) + " " +
                     std::to_string((*cause)->operand) + " " +
                     std::to_string((*cause)->axis) +
                     ((*cause)->is_thin ? " true; " : " false; ") +
                     std::string((*cause)->text);
  const auto repairs = broadloom::FindRepairs(request, arena);
  if (!repairs) return Write(repairs.error());
  for (const broadloom::Repair& repair : *repairs) {
    text += "; " + std::string(Name(repair.kind)) + " " +
            std::to_string(repair.operand) + " " +
            std::string(Name(repair.grade)) + "; " +
            std::string(repair.meaning);
  }
  return text;
}

std::string WriteText(std::string_view text) {
  return WriteBase64(
      {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

std::string AnswerWarn(std::span<const std::string_view> words) {
  if (words.size() < 8) throw Malformed{"warn: too few words"};
  broadloom::WarningRequest warn;
  if (words[1] != "-") {
    warn.op = broadloom::FindOp(words[1]);
    if (!warn.op) return Write(Unknown(Detail::kOp));
  }
  const auto rule = broadloom::FindRule(words[2]);
  if (!rule) return Write(Unknown(Detail::kRule));
  const Options options(words.subspan(3, 3));
  const std::vector<Integers> shapes = ReadShapes(words.subspan(8));
  const std::vector<ShapeView> operands(shapes.begin(), shapes.end());
  warn.broadcast = RequestFor(*rule, options, operands);
  std::vector<broadloom::WarningKind> expect;
  if (words[6] != "-") {
    for (std::string_view name : Split(words[6], ',')) {
      const auto kind = broadloom::FindWarningKind(name);
      if (!kind) throw Malformed{"no such kind"};
      expect.push_back(*kind);
    }
  }
  warn.expect = expect;
  std::vector<std::vector<std::string_view>> names;
  std::vector<std::span<const std::string_view>> name_views;
  if (words[7] != "-") {
    for (std::string_view part : Split(words[7], ';')) {
      names.push_back(Split(part, ','));
    }
    name_views.assign(names.begin(), names.end());
    warn.broadcast.axis_names = name_views;
  }

  broadloom::Arena arena;
  const auto warnings = broadloom::FindWarnings(warn, arena);
  if (!warnings) return Write(warnings.error());
  std::string text = "warnings";
  for (const broadloom::Warning& warning : *warnings) {
    text += " " + std::string(Name(warning.kind)) + " " +
            WriteIntegers(Integers(warning.axes.begin(), warning.axes.end())) +
            " " + WriteText(warning.message);
  }
  return text;
}

std::string AnswerDivergences() {
  std::string text = "divergences";
  for (const broadloom::Divergence& row : broadloom::AllDivergences()) {
    text += " " + WriteText(row.section) + " " + WriteText(row.title) + " " +
            (row.message.empty() ? "-" : WriteText(row.message));
  }
  return text;
}

broadloom::OpAttributes ReadAttributes(std::string_view word) {
  broadloom::OpAttributes attributes;
  if (word == "-") return attributes;
  for (std::string_view part : Split(word, ',')) {
    const size_t middle = part.find('=');
    if (middle == std::string_view::npos) throw Malformed{"attribute"};
    const std::string_view name = part.substr(0, middle);
    const std::string_view value = part.substr(middle + 1);
    if (name == "to") {
      attributes.to = broadloom::FindDType(value);
      if (!attributes.to) throw Malformed{"no such type"};
    } else if (name == "saturate") {
      attributes.saturate = ReadInteger(value);
    } else if (name == "fmod") {
      attributes.fmod = ReadInteger(value);
    } else if (name == "direction" && (value == "left" || value == "right")) {
      attributes.direction = value == "left"
                                 ? broadloom::ShiftDirection::kLeft
                                 : broadloom::ShiftDirection::kRight;
    } else {
      throw Malformed{"no such attribute: " + std::string(part)};
    }
  }
  return attributes;
}

std::string AnswerLink(std::span<const std::string_view> words) {
  if (words.size() < 12) throw Malformed{"link: too few words"};
  const std::vector<uint8_t> base = ReadBase64(words[1]);
  const auto rule = broadloom::FindRule(words[2]);
  if (!rule) return Write(Unknown(Detail::kRule));
  const Options options(words.subspan(3, 3));
  const std::vector<Integers> shapes = ReadShapes(words.subspan(12));
  const std::vector<ShapeView> operands(shapes.begin(), shapes.end());
  broadloom::LinkRequest request{
      .base = {reinterpret_cast<const char*>(base.data()), base.size()},
      .broadcast = RequestFor(*rule, options, operands)};
  if (words[6] != "-") request.op = broadloom::FindOp(words[6]);
  if (words[7] != "-") {
    request.broadcast.dtype = broadloom::FindDType(words[7]);
  }
  std::vector<DType> dtypes;
  if (words[8] != "-") {
    for (std::string_view name : Split(words[8], ',')) {
      const auto dtype = broadloom::FindDType(name);
      if (!dtype) throw Malformed{"no such type"};
      dtypes.push_back(*dtype);
    }
  }
  request.dtypes = dtypes;
  request.attributes = ReadAttributes(words[9]);
  std::vector<broadloom::WarningKind> expect;
  if (words[10] != "-") {
    for (std::string_view name : Split(words[10], ',')) {
      const auto kind = broadloom::FindWarningKind(name);
      if (!kind) throw Malformed{"no such kind"};
      expect.push_back(*kind);
    }
  }
  request.expect = expect;
  request.broadcast.policy = {
      .inserts = words[11].find('i') == std::string_view::npos,
      .stretches = words[11].find('s') == std::string_view::npos};
  broadloom::Arena arena;
  const auto link = broadloom::WriteLink(request, arena);
  if (!link) return Write(link.error());
  return link->reason.empty() ? "link " + WriteText(link->address)
                              : "none " + WriteText(link->reason);
}

std::string WriteTensor(const broadloom::Tensor& tensor) {
  return " " + std::string(Info(tensor.dtype()).name) + " " +
         WriteIntegers(tensor.shape()) + " " +
         WriteBase64(tensor.as<uint8_t>());
}

std::string AnswerApply(std::span<const std::string_view> words) {
  if (words.size() < 7 || (words.size() - 7) % 3 != 0) {
    throw Malformed{"apply: number of words"};
  }
  const auto op = broadloom::FindOp(words[1]);
  if (!op) return Write(Unknown(Detail::kOp));
  const auto rule = broadloom::FindRule(words[2]);
  if (!rule) return Write(Unknown(Detail::kRule));
  const Options options(words.subspan(3, 3));

  std::vector<DType> dtypes;
  std::vector<Integers> shapes;
  std::vector<std::vector<uint8_t>> data;
  for (size_t i = 7; i < words.size(); i += 3) {
    const auto dtype = broadloom::FindDType(words[i]);
    if (!dtype) return Write(Unknown(Detail::kDTypeName));
    dtypes.push_back(*dtype);
    shapes.push_back(ReadIntegers(words[i + 1]));
    data.push_back(ReadBase64(words[i + 2]));
  }
  std::vector<broadloom::TensorView> inputs;
  for (size_t i = 0; i < dtypes.size(); ++i) {
    inputs.push_back({dtypes[i], shapes[i], data[i].data(), data[i].size()});
  }

  broadloom::ApplyOptions apply{.rule = *rule};
  apply.axis = options.axis;
  if (options.target) apply.target_shape = *options.target;
  if (options.mapping) apply.axes_mapping = *options.mapping;
  apply.attributes = ReadAttributes(words[6]);

  if (!Traits(*rule).returns_each) {
    const auto result = broadloom::Apply(*op, inputs, apply);
    if (!result) return Write(result.error());
    return "tensors" + WriteTensor(*result);
  }
  const std::vector<ShapeView> views(shapes.begin(), shapes.end());
  const auto plan = broadloom::MakePlan(*op, views, dtypes, apply);
  if (!plan) return Write(plan.error());
  std::vector<broadloom::Tensor> results;
  std::vector<broadloom::MutableTensorView> outputs;
  for (size_t i = 0; i < plan->output_count(); ++i) {
    auto tensor = broadloom::Tensor::Allocate(plan->output_dtype(i),
                                              plan->output_shape());
    if (!tensor) return Write(tensor.error());
    results.push_back(std::move(*tensor));
  }
  for (broadloom::Tensor& result : results) outputs.push_back(result.view());
  const auto status = broadloom::Run(*plan, inputs, outputs);
  if (!status) return Write(status.error());
  std::string text = "tensors";
  for (const broadloom::Tensor& result : results) text += WriteTensor(result);
  return text;
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  }
  return quoted + "\"";
}

// 3, "N", "?" or "2..8".
std::string Quoted(const broadloom::SymbolicExtent& extent) {
  if (extent.is_known()) return std::to_string(extent.least);
  if (!extent.name.empty()) return Quoted(extent.name);
  if (extent.least == 0 && extent.most == broadloom::kUnbounded) {
    return "\"?\"";
  }
  return Quoted(std::to_string(extent.least) + ".." +
                std::to_string(extent.most));
}

std::string Quoted(std::span<const broadloom::SymbolicExtent> extents) {
  std::string list;
  for (const auto& extent : extents) {
    list += (list.empty() ? "" : ",") + Quoted(extent);
  }
  return "[" + list + "]";
}

std::string AnswerPaste(std::span<const std::string_view> words) {
  if (words.size() != 2) throw Malformed{"paste: number of words"};
  const std::vector<uint8_t> bytes = ReadBase64(words[1]);
  const std::string text(bytes.begin(), bytes.end());
  broadloom::Arena arena;
  const auto read = broadloom::ReadPasted(text, arena);
  if (!read) return Write(read.error());
  if (!*read) return "paste null";
  const broadloom::Pasted& pasted = **read;
  std::string shapes;
  for (const auto& shape : pasted.shapes) {
    const auto& [begin, end] = shape.read.span;
    shapes += shapes.empty() ? "" : ",";
    shapes +=
        "{\"role\":" + Quoted(Name(shape.role)) + ",\"shape\":" +
        (shape.read.shape.has_unknown_rank ? "null"
                                           : Quoted(shape.read.shape.extents)) +
        ",\"text\":" + Quoted(text.substr(begin, end - begin)) +
        ",\"expression\":" + Quoted(shape.expression) + "}";
  }
  std::string notes;
  for (const std::string_view note : pasted.notes) {
    notes += (notes.empty() ? "" : ",") + Quoted(note);
  }
  const bool has_axis = pasted.axis_counts != broadloom::PastedAxis::kNoAxis;
  return "paste {\"system\":" + Quoted(pasted.system) +
         ",\"also\":" + Quoted(pasted.also) +
         ",\"format\":" + Quoted(pasted.format) + ",\"rule\":" +
         Quoted(pasted.rule ? Info(*pasted.rule).name : pasted.other_rule) +
         ",\"operator\":" + Quoted(pasted.operator_name) +
         ",\"op\":" + Quoted(pasted.op ? Info(*pasted.op).name : "") +
         ",\"shapes\":[" + shapes + "],\"sizes\":" + Quoted(pasted.sizes) +
         ",\"axis\":" + (has_axis ? std::to_string(pasted.axis) : "null") +
         ",\"in_place\":" + (pasted.is_in_place ? "true" : "false") +
         ",\"is_asked\":" + (pasted.question ? "true" : "false") +
         ",\"lacks_shapes\":" + (pasted.lacks_shapes ? "true" : "false") +
         ",\"source\":" + Quoted(pasted.source_line) + ",\"notes\":[" + notes +
         "]}";
}

std::string Answer(std::string_view line) {
  const std::vector<std::string_view> words = Split(line, ' ');
  try {
    if (words[0] == "vocabulary") return Vocabulary();
    if (words[0] == "shape") return AnswerShape(words);
    if (words[0] == "align") return AnswerAlign(words);
    if (words[0] == "diagnose") return AnswerDiagnose(words);
    if (words[0] == "warn") return AnswerWarn(words);
    if (words[0] == "link") return AnswerLink(words);
    if (words[0] == "divergences") return AnswerDivergences();
    if (words[0] == "apply") return AnswerApply(words);
    if (words[0] == "paste") return AnswerPaste(words);
    if (words[0] == "symbolic") {
      return AnswerSymbolic(std::span(words).subspan(1));
    }
    return "malformed no such question";
  } catch (const Malformed& malformed) {
    return "malformed " + malformed.why;
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << Answer(line) << '\n' << std::flush;
  }
}
