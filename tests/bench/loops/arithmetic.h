// The arithmetic of one operator on operands in the first-level cache, to be
// timed and checked.

#ifndef BROADLOOM_TESTS_BENCH_LOOPS_ARITHMETIC_H_
#define BROADLOOM_TESTS_BENCH_LOOPS_ARITHMETIC_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "broadloom/plan.h"
#include "broadloom/vocabulary.h"
#include "loops/computation.h"
#include "loops/loop.h"
#include "memory.h"

namespace bench {

class Arithmetic {
 public:
  // Null if there is no loop.
  static std::unique_ptr<Arithmetic> Of(
      broadloom::Op op, std::span<const broadloom::DType> types,
      const broadloom::OpAttributes& attributes);

  // How many elements one run computes.
  size_t elements() const { return elements_; }
  const Memory& result() const { return output_; }
  void Run() const;
  // Runs, then describes the first element that differs from the reference.
  // `spoil`: the number of a byte of the result that is changed before, to test
  // this.
  std::optional<std::string> FirstDifference(std::optional<size_t> spoil) const;

 private:
  Computation of_;
  broadloom::OpAttributes attributes_;
  Loop loop_ = nullptr;
  size_t elements_ = 0;
  std::vector<Memory> inputs_;
  Memory output_;
};

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_LOOPS_ARITHMETIC_H_
