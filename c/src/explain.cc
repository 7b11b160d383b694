// Sentences about alignments, and documents.

#include <cstddef>
#include <cstring>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "alignment.h"
#include "arguments.h"
#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/document.h"
#include "broadloom/explain/warning.h"
#include "error.h"
#include "handle.h"
#include "owned_text.h"
#include "request.h"
#include "sized.h"
#include "text.h"

namespace broadloom_c {
namespace {

constexpr uint32_t kEveryPart = BL_PART_ALIGNMENT | BL_PART_CAUSE |
                                BL_PART_REPAIRS | BL_PART_CODE |
                                BL_PART_WARNINGS;

CStatus ReadParts(const bl_explain_options& given, DocumentRequest& request) {
  if ((given.parts & ~kEveryPart) != 0) {
    return Failed(Fault{.detail = BL_DETAIL_FLAGS,
                        .argument = "options->parts",
                        .value = given.parts & ~kEveryPart});
  }
  if (given.reserved != 0) {
    return Failed(Fault{.detail = BL_DETAIL_NEWER, .argument = "options"});
  }
  const uint32_t parts = given.parts == 0 ? kEveryPart : given.parts;
  request.alignment = (parts & BL_PART_ALIGNMENT) != 0;
  request.cause = (parts & BL_PART_CAUSE) != 0;
  request.repairs = (parts & BL_PART_REPAIRS) != 0;
  request.code = (parts & BL_PART_CODE) != 0;
  request.warnings = (parts & BL_PART_WARNINGS) != 0;
  return {};
}

CStatus ReadExpected(const bl_explain_options& given, Arena& arena,
                     DocumentRequest& request) {
  const auto names = ReadArray(given.expect, given.expect_count,
                               "options->expect", "options->expect_count");
  if (!names) return Failed(names.error());
  const std::span<WarningKind> kinds = arena.Make<WarningKind>(names->size());
  for (size_t i = 0; i < kinds.size(); ++i) {
    const char* const name = (*names)[i];
    const int32_t index = static_cast<int32_t>(i);
    if (name == nullptr) return FailedNull("options->expect[]", index);
    const std::optional<WarningKind> kind = FindWarningKind(name);
    if (!kind) {
      return Failed(Fault{.detail = BL_DETAIL_NAME,
                          .argument = "options->expect[]",
                          .operand = index});
    }
    kinds[i] = *kind;
  }
  request.expect = kinds;
  return {};
}

CStatus ReadExpressions(const bl_explain_options& given, Arena& arena,
                        DocumentRequest& request) {
  const auto given_texts =
      ReadArray(given.expressions, given.expression_count,
                "options->expressions", "options->expression_count");
  if (!given_texts) return Failed(given_texts.error());
  // Without expressions the operands are called A, B, ...
  const size_t operands = request.broadcast.operands.size();
  if (!given_texts->empty() && given_texts->size() != operands) {
    return Failed(Fault{.detail = BL_DETAIL_CAPACITY,
                        .argument = "options->expression_count",
                        .value = BitsOfUnsigned(given_texts->size()),
                        .needed = BitsOfUnsigned(operands)});
  }
  const std::span<std::string_view> texts =
      arena.Make<std::string_view>(given_texts->size());
  for (size_t i = 0; i < texts.size(); ++i) {
    const char* const text = (*given_texts)[i];
    if (text != nullptr) texts[i] = text;
  }
  request.expressions = texts;
  return {};
}

CResult<bl_text*> MakeDocument(const bl_request* given,
                               const bl_explain_options* given_options) {
  Request request;
  CStatus status = request.Read(given, Request::Use::kShapes);
  if (!status) return Failed(status.error());
  const CResult<bl_explain_options> options =
      ReadOptions(given_options, "options", "options->size");
  if (!options) return Failed(options.error());

  Arena arena(request.allocator());
  DocumentRequest asked{.broadcast = request.broadcast(), .op = request.op()};
  status = ReadParts(*options, asked);
  if (status) status = ReadExpected(*options, arena, asked);
  if (status) status = ReadExpressions(*options, arena, asked);
  if (!status) return Failed(status.error());
  if (arena.refused()) {
    return Failed(Error{.error_class = ErrorClass::kAllocation});
  }
  if (options->link_base != nullptr) asked.link_base = options->link_base;
  const Result<std::string_view> document = WriteDocument(asked, arena);
  if (!document) return Failed(document.error());
  return MakeText(*document, request.allocator());
}

}  // namespace
}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

size_t bl_explain_verdict(const bl_alignment* alignment, char* out,
                          size_t capacity) {
  return WriteText(out, capacity, [&](std::span<char> room) -> size_t {
    if (alignment == nullptr) return 0;
    return ExplainVerdict(alignment->alignment, room);
  });
}

size_t bl_explain_axis(const bl_alignment* alignment, size_t axis, char* out,
                       size_t capacity) {
  return WriteText(out, capacity, [&](std::span<char> room) -> size_t {
    if (alignment == nullptr) return 0;
    return ExplainAxis(alignment->alignment, axis, room);
  });
}

bl_error_class bl_explain(const bl_request* request,
                          const bl_explain_options* options, bl_text** document,
                          bl_error* error) {
  return Give(document, "document", error,
              [&] { return MakeDocument(request, options); });
}

}  // extern "C"
