#include "broadloom/repair.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "broadloom/alignment.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

std::string_view Name(RepairKind kind) noexcept {
  switch (kind) {
    case RepairKind::kInsertAxis:
      return "insert_axis";
    case RepairKind::kRemoveAxis:
      return "remove_axis";
    case RepairKind::kTranspose:
      return "transpose";
    case RepairKind::kChangeTarget:
      return "change_target";
    case RepairKind::kChangeRule:
      return "change_rule";
  }
  return "";
}

namespace {

using Extents = std::array<int64_t, kMostRepairAxes>;

// How unlikely it is that a change is what was meant. The repairs with the
// smallest costs are proposed.
struct Cost {
  static constexpr int kSameRule = 0;  // only the axis or the mapping changes
  static constexpr int kInsert = 10;
  static constexpr int kTarget = 14;
  static constexpr int kRemove = 16;
  static constexpr int kRule = 24;
  static constexpr int kTranspose = 30;
  static constexpr int kGap = 2;     // each group of inserted axes but one
  static constexpr int kOuter = 25;  // each operand is repeated
};

class RepairSearch {
 public:
  RepairSearch(const BroadcastRequest& request, std::span<Repair> repairs,
               const Allocator& allocator)
      : request_(request),
        repairs_(repairs.first(std::min(repairs.size(), kMostRepairs))),
        allocator_(allocator) {}

  Result<size_t> Find() {
    const Result<Alignment> alignment = Align(request_, allocator_);
    if (!alignment &&
        alignment.error().error_class == ErrorClass::kAllocation) {
      return Refused();
    }
    if (!alignment || !alignment->error()) return 0;
    if (!shapes_.CopyFrom(request_.operands, allocator_)) return Refused();
    const Error& error = *alignment->error();
    for (size_t i = shapes_.size(); i-- > 0;) {
      const int32_t operand = static_cast<int32_t>(i);
      if (shapes_.size() > kMostRepairOperands && operand != error.operand &&
          operand != error.other_operand) {
        continue;
      }
      TryInserting(i);
      TryRemoving(i);
      TryTransposing(i);
    }
    TryTargets();
    TryRules();
    if (refused_) return Refused();
    return found_;
  }

 private:
  static std::unexpected<Error> Refused() {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }

  // --- New arrangements of one operand's axes -------------------------------

  // Inserts axes of extent 1 behind the operand's axes and between them.
  void TryInserting(size_t operand) {
    const ShapeView shape = shapes_[operand];
    size_t rank = shape.size() + 1;
    for (const ShapeView& other : shapes_) rank = std::max(rank, other.size());
    if (request_.target_shape) {
      rank = std::max(rank, request_.target_shape->size());
    }
    if (shape.empty() || rank > kMostRepairAxes) return;
    // Bit i is set where axis i of the new shape is an axis of the operand. Bit
    // 0 always is, since rules add leading axes themselves.
    for (size_t width = shape.size() + 1; width <= rank; ++width) {
      for (uint32_t own = 0; own < (1u << width); ++own) {
        if ((own & 1) == 0 ||
            static_cast<size_t>(std::popcount(own)) != shape.size()) {
          continue;
        }
        Extents extents;
        size_t source = 0;
        int gaps = 0;
        for (size_t axis = 0; axis < width; ++axis) {
          const bool mine = (own >> axis & 1) != 0;
          extents[axis] = mine ? shape[source] : 1;
          source += mine;
          gaps += !mine && (axis == 0 || (own >> (axis - 1) & 1) != 0);
        }
        TryShape(RepairKind::kInsertAxis, operand, {extents.data(), width},
                 Cost::kInsert + Cost::kGap * (gaps - 1));
      }
    }
  }

  // Removes axes of extent 1.
  void TryRemoving(size_t operand) {
    const ShapeView shape = shapes_[operand];
    if (shape.size() > kMostRepairAxes) return;
    const uint32_t all = (1u << shape.size()) - 1;
    for (uint32_t kept = 0; kept < all; ++kept) {
      Extents extents;
      size_t rank = 0;
      bool legal = true;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        const bool keeps = (kept >> axis & 1) != 0;
        legal &= keeps || shape[axis] == 1;
        if (keeps) extents[rank++] = shape[axis];
      }
      if (!legal) continue;
      const int removed = static_cast<int>(shape.size() - rank);
      TryShape(RepairKind::kRemoveAxis, operand, {extents.data(), rank},
               Cost::kRemove + removed);
    }
  }

  void TryTransposing(size_t operand) {
    const ShapeView shape = shapes_[operand];
    if (shape.size() < 2 || shape.size() > kMostTransposedAxes) return;
    std::array<size_t, kMostTransposedAxes> order{0, 1, 2, 3, 4};
    const auto end = order.begin() + static_cast<ptrdiff_t>(shape.size());
    while (std::next_permutation(order.begin(), end)) {
      Extents extents;
      int moved = 0;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        extents[axis] = shape[order[axis]];
        moved += order[axis] != axis;
      }
      const ShapeView changed{extents.data(), shape.size()};
      if (std::ranges::equal(changed, shape)) continue;
      TryShape(RepairKind::kTranspose, operand, changed,
               Cost::kTranspose + moved);
    }
  }

  void TryShape(RepairKind kind, size_t operand, ShapeView shape, int cost) {
    const ShapeView before = std::exchange(shapes_[operand], shape);
    BroadcastRequest changed = request_;
    changed.operands = shapes_.view();
    Try(kind, static_cast<int32_t>(operand), shape, changed, cost);
    shapes_[operand] = before;
  }

  // --- Other targets --------------------------------------------------------

  // Changes the target so that the data fits: extents that conflict or are
  // negative become the data's, and missing leading axes are added.
  void TryTargets() {
    if (!request_.target_shape) return;
    const ShapeView target = *request_.target_shape;
    const ShapeView data = shapes_[0];
    const size_t rank = std::max(target.size(), data.size());
    if (rank > kMostRepairAxes || Traits(request_.rule).takes_mapping) return;
    Extents extents;
    for (size_t axis = 0; axis < rank; ++axis) {
      const size_t from_right = rank - axis;
      const int64_t wanted =
          from_right > target.size() ? 1 : target[target.size() - from_right];
      const int64_t has =
          from_right > data.size() ? 1 : data[data.size() - from_right];
      const Comparison comparison =
          CompareExtents<ConcreteExtents>(has, wanted);
      extents[axis] =
          comparison == Comparison::kStretches && wanted >= 0 ? wanted : has;
    }
    BroadcastRequest changed = request_;
    const ShapeView shape{extents.data(), rank};
    changed.target_shape = shape;
    Try(RepairKind::kChangeTarget, kTargetOperand, shape, changed,
        Cost::kTarget);
  }

  // --- Other rules ----------------------------------------------------------

  void TryRules() {
    for (const RuleInfo& rule : AllRules()) {
      const RuleTraits& traits = Traits(rule.rule);
      // A target cannot be made up, and one that is given cannot be dropped.
      if (traits.takes_target != request_.target_shape.has_value()) continue;
      if (IsLikeEarlierRule(traits)) continue;
      BroadcastRequest changed = request_;
      changed.rule = rule.rule;
      changed.axis.reset();
      changed.axes_mapping.reset();
      const int cost =
          rule.rule == request_.rule ? Cost::kSameRule : Cost::kRule;
      switch (traits.placement) {
        case Placement::kRight:
          Try(RepairKind::kChangeRule, kAbsent, {}, changed, cost);
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

  // Whether an earlier rule of the table aligns any shapes in the same way.
  // Only the first of such rules is proposed: numpy, but not
  // onnx_multidirectional and sonnx.
  static bool IsLikeEarlierRule(const RuleTraits& traits) {
    for (const RuleInfo& earlier : AllRules()) {
      if (earlier.rule == traits.rule) return false;
      if (AlignAlike(Traits(earlier.rule), traits)) return true;
    }
    return false;
  }

  void TryAxes(BroadcastRequest changed, int cost) {
    const size_t last = std::min(shapes_[0].size(), kMostAxisTried);
    for (size_t axis = 0; axis <= last; ++axis) {
      changed.axis = static_cast<int64_t>(axis);
      Try(RepairKind::kChangeRule, kAbsent, {}, changed, cost);
    }
  }

  // Tries all increasing mappings. Each is a set of target axes.
  void TryMappings(BroadcastRequest changed, int cost) {
    const size_t rank = shapes_[0].size();
    const size_t target_rank = changed.target_shape->size();
    if (rank > target_rank) return;
    if (target_rank > kMostRepairAxes) return TryFirstMapping(changed, cost);
    for (uint32_t chosen = 0; chosen < (1u << target_rank); ++chosen) {
      if (static_cast<size_t>(std::popcount(chosen)) != rank) continue;
      Extents mapping;
      size_t entries = 0;
      for (size_t axis = 0; axis < target_rank; ++axis) {
        if ((chosen >> axis & 1) != 0) {
          mapping[entries++] = static_cast<int64_t>(axis);
        }
      }
      changed.axes_mapping = std::span<const int64_t>(mapping.data(), rank);
      Try(RepairKind::kChangeRule, kAbsent, {}, changed, cost);
    }
  }

  // Maps each axis of the data to the first axis of the target where it fits,
  // behind that of the axis before it. If this finds no mapping, there is none,
  // since a mapping only has to increase.
  void TryFirstMapping(BroadcastRequest changed, int cost) {
    const ShapeView data = shapes_[0];
    const ShapeView target = *changed.target_shape;
    Shape mapping;
    if (!mapping.ResetForOverwrite(data.size(), allocator_)) {
      refused_ = true;
      return;
    }
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
      mapping.data()[i] = static_cast<int64_t>(axis);
    }
    changed.axes_mapping = mapping.view();
    Try(RepairKind::kChangeRule, kAbsent, {}, changed, cost);
  }

  // --- Trying and keeping ---------------------------------------------------

  // Keeps the change if the changed request fits.
  void Try(RepairKind kind, int32_t operand, ShapeView shape,
           const BroadcastRequest& changed, int cost) {
    const Result<Alignment> alignment = Align(changed, allocator_);
    if (!alignment) {
      refused_ |= alignment.error().error_class == ErrorClass::kAllocation;
      return;
    }
    if (alignment->error()) return;
    if (alignment->grows_both()) cost += Cost::kOuter;
    // The more axes match, the likelier the change is what was meant.
    for (size_t i = 0; i < alignment->operand_count(); ++i) {
      for (size_t axis = 0; axis < alignment->rank(); ++axis) {
        const AlignedCell& cell = alignment->cell(i, axis);
        cost -= cell.relation == Relation::kMatch && cell.extent > 1;
      }
    }
    Keep(kind, operand, shape, changed, *alignment, cost);
  }

  void Keep(RepairKind kind, int32_t operand, ShapeView shape,
            const BroadcastRequest& changed, const Alignment& alignment,
            int cost) {
    // Its place in the order of costs.
    size_t place = 0;
    while (place < found_ && costs_[place] <= cost) ++place;
    size_t alike = 0;
    for (size_t i = 0; i < found_; ++i) {
      if (repairs_[i].kind != kind || repairs_[i].operand != operand) continue;
      // Two arrangements that give the same shape are one repair.
      if (kind != RepairKind::kChangeRule &&
          std::ranges::equal(repairs_[i].shape.view(), shape)) {
        return;
      }
      alike += i < place;
    }
    if (place == repairs_.size() || alike >= kMostAlikeRepairs) return;

    Repair repair{.kind = kind,
                  .operand = operand,
                  .shape = {},
                  .rule = changed.rule,
                  .axis = changed.axis.value_or(kAbsent),
                  .axes_mapping = {},
                  .result = {}};
    const std::span<const int64_t> mapping =
        changed.axes_mapping.value_or(std::span<const int64_t>{});
    if (!repair.shape.CopyFrom(shape, allocator_) ||
        !repair.axes_mapping.CopyFrom(mapping, allocator_) ||
        !repair.result.CopyFrom(alignment.output(), allocator_)) {
      refused_ = true;
      return;
    }
    // If there are too many of the kind now, the one with the largest cost is
    // dropped.
    size_t last = found_ < repairs_.size() ? found_ : found_ - 1;
    for (size_t i = place; i < found_; ++i) {
      if (repairs_[i].kind != kind || repairs_[i].operand != operand) continue;
      if (++alike >= kMostAlikeRepairs) {
        last = i;
        break;
      }
    }
    if (last == found_) ++found_;
    for (size_t i = last; i > place; --i) {
      repairs_[i] = std::move(repairs_[i - 1]);
      costs_[i] = costs_[i - 1];
    }
    repairs_[place] = std::move(repair);
    costs_[place] = cost;
  }

  const BroadcastRequest& request_;
  const std::span<Repair> repairs_;
  const Allocator& allocator_;
  // The operands' shapes; one of them is changed while it is tried.
  InlineArray<ShapeView, kInlineOperands> shapes_;
  std::array<int, kMostRepairs> costs_{};
  size_t found_ = 0;
  bool refused_ = false;
};

}  // namespace

Result<size_t> FindRepairs(const BroadcastRequest& request,
                           std::span<Repair> repairs,
                           const Allocator& allocator) noexcept {
  return RepairSearch(request, repairs, allocator).Find();
}

}  // namespace v1
}  // namespace broadloom
