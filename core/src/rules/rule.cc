#include "broadloom/rule.h"

#include <cstddef>
#include <iterator>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

// One row for each rule, in the vocabulary's order:
//   operands, placement, reference, stretches, takes axis, target, mapping,
//   returns each, clauses for match, stretch, insert, conflict, rank.
constexpr RuleTraits kTraits[] = {
    {Rule::kNone, 1, 0, Placement::kRight, Reference::kFirst,  //
     false, false, false, false, false,                        //
     Clause::kNoneIdentical, Clause::kNoneIdentical, Clause::kNoneIdentical,
     Clause::kNoneIdentical, Clause::kNoneIdentical},
    {Rule::kNumpy, 1, 0, Placement::kRight, Reference::kEveryone,  //
     true, false, false, false, false,                             //
     Clause::kNumpyCompatible, Clause::kNumpyStretch, Clause::kNumpyPrepend,
     Clause::kNumpyCompatible, Clause::kNumpyPrepend},
    {Rule::kOnnxMultidirectional, 1, 0, Placement::kRight,
     Reference::kEveryone,              //
     true, false, false, false, false,  //
     Clause::kOnnxMultiCommon, Clause::kOnnxMultiCommon,
     Clause::kOnnxMultiPrepend, Clause::kOnnxMultiCommon,
     Clause::kOnnxMultiPrepend},
    {Rule::kOnnxUnidirectional, 2, 2, Placement::kRight,
     Reference::kFirst,                 //
     true, false, false, false, false,  //
     Clause::kOnnxUniCommon, Clause::kOnnxUniCommon, Clause::kOnnxUniPrepend,
     Clause::kOnnxUniCommon, Clause::kOnnxUniResult},
    {Rule::kPdpd, 2, 2, Placement::kFromAxis, Reference::kFirst,  //
     true, true, false, false, false,                             //
     Clause::kPdpdSubsequence, Clause::kPdpdSubsequence, Clause::kPdpdAxis,
     Clause::kPdpdSubsequence, Clause::kPdpdRank},
    {Rule::kBidirectional, 1, 1, Placement::kRight,
     Reference::kEveryone,             //
     true, false, true, false, false,  //
     Clause::kBidirectionalCompatible, Clause::kBidirectionalMultiply,
     Clause::kBidirectionalAlign, Clause::kBidirectionalCompatible,
     Clause::kBidirectionalAlign},
    {Rule::kBroadcastNumpy, 1, 1, Placement::kRight, Reference::kTarget,  //
     true, false, true, false, false,                                     //
     Clause::kNumpyCompatible, Clause::kNumpyStretch, Clause::kNumpyPrepend,
     Clause::kBroadcast3Numpy, Clause::kBroadcast3Numpy},
    {Rule::kExplicit, 1, 1, Placement::kMapped, Reference::kTarget,  //
     true, false, true, true, false,                                 //
     Clause::kBroadcast3Explicit, Clause::kBroadcast3Explicit,
     Clause::kBroadcast3Explicit, Clause::kBroadcast3Explicit,
     Clause::kBroadcast3Explicit},
    {Rule::kSonnx, 1, 0, Placement::kRight, Reference::kEveryone,  //
     true, false, false, false, true,                              //
     Clause::kSonnxC1, Clause::kSonnxRelation, Clause::kSonnxRank,
     Clause::kSonnxC1, Clause::kSonnxRank},
};

constexpr bool EveryRuleHasItsRow() {
  for (size_t i = 0; i < std::size(kTraits); ++i) {
    if (static_cast<size_t>(kTraits[i].rule) != i) return false;
  }
#define COUNT(...) +1
  return std::size(kTraits) == 0 BROADLOOM_RULES(COUNT);
#undef COUNT
}
static_assert(EveryRuleHasItsRow());

// What Aligner relies on: without a reference all operands are right-aligned,
// and where nothing stretches there is a right-aligned reference.
constexpr bool EveryRowCanBeAligned() {
  for (const RuleTraits& row : kTraits) {
    const bool at_right = row.placement == Placement::kRight;
    const bool fixed = row.reference != Reference::kEveryone;
    if (!(fixed || at_right) || !(row.stretches || (fixed && at_right))) {
      return false;
    }
  }
  return true;
}
static_assert(EveryRowCanBeAligned());

}  // namespace

const RuleTraits& Traits(Rule rule) noexcept {
  static constexpr RuleTraits kNone = {};
  return IsKnown(rule) ? kTraits[static_cast<size_t>(rule)] : kNone;
}

bool AlignAlike(const RuleTraits& a, const RuleTraits& b) noexcept {
  return a.least_operands == b.least_operands &&
         a.most_operands == b.most_operands && a.placement == b.placement &&
         a.reference == b.reference && a.stretches == b.stretches &&
         a.takes_axis == b.takes_axis && a.takes_target == b.takes_target &&
         a.takes_mapping == b.takes_mapping;
}

}  // namespace v1
}  // namespace broadloom
