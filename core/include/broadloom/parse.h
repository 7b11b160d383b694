// Reads shapes from text.
//
// These spellings are read: `2,3`  `(2, 3)`  `[2,3]`  `{2,3}`  `2x3`  `2×3`
// `2*3`  `2 3`  `(5,)`  `torch.Size([2, 3])`  `Shape(2,3)`, and `()` or `[]`
// for a scalar. Digits may be grouped by `_` (1_000). Any other text is an
// error that marks the bad token.

#ifndef BROADLOOM_PARSE_H_
#define BROADLOOM_PARSE_H_

#include <cstdint>
#include <string_view>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Bytes [begin, end) of a text.
struct TextSpan {
  uint32_t begin;
  uint32_t end;
};

// Integers read from a text, and the place of each in the text, so that an
// error about an axis can be shown where the axis was typed.
struct ParsedIntegers {
  Shape values;
  InlineArray<TextSpan, kInlineRank> spans;  // one for each value
};

// Reads a shape. Errors: kParse with the span of the bad token; kExtent for a
// negative or fractional number or one above 2^63-1 (kUnsafe), with operand
// `operand`, the axis and the token's span; kLimit for a text of 2 GiB or more;
// kAllocation. Complexity: the length of the text. Allocates from 9 numbers on.
// Example:
//   const Result<ParsedIntegers> read = ParseShape("(2, 3)");
//   assert(read->values == Extents(2, 3));
//   assert(read->spans[1].begin == 4 && read->spans[1].end == 5);
[[nodiscard]] Result<ParsedIntegers> ParseShape(
    std::string_view text, int32_t operand = kAbsent,
    const Allocator& allocator = DefaultAllocator()) noexcept;

// Reads a target shape or an axes_mapping. The spellings are those of
// ParseShape, but negative numbers are no error here, since the rule checks
// them (OpenVINO Broadcast-3, input 2: target_shape). Errors: otherwise those
// of ParseShape. Example:
//   assert(ParseIntegers("0, -2")->values == Extents(0, -2));
[[nodiscard]] Result<ParsedIntegers> ParseIntegers(
    std::string_view text, int32_t operand = kTargetOperand,
    const Allocator& allocator = DefaultAllocator()) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_PARSE_H_
