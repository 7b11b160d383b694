// What a sum is asked of, judged and made into loops: for those who sum what
// lies in memory, and those who sum what comes piece by piece.

#ifndef BROADLOOM_SUM_SUM_LOOPS_H_
#define BROADLOOM_SUM_SUM_LOOPS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/internal/nest.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

// The alignment of the input's shape and the one that it is summed to, which
// may hold an error. Fails where the question itself is wrong.
[[nodiscard]] Result<Alignment> AlignSum(
    DType dtype, ShapeView input, ShapeView shape, Rule rule,
    std::optional<int64_t> axis,
    std::optional<std::span<const int64_t>> axes_mapping,
    const Allocator& allocator) noexcept;

// Whether the shapes broadcast, and to the input's, and whether the bytes of
// the sums can be counted: where the input has no elements there may be more
// sums.
[[nodiscard]] Status CheckSumFits(const Alignment& alignment,
                                  DType dtype) noexcept;

// Where nothing is summed the output is a copy.
[[nodiscard]] bool SumIsCopy(const Alignment& alignment) noexcept;

// The loops of the input, of which only shape and strides matter, as it walks
// itself and the output, which stands still along what is summed. False when
// memory is refused.
[[nodiscard]] bool MakeSumLoops(const Alignment& alignment,
                                const TensorView& input, LoopNest& nest,
                                const Allocator& allocator) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_SUM_LOOPS_H_
