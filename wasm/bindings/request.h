// Marshalling between the core and the package, and nothing else: no rule and
// no arithmetic on shapes is here. There are two kinds of functions:
//
// - those of embind return strings: the vocabulary and sentences;
// - plain C functions return numbers: shapes, alignments, plans, runs.
//
// Both take their arguments from a block of 64-bit words, the request, which
// JavaScript writes just before the call. Results go to a second block, the
// answer. An error goes to a third, the fault, and the function returns a
// negative number or null. JavaScript has to release plans, blocks, sums and
// memory that it allocated; nothing else is kept between calls.

#ifndef BROADLOOM_WASM_REQUEST_H_
#define BROADLOOM_WASM_REQUEST_H_

#include <cstdint>
#include <optional>

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
  std::optional<ShapeView> axes_mapping;
  OpAttributes attributes;
  std::optional<ShapeView> index;
  InlineArray<ShapeView, kInlineOperands> shapes;
  InlineArray<DType, kInlineOperands> dtypes;

  // Reads the block, or reports that memory was refused. The words: the fields
  // of BROADLOOM_REQUEST_FIELDS, number of operands, then of each operand its
  // dtype, rank and extents.
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
