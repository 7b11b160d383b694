// Boxes of a plan's result, one range of indices for each axis, and the regions
// of the operands that feed them.

#ifndef BROADLOOM_RUN_BOX_H_
#define BROADLOOM_RUN_BOX_H_

#include <cstddef>
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

// Whether a box of a result, which lies in it, has no elements.
[[nodiscard]] bool IsEmpty(std::span<const IndexRange> box);

// Writes to `region`, which has a range for each axis of the operand, which of
// its elements feed a box that lies in the result: InputRegions of regions.h.
// `empty`: the box has no elements.
void FindInputRegion(const Plan& plan, std::span<const IndexRange> box,
                     bool empty, size_t operand, std::span<IndexRange> region);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RUN_BOX_H_
