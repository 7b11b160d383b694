// Structs of the caller that begin with their size, and may be of an older or a
// newer version of the header than the library's.

#ifndef BROADLOOM_C_SIZED_H_
#define BROADLOOM_C_SIZED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "broadloom/c.h"
#include "error.h"

namespace broadloom_c {

// The size of the struct's first version. A field that is added must not change
// it.
template <class Struct>
inline constexpr size_t kLeastSize = 0;
template <>
inline constexpr size_t kLeastSize<bl_error> =
    offsetof(bl_error, argument) + sizeof(const char*);
template <>
inline constexpr size_t kLeastSize<bl_request> =
    offsetof(bl_request, allocator) + sizeof(void*);
template <>
inline constexpr size_t kLeastSize<bl_explain_options> =
    offsetof(bl_explain_options, link_base) + sizeof(const char*);
template <>
inline constexpr size_t kLeastSize<bl_run_options> =
    offsetof(bl_run_options, allocator) + sizeof(void*);
template <>
inline constexpr size_t kLeastSize<bl_sum_request> =
    offsetof(bl_sum_request, allocator) + sizeof(void*);

// A larger struct is taken for uninitialised memory.
inline constexpr size_t kMostSize = 4096;

// Whether a version of the struct may have this size.
template <class Struct>
[[nodiscard]] constexpr bool IsSizeOf(size_t size) noexcept {
  static_assert(kLeastSize<Struct> != 0);
  return size >= kLeastSize<Struct> && size <= kMostSize;
}

// The caller's struct as the library's; what the caller's lacks is zero. `name`
// and `size_name` are those of the argument and of its field. Errors:
// BL_DETAIL_NULL, BL_DETAIL_STRUCT_SIZE, BL_DETAIL_NEWER.
template <class Struct>
[[nodiscard]] CResult<Struct> ReadSized(const Struct* given, const char* name,
                                        const char* size_name) noexcept {
  if (given == nullptr) return FailedNull(name);
  const size_t size = given->size;
  if (!IsSizeOf<Struct>(size)) {
    return Failed(Fault{.detail = BL_DETAIL_STRUCT_SIZE,
                        .argument = size_name,
                        .value = BitsOfUnsigned(size),
                        .needed = kLeastSize<Struct>});
  }
  const char* const bytes = reinterpret_cast<const char*>(given);
  const auto is_zero = [](char byte) { return byte == 0; };
  if (size > sizeof(Struct) &&
      !std::all_of(bytes + sizeof(Struct), bytes + size, is_zero)) {
    return Failed(Fault{.detail = BL_DETAIL_NEWER, .argument = name});
  }
  Struct copy = {};
  std::memcpy(&copy, bytes, std::min(size, sizeof(Struct)));
  return copy;
}

// The same for options, which may be null: all zero then.
template <class Struct>
[[nodiscard]] CResult<Struct> ReadOptions(const Struct* given, const char* name,
                                          const char* size_name) noexcept {
  if (given == nullptr) return Struct{};
  return ReadSized(given, name, size_name);
}

}  // namespace broadloom_c

#endif  // BROADLOOM_C_SIZED_H_
