// The search for changes that make a request fit. Repairs are chosen from what
// it finds, and causes are derived from it.
//
// The search knows no rule: whatever looks promising is given to Align. What it
// adds is evidence, which distinguishes a meant change from one that aligns by
// luck. An axis of more than one element is matched if another operand (or the
// target) has an axis of the same extent there.

#ifndef BROADLOOM_EXPLAIN_DIAGNOSIS_SEARCH_H_
#define BROADLOOM_EXPLAIN_DIAGNOSIS_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {

// How many changes of one kind for one operand are kept: different kinds help
// more than many of a kind.
inline constexpr size_t kMostAlikeRepairs = 2;

// Shapes of more axes are not rearranged, since there are too many
// arrangements: 2^8 choices of axes, 5! orders.
inline constexpr size_t kMostRepairAxes = 8;
inline constexpr size_t kMostTransposedAxes = 5;

// Of more operands, only the two that the first error names are rearranged.
inline constexpr size_t kMostRepairOperands = 8;

// A change that fits.
struct Candidate {
  Repair repair;
  int cost = 0;             // the likeliest change has the smallest
  bool is_outer = false;    // each operand is repeated after it
  bool is_matched = false;  // all axes of the operand that moves are matched
  // Whether operands are only rearranged, and all their axes are matched after
  // it: the evidence in the shapes themselves.
  bool is_clean = false;
};

// Whether two extents are as near as those of a forgotten border: 23 and 24,
// 150 and 152. Differences of small extents are accidents more often.
[[nodiscard]] bool IsOffByOne(int64_t a, int64_t b);

class Search {
 public:
  Search(const BroadcastRequest& request, Arena& arena)
      : request_(request), arena_(arena), allocator_(arena.allocator()) {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Aligns the request. False if there is nothing to look for: the shapes fit,
  // there is no alignment, or memory was refused.
  bool Begin();

  // Rearrangements of operands. `only_named`: of those that the error names.
  void TryShapes(bool only_named);
  // Other targets, sizes, options, rules and orders of the operands. After
  // TryShapes, since sizes are not changed where a rearrangement helps.
  void TryOthers();

  // Of the request, with its error.
  [[nodiscard]] const Alignment& alignment() const { return *alignment_; }
  [[nodiscard]] const Error& error() const { return *alignment_->error(); }
  [[nodiscard]] bool refused() const { return refused_ || arena_.refused(); }
  // In the order of their costs.
  [[nodiscard]] std::span<const Candidate> found() const {
    return std::span(found_).first(count_);
  }
  // The cheapest clean change, or null.
  [[nodiscard]] const Candidate* clean() const;
  // Whether a clean change is about as likely as that one.
  [[nodiscard]] bool IsRival(const Candidate& candidate) const;
  // How many clean changes are about as likely as that one, itself included.
  // There must be one.
  [[nodiscard]] size_t CountRivals() const;

  // Whether the same operands and target fit under another rule, without a
  // policy.
  [[nodiscard]] bool FitsUnder(Rule rule);

 private:
  static constexpr size_t kMostFound = 12;
  using Axes = std::array<int64_t, kMostRepairAxes>;
  using Names = std::array<std::string_view, kMostRepairAxes>;

  enum class Demand : uint8_t {
    kClean,
    kMatched,  // clean, and all of the changed operand's axes are matched
    kOuter,    // anything: an outer combination is meant
    kAny,      // the operand's elements are others
  };
  struct Fit {
    int matched = 0;
    int unmatched = 0;
    bool is_outer = false;
  };

  // What a row of the alignment is: an operand, or the target.
  [[nodiscard]] size_t rows() const {
    return shapes_.size() + (request_.target_shape ? 1 : 0);
  }
  [[nodiscard]] ShapeView row(size_t i) const {
    return i < shapes_.size() ? shapes_[i] : *request_.target_shape;
  }
  [[nodiscard]] bool has_names() const { return !request_.axis_names.empty(); }

  bool IsTried(size_t operand, bool only_named) const;
  bool HasPartners(size_t operand) const;
  bool MayBeOuter(size_t operand) const;
  void TryInserting(size_t operand);
  void TryRemoving(size_t operand);
  void TryTransposing(size_t operand);
  void TryMovingChannels(size_t operand);
  void TryOrder(size_t operand, std::span<const int64_t> order, Demand demand,
                int cost);
  void TryMoving(size_t operand, size_t from, size_t to, Demand demand,
                 int cost);
  void TryReshaping(size_t operand);
  void TrySplitting(size_t operand, ShapeView other);
  void TryMerging(size_t operand, ShapeView other);

  void TryTargets();
  void TryTarget(ShapeView target, int cost);
  void TrySizes();
  void TrySize(size_t operand);
  void TryRepeating();
  void TrySwapping();
  void TryRules();
  void TryAxes(BroadcastRequest changed, int cost);
  void TryMappings(BroadcastRequest changed, int cost);
  void TryFirstMapping(BroadcastRequest changed, int cost);

  bool TryShape(RepairKind kind, size_t operand, ShapeView shape,
                std::span<const int64_t> axes, Demand demand, int cost);
  void NameAxes(RepairKind kind, size_t operand, size_t rank,
                std::span<const int64_t> axes, Names& names);
  Result<Alignment> Try(const BroadcastRequest& changed);
  static bool Fits(const Result<Alignment>& alignment);
  static Fit FitOf(const Alignment& alignment, size_t operand);
  void TryOption(const BroadcastRequest& changed, int cost);
  void Keep(const Candidate& candidate, const Alignment& alignment);

  const BroadcastRequest& request_;
  Arena& arena_;
  const Allocator& allocator_;
  Result<Alignment> alignment_;
  // The operands' shapes and names; one of them is changed while it is tried.
  InlineArray<ShapeView, kInlineOperands> shapes_;
  InlineArray<std::span<const std::string_view>, kInlineOperands> names_;
  std::array<Candidate, kMostFound> found_{};
  size_t count_ = 0;
  bool refused_ = false;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_DIAGNOSIS_SEARCH_H_
