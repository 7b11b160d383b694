// The loops in which a result is computed: axes of extent 1 are dropped, and
// neighbouring axes are joined if that is possible for every operand.
// (8,64,56,56) + (64,1,1) has three loops, 8 x 64 x 3136, with the strides
// (200704,3136,1) and (0,1,0).
//
// A result whose elements are not dense is one more operand of the loops, the
// last one.

#ifndef BROADLOOM_INTERNAL_NEST_H_
#define BROADLOOM_INTERNAL_NEST_H_

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

class LoopNest {
 public:
  LoopNest() noexcept = default;

  // Makes the loops of a result with the given extents. stride_of(operand,
  // axis) is how many elements an operand advances from one index of an axis to
  // the next: 0 where it repeats. A result without elements has one loop
  // without steps. `has_result`: the last operand is the result, which is not
  // dense. Returns false if memory cannot be allocated. Complexity: rank times
  // operands.
  template <class StrideOf>
  [[nodiscard]] bool Reset(ShapeView extents, size_t operands,
                           StrideOf stride_of, const Allocator& allocator,
                           bool has_result = false) noexcept {
    operands_ = operands;
    has_result_ = has_result;
    loops_ = 0;
    if (!extents_.ResetForOverwrite(extents.size(), allocator) ||
        !strides_.ResetForOverwrite(extents.size(), operands, allocator)) {
      return false;
    }
    size_t loops = 0;
    int64_t* const loop_extents = extents_.data();
    int64_t* inner = strides_.data();  // the strides of the next loop
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      const int64_t extent = extents[axis];
      if (extent == 1) continue;
      if (extent <= 0) return ResetToNone();
      // The axis continues the innermost loop if it does so for every operand.
      int64_t* const outer = loops == 0 ? inner : inner - operands;
      // The products can overflow only if a later extent is 0: then the result
      // has no elements.
      int64_t joined = 0;
      bool continues = loops > 0 && !OverflowsMultiply(loop_extents[loops - 1],
                                                       extent, joined);
      for (size_t operand = 0; operand < operands; ++operand) {
        inner[operand] = stride_of(operand, axis);
        int64_t step;
        continues = continues &&
                    !OverflowsMultiply(inner[operand], extent, step) &&
                    outer[operand] == step;
      }
      if (continues) {
        loop_extents[loops - 1] = joined;
        for (size_t operand = 0; operand < operands; ++operand) {
          outer[operand] = inner[operand];
        }
      } else {
        loop_extents[loops++] = extent;
        inner += operands;
      }
    }
    loops_ = loops;
    return true;
  }

  // Outermost first.
  [[nodiscard]] size_t loop_count() const noexcept { return loops_; }
  [[nodiscard]] size_t operand_count() const noexcept { return operands_; }
  // Whether the last operand is the result. If not, the result is dense.
  [[nodiscard]] bool has_result() const noexcept { return has_result_; }
  [[nodiscard]] int64_t extent(size_t loop) const noexcept {
    return extents_[loop];
  }
  [[nodiscard]] const int64_t* extents() const noexcept {
    return extents_.data();
  }
  // The strides of all operands in one loop, followed by those of the next
  // loop.
  [[nodiscard]] const int64_t* strides(size_t loop) const noexcept {
    return strides_.data() + loop * operands_;
  }
  // How many elements the operand advances in each step of the loop.
  [[nodiscard]] int64_t stride(size_t operand, size_t loop) const noexcept {
    return strides_[loop * operands_ + operand];
  }
  // Elements of the result: the product of the extents. Saturates.
  [[nodiscard]] int64_t element_count() const noexcept {
    int64_t count = 1;
    for (size_t loop = 0; loop < loops_; ++loop) {
      count = SaturatingMultiply(count, extents_[loop]);
    }
    return count;
  }

 private:
  [[gnu::cold]] bool ResetToNone() noexcept {
    loops_ = 1;
    extents_[0] = 0;
    for (size_t i = 0; i < operands_; ++i) strides_[i] = 0;
    return true;
  }

  Taken<size_t> loops_;
  Taken<size_t> operands_;
  bool has_result_ = false;
  Shape extents_;
  // By loop.
  InlineArray<int64_t, kInlineRank*(kInlineOperands + 1)> strides_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_INTERNAL_NEST_H_
