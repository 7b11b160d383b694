// Code for other systems: the line of a repair, such as `mean[:, None]` or
// `x.mean(axis=1, keepdims=True)`, and a whole question as a program.

#ifndef BROADLOOM_EXPLAIN_CODE_H_
#define BROADLOOM_EXPLAIN_CODE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/attributes.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// The systems whose code is written: id, which links and JSON contain, and
// title.
#define BROADLOOM_CODE_SYSTEMS(X)                          \
  X(kNumPy, "numpy", "NumPy")                              \
  X(kPyTorch, "pytorch", "PyTorch")                        \
  X(kJax, "jax", "JAX")                                    \
  X(kTensorFlow, "tensorflow", "TensorFlow")               \
  X(kOnnx, "onnx", "ONNX")                                 \
  X(kOpenVino, "openvino", "OpenVINO")                     \
  X(kOpenVinoIr, "openvino-ir", "OpenVINO IR")             \
  X(kBroadloomJs, "broadloom-js", "Broadloom, JavaScript") \
  X(kBroadloomCpp, "broadloom-cpp", "Broadloom, C++")

enum class CodeSystem : uint8_t {
#define BROADLOOM_X(name, id, title) name,
  BROADLOOM_CODE_SYSTEMS(BROADLOOM_X)
#undef BROADLOOM_X
};

struct CodeSystemInfo {
  CodeSystem system;
  std::string_view id;
  std::string_view title;
};

// All rows, in order. The value of an enum is the index of its row.
[[nodiscard]] std::span<const CodeSystemInfo> AllCodeSystems() noexcept;

// The row of a system; an empty row for a number that is none. Example:
//   assert(Info(CodeSystem::kJax).title == "JAX");
[[nodiscard]] const CodeSystemInfo& Info(CodeSystem system) noexcept;

// The system with exactly this id, or none. Example:
//   assert(FindCodeSystem("onnx") == CodeSystem::kOnnx);
[[nodiscard]] std::optional<CodeSystem> FindCodeSystem(
    std::string_view id) noexcept;

// The line of code of a repair of `request`; empty where the system cannot
// express it, as a larger extent, whose new elements are unknown, and where
// the line would change nothing: a broadcast of an operand to its own shape, or
// operands that the system's own rule combines as they are.
//
// If the repair changes an operand (kInsertAxis, kRemoveAxis, kTranspose,
// kReshape, kChangeSize), the line takes the place of that operand's
// expression and has `repair.shape`. A smaller extent keeps the first elements.
// Otherwise the line is what the operator is given: under a rule with a target
// the whole call, `np.broadcast_to(a, (2, 3))`; else its arguments,
// `a, b[:, None]`, each placed as the repaired request places it, so that the
// system's own rule gives `repair.result`.
//
// Of ONNX the line is the nodes to add, as arguments of make_graph, with
// outputs such as `b_fixed`; or the inputs of the operator's node, `["b",
// "a"]`, where no node is needed. In C++ it declares the extents, and strides
// if needed, of an operand's view, `b_shape`; or it is the call's options.
// OpenVINO IR has no lines.
//
// `expressions` are what the user calls the operands: `x`, `x.mean(axis=1)`;
// none at all, or empty ones, stand for a, b, ... They are copied if they are
// names, calls, subscripts and operators, in brackets where precedence needs
// it; of a name in words ("attention mask") the letters and digits become a
// variable's name, and in Python any other text is a, b, ... again. Where an
// inserted axis is the one that a reduction drops, the reduction keeps it, in
// the words of the library whose function it is.
//
// Errors: kArity (another number of expressions than operands, or a repair of
// an operand that is not there), kAxis (the repair's axes do not lead from the
// operand's shape to the repair's), kUnknown (no such system), those of Align
// for the repaired request, kAllocation. The text lies in `arena`. Example:
//   const Extents x{32, 10};
//   const Extents mean{32};
//   const ShapeView shapes[] = {x, mean};
//   const int64_t repaired[] = {32, 1};
//   const int64_t axes[] = {1};
//   const Repair repair{.kind = RepairKind::kInsertAxis,
//                       .operand = 1,
//                       .shape = repaired,
//                       .axes = axes,
//                       .rule = Rule::kNumpy};
//   const std::string_view names[] = {"x", "x.mean(axis=1)"};
//   const BroadcastRequest request{.operands = shapes};
//   Arena arena;
//   assert(*RepairCode(request, repair, {}, CodeSystem::kNumPy, arena) ==
//          "b[:, None]");
//   assert(*RepairCode(request, repair, names, CodeSystem::kPyTorch, arena) ==
//          "x.mean(axis=1, keepdim=True)");
[[nodiscard]] Result<std::string_view> RepairCode(
    const BroadcastRequest& request, const Repair& repair,
    std::span<const std::string_view> expressions, CodeSystem system,
    Arena& arena) noexcept;

// The elements of an operand, as code gives them.
struct CodeValues {
  enum class Kind : uint8_t {
    kCounting,  // element i is first + i * step, wrapped to an integer type; of
                // bools it is true where floor(i / step) is odd
    kRepeated,  // the one value of the list for all elements
    kListed,    // every element, in row-major order
  };
  Kind kind = Kind::kListed;
  int64_t first = 0;
  int64_t step = 1;  // at least 1
  // kRepeated and kListed: numbers of bools and integers (a u64 by its bits),
  // or of floats. A complex number is two of `reals`, its real and its
  // imaginary part.
  std::span<const int64_t> integers = {};
  std::span<const double> reals = {};
};

struct CodeOperand {
  std::string_view name;  // that the user sees; a variable's name follows
  ShapeView shape;
  DType dtype = DType::kF32;
  CodeValues values = {};
};

// An operator on operands whose shapes fit, all of the types that it computes
// in, under a rule that it takes.
struct CodeQuestion {
  Rule rule = Rule::kNumpy;
  Op op = Op::kAdd;
  std::span<const CodeOperand> operands;
  std::optional<int64_t> axis = std::nullopt;
  std::optional<ShapeView> target_shape = std::nullopt;
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  OpAttributes attributes = {};
};

// A text, or one sentence on why there is none.
struct QuestionText {
  std::string_view text;
  std::string_view reason;
};

// The most values of an operand that are written one by one.
inline constexpr int64_t kMostListed = 1000;

// The question as code for a system: a program, or of OpenVINO IR a layer. The
// result is `out`, or `outs` where every operand has one. A system that does
// not have the operator, a type, or a defined result for these values has a
// reason instead of a text.
//
// Errors: kUnknown (no such system), kExtent (fewer values than elements, or a
// step below 1), kDType (a type that the operator does not take), those of
// CheckOperator, of Align and the alignment's error(), kAllocation. Both texts
// lie in `arena`. Example:
//   const Extents shape{2, 3};
//   const CodeOperand operands[] = {
//       {.name = "A",
//        .shape = shape,
//        .values = {.kind = CodeValues::Kind::kCounting}},
//       {.name = "B",
//        .shape = shape,
//        .values = {.kind = CodeValues::Kind::kCounting, .step = 10}}};
//   Arena arena;
//   const Result<QuestionText> code = QuestionCode(
//       {.operands = operands}, CodeSystem::kNumPy, arena);
//   assert(code->text.ends_with("out = a + b  # shape (2, 3)\n"));
[[nodiscard]] Result<QuestionText> QuestionCode(const CodeQuestion& question,
                                                CodeSystem system,
                                                Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_H_
