// Marshalling between the core and the package, and nothing else: no rule and
// no arithmetic on shapes is here. Plain C functions take their arguments from
// a block of 64-bit words, the request, which JavaScript writes just before the
// call. Results go to a second block, the answer, as words or as a text. An
// error goes to a third, the fault, and the function returns a negative number
// or null. JavaScript has to release plans, blocks, sums and memory that it
// allocated; nothing else is kept between calls.

#ifndef BROADLOOM_WASM_REQUEST_H_
#define BROADLOOM_WASM_REQUEST_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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
  std::optional<int64_t> refused;
  std::optional<ShapeView> axis_names;
  OpAttributes attributes;
  std::optional<ShapeView> index;
  InlineArray<ShapeView, kInlineOperands> shapes;
  InlineArray<DType, kInlineOperands> dtypes;
  // The names of axis_names: the bytes of each number stand for a name.
  InlineArray<std::string_view, kInlineRank> names;
  InlineArray<std::span<const std::string_view>, kInlineOperands> names_of;

  // Reads the block, or reports that memory was refused. The words: the fields
  // of BROADLOOM_REQUEST_FIELDS, number of operands, then of each operand its
  // dtype, rank and extents.
  [[nodiscard]] bool Read();

  [[nodiscard]] Policy policy() const {
    const int64_t bits = refused.value_or(0);
    return {.inserts = (bits & 1) == 0,
            .stretches = (bits & 2) == 0,
            .same_names = (bits & 4) != 0};
  }

  [[nodiscard]] BroadcastRequest broadcast() const {
    return {.rule = *rule,
            .operands = shapes.view(),
            .axis = axis,
            .target_shape = target_shape,
            .axes_mapping = axes_mapping,
            .dtype = result_dtype,
            .policy = policy(),
            .axis_names = names_of.view()};
  }

 private:
  [[nodiscard]] bool ReadNames();
};

// The alignment of what is in the request block; none: a fault was reported.
std::optional<Alignment> AlignRequest(const Request& request);

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_REQUEST_H_
