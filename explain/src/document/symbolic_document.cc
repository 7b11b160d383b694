// The answer for shapes with unknown extents, as JSON.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>

#include "base/json.h"
#include "base/text.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/document.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"
#include "symbols/write.h"

namespace broadloom {
inline namespace v1 {

namespace {

struct Class {
  ErrorClass error_class;
  Detail detail = Detail::kNoDetail;
};

Class ClassOf(const SymbolicFault& fault) {
  switch (fault.kind) {
    case SymbolicFaultKind::kRequest:
      return {fault.error->error_class, fault.error->detail};
    case SymbolicFaultKind::kNegative:
      return {ErrorClass::kExtent, Detail::kNegative};
    case SymbolicFaultKind::kContradiction:
    case SymbolicFaultKind::kTwoRanges:
    case SymbolicFaultKind::kLongName:
      return {ErrorClass::kExtent};
    case SymbolicFaultKind::kTooManyExtents:
      return {ErrorClass::kLimit};
    case SymbolicFaultKind::kTooManyOperands:
      return {ErrorClass::kArity};
    case SymbolicFaultKind::kUnnamedAxis:
    case SymbolicFaultKind::kSameName:
    case SymbolicFaultKind::kNameCount:
      return {ErrorClass::kAttribute};
    case SymbolicFaultKind::kAllocation:
      break;
  }
  return {ErrorClass::kAllocation};
}

void WriteIndex(Json& json, std::string_view name, int32_t index) {
  json.Key(name);
  index == kAbsent ? json.Null() : json.Value(index);
}

void WriteQuestion(Json& json, const SymbolicRequest& request, Arena& arena) {
  json.Field("rule", Info(request.rule).name).Field("byName", request.by_name);
  json.Key("operands").Open('[');
  for (size_t i = 0; i < request.operands.size(); ++i) {
    Text name(arena);
    name.Operand(static_cast<int32_t>(i));
    json.Open('{').Field("name", name.view());
    json.Field("shape", FormatShape(request.operands[i], arena)).Close('}');
  }
  json.Close(']').Key("axis");
  request.axis ? json.Value(*request.axis) : json.Null();
  json.Key("targetShape");
  request.target_shape ? json.Value(FormatShape(*request.target_shape, arena))
                       : json.Null();
  json.Key("axesMapping");
  request.axes_mapping ? json.Extents(*request.axes_mapping) : json.Null();
}

void WriteFault(Json& json, const SymbolicFault& fault, Arena& arena) {
  const auto [error_class, detail] = ClassOf(fault);
  const bool is_core = fault.kind == SymbolicFaultKind::kRequest;
  json.Key("fault").Open('{').Field("code", Info(error_class).name);
  json.Key("detail");
  detail == Detail::kNoDetail ? json.Null() : json.Value(Info(detail).name);
  WriteIndex(json, "operand", is_core ? fault.error->operand : fault.operand);
  WriteIndex(json, "axis",
             is_core ? fault.error->operand_axis : fault.operand_axis);
  json.Field("message", Describe(fault, arena)).Close('}');
  json.Key("fit").Null();
  json.Key("symbols").Open('[').Close(']');
  json.Key("cases").Open('[').Close(']');
}

}  // namespace

Result<std::string_view> WriteSymbolic(const SymbolicRequest& request,
                                       Arena& arena) noexcept {
  const std::expected<SymbolicAlignment, SymbolicFault> alignment =
      AlignSymbolic(request, arena);
  Text text(arena);
  Json json(text);
  json.Open('{').Field("version", 1).Field("kind", "symbolic");
  WriteQuestion(json, request, arena);
  if (alignment) {
    json.Key("fault").Null();
    WriteSymbolicFields(json, *alignment, true, arena);
  } else {
    WriteFault(json, alignment.error(), arena);
  }
  json.Close('}');
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  return text.view();
}

}  // namespace v1
}  // namespace broadloom
