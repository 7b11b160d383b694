// Times alignment, planning and a small run.

#ifndef BROADLOOM_TESTS_BENCH_PLANS_H_
#define BROADLOOM_TESTS_BENCH_PLANS_H_

#include <string>

#include "fields.h"

namespace bench {

// plans rounds=R -> times of each step.
std::string MeasurePlans(const Fields& fields);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_PLANS_H_
