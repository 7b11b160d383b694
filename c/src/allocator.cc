#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "handle.h"

namespace broadloom_c {

CResult<Allocator> AllocatorOf(const bl_allocator* allocator) noexcept {
  if (allocator == nullptr) return DefaultAllocator();
  if (allocator->allocate == nullptr) return FailedNull("allocator->allocate");
  if (allocator->deallocate == nullptr) {
    return FailedNull("allocator->deallocate");
  }
  return Allocator{allocator->allocate, allocator->deallocate,
                   allocator->context};
}

}  // namespace broadloom_c
