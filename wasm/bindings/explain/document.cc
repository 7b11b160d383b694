// The functions of the module that explains. Questions come as words, as the
// core's module takes them (request.h), or as a text in UTF-8; answers are
// JSON. Nothing is kept between calls but the memory of the last answer.

#include "broadloom/explain/document.h"

#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "broadloom/explain/comparison.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/explain/warning.h"
#include "fault.h"
#include "memory.h"
#include "request.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

// Of the last answer. Never destroyed: the module has no end.
[[clang::no_destroy]] Arena arena(kAllocator);
std::string_view answer;

// Keeps an answer and returns its bytes; -1 after a fault.
int32_t Answer(const Result<std::string_view>& text) {
  if (!text) {
    Report(text.error());
    return -1;
  }
  answer = *text;
  return static_cast<int32_t>(answer.size());
}

// The parts of a document.
enum Part : uint32_t {
  kAlignmentPart = 1,
  kCausePart = 2,
  kRepairsPart = 4,
  kCodePart = 8,
  kWarningsPart = 16,
  // Of a pasted text's question: that it is one, and its fields.
  kPasted = 32,
  kKeepsRule = 64,
  kWritesToTarget = 128,
  kWritesOperand = 256,
};

// The text of the next call.
InlineArray<char, 1> given_text;

std::string_view GivenText(uint32_t bytes) {
  return {given_text.data(), bytes};
}

// Texts that end with a zero each, of the first `bytes` of the given text.
bool ReadTexts(uint32_t bytes, InlineArray<std::string_view, 8>& texts) {
  const std::string_view all = GivenText(bytes);
  if (!texts.Reset(static_cast<size_t>(std::ranges::count(all, '\0')),
                   kAllocator)) {
    return false;
  }
  size_t begin = 0;
  for (std::string_view& text : texts) {
    const size_t end = all.find('\0', begin);
    text = all.substr(begin, end - begin);
    begin = end + 1;
  }
  return true;
}

// Shapes as words: of each its rank, or -1; whether its axes have names; and
// of each extent least, most, its name and the axis' name. Names are numbers of
// `texts` from 1 on; -1 as `most` is no upper end.
class SymbolicWords {
 public:
  SymbolicWords(ShapeView words, std::span<const std::string_view> texts)
      : words_(words), texts_(texts) {}

  SymbolicShape Take() {
    const int64_t rank = Next();
    const bool is_named = Next() != 0;
    if (rank < 0) return {.has_unknown_rank = true};
    const size_t count = static_cast<size_t>(rank);
    const std::span<SymbolicExtent> extents = arena.Make<SymbolicExtent>(count);
    const std::span<std::string_view> names =
        arena.Make<std::string_view>(count);
    if (arena.refused()) return {};
    for (size_t i = 0; i < count; ++i) {
      extents[i].least = Next();
      const int64_t most = Next();
      extents[i].most = most == -1 && extents[i].least >= 0 ? kUnbounded : most;
      extents[i].name = NextText();
      names[i] = NextText();
    }
    return {.extents = extents,
            .axis_names = is_named ? std::span<const std::string_view>(names)
                                   : std::span<const std::string_view>()};
  }

 private:
  int64_t Next() { return at_ < words_.size() ? words_[at_++] : 0; }

  std::string_view NextText() {
    const int64_t number = Next();
    if (number <= 0 || static_cast<size_t>(number) > texts_.size()) return {};
    return texts_[static_cast<size_t>(number) - 1];
  }

  ShapeView words_;
  std::span<const std::string_view> texts_;
  size_t at_ = 0;
};

// The values of operands as words: of each its kind; first and step; the number
// of integers and these; the number of reals and the bits of these.
class CodeWords {
 public:
  explicit CodeWords(ShapeView words) : words_(words) {}

  CodeValues Take() {
    CodeValues values;
    values.kind = static_cast<CodeValues::Kind>(Next());
    values.first = Next();
    values.step = Next();
    values.integers = List();
    const ShapeView bits = List();
    const std::span<double> reals = arena.Make<double>(bits.size());
    if (!reals.empty())
      std::memcpy(reals.data(), bits.data(), bits.size_bytes());
    values.reals = reals;
    return values;
  }

 private:
  int64_t Next() { return at_ < words_.size() ? words_[at_++] : 0; }

  ShapeView List() {
    const size_t count = static_cast<size_t>(Next());
    const ShapeView list = words_.subspan(at_, count);
    at_ += count;
    return list;
  }

  ShapeView words_;
  size_t at_ = 0;
};

// Reads a request and the texts that are given with it, and empties the arena
// for the answer. False: a fault was reported.
bool Begin(Request& request, uint32_t bytes,
           InlineArray<std::string_view, 8>& texts) {
  arena.Clear();
  if (!request.Read()) return false;
  if (ReadTexts(bytes, texts)) return true;
  ReportRefusal(bytes);
  return false;
}

}  // namespace

extern "C" {

// Room for a text, which JavaScript writes just before a call that reads it.
// Null: a fault was reported.
EMSCRIPTEN_KEEPALIVE char* broadloom_text(uint32_t bytes) {
  if (given_text.size() >= bytes ||
      given_text.ResetForOverwrite(bytes, kAllocator)) {
    return given_text.data();
  }
  ReportRefusal(bytes);
  return nullptr;
}

// The document of the request with these parts. The given text, of `bytes`
// bytes, has the names that the request's axis_names number from 1 on, then
// what the operands are called in code. `expect` has a bit for each kind of
// warning that is meant. Returns the bytes of the answer.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_document(uint32_t parts, uint32_t expect,
                                                uint32_t bytes) {
  Request request;
  InlineArray<std::string_view, 8> texts;
  if (!Begin(request, bytes, texts)) return -1;
  size_t named = 0;
  for (std::string_view& name : request.names) {
    int64_t number = 0;
    if (name.empty()) continue;
    std::memcpy(&number, name.data(), sizeof number);
    const size_t place = static_cast<size_t>(number);
    name = place <= texts.size() ? texts[place - 1] : std::string_view();
    named = std::min(std::max(named, place), texts.size());
  }
  WarningKind expected[32];
  size_t expected_count = 0;
  for (const WarningKind kind : AllWarningKinds()) {
    if ((expect >> static_cast<unsigned>(kind) & 1) != 0) {
      expected[expected_count++] = kind;
    }
  }
  const PastedQuestion pasted{
      .writes_to_target = (parts & kWritesToTarget) != 0,
      .writes_operand = (parts & kWritesOperand) != 0,
      .keeps_rule = (parts & kKeepsRule) != 0};
  return Answer(
      WriteDocument({.broadcast = request.broadcast(),
                     .op = request.op,
                     .expect = std::span(expected).first(expected_count),
                     .expressions = texts.view().subspan(named),
                     .pasted = (parts & kPasted) != 0 ? &pasted : nullptr,
                     .alignment = (parts & kAlignmentPart) != 0,
                     .cause = (parts & kCausePart) != 0,
                     .repairs = (parts & kRepairsPart) != 0,
                     .code = (parts & kCodePart) != 0,
                     .warnings = (parts & kWarningsPart) != 0},
                    arena));
}

// The operands of the request under every rule. Returns the bytes of the
// answer.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_compare() {
  arena.Clear();
  Request request;
  if (!request.Read()) return -1;
  return Answer(WriteComparison({.operands = request.shapes.view(),
                                 .dtype = request.result_dtype,
                                 .op = request.op},
                                arena));
}

// The document of a rule and shapes with unknown extents. `index` of the
// request has the shapes as words, the target last, if there is one; the given
// text, of `bytes` bytes, the names that they number. Returns the bytes of the
// answer.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_symbolic(uint32_t operands,
                                                bool has_target, bool by_name,
                                                uint32_t bytes) {
  Request request;
  InlineArray<std::string_view, 8> texts;
  if (!Begin(request, bytes, texts)) return -1;
  SymbolicWords words(request.index.value_or(ShapeView()), texts.view());
  const std::span<SymbolicShape> shapes = arena.Make<SymbolicShape>(operands);
  for (SymbolicShape& shape : shapes) shape = words.Take();
  std::optional<SymbolicShape> target;
  if (has_target) target = words.Take();
  if (arena.refused()) {
    ReportRefusal(operands * sizeof(SymbolicShape));
    return -1;
  }
  return Answer(WriteSymbolic({.rule = request.rule.value_or(Rule::kNumpy),
                               .operands = shapes,
                               .axis = request.axis,
                               .target_shape = target,
                               .axes_mapping = request.axes_mapping,
                               .by_name = by_name},
                              arena));
}

// The request as code for a system, a number of `systems` among the names. The
// request has the operator, its attributes and the operands' types; its `index`
// has the values (CodeWords), and the given text, of `bytes` bytes, what the
// operands are called. Returns the bytes of the answer.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_code(uint32_t system, uint32_t bytes) {
  Request request;
  InlineArray<std::string_view, 8> texts;
  if (!Begin(request, bytes, texts)) return -1;
  // The policy and the axes' names may refuse what the rule allows.
  const std::optional<Alignment> alignment = AlignRequest(request);
  if (!alignment) return -1;
  if (alignment->error()) {
    Report(*alignment->error());
    return -1;
  }
  const size_t count = request.shapes.size();
  const std::span<CodeOperand> operands = arena.Make<CodeOperand>(count);
  CodeWords words(request.index.value_or(ShapeView()));
  for (size_t i = 0; i < operands.size(); ++i) {
    operands[i] = {.name = i < texts.size() ? texts[i] : std::string_view(),
                   .shape = request.shapes[i],
                   .dtype = request.dtypes[i],
                   .values = words.Take()};
  }
  if (arena.refused()) {
    ReportRefusal(count * sizeof(CodeOperand));
    return -1;
  }
  return Answer(WriteCode({.rule = *request.rule,
                           .op = request.op.value_or(Op::kAdd),
                           .operands = operands,
                           .axis = request.axis,
                           .target_shape = request.target_shape,
                           .axes_mapping = request.axes_mapping,
                           .attributes = request.attributes},
                          static_cast<CodeSystem>(system), arena));
}

// The names of enumerators and systems. Returns the bytes of the answer.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_names() {
  arena.Clear();
  return Answer(WriteNames(arena));
}

// What the given text, of `bytes` bytes, is read as: an error text, or shapes.
// Returns the bytes of the answer.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_read(bool is_error_text,
                                            uint32_t bytes) {
  arena.Clear();
  const std::string_view text = GivenText(bytes);
  return Answer(is_error_text ? WritePasted(text, arena)
                              : WriteShapes(text, arena));
}

// Where the last answer is.
EMSCRIPTEN_KEEPALIVE const char* broadloom_answer_text() {
  return answer.data();
}

// For tests: so many allocations succeed, then none; -1 ends that.
EMSCRIPTEN_KEEPALIVE void broadloom_refuse_after(int32_t allocations) {
  allocations_left = allocations;
}

}  // extern "C"

}  // namespace broadloom_wasm
