#include "symbols/join.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/result.h"
#include "symbols/core.h"

namespace broadloom {
inline namespace v1 {
namespace {

// So that one group leaves choices to others.
constexpr size_t kMostChoicesOfGroup = kMostChoices / 4;

// Which symbols are equal, and the range of each, under equalities that are
// added and taken back in the reverse order.
class Equalities {
 public:
  Equalities(std::span<const SymbolInfo> symbols, Arena& arena)
      : nodes_(arena.Make<Node>(symbols.size())), trail_(arena) {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i] = {.parent = static_cast<int32_t>(i),
                   .size = 1,
                   .range = {symbols[i].least, symbols[i].most}};
    }
  }

  // Returns false when they contradict what was added before; then they are to
  // be taken back.
  bool Add(std::span<const ExtentEquality> equalities) {
    for (const ExtentEquality& equality : equalities) {
      if (!Add(equality)) return false;
    }
    return true;
  }

  bool Implies(std::span<const ExtentEquality> equalities) const {
    return std::ranges::all_of(equalities, [&](const ExtentEquality& each) {
      const Interval left = RangeOf(each.left);
      const Interval right = RangeOf(each.right);
      if (left.least == left.most && right.least == right.most) {
        return left.least == right.least;
      }
      return each.right.symbol != kAbsent &&
             RootOf(each.left.symbol) == RootOf(each.right.symbol);
    });
  }

  Interval RangeOf(const ExtentTerm& term) const {
    if (term.symbol == kAbsent) return {term.number, term.number};
    return nodes_[static_cast<size_t>(RootOf(term.symbol))].range;
  }

  int32_t RootOf(int32_t symbol) const {
    while (nodes_[static_cast<size_t>(symbol)].parent != symbol) {
      symbol = nodes_[static_cast<size_t>(symbol)].parent;
    }
    return symbol;
  }

  size_t mark() const { return trail_.size(); }
  void TakeBack(size_t mark) {
    while (trail_.size() > mark) {
      const Change& last = trail_[trail_.size() - 1];
      nodes_[static_cast<size_t>(last.node)] = last.before;
      trail_.Truncate(trail_.size() - 1);
    }
  }

 private:
  struct Node {
    int32_t parent = 0;
    int32_t size = 0;
    Interval range;  // of a root
  };
  struct Change {
    int32_t node;
    Node before;
  };

  Node& Changed(int32_t node) {
    trail_.Push({node, nodes_[static_cast<size_t>(node)]});
    return nodes_[static_cast<size_t>(node)];
  }

  bool Add(const ExtentEquality& equality) {
    int32_t root = RootOf(equality.left.symbol);
    Interval other = {equality.right.number, equality.right.number};
    if (equality.right.symbol != kAbsent) {
      int32_t child = RootOf(equality.right.symbol);
      if (root == child) return true;
      if (nodes_[static_cast<size_t>(root)].size <
          nodes_[static_cast<size_t>(child)].size) {
        std::swap(root, child);
      }
      Node& joined = Changed(child);
      other = joined.range;
      joined.parent = root;
      Changed(root).size += joined.size;
    }
    Node& node = Changed(root);
    node.range.least = std::max(node.range.least, other.least);
    node.range.most = std::min(node.range.most, other.most);
    return !node.range.empty();
  }

  std::span<Node> nodes_;
  List<Change> trail_;
};

class Join {
 public:
  Join(Core& core, std::span<SymbolicAxis> axes,
       std::span<const SymbolInfo> symbols, size_t& left, SymbolicCase& found,
       Arena& arena)
      : core_(core),
        axes_(axes),
        symbols_(symbols),
        left_(left),
        found_(found),
        arena_(arena),
        equalities_(symbols, arena),
        same_(arena.Make<size_t>(axes.size())),
        states_(arena.Make<State>(axes.size())),
        group_of_(arena.Make<size_t>(symbols.size())),
        group_(arena),
        common_(arena.Make<int64_t>(symbols.size())),
        numbers_(arena.Make<bool>(kMostSymbolicExtents * 2)) {
    for (size_t row = 0; row < core.row_count() && !arena.refused(); ++row) {
      for (const ExtentTerm& term : core.row(row)) {
        if (term.symbol == kAbsent && term.number >= 0 &&
            static_cast<size_t>(term.number) < numbers_.size()) {
          numbers_[static_cast<size_t>(term.number)] = true;
        }
      }
    }
  }

  void Run() {
    if (arena_.refused()) return;
    for (size_t axis = 0; axis < axes_.size(); ++axis) {
      if (!axes_[axis].must_check && axes_[axis].alternatives.empty()) {
        found_.fit = SymbolicFit::kNever;
        found_.conflict_axis = static_cast<int32_t>(axis);
        return;
      }
    }
    if (!equalities_.Add(found_.when)) {
      found_.fit = SymbolicFit::kNever;
      return;
    }
    if (!Prepare()) return;
    SetValues(common_, [](size_t) { return true; });
    bool always = found_.when.empty();
    bool must_check = false;
    for (const SymbolicAxis& axis : axes_) {
      always = always && axis.always;
      must_check = must_check || axis.must_check;
    }
    SetGroups();
    for (size_t axis = 0; axis < axes_.size(); ++axis) {
      if (!IsFirst(axis) || states_[axis].done) continue;
      const Found found = JoinGroup(axis);
      if (found == Found::kNone) {
        found_.fit = SymbolicFit::kNever;
        NameConflict();
        return;
      }
      if (found == Found::kUnknown) must_check = true;
    }
    found_.fit = must_check ? SymbolicFit::kMustCheck
                 : always   ? SymbolicFit::kAlways
                            : SymbolicFit::kIf;
    for (size_t axis = 0; axis < axes_.size(); ++axis) Finish(axis);
  }

 private:
  enum class Found : uint8_t { kNone, kSome, kUnknown };

  // What is found out of each alternative of an axis.
  enum class Life : uint8_t { kUnknown, kAlive, kDead };
  struct State {
    bool done = false;
    size_t current = 0;
    Interval result = {kUnbounded, 0};  // of the result, in all choices
    std::span<Life> lives;
    std::span<std::span<int64_t>> witnesses;
  };

  // Finds axes whose alternatives are those of an earlier axis.
  bool Prepare() {
    for (size_t axis = 0; axis < axes_.size(); ++axis) {
      same_[axis] = axis;
      for (size_t other = 0; other < axis; ++other) {
        if (same_[other] == other && AreSame(axes_[axis], axes_[other])) {
          same_[axis] = other;
          break;
        }
      }
      const size_t count = axes_[axis].alternatives.size();
      if (same_[axis] != axis) continue;
      states_[axis].lives = arena_.Make<Life>(count);
      states_[axis].witnesses = arena_.Make<std::span<int64_t>>(count);
    }
    return !arena_.refused();
  }

  static bool AreSame(const SymbolicAxis& a, const SymbolicAxis& b) {
    return std::ranges::equal(
        a.alternatives, b.alternatives,
        [](const SymbolicAlternative& x, const SymbolicAlternative& y) {
          return x.result == y.result &&
                 std::ranges::equal(x.equalities, y.equalities);
        });
  }

  bool IsFirst(size_t axis) const {
    return same_[axis] == axis && !axes_[axis].must_check;
  }

  // Symbols that some axis names together are in one group.
  void SetGroups() {
    for (size_t i = 0; i < group_of_.size(); ++i) group_of_[i] = i;
    for (size_t axis = 0; axis < axes_.size(); ++axis) {
      if (!IsFirst(axis)) continue;
      int32_t first = kAbsent;
      ForEachSymbol(axes_[axis], [&](int32_t symbol) {
        if (first == kAbsent) first = symbol;
        const size_t group = GroupOf(first);
        group_of_[GroupOf(symbol)] = group;
      });
    }
  }
  size_t GroupOf(int32_t symbol) const {
    size_t group = static_cast<size_t>(symbol);
    while (group_of_[group] != group) group = group_of_[group];
    return group;
  }
  template <class Visit>
  static void ForEachSymbol(const SymbolicAxis& axis, const Visit& visit) {
    const auto term = [&](const ExtentTerm& each) {
      if (each.symbol != kAbsent) visit(each.symbol);
    };
    for (const SymbolicAlternative& alternative : axis.alternatives) {
      term(alternative.result);
      for (const ExtentEquality& equality : alternative.equalities) {
        term(equality.left);
        term(equality.right);
      }
    }
  }
  static int32_t FirstSymbol(const SymbolicAxis& axis) {
    int32_t first = kAbsent;
    ForEachSymbol(axis, [&](int32_t symbol) {
      if (first == kAbsent) first = symbol;
    });
    return first;
  }

  // Joins the axes that share symbols with `axis`, directly or through others.
  Found JoinGroup(size_t axis) {
    group_.Truncate(0);
    const int32_t symbol = FirstSymbol(axes_[axis]);
    group_symbol_ = symbol;
    for (size_t other = axis; other < axes_.size(); ++other) {
      if (!IsFirst(other)) continue;
      const int32_t theirs = FirstSymbol(axes_[other]);
      if (other != axis && (symbol == kAbsent || theirs == kAbsent ||
                            GroupOf(theirs) != GroupOf(symbol))) {
        continue;
      }
      group_.Push(other);
      states_[other].done = true;
    }
    std::ranges::sort(group_.view(), {}, [&](size_t each) {
      return std::pair(axes_[each].alternatives.size(), each);
    });
    has_choice_ = false;
    choices_left_ = kMostChoicesOfGroup;
    if (VisitAll(0)) {
      for (const size_t each : group_) {
        for (Life& life : states_[each].lives) {
          if (life == Life::kUnknown) life = Life::kDead;
        }
      }
      return has_choice_ ? Found::kSome : Found::kNone;
    }
    return JoinLargeGroup();
  }

  // Goes through all choices of one alternative for each axis of the group that
  // do not contradict each other. Returns false when there are too many.
  bool VisitAll(size_t depth) {
    if (depth == group_.size()) {
      for (const size_t each : group_) {
        State& state = states_[each];
        const SymbolicAlternative& alternative =
            axes_[each].alternatives[state.current];
        const Interval range = equalities_.RangeOf(alternative.result);
        state.result.least = std::min(state.result.least, range.least);
        state.result.most = std::max(state.result.most, range.most);
        KeepAlive(state);
      }
      return true;
    }
    const size_t axis = group_[depth];
    for (size_t i = 0; i < axes_[axis].alternatives.size(); ++i) {
      if (!MayChoose()) return false;
      const size_t mark = equalities_.mark();
      states_[axis].current = i;
      const bool goes_on =
          !equalities_.Add(axes_[axis].alternatives[i].equalities) ||
          VisitAll(depth + 1);
      equalities_.TakeBack(mark);
      if (!goes_on) return false;
    }
    return true;
  }

  // Counts a choice; false when there were too many.
  bool MayChoose() {
    if (choices_left_ == 0 || left_ == 0) return false;
    --choices_left_;
    --left_;
    return true;
  }

  // With too many choices to go through: looks for one choice with each
  // alternative. What is not found within the limit stays unknown.
  Found JoinLargeGroup() {
    choices_left_ = kMostChoicesOfGroup;
    for (const size_t axis : group_) {
      for (size_t i = 0; i < axes_[axis].alternatives.size(); ++i) {
        if (states_[axis].lives[i] == Life::kAlive) continue;
        const size_t mark = equalities_.mark();
        states_[axis].current = i;
        if (!equalities_.Add(axes_[axis].alternatives[i].equalities)) {
          states_[axis].lives[i] = Life::kDead;
        } else if (const Found found = FindOne(0, axis);
                   found == Found::kNone) {
          states_[axis].lives[i] = Life::kDead;
        }
        equalities_.TakeBack(mark);
      }
      states_[axis].result = {kUnbounded, 0};
      for (size_t i = 0; i < axes_[axis].alternatives.size(); ++i) {
        if (states_[axis].lives[i] == Life::kDead) continue;
        const size_t mark = equalities_.mark();
        if (equalities_.Add(axes_[axis].alternatives[i].equalities)) {
          const Interval range =
              equalities_.RangeOf(axes_[axis].alternatives[i].result);
          Interval& result = states_[axis].result;
          result.least = std::min(result.least, range.least);
          result.most = std::max(result.most, range.most);
        }
        equalities_.TakeBack(mark);
      }
      if (states_[axis].result.empty()) return Found::kNone;
    }
    return has_choice_ ? Found::kSome : Found::kUnknown;
  }

  Found FindOne(size_t depth, size_t fixed) {
    if (depth == group_.size()) {
      for (const size_t each : group_) KeepAlive(states_[each]);
      return Found::kSome;
    }
    const size_t axis = group_[depth];
    if (axis == fixed) return FindOne(depth + 1, fixed);
    const auto alternatives = axes_[axis].alternatives;
    for (size_t i = 0; i < alternatives.size(); ++i) {
      if (!equalities_.Implies(alternatives[i].equalities)) continue;
      states_[axis].current = i;
      return FindOne(depth + 1, fixed);
    }
    Found result = Found::kNone;
    for (size_t i = 0; i < alternatives.size(); ++i) {
      if (!MayChoose()) return Found::kUnknown;
      const size_t mark = equalities_.mark();
      states_[axis].current = i;
      Found found = Found::kNone;
      if (equalities_.Add(alternatives[i].equalities)) {
        found = FindOne(depth + 1, fixed);
      }
      equalities_.TakeBack(mark);
      if (found == Found::kSome) return found;
      if (found == Found::kUnknown) result = found;
    }
    return result;
  }

  // The current alternative of `state` is part of a choice without
  // contradictions.
  void KeepAlive(State& state) {
    const bool is_first = !has_choice_;
    Life& life = state.lives[state.current];
    has_choice_ = true;
    if (life == Life::kAlive && !is_first) return;
    life = Life::kAlive;
    std::span<int64_t>& witness = state.witnesses[state.current];
    if (witness.empty()) {
      witness = arena_.Make<int64_t>(symbols_.size());
      SetValues(witness, [this](size_t i) { return IsInGroup(i); });
    }
    if (!is_first) return;
    for (size_t i = 0; i < witness.size(); ++i) {
      if (witness[i] >= 0) common_[i] = witness[i];
    }
  }

  bool IsInGroup(size_t symbol) const {
    return group_symbol_ != kAbsent &&
           GroupOf(static_cast<int32_t>(symbol)) == GroupOf(group_symbol_);
  }

  // Values of the symbols for which `has(symbol)` is true, under the current
  // equalities, and -1 for the others: unlike each other, as far as the ranges
  // allow, so that a witness shows nothing that need not be so.
  template <class Has>
  void SetValues(std::span<int64_t> values, const Has& has) {
    std::ranges::fill(values, -1);
    int64_t next = 2;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!has(i)) continue;
      // Other values than those of other groups.
      next = std::max(next, static_cast<int64_t>(i) + 2);
      const size_t root =
          static_cast<size_t>(equalities_.RootOf(static_cast<int32_t>(i)));
      if (values[root] < 0) {
        values[root] = ChooseValue(
            equalities_.RangeOf({.symbol = static_cast<int32_t>(i)}), next);
      }
      values[i] = values[root];
    }
  }

  int64_t ChooseValue(const Interval& range, int64_t& next) const {
    if (range.least == range.most) return range.least;
    int64_t value = std::max(next, range.least);
    const auto is_number = [&] {
      return value < static_cast<int64_t>(numbers_.size()) &&
             numbers_[static_cast<size_t>(value)];
    };
    while (value < range.most && is_number()) ++value;
    if (value > range.most) {
      return std::max(range.least, std::min<int64_t>(range.most, 2));
    }
    next = value == kUnbounded ? value : value + 1;
    return value;
  }

  // The axis at which all axes before it leave no choice.
  void NameConflict() {
    for (size_t end = 0; end < axes_.size(); ++end) {
      for (size_t begin = 0; begin < end; ++begin) {
        if (!IsFirst(begin) || !IsFirst(end) || Agree(begin, end)) continue;
        found_.conflict_axis = static_cast<int32_t>(end);
        found_.other_conflict_axis = static_cast<int32_t>(begin);
        return;
      }
    }
    found_.conflict_axis =
        static_cast<int32_t>(*std::ranges::max_element(group_.view()));
  }

  bool Agree(size_t a, size_t b) {
    for (const SymbolicAlternative& one : axes_[a].alternatives) {
      for (const SymbolicAlternative& other : axes_[b].alternatives) {
        const size_t mark = equalities_.mark();
        const bool agree = equalities_.Add(one.equalities) &&
                           equalities_.Add(other.equalities);
        equalities_.TakeBack(mark);
        if (agree) return true;
      }
    }
    return false;
  }

  // Writes what is found into the answer.
  void Finish(size_t axis) {
    SymbolicAxis& answer = axes_[axis];
    if (answer.must_check) return;
    State& state = states_[same_[axis]];
    List<SymbolicAlternative> alternatives(arena_);
    for (size_t i = 0; i < answer.alternatives.size(); ++i) {
      if (state.lives[i] == Life::kDead) continue;
      SymbolicAlternative alternative = answer.alternatives[i];
      alternative.witness = Confirmed(state.witnesses[i]);
      // Never seen: the answer would be wrong.
      if (alternative.witness.empty() && !symbols_.empty() &&
          state.lives[i] == Life::kAlive) {
        found_.fit = SymbolicFit::kMustCheck;
      }
      alternatives.Push(alternative);
    }
    answer.alternatives = alternatives.view();
    answer.least = state.result.least;
    answer.most = state.result.most;
    List<ExtentTerm> choices(arena_);
    if (answer.least == answer.most) {
      choices.Push({.number = answer.least});
    } else if (answer.choices.size() == 1) {
      return;
    }
    for (const SymbolicAlternative& alternative : alternatives) {
      if (answer.least == answer.most) break;
      if (std::ranges::find(choices, alternative.result) == choices.end()) {
        choices.Push(alternative.result);
      }
    }
    answer.choices = choices.view();
  }

  // The witness, with values for the symbols of other groups, if the core says
  // that all fits.
  std::span<const int64_t> Confirmed(std::span<int64_t> witness) {
    if (witness.empty()) return {};
    const std::span<int64_t> values = core_.values();
    if (values.size() != witness.size()) return {};
    // Values of the first choice of each group agree with any of this one.
    for (size_t i = 0; i < witness.size(); ++i) {
      if (witness[i] < 0) witness[i] = common_[i];
      values[i] = witness[i];
    }
    if (core_.AskAll()) return witness;
    return {};
  }

  Core& core_;
  const std::span<SymbolicAxis> axes_;
  const std::span<const SymbolInfo> symbols_;
  size_t& left_;  // of the whole question
  SymbolicCase& found_;
  Arena& arena_;
  Equalities equalities_;
  std::span<size_t> same_;  // the first axis with the same alternatives
  std::span<State> states_;
  std::span<size_t> group_of_;
  List<size_t> group_;
  int32_t group_symbol_ = kAbsent;
  std::span<int64_t> common_;  // values that agree with all axes
  std::span<bool> numbers_;    // the small numbers that are extents
  size_t choices_left_ = 0;    // of the group
  bool has_choice_ = false;
};

}  // namespace

void JoinAxes(Core& core, std::span<SymbolicAxis> axes,
              std::span<const SymbolInfo> symbols, size_t& left,
              SymbolicCase& found, Arena& arena) {
  Join(core, axes, symbols, left, found, arena).Run();
}

}  // namespace v1
}  // namespace broadloom
