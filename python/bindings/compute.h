// Computes: runs plans and sums with the interpreter released, on the module's
// threads.

#ifndef BROADLOOM_PYTHON_COMPUTE_H_
#define BROADLOOM_PYTHON_COMPUTE_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "broadloom/broadloom.h"
#include "numpy_api.h"
#include "threads.h"

namespace broadloom_python {

// Less work than this is done before another thread of Python would have
// started: about the time of releasing the interpreter and taking it back.
inline constexpr uint64_t kReleasedBytes = 32 << 10;

// Calls compute(parallel) for work on so many bytes. While it runs, other
// threads of Python may run, unless the work is small.
template <class Compute>
Status Released(uint64_t bytes, Compute compute) {
  if (bytes < kReleasedBytes) return compute(nullptr);
  const ThreadsInUse threads;
  const nb::gil_scoped_release released;
  return compute(threads.parallel());
}

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_COMPUTE_H_
