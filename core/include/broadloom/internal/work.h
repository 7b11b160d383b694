// The work that a kernel does: the loops of a result, and how they are cut into
// runs.

#ifndef BROADLOOM_INTERNAL_WORK_H_
#define BROADLOOM_INTERNAL_WORK_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "broadloom/memory.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

struct Work {
  LoopNest nest;
  Schedule schedule;

  // Makes the loops as LoopNest::Reset does and cuts them as Schedule::Reset
  // does. Returns false if memory cannot be allocated.
  template <class StrideOf>
  [[nodiscard]] bool Reset(ShapeView extents, StrideOf stride_of,
                           std::span<const uint8_t> operand_bits,
                           uint8_t result_bits, RunUse use,
                           const Allocator& allocator) noexcept {
    return nest.Reset(extents, operand_bits.size(), stride_of, allocator) &&
           schedule.Reset(nest, operand_bits, result_bits, use, allocator);
  }
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_INTERNAL_WORK_H_
