// The box of a plan's result that a call computes.

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

// A box of a plan's result, or all of it.
class Box {
 public:
  // Reads begin and end along each axis from the request block if `boxed`; else
  // it is all of the result. False: a fault was reported.
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
      // May wrap if end is before begin. The core refuses such a range.
      shape_[axis] =
          static_cast<int64_t>(static_cast<uint64_t>(ranges_[axis].end) -
                               static_cast<uint64_t>(ranges_[axis].begin));
    }
    boxed_ = true;
    return true;
  }
  // None for all of the result.
  [[nodiscard]] std::span<const IndexRange> ranges() const {
    return ranges_.view();
  }
  // The shape of the box.
  [[nodiscard]] ShapeView shape(const Plan& plan) const {
    return boxed_ ? ShapeView(shape_.view()) : plan.output_shape();
  }
  // How many words of the request block it takes.
  [[nodiscard]] size_t words() const { return 2 * ranges_.size(); }

 private:
  InlineArray<IndexRange, kInlineRank> ranges_;
  Shape shape_;
  bool boxed_ = false;
};

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_BOX_H_
