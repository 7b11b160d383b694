#include "base/share.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "broadloom/limits.h"
#include "broadloom/parallel.h"

namespace broadloom {
inline namespace v1 {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
// Fuzzing uses a smaller limit, so that its small tensors are shared, too.
constexpr uint64_t kLeastBytesATask = 64;
#else
constexpr uint64_t kLeastBytesATask = kLeastBytesAThread;
#endif

}  // namespace

size_t TasksFor(double bytes, const ParallelFor* parallel) {
  if (parallel == nullptr || parallel->run == nullptr ||
      parallel->threads < 2) {
    return 1;
  }
  const double most = bytes / static_cast<double>(kLeastBytesATask);
  if (most < 2) return 1;
  return static_cast<size_t>(
      std::min(most, static_cast<double>(parallel->threads * kTasksAThread)));
}

}  // namespace v1
}  // namespace broadloom
