// The families of operators, one .cc file each: how find.cc finds their
// kernels. All functions return null for operators and types that the family
// does not have.

#ifndef BROADLOOM_KERNELS_OPS_FAMILIES_H_
#define BROADLOOM_KERNELS_OPS_FAMILIES_H_

#include "base/built.h"
#include "broadloom/attributes.h"
#include "broadloom/vocabulary.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

const Kernel* FindArithmetic(Op op, DType dtype) noexcept;
const Kernel* FindDivision(Op op, DType dtype, bool fmod) noexcept;
const Kernel* FindPower(DType base, DType exponent) noexcept;
const Kernel* FindExtremum(Op op, DType dtype) noexcept;
const Kernel* FindSum(Op op, DType dtype) noexcept;
const Kernel* FindComparison(Op op, DType dtype) noexcept;
const Kernel* FindLogic(Op op, DType dtype, ShiftDirection direction) noexcept;
const Kernel* FindSelection(Op op, DType dtype) noexcept;
const Kernel* FindMove(DType dtype) noexcept;
const Kernel* FindCast(DType from, DType to, bool saturates) noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_OPS_FAMILIES_H_
