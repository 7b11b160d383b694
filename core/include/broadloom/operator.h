// What an operator takes: which rules, how many operands and which attributes.
// The element types that it takes are in vocabulary.h.

#ifndef BROADLOOM_OPERATOR_H_
#define BROADLOOM_OPERATOR_H_

#include <cstddef>

#include "broadloom/attributes.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Whether `rule` can match the operands of `op`: elementwise operators take
// none, numpy, onnx_* and, with two operands, pdpd; Broadcast takes the rules
// with a target and those that return each operand (sonnx). Example:
//   assert(Accepts(Op::kAdd, Rule::kPdpd));
//   assert(!Accepts(Op::kWhere, Rule::kPdpd));  // PDPD takes two operands
[[nodiscard]] bool Accepts(Op op, Rule rule) noexcept;

// The rule that an operator follows unless another is given. PRelu:
// onnx_unidirectional; Broadcast: broadcast_numpy (Broadcast-3, mode numpy);
// all others: onnx_multidirectional (ONNX, Broadcasting, the lists of
// operators). Example:
//   assert(DefaultRule(Op::kPRelu) == Rule::kOnnxUnidirectional);
[[nodiscard]] Rule DefaultRule(Op op) noexcept;

// Checks an operator with its rule, number of operands and attributes. Errors:
//   kUnknown    (kOp) there is no such operator
//               (kRule) there is no such rule, or the operator does not take
//               it
//   kArity      the operator takes another number of operands
//   kAttribute  the operator does not take an attribute, or one is missing or
//               has a wrong value
//   kDType      Cast cannot make elements of the type `to`
// Allocates nothing. Example:
//   const Status asked = CheckOperator(Op::kAdd, Rule::kSonnx, 2, {});
//   assert(asked.error().error_class == ErrorClass::kUnknown);
//   assert(asked.error().detail == Detail::kRule);
[[nodiscard]] Status CheckOperator(Op op, Rule rule, size_t operands,
                                   const OpAttributes& attributes) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_OPERATOR_H_
