// Expressions that a user wrote, as in a traceback's source line. They are only
// copied, never executed, and only if they are expressions of a small grammar:
// names, numbers, strings of harmless letters, operators, brackets, calls,
// subscripts. Whatever else the text has, such as a comment, a second
// statement, a line's end or markup, it is not copied.

#ifndef BROADLOOM_EXPLAIN_CODE_EXPRESSION_H_
#define BROADLOOM_EXPLAIN_CODE_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {

enum class Language : uint8_t { kPython, kJavaScript };

enum class TokenKind : uint8_t {
  kName,
  kNumber,
  kString,
  kOpen,      // ( or [ around an expression
  kCall,      // ( behind a name or a bracket
  kIndex,     // [ behind a name or a bracket
  kClose,     // ) or ]
  kDot,       // before a name
  kOperator,  // of one or two operands, words included
  kComma,
  kColon,   // of a slice
  kAssign,  // of a keyword argument
};

struct Token {
  TokenKind kind;
  int32_t depth;  // how many brackets are around it; of a bracket: around both
  std::string_view text;
};

struct Expression {
  std::string_view text;          // without spaces at its ends
  std::span<const Token> tokens;  // in their order
  // Whether a subscript or a call may follow without brackets.
  bool is_primary = false;
};

// The expression in `text`; none where it is not of the grammar or longer than
// 200 bytes.
std::optional<Expression> ParseExpression(std::string_view text,
                                          Language language, Arena& arena);

// How a system writes reductions that keep their axes. Words are between
// spaces.
struct ReductionWords {
  std::string_view names;    // of functions and methods
  std::string_view modules;  // whose functions take the array first
  std::string_view axis;     // what the argument of the axes may be called
  std::string_view keep;     // the argument that keeps the axes
};

// Whether the expression calls a function of one of these modules, as
// `np.sum(x, axis=1)`.
bool CallsModule(const Expression& expression, const ReductionWords& words);

// For a reduction of an array of `rank` axes over exactly `axes` (increasing),
// as `x.mean(axis=1)`: the same with the axes kept, `x.mean(axis=1,
// keepdims=True)`. Empty for all else.
std::string_view KeepingAxes(const Expression& expression,
                             const ReductionWords& words, size_t rank,
                             std::span<const int64_t> axes, Arena& arena);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_EXPRESSION_H_
