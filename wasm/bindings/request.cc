// Reads requests, and the blocks in which they and the answers lie.

#include "request.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
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
  return !axis_names || ReadNames();
}

bool Request::ReadNames() {
  const ShapeView words = *axis_names;
  size_t lists = 0;
  for (size_t at = 0; at < words.size(); ++lists) {
    at += 1 + static_cast<size_t>(words[at]);
  }
  if (!names.Reset(words.size(), kAllocator) ||
      !names_of.Reset(lists, kAllocator)) {
    ReportRefusal(words.size() * sizeof(std::string_view));
    return false;
  }
  size_t at = 0;
  for (std::span<const std::string_view>& list : names_of) {
    const size_t count = static_cast<size_t>(words[at++]);
    list = names.view().subspan(at, count);
    for (size_t i = 0; i < count; ++i, ++at) {
      if (words[at] == 0) continue;
      names[at] = {reinterpret_cast<const char*>(&words[at]), sizeof(int64_t)};
    }
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
