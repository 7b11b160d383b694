#include "paste/source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "paste/formats.h"
#include "paste/plain.h"
#include "paste/shapes.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Longer lines are no source that a person wrote.
constexpr size_t kMostSourceLine = 2000;
constexpr size_t kMostTokens = 256;

bool IsLibrary(std::string_view header) {
  for (const std::string_view part :
       {"site-packages", "dist-packages", "/lib/python", "<__array_function__",
        "<frozen", "node_modules", "node:internal"}) {
    if (header.find(part) != std::string_view::npos) return true;
  }
  return false;
}

// ^ and ~ below a line of source, and nothing else.
bool IsMarks(std::string_view line) {
  bool has_caret = false;
  for (const char c : line) {
    if (c == '^') has_caret = true;
    if (c != '^' && c != '~' && !IsBlank(c)) return false;
  }
  return has_caret;
}

// The length of `---> 3 ` before a line of source in IPython's tracebacks.
size_t ArrowLength(std::string_view line) {
  size_t at = 0;
  while (at < line.size() && line[at] == '-') ++at;
  if (at < 2 || at >= line.size() || line[at] != '>') return 0;
  ++at;
  while (at < line.size() && line[at] == ' ') ++at;
  const size_t digits = at;
  while (at < line.size() && IsDigit(line[at])) ++at;
  return at == digits ? 0 : at;
}

}  // namespace

std::optional<SourceLine> FindSourceLine(std::string_view text, Piece message) {
  std::optional<SourceLine> user_before, any_before, user_behind, plain_before;
  bool is_library = false;
  bool is_source = false;  // the next line is the frame's
  bool has_frames = false;
  std::optional<SourceLine>* last = nullptr;  // to which marks may belong
  Piece previous;                             // the line before
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::string_view trimmed = Trim(line);
    const size_t indent =
        trimmed.empty() ? 0 : static_cast<size_t>(trimmed.data() - line.data());
    const auto piece = [&](size_t from) -> Piece {
      while (from < line.size() && IsBlank(line[from])) ++from;
      return {begin + from, begin + indent + trimmed.size()};
    };
    const auto found = [&](Piece source) {
      if (source.end - source.begin > kMostSourceLine ||
          source.end <= source.begin) {
        return;
      }
      std::optional<SourceLine>& place = begin > message.begin ? user_behind
                                         : is_library          ? any_before
                                                               : user_before;
      // Behind the message, the first frame is the innermost: MATLAB.
      if (begin > message.begin && user_behind) return;
      place = SourceLine{source, {}, {}};
      last = &place;
    };
    const size_t arrow = ArrowLength(line);
    // Frames before are those of another exception.
    if (begin < message.begin &&
        line.find("Traceback (most recent call last)") !=
            std::string_view::npos) {
      user_before = any_before = std::nullopt;
      has_frames = false;
    }
    if (trimmed.starts_with("Error in ") && trimmed.ends_with(')') &&
        trimmed.find(" (line ") != std::string_view::npos) {  // MATLAB
      is_library = false;
      is_source = true;
      has_frames = true;
      last = nullptr;
    } else if (trimmed.starts_with("File ") || trimmed.starts_with("Cell In") ||
               trimmed.starts_with("Input In") ||
               trimmed.starts_with("<ipython")) {
      is_library = IsLibrary(trimmed);
      is_source = trimmed.starts_with("File ") &&
                  trimmed.find(" line ") != std::string_view::npos;
      has_frames = true;
      last = nullptr;
    } else if (is_source) {
      is_source = false;
      found(piece(0));
    } else if (arrow > 0) {
      found(piece(arrow));
      has_frames = true;
    } else if (line.starts_with(">  ") && indent == 0) {  // pytest
      found(piece(1));
      has_frames = true;
    } else if (IsMarks(line)) {
      if (last == nullptr && previous.end > previous.begin) {
        found(previous);
      }
      if (last != nullptr && *last) {
        // Columns count from the beginning of the line of source.
        SourceLine& source = **last;
        const size_t before = source.line.begin;
        const size_t newline = text.rfind('\n', before);
        const size_t start =
            newline == std::string_view::npos ? 0 : newline + 1;
        const size_t first = line.find_first_of("^~");
        const size_t behind = line.find_last_of("^~") + 1;
        const size_t caret = line.find('^');
        const size_t caret_end = line.find_last_of('^') + 1;
        // Columns count characters.
        const auto byte_of = [&](size_t column) {
          size_t byte = start;
          for (; byte < source.line.end; ++byte) {
            const bool begins =
                (static_cast<unsigned char>(text[byte]) & 0xc0) != 0x80;
            if (begins && column-- == 0) break;
          }
          return std::max(byte, source.line.begin);
        };
        const auto within = [&](size_t a, size_t b) -> Piece {
          return {byte_of(a), byte_of(b)};
        };
        source.marked = within(first, behind);
        source.caret = within(caret, caret_end);
      }
      last = nullptr;
    } else if (begin > message.begin && !user_behind && indent == 2 &&
               previous.begin <= message.end &&
               text.substr(previous.begin, previous.end - previous.begin)
                       .find("Warning: ") != std::string_view::npos) {
      // Python prints the line behind a warning.
      found(piece(0));
      last = nullptr;
    } else if (begin <= message.begin && message.begin <= end && !has_frames &&
               previous.end > previous.begin && !user_before) {
      // A line of source directly before the message.
      const std::string_view before =
          text.substr(previous.begin, previous.end - previous.begin);
      // Not prose, such as `Exception encountered when calling layer (type A).`
      const bool is_prose = before.find(": ") != std::string_view::npos ||
                            before.ends_with('.') ||
                            before.starts_with("Traceback");
      if (before.size() <= kMostSourceLine && !is_prose) {
        plain_before = SourceLine{previous, {}, {}};
      }
      last = nullptr;
    } else if (!trimmed.empty()) {
      last = nullptr;
    }
    if (!trimmed.empty()) previous = piece(0);
    begin = end + 1;
  }
  if (user_before) return user_before;
  if (any_before) return any_before;
  if (user_behind) return user_behind;
  return plain_before;
}

namespace {

struct Token {
  enum Kind : unsigned char { kWord, kOpen, kClose, kComma, kBinary, kOther };
  Kind kind;
  unsigned char precedence;
  bool is_hidden;  // in a subscript
  short depth;
  uint32_t begin;
  uint32_t end;
};

constexpr unsigned char kAssignment = 1;

// The binary operators of Python, JavaScript, R, Julia and MATLAB. Larger binds
// closer.
struct Sign {
  std::string_view sign;
  unsigned char precedence;
};
constexpr Sign kSigns[] = {
    {".+=", 1}, {".-=", 1}, {".*=", 1}, {"./=", 1}, {".+", 8},  {".-", 8},
    {".*", 9},  {"./", 9},  {".^", 10}, {"%*%", 9}, {"**=", 1}, {"//=", 1},
    {"<<=", 1}, {">>=", 1}, {"===", 3}, {"!==", 3}, {"**", 10}, {"//", 9},
    {"<<", 7},  {">>", 7},  {"==", 3},  {"!=", 3},  {"<=", 3},  {">=", 3},
    {"+=", 1},  {"-=", 1},  {"*=", 1},  {"/=", 1},  {"%=", 1},  {"@=", 1},
    {"&=", 1},  {"|=", 1},  {"^=", 1},  {"<-", 1},  {":=", 1},  {"=>", 0},
    {"->", 0},  {"&&", 2},  {"||", 2},  {"+", 8},   {"-", 8},   {"*", 9},
    {"/", 9},   {"%", 9},   {"@", 9},   {"&", 6},   {"|", 4},   {"^", 5},
    {"<", 3},   {">", 3},   {"=", 1},
};

class Statement {
 public:
  Statement(std::string_view text, Piece piece) : text_(text) {
    Tokenize(piece);
  }

  SourceOperands Find(std::string_view op, size_t count);

 private:
  void Tokenize(Piece piece);
  Piece Trimmed(size_t begin, size_t end) const {
    while (begin < end && IsBlank(text_[begin])) ++begin;
    while (end > begin && IsBlank(text_[end - 1])) --end;
    return {begin, end};
  }
  std::string_view Of(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  Piece LeftOf(size_t token) const;
  Piece RightOf(size_t token) const;
  bool FindCall(size_t from, size_t to, size_t count, SourceOperands& found);

  std::string_view text_;
  Token tokens_[kMostTokens];
  size_t size_ = 0;
  bool is_cut_ = false;  // closes brackets that it does not open
};

void Statement::Tokenize(Piece piece) {
  bool hidden[64] = {};
  int depth = 0;
  size_t at = piece.begin;
  const auto push = [&](Token::Kind kind, size_t end, unsigned char precedence,
                        int at_depth) {
    if (size_ < kMostTokens) {
      tokens_[size_++] = {kind,
                          precedence,
                          hidden[std::min(at_depth, 63)],
                          static_cast<short>(at_depth),
                          static_cast<uint32_t>(at),
                          static_cast<uint32_t>(end)};
    }
    at = end;
  };
  while (at < piece.end) {
    const char c = text_[at];
    if (IsBlank(c)) {
      ++at;
      continue;
    }
    if (c == '#') break;
    if (c == '\'' || c == '"') {
      size_t end = at + 1;
      while (end < piece.end && text_[end] != c)
        end += text_[end] == '\\' ? 2 : 1;
      push(Token::kWord, std::min(end + 1, piece.end), 0, depth);
      continue;
    }
    if (IsWord(c) ||
        (c == '.' && at + 1 < piece.end && IsWord(text_[at + 1]))) {
      size_t end = at + 1;
      // The dot of x.*y belongs to the operator.
      const auto is_part = [&](size_t i) {
        if (IsWord(text_[i])) return true;
        return text_[i] == '.' && (i + 1 == piece.end ||
                                   std::string_view("+-*/^").find(
                                       text_[i + 1]) == std::string_view::npos);
      };
      while (end < piece.end && is_part(end)) ++end;
      // 1e-3
      if (IsDigit(c) && end < piece.end && text_[end] == '-' &&
          (text_[end - 1] == 'e' || text_[end - 1] == 'E')) {
        ++end;
        while (end < piece.end && IsDigit(text_[end])) ++end;
      }
      push(Token::kWord, end, 0, depth);
      continue;
    }
    const bool after_value =
        size_ > 0 && (tokens_[size_ - 1].kind == Token::kWord ||
                      tokens_[size_ - 1].kind == Token::kClose);
    if (c == '(' || c == '[' || c == '{') {
      const bool is_subscript = c == '[' && after_value;
      push(Token::kOpen, at + 1, 0, depth);
      ++depth;
      if (depth < 64) {
        hidden[depth] = hidden[depth - 1] || is_subscript;
      }
      continue;
    }
    if (c == ')' || c == ']' || c == '}') {
      is_cut_ |= depth == 0;
      if (depth > 0) --depth;
      push(Token::kClose, at + 1, 0, depth);
      continue;
    }
    if (c == ',' || c == ';') {
      push(Token::kComma, at + 1, 0, depth);
      continue;
    }
    // 1:4 of R.
    if (c == ':' && after_value && at + 1 < piece.end &&
        IsWord(text_[at + 1]) && tokens_[size_ - 1].end == at) {
      push(Token::kWord, at + 1, 0, depth);
      continue;
    }
    const Sign* sign = nullptr;
    for (const Sign& row : kSigns) {
      if (text_.substr(at, piece.end - at).starts_with(row.sign)) {
        sign = &row;
        break;
      }
    }
    if (sign == nullptr || sign->precedence == 0 || !after_value) {
      push(Token::kOther, at + (sign != nullptr ? sign->sign.size() : 1), 0,
           depth);
    } else {
      push(Token::kBinary, at + sign->sign.size(), sign->precedence, depth);
    }
  }
}

bool IsKeyword(std::string_view word) {
  for (const std::string_view keyword :
       {"return", "if",     "elif",  "while", "assert", "yield", "await", "in",
        "not",    "and",    "or",    "is",    "else",   "for",   "const", "let",
        "var",    "lambda", "print", "raise", "with",   "as"}) {
    if (word == keyword) return true;
  }
  return false;
}

Piece Statement::LeftOf(size_t token) const {
  const Token& sign = tokens_[token];
  size_t begin = tokens_[0].begin;
  for (size_t i = token; i-- > 0;) {
    const Token& t = tokens_[i];
    if (t.depth < sign.depth ||
        (t.depth == sign.depth &&
         (t.kind == Token::kComma ||
          (t.kind == Token::kOther && Of(t) == ":") ||
          (t.kind == Token::kBinary &&
           (t.precedence < sign.precedence ||
            (sign.precedence == 3 && t.precedence == 3))) ||
          (t.kind == Token::kWord && IsKeyword(Of(t)))))) {
      begin = t.end;
      break;
    }
  }
  return Trimmed(begin, sign.begin);
}

Piece Statement::RightOf(size_t token) const {
  const Token& sign = tokens_[token];
  size_t end = tokens_[size_ - 1].end;
  for (size_t i = token + 1; i < size_; ++i) {
    const Token& t = tokens_[i];
    const bool closes = t.kind == Token::kClose && t.depth < sign.depth;
    if (closes ||
        (t.depth == sign.depth &&
         (t.kind == Token::kComma ||
          (t.kind == Token::kOther && Of(t) == ":") ||
          (t.kind == Token::kBinary && t.precedence <= sign.precedence) ||
          (t.kind == Token::kWord && IsKeyword(Of(t)))))) {
      end = t.begin;
      break;
    }
  }
  return Trimmed(sign.end, end);
}

bool IsModule(std::string_view word) {
  const std::string_view first = word.substr(0, word.find('.'));
  for (const std::string_view module :
       {"np",     "numpy",   "torch",      "tf",    "jnp",        "jax", "lax",
        "paddle", "mx",      "da",         "dask",  "F",          "nn",  "xp",
        "cp",     "cupy",    "ops",        "keras", "tensorflow", "xr",  "ne",
        "refs",   "tnp",     "functional", "nd",    "ak",         "pt",  "onnx",
        "mlx",    "numexpr", "scipy",      "plt"}) {
    if (first == module) return true;
  }
  return false;
}

// The only call between two tokens that takes `count` operands.
bool Statement::FindCall(size_t from, size_t to, size_t count,
                         SourceOperands& found) {
  size_t calls = 0;
  for (size_t i = from; i + 1 < to; ++i) {
    if (tokens_[i].kind != Token::kWord || tokens_[i].is_hidden ||
        tokens_[i + 1].kind != Token::kOpen ||
        text_[tokens_[i + 1].begin] != '(' || IsKeyword(Of(tokens_[i]))) {
      continue;
    }
    const int depth = tokens_[i + 1].depth;
    SourceOperands call;
    // The receiver of a method: everything before the last dot.
    const std::string_view name = Of(tokens_[i]);
    const size_t dot = name.rfind('.');
    if (dot != std::string_view::npos && !IsModule(name)) {
      size_t begin = tokens_[i].begin;
      if (dot == 0) {  // f(x).add(y): a receiver of several tokens
        size_t k = i;
        while (k > from && tokens_[k - 1].depth >= tokens_[i].depth &&
               tokens_[k - 1].kind != Token::kBinary &&
               tokens_[k - 1].kind != Token::kComma &&
               tokens_[k - 1].kind != Token::kOther) {
          --k;
        }
        begin = tokens_[k].begin;
      }
      call.operands[call.count++] = Trimmed(begin, tokens_[i].begin + dot);
    }
    size_t begin = tokens_[i + 1].end;
    bool is_keyword = false;
    size_t value = 0;  // of a keyword argument
    for (size_t k = i + 2; k < to; ++k) {
      const Token& t = tokens_[k];
      const bool closes = t.kind == Token::kClose && t.depth == depth;
      if (t.depth == depth + 1 && t.kind == Token::kBinary &&
          t.precedence == kAssignment) {
        is_keyword = true;
        value = t.end;
      }
      if (!closes && !(t.kind == Token::kComma && t.depth == depth + 1)) {
        continue;
      }
      const Piece argument = Trimmed(begin, t.begin);
      if (is_keyword) {
        if (text_.substr(argument.begin).starts_with("out")) {
          call.target = Trimmed(value, t.begin);
          call.is_in_place = true;
          call.has_out = true;
        }
      } else if (!argument.empty() && call.count < SourceOperands::kMost) {
        call.operands[call.count++] = argument;
      }
      begin = t.end;
      is_keyword = false;
      if (closes) break;
    }
    if (call.count < std::max<size_t>(count, 2)) continue;
    call.op = name;
    // x.sub_(y) of PyTorch.
    if (name.ends_with('_') && !name.ends_with("__") && count == 2 &&
        call.count == 2 && dot != std::string_view::npos && !call.has_out) {
      call.target = call.operands[0];
      call.is_in_place = true;
    }
    // A call around this one that takes as many would be meant as well.
    ++calls;
    found = call;
  }
  return calls == 1;
}

SourceOperands Statement::Find(std::string_view op, size_t count) {
  SourceOperands found;
  if (size_ == 0) return found;
  size_t from = 0;
  // An assignment.
  for (size_t i = 0; i < size_; ++i) {
    const Token& t = tokens_[i];
    if (t.kind != Token::kBinary || t.precedence != kAssignment ||
        t.depth != 0) {
      continue;
    }
    const Piece left = Trimmed(tokens_[0].begin, t.begin);
    const Piece right = Trimmed(t.end, tokens_[size_ - 1].end);
    if (Of(t) != "=" && Of(t) != "<-" && Of(t) != ":=") {
      found.operands[0] = left;
      found.operands[1] = right;
      found.count = 2;
      found.target = left;
      found.is_in_place = true;
      found.op = Of(t).substr(0, Of(t).size() - 1);
      return found;
    }
    if (text_[left.end - 1] == ']') {
      found.is_assignment = true;
      found.target = left;
      if (count < 2) {
        found.operands[0] = right;
        found.count = 1;
        return found;
      }
    }
    from = i + 1;
    break;
  }
  size_t signs = 0;
  size_t chosen = 0;
  bool is_one_op = true;
  for (size_t i = from; i < size_; ++i) {
    const Token& t = tokens_[i];
    if (t.kind != Token::kBinary || t.precedence == kAssignment ||
        t.is_hidden) {
      continue;
    }
    if (!op.empty() && OperatorName(Of(t)) != op) continue;
    is_one_op &= signs == 0 || Of(t) == Of(tokens_[chosen]);
    ++signs;
    chosen = i;
  }
  // The rest of a statement of several lines: its operators may be elsewhere.
  if (is_cut_ && signs > 0) return found;
  if (signs == 1 && count == 2) {
    found.operands[0] = LeftOf(chosen);
    found.operands[1] = RightOf(chosen);
    found.count = 2;
    found.op = Of(tokens_[chosen]);
    return found;
  }
  if (signs > 1) {
    if (is_one_op && count == 2) found.op = Of(tokens_[chosen]);
    return found;
  }
  SourceOperands call;
  if (FindCall(from, size_, count, call)) {
    call.is_assignment = false;
    return call;
  }
  return found;
}

}  // namespace

SourceOperands FindOperands(std::string_view text, const SourceLine& source,
                            std::string_view op, size_t count) {
  // `~~^~~`: the operator is below ^.
  if (!source.marked.empty() && source.marked.begin < source.caret.begin &&
      source.caret.end < source.marked.end && count == 2) {
    const std::string_view sign = Trim(
        text.substr(source.caret.begin, source.caret.end - source.caret.begin));
    bool is_sign = !sign.empty();
    for (const char c : sign) is_sign &= !IsWord(c) && ClosingOf(c) == 0;
    if (is_sign) {
      SourceOperands found;
      const auto trimmed = [&](size_t begin, size_t end) -> Piece {
        while (begin < end && IsBlank(text[begin])) ++begin;
        while (end > begin && IsBlank(text[end - 1])) --end;
        return {begin, end};
      };
      found.operands[0] = trimmed(source.marked.begin, source.caret.begin);
      found.operands[1] = trimmed(source.caret.end, source.marked.end);
      found.count = 2;
      found.op = sign;
      if (sign.size() > 1 && sign.back() == '=' && sign != "==" &&
          sign != "!=" && sign != "<=" && sign != ">=") {
        found.is_in_place = true;
        found.target = found.operands[0];
        found.op = sign.substr(0, sign.size() - 1);
      }
      return found;
    }
  }
  if (!source.marked.empty() && source.caret.end > source.caret.begin + 1) {
    Statement statement(text, source.marked);
    SourceOperands found = statement.Find(op, count);
    if (found.count > 0) return found;
  }
  Statement statement(text, source.line);
  return statement.Find(op, count);
}

}  // namespace v1
}  // namespace broadloom
