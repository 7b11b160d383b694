// What all those share that compute a part of a plan's result.

#ifndef BROADLOOM_RUN_REGION_H_
#define BROADLOOM_RUN_REGION_H_

#include <cstdint>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

// An error that names the plan's rule and operator.
[[nodiscard]] Error PlanFault(const Plan& plan, ErrorClass error_class,
                              int32_t operand);

// Whether `box` lies in the plan's result. Errors: kExtent with kSize when it
// has another rank, with kOutOfRange when it lies outside.
[[nodiscard]] Status CheckBox(const Plan& plan,
                              std::span<const IndexRange> box);

// Packed types leave bits over in the last byte: they are 0 in every result,
// so that equal results have equal bytes. `last` is that byte of a result of so
// many elements.
void ClearSpareBits(DType dtype, int64_t elements, void* last);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RUN_REGION_H_
