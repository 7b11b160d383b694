#include "broadloom/explain/code.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace broadloom {
inline namespace v1 {
namespace {

constexpr CodeSystemInfo kSystems[] = {
#define BROADLOOM_X(name, id, title) {CodeSystem::name, id, title},
    BROADLOOM_CODE_SYSTEMS(BROADLOOM_X)
#undef BROADLOOM_X
};

constexpr CodeSystemInfo kNoSystem{};

}  // namespace

std::span<const CodeSystemInfo> AllCodeSystems() noexcept { return kSystems; }

const CodeSystemInfo& Info(CodeSystem system) noexcept {
  const size_t row = static_cast<size_t>(system);
  return row < std::size(kSystems) ? kSystems[row] : kNoSystem;
}

std::optional<CodeSystem> FindCodeSystem(std::string_view id) noexcept {
  for (const CodeSystemInfo& row : kSystems) {
    if (row.id == id) return row.system;
  }
  return std::nullopt;
}

}  // namespace v1
}  // namespace broadloom
