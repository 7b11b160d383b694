// UTF-8.

#ifndef BROADLOOM_EXPLAIN_BASE_UTF8_H_
#define BROADLOOM_EXPLAIN_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace broadloom {
inline namespace v1 {

// The bytes of the character that begins `text`, which is not empty; 0 where it
// is none (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
size_t CharacterBytes(std::string_view text);

bool IsUtf8(std::string_view text);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_UTF8_H_
