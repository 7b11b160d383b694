// Measures, for scripts/bench.mjs, which has the cases and prints the tables.
// Each request is one line (fields.h), each answer one line of JSON:
//
//   about                       what the library is built as
//   target name=                the same, on that SIMD target from now on
//   vocabulary                  every operator with the types that it takes
//   open op= rule= ... dtypes= shapes= threads= stores= least=
//                               makes the case, runs and checks it
//   time rounds=                rounds of the work, its limit and its
//   arithmetic,
//                               in turn
//   save folder=                operands and result, for others to be held to
//   stores bytes= rounds=       (stores.h)
//   sum dtype= from= to= rounds=
//                               (sums.h)
//   plans rounds=               (plans.h)
//
// A request that cannot be served is answered {"error":"why"}.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "case.h"
#include "check.h"
#include "fields.h"
#include "hwy/targets.h"
#include "library.h"
#include "measure.h"
#include "plans.h"
#include "reference/each_target.h"
#include "stores.h"
#include "sums.h"
#include "vocabulary.h"

namespace bench {
namespace {

std::string ErrorAnswer(const std::string& why) {
  return "{\"error\":\"" + why + "\"}";
}

std::string About() {
  std::ostringstream json;
  json << "{\"target\":\"" << broadloom::ActiveTarget() << "\",\"compiler\":\""
       << __VERSION__
       << "\",\"threads\":" << (kLibraryHasThreads ? "true" : "false")
       << ",\"stores\":" << (kLibraryHasStores ? "true" : "false") << '}';
  return json.str();
}

std::string UseTarget(const std::string& name) {
  reference::UseTarget(0);
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  std::string names;
  for (int64_t left = targets; left != 0; left &= left - 1) {
    const int64_t target = left & -left;
    if (name == hwy::TargetName(target)) {
      reference::UseTarget(target);
      return About();
    }
    names += std::string(names.empty() ? "" : ", ") + hwy::TargetName(target);
  }
  return ErrorAnswer("no target here is called " + name +
                     "; there are: " + names);
}

// An open case and the functions to time.
struct Opened {
  std::unique_ptr<Case> it;
  std::vector<Timed> timed;
};

std::string Open(const Fields& fields, std::optional<Opened>& opened) {
  opened.reset();
  auto made = OpenCase(fields);
  if (!made) return ErrorAnswer(made.error());
  Case& it = **made;
  // Tests the check: changes one byte of the result.
  if (const std::optional<int64_t> at = fields.Number("spoil")) {
    if (it.output.bytes() > 0) {
      it.output.data()[static_cast<size_t>(*at) % it.output.bytes()] ^= 0x40;
    }
  }
  if (const auto difference = FirstDifference(it)) {
    return "{\"wrong\":\"" + *difference + "\"}";
  }
  if (it.arithmetic) {
    std::optional<size_t> spoil;
    if (const auto at = fields.Number("spoil_arithmetic")) {
      spoil = static_cast<size_t>(*at);
    }
    if (const auto difference = it.arithmetic->FirstDifference(spoil)) {
      return "{\"wrong\":\"" + *difference + "\"}";
    }
  }
  opened = Opened{.it = std::move(*made), .timed = {}};
  const Case* const kept = opened->it.get();
  const auto least =
      static_cast<double>(fields.Number("least").value_or(1'000'000));
  opened->timed.emplace_back("work", least, [kept] {
    (void)kept->Work().has_value();
    Keep(kept->output.data());
  });
  opened->timed.emplace_back("limit", least, [kept] {
    kept->Limit();
    Keep(kept->output.data());
  });
  if (const Arithmetic* const arithmetic = kept->arithmetic.get()) {
    // Scaled to the result, and shared among as many threads as the limit.
    const double runs =
        static_cast<double>(kept->result_elements()) /
        static_cast<double>(arithmetic->elements() * kept->limit_threads());
    opened->timed.emplace_back(
        "arithmetic", least / 4,
        [arithmetic] {
          arithmetic->Run();
          Keep(arithmetic->result().data());
        },
        runs);
  }
  std::ostringstream json;
  json << "{\"bytes\":" << kept->unique_bytes()
       << ",\"output\":" << kept->output.bytes() << ",\"stores\":\""
       << (kept->writes == Writes::kStreaming ? "streaming" : "cached")
       << "\"}";
  return json.str();
}

bool SaveBytes(const std::string& file, const Memory& memory) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(memory.data()),
               static_cast<std::streamsize>(memory.bytes()));
  return stream.good();
}

// Writes operand0, operand1, ... and result. Runs the case again, since the
// limit has overwritten the result.
std::string Save(const Fields& fields, const Case& it) {
  if (!it.Work()) return ErrorAnswer("the run failed");
  const std::string folder = fields.Text("folder");
  bool saved = SaveBytes(folder + "/result", it.output);
  for (size_t i = 0; i < it.inputs.size(); ++i) {
    saved &= SaveBytes(folder + "/operand" + std::to_string(i), it.inputs[i]);
  }
  return saved ? "{}" : ErrorAnswer("cannot write in " + folder);
}

std::string Answer(const Fields& fields, std::optional<Opened>& opened) {
  const std::string& what = fields.what();
  if (what == "about") return About();
  if (what == "target") return UseTarget(fields.Text("name"));
  if (what == "vocabulary") return VocabularyText();
  if (what == "open") return Open(fields, opened);
  if (what == "stores") return MeasureStores(fields);
  if (what == "sum") return MeasureSum(fields);
  if (what == "plans") return MeasurePlans(fields);
  if (what == "close") {
    opened.reset();
    return "{}";
  }
  if (!opened) return ErrorAnswer("no case is open");
  if (what == "save") return Save(fields, *opened->it);
  if (what == "time") {
    return TimeInTurn(opened->timed, static_cast<size_t>(
                                         fields.Number("rounds").value_or(15)));
  }
  return ErrorAnswer("no such request: " + what);
}

}  // namespace
}  // namespace bench

int main() {
  std::optional<bench::Opened> opened;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << bench::Answer(bench::Fields(line), opened) << std::endl;
  }
}
