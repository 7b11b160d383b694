// Errors of calls that are given a plan.

#ifndef BROADLOOM_RUN_PLAN_ERROR_H_
#define BROADLOOM_RUN_PLAN_ERROR_H_

#include <cstdint>

#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

// An error that names the plan's rule and operator, and an operand (or
// kOutputOperand, or kAbsent). The caller adds the other fields.
[[nodiscard]] Error PlanError(const Plan& plan, ErrorClass error_class,
                              int32_t operand);

// Whether the plan was made. Errors: kArity (kOtherCount).
[[nodiscard]] Status CheckMade(const Plan& plan);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RUN_PLAN_ERROR_H_
