#include "faster_writes.h"

#include <algorithm>
#include <span>

#include "limit.h"
#include "measure.h"
#include "memory.h"

namespace bench {

Writes FasterWrites(std::span<const Memory> inputs, const Memory& output) {
  constexpr double kLeastNs = 200'000;
  constexpr int kRounds = 3;
  const auto timed = [&](Writes writes) {
    return Timed("", kLeastNs, [=, &output] {
      MoveStreams(inputs, output, writes, 0, 1);
      Keep(output.data());
    });
  };
  Timed plain = timed(Writes::kPlain), prefetched = timed(Writes::kPrefetched);
  for (int round = 0; round < kRounds; ++round) {
    plain.Round();
    prefetched.Round();
  }
  const auto least = [](const Timed& all) {
    return *std::ranges::min_element(all.times());
  };
  return least(prefetched) < least(plain) ? Writes::kPrefetched
                                          : Writes::kPlain;
}

}  // namespace bench
