// The numbers of the C interface for the values of the core's enums, both ways.
// The numbers never change; those of the core's enums do when a row is
// inserted.

#ifndef BROADLOOM_C_VOCABULARY_H_
#define BROADLOOM_C_VOCABULARY_H_

#include <optional>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"

namespace broadloom_c {

using namespace broadloom;

// The number of a value; 0 for a value that the enum does not have.
[[nodiscard]] bl_dtype NumberOf(DType dtype) noexcept;
[[nodiscard]] bl_op NumberOf(Op op) noexcept;
[[nodiscard]] bl_rule NumberOf(Rule rule) noexcept;
[[nodiscard]] bl_error_class NumberOf(ErrorClass error_class) noexcept;
[[nodiscard]] bl_detail NumberOf(Detail detail) noexcept;
[[nodiscard]] bl_relation NumberOf(Relation relation) noexcept;

// The number of a value, or 0 for none.
template <class Enum>
[[nodiscard]] int32_t NumberOf(const std::optional<Enum>& value) noexcept {
  return value ? NumberOf(*value) : 0;
}

// The value of a number, or none.
[[nodiscard]] std::optional<DType> DTypeOf(bl_dtype number) noexcept;
[[nodiscard]] std::optional<Op> OpOf(bl_op number) noexcept;
[[nodiscard]] std::optional<Rule> RuleOf(bl_rule number) noexcept;
[[nodiscard]] std::optional<ErrorClass> ErrorClassOf(
    bl_error_class number) noexcept;
[[nodiscard]] std::optional<Detail> DetailOf(bl_detail number) noexcept;

// The clause of a name; kNoClause for a name that is none and for null.
[[nodiscard]] Clause ClauseOf(const char* name) noexcept;

// The name of a clause, which ends with a zero; null for kNoClause.
[[nodiscard]] const char* NameOf(Clause clause) noexcept;

}  // namespace broadloom_c

#endif  // BROADLOOM_C_VOCABULARY_H_
