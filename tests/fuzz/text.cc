// Input: a byte for the rule, a byte of flags, a byte for the axis, a byte for
// the memory of blocks, then lines: a line that begins with `>` is the target,
// one with `@` the axes_mapping, any other an operand's shape. Where the first
// byte is kErrorAlone or more, the rest is the fields of an error.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/explain/cause.h"
#include "broadloom/explain/repair.h"
#include "fuzz/harness.h"
#include "reference/broadcast.h"

namespace fuzz {
namespace {

using namespace broadloom;

constexpr size_t kMostOperands = 12;
constexpr size_t kMostText = 4096;
constexpr uint8_t kErrorAlone = 0xF8;

// The text that `write` writes; it must be the same with a buffer of any
// length. Empty, with `fault` set, if it is not.
template <class Write>
std::string TextOf(Write write, std::string& fault) {
  const size_t length = write(std::span<char>());
  std::string text(length, '?');
  if (write(std::span<char>(text)) != length) fault = "a text's length changes";
  std::string half(length / 2, '?');
  if (write(std::span<char>(half)) != length ||
      half != text.substr(0, half.size())) {
    fault = "a text that is cut differs: " + text;
  }
  if (text.find('\0') != std::string::npos) fault = "a text has a zero in it";
  return text;
}

std::string FaultOfError(const Error& error, size_t text_size) {
  std::string fault;
  const std::string text =
      TextOf([&](std::span<char> out) { return Describe(error, out); }, fault);
  if (!fault.empty()) return fault;
  if (text.empty()) return "an error without a sentence";
  if (error.text_begin > error.text_end || error.text_end > text_size) {
    return "a token that is not in the text: " + text;
  }
  return {};
}

// An error with any fields has a sentence.
std::string FaultOfAnyError(Choices& choices) {
  // One more than there are, for values beyond the last enumerator.
  const auto pick = [&]<class Enum>(Enum, size_t count) {
    return static_cast<Enum>(choices.Below(count + 1));
  };
  const auto place = [&] {
    return static_cast<int32_t>(choices.Below(4) == 0
                                    ? static_cast<int64_t>(choices.Number())
                                    : static_cast<int8_t>(choices.Byte()));
  };
  const auto extent = [&]() -> int64_t {
    constexpr int64_t kEnds[] = {0, 1, -1, INT64_MAX, INT64_MIN};
    return choices.Flag() ? kEnds[choices.Below(std::size(kEnds))]
                          : static_cast<int8_t>(choices.Byte());
  };
  Error error{.error_class = pick(ErrorClass{}, AllErrorClasses().size())};
  error.detail = pick(Detail{}, AllDetails().size());
  error.clause = pick(Clause{}, AllClauses().size());
  if (choices.Flag()) error.rule = pick(Rule{}, AllRules().size());
  if (choices.Flag()) error.op = pick(Op{}, AllOps().size());
  if (choices.Flag()) error.dtype = pick(DType{}, AllDTypes().size());
  if (choices.Flag()) error.other_dtype = pick(DType{}, AllDTypes().size());
  for (int32_t* field : {&error.operand, &error.other_operand, &error.axis,
                         &error.operand_axis, &error.other_axis}) {
    if (choices.Flag()) *field = place();
  }
  error.extent = extent();
  error.other_extent = extent();
  // Each detail has its own words; most belong to a single class.
  const size_t chosen = static_cast<size_t>(error.detail);
  const size_t details = AllDetails().size() + 1;
  std::string fault;
  for (size_t i = 0; i < details && fault.empty(); ++i) {
    error.detail = static_cast<Detail>((chosen + i) % details);
    fault = FaultOfError(error, SIZE_MAX);
  }
  return fault;
}

std::string FaultOfIntegers(std::string_view text, const ParsedIntegers& read) {
  if (read.values.size() != read.spans.size()) return "values without spans";
  size_t end = 0;
  for (const TextSpan& span : read.spans) {
    if (span.begin < end || span.end <= span.begin || span.end > text.size()) {
      return "spans are not in order";
    }
    end = span.end;
  }
  std::string fault;
  const std::string written = TextOf(
      [&](std::span<char> out) { return FormatShape(read.values.view(), out); },
      fault);
  if (!fault.empty()) return fault;
  const Result<ParsedIntegers> again = ParseIntegers(written);
  if (!again || !(again->values == read.values.view())) {
    return "what is written is read as something else: " + written;
  }
  return {};
}

// Whether the plain implementation of the rules gives the same answer. Only if
// it can count the elements, and is fast enough.
std::string FaultBesideReference(const BroadcastRequest& request,
                                 const Alignment& alignment) {
  reference::Question question{.rule = std::string(Info(request.rule).name),
                               .operands = {}};
  const auto is_small = [](ShapeView shape) {
    return shape.size() <= 16 && std::ranges::all_of(shape, [](int64_t extent) {
             return extent >= -4096 && extent <= 4096;
           });
  };
  for (const ShapeView shape : request.operands) {
    if (!is_small(shape)) return {};
    question.operands.emplace_back(shape.begin(), shape.end());
  }
  question.axis = request.axis;
  if (request.target_shape) {
    if (!is_small(*request.target_shape)) return {};
    question.target.emplace(request.target_shape->begin(),
                            request.target_shape->end());
  }
  if (request.axes_mapping) {
    if (request.axes_mapping->size() > 16) return {};
    question.mapping.emplace(request.axes_mapping->begin(),
                             request.axes_mapping->end());
  }
  const reference::Answer answer = reference::Ask(question);
  std::string error;
  if (alignment.error()) error = Info(alignment.error()->error_class).name;
  if (error == "overflow") return {};  // not counted there
  if (error != answer.error) {
    return "the error is '" + error + "', not '" + answer.error + "'";
  }
  if (error.empty() && !std::ranges::equal(alignment.output(), answer.result)) {
    return "the result's shape is another";
  }
  return {};
}

// A failed status must have a description; the call may be wrong.
std::string FaultOfStatus(const Status& status) {
  return status ? std::string() : FaultOfError(status.error(), SIZE_MAX);
}

// Indices and operands that may be out of range, for alignments that may have
// conflicts.
std::string FaultOfIndices(const Alignment& alignment, size_t seed) {
  const size_t operand = seed % (alignment.operand_count() + 2);
  std::string fault;
  (void)TextOf(
      [&](std::span<char> out) {
        return FormatOperand(static_cast<int32_t>(operand) - 3, out);
      },
      fault);
  if (!fault.empty()) return fault;
  if (alignment.target().size() != 0 && !alignment.has_target()) {
    return "a target that was not asked for";
  }
  const size_t rank = alignment.rank() + (seed / 16 % 4 == 1);
  std::vector<int64_t> cell(rank, static_cast<int64_t>(seed % 8) - 1);
  std::vector<IndexRange> box(rank);
  std::vector<int64_t> strides(rank);
  fault = FaultOfStatus(alignment.Strides(operand, strides));
  if (!fault.empty()) return fault;
  const bool is_there = operand < alignment.operand_count();
  const size_t length = is_there ? alignment.operand(operand).size() : 1;
  std::vector<int64_t> source(length);
  const Status found = alignment.SourceOf(operand, cell, source);
  if (found && !is_there) return "there is no such operand";
  fault = FaultOfStatus(found);
  if (!fault.empty()) return fault;
  for (int64_t& index : source) index += static_cast<int64_t>(seed % 3) - 1;
  return FaultOfStatus(alignment.FanOut(operand, source, box));
}

std::string FaultOfCells(const Alignment& alignment, size_t seed) {
  if (std::ranges::find(alignment.output(), 0) != alignment.output().end()) {
    return {};
  }
  std::vector<int64_t> cell(alignment.rank());
  for (size_t axis = 0; axis < cell.size(); ++axis) {
    const int64_t extent = alignment.output()[axis];
    cell[axis] = static_cast<int64_t>(seed * (axis + 1)) % extent;
  }
  std::vector<IndexRange> box(cell.size());
  for (size_t k = 0; k < alignment.operand_count(); ++k) {
    std::vector<int64_t> source(alignment.operand(k).size());
    if (!alignment.SourceOf(k, cell, source)) return "a cell has no source";
    if (!alignment.FanOut(k, source, box)) return "a source feeds nothing";
    for (size_t axis = 0; axis < cell.size(); ++axis) {
      if (cell[axis] < box[axis].begin || cell[axis] >= box[axis].end) {
        return "an element does not feed the cell that reads it";
      }
    }
  }
  return {};
}

std::string FaultOfRepairs(const BroadcastRequest& request, bool fits) {
  Arena arena;
  const Result<std::span<const Repair>> found = FindRepairs(request, arena);
  if (!found) return "repairs fail";
  if (fits && !found->empty()) return "what fits is repaired";
  const Result<std::optional<Cause>> cause = FindCause(request, arena);
  if (!cause) return "the cause fails";
  if (fits == cause->has_value()) return "a cause of what fits, or none";
  if (*cause && (*cause)->text.empty()) return "a cause without a text";
  for (const Repair& repair : *found) {
    std::vector<ShapeView> shapes(request.operands.begin(),
                                  request.operands.end());
    BroadcastRequest changed = request;
    changed.rule = repair.rule;
    if (repair.kind == RepairKind::kSwapOperands) {
      std::swap(shapes[0], shapes[1]);
    } else if (repair.operand >= 0) {
      shapes[static_cast<size_t>(repair.operand)] = repair.shape;
    } else if (repair.operand == kTargetOperand) {
      changed.target_shape = repair.shape;
    }
    changed.operands = shapes;
    const RuleTraits& traits = Traits(repair.rule);
    if (!traits.takes_axis) changed.axis.reset();
    if (!traits.takes_mapping) changed.axes_mapping.reset();
    if (!traits.takes_target) changed.target_shape.reset();
    if (repair.kind == RepairKind::kChangeRule) {
      if (traits.takes_axis) changed.axis = repair.axis;
      if (traits.takes_mapping) changed.axes_mapping = repair.axes_mapping;
    }
    const Result<Shape> result = InferShape(changed);
    if (!result)
      return "a repair does not fit: " + std::string(Name(repair.kind));
    if (!(*result == ShapeView(repair.result)))
      return "a repair's result is another";
  }
  return {};
}

std::string FaultOfBlocks(const BroadcastRequest& request,
                          const Alignment& alignment, size_t memory) {
  const Op op = Accepts(Op::kAdd, request.rule) && request.operands.size() == 2
                    ? Op::kAdd
                    : Op::kBroadcast;
  if (!Accepts(op, request.rule)) return {};
  const DType dtype = memory % 2 == 0  ? DType::kF32
                      : op == Op::kAdd ? DType::kU8
                                       : DType::kU4;
  const std::vector<DType> dtypes(request.operands.size(), dtype);
  const Result<Plan> plan = Plan::Make(op, alignment, dtypes);
  if (!plan) return FaultOfError(plan.error(), SIZE_MAX);
  const Result<Blocks> blocks = Blocks::Make(*plan, memory * 64);
  if (!blocks) return FaultOfError(blocks.error(), SIZE_MAX);
  if (blocks->memory_bytes() > memory * 64) {
    return "blocks take too much memory";
  }
  const int64_t count = blocks->count();
  if (count < 0) return "a negative number of blocks";
  if (count == 0) return plan->output_bytes() == 0 ? "" : "no blocks";
  for (const int64_t block : {int64_t{0}, count / 2, count - 1}) {
    const Segment segment = blocks->result(block);
    if (segment.bytes > memory * 64) return "a segment has no room";
    if (segment.begin + segment.bytes > plan->output_bytes()) {
      return "a segment is not in the result";
    }
    for (size_t k = 0; k < plan->operand_count(); ++k) {
      const Segment read = blocks->operand(block, k);
      if (read.begin + read.bytes > plan->operand_bytes(k)) {
        return "a segment is not in its operand";
      }
    }
  }
  if (blocks->result(0).begin != 0) return "the first segment is not at 0";
  const Segment last = blocks->result(count - 1);
  return last.begin + last.bytes == plan->output_bytes()
             ? ""
             : "the last segment does not end the result";
}

// Any operator with any types and attributes: a plan, or an error with a
// description.
std::string FaultOfAnyPlan(const BroadcastRequest& request,
                           const Alignment& alignment, size_t seed) {
  const Op op = AllOps()[seed % AllOps().size()].op;
  std::vector<DType> dtypes(request.operands.size() + (seed % 29 == 0));
  for (size_t k = 0; k < dtypes.size(); ++k) {
    const size_t one = seed % 5 == 0 ? seed + k : seed;
    dtypes[k] = AllDTypes()[one % AllDTypes().size()].dtype;
  }
  OpAttributes attributes;
  if (seed % 3 == 0) attributes.fmod = static_cast<int64_t>(seed % 4) - 1;
  if (seed % 7 == 0) attributes.direction = ShiftDirection::kLeft;
  if (seed % 11 == 0) attributes.to = static_cast<DType>(seed % 32);
  if (seed % 13 == 0) attributes.saturate = static_cast<int64_t>(seed % 3);
  const Result<Plan> plan = Plan::Make(op, alignment, dtypes, attributes);
  if (!plan) return FaultOfError(plan.error(), SIZE_MAX);
  if (plan->output_count() > 1) return {};
  const Result<Blocks> blocks = Blocks::Make(*plan, seed * 16);
  return blocks ? "" : FaultOfError(blocks.error(), SIZE_MAX);
}

}  // namespace

std::string FaultOfText(std::span<const uint8_t> bytes) {
  Choices choices(bytes.subspan(0, std::min(bytes.size(), kMostText)));
  if (!bytes.empty() && bytes[0] >= kErrorAlone) {
    (void)choices.Byte();
    return FaultOfAnyError(choices);
  }
  const auto rules = AllRules();
  const Rule rule = rules[choices.Below(rules.size())].rule;
  const uint8_t flags = choices.Byte();
  const int8_t axis = static_cast<int8_t>(choices.Byte());
  const size_t memory = choices.Byte();
  const std::string text(choices.rest().begin(), choices.rest().end());

  std::vector<ParsedIntegers> operands;
  std::optional<ParsedIntegers> target;
  std::optional<ParsedIntegers> mapping;
  for (size_t begin = 0;
       begin <= text.size() && operands.size() < kMostOperands;) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const char kind = line.empty() ? ' ' : line[0];
    const bool is_operand = kind != '>' && kind != '@';
    if (!is_operand) line.remove_prefix(1);
    Result<ParsedIntegers> read =
        is_operand ? ParseShape(line, static_cast<int32_t>(operands.size()))
                   : ParseIntegers(line);
    if (!read) {
      if (std::string fault = FaultOfError(read.error(), line.size());
          !fault.empty()) {
        return fault;
      }
      continue;
    }
    if (std::string fault = FaultOfIntegers(line, *read); !fault.empty()) {
      return fault;
    }
    if (is_operand) {
      operands.push_back(std::move(*read));
    } else {
      (kind == '>' ? target : mapping) = std::move(*read);
    }
  }

  std::vector<ShapeView> shapes;
  for (const ParsedIntegers& operand : operands) {
    shapes.push_back(operand.values.view());
  }
  BroadcastRequest request{.rule = rule, .operands = shapes};
  if (flags & 1) request.axis = axis;
  if (target) request.target_shape = target->values.view();
  if (mapping) request.axes_mapping = mapping->values.view();
  if (flags & 2) request.dtype = DType::kF64;

  const Result<Alignment> alignment = Align(request);
  const Result<Shape> inferred = InferShape(request);
  // The same error, or none.
  const std::optional<Error> error =
      alignment ? alignment->error() : alignment.error();
  if (inferred ? error.has_value() : error != inferred.error()) {
    return "Align and InferShape differ";
  }
  if (!alignment) return FaultOfError(*error, SIZE_MAX);
  std::string fault;
  (void)TextOf(
      [&](std::span<char> out) { return ExplainVerdict(*alignment, out); },
      fault);
  for (size_t i = 0; i < std::min<size_t>(alignment->rank(), 32); ++i) {
    (void)TextOf(
        [&](std::span<char> out) { return ExplainAxis(*alignment, i, out); },
        fault);
  }
  if (!fault.empty()) return fault;
  if (alignment->error()) {
    fault = FaultOfError(*alignment->error(), SIZE_MAX);
    if (!fault.empty()) return fault;
  }
  fault = FaultBesideReference(request, *alignment);
  if (fault.empty()) fault = FaultOfIndices(*alignment, flags);
  if (fault.empty())
    fault = FaultOfAnyPlan(request, *alignment, flags + memory);
  if (!fault.empty()) return fault;
  fault = FaultOfRepairs(request, !alignment->error());
  if (!fault.empty() || alignment->error()) return fault;
  fault = FaultOfCells(*alignment, flags);
  return fault.empty() ? FaultOfBlocks(request, *alignment, memory) : fault;
}

}  // namespace fuzz
