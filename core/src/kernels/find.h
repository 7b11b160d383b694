// Finds kernels by operator and element types.

#ifndef BROADLOOM_KERNELS_FIND_H_
#define BROADLOOM_KERNELS_FIND_H_

#include <span>

#include "broadloom/attributes.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// The kernel for an operator on operands of these types, or null if there is
// none. The caller has checked that the operator accepts the types and that
// they agree. For Pow, dtypes[1] is the type of the exponent; for Where,
// dtypes[0] is bool and the others agree; for other operators only dtypes[0]
// matters. The pointer is valid for ever.
[[nodiscard]] const Kernel* FindKernel(Op op, std::span<const DType> dtypes,
                                       const OpAttributes& attributes) noexcept;

// The SIMD target whose kernels FindKernel returns now.
[[nodiscard]] const char* TargetName() noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_FIND_H_
