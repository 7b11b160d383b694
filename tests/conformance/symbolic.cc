#include "symbolic.h"

#include <charconv>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/vocabulary.h"

namespace {

using broadloom::ConditionForm;
using broadloom::SymbolicExtent;
using broadloom::SymbolicShape;

std::optional<int64_t> ReadNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// 3, 2..8 or 2..; false if it is none of them.
bool ReadRange(std::string_view text, SymbolicExtent& extent) {
  if (const auto number = ReadNumber(text)) {
    extent.least = extent.most = *number;
    return true;
  }
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  const auto least = ReadNumber(text.substr(0, dots));
  const auto most = ReadNumber(text.substr(dots + 2));
  if (!least || (!most && dots + 2 != text.size())) return false;
  extent.least = *least;
  extent.most = most.value_or(broadloom::kUnbounded);
  return true;
}

struct Shape {
  std::vector<SymbolicExtent> extents;
  std::vector<std::string_view> names;
  bool has_unknown_rank = false;

  explicit Shape(std::string_view text) {
    if (text == "*") {
      has_unknown_rank = true;
      return;
    }
    text = text.substr(1, text.size() - 2);
    bool named = false;
    while (!text.empty()) {
      const size_t comma = text.find(',');
      std::string_view word = text.substr(0, comma);
      text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
      std::string_view name;
      if (const size_t sign = word.find('='); sign != word.npos) {
        name = word.substr(0, sign);
        word.remove_prefix(sign + 1);
        named = true;
      }
      names.push_back(name);
      SymbolicExtent extent;
      if (word != "?" && !ReadRange(word, extent)) {
        const size_t colon = word.find(':');
        extent.name = word.substr(0, colon);
        if (colon != word.npos) ReadRange(word.substr(colon + 1), extent);
      }
      extents.push_back(extent);
    }
    if (!named) names.clear();
  }

  SymbolicShape view() const { return {extents, names, has_unknown_rank}; }
};

}  // namespace

std::string AnswerSymbolic(std::span<const std::string_view> words) {
  if (words.size() < 4) return "malformed symbolic: too few words";
  broadloom::SymbolicRequest request;
  request.by_name = words[0] == "by_name";
  if (!request.by_name) {
    const auto rule = broadloom::FindRule(words[0]);
    if (!rule) return "malformed no such rule";
    request.rule = *rule;
  }
  std::vector<int64_t> mapping;
  if (words[1] != "-") request.axis = ReadNumber(words[1]);
  std::list<Shape> shapes;
  if (words[2] != "-") {
    shapes.emplace_back(words[2]);
    request.target_shape = shapes.back().view();
  }
  if (words[3] != "-") {
    for (const SymbolicExtent& extent : Shape(words[3]).extents) {
      mapping.push_back(extent.least);
    }
    request.axes_mapping = mapping;
  }
  std::vector<SymbolicShape> operands;
  for (const std::string_view word : words.subspan(4)) {
    shapes.emplace_back(word);
    operands.push_back(shapes.back().view());
  }
  request.operands = operands;
  broadloom::Arena arena;
  const auto answer = broadloom::AlignSymbolic(request, arena);
  if (!answer) {
    return "fault " + std::string(Describe(answer.error(), arena));
  }
  std::string text = "symbolic {\"conditions\":[";
  for (size_t i = 0; i < answer->cases.size(); ++i) {
    if (i > 0) text += ',';
    text += '[';
    for (const ConditionForm form :
         {ConditionForm::kPlain, ConditionForm::kPython, ConditionForm::kTorch,
          ConditionForm::kJax}) {
      if (form != ConditionForm::kPlain) text += ',';
      text += '"';
      for (const char letter : WriteConditions(*answer, i, form, arena)) {
        if (letter == '\n') {
          text += "\\n";
        } else {
          if (letter == '"' || letter == '\\') text += '\\';
          text += letter;
        }
      }
      text += '"';
    }
    text += ']';
  }
  text += "],";
  text += ToJson(*answer, arena).substr(1);
  return text;
}
