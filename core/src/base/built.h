// Which operators and element types this build of the library has: all, unless
// the CMake options BROADLOOM_OPERATORS and BROADLOOM_TYPES list fewer.
// Broadcast, which only moves elements, is always built, and for every type.
// And whether it has results with strides (BROADLOOM_STRIDED_RESULTS).

#ifndef BROADLOOM_BASE_BUILT_H_
#define BROADLOOM_BASE_BUILT_H_

#include <cstddef>
#include <iterator>
#include <string_view>

#include "broadloom/vocabulary.h"

// Names separated by commas; empty: all.
#ifndef BROADLOOM_BUILT_OPERATORS
#define BROADLOOM_BUILT_OPERATORS ""
#endif
#ifndef BROADLOOM_BUILT_TYPES
#define BROADLOOM_BUILT_TYPES ""
#endif
#ifndef BROADLOOM_BUILT_STRIDED_RESULTS
#define BROADLOOM_BUILT_STRIDED_RESULTS 1
#endif

namespace broadloom {
inline namespace v1 {
namespace built {

inline constexpr std::string_view kOperators = BROADLOOM_BUILT_OPERATORS;
inline constexpr std::string_view kTypes = BROADLOOM_BUILT_TYPES;

inline constexpr std::string_view kOperatorNames[] = {
#define X(symbol, spelling, ...) spelling,
    BROADLOOM_OPS(X)
#undef X
};
inline constexpr std::string_view kTypeNames[] = {
#define X(symbol, spelling, ...) spelling,
    BROADLOOM_DTYPES(X)
#undef X
};

// Calls `each` with every name of a list.
template <class Each>
constexpr void ForEach(std::string_view list, Each each) {
  while (!list.empty()) {
    const size_t end = list.find(',');
    each(list.substr(0, end));
    list = end == list.npos ? "" : list.substr(end + 1);
  }
}

constexpr bool Lists(std::string_view list, std::string_view name) {
  bool found = list.empty();
  ForEach(list, [&](std::string_view one) { found = found || one == name; });
  return found;
}

template <size_t kCount>
constexpr bool AllAreAmong(std::string_view list,
                           const std::string_view (&names)[kCount]) {
  bool all = true;
  ForEach(list, [&](std::string_view one) {
    bool known = false;
    for (const std::string_view name : names) known = known || name == one;
    all = all && known;
  });
  return all;
}

static_assert(
    AllAreAmong(kOperators, kOperatorNames),
    "BROADLOOM_OPERATORS has a name that is no operator's; the names "
    "are the first column of BROADLOOM_OPS in broadloom/vocabulary.h");
static_assert(AllAreAmong(kTypes, kTypeNames),
              "BROADLOOM_TYPES has a name that is no element type's; the names "
              "are the first column of BROADLOOM_DTYPES in "
              "broadloom/vocabulary.h");

template <size_t kCount>
struct Flags {
  bool values[kCount];
};

template <size_t kCount>
constexpr Flags<kCount> FlagsOf(std::string_view list,
                                const std::string_view (&names)[kCount]) {
  Flags<kCount> flags = {};
  for (size_t i = 0; i < kCount; ++i) flags.values[i] = Lists(list, names[i]);
  return flags;
}

inline constexpr auto kOperatorFlags = FlagsOf(kOperators, kOperatorNames);
inline constexpr auto kTypeFlags = FlagsOf(kTypes, kTypeNames);

}  // namespace built

inline constexpr bool kStridedResultsBuilt =
    BROADLOOM_BUILT_STRIDED_RESULTS != 0;

constexpr bool IsBuilt(Op op) {
  return built::kOperators.empty() || op == Op::kBroadcast ||
         built::kOperatorFlags.values[static_cast<size_t>(op)];
}

// bool is always built: comparisons return it, and Where takes it.
constexpr bool IsBuilt(DType dtype) {
  return built::kTypes.empty() || dtype == DType::kBool ||
         built::kTypeFlags.values[static_cast<size_t>(dtype)];
}

// Returns `kernel` if one of these operators or types is built, else null. Then
// nothing refers to the kernel, and the compiler leaves it out; inlining is
// forced, since it must happen before the compiler removes unused code.
template <auto... kNames, class Kernel>
[[gnu::always_inline]] constexpr const Kernel* WhereBuilt(
    const Kernel* kernel) {
  return (IsBuilt(kNames) || ...) ? kernel : nullptr;
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_BASE_BUILT_H_
