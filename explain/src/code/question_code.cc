#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "broadloom/operator.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"
#include "code/names.h"
#include "code/writing.h"

namespace broadloom {
inline namespace v1 {
namespace {

using Write = std::string_view (*)(Writing&, Names);

// In the order of BROADLOOM_CODE_SYSTEMS.
constexpr Write kWriters[] = {
    WriteNumPy,      WritePyTorch,     WriteJax,
    WriteTensorFlow, WriteOnnx,        WriteOpenVino,
    WriteOpenVinoIr, WriteBroadloomJs, WriteBroadloomCpp,
};

// How to get the package, which no registry has. Put before the finished text,
// so that operands may have its words as names.
constexpr std::string_view kInstalling =
    "// The package is not published. In a clone of Broadloom:\n"
    "//   npm run build -- package && npm pack -w wasm\n"
    "// In your project:\n"
    "//   npm install /path/to/broadloom-0.1.0.tgz\n";

constexpr Error ErrorOf(ErrorClass error_class, size_t operand) {
  return {.error_class = error_class, .operand = static_cast<int32_t>(operand)};
}

// Whether the values are as many as the elements need, or too many to be
// listed.
bool HasValues(const CodeOperand& operand) {
  const CodeValues& values = operand.values;
  const bool is_whole =
      IsInteger(operand.dtype) || operand.dtype == DType::kBool;
  const size_t count = !is_whole && values.integers.empty()
                           ? values.reals.size()
                           : values.integers.size();
  const size_t parts = IsComplex(operand.dtype) ? 2 : 1;
  switch (values.kind) {
    case CodeValues::Kind::kCounting:
      return values.step >= 1;
    case CodeValues::Kind::kRepeated:
      return count >= parts;
    default: {
      const int64_t elements = Writing::Elements(operand);
      return elements > kMostListed ||
             count >= parts * static_cast<size_t>(elements);
    }
  }
}

// Whether the operator takes the operand's type.
bool IsTaken(const CodeQuestion& question, size_t operand) {
  const TakenTypes& taken = kTypesTaken[static_cast<size_t>(question.op)];
  const bool fmod = question.attributes.fmod == 1;
  const auto type = static_cast<unsigned>(question.operands[operand].dtype);
  return type < 32 && (taken.types[operand != 0][fmod] >> type & 1) != 0;
}

// Unlikely variables, with which a text is written once to see its other words.
constexpr std::string_view kDraftBegin = "qz";
constexpr std::string_view kDraftEnd = "zq";

// The words of a text besides the variables, and the endings that it adds to
// these: `_shape` in `a_shape`.
void CollectWords(std::string_view text, Words& words, Words& endings) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at;
    while (end < text.size() && IsAsciiWord(text[end])) ++end;
    if (end == at || !IsAsciiLetter(text[at])) {
      at = end == at ? at + 1 : end;
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    at = end;
    size_t digits = kDraftBegin.size();
    if (word.starts_with(kDraftBegin)) {
      while (digits < word.size() && IsDigit(word[digits])) ++digits;
      if (digits > kDraftBegin.size() &&
          word.substr(digits).starts_with(kDraftEnd)) {
        endings.Add(word.substr(digits + kDraftEnd.size()));
        continue;
      }
    }
    words.Add(word);
  }
}

}  // namespace

Result<QuestionText> QuestionCode(const CodeQuestion& question,
                                  CodeSystem system, Arena& arena) noexcept {
  if (Info(system).id.empty()) {
    return std::unexpected(Error{.error_class = ErrorClass::kUnknown});
  }
  List<ShapeView> shapes(arena);
  List<std::string_view> names(arena);
  List<std::string_view> drafts(arena);
  for (size_t i = 0; i < question.operands.size(); ++i) {
    shapes.Push(question.operands[i].shape);
    names.Push(question.operands[i].name);
    Text draft(arena);
    draft << kDraftBegin << i << kDraftEnd;
    drafts.Push(draft.view());
  }
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  const Status asked =
      CheckOperator(question.op, question.rule, question.operands.size(),
                    question.attributes);
  if (!asked) return std::unexpected(asked.error());
  const Result<Alignment> alignment =
      Align({.rule = question.rule,
             .operands = shapes.view(),
             .axis = question.axis,
             .target_shape = question.target_shape,
             .axes_mapping = question.axes_mapping},
            arena.allocator());
  if (!alignment) return std::unexpected(alignment.error());
  if (alignment->error()) return std::unexpected(*alignment->error());
  const size_t count = question.operands.size();
  for (size_t i = 0; i < count; ++i) {
    if (!IsTaken(question, i)) {
      Error error = ErrorOf(ErrorClass::kDType, i);
      error.op = question.op;
      error.dtype = question.operands[i].dtype;
      return std::unexpected(error);
    }
    if (!HasValues(question.operands[i])) {
      return std::unexpected(ErrorOf(ErrorClass::kExtent, i));
    }
  }
  const Write write = kWriters[static_cast<size_t>(system)];
  Writing writing(question, *alignment, arena);
  // Written twice, the first time to collect its words.
  Words words(arena);
  Words endings(arena);
  endings.Add("");
  CollectWords(write(writing, drafts.view()), words, endings);
  QuestionText code{.text = {}, .reason = writing.reason()};
  if (code.reason.empty()) {
    const Names variables =
        Variables(names.view(), words, endings.view(), arena);
    if (variables.size() == count) code.text = write(writing, variables);
    if (system == CodeSystem::kBroadloomJs) {
      code.text = writing.Cat(kInstalling, code.text);
    }
  }
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  return code;
}

}  // namespace v1
}  // namespace broadloom
