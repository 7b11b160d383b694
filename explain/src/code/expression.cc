#include "code/expression.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "base/characters.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr size_t kLongestExpression = 200;
constexpr int32_t kDeepest = 32;

// Operators of two operands, longer ones first.
constexpr std::string_view kBinary[] = {
    "**", "<<", ">>", "<=", ">=", "==", "!=", "//", "+", "-",
    "*",  "/",  "%",  "@",  "&",  "|",  "^",  "<",  ">"};
constexpr std::string_view kBinaryWords = " and or in is ";
// Words that do not stand in such an expression.
constexpr std::string_view kOtherWords =
    " as assert async await break class continue def del elif else except"
    " finally for from global if import lambda nonlocal pass raise return try"
    " while with yield const delete export function instanceof let new of"
    " switch this throw typeof var void ";

bool IsAmong(std::string_view word, std::string_view words) {
  for (size_t at = words.find(word); at != std::string_view::npos;
       at = words.find(word, at + 1)) {
    if (at > 0 && words[at - 1] == ' ' && at + word.size() < words.size() &&
        words[at + word.size()] == ' ') {
      return true;
    }
  }
  return false;
}

class Parser {
 public:
  Parser(std::string_view text, Language language, Arena& arena)
      : text_(text), language_(language), tokens_(arena) {}

  std::optional<Expression> Parse() {
    for (Skip(); at_ < text_.size(); Skip()) {
      if (!(is_operand_next_ ? Operand() : Behind())) return std::nullopt;
    }
    if (is_operand_next_ || depth_ != 0 || conditions_[0] != 0 ||
        tokens_.arena().refused()) {
      return std::nullopt;
    }
    const Token& first = tokens_[0];
    const bool is_alone = first.kind != TokenKind::kNumber;
    const bool has_operator =
        std::ranges::any_of(tokens_.view(), [](const Token& token) {
          return token.depth == 0 && token.kind == TokenKind::kOperator;
        });
    return Expression{.text = text_,
                      .tokens = tokens_.view(),
                      .is_primary = is_alone && !has_operator};
  }

 private:
  void Skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  void Push(TokenKind kind, size_t length) {
    tokens_.Push(
        {.kind = kind, .depth = depth_, .text = text_.substr(at_, length)});
    at_ += length;
  }

  TokenKind Before() const {
    return tokens_.empty() ? TokenKind::kOperator
                           : tokens_[tokens_.size() - 1].kind;
  }

  bool IsIn(TokenKind bracket) const {
    return depth_ > 0 && brackets_[depth_ - 1] == bracket;
  }

  bool Open(TokenKind kind) {
    if (depth_ == kDeepest) return false;
    letters_[depth_] = text_[at_];
    Push(kind, 1);
    brackets_[depth_++] = kind;
    conditions_[depth_] = 0;
    is_operand_next_ = true;
    return true;
  }

  bool Close() {
    if (depth_ == 0 || conditions_[depth_] != 0 ||
        text_[at_] != (letters_[depth_ - 1] == '(' ? ')' : ']')) {
      return false;
    }
    --depth_;
    Push(TokenKind::kClose, 1);
    is_operand_next_ = false;
    return true;
  }

  size_t WordLength() const {
    size_t end = at_;
    while (end < text_.size() && IsAsciiWord(text_[end])) ++end;
    return end - at_;
  }

  bool Operand() {
    const char c = text_[at_];
    const std::string_view rest = text_.substr(at_);
    if (c == '(' || c == '[') return Open(TokenKind::kOpen);
    if (c == ')' || c == ']') {
      // Behind an opening bracket, a comma or a colon; but () and a subscript
      // need something in them.
      const TokenKind before = Before();
      const bool may_end = before == TokenKind::kCall ||
                           before == TokenKind::kComma ||
                           before == TokenKind::kColon ||
                           (before == TokenKind::kOpen && c == ']');
      return may_end && Close();
    }
    if (c == ':' && language_ == Language::kPython && IsIn(TokenKind::kIndex)) {
      Push(TokenKind::kColon, 1);
      return true;
    }
    // x[:, 0]: nothing has to stand between a colon and a comma.
    if (c == ',' && Before() == TokenKind::kColon) {
      Push(TokenKind::kComma, 1);
      return true;
    }
    if (rest.starts_with("...") && IsIn(TokenKind::kIndex)) {
      Push(TokenKind::kName, 3);
      is_operand_next_ = false;
      return true;
    }
    if (c == '"' || c == '\'') return String(c);
    if (IsAsciiLetter(c)) return Name();
    if (IsDigit(c)) return Number();
    if (c == '+' || c == '-' || c == '~') {
      // ++ and -- are operators of their own in JavaScript.
      const bool is_second =
          Before() == TokenKind::kOperator && at_ > 0 && text_[at_ - 1] == c;
      if (is_second && language_ == Language::kJavaScript) return false;
      Push(TokenKind::kOperator, 1);
      return true;
    }
    return false;
  }

  bool String(char quote) {
    size_t end = at_ + 1;
    while (end < text_.size() &&
           (IsAsciiWord(text_[end]) || text_[end] == ' ' || text_[end] == '.' ||
            text_[end] == '-')) {
      ++end;
    }
    if (end == text_.size() || text_[end] != quote) return false;
    Push(TokenKind::kString, end + 1 - at_);
    is_operand_next_ = false;
    return true;
  }

  bool Name() {
    const std::string_view word = text_.substr(at_, WordLength());
    if (IsAmong(word, kOtherWords) || IsAmong(word, kBinaryWords)) return false;
    const bool negates = language_ == Language::kPython && word == "not";
    Push(negates ? TokenKind::kOperator : TokenKind::kName, word.size());
    is_operand_next_ = negates;
    return true;
  }

  bool Number() {
    size_t end = at_;
    while (end < text_.size() && IsDigit(text_[end])) ++end;
    if (end + 1 < text_.size() && text_[end] == '.' &&
        IsDigit(text_[end + 1])) {
      ++end;
      while (end < text_.size() && IsDigit(text_[end])) ++end;
    }
    if (end < text_.size() && (IsAsciiWord(text_[end]) || text_[end] == '.')) {
      return false;
    }
    Push(TokenKind::kNumber, end - at_);
    is_operand_next_ = false;
    return true;
  }

  // What follows an operand.
  bool Behind() {
    const char c = text_[at_];
    const TokenKind before = Before();
    const bool may_call =
        before == TokenKind::kName || before == TokenKind::kClose;
    if (c == '(') return may_call && Open(TokenKind::kCall);
    if (c == '[') {
      return (may_call || before == TokenKind::kString) &&
             Open(TokenKind::kIndex);
    }
    if (c == ')' || c == ']') return Close();
    if (c == '.') return Member();
    const bool is_whole = conditions_[depth_] == 0;
    if (c == ',' && depth_ > 0 && is_whole) {
      Push(TokenKind::kComma, 1);
      is_operand_next_ = true;
      return true;
    }
    if (c == ':' && language_ == Language::kPython && IsIn(TokenKind::kIndex) &&
        is_whole) {
      Push(TokenKind::kColon, 1);
      is_operand_next_ = true;
      return true;
    }
    if (IsAsciiLetter(c)) {
      const std::string_view word = text_.substr(at_, WordLength());
      if (language_ != Language::kPython) return false;
      if (word == "if") {
        ++conditions_[depth_];
      } else if (word == "else") {
        if (is_whole) return false;
        --conditions_[depth_];
      } else if (!IsAmong(word, kBinaryWords)) {
        return false;
      }
      Push(TokenKind::kOperator, word.size());
      is_operand_next_ = true;
      return true;
    }
    for (const std::string_view binary : kBinary) {
      if (!text_.substr(at_).starts_with(binary)) continue;
      const bool is_comment = language_ == Language::kJavaScript &&
                              (binary == "//" || binary == "@");
      if (is_comment || text_.substr(at_).starts_with("/*")) return false;
      Push(TokenKind::kOperator, binary.size());
      is_operand_next_ = true;
      return true;
    }
    return c == '=' && Assign();
  }

  bool Member() {
    if (Before() == TokenKind::kNumber) return false;
    Push(TokenKind::kDot, 1);
    if (at_ == text_.size() || !IsAsciiLetter(text_[at_])) return false;
    Push(TokenKind::kName, WordLength());
    return true;
  }

  // `name=` at the beginning of an argument.
  bool Assign() {
    const size_t count = tokens_.size();
    if (language_ != Language::kPython || !IsIn(TokenKind::kCall) ||
        count < 2 || Before() != TokenKind::kName) {
      return false;
    }
    const TokenKind begin = tokens_[count - 2].kind;
    if (begin != TokenKind::kCall && begin != TokenKind::kComma) return false;
    Push(TokenKind::kAssign, 1);
    is_operand_next_ = true;
    return true;
  }

  std::string_view text_;
  Language language_;
  List<Token> tokens_;
  size_t at_ = 0;
  int32_t depth_ = 0;
  TokenKind brackets_[kDeepest] = {};
  char letters_[kDeepest] = {};
  int32_t conditions_[kDeepest + 1] = {};  // `if`s that need an `else`
  bool is_operand_next_ = true;
};

using Tokens = std::span<const Token>;

// The arguments between the brackets of a call.
class Arguments {
 public:
  explicit Arguments(Tokens tokens) : rest_(tokens) {}

  // The next one, without its comma; empty at the end.
  Tokens Next() {
    if (rest_.empty()) return {};
    const int32_t depth = rest_[0].depth;
    size_t end = 0;
    while (end < rest_.size() && (rest_[end].kind != TokenKind::kComma ||
                                  rest_[end].depth != depth)) {
      ++end;
    }
    const Tokens argument = rest_.first(end);
    rest_ = rest_.subspan(std::min(end + 1, rest_.size()));
    return argument;
  }

 private:
  Tokens rest_;
};

// An integer with or without a sign.
std::optional<int64_t> Integer(Tokens tokens) {
  bool is_negative = false;
  if (tokens.size() == 2 && tokens[0].text == "-") {
    is_negative = true;
    tokens = tokens.subspan(1);
  }
  if (tokens.size() != 1 || tokens[0].kind != TokenKind::kNumber) {
    return std::nullopt;
  }
  const std::string_view digits = tokens[0].text;
  int64_t value = 0;
  const std::from_chars_result end =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end.ec != std::errc() || end.ptr != digits.data() + digits.size()) {
    return std::nullopt;
  }
  return is_negative ? -value : value;
}

// Whether `tokens`, an integer or several in brackets, are `axes` of `rank`.
bool AreAxes(Tokens tokens, size_t rank, std::span<const int64_t> axes,
             Arena& arena) {
  List<int64_t> found(arena);
  const auto add = [&](Tokens one) {
    const std::optional<int64_t> axis = Integer(one);
    const int64_t most = static_cast<int64_t>(rank);
    if (!axis || *axis >= most || *axis < -most) return false;
    found.Push(*axis < 0 ? *axis + most : *axis);
    return true;
  };
  const bool is_list = tokens.size() > 2 &&
                       tokens.front().kind == TokenKind::kOpen &&
                       tokens.back().kind == TokenKind::kClose;
  if (!is_list) {
    if (!add(tokens)) return false;
  } else {
    Arguments list(tokens.subspan(1, tokens.size() - 2));
    for (Tokens one = list.Next(); !one.empty(); one = list.Next()) {
      if (!add(one)) return false;
    }
  }
  std::ranges::sort(found);
  return std::ranges::equal(found, axes);
}

// The call of a member at the end of an expression: `x.mean(axis=1)`, or
// `x.max(dim=1).values`.
struct Call {
  std::string_view of;    // in front of the name: `x`, `np.linalg`
  std::string_view name;  // `mean`
  Tokens arguments;
  const Token* end = nullptr;  // the closing bracket
};

std::optional<Call> LastCall(const Expression& expression) {
  Tokens tokens = expression.tokens;
  if (!expression.is_primary) return std::nullopt;
  // Of a named result, as torch.max's.
  if (tokens.size() > 2 &&
      (tokens.back().text == "values" || tokens.back().text == "indices")) {
    tokens = tokens.first(tokens.size() - 2);
  }
  if (tokens.empty() || tokens.back().text != ")") return std::nullopt;
  size_t call = tokens.size() - 1;
  while (call > 0 && (tokens[call].kind != TokenKind::kCall ||
                      tokens[call].depth != tokens.back().depth)) {
    --call;
  }
  if (call < 3 || tokens[call - 2].kind != TokenKind::kDot) return std::nullopt;
  const char* const begin = tokens[0].text.data();
  return Call{
      .of = {begin, static_cast<size_t>(tokens[call - 2].text.data() - begin)},
      .name = tokens[call - 1].text,
      .arguments = tokens.subspan(call + 1, tokens.size() - call - 2),
      .end = &tokens.back()};
}

}  // namespace

std::optional<Expression> ParseExpression(std::string_view text,
                                          Language language, Arena& arena) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty() || text.size() > kLongestExpression) return std::nullopt;
  return Parser(text, language, arena).Parse();
}

bool CallsModule(const Expression& expression, const ReductionWords& words) {
  const std::optional<Call> call = LastCall(expression);
  return call && IsAmong(call->of, words.modules);
}

std::string_view KeepingAxes(const Expression& expression,
                             const ReductionWords& words, size_t rank,
                             std::span<const int64_t> axes, Arena& arena) {
  const std::optional<Call> call = LastCall(expression);
  if (!call || !IsAmong(call->name, words.names)) return {};
  // The place of the axis; a norm's is behind its order.
  size_t place = IsAmong(call->of, words.modules) ? 1 : 0;
  if (call->name == "norm") place = size_t(-1);
  Tokens axis;
  Tokens named_axis;
  size_t count = 0;
  Arguments arguments(call->arguments);
  for (Tokens one = arguments.Next(); !one.empty(); one = arguments.Next()) {
    const bool is_named = one.size() > 2 && one[1].kind == TokenKind::kAssign;
    if (!is_named) {
      if (count == place) axis = one;
      ++count;
      continue;
    }
    const std::string_view name = one[0].text;
    if (IsAmong(name, words.axis)) {
      named_axis = one.subspan(2);
    } else if (name == "keepdims" || name == "keepdim" || name == "keep_dims") {
      return {};
    }
  }
  if (!named_axis.empty()) {
    // With an argument in the place of the axis as well, it is the function of
    // another module: `xp.sum(x, axis=1)`.
    if (!axis.empty()) return {};
    axis = named_axis;
  }
  // An argument behind the axis may be the very one that keeps it.
  if (axis.empty() || (place != size_t(-1) && count > place + 1)) return {};
  if (!AreAxes(axis, rank, axes, arena)) return {};
  const size_t end =
      static_cast<size_t>(call->end->text.data() - expression.text.data());
  std::string_view before = expression.text.substr(0, end);
  while (before.ends_with(' ')) before.remove_suffix(1);
  if (before.ends_with(',')) before.remove_suffix(1);
  Text text(arena);
  text << before << ", " << words.keep << expression.text.substr(end);
  return text.view();
}

}  // namespace v1
}  // namespace broadloom
