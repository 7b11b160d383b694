// Runs a function on each SIMD target that the library was built for and this
// machine has, and afterwards selects the best one again. For tests only.

#ifndef BROADLOOM_TESTS_REFERENCE_EACH_TARGET_H_
#define BROADLOOM_TESTS_REFERENCE_EACH_TARGET_H_

#include <cstdint>
#include <string>

#include "hwy/highway.h"
#include "hwy/targets.h"

namespace reference {

// Makes the library use only `target`; 0: the best one.
inline void UseTarget(int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
}

// Calls run(name) for each target.
template <class Run>
void ForEachTarget(Run run) {
  struct Restore {
    ~Restore() { UseTarget(0); }
  } restore;
  UseTarget(0);
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  for (int64_t left = targets; left != 0; left &= left - 1) {
    const int64_t target = left & -left;
    UseTarget(target);
    run(std::string(hwy::TargetName(target)));
  }
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_EACH_TARGET_H_
