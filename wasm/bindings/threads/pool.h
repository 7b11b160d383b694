// The threads that compute a task together: workers, each with an instance of
// this module on the same memory.

#ifndef BROADLOOM_WASM_THREADS_POOL_H_
#define BROADLOOM_WASM_THREADS_POOL_H_

#include "broadloom/broadloom.h"

// How plans.cc runs plans in this module.
#define BROADLOOM_RUN_OPTIONS {.parallel = Pool()}

namespace broadloom_wasm {

using namespace broadloom;

// The loop of the threads, while one of them leads. Null otherwise: the caller
// is the page's thread, which may not wait.
const ParallelFor* Pool();

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_THREADS_POOL_H_
