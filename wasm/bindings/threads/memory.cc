// The allocator of a memory that threads share: the page's thread allocates
// while the leader may. The heap (heap.cc) does not lock.

#include <atomic>
#include <cstddef>

namespace {

std::atomic<bool> is_taken = false;

// Held for less than a microsecond. The page's thread may not sleep, so that it
// spins.
class Lock {
 public:
  Lock() {
    while (is_taken.exchange(true)) {
    }
  }
  ~Lock() { is_taken = false; }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

}  // namespace

// The linker renames the heap's functions to __real_..., and all calls of
// them to __wrap_... .
extern "C" {

void* __real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void* memory);

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  const Lock lock;
  return __real_aligned_alloc(alignment, bytes);
}

void __wrap_free(void* memory) {
  const Lock lock;
  __real_free(memory);
}

}  // extern "C"
