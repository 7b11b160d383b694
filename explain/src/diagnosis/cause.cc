#include "broadloom/explain/cause.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "diagnosis/changed.h"
#include "diagnosis/search.h"

namespace broadloom {
inline namespace v1 {

std::string_view Name(CauseKind kind) noexcept {
  switch (kind) {
    case CauseKind::kMissingAxis:
      return "missing_axis";
    case CauseKind::kExtraAxis:
      return "extra_axis";
    case CauseKind::kAxisOrder:
      return "axis_order";
    case CauseKind::kFlattened:
      return "flattened";
    case CauseKind::kOffByOne:
      return "off_by_one";
    case CauseKind::kSizesDiffer:
      return "sizes_differ";
    case CauseKind::kEmptyOperand:
      return "empty_operand";
    case CauseKind::kBatchRemainder:
      return "batch_remainder";
    case CauseKind::kBakedConstant:
      return "baked_constant";
    case CauseKind::kOneDirection:
      return "one_direction";
    case CauseKind::kTargetMeaning:
      return "target_meaning";
    case CauseKind::kNoBroadcast:
      return "no_broadcast";
    case CauseKind::kOption:
      return "option";
    case CauseKind::kPolicy:
      return "policy";
    case CauseKind::kTooLarge:
      return "too_large";
  }
  return "";
}

namespace {

// Products below this are met by accident too often to tell a flattened shape.
constexpr int64_t kLeastFlattened = 16;
// Below this, sizes that differ by one differ by accident too often.
constexpr int64_t kLeastNeighbour = 8;

class Diagnosis {
 public:
  Diagnosis(const BroadcastRequest& request, Search& search, Arena& arena)
      : request_(request),
        search_(search),
        text_(arena),
        error_(search.error()),
        conflicts_(search.alignment().conflicts()) {}

  Cause Find() {
    cause_.operand = error_.operand;
    cause_.axis = error_.axis;
    Tell();
    cause_.text = text_.view();
    return cause_;
  }

 private:
  void Tell() {
    switch (error_.error_class) {
      case ErrorClass::kOverflow:
        cause_.kind = CauseKind::kTooLarge;
        cause_.operand = kAbsent;
        text_ << "The shapes fit, but the result would have more than 2^63-1 "
                 "elements or bytes.";
        return;
      case ErrorClass::kPolicy:
        return TellPolicy();
      case ErrorClass::kAxis:
      case ErrorClass::kAxesMapping:
        return TellOption();
      default:
        break;
    }
    if (TellTarget() || TellEmpty()) return;
    search_.TryShapes(true);
    if (search_.clean() != nullptr) return TellArrangement();
    if (TellDirection()) return;
    TellSizes();
  }

  ShapeView ShapeOf(int32_t row) const {
    return row == kTargetOperand && request_.target_shape
               ? *request_.target_shape
           : row >= 0 ? request_.operands[static_cast<size_t>(row)]
                      : ShapeView();
  }

  // "B (8,)"
  void WriteRow(int32_t row, bool capital = false) {
    capital ? text_.OperandCapital(row) : text_.Operand(row);
    text_ << ' ';
    text_.Shape(ShapeOf(row));
  }

  // --- Options and targets --------------------------------------------------

  void TellPolicy() {
    cause_.kind = CauseKind::kPolicy;
    text_ << "The shapes fit under the rule " << Info(request_.rule).name
          << "; the policy of this call refuses that ";
    switch (error_.detail) {
      case Detail::kRankPromotion:
        text_.Operand(error_.operand)
            << " gets an axis that it does not have, axis " << error_.axis
            << " of the result.";
        return;
      case Detail::kStretching:
        text_.Operand(error_.operand)
            << " is repeated along axis " << error_.axis << " of the result.";
        return;
      default:
        text_ << "axes of unlike names lie on each other on axis "
              << error_.axis << " of the result: those of ";
        text_.Operand(error_.operand) << " and ";
        text_.Operand(error_.other_operand) << '.';
        return;
    }
  }

  void TellOption() {
    cause_.kind = CauseKind::kOption;
    if (error_.error_class == ErrorClass::kAxis) {
      text_ << "Axis " << error_.extent
            << " is not where B lies within A: from there on, A ";
      text_.Shape(ShapeOf(0)) << " has fewer axes than B ";
      text_.Shape(ShapeOf(1)) << '.';
    } else if (error_.detail == Detail::kMissing) {
      text_ << "The rule needs axes_mapping: for each axis of the data, the "
               "axis of the target that it lies on.";
    } else {
      text_ << "axes_mapping has to name, for each of the " << ShapeOf(0).size()
            << " axes of the data, an axis of the target, in increasing "
               "order.";
    }
  }

  // A target in which 0 or a negative number is a placeholder elsewhere.
  bool TellTarget() {
    if (!request_.target_shape) return false;
    const ShapeView target = *request_.target_shape;
    const ShapeView data = ShapeOf(0);
    for (size_t axis = 0; axis < target.size(); ++axis) {
      const int64_t extent = target[axis];
      const size_t from_right = target.size() - axis;
      const bool is_empty =
          extent == 0 && from_right <= data.size() &&
          data[data.size() - from_right] > 1 &&
          search_.alignment().conflicts(axis + search_.alignment().rank() -
                                        target.size());
      if (extent >= 0 && !is_empty) continue;
      cause_.kind = CauseKind::kTargetMeaning;
      cause_.operand = kTargetOperand;
      cause_.axis = static_cast<int32_t>(axis + search_.alignment().rank() -
                                         target.size());
      text_ << "The target ";
      text_.Shape(target) << " has " << extent << " along axis " << axis
                          << ". ";
      if (extent == -1) {
        text_ << "In an expand or a reshape of other systems, -1 stands for "
                 "an extent that is kept or computed; here it is no extent.";
      } else if (extent < 0) {
        text_ << "That is no extent.";
      } else {
        text_ << "In a reshape of ONNX or OpenVINO, 0 stands for an extent "
                 "that is kept; here it is an axis without elements.";
      }
      if (request_.rule == Rule::kBidirectional) {
        text_ << " 1 keeps the extent of the data.";
      }
      return true;
    }
    return false;
  }

  bool TellEmpty() {
    for (const Conflict& conflict : conflicts_) {
      const bool is_first = conflict.extent == 0;
      if (!is_first && conflict.other_extent != 0) continue;
      const int32_t empty =
          is_first ? conflict.operand : conflict.other_operand;
      const int32_t axis =
          is_first ? conflict.operand_axis : conflict.other_axis;
      if (axis < 0) continue;
      cause_.kind = CauseKind::kEmptyOperand;
      cause_.operand = empty;
      cause_.axis = conflict.axis;
      WriteRow(empty, true);
      text_ << " has no elements: its axis " << axis
            << " is 0. Probably a selection, a slice or a cache came out "
               "empty. Only an "
               "axis of 1 fits 0, not "
            << (is_first ? conflict.other_extent : conflict.extent) << '.';
      return true;
    }
    return false;
  }

  // --- Rearrangements -------------------------------------------------------

  void TellArrangement() {
    const std::span<const Candidate> found = search_.found();
    const Candidate* best = search_.clean();
    for (const Candidate& candidate : found) {
      // An axis of 1 that can go is what differs, where the other operand could
      // get one as well.
      if (candidate.is_clean &&
          candidate.repair.kind == RepairKind::kRemoveAxis &&
          best->repair.kind == RepairKind::kInsertAxis &&
          best->repair.operand != candidate.repair.operand) {
        best = &candidate;
      }
    }
    const Repair& repair = best->repair;
    cause_.operand = repair.operand;
    cause_.is_thin = search_.CountRivals() > 1;
    switch (repair.kind) {
      case RepairKind::kInsertAxis:
        return TellMissing(repair);
      case RepairKind::kRemoveAxis:
        cause_.kind = CauseKind::kExtraAxis;
        WriteRow(repair.operand, true);
        text_ << " has ";
        text_.Count(static_cast<int64_t>(repair.axes.size()),
                    "axis of extent 1", "axes of extent 1")
            << " too many: without "
            << (repair.axes.size() == 1 ? "it" : "them") << " it is ";
        text_.Shape(repair.shape) << ", which fits ";
        WriteRow(OtherThan(repair.operand));
        text_ << '.';
        return;
      case RepairKind::kTranspose:
        cause_.kind = CauseKind::kAxisOrder;
        WriteRow(repair.operand, true);
        text_ << " has the extents of ";
        WriteRow(OtherThan(repair.operand));
        text_ << " in another order";
        WriteLayout(repair);
        text_ << '.';
        return;
      default:
        TellFlattened(repair);
        return;
    }
  }

  // The other row of the error; else the one with the most axes.
  int32_t OtherThan(int32_t operand) const {
    if (error_.operand == operand && error_.other_operand != kAbsent &&
        error_.other_operand != kOutputOperand) {
      return error_.other_operand;
    }
    if (error_.other_operand == operand && error_.operand != kAbsent) {
      return error_.operand;
    }
    if (request_.target_shape) return operand == 0 ? kTargetOperand : 0;
    int32_t other = operand == 0 ? 1 : 0;
    for (size_t i = 0; i < request_.operands.size(); ++i) {
      const int32_t name = static_cast<int32_t>(i);
      if (name != operand && ShapeOf(name).size() > ShapeOf(other).size()) {
        other = name;
      }
    }
    return other;
  }

  void WriteLayout(const Repair& repair) {
    const size_t rank = repair.axes.size();
    if (rank == 2) {
      text_ << ": it is transposed";
      return;
    }
    // Channels last to channels first, and back.
    const size_t first = rank > 3 ? 1 : 0;
    if (repair.axes[first] == static_cast<int64_t>(rank) - 1) {
      text_ << ": its last axis would have to be axis " << first
            << ", as from channels last to channels first";
    } else if (repair.axes[rank - 1] == static_cast<int64_t>(first)) {
      text_ << ": its axis " << first
            << " would have to be the last, as from channels first to channels "
               "last";
    }
  }

  void TellFlattened(const Repair& repair) {
    cause_.kind = CauseKind::kFlattened;
    const ShapeView before = ShapeOf(repair.operand);
    const bool splits =
        repair.shape.size() > before.size() ||
        std::ranges::count_if(repair.shape, [](int64_t e) { return e != 1; }) >
            std::ranges::count_if(before, [](int64_t e) { return e != 1; });
    // The axis that is the product of others.
    int64_t joined = 0;
    for (const int64_t extent : splits ? before : ShapeView(repair.shape)) {
      const ShapeView others = splits ? ShapeView(repair.shape) : before;
      if (std::ranges::find(others, extent) == others.end()) {
        joined = std::max(joined, extent);
      }
    }
    cause_.is_thin |= joined < kLeastFlattened;
    if (splits) {
      WriteRow(repair.operand, true);
    } else {
      WriteRow(OtherThan(repair.operand), true);
    }
    text_ << " looks flattened: its axis of " << joined
          << " is the product of several axes of ";
    if (splits) {
      WriteRow(OtherThan(repair.operand));
    } else {
      WriteRow(repair.operand);
    }
    text_ << '.';
  }

  // "0, 1 and 3": what `write` says of those of the axes that `is_meant` names,
  // which are `count`.
  void WriteAxes(size_t axes, size_t count, const auto& is_meant,
                 const auto& write) {
    size_t done = 0;
    for (size_t axis = 0; axis < axes; ++axis) {
      if (!is_meant(axis)) continue;
      if (done > 0) text_ << (done + 1 == count ? " and " : ", ");
      write(axis);
      ++done;
    }
  }

  void TellMissing(const Repair& repair) {
    cause_.kind = CauseKind::kMissingAxis;
    const int32_t operand = repair.operand;
    const int32_t other = OtherThan(operand);
    const ShapeView own = ShapeOf(operand);
    const ShapeView full = ShapeOf(other);
    const Result<Alignment> alignment = Align(
        Changed(request_, repair, text_.arena()), text_.arena().allocator());
    if (!alignment || alignment->error()) return;  // memory was refused
    const std::span<const AlignedCell> cells =
        alignment->cells(static_cast<size_t>(operand));
    const auto is_new = [&](size_t axis) {
      return cells[axis].source_axis != kAbsent &&
             std::ranges::find(repair.axes, cells[axis].source_axis) !=
                 repair.axes.end();
    };
    // Extents of its own, but for 1s.
    const auto is_matched = [&](size_t axis) {
      return cells[axis].relation == Relation::kMatch && !is_new(axis) &&
             alignment->output()[axis] != 1;
    };
    size_t missing = 0;
    size_t first = 0;
    size_t matches = 0;
    for (size_t axis = cells.size(); axis-- > 0;) {
      matches += is_matched(axis);
      if (!is_new(axis)) continue;
      ++missing;
      first = axis;
    }
    cause_.axis = static_cast<int32_t>(first);
    text_.OperandCapital(operand);
    text_ << "'s ";
    WriteAxes(cells.size(), matches, is_matched,
              [&](size_t axis) { text_ << alignment->output()[axis]; });
    text_ << (matches == 1 ? " was" : " were") << " probably meant for "
          << (matches == 1 ? "axis " : "axes ");
    WriteAxes(cells.size(), matches, is_matched,
              [&](size_t axis) { text_ << axis; });
    text_ << " of ";
    // Where the other row has fewer axes, its own have other numbers.
    if (full.size() == cells.size()) {
      WriteRow(other);
    } else {
      text_ << "the result";
    }
    text_ << ": ";
    text_.Operand(operand);
    text_ << " would need a 1 under " << (missing == 1 ? "axis " : "axes ");
    WriteAxes(cells.size(), missing, is_new, [&](size_t axis) {
      text_ << axis << " (" << alignment->output()[axis] << ')';
    });
    text_ << '.';
    // Where such shapes come from.
    const size_t rank = full.size();
    const size_t last_new = static_cast<size_t>(repair.axes.back());
    const bool ends_new = last_new + 1 == repair.shape.size();
    const auto may_be = [&](std::string_view what) {
      text_ << ' ';
      text_.OperandCapital(operand);
      text_ << " may be " << what << '.';
    };
    const bool is_vector = own.size() == 1;
    if ((is_vector && rank >= 3 && !is_new(cells.size() - rank) &&
         cells[cells.size() - rank].relation != Relation::kMatch) ||
        (is_vector && rank == 4 && !is_new(1))) {
      may_be("a bias or a scale of channels");
    } else if (ends_new && missing == 1 && rank == own.size() + 1 &&
               rank >= 3 && full.back() <= 4) {
      may_be("a mask or a picture without channels");
    } else if (rank == own.size() + missing && ends_new) {
      may_be("the result of a reduction without keepdims");
    } else if (rank == own.size() + missing) {
      may_be(
          "a mask without heads or channels, or the result of a reduction "
          "without keepdims");
    }
  }

  // --- Rules and sizes ------------------------------------------------------

  bool TellDirection() {
    const RuleTraits& traits = Traits(request_.rule);
    if (!traits.stretches && traits.reference == Reference::kEveryone) {
      if (!search_.FitsUnder(Rule::kNumpy)) return false;
      return TellNoBroadcast();
    }
    if (!traits.stretches) {
      return search_.FitsUnder(Rule::kNumpy) && TellNoBroadcast();
    }
    if (traits.reference == Reference::kFirst) {
      if (!search_.FitsUnder(Rule::kNumpy)) return false;
      cause_.kind = CauseKind::kOneDirection;
      cause_.operand = 0;
      text_ << "The rule " << Info(request_.rule).name
            << " stretches B only, and the result has the shape of A: here A ";
      text_.Shape(ShapeOf(0)) << " would have to grow to fit B ";
      text_.Shape(ShapeOf(1)) << '.';
      return true;
    }
    if (traits.reference == Reference::kTarget && !traits.takes_mapping) {
      if (!search_.FitsUnder(Rule::kBidirectional)) return false;
      cause_.kind = CauseKind::kOneDirection;
      cause_.operand = kTargetOperand;
      text_ << "The data are stretched to the target, never the target: here "
               "the target ";
      text_.Shape(*request_.target_shape)
          << " would have to grow to fit the data ";
      text_.Shape(ShapeOf(0))
          << ". In an operation in place, the output is the target.";
      return true;
    }
    return false;
  }

  bool TellNoBroadcast() {
    cause_.kind = CauseKind::kNoBroadcast;
    text_ << "The rule " << Info(request_.rule).name
          << " takes equal shapes only. These would fit under numpy.";
    return true;
  }

  void TellSizes() {
    cause_.kind = CauseKind::kSizesDiffer;
    if (conflicts_.empty()) {
      cause_.kind = CauseKind::kExtraAxis;
      cause_.is_thin = true;
      WriteRow(error_.operand, true);
      text_ << " has more axes than ";
      WriteRow(OtherThan(error_.operand));
      text_ << " has room for.";
      return;
    }
    const Conflict& first = conflicts_.front();
    const int64_t low = std::min(first.extent, first.other_extent);
    const int64_t high = std::max(first.extent, first.other_extent);
    WriteConflicts();
    const ShapeView a = ShapeOf(first.operand);
    const ShapeView b = ShapeOf(first.other_operand);
    const bool is_one = conflicts_.size() == 1;
    if (is_one && low == 3 && high == 4 && std::max(a.size(), b.size()) >= 3) {
      text_ << " 4 and 3 are the channels of a picture with and without "
               "transparency.";
      cause_.operand = first.extent > first.other_extent ? first.operand
                                                         : first.other_operand;
      return;
    }
    if (std::ranges::all_of(conflicts_, [](const Conflict& conflict) {
          return IsOffByOne(conflict.extent, conflict.other_extent);
        })) {
      cause_.kind = CauseKind::kOffByOne;
      cause_.operand = kAbsent;
      cause_.is_thin = low < kLeastNeighbour;
      text_ << " That is a difference of " << high - low
            << ", as by a border: a slice, differences of neighbours, edges "
               "and centres, a convolution without padding, an odd size "
               "halved and doubled.";
      return;
    }
    if (is_one && IsRemainder(first, a, b, low, high)) {
      cause_.kind = CauseKind::kBatchRemainder;
      cause_.operand = kAbsent;
      cause_.is_thin = true;
      text_ << " All other extents agree, and " << high
            << " is the size of a whole batch: " << low
            << " may be what is left for the last one.";
      return;
    }
    if (const int32_t constant = BakedConstant(); constant != kAbsent) {
      cause_.kind = CauseKind::kBakedConstant;
      cause_.operand = constant;
      cause_.is_thin = true;
      text_ << ' ';
      WriteRow(constant, true);
      text_ << " looks like a constant that was made for inputs of another "
               "size: positions, a mask, a grid.";
      return;
    }
    cause_.operand = kAbsent;
    search_.TryOthers();
    const bool may_be_outer =
        std::ranges::any_of(search_.found(), [](const Candidate& candidate) {
          return candidate.repair.kind == RepairKind::kInsertAxis &&
                 candidate.is_outer;
        });
    if (may_be_outer) {
      cause_.is_thin = true;
      text_ << " If each element of one is to be combined with each of the "
               "other, one of them needs an axis of extent 1.";
    } else {
      text_ << " No order of their axes helps: the sizes really differ.";
    }
  }

  // "Axis 1 has 23 in A (88, 23) and 24 in B (88, 24)."
  void WriteConflicts() {
    constexpr size_t kMostShown = 3;
    const size_t shown = std::min(conflicts_.size(), kMostShown);
    for (size_t i = 0; i < shown; ++i) {
      const Conflict& conflict = conflicts_[i];
      if (i > 0) text_ << ' ';
      text_ << "Along axis " << conflict.axis << " of the result, ";
      const auto write = [&](int32_t row, int64_t extent) {
        if (i == 0) {
          WriteRow(row);
        } else {
          text_.Operand(row);
        }
        text_ << " has " << extent;
      };
      write(conflict.other_operand, conflict.other_extent);
      text_ << " and ";
      write(conflict.operand, conflict.extent);
      text_ << '.';
    }
    if (shown < conflicts_.size()) {
      text_ << " There are " << conflicts_.size() - shown << " more.";
    }
  }

  static bool IsRemainder(const Conflict& conflict, ShapeView a, ShapeView b,
                          int64_t low, int64_t high) {
    if (conflict.operand_axis != 0 || conflict.other_axis != 0) return false;
    if (a.size() != b.size() || a.size() < 2) return false;
    if (!std::ranges::equal(a.subspan(1), b.subspan(1))) return false;
    const bool is_round = high % 10 == 0 || (high & (high - 1)) == 0;
    return high >= 8 && is_round && low < high;
  }

  // An operand that is the same for the whole batch, in two axes of the same
  // wrong size or in a model; kAbsent if there is none.
  int32_t BakedConstant() const {
    const Conflict& first = conflicts_.front();
    const bool is_model = request_.rule != Rule::kNumpy &&
                          request_.rule != Rule::kNone &&
                          request_.rule != Rule::kBroadcastNumpy;
    const bool is_square = conflicts_.size() == 2 &&
                           conflicts_[1].extent == first.extent &&
                           conflicts_[1].other_extent == first.other_extent;
    if (!is_model && !is_square &&
        !(conflicts_.size() == 1 && first.operand_axis == 1)) {
      return kAbsent;
    }
    for (const int32_t row : {first.operand, first.other_operand}) {
      if (row < 0) continue;
      const ShapeView shape = ShapeOf(row);
      if (shape.size() >= 2 && shape[0] == 1) return row;
    }
    return kAbsent;
  }

  const BroadcastRequest& request_;
  Search& search_;
  Text text_;
  const Error& error_;
  const std::span<const Conflict> conflicts_;
  Cause cause_;
};

}  // namespace

Result<std::optional<Cause>> FindCause(const BroadcastRequest& request,
                                       Arena& arena) noexcept {
  constexpr Error kRefused{.error_class = ErrorClass::kAllocation};
  Search search(request, arena);
  std::optional<Cause> cause;
  if (search.Begin()) cause = Diagnosis(request, search, arena).Find();
  if (search.refused()) return std::unexpected(kRefused);
  return cause;
}

}  // namespace v1
}  // namespace broadloom
