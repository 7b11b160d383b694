#include "broadloom/alignment.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/plan.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Request;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// Makes an alignment that must exist, whether the shapes fit or not.
Alignment Made(const Request& request) {
  Result<Alignment> alignment = Align(request.get());
  REQUIRE(alignment);
  return std::move(*alignment);
}

Error ErrorOf(const Request& request) {
  const Alignment alignment = Made(request);
  REQUIRE(alignment.error());
  const auto shape = InferShape(request.get());
  REQUIRE(!shape);
  REQUIRE(shape.error() == *alignment.error());
  return *alignment.error();
}

// Returns the error of operands that cannot be aligned.
Error Refused(const Request& request) {
  const auto alignment = Align(request.get());
  REQUIRE(!alignment);
  const auto shape = InferShape(request.get());
  REQUIRE(!shape);
  REQUIRE(shape.error() == alignment.error());
  return alignment.error();
}

void RequireCell(const AlignedCell& cell, Relation relation, int32_t source,
                 int64_t extent, Clause clause) {
  CHECK(cell.relation == relation);
  CHECK(cell.source_axis == source);
  CHECK(cell.extent == extent);
  CHECK(cell.clause == clause);
}

static_assert(std::is_trivially_copyable_v<AlignedCell>);
static_assert(std::is_trivially_copyable_v<Conflict>);

TEST_CASE("alignment: the example in the header") {
  const Request request(Rule::kNumpy, {{2, 1, 4}, {3, 1}});
  const Alignment alignment = Made(request);
  REQUIRE(!alignment.error());
  REQUIRE(alignment.rule() == Rule::kNumpy);
  REQUIRE(alignment.operand_count() == 2);
  REQUIRE(!alignment.has_target());
  REQUIRE(alignment.target().empty());
  REQUIRE(alignment.rank() == 3);
  REQUIRE(alignment.start_axis() == kAbsent);
  REQUIRE(testing::ToVector(alignment.output()) == Extents{2, 3, 4});
  REQUIRE(testing::ToVector(alignment.operand(0)) == Extents{2, 1, 4});
  REQUIRE(testing::ToVector(alignment.operand(1)) == Extents{3, 1});
  RequireCell(alignment.cell(0, 0), Relation::kMatch, 0, 2,
              Clause::kNumpyCompatible);
  RequireCell(alignment.cell(0, 1), Relation::kStretch, 1, 1,
              Clause::kNumpyStretch);
  RequireCell(alignment.cell(0, 2), Relation::kMatch, 2, 4,
              Clause::kNumpyCompatible);
  RequireCell(alignment.cell(1, 0), Relation::kInsert, kAbsent, 1,
              Clause::kNumpyPrepend);
  RequireCell(alignment.cell(1, 1), Relation::kMatch, 0, 3,
              Clause::kNumpyCompatible);
  RequireCell(alignment.cell(1, 2), Relation::kStretch, 1, 1,
              Clause::kNumpyStretch);
  for (size_t axis = 0; axis < 3; ++axis) REQUIRE(!alignment.conflicts(axis));

  Extents source(3);
  REQUIRE(alignment.SourceOf(0, Extents{1, 2, 3}, source));
  REQUIRE(source == Extents{1, 0, 3});
  Extents b_source(2);
  REQUIRE(alignment.SourceOf(1, Extents{1, 2, 3}, b_source));
  REQUIRE(b_source == Extents{2, 0});
  std::vector<IndexRange> box(3);
  REQUIRE(alignment.FanOut(1, Extents{2, 0}, box));
  REQUIRE(box == std::vector<IndexRange>{{0, 2}, {2, 3}, {0, 4}});

  const auto shape = InferShape(request.get());
  REQUIRE(shape);
  REQUIRE(testing::ToVector(shape->view()) == Extents{2, 3, 4});
}

TEST_CASE("alignment: names of relations") {
  REQUIRE(Name(Relation::kMatch) == "match");
  REQUIRE(Name(Relation::kStretch) == "stretch");
  REQUIRE(Name(Relation::kInsert) == "insert");
  REQUIRE(Name(Relation::kConflict) == "conflict");
}

TEST_CASE("alignment: an empty record may be queried") {
  const Alignment alignment;
  REQUIRE(alignment.rank() == 0);
  REQUIRE(alignment.operand_count() == 0);
  REQUIRE(alignment.conflicts().empty());
  REQUIRE(!alignment.error());
}

TEST_CASE("alignment: pdpd places B on consecutive axes of A") {
  const Alignment alignment =
      Made(Request(Rule::kPdpd, {{2, 3, 4, 5}, {3, 1, 1}}).Axis(1));
  REQUIRE(!alignment.error());
  REQUIRE(alignment.start_axis() == 1);
  REQUIRE(testing::ToVector(alignment.output()) == Extents{2, 3, 4, 5});
  REQUIRE(alignment.cell(1, 0).relation == Relation::kInsert);
  RequireCell(alignment.cell(1, 1), Relation::kMatch, 0, 3,
              Clause::kPdpdSubsequence);
  // The trailing ones are visible, with the clause that ignores them.
  RequireCell(alignment.cell(1, 2), Relation::kStretch, 1, 1,
              Clause::kPdpdTrailingOnes);
  RequireCell(alignment.cell(1, 3), Relation::kStretch, 2, 1,
              Clause::kPdpdTrailingOnes);
  Extents source(3, -1);
  REQUIRE(alignment.SourceOf(1, Extents{1, 2, 3, 4}, source));
  REQUIRE(source == Extents{2, 0, 0});
}

TEST_CASE("alignment: pdpd's default axis is computed before trimming") {
  REQUIRE(Made(Request(Rule::kPdpd, {{2, 3, 4, 5}, {4, 5}})).start_axis() == 2);
  REQUIRE(Made(Request(Rule::kPdpd, {{2, 3, 4, 5}, {4, 5}}).Axis(-1))
              .start_axis() == 2);
  // (4,1): -1 means 4 - 2, although one axis is left after trimming.
  const Alignment trimmed = Made(Request(Rule::kPdpd, {{2, 3, 4, 5}, {4, 1}}));
  REQUIRE(trimmed.start_axis() == 2);
  REQUIRE(!trimmed.error());
  REQUIRE(trimmed.cell(1, 2).relation == Relation::kMatch);
}

TEST_CASE("alignment: a scalar B fits at every axis up to the rank of A") {
  for (int64_t axis = 0; axis <= 3; ++axis) {
    const Alignment alignment =
        Made(Request(Rule::kPdpd, {{2, 3, 4}, {1, 1}}).Axis(axis));
    REQUIRE(!alignment.error());
    REQUIRE(alignment.start_axis() == axis);
    Extents source(2, -1);
    REQUIRE(alignment.SourceOf(1, Extents{1, 2, 3}, source));
    REQUIRE(source == Extents{0, 0});
  }
  REQUIRE(
      ErrorOf(Request(Rule::kPdpd, {{2, 3, 4}, {1, 1}}).Axis(4)).error_class ==
      ErrorClass::kAxis);
}

TEST_CASE("alignment: the target has a row of its own") {
  const Alignment alignment =
      Made(Request(Rule::kBidirectional, {{3, 1}}).Target({2, 1, 6}));
  REQUIRE(!alignment.error());
  REQUIRE(alignment.has_target());
  REQUIRE(alignment.operand_count() == 1);
  REQUIRE(testing::ToVector(alignment.target()) == Extents{2, 1, 6});
  REQUIRE(testing::ToVector(alignment.output()) == Extents{2, 3, 6});
  RequireCell(alignment.cell(0, 0), Relation::kInsert, kAbsent, 1,
              Clause::kBidirectionalAlign);
  RequireCell(alignment.cell(0, 1), Relation::kMatch, 0, 3,
              Clause::kBidirectionalCompatible);
  RequireCell(alignment.cell(0, 2), Relation::kStretch, 1, 1,
              Clause::kBidirectionalMultiply);
  REQUIRE(alignment.target_cell(0).relation == Relation::kMatch);
  REQUIRE(alignment.target_cell(1).relation == Relation::kStretch);
  REQUIRE(alignment.target_cell(2).relation == Relation::kMatch);
  REQUIRE(alignment.target_cell(2).extent == 6);
}

TEST_CASE("alignment: explicit places each axis as the mapping says") {
  const Alignment alignment = Made(Request(Rule::kExplicit, {{16, 1}})
                                       .Target({4, 16, 50, 50})
                                       .Mapping({1, 3}));
  REQUIRE(!alignment.error());
  REQUIRE(alignment.cell(0, 0).relation == Relation::kInsert);
  RequireCell(alignment.cell(0, 1), Relation::kMatch, 0, 16,
              Clause::kBroadcast3Explicit);
  REQUIRE(alignment.cell(0, 2).relation == Relation::kInsert);
  REQUIRE(alignment.cell(0, 3).relation == Relation::kStretch);
  REQUIRE(alignment.cell(0, 3).source_axis == 1);
  Extents source(2);
  REQUIRE(alignment.SourceOf(0, Extents{3, 9, 49, 48}, source));
  REQUIRE(source == Extents{9, 0});
}

// --- Errors ------------------------------------------------------------------

TEST_CASE("alignment: all conflicts are reported, leftmost first") {
  const Alignment alignment =
      Made(Request(Rule::kNumpy, {{4, 2, 3}, {1, 2, 3, 4}}));
  REQUIRE(alignment.error());
  REQUIRE(alignment.conflicts().size() == 3);
  const Conflict& first = alignment.conflicts()[0];
  CHECK(first.axis == 1);
  CHECK(first.operand == 1);
  CHECK(first.other_operand == 0);
  CHECK(first.operand_axis == 1);
  CHECK(first.other_axis == 0);
  CHECK(first.extent == 2);
  CHECK(first.other_extent == 4);
  CHECK(first.clause == Clause::kNumpyCompatible);
  REQUIRE(!alignment.conflicts(0));
  for (size_t axis = 1; axis < 4; ++axis) {
    REQUIRE(alignment.conflicts(axis));
    REQUIRE(alignment.conflicts()[axis - 1].axis == static_cast<int32_t>(axis));
    REQUIRE(alignment.cell(1, axis).relation == Relation::kConflict);
    // The extent of the first conflicting operand.
    REQUIRE(alignment.output()[axis] == Extents{1, 4, 2, 3}[axis]);
  }
  REQUIRE(alignment.output()[0] == 1);
}

TEST_CASE("alignment: each conflicting operand is reported") {
  const Alignment alignment =
      Made(Request(Rule::kNumpy, {{1, 2}, {3, 1}, {4, 5}, {3, 2}, {9, 2}}));
  std::vector<std::pair<int32_t, int32_t>> clashes;
  for (const Conflict& conflict : alignment.conflicts()) {
    clashes.emplace_back(conflict.axis, conflict.operand);
  }
  const std::vector<std::pair<int32_t, int32_t>> expected = {
      {0, 2}, {0, 4}, {1, 2}};
  REQUIRE(clashes == expected);
}

TEST_CASE("alignment: the error of a conflict has all its fields") {
  const Error error = ErrorOf(Request(Rule::kOnnxUnidirectional,  //
                                      {{2, 3, 4}, {2, 4}}));
  const Error expected{.error_class = ErrorClass::kIncompatible,
                       .rule = Rule::kOnnxUnidirectional,
                       .clause = Clause::kOnnxUniCommon,
                       .operand = 1,
                       .other_operand = 0,
                       .axis = 1,
                       .operand_axis = 0,
                       .other_axis = 1,
                       .extent = 2,
                       .other_extent = 3};
  REQUIRE(error == expected);
}

TEST_CASE("alignment: if A would have to stretch, the rule blames B") {
  for (const Rule rule : {Rule::kOnnxUnidirectional, Rule::kPdpd}) {
    const Error error = ErrorOf(Request(rule, {{1, 4}, {3, 4}}));
    REQUIRE(error.error_class == ErrorClass::kIncompatible);
    REQUIRE(error.operand == 1);
    REQUIRE(error.other_operand == 0);
    REQUIRE(error.axis == 0);
    REQUIRE(error.extent == 3);
    REQUIRE(error.other_extent == 1);
  }
}

TEST_CASE("alignment: a conflict with the target names it") {
  const Error error =
      ErrorOf(Request(Rule::kBroadcastNumpy, {{3, 1, 5}}).Target({3, 4, 6}));
  REQUIRE(error.error_class == ErrorClass::kIncompatible);
  REQUIRE(error.operand == 0);
  REQUIRE(error.other_operand == kTargetOperand);
  REQUIRE(error.axis == 2);
  REQUIRE(error.operand_axis == 2);
  REQUIRE(error.extent == 5);
  REQUIRE(error.other_extent == 6);
}

TEST_CASE("alignment: rank errors contain both ranks") {
  for (const Rule rule : {Rule::kOnnxUnidirectional, Rule::kPdpd}) {
    const Error error = ErrorOf(Request(rule, {{4, 5}, {2, 3, 4, 5}}));
    REQUIRE(error.error_class == ErrorClass::kRank);
    REQUIRE(error.rule == rule);
    REQUIRE(error.operand == 1);
    REQUIRE(error.other_operand == 0);
    REQUIRE(error.extent == 4);
    REQUIRE(error.other_extent == 2);
    REQUIRE(error.clause != Clause::kNoClause);
  }
  const Error error =
      ErrorOf(Request(Rule::kBroadcastNumpy, {{1, 1, 1}}).Target({5}));
  REQUIRE(error.error_class == ErrorClass::kRank);
  REQUIRE(error.operand == 0);
  REQUIRE(error.other_operand == kTargetOperand);
  REQUIRE(error.extent == 3);
  REQUIRE(error.other_extent == 1);
}

TEST_CASE("alignment: axis errors contain the given axis") {
  for (const int64_t axis : {int64_t{-2}, int64_t{-3}, -kMost, -kMost - 1}) {
    const Error error = ErrorOf(Request(Rule::kPdpd, {{2, 3}, {3}}).Axis(axis));
    REQUIRE(error.error_class == ErrorClass::kAxis);
    REQUIRE(error.detail == Detail::kNegative);
    REQUIRE(error.extent == axis);
    REQUIRE(error.operand == 1);
  }
  for (const int64_t axis : {int64_t{2}, int64_t{3}, int64_t{1} << 32, kMost}) {
    const Error error = ErrorOf(Request(Rule::kPdpd, {{2, 3}, {3}}).Axis(axis));
    REQUIRE(error.error_class == ErrorClass::kAxis);
    REQUIRE(error.extent == axis);
    REQUIRE(error.clause != Clause::kNoClause);
  }
}

TEST_CASE("alignment: mapping errors contain the reason and the position") {
  const auto error = [](Extents data, Extents target, Extents mapping) {
    return ErrorOf(Request(Rule::kExplicit, {std::move(data)})
                       .Target(std::move(target))
                       .Mapping(std::move(mapping)));
  };
  const Error size = error({2, 3}, {2, 3}, {0});
  REQUIRE(size.error_class == ErrorClass::kAxesMapping);
  REQUIRE(size.detail == Detail::kSize);
  REQUIRE(size.extent == 1);
  REQUIRE(size.other_extent == 2);

  const Error unsorted = error({2, 3}, {3, 2}, {1, 0});
  REQUIRE(unsorted.detail == Detail::kUnsorted);
  REQUIRE(unsorted.operand_axis == 1);
  REQUIRE(unsorted.extent == 0);
  REQUIRE(unsorted.other_extent == 1);

  for (const int64_t entry : {int64_t{2}, int64_t{-1}, kMost, -kMost - 1}) {
    const Error range = error({2}, {3, 2}, {entry});
    REQUIRE(range.detail == Detail::kOutOfRange);
    REQUIRE(range.operand_axis == 0);
    REQUIRE(range.extent == entry);
  }

  const Error duplicate = error({2, 2}, {2, 2}, {1, 1});
  REQUIRE(duplicate.detail == Detail::kDuplicate);
  REQUIRE(duplicate.operand_axis == 1);
  REQUIRE(duplicate.extent == 1);

  const Error missing = ErrorOf(Request(Rule::kExplicit, {{2}}).Target({2}));
  REQUIRE(missing.error_class == ErrorClass::kAxesMapping);
  REQUIRE(missing.detail == Detail::kMissing);

  for (const auto& row : AllRules()) {
    if (row.rule == Rule::kExplicit) continue;
    Request request(row.rule, std::vector<Extents>(
                                  Traits(row.rule).least_operands, Extents{2}));
    if (Traits(row.rule).takes_target) request.Target({2});
    const Error unexpected = ErrorOf(request.Mapping({0}));
    REQUIRE(unexpected.error_class == ErrorClass::kAxesMapping);
    REQUIRE(unexpected.detail == Detail::kUnexpected);
    REQUIRE(unexpected.rule == row.rule);
  }
}

TEST_CASE("alignment: the order among errors of a mapping") {
  const auto detail = [](Extents data, Extents mapping) {
    return ErrorOf(Request(Rule::kExplicit, {std::move(data)})
                       .Target({2, 2, 2})
                       .Mapping(std::move(mapping)))
        .detail;
  };
  REQUIRE(detail({2}, {5, 4, 4}) == Detail::kSize);
  REQUIRE(detail({2, 2, 2}, {5, 4, 4}) == Detail::kUnsorted);
  REQUIRE(detail({2, 2, 2}, {1, 1, 4}) == Detail::kOutOfRange);
  REQUIRE(detail({3, 3, 3}, {1, 1, 2}) == Detail::kDuplicate);
}

TEST_CASE("alignment: a negative target extent is an error, also -1") {
  for (const Rule rule :
       {Rule::kBidirectional, Rule::kBroadcastNumpy, Rule::kExplicit}) {
    Request request(rule, {{4, 1}});
    const Error error = ErrorOf(request.Target({4, -1}).Mapping({0, 1}));
    REQUIRE(error.error_class == ErrorClass::kNegativeDim);
    REQUIRE(error.operand == kTargetOperand);
    REQUIRE(error.axis == 1);
    REQUIRE(error.extent == -1);
  }
}

TEST_CASE(
    "alignment: overflow of elements, and of bytes where a type is given") {
  Request elements(Rule::kNumpy, {{int64_t{1} << 40, 1}, {int64_t{1} << 23}});
  REQUIRE(ErrorOf(elements).error_class == ErrorClass::kOverflow);
  REQUIRE(ErrorOf(elements).rule == Rule::kNumpy);

  Request bytes(Rule::kNumpy, {{int64_t{1} << 40, 1}, {int64_t{1} << 20}});
  REQUIRE(!Made(bytes).error());
  REQUIRE(!Made(bytes.Type(DType::kI8)).error());
  REQUIRE(!Made(bytes.Type(DType::kU1)).error());
  REQUIRE(!Made(bytes.Type(DType::kF32)).error());
  REQUIRE(ErrorOf(bytes.Type(DType::kF64)).error_class ==
          ErrorClass::kOverflow);
  REQUIRE(ErrorOf(bytes.Type(DType::kC128)).error_class ==
          ErrorClass::kOverflow);
  // An empty result has no bytes.
  REQUIRE(!Made(Request(Rule::kNumpy, {{kMost, 1, 0}, {1, kMost, 1}})
                    .Type(DType::kC128))
               .error());
}

TEST_CASE("alignment: operands that cannot be aligned") {
  REQUIRE(Refused(Request(Rule::kNumpy, {})).error_class == ErrorClass::kArity);
  REQUIRE(Refused(Request(Rule::kSonnx, {})).error_class == ErrorClass::kArity);
  const Error few = Refused(Request(Rule::kPdpd, {{2}}));
  REQUIRE(few.error_class == ErrorClass::kArity);
  REQUIRE(few.rule == Rule::kPdpd);
  REQUIRE(few.extent == 1);
  REQUIRE(few.other_extent == 2);
  const Error many = Refused(Request(Rule::kPdpd, {{2}, {2}, {2}}));
  REQUIRE(many.error_class == ErrorClass::kArity);
  REQUIRE(many.extent == 3);
  REQUIRE(Refused(Request(Rule::kOnnxUnidirectional, {{2}, {2}, {2}}))
              .error_class == ErrorClass::kArity);
  REQUIRE(Refused(Request(Rule::kExplicit, {{2}, {2}}).Target({2}).Mapping({0}))
              .error_class == ErrorClass::kArity);

  const Error axis = Refused(Request(Rule::kNumpy, {{2}, {2}}).Axis(0));
  REQUIRE(axis.error_class == ErrorClass::kAttribute);
  REQUIRE(axis.detail == Detail::kUnexpected);
  const Error target = Refused(Request(Rule::kNumpy, {{2}, {2}}).Target({2}));
  REQUIRE(target.error_class == ErrorClass::kAttribute);
  REQUIRE(target.detail == Detail::kUnexpected);
  for (const Rule rule :
       {Rule::kBidirectional, Rule::kBroadcastNumpy, Rule::kExplicit}) {
    const Error missing = Refused(Request(rule, {{2}}));
    REQUIRE(missing.error_class == ErrorClass::kAttribute);
    REQUIRE(missing.detail == Detail::kMissing);
  }

  const Error extent = Refused(Request(Rule::kNumpy, {{2, 3}, {4, -5}}));
  REQUIRE(extent.error_class == ErrorClass::kExtent);
  REQUIRE(extent.detail == Detail::kNegative);
  REQUIRE(extent.operand == 1);
  REQUIRE(extent.operand_axis == 1);
  REQUIRE(extent.extent == -5);
}

TEST_CASE("alignment: arity, then attribute, then extent") {
  REQUIRE(Refused(Request(Rule::kPdpd, {{-2}}).Target({2})).error_class ==
          ErrorClass::kArity);
  REQUIRE(Refused(Request(Rule::kNumpy, {{-2}}).Axis(1)).error_class ==
          ErrorClass::kAttribute);
}

// --- Maps
// ----------------------------------------------------------------------

TEST_CASE("alignment: the maps reject indexes out of range") {
  const Alignment alignment = Made(Request(Rule::kNumpy, {{2, 1, 4}, {3, 1}}));
  Extents three(3);
  Extents two(2);
  std::vector<IndexRange> box(3);
  const auto refused = [](const Status& status) {
    REQUIRE(!status);
    return status.error();
  };
  for (const Extents& cell :
       {Extents{2, 0, 0}, Extents{0, 3, 0}, Extents{0, 0, 4}, Extents{-1, 0, 0},
        Extents{0, 0, kMost}, Extents{0, 0}, Extents{0, 0, 0, 0}, Extents{}}) {
    REQUIRE(refused(alignment.SourceOf(0, cell, three)).error_class ==
            ErrorClass::kExtent);
  }
  REQUIRE(refused(alignment.SourceOf(0, Extents{0, 0, 0}, two)).error_class ==
          ErrorClass::kExtent);
  for (const Extents& source :
       {Extents{3, 0}, Extents{0, 1}, Extents{-1, 0}, Extents{0}, Extents{}}) {
    REQUIRE(refused(alignment.FanOut(1, source, box)).error_class ==
            ErrorClass::kExtent);
  }
  box.resize(2);
  REQUIRE(refused(alignment.FanOut(1, Extents{0, 0}, box)).error_class ==
          ErrorClass::kExtent);
  box.resize(3);
  REQUIRE(!alignment.SourceOf(2, Extents{0, 0, 0}, two));
  REQUIRE(!alignment.FanOut(2, Extents{0, 0}, box));
  REQUIRE(!alignment.SourceOf(size_t(-1), Extents{0, 0, 0}, two));
}

TEST_CASE("alignment: scalars and empty results have maps too") {
  const Alignment scalar = Made(Request(Rule::kNumpy, {{}, {}}));
  REQUIRE(scalar.SourceOf(0, Extents{}, std::span<int64_t>()));
  REQUIRE(scalar.FanOut(1, Extents{}, std::span<IndexRange>()));

  const Alignment empty = Made(Request(Rule::kNumpy, {{2, 0}, {1}}));
  REQUIRE(!empty.error());
  Extents source(2);
  REQUIRE(!empty.SourceOf(0, Extents{0, 0}, source));
  std::vector<IndexRange> box(2);
  REQUIRE(empty.FanOut(1, Extents{0}, box));
  REQUIRE(box == std::vector<IndexRange>{{0, 2}, {0, 0}});
}

// --- Strides
// ----------------------------------------------------------------------

Extents StridesOf(const Alignment& alignment, size_t operand) {
  Extents strides(alignment.rank(), -7);
  REQUIRE(alignment.Strides(operand, strides));
  return strides;
}

TEST_CASE("alignment: strides of the header's example, and of other rules") {
  const Alignment picture = Made(Request(Rule::kNumpy, {{2, 1, 4}, {3, 1}}));
  REQUIRE(StridesOf(picture, 0) == Extents{4, 0, 1});
  REQUIRE(StridesOf(picture, 1) == Extents{0, 1, 0});
  // A trailing 1 that has no place in the result does not matter.
  const Alignment laid =
      Made(Request(Rule::kPdpd, {{2, 3, 4}, {3, 4, 1}}).Axis(1));
  REQUIRE(!laid.error());
  REQUIRE(StridesOf(laid, 0) == Extents{12, 4, 1});
  REQUIRE(StridesOf(laid, 1) == Extents{0, 4, 1});
  const Alignment mapped = Made(Request(Rule::kExplicit, {{3, 1, 5}})
                                    .Target({2, 3, 4, 5})
                                    .Mapping({1, 2, 3}));
  REQUIRE(StridesOf(mapped, 0) == Extents{0, 5, 0, 1});
}

TEST_CASE("alignment: strides equal those of NumPy's broadcast_to") {
  // Expected: np.broadcast_to(np.empty(shape, np.int8), to).strides of NumPy
  // 2.4.6. It sets the stride to 0 along every axis of extent 1.
  struct Recorded {
    Extents shape, to, strides;
  };
  const std::vector<Recorded> recorded = {
      {{}, {3}, {0}},
      {{4}, {4}, {1}},
      {{4}, {2, 4}, {0, 1}},
      {{3, 1}, {2, 3, 4}, {0, 1, 0}},
      {{2, 1, 4}, {2, 3, 4}, {4, 0, 1}},
      {{1, 5}, {5, 5}, {0, 1}},
      {{2, 3, 4}, {6, 2, 3, 4}, {0, 12, 4, 1}},
      {{5, 1, 7, 1, 2}, {5, 4, 7, 3, 2}, {14, 0, 2, 0, 1}},
      {{1, 1, 6}, {4, 5, 6}, {0, 0, 1}},
      {{8, 1, 6, 1}, {8, 7, 6, 5}, {6, 0, 1, 0}},
      {{64, 1, 1}, {8, 64, 56, 56}, {0, 1, 0, 0}},
  };
  for (const auto& [shape, to, strides] : recorded) {
    REQUIRE(StridesOf(Made(Request(Rule::kBroadcastNumpy, {shape}).Target(to)),
                      0) == strides);
    REQUIRE(StridesOf(Made(Request(Rule::kNumpy, {shape, to})), 0) == strides);
  }
}

TEST_CASE("alignment: strides past an extent of 0 hold no element") {
  const Alignment empty =
      Made(Request(Rule::kNumpy, {{2, 0, 3}, {1, 1, 1}, {3}}));
  REQUIRE(!empty.error());
  REQUIRE(StridesOf(empty, 0) == Extents{0, 3, 1});
  REQUIRE(StridesOf(empty, 1) == Extents{0, 0, 0});
  REQUIRE(StridesOf(empty, 2) == Extents{0, 0, 1});
  REQUIRE(StridesOf(Made(Request(Rule::kNumpy, {{}, {}})), 0).empty());
}

TEST_CASE("alignment: strides along conflicts, and beyond them") {
  const Alignment clash =
      Made(Request(Rule::kNumpy, {{2, 3, 4}, {3, 3, 1}, {5}}));
  REQUIRE(clash.error()->error_class == ErrorClass::kIncompatible);
  REQUIRE(StridesOf(clash, 0) == Extents{kAbsent, 4, kAbsent});
  REQUIRE(StridesOf(clash, 1) == Extents{kAbsent, 1, 0});
  REQUIRE(StridesOf(clash, 2) == Extents{0, 0, kAbsent});

  // Axes without a place in the result have no stride.
  for (const Alignment& alignment : {
           Made(Request(Rule::kPdpd, {{2, 3}, {3}}).Axis(7)),
           Made(Request(Rule::kOnnxUnidirectional, {{3}, {2, 3}})),
           Made(Request(Rule::kExplicit, {{3, 4}})
                    .Target({2, 4, 3})
                    .Mapping({2, 1})),
       }) {
    Extents strides(alignment.rank(), -7);
    const Status told = alignment.Strides(0, strides);
    REQUIRE(!told);
    REQUIRE(told.error() == *alignment.error());
    REQUIRE(strides == Extents(alignment.rank(), -7));
  }
}

TEST_CASE("alignment: strides above 2^63-1 are not reported") {
  // An empty result fits, however many elements its operands would have.
  const int64_t half = int64_t{1} << 62;
  const Alignment huge = Made(Request(Rule::kNumpy, {{3, 5, 2, half, 1}, {0}}));
  REQUIRE(!huge.error());
  REQUIRE(StridesOf(huge, 0) == Extents{kAbsent, kAbsent, half, 1, 0});
  const Alignment most = Made(Request(Rule::kNumpy, {{2, kMost}, {1, 1}}));
  REQUIRE(most.error()->error_class == ErrorClass::kOverflow);
  REQUIRE(StridesOf(most, 0) == Extents{kMost, 1});
  // A product that wraps to 0 is not 0; a product with a factor 0 is, however
  // large the other factors are.
  const int64_t root = int64_t{1} << 32;
  const Alignment wrapped =
      Made(Request(Rule::kNumpy, {{7, 0, 6, 2, root, root}, {}}));
  REQUIRE(!wrapped.error());
  REQUIRE(StridesOf(wrapped, 0) ==
          Extents{0, kAbsent, kAbsent, kAbsent, root, 1});
}

TEST_CASE("alignment: strides reject the same arguments as the maps") {
  const Alignment alignment = Made(Request(Rule::kNumpy, {{2, 1, 4}, {3, 1}}));
  Extents three(3), two(2);
  const Status nobody = alignment.Strides(2, three);
  REQUIRE(!nobody);
  REQUIRE(nobody.error().error_class == ErrorClass::kArity);
  const Status few = alignment.Strides(1, two);
  REQUIRE(!few);
  REQUIRE(few.error().error_class == ErrorClass::kExtent);
  REQUIRE(few.error().detail == Detail::kSize);
}

TEST_CASE("alignment: indexes times strides are the source's offset") {
  std::mt19937_64 random(20261122);
  const auto below = [&](uint64_t end) {
    return static_cast<size_t>(random() % end);
  };
  size_t compared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Extents result(below(7));
    for (int64_t& extent : result) {
      extent = static_cast<int64_t>(1 + below(4));
    }
    std::vector<Extents> shapes = {result};
    for (size_t others = 1 + below(3); others > 0; --others) {
      const auto skipped = static_cast<ptrdiff_t>(below(result.size() + 1));
      Extents& shape = shapes.emplace_back(result.begin() + skipped,  //
                                           result.end());
      for (int64_t& extent : shape) {
        if (below(3) == 0) extent = 1;
      }
    }
    const Alignment alignment = Made(Request(Rule::kNumpy, shapes));
    const std::vector<DType> dtypes(shapes.size(), DType::kF32);
    const auto plan = Plan::Make(Op::kSum, alignment, dtypes);
    REQUIRE(plan);
    Extents cell(result.size());
    for (size_t axis = 0; axis < result.size(); ++axis) {
      cell[axis] =
          static_cast<int64_t>(below(static_cast<uint64_t>(result[axis])));
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
      const Extents strides = StridesOf(alignment, i);
      int64_t walked = 0;
      bool same = true;
      for (size_t axis = 0; axis < result.size(); ++axis) {
        walked += cell[axis] * strides[axis];
        same = same && plan->StrideAlong(i, axis) == strides[axis];
      }
      Extents source(shapes[i].size());
      REQUIRE(alignment.SourceOf(i, cell, source));
      int64_t place = 0;
      for (size_t axis = 0; axis < source.size(); ++axis) {
        place = place * shapes[i][axis] + source[axis];
      }
      REQUIRE(walked == place);
      REQUIRE(same);
      compared += walked > 0;
    }
  }
  REQUIRE(compared > 1000);
}

TEST_CASE("alignment: it is reported if both operands grow") {
  REQUIRE(Made(Request(Rule::kNumpy, {{3, 1}, {1, 4}})).grows_both());
  REQUIRE(Made(Request(Rule::kNumpy, {{3, 1}, {4}})).grows_both());
  REQUIRE(Made(Request(Rule::kNumpy, {{2, 1, 4}, {3, 1}})).grows_both());
  REQUIRE(!Made(Request(Rule::kNumpy, {{3, 4}, {1, 4}})).grows_both());
  REQUIRE(!Made(Request(Rule::kNumpy, {{3, 4}, {3, 4}})).grows_both());
  REQUIRE(!Made(Request(Rule::kNumpy, {{3, 4}, {}})).grows_both());
  REQUIRE(!Made(Request(Rule::kNumpy, {{3, 1}, {1, 1}})).grows_both());
  REQUIRE(!Made(Request(Rule::kNumpy, {{3}, {4}})).grows_both());
  // One operand has the result's shape; the others may differ.
  REQUIRE(!Made(Request(Rule::kNumpy, {{2, 3}, {2, 1}, {1, 3}})).grows_both());
  REQUIRE(!Made(Request(Rule::kSonnx, {{3, 1}})).grows_both());
}

TEST_CASE("alignment: cost grows only with rank times operands") {
  // Each of these would take minutes otherwise.
  std::vector<Extents> many(100'000, Extents{1});
  many.back() = {2, 1};
  many.front() = {3};
  REQUIRE(Made(Request(Rule::kNumpy, many)).grows_both());

  const size_t rank = 300'000;
  const Alignment clashes =
      Made(Request(Rule::kNumpy, {Extents(rank, 2), Extents(rank, 3)}));
  REQUIRE(clashes.conflicts().size() == rank);
  size_t conflicting = 0;
  for (size_t axis = 0; axis < rank; ++axis) {
    conflicting += clashes.conflicts(axis);
  }
  REQUIRE(conflicting == rank);
  REQUIRE(clashes.conflicts_along(7).size() == 1);
  REQUIRE(clashes.conflicts_along(7)[0].axis == 7);
  REQUIRE(clashes.conflicts_along(rank).empty());
  REQUIRE(StridesOf(clashes, 1) == Extents(rank, kAbsent));
}

TEST_CASE("alignment: SONNX and ONNX cite their own documents") {
  const Alignment sonnx = Made(Request(Rule::kSonnx, {{2, 1}, {3}}));
  REQUIRE(sonnx.cell(0, 0).clause == Clause::kSonnxC1);
  REQUIRE(sonnx.cell(0, 1).clause == Clause::kSonnxRelation);
  REQUIRE(sonnx.cell(1, 0).clause == Clause::kSonnxRank);
  const Alignment onnx =
      Made(Request(Rule::kOnnxMultidirectional, {{2, 1}, {3}}));
  REQUIRE(Info(onnx.cell(0, 1).clause).document == Document::kOnnx);
}

// --- Memory
// ----------------------------------------------------------------------

TEST_CASE("alignment: rank 8 with 4 operands allocates nothing") {
  const Extents eight = {2, 1, 3, 1, 2, 1, 3, 1};
  const Extents other = {1, 4, 1, 5, 1, 4, 1, 5};
  const std::vector<std::vector<Extents>> cases = {
      {eight, other, {5}, {}},
      {eight, eight, eight, eight},
      {{}, {}},
      // Every axis conflicts, and still nothing is allocated.
      {{2, 2, 2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3, 3, 3}},
  };
  for (const auto& shapes : cases) {
    const Request request(Rule::kNumpy, shapes);
    testing::RequireNoAllocation([&](const Allocator& allocator) {
      const auto alignment = Align(request.get(), allocator);
      const auto shape = InferShape(request.get(), allocator);
      if (!alignment) return false;
      Extents::value_type cell[8] = {};
      Extents::value_type source[8] = {};
      IndexRange box[8] = {};
      (void)alignment->SourceOf(0, {cell, alignment->rank()},
                                {source, alignment->operand(0).size()});
      (void)alignment->FanOut(0, {source, alignment->operand(0).size()},
                              {box, alignment->rank()});
      (void)alignment->Strides(0, {cell, alignment->rank()});
      return shape.has_value() == !alignment->error();
    });
  }
  Request target(Rule::kExplicit, {eight});
  target.Target(eight).Mapping({0, 1, 2, 3, 4, 5, 6, 7});
  testing::RequireNoAllocation([&](const Allocator& allocator) {
    return InferShape(target.get(), allocator).has_value();
  });
}

TEST_CASE("alignment: beyond that it allocates, and each failure is an error") {
  Extents nine(9, 2);
  Extents sixteen(16, 1);
  for (size_t i = 0; i < 16; i += 2) sixteen[i] = 2;
  const std::vector<std::vector<Extents>> cases = {
      {nine, {2}},
      {sixteen, nine},
      {Extents(8, 1), {2}, {2}, {2}, {2}},
      std::vector<Extents>(40, Extents{3, 1, 2}),
      {Extents(9, 2), Extents(9, 3)},  // nine conflicts
  };
  for (const auto& shapes : cases) {
    const Request request(Rule::kNumpy, shapes);
    const size_t requests =
        testing::RefuseEach([&](const Allocator& allocator) {
          return Align(request.get(), allocator);
        });
    REQUIRE(requests > 0);
    if (Made(request).error()) continue;
    testing::RefuseEach([&](const Allocator& allocator) {
      return InferShape(request.get(), allocator);
    });
  }
}

TEST_CASE("alignment: rank and number of operands are not limited") {
  const Extents nine = {1, 2, 1, 2, 1, 2, 1, 2, 1};
  const Alignment alignment =
      Made(Request(Rule::kNumpy, {nine, {3, 1, 3, 1, 3, 1, 3, 1, 3}}));
  REQUIRE(testing::ToVector(alignment.output()) ==
          Extents{3, 2, 3, 2, 3, 2, 3, 2, 3});

  Extents many(300, 1);
  many[7] = 5;
  const Alignment deep = Made(Request(Rule::kNumpy, {many, {2}}));
  REQUIRE(deep.rank() == 300);
  REQUIRE(deep.output()[7] == 5);
  REQUIRE(deep.output()[299] == 2);
  Extents cell(300, 0);
  cell[7] = 4;
  Extents source(300);
  REQUIRE(deep.SourceOf(0, cell, source));
  REQUIRE(source[7] == 4);

  std::vector<Extents> forty(40, Extents{1});
  forty[39] = {7, 1};
  forty[3] = {9};
  const Alignment wide = Made(Request(Rule::kNumpy, forty));
  REQUIRE(testing::ToVector(wide.output()) == Extents{7, 9});
  REQUIRE(wide.cell(39, 0).relation == Relation::kMatch);
  REQUIRE(wide.cell(38, 0).relation == Relation::kInsert);
  forty[20] = {8};
  const Error error = ErrorOf(Request(Rule::kNumpy, forty));
  REQUIRE(error.operand == 20);
  REQUIRE(error.other_operand == 3);
}

}  // namespace
