// A bl_request as the C++ library has it.

#ifndef BROADLOOM_C_REQUEST_H_
#define BROADLOOM_C_REQUEST_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"

namespace broadloom_c {

// Points into the caller's memory. Not movable: it points into itself.
class Request {
 public:
  Request() noexcept = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  // What the call needs.
  enum class Use {
    kShapes,  // a rule and shapes
    kPlan,    // an operator, shapes and types
    kApply,   // an operator; shapes and types are not read
  };

  // Errors: those of ReadSized, AllocatorOf and ReadArray; BL_ERROR_UNKNOWN for
  // a number that is none of its enumeration; BL_DETAIL_FLAGS;
  // BL_ERROR_ALLOCATION. `input_count`: the number of operands of kApply.
  [[nodiscard]] CStatus Read(const bl_request* request, Use use,
                             size_t input_count = 0) noexcept;

  [[nodiscard]] const std::optional<Op>& op() const noexcept { return op_; }
  [[nodiscard]] const BroadcastRequest& broadcast() const noexcept {
    return broadcast_;
  }
  [[nodiscard]] std::span<const DType> dtypes() const noexcept {
    return dtypes_.view();
  }
  // For calls that make a plan.
  [[nodiscard]] ApplyOptions apply() const noexcept;
  [[nodiscard]] const Allocator& allocator() const noexcept {
    return allocator_;
  }

 private:
  [[nodiscard]] CStatus ReadRule(const bl_request& given, Use use) noexcept;
  [[nodiscard]] CStatus ReadShapes(const bl_request& given, Use use) noexcept;
  [[nodiscard]] CStatus ReadTypes(const bl_request& given) noexcept;
  [[nodiscard]] CStatus ReadOptionsOfRule(const bl_request& given) noexcept;
  [[nodiscard]] CStatus ReadNames(const bl_request& given,
                                  size_t operands) noexcept;
  [[nodiscard]] CStatus ReadAttributes(const bl_request& given) noexcept;

  Allocator allocator_ = DefaultAllocator();
  std::optional<Op> op_;
  BroadcastRequest broadcast_;
  OpAttributes attributes_;
  InlineArray<ShapeView, kInlineOperands> shapes_;
  InlineArray<DType, kInlineOperands> dtypes_;
  InlineArray<std::string_view, kInlineRank> names_;
  InlineArray<std::span<const std::string_view>, kInlineOperands> names_of_;
};

// A type that may be missing (0). Errors: BL_ERROR_UNKNOWN.
[[nodiscard]] CResult<std::optional<DType>> ReadType(bl_dtype dtype,
                                                     const char* name) noexcept;

}  // namespace broadloom_c

#endif  // BROADLOOM_C_REQUEST_H_
