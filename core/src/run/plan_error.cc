#include "run/plan_error.h"

#include <cstdint>
#include <expected>

#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

Error PlanError(const Plan& plan, ErrorClass error_class, int32_t operand) {
  return Error{.error_class = error_class,
               .rule = plan.rule(),
               .op = plan.op(),
               .operand = operand};
}

Status CheckMade(const Plan& plan) {
  if (plan.kernel() != nullptr) return {};
  Error error = PlanError(plan, ErrorClass::kArity, kOutputOperand);
  error.detail = Detail::kOtherCount;
  return std::unexpected(error);
}

}  // namespace v1
}  // namespace broadloom
