#include "loops/loop.h"

namespace bench {

Loop FindLoop(const Computation& of) {
  for (const auto find :
       {FindIntegerLoop, FindDivisionLoop, FindFloatLoop, FindHalfLoop,
        FindRemainderLoop, FindComparisonLoop, FindSelectionLoop, FindCastLoop,
        FindIntegerPowerLoop, FindPowerLoop}) {
    if (const Loop loop = find(of)) return loop;
  }
  return nullptr;
}

}  // namespace bench
