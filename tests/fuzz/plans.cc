// Input: an operator, types, a rule, the result's extents, how each operand is
// laid out in memory, a box, how the plan is run, and an error in a view. If
// the first byte is 255: tensors of different types, under sonnx; if it is 254:
// an operator on packed types.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "fuzz/harness.h"
#include "reference/trial.h"
#include "unit/blocks.h"

namespace fuzz {
namespace {

using namespace reference;
using broadloom::IndexRange;
using broadloom::TensorView;

struct Work {
  Op op;
  std::vector<DType> dtypes;
  OpAttributes attributes = {};
};

// Every operator with every type that it takes, and every attribute.
const std::vector<Work>& AllWork() {
  static const std::vector<Work> all = [] {
    std::vector<Work> works;
    for (const KernelCase& one : AllKernelCases()) {
      works.push_back({one.op, one.dtypes, one.attributes});
      if (broadloom::Info(one.op).most_operands == 0) {
        works.push_back({one.op, std::vector<DType>(3, one.dtypes[0]), {}});
        works.push_back({one.op, std::vector<DType>(6, one.dtypes[0]), {}});
      }
    }
    for (const auto& type : broadloom::AllDTypes()) {
      works.push_back({Op::kBroadcast, {type.dtype}, {}});
      works.push_back({Op::kWhere, {DType::kBool, type.dtype, type.dtype}, {}});
    }
    return works;
  }();
  return all;
}

// Operators whose results have several elements in a byte.
const std::vector<Work>& PackedWork() {
  static const std::vector<Work> packed = [] {
    std::vector<Work> works;
    for (const Work& one : AllWork()) {
      if (BitsOf(one.dtypes.back()) < 8) works.push_back(one);
    }
    return works;
  }();
  return packed;
}

// `is_odd`: rows of packed elements that end within a byte.
Extents ChooseShape(Choices& choices, bool is_odd = false) {
  constexpr int64_t kExtents[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 64, 65};
  constexpr int64_t kOdd[] = {1, 3, 5, 7, 9, 15, 31, 33, 63, 65, 129, 255};
  static_assert(std::size(kOdd) == std::size(kExtents));
  Extents shape(choices.Below(6));
  for (int64_t& extent : shape) {
    const size_t one = choices.Below(std::size(kExtents));
    extent = is_odd ? kOdd[one] : kExtents[one];
  }
  // An operand may have 1 where the result has 0.
  const auto most = [&] {
    int64_t count = 1;
    for (const int64_t extent : shape) count *= std::max<int64_t>(extent, 1);
    return count;
  };
  while (most() > 3000) {
    int64_t& longest = *std::ranges::max_element(shape);
    longest = (longest + 1) / 2;
  }
  return shape;
}

// An operand that broadcasts to `shape` by NumPy's rule.
Extents ChooseOperand(Choices& choices, const Extents& shape) {
  Extents operand = shape;
  const size_t stretched = choices.Byte();
  for (size_t axis = 0; axis < operand.size(); ++axis) {
    if (stretched >> axis & 1) operand[axis] = 1;
  }
  const size_t dropped = choices.Below(4);
  for (size_t i = 0; i < dropped && !operand.empty() && operand[0] == 1; ++i) {
    operand.erase(operand.begin());
  }
  return operand;
}

Question ChooseQuestion(Choices& choices, Op op, size_t count, bool is_odd) {
  const Extents shape = ChooseShape(choices, is_odd);
  Question question{.rule = "numpy", .operands = {}};
  if (op == Op::kBroadcast) {
    question.rule = choices.Flag() ? "broadcast_numpy" : "bidirectional";
    question.operands = {ChooseOperand(choices, shape)};
    question.target = shape;
    return question;
  }
  if (count == 2 && op != Op::kPRelu && choices.Below(3) == 0) {
    const size_t begin = choices.Below(shape.size() + 1);
    const size_t length = choices.Below(shape.size() - begin + 1);
    Extents b(shape.begin() + static_cast<ptrdiff_t>(begin),
              shape.begin() + static_cast<ptrdiff_t>(begin + length));
    return {.rule = "pdpd",
            .operands = {shape, b},
            .axis = static_cast<int64_t>(begin)};
  }
  for (size_t k = 0; k < count; ++k) {
    question.operands.push_back(ChooseOperand(choices, shape));
  }
  if (op == Op::kPRelu) {
    question.rule = "onnx_unidirectional";
    question.operands[0] = shape;
  }
  return question;
}

// An operand's elements with its axes in another order, with gaps and negative
// steps, in exactly the memory that they reach.
struct Strided {
  Strided(Choices& choices, DType dtype, const Extents& extents,
          std::span<const uint8_t> dense)
      : shape(extents), strides(extents.size()) {
    std::vector<size_t> order(shape.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (size_t i = 0; i + 1 < order.size(); ++i) {
      std::swap(order[i], order[i + choices.Below(order.size() - i)]);
    }
    int64_t step = 1 + static_cast<int64_t>(choices.Below(3));
    int64_t reach = 0;
    for (const size_t axis : order) {
      const int64_t last = std::max<int64_t>(shape[axis] - 1, 0);
      strides[axis] = step;
      reach += step * last;
      if (choices.Flag()) {
        strides[axis] = -step;
        offset += step * last;
      }
      step = step * (last + 1) + static_cast<int64_t>(choices.Below(3));
    }
    const int bits = BitsOf(dtype);
    const size_t count = static_cast<size_t>(Count(shape));
    if (count == 0) offset = 0;
    memory =
        SomeElements(dtype, count == 0 ? 0 : static_cast<size_t>(reach) + 1, 7);
    const std::vector<Extents> cells = Cells(shape);
    for (size_t i = 0; i < count; ++i) {
      int64_t at = offset;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        at += cells[i][axis] * strides[axis];
      }
      PutBits(memory, bits, static_cast<size_t>(at), Get(dense, bits, i));
    }
    view = {dtype, shape, memory.data(), memory.size(), strides, offset};
  }
  Strided(const Strided&) = delete;
  Strided& operator=(const Strided&) = delete;

  Extents shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  Buffer memory;
  TensorView view;
};

// A loop that runs its tasks in reverse order on this thread.
constexpr broadloom::ParallelFor kBackwards{
    nullptr, 3,
    [](void*, size_t tasks, void (*task)(void*, size_t), void* state) {
      while (tasks-- > 0) task(state, tasks);
    }};

// A loop whose tasks all start with the original result, as if they ran at the
// same time: if two tasks write to the same byte, only the last value remains.
class AtOnce {
 public:
  explicit AtOnce(std::span<uint8_t> result) : result_(result) {}
  AtOnce(const AtOnce&) = delete;
  AtOnce& operator=(const AtOnce&) = delete;

  const broadloom::ParallelFor* loop() const { return &loop_; }

 private:
  void Run(size_t tasks, void (*task)(void*, size_t), void* state) {
    const Buffer before(result_.begin(), result_.end());
    Buffer after = before;
    for (size_t i = 0; i < tasks; ++i) {
      std::ranges::copy(before, result_.begin());
      task(state, i);
      for (size_t at = 0; at < before.size(); ++at) {
        if (result_[at] != before[at]) after[at] = result_[at];
      }
    }
    std::ranges::copy(after, result_.begin());
  }

  std::span<uint8_t> result_;
  broadloom::ParallelFor loop_{
      this, 3,
      [](void* self, size_t tasks, void (*task)(void*, size_t), void* state) {
        static_cast<AtOnce*>(self)->Run(tasks, task, state);
      }};
};

// Threads, or nothing.
const broadloom::ParallelFor* ChooseLoop(Choices& choices) {
  static const auto threads = broadloom::Threads::Make(2);
  switch (choices.Below(4)) {
    case 1:
      return &kBackwards;
    case 3:
      return threads ? &threads->parallel_for() : nullptr;
    default:
      return nullptr;
  }
}

std::string FaultOfSentence(const broadloom::Error& error) {
  char text[2000];
  const size_t length = broadloom::Describe(error, text);
  return length == 0 || length > sizeof text ? "an error without a sentence"
                                             : "";
}

// Whether results differ from their original contents.
bool IsWritten(const Outputs& out) {
  return std::ranges::any_of(out.memory, [](const Buffer& memory) {
    return std::ranges::any_of(memory,
                               [](uint8_t byte) { return byte != 0xCC; });
  });
}

// Runs the plan with an invalid argument: the error must have a description,
// and nothing may be written.
std::string FaultOfWrongViews(Choices& choices, const Trial& trial,
                              const broadloom::Plan& plan,
                              std::vector<TensorView> inputs,
                              const broadloom::RunOptions& options) {
  const Extents& shape = trial.answer.result;
  Outputs out(trial.result, shape, 2);
  std::vector<broadloom::MutableTensorView> outputs = {out.views[0]};
  std::vector<IndexRange> box;
  for (const int64_t extent : shape) box.push_back({0, extent});

  const size_t k = choices.Below(inputs.size());
  TensorView& input = inputs[k];
  broadloom::MutableTensorView& output = outputs[0];
  Extents other(input.shape.begin(), input.shape.end());
  Extents other_result = shape;
  std::vector<int64_t> strides(input.strides.begin(), input.strides.end());
  const bool has_elements = Count(other) > 0;
  const bool gives_elements = Count(shape) > 0;
  bool is_wrong = true;  // else it is wrong only if there are elements
  switch (choices.Below(16)) {
    case 0:
      input.dtype = input.dtype == DType::kC128 ? DType::kC64 : DType::kC128;
      break;
    case 1:
      other.push_back(1 + static_cast<int64_t>(choices.Below(3)));
      input.shape = other;
      strides.clear();
      input.strides = {};
      break;
    case 2:
      if (other.empty()) return {};
      other[choices.Below(other.size())] += 1;
      input.shape = other;
      break;
    case 3:
      is_wrong = has_elements;
      input.bytes = input.strides.empty() ? trial.operands[k].size() : 1;
      input.bytes -= has_elements ? 1 : 0;
      break;
    case 4:
      is_wrong = has_elements;
      input.data = nullptr;
      break;
    case 5:
      is_wrong = has_elements;
      input.offset = choices.Flag() ? INT64_MAX : INT64_MIN;
      break;
    case 6:
      strides.resize(other.size() + 1 + choices.Below(2), 1);
      input.strides = strides;
      break;
    case 7:
      if (other.empty()) return {};
      is_wrong = has_elements && std::ranges::max(other) > 1;
      strides.assign(other.size(), choices.Flag() ? INT64_MAX : INT64_MIN);
      input.strides = strides;
      break;
    case 8:
      output.dtype = output.dtype == DType::kC128 ? DType::kC64 : DType::kC128;
      break;
    case 9:
      other_result.push_back(1);
      output.shape = other_result;
      break;
    case 10:
      is_wrong = gives_elements;
      output.bytes = out.memory[0].size() - (gives_elements ? 1 : 0);
      break;
    case 11:
      is_wrong = gives_elements;
      output.data = nullptr;
      break;
    case 12:
      inputs.pop_back();
      break;
    case 13:
      outputs.push_back(out.views[1]);
      break;
    case 14:
      if (shape.empty()) return {};
      box[choices.Below(box.size())].end += 1;
      break;
    default:
      box.push_back({0, 1});
      break;
  }
  const bool by_box = choices.Flag() || box.size() != shape.size() ||
                      !std::ranges::equal(box, shape, {}, &IndexRange::end);
  const auto ran = by_box ? RunRegion(plan, box, inputs, outputs, options)
                          : Run(plan, inputs, outputs, options);
  if (ran) return is_wrong ? trial.name() + ": what is wrong is run" : "";
  if (!is_wrong) return trial.name() + ": what is right is refused";
  if (IsWritten(out)) return trial.name() + ": refused, but written";
  return FaultOfSentence(ran.error());
}

// Apply must do the same as the plan.
std::string FaultOfApply(const Trial& trial, std::span<const TensorView> inputs,
                         const broadloom::RunOptions& run,
                         std::span<const uint8_t> whole) {
  broadloom::ApplyOptions options{
      .rule = *broadloom::FindRule(trial.question.rule),
      .axis = trial.question.axis,
      .attributes = trial.attributes,
      .run = run};
  if (trial.question.target) options.target_shape = *trial.question.target;
  const auto tensor = Apply(trial.op, inputs, options);
  if (!tensor) return trial.name() + ": Apply failed";
  const std::span got(static_cast<const uint8_t*>(tensor->data()),
                      tensor->bytes());
  if (!SameResults(trial.op, trial.result, got, whole)) {
    return trial.name() + ": Apply gives something else";
  }
  Outputs out(trial.result, trial.answer.result, 1);
  if (!Apply(trial.op, inputs, out.views[0], options)) {
    return trial.name() + ": Apply into memory failed";
  }
  return SameResults(trial.op, trial.result, out.memory[0], whole)
             ? ""
             : trial.name() + ": Apply into memory gives something else";
}

// Tensors that each keep their own type.
std::string FaultOfMany(Choices& choices) {
  const Extents shape = ChooseShape(choices);
  Question question{.rule = "sonnx", .operands = {}};
  std::vector<DType> dtypes(1 + choices.Below(6));
  std::vector<broadloom::ShapeView> shapes;
  for (DType& dtype : dtypes) {
    const auto all = broadloom::AllDTypes();
    dtype = all[choices.Below(all.size())].dtype;
    question.operands.push_back(ChooseOperand(choices, shape));
  }
  shapes.assign(question.operands.begin(), question.operands.end());
  const Answer answer = Ask(question);
  if (!answer.error.empty()) return {};
  const auto plan = broadloom::MakePlan(Op::kBroadcast, shapes, dtypes,
                                        {.rule = broadloom::Rule::kSonnx});
  if (!plan) return "no plan for tensors of many types";

  std::vector<std::unique_ptr<Trial>> trials;  // of each tensor alone
  std::vector<TensorView> inputs;
  std::vector<std::unique_ptr<Outputs>> out;
  std::vector<broadloom::MutableTensorView> outputs;
  for (size_t k = 0; k < dtypes.size(); ++k) {
    trials.push_back(std::make_unique<Trial>(
        Question{.rule = "bidirectional",
                 .operands = {question.operands[k]},
                 .target = answer.result},
        Op::kBroadcast, std::vector<DType>{dtypes[k]}, choices.Byte()));
    inputs.push_back(trials[k]->inputs()[0]);
    out.push_back(std::make_unique<Outputs>(dtypes[k], answer.result, 1));
    outputs.push_back(out[k]->views[0]);
  }
  broadloom::RunOptions options;
  options.parallel = ChooseLoop(choices);
  // Two results in the same memory are an error, and so is one that is too
  // short; then no result is written.
  const size_t wrong = dtypes.size() > 1 ? choices.Below(4) : 3;
  if (wrong < 2) {
    broadloom::MutableTensorView& last = outputs.back();
    if (wrong == 0) {
      last.data = outputs.front().data;
      last.bytes = outputs.front().bytes;
    } else {
      const size_t whole = out.back()->memory[0].size();
      last.bytes = whole - std::min<size_t>(whole, 1);
    }
    const auto ran = Run(*plan, inputs, outputs, options);
    if (ran) return Count(answer.result) > 0 ? "what is wrong is run" : "";
    for (const auto& each : out) {
      if (IsWritten(*each)) return "refused, but written";
    }
    return FaultOfSentence(ran.error());
  }
  if (!Run(*plan, inputs, outputs, options)) return "tensors are not run";
  for (size_t k = 0; k < trials.size(); ++k) {
    std::string fault = trials[k]->Fault(0, out[k]->memory[0]);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string FaultOfPlan(std::span<const uint8_t> bytes) {
  Choices choices(bytes);
  if (!bytes.empty() && bytes[0] == 255) {
    (void)choices.Byte();
    return FaultOfMany(choices);
  }
  const bool is_packed = !bytes.empty() && bytes[0] == 254;
  const std::vector<Work>& all = is_packed ? PackedWork() : AllWork();
  const Work& work = all[choices.Number() % all.size()];
  Question question =
      ChooseQuestion(choices, work.op, work.dtypes.size(), is_packed);
  const Trial trial(std::move(question), work.op, work.dtypes, choices.Byte(),
                    true, work.attributes);
  if (!trial.answer.error.empty()) return {};
  const auto plan = trial.MakePlan();
  if (!plan) return trial.name() + ": no plan";

  std::vector<std::unique_ptr<Strided>> strided;
  std::vector<TensorView> inputs = trial.inputs();
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (!choices.Flag()) continue;
    strided.push_back(std::make_unique<Strided>(choices, trial.dtypes[k],
                                                trial.question.operands[k],
                                                trial.operands[k]));
    inputs[k] = strided.back()->view;
  }
  broadloom::RunOptions options;
  options.parallel = ChooseLoop(choices);
  if (choices.Flag()) options.stores = broadloom::StorePolicy::kStreaming;

  const Extents& shape = trial.answer.result;
  const int bits = BitsOf(trial.result);
  // At any address.
  Guarded out(trial.output_bytes(), choices.Below(64));
  const broadloom::MutableTensorView output{trial.result, shape, out.data(),
                                            out.view().size()};
  AtOnce at_once(out.view());
  broadloom::RunOptions first = options;
  if (is_packed || (bits < 8 && first.parallel == &kBackwards)) {
    first.parallel = at_once.loop();
  }
  if (const auto ran = Run(*plan, inputs, {&output, 1}, first); !ran) {
    return trial.name() + ": Run failed";
  }
  if (!out.IsWhole()) return trial.name() + ": writes beyond the result";
  if (std::string fault = trial.Fault(0, out.view()); !fault.empty()) {
    return fault;
  }
  const Buffer whole(out.view().begin(), out.view().end());

  // In place of a dense operand, directly before or after it, or over some of
  // its elements, which is an error.
  const size_t k = choices.Below(inputs.size());
  if (inputs[k].strides.empty() && trial.question.operands[k] == shape &&
      BitsOf(trial.dtypes[k]) == bits) {
    const size_t how = choices.Byte();
    const size_t size = whole.size();
    const size_t skews[] = {static_cast<size_t>(bits) / 8,
                            size - std::min<size_t>(size, 1), size,
                            static_cast<size_t>(bits) / 8};
    const size_t skew = how % 2 == 0 ? 0 : skews[how / 2 % 4];
    const bool is_before = how / 8 % 2 == 1;
    const size_t from = is_before ? skew : 0;
    const size_t to = is_before ? 0 : skew;
    Buffer memory(size + skew);
    std::ranges::copy(trial.operands[k],
                      memory.begin() + static_cast<ptrdiff_t>(from));
    const Buffer before = memory;
    std::vector<TensorView> views = inputs;
    views[k].data = memory.data() + from;
    const broadloom::MutableTensorView same{trial.result, shape,
                                            memory.data() + to, size};
    const auto ran = Run(*plan, views, {&same, 1}, options);
    const bool overlaps = skew != 0 && skew < size;
    if (ran.has_value() == overlaps) {
      return trial.name() + ": overlap is judged wrong";
    }
    if (!ran && memory != before)
      return trial.name() + ": refused, but written";
    if (ran && !SameResults(trial.op, trial.result,
                            std::span(memory).subspan(to, size), whole)) {
      return trial.name() + ": in place it is something else";
    }
  }

  if (!shape.empty()) {
    std::vector<IndexRange> box;
    Extents extents;
    for (const int64_t extent : shape) {
      const int64_t begin =
          static_cast<int64_t>(choices.Below(static_cast<size_t>(extent) + 1));
      const int64_t end = begin + static_cast<int64_t>(choices.Below(
                                      static_cast<size_t>(extent - begin) + 1));
      box.push_back({begin, end});
      extents.push_back(end - begin);
    }
    Outputs part(trial.result, extents, 1);
    if (!RunRegion(*plan, box, inputs, part.views, options)) {
      return trial.name() + ": RunRegion failed";
    }
    const std::vector<Extents> cells = Cells(extents);
    for (size_t i = 0; i < cells.size(); ++i) {
      int64_t at = 0;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        at = at * shape[axis] + box[axis].begin + cells[i][axis];
      }
      const ElementBits got = Get(part.memory[0], bits, i);
      if (got != Get(whole, bits, static_cast<size_t>(at)) &&
          !trial.Agrees(0, static_cast<size_t>(at), got)) {
        return trial.name() + ": a box has another cell";
      }
    }
  }

  const size_t place = plan->operand_count() > 4 ? 128 : 64;
  const size_t memory =
      place * (plan->operand_count() + 1) + choices.Byte() * size_t{64};
  const auto blocks = broadloom::Blocks::Make(*plan, memory);
  if (!blocks) return trial.name() + ": no blocks";
  Buffer in_blocks(whole.size());
  std::string fault =
      testing::RunBlocks(*plan, *blocks, trial.operands, in_blocks);
  if (fault.empty() && !SameResults(trial.op, trial.result, in_blocks, whole)) {
    fault = "blocks give something else";
  }
  if (!fault.empty()) return trial.name() + ": " + fault;

  fault = FaultOfApply(trial, inputs, options, whole);
  return fault.empty()
             ? FaultOfWrongViews(choices, trial, *plan, inputs, options)
             : fault;
}

}  // namespace fuzz
