#include "loops/computation.h"

#include <algorithm>
#include <optional>
#include <span>

namespace bench {

using broadloom::DType;
using broadloom::Op;

std::optional<Computation> ComputationOf(
    Op op, std::span<const DType> types,
    const broadloom::OpAttributes& attributes) {
  if (types.empty() || types.size() > kMostLoopOperands) return std::nullopt;
  if (op == Op::kCast && attributes.saturate == 1) return std::nullopt;
  Computation of{.op = op, .operands = types.size()};
  std::ranges::copy(types, of.types);
  of.to = attributes.to.value_or(types[0]);
  of.fmod = attributes.fmod == 1;
  of.left = attributes.direction == broadloom::ShiftDirection::kLeft;
  return of;
}

DType ResultType(const Computation& of) {
  switch (of.op) {
    case Op::kWhere:
      return of.types[1];
    case Op::kCast:
      return of.to;
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
      return DType::kBool;
    default:
      return of.types[0];
  }
}

}  // namespace bench
