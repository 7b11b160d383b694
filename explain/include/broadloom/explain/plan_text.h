// Plans as text: everything that a plan is made of, as JSON that may be stored,
// sent to another process or machine, and read again. The text of a plan is the
// same on every platform.
//
// Version 1 is one object with these members, in this order and without blanks:
//
//   "broadloom_plan"  1, the version
//   "op", "rule"      names, as in vocabulary.h
//   "shapes"          a list of extents for each operand
//   "types"           the element type of each operand, by name
//   "axis"            an integer; left out where it was not given, as all
//                     members that follow
//   "target_shape"    a list of extents
//   "axes_mapping"    a list of axes
//   "policy"          a list of what is refused: "no_rank_promotion",
//                     "no_stretching", "same_names"; at least one of them
//   "axis_names"      a list of names for each operand; at least one list
//   "fmod", "direction", "to", "saturate"   the operator's attributes
//
// Integers beyond 2^53-1 are strings of their digits, since many readers of
// JSON lose some of them.

#ifndef BROADLOOM_EXPLAIN_PLAN_TEXT_H_
#define BROADLOOM_EXPLAIN_PLAN_TEXT_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "broadloom/execute.h"
#include "broadloom/explain/arena.h"
#include "broadloom/internal/config.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

inline constexpr int kPlanTextVersion = 1;

// The arguments of MakePlan. What the record points to must outlive the call
// that it is given to. `options.run` is no part of a plan.
struct PlanRequest {
  Op op = Op::kAdd;
  std::span<const ShapeView> shapes = {};
  std::span<const DType> dtypes = {};
  ApplyOptions options = {};
};

// Writes a request, whether or not a plan can be made of it. A missing rule is
// written as the operator's default. The text lies in the arena. Errors:
// kUnknown (an unknown operator, rule, type or direction); kParse (kBadToken)
// for a name of an axis that is not UTF-8, with its operand and axis;
// kAllocation. Complexity: the length of the text. Example:
//   const Extents a{2, 3};
//   const Extents b{3};
//   const ShapeView shapes[] = {a, b};
//   const DType types[] = {DType::kF32, DType::kF32};
//   Arena arena;
//   const auto text = WritePlan({.op = Op::kAdd, .shapes = shapes,
//                                .dtypes = types,
//                                .options = {.rule = Rule::kNumpy}}, arena);
//   assert(*text == R"({"broadloom_plan":1,"op":"Add","rule":"numpy",)"
//                   R"("shapes":[[2,3],[3]],"types":["f32","f32"]})");
[[nodiscard]] Result<std::string_view> WritePlan(const PlanRequest& request,
                                                 Arena& arena) noexcept;

// A request that was read, or why the text is none. Both lie in the arena.
struct ReadPlanText {
  PlanRequest request;
  std::string_view reason;  // a sentence; empty where the text was read
  size_t at = 0;            // the byte of the text at which reading failed
};

// Reads a text of version 1. It is read strictly: members in any order, blanks
// between tokens, and nothing else that WritePlan does not write. Where
// anything is missing, unknown, of another type, given twice, out of range or
// not JSON, `reason` says what and at which byte. Whether a plan can be made of
// the request is up to MakePlan. Errors: kAllocation. Complexity: the length of
// the text, up to the first fault. No recursion: nesting cannot exhaust the
// stack. Example:
//   Arena arena;
//   const auto read = ReadPlan(R"({"broadloom_plan": 1, "op": "Add",
//       "rule": "pdpd", "shapes": [[2, 3, 4], [3]],
//       "types": ["f32", "f32"], "axis": 1})", arena);
//   assert(read->reason.empty());
//   const PlanRequest& request = read->request;
//   const Result<Plan> plan = MakePlan(request.op, request.shapes,
//                                      request.dtypes, request.options);
//   assert(plan->output_bytes() == 96);
//   assert(ReadPlan("[]", arena)->reason ==
//          "Byte 0: the plan has to be an object, {...}.");
[[nodiscard]] Result<ReadPlanText> ReadPlan(std::string_view text,
                                            Arena& arena) noexcept;

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PLAN_TEXT_H_
