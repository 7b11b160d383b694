#include "broadloom/explain/document.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/sentence.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/attributes.h"
#include "broadloom/explain.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/cause.h"
#include "broadloom/explain/code.h"
#include "broadloom/explain/link.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/repair.h"
#include "broadloom/explain/warning.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"
#include "code/operators.h"

namespace broadloom {
inline namespace v1 {

namespace {

constexpr size_t kMostExplained = 1024;

class DocumentWriter {
 public:
  DocumentWriter(const DocumentRequest& request, const Alignment& alignment,
                 Arena& arena)
      : asked_(request),
        request_(request.broadcast),
        alignment_(alignment),
        arena_(arena),
        text_(arena),
        json_(text_) {}

  Result<std::string_view> Write() {
    json_.Open('{').Field("version", 1);
    if (asked_.alignment) WriteAlignment();
    const Status status = WriteParts();
    if (!status) return std::unexpected(status.error());
    json_.Close('}');
    if (arena_.refused()) {
      return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
    }
    return text_.view();
  }

 private:
  Status WriteParts() {
    Status status;
    if (asked_.cause) status = WriteCause();
    if (status && asked_.repairs) status = WriteRepairs();
    if (status && asked_.warnings) status = WriteWarnings();
    if (status && !asked_.link_base.empty()) status = WriteItsLink();
    return status;
  }

  void WriteAlignment() {
    const bool fits = !alignment_.error();
    json_.Field("kind", "alignment").Field("rule", Info(request_.rule).name);
    WriteName("op", asked_.op ? Info(*asked_.op).name : std::string_view());
    json_.Key("operands").Open('[');
    for (size_t i = 0; i < request_.operands.size(); ++i) {
      Text name(arena_);
      name.Operand(static_cast<int32_t>(i));
      json_.Open('{').Field("name", name.view());
      json_.Key("shape").Extents(request_.operands[i]).Close('}');
    }
    json_.Close(']').Key("axis");
    request_.axis ? json_.Value(*request_.axis) : json_.Null();
    WriteList("targetShape", request_.target_shape);
    WriteList("axesMapping", request_.axes_mapping);
    json_.Field("fits", fits);
    WriteList("shape",
              fits ? std::optional(alignment_.output()) : std::nullopt);
    WriteAxes();
    WriteConflicts();
    json_.Field("growsBoth", alignment_.grows_both());
    json_.Field("verdict", Sentence(arena_, [&](std::span<char> out) {
                  return ExplainVerdict(alignment_, out);
                }));
    json_.Key("error");
    fits ? json_.Null() : WriteError(*alignment_.error());
  }

  void WriteAxes() {
    const size_t rank = alignment_.rank();
    const size_t operands = alignment_.operand_count();
    size_t cells = 0;
    if (OverflowsMultiply(rank, operands, cells)) cells = SIZE_MAX;
    const std::span<int64_t> strides = arena_.Make<int64_t>(cells);
    if (strides.size() < cells) return;
    for (size_t i = 0; i < operands; ++i) {
      const std::span<int64_t> own = strides.subspan(i * rank, rank);
      if (alignment_.Strides(i, own)) continue;
      for (int64_t& stride : own) stride = kAbsent;
    }
    json_.Key("axes").Open('[');
    for (size_t axis = 0; axis < rank && !arena_.refused(); ++axis) {
      const bool conflict = alignment_.conflicts(axis);
      json_.Open('{').Field("axis", axis).Key("extent");
      conflict ? json_.Null() : json_.Value(alignment_.output()[axis]);
      json_.Field("conflict", conflict).Key("cells").Open('[');
      for (size_t i = 0; i < operands; ++i) {
        WriteCell(alignment_.cell(i, axis), strides[i * rank + axis]);
      }
      json_.Close(']').Key("target");
      alignment_.has_target() ? WriteCell(alignment_.target_cell(axis), kAbsent)
                              : json_.Null();
      json_.Key("why");
      axis < kMostExplained ? json_.Value(Sentence(
                                  arena_,
                                  [&](std::span<char> out) {
                                    return ExplainAxis(alignment_, axis, out);
                                  }))
                            : json_.Null();
      json_.Close('}');
    }
    json_.Close(']');
  }

  Json& WriteCell(const AlignedCell& cell, int64_t stride) {
    json_.Open('{');
    WriteIndex("sourceAxis", cell.source_axis);
    json_.Field("relation", Name(cell.relation))
        .Field("clause", Info(cell.clause).name)
        .Field("extent", cell.extent);
    WriteIndex("stride", stride);
    return json_.Close('}');
  }

  void WriteConflicts() {
    json_.Key("conflicts").Open('[');
    for (const Conflict& conflict : alignment_.conflicts()) {
      json_.Open('{')
          .Field("axis", conflict.axis)
          .Field("operand", conflict.operand)
          .Field("otherOperand", conflict.other_operand)
          .Field("operandAxis", conflict.operand_axis)
          .Field("otherAxis", conflict.other_axis)
          .Field("extent", conflict.extent)
          .Field("otherExtent", conflict.other_extent)
          .Field("clause", Info(conflict.clause).name)
          .Close('}');
    }
    json_.Close(']');
  }

  Json& WriteError(const Error& error) {
    json_.Open('{').Field("code", Info(error.error_class).name);
    WriteName("detail", Info(error.detail).name);
    WriteName("rule", error.rule ? Info(*error.rule).name : std::string_view());
    WriteName("clause", Info(error.clause).name);
    WriteIndex("operand", error.operand);
    WriteIndex("otherOperand", error.other_operand);
    WriteIndex("axis", error.axis);
    WriteIndex("operandAxis", error.operand_axis);
    WriteIndex("otherAxis", error.other_axis);
    return json_.Field("extent", error.extent)
        .Field("otherExtent", error.other_extent)
        .Field("message", Sentence(arena_,
                                   [&](std::span<char> out) {
                                     return Describe(error, out);
                                   }))
        .Close('}');
  }

  Status WriteCause() {
    const Result<std::optional<Cause>> cause = FindCause(request_, arena_);
    if (!cause) return std::unexpected(cause.error());
    json_.Key("cause");
    if (!*cause) {
      json_.Null();
      return {};
    }
    json_.Open('{').Field("kind", Name((*cause)->kind));
    WriteIndex("operand", (*cause)->operand);
    WriteIndex("axis", (*cause)->axis);
    json_.Field("isThin", (*cause)->is_thin)
        .Field("text", (*cause)->text)
        .Close('}');
    return {};
  }

  Status WriteRepairs() {
    const Result<std::span<const Repair>> repairs =
        FindRepairs(request_, arena_);
    if (!repairs) return std::unexpected(repairs.error());
    json_.Key("repairs").Open('[');
    if (asked_.pasted == nullptr) {
      for (const Repair& repair : *repairs) {
        if (const Status status = WriteRepair({&repair}); !status) {
          return status;
        }
      }
    } else {
      for (const UsefulRepair& useful :
           UsefulRepairs(*asked_.pasted, request_.rule, *repairs, arena_)) {
        if (const Status status = WriteRepair(useful); !status) return status;
      }
    }
    json_.Close(']');
    return {};
  }

  Status WriteRepair(const UsefulRepair& useful) {
    const Repair& repair = *useful.repair;
    const RuleTraits& traits = Traits(repair.rule);
    const bool is_rule = repair.kind == RepairKind::kChangeRule;
    const bool reshapes = !is_rule && repair.kind != RepairKind::kSwapOperands;
    json_.Open('{').Field("kind", Name(repair.kind));
    WriteIndex("operand", reshapes ? repair.operand : kAbsent);
    WriteList("shape", Optional(reshapes, repair.shape));
    json_.Key("axes").Extents(repair.axes);
    json_.Field("rule", Info(repair.rule).name);
    WriteIndex("axis", is_rule && traits.takes_axis ? repair.axis : kAbsent);
    WriteList("axesMapping",
              Optional(is_rule && traits.takes_mapping, repair.axes_mapping));
    json_.Field("grade", Name(repair.grade)).Field("meaning", repair.meaning);
    json_.Field("needsNewArray", useful.needs_new_array);
    if (asked_.code) {
      if (const Status status = WriteCode(useful); !status) return status;
    }
    json_.Key("result").Extents(repair.result).Close('}');
    return {};
  }

  Status WriteCode(const UsefulRepair& useful) {
    json_.Key("code").Open('{');
    for (const CodeSystemInfo& row : AllCodeSystems()) {
      if (useful.needs_new_array) {
        WriteName(row.id, {});
        continue;
      }
      const Result<std::string_view> line = RepairCode(
          request_, *useful.repair, asked_.expressions, row.system, arena_);
      const bool refused =
          !line && line.error().error_class == ErrorClass::kAllocation;
      if (refused) return std::unexpected(line.error());
      // A repair is one whether or not it can be written as code.
      WriteName(row.id, line ? *line : std::string_view());
    }
    json_.Close('}');
    return {};
  }

  Status WriteWarnings() {
    const Result<std::span<const Warning>> warnings = FindWarnings(
        {.broadcast = request_, .op = asked_.op, .expect = asked_.expect},
        arena_);
    if (!warnings) return std::unexpected(warnings.error());
    json_.Key("warnings").Open('[');
    for (const Warning& warning : *warnings) {
      json_.Open('{').Field("kind", Name(warning.kind)).Key("axes").Open('[');
      for (const int32_t axis : warning.axes) json_.Value(axis);
      json_.Close(']').Field("message", warning.message);
      json_.Key("systems").Words(warning.systems).Close('}');
    }
    json_.Close(']');
    return {};
  }

  Status WriteItsLink() {
    const Result<Link> link = WriteLink({.base = asked_.link_base,
                                         .broadcast = request_,
                                         .op = asked_.op,
                                         .expect = asked_.expect},
                                        arena_);
    if (!link) return std::unexpected(link.error());
    WriteName("link", link->address);
    WriteName("whyNoLink", link->reason);
    return {};
  }

  static std::optional<ShapeView> Optional(bool given, ShapeView list) {
    return given ? std::optional(list) : std::nullopt;
  }

  void WriteList(std::string_view name, std::optional<ShapeView> list) {
    json_.Key(name);
    list ? json_.Extents(*list) : json_.Null();
  }

  void WriteIndex(std::string_view name, int64_t index) {
    json_.Key(name);
    index == kAbsent ? json_.Null() : json_.Value(index);
  }

  void WriteName(std::string_view name, std::string_view value) {
    json_.Key(name);
    value.empty() ? json_.Null() : json_.Value(value);
  }

  const DocumentRequest& asked_;
  const BroadcastRequest& request_;
  const Alignment& alignment_;
  Arena& arena_;
  Text text_;
  Json json_;
};

}  // namespace

Result<std::string_view> WriteDocument(const DocumentRequest& request,
                                       Arena& arena) noexcept {
  const Result<Alignment> alignment =
      Align(request.broadcast, arena.allocator());
  if (!alignment) return std::unexpected(alignment.error());
  return DocumentWriter(request, *alignment, arena).Write();
}

Result<std::string_view> WriteCode(const CodeQuestion& question,
                                   CodeSystem system, Arena& arena) noexcept {
  const Result<QuestionText> code = QuestionCode(question, system, arena);
  if (!code) return std::unexpected(code.error());
  Text text(arena);
  Json json(text);
  const bool is_written = code->reason.empty();
  json.Open('{').Key("text");
  is_written ? json.Value(code->text) : json.Null();
  json.Key("reason");
  is_written ? json.Null() : json.Value(code->reason);
  json.Close('}');
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  return text.view();
}

Result<std::string_view> WriteNames(Arena& arena) noexcept {
  Text text(arena);
  Json json(text);
  const auto write = [&]<class Enum>(std::string_view key, Enum last) {
    json.Key(key).Open('[');
    for (int i = 0; i <= static_cast<int>(last); ++i) {
      json.Value(Name(static_cast<Enum>(i)));
    }
    json.Close(']');
  };
  json.Open('{');
  write("grades", Grade::kOnlyIfMeant);
  write("causes", CauseKind::kTooLarge);
  json.Key("warnings").Open('[');
  for (const WarningKind kind : AllWarningKinds()) json.Value(Name(kind));
  json.Close(']').Key("systems").Open('[');
  for (const CodeSystemInfo& row : AllCodeSystems()) {
    json.Open('{').Field("name", row.id).Field("title", row.title).Close('}');
  }
  json.Close(']').Field("mostListed", kMostListed).Key("layers").Open('[');
  for (const LayerMeaning& layer : LayerMeanings(arena)) {
    json.Open('{').Field("type", layer.type).Field("op", Info(layer.op).name);
    json.Key("fmod");
    layer.attributes.fmod ? json.Value(*layer.attributes.fmod) : json.Null();
    json.Key("direction");
    layer.attributes.direction
        ? json.Value(*layer.attributes.direction == ShiftDirection::kRight
                         ? "right"
                         : "left")
        : json.Null();
    json.Close('}');
  }
  json.Close(']').Key("precisions").Open('[');
  for (const DTypeInfo& row : AllDTypes()) {
    const std::string_view precision =
        NameOf(row.dtype, TypeColumn::kPrecision);
    if (precision.empty()) continue;
    json.Open('{').Field("precision", precision).Field("dtype", row.name);
    json.Close('}');
  }
  json.Close(']').Close('}');
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  return text.view();
}

}  // namespace v1
}  // namespace broadloom
