// The cost of cached and streaming stores, with and without reading the result
// soon: the measurement on which a library can base its choice.

#ifndef BROADLOOM_TESTS_BENCH_STORES_H_
#define BROADLOOM_TESTS_BENCH_STORES_H_

#include <string>

#include "fields.h"

namespace bench {

// stores bytes=N rounds=R -> times of each way, one call writing N bytes.
std::string MeasureStores(const Fields& fields);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_STORES_H_
