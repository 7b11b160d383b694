// Addresses that open the playground at a request: rule, operator, element
// type, shapes and options, and nothing else of the program.

#ifndef BROADLOOM_EXPLAIN_LINK_H_
#define BROADLOOM_EXPLAIN_LINK_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/attributes.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/warning.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// What the playground shows; requests beyond these limits have no link.
inline constexpr size_t kMostLinkedOperands = 64;
inline constexpr size_t kMostLinkedAxes = 2048;       // of all shapes together
inline constexpr size_t kLongestLinkedText = 20'000;  // characters of a shape
inline constexpr size_t kLongestLinkedAddress = 2000;

// What the record points to must outlive the call that it is given to.
struct LinkRequest {
  // Where the playground is: a URL of http, https or file, or a path that
  // begins with /, ./ or ../, in printable ASCII. Its fragment is left out.
  std::string_view base;
  BroadcastRequest broadcast;
  // Without it: an operator that takes these operands under the rule.
  std::optional<Op> op = std::nullopt;
  // The operands' element types, if the operator was asked to compute. Without
  // them, that of broadcast.dtype, or f32 where the operator takes it.
  std::span<const DType> dtypes = {};
  OpAttributes attributes = {};
  // Kinds of warnings that are meant.
  std::span<const WarningKind> expect = {};
};

// A link, or why there is none. Both lie in the arena.
struct Link {
  std::string_view address;  // empty where there is none
  std::string_view reason;   // a sentence; empty where there is a link
};

// The address that opens the playground at a request, whether or not its shapes
// fit. Of the program's texts it has only names of axes, (batch=8,heads=8), of
// operands whose axes all have one of at most 32 letters, digits and
// underscores. To open the case of an error, give the request that failed.
//
// There is none, for the reason in `reason`, where `base` is no address; where
// the playground would show another case: the request has no operands, more
// than the rule or the operator takes, an option that the rule does not take,
// or is refused by a policy; and beyond the limits above. Errors: kUnknown (an
// unknown rule, operator, element type or kind of warning); kAllocation.
// Complexity: the number of all extents. Example:
//   const Extents a{2, 3};
//   const Extents b{4};
//   const ShapeView shapes[] = {a, b};
//   Arena arena;
//   const Result<Link> link = WriteLink(
//       {.base = "http://localhost:8080/", .broadcast = {.operands = shapes}},
//       arena);
//   assert(link->address == "http://localhost:8080/#v=1&rule=numpy&op=Add"
//                           "&type=f32&in=(2,3)&in=(4,)");
//   assert(WriteLink({.base = "/", .broadcast = {}}, arena)->reason ==
//          "There are no operands to show.");
[[nodiscard]] Result<Link> WriteLink(const LinkRequest& request,
                                     Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_LINK_H_
