// AlignSymbolic: reads the question, splits it into cases of rank and
// placement, and solves each.

#include "broadloom/explain/symbolic.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"
#include "symbols/core.h"
#include "symbols/join.h"
#include "symbols/ways.h"

namespace broadloom {
inline namespace v1 {
namespace {

class SymbolicAligner {
 public:
  SymbolicAligner(const SymbolicRequest& request, Arena& arena)
      : request_(request),
        arena_(arena),
        symbols_(arena),
        unknown_ranks_(arena),
        cases_(arena),
        failed_(arena) {}

  std::expected<SymbolicAlignment, SymbolicFault> Make() {
    if (const auto fault = Read()) return std::unexpected(*fault);
    SolveRanks();
    if (fault_ && fault_->error_class != ErrorClass::kAllocation) {
      return std::unexpected(
          SymbolicFault{.kind = SymbolicFaultKind::kRequest, .error = fault_});
    }
    if (fault_ || arena_.refused()) {
      return std::unexpected(
          SymbolicFault{.kind = SymbolicFaultKind::kAllocation});
    }
    SymbolicAlignment answer;
    answer.symbols = symbols_.view();
    answer.cases = cases_.empty() ? failed_.view().first(1) : cases_.view();
    answer.fit = SymbolicFit::kNever;
    for (const SymbolicCase& each : cases_) {
      answer.fit = each.fit == SymbolicFit::kMustCheck ||
                           answer.fit == SymbolicFit::kMustCheck
                       ? SymbolicFit::kMustCheck
                   : each.fit == SymbolicFit::kAlways && failed_.empty() &&
                           answer.fit != SymbolicFit::kIf
                       ? SymbolicFit::kAlways
                       : SymbolicFit::kIf;
    }
    return answer;
  }

 private:
  size_t shape_count() const {
    return request_.operands.size() + (request_.target_shape ? 1 : 0);
  }
  const SymbolicShape& shape(size_t row) const {
    return row < request_.operands.size() ? request_.operands[row]
                                          : *request_.target_shape;
  }
  int32_t NameOf(size_t row) const {
    return row < request_.operands.size() ? static_cast<int32_t>(row)
                                          : kTargetOperand;
  }

  // --- The question ---------------------------------------------------------

  std::optional<SymbolicFault> Read() {
    if (request_.operands.size() > kMostSymbolicOperands) {
      return SymbolicFault{
          .kind = SymbolicFaultKind::kTooManyOperands,
          .least = static_cast<int64_t>(request_.operands.size())};
    }
    size_t total = 0;
    for (size_t row = 0; row < shape_count(); ++row) {
      total += shape(row).extents.size();
    }
    if (total > kMostSymbolicExtents) {
      return SymbolicFault{.kind = SymbolicFaultKind::kTooManyExtents,
                           .least = static_cast<int64_t>(total)};
    }
    rows_ = arena_.Make<std::span<ExtentTerm>>(shape_count());
    if (arena_.refused()) return std::nullopt;
    for (size_t row = 0; row < shape_count(); ++row) {
      if (const auto fault = ReadNames(row)) return fault;
      if (shape(row).has_unknown_rank) {
        unknown_ranks_.Push({.row = row, .first_symbol = 0});
        continue;
      }
      const auto extents = shape(row).extents;
      rows_[row] = arena_.Make<ExtentTerm>(extents.size());
      if (arena_.refused()) return std::nullopt;
      for (size_t axis = 0; axis < extents.size(); ++axis) {
        if (const auto fault = ReadExtent(row, axis)) return fault;
      }
    }
    // A name may turn out to be a number only where it appears again.
    for (const std::span<ExtentTerm> row : rows_) {
      for (ExtentTerm& term : row) {
        if (term.symbol == kAbsent) continue;
        const SymbolInfo& symbol = symbols_[static_cast<size_t>(term.symbol)];
        if (symbol.least == symbol.most) term = {.number = symbol.least};
      }
    }
    return std::nullopt;
  }

  std::optional<SymbolicFault> ReadNames(size_t row) {
    const auto names = shape(row).axis_names;
    SymbolicFault fault{.kind = SymbolicFaultKind::kNameCount,
                        .operand = NameOf(row)};
    fault.least = static_cast<int64_t>(names.size());
    fault.most = static_cast<int64_t>(shape(row).extents.size());
    if (!names.empty() && fault.least != fault.most) return fault;
    if (!request_.by_name) return std::nullopt;
    if (shape(row).has_unknown_rank || (names.empty() && fault.most > 0)) {
      fault.kind = SymbolicFaultKind::kUnnamedAxis;
      return fault;
    }
    for (size_t axis = 0; axis < names.size(); ++axis) {
      fault.operand_axis = static_cast<int32_t>(axis);
      fault.kind = names[axis].empty() ? SymbolicFaultKind::kUnnamedAxis
                   : names[axis].size() > kMostNameBytes
                       ? SymbolicFaultKind::kLongName
                       : SymbolicFaultKind::kSameName;
      if (fault.kind != SymbolicFaultKind::kSameName ||
          std::ranges::find(names.first(axis), names[axis]) !=
              names.begin() + static_cast<ptrdiff_t>(axis)) {
        return fault;
      }
    }
    return std::nullopt;
  }

  std::optional<SymbolicFault> ReadExtent(size_t row, size_t axis) {
    const SymbolicExtent& extent = shape(row).extents[axis];
    SymbolicFault fault{.kind = SymbolicFaultKind::kNegative,
                        .operand = NameOf(row),
                        .operand_axis = static_cast<int32_t>(axis),
                        .least = extent.least,
                        .most = extent.most};
    if (extent.least > extent.most) {
      fault.kind = SymbolicFaultKind::kContradiction;
      return fault;
    }
    if (extent.least < 0) return fault;
    if (extent.name.size() > kMostNameBytes) {
      fault.kind = SymbolicFaultKind::kLongName;
      fault.least = static_cast<int64_t>(extent.name.size());
      return fault;
    }
    ExtentTerm& term = rows_[row][axis];
    if (extent.name.empty()) {
      if (extent.is_known()) {
        term = {.number = extent.least};
        return std::nullopt;
      }
      term = {.symbol = AddSymbol(extent, row, static_cast<int32_t>(axis))};
      return std::nullopt;
    }
    const auto found =
        std::ranges::find(symbols_, extent.name, &SymbolInfo::name);
    if (found == symbols_.end()) {
      term = {.symbol = AddSymbol(extent, row, static_cast<int32_t>(axis))};
      return std::nullopt;
    }
    term = {.symbol = static_cast<int32_t>(found - symbols_.begin())};
    // A name alone says nothing of its range.
    if (extent.least == 0 && extent.most == kUnbounded) return std::nullopt;
    if (found->least == 0 && found->most == kUnbounded) {
      found->least = extent.least;
      found->most = extent.most;
    } else if (found->least != extent.least || found->most != extent.most) {
      fault.kind = SymbolicFaultKind::kTwoRanges;
      fault.other_least = found->least;
      fault.other_most = found->most;
      return fault;
    }
    return std::nullopt;
  }

  int32_t AddSymbol(const SymbolicExtent& extent, size_t row, int32_t axis) {
    symbols_.Push({.name = extent.name,
                   .least = extent.least,
                   .most = extent.most,
                   .operand = NameOf(row),
                   .operand_axis = axis});
    return static_cast<int32_t>(symbols_.size()) - 1;
  }

  // --- Ranks ----------------------------------------------------------------

  struct UnknownRank {
    size_t row;
    // A symbol for each axis that is tried: from the last axis backwards, or,
    // where the rule counts axes from the start, from the first axis.
    size_t first_symbol;
    bool from_start = false;
    size_t rank = 0;
  };

  // Tries unknown ranks up to one above all ranks that the question speaks of:
  // with still higher ranks nothing changes but the number of axes.
  void SolveRanks() {
    if (unknown_ranks_.empty()) return SolvePlacements({}, kAbsent);
    size_t highest = 0;
    for (const auto& row : rows_) highest = std::max(highest, row.size());
    if (request_.axes_mapping) {
      for (const int64_t axis : *request_.axes_mapping) {
        if (axis >= 0 && axis < static_cast<int64_t>(kMostRanks)) {
          highest = std::max(highest, static_cast<size_t>(axis) + 1);
        }
      }
      highest = std::max(highest, request_.axes_mapping->size());
    }
    if (const int64_t axis = request_.axis.value_or(0); axis > 0) {
      highest +=
          static_cast<size_t>(std::min(axis, static_cast<int64_t>(kMostRanks)));
    }
    const size_t ranks = highest + 2;
    size_t combinations = 1;
    for (size_t i = 0; i < unknown_ranks_.size(); ++i) {
      combinations = std::min(combinations * ranks, kMostRanks + 1);
    }
    if (combinations > kMostRanks || ranks > kMostRanks) {
      cases_.Push({.fit = SymbolicFit::kMustCheck, .open_axis = 0});
      return;
    }
    for (UnknownRank& unknown : unknown_ranks_) {
      unknown.first_symbol = symbols_.size();
      for (size_t i = 0; i <= ranks; ++i) {
        AddSymbol({}, unknown.row, -1 - static_cast<int32_t>(i));
      }
    }
    for (UnknownRank& unknown : unknown_ranks_) {
      for (UnknownRank& other : unknown_ranks_) other.rank = 1;
      unknown.rank = ranks - 1;
      SetUnknownRows(0);
      unknown.from_start = FindOpenAxis() > 0;
      for (size_t i = 0; unknown.from_start && i <= ranks; ++i) {
        symbols_[unknown.first_symbol + i].operand_axis =
            static_cast<int32_t>(i);
      }
    }
    // Where both ranks are unknown, how many of B's axes reach beyond A is,
    // too.
    if (unknown_ranks_.size() > 1 &&
        Traits(request_.rule).placement == Placement::kFromAxis &&
        std::ranges::any_of(unknown_ranks_, &UnknownRank::from_start)) {
      cases_.Push({.fit = SymbolicFit::kMustCheck, .open_axis = 0});
      return;
    }
    for (size_t combination = 0; combination < combinations; ++combination) {
      List<RankCondition> conditions(arena_);
      size_t rest = combination;
      size_t open = 0;
      for (UnknownRank& unknown : unknown_ranks_) {
        unknown.rank = rest % ranks;
        rest /= ranks;
        const bool or_more = unknown.rank == ranks - 1;
        open += or_more;
        conditions.Push({.operand = NameOf(unknown.row),
                         .rank = static_cast<int32_t>(unknown.rank),
                         .or_more = or_more});
      }
      SetUnknownRows(0);
      int32_t open_axis = kAbsent;
      if (open > 0) open_axis = FindOpenAxis();
      SolvePlacements(conditions.view(), open_axis);
      if (fault_ || arena_.refused()) return;
    }
  }

  // Gives rows of unknown rank their axes, and those of the highest rank `more`
  // axes in addition.
  void SetUnknownRows(size_t more) {
    size_t highest = 0;
    for (const UnknownRank& unknown : unknown_ranks_) {
      highest = std::max(highest, unknown.rank);
    }
    for (const UnknownRank& unknown : unknown_ranks_) {
      const size_t rank = unknown.rank + (unknown.rank == highest ? more : 0);
      rows_[unknown.row] = arena_.Make<ExtentTerm>(rank);
      for (size_t axis = 0; axis < rows_[unknown.row].size(); ++axis) {
        rows_[unknown.row][axis].symbol =
            static_cast<int32_t>(unknown.first_symbol +
                                 (unknown.from_start ? axis : rank - 1 - axis));
      }
    }
  }

  // Where further axes of the shapes of highest rank lie in the result: at its
  // beginning or at its end, according to where the core places them.
  int32_t FindOpenAxis() {
    const Core now = Placed();
    SetUnknownRows(1);
    const Core more = Placed();
    SetUnknownRows(0);
    if (now.rank() == 0 || more.rank() != now.rank() + 1) return kAbsent;
    const auto places_alike = [&](size_t shift) {
      for (size_t row = 0; row < rows_.size(); ++row) {
        if (IsOpen(row)) continue;
        for (size_t axis = 0; axis < now.rank(); ++axis) {
          if (now.source_axes()[row * now.rank() + axis] !=
              more.source_axes()[row * more.rank() + axis + shift]) {
            return false;
          }
        }
      }
      return true;
    };
    if (places_alike(1)) return 0;
    if (places_alike(0)) return static_cast<int32_t>(now.rank()) - 1;
    return kAbsent;
  }

  bool IsOpen(size_t row) const {
    size_t highest = 0;
    for (const UnknownRank& unknown : unknown_ranks_) {
      highest = std::max(highest, unknown.rank);
    }
    return std::ranges::any_of(unknown_ranks_, [&](const UnknownRank& each) {
      return each.row == row && each.rank == highest;
    });
  }

  Core Placed() {
    Core core(request_, Views(), symbols_.size(), arena_);
    for (int64_t& value : core.values()) value = kOther;
    core.Place();
    return core;
  }

  // --- Placements -----------------------------------------------------------

  // A number other than 1.
  static constexpr int64_t kOther = 2;

  std::span<const Terms> Views() {
    const std::span<Terms> views = arena_.Make<Terms>(rows_.size());
    for (size_t i = 0; i < views.size(); ++i) views[i] = rows_[i];
    return views;
  }

  // Which of B's extents are 1 matters for its placement where its trailing 1s
  // are left out. Each number of them is tried; those that place B alike are
  // one case, with the fewest of them as its condition.
  void SolvePlacements(std::span<const RankCondition> ranks,
                       int32_t open_axis) {
    if (request_.by_name) {
      Core core(request_, Views(), symbols_.size(), arena_);
      if (request_.operands.empty()) {
        core.Place();
        fault_ = core.fault();
        return;
      }
      core.PlaceByName();
      return Solve(core, {}, ranks, open_axis);
    }
    size_t trailing = 0;
    Terms b;
    if (Traits(request_.rule).placement == Placement::kFromAxis &&
        rows_.size() == 2) {
      b = rows_[1];
      while (trailing < b.size() && MayBeOne(b[b.size() - 1 - trailing])) {
        ++trailing;
      }
    }
    std::span<const int32_t> last;
    bool has_last = false;
    std::optional<Error> error;
    for (size_t ones = 0; ones <= trailing; ++ones) {
      List<ExtentEquality> when(arena_);
      for (size_t i = 0; i < ones; ++i) {
        const ExtentTerm& term = b[b.size() - 1 - i];
        if (term.symbol == kAbsent) continue;
        const ExtentEquality equality{.left = term, .right = {.number = 1}};
        if (std::ranges::find(when, equality) == when.end()) {
          when.Push(equality);
        }
      }
      // The next extent is not 1, so there are exactly so many.
      if (ones < trailing) {
        const ExtentTerm& next = b[b.size() - 1 - ones];
        const ExtentEquality equality{.left = next, .right = {.number = 1}};
        if (next.symbol == kAbsent ||
            std::ranges::find(when, equality) != when.end()) {
          continue;
        }
      }
      Core core(request_, Views(), symbols_.size(), arena_);
      if (arena_.refused()) return;
      for (int64_t& value : core.values()) value = kOther;
      for (const ExtentEquality& each : when) {
        core[static_cast<size_t>(each.left.symbol)] = 1;
      }
      const std::optional<Error> wrong = core.Place();
      if (core.fault()) {
        fault_ = core.fault();
        return;
      }
      if (wrong) {
        if (!error) error = wrong;
        has_last = false;
        continue;
      }
      if (has_last && std::ranges::equal(last, core.source_axes())) continue;
      last = core.source_axes();
      has_last = true;
      if (when.empty()) {
        Solve(core, {}, ranks, open_axis);
      } else {
        // The extents of the condition are 1 everywhere.
        Core changed(request_, ViewsWith(when.view()), symbols_.size(), arena_);
        for (int64_t& value : changed.values()) value = kOther;
        changed.Place();
        Solve(changed, when.view(), ranks, open_axis);
      }
      if (arena_.refused()) return;
      error = std::nullopt;
    }
    if (error) {
      SymbolicCase found{.ranks = ranks};
      found.error = error;
      failed_.Push(found);
    }
  }

  bool MayBeOne(const ExtentTerm& term) const {
    if (term.symbol == kAbsent) return term.number == 1;
    const SymbolInfo& symbol = symbols_[static_cast<size_t>(term.symbol)];
    return symbol.least <= 1 && symbol.most >= 1;
  }

  // The rows, with 1 in the place of symbols that equal 1.
  std::span<const Terms> ViewsWith(std::span<const ExtentEquality> when) {
    const std::span<Terms> views = arena_.Make<Terms>(rows_.size());
    for (size_t row = 0; row < views.size(); ++row) {
      const std::span<ExtentTerm> changed =
          arena_.Make<ExtentTerm>(rows_[row].size());
      for (size_t i = 0; i < changed.size(); ++i) {
        changed[i] = rows_[row][i];
        for (const ExtentEquality& each : when) {
          if (changed[i] == each.left) changed[i] = each.right;
        }
      }
      views[row] = changed;
    }
    return views;
  }

  void Solve(Core& core, std::span<const ExtentEquality> when,
             std::span<const RankCondition> ranks, int32_t open_axis) {
    const std::span<SymbolicAxis> axes = arena_.Make<SymbolicAxis>(core.rank());
    if (arena_.refused()) return;
    SymbolicCase found{.ranks = ranks,
                       .when = when,
                       .axes = axes,
                       .open_axis = open_axis,
                       .source_axes = core.source_axes()};
    size_t open = 0;
    for (const RankCondition& rank : ranks) open += rank.or_more;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      axes[axis] = SolveAxis(core, axis, symbols_.view(), ways_left_, arena_);
      // Shapes of several ranks may meet on the axes that this one stands for.
      if (open > 0 && static_cast<int32_t>(axis) == open_axis &&
          (open > 1 || !axes[axis].always)) {
        axes[axis] = {.must_check = true};
      }
      if (request_.by_name) axes[axis].name = core.names()[axis];
    }
    JoinAxes(core, axes, symbols_.view(), choices_left_, found, arena_);
    if (open > 0 && open_axis == kAbsent && found.fit != SymbolicFit::kNever) {
      found.fit = SymbolicFit::kMustCheck;
    }
    (found.fit == SymbolicFit::kNever ? failed_ : cases_).Push(found);
  }

  const SymbolicRequest& request_;
  Arena& arena_;
  List<SymbolInfo> symbols_;
  std::span<std::span<ExtentTerm>> rows_;
  List<UnknownRank> unknown_ranks_;
  List<SymbolicCase> cases_;
  List<SymbolicCase> failed_;
  std::optional<Error> fault_;
  size_t ways_left_ = kMostWays;
  size_t choices_left_ = kMostChoices;
};

}  // namespace

std::expected<SymbolicAlignment, SymbolicFault> AlignSymbolic(
    const SymbolicRequest& request, Arena& arena) noexcept {
  return SymbolicAligner(request, arena).Make();
}

}  // namespace v1
}  // namespace broadloom
