// The functions that run a task, one for each kind of kernel (Kernel::run_task
// in task.h), as each SIMD target has them.

#if defined(BROADLOOM_KERNELS_ROWS_RUN_TASK_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_RUN_TASK_INL_H_
#undef BROADLOOM_KERNELS_ROWS_RUN_TASK_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_RUN_TASK_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As the schedule has it.
constexpr LoopBytes LoopBytesOf(const RowLoop& loop) {
  return {LeastRowBytes(loop), hn::MaxLanes(ByteTag())};
}

// Of an ElementwiseKernel (elementwise.cc).
void RunElementwise(const Kernel& self, const Task& task);
constexpr ElementwiseKernel ElementwiseOf(const RowLoop& loop,
                                          bool swapped = false) {
  return {
      {&RunElementwise, kMostLoopOperands, LoopBytesOf(loop)}, loop, swapped};
}
// Of a ConvertingKernel (converting.cc).
void RunConverting(const Kernel& self, const Task& task);
// Of a FoldKernel (fold.cc).
void RunFold(const Kernel& self, const Task& task);

// For kernels of one operand: out = the last of `steps`(... the first(a)).
// (converting.cc)
void RunSteps(std::span<const RowStep> steps, const Task& task);
// out = the operand's elements of `bits` bits, 8 or more. (move.cc)
void MoveElements(const Task& task, size_t bits);

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_RUN_TASK_INL_H_
