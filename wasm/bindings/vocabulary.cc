// The rows of the vocabulary as JSON.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/explain/repair.h"
#include "json.h"

namespace broadloom_wasm {

using namespace broadloom;

namespace {

// The names of the rows for which `passes` is true.
template <class Row, class Passes>
void WriteNames(Json& json, std::span<const Row> rows, Passes passes) {
  json.Open('[');
  for (const Row& row : rows) {
    if (passes(row)) json.Value(row.name);
  }
  json.Close(']');
}

// An object of rows by name, in their order. `write` adds the fields of a row
// besides its name. Rows without a name, which stand for none, are left out.
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

std::string_view DirectionName(ShiftDirection direction) {
  switch (direction) {
    case ShiftDirection::kLeft:
      return "left";
    case ShiftDirection::kRight:
      return "right";
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

// How many operands have types of their own: all that follow are like the last
// of these.
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
  json.Close(']');
  json.Key("promoted").Open('[');
  for (size_t i = 0; i < DistinctOperands(row); ++i)
    json.Value(IsPromoted(row.op, i));
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

}  // namespace

extern "C" {

// Everything known by name, as JSON of the package's type Vocabulary. Returns
// the length of the answer in bytes; negative after a fault, which is reported.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_vocabulary() {
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
  WriteEnum(json, "repairs", RepairKind::kSwapOperands);
  json.Field("mostAxisTried", kMostAxisTried);
  json.Close('}');
  return json.size();
}

// JSON of the package's type CoreNames: the SIMD target, lists of names in the
// order of their enumerators, and how operators are called. Returns as above.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_names() {
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
  json.Key("directions").Open('[');
  for (const ShiftDirection direction :
       {ShiftDirection::kLeft, ShiftDirection::kRight}) {
    json.Value(DirectionName(direction));
  }
  json.Close(']');
  WriteNames(json.Key("returnEach"), AllRules(),
             [](const RuleInfo& row) { return Traits(row.rule).returns_each; });
  json.Key("calls").Open('[');
  for (const OpInfo& row : AllOps()) {
    json.Open('{').Field("method", row.method);
    WriteMost(json, row.most_operands);
    json.Field("defaultRule", Info(DefaultRule(row.op)).name).Close('}');
  }
  json.Close(']').Close('}');
  return json.size();
}

}  // extern "C"

}  // namespace broadloom_wasm
