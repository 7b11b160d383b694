#include "owned_text.h"

#include <algorithm>
#include <cstddef>
#include <expected>
#include <string_view>
#include <utility>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "handle.h"

namespace broadloom_c {

CResult<bl_text*> MakeText(std::string_view text,
                           const Allocator& allocator) noexcept {
  InlineArray<char, 64> chars;
  if (!chars.ResetForOverwrite(text.size() + 1, allocator)) {
    return Failed(Error{.error_class = ErrorClass::kAllocation});
  }
  std::ranges::copy(text, chars.begin());
  chars[text.size()] = '\0';
  return MakeHandle<bl_text>(allocator, std::move(chars));
}

}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

const char* bl_text_chars(const bl_text* text) {
  return text == nullptr ? nullptr : text->chars.data();
}

size_t bl_text_length(const bl_text* text) {
  return text == nullptr ? 0 : text->chars.size() - 1;
}

void bl_text_free(bl_text* text) { FreeHandle(text); }

}  // extern "C"
