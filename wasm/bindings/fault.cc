// The fault block: an error, field by field.

#include "fault.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "broadloom/broadloom.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

// The order of an error's fields in the fault block.
constexpr size_t kFaultWords = 16;
int64_t fault_words[kFaultWords];

}  // namespace

void Report(const Error& error) {
  int64_t* word = fault_words;
  *word++ = static_cast<int64_t>(error.error_class);
  *word++ = static_cast<int64_t>(error.detail);
  *word++ = IndexOr(error.rule);
  *word++ = static_cast<int64_t>(error.clause);
  *word++ = IndexOr(error.op);
  *word++ = error.operand;
  *word++ = error.other_operand;
  *word++ = error.axis;
  *word++ = error.operand_axis;
  *word++ = error.other_axis;
  *word++ = error.extent;
  *word++ = error.other_extent;
  *word++ = IndexOr(error.dtype);
  *word++ = IndexOr(error.other_dtype);
  *word++ = error.text_begin;
  *word++ = error.text_end;
}

Error Fault() {
  const int64_t* word = fault_words;
  Error error{.error_class = static_cast<ErrorClass>(*word++)};
  error.detail = static_cast<Detail>(*word++);
  error.rule = Optional<Rule>(*word++);
  error.clause = static_cast<Clause>(*word++);
  error.op = Optional<Op>(*word++);
  error.operand = static_cast<int32_t>(*word++);
  error.other_operand = static_cast<int32_t>(*word++);
  error.axis = static_cast<int32_t>(*word++);
  error.operand_axis = static_cast<int32_t>(*word++);
  error.other_axis = static_cast<int32_t>(*word++);
  error.extent = *word++;
  error.other_extent = *word++;
  error.dtype = Optional<DType>(*word++);
  error.other_dtype = Optional<DType>(*word++);
  error.text_begin = static_cast<uint32_t>(*word++);
  error.text_end = static_cast<uint32_t>(*word++);
  return error;
}

void ReportRefusal(uint64_t bytes) {
  Report({.error_class = ErrorClass::kAllocation,
          .extent = static_cast<int64_t>(bytes)});
}

extern "C" EMSCRIPTEN_KEEPALIVE int64_t* broadloom_fault() {
  return fault_words;
}

}  // namespace broadloom_wasm
