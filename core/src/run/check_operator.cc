// Checks an operator before a plan is made: CheckOperator of plan.h.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>

#include "broadloom/attributes.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

Status CheckOperator(Op op, Rule rule, size_t operands,
                     const OpAttributes& attributes) noexcept {
  const auto fault = [&](ErrorClass error_class, Detail detail,
                         int64_t extent = 0, int64_t other_extent = 0) {
    return std::unexpected(Error{.error_class = error_class,
                                 .detail = detail,
                                 .rule = rule,
                                 .op = op,
                                 .extent = extent,
                                 .other_extent = other_extent});
  };
  if (!IsKnown(op) || !IsKnown(rule)) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kUnknown,
              .detail = IsKnown(op) ? Detail::kRule : Detail::kOp});
  }
  if (!Accepts(op, rule)) return fault(ErrorClass::kUnknown, Detail::kRule);
  const OpInfo& info = Info(op);
  const bool few = operands < info.least_operands;
  if (few || (info.most_operands != 0 && operands > info.most_operands)) {
    return fault(
        ErrorClass::kArity, Detail::kNoDetail, static_cast<int64_t>(operands),
        static_cast<int64_t>(few ? info.least_operands : info.most_operands));
  }
  if ((attributes.fmod && info.attribute != OpAttribute::kFmod) ||
      (attributes.direction && info.attribute != OpAttribute::kDirection) ||
      ((attributes.to || attributes.saturate) &&
       info.attribute != OpAttribute::kTo)) {
    return fault(ErrorClass::kAttribute, Detail::kUnexpected);
  }
  for (const std::optional<int64_t>& flag :
       {attributes.fmod, attributes.saturate}) {
    if (flag && *flag != 0 && *flag != 1) {
      return fault(ErrorClass::kAttribute, Detail::kOutOfRange, *flag);
    }
  }
  if ((info.attribute == OpAttribute::kDirection && !attributes.direction) ||
      (info.attribute == OpAttribute::kTo && !attributes.to)) {
    return fault(ErrorClass::kAttribute, Detail::kMissing);
  }
  if (attributes.direction && *attributes.direction != ShiftDirection::kLeft &&
      *attributes.direction != ShiftDirection::kRight) {
    return fault(ErrorClass::kAttribute, Detail::kOutOfRange,
                 static_cast<int64_t>(*attributes.direction));
  }
  if (attributes.to && !Accepts(op, 0, *attributes.to)) {
    Error error = fault(ErrorClass::kDType, Detail::kUnsupported).error();
    error.operand = kOutputOperand;
    error.dtype = attributes.to;
    return std::unexpected(error);
  }
  return {};
}

}  // namespace v1
}  // namespace broadloom
