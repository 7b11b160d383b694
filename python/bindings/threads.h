// The threads that calls share: one, unless the program asks for more.

#ifndef BROADLOOM_PYTHON_THREADS_H_
#define BROADLOOM_PYTHON_THREADS_H_

#include <cstddef>
#include <memory>

#include "broadloom/broadloom.h"
#include "broadloom/threads.h"
#include "numpy_api.h"

namespace broadloom_python {

using namespace broadloom;

// The threads that were set when it was made. They stay until it is destroyed,
// though set_threads may set others meanwhile. Make and destroy it with the
// interpreter held.
class ThreadsInUse {
 public:
  ThreadsInUse();

  const ParallelFor* parallel() const {
    return threads_ == nullptr ? nullptr : &threads_->parallel_for();
  }

 private:
  std::shared_ptr<const Threads> threads_;
};

// Adds set_threads and get_threads.
void AddThreads(nb::module_& module);

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_THREADS_H_
