// The nine broadcasting rules. Each is one row of traits: where an operand's
// axes lie in the result, which operands may stretch, and what the result is.
// align.cc alone places axes, by the traits; other code may read them only.
//
// numpy:  (2,1,4) with (3,1)  ->  right-aligned, both may stretch: (2,3,4).
// pdpd:   (2,3,4) with (3), axis 1  ->  B lies on axis 1, A never stretches.

#ifndef BROADLOOM_RULE_H_
#define BROADLOOM_RULE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// Where an operand's axes lie in the result.
enum class Placement : uint8_t {
  kRight,     // right-aligned: the last axis on the last axis
  kFromAxis,  // from `axis` on, without trailing axes of extent 1
  kMapped,    // where axes_mapping says
};

// The reference: the operand that all others must fit. It never stretches.
enum class Reference : uint8_t {
  kEveryone,  // there is none: all operands stretch to their common shape
  kFirst,     // operand A
  kTarget,    // the target shape
};

struct RuleTraits {
  Rule rule;
  size_t least_operands;
  size_t most_operands;  // 0: any number
  Placement placement;
  Reference reference;
  bool stretches;  // false: extents must be equal, ranks too
  bool takes_axis;
  bool takes_target;
  bool takes_mapping;
  // Whether there is a result for each operand, of the common shape and the
  // operand's element type; otherwise there is one result.
  bool returns_each;
  // The clauses cited by cells of each relation, and by the error of an operand
  // of too high a rank.
  Clause match;
  Clause stretch;
  Clause insert;
  Clause conflict;
  Clause rank;
};

// The row of a rule; an empty row for an unknown rule. The reference stays
// valid. Example ("PDPD broadcast, 3" of OpenVINO's Broadcast Rules):
//   assert(Traits(Rule::kPdpd).placement == Placement::kFromAxis);
[[nodiscard]] const RuleTraits& Traits(Rule rule) noexcept;

// Whether two rules align any shapes in the same way, whatever clauses they
// cite and whatever they return. Example:
//   assert(AlignAlike(Traits(Rule::kNumpy), Traits(Rule::kSonnx)));
[[nodiscard]] bool AlignAlike(const RuleTraits& a,
                              const RuleTraits& b) noexcept;

// A strict policy: what a request refuses although its rule allows it. An
// operand without axes, a scalar, is never refused: it has no axis that could
// lie on the wrong one. By default nothing is refused. Example:
//   const Extents a{2, 3};
//   const Extents b{3};
//   const ShapeView shapes[] = {a, b};
//   const Result<Shape> shape =
//       InferShape({.operands = shapes, .policy = {.inserts = false}});
//   assert(shape.error().error_class == ErrorClass::kPolicy);
//   assert(shape.error().detail == Detail::kRankPromotion);
struct Policy {
  // Whether an operand may lack an axis of the result (Relation::kInsert).
  bool inserts = true;
  // Whether an axis of extent 1 may be repeated (Relation::kStretch).
  bool stretches = true;
  // Whether axes that lie on each other must have the same name in
  // BroadcastRequest::axis_names. An axis without a name equals no other.
  bool same_names = false;

  friend bool operator==(const Policy&, const Policy&) = default;
};

// Shapes to be broadcast, a rule and its options. What the record points to
// must outlive the call that it is given to. Example:
//   const Extents a{2, 3, 4, 5};
//   const Extents b{3, 1};
//   const ShapeView shapes[] = {a, b};
//   const BroadcastRequest request{
//       .rule = Rule::kPdpd, .operands = shapes, .axis = 1};
//   assert(*InferShape(request) == a);
struct BroadcastRequest {
  Rule rule = Rule::kNumpy;
  std::span<const ShapeView> operands;
  // Only for pdpd; the default is -1.
  std::optional<int64_t> axis = std::nullopt;
  // Only for bidirectional, broadcast_numpy and explicit, which require it.
  std::optional<ShapeView> target_shape = std::nullopt;
  // Only for explicit, which requires it: a target axis for each axis of data.
  std::optional<std::span<const int64_t>> axes_mapping = std::nullopt;
  // The result's element type, for the limit of 2^63-1 bytes. Without it an
  // element counts as one byte.
  std::optional<DType> dtype = std::nullopt;
  // What is refused although the rule allows it.
  Policy policy = {};
  // Names of axes, for the policy: for each operand one for each axis, an empty
  // text where an axis has none. No list at all, or an empty list for an
  // operand: no axis has a name.
  std::span<const std::span<const std::string_view>> axis_names = {};
};

// How an operand's extent stands to the extent that the result's axis has so
// far.
enum class Comparison : uint8_t {
  kEqual,      // they are the same
  kStretches,  // the operand's is 1 and is repeated
  kGrows,      // the axis has 1 so far and takes the operand's extent
  kConflicts,  // they differ and neither is 1
};

// A domain of extents for CompareExtents: the type of an extent, when two are
// equal and when one is 1, as far as that is certain. This is the domain of
// 64-bit integers.
struct ConcreteExtents {
  using Extent = int64_t;
  static constexpr bool Equal(Extent a, Extent b) noexcept { return a == b; }
  static constexpr bool IsOne(Extent a) noexcept { return a == 1; }
};

// Compares an operand's extent with the one that the result's axis has so far.
// Example:
//   assert(CompareExtents<ConcreteExtents>(1, 4) == Comparison::kStretches);
template <class Domain>
[[nodiscard]] constexpr Comparison CompareExtents(
    typename Domain::Extent extent, typename Domain::Extent axis) noexcept {
  if (Domain::Equal(extent, axis)) return Comparison::kEqual;
  if (Domain::IsOne(extent)) return Comparison::kStretches;
  if (Domain::IsOne(axis)) return Comparison::kGrows;
  return Comparison::kConflicts;
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RULE_H_
