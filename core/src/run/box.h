// Boxes of a plan's result: one range of indices for each axis.

#ifndef BROADLOOM_RUN_BOX_H_
#define BROADLOOM_RUN_BOX_H_

#include <span>

#include "broadloom/alignment.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"

namespace broadloom {
inline namespace v1 {

// Whether `box` lies in the plan's result. Errors: kExtent, with kSize when the
// box has another number of axes, with kOutOfRange when a range is reversed or
// goes beyond the result.
[[nodiscard]] Status CheckBox(const Plan& plan,
                              std::span<const IndexRange> box);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RUN_BOX_H_
