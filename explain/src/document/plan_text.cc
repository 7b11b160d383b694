#include "broadloom/explain/plan_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/json_reader.h"
#include "base/list.h"
#include "base/text.h"
#include "base/utf8.h"
#include "broadloom/attributes.h"
#include "broadloom/explain/arena.h"
#include "broadloom/operator.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr std::string_view kLeft = "left";
constexpr std::string_view kRight = "right";

// What a policy can refuse, in the order in which it is written.
struct Refusal {
  Detail name;
  bool Policy::* field;
  bool refuses;  // the field's value that refuses it
};
constexpr Refusal kRefusals[] = {
    {Detail::kRankPromotion, &Policy::inserts, false},
    {Detail::kStretching, &Policy::stretches, false},
    {Detail::kAxisNames, &Policy::same_names, true}};

// --- Writing ----------------------------------------------------------------

// Errors: kUnknown, kParse.
Status CheckWritable(const PlanRequest& request) {
  const ApplyOptions& options = request.options;
  const auto unknown = [](Detail detail) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kUnknown, .detail = detail});
  };
  if (!IsKnown(request.op)) return unknown(Detail::kOp);
  if (options.rule && !IsKnown(*options.rule)) return unknown(Detail::kRule);
  const auto is_known = [](DType dtype) { return IsKnown(dtype); };
  if (!std::ranges::all_of(request.dtypes, is_known) ||
      (options.attributes.to && !is_known(*options.attributes.to))) {
    return unknown(Detail::kDTypeName);
  }
  const auto direction = options.attributes.direction;
  if (direction && *direction != ShiftDirection::kLeft &&
      *direction != ShiftDirection::kRight) {
    return unknown(Detail::kOutOfRange);
  }
  for (size_t i = 0; i < options.axis_names.size(); ++i) {
    for (size_t axis = 0; axis < options.axis_names[i].size(); ++axis) {
      if (IsUtf8(options.axis_names[i][axis])) continue;
      return std::unexpected(Error{.error_class = ErrorClass::kParse,
                                   .detail = Detail::kBadToken,
                                   .operand = static_cast<int32_t>(i),
                                   .operand_axis = static_cast<int32_t>(axis)});
    }
  }
  return {};
}

void WriteOptions(Json& json, const ApplyOptions& options) {
  if (options.axis) json.Field("axis", *options.axis);
  if (options.target_shape) {
    json.Key("target_shape").Extents(*options.target_shape);
  }
  if (options.axes_mapping) {
    json.Key("axes_mapping").Extents(*options.axes_mapping);
  }
  if (options.policy != Policy{}) {
    json.Key("policy").Open('[');
    for (const Refusal& it : kRefusals) {
      if (options.policy.*it.field == it.refuses)
        json.Value(Info(it.name).name);
    }
    json.Close(']');
  }
  if (!options.axis_names.empty()) {
    json.Key("axis_names").Open('[');
    for (const std::span<const std::string_view> names : options.axis_names) {
      json.Open('[');
      for (const std::string_view name : names) json.Value(name);
      json.Close(']');
    }
    json.Close(']');
  }
  const OpAttributes& attributes = options.attributes;
  if (attributes.fmod) json.Field("fmod", *attributes.fmod);
  if (attributes.direction) {
    const bool right = *attributes.direction == ShiftDirection::kRight;
    json.Field("direction", right ? kRight : kLeft);
  }
  if (attributes.to) json.Field("to", Info(*attributes.to).name);
  if (attributes.saturate) json.Field("saturate", *attributes.saturate);
}

// --- Reading ----------------------------------------------------------------

enum Member : uint8_t {
  kVersion,
  kOp,
  kRule,
  kShapes,
  kTypes,
  kAxis,
  kTarget,
  kMapping,
  kPolicy,
  kNames,
  kFmod,
  kDirection,
  kTo,
  kSaturate,
  kMembers
};
constexpr std::string_view kMemberNames[kMembers] = {
    "broadloom_plan", "op",           "rule",         "shapes",  "types",
    "axis",           "target_shape", "axes_mapping", "policy",  "axis_names",
    "fmod",           "direction",    "to",           "saturate"};
constexpr size_t kRequired = kTypes + 1;  // so many members come first

class Reader {
 public:
  Reader(std::string_view text, Arena& arena)
      : arena_(arena),
        json_(text, arena),
        extents_(arena),
        shape_ends_(arena),
        types_(arena),
        target_(arena),
        mapping_(arena),
        names_(arena),
        names_ends_(arena) {}

  Result<ReadPlanText> Read() {
    ReadPlanText read;
    if (ReadObject()) {
      read.request = request_;
      read.request.options = options_;
      TakeLists(read.request);
    } else {
      Text reason(arena_);
      reason << "Byte " << json_.fault_at() << ": " << json_.fault() << '.';
      read.reason = reason.view();
      read.at = json_.fault_at();
    }
    if (arena_.refused()) {
      return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
    }
    return read;
  }

 private:
  // Sets a fault with what was found, as a string of JSON, shortened.
  bool Fail(size_t at, std::string_view before, std::string_view found,
            std::string_view after) {
    if (json_.failed()) return false;
    constexpr size_t kMost = 40;
    size_t shown = 0;
    while (shown < found.size() && shown < kMost) {
      shown += CharacterBytes(found.substr(shown));
    }
    Text start(arena_);
    start << found.substr(0, shown) << (shown < found.size() ? "..." : "");
    Text text(arena_);
    text << before;
    Json(text).Value(start.view());
    text << after;
    return json_.Fail(at, text.empty() ? "memory was refused" : text.view());
  }

  bool ReadObject() {
    if (!json_.Take('{', "the plan has to be an object, {...}")) return false;
    uint32_t seen = 0;
    for (bool more = !json_.TakeIf('}'); more; more = json_.Next('}')) {
      const size_t at = json_.Here();
      std::string_view name;
      if (!json_.String(name)) return false;
      const auto* const found = std::ranges::find(kMemberNames, name);
      if (found == std::end(kMemberNames)) {
        return Fail(at, "a plan has no member ", name, "");
      }
      const size_t member = static_cast<size_t>(found - kMemberNames);
      if ((seen >> member & 1) != 0) {
        return Fail(at, "the member ", name, " is there twice");
      }
      seen |= uint32_t{1} << member;
      if (!json_.Take(':', "a colon and a value have to follow the name") ||
          !ReadMember(static_cast<Member>(member))) {
        return false;
      }
    }
    const size_t end = json_.Here();
    if (!json_.End()) return false;
    for (size_t member = 0; member < kRequired; ++member) {
      if ((seen >> member & 1) == 0) {
        return Fail(end, "the member ", kMemberNames[member], " is missing");
      }
    }
    return true;
  }

  bool ReadMember(Member member) {
    const size_t at = json_.Here();
    switch (member) {
      case kVersion:
        return ReadVersion(at);
      case kOp:
        return ReadName(FindOp, "operator", request_.op);
      case kRule:
        return ReadName(FindRule, "rule", options_.rule);
      case kShapes:
        return ReadShapes();
      case kTypes:
        return ReadTypes();
      case kAxis:
        return ReadInteger(options_.axis);
      case kTarget:
        options_.target_shape = ShapeView();
        return ReadIntegers(target_);
      case kMapping:
        options_.axes_mapping = ShapeView();
        return ReadIntegers(mapping_);
      case kPolicy:
        return ReadPolicy(at);
      case kNames:
        return ReadNames(at);
      case kFmod:
        return ReadInteger(options_.attributes.fmod);
      case kDirection:
        return ReadDirection(at);
      case kTo:
        return ReadName(FindDType, "element type", options_.attributes.to);
      case kSaturate:
        return ReadInteger(options_.attributes.saturate);
      case kMembers:
        break;
    }
    return false;
  }

  bool ReadVersion(size_t at) {
    int64_t version = 0;
    if (!json_.Integer(version)) return false;
    if (version == kPlanTextVersion) return true;
    Text text(arena_);
    text << "version " << version
         << " is not known here; this library reads version "
         << kPlanTextVersion;
    return json_.Fail(at, text.empty() ? "memory was refused" : text.view());
  }

  // Reads a name that find(name) knows.
  template <class Find, class Value>
  bool ReadName(Find find, std::string_view what, Value& value) {
    const size_t at = json_.Here();
    std::string_view name;
    if (!json_.String(name)) return false;
    if (const auto found = find(name)) {
      value = *found;
      return true;
    }
    Text before(arena_);
    before << "there is no " << what << ' ';
    return Fail(at, before.view(), name, "");
  }

  bool ReadInteger(std::optional<int64_t>& value) {
    int64_t integer = 0;
    if (!json_.Integer(integer)) return false;
    value = integer;
    return true;
  }

  // Calls read() for each entry of a list.
  template <class ReadEntry>
  bool ReadList(ReadEntry read) {
    if (!json_.Take('[', "a list has to be here, [...]")) return false;
    for (bool more = !json_.TakeIf(']'); more; more = json_.Next(']')) {
      if (!read()) return false;
    }
    return !json_.failed();
  }

  bool ReadIntegers(List<int64_t>& values) {
    return ReadList([&] {
      int64_t value = 0;
      if (!json_.Integer(value)) return false;
      values.Push(value);
      return true;
    });
  }

  bool ReadShapes() {
    return ReadList([this] {
      if (!ReadIntegers(extents_)) return false;
      shape_ends_.Push(extents_.size());
      return true;
    });
  }

  bool ReadTypes() {
    return ReadList([this] {
      DType dtype = DType::kBool;
      if (!ReadName(FindDType, "element type", dtype)) return false;
      types_.Push(dtype);
      return true;
    });
  }

  bool ReadPolicy(size_t at) {
    const bool read = ReadList([this] {
      const size_t here = json_.Here();
      std::string_view name;
      if (!json_.String(name)) return false;
      for (const Refusal& it : kRefusals) {
        if (Info(it.name).name != name) continue;
        if (options_.policy.*it.field == it.refuses) {
          return Fail(here, "", name, " is there twice");
        }
        options_.policy.*it.field = it.refuses;
        return true;
      }
      return Fail(here, "there is no policy ", name, "");
    });
    if (!read) return false;
    return options_.policy != Policy{} ||
           json_.Fail(at, "a policy has to refuse something, or be left out");
  }

  bool ReadNames(size_t at) {
    const bool read = ReadList([this] {
      const bool of_one = ReadList([this] {
        std::string_view name;
        if (!json_.String(name)) return false;
        names_.Push(name);
        return true;
      });
      names_ends_.Push(names_.size());
      return of_one;
    });
    if (!read) return false;
    return !names_ends_.empty() ||
           json_.Fail(at, "axis_names have to have a list, or be left out");
  }

  bool ReadDirection(size_t at) {
    std::string_view name;
    if (!json_.String(name)) return false;
    if (name != kLeft && name != kRight) {
      return json_.Fail(at, "the direction has to be \"left\" or \"right\"");
    }
    options_.attributes.direction =
        name == kLeft ? ShiftDirection::kLeft : ShiftDirection::kRight;
    return true;
  }

  // The parts of a list that end at `ends`.
  template <class T>
  std::span<const std::span<const T>> Divide(const List<T>& whole,
                                             const List<size_t>& ends) {
    const std::span<std::span<const T>> parts =
        arena_.Make<std::span<const T>>(ends.size());
    size_t begin = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      parts[i] = whole.view().subspan(begin, ends[i] - begin);
      begin = ends[i];
    }
    return parts;
  }

  void TakeLists(PlanRequest& request) {
    // What was dropped when memory was refused is not there.
    if (arena_.refused()) return;
    request.shapes = Divide(extents_, shape_ends_);
    request.dtypes = types_.view();
    request.options.axis_names = Divide(names_, names_ends_);
    if (request.options.target_shape) {
      request.options.target_shape = target_.view();
    }
    if (request.options.axes_mapping) {
      request.options.axes_mapping = mapping_.view();
    }
  }

  Arena& arena_;
  JsonReader json_;
  PlanRequest request_;
  ApplyOptions options_;
  // The extents of all shapes, and where each shape ends; likewise the names.
  List<int64_t> extents_;
  List<size_t> shape_ends_;
  List<DType> types_;
  List<int64_t> target_;
  List<int64_t> mapping_;
  List<std::string_view> names_;
  List<size_t> names_ends_;
};

}  // namespace

Result<std::string_view> WritePlan(const PlanRequest& request,
                                   Arena& arena) noexcept {
  if (Status checked = CheckWritable(request); !checked) {
    return std::unexpected(checked.error());
  }
  Text text(arena);
  Json json(text);
  const Rule rule = request.options.rule.value_or(DefaultRule(request.op));
  json.Open('{')
      .Field(kMemberNames[kVersion], kPlanTextVersion)
      .Field("op", Info(request.op).name)
      .Field("rule", Info(rule).name)
      .Key("shapes")
      .Open('[');
  for (const ShapeView shape : request.shapes) json.Extents(shape);
  json.Close(']').Key("types").Open('[');
  for (const DType dtype : request.dtypes) json.Value(Info(dtype).name);
  json.Close(']');
  WriteOptions(json, request.options);
  json.Close('}');
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  return text.view();
}

Result<ReadPlanText> ReadPlan(std::string_view text, Arena& arena) noexcept {
  return Reader(text, arena).Read();
}

}  // namespace v1
}  // namespace broadloom
