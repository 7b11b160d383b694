#include "code/operators.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/attributes.h"
#include "broadloom/explain/arena.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Conditions of a spelling: the kind of the type that is computed in, or an
// attribute's value.
constexpr uint8_t kIfFloat = 1;
constexpr uint8_t kIfSigned = 2;
constexpr uint8_t kIfFmod = 4;
constexpr uint8_t kIfRight = 8;

struct Choice {
  uint8_t conditions;
  std::string_view text;
};

// Up to three texts: the first whose conditions all hold, else the last.
struct Spelling {
  constexpr Spelling(const char* text) : choices{{0, text}}, count(1) {}
  constexpr Spelling(Choice a, Choice b) : choices{a, b}, count(2) {}
  constexpr Spelling(Choice a, Choice b, Choice c)
      : choices{a, b, c}, count(3) {}

  Choice choices[3] = {};
  size_t count = 0;
};

constexpr const char* kAsNumPy = "=";
constexpr const char* kNoSpelling = "";
constexpr const char* kOwn = "*";  // kComposed

struct OperatorRow {
  Op op;
  Spelling numpy;
  Spelling pytorch;
  Spelling tensorflow;
  Spelling onnx;
  Spelling openvino;
  Spelling layer;
  bool has_steps = false;
};

constexpr OperatorRow kOperators[] = {
    {Op::kAdd, "a + b", kAsNumPy, kAsNumPy, "Add", "add", "Add"},
    {Op::kSub, "a - b", kAsNumPy, kAsNumPy, "Sub", "subtract", "Subtract"},
    {Op::kMul, "a * b", kAsNumPy, kAsNumPy, "Mul", "multiply", "Multiply"},
    // Integers are divided toward zero; // alone rounds down.
    {Op::kDiv,
     {{kIfFloat, "a / b"},
      {kIfSigned, "(a - np.fmod(a, b)) // b"},
      {0, "a // b"}},
     {{kIfFloat, "a / b"}, {0, "torch.div(a, b, rounding_mode=\"trunc\")"}},
     {{kIfFloat, "a / b"}, {0, "tf.truncatediv(a, b)"}},
     "Div",
     {{kIfSigned, "*"}, {0, "divide"}},
     "Divide"},
    // truncatemod takes few integer types.
    {Op::kMod,
     {{kIfFmod, "np.fmod(a, b)"}, {0, "a % b"}},
     kAsNumPy,
     {{kIfFmod | kIfFloat, "tf.truncatemod(a, b)"},
      {kIfFmod, "a - tf.truncatediv(a, b) * b"},
      {0, "a % b"}},
     "Mod",
     {{kIfFmod, "mod"}, {0, "floor_mod"}},
     {{kIfFmod, "Mod"}, {0, "FloorMod"}}},
    {Op::kPow, "a ** b", kAsNumPy, kAsNumPy, "Pow", "power", "Power"},
    // By a multiplication, as in the core: a power of 2 may round differently.
    {Op::kSquaredDifference, "np.square(a - b)", kAsNumPy, kAsNumPy, kOwn,
     "squared_difference", "SquaredDifference", true},
    {Op::kMax, "np.maximum(a, b)", kAsNumPy, kAsNumPy, "Max", "maximum",
     "Maximum"},
    {Op::kMin, "np.minimum(a, b)", kAsNumPy, kAsNumPy, "Min", "minimum",
     "Minimum"},
    {Op::kSum, "a + b", kAsNumPy, kAsNumPy, "Sum", "add", "Add", true},
    {Op::kMean, kOwn, kOwn, kOwn, kOwn, kOwn, kNoSpelling, true},
    {Op::kEqual, "a == b", kAsNumPy, kAsNumPy, "Equal", "equal", "Equal"},
    {Op::kNotEqual, "a != b", kAsNumPy, kAsNumPy, kOwn, "not_equal",
     "NotEqual"},
    {Op::kLess, "a < b", kAsNumPy, kAsNumPy, "Less", "less", "Less"},
    {Op::kLessOrEqual, "a <= b", kAsNumPy, kAsNumPy, "LessOrEqual",
     "less_equal", "LessEqual"},
    {Op::kGreater, "a > b", kAsNumPy, kAsNumPy, "Greater", "greater",
     "Greater"},
    {Op::kGreaterOrEqual, "a >= b", kAsNumPy, kAsNumPy, "GreaterOrEqual",
     "greater_equal", "GreaterEqual"},
    {Op::kAnd, "np.logical_and(a, b)", kAsNumPy, kAsNumPy, "And", "logical_and",
     "LogicalAnd"},
    {Op::kOr, "np.logical_or(a, b)", kAsNumPy, kAsNumPy, "Or", "logical_or",
     "LogicalOr"},
    {Op::kXor, "np.logical_xor(a, b)", kAsNumPy, "tf.math.logical_xor(a, b)",
     "Xor", "logical_xor", "LogicalXor"},
    {Op::kBitwiseAnd, "a & b", kAsNumPy, "tf.bitwise.bitwise_and(a, b)",
     "BitwiseAnd", "bitwise_and", "opset13::BitwiseAnd"},
    {Op::kBitwiseOr, "a | b", kAsNumPy, "tf.bitwise.bitwise_or(a, b)",
     "BitwiseOr", "bitwise_or", "opset13::BitwiseOr"},
    {Op::kBitwiseXor, "a ^ b", kAsNumPy, "tf.bitwise.bitwise_xor(a, b)",
     "BitwiseXor", "bitwise_xor", "opset13::BitwiseXor"},
    {Op::kBitShift,
     {{kIfRight, "a >> b"}, {0, "a << b"}},
     kAsNumPy,
     {{kIfRight, "tf.bitwise.right_shift(a, b)"},
      {0, "tf.bitwise.left_shift(a, b)"}},
     "BitShift",
     {{kIfRight, "bitwise_right_shift"}, {0, "bitwise_left_shift"}},
     {{kIfRight, "opset15::BitwiseRightShift"},
      {0, "opset15::BitwiseLeftShift"}}},
    {Op::kPRelu, "np.where(a < 0, a * b, a)", kAsNumPy, kAsNumPy, kOwn, kOwn,
     kNoSpelling},
    {Op::kWhere, "np.where(a, b, c)", kAsNumPy, kAsNumPy, "Where", "select",
     "Select"},
    {Op::kCast, kOwn, kOwn, kOwn, "Cast", kOwn, "Convert"},
    {Op::kBroadcast, kOwn, kOwn, kOwn, kOwn, kOwn, "opset3::Broadcast"},
};

const OperatorRow* RowOf(Op op) {
  for (const OperatorRow& row : kOperators) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

}  // namespace

std::string_view SpellingOf(Op op, DType dtype, const OpAttributes& attributes,
                            OperatorColumn column) {
  const OperatorRow* const row = RowOf(op);
  if (row == nullptr) return {};
  const Spelling* const spellings[] = {&row->numpy,      &row->pytorch,
                                       &row->tensorflow, &row->onnx,
                                       &row->openvino,   &row->layer};
  const Spelling* spelling = spellings[static_cast<size_t>(column)];
  if (spelling->choices[0].text == kAsNumPy) spelling = &row->numpy;
  uint8_t holds = 0;
  if (IsFloat(dtype)) holds |= kIfFloat;
  if (IsSigned(dtype)) holds |= kIfSigned;
  if (attributes.fmod == 1) holds |= kIfFmod;
  if (attributes.direction == ShiftDirection::kRight) holds |= kIfRight;
  for (size_t i = 0; i + 1 < spelling->count; ++i) {
    const Choice& choice = spelling->choices[i];
    if ((choice.conditions & holds) == choice.conditions) return choice.text;
  }
  return spelling->choices[spelling->count - 1].text;
}

LayerType LayerNamed(std::string_view name) {
  const size_t mark = name.find("::");
  if (mark == std::string_view::npos) return {name, "opset1"};
  return {name.substr(mark + 2), name.substr(0, mark)};
}

std::span<const LayerMeaning> LayerMeanings(Arena& arena) {
  List<LayerMeaning> meanings(arena);
  for (const OperatorRow& row : kOperators) {
    for (size_t i = 0; i < row.layer.count; ++i) {
      const auto [conditions, text] = row.layer.choices[i];
      const std::string_view type = LayerNamed(text).type;
      const auto is_same = [type](const LayerMeaning& one) {
        return one.type == type;
      };
      if (type.empty() || std::ranges::any_of(meanings.view(), is_same)) {
        continue;
      }
      LayerMeaning meaning{.type = type, .op = row.op, .attributes = {}};
      if ((conditions & kIfFmod) != 0) meaning.attributes.fmod = 1;
      if (row.op == Op::kBitShift) {
        meaning.attributes.direction = (conditions & kIfRight) != 0
                                           ? ShiftDirection::kRight
                                           : ShiftDirection::kLeft;
      }
      meanings.Push(meaning);
    }
  }
  return meanings.view();
}

bool HasSteps(Op op) {
  const OperatorRow* const row = RowOf(op);
  return row != nullptr && row->has_steps;
}

}  // namespace v1
}  // namespace broadloom
