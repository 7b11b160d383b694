// Sentences about alignments and errors. They name the operand, the axis, both
// extents and the rule, and say what would work. The text is UTF-8 and goes
// into the caller's buffer: each function returns the length of the whole text,
// writes as much of it as fits, and adds no terminating zero. Operands are
// called A, B, C, ... Z, then #26, ...

#ifndef BROADLOOM_EXPLAIN_H_
#define BROADLOOM_EXPLAIN_H_

#include <cstddef>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Describes an error in one or two sentences. For (2,4) with (3) under numpy:
// "Axis 1: B has 3 (its axis 0) but A has 4 (its axis 1). NumPy: two extents
// fit when they are equal or one of them is 1." Example:
//   const Extents a{2, 4};
//   const Extents b{3};
//   const ShapeView shapes[] = {a, b};
//   const Result<Shape> shape =
//       InferShape({.rule = Rule::kNumpy, .operands = shapes});
//   char text[200];
//   const size_t length = Describe(shape.error(), text);
//   assert(std::string_view(text, length).starts_with("Axis 1: B has 3"));
[[nodiscard]] size_t Describe(const Error& error, std::span<char> out) noexcept;

// Says which operands are repeated along which axes, or describes the error.
// For (2,1,4) with (3,1): "A is repeated 3 times along axis 1; B is repeated 2
// times along axis 0, 4 times along axis 2." Operands that are repeated along
// the same axes share a clause. Where that takes fewer clauses, there is one
// for each axis instead; for (2,3) with (3), (2,1) and (): "B and D are
// repeated 2 times along axis 0; C and D are repeated 3 times along axis 1."
[[nodiscard]] size_t ExplainVerdict(const Alignment& alignment,
                                    std::span<char> out) noexcept;

// Says how the operands come to the extent of one axis of the result. For axis
// 0 of (2,1,4) with (3,1): "B has no such axis; it counts as 1 and stretches to
// 2." For axis 1 of the four operands above: "C's 1 stretches to 3. D has no
// such axis; it counts as 1 and stretches to 3." Empty without that axis.
[[nodiscard]] size_t ExplainAxis(const Alignment& alignment, size_t axis,
                                 std::span<char> out) noexcept;

// A shape as text: "(2, 3)", "(5,)", "()".
[[nodiscard]] size_t FormatShape(ShapeView shape, std::span<char> out) noexcept;

// The name of an operand: "A", "the target", "the result".
[[nodiscard]] size_t FormatOperand(int32_t operand,
                                   std::span<char> out) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_H_
