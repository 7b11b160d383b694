// A part of a plan's result that a call asks for.

#ifndef BROADLOOM_WASM_BOX_H_
#define BROADLOOM_WASM_BOX_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

// A box of a plan's result: begin and end along each axis, from the request
// block; or all of the result.
class Box {
 public:
  [[nodiscard]] bool Read(const Plan& plan, bool boxed) {
    if (!boxed) return true;
    const size_t rank = plan.output_shape().size();
    if (!ranges_.Reset(rank, kAllocator) || !shape_.Reset(rank, kAllocator)) {
      ReportRefusal(rank * sizeof(IndexRange));
      return false;
    }
    const int64_t* word = request_words.data();
    for (size_t axis = 0; axis < rank; ++axis) {
      ranges_[axis] = {word[2 * axis], word[2 * axis + 1]};
      // It may wrap where the range is none, which whoever takes it refuses.
      shape_[axis] =
          static_cast<int64_t>(static_cast<uint64_t>(ranges_[axis].end) -
                               static_cast<uint64_t>(ranges_[axis].begin));
    }
    boxed_ = true;
    return true;
  }
  [[nodiscard]] std::span<const IndexRange> ranges() const {
    return ranges_.view();
  }
  // Of the result.
  [[nodiscard]] ShapeView shape(const Plan& plan) const {
    return boxed_ ? ShapeView(shape_.view()) : plan.output_shape();
  }
  [[nodiscard]] size_t words() const { return 2 * ranges_.size(); }

 private:
  InlineArray<IndexRange, kInlineRank> ranges_;
  Shape shape_;
  bool boxed_ = false;
};

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_BOX_H_
