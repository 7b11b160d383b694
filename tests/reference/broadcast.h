// A second, deliberately naive implementation of the nine rules, for tests
// only. Written from the texts of the five documents and docs/divergences.md,
// each rule separately, without any code of core/. Slow and simple on purpose.

#ifndef BROADLOOM_TESTS_REFERENCE_BROADCAST_H_
#define BROADLOOM_TESTS_REFERENCE_BROADCAST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reference {

using Extents = std::vector<int64_t>;

// A question. Options that are not given are empty.
struct Question {
  std::string rule;
  std::vector<Extents> operands;
  std::optional<int64_t> axis = std::nullopt;
  std::optional<Extents> target = std::nullopt;
  std::optional<Extents> mapping = std::nullopt;
};

// The answer: an error, named as in tests/conformance/README.md, or the
// result's extents and the places of each operand's axes.
struct Answer {
  std::string error;   // "" when the shapes fit
  std::string detail;  // of axes_mapping
  std::vector<int>
      conflicts;  // incompatible: the conflicting axes of the result
  Extents result;
  // For each operand and axis of the result: the operand's axis there, or -1.
  std::vector<std::vector<int>> places;
};

Answer Ask(const Question& question);

// The row-major index in operand `operand` of the element that feeds the cell
// `cell` of the result.
int64_t SourcePosition(const Question& question, const Answer& answer,
                       size_t operand, const Extents& cell);

// The index of that element in the operand, one entry for each of its axes.
Extents SourceIndex(const Question& question, const Answer& answer,
                    size_t operand, const Extents& cell);

// Every index of a shape, in row-major order.
std::vector<Extents> Cells(const Extents& shape);

int64_t Count(const Extents& shape);

// Every shape of rank 0 to `most_rank` with extents `first` to `last`.
std::vector<Extents> AllShapes(int most_rank, int64_t first, int64_t last);

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_BROADCAST_H_
