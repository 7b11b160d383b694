#include "diagnosis/search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

// How unlikely it is that a change is what was meant. The changes with the
// smallest costs are proposed.
struct Cost {
  static constexpr int kSameRule = 0;  // only the axis or the mapping changes
  static constexpr int kSwap = 8;
  static constexpr int kInsert = 10;
  static constexpr int kRemove = 11;
  static constexpr int kReshape = 12;
  static constexpr int kTranspose = 13;
  static constexpr int kTarget = 14;
  static constexpr int kBroadcasts = 15;     // a rule that stretches at all
  static constexpr int kMovedChannels = 18;  // of the larger operand
  static constexpr int kPairs = 19;  // each element with each of the other
  static constexpr int kCut = 20;
  static constexpr int kGrow = 21;
  static constexpr int kRepeat = 22;
  static constexpr int kRule = 24;
  static constexpr int kGap = 2;     // each group of inserted axes but one
  static constexpr int kOuter = 25;  // each operand is repeated
};

// Changes whose costs differ by this are about as likely.
constexpr int kNear = 4;

// Pictures have so many channels at most; points have so many coordinates.
constexpr int64_t kMostChannels = 4;

bool IsOne(int64_t extent) { return extent == 1; }

// The number of axes of more than one element, or of none.
size_t CountLong(ShapeView shape) {
  return shape.size() - static_cast<size_t>(std::ranges::count(shape, 1));
}

}  // namespace

bool IsOffByOne(int64_t a, int64_t b) {
  const int64_t low = std::min(a, b);
  const int64_t high = std::max(a, b);
  if (low < 2) return false;
  return high - low == 1 || (high - low == 2 && low >= 8);
}

bool Search::Begin() {
  alignment_ = Align(request_, allocator_);
  if (!alignment_) {
    refused_ = alignment_.error().error_class == ErrorClass::kAllocation;
    return false;
  }
  if (!alignment_->error()) return false;
  if (!shapes_.CopyFrom(request_.operands, allocator_) ||
      !names_.CopyFrom(request_.axis_names, allocator_)) {
    refused_ = true;
    return false;
  }
  return true;
}

bool Search::IsRival(const Candidate& candidate) const {
  return candidate.is_clean && candidate.cost <= clean()->cost + kNear;
}

size_t Search::CountRivals() const {
  return static_cast<size_t>(std::ranges::count_if(
      found(), [&](const Candidate& candidate) { return IsRival(candidate); }));
}

const Candidate* Search::clean() const {
  for (const Candidate& candidate : found()) {
    if (candidate.is_clean) return &candidate;
  }
  return nullptr;
}

bool Search::FitsUnder(Rule rule) {
  BroadcastRequest changed = request_;
  changed.rule = rule;
  changed.axis.reset();
  changed.axes_mapping.reset();
  changed.policy = {};
  return Fits(Try(changed));
}

// --- New arrangements of one operand's axes ---------------------------------

bool Search::IsTried(size_t operand, bool only_named) const {
  if (shapes_[operand].size() > kMostRepairAxes) return false;
  // Of equal operands, each would have to change.
  if (shapes_.size() > 2 && !has_names()) {
    for (size_t i = 0; i < shapes_.size(); ++i) {
      if (i != operand && std::ranges::equal(shapes_[i], shapes_[operand])) {
        return false;
      }
    }
  }
  const int32_t name = static_cast<int32_t>(operand);
  if (!only_named && shapes_.size() <= kMostRepairOperands) return true;
  return name == error().operand || name == error().other_operand;
}

void Search::TryShapes(bool only_named) {
  for (size_t i = shapes_.size(); i-- > 0;) {
    if (!IsTried(i, only_named)) continue;
    TryInserting(i);
    TryRemoving(i);
    TryMovingChannels(i);
    TryReshaping(i);
  }
  // Where axes of 1 help, another order of the axes would align by luck.
  if (clean() != nullptr && clean()->cost < Cost::kTranspose) return;
  for (size_t i = shapes_.size(); i-- > 0;) {
    if (IsTried(i, only_named)) TryTransposing(i);
  }
}

// Whether each long axis of the operand has an axis of the same extent in some
// other row: without that, no rearrangement matches all of them.
bool Search::HasPartners(size_t operand) const {
  return std::ranges::all_of(shapes_[operand], [&](int64_t extent) {
    if (IsOne(extent)) return true;
    for (size_t i = 0; i < rows(); ++i) {
      if (i != operand && std::ranges::find(row(i), extent) != row(i).end()) {
        return true;
      }
    }
    return false;
  });
}

// Whether each element of one operand is perhaps to be combined with each of
// the other: two lists, or two lists of points.
bool Search::MayBeOuter(size_t operand) const {
  const RuleTraits& traits = Traits(request_.rule);
  if (shapes_.size() != 2 || traits.reference != Reference::kEveryone ||
      !traits.stretches) {
    return false;
  }
  const ShapeView a = shapes_[operand];
  const ShapeView b = shapes_[1 - operand];
  if (a.size() != b.size() || a.empty() || a.size() > 2) return false;
  if (a[0] < 2 || b[0] < 2 || a[0] == b[0] || IsOffByOne(a[0], b[0])) {
    return false;
  }
  return a.size() == 1 || (a[1] == b[1] && a[1] > 1 && a[1] <= kMostChannels);
}

// Inserts axes of extent 1 behind the operand's axes and between them, and
// before them where the rule does not add leading axes itself.
void Search::TryInserting(size_t operand) {
  const ShapeView shape = shapes_[operand];
  if (shape.empty()) return;
  if (MayBeOuter(operand)) {
    Axes extents;
    extents[0] = shape[0];
    extents[1] = 1;
    if (shape.size() == 2) extents[2] = shape[1];
    const int64_t axis[] = {1};
    TryShape(RepairKind::kInsertAxis, operand,
             ShapeView(extents).first(shape.size() + 1), axis, Demand::kOuter,
             Cost::kPairs);
    return;
  }
  if (!HasPartners(operand)) return;
  size_t rank = shape.size() + 1;
  for (size_t i = 0; i < rows(); ++i) rank = std::max(rank, row(i).size());
  if (rank > kMostRepairAxes) return;
  const bool leads =
      !Traits(request_.rule).stretches || !request_.policy.inserts;
  // Bit i is set where axis i of the new shape is an axis of the operand.
  for (size_t width = shape.size() + 1; width <= rank; ++width) {
    for (uint32_t own = 0; own < (1u << width); ++own) {
      if (static_cast<size_t>(std::popcount(own)) != shape.size()) continue;
      if (!leads && (own & 1) == 0) continue;
      Axes extents;
      Axes added;
      size_t source = 0;
      size_t news = 0;
      int gaps = 0;
      for (size_t axis = 0; axis < width; ++axis) {
        const bool mine = (own >> axis & 1) != 0;
        extents[axis] = mine ? shape[source++] : 1;
        if (mine) continue;
        added[news++] = static_cast<int64_t>(axis);
        gaps += axis == 0 || (own >> (axis - 1) & 1) != 0;
      }
      TryShape(RepairKind::kInsertAxis, operand,
               ShapeView(extents).first(width), ShapeView(added).first(news),
               Demand::kMatched, Cost::kInsert + Cost::kGap * (gaps - 1));
    }
  }
}

// Removes axes of extent 1.
void Search::TryRemoving(size_t operand) {
  const ShapeView shape = shapes_[operand];
  uint32_t ones = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    ones |= (IsOne(shape[axis]) ? 1u : 0u) << axis;
  }
  // Each set of axes to be removed, but none.
  for (uint32_t gone = ones; gone != 0; gone = (gone - 1) & ones) {
    Axes extents;
    Axes removed;
    size_t rank = 0;
    size_t count = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if ((gone >> axis & 1) != 0) {
        removed[count++] = static_cast<int64_t>(axis);
      } else {
        extents[rank++] = shape[axis];
      }
    }
    TryShape(RepairKind::kRemoveAxis, operand, ShapeView(extents).first(rank),
             ShapeView(removed).first(count), Demand::kMatched,
             Cost::kRemove + static_cast<int>(count));
  }
}

void Search::TryOrder(size_t operand, std::span<const int64_t> order,
                      Demand demand, int cost) {
  const ShapeView shape = shapes_[operand];
  Axes extents;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    extents[axis] = shape[static_cast<size_t>(order[axis])];
  }
  const ShapeView changed = ShapeView(extents).first(shape.size());
  if (std::ranges::equal(changed, shape) && !has_names()) return;
  (void)TryShape(RepairKind::kTranspose, operand, changed, order, demand, cost);
}

// Moves one axis to another place.
void Search::TryMoving(size_t operand, size_t from, size_t to, Demand demand,
                       int cost) {
  Axes order;
  const size_t rank = shapes_[operand].size();
  for (size_t axis = 0; axis < rank; ++axis) {
    order[axis] = static_cast<int64_t>(axis);
  }
  const auto at = [&](size_t axis) {
    return order.begin() + static_cast<ptrdiff_t>(axis);
  };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
  TryOrder(operand, std::span<const int64_t>(order).first(rank), demand, cost);
}

// Other orders of the axes, where each long axis has a partner.
void Search::TryTransposing(size_t operand) {
  const ShapeView shape = shapes_[operand];
  const size_t rank = shape.size();
  if (rank < 2 || CountLong(shape) < 2 || !HasPartners(operand)) return;
  // One axis moved to another place: most transposes of real programs. They
  // come first, since of several orders with the same extents the first is
  // kept.
  for (size_t from = 0; from < rank; ++from) {
    for (size_t to = 0; to < rank; ++to) {
      if (from == to || from == to + 1) continue;  // neighbours exchanged
      const bool is_end = to == rank - 1 || from == rank - 1;
      TryMoving(operand, from, to, Demand::kMatched,
                Cost::kTranspose + (is_end ? 0 : 1));
    }
  }
  if (rank > kMostTransposedAxes) return;
  Axes order{0, 1, 2, 3, 4};
  const auto end = order.begin() + static_cast<ptrdiff_t>(rank);
  while (std::next_permutation(order.begin(), end)) {
    TryOrder(operand, std::span<const int64_t>(order).first(rank),
             Demand::kMatched, Cost::kTranspose + 2);
  }
}

// Moves the channels of the larger operand to the other end, so that they match
// those of another operand.
void Search::TryMovingChannels(size_t operand) {
  const ShapeView shape = shapes_[operand];
  for (const size_t first : {size_t{0}, size_t{1}}) {
    if (shape.size() < first + 3) return;
    const size_t last = shape.size() - 1;
    if (shape[first] <= kMostChannels) {
      TryMoving(operand, first, last, Demand::kClean, Cost::kMovedChannels);
    }
    if (shape[last] <= kMostChannels) {
      TryMoving(operand, last, first, Demand::kClean, Cost::kMovedChannels);
    }
  }
}

// One axis split into several of another row, or several joined to one.
void Search::TryReshaping(size_t operand) {
  for (size_t i = 0; i < rows(); ++i) {
    if (i == operand || row(i).size() > kMostRepairAxes) continue;
    TrySplitting(operand, row(i));
    TryMerging(operand, row(i));
  }
}

void Search::TrySplitting(size_t operand, ShapeView other) {
  const ShapeView shape = shapes_[operand];
  for (size_t begin = 0; begin < other.size(); ++begin) {
    int64_t product = 1;
    for (size_t end = begin; end < other.size(); ++end) {
      if (other[end] < 1 || OverflowsMultiply(product, other[end], product)) {
        break;
      }
      const ShapeView parts = other.subspan(begin, end + 1 - begin);
      if (CountLong(parts) < 2) continue;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] != product) continue;
        Axes extents;
        size_t rank = 0;
        // Behind a last axis that is split, other rows may have more axes.
        const size_t behind =
            axis + 1 == shape.size() ? other.size() - end - 1 : 0;
        if (shape.size() - 1 + parts.size() + behind > kMostRepairAxes) {
          continue;
        }
        for (size_t i = 0; i < shape.size(); ++i) {
          if (i != axis) {
            extents[rank++] = shape[i];
          } else {
            for (const int64_t part : parts) extents[rank++] = part;
          }
        }
        for (size_t ones = 0; ones <= behind;
             ones = ones == behind ? behind + 1 : behind) {
          std::fill_n(extents.begin() + static_cast<ptrdiff_t>(rank), ones, 1);
          (void)TryShape(RepairKind::kReshape, operand,
                         ShapeView(extents).first(rank + ones), {},
                         Demand::kMatched, Cost::kReshape);
        }
      }
    }
  }
}

void Search::TryMerging(size_t operand, ShapeView other) {
  const ShapeView shape = shapes_[operand];
  for (size_t begin = 0; begin < shape.size(); ++begin) {
    int64_t product = 1;
    for (size_t end = begin; end < shape.size(); ++end) {
      if (shape[end] < 1 || OverflowsMultiply(product, shape[end], product)) {
        break;
      }
      if (CountLong(shape.subspan(begin, end + 1 - begin)) < 2) continue;
      if (std::ranges::find(other, product) == other.end()) continue;
      Axes extents;
      size_t rank = 0;
      for (size_t i = 0; i < shape.size(); ++i) {
        if (i == begin) extents[rank++] = product;
        if (i < begin || i > end) extents[rank++] = shape[i];
      }
      (void)TryShape(RepairKind::kReshape, operand,
                     ShapeView(extents).first(rank), {}, Demand::kMatched,
                     Cost::kReshape);
    }
  }
}

// The names of the operand's axes after the change. An axis that is added takes
// the name of the axis that it probably lies on: that of the operand with the
// most axes, counted from the right.
void Search::NameAxes(RepairKind kind, size_t operand, size_t rank,
                      std::span<const int64_t> axes, Names& names) {
  const std::span<const std::string_view> before = names_[operand];
  const auto is_listed = [&](size_t axis) {
    return std::ranges::find(axes, static_cast<int64_t>(axis)) != axes.end();
  };
  size_t longest = operand;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].size() > names_[longest].size()) longest = i;
  }
  size_t source = 0;
  for (size_t axis = 0; axis < rank; ++axis) {
    const size_t from_right = rank - axis;
    switch (kind) {
      case RepairKind::kInsertAxis:
        if (!is_listed(axis)) {
          names[axis] = before[source++];
        } else if (const std::span<const std::string_view> others =
                       names_[longest];
                   from_right <= others.size()) {
          names[axis] = others[others.size() - from_right];
        }
        break;
      case RepairKind::kRemoveAxis:
        while (is_listed(source)) ++source;
        names[axis] = before[source++];
        break;
      case RepairKind::kTranspose:
        names[axis] = before[static_cast<size_t>(axes[axis])];
        break;
      default:
        if (rank == before.size()) names[axis] = before[axis];
        break;
    }
  }
}

bool Search::TryShape(RepairKind kind, size_t operand, ShapeView shape,
                      std::span<const int64_t> axes, Demand demand, int cost) {
  const ShapeView before = std::exchange(shapes_[operand], shape);
  BroadcastRequest changed = request_;
  changed.operands = shapes_.view();
  Names names;
  std::span<const std::string_view> names_before;
  if (has_names()) {
    names_before = names_[operand];
    if (!names_before.empty() && shape.size() <= kMostRepairAxes) {
      NameAxes(kind, operand, shape.size(), axes, names);
      names_[operand] =
          std::span<const std::string_view>(names).first(shape.size());
    }
    changed.axis_names = names_.view();
  }
  const Result<Alignment> alignment = Try(changed);
  bool fits = Fits(alignment);
  if (fits) {
    const Fit fit = FitOf(*alignment, operand);
    const bool is_clean =
        fit.unmatched == 0 || (!fit.is_outer && !request_.target_shape);
    if (demand == Demand::kMatched) fits = is_clean && fit.unmatched == 0;
    if (demand == Demand::kClean) fits = is_clean;
    if (fits) {
      // The more axes match, the likelier the change is what was meant.
      Keep({.repair = {.kind = kind,
                       .operand = static_cast<int32_t>(operand),
                       .shape = shape,
                       .axes = axes,
                       .rule = request_.rule},
            .cost = cost - fit.matched,
            .is_outer = fit.is_outer,
            .is_matched = fit.unmatched == 0,
            .is_clean = demand != Demand::kAny && demand != Demand::kOuter},
           *alignment);
    }
  }
  shapes_[operand] = before;
  if (has_names()) names_[operand] = names_before;
  return fits;
}

// --- Other targets and sizes ------------------------------------------------

void Search::TryOthers() {
  TryTargets();
  TrySwapping();
  TryRules();
  if (clean() != nullptr) return;
  TrySizes();
  TryRepeating();
}

// Changes the target so that the data fits: extents that conflict or are
// negative become the data's, and missing leading axes are added.
void Search::TryTargets() {
  if (!request_.target_shape) return;
  const ShapeView target = *request_.target_shape;
  const ShapeView data = shapes_[0];
  const size_t rank = std::max(target.size(), data.size());
  if (rank > kMostRepairAxes || Traits(request_.rule).takes_mapping) return;
  Axes extents;
  Axes kept;  // with 1 where the target says 0 or a negative number
  bool keeps = false;
  bool changes = false;
  for (size_t axis = 0; axis < rank; ++axis) {
    const size_t from_right = rank - axis;
    const int64_t wanted =
        from_right > target.size() ? 1 : target[target.size() - from_right];
    const int64_t has =
        from_right > data.size() ? 1 : data[data.size() - from_right];
    const Comparison comparison = CompareExtents<ConcreteExtents>(has, wanted);
    extents[axis] =
        comparison == Comparison::kStretches && wanted >= 0 ? wanted : has;
    const bool is_placeholder = wanted < 0 || (wanted == 0 && has > 1);
    kept[axis] = is_placeholder ? 1 : extents[axis];
    keeps |= is_placeholder;
    changes |= extents[axis] != wanted && wanted > 1;
  }
  // A target whose sizes were right is not changed to the data's if the data
  // only have to be rearranged.
  if (changes && clean() != nullptr) return;
  TryTarget(ShapeView(extents).first(rank), Cost::kTarget);
  if (keeps) TryTarget(ShapeView(kept).first(rank), Cost::kTarget);
}

void Search::TryTarget(ShapeView target, int cost) {
  const ShapeView before = *request_.target_shape;
  if (std::ranges::equal(target, before)) return;
  BroadcastRequest changed = request_;
  changed.target_shape = target;
  const Result<Alignment> alignment = Try(changed);
  if (!Fits(alignment)) return;
  Axes axes;
  size_t count = 0;
  for (size_t axis = 0; axis < target.size(); ++axis) {
    const size_t from_right = target.size() - axis;
    if (from_right > before.size() ||
        before[before.size() - from_right] != target[axis]) {
      axes[count++] = static_cast<int64_t>(axis);
    }
  }
  Keep({.repair = {.kind = RepairKind::kChangeTarget,
                   .operand = kTargetOperand,
                   .shape = target,
                   .axes = std::span<const int64_t>(axes).first(count),
                   .rule = request_.rule},
        .cost = cost},
       *alignment);
}

// Gives operands the extents with which they conflict.
void Search::TrySizes() {
  if (alignment_->conflicts().empty()) return;
  int32_t last = kAbsent;
  for (const Conflict& conflict : alignment_->conflicts()) {
    for (const int32_t operand : {conflict.operand, conflict.other_operand}) {
      if (operand < 0 || operand == last) continue;
      if (shapes_.size() > kMostRepairOperands && operand != error().operand &&
          operand != error().other_operand) {
        continue;
      }
      last = operand;
      TrySize(static_cast<size_t>(operand));
    }
  }
}

void Search::TrySize(size_t operand) {
  const ShapeView before = shapes_[operand];
  const std::span<int64_t> shape = arena_.Make<int64_t>(before.size());
  const std::span<int64_t> axes = arena_.Make<int64_t>(before.size());
  if (shape.size() != before.size() || before.empty()) return;
  std::ranges::copy(before, shape.begin());
  size_t count = 0;
  bool grows = false;
  const int32_t name = static_cast<int32_t>(operand);
  for (const Conflict& conflict : alignment_->conflicts()) {
    const bool is_first = conflict.operand == name;
    if (!is_first && conflict.other_operand != name) continue;
    const int32_t axis = is_first ? conflict.operand_axis : conflict.other_axis;
    const int64_t other = is_first ? conflict.other_extent : conflict.extent;
    if (axis < 0 || other < 1) return;
    const size_t at = static_cast<size_t>(axis);
    if (shape[at] != before[at]) continue;  // by an earlier conflict
    if (before[at] == 0) return;            // an empty operand: fill it first
    grows |= other > before[at];
    shape[at] = other;
    axes[count++] = axis;
  }
  if (count == 0) return;
  (void)TryShape(RepairKind::kChangeSize, operand, shape, axes.first(count),
                 Demand::kAny, grows ? Cost::kGrow : Cost::kCut);
}

// Repeats an operand beforehand, where the rule or the policy does not.
void Search::TryRepeating() {
  const RuleTraits& traits = Traits(request_.rule);
  const bool is_refused = error().error_class == ErrorClass::kPolicy;
  if ((traits.stretches && !is_refused &&
       traits.reference == Reference::kEveryone) ||
      traits.takes_target || request_.target_shape || shapes_.size() < 2) {
    return;
  }
  BroadcastRequest stretched = request_;
  stretched.policy = {};
  if (!is_refused) stretched.rule = Rule::kNumpy;
  if (!is_refused) stretched.axis.reset();
  const Result<Alignment> alignment = Try(stretched);
  if (!Fits(alignment)) return;
  const std::span<const int64_t> common = arena_.Copy(alignment->output());
  for (size_t i = 0; i < shapes_.size(); ++i) {
    if (!IsTried(i, true)) continue;
    const ShapeView before = shapes_[i];
    if (before.size() > common.size() || std::ranges::equal(before, common)) {
      continue;
    }
    Axes axes;
    if (common.size() > kMostRepairAxes) return;
    size_t count = 0;
    for (size_t axis = 0; axis < common.size(); ++axis) {
      const size_t from_right = common.size() - axis;
      if (from_right > before.size() ||
          before[before.size() - from_right] != common[axis]) {
        axes[count++] = static_cast<int64_t>(axis);
      }
    }
    (void)TryShape(RepairKind::kChangeSize, i, common,
                   std::span<const int64_t>(axes).first(count), Demand::kAny,
                   Cost::kRepeat);
  }
}

// --- Other orders and rules -------------------------------------------------

// Exchanges A and B where the rule takes A for the shape of the result.
void Search::TrySwapping() {
  if (shapes_.size() != 2 ||
      Traits(request_.rule).reference != Reference::kFirst) {
    return;
  }
  std::swap(shapes_[0], shapes_[1]);
  if (names_.size() == 2) std::swap(names_[0], names_[1]);
  BroadcastRequest changed = request_;
  changed.operands = shapes_.view();
  changed.axis_names = names_.view();
  const Result<Alignment> alignment = Try(changed);
  if (Fits(alignment)) {
    Keep({.repair = {.kind = RepairKind::kSwapOperands, .rule = request_.rule},
          .cost = Cost::kSwap},
         *alignment);
  }
  std::swap(shapes_[0], shapes_[1]);
  if (names_.size() == 2) std::swap(names_[0], names_[1]);
}

// Whether an earlier rule of the table aligns any shapes in the same way. Only
// the first of such rules is proposed: numpy, but not onnx_multidirectional and
// sonnx.
bool IsLikeEarlierRule(const RuleTraits& traits) {
  for (const RuleInfo& earlier : AllRules()) {
    if (earlier.rule == traits.rule) return false;
    if (AlignAlike(Traits(earlier.rule), traits)) return true;
  }
  return false;
}

void Search::TryRules() {
  for (const RuleInfo& rule : AllRules()) {
    const RuleTraits& traits = Traits(rule.rule);
    // A target cannot be made up, and one that is given cannot be dropped.
    if (traits.takes_target != request_.target_shape.has_value()) continue;
    if (IsLikeEarlierRule(traits)) continue;
    BroadcastRequest changed = request_;
    changed.rule = rule.rule;
    changed.axis.reset();
    changed.axes_mapping.reset();
    const bool broadcasts =
        !Traits(request_.rule).stretches && rule.rule == Rule::kNumpy;
    const int cost = rule.rule == request_.rule ? Cost::kSameRule
                     : broadcasts               ? Cost::kBroadcasts
                                                : Cost::kRule;
    switch (traits.placement) {
      case Placement::kRight:
        if (rule.rule != request_.rule || request_.axis ||
            request_.axes_mapping) {
          TryOption(changed, cost);
        }
        break;
      case Placement::kFromAxis:
        TryAxes(changed, cost);
        break;
      case Placement::kMapped:
        TryMappings(changed, cost);
        break;
    }
  }
}

void Search::TryAxes(BroadcastRequest changed, int cost) {
  const size_t last = std::min(shapes_[0].size(), kMostAxisTried);
  for (size_t axis = 0; axis <= last; ++axis) {
    changed.axis = static_cast<int64_t>(axis);
    TryOption(changed, cost);
  }
}

// Tries all increasing mappings. Each is a set of target axes.
void Search::TryMappings(BroadcastRequest changed, int cost) {
  const size_t rank = shapes_[0].size();
  const size_t target_rank = changed.target_shape->size();
  if (rank > target_rank) return;
  if (target_rank > kMostRepairAxes) return TryFirstMapping(changed, cost);
  for (uint32_t chosen = 0; chosen < (1u << target_rank); ++chosen) {
    if (static_cast<size_t>(std::popcount(chosen)) != rank) continue;
    Axes mapping;
    size_t entries = 0;
    for (size_t axis = 0; axis < target_rank; ++axis) {
      if ((chosen >> axis & 1) != 0) {
        mapping[entries++] = static_cast<int64_t>(axis);
      }
    }
    changed.axes_mapping = std::span<const int64_t>(mapping).first(rank);
    TryOption(changed, cost);
  }
}

// Maps each axis of the data to the first axis of the target where it fits,
// behind that of the axis before it. If this finds no mapping, there is none,
// since a mapping only has to increase.
void Search::TryFirstMapping(BroadcastRequest changed, int cost) {
  const ShapeView data = shapes_[0];
  const ShapeView target = *changed.target_shape;
  const std::span<int64_t> mapping = arena_.Make<int64_t>(data.size());
  if (mapping.size() != data.size()) return;
  size_t axis = 0;
  for (size_t i = 0; i < data.size(); ++i, ++axis) {
    const auto fits = [&](int64_t extent) {
      const Comparison comparison =
          CompareExtents<ConcreteExtents>(data[i], extent);
      return comparison == Comparison::kEqual ||
             comparison == Comparison::kStretches;
    };
    while (axis < target.size() && !fits(target[axis])) ++axis;
    if (axis == target.size()) return;
    mapping[i] = static_cast<int64_t>(axis);
  }
  changed.axes_mapping = mapping;
  TryOption(changed, cost);
}

// Tries another rule, axis or mapping.
void Search::TryOption(const BroadcastRequest& changed, int cost) {
  const Result<Alignment> alignment = Try(changed);
  if (!Fits(alignment)) return;
  int matched = 0;
  bool is_outer = false;
  bool is_matched = false;
  const size_t counted =
      std::min(alignment->operand_count(), kMostRepairOperands);
  for (size_t i = 0; i < counted; ++i) {
    const Fit fit = FitOf(*alignment, i);
    matched += fit.matched;
    is_outer = fit.is_outer;
    is_matched |= fit.matched > 0 && fit.unmatched == 0;
  }
  // Another option of the same rule stays before everything else.
  Keep({.repair = {.kind = RepairKind::kChangeRule,
                   .rule = changed.rule,
                   .axis = changed.axis.value_or(kAbsent),
                   .axes_mapping = changed.axes_mapping.value_or(
                       std::span<const int64_t>{})},
        .cost = (cost == Cost::kSameRule ? -100 : 0) + cost - matched +
                (is_outer ? Cost::kOuter : 0),
        .is_outer = is_outer,
        .is_matched = is_matched},
       *alignment);
}

// --- Trying and keeping -----------------------------------------------------

Result<Alignment> Search::Try(const BroadcastRequest& changed) {
  // Made where it is returned, since an alignment is too large to move.
  Result<Alignment> alignment = Align(changed, allocator_);
  refused_ |=
      !alignment && alignment.error().error_class == ErrorClass::kAllocation;
  return alignment;
}

bool Search::Fits(const Result<Alignment>& alignment) {
  return alignment && !alignment->error();
}

Search::Fit Search::FitOf(const Alignment& alignment, size_t operand) {
  Fit fit;
  const size_t rank = alignment.rank();
  const size_t operands = alignment.operand_count();
  size_t repeated = 0;
  for (size_t i = 0; i < operands; ++i) {
    const std::span<const AlignedCell> cells = alignment.cells(i);
    bool is_repeated = false;
    for (size_t axis = 0; axis < rank; ++axis) {
      is_repeated |= (cells[axis].relation == Relation::kStretch ||
                      cells[axis].relation == Relation::kInsert) &&
                     !IsOne(alignment.output()[axis]);
    }
    repeated += is_repeated;
  }
  fit.is_outer = operands > 1 && repeated == operands;
  const std::span<const AlignedCell> own = alignment.cells(operand);
  for (size_t axis = 0; axis < rank; ++axis) {
    const AlignedCell& cell = own[axis];
    if (cell.source_axis == kAbsent || IsOne(cell.extent)) continue;
    bool has_partner = false;
    const auto look = [&](const AlignedCell& other) {
      has_partner |=
          other.source_axis != kAbsent && other.extent == cell.extent;
    };
    for (size_t i = 0; i < operands && !has_partner; ++i) {
      if (i != operand) look(alignment.cell(i, axis));
    }
    if (alignment.has_target()) look(alignment.target_cell(axis));
    ++(has_partner ? fit.matched : fit.unmatched);
  }
  return fit;
}

void Search::Keep(const Candidate& candidate, const Alignment& alignment) {
  // Different kinds help more than many of a kind.
  const auto is_alike = [&](const Candidate& other) {
    return other.repair.kind == candidate.repair.kind &&
           other.repair.operand == candidate.repair.operand;
  };
  size_t place = 0;
  while (place < count_ && found_[place].cost <= candidate.cost) ++place;
  size_t alike = 0;
  for (size_t i = 0; i < count_; ++i) {
    if (!is_alike(found_[i])) continue;
    const Repair& a = found_[i].repair;
    const Repair& b = candidate.repair;
    // Of several ways to a shape the first is kept, unless axes are named.
    if (std::ranges::equal(a.shape, b.shape) && a.rule == b.rule &&
        a.axis == b.axis &&
        std::ranges::equal(a.axes_mapping, b.axes_mapping)) {
      return;
    }
    alike += i < place;
  }
  if (place == kMostFound || alike >= kMostAlikeRepairs) return;
  // If there are too many of the kind now, the one with the largest cost is
  // dropped.
  size_t last = count_ < kMostFound ? count_ : count_ - 1;
  for (size_t i = place; i < count_; ++i) {
    if (is_alike(found_[i]) && ++alike >= kMostAlikeRepairs) {
      last = i;
      break;
    }
  }
  if (last == count_) ++count_;
  std::move_backward(found_.begin() + static_cast<ptrdiff_t>(place),
                     found_.begin() + static_cast<ptrdiff_t>(last),
                     found_.begin() + static_cast<ptrdiff_t>(last) + 1);
  Candidate& kept = found_[place];
  kept = candidate;
  kept.repair.shape = arena_.Copy(candidate.repair.shape);
  kept.repair.axes = arena_.Copy(candidate.repair.axes);
  kept.repair.axes_mapping = arena_.Copy(candidate.repair.axes_mapping);
  kept.repair.result = arena_.Copy(alignment.output());
}

}  // namespace v1
}  // namespace broadloom
