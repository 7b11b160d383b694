// The record behind bl_text: a text of any length that the library made.

#ifndef BROADLOOM_C_OWNED_TEXT_H_
#define BROADLOOM_C_OWNED_TEXT_H_

#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"

struct bl_text {
  broadloom::Allocator allocator;
  // The text, then a zero.
  broadloom::InlineArray<char, 64> chars;
};

namespace broadloom_c {

// A copy of `text`. Errors: BL_ERROR_ALLOCATION.
[[nodiscard]] CResult<bl_text*> MakeText(std::string_view text,
                                         const Allocator& allocator) noexcept;

}  // namespace broadloom_c

#endif  // BROADLOOM_C_OWNED_TEXT_H_
