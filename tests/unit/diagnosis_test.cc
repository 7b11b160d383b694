// Causes and repairs of random failures, each verified by the naive second form
// of the rules, without the core.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/cause.h"
#include "broadloom/explain/repair.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/broadcast.h"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using reference::Extents;
using testing::ToVector;

// A question that owns what a request points to.
struct Case {
  Rule rule;
  std::vector<Extents> operands;
  std::optional<int64_t> axis;
  std::optional<Extents> target;
  std::optional<Extents> mapping;
  Policy policy;
  std::vector<ShapeView> views;

  BroadcastRequest Request() {
    views.assign(operands.begin(), operands.end());
    BroadcastRequest request{.rule = rule, .operands = views, .axis = axis};
    if (target) request.target_shape = *target;
    if (mapping) request.axes_mapping = *mapping;
    request.policy = policy;
    return request;
  }

  reference::Question Question() const {
    return {.rule = std::string(Info(rule).name),
            .operands = operands,
            .axis = axis,
            .target = target,
            .mapping = mapping};
  }

  std::string Text() const {
    std::string text(Info(rule).name);
    const auto add = [&](const Extents& shape) {
      text += " (";
      for (const int64_t extent : shape) text += std::to_string(extent) + ",";
      text += ")";
    };
    for (const Extents& shape : operands) add(shape);
    if (axis) text += " axis " + std::to_string(*axis);
    if (target) {
      text += " to";
      add(*target);
    }
    if (mapping) {
      text += " mapping";
      add(*mapping);
    }
    text += policy.inserts ? "" : " no inserts";
    text += policy.stretches ? "" : " no stretches";
    return text;
  }
};

Case Changed(const Case& question, const Repair& repair) {
  Case changed = question;
  changed.rule = repair.rule;
  switch (repair.kind) {
    case RepairKind::kChangeRule:
      changed.axis.reset();
      changed.mapping.reset();
      if (repair.axis != kAbsent) changed.axis = repair.axis;
      if (repair.rule == Rule::kExplicit) {
        changed.mapping = ToVector(repair.axes_mapping);
      }
      break;
    case RepairKind::kSwapOperands:
      std::swap(changed.operands.at(0), changed.operands.at(1));
      break;
    case RepairKind::kChangeTarget:
      changed.target = ToVector(repair.shape);
      break;
    default:
      changed.operands.at(static_cast<size_t>(repair.operand)) =
          ToVector(repair.shape);
      break;
  }
  return changed;
}

// Random failures: mostly related shapes, as in real mistakes.
class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  size_t Below(size_t end) { return random_() % end; }
  bool OneIn(size_t n) { return Below(n) == 0; }

  Extents Shape() {
    constexpr std::array<int64_t, 12> kExtents = {0, 1, 1, 1, 2,  3,
                                                  4, 5, 6, 8, 12, 64};
    Extents shape(Below(9));
    for (int64_t& extent : shape) extent = kExtents[Below(kExtents.size())];
    return shape;
  }

  Extents Relative(const Extents& shape) {
    Extents relative = shape;
    for (size_t changes = Below(4); changes-- > 0 && !relative.empty();) {
      const size_t at = Below(relative.size());
      const auto place = relative.begin() + static_cast<ptrdiff_t>(at);
      switch (Below(7)) {
        case 0:
          relative.erase(place);
          break;
        case 1:
          if (relative.size() < 8) relative.insert(place, 1);
          break;
        case 2:
          *place = 1;
          break;
        case 3:
          std::rotate(relative.begin(), place, relative.end());
          break;
        case 4:
          if (at + 1 < relative.size()) {
            *place *= place[1];
            relative.erase(place + 1);
          }
          break;
        case 5:
          *place += static_cast<int64_t>(Below(3));
          break;
        default:
          std::swap(*place, relative.back());
          break;
      }
    }
    return relative;
  }

  Case Next() {
    Case question{};
    question.rule = static_cast<Rule>(Below(9));
    const RuleTraits& traits = Traits(question.rule);
    const size_t most = traits.most_operands == 0
                            ? 4
                            : std::min<size_t>(4, traits.most_operands);
    const size_t count =
        traits.least_operands + Below(most - traits.least_operands + 1);
    const Extents base = Shape();
    for (size_t i = 0; i < count; ++i) {
      question.operands.push_back(OneIn(3) ? base : Relative(base));
    }
    if (OneIn(10)) question.operands.front() = Shape();
    if (traits.takes_target) {
      question.target = Relative(base);
      if (OneIn(20) && !question.target->empty()) {
        question.target->front() = OneIn(2) ? -1 : 0;
      }
    }
    if (traits.takes_axis && OneIn(2)) {
      question.axis = static_cast<int64_t>(Below(10)) - 1;
    }
    if (traits.takes_mapping && !OneIn(6)) {
      question.mapping.emplace();
      for (size_t i = 0; i < question.operands[0].size(); ++i) {
        question.mapping->push_back(static_cast<int64_t>(i + Below(2)));
      }
    }
    if (OneIn(12)) question.policy.inserts = false;
    if (OneIn(12)) question.policy.stretches = false;
    return question;
  }

 private:
  std::mt19937_64 random_;
};

// What is wrong with a repair; empty if nothing is.
std::string FaultOf(Case& question, const Repair& repair) {
  const bool on_operand = repair.operand >= 0;
  const Extents shape = ToVector(repair.shape);
  const Extents axes = ToVector(repair.axes);
  const auto is_listed = [&](size_t axis) {
    return std::ranges::find(axes, static_cast<int64_t>(axis)) != axes.end();
  };
  if (on_operand &&
      static_cast<size_t>(repair.operand) >= question.operands.size()) {
    return "no such operand";
  }
  const Extents before =
      on_operand ? question.operands[static_cast<size_t>(repair.operand)]
      : repair.operand == kTargetOperand ? *question.target
                                         : Extents();
  const bool is_option = repair.kind == RepairKind::kChangeRule ||
                         repair.kind == RepairKind::kSwapOperands;
  if (is_option != (repair.operand == kAbsent)) return "operand";
  if (repair.kind != RepairKind::kChangeRule && repair.rule != question.rule) {
    return "another rule";
  }
  if (repair.kind != RepairKind::kTranspose && !std::ranges::is_sorted(axes)) {
    return "axes are not increasing";
  }
  switch (repair.kind) {
    case RepairKind::kInsertAxis:
    case RepairKind::kRemoveAxis: {
      const bool inserts = repair.kind == RepairKind::kInsertAxis;
      const Extents& longer = inserts ? shape : before;
      Extents rest;
      for (size_t axis = 0; axis < longer.size(); ++axis) {
        if (!is_listed(axis)) {
          rest.push_back(longer[axis]);
        } else if (longer[axis] != 1) {
          return "an axis that is not 1";
        }
      }
      if (axes.empty() || rest != (inserts ? before : shape)) return "axes";
      break;
    }
    case RepairKind::kTranspose: {
      Extents sorted = axes;
      std::ranges::sort(sorted);
      if (sorted.size() != before.size()) return "order";
      for (size_t axis = 0; axis < sorted.size(); ++axis) {
        if (sorted[axis] != static_cast<int64_t>(axis)) return "order";
        if (shape.at(axis) != before[static_cast<size_t>(axes[axis])]) {
          return "transposed shape";
        }
      }
      break;
    }
    case RepairKind::kReshape:
      if (reference::Count(shape) != reference::Count(before) ||
          shape == before) {
        return "reshaped";
      }
      break;
    case RepairKind::kChangeSize:
    case RepairKind::kChangeTarget:
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        const size_t from_right = shape.size() - axis;
        const bool differs = from_right > before.size() ||
                             before[before.size() - from_right] != shape[axis];
        if (differs != is_listed(axis)) return "changed axes";
      }
      break;
    default:
      if (!shape.empty() || !axes.empty()) return "a shape";
      break;
  }
  Case changed = Changed(question, repair);
  if (changed.Text() == question.Text() &&
      repair.kind != RepairKind::kTranspose) {
    return "nothing changes";
  }
  const reference::Answer answer = reference::Ask(changed.Question());
  if (!answer.error.empty()) return "it does not fit: " + answer.error;
  if (answer.result != ToVector(repair.result)) return "another result";
  // The policy is the request's.
  const Result<Shape> inferred = InferShape(changed.Request());
  if (!inferred) return "the policy refuses it";
  // A rearrangement that may be applied unasked matches all axes that it moves.
  const bool rearranges = repair.kind == RepairKind::kInsertAxis ||
                          repair.kind == RepairKind::kRemoveAxis ||
                          repair.kind == RepairKind::kReshape;
  if (rearranges && repair.grade != Grade::kOnlyIfMeant) {
    const size_t own = static_cast<size_t>(repair.operand);
    for (size_t axis = 0; axis < answer.result.size(); ++axis) {
      const int source = answer.places[own][axis];
      if (source < 0 || shape[static_cast<size_t>(source)] == 1) continue;
      bool has_partner = question.target.has_value();
      for (size_t i = 0; i < answer.places.size(); ++i) {
        const int other = answer.places[i][axis];
        has_partner |= i != own && other >= 0 &&
                       changed.operands[i][static_cast<size_t>(other)] ==
                           shape[static_cast<size_t>(source)];
      }
      if (!has_partner) return "an axis without a partner";
    }
  }
  if (repair.meaning.empty() || repair.meaning.back() != '.') return "meaning";
  return {};
}

// Whether the declaration of Grade allows the grade for such a change.
bool DeservesGrade(const Case& question, const Repair& repair) {
  if (repair.grade == Grade::kOnlyIfMeant) return true;
  const bool is_certain = repair.grade == Grade::kCertain;
  switch (repair.kind) {
    case RepairKind::kInsertAxis:
    case RepairKind::kRemoveAxis:
      return true;
    case RepairKind::kTranspose:
    case RepairKind::kReshape:
    case RepairKind::kSwapOperands:
      return !is_certain;
    case RepairKind::kChangeSize:
      return false;
    case RepairKind::kChangeTarget: {
      // From the right, each size that the old target stated is kept.
      Extents before = *question.target;
      Extents after = ToVector(repair.shape);
      std::ranges::reverse(before);
      std::ranges::reverse(after);
      after.resize(std::max(before.size(), after.size()), 1);
      for (size_t i = 0; i < before.size(); ++i) {
        if (before[i] > 1 && before[i] != after[i]) return false;
      }
      return !is_certain;
    }
    case RepairKind::kChangeRule:
      if (repair.rule == question.rule) return true;
      return !is_certain && question.rule == Rule::kNone;
  }
  return false;
}

// Which element of each of the question's operands each element of the result
// is computed from.
std::vector<int64_t> SourcesOf(const Case& question, const Repair& repair) {
  const Case changed = Changed(question, repair);
  const reference::Question asked = changed.Question();
  const reference::Answer answer = reference::Ask(asked);
  std::vector<int64_t> sources;
  const size_t count = question.operands.size();
  for (const Extents& cell : reference::Cells(answer.result)) {
    for (size_t i = 0; i < count; ++i) {
      const size_t place = repair.kind == RepairKind::kSwapOperands ? 1 - i : i;
      if (repair.kind != RepairKind::kTranspose ||
          static_cast<int32_t>(i) != repair.operand) {
        sources.push_back(
            reference::SourcePosition(asked, answer, place, cell));
        continue;
      }
      const Extents moved = reference::SourceIndex(asked, answer, i, cell);
      const Extents& before = question.operands[i];
      Extents index(before.size());
      for (size_t axis = 0; axis < moved.size(); ++axis) {
        index[static_cast<size_t>(repair.axes[axis])] = moved[axis];
      }
      int64_t position = 0;
      for (size_t axis = 0; axis < before.size(); ++axis) {
        position = position * before[axis] + index[axis];
      }
      sources.push_back(position);
    }
  }
  return sources;
}

TEST_CASE(
    "diagnosis: random failures, each proposal verified by another form") {
  constexpr size_t kFailures = 100'000;
  constexpr std::string_view kOther = "but is computed from other elements.";
  Draw draw(20'261'124);
  size_t failures = 0;
  size_t proposals = 0;
  size_t compared = 0;
  std::array<size_t, 8> kinds{};
  std::array<std::array<size_t, 3>, 8> grades{};
  while (failures < kFailures) {
    Case question = draw.Next();
    const BroadcastRequest request = question.Request();
    if (InferShape(request)) continue;
    const Result<Alignment> alignment = Align(request);
    if (!alignment) continue;
    ++failures;
    Arena arena;
    const auto cause = FindCause(request, arena);
    if (!cause || !*cause) FAIL(question.Text() << ": no cause");
    const int32_t operand = (*cause)->operand;
    if ((*cause)->text.empty() || (*cause)->text.back() != '.' ||
        operand >= static_cast<int32_t>(question.operands.size()) ||
        (operand == kTargetOperand && !question.target) ||
        (*cause)->axis >= static_cast<int32_t>(alignment->rank() + 8)) {
      FAIL(question.Text() << ": cause " << (*cause)->text);
    }
    const auto found = FindRepairs(request, arena);
    if (!found) FAIL(question.Text());
    if (found->size() > 5) FAIL(question.Text() << ": too many");
    const auto certain =
        std::ranges::count(*found, Grade::kCertain,
                           [](const Repair& repair) { return repair.grade; });
    if (certain > 1) FAIL(question.Text() << ": two are certain");
    for (size_t i = 0; i < found->size(); ++i) {
      const Repair& repair = (*found)[i];
      const size_t kind = static_cast<size_t>(repair.kind);
      ++kinds.at(kind);
      ++grades.at(kind).at(static_cast<size_t>(repair.grade));
      if (!DeservesGrade(question, repair)) {
        FAIL(question.Text() << ": " << Name(repair.grade) << ' '
                             << Name(repair.kind) << ' ' << repair.meaning);
      }
      if (const std::string fault = FaultOf(question, repair); !fault.empty()) {
        FAIL(question.Text()
             << ": " << Name(repair.kind) << ' ' << i << ": " << fault);
      }
      bool differs = false;
      const int64_t elements = reference::Count(ToVector(repair.result));
      const bool is_small = elements > 0 && elements <= 64;
      for (size_t k = 0; k < i; ++k) {
        const Repair& other = (*found)[k];
        if (other.kind == repair.kind &&
            Changed(question, other).Text() ==
                Changed(question, repair).Text() &&
            std::ranges::equal(other.axes, repair.axes)) {
          FAIL(question.Text() << ": twice " << Name(repair.kind));
        }
        if (is_small && repair.kind != RepairKind::kChangeSize &&
            other.kind != RepairKind::kChangeSize &&
            ToVector(other.result) == ToVector(repair.result)) {
          differs |= SourcesOf(question, other) != SourcesOf(question, repair);
          ++compared;
        }
      }
      if ((is_small || elements == 0) &&
          differs != repair.meaning.ends_with(kOther)) {
        FAIL(question.Text() << ": " << i << ' ' << repair.meaning);
      }
    }
    proposals += found->size();
  }
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    INFO(Name(static_cast<RepairKind>(kind)));
    CHECK(kinds.at(kind) > 500);
  }
  // Each grade that a kind may have, it has somewhere; and certainty is rare.
  size_t certain = 0;
  for (const RepairKind kind :
       {RepairKind::kInsertAxis, RepairKind::kRemoveAxis,
        RepairKind::kChangeRule}) {
    INFO(Name(kind));
    for (const size_t count : grades.at(static_cast<size_t>(kind))) {
      CHECK(count > 100);
    }
    certain += grades.at(static_cast<size_t>(kind)).front();
  }
  for (const RepairKind kind :
       {RepairKind::kTranspose, RepairKind::kReshape, RepairKind::kChangeTarget,
        RepairKind::kSwapOperands}) {
    INFO(Name(kind));
    CHECK(grades.at(static_cast<size_t>(kind)).at(1) > 100);
  }
  CHECK(certain > kFailures / 20);
  CHECK(certain < kFailures / 2);
  CHECK(proposals > kFailures);
  CHECK(compared > 1000);
}

TEST_CASE("diagnosis: grades") {
  struct Row {
    Case question;
    RepairKind kind;
    Extents shape;
    Grade grade;
  };
  const auto numpy = [](std::vector<Extents> shapes) {
    Case question{};
    question.rule = Rule::kNumpy;
    question.operands = std::move(shapes);
    return question;
  };
  const auto target = [](Extents data, Extents wanted) {
    Case question{};
    question.rule = Rule::kBroadcastNumpy;
    question.operands = {std::move(data)};
    question.target = std::move(wanted);
    return question;
  };
  using enum RepairKind;
  std::vector<Row> rows = {
      {numpy({{8, 3}, {8}}), kInsertAxis, {8, 1}, Grade::kCertain},
      // An axis may as well be added to A, or lie on either of two axes.
      {numpy({{5, 7}, {5, 7, 1}}), kRemoveAxis, {5, 7}, Grade::kLikely},
      {numpy({{3, 3, 5}, {3}}), kInsertAxis, {3, 1}, Grade::kLikely},
      // Equal extents do not prove the order of the elements.
      {numpy({{4, 4}, {16}}), kReshape, {4, 4}, Grade::kLikely},
      {numpy({{3, 32, 64}, {32, 64, 3}}),
       kTranspose,
       {3, 32, 64},
       Grade::kLikely},
      // Elements would be left out or made up.
      {numpy({{2, 3}, {2, 4}}), kChangeSize, {2, 3}, Grade::kOnlyIfMeant},
      {numpy({{8, 8, 3}, {8, 8, 4}}),
       kChangeSize,
       {8, 8, 3},
       Grade::kOnlyIfMeant},
      // Each with each.
      {numpy({{5}, {7}}), kInsertAxis, {7, 1}, Grade::kOnlyIfMeant},
      // A 1 states no size, a 5 does.
      {target({4, 3}, {4, 1}), kChangeTarget, {4, 3}, Grade::kLikely},
      {target({4, 3}, {4, 5}), kChangeTarget, {4, 3}, Grade::kOnlyIfMeant},
  };
  Arena arena;
  for (Row& row : rows) {
    INFO(row.question.Text());
    const auto found = FindRepairs(row.question.Request(), arena);
    REQUIRE(found);
    const auto repair = std::ranges::find_if(*found, [&](const Repair& one) {
      return one.kind == row.kind && ToVector(one.shape) == row.shape;
    });
    REQUIRE(repair != found->end());
    CHECK(Name(repair->grade) == Name(row.grade));
  }
}

TEST_CASE("diagnosis: nothing for shapes that fit or have no alignment") {
  Arena arena;
  const Extents a = {2, 3};
  const Extents b = {3};
  const Extents negative = {-3, 2};
  const ShapeView fits[] = {a, b};
  const ShapeView none[] = {a, negative};
  const auto is_silent = [&](const BroadcastRequest& request) {
    const auto cause = FindCause(request, arena);
    const auto repairs = FindRepairs(request, arena);
    return cause && !*cause && repairs && repairs->empty();
  };
  CHECK(is_silent({.operands = fits}));
  CHECK(is_silent({.operands = none}));
  CHECK(is_silent({}));
  CHECK(is_silent({.rule = Rule{200}, .operands = fits}));
  CHECK(is_silent({.rule = Rule::kExplicit, .operands = fits}));
}

TEST_CASE("diagnosis: causes") {
  struct Expected {
    Case question;
    CauseKind kind;
    int32_t operand;
    int32_t axis;
    bool is_thin;
  };
  const std::vector<Expected> all = {
      {{Rule::kNumpy, {{8, 3}, {8}}, {}, {}, {}, {}, {}},
       CauseKind::kMissingAxis,
       1,
       1,
       false},
      {{Rule::kNumpy, {{8, 64, 56, 56}, {64}}, {}, {}, {}, {}, {}},
       CauseKind::kMissingAxis,
       1,
       2,
       false},
      {{Rule::kNumpy, {{480, 640, 3}, {480, 640}}, {}, {}, {}, {}, {}},
       CauseKind::kMissingAxis,
       1,
       2,
       false},
      {{Rule::kNumpy, {{5, 7}, {5, 7, 1}}, {}, {}, {}, {}, {}},
       CauseKind::kExtraAxis,
       1,
       1,
       true},
      {{Rule::kNumpy, {{3, 32, 40}, {32, 40, 3}}, {}, {}, {}, {}, {}},
       CauseKind::kAxisOrder,
       1,
       0,
       true},
      {{Rule::kNumpy, {{60, 784}, {60, 28, 28}}, {}, {}, {}, {}, {}},
       CauseKind::kFlattened,
       0,
       1,
       true},
      {{Rule::kNumpy, {{88, 23}, {88, 24}}, {}, {}, {}, {}, {}},
       CauseKind::kOffByOne,
       kAbsent,
       1,
       false},
      {{Rule::kNumpy, {{4, 3}, {4, 7}}, {}, {}, {}, {}, {}},
       CauseKind::kSizesDiffer,
       kAbsent,
       1,
       false},
      {{Rule::kNumpy, {{64, 256}, {17, 256}}, {}, {}, {}, {}, {}},
       CauseKind::kBatchRemainder,
       kAbsent,
       0,
       true},
      {{Rule::kNumpy, {{16, 5}, {0, 5}}, {}, {}, {}, {}, {}},
       CauseKind::kEmptyOperand,
       1,
       0,
       false},
      {{Rule::kNumpy, {{2, 4, 90, 90}, {1, 1, 64, 64}}, {}, {}, {}, {}, {}},
       CauseKind::kBakedConstant,
       1,
       2,
       true},
      {{Rule::kOnnxUnidirectional, {{3}, {2, 3}}, {}, {}, {}, {}, {}},
       CauseKind::kOneDirection,
       0,
       kAbsent,
       false},
      {{Rule::kBroadcastNumpy, {{9, 4}}, {}, Extents{9, 1}, {}, {}, {}},
       CauseKind::kOneDirection,
       kTargetOperand,
       1,
       false},
      {{Rule::kBidirectional, {{4, 1}}, {}, Extents{-1, 3}, {}, {}, {}},
       CauseKind::kTargetMeaning,
       kTargetOperand,
       0,
       false},
      {{Rule::kNone, {{2, 3}, {1, 3}}, {}, {}, {}, {}, {}},
       CauseKind::kNoBroadcast,
       1,
       0,
       false},
      {{Rule::kPdpd, {{2, 3, 4}, {3, 4}}, 2, {}, {}, {}, {}},
       CauseKind::kOption,
       1,
       kAbsent,
       false},
      {{Rule::kExplicit, {{16}}, {}, Extents{1, 16, 5}, {}, {}, {}},
       CauseKind::kOption,
       0,
       kAbsent,
       false},
      {{Rule::kNumpy, {{2, 3}, {3}}, {}, {}, {}, {.inserts = false}, {}},
       CauseKind::kPolicy,
       1,
       0,
       false},
      {{Rule::kNumpy,
        {{int64_t{1} << 62, 1}, {1, int64_t{1} << 62}},
        {},
        {},
        {},
        {},
        {}},
       CauseKind::kTooLarge,
       kAbsent,
       kAbsent,
       false},
  };
  for (Expected expected : all) {
    Arena arena;
    const auto cause = FindCause(expected.question.Request(), arena);
    INFO(expected.question.Text());
    REQUIRE(cause);
    REQUIRE(*cause);
    INFO((*cause)->text);
    CHECK(Name((*cause)->kind) == Name(expected.kind));
    CHECK((*cause)->operand == expected.operand);
    if (expected.kind != CauseKind::kTooLarge) {
      CHECK((*cause)->axis == expected.axis);
    }
    CHECK((*cause)->is_thin == expected.is_thin);
  }
}

TEST_CASE("diagnosis: a missing axis is told by the extents that were meant") {
  const std::vector<std::pair<Case, std::string_view>> all = {
      {{Rule::kNumpy, {{8, 64, 56, 56}, {64}}, {}, {}, {}, {}, {}},
       "B's 64 was probably meant for axis 1 of A (8, 64, 56, 56): B would "
       "need a 1 under axes 2 (56) and 3 (56). B may be a bias or a scale of "
       "channels."},
      {{Rule::kNumpy, {{480, 640, 3}, {480, 640}}, {}, {}, {}, {}, {}},
       "B's 480 and 640 were probably meant for axes 0 and 1 of A (480, 640, "
       "3): B would need a 1 under axis 2 (3). B may be a mask or a picture "
       "without channels."},
      {{Rule::kNumpy, {{32}, {32, 10}}, {}, {}, {}, {}, {}},
       "A's 32 was probably meant for axis 0 of B (32, 10): A would need a 1 "
       "under axis 1 (10). A may be the result of a reduction without "
       "keepdims."},
      // The 1s that meet 1s are not what was meant.
      {{Rule::kNumpy, {{64, 1, 5}, {64}}, {}, {}, {}, {}, {}},
       "B's 64 was probably meant for axis 0 of A (64, 1, 5): B would need a "
       "1 under axes 1 (1) and 2 (5). B may be the result of a reduction "
       "without keepdims."},
  };
  for (const auto& [question, text] : all) {
    Arena arena;
    Case asked = question;
    const auto cause = FindCause(asked.Request(), arena);
    REQUIRE(cause);
    REQUIRE(*cause);
    CHECK((*cause)->text == text);
  }
}

TEST_CASE("diagnosis: each kind of cause has a name of its own") {
  std::vector<std::string_view> names;
  for (uint8_t kind = 0; !Name(CauseKind{kind}).empty(); ++kind) {
    names.push_back(Name(CauseKind{kind}));
  }
  CHECK(names.size() == 15);
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

TEST_CASE("diagnosis: names of axes tell the order") {
  const Extents a = {4, 4};
  const ShapeView shapes[] = {a, a};
  const std::string_view rows[] = {"batch", "heads"};
  const std::string_view turned[] = {"heads", "batch"};
  const std::span<const std::string_view> names[] = {rows, turned};
  const BroadcastRequest request{
      .operands = shapes, .policy = {.same_names = true}, .axis_names = names};
  Arena arena;
  const auto repairs = FindRepairs(request, arena);
  REQUIRE(repairs);
  REQUIRE(!repairs->empty());
  CHECK(repairs->front().kind == RepairKind::kTranspose);
  CHECK(ToVector(repairs->front().axes) == Extents{1, 0});
  const auto cause = FindCause(request, arena);
  REQUIRE(cause);
  CHECK((*cause)->kind == CauseKind::kPolicy);

  // An axis that is added takes the name that is there.
  const Extents matrix = {8, 3};
  const Extents vector = {8};
  const ShapeView pair[] = {matrix, vector};
  const std::string_view of_matrix[] = {"batch", "channels"};
  const std::string_view of_vector[] = {"batch"};
  const std::span<const std::string_view> both[] = {of_matrix, of_vector};
  const auto inserted = FindRepairs(
      {.operands = pair, .policy = {.same_names = true}, .axis_names = both},
      arena);
  REQUIRE(inserted);
  REQUIRE(!inserted->empty());
  CHECK(inserted->front().kind == RepairKind::kInsertAxis);
  CHECK(ToVector(inserted->front().shape) == Extents{8, 1});
}

TEST_CASE("diagnosis: meanings") {
  struct Expected {
    Case question;
    std::string_view first;
  };
  const std::vector<Expected> all = {
      {{Rule::kNumpy, {{8, 3}, {8}}, {}, {}, {}, {}, {}},
       "Each of the 8 rows gets its own value of B."},
      {{Rule::kNumpy, {{8, 64, 56, 56}, {64}}, {}, {}, {}, {}, {}},
       "Each of the 64 indices of axis 1 gets its own value of B, which is "
       "repeated along axes 0 (8), 2 (56) and 3 (56)."},
      {{Rule::kNumpy, {{2, 3, 4}, {2, 4}}, {}, {}, {}, {}, {}},
       "B lies on axes 0 (2) and 2 (4) of the result and is repeated along "
       "axis 1 (3)."},
      {{Rule::kPdpd, {{2, 3, 4, 5}, {3, 4}}, {}, {}, {}, {}, {}},
       "B lies on A from axis 1 on."},
      {{Rule::kBroadcastNumpy, {{9, 4}}, {}, Extents{9, 1}, {}, {}, {}},
       "The target becomes (9, 4), which the data (9, 4) fit."},
      {{Rule::kNumpy, {{3, 4, 4}, {4, 4, 3}}, {}, {}, {}, {}, {}},
       "The axes of B come in the order 2, 0, 1. Another order gives the same "
       "shape, but other elements. Each element of the result gets its own "
       "value of B."},
  };
  for (Expected expected : all) {
    Arena arena;
    const auto repairs = FindRepairs(expected.question.Request(), arena);
    REQUIRE(repairs);
    REQUIRE(!repairs->empty());
    CHECK(repairs->front().meaning == expected.first);
  }
}

// Bad and large input: an answer, in time that a page can spare.
TEST_CASE("diagnosis: many axes and operands") {
  std::vector<Case> all;
  const auto add = [&](Rule rule, std::vector<Extents> operands,
                       std::optional<Extents> target = {}) {
    all.push_back(
        {rule, std::move(operands), {}, std::move(target), {}, {}, {}});
  };
  add(Rule::kNumpy, {Extents(2000, 2), Extents(2000, 3)});
  add(Rule::kNumpy, {Extents(2000, 2), Extents(1999, 3)});
  add(Rule::kPdpd, {Extents(2000, 2), Extents(1000, 3)});
  add(Rule::kExplicit, {Extents(1000, 2)}, Extents(2000, 3));
  add(Rule::kBroadcastNumpy, {Extents(2000, 2)}, Extents(2000, -1));
  add(Rule::kNone, {Extents(2000, 1), Extents(2000, 3)});
  std::vector<Extents> many(64, Extents{2, 3, 1, 5, 1, 7, 1, 8});
  many[40] = {2, 3, 5};
  add(Rule::kNumpy, many);
  add(Rule::kNone, many);
  add(Rule::kNumpy, {Extents(8, INT64_MAX), Extents(8, INT64_MAX - 1)});
  add(Rule::kNumpy, {{INT64_MAX, INT64_MAX}, {INT64_MAX}, {2}});
  for (Case& question : all) {
    Arena arena;
    const BroadcastRequest request = question.Request();
    const auto cause = FindCause(request, arena);
    REQUIRE(cause);
    CHECK(*cause);
    const auto repairs = FindRepairs(request, arena);
    REQUIRE(repairs);
    CHECK(repairs->size() <= kMostProposals);
  }
}

TEST_CASE("diagnosis: each failed allocation is an error") {
  std::vector<Case> all;
  all.push_back({Rule::kNumpy,
                 std::vector<Extents>(5, Extents{2, 3, 1, 1, 1, 1, 1, 1}),
                 {},
                 {},
                 {},
                 {},
                 {}});
  all.back().operands[4] = {2};
  all.push_back(
      {Rule::kNumpy, {Extents(12, 2), Extents(12, 3)}, {}, {}, {}, {}, {}});
  for (Case& question : all) {
    const BroadcastRequest request = question.Request();
    CHECK(testing::RefuseEach([&](const Allocator& allocator) {
            Arena arena(allocator);
            return FindCause(request, arena);
          }) > 0);
    CHECK(testing::RefuseEach([&](const Allocator& allocator) {
            Arena arena(allocator);
            return FindRepairs(request, arena);
          }) > 0);
  }
}

// Hidden: prints what causes and repairs of rank 8 and four operands take.
TEST_CASE("diagnosis: time", "[.time]") {
  std::vector<std::pair<std::string, Case>> all;
  const auto add = [&](std::string name, std::vector<Extents> operands) {
    all.push_back({std::move(name),
                   {Rule::kNumpy, std::move(operands), {}, {}, {}, {}, {}}});
  };
  add("(8,3) (8)", {{8, 3}, {8}});
  add("(8,64,56,56) (64)", {{8, 64, 56, 56}, {64}});
  add("(3,480,640) (480,640,3)", {{3, 480, 640}, {480, 640, 3}});
  const Extents full = {2, 3, 4, 5, 6, 7, 8, 9};
  add("rank 8, rank 4", {full, full, full, {2, 4, 6, 8}});
  add("rank 8, sizes differ", {full, full, full, {2, 3, 4, 5, 6, 7, 8, 10}});
  add("rank 8, another order", {full, full, full, {3, 2, 4, 5, 6, 7, 8, 9}});
  add("rank 8, ones", {full,
                       {1, 1, 1, 1, 1, 1, 1, 1},
                       {2, 1, 4, 1, 6, 1, 8, 1},
                       {2, 1, 1, 4, 1, 1, 1, 6}});
  add("rank 8, rank 4, rank 4",
      {full, {2, 4, 6, 8}, {3, 5, 7, 9}, {2, 3, 4, 5}});
  add("rank 8, equal extents",
      {{2, 2, 2, 2, 2, 2, 2, 3}, {2, 2, 2, 2}, {2, 2, 2, 3}, {2, 3, 2, 2}});
  for (auto& [name, question] : all) {
    const BroadcastRequest request = question.Request();
    const auto measure = [&](auto&& call) {
      double best = 1e9;
      for (int round = 0; round < 40; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        Arena arena;
        call(arena);
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count());
      }
      return best;
    };
    const double cause =
        measure([&](Arena& arena) { (void)FindCause(request, arena); });
    const double repairs =
        measure([&](Arena& arena) { (void)FindRepairs(request, arena); });
    WARN(name << ": cause " << cause << " us, repairs " << repairs << " us");
  }
}

}  // namespace
