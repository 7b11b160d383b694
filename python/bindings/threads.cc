#include "threads.h"

#include <utility>

#include "arguments.h"
#include "errors.h"

namespace broadloom_python {

namespace {

// Never destroyed: at the end of the process a daemon thread of Python may
// still compute.
std::shared_ptr<const Threads>& Current() {
  static auto* const threads = new std::shared_ptr<const Threads>();
  return *threads;
}

size_t Count() {
  const auto& threads = Current();
  return threads == nullptr ? 1 : threads->parallel_for().threads;
}

}  // namespace

ThreadsInUse::ThreadsInUse() : threads_(Current()) {}

void AddThreads(nb::module_& module) {
  AddPositional<1, 1>(
      module, "set_threads",
      [](std::span<PyObject* const> values) {
        const Error error{.error_class = ErrorClass::kLimit,
                          .detail = Detail::kThreads};
        const int64_t threads = ReadInteger(values[0], error, "threads");
        if (threads < 0) {
          Raise(error,
                "threads is the number of threads, or 0 for as many as the "
                "machine runs at once, not " +
                    std::to_string(threads) + ".");
        }
        if (threads == 1) {
          Current().reset();
        } else {
          Current() = std::make_shared<const Threads>(
              Expect(Threads::Make(static_cast<size_t>(threads))));
        }
        return nb::int_(Count());
      },
      "set_threads(threads, /)\n--\n\n"
      "Shares the work of each call among so many threads from now on, 0: as "
      "many as the machine runs at once.\nReturns the number that the system "
      "grants. At first there is one, as in NumPy.");
  AddPositional<0, 0>(
      module, "get_threads",
      [](std::span<PyObject* const>) { return nb::int_(Count()); },
      "get_threads()\n--\n\nThe number of threads that share a call.");
}

}  // namespace broadloom_python
