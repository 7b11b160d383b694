// The kernels of all families, by operator and element types.

#ifndef BROADLOOM_KERNELS_FIND_H_
#define BROADLOOM_KERNELS_FIND_H_

#include <span>

#include "broadloom/attributes.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// The kernel for an operator on operands of these types (checked by the
// caller: Accepts says yes and types agree), or null when there is none. The
// pointer is valid for ever. For Pow dtypes[1] is the exponent's type; for
// Where the first is bool and the others agree; for the rest only dtypes[0]
// matters.
[[nodiscard]] const Kernel* FindKernel(Op op, std::span<const DType> dtypes,
                                       const OpAttributes& attributes) noexcept;

// The target that FindKernel chooses from now.
[[nodiscard]] const char* TargetName() noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_FIND_H_
