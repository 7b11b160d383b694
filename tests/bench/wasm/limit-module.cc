// The floor of the package's bench, called from JavaScript: the loop of
// limit.h, on streams in this module's memory, and an operator's arithmetic.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "asked.h"
#include "fields.h"
#include "limit.h"
#include "loops/arithmetic.h"
#include "memory.h"
#include "vocabulary.h"

namespace {

constexpr size_t kMostStreams = 9;
bench::Memory streams[kMostStreams];  // the result, then each operand
size_t stream_count = 0;

std::string request;
std::string vocabulary;
std::unique_ptr<bench::Arithmetic> arithmetic;

}  // namespace

extern "C" {

// Allocates a stream: for the result first, then for each operand. Returns its
// address, or null if there is no memory.
EMSCRIPTEN_KEEPALIVE uint8_t* limit_add(size_t bytes) {
  if (stream_count == kMostStreams) return nullptr;
  bench::Memory& stream = streams[stream_count];
  stream = bench::Memory(bytes, stream_count);
  if (stream.data() == nullptr) return nullptr;
  ++stream_count;
  return stream.data();
}

// Reads every byte of the operands and writes every byte of the result, once.
EMSCRIPTEN_KEEPALIVE void limit_move() {
  bench::MoveStreams(std::span(streams).subspan(1, stream_count - 1),
                     streams[0], bench::Writes::kPlain, 0, 1);
}

// Every operator with its types, as vocabulary.h spells them, ending with 0.
EMSCRIPTEN_KEEPALIVE const char* vocabulary_text() {
  vocabulary = bench::VocabularyText();
  return vocabulary.c_str();
}

// Where a request of `length` bytes is to be written, in the form of fields.h.
EMSCRIPTEN_KEEPALIVE char* arithmetic_request(size_t length) {
  request.assign(length, ' ');
  return request.data();
}

// Opens the arithmetic of the request's operator and types. Returns how many
// elements it computes; 0 if there is none.
EMSCRIPTEN_KEEPALIVE size_t arithmetic_open() {
  const auto asked = bench::ReadAsked(bench::Fields(request));
  arithmetic =
      asked ? bench::Arithmetic::Of(asked->op, asked->dtypes, asked->attributes)
            : nullptr;
  return arithmetic ? arithmetic->elements() : 0;
}

// Whether the arithmetic is right. `spoil`: a byte of the result that is
// changed before; -1: none.
EMSCRIPTEN_KEEPALIVE bool arithmetic_check(int spoil) {
  std::optional<size_t> at;
  if (spoil >= 0) at = static_cast<size_t>(spoil);
  return !arithmetic->FirstDifference(at);
}

EMSCRIPTEN_KEEPALIVE void arithmetic_run(int times) {
  for (int i = 0; i < times; ++i) arithmetic->Run();
}

}  // extern "C"
