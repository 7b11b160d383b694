// Input: the text of a plan. What is read comes back as it was, and is a plan
// or an error.

#include "broadloom/explain/plan_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/explain/arena.h"
#include "fuzz/harness.h"

namespace fuzz {
namespace {

using namespace broadloom;

std::string FaultOfRefusal(const ReadPlanText& read, std::string_view text) {
  if (read.at > text.size()) return "a byte that is not in the text";
  if (!read.reason.starts_with("Byte ")) return "a reason without its byte";
  if (!read.reason.ends_with('.')) return "a reason that is no sentence";
  const auto is_control = [](char c) { return c >= 0 && c < ' '; };
  if (std::ranges::any_of(read.reason, is_control)) {
    return "a reason of several lines";
  }
  return read.reason.size() > 1000 ? "a reason as long as the text" : "";
}

}  // namespace

std::string FaultOfPlanText(std::span<const uint8_t> bytes) {
  // Of exactly these bytes, so that the sanitizers see a byte too many.
  const std::string text(bytes.begin(), bytes.end());
  Arena arena;
  const auto read = ReadPlan(text, arena);
  if (!read) return "no memory for a short text";
  if (!read->reason.empty()) return FaultOfRefusal(*read, text);
  const PlanRequest& request = read->request;
  const auto written = WritePlan(request, arena);
  if (!written) return "what was read cannot be written";
  const auto again = ReadPlan(*written, arena);
  if (!again || !again->reason.empty()) return "what was written is refused";
  const auto twice = WritePlan(again->request, arena);
  if (!twice || *twice != *written)
    return "what was written comes back changed";
  const auto plan =
      MakePlan(request.op, request.shapes, request.dtypes, request.options);
  const auto same = MakePlan(again->request.op, again->request.shapes,
                             again->request.dtypes, again->request.options);
  if (plan.has_value() != same.has_value()) return "one of two equal plans";
  if (!plan) {
    return plan.error().error_class == same.error().error_class
               ? ""
               : "different errors of equal requests";
  }
  return plan->output_bytes() == same->output_bytes()
             ? ""
             : "results of different sizes";
}

}  // namespace fuzz
