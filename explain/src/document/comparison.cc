#include "broadloom/explain/comparison.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/list.h"
#include "base/sentence.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/warning.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "warnings/divergences.h"

namespace broadloom {
inline namespace v1 {

namespace {

// Whether an axis of the data may be mapped to an axis of the target, as far as
// their extents go.
bool MayLieOn(int64_t extent, int64_t target) {
  const Comparison comparison = CompareExtents<ConcreteExtents>(extent, target);
  return comparison == Comparison::kEqual ||
         comparison == Comparison::kStretches;
}

// The number of ways to choose increasing target axes for all axes of the data.
int64_t CountWays(ShapeView data, ShapeView target, Arena& arena) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (data.size() > target.size()) return 0;
  // ways[i]: of the first i axes of the data on the target's axes so far.
  const std::span<int64_t> ways = arena.Make<int64_t>(data.size() + 1);
  if (ways.empty()) return 0;
  ways[0] = 1;
  for (const int64_t extent : target) {
    for (size_t i = data.size(); i > 0; --i) {
      if (!MayLieOn(data[i - 1], extent)) continue;
      const int64_t more = ways[i - 1];
      ways[i] = ways[i] > kMost - more ? kMost : ways[i] + more;
    }
  }
  return ways[data.size()];
}

bool IsAllocation(const Error& error) {
  return error.error_class == ErrorClass::kAllocation;
}

}  // namespace

Result<FeasibleMappings> FindMappings(ShapeView data, ShapeView target,
                                      size_t most, Arena& arena) noexcept {
  FeasibleMappings found{.count = CountWays(data, target, arena)};
  const size_t rank = data.size();
  // The last target axis for each axis of the data that leaves room for those
  // behind it: an entry up to there leads to a mapping.
  const std::span<size_t> last = arena.Make<size_t>(rank);
  const std::span<int64_t> entries = arena.Make<int64_t>(rank);
  List<std::span<const int64_t>> first(arena);
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  if (found.count == 0 || most == 0) return found;
  for (size_t i = rank, end = target.size(); i-- > 0; end = last[i]) {
    last[i] = end - 1;
    while (!MayLieOn(data[i], target[last[i]])) --last[i];
  }
  // Sets the entries from `i` on to the smallest ones from `axis` on.
  const auto fill = [&](size_t i, size_t axis) {
    for (; i < rank; ++i, ++axis) {
      while (axis <= last[i] && !MayLieOn(data[i], target[axis])) ++axis;
      if (axis > last[i]) return false;
      entries[i] = static_cast<int64_t>(axis);
    }
    return true;
  };
  bool is_more = fill(0, 0);
  while (is_more && first.size() < most && !arena.refused()) {
    const ShapeView operands[] = {data};
    const Result<Alignment> alignment = Align({.rule = Rule::kExplicit,
                                               .operands = operands,
                                               .target_shape = target,
                                               .axes_mapping = entries},
                                              arena.allocator());
    if (!alignment) return std::unexpected(alignment.error());
    first.Push(arena.Copy<int64_t>(entries));
    // The last entry that can grow does.
    is_more = false;
    for (size_t i = rank; i-- > 0 && !is_more;) {
      is_more = fill(i, static_cast<size_t>(entries[i]) + 1);
    }
  }
  if (arena.refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  found.first = first.view();
  return found;
}

namespace {

// A rule with its options, and its answer as far as other rows need it.
struct Row {
  BroadcastRequest request;
  bool fits = false;
  ShapeView output = {};
  // For each operand and each axis of the result the operand's axis whose index
  // is the result's, or kAbsent. Along axes of extent 1 there is none.
  std::span<const int32_t> sources = {};
  size_t same_as = SIZE_MAX;
  size_t differs_from = SIZE_MAX;
  size_t differing = 0;  // the place in `sources`
};

class Comparer {
 public:
  Comparer(const ComparisonRequest& asked, Arena& arena)
      : asked_(asked),
        arena_(arena),
        rows_(arena),
        text_(arena),
        json_(text_) {}

  Result<std::string_view> Write() {
    // Any shapes have an alignment under this rule.
    const Result<Alignment> any =
        Align(RequestOf(Rule::kSonnx), arena_.allocator());
    if (!any) return std::unexpected(any.error());
    json_.Open('{').Field("version", 1).Field("kind", "comparison");
    json_.Key("operands").Open('[');
    for (size_t i = 0; i < asked_.operands.size(); ++i) {
      Text name(arena_);
      name.Operand(static_cast<int32_t>(i));
      json_.Open('{').Field("name", name.view());
      json_.Key("shape").Extents(asked_.operands[i]).Close('}');
    }
    json_.Close(']');
    if (const Status status = WriteMappings(); !status) {
      return std::unexpected(status.error());
    }
    json_.Field("axesLeftOut", axes_left_out_);
    json_.Key("rows").Open('[');
    for (const RuleInfo& rule : AllRules()) WriteRule(rule.rule);
    json_.Close(']');
    WriteDivergences();
    json_.Close('}');
    if (arena_.refused()) {
      return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
    }
    return text_.view();
  }

 private:
  BroadcastRequest RequestOf(Rule rule) const {
    BroadcastRequest request{
        .rule = rule, .operands = asked_.operands, .dtype = asked_.dtype};
    if (Traits(rule).takes_target && asked_.operands.size() > 1) {
      request.operands = asked_.operands.first(1);
      request.target_shape = asked_.operands[1];
    }
    return request;
  }

  Status WriteMappings() {
    const size_t axes = asked_.operands.front().size() + 1;
    axes_left_out_ = axes - std::min(axes, kMostComparedAxes);
    json_.Key("mappings");
    if (asked_.operands.size() < 2) {
      json_.Null();
      return {};
    }
    const Result<FeasibleMappings> found = FindMappings(
        asked_.operands[0], asked_.operands[1], kMostComparedMappings, arena_);
    if (!found) return std::unexpected(found.error());
    mappings_ = *found;
    json_.Open('{').Field("count", found->count);
    json_.Field("listed", found->first.size()).Close('}');
    return {};
  }

  void WriteRule(Rule rule) {
    const RuleTraits& traits = Traits(rule);
    BroadcastRequest request = RequestOf(rule);
    if (traits.takes_axis) {
      WriteRow(request);
      const size_t count =
          asked_.operands.size() < traits.least_operands
              ? 0
              : asked_.operands.front().size() + 1 - axes_left_out_;
      for (size_t axis = 0; axis < count; ++axis) {
        request.axis = static_cast<int64_t>(axis);
        WriteRow(request);
      }
    } else if (traits.takes_mapping && request.target_shape) {
      for (const std::span<const int64_t> mapping : mappings_.first) {
        request.axes_mapping = mapping;
        WriteRow(request);
      }
      if (!mappings_.first.empty()) return;
      // One that does not fit shows why.
      const std::span<int64_t> mapping =
          arena_.Make<int64_t>(request.operands.front().size());
      for (size_t i = 0; i < mapping.size(); ++i) {
        mapping[i] = static_cast<int64_t>(i);
      }
      request.axes_mapping = mapping;
      WriteRow(request);
    } else {
      WriteRow(request);
    }
  }

  void WriteRow(const BroadcastRequest& request) {
    if (arena_.refused()) return;
    const Result<Alignment> alignment = Align(request, arena_.allocator());
    if (!alignment && IsAllocation(alignment.error())) return arena_.Refuse();
    Row row{.request = request, .fits = alignment && !alignment->error()};
    if (row.fits) {
      Note(*alignment, row);
      Compare(row);
    }
    json_.Open('{').Field("rule", Info(request.rule).name);
    json_.Field("asksTarget", request.target_shape.has_value()).Key("axis");
    request.axis ? json_.Value(*request.axis) : json_.Null();
    json_.Key("axesMapping");
    request.axes_mapping ? json_.Extents(*request.axes_mapping) : json_.Null();
    json_.Key("startAxis");
    alignment && alignment->start_axis() != kAbsent
        ? json_.Value(alignment->start_axis())
        : json_.Null();
    json_.Field("fits", row.fits).Key("shape");
    row.fits ? json_.Extents(row.output) : json_.Null();
    WriteClauses(alignment);
    WriteError(alignment);
    WriteLikeness(row);
    WriteSystems(request, alignment);
    json_.Close('}');
    rows_.Push(row);
  }

  void Note(const Alignment& alignment, Row& row) {
    const size_t rank = alignment.rank();
    const size_t operands = alignment.operand_count();
    row.output = arena_.Copy<int64_t>(alignment.output());
    const std::span<int32_t> sources = arena_.Make<int32_t>(rank * operands);
    if (arena_.refused()) return;
    for (size_t i = 0; i < operands; ++i) {
      for (size_t axis = 0; axis < rank; ++axis) {
        const AlignedCell& cell = alignment.cell(i, axis);
        const bool follows =
            cell.relation == Relation::kMatch && row.output[axis] != 1;
        sources[i * rank + axis] = follows ? cell.source_axis : kAbsent;
      }
    }
    row.sources = sources;
  }

  // Looks for a row of the same shape before.
  void Compare(Row& row) {
    const bool is_empty = std::ranges::find(row.output, 0) != row.output.end();
    for (size_t i = 0; i < rows_.size(); ++i) {
      const Row& other = rows_[i];
      if (!other.fits || !std::ranges::equal(other.output, row.output)) {
        continue;
      }
      const size_t count = std::min(row.sources.size(), other.sources.size());
      const auto [here, there] = std::ranges::mismatch(
          row.sources.first(count), other.sources.first(count));
      const bool is_same =
          is_empty ||
          here == row.sources.begin() + static_cast<ptrdiff_t>(count);
      if (is_same) {
        row.same_as = i;
        return;
      }
      if (row.differs_from != SIZE_MAX) continue;
      row.differs_from = i;
      row.differing =
          static_cast<size_t>(std::distance(row.sources.begin(), here));
    }
  }

  void WriteClauses(const Result<Alignment>& alignment) {
    json_.Key("clauses").Open('[');
    const auto cites = [&](Clause clause) {
      if (!alignment) return alignment.error().clause == clause;
      if (const std::optional<Error>& error = alignment->error()) {
        return error->clause == clause ||
               std::ranges::any_of(alignment->conflicts(),
                                   [&](const Conflict& conflict) {
                                     return conflict.clause == clause;
                                   });
      }
      for (size_t i = 0; i < alignment->operand_count(); ++i) {
        for (const AlignedCell& cell : alignment->cells(i)) {
          if (cell.clause == clause) return true;
        }
      }
      for (size_t axis = 0; alignment->has_target() && axis < alignment->rank();
           ++axis) {
        if (alignment->target_cell(axis).clause == clause) return true;
      }
      return false;
    };
    for (const ClauseInfo& row : AllClauses()) {
      if (row.clause != Clause::kNoClause && cites(row.clause)) {
        json_.Value(row.name);
      }
    }
    json_.Close(']');
  }

  void WriteError(const Result<Alignment>& alignment) {
    json_.Key("error");
    if (alignment && !alignment->error()) {
      json_.Null();
      return;
    }
    const Error& error = alignment ? *alignment->error() : alignment.error();
    json_.Open('{').Field("code", Info(error.error_class).name).Key("detail");
    const std::string_view detail = Info(error.detail).name;
    detail.empty() ? json_.Null() : json_.Value(detail);
    json_.Field("message", Sentence(arena_, [&](std::span<char> out) {
                  return Describe(error, out);
                }));
    size_t clashes = 0;
    size_t first = 0;
    for (size_t axis = alignment ? alignment->rank() : 0; axis-- > 0;) {
      if (!alignment->conflicts(axis)) continue;
      ++clashes;
      first = axis;
    }
    json_.Key("why");
    clashes > 0
        ? json_.Value(Sentence(arena_,
                               [&](std::span<char> out) {
                                 return ExplainAxis(*alignment, first, out);
                               }))
        : json_.Null();
    json_.Key("axis");
    clashes > 0 ? json_.Value(first) : json_.Null();
    json_.Field("clashes", clashes).Close('}');
  }

  void WriteLikeness(const Row& row) {
    json_.Key("sameAs");
    row.same_as == SIZE_MAX ? json_.Null() : json_.Value(row.same_as);
    json_.Key("differs");
    if (row.differs_from == SIZE_MAX || row.same_as != SIZE_MAX) {
      json_.Null();
      return;
    }
    const size_t rank = row.output.size();
    const size_t operand = row.differing / rank;
    // The second index along that axis, and the first along all others: one of
    // the two rows follows it in the operand, the other does not, or in another
    // axis.
    const std::span<int64_t> cell = arena_.Make<int64_t>(rank);
    if (arena_.refused()) return;
    cell[row.differing % rank] = 1;
    json_.Open('{').Field("row", row.differs_from).Field("operand", operand);
    json_.Key("cell").Extents(cell);
    json_.Key("source");
    WriteSource(row.request, operand, cell);
    json_.Key("otherSource");
    WriteSource(rows_[row.differs_from].request, operand, cell);
    json_.Close('}');
  }

  void WriteSource(const BroadcastRequest& request, size_t operand,
                   std::span<const int64_t> cell) {
    const std::span<int64_t> source =
        arena_.Make<int64_t>(request.operands[operand].size());
    const Result<Alignment> alignment = Align(request, arena_.allocator());
    if (!alignment || !alignment->SourceOf(operand, cell, source)) {
      arena_.Refuse();  // only for want of memory: the request has fitted
    }
    json_.Extents(source);
  }

  void WriteSystems(const BroadcastRequest& request,
                    const Result<Alignment>& alignment) {
    json_.Key("systems").Open('[');
    if (alignment) {
      List<MetDivergence> met(arena_);
      if (!FindDivergences(request, asked_.op, *alignment, met)) {
        arena_.Refuse();
      }
      for (const MetDivergence& divergence : met) {
        json_.Value(divergence.row - AllDivergences().data());
      }
    }
    json_.Close(']');
  }

  void WriteDivergences() {
    json_.Key("divergences").Open('[');
    for (const Divergence& row : AllDivergences()) {
      json_.Open('{').Field("section", row.section).Field("title", row.title);
      json_.Field("message", row.message).Key("systems").Words(row.systems);
      json_.Key("clauses").Words(row.clauses).Close('}');
    }
    json_.Close(']');
  }

  const ComparisonRequest& asked_;
  Arena& arena_;
  List<Row> rows_;
  FeasibleMappings mappings_;
  size_t axes_left_out_ = 0;
  Text text_;
  Json json_;
};

}  // namespace

Result<std::string_view> WriteComparison(const ComparisonRequest& request,
                                         Arena& arena) noexcept {
  if (request.operands.empty()) {
    return std::unexpected(Error{.error_class = ErrorClass::kArity});
  }
  return Comparer(request, arena).Write();
}

}  // namespace v1
}  // namespace broadloom
