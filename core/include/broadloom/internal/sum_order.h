// The order in which the elements of a sum are added: which element is added
// to which accumulator, and in which order accumulators are merged. It depends
// on the loops and on the element type alone. So the sums are the same bits for
// any number of threads, for any memory that the input is brought to, and on
// every SIMD target.
//
// A column is an accumulator, to which terms are added one after the other. A
// group is a set of columns whose terms lie side by side in the input: a row of
// elements. Kept loops (axes of the output) that are not columns count groups;
// summed loops that are not columns count terms, the innermost of them rows:
//
//   input to output                rows    groups   columns of a group
//   (8,64,56,56) to (64,1,1)     8 x 98        64                   32
//   (768,768,3) to (3)            18432         1                   96
//   (9,1000,70) to (9,1,70)        1000         9                   70
//   (524288,5) to (524288,1)          5    524288                    1
//
// A group of few columns would leave most of a vector empty. If there are terms
// enough, inner summed loops become columns, too: whole loops (the loop of 3 of
// (100,2,3) to (2,1)), or some steps of a long loop with all loops inside it
// (32 of the 3136 and of the 589824 steps in the first two lines). Such columns
// are folded into the outputs of the group when all terms have been added.
//
// If there are too few outputs to be shared among threads, the longest loop of
// terms is split as well: each stretch of it gives partial sums, which are
// merged in order.

#ifndef BROADLOOM_INTERNAL_SUM_ORDER_H_
#define BROADLOOM_INTERNAL_SUM_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/internal/nest.h"
#include "broadloom/memory.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

class SumOrder {
 public:
  // Elements are counted as the kernels see them: a complex number is two.
  struct Loop {
    int64_t extent;
    int64_t stride;  // elements of the input from one step to the next
    bool summed;
  };

  // No order has more loops: each has at least two steps, and their product is
  // an int64_t. A complex type adds one loop, of two steps.
  static constexpr size_t kMostLoops = 64;
  // The accumulators of a folded group, without low parts, take at most so many
  // bytes, so that they stay in the first-level cache.
  static constexpr int64_t kGroupBytes = 8192;
  // All partial sums together, folded and without low parts, take at most so
  // many bytes, which a sum in memory has on the stack.
  static constexpr int64_t kPartialSumBytes = 4096;
  // The accumulators of all partial sums together, with low parts, take at most
  // so many bytes, which a stream keeps in its memory.
  static constexpr int64_t kPartialAccumulatorBytes = 65536;
  // Fewer columns are not worth being added to by themselves.
  static constexpr int64_t kLeastColumns = 64;
  // Fewer rows are not worth the beginning and the end of a loop over them.
  static constexpr int64_t kFewRows = 8;

  // Not defaulted, for the reason given at Plan().
  SumOrder() noexcept {}

  // Makes the order for a nest of two operands: the input (0), and the output
  // (1), whose strides are dense, and 0 in summed loops. No loop is empty and
  // at least one is summed. Returns false if memory is refused (none is
  // allocated up to rank 8), for any other nest, for 64 loops or more, and for
  // a type that is not summed. Complexity: the square of the number of loops.
  [[nodiscard]] bool Reset(const LoopNest& nest, DType dtype,
                           const Allocator& allocator) noexcept;
  // Makes this a copy of `other`. False when memory is refused.
  [[nodiscard]] bool CopyFrom(const SumOrder& other,
                              const Allocator& allocator) noexcept;

  // As they lie in the input, innermost first. Of a dense input, kept and
  // summed loops alternate.
  [[nodiscard]] std::span<const Loop> loops() const noexcept {
    return loops_.view();
  }
  // Elements from where the nest begins to where these loops begin: 0, unless
  // summed loops are walked backwards in the nest.
  [[nodiscard]] int64_t first() const noexcept { return counts_.first; }
  // Elements of the input. Saturates.
  [[nodiscard]] int64_t elements() const noexcept { return counts_.elements; }

  // Of a group.
  [[nodiscard]] int64_t columns() const noexcept { return counts_.columns; }
  [[nodiscard]] int64_t groups() const noexcept { return counts_.groups; }
  // Outputs of a group: as many as columns, unless these are folded.
  [[nodiscard]] int64_t outputs() const noexcept { return counts_.outputs; }
  // Whether the steps of a loop are columns. Other loops count groups if they
  // are kept and terms if they are summed.
  [[nodiscard]] bool IsColumns(size_t loop) const noexcept {
    return folds() ? loop < counts_.folded_loops : loop == counts_.column_loop;
  }
  // Whether a group's rows are so short that those of several groups are
  // concatenated before they are added.
  [[nodiscard]] bool concatenates() const noexcept {
    return counts_.concatenates;
  }

  // Whether columns are folded. Then the columns are the steps of the innermost
  // folded_loops(), which have step_elements() elements together, times
  // steps_per_row() steps of the loop of rows, which is the next one.
  [[nodiscard]] bool folds() const noexcept {
    return counts_.folded_loops > 0 || counts_.steps_per_row > 1;
  }
  [[nodiscard]] size_t folded_loops() const noexcept {
    return counts_.folded_loops;
  }
  [[nodiscard]] int64_t step_elements() const noexcept {
    return counts_.step_elements;
  }
  [[nodiscard]] int64_t steps_per_row() const noexcept {
    return counts_.steps_per_row;
  }
  // Steps of any loop that are added together: 1, except for the loop of rows.
  [[nodiscard]] int64_t StepsTogether(size_t loop) const noexcept {
    return loop == counts_.folded_loops ? counts_.steps_per_row : 1;
  }

  // How many partial sums there are of each output.
  [[nodiscard]] int64_t partials() const noexcept { return counts_.partials; }
  // The loop of terms whose steps are split among them.
  [[nodiscard]] size_t partials_loop() const noexcept {
    return counts_.partials_loop;
  }
  // The step of that loop at which a partial sum begins; for partials(), the
  // step at which the last one ends.
  [[nodiscard]] int64_t PartialBegin(int64_t partial) const noexcept;

 private:
  struct Widths;  // bytes

  static constexpr size_t kNone = static_cast<size_t>(-1);

  // Everything but the loops; see the functions of these names.
  struct Counts {
    int64_t first = 0;
    int64_t elements = 1;
    // The kept loop whose steps are columns, where columns are not folded.
    size_t column_loop = kNone;
    int64_t columns = 1;
    int64_t groups = 1;
    int64_t outputs = 1;
    bool concatenates = false;
    size_t folded_loops = 0;
    int64_t step_elements = 1;
    int64_t steps_per_row = 1;
    int64_t partials = 1;
    size_t partials_loop = 0;
  };

  [[nodiscard]] bool TakeLoops(const LoopNest& nest, bool complex,
                               const Allocator& allocator) noexcept;
  void MakeColumns(const Widths& widths) noexcept;
  [[nodiscard]] bool FoldInnerLoops(const Widths& widths) noexcept;
  void MakePartials(const Widths& widths) noexcept;

  InlineArray<Loop, kInlineRank + 1> loops_;
  Counts counts_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_INTERNAL_SUM_ORDER_H_
