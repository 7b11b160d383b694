// Errors of the core as words of the fault block, where JavaScript reads them.

#ifndef BROADLOOM_WASM_FAULT_H_
#define BROADLOOM_WASM_FAULT_H_

#include <cstdint>
#include <optional>

#include "broadloom/broadloom.h"

namespace broadloom_wasm {

using namespace broadloom;

template <class T>
int64_t IndexOr(const std::optional<T>& value) {
  return value ? static_cast<int64_t>(*value) : kAbsent;
}

template <class T>
std::optional<T> Optional(int64_t word) {
  if (word < 0) return std::nullopt;
  return static_cast<T>(word);
}

// Writes an error to the fault block.
void Report(const Error& error);

// The error in the fault block.
Error Fault();

// Memory was refused for `bytes`.
void ReportRefusal(uint64_t bytes);

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_FAULT_H_
