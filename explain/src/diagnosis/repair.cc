#include "broadloom/explain/repair.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "diagnosis/changed.h"
#include "diagnosis/meaning.h"
#include "diagnosis/search.h"

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
    case RepairKind::kReshape:
      return "reshape";
    case RepairKind::kChangeSize:
      return "change_size";
    case RepairKind::kChangeTarget:
      return "change_target";
    case RepairKind::kChangeRule:
      return "change_rule";
    case RepairKind::kSwapOperands:
      return "swap_operands";
  }
  return "";
}

std::string_view Name(Grade grade) noexcept {
  switch (grade) {
    case Grade::kCertain:
      return "certain";
    case Grade::kLikely:
      return "likely";
    case Grade::kOnlyIfMeant:
      return "only_if_meant";
  }
  return "";
}

namespace {

// Whether the target stated no size along each axis that changes.
bool FillsTarget(ShapeView before, const Repair& repair) {
  return std::ranges::all_of(repair.axes, [&](int64_t axis) {
    const size_t from_right = repair.shape.size() - static_cast<size_t>(axis);
    return from_right > before.size() ||
           before[before.size() - from_right] <= 1;
  });
}

// The grade that the declaration of Grade describes. `is_rival`: the change is
// clean, and no other is much likelier; `is_alone`: none is about as likely.
Grade GradeOf(const BroadcastRequest& request, const Candidate& candidate,
              bool is_rival, bool is_alone) {
  const Repair& repair = candidate.repair;
  if (candidate.is_outer) return Grade::kOnlyIfMeant;
  switch (repair.kind) {
    case RepairKind::kInsertAxis:
    case RepairKind::kRemoveAxis:
      if (!is_rival) return Grade::kOnlyIfMeant;
      return is_alone ? Grade::kCertain : Grade::kLikely;
    case RepairKind::kTranspose:
    case RepairKind::kReshape:
      return is_rival ? Grade::kLikely : Grade::kOnlyIfMeant;
    case RepairKind::kChangeSize:
      return Grade::kOnlyIfMeant;
    case RepairKind::kChangeTarget:
      return FillsTarget(*request.target_shape, repair) ? Grade::kLikely
                                                        : Grade::kOnlyIfMeant;
    case RepairKind::kChangeRule:
      if (repair.rule == request.rule) {
        return is_alone && candidate.is_matched ? Grade::kCertain
                                                : Grade::kLikely;
      }
      return Traits(request.rule).stretches ? Grade::kOnlyIfMeant
                                            : Grade::kLikely;
    case RepairKind::kSwapOperands:
      return Grade::kLikely;
  }
  return Grade::kOnlyIfMeant;
}

// Whether only another axis or mapping is given.
bool IsOption(const BroadcastRequest& request, const Candidate& candidate) {
  return candidate.repair.kind == RepairKind::kChangeRule &&
         candidate.repair.rule == request.rule;
}

// Which element of each operand each element of the result is computed from, as
// strides over the result's axes in the operands' own order of elements. Empty
// where that is not the question: after changes of sizes.
class Sources {
 public:
  Sources(const BroadcastRequest& request, const Repair& repair, Arena& arena) {
    if (repair.kind == RepairKind::kChangeSize) return;
    const Result<Alignment> alignment =
        Align(Changed(request, repair, arena), arena.allocator());
    if (!alignment || alignment->error()) return;
    const size_t rank = alignment->rank();
    const size_t operands = alignment->operand_count();
    if (rank > kMostRank || operands > kMostRepairOperands) return;
    // An empty result is computed from nothing.
    if (std::ranges::find(repair.result, 0) != repair.result.end()) return;
    strides_ = arena.Make<int64_t>(rank * operands);
    if (strides_.size() != rank * operands) return;
    for (size_t i = 0; i < operands; ++i) {
      const bool swaps = repair.kind == RepairKind::kSwapOperands && i < 2;
      const std::span<int64_t> own =
          strides_.subspan((swaps ? 1 - i : i) * rank, rank);
      if (!alignment->Strides(i, own)) {
        strides_ = {};
        return;
      }
      if (repair.kind == RepairKind::kTranspose &&
          static_cast<int32_t>(i) == repair.operand) {
        Transpose(request.operands[i], repair.axes, alignment->cells(i), own);
      }
      for (size_t axis = 0; axis < rank; ++axis) {
        if (alignment->output()[axis] == 1) own[axis] = 0;
      }
    }
  }

  bool Differ(const Sources& other) const {
    return !strides_.empty() && strides_.size() == other.strides_.size() &&
           !std::ranges::equal(strides_, other.strides_);
  }

 private:
  static constexpr size_t kMostRank = 16;

  static void Transpose(ShapeView before, std::span<const int64_t> order,
                        std::span<const AlignedCell> cells,
                        std::span<int64_t> strides) {
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      const AlignedCell& cell = cells[axis];
      if (cell.relation != Relation::kMatch || cell.source_axis < 0) continue;
      int64_t behind = 1;
      const size_t own =
          static_cast<size_t>(order[static_cast<size_t>(cell.source_axis)]);
      for (size_t i = own + 1; i < before.size(); ++i) behind *= before[i];
      strides[axis] = behind;
    }
  }

  std::span<int64_t> strides_;
};

}  // namespace

Result<std::span<const Repair>> FindRepairs(const BroadcastRequest& request,
                                            Arena& arena) noexcept {
  constexpr Error kRefused{.error_class = ErrorClass::kAllocation};
  if (request.operands.size() > kMostRepairedOperands) {
    return std::span<const Repair>();
  }
  Search search(request, arena);
  if (!search.Begin()) {
    if (search.refused()) return std::unexpected(kRefused);
    return std::span<const Repair>();
  }
  search.TryShapes(false);
  search.TryOthers();
  const std::span<const Candidate> found = search.found();
  const std::span<Repair> repairs =
      arena.Make<Repair>(std::min(found.size(), kMostProposals));
  const Candidate* const clean = search.clean();
  const size_t rivals = clean == nullptr ? 0 : search.CountRivals();
  const auto options = std::ranges::count_if(
      found,
      [&](const Candidate& candidate) { return IsOption(request, candidate); });
  for (size_t i = 0; i < repairs.size() && !search.refused(); ++i) {
    Repair& repair = repairs[i] = found[i].repair;
    repair.grade = GradeOf(request, found[i],
                           found[i].is_clean && search.IsRival(found[i]),
                           options == 1   ? IsOption(request, found[i])
                           : options == 0 ? rivals == 1 && &found[i] == clean
                                          : false);
    Text text(arena);
    WriteMeaning(request, repair, text);
    const Sources sources(request, repair, arena);
    for (size_t k = 0; k < i; ++k) {
      if (!std::ranges::equal(repairs[k].result, repair.result) ||
          !sources.Differ(Sources(request, repairs[k], arena))) {
        continue;
      }
      text << " The result has the same shape as after change " << k + 1
           << ", but is computed from other elements.";
      break;
    }
    repair.meaning = text.view();
  }
  if (search.refused()) return std::unexpected(kRefused);
  return repairs;
}

}  // namespace v1
}  // namespace broadloom
