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

#include <emscripten/bind.h>
#include <emscripten/emscripten.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "broadloom/broadloom.h"

namespace {

using emscripten::val;
using namespace broadloom;

// --- Memory -----------------------------------------------------------------

// How many views of the memory are lent out.
int32_t lent = 0;

// How many more allocations succeed; negative: as many as there is memory for.
int64_t allocations_left = -1;

// The seam through which everything sized by input is allocated.
constexpr Allocator kAllocator{
    [](void*, size_t bytes, size_t alignment) -> void* {
      if (allocations_left == 0) return nullptr;
      if (allocations_left > 0) --allocations_left;
      return std::aligned_alloc(alignment, bytes);
    },
    [](void*, void* memory, size_t, size_t) { std::free(memory); }, nullptr};

constexpr size_t kAlignment = 64;

constexpr size_t RoundUp(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// How far apart the beginnings of large pieces are within a page.
constexpr size_t kPage = 4096;
constexpr size_t kSkew = 576;
size_t last_skew = 0;

// How far behind the beginning of its memory a piece begins.
size_t* SkewOf(std::byte* place) {
  return reinterpret_cast<size_t*>(place - kAlignment);
}

// A block of words that JavaScript and C++ share. Grows, keeps its place while
// it need not: whoever had so many words once has them ever after.
class Words {
 public:
  // At least `size` words, or null when the memory is refused.
  int64_t* Reserve(uint64_t size) {
    if (size > SIZE_MAX / sizeof(int64_t)) return nullptr;
    const size_t words = static_cast<size_t>(size);
    if (words > words_.size()) {
      Block grown;
      if (!grown.Reset(words, kAllocator)) return nullptr;
      words_ = std::move(grown);
    }
    return words_.data();
  }
  [[nodiscard]] int64_t* data() { return words_.data(); }

 private:
  using Block = InlineArray<int64_t, 256>;

  Block words_;
};

Words request_words;
Words answer_words;

// --- Faults -----------------------------------------------------------------

// The order of an error's fields in the fault block.
constexpr size_t kFaultWords = 16;
int64_t fault_words[kFaultWords];

template <class T>
int64_t IndexOr(const std::optional<T>& value) {
  return value ? static_cast<int64_t>(*value) : kAbsent;
}

template <class T>
std::optional<T> Optional(int64_t word) {
  if (word < 0) return std::nullopt;
  return static_cast<T>(word);
}

void Report(const Error& error) {
  int64_t* word = fault_words;
  *word++ = static_cast<int64_t>(error.error_class);
  *word++ = static_cast<int64_t>(error.detail);
  *word++ = IndexOr(error.rule);
  *word++ = static_cast<int64_t>(error.clause);
  *word++ = IndexOr(error.op);
  *word++ = error.operand;
  *word++ = error.other_operand;
  *word++ = error.axis;
  *word++ = error.operand_axis;
  *word++ = error.other_axis;
  *word++ = error.extent;
  *word++ = error.other_extent;
  *word++ = IndexOr(error.dtype);
  *word++ = IndexOr(error.other_dtype);
  *word++ = error.text_begin;
  *word++ = error.text_end;
}

Error Fault() {
  const int64_t* word = fault_words;
  Error error{.error_class = static_cast<ErrorClass>(*word++)};
  error.detail = static_cast<Detail>(*word++);
  error.rule = Optional<Rule>(*word++);
  error.clause = static_cast<Clause>(*word++);
  error.op = Optional<Op>(*word++);
  error.operand = static_cast<int32_t>(*word++);
  error.other_operand = static_cast<int32_t>(*word++);
  error.axis = static_cast<int32_t>(*word++);
  error.operand_axis = static_cast<int32_t>(*word++);
  error.other_axis = static_cast<int32_t>(*word++);
  error.extent = *word++;
  error.other_extent = *word++;
  error.dtype = Optional<DType>(*word++);
  error.other_dtype = Optional<DType>(*word++);
  error.text_begin = static_cast<uint32_t>(*word++);
  error.text_end = static_cast<uint32_t>(*word++);
  return error;
}

// Memory was refused for `bytes`.
void ReportRefusal(uint64_t bytes) {
  Report({.error_class = ErrorClass::kAllocation,
          .extent = static_cast<int64_t>(bytes)});
}

// --- The request ------------------------------------------------------------

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
  [[nodiscard]] bool Read() {
    const int64_t* word = request_words.data();
    op = Optional<Op>(*word++);
    rule = Optional<Rule>(*word++);
    result_dtype = Optional<DType>(*word++);
    if (*word++ != 0) axis = *word;
    ++word;
    const int64_t target_size = *word++;
    const int64_t mapping_size = *word++;
    const int64_t index_size = *word++;
    if (*word++ != 0) attributes.fmod = *word;
    ++word;
    attributes.direction = Optional<ShiftDirection>(*word++);
    attributes.to = Optional<DType>(*word++);
    if (*word++ != 0) attributes.saturate = *word;
    ++word;
    const size_t operands = static_cast<size_t>(*word++);
    if (!shapes.Reset(operands, kAllocator) ||
        !dtypes.Reset(operands, kAllocator)) {
      ReportRefusal(operands * sizeof(ShapeView));
      return false;
    }
    const int64_t* list = word + 2 * operands;
    const auto next = [&list](int64_t size) {
      const std::span<const int64_t> values(list, static_cast<size_t>(size));
      list += size;
      return values;
    };
    for (size_t i = 0; i < operands; ++i) {
      dtypes[i] = static_cast<DType>(*word++);
      shapes[i] = next(*word++);
    }
    if (target_size >= 0) target_shape = next(target_size);
    if (mapping_size >= 0) axes_mapping = next(mapping_size);
    if (index_size >= 0) index = next(index_size);
    return true;
  }

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
std::optional<Alignment> AlignRequest(const Request& request) {
  Result<Alignment> alignment = Align(request.broadcast(), kAllocator);
  if (alignment) return std::move(*alignment);
  Report(alignment.error());
  return std::nullopt;
}

// --- What JavaScript keeps ---------------------------------------------------

// Moves a value to memory of its own, until it is dropped. Null: refused.
template <class T>
T* Keep(T&& value) {
  void* const memory =
      kAllocator.allocate(kAllocator.context, RoundUp(sizeof(T)), kAlignment);
  return memory == nullptr ? nullptr : new (memory) T(std::move(value));
}

template <class T>
void Drop(T* value) {
  value->~T();
  kAllocator.deallocate(kAllocator.context, value, RoundUp(sizeof(T)),
                        kAlignment);
}

// Where the pieces of tiles lie: one tile at a time.
alignas(kAlignment) std::byte arena[256 << 10];

// A plan that is run tile by tile.
struct Tiles {
  const Plan* plan;
  Tiling tiling;
  std::span<std::byte> memory;  // the arena, unless it is too small
};

// A sum of what comes piece by piece.
struct Sums {
  SumStream stream;
  std::span<std::byte> memory;
};

// What a sum has finished and what it asks for. The answer: bytes of the
// tensor, of them those that are added, and bytes of all sums; address of the
// pieces; first byte and bytes of the sums that are finished; of the pieces
// that are to be brought first byte, bytes of each, how many, bytes from one to
// the next; whether all is done.
void AnswerPieces(const Sums& sums) {
  const SumStream& stream = sums.stream;
  const Piece result = stream.result();
  const Pieces input = stream.input();
  const uint64_t words[] = {stream.input_bytes(),
                            stream.added_bytes(),
                            stream.output_bytes(),
                            reinterpret_cast<uintptr_t>(sums.memory.data()),
                            result.begin,
                            result.bytes,
                            input.begin,
                            input.bytes,
                            input.count,
                            input.step,
                            stream.done() ? uint64_t{1} : uint64_t{0}};
  int64_t* answer = answer_words.data();
  for (const uint64_t word : words) *answer++ = static_cast<int64_t>(word);
}

// A box of a plan's result: begin and end along each axis, from the request
// block; or all of the result.
class Box {
 public:
  [[nodiscard]] bool Read(const Plan& plan, bool boxed) {
    if (!boxed) return true;
    const size_t rank = plan.output_shape().size();
    if (!ranges_.Reset(rank, kAllocator) || !shape_.Reset(rank, kAllocator)) {
      ReportRefusal(rank * sizeof(IndexRange));
      return false;
    }
    const int64_t* word = request_words.data();
    for (size_t axis = 0; axis < rank; ++axis) {
      ranges_[axis] = {word[2 * axis], word[2 * axis + 1]};
      // It may wrap where the range is none, which whoever takes it refuses.
      shape_[axis] =
          static_cast<int64_t>(static_cast<uint64_t>(ranges_[axis].end) -
                               static_cast<uint64_t>(ranges_[axis].begin));
    }
    boxed_ = true;
    return true;
  }
  [[nodiscard]] std::span<const IndexRange> ranges() const {
    return ranges_.view();
  }
  // Of the result.
  [[nodiscard]] ShapeView shape(const Plan& plan) const {
    return boxed_ ? ShapeView(shape_.view()) : plan.output_shape();
  }
  [[nodiscard]] size_t words() const { return 2 * ranges_.size(); }

 private:
  InlineArray<IndexRange, kInlineRank> ranges_;
  Shape shape_;
  bool boxed_ = false;
};

// --- Values for JavaScript --------------------------------------------------

// Calls `write`, one of explain.h's functions bound to its arguments, with
// room enough. Null: a fault was reported.
template <class Write>
val Sentence(Write write) {
  // Long enough for all but what names many axes or operands.
  char some[4096];
  const size_t size = write(std::span<char>(some, sizeof some - 1));
  if (size < sizeof some) {
    some[size] = '\0';
    return val::u8string(some);
  }
  InlineArray<char, 1> all;
  if (!all.Reset(size + 1, kAllocator)) {
    ReportRefusal(size + 1);
    return val::null();
  }
  write(all.view().first(size));
  return val::u8string(all.data());
}

// --- The vocabulary ---------------------------------------------------------

// Writes JSON: one string is brought over at a hundredth of the cost of the
// thousands of objects that are in it.
class Json {
 public:
  Json& Open(char bracket) {
    Separate();
    Put({&bracket, 1});
    separator_ = "";
    return *this;
  }
  Json& Close(char bracket) {
    Put({&bracket, 1});
    separator_ = ",";
    return *this;
  }
  Json& Key(std::string_view name) {
    Value(name);
    separator_ = ":";
    return *this;
  }
  Json& Value(std::string_view value) {
    Separate();
    Put("\"");
    for (const char& c : value) {
      if (static_cast<unsigned char>(c) < 0x20) {
        constexpr char kDigits[] = "0123456789abcdef";
        const char code[] = {'\\',           'u', '0', '0', kDigits[c >> 4],
                             kDigits[c & 15]};
        Put({code, sizeof code});
        continue;
      }
      if (c == '"' || c == '\\') Put("\\");
      Put({&c, 1});
    }
    Put("\"");
    return *this;
  }
  Json& Value(size_t value) {
    Separate();
    char digits[20];
    char* begin = digits + sizeof digits;
    do *--begin = static_cast<char>('0' + value % 10);
    while (value /= 10);
    Put({begin, digits + sizeof digits});
    return *this;
  }
  Json& Value(bool value) {
    Separate();
    Put(value ? "true" : "false");
    return *this;
  }
  Json& Null() {
    Separate();
    Put("null");
    return *this;
  }
  template <class T>
  Json& Field(std::string_view name, T value) {
    return Key(name).Value(value);
  }

  // All of it as a text; null: a fault was reported.
  [[nodiscard]] val text() {
    Put({"", 1});
    if (!refused_) return val::u8string(text_.data());
    ReportRefusal(2 * text_.size());
    return val::null();
  }

 private:
  void Separate() {
    Put(separator_);
    separator_ = ",";
  }

  // Through the seam: an std::string would abort where memory is refused.
  void Put(std::string_view piece) {
    if (refused_) return;
    if (piece.size() > text_.size() - size_) {
      InlineArray<char, 1> larger;
      refused_ =
          !larger.ResetForOverwrite(2 * text_.size() + kLeast, kAllocator);
      if (refused_) return;
      std::ranges::copy(text_.view().first(size_), larger.data());
      text_ = std::move(larger);
    }
    std::ranges::copy(piece, text_.data() + size_);
    size_ += piece.size();
  }

  static constexpr size_t kLeast = 8192;  // more than any piece has

  InlineArray<char, 1> text_;
  size_t size_ = 0;
  bool refused_ = false;
  const char* separator_ = "";
};

// The names of those rows that pass.
template <class Row, class Passes>
void WriteNames(Json& json, std::span<const Row> rows, Passes passes) {
  json.Open('[');
  for (const Row& row : rows) {
    if (passes(row)) json.Value(row.name);
  }
  json.Close(']');
}

// Rows by name, in their order; `write` adds the fields that the row has
// besides its name. Rows without a name stand for "no detail", "no clause".
template <class Row, class Write>
void WriteTable(Json& json, std::string_view name, std::span<const Row> rows,
                Write write) {
  json.Key(name).Open('{');
  for (const Row& row : rows) {
    if (row.name.empty()) continue;
    json.Key(row.name).Open('{').Field("name", row.name);
    write(row);
    json.Close('}');
  }
  json.Close('}');
}

// The names of an enum that has no rows.
template <class Enum>
void WriteEnum(Json& json, std::string_view name, Enum last) {
  json.Key(name).Open('[');
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    json.Value(Name(static_cast<Enum>(i)));
  }
  json.Close(']');
}

void WriteMost(Json& json, size_t operands) {
  json.Key("mostOperands");
  operands == 0 ? json.Null() : json.Value(operands);
}

std::string_view KindName(DTypeKind kind) {
  switch (kind) {
    case DTypeKind::kBoolean:
      return "boolean";
    case DTypeKind::kSigned:
      return "signed";
    case DTypeKind::kUnsigned:
      return "unsigned";
    case DTypeKind::kFloat:
      return "float";
    case DTypeKind::kOpaque:
      return "opaque";
  }
  return "";
}

std::string_view PlacementName(Placement placement) {
  switch (placement) {
    case Placement::kRight:
      return "right";
    case Placement::kFromAxis:
      return "axis";
    case Placement::kMapped:
      return "mapping";
  }
  return "";
}

std::string_view ReferenceName(Reference reference) {
  switch (reference) {
    case Reference::kEveryone:
      return "everyone";
    case Reference::kFirst:
      return "first";
    case Reference::kTarget:
      return "target";
  }
  return "";
}

std::string_view ResultName(ResultType result) {
  switch (result) {
    case ResultType::kSameType:
      return "first";
    case ResultType::kBoolType:
      return "bool";
    case ResultType::kSecondType:
      return "second";
    case ResultType::kAttributeType:
      return "to";
  }
  return "";
}

void WriteAttribute(Json& json, OpAttribute attribute) {
  json.Key("attribute");
  switch (attribute) {
    case OpAttribute::kNoAttribute:
      json.Null();
      break;
    case OpAttribute::kFmod:
      json.Value(std::string_view("fmod"));
      break;
    case OpAttribute::kDirection:
      json.Value(std::string_view("direction"));
      break;
    case OpAttribute::kTo:
      json.Value(std::string_view("to"));
      break;
  }
}

// How many operands an operator tells apart: all those that follow are like the
// last one.
size_t DistinctOperands(const OpInfo& row) {
  return row.most_operands != 0 ? row.most_operands : row.least_operands;
}

void WriteTypes(Json& json, const OpInfo& row, bool fmod) {
  json.Open('[');
  for (size_t i = 0; i < DistinctOperands(row); ++i) {
    WriteNames(json, AllDTypes(), [&](const DTypeInfo& type) {
      return Accepts(row.op, i, type.dtype, fmod);
    });
  }
  json.Close(']');
}

void WriteOp(Json& json, const OpInfo& row) {
  json.Field("method", row.method).Field("leastOperands", row.least_operands);
  WriteMost(json, row.most_operands);
  WriteTypes(json.Key("types"), row, false);
  json.Key("fmodTypes");
  if (row.attribute == OpAttribute::kFmod) {
    WriteTypes(json, row, true);
  } else {
    json.Null();
  }
  json.Key("follows").Open('[');
  for (size_t i = 0; i < DistinctOperands(row); ++i)
    json.Value(TypeLeader(row.op, i).has_value());
  json.Close(']').Field("result", ResultName(row.result));
  json.Key("integersTo");
  const std::optional<DType> integers_to = PromotedIntegers(row.op);
  integers_to ? json.Value(Info(*integers_to).name) : json.Null();
  WriteAttribute(json, row.attribute);
  WriteNames(json.Key("rules"), AllRules(),
             [&](const RuleInfo& rule) { return Accepts(row.op, rule.rule); });
  json.Field("defaultRule", Info(DefaultRule(row.op)).name)
      .Field("notation", row.notation)
      .Field("doc", row.doc);
}

void WriteRule(Json& json, const RuleInfo& row) {
  const RuleTraits& traits = Traits(row.rule);
  json.Field("title", row.title)
      .Field("doc", row.doc)
      .Field("leastOperands", traits.least_operands);
  WriteMost(json, traits.most_operands);
  json.Field("placement", PlacementName(traits.placement))
      .Field("reference", ReferenceName(traits.reference))
      .Field("stretches", traits.stretches)
      .Field("takesAxis", traits.takes_axis)
      .Field("takesTarget", traits.takes_target)
      .Field("takesMapping", traits.takes_mapping)
      .Field("returnsEach", traits.returns_each)
      .Key("clauses")
      .Open('{')
      .Field("match", Info(traits.match).name)
      .Field("stretch", Info(traits.stretch).name)
      .Field("insert", Info(traits.insert).name)
      .Field("conflict", Info(traits.conflict).name)
      .Field("rank", Info(traits.rank).name)
      .Close('}');
}

// Everything that is known by name, as JSON of the package's type Vocabulary.
val VocabularyText() {
  Json json;
  const auto write_doc = [&](const auto& row) { json.Field("doc", row.doc); };
  json.Open('{');
  WriteTable(json, "dtypes", AllDTypes(), [&](const DTypeInfo& row) {
    json.Field("bits", static_cast<size_t>(row.bits))
        .Field("kind", KindName(row.kind))
        .Field("doc", row.doc);
  });
  WriteTable(json, "ops", AllOps(),
             [&](const OpInfo& row) { WriteOp(json, row); });
  WriteTable(json, "rules", AllRules(),
             [&](const RuleInfo& row) { WriteRule(json, row); });
  WriteTable(json, "errors", AllErrorClasses(), write_doc);
  WriteTable(json, "details", AllDetails(), write_doc);
  WriteTable(json, "documents", AllDocuments(),
             [&](const DocumentInfo& row) { json.Field("title", row.title); });
  WriteTable(json, "clauses", AllClauses(), [&](const ClauseInfo& row) {
    json.Field("document", Info(row.document).name)
        .Field("place", row.place)
        .Field("text", row.text);
  });
  WriteEnum(json, "relations", Relation::kConflict);
  WriteEnum(json, "repairs", RepairKind::kChangeRule);
  json.Field("mostAxisTried", kMostAxisTried);
  json.Close('}');
  return json.text();
}

// The SIMD target, and names by the enums' values, for reading and writing the
// blocks, as JSON.
val NamesText() {
  Json json;
  const auto write = [&](std::string_view name, const auto& rows) {
    WriteNames(json.Key(name), rows, [](const auto&) { return true; });
  };
  json.Open('{').Field("target", ActiveTarget());
  write("dtypes", AllDTypes());
  write("ops", AllOps());
  write("rules", AllRules());
  write("errors", AllErrorClasses());
  write("details", AllDetails());
  write("clauses", AllClauses());
  WriteEnum(json, "relations", Relation::kConflict);
  WriteNames(json.Key("returnEach"), AllRules(),
             [](const RuleInfo& row) { return Traits(row.rule).returns_each; });
  json.Key("calls").Open('[');
  for (const OpInfo& row : AllOps()) {
    json.Open('{').Field("method", row.method);
    WriteMost(json, row.most_operands);
    json.Field("defaultRule", Info(DefaultRule(row.op)).name).Close('}');
  }
  json.Close(']').Close('}');
  return json.text();
}

// --- About alignments -------------------------------------------------------

val ExplainVerdictText() {
  Request request;
  if (!request.Read()) return val::null();
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return val::null();
  return Sentence(
      [&](std::span<char> out) { return ExplainVerdict(*alignment, out); });
}

val ExplainAxisText(uint32_t axis) {
  Request request;
  if (!request.Read()) return val::null();
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return val::null();
  return Sentence(
      [&](std::span<char> out) { return ExplainAxis(*alignment, axis, out); });
}

// --- Texts ------------------------------------------------------------------

// The sentence for what is in the fault block.
val DescribeFault() {
  const Error error = Fault();
  return Sentence([&](std::span<char> out) { return Describe(error, out); });
}

// The index list of the request, as a shape.
val FormatShapeText() {
  Request request;
  if (!request.Read()) return val::null();
  return Sentence(
      [&](std::span<char> out) { return FormatShape(request.index, out); });
}

val FormatOperandText(int32_t operand) {
  return Sentence(
      [&](std::span<char> out) { return FormatOperand(operand, out); });
}

EMSCRIPTEN_BINDINGS(broadloom) {
  emscripten::function("vocabulary", &VocabularyText);
  emscripten::function("names", &NamesText);
  emscripten::function("explainVerdict", &ExplainVerdictText);
  emscripten::function("explainAxis", &ExplainAxisText);
  emscripten::function("describe", &DescribeFault);
  emscripten::function("formatShape", &FormatShapeText);
  emscripten::function("formatOperand", &FormatOperandText);
}

}  // namespace

// --- Plain functions --------------------------------------------------------
//
// Each returns a negative number, or null, after it has reported a fault.

extern "C" {

// In place of siprintf, by which embind would name a type that it has no name
// for: a function's, of which it knows all. It would bring the whole of printf.
int __wrap_siprintf(char* to, const char* /*format*/, ...) {
  *to = '\0';
  return 0;
}

void emscripten_notify_memory_growth(size_t memory);

// Emscripten's seam for more memory. While a view of the memory is lent out it
// must not move.
int emscripten_resize_heap(size_t bytes) {
  constexpr size_t kWasmPage = 65536;
  if (lent > 0) return 0;
  const size_t has = __builtin_wasm_memory_size(0);
  const size_t needs = bytes / kWasmPage + (bytes % kWasmPage != 0) - has;
  // Somewhat more than is asked for, where there is, since every view of the
  // memory is lost each time.
  for (const size_t pages : {needs + has / 8, needs}) {
    if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) continue;
    emscripten_notify_memory_growth(0);
    return 1;
  }
  return 0;
}

// While it is lent out, memory does not grow.
EMSCRIPTEN_KEEPALIVE void broadloom_lend(int32_t change) { lent += change; }

// Takes back every view of the memory that there is: they have no elements from
// now on.
EMSCRIPTEN_KEEPALIVE void broadloom_revoke() {
  __builtin_wasm_memory_grow(0, 0);
  emscripten_notify_memory_growth(0);
}

// Where requests are written: room for at least `words` of them.
EMSCRIPTEN_KEEPALIVE int64_t* broadloom_request(uint32_t words) {
  int64_t* block = request_words.Reserve(words);
  if (block == nullptr) ReportRefusal(uint64_t{words} * sizeof(int64_t));
  return block;
}

EMSCRIPTEN_KEEPALIVE int64_t* broadloom_answer() { return answer_words.data(); }
EMSCRIPTEN_KEEPALIVE int64_t* broadloom_fault() { return fault_words; }

// The seam that tests inject failures into: so many allocations succeed, then
// none; -1 lifts it.
EMSCRIPTEN_KEEPALIVE void broadloom_refuse_after(int32_t allocations) {
  allocations_left = allocations;
}

// Memory for elements, aligned to 64 bytes. `bytes` is a count that may be too
// large for this platform. Large pieces begin at different places of a page:
// where operands are read and results written at like places of theirs, a load
// waits for a store that has only the last 12 bits of its address in common.
EMSCRIPTEN_KEEPALIVE std::byte* broadloom_allocate(double bytes) {
  constexpr size_t kMost = SIZE_MAX - kPage - kAlignment + 1;
  if (bytes > static_cast<double>(kMost)) {
    Report({.error_class = ErrorClass::kLimit,
            .extent = bytes < 0x1p63 ? static_cast<int64_t>(bytes) : INT64_MAX,
            .other_extent = static_cast<int64_t>(kMost)});
    return nullptr;
  }
  const size_t size = bytes < 1 ? 1 : static_cast<size_t>(bytes);
  // The place of a piece is told by what lies before it.
  size_t skew = kAlignment;
  if (size >= kPage) skew += last_skew = (last_skew + kSkew) % kPage;
  auto* const memory = static_cast<std::byte*>(kAllocator.allocate(
      kAllocator.context, RoundUp(size) + skew, kAlignment));
  if (memory == nullptr) {
    ReportRefusal(static_cast<size_t>(bytes));
    return nullptr;
  }
  std::byte* const place = memory + skew;
  *SkewOf(place) = skew;
  return place;
}

EMSCRIPTEN_KEEPALIVE void broadloom_release(std::byte* place) {
  kAllocator.deallocate(kAllocator.context, place - *SkewOf(place), 0,
                        kAlignment);
}

// The result's shape: its rank is returned, its extents are the answer.
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

// Elements of the shape in the request's index, or its bytes where the result's
// dtype is given: the answer's one word.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_count() {
  Request request;
  if (!request.Read()) return -1;
  const Result<int64_t> count =
      request.result_dtype ? CountBytes(request.index, *request.result_dtype)
                           : CountElements(request.index);
  if (!count) {
    Report(count.error());
    return -1;
  }
  answer_words.data()[0] = *count;
  return 0;
}

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

// Integers in a text of UTF-8: how many there are is returned, the answer is
// each one, then where each begins and ends, in bytes.
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

// Makes a plan from the request. The answer: number of results, rank, the
// result's extents; dtype and bytes of each result; bytes of each operand. Of
// Broadcast with one result moreover the loops of the result: their number, and
// of each of them its extent and the operand's elements from one step to the
// next.
EMSCRIPTEN_KEEPALIVE Plan* broadloom_plan() {
  Request request;
  if (!request.Read()) return nullptr;
  Result<Plan> made =
      MakePlan(*request.op, request.shapes.view(), request.dtypes.view(),
               {.rule = request.rule,
                .axis = request.axis,
                .target_shape = request.target_shape,
                .axes_mapping = request.axes_mapping,
                .attributes = request.attributes},
               kAllocator);
  if (!made) {
    Report(made.error());
    return nullptr;
  }
  const size_t rank = made->output_shape().size();
  const bool moves = *request.op == Op::kBroadcast && made->output_count() == 1;
  const size_t loops = moves ? made->work().nest.loop_count() : 0;
  const size_t words =
      3 + rank + 2 * made->output_count() + made->operand_count() + 2 * loops;
  int64_t* answer = answer_words.Reserve(words);
  Plan* const plan = answer == nullptr ? nullptr : Keep(std::move(*made));
  if (plan == nullptr) {
    ReportRefusal(words * sizeof(int64_t) + sizeof(Plan));
    return nullptr;
  }
  *answer++ = static_cast<int64_t>(plan->output_count());
  *answer++ = static_cast<int64_t>(rank);
  for (int64_t extent : plan->output_shape()) *answer++ = extent;
  for (size_t i = 0; i < plan->output_count(); ++i) {
    *answer++ = static_cast<int64_t>(plan->output_dtype(i));
    *answer++ = static_cast<int64_t>(plan->output_bytes(i));
  }
  for (size_t i = 0; i < plan->operand_count(); ++i) {
    *answer++ = static_cast<int64_t>(plan->operand_bytes(i));
  }
  *answer++ = static_cast<int64_t>(loops);
  for (size_t loop = 0; loop < loops; ++loop) {
    *answer++ = plan->work().nest.extent(loop);
    *answer++ = plan->work().nest.stride(0, loop);
  }
  return plan;
}

EMSCRIPTEN_KEEPALIVE void broadloom_plan_release(Plan* plan) { Drop(plan); }

// Runs a plan, or the box of it that the request block begins with. The words
// that follow are address and bytes of each operand, then of each result.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_run(const Plan* plan, bool boxed) {
  const size_t operands = plan->operand_count();
  const size_t results = plan->output_count();
  InlineArray<TensorView, kInlineOperands> inputs;
  InlineArray<MutableTensorView, kInlineOperands> outputs;
  if (!inputs.Reset(operands, kAllocator) ||
      !outputs.Reset(results, kAllocator)) {
    ReportRefusal((operands + results) * sizeof(TensorView));
    return -1;
  }
  Box box;
  if (!box.Read(*plan, boxed)) return -1;
  const int64_t* word = request_words.data() + box.words();
  for (size_t i = 0; i < operands; ++i) {
    const uintptr_t data = static_cast<uintptr_t>(*word++);
    inputs[i] = {plan->dtype(i), plan->operand_shape(i),
                 reinterpret_cast<const void*>(data),
                 static_cast<size_t>(*word++)};
  }
  for (size_t i = 0; i < results; ++i) {
    const uintptr_t data = static_cast<uintptr_t>(*word++);
    outputs[i] = {plan->output_dtype(i), box.shape(*plan),
                  reinterpret_cast<void*>(data), static_cast<size_t>(*word++)};
  }
  const Status ran =
      boxed ? RunRegion(*plan, box.ranges(), inputs.view(), outputs.view(), {},
                        kAllocator)
            : Run(*plan, inputs.view(), outputs.view(), {}, kAllocator);
  if (ran) return 0;
  Report(ran.error());
  return -1;
}

// Of the arena, where nobody else puts anything there in between.
static std::byte* MemoryForPieces(size_t bytes, bool at_once) {
  return at_once && bytes <= sizeof arena
             ? arena
             : broadloom_allocate(static_cast<double>(bytes));
}

static void GiveBack(std::byte* memory) {
  if (memory != nullptr && memory != arena) broadloom_release(memory);
}

// Cuts a plan, or the box of it that the request block begins with, into tiles
// of at most `bytes` bytes. The plan has to outlive it. All that its tiles need
// is had here: nothing is refused any more when some have been run. The answer:
// number of tiles; elements and bytes of the result, or of its box; rank and
// extents of that; address of each operand's pieces, then of the result's.
EMSCRIPTEN_KEEPALIVE Tiles* broadloom_tiles(const Plan* plan, bool boxed,
                                            uint32_t bytes) {
  Box box;
  if (!box.Read(*plan, boxed)) return nullptr;
  const size_t operands = plan->operand_count();
  const size_t least = 2 * kAlignment * (operands + 1);
  const size_t most = least > bytes ? least : bytes;
  Result<Tiling> tiling =
      boxed ? Tiling::Make(*plan, box.ranges(), most, kAllocator)
            : Tiling::Make(*plan, most, kAllocator);
  if (!tiling) {
    Report(tiling.error());
    return nullptr;
  }
  const size_t needed = tiling->memory_bytes();
  std::byte* const memory = MemoryForPieces(needed, true);
  const ShapeView shape = box.shape(*plan);
  // Those of broadloom_tile, too.
  int64_t* answer = answer_words.Reserve(5 + shape.size() + 2 * operands);
  Tiles* const tiles =
      memory == nullptr || answer == nullptr
          ? nullptr
          : Keep(Tiles{plan, std::move(*tiling), {memory, needed}});
  if (tiles == nullptr) {
    GiveBack(memory);
    ReportRefusal(needed + sizeof(Tiles));
    return nullptr;
  }
  const auto address = [memory](size_t place) {
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory + place));
  };
  *answer++ = tiles->tiling.tile_count();
  // Those of the whole result could be counted.
  *answer++ = CountElements(shape).value_or(0);
  *answer++ = CountBytes(shape, plan->output_dtype()).value_or(0);
  *answer++ = static_cast<int64_t>(shape.size());
  for (const int64_t extent : shape) *answer++ = extent;
  for (size_t i = 0; i < operands; ++i) {
    *answer++ = address(tiles->tiling.place(i));
  }
  *answer++ = address(tiles->tiling.result_place());
  return tiles;
}

EMSCRIPTEN_KEEPALIVE void broadloom_tiles_release(Tiles* tiles) {
  GiveBack(tiles->memory.data());
  Drop(tiles);
}

// What a tile reads and computes. The answer: first byte and bytes of each
// operand's piece, then of the result's, and whether its first byte belongs to
// the tile before, too.
EMSCRIPTEN_KEEPALIVE void broadloom_tile(const Tiles* tiles, double tile) {
  const size_t operands = tiles->plan->operand_count();
  int64_t* answer = answer_words.data();
  const auto put = [&answer](const Piece& piece) {
    *answer++ = static_cast<int64_t>(piece.begin);
    *answer++ = static_cast<int64_t>(piece.bytes);
  };
  const int64_t index = static_cast<int64_t>(tile);
  for (size_t i = 0; i < operands; ++i) put(tiles->tiling.operand(index, i));
  put(tiles->tiling.result(index));
  *answer = tiles->tiling.shares_byte(index) ? 1 : 0;
}

// Runs a tile on the pieces that lie where broadloom_tiles said.
EMSCRIPTEN_KEEPALIVE void broadloom_run_tile(const Tiles* tiles, double tile) {
  // There is nothing to be wrong with: not with a tile that there is.
  (void)RunTile(*tiles->plan, tiles->tiling, static_cast<int64_t>(tile),
                tiles->memory);
}

// The common type of a set of types (bit i: the type of row i) and of scalars
// without a type, the widest of whose kinds is `weak`; -1: there is none.
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

// Begins the sum of a tensor to another shape; the request's operands are the
// tensor and what it is summed to, of one type. It takes at most `bytes` bytes,
// and nothing is refused any more when it has begun. Where the tensor lies in
// memory they are the arena's: nothing else may be run before it is done. The
// answer is that of AnswerPieces.
EMSCRIPTEN_KEEPALIVE Sums* broadloom_sum(uint32_t bytes, bool in_memory) {
  Request request;
  if (!request.Read()) return nullptr;
  Result<SumStream> stream = SumStream::Make(
      request.dtypes[0], request.shapes[0], request.shapes[1], bytes,
      {.rule = *request.rule,
       .axis = request.axis,
       .axes_mapping = request.axes_mapping},
      in_memory ? SumInput::kInMemory : SumInput::kBrought, kAllocator);
  if (!stream) {
    Report(stream.error());
    return nullptr;
  }
  const size_t needed = stream->memory_bytes();
  std::byte* const memory = MemoryForPieces(needed, in_memory);
  Sums* const sums = memory == nullptr
                         ? nullptr
                         : Keep(Sums{std::move(*stream), {memory, needed}});
  if (sums == nullptr) {
    GiveBack(memory);
    ReportRefusal(needed + sizeof(Sums));
    return nullptr;
  }
  AnswerPieces(*sums);
  return sums;
}

EMSCRIPTEN_KEEPALIVE void broadloom_sum_release(Sums* sums) {
  GiveBack(sums->memory.data());
  Drop(sums);
}

// Adds what was asked for: it was brought to where the answer said, or the
// tensor lies at `in`. The answer is that of AnswerPieces.
EMSCRIPTEN_KEEPALIVE void broadloom_sum_add(Sums* sums, const void* in) {
  // Nobody adds what was not asked for.
  (void)sums->stream.Add(sums->memory, in);
  AnswerPieces(*sums);
}

}  // extern "C"
