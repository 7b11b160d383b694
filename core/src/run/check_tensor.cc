#include "run/check_tensor.h"

#include <cstddef>
#include <cstdint>
#include <expected>

#include "base/footprint.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

Status CheckType(DType given, DType wanted, const TensorRole& role) {
  if (given == wanted) return {};
  const bool output = role.operand == kOutputOperand;
  return std::unexpected(
      Error{.error_class = ErrorClass::kDType,
            .detail = output ? Detail::kOutput : Detail::kMixed,
            .rule = role.rule,
            .op = role.op,
            .operand = role.operand,
            .dtype = given,
            .other_dtype = wanted});
}

Status CheckShape(ShapeView given, ShapeView wanted, const TensorRole& role) {
  if (SameShape(given, wanted)) return {};
  const bool output = role.operand == kOutputOperand;
  Error error{.error_class = ErrorClass::kIncompatible,
              .detail = output ? Detail::kOutput : Detail::kSize,
              .rule = role.rule,
              .op = role.op,
              .operand = role.operand,
              .extent = static_cast<int64_t>(given.size()),
              .other_extent = static_cast<int64_t>(wanted.size())};
  if (given.size() == wanted.size()) {
    size_t axis = 0;
    while (given[axis] == wanted[axis]) ++axis;
    error.operand_axis = static_cast<int32_t>(axis);
    error.extent = given[axis];
    error.other_extent = wanted[axis];
  }
  return std::unexpected(error);
}

namespace {

Status WithRole(Status checked, const TensorRole& role) {
  if (checked) return checked;
  checked.error().rule = role.rule;
  checked.error().op = role.op;
  checked.error().operand = role.operand;
  return checked;
}

}  // namespace

Status CheckMemory(const TensorView& view, uint64_t dense_bytes,
                   const TensorRole& role, Elements& elements) {
  Status checked = CheckStrides(view);
  if (checked) checked = FindElements(view, dense_bytes, elements);
  return WithRole(checked, role);
}

Status CheckResultMemory(const MutableTensorView& view, uint64_t dense_bytes,
                         const TensorRole& role, const Allocator& allocator) {
  Elements elements;
  Status checked = CheckMemory(view, dense_bytes, role, elements);
  if (!checked) return checked;
  return WithRole(CheckWrittenOnce(view, allocator), role);
}

}  // namespace v1
}  // namespace broadloom
