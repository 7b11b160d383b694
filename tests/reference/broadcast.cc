#include "reference/broadcast.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace reference {
namespace {

Answer Fail(const std::string& error, const std::string& detail = "") {
  Answer answer;
  answer.error = error;
  answer.detail = detail;
  return answer;
}

// "overflow: the result has more than 2^63-1 elements ... A size of 0 makes the
// count 0".
bool TooMany(const Extents& shape) {
  for (int64_t extent : shape) {
    if (extent == 0) return false;
  }
  int64_t product = 1;
  for (int64_t extent : shape) {
    if (product > std::numeric_limits<int64_t>::max() / extent) return true;
    product *= extent;
  }
  return false;
}

Answer Incompatible(const std::vector<int>& axes) {
  Answer answer = Fail("incompatible");
  answer.conflicts = axes;
  return answer;
}

Answer Fit(Answer answer) {
  if (TooMany(answer.result)) return Fail("overflow");
  return answer;
}

// The places of operands that are right-aligned on `rank` axes.
std::vector<std::vector<int>> AtTheRight(const std::vector<Extents>& operands,
                                         size_t rank) {
  std::vector<std::vector<int>> places;
  for (const Extents& operand : operands) {
    std::vector<int> place(rank, -1);
    for (size_t i = 0; i < operand.size(); ++i) {
      place[rank - operand.size() + i] = static_cast<int>(i);
    }
    places.push_back(place);
  }
  return places;
}

// "Input tensors dimensions must match. No implicit broadcast rule is applied."
Answer None(const Question& question) {
  if (question.mapping) return Fail("axes_mapping", "unexpected");
  size_t rank = 0;
  for (const Extents& operand : question.operands) {
    if (operand.size() > rank) rank = operand.size();
  }
  // From the right: an axis that only one operand has is a difference, too.
  std::vector<int> conflicts;
  for (size_t axis = 0; axis < rank; ++axis) {
    std::vector<int64_t> seen;
    for (const Extents& operand : question.operands) {
      const size_t lead = rank - operand.size();
      seen.push_back(axis < lead ? -1 : operand[axis - lead]);
    }
    for (int64_t extent : seen) {
      if (extent == seen[0]) continue;
      conflicts.push_back(static_cast<int>(axis));
      break;
    }
  }
  if (!conflicts.empty()) return Incompatible(conflicts);
  Answer answer;
  answer.result = question.operands[0];
  answer.places = AtTheRight(question.operands, answer.result.size());
  return Fit(answer);
}

// NumPy, ONNX multidirectional and SONNX: shorter shapes are prepended with
// ones; then, along each axis, all extents other than 1 must be equal.
Answer Multidirectional(const Question& question) {
  if (question.mapping) return Fail("axes_mapping", "unexpected");
  size_t rank = 0;
  for (const Extents& operand : question.operands) {
    if (operand.size() > rank) rank = operand.size();
  }
  std::vector<Extents> padded;
  for (Extents operand : question.operands) {
    while (operand.size() < rank) operand.insert(operand.begin(), 1);
    padded.push_back(operand);
  }
  Answer answer;
  std::vector<int> conflicts;
  for (size_t axis = 0; axis < rank; ++axis) {
    int64_t common = 1;
    for (const Extents& shape : padded) {
      if (shape[axis] != 1) common = shape[axis];
    }
    bool differs = false;
    for (const Extents& shape : padded) {
      if (shape[axis] != 1 && shape[axis] != common) differs = true;
    }
    if (differs) conflicts.push_back(static_cast<int>(axis));
    answer.result.push_back(common);
  }
  if (!conflicts.empty()) return Incompatible(conflicts);
  answer.places = AtTheRight(question.operands, rank);
  return Fit(answer);
}

// "The length of each dimension is either a common length or B's length is 1";
// "the output's shape is the same as the shape of A".
Answer Unidirectional(const Question& question) {
  if (question.mapping) return Fail("axes_mapping", "unexpected");
  const Extents& a = question.operands[0];
  Extents b = question.operands[1];
  if (b.size() > a.size()) return Fail("rank");
  while (b.size() < a.size()) b.insert(b.begin(), 1);
  std::vector<int> conflicts;
  for (size_t axis = 0; axis < a.size(); ++axis) {
    if (b[axis] == a[axis] || b[axis] == 1) continue;
    conflicts.push_back(static_cast<int>(axis));
  }
  if (!conflicts.empty()) return Incompatible(conflicts);
  Answer answer;
  answer.result = a;
  answer.places = AtTheRight(question.operands, a.size());
  return Fit(answer);
}

// PDPD, in the five steps of its document.
Answer Pdpd(const Question& question) {
  if (question.mapping) return Fail("axes_mapping", "unexpected");
  const Extents& a = question.operands[0];
  const Extents& b = question.operands[1];
  int64_t axis = question.axis ? *question.axis : -1;
  // 1.
  if (b.size() > a.size()) return Fail("rank");
  if (axis < -1) return Fail("axis");
  // 2.
  if (axis == -1) axis = static_cast<int64_t>(a.size() - b.size());
  // 3.
  Extents trimmed = b;
  while (!trimmed.empty() && trimmed.back() == 1) trimmed.pop_back();
  // 4.
  if (axis > static_cast<int64_t>(a.size() - trimmed.size())) {
    return Fail("axis");
  }
  // 5.
  const size_t start = static_cast<size_t>(axis);
  std::vector<int> conflicts;
  for (size_t i = 0; i < trimmed.size(); ++i) {
    if (trimmed[i] == 1 || trimmed[i] == a[start + i]) continue;
    conflicts.push_back(static_cast<int>(start + i));
  }
  if (!conflicts.empty()) return Incompatible(conflicts);
  Answer answer;
  answer.result = a;
  answer.places = AtTheRight({a}, a.size());
  answer.places.push_back(std::vector<int>(a.size(), -1));
  for (size_t i = 0; i < b.size() && start + i < a.size(); ++i) {
    answer.places[1][start + i] = static_cast<int>(i);
  }
  return Fit(answer);
}

bool AnyNegative(const Extents& shape) {
  for (int64_t extent : shape) {
    if (extent < 0) return true;
  }
  return false;
}

// "numpy.array(input) * numpy.ones(target_shape)".
Answer Bidirectional(const Question& question) {
  if (AnyNegative(*question.target)) return Fail("negative_dim");
  if (question.mapping) return Fail("axes_mapping", "unexpected");
  Question product;
  product.operands = {question.operands[0], *question.target};
  Answer answer = Multidirectional(product);
  if (answer.error.empty()) answer.places.pop_back();
  return answer;
}

// numpy.broadcast_to: the data stretches to the target, never the target.
Answer BroadcastTo(const Question& question) {
  const Extents& target = *question.target;
  if (AnyNegative(target)) return Fail("negative_dim");
  if (question.mapping) return Fail("axes_mapping", "unexpected");
  const Extents& data = question.operands[0];
  if (data.size() > target.size()) return Fail("rank");
  const size_t lead = target.size() - data.size();
  std::vector<int> conflicts;
  for (size_t i = 0; i < data.size(); ++i) {
    if (data[i] == 1 || data[i] == target[lead + i]) continue;
    conflicts.push_back(static_cast<int>(lead + i));
  }
  if (!conflicts.empty()) return Incompatible(conflicts);
  Answer answer;
  answer.result = target;
  answer.places = AtTheRight(question.operands, target.size());
  return Fit(answer);
}

// "Each index maps an axis from the 1st input to axis in the output."
Answer Explicit(const Question& question) {
  const Extents& target = *question.target;
  const Extents& data = question.operands[0];
  if (AnyNegative(target)) return Fail("negative_dim");
  if (!question.mapping) return Fail("axes_mapping", "missing");
  const Extents& mapping = *question.mapping;
  if (mapping.size() != data.size()) return Fail("axes_mapping", "size");
  bool unsorted = false;
  bool out_of_range = false;
  bool duplicate = false;
  for (size_t i = 0; i < mapping.size(); ++i) {
    if (i > 0 && mapping[i] < mapping[i - 1]) unsorted = true;
    if (i > 0 && mapping[i] == mapping[i - 1]) duplicate = true;
    if (mapping[i] < 0) out_of_range = true;
    if (mapping[i] >= static_cast<int64_t>(target.size())) out_of_range = true;
  }
  if (unsorted) return Fail("axes_mapping", "unsorted");
  if (out_of_range) return Fail("axes_mapping", "out_of_range");
  if (duplicate) return Fail("axes_mapping", "duplicate");
  std::vector<int> conflicts;
  for (size_t i = 0; i < mapping.size(); ++i) {
    const int64_t wanted = target[static_cast<size_t>(mapping[i])];
    if (data[i] == 1 || data[i] == wanted) continue;
    conflicts.push_back(static_cast<int>(mapping[i]));
  }
  if (!conflicts.empty()) return Incompatible(conflicts);
  Answer answer;
  answer.result = target;
  answer.places.push_back(std::vector<int>(target.size(), -1));
  for (size_t i = 0; i < mapping.size(); ++i) {
    answer.places[0][static_cast<size_t>(mapping[i])] = static_cast<int>(i);
  }
  return Fit(answer);
}

}  // namespace

Answer Ask(const Question& question) {
  if (question.rule == "none") return None(question);
  if (question.rule == "onnx_unidirectional") return Unidirectional(question);
  if (question.rule == "pdpd") return Pdpd(question);
  if (question.rule == "bidirectional") return Bidirectional(question);
  if (question.rule == "broadcast_numpy") return BroadcastTo(question);
  if (question.rule == "explicit") return Explicit(question);
  return Multidirectional(question);  // numpy, onnx_multidirectional, sonnx
}

// "f(a,B,C) = a if B=C and f(a,B,C) = the only index if B=1."
Extents SourceIndex(const Question& question, const Answer& answer,
                    size_t operand, const Extents& cell) {
  const Extents& shape = question.operands[operand];
  Extents index(shape.size(), 0);
  for (size_t axis = 0; axis < cell.size(); ++axis) {
    const int place = answer.places[operand][axis];
    if (place < 0) continue;
    const size_t own = static_cast<size_t>(place);
    index[own] = shape[own] == 1 ? 0 : cell[axis];
  }
  return index;
}

int64_t SourcePosition(const Question& question, const Answer& answer,
                       size_t operand, const Extents& cell) {
  const Extents& shape = question.operands[operand];
  const Extents index = SourceIndex(question, answer, operand, cell);
  int64_t position = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    position = position * shape[i] + index[i];
  }
  return position;
}

int64_t Count(const Extents& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

std::vector<Extents> Cells(const Extents& shape) {
  std::vector<Extents> cells = {{}};
  for (int64_t extent : shape) {
    std::vector<Extents> longer;
    for (const Extents& cell : cells) {
      for (int64_t i = 0; i < extent; ++i) {
        longer.push_back(cell);
        longer.back().push_back(i);
      }
    }
    cells = longer;
  }
  return cells;
}

std::vector<Extents> AllShapes(int most_rank, int64_t first, int64_t last) {
  std::vector<Extents> shapes;
  for (int rank = 0; rank <= most_rank; ++rank) {
    const int64_t each = last - first + 1;
    for (const Extents& offset :
         Cells(Extents(static_cast<size_t>(rank), each))) {
      Extents shape;
      for (int64_t value : offset) shape.push_back(first + value);
      shapes.push_back(shape);
    }
  }
  return shapes;
}

}  // namespace reference
