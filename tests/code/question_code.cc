// Reads questions, a line each (question_line.h), and writes their code in
// every system, as JSON, one object a line: {"numpy": {"text": ""} or
// {"reason": ""}, ...}. questions.test.mjs runs it.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "base/json.h"
#include "base/text.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "code/question_line.h"

int main() {
  using namespace broadloom;
  std::string line;
  while (std::getline(std::cin, line)) {
    const QuestionLine given(line);
    Arena arena;
    Text text(arena);
    Json json(text);
    json.Open('{');
    for (const CodeSystemInfo& row : AllCodeSystems()) {
      const Result<QuestionText> code =
          QuestionCode(given.question(), row.system, arena);
      if (!code) {
        std::fprintf(stderr, "error %d: %s\n",
                     static_cast<int>(code.error().error_class), line.c_str());
        return 1;
      }
      json.Key(row.id).Open('{');
      if (code->reason.empty()) {
        json.Field("text", code->text);
      } else {
        json.Field("reason", code->reason);
      }
      json.Close('}');
    }
    json.Close('}');
    if (arena.refused()) std::abort();
    std::printf("%.*s\n", static_cast<int>(text.size()), text.view().data());
  }
  return 0;
}
