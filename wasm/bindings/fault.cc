// The fault block: an error, field by field.

#include "fault.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "broadloom/broadloom.h"
#include "fields.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

#define BROADLOOM_COUNT(kind, member, name, doc) +1
constexpr size_t kFaultWords = 0 BROADLOOM_ERROR_FIELDS(BROADLOOM_COUNT);
#undef BROADLOOM_COUNT

int64_t fault_words[kFaultWords];

#define BROADLOOM_CHECK(kind, member, name, doc) \
  static_assert(std::is_same_v<decltype(Error::member), FieldTypes::kind>);
BROADLOOM_ERROR_FIELDS(BROADLOOM_CHECK)
#undef BROADLOOM_CHECK

template <class T>
int64_t WordOf(const T& field) {
  return static_cast<int64_t>(field);
}

template <class T>
int64_t WordOf(const std::optional<T>& field) {
  return IndexOr(field);
}

template <class T>
void Assign(T& field, int64_t word) {
  field = static_cast<T>(word);
}

template <class T>
void Assign(std::optional<T>& field, int64_t word) {
  field = Optional<T>(word);
}

}  // namespace

void Report(const Error& error) {
  int64_t* word = fault_words;
#define BROADLOOM_WRITE(kind, member, name, doc) *word++ = WordOf(error.member);
  BROADLOOM_ERROR_FIELDS(BROADLOOM_WRITE)
#undef BROADLOOM_WRITE
}

Error Fault() {
  const int64_t* word = fault_words;
  Error error{};
#define BROADLOOM_READ(kind, member, name, doc) Assign(error.member, *word++);
  BROADLOOM_ERROR_FIELDS(BROADLOOM_READ)
#undef BROADLOOM_READ
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
