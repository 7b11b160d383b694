#include "symbols/ways.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// A way: which of the axis' symbols have one value. A block below the number of
// anchors (1 and the numbers of the axis) has that number, a higher one has any
// value that no other block and no anchor has.
struct Way {
  std::array<uint8_t, kMostUnknownOnAxis> blocks = {};
  uint8_t free = 0;  // blocks without an anchor
  // Whether the symbols' ranges allow it.
  bool real = false;
  bool fits = false;
  // Values of the result, as places among the axis' terms: bit i is set when
  // the result has the value of term i.
  uint64_t results = 0;
  // How many of the chosen alternatives include this way.
  uint32_t covered = 0;
};

class Axis {
 public:
  Axis(Core& core, size_t axis, std::span<const SymbolInfo> symbols,
       size_t& left, Arena& arena)
      : core_(core),
        axis_(axis),
        symbols_(symbols),
        left_(left),
        arena_(arena),
        anchors_(arena),
        terms_(arena),
        ways_(arena),
        chosen_(arena) {}

  SymbolicAxis Solve() {
    CollectTerms();
    SymbolicAxis answer;
    if (unknown_count_ > kMostUnknownOnAxis || terms_.size() > 63 ||
        !AddWays(0, Way{})) {
      return MustCheck();
    }
    answer.always = true;
    for (const Way& way : ways_) {
      if (way.real && !way.fits) answer.always = false;
    }
    if (!Choose()) return MustCheck();
    DropImplied();
    // N=M before N=3, and that before N=1: the more usual meaning first.
    std::ranges::sort(chosen_.view(), {}, [this](const Chosen& chosen) {
      return std::pair(Ones(ways_[chosen.way]), chosen.way);
    });
    List<SymbolicAlternative> alternatives(arena_);
    for (const Chosen& chosen : chosen_) {
      alternatives.Push({.equalities = EqualitiesOf(ways_[chosen.way]),
                         .result = Preferred(chosen.results),
                         .witness = {}});
    }
    answer.alternatives = alternatives.view();
    SetResult(answer);
    return answer;
  }

 private:
  struct Chosen {
    size_t way;
    uint64_t results;  // terms that have the result's value in all of it
  };

  void CollectTerms() {
    anchors_.Push(1);
    for (size_t row = 0; row < core_.row_count(); ++row) {
      const int32_t source = core_.source_axes()[row * core_.rank() + axis_];
      if (source == kAbsent) continue;
      const ExtentTerm term = core_.row(row)[static_cast<size_t>(source)];
      if (std::ranges::find(terms_, term) != terms_.end()) continue;
      terms_.Push(term);
      if (term.symbol == kAbsent) {
        if (std::ranges::find(anchors_, term.number) == anchors_.end()) {
          anchors_.Push(term.number);
        }
      } else if (unknown_count_++ < kMostUnknownOnAxis) {
        unknown_[unknown_count_ - 1] = static_cast<size_t>(term.symbol);
      }
    }
    // In the order of symbols, so that axes with the same symbols have the same
    // conditions.
    if (unknown_count_ <= kMostUnknownOnAxis) {
      std::sort(unknown_.begin(), unknown_.begin() + unknown_count_);
    }
    const ExtentTerm one{.number = 1};
    if (std::ranges::find(terms_, one) == terms_.end()) terms_.Push(one);
  }

  // What is true of every rule: the result has the extent of some operand, or 1
  // where none has the axis.
  SymbolicAxis MustCheck() {
    SymbolicAxis answer;
    answer.must_check = true;
    answer.choices = terms_.view();
    answer.least = kUnbounded;
    answer.most = 0;
    for (const ExtentTerm& term : terms_) {
      const Interval range = RangeOf(term);
      answer.least = std::min(answer.least, range.least);
      answer.most = std::max(answer.most, range.most);
    }
    return answer;
  }

  Interval RangeOf(const ExtentTerm& term) const {
    if (term.symbol == kAbsent) return {term.number, term.number};
    const SymbolInfo& symbol = symbols_[static_cast<size_t>(term.symbol)];
    return {symbol.least, symbol.most};
  }
  Interval RangeOfUnknown(size_t i) const {
    return RangeOf({.symbol = static_cast<int32_t>(unknown_[i])});
  }

  // The values that a block's symbols have in common.
  Interval RangeOfBlock(const Way& way, size_t block) const {
    Interval range;
    if (block < anchors_.size()) range = {anchors_[block], anchors_[block]};
    for (size_t i = 0; i < unknown_count_; ++i) {
      if (way.blocks[i] != block) continue;
      const Interval own = RangeOfUnknown(i);
      range.least = std::max(range.least, own.least);
      range.most = std::min(range.most, own.most);
    }
    return range;
  }

  // Adds all ways that begin as `begin` does for the first `count` symbols.
  // Blocks whose symbols have no value in common are left out. Returns false
  // when there are too many ways.
  bool AddWays(size_t count, const Way& begin) {
    if (count == unknown_count_) {
      if (left_ == 0 || ways_.size() == kMostWaysOnAxis || arena_.refused()) {
        return false;
      }
      --left_;
      Way way = begin;
      way.real = IsReal(way);
      Ask(way);
      ways_.Push(way);
      return true;
    }
    const size_t blocks = anchors_.size() + begin.free;
    for (size_t block = 0; block <= blocks; ++block) {
      Way longer = begin;
      longer.blocks[count] = static_cast<uint8_t>(block);
      if (block == blocks) ++longer.free;
      Way known = longer;  // the symbols to come are in no block
      for (size_t i = count + 1; i < unknown_count_; ++i) known.blocks[i] = 255;
      if (RangeOfBlock(known, block).empty()) continue;
      if (!AddWays(count + 1, longer)) return false;
    }
    return true;
  }

  // Whether the free blocks can have values that differ from each other and
  // from all anchors. The block whose range ends first takes the least value
  // that is left in it: blocks after it that could have that value could also
  // have any other value of its range.
  bool IsReal(const Way& way) const {
    std::array<Interval, kMostUnknownOnAxis> ranges;
    for (size_t i = 0; i < way.free; ++i) {
      ranges[i] = RangeOfBlock(way, anchors_.size() + i);
    }
    std::sort(
        ranges.begin(), ranges.begin() + way.free,
        [](const Interval& a, const Interval& b) { return a.most < b.most; });
    std::array<int64_t, kMostUnknownOnAxis> taken;
    for (size_t i = 0; i < way.free; ++i) {
      int64_t value = ranges[i].least;
      const auto is_taken = [&] {
        return std::find(taken.begin(), taken.begin() + i, value) !=
                   taken.begin() + i ||
               std::ranges::find(anchors_, value) != anchors_.end();
      };
      while (value < ranges[i].most && is_taken()) ++value;
      if (is_taken()) return false;
      taken[i] = value;
    }
    return true;
  }

  // Numbers that no anchor has stand for the values of free blocks, whatever
  // the ranges are: a rule does not look at them.
  void Ask(Way& way) {
    std::array<int64_t, kMostUnknownOnAxis> fresh;
    int64_t next = 1000;
    for (int64_t& value : fresh) {
      do ++next;
      while (std::ranges::find(anchors_, next) != anchors_.end());
      value = next;
    }
    for (size_t i = 0; i < unknown_count_; ++i) {
      core_[unknown_[i]] = way.blocks[i] < anchors_.size()
                               ? anchors_[way.blocks[i]]
                               : fresh[way.blocks[i] - anchors_.size()];
    }
    const Core::Reply reply = core_.AskAxis(axis_);
    way.fits = reply.fits;
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (core_.ValueOf(terms_[i]) == reply.extent) {
        way.results |= uint64_t{1} << i;
      }
    }
  }

  // Whether all equalities of `general` hold in `way`.
  bool Includes(const Way& general, const Way& way) const {
    for (size_t i = 0; i < unknown_count_; ++i) {
      if (general.blocks[i] < anchors_.size()) {
        if (way.blocks[i] != general.blocks[i]) return false;
        continue;
      }
      for (size_t k = 0; k < i; ++k) {
        if (general.blocks[k] == general.blocks[i] &&
            way.blocks[k] != way.blocks[i]) {
          return false;
        }
      }
    }
    return true;
  }

  // Chooses ways whose equalities suffice: every real way that they include
  // fits, with the same result. The most general first. Returns false when they
  // do not include every way that fits.
  bool Choose() {
    for (size_t free = unknown_count_ + 1; free-- > 0;) {
      for (size_t i = 0; i < ways_.size(); ++i) {
        if (ways_[i].free == free) Try(i);
      }
    }
    for (const Way& way : ways_) {
      if (way.real && way.fits && way.covered == 0) return false;
    }
    return true;
  }

  void Try(size_t general) {
    uint64_t results = ~uint64_t{0};
    bool is_new = false;
    for (const Way& way : ways_) {
      if (!way.real || !Includes(ways_[general], way)) continue;
      if (!way.fits) return;
      results &= way.results;
      is_new |= way.covered == 0;
    }
    if (!is_new || results == 0) return;
    for (Way& way : ways_) {
      if (way.real && Includes(ways_[general], way)) ++way.covered;
    }
    chosen_.Push({.way = general, .results = results});
  }

  // Drops alternatives of which every way is in another.
  void DropImplied() {
    for (size_t i = chosen_.size(); i-- > 0;) {
      const Way& general = ways_[chosen_[i].way];
      const bool needed = std::ranges::any_of(ways_, [&](const Way& way) {
        return way.real && way.covered == 1 && Includes(general, way);
      });
      if (needed) continue;
      for (Way& way : ways_) {
        if (way.real && Includes(general, way)) --way.covered;
      }
      std::rotate(chosen_.begin() + i, chosen_.begin() + i + 1, chosen_.end());
      chosen_.Truncate(chosen_.size() - 1);
    }
  }

  // How many symbols must be 1, or a number.
  std::pair<size_t, size_t> Ones(const Way& way) const {
    std::pair<size_t, size_t> count;
    for (size_t i = 0; i < unknown_count_; ++i) {
      count.first += way.blocks[i] == 0;
      count.second += way.blocks[i] < anchors_.size();
    }
    return count;
  }

  std::span<const ExtentEquality> EqualitiesOf(const Way& way) {
    List<ExtentEquality> equalities(arena_);
    for (size_t i = 0; i < unknown_count_; ++i) {
      const ExtentTerm own{.symbol = static_cast<int32_t>(unknown_[i])};
      if (way.blocks[i] < anchors_.size()) {
        equalities.Push(
            {.left = own, .right = {.number = anchors_[way.blocks[i]]}});
        continue;
      }
      for (size_t k = 0; k < i; ++k) {
        if (way.blocks[k] != way.blocks[i]) continue;
        equalities.Push({.left = {.symbol = static_cast<int32_t>(unknown_[k])},
                         .right = own});
        break;
      }
    }
    return equalities.view();
  }

  // Of terms that have the same value: a number, then a name.
  ExtentTerm Preferred(uint64_t terms) const {
    std::optional<ExtentTerm> found;
    const auto order = [&](const ExtentTerm& term) {
      if (term.symbol == kAbsent) return 0;
      return symbols_[static_cast<size_t>(term.symbol)].name.empty() ? 2 : 1;
    };
    for (size_t i = 0; i < terms_.size(); ++i) {
      if ((terms >> i & 1) == 0) continue;
      if (!found || order(terms_[i]) < order(*found)) found = terms_[i];
    }
    return found.value_or(ExtentTerm{});
  }

  void SetResult(SymbolicAxis& answer) {
    uint64_t common = ~uint64_t{0};
    for (const Way& way : ways_) {
      if (way.real && way.fits) common &= way.results;
    }
    List<ExtentTerm> choices(arena_);
    if (!chosen_.empty() && common != 0) {
      choices.Push(Preferred(common));
    } else {
      for (const SymbolicAlternative& alternative : answer.alternatives) {
        if (std::ranges::find(choices, alternative.result) == choices.end()) {
          choices.Push(alternative.result);
        }
      }
    }
    answer.choices = choices.view();
  }

  Core& core_;
  const size_t axis_;
  const std::span<const SymbolInfo> symbols_;
  size_t& left_;
  Arena& arena_;
  std::array<size_t, kMostUnknownOnAxis> unknown_ = {};
  size_t unknown_count_ = 0;
  List<int64_t> anchors_;
  List<ExtentTerm> terms_;
  List<Way> ways_;
  List<Chosen> chosen_;
};

}  // namespace

SymbolicAxis SolveAxis(Core& core, size_t axis,
                       std::span<const SymbolInfo> symbols, size_t& left,
                       Arena& arena) {
  return Axis(core, axis, symbols, left, arena).Solve();
}

}  // namespace v1
}  // namespace broadloom
