// Alignments as data. The function returns a negative number after it has
// reported a fault.

#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "request.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

extern "C" {

// The alignment of the request. The answer: whether the shapes fit (if they do
// not, their error is in the fault block), the axis of A that B begins at,
// whether the result is larger than every operand, whether there is a target,
// rank, number of conflicts; of each axis its extent, whether it conflicts, and
// for each operand and the target its source axis, relation, clause, extent and
// stride; then the fields of each conflict.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_align() {
  Request request;
  if (!request.Read()) return -1;
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return -1;
  const size_t rank = alignment->rank();
  const std::span<const Conflict> conflicts = alignment->conflicts();
  const size_t operands = alignment->operand_count();
  const size_t cells = operands + (alignment->has_target() ? 1 : 0);
  // 64 bits, since rank times operands may exceed 32.
  uint64_t words;
  if (__builtin_mul_overflow(uint64_t{rank}, 2 + 6 * uint64_t{cells}, &words) ||
      __builtin_add_overflow(words, 6 + 8 * uint64_t{conflicts.size()},
                             &words)) {
    words = INT64_MAX / sizeof(int64_t);
  }
  int64_t* answer = answer_words.Reserve(words);
  if (answer == nullptr) {
    ReportRefusal(words * sizeof(int64_t));
    return -1;
  }
  // The strides of all axes of an operand are computed at once. They lie behind
  // the answer until each is written into its cell.
  int64_t* const strides = answer + words - operands * rank;
  for (size_t i = 0; i < operands; ++i) {
    const std::span<int64_t> own(strides + i * rank, rank);
    if (!alignment->Strides(i, own)) std::ranges::fill(own, kAbsent);
  }
  if (alignment->error()) Report(*alignment->error());
  *answer++ = alignment->error() ? 0 : 1;
  *answer++ = alignment->start_axis();
  *answer++ = alignment->grows_both() ? 1 : 0;
  *answer++ = alignment->has_target() ? 1 : 0;
  *answer++ = static_cast<int64_t>(rank);
  *answer++ = static_cast<int64_t>(conflicts.size());
  for (size_t axis = 0; axis < rank; ++axis) {
    *answer++ = alignment->output()[axis];
    *answer++ = alignment->conflicts(axis) ? 1 : 0;
    for (size_t i = 0; i < cells; ++i) {
      const bool is_operand = i < operands;
      const AlignedCell& cell =
          is_operand ? alignment->cell(i, axis) : alignment->target_cell(axis);
      *answer++ = cell.source_axis;
      *answer++ = static_cast<int64_t>(cell.relation);
      *answer++ = static_cast<int64_t>(cell.clause);
      *answer++ = cell.extent;
      *answer++ = is_operand ? strides[i * rank + axis] : kAbsent;
    }
  }
  for (const Conflict& conflict : conflicts) {
    *answer++ = conflict.axis;
    *answer++ = conflict.operand;
    *answer++ = conflict.other_operand;
    *answer++ = conflict.operand_axis;
    *answer++ = conflict.other_axis;
    *answer++ = conflict.extent;
    *answer++ = conflict.other_extent;
    *answer++ = static_cast<int64_t>(conflict.clause);
  }
  return 0;
}

}  // extern "C"

}  // namespace broadloom_wasm
