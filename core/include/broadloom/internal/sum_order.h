// The order in which sums are added up: what is added to what. It is a function
// of loops and type alone, so that any number of threads, and whoever brings
// the input piece by piece, give the same bits.
//
// Columns are elements side by side that are added each to an accumulator of
// its own; a block is one row of them. Blocks belong to what is kept around
// the columns, terms to what is summed, of which the innermost are rows:
//
//   (8,64,56,56) to (64,1,1):   8 x 98 rows | 64 blocks | 32 columns
//   (768,768,3) to (3):         18432 rows |  1 block  | 96 columns
//   (9,1000,70) to (9,1,70):     1000 rows |  9 blocks | 70 columns
//   (524288,5) to (524288,1):       5 rows | 524288 blocks | 1 column
//
// What is summed innermost may be taken for columns, too, and be folded at the
// very end, if there is enough to add up before that: whole loops (of (100,2,3)
// to (2,1) it is the 3) or, of a loop that is long, a piece with all loops
// inside (above, 32 of the 3136 and of the 589824).
//
// So each output is the sum of other sums, each in the order of the input's
// memory. Where outputs are too few to go around among threads the longest loop
// of terms is split as well, and the parts are merged in order.

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
    int64_t step;  // from one step of it to the next, in the input
    bool summed;
  };

  // Accumulators of a block whose columns are folded take no more bytes (their
  // low parts not counted), so that they stay in the first-level cache.
  static constexpr int64_t kBlockBytes = 8192;
  // The sums of all parts; and all that is added up to them, low parts counted,
  // which who brings the input piece by piece has to keep.
  static constexpr int64_t kPartsBytes = 4096;
  static constexpr int64_t kOpenBytes = 65536;

  // Not defaulted, as Plan's is not.
  SumOrder() noexcept {}

  // The order for the loops of an input (operand 0) and its sums (operand 1,
  // with dense strides, or 0 along what is summed; at least one loop is), none
  // of which is empty. False when memory is refused, which up to rank 8 it is
  // not; and where there is no such order: of a type that is not summed, of
  // other loops than those, or of 64 and more of them, as no countable input
  // has. Complexity: the square of the number of loops.
  [[nodiscard]] bool Reset(const LoopNest& nest, DType dtype,
                           const Allocator& allocator) noexcept;

  // As they lie in the input, innermost first. Where the input is dense, kept
  // loops and summed ones come by turns.
  [[nodiscard]] std::span<const Loop> loops() const noexcept {
    return loops_.view();
  }
  // From the element with which the nest begins to that with which these do.
  [[nodiscard]] int64_t first() const noexcept { return first_; }
  [[nodiscard]] int64_t elements() const noexcept { return elements_; }

  [[nodiscard]] int64_t columns() const noexcept { return columns_; }
  [[nodiscard]] int64_t blocks() const noexcept { return blocks_; }
  // Of a block.
  [[nodiscard]] int64_t outputs() const noexcept { return outputs_; }
  // Whether a loop belongs to the columns. The others are blocks if they are
  // kept, else terms, of which the innermost one is that of rows.
  [[nodiscard]] bool IsColumns(size_t loop) const noexcept {
    return folds() ? loop < folded_ : loop == own_;
  }
  // Whether columns are so narrow that rows of several blocks are put side by
  // side before they are added.
  [[nodiscard]] bool gathers() const noexcept { return gathers_; }
  // Whether columns are folded: so many loops, of their elements so many; and
  // so many steps of the loop of rows side by side.
  [[nodiscard]] bool folds() const noexcept {
    return folded_ > 0 || pieces_ > 1;
  }
  [[nodiscard]] size_t folded() const noexcept { return folded_; }
  [[nodiscard]] int64_t inside() const noexcept { return inside_; }
  [[nodiscard]] int64_t pieces() const noexcept { return pieces_; }
  // Steps of a loop that belong together.
  [[nodiscard]] int64_t StepsAtOnce(size_t loop) const noexcept {
    return loop == folded_ ? pieces_ : 1;
  }

  [[nodiscard]] int64_t parts() const noexcept { return parts_; }
  // The loop of terms that is split into them.
  [[nodiscard]] size_t parts_loop() const noexcept { return parts_loop_; }
  // Where in that loop a part begins; for parts(), where the last one ends.
  [[nodiscard]] int64_t PartBegin(int64_t part) const noexcept;

 private:
  struct Widths;  // bytes

  static constexpr size_t kNone = static_cast<size_t>(-1);

  [[nodiscard]] bool TakeLoops(const LoopNest& nest, bool complex,
                               const Allocator& allocator) noexcept;
  void MakeColumns(const Widths& widths) noexcept;
  [[nodiscard]] bool FoldInnerLoops(const Widths& widths) noexcept;
  void MakeParts(const Widths& widths) noexcept;

  InlineArray<Loop, kInlineRank + 1> loops_;
  int64_t first_ = 0;
  int64_t elements_ = 1;
  size_t own_ = kNone;  // the loop that is columns, if there is one
  int64_t columns_ = 1;
  int64_t blocks_ = 1;
  int64_t outputs_ = 1;
  bool gathers_ = false;
  size_t folded_ = 0;
  int64_t inside_ = 1;
  int64_t pieces_ = 1;
  int64_t parts_ = 1;
  size_t parts_loop_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_INTERNAL_SUM_ORDER_H_
