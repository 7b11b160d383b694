// Shapes whose extents need not be known: (N, 1, C), (?, 3), (2..8, 4), and
// shapes of unknown rank.

#ifndef BROADLOOM_EXPLAIN_SYMBOLIC_SHAPE_H_
#define BROADLOOM_EXPLAIN_SYMBOLIC_SHAPE_H_

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/internal/config.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// The extent of a range without an upper end.
inline constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

// An extent that is known as far as `least`, `most` and `name` say. Extents of
// one question that have the same name are equal; an extent without a name is
// independent of all others. 3 is {3, 3, ""}; N is {0, kUnbounded, "N"}; ? is
// {0, kUnbounded, ""}; 2..8 is {2, 8, ""}; an expression such as 2*N+1 is a
// name.
struct SymbolicExtent {
  int64_t least = 0;
  int64_t most = kUnbounded;
  std::string_view name = {};

  [[nodiscard]] constexpr bool is_known() const noexcept {
    return least == most;
  }
};

// A shape with such extents. `axis_names` is empty, or has a text for each
// axis, which is empty where the axis has no name: (batch=8, 3).
struct SymbolicShape {
  std::span<const SymbolicExtent> extents = {};
  std::span<const std::string_view> axis_names = {};
  bool has_unknown_rank = false;  // then there are no extents
};

// The shape as text: "(N, ?, 2..8)", "(batch=8, 3..)", "(...)" for an unknown
// rank. The text lies in the arena. Example:
//   const SymbolicExtent extents[] = {{.name = "N"}, {2, 8}, {3, 3}};
//   Arena arena;
//   assert(FormatShape(SymbolicShape{extents}, arena) == "(N, 2..8, 3)");
[[nodiscard]] std::string_view FormatShape(const SymbolicShape& shape,
                                           Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_SYMBOLIC_SHAPE_H_
