// Alignments, what feeds what along them, and repairs.
// Each function returns a negative number, or null, after it has reported a
// fault.

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
// not, their fault is reported too), the axis that the rule begins at, whether
// the result outgrows all, whether there is a target, rank, number of
// conflicts; then each axis: extent, whether it conflicts, and its cells
// (operands, target) as source axis, relation, clause, extent, stride; then the
// conflicts, field by field.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_align() {
  Request request;
  if (!request.Read()) return -1;
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return -1;
  const size_t rank = alignment->rank();
  const std::span<const Conflict> conflicts = alignment->conflicts();
  const size_t operands = alignment->operand_count();
  const size_t cells = operands + (alignment->has_target() ? 1 : 0);
  // More than 32 bits hold, where many axes and many operands come together.
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
  // At the block's end until each is put into its cell: they come operand by
  // operand.
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

// Which element of `operand` feeds the cell at the request's index: the number
// of axes is returned, the answer is the element's index.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_source_of(uint32_t operand) {
  Request request;
  if (!request.Read()) return -1;
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return -1;
  // An operand that is not there is SourceOf's to refuse.
  const size_t rank = operand < alignment->operand_count()
                          ? alignment->operand(operand).size()
                          : 0;
  int64_t* answer = answer_words.Reserve(rank);
  if (answer == nullptr) {
    ReportRefusal(rank * sizeof(int64_t));
    return -1;
  }
  const Status found =
      alignment->SourceOf(operand, request.index, {answer, rank});
  if (!found) {
    Report(found.error());
    return -1;
  }
  return static_cast<int32_t>(rank);
}

// What would make the request fit: how many repairs there are is returned, the
// answer is each one's kind, operand, shape, rule, axis, mapping and result.
// Lists have their length before them, which is kAbsent where there is none.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_repairs() {
  Request request;
  if (!request.Read()) return -1;
  Repair repairs[kMostRepairs];
  const Result<size_t> found =
      FindRepairs(request.broadcast(), repairs, kAllocator);
  if (!found) {
    Report(found.error());
    return -1;
  }
  size_t words = 0;
  const auto room = [](const Repair& repair) {
    return 7 + repair.shape.size() + repair.axes_mapping.size() +
           repair.result.size();
  };
  for (size_t i = 0; i < *found; ++i) words += room(repairs[i]);
  int64_t* answer = answer_words.Reserve(words);
  if (answer == nullptr) {
    ReportRefusal(words * sizeof(int64_t));
    return -1;
  }
  const auto write = [&](const Shape& list, bool has) {
    *answer++ = has ? static_cast<int64_t>(list.size()) : kAbsent;
    if (has) answer = std::ranges::copy(list.view(), answer).out;
  };
  for (size_t i = 0; i < *found; ++i) {
    const Repair& repair = repairs[i];
    const RuleTraits& traits = Traits(repair.rule);
    const bool reshapes = repair.kind != RepairKind::kChangeRule;
    *answer++ = static_cast<int64_t>(repair.kind);
    *answer++ = reshapes ? repair.operand : kAbsent;
    write(repair.shape, reshapes);
    *answer++ = static_cast<int64_t>(repair.rule);
    *answer++ = traits.takes_axis && !reshapes ? repair.axis : kAbsent;
    write(repair.axes_mapping, traits.takes_mapping && !reshapes);
    write(repair.result, true);
  }
  return static_cast<int32_t>(*found);
}

// Which cells the element of `operand` at the request's index feeds: the number
// of axes is returned, the answer is begin and end along each.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_fan_out(uint32_t operand) {
  Request request;
  if (!request.Read()) return -1;
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return -1;
  const size_t rank = alignment->rank();
  InlineArray<IndexRange, kInlineRank> box;
  int64_t* answer = answer_words.Reserve(2 * rank);
  if (answer == nullptr || !box.Reset(rank, kAllocator)) {
    ReportRefusal(2 * rank * sizeof(int64_t));
    return -1;
  }
  const Status found = alignment->FanOut(operand, request.index, box.view());
  if (!found) {
    Report(found.error());
    return -1;
  }
  for (const IndexRange& range : box) {
    *answer++ = range.begin;
    *answer++ = range.end;
  }
  return static_cast<int32_t>(rank);
}

}  // extern "C"

}  // namespace broadloom_wasm
