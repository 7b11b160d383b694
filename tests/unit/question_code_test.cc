// Questions as code of other systems: as the package gives
// it (code_answers.txt), and what is refused.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "catch2/catch_test_macros.hpp"
#include "code/question_line.h"

namespace broadloom {
namespace {

std::string HashOf(std::string_view text, std::string_view before) {
  uint32_t hash = 0x811c9dc5;
  for (const std::string_view part : {before, text}) {
    for (const char byte : part) {
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x01000193;
    }
  }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(hash));
  return digits;
}

// Pairs of lines: hashes, question.
std::vector<std::pair<std::string, std::string>> Answers() {
  std::ifstream file(BROADLOOM_TESTS_DIR "/unit/code_answers.txt");
  std::vector<std::pair<std::string, std::string>> answers;
  std::string hashes;
  std::string line;
  while (std::getline(file, hashes) && std::getline(file, line)) {
    answers.emplace_back(hashes, line);
  }
  return answers;
}

TEST_CASE("question code: texts and reasons are the package's") {
  const auto answers = Answers();
  REQUIRE(answers.size() > 1300);
  for (const auto& [hashes, line] : answers) {
    const QuestionLine given(line);
    std::string found;
    Arena arena;
    for (const CodeSystemInfo& row : AllCodeSystems()) {
      const Result<QuestionText> code =
          QuestionCode(given.question(), row.system, arena);
      REQUIRE(code);
      CHECK(code->text.empty() != code->reason.empty());
      if (!found.empty()) found += ' ';
      found += code->reason.empty() ? HashOf(code->text, "")
                                    : HashOf(code->reason, "!");
    }
    INFO(line);
    CHECK(found == hashes);
  }
}

TEST_CASE("question code: a text in full") {
  const Extents a{2, 3};
  const Extents b{3};
  const double reals[] = {1, 0.5, -2};
  const CodeOperand operands[] = {
      {.name = "Input", .shape = a, .values = {CodeValues::Kind::kCounting}},
      {.name = "bias", .shape = b, .values = {.reals = reals}}};
  Arena arena;
  const CodeQuestion question{.operands = operands};
  // `input` is taken.
  CHECK(QuestionCode(question, CodeSystem::kNumPy, arena)->text ==
        "import numpy as np\n\n"
        "x0 = np.arange(6, dtype=np.float32).reshape(2, 3)\n"
        "bias = np.array([1, 0.5, -2], dtype=np.float32)\n"
        "out = x0 + bias  # shape (2, 3)\n");
}

TEST_CASE("question code: a bad question is an error") {
  const Extents a{2, 3};
  const Extents b{4};
  const CodeValues counting{CodeValues::Kind::kCounting};
  Arena arena;
  const auto error = [&](const CodeQuestion& question,
                         CodeSystem system = CodeSystem::kOnnx) {
    const Result<QuestionText> code = QuestionCode(question, system, arena);
    REQUIRE(!code);
    return code.error();
  };
  const CodeOperand good{.name = "A", .shape = a, .values = counting};
  const CodeOperand two[] = {good, good};
  CHECK(error({.operands = two}, static_cast<CodeSystem>(99)).error_class ==
        ErrorClass::kUnknown);
  CHECK(error({.op = static_cast<Op>(250), .operands = two}).error_class ==
        ErrorClass::kUnknown);
  CHECK(error({.operands = {two, 1}}).error_class == ErrorClass::kArity);
  CHECK(error({.op = Op::kWhere, .operands = two}).error_class ==
        ErrorClass::kArity);
  const CodeOperand clash[] = {good,
                               {.name = "B", .shape = b, .values = counting}};
  CHECK(error({.operands = clash}).error_class == ErrorClass::kIncompatible);
  CHECK(error({.rule = Rule::kSonnx, .operands = two}).error_class ==
        ErrorClass::kUnknown);
  CHECK(error({.operands = two, .attributes = {.fmod = 1}}).error_class ==
        ErrorClass::kAttribute);
  const CodeOperand mixed[] = {
      good,
      {.name = "B", .shape = a, .dtype = DType::kBool, .values = counting}};
  CHECK(error({.operands = mixed}).error_class == ErrorClass::kDType);
  CHECK(error({.operands = mixed}).operand == 1);
  const double reals[] = {1, 2, 3, 4, 5};
  for (const CodeValues& values :
       {CodeValues{.reals = reals},
        CodeValues{.kind = CodeValues::Kind::kRepeated},
        CodeValues{.kind = CodeValues::Kind::kCounting, .step = 0}}) {
    const CodeOperand few[] = {good,
                               {.name = "B", .shape = a, .values = values}};
    CHECK(error({.operands = few}).error_class == ErrorClass::kExtent);
    CHECK(error({.operands = few}).operand == 1);
  }
}

TEST_CASE("question code: refused memory is an error") {
  const Extents a{20, 3};
  const CodeOperand operand{.name = "A",
                            .shape = a,
                            .dtype = DType::kBF16,
                            .values = {CodeValues::Kind::kCounting}};
  const CodeOperand two[] = {operand, operand};
  for (const CodeSystemInfo& row : AllCodeSystems()) {
    bool is_written = false;
    for (size_t most = 0; most < 60 && !is_written; ++most) {
      size_t left = most;
      Arena arena(Allocator{
          [](void* context, size_t bytes, size_t alignment) -> void* {
            size_t& some = *static_cast<size_t*>(context);
            if (some == 0) return nullptr;
            --some;
            return std::aligned_alloc(alignment, bytes);
          },
          [](void*, void* memory, size_t, size_t) { std::free(memory); },
          &left});
      const Result<QuestionText> code = QuestionCode(
          {.op = Op::kSquaredDifference, .operands = two}, row.system, arena);
      is_written = code.has_value();
      if (!code) CHECK(code.error().error_class == ErrorClass::kAllocation);
    }
    CHECK(is_written);
  }
}

}  // namespace
}  // namespace broadloom
