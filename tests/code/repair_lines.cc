// Writes requests that fail, a repair of each, and its line of code in every
// system, as JSON, one object a line; repairs.test.mjs runs the lines.
//
// broadloom_repair_lines COUNT SEED
//
// A request is made from one that fits, by undoing a repair of each kind under
// each rule in turn; COUNT times for each pair of them. The proposals of
// FindRepairs for the same requests follow, then reductions of a matrix x of
// shape (3,4) whose result gets its axis back. Expected elements are computed
// here: of an operand that counts 0, 1, 2, ... by the repair's definition, of a
// result by the core's alignment.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "broadloom/explain/repair.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
namespace {

using Numbers = std::vector<int64_t>;

// A request and what it points to.
struct Owned {
  Rule rule = Rule::kNumpy;
  std::vector<Numbers> operands = {};
  std::optional<int64_t> axis = std::nullopt;
  std::optional<Numbers> target = std::nullopt;
  std::optional<Numbers> mapping = std::nullopt;

  std::vector<ShapeView> views = {};
  BroadcastRequest Request() {
    views.assign(operands.begin(), operands.end());
    BroadcastRequest request{.rule = rule, .operands = views, .axis = axis};
    if (target) request.target_shape = ShapeView(*target);
    if (mapping) request.axes_mapping = ShapeView(*mapping);
    return request;
  }
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  int64_t Below(int64_t end) {
    return std::uniform_int_distribution<int64_t>(0, end - 1)(random_);
  }
  bool Chance(int64_t in) { return Below(in) == 0; }

  int64_t Extent() { return Chance(30) ? 0 : Chance(3) ? 1 : 2 + Below(4); }

  Numbers Shape(size_t rank) {
    Numbers shape(rank);
    for (int64_t& extent : shape) extent = Extent();
    return shape;
  }

  // A shape that fits into `output`, aligned at the right.
  Numbers Within(const Numbers& output) {
    const size_t rank = static_cast<size_t>(Below(output.size() + 1));
    Numbers shape(output.end() - static_cast<ptrdiff_t>(rank), output.end());
    for (int64_t& extent : shape) {
      if (Chance(4)) extent = 1;
    }
    return shape;
  }

  // A request that mostly fits.
  Owned Fitting(Rule rule) {
    const RuleTraits& traits = Traits(rule);
    Owned made{.rule = rule};
    const Numbers output = Shape(static_cast<size_t>(Below(5)));
    size_t count = traits.most_operands == 1 ? 1 : 2;
    if (traits.most_operands == 0 && Chance(4)) count = 3;
    for (size_t i = 0; i < count; ++i) made.operands.push_back(Within(output));
    if (!traits.stretches) {
      made.operands.assign(count, output);
    } else if (traits.reference == Reference::kFirst) {
      made.operands[0] = output;
    }
    if (traits.takes_target) made.target = output;
    if (traits.takes_axis) {
      const size_t begin = static_cast<size_t>(Below(output.size() + 1));
      const size_t rank = static_cast<size_t>(
          Below(static_cast<int64_t>(output.size() - begin) + 1));
      made.axis = begin;
      made.operands[1].assign(
          output.begin() + static_cast<ptrdiff_t>(begin),
          output.begin() + static_cast<ptrdiff_t>(begin + rank));
      for (int64_t& extent : made.operands[1]) {
        if (Chance(4)) extent = 1;
      }
    }
    if (traits.takes_mapping) {
      made.mapping.emplace();
      made.operands[0].clear();
      for (size_t axis = 0; axis < output.size(); ++axis) {
        if (Chance(2)) continue;
        made.mapping->push_back(static_cast<int64_t>(axis));
        made.operands[0].push_back(Chance(4) ? 1 : output[axis]);
      }
    }
    return made;
  }

  // The request before a repair of this kind, and the repair that leads to
  // `after`. The repair's spans point into `held`. False if there is none.
  struct Held {
    Numbers shape;
    Numbers axes;
    Numbers mapping;
  };
  bool Undo(const Owned& after, RepairKind kind, Owned& before, Repair& repair,
            Held& held) {
    before = after;
    const size_t operand = static_cast<size_t>(Below(after.operands.size()));
    Numbers& shape = before.operands[operand];
    held.shape = shape;
    held.axes.clear();
    repair = {.kind = kind,
              .operand = static_cast<int32_t>(operand),
              .rule = after.rule};
    switch (kind) {
      case RepairKind::kInsertAxis:
        for (size_t axis = shape.size(); axis-- > 0;) {
          if (held.shape[axis] != 1 || Chance(3)) continue;
          shape.erase(shape.begin() + static_cast<ptrdiff_t>(axis));
          held.axes.insert(held.axes.begin(), static_cast<int64_t>(axis));
        }
        if (held.axes.empty()) return false;
        break;
      case RepairKind::kRemoveAxis:
        for (int64_t more = 1 + Below(2); more > 0; --more) {
          const int64_t axis = Below(shape.size() + 1);
          shape.insert(shape.begin() + axis, 1);
          for (int64_t& other : held.axes) other += other >= axis;
          held.axes.push_back(axis);
        }
        std::ranges::sort(held.axes);
        break;
      case RepairKind::kTranspose: {
        held.axes.resize(shape.size());
        std::iota(held.axes.begin(), held.axes.end(), 0);
        std::ranges::shuffle(held.axes, random_);
        if (std::ranges::is_sorted(held.axes)) return false;
        for (size_t axis = 0; axis < shape.size(); ++axis) {
          shape[static_cast<size_t>(held.axes[axis])] = held.shape[axis];
        }
        break;
      }
      case RepairKind::kReshape: {
        const int64_t elements = std::accumulate(
            shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
        shape = {elements};
        for (int64_t factor = 2; factor < 4; ++factor) {
          if (elements > 0 && Chance(2) && shape[0] % factor == 0) {
            shape[0] /= factor;
            shape.push_back(factor);
          }
        }
        if (shape == held.shape) return false;
        break;
      }
      case RepairKind::kChangeSize:
        for (size_t axis = 0; axis < shape.size(); ++axis) {
          if (!Chance(2)) continue;
          shape[axis] += 1 - 2 * (shape[axis] > 2 && Chance(3)) + Below(2);
          if (shape[axis] == held.shape[axis]) shape[axis] += 1;
          held.axes.push_back(static_cast<int64_t>(axis));
        }
        if (held.axes.empty()) return false;
        break;
      case RepairKind::kChangeTarget:
        if (!after.target) return false;
        repair.operand = kTargetOperand;
        held.shape = *after.target;
        before.target = Shape(static_cast<size_t>(Below(5)));
        break;
      case RepairKind::kChangeRule: {
        repair.operand = kAbsent;
        const std::span<const RuleInfo> rules = AllRules();
        before.rule = rules[static_cast<size_t>(Below(rules.size()))].rule;
        const RuleTraits& traits = Traits(before.rule);
        if (traits.takes_target != after.target.has_value()) return false;
        before.axis = std::nullopt;
        before.mapping = std::nullopt;
        if (traits.takes_axis) before.axis = Below(5) - 1;
        if (traits.takes_mapping) {
          before.mapping.emplace();
          for (size_t axis = 0; axis < before.operands[0].size(); ++axis) {
            before.mapping->push_back(Below(4));
          }
        }
        held.shape.clear();
        if (after.axis) repair.axis = *after.axis;
        if (after.mapping) held.mapping = *after.mapping;
        break;
      }
      case RepairKind::kSwapOperands:
        repair.operand = kAbsent;
        if (before.operands.size() != 2) return false;
        std::swap(before.operands[0], before.operands[1]);
        held.shape.clear();
        break;
    }
    if (after.mapping) held.mapping = *after.mapping;
    repair.shape = held.shape;
    repair.axes = held.axes;
    repair.axes_mapping = held.mapping;
    return true;
  }

 private:
  std::mt19937_64 random_;
};

// --- Expected elements -------------------------------------------------------

// Each index of `shape`, in row-major order.
template <class Function>
void EachIndex(std::span<const int64_t> shape, Function function) {
  int64_t elements = 1;
  for (const int64_t extent : shape) elements *= extent;
  Numbers index(shape.size());
  for (int64_t i = 0; i < elements; ++i) {
    function(std::span<const int64_t>(index));
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

int64_t FlatIndex(std::span<const int64_t> index, ShapeView shape) {
  int64_t flat = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    flat = flat * shape[axis] + index[axis];
  }
  return flat;
}

// The elements of the changed operand.
Numbers Changed(const Repair& repair, ShapeView before) {
  Numbers elements;
  // No line gives the elements of another rank.
  if (repair.kind == RepairKind::kChangeSize &&
      repair.shape.size() != before.size()) {
    return elements;
  }
  EachIndex(repair.shape, [&](std::span<const int64_t> index) {
    if (repair.kind == RepairKind::kTranspose) {
      Numbers source(before.size());
      for (size_t axis = 0; axis < index.size(); ++axis) {
        source[static_cast<size_t>(repair.axes[axis])] = index[axis];
      }
      elements.push_back(FlatIndex(source, before));
    } else if (repair.kind == RepairKind::kChangeSize) {
      elements.push_back(FlatIndex(index, before));
    } else {
      elements.push_back(static_cast<int64_t>(elements.size()));
    }
  });
  return elements;
}

void WriteNumbers(Json& json, std::span<const int64_t> numbers) {
  json.Open('[');
  for (const int64_t number : numbers) json.Value(number);
  json.Close(']');
}

bool ChangesOperand(const Repair& repair) {
  return repair.operand >= 0 && repair.kind < RepairKind::kChangeTarget;
}

// Writes the line of a repair of `before`; false if `after` does not fit.
bool Write(const BroadcastRequest& before, const BroadcastRequest& after,
           const Repair& repair, std::string_view from) {
  const Result<Alignment> alignment = Align(after);
  if (!alignment || alignment->error()) return false;
  Arena arena;
  Text text(arena);
  Json json(text);
  json.Open('{').Field("from", from).Field("kind", Name(repair.kind));
  json.Field("rule", Info(before.rule).name);
  json.Field("repairedRule", Info(after.rule).name);
  json.Field("operand", repair.operand).Field("axis", repair.axis);
  json.Key("operands").Open('[');
  for (const ShapeView shape : before.operands) json.Extents(shape);
  json.Close(']');
  if (before.target_shape) json.Key("target").Extents(*before.target_shape);
  json.Key("shape").Extents(repair.shape);
  json.Key("result").Extents(alignment->output());
  json.Key("code").Open('{');
  for (const CodeSystemInfo& row : AllCodeSystems()) {
    const Result<std::string_view> line =
        RepairCode(before, repair, {}, row.system, arena);
    if (!line) std::abort();
    json.Field(row.id, *line);
  }
  json.Close('}');
  if (ChangesOperand(repair)) {
    json.Key("elements");
    WriteNumbers(
        json,
        Changed(repair, before.operands[static_cast<size_t>(repair.operand)]));
  } else {
    // What each operand of the repaired request becomes in the result.
    json.Key("each").Open('[');
    for (size_t i = 0; i < after.operands.size(); ++i) {
      json.Open('[');
      EachIndex(alignment->output(), [&](std::span<const int64_t> index) {
        Numbers source(after.operands[i].size());
        if (!alignment->SourceOf(i, index, source)) std::abort();
        json.Value(FlatIndex(source, after.operands[i]));
      });
      json.Close(']');
    }
    json.Close(']');
  }
  json.Close('}');
  if (arena.refused()) std::abort();
  std::printf("%.*s\n", static_cast<int>(text.size()), text.view().data());
  return true;
}

// The request after a repair that FindRepairs proposed for `before`.
Owned After(const Owned& before, const Repair& repair) {
  Owned after = before;
  const Numbers shape(repair.shape.begin(), repair.shape.end());
  after.rule = repair.rule;
  if (repair.kind == RepairKind::kChangeRule) {
    const RuleTraits& traits = Traits(repair.rule);
    after.axis = std::nullopt;
    after.mapping = std::nullopt;
    if (traits.takes_axis) after.axis = repair.axis;
    if (traits.takes_mapping) {
      after.mapping.emplace(repair.axes_mapping.begin(),
                            repair.axes_mapping.end());
    }
    if (!traits.takes_target) after.target = std::nullopt;
  } else if (repair.kind == RepairKind::kChangeTarget) {
    after.target = shape;
  } else if (repair.kind == RepairKind::kSwapOperands) {
    std::swap(after.operands[0], after.operands[1]);
  } else {
    after.operands[static_cast<size_t>(repair.operand)] = shape;
    if (after.mapping) {
      after.mapping.emplace(repair.axes_mapping.begin(),
                            repair.axes_mapping.end());
    }
  }
  return after;
}

bool Fails(const BroadcastRequest& request) {
  const Result<Alignment> alignment = Align(request);
  return alignment && alignment->error();
}

void WriteAll(int64_t count, uint64_t seed) {
  Generator generator(seed);
  for (const RuleInfo& rule : AllRules()) {
    for (int kind = 0; kind <= static_cast<int>(RepairKind::kSwapOperands);
         ++kind) {
      int64_t written = 0;
      for (int64_t tried = 0; tried < 200 * count && written < count; ++tried) {
        Owned after = generator.Fitting(rule.rule);
        Owned before;
        Repair repair;
        Generator::Held held;
        if (!generator.Undo(after, static_cast<RepairKind>(kind), before,
                            repair, held)) {
          continue;
        }
        const BroadcastRequest request = before.Request();
        if (!Fails(request)) continue;
        written += Write(request, after.Request(), repair, "undone");
        Arena arena;
        const auto found = FindRepairs(request, arena);
        if (!found) continue;
        for (const Repair& proposal : *found) {
          Owned repaired = After(before, proposal);
          Write(request, repaired.Request(), proposal, "proposed");
        }
      }
    }
  }
}

// Writes the line of an expression that reduces `axis` of x.
void WriteReduction(CodeSystem system, const std::string& expression,
                    int64_t axis) {
  const Numbers x{3, 4};
  const Numbers reduced{x[static_cast<size_t>(1 - axis)]};
  const ShapeView shapes[] = {x, reduced};
  Numbers shape = x;
  shape[static_cast<size_t>(axis)] = 1;
  const int64_t axes[] = {axis};
  const Repair repair{.kind = RepairKind::kInsertAxis,
                      .operand = 1,
                      .shape = shape,
                      .axes = axes,
                      .rule = Rule::kNumpy};
  const std::string_view names[] = {"x", expression};
  Arena arena;
  const auto line =
      RepairCode({.operands = shapes}, repair, names, system, arena);
  if (!line) std::abort();
  Text text(arena);
  Json json(text);
  json.Open('{').Field("from", std::string_view("reduction"));
  json.Field("system", Info(system).id).Field("axis", axis);
  json.Field("expression", std::string_view(expression));
  json.Field("line", *line).Close('}');
  std::printf("%.*s\n", static_cast<int>(text.size()), text.view().data());
}

void WriteReductions() {
  // Forms with NAME for the reduction and AXIS for its axis.
  struct Forms {
    CodeSystem system;
    const char* names;
    std::vector<const char*> forms;
  };
  constexpr const char* kNumPyNames =
      "mean sum max min prod std var argmax argmin";
  const Forms all[] = {
      {CodeSystem::kNumPy,
       kNumPyNames,
       {"x.NAME(axis=AXIS)", "x.NAME(AXIS)", "np.NAME(x, axis=AXIS)",
        "np.NAME(x, AXIS)", "(x + 1).NAME(axis=AXIS)"}},
      {CodeSystem::kNumPy,
       "amax amin median ptp average nanmean nansum nanmax nanmin nanprod"
       " nanstd nanvar nanmedian count_nonzero all any linalg.norm",
       {"np.NAME(x, axis=AXIS)"}},
      {CodeSystem::kJax,
       kNumPyNames,
       {"x.NAME(axis=AXIS)", "x.NAME(AXIS)", "jnp.NAME(x, axis=AXIS)",
        "jnp.NAME(x, AXIS)"}},
      {CodeSystem::kJax,
       "amax amin median ptp average nanmean count_nonzero all any"
       " linalg.norm",
       {"jnp.NAME(x, axis=AXIS)"}},
      {CodeSystem::kPyTorch,
       "mean sum prod std var argmax argmin amax amin logsumexp norm nanmean"
       " nansum all any",
       {"x.NAME(dim=AXIS)", "torch.NAME(x, dim=AXIS)"}},
      {CodeSystem::kPyTorch,
       "mean sum prod std var argmax argmin amax amin logsumexp",
       {"x.NAME(AXIS)", "x.NAME(axis=AXIS)", "torch.NAME(x, AXIS)"}},
      {CodeSystem::kPyTorch,
       "max min median nanmedian",
       {"x.NAME(dim=AXIS).values", "x.NAME(AXIS).indices"}},
      {CodeSystem::kTensorFlow,
       "reduce_mean reduce_sum reduce_max reduce_min reduce_prod"
       " math.reduce_std math.reduce_variance reduce_logsumexp norm",
       {"tf.NAME(x, axis=AXIS)"}},
      {CodeSystem::kTensorFlow,
       "reduce_mean reduce_sum reduce_max",
       {"tf.NAME(x, AXIS)", "tf.math.NAME(x, [AXIS])"}},
      {CodeSystem::kOpenVino,
       "reduce_mean reduce_sum reduce_max reduce_min reduce_prod reduce_l1"
       " reduce_l2",
       {"ops.NAME(x, AXIS)", "ops.NAME(x, [AXIS])"}},
  };
  for (const Forms& forms : all) {
    std::string names = forms.names;
    names += ' ';
    for (size_t begin = 0, end; begin < names.size(); begin = end + 1) {
      end = names.find(' ', begin);
      for (const std::string form : forms.forms) {
        for (const int64_t axis : {0, 1, -1}) {
          std::string expression = form;
          expression.replace(expression.find("NAME"), 4,
                             names.substr(begin, end - begin));
          expression.replace(expression.find("AXIS"), 4, std::to_string(axis));
          WriteReduction(forms.system, expression, axis < 0 ? 1 : axis);
        }
      }
    }
  }
}

}  // namespace
}  // namespace broadloom

int main(int count, char** arguments) {
  if (count != 3) return 2;
  broadloom::WriteAll(std::atoll(arguments[1]),
                      std::strtoull(arguments[2], nullptr, 10));
  broadloom::WriteReductions();
  return 0;
}
