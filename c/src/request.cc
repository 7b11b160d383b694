#include "request.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "arguments.h"
#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "handle.h"
#include "sized.h"
#include "vocabulary.h"

namespace broadloom_c {
namespace {

std::unexpected<bl_error> Refused() {
  return Failed(Error{.error_class = ErrorClass::kAllocation});
}

}  // namespace

CResult<std::optional<DType>> ReadType(bl_dtype dtype,
                                       const char* name) noexcept {
  const std::optional<DType> value = DTypeOf(dtype);
  if (!value && dtype != 0) return FailedNumber(name, dtype, BL_DETAIL_DTYPE);
  return value;
}

CStatus Request::Read(const bl_request* request, Use use,
                      size_t input_count) noexcept {
  const CResult<bl_request> given =
      ReadSized(request, "request", "request->size");
  if (!given) return Failed(given.error());
  const CResult<Allocator> allocator = AllocatorOf(given->allocator);
  if (!allocator) return Failed(allocator.error());
  allocator_ = *allocator;

  CStatus status = ReadRule(*given, use);
  if (status) status = ReadShapes(*given, use);
  if (status && use == Use::kPlan) status = ReadTypes(*given);
  if (status) status = ReadOptionsOfRule(*given);
  if (status) {
    status =
        ReadNames(*given, use == Use::kApply ? input_count : shapes_.size());
  }
  if (status) status = ReadAttributes(*given);
  return status;
}

CStatus Request::ReadRule(const bl_request& given, Use use) noexcept {
  op_ = OpOf(given.op);
  if (!op_ && (given.op != 0 || use != Use::kShapes)) {
    return FailedNumber("request->op", given.op, BL_DETAIL_OP);
  }
  std::optional<Rule> rule = RuleOf(given.rule);
  if (!rule && given.rule == 0 && op_) rule = DefaultRule(*op_);
  if (!rule) return FailedNumber("request->rule", given.rule, BL_DETAIL_RULE);
  broadcast_.rule = *rule;
  return {};
}

CStatus Request::ReadShapes(const bl_request& given, Use use) noexcept {
  if (use == Use::kApply) return {};
  const CResult<std::span<const bl_shape>> shapes =
      ReadArray(given.shapes, given.operand_count, "request->shapes",
                "request->operand_count");
  if (!shapes) return Failed(shapes.error());
  if (!shapes_.ResetForOverwrite(shapes->size(), allocator_)) return Refused();
  for (size_t i = 0; i < shapes->size(); ++i) {
    const CResult<ShapeView> shape =
        ReadList((*shapes)[i], "request->shapes[].values",
                 "request->shapes[].count", static_cast<int32_t>(i));
    if (!shape) return Failed(shape.error());
    shapes_[i] = *shape;
  }
  broadcast_.operands = shapes_.view();
  return {};
}

CStatus Request::ReadTypes(const bl_request& given) noexcept {
  const CResult<std::span<const bl_dtype>> dtypes =
      ReadArray(given.dtypes, given.operand_count, "request->dtypes",
                "request->operand_count");
  if (!dtypes) return Failed(dtypes.error());
  if (!dtypes_.ResetForOverwrite(dtypes->size(), allocator_)) return Refused();
  for (size_t i = 0; i < dtypes->size(); ++i) {
    const std::optional<DType> dtype = DTypeOf((*dtypes)[i]);
    if (!dtype) {
      return FailedNumber("request->dtypes[]", (*dtypes)[i], BL_DETAIL_DTYPE,
                          static_cast<int32_t>(i));
    }
    dtypes_[i] = *dtype;
  }
  return {};
}

CStatus Request::ReadOptionsOfRule(const bl_request& given) noexcept {
  if (given.axis != nullptr) broadcast_.axis = *given.axis;
  if (given.target_shape != nullptr) {
    const CResult<ShapeView> target =
        ReadList(*given.target_shape, "request->target_shape->values",
                 "request->target_shape->count");
    if (!target) return Failed(target.error());
    broadcast_.target_shape = *target;
  }
  if (given.axes_mapping != nullptr) {
    const CResult<ShapeView> mapping =
        ReadList(*given.axes_mapping, "request->axes_mapping->values",
                 "request->axes_mapping->count");
    if (!mapping) return Failed(mapping.error());
    broadcast_.axes_mapping = *mapping;
  }
  const CResult<std::optional<DType>> dtype =
      ReadType(given.result_dtype, "request->result_dtype");
  if (!dtype) return Failed(dtype.error());
  broadcast_.dtype = *dtype;

  constexpr uint32_t kKnown =
      BL_REFUSE_INSERTS | BL_REFUSE_STRETCHES | BL_REFUSE_OTHER_NAMES;
  if ((given.refused & ~kKnown) != 0) {
    return Failed(Fault{.detail = BL_DETAIL_FLAGS,
                        .argument = "request->refused",
                        .value = given.refused & ~kKnown});
  }
  broadcast_.policy = {
      .inserts = (given.refused & BL_REFUSE_INSERTS) == 0,
      .stretches = (given.refused & BL_REFUSE_STRETCHES) == 0,
      .same_names = (given.refused & BL_REFUSE_OTHER_NAMES) != 0};
  return {};
}

CStatus Request::ReadNames(const bl_request& given, size_t operands) noexcept {
  if (given.axis_names == nullptr) return {};
  size_t count = 0;
  for (size_t i = 0; i < operands; ++i) {
    const bl_names& names = given.axis_names[i];
    const CResult<std::span<const char* const>> read =
        ReadArray(names.names, names.count, "request->axis_names[].names",
                  "request->axis_names[].count", static_cast<int32_t>(i));
    if (!read) return Failed(read.error());
    count += read->size();
  }
  if (!names_.ResetForOverwrite(count, allocator_) ||
      !names_of_.ResetForOverwrite(operands, allocator_)) {
    return Refused();
  }
  size_t next = 0;
  for (size_t i = 0; i < operands; ++i) {
    const bl_names& names = given.axis_names[i];
    const size_t begin = next;
    for (size_t k = 0; k < names.count; ++k) {
      const char* const name = names.names[k];
      names_[next++] = name == nullptr ? std::string_view() : name;
    }
    names_of_[i] = std::as_const(names_).view().subspan(begin, names.count);
  }
  broadcast_.axis_names = names_of_.view();
  return {};
}

CStatus Request::ReadAttributes(const bl_request& given) noexcept {
  if (given.fmod != nullptr) attributes_.fmod = *given.fmod;
  if (given.saturate != nullptr) attributes_.saturate = *given.saturate;
  switch (given.direction) {
    case 0:
      break;
    case BL_DIRECTION_LEFT:
      attributes_.direction = ShiftDirection::kLeft;
      break;
    case BL_DIRECTION_RIGHT:
      attributes_.direction = ShiftDirection::kRight;
      break;
    default:
      return FailedNumber("request->direction", given.direction,
                          BL_DETAIL_DIRECTION);
  }
  const CResult<std::optional<DType>> to = ReadType(given.to, "request->to");
  if (!to) return Failed(to.error());
  attributes_.to = *to;
  return {};
}

ApplyOptions Request::apply() const noexcept {
  return {.rule = broadcast_.rule,
          .axis = broadcast_.axis,
          .target_shape = broadcast_.target_shape,
          .axes_mapping = broadcast_.axes_mapping,
          .policy = broadcast_.policy,
          .axis_names = broadcast_.axis_names,
          .attributes = attributes_};
}

}  // namespace broadloom_c
