// Whether a result is right, element by element, by the oracles of the tests,
// which share nothing with the library. Only then is it timed.

#ifndef BROADLOOM_TESTS_BENCH_CHECK_H_
#define BROADLOOM_TESTS_BENCH_CHECK_H_

#include <optional>
#include <string>

#include "case.h"

namespace bench {

// The first element that differs: "[0,5] is 2.5, not 3.5"; none when all are
// right.
std::optional<std::string> FirstDifference(const Case& it);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_CHECK_H_
