// The names of the core's operators in each system.

#ifndef BROADLOOM_EXPLAIN_CODE_OPERATORS_H_
#define BROADLOOM_EXPLAIN_CODE_OPERATORS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/attributes.h"
#include "broadloom/explain/arena.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

enum class OperatorColumn : uint8_t {
  kNumPy,       // an expression of a, b, c; `np` is the library's module
  kPyTorch,     // likewise
  kTensorFlow,  // likewise
  kOnnx,        // the type of the node
  kOpenVino,    // the function of OpenVINO's opset in Python
  kLayer,       // the type of the layer in OpenVINO's IR: opset13::BitwiseAnd
};

// The system's writer composes the operator of several.
inline constexpr std::string_view kComposed = "*";

// How the system of that column says an operator that computes in `dtype`;
// kComposed, or empty where it has no such operator.
std::string_view SpellingOf(Op op, DType dtype, const OpAttributes& attributes,
                            OperatorColumn column);

// A type of layer in OpenVINO's IR, and the opset that has it.
struct LayerType {
  std::string_view type;
  std::string_view version;
};

// The parts of a name of the column kLayer; of opset1 unless it says another.
LayerType LayerNamed(std::string_view name);

// What a type of layer computes: an operator, and the attribute that the type
// stands for.
struct LayerMeaning {
  std::string_view type;
  Op op;
  OpAttributes attributes;
};

// Every type of layer that stands for an operator. Of two operators with one
// layer, as Add and Sum, it is the first.
std::span<const LayerMeaning> LayerMeanings(Arena& arena);

// Whether the operator rounds at several steps: f16 and bf16 are computed in
// f32, and rounded once.
bool HasSteps(Op op);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_OPERATORS_H_
