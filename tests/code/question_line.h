// Questions as lines of text, which tests/code/questions.mjs writes. A line has
// fields between tabs: rule, operator, axis, target, mapping, fmod, direction,
// to, saturate; then for each operand its name in hexadecimal digits, shape,
// type and values. Numbers of a list are between commas, - stands for none.
// Values are `c first step`, `r` or `l` and a list: counting, repeated, listed.

#ifndef BROADLOOM_TESTS_CODE_QUESTION_LINE_H_
#define BROADLOOM_TESTS_CODE_QUESTION_LINE_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "broadloom/explain/code.h"
#include "broadloom/vocabulary.h"

namespace broadloom {

// A question and what it points to.
class QuestionLine {
 public:
  explicit QuestionLine(const std::string& line) {
    const std::vector<std::string> fields = Split(line, '\t');
    question_.rule = FindRule(fields.at(0)).value();
    question_.op = FindOp(fields.at(1)).value();
    if (fields.at(2) != "-") question_.axis = Integer(fields[2]);
    if (fields.at(3) != "-") question_.target_shape = Keep(fields[3]);
    if (fields.at(4) != "-") question_.axes_mapping = Keep(fields[4]);
    if (fields.at(5) != "-") question_.attributes.fmod = Integer(fields[5]);
    if (fields.at(6) != "-") {
      question_.attributes.direction =
          fields[6] == "right" ? ShiftDirection::kRight : ShiftDirection::kLeft;
    }
    if (fields.at(7) != "-") question_.attributes.to = FindDType(fields[7]);
    if (fields.at(8) != "-") question_.attributes.saturate = Integer(fields[8]);
    integers_.reserve(fields.size());
    reals_.reserve(fields.size());
    names_.reserve(fields.size());
    for (size_t i = 9; i + 3 < fields.size(); i += 4) {
      names_.push_back(Text(fields[i]));
      operands_.push_back({.name = names_.back(),
                           .shape = Keep(fields[i + 1]),
                           .dtype = FindDType(fields[i + 2]).value()});
      SetValues(fields[i + 3], operands_.back());
    }
    question_.operands = operands_;
  }
  QuestionLine(const QuestionLine&) = delete;
  QuestionLine& operator=(const QuestionLine&) = delete;

  const CodeQuestion& question() const { return question_; }

  static std::vector<std::string> Split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
      if (c == at) {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    return parts;
  }

 private:
  // Of a u64 its bits.
  static int64_t Integer(const std::string& text) {
    return text.starts_with('-')
               ? std::strtoll(text.c_str(), nullptr, 10)
               : static_cast<int64_t>(std::strtoull(text.c_str(), nullptr, 10));
  }

  static std::string Text(const std::string& digits) {
    std::string text;
    for (size_t i = 0; i + 1 < digits.size(); i += 2) {
      text += static_cast<char>(
          std::strtol(digits.substr(i, 2).c_str(), nullptr, 16));
    }
    return text;
  }

  const std::vector<int64_t>& Keep(const std::string& list) {
    std::vector<int64_t>& kept = integers_.emplace_back();
    if (!list.empty()) {
      for (const std::string& number : Split(list, ',')) {
        kept.push_back(Integer(number));
      }
    }
    return kept;
  }

  void SetValues(const std::string& text, CodeOperand& operand) {
    const std::vector<std::string> parts = Split(text, ' ');
    CodeValues& values = operand.values;
    if (parts[0] == "c") {
      values.kind = CodeValues::Kind::kCounting;
      values.first = Integer(parts.at(1));
      values.step = Integer(parts.at(2));
      return;
    }
    values.kind = parts[0] == "r" ? CodeValues::Kind::kRepeated
                                  : CodeValues::Kind::kListed;
    const DTypeInfo& info = Info(operand.dtype);
    const bool is_packed = info.bits < 8;
    const bool is_real = info.kind == DTypeKind::kFloat ||
                         (info.kind == DTypeKind::kOpaque && !is_packed);
    if (!is_real) {
      values.integers = Keep(parts.at(1));
      return;
    }
    std::vector<double>& reals = reals_.emplace_back();
    if (!parts.at(1).empty()) {
      for (const std::string& number : Split(parts[1], ',')) {
        reals.push_back(std::strtod(number.c_str(), nullptr));
      }
    }
    values.reals = reals;
  }

  CodeQuestion question_;
  std::vector<CodeOperand> operands_;
  std::vector<std::vector<int64_t>> integers_;
  std::vector<std::vector<double>> reals_;
  std::vector<std::string> names_;
};

}  // namespace broadloom

#endif  // BROADLOOM_TESTS_CODE_QUESTION_LINE_H_
