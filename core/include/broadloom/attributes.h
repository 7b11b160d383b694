// The attributes of operators: options beside the operands.

#ifndef BROADLOOM_ATTRIBUTES_H_
#define BROADLOOM_ATTRIBUTES_H_

#include <cstdint>
#include <optional>

#include "broadloom/internal/config.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

enum class ShiftDirection : uint8_t { kLeft, kRight };

// An attribute that the operator does not take is an error (kAttribute).
struct OpAttributes {
  std::optional<int64_t> fmod = std::nullopt;              // Mod: 0 or 1
  std::optional<ShiftDirection> direction = std::nullopt;  // BitShift
  std::optional<DType> to = std::nullopt;                  // Cast
  // Cast: 1 converts an integer that does not fit to the nearest value that
  // does; 0 (default) wraps it. Floats that do not fit an integer type always
  // saturate.
  std::optional<int64_t> saturate = std::nullopt;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_ATTRIBUTES_H_
