// The drivers of drive.cc, as each target has them: they cut blocks into rows
// for the loops of a kernel.

#if defined(BROADLOOM_KERNELS_ROWS_DRIVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_DRIVE_INL_H_
#undef BROADLOOM_KERNELS_ROWS_DRIVE_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_DRIVE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/highway.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Whether the loops of operators take whole blocks of vectors alone, and the
// driver sees to the end of a row: where all code is loaded before any runs.
inline constexpr bool kLoopsTakeBlocks = HWY_ARCH_WASM;
// Whether they can shuffle an operand by themselves, which takes two more.
inline constexpr bool kLoopsShuffle = !kLoopsTakeBlocks;

// --- drive.cc: Kernel::run_task of the kernels of row.h --------------------
void RunElementwise(const Kernel& self, const Task& task);
void RunThrough(const Kernel& self, const Task& task);
void RunFold(const Kernel& self, const Task& task);
void RunMove(const Kernel& self, const Task& task);
// For kernels of one operand, which goes through all of `steps`.
void RunSteps(std::span<const RowStep> steps, const Task& task);
// As RunElementwise, for Where on elements of 4 bits and 1 bit, and of 16
// bytes, by a loop for bytes, and for 8 bytes.
void RunPackedWhere(const Kernel& self, const Task& task);
void RunWideWhere(const Kernel& self, const Task& task);

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_DRIVE_INL_H_
