#include "broadloom/operator.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>

#include "broadloom/attributes.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Whether there is a number of operands that both rule and operator take.
bool CommonCount(const RuleTraits& traits, const OpInfo& info) {
  return (traits.most_operands == 0 ||
          info.least_operands <= traits.most_operands) &&
         (info.most_operands == 0 ||
          info.most_operands >= traits.least_operands);
}

// Whether a rule only repeats operands into a shape, and combines none.
// Broadcast takes these rules, all other operators take the others.
bool GivesShapes(const RuleTraits& traits) {
  return traits.takes_target || traits.returns_each;
}

}  // namespace

bool Accepts(Op op, Rule rule) noexcept {
  if (!IsKnown(op) || !IsKnown(rule)) return false;
  const RuleTraits& traits = Traits(rule);
  const OpInfo& info = Info(op);
  return GivesShapes(traits) == GivesShapes(Traits(info.default_rule)) &&
         CommonCount(traits, info);
}

Rule DefaultRule(Op op) noexcept { return Info(op).default_rule; }

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
