// Checks a result element by element with the oracles of the tests, which share
// no code with the library. Only correct results are timed.

#ifndef BROADLOOM_TESTS_BENCH_CHECK_H_
#define BROADLOOM_TESTS_BENCH_CHECK_H_

#include <optional>
#include <string>

#include "case.h"

namespace bench {

// A description of the first element that differs: "[0,5] is 2.5, not 3.5";
// none if all are right.
std::optional<std::string> FirstDifference(const Case& it);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_CHECK_H_
