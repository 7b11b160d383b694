// The source line in a traceback, and the expressions of the operands in it.

#ifndef BROADLOOM_EXPLAIN_PASTE_SOURCE_H_
#define BROADLOOM_EXPLAIN_PASTE_SOURCE_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace broadloom {
inline namespace v1 {

// Bytes [begin, end) of a text.
struct Piece {
  size_t begin = 0;
  size_t end = 0;

  bool empty() const { return begin == end; }
};

struct SourceLine {
  Piece line;
  Piece marked;  // by ~ and ^ below it; empty if nothing is
  Piece caret;   // by ^
};

// The line of the last frame that is not in an installed library: before the
// message, or else behind it. In Python's, IPython's, pytest's and Node's form.
std::optional<SourceLine> FindSourceLine(std::string_view text, Piece message);

struct SourceOperands {
  static constexpr size_t kMost = 4;

  Piece operands[kMost];
  size_t count = 0;
  Piece target;  // of an assignment to a part, of an in-place operator, out=
  // The operator as the line has it: `-`, of `-=` as well, or `np.subtract`.
  // It may be known where the operands are not: in a + b + c.
  std::string_view op;
  bool is_assignment = false;
  bool is_in_place = false;  // or has out=
  bool has_out = false;      // out=: the target is no operand
};

// The operands of the operator or call in `source` that takes `count` operands;
// `op` is Broadloom's name of the operator, or empty. Operands are found only
// if one operator or call can be meant: a line with several is not guessed at.
SourceOperands FindOperands(std::string_view text, const SourceLine& source,
                            std::string_view op, size_t count);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_SOURCE_H_
