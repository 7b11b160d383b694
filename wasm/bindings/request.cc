// Reads requests, and the blocks in which they and the answers lie.

#include "request.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "fields.h"
#include "memory.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

template <class T>
void Take(const int64_t*& word, std::optional<T>& field) {
  field = Optional<T>(*word++);
}

void Take(const int64_t*& word, std::optional<int64_t>& field) {
  const bool given = *word++ != 0;
  if (given) field = *word;
  ++word;
}

ShapeView TakeExtents(const int64_t*& word, int64_t size) {
  const ShapeView extents(word, static_cast<size_t>(size));
  word += size;
  return extents;
}

void Take(const int64_t*& word, std::optional<ShapeView>& field) {
  const int64_t size = *word++;
  if (size >= 0) field = TakeExtents(word, size);
}

}  // namespace

bool Request::Read() {
  const int64_t* word = request_words.data();
#define BROADLOOM_READ(kind, member, name, doc)                      \
  static_assert(std::is_same_v<decltype(member), FieldTypes::kind>); \
  Take(word, member);
  BROADLOOM_REQUEST_FIELDS(BROADLOOM_READ)
#undef BROADLOOM_READ
  const size_t operands = static_cast<size_t>(*word++);
  if (!shapes.Reset(operands, kAllocator) ||
      !dtypes.Reset(operands, kAllocator)) {
    ReportRefusal(operands * sizeof(ShapeView));
    return false;
  }
  for (size_t i = 0; i < operands; ++i) {
    dtypes[i] = static_cast<DType>(*word++);
    const int64_t rank = *word++;
    shapes[i] = TakeExtents(word, rank);
  }
  return true;
}

std::optional<Alignment> AlignRequest(const Request& request) {
  Result<Alignment> alignment = Align(request.broadcast(), kAllocator);
  if (alignment) return std::move(*alignment);
  Report(alignment.error());
  return std::nullopt;
}

extern "C" {

// The request block, with room for at least `words` words. Null: a fault was
// reported.
EMSCRIPTEN_KEEPALIVE int64_t* broadloom_request(uint32_t words) {
  int64_t* block = request_words.Reserve(words);
  if (block == nullptr) ReportRefusal(uint64_t{words} * sizeof(int64_t));
  return block;
}

EMSCRIPTEN_KEEPALIVE int64_t* broadloom_answer() { return answer_words.data(); }

}  // extern "C"

}  // namespace broadloom_wasm
