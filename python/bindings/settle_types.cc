#include "settle_types.h"

#include <algorithm>
#include <string>

namespace broadloom_python {

namespace {

bool Follows(Op op, size_t operand) {
  return TypeLeader(op, operand).has_value();
}

// `dtype` if the operator takes it, else the most usual type that it takes.
DType Accepted(Op op, size_t operand, DType dtype) {
  for (const DType type : {dtype, DType::kI64, DType::kF64, DType::kBool}) {
    if (Accepts(op, operand, type, true)) return type;
  }
  return dtype;
}

std::optional<DType> Common(std::optional<Op> op,
                            std::span<const Promoted> operands) {
  std::vector<DType> dtypes;
  WeakKind weak = WeakKind::kNone;
  for (const Promoted& it : operands) {
    if (it.weak == WeakKind::kNone) {
      dtypes.push_back(it.dtype);
    } else {
      weak = std::max(weak, it.weak);
    }
  }
  if (op) return ResultDType(*op, dtypes, weak);
  return ResultDType(dtypes, weak);
}

// Throws the error for the first two operands without a common type. `numbers`
// are the numbers that the operands have in the call.
[[noreturn]] void RaiseMixed(std::optional<Op> op,
                             std::span<const Promoted> operands,
                             std::span<const size_t> numbers) {
  Error error{
      .error_class = ErrorClass::kDType, .detail = Detail::kMixed, .op = op};
  for (size_t i = 1; i < operands.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const Promoted pair[] = {operands[i], operands[k]};
      if (Common(std::nullopt, pair)) continue;
      error.operand = static_cast<int32_t>(numbers[i]);
      error.other_operand = static_cast<int32_t>(numbers[k]);
      error.dtype = operands[i].dtype;
      error.other_dtype = operands[k].dtype;
      Raise(error, OperandName(error.operand) + " of type " +
                       std::string(Info(operands[i].dtype).name) + " and " +
                       OperandName(error.other_operand) + " of type " +
                       std::string(Info(operands[k].dtype).name) +
                       " have no common type: convert one of them.");
    }
  }
  Raise(error, "The operands have no common type: convert some of them.");
}

// The type of values if no operand that must have the same type has one. If an
// operand that may have another type has one, as Pow's exponent, they are
// promoted with it.
DType TypeWithoutLeader(Op op, std::span<const Operand> operands) {
  size_t first = 0;
  while (!Follows(op, first)) ++first;
  WeakKind weak = WeakKind::kNone;
  DType own = DType::kBool;
  const Operand* other = nullptr;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].weak() != WeakKind::kNone) {
      weak = std::max(weak, operands[i].weak());
    } else if (other == nullptr && IsPromoted(op, i)) {
      other = &operands[i];
    }
    if (!Follows(op, i)) continue;
    // The rows of the types are in the order of their kinds here.
    for (const DType type : {DType::kI64, DType::kU64, DType::kF64}) {
      if (operands[i].dtype() == type) own = std::max(own, type);
    }
  }
  if (other != nullptr && Accepts(op, first, other->dtype(), true)) {
    const DType dtypes[] = {other->dtype()};
    if (const auto common = ResultDType(dtypes, weak)) return *common;
  }
  return Accepted(op, first, own);
}

}  // namespace

DType CommonType(std::span<const Promoted> operands) {
  if (operands.empty()) {
    Raise({.error_class = ErrorClass::kArity, .extent = 0, .other_extent = 1},
          "Give at least one element type or array.");
  }
  if (const auto common = Common(std::nullopt, operands)) return *common;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < operands.size(); ++i) numbers.push_back(i);
  RaiseMixed(std::nullopt, operands, numbers);
}

std::vector<std::optional<DType>> PromotedTypes(
    Op op, std::span<const Promoted> operands) {
  std::vector<Promoted> taking;
  std::vector<size_t> numbers;
  std::vector<std::optional<DType>> types(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!IsPromoted(op, i)) continue;
    taking.push_back(operands[i]);
    numbers.push_back(i);
  }
  if (taking.empty()) return types;  // logical operators
  const auto common = Common(op, taking);
  if (!common) RaiseMixed(op, taking, numbers);
  for (const size_t i : numbers) types[i] = *common;
  return types;
}

void SettleTypes(Op op, std::span<Operand> operands, bool promote) {
  if (promote) {
    std::vector<Promoted> promoted;
    for (const Operand& operand : operands) {
      // A list counts as an array of its type, as in NumPy.
      promoted.push_back({operand.dtype(), operand.is_scalar()
                                               ? operand.weak()
                                               : WeakKind::kNone});
    }
    const auto types = PromotedTypes(op, promoted);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!types[i]) continue;
      const auto number = static_cast<int32_t>(i);
      if (operands[i].is_scalar()) operands[i].Settle(*types[i], number);
      operands[i].Convert(*types[i], number);
    }
  }
  bool has_values = false;
  const Operand* leader = nullptr;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].weak() != WeakKind::kNone) {
      has_values = true;
    } else if (leader == nullptr && Follows(op, i)) {
      leader = &operands[i];
    }
  }
  if (!has_values) return;
  const DType common =
      leader != nullptr ? leader->dtype() : TypeWithoutLeader(op, operands);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].weak() == WeakKind::kNone) continue;
    operands[i].Settle(
        Follows(op, i) ? common : Accepted(op, i, operands[i].dtype()),
        static_cast<int32_t>(i));
  }
}

}  // namespace broadloom_python
