#include "error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "sized.h"
#include "vocabulary.h"

namespace broadloom_c {
namespace {

bl_error NoError() {
  return {.size = sizeof(bl_error),
          .error_class = BL_OK,
          .detail = 0,
          .rule = 0,
          .op = 0,
          .operand = BL_ABSENT,
          .other_operand = BL_ABSENT,
          .axis = BL_ABSENT,
          .operand_axis = BL_ABSENT,
          .other_axis = BL_ABSENT,
          .dtype = 0,
          .other_dtype = 0,
          .text_begin = 0,
          .text_end = 0,
          .extent = 0,
          .other_extent = 0,
          .clause = nullptr,
          .argument = nullptr};
}

}  // namespace

static_assert(BL_ABSENT == kAbsent && BL_TARGET == kTargetOperand &&
              BL_RESULT == kOutputOperand);

bl_error ErrorOf(const Error& error) noexcept {
  bl_error out = NoError();
  out.error_class = NumberOf(error.error_class);
  out.detail = NumberOf(error.detail);
  out.rule = NumberOf(error.rule);
  out.op = NumberOf(error.op);
  out.operand = error.operand;
  out.other_operand = error.other_operand;
  out.axis = error.axis;
  out.operand_axis = error.operand_axis;
  out.other_axis = error.other_axis;
  out.dtype = NumberOf(error.dtype);
  out.other_dtype = NumberOf(error.other_dtype);
  out.text_begin = error.text_begin;
  out.text_end = error.text_end;
  out.extent = error.extent;
  out.other_extent = error.other_extent;
  out.clause = NameOf(error.clause);
  return out;
}

std::unexpected<bl_error> Failed(const Fault& fault) noexcept {
  bl_error out = NoError();
  out.error_class = fault.error_class;
  out.detail = fault.detail;
  out.argument = fault.argument;
  out.operand = fault.operand;
  out.extent = fault.value;
  out.other_extent = fault.needed;
  return std::unexpected(out);
}

std::unexpected<bl_error> FailedNull(const char* argument,
                                     int32_t operand) noexcept {
  return Failed(Fault{
      .detail = BL_DETAIL_NULL, .argument = argument, .operand = operand});
}

std::unexpected<bl_error> FailedNumber(const char* argument, int32_t number,
                                       bl_detail detail,
                                       int32_t operand) noexcept {
  return Failed(Fault{.detail = detail,
                      .argument = argument,
                      .operand = operand,
                      .value = number,
                      .error_class = BL_ERROR_UNKNOWN});
}

bool CanReport(const bl_error* out) noexcept {
  return out == nullptr || IsSizeOf<bl_error>(out->size);
}

bl_error_class Report(const CStatus& status, bl_error* out) noexcept {
  if (out != nullptr) {
    const bl_error error = status ? NoError() : status.error();
    // The caller's size stays: the struct may be larger than the library's.
    const size_t size = std::min(out->size, sizeof error);
    constexpr size_t kSkipped = sizeof error.size;
    std::memcpy(reinterpret_cast<char*>(out) + kSkipped,
                reinterpret_cast<const char*>(&error) + kSkipped,
                size - kSkipped);
  }
  return status ? BL_OK : status.error().error_class;
}

}  // namespace broadloom_c
