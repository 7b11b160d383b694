// Marshalling between the core and the package, and nothing else: no rule and
// no arithmetic on shapes is here. Two surfaces:
//
// - embind, where JavaScript values are wanted: the vocabulary, sentences,
//   repairs, parsed texts;
// - plain functions for what has to be fast: shapes, alignments, plans, runs.
//
// Both take their arguments from one block of 64-bit words, the request, which
// JavaScript writes just before the call (see Request::Read for its order).
// Results go to a second block, the answer; an error goes to a third, the
// fault, and the call says that it is there. Nothing is kept between calls but
// plans and what Allocate gave, so JavaScript has nothing else to release.

#ifndef BROADLOOM_WASM_REQUEST_H_
#define BROADLOOM_WASM_REQUEST_H_

#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

// What JavaScript wrote into the request block. The lists point into the block.
struct Request {
  std::optional<Op> op;
  std::optional<Rule> rule;
  std::optional<DType> result_dtype;
  std::optional<int64_t> axis;
  std::optional<ShapeView> target_shape;
  std::optional<std::span<const int64_t>> axes_mapping;
  OpAttributes attributes;
  std::span<const int64_t> index;
  InlineArray<ShapeView, kInlineOperands> shapes;
  InlineArray<DType, kInlineOperands> dtypes;

  // Reads the block, or reports why it cannot be. Its words, in order (a word
  // that stands for something not given is -1):
  //   op, rule, the result's dtype, whether an axis is given, the axis, length
  //   of the target, of the mapping, of the index, whether fmod is given, fmod,
  //   direction, the attribute `to`, whether saturate is given, saturate,
  //   number of operands; then each operand's dtype and rank; then the extents
  //   of all operands, the target, the mapping, the index.
  [[nodiscard]] bool Read();

  [[nodiscard]] BroadcastRequest broadcast() const {
    return {.rule = *rule,
            .operands = shapes.view(),
            .axis = axis,
            .target_shape = target_shape,
            .axes_mapping = axes_mapping,
            .dtype = result_dtype};
  }
};

// The alignment of what is in the request block; none: a fault was reported.
std::optional<Alignment> AlignRequest(const Request& request);

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_REQUEST_H_
