// Random questions whose shapes fit, under every rule.

#ifndef BROADLOOM_TESTS_REFERENCE_QUESTIONS_H_
#define BROADLOOM_TESTS_REFERENCE_QUESTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/broadcast.h"
#include "reference/kernel_cases.h"
#include "reference/trial.h"

namespace reference {

// A question with `count` operands of a random result under NumPy's rule or an
// equivalent one.
inline Question AlikeQuestion(Random& random, size_t count, int64_t most) {
  const Extents shape = RandomShape(random, most);
  Question question{
      .rule = random.Below(2) == 0 ? "numpy" : "onnx_multidirectional",
      .operands = {}};
  for (size_t k = 0; k < count; ++k) {
    question.operands.push_back(RandomOperand(random, shape));
  }
  return question;
}

// B's axes are consecutive axes of A.
inline Question PdpdQuestion(Random& random, int64_t most) {
  const Extents a = RandomShape(random, most);
  const size_t begin = random.Below(a.size() + 1);
  const size_t length = random.Below(a.size() - begin + 1);
  Extents b(a.begin() + static_cast<ptrdiff_t>(begin),
            a.begin() + static_cast<ptrdiff_t>(begin + length));
  for (int64_t& extent : b) {
    if (random.Below(4) == 0) extent = 1;
  }
  return {
      .rule = "pdpd", .operands = {a, b}, .axis = static_cast<int64_t>(begin)};
}

// Data whose axes are some of the target's.
inline Question ExplicitQuestion(Random& random, int64_t most) {
  const Extents target = RandomShape(random, most);
  Extents data;
  Extents mapping;
  for (size_t axis = 0; axis < target.size(); ++axis) {
    if (random.Below(2) == 0) continue;
    data.push_back(random.Below(4) == 0 ? 1 : target[axis]);
    mapping.push_back(static_cast<int64_t>(axis));
  }
  return {.rule = "explicit",
          .operands = {data},
          .target = target,
          .mapping = mapping};
}

inline Question BidirectionalQuestion(Random& random, int64_t most) {
  const Extents shape = RandomShape(random, most);
  return {.rule = "bidirectional",
          .operands = {RandomOperand(random, shape)},
          .target = RandomOperand(random, shape)};
}

// A question under the named rule, with `count` operands where the rule takes
// any number.
inline Question QuestionUnder(const std::string& rule, Random& random,
                              size_t count, int64_t most) {
  if (rule == "pdpd") return PdpdQuestion(random, most);
  if (rule == "explicit") return ExplicitQuestion(random, most);
  if (rule == "bidirectional") return BidirectionalQuestion(random, most);
  const Extents shape = RandomShape(random, most);
  if (rule == "none") {
    return {.rule = rule, .operands = std::vector<Extents>(count, shape)};
  }
  if (rule == "onnx_unidirectional") {
    return {.rule = rule, .operands = {shape, RandomOperand(random, shape)}};
  }
  if (rule == "broadcast_numpy") {
    return {.rule = rule,
            .operands = {RandomOperand(random, shape)},
            .target = shape};
  }
  Question question = AlikeQuestion(random, count, most);
  question.rule = rule;
  return question;
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_QUESTIONS_H_
