// Finds the kernel of an operator and its element types, for the SIMD target of
// this machine.

#include "kernels/find.h"

#include <cstdint>
#include <span>

#include "base/built.h"
#include "hwy/targets.h"
#include "kernels/ops/families.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

const Kernel* FindKernel(Op op, std::span<const DType> dtypes,
                         const OpAttributes& attributes) noexcept {
  if (dtypes.empty()) return nullptr;
  const DType dtype = dtypes[0];
  if (op == Op::kBroadcast) return FindMove(dtype);
  if (!IsBuilt(op)) return nullptr;
  for (const DType one : dtypes) {
    if (!IsBuilt(one)) return nullptr;
  }
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kSquaredDifference:
      return FindArithmetic(op, dtype);
    case Op::kDiv:
    case Op::kMod:
      return FindDivision(op, dtype, attributes.fmod == 1);
    case Op::kPow:
      return dtypes.size() < 2 ? nullptr : FindPower(dtype, dtypes[1]);
    case Op::kMax:
    case Op::kMin:
      return FindExtremum(op, dtype);
    case Op::kSum:
    case Op::kMean:
      return FindSum(op, dtype);
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
      return FindComparison(op, dtype);
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kBitwiseAnd:
    case Op::kBitwiseOr:
    case Op::kBitwiseXor:
      return FindLogic(op, dtype, ShiftDirection::kLeft);
    case Op::kBitShift:
      return attributes.direction.has_value()
                 ? FindLogic(op, dtype, *attributes.direction)
                 : nullptr;
    case Op::kPRelu:
      return FindSelection(op, dtype);
    case Op::kWhere:
      return dtypes.size() < 2 ? nullptr : FindSelection(op, dtypes[1]);
    case Op::kCast:
      return attributes.to.has_value() && IsBuilt(*attributes.to)
                 ? FindCast(dtype, *attributes.to, attributes.saturate == 1)
                 : nullptr;
    case Op::kBroadcast:
      break;
  }
  return nullptr;
}

const char* TargetName() noexcept {
  // The best target is the lowest bit.
  const int64_t targets = HWY_SUPPORTED_TARGETS & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
