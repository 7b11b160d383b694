// The kernels that move elements as they are.

#ifndef BROADLOOM_KERNELS_ROWS_MOVE_H_
#define BROADLOOM_KERNELS_ROWS_MOVE_H_

#include <cstddef>

#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// The kernel for elements of 1, 4, 8, 16, 32, 64 or 128 bits; null for other
// widths. Valid for ever.
[[nodiscard]] const Kernel* FindMoveKernel(size_t bits) noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_MOVE_H_
