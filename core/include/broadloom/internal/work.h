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

  // Whether the results of a run lie apart, so that they are scattered.
  [[nodiscard]] bool ScattersResult() const noexcept {
    return nest.has_result() &&
           schedule.operand(nest.operand_count() - 1).form == RunForm::kTile;
  }

  // Makes the loops as LoopNest::Reset does and cuts them as Schedule::Reset
  // does. If the nest has a result, the last of `operand_bits` are its bits.
  // Returns false if memory cannot be allocated.
  template <class StrideOf>
  [[nodiscard]] bool Reset(ShapeView extents, StrideOf stride_of,
                           std::span<const uint8_t> operand_bits,
                           uint8_t result_bits, KernelRuns runs,
                           const Allocator& allocator,
                           bool has_result = false) noexcept {
    return nest.Reset(extents, operand_bits.size(), stride_of, allocator,
                      has_result) &&
           schedule.Reset(nest, operand_bits, result_bits, runs, allocator);
  }
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_INTERNAL_WORK_H_
