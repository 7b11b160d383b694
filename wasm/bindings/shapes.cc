// Shapes: inferred, counted, read from text; common element types. Each
// function returns a negative number after it has reported a fault.

#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "request.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

extern "C" {

// The result's shape. Returns its rank; the answer is its extents.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_infer_shape() {
  Request request;
  if (!request.Read()) return -1;
  const Result<Shape> shape = InferShape(request.broadcast(), kAllocator);
  if (!shape) {
    Report(shape.error());
    return -1;
  }
  int64_t* answer = answer_words.Reserve(shape->size());
  if (answer == nullptr) {
    ReportRefusal(shape->size() * sizeof(int64_t));
    return -1;
  }
  for (size_t axis = 0; axis < shape->size(); ++axis) {
    answer[axis] = (*shape)[axis];
  }
  return static_cast<int32_t>(shape->size());
}

// The answer is the number of elements of the shape in the request's index, or
// of its bytes if the request has a dtype.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_count() {
  Request request;
  if (!request.Read()) return -1;
  const Result<int64_t> count =
      request.result_dtype ? CountBytes(*request.index, *request.result_dtype)
                           : CountElements(*request.index);
  if (!count) {
    Report(count.error());
    return -1;
  }
  answer_words.data()[0] = *count;
  return 0;
}

// Reads integers from a text in UTF-8. Returns their number; the answer is each
// integer, then where each begins and ends, in bytes.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_parse(const char* text, size_t size,
                                             int32_t operand, bool shape) {
  const std::string_view view(text, size);
  const Result<ParsedIntegers> parsed =
      shape ? ParseShape(view, operand, kAllocator)
            : ParseIntegers(view, operand, kAllocator);
  if (!parsed) {
    Report(parsed.error());
    return -1;
  }
  const size_t count = parsed->values.size();
  int64_t* answer = answer_words.Reserve(3 * count);
  if (answer == nullptr) {
    ReportRefusal(3 * count * sizeof(int64_t));
    return -1;
  }
  answer = std::ranges::copy(parsed->values.view(), answer).out;
  for (const TextSpan& span : parsed->spans.view()) {
    *answer++ = span.begin;
    *answer++ = span.end;
  }
  return static_cast<int32_t>(count);
}

// The common type of a set of types (bit i stands for the type of row i) and of
// scalars without a type, the widest of whose kinds is `weak`. -1: there is
// none.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_result_type(uint32_t set, int32_t weak) {
  DType dtypes[32];
  size_t count = 0;
  for (const DTypeInfo& row : AllDTypes()) {
    if ((set >> static_cast<unsigned>(row.dtype) & 1) != 0) {
      dtypes[count++] = row.dtype;
    }
  }
  return static_cast<int32_t>(IndexOr(ResultDType(
      std::span(dtypes).first(count), static_cast<WeakKind>(weak))));
}

}  // extern "C"

}  // namespace broadloom_wasm
