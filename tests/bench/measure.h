// Timing. Everything that is compared is timed in turn, round by round, so that
// disturbances affect all of it equally. The times of all rounds are printed,
// and scripts/bench computes medians and intervals.

#ifndef BROADLOOM_TESTS_BENCH_MEASURE_H_
#define BROADLOOM_TESTS_BENCH_MEASURE_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// A sink that compilers cannot optimise away.
inline void Keep(const void* data) { asm volatile("" ::"r"(data) : "memory"); }

// A function that is timed.
class Timed {
 public:
  // `calls`: how many calls a time is that of, which may be a fraction.
  Timed(std::string name, double least_ns, std::function<void()> work,
        double calls = 1)
      : name_(std::move(name)), work_(std::move(work)), calls_(calls) {
    work_();
    for (;; count_ *= 2) {
      const double ns = Time(count_);
      if (ns * kTries < least_ns) continue;
      one_ns_ = ns / static_cast<double>(count_);
      return;
    }
  }

  const std::string& name() const { return name_; }
  const std::vector<double>& times() const { return times_; }
  void Clear() { times_.clear(); }

  // One round: nanoseconds of one call (or `calls`), averaged over as many
  // calls as fill the round. A call before it is not timed, because it finds
  // the caches filled by other work. The best of some tries counts, since only
  // other programs make one try slower than another. Long calls are made once:
  // their data does not fit in the caches, and they are interrupted anyway.
  void Round() {
    constexpr double kLong = 100e6;
    const bool is_long = one_ns_ >= kLong;
    if (!is_long) work_();
    double best = Time(count_);
    for (int left = is_long ? 0 : kTries - 1; left > 0; --left) {
      best = std::min(best, Time(count_));
    }
    times_.push_back(best * calls_ / static_cast<double>(count_));
  }

 private:
  static constexpr int kTries = 3;

  double Time(size_t count) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    for (size_t i = 0; i < count; ++i) work_();
    return std::chrono::duration<double, std::nano>(Clock::now() - begin)
        .count();
  }

  std::string name_;
  std::function<void()> work_;
  double calls_;
  size_t count_ = 1;
  double one_ns_ = 0;
  std::vector<double> times_;
};

// `rounds` rounds of all, in turn: {"work":[...],"limit":[...]}
std::string TimeInTurn(std::vector<Timed>& all, size_t rounds);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_MEASURE_H_
