// Checks one tensor against the type and shape that a plan has for it. Runs of
// plans and of sums use the same checks.

#ifndef BROADLOOM_RUN_CHECK_TENSOR_H_
#define BROADLOOM_RUN_CHECK_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/footprint.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

// Which tensor is checked, in a call of which rule and operator. Errors name
// them.
struct TensorRole {
  std::optional<Rule> rule;
  std::optional<Op> op;  // none for a sum
  int32_t operand;       // kOutputOperand for a result
};

[[nodiscard]] inline bool SameShape(ShapeView a, ShapeView b) {
  if (a.size() != b.size()) return false;
  for (size_t axis = 0; axis < a.size(); ++axis) {
    if (a[axis] != b[axis]) return false;
  }
  return true;
}

// Errors: kDType.
[[nodiscard]] Status CheckType(DType given, DType wanted,
                               const TensorRole& role);

// Errors: kIncompatible, with the ranks if they differ, otherwise with the
// first axis whose extents differ.
[[nodiscard]] Status CheckShape(ShapeView given, ShapeView wanted,
                                const TensorRole& role);

// Checks the view's strides and finds its elements. `dense_bytes` are the bytes
// of a dense tensor of its shape and type. Errors: kIncompatible (kStrides),
// kLength.
[[nodiscard]] Status CheckMemory(const TensorView& view, uint64_t dense_bytes,
                                 const TensorRole& role, Elements& elements);

// The same for a result, none of whose elements may be written twice. Errors:
// those of CheckMemory, kOverlap (kStrides), kAllocation.
[[nodiscard]] Status CheckResultMemory(const MutableTensorView& view,
                                       uint64_t dense_bytes,
                                       const TensorRole& role,
                                       const Allocator& allocator);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RUN_CHECK_TENSOR_H_
