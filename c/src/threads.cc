#include <cstddef>
#include <expected>
#include <utility>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"
#include "handle.h"

struct bl_threads {
  broadloom::Allocator allocator;
  broadloom::Threads threads;
  bl_parallel_for loop;
};

namespace broadloom_c {
namespace {

CResult<bl_threads*> MakeThreads(size_t count, const bl_allocator* given) {
  const CResult<Allocator> allocator = AllocatorOf(given);
  if (!allocator) return Failed(allocator.error());
  Result<Threads> threads = Threads::Make(count, *allocator);
  if (!threads) return Failed(threads.error());
  // The loop's context is the pool, which stays where it is when it is moved.
  const ParallelFor& loop = threads->parallel_for();
  const bl_parallel_for copy = {loop.context, loop.threads, loop.run};
  return MakeHandle<bl_threads>(*allocator, std::move(*threads), copy);
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

bl_error_class bl_threads_make(size_t threads, const bl_allocator* allocator,
                               bl_threads** pool, bl_error* error) {
  return Give(pool, "pool", error,
              [&] { return MakeThreads(threads, allocator); });
}

void bl_threads_free(bl_threads* pool) { FreeHandle(pool); }

const bl_parallel_for* bl_threads_loop(const bl_threads* pool) {
  return pool == nullptr ? nullptr : &pool->loop;
}

}  // extern "C"
