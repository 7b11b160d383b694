// Handles: records of the library behind the opaque types of the C interface,
// each in memory of the allocator that it was made with.

#ifndef BROADLOOM_C_HANDLE_H_
#define BROADLOOM_C_HANDLE_H_

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"

namespace broadloom_c {

inline constexpr size_t kHandleAlignment = 64;

// The library's allocator for the caller's; the system's heap for null. Errors:
// BL_DETAIL_NULL for a function that is null.
[[nodiscard]] CResult<Allocator> AllocatorOf(
    const bl_allocator* allocator) noexcept;

template <class Handle>
inline constexpr size_t kHandleBytes = (sizeof(Handle) + kHandleAlignment - 1) /
                                       kHandleAlignment * kHandleAlignment;

// A handle, whose first field is the allocator. Errors: BL_ERROR_ALLOCATION.
template <class Handle, class... Fields>
[[nodiscard]] CResult<Handle*> MakeHandle(const Allocator& allocator,
                                          Fields&&... fields) noexcept {
  static_assert(alignof(Handle) <= kHandleAlignment);
  void* const memory = allocator.allocate(
      allocator.context, kHandleBytes<Handle>, kHandleAlignment);
  if (memory == nullptr) {
    return Failed(Error{.error_class = ErrorClass::kAllocation});
  }
  return new (memory) Handle{allocator, std::forward<Fields>(fields)...};
}

// Frees a handle; nothing for null.
template <class Handle>
void FreeHandle(Handle* handle) noexcept {
  if (handle == nullptr) return;
  const Allocator allocator = handle->allocator;
  std::destroy_at(handle);
  allocator.deallocate(allocator.context, handle, kHandleBytes<Handle>,
                       kHandleAlignment);
}

}  // namespace broadloom_c

#endif  // BROADLOOM_C_HANDLE_H_
