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
  broadloom::Repair repairs[broadloom::kMostRepairs];
  const auto count = broadloom::FindRepairs(request, repairs);
  if (!count) return Write(count.error());
  for (size_t i = 0; i < *count; ++i) {
    const broadloom::Repair& repair = repairs[i];
    text += " " + std::string(Name(repair.kind)) + " " +
            std::to_string(repair.operand) + " " +
            WriteIntegers(repair.shape.view()) + " " +
            std::string(Info(repair.rule).name) + " " +
            std::to_string(repair.axis) + " " +
            WriteIntegers(repair.axes_mapping.view()) + " " +
            WriteIntegers(repair.result.view());
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

std::string Answer(std::string_view line) {
  const std::vector<std::string_view> words = Split(line, ' ');
  try {
    if (words[0] == "vocabulary") return Vocabulary();
    if (words[0] == "shape") return AnswerShape(words);
    if (words[0] == "align") return AnswerAlign(words);
    if (words[0] == "apply") return AnswerApply(words);
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
