#include "paste/shapes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain/paste.h"
#include "broadloom/internal/arithmetic.h"
#include "paste/plain.h"

namespace broadloom {
inline namespace v1 {
namespace {

// How deep brackets may nest, as in ParseShape but for a list around them.
constexpr size_t kMostBrackets = 6;
// The longest expression that is taken as an extent's name.
constexpr size_t kMostNameBytes = 256;

bool IsUnknownWord(std::string_view word) {
  constexpr std::string_view kUnknownWords[] = {
      "None", "none",    "null", "nan", "NaN", "unknown",
      "dyn",  "dynamic", "Any",  "_",   "?",   "undefined"};
  for (const std::string_view known : kUnknownWords) {
    if (word == known) return true;
  }
  return false;
}

// N, 3 and C of NxCxHxW: parts of one letter or of digits.
bool IsProduct(std::string_view word) {
  size_t parts = 0;
  for (size_t at = 0; at < word.size();) {
    const bool is_letter = word[at] >= 'A' && word[at] <= 'Z';
    if (!is_letter && !IsDigit(word[at])) return false;
    ++at;
    if (!is_letter) {
      while (at < word.size() && IsDigit(word[at])) ++at;
    }
    ++parts;
    if (at == word.size()) break;
    if (word[at++] != 'x' || at == word.size()) return false;
  }
  return parts > 1;
}

}  // namespace

size_t CastLength(std::string_view text) {
  for (const std::string_view cast :
       {"np.int64(", "np.int32(", "np.intp(", "Base.OneTo(", "OneTo("}) {
    if (text.starts_with(cast)) return cast.size();
  }
  return 0;
}

char ClosingOf(char c) {
  switch (c) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '<':
      return '>';
    default:
      return 0;
  }
}

bool IsElementType(std::string_view word) {
  // f32, float32, i64, uint8, bf16, f8E4M3FN, Float64, complex64, torch.float32
  if (const size_t dot = word.rfind('.'); dot != std::string_view::npos) {
    word.remove_prefix(dot + 1);
  }
  constexpr std::string_view kWhole[] = {
      "bool",  "Bool", "boolean", "pred",   "half",   "float",    "double",
      "int",   "long", "short",   "index",  "object", "str",      "string",
      "token", "none", "byte",    "DOUBLE", "FLOAT",  "undefined"};
  for (const std::string_view whole : kWhole) {
    if (word == whole) return true;
  }
  constexpr std::string_view kBegin[] = {
      "bfloat", "float", "Float", "uint", "UInt", "int", "Int", "complex",
      "bf",     "f",     "si",    "ui",   "i",    "u",   "c",   "s"};
  for (const std::string_view begin : kBegin) {
    if (!word.starts_with(begin)) continue;
    const std::string_view bits = word.substr(begin.size());
    size_t digits = 0;
    while (digits < bits.size() && IsDigit(bits[digits])) ++digits;
    if (digits == 0 || digits > 3) continue;
    const std::string_view number = bits.substr(0, digits);
    constexpr std::string_view kBits[] = {"1",  "2",  "4",  "8",
                                          "16", "32", "64", "128"};
    for (const std::string_view known : kBits) {
      // Behind the bits of an 8-bit float: E4M3FN.
      if (number == known && (digits == bits.size() || bits[digits] == 'E' ||
                              bits[digits] == 'e')) {
        return true;
      }
    }
  }
  return false;
}

size_t ShapeReader::TokenEnd(size_t at) const {
  size_t end = at + 1;
  if (at >= text_.size()) return text_.size();
  const auto ends = [](char c) {
    return IsBlank(c) || c == ',' || c == ';' || ClosingOf(c) != 0 ||
           c == ')' || c == ']' || c == '}' || c == '>';
  };
  if (ends(text_[at])) return end;
  while (end < text_.size() && !ends(text_[end])) ++end;
  return end;
}

// Digits, grouped by _ perhaps. Nothing, with a fault, if there are none, or
// more than an extent may have.
std::optional<int64_t> ShapeReader::ReadNumber(size_t& at) {
  const size_t begin = at;
  int64_t value = 0;
  bool unsafe = false;
  while (IsDigit(At(at)) || (at > begin && IsDigit(At(at + 1)) &&
                             (At(at) == '_' ||
                              // A terminal ended the line within a number.
                              (At(at) == '\n' && has_comma_)))) {
    if (IsDigit(text_[at])) {
      unsafe |= OverflowsMultiply(value, int64_t{10}, value);
      unsafe |= OverflowsAdd(value, int64_t{text_[at] - '0'}, value);
    }
    ++at;
  }
  if (at == begin) {
    Fail(Detail::kBadToken, begin, TokenEnd(begin));
    return std::nullopt;
  }
  if (unsafe) {
    Fail(Detail::kUnsafe, begin, at, 0);
    return std::nullopt;
  }
  return value;
}

// The exponent of 1e3, behind the number that begins at `begin`: multiplies
// `value`, or leaves both as they are where there is none. False, with a fault,
// if the number is none of an extent.
bool ShapeReader::ReadExponent(size_t& at, size_t begin, int64_t& value) {
  if (At(at) != 'e' && At(at) != 'E') return true;
  size_t end = at + 1;
  const bool is_negative = At(end) == '-';
  if (is_negative || At(end) == '+') ++end;
  const size_t digits = end;
  while (IsDigit(At(end))) ++end;
  if (end == digits || IsWord(At(end))) return true;
  if (is_negative) return Fail(Detail::kBadToken, begin, end);
  size_t power = 0;
  for (size_t i = digits; i < end; ++i) {
    power = std::min<size_t>(power * 10 + size_t(text_[i] - '0'), 100);
  }
  for (; power > 0 && value != 0; --power) {
    if (OverflowsMultiply(value, int64_t{10}, value)) {
      return Fail(Detail::kUnsafe, begin, end, 0);
    }
  }
  at = end;
  return true;
}

std::string_view ShapeReader::WithoutBlanks(std::string_view text) {
  for (const char c : text) {
    if (!IsBlank(c)) continue;
    Text word(arena_);
    for (const char letter : text) {
      if (!IsBlank(letter)) word << letter;
    }
    return word.view();
  }
  return text;
}

// An extent without its axis's name.
ShapeReader::Item ShapeReader::ReadValue(size_t& at, char closing,
                                         SymbolicExtent& extent) {
  const size_t begin = at;
  const std::string_view rest = text_.substr(at);
  extent = {};
  if (rest.starts_with("...")) {
    at += 3;
    return Item::kEllipsis;
  }
  if (rest.starts_with("<=") || rest.starts_with("..")) {
    at += 2;
    SkipBlanks(at);
    if (rest[0] == '.' && !IsDigit(At(at))) return Item::kBad;
    const std::optional<int64_t> most = ReadNumber(at);
    if (!most) return Item::kBad;
    extent = {0, *most, {}};
    return Item::kExtent;
  }
  if (const size_t cast = CastLength(rest); cast > 0) {
    at += cast;
    const std::optional<int64_t> value = ReadNumber(at);
    if (!value || At(at) != ')') return Item::kBad;
    ++at;
    extent = {*value, *value, {}};
    return Item::kExtent;
  }
  const char first = At(at);
  if (IsDigit(first)) {
    std::optional<int64_t> value = ReadNumber(at);
    if (!value || !ReadExponent(at, begin, *value)) return Item::kBad;
    if (At(at) == 'L' && closing != 0 && !IsWord(At(at + 1))) ++at;  // Python 2
    extent = {*value, *value, {}};
    if (text_.substr(at).starts_with("..") && At(at + 2) != '.') {
      at += 2;
      SkipBlanks(at);
      extent.most = kUnbounded;
      if (IsDigit(At(at))) {
        const std::optional<int64_t> most = ReadNumber(at);
        if (!most) return Item::kBad;
        extent.most = *most;
        if (extent.most < extent.least) {
          Fail(Detail::kBadToken, begin, at, 0);
          return Item::kBad;
        }
      }
      return Item::kExtent;
    }
    // Outside brackets, a dot may end a sentence.
    if (At(at) == '.' &&
        (IsDigit(At(at + 1)) || (closing != 0 && !IsWord(At(at + 1))))) {
      ++at;
      while (IsDigit(At(at))) ++at;
      Fail(Detail::kFractional, begin, at, 0);
      return Item::kBad;
    }
  } else if (first == '-' || first == '+') {
    ++at;
    if (IsDigit(At(at))) {
      const std::optional<int64_t> value = ReadNumber(at);
      if (!value) return Item::kBad;
      if (first == '-' && *value > 1) {
        Fail(Detail::kNegative, begin, at, 0);
        return Item::kBad;
      }
      if (first == '+' || *value == 0) extent = {*value, *value, {}};
      return Item::kExtent;
    }
    Fail(Detail::kBadToken, begin, TokenEnd(begin));
    return Item::kBad;
  } else if (first == '?' || first == '*' || first == ':') {
    ++at;
    if (first == '?' || !IsLetter(At(at))) return Item::kExtent;
    if (At(at) == 'x') return Item::kExtent;
    if (first == '*') {  // *batch: any number of axes
      while (IsWord(At(at))) ++at;
      return Item::kEllipsis;
    }
    Fail(Detail::kBadToken, begin, TokenEnd(begin));
    return Item::kBad;
  } else if (!IsLetter(first) && first != '(') {
    Fail(Detail::kBadToken, begin, TokenEnd(begin));
    return Item::kBad;
  }

  // A word, or an expression that begins with what was read. Behind a number,
  // x, * and blanks separate extents.
  const size_t behind = at;
  const bool is_number = IsDigit(first);
  if (is_number) {
    const char next = At(at);
    const bool may_go_on =
        next == '+' || next == '/' || next == '%' ||
        (next == '-' && At(at + 1) != '>') ||
        (next == '*' && !IsDigit(At(at + 1)) && At(at + 1) != ' ') ||
        (IsLetter(next) && next != 'x' && next != 'X');
    if (!may_go_on || closing == 0) {
      if (IsLetter(next) && next != 'x' && next != 'X') {
        Fail(Detail::kBadToken, begin, TokenEnd(begin));
        return Item::kBad;
      }
      return Item::kExtent;
    }
  }
  size_t depth = 0;
  size_t end = at;         // behind the last character that is not blank
  bool needs = is_number;  // an operand of the expression
  bool has_letter = false;
  for (;;) {
    const char c = At(at);
    if (at - begin > kMostNameBytes) {
      Fail(Detail::kBadToken, begin, at);
      return Item::kBad;
    }
    if (IsWord(c) || (c == '.' && IsWord(At(at + 1)) && At(at + 1) != '.')) {
      has_letter |= IsLetter(c);
      needs = false;
      end = ++at;
      continue;
    }
    if (depth > 0 && c == ',') {
      ++at;
      continue;
    }
    if (c == '(' && closing != 0 && (needs || end == at)) {
      ++depth;
      end = ++at;
      continue;
    }
    if (c == ')' && depth > 0) {
      --depth;
      end = ++at;
      continue;
    }
    const bool is_sign = c == '+' || c == '*' || c == '/' || c == '%' ||
                         c == '^' || (c == '-' && At(at + 1) != '>');
    if (is_sign && closing != 0 && at > begin) {
      needs = true;
      end = ++at;
      continue;
    }
    if (IsBlank(c) && closing != 0 && at > begin) {
      size_t next = at;
      SkipBlanks(next);
      const char after = At(next);
      const bool goes_on = depth > 0 || needs || after == '+' || after == '*' ||
                           after == '/' || after == '%' ||
                           (after == '-' && At(next + 1) != '>');
      if (!goes_on || next == text_.size()) break;
      at = next;
      continue;
    }
    break;
  }
  at = end;
  if (depth > 0) {
    Fail(Detail::kUnclosed, begin, end);
    return Item::kBad;
  }
  const std::string_view word = text_.substr(begin, end - begin);
  if (has_letter) extent = {};
  if (!has_letter) {
    if (is_number) {  // 3*4: extents apart
      at = behind;
      return Item::kExtent;
    }
    Fail(Detail::kBadToken, begin, TokenEnd(begin));
    return Item::kBad;
  }
  if (word == "newaxis" || word == "np.newaxis") {
    extent = {1, 1, {}};
    return Item::kExtent;
  }
  if (word == "unranked") return Item::kEllipsis;
  if (IsUnknownWord(word)) return Item::kExtent;
  if (IsElementType(word)) {
    extent.name = word;  // may be a symbol all the same: s0
    return Item::kElementType;
  }
  if (!is_number && IsProduct(word)) {
    size_t part = begin;
    while (IsWord(text_[part]) && text_[part] != 'x') ++part;
    at = part;
    extent.name = text_.substr(begin, part - begin);
    return Item::kExtent;
  }
  extent.name = WithoutBlanks(word);
  return Item::kExtent;
}

// An extent, perhaps with its axis's name: x=3, 'x': 3, x: 3.
ShapeReader::Item ShapeReader::ReadItem(size_t& at, char closing,
                                        SymbolicExtent& extent,
                                        std::string_view& name) {
  name = {};
  const size_t begin = at;
  const char quote = At(at);
  size_t end = at;
  if (quote == '\'' || quote == '"') {
    ++end;
    while (IsWord(At(end))) ++end;
    if (end == at + 1 || At(end) != quote) {
      Fail(Detail::kBadToken, begin, TokenEnd(begin));
      return Item::kBad;
    }
    name = text_.substr(at + 1, end - at - 1);
    ++end;
  } else if (IsLetter(quote)) {
    while (IsWord(At(end))) ++end;
    name = text_.substr(at, end - at);
  }
  if (!name.empty()) {
    SkipBlanks(end);
    const char sign = At(end);
    if ((sign == '=' && At(end + 1) != '=') ||
        (sign == ':' && At(end + 1) != ':')) {
      at = end + 1;
      SkipBlanks(at);
      return ReadValue(at, closing, extent);
    }
    if (quote == '\'' || quote == '"') {
      // 'N': a name in quotes is a symbol.
      at = end;
      extent = {0, kUnbounded, name};
      name = {};
      return Item::kExtent;
    }
    name = {};
  }
  return ReadValue(at, closing, extent);
}

ShapeInText ShapeReader::Made(const List<SymbolicExtent>& extents,
                              const List<std::string_view>& names,
                              const List<TextSpan>& spans, size_t begin,
                              size_t end, Rank rank) {
  ShapeInText made;
  made.span = plain_.Original(begin, end);
  made.shape.has_unknown_rank = rank != Rank::kKnown;
  made.is_partial = rank == Rank::kEllipsis && !extents.empty();
  made.element_type = element_type_;
  if (made.shape.has_unknown_rank) return made;
  made.shape.extents = arena_.Copy(extents.view());
  made.axes = arena_.Copy(spans.view());
  for (const std::string_view name : names.view()) {
    if (name.empty()) continue;
    made.shape.axis_names = arena_.Copy(names.view());
    break;
  }
  return made;
}

// Between two extents: a comma, or x, which another extent must follow.
bool ShapeReader::SkipsSeparator(size_t& at, char closing, bool& multiplies) {
  multiplies = false;
  size_t next = at;
  SkipBlanks(next);
  const char c = At(next);
  if (c == ',' || (c == ';' && closing != 0)) {
    at = next + 1;
    return true;
  }
  if (c == 'x' || c == 'X' || c == '*') {
    size_t after = next + 1;
    SkipBlanks(after);
    const char follows = At(after);
    if (IsDigit(follows) || follows == '?' || follows == '*' ||
        follows == '-' || (next == at && IsLetter(follows))) {
      at = after;
      multiplies = true;
      return true;
    }
  }
  return false;
}

// Axes in quotes: "batch 3 c".
bool ShapeReader::ReadQuoted(size_t& at, List<ShapeInText>& shapes) {
  const char quote = At(at);
  const size_t begin = at + 1;
  const size_t end = text_.substr(0, begin + 4096).find(quote, begin);
  if (end == std::string_view::npos) return false;
  List<SymbolicExtent> extents(arena_);
  List<std::string_view> names(arena_);
  List<TextSpan> spans(arena_);
  bool unknown_rank = false;
  for (size_t i = begin; i < end;) {
    while (i < end && IsBlank(text_[i])) ++i;
    if (i == end) break;
    const size_t first = i;
    SymbolicExtent extent;
    const Item item = ReadValue(i, 0, extent);
    if (item == Item::kBad || i > end) return false;
    if (i < end && !IsBlank(text_[i])) return false;
    if (item == Item::kEllipsis) {
      unknown_rank = true;
      continue;
    }
    extents.Push(extent);
    names.Push({});
    spans.Push(plain_.Original(first, i));
  }
  shapes.Push(Made(extents, names, spans, begin, end,
                   unknown_rank ? Rank::kEllipsis : Rank::kKnown));
  at = end + 1;
  return true;
}

// An open bracket. Its items are a shape's extents, unless it has brackets in
// it: then they are whatever stands beside them.
struct ShapeReader::Frame {
  char closing = 0;
  size_t open = 0;   // the bracket
  size_t begin = 0;  // the name before it
  bool is_around = false;
  bool is_named = false;
};

bool ShapeReader::ReadBrackets(size_t& at, List<ShapeInText>& shapes) {
  Frame frames[kMostBrackets];
  size_t depth = 0;
  List<SymbolicExtent> extents(arena_);
  List<std::string_view> names(arena_);
  List<TextSpan> spans(arena_);
  bool unknown_rank = false;
  bool has_type = false;
  bool multiplied = false;
  bool needs_item = false;
  size_t separator = at;
  size_t i = at;
  const size_t begin = at;
  const size_t before = shapes.size();
  const auto fresh = [&] {
    has_comma_ = false;
    extents.Truncate(0);
    names.Truncate(0);
    spans.Truncate(0);
    unknown_rank = has_type = multiplied = needs_item = false;
    element_type_ = {};
  };
  // `torch.Size` of `torch.Size(`: the end of a name before a bracket.
  const auto name_end = [&](size_t from) {
    size_t end = from;
    if (!IsLetter(At(from))) return from;
    while (end - from < kMostNameBytes &&
           (IsWord(At(end)) || At(end) == '.' || At(end) == ':')) {
      ++end;
    }
    return end;
  };
  for (;;) {
    SkipBlanks(i);
    if (i >= text_.size()) {
      if (depth == 0) return Fail(Detail::kEmptyText, begin, i);
      const size_t open = frames[depth - 1].open;
      return Fail(Detail::kUnclosed, open, open + 1);
    }
    const char c = text_[i];
    // A bracket, or a name and a bracket.
    const size_t behind = name_end(i);
    const char bracket = At(behind);
    const bool is_cast = CastLength(text_.substr(i)) > 0;
    const bool less = bracket == '<' && At(behind + 1) == '=';
    if (ClosingOf(bracket) != 0 && !less && !is_cast) {
      // (a+1) and f(N) among extents are expressions; ((2, 3), (4,)) is not.
      bool expression = false;
      if (depth > 0 && bracket == '(' && !frames[depth - 1].is_around &&
          (behind > i ? (extents.size() > 0 || IsLetter(At(behind + 1)))
                      : IsLetter(At(behind + 1)))) {
        size_t probe = i;
        SymbolicExtent extent;
        const Item item = ReadValue(probe, frames[depth - 1].closing, extent);
        SkipBlanks(probe);
        expression =
            item == Item::kExtent && !extent.name.empty() &&
            extent.name.find_first_of("+-*/%(") != std::string_view::npos &&
            // (None, 3) among others is a shape.
            (behind > i || extent.name.find(',') == std::string_view::npos) &&
            (At(probe) == ',' || At(probe) == frames[depth - 1].closing);
      }
      if (!expression) {
        if (depth == kMostBrackets) {
          return Fail(Detail::kTooDeep, behind, behind + 1);
        }
        // <2x3> has a name before it, such as tensor, unless it stands alone.
        if (bracket == '<' && behind == i && depth > 0) {
          return Fail(Detail::kBadToken, i, TokenEnd(i));
        }
        if (depth > 0) frames[depth - 1].is_around = true;
        frames[depth++] = {ClosingOf(bracket), behind, i, false, behind > i};
        fresh();
        i = behind + 1;
        continue;
      }
    }
    if (depth == 0) return Fail(Detail::kBadToken, i, TokenEnd(i));
    Frame& frame = frames[depth - 1];
    if (c == frame.closing) {
      ++i;
      if (needs_item) return Fail(Detail::kNoNumber, separator, i - 1);
      const std::string_view before_bracket =
          text_.substr(frame.begin, frame.open - frame.begin);
      const bool typed = frame.is_named && IsElementType(before_bracket);
      if (!frame.is_around) {
        if (typed) element_type_ = before_bracket;
        const bool angular = frame.closing == '>';
        const bool is_set = frame.closing == '}';
        // Matrix{Float64} and layouts {1,0} are no shapes.
        const bool only_type = extents.empty() && has_type;
        const bool is_nothing =
            is_set && (only_type || (extents.empty() && frame.is_named));
        const bool all_unknown =
            frame.is_named && extents.size() == 1 && frame.closing == ')' &&
            Trim(text_.substr(frame.open + 1, i - frame.open - 2)) == "None";
        if (angular && extents.empty() && !only_type && !unknown_rank) {
          return Fail(Detail::kBadToken, frame.open, frame.open + 1);
        }
        if (!is_nothing) {
          const bool is_unranked =
              all_unknown || (has_type && multiplied && extents.size() == 1 &&
                              At(frame.open + 1) == '*');
          shapes.Push(Made(extents, names, spans, frame.begin, i,
                           unknown_rank  ? Rank::kEllipsis
                           : is_unranked ? Rank::kUnranked
                                         : Rank::kKnown));
        }
      }
      // XLA's layout: f32[2,3]{1,0}.
      if (typed && At(i) == '{') {
        const size_t end = text_.substr(0, i + 64).find('}', i);
        if (end != std::string_view::npos) i = end + 1;
      }
      fresh();
      if (--depth == 0) break;
      continue;
    }
    if (c == ')' || c == ']' || c == '}') {
      return Fail(Detail::kUnopened, i, i + 1);
    }
    if (frame.is_around) {  // skips what stands beside shapes
      // Tensor<[2, 3], f32>
      const std::string_view word = text_.substr(i, behind - i);
      if (frame.closing == '>' && shapes.size() > before &&
          IsElementType(word)) {
        shapes[shapes.size() - 1].element_type = word;
      }
      i = IsWord(c) ? name_end(IsLetter(c) ? i : i + 1) : i + 1;
      while (IsWord(At(i)) && IsWord(At(i - 1))) ++i;
      continue;
    }
    if ((c == '"' || c == '\'') && frame.closing == ']' && frame.is_named) {
      if (!ReadQuoted(i, shapes)) {
        return Fail(Detail::kBadToken, i, TokenEnd(i));
      }
      frame.is_around = true;
      continue;
    }
    if (c == '#' && frame.closing == '>') {  // tensor<2x3xf32, #encoding>
      while (i < text_.size() && text_[i] != '>' && text_[i] != '\n') ++i;
      continue;
    }
    if (c == ',' || c == ';') {
      // (,) and (2,,3): a comma without an extent.
      return Fail(Detail::kNoNumber, i, i + 1);
    }
    if (At(behind) == '=' && behind > i && ClosingOf(At(behind + 1)) != 0 &&
        At(behind + 1) != '<') {  // shape=(2, 3)
      frame.is_around = true;
      continue;
    }
    const size_t first = i;
    SymbolicExtent extent;
    std::string_view name;
    const Item item = ReadItem(i, frame.closing, extent, name);
    if (item == Item::kBad) {
      // Text beside a bracket further on: FakeTensor(..., device='cpu',
      // size=(8, 3)).
      if (frame.is_named && fault_.detail == Detail::kBadToken) {
        frame.is_around = true;
        i = first;
        continue;
      }
      if (fault_.axis != kAbsent) {
        fault_.axis = static_cast<int32_t>(extents.size());
      }
      return false;
    }
    if (item == Item::kEllipsis) {
      unknown_rank = true;
    } else if (item == Item::kElementType) {
      // Float[Array, ...] and tensor<2x3xf32>; s0 is an extent.
      const bool is_symbol = frame.closing != '>' && !multiplied &&
                             (extent.name[0] == 's' || extent.name[0] == 'u' ||
                              extent.name[0] == 'i') &&
                             extent.name.size() <= 3;
      if (!is_symbol) {
        has_type = true;
        element_type_ = extent.name;
        SkipBlanks(i);
        if (At(i) == ',') ++i;
        needs_item = false;
        continue;
      }
      extents.Push(extent);
      names.Push(name);
      spans.Push(plain_.Original(first, i));
    } else {
      extents.Push(extent);
      names.Push(name);
      spans.Push(plain_.Original(first, i));
    }
    needs_item = false;
    separator = i;
    bool multiplies = false;
    if (SkipsSeparator(i, frame.closing, multiplies)) {
      multiplied |= multiplies;
      has_comma_ = !multiplies;
      needs_item = multiplies;
      continue;
    }
    SkipBlanks(i);
    const char next = At(i);
    // Blanks separate numbers only: words are prose.
    if ((i == separator || IsLetter(next)) && next != frame.closing &&
        i < text_.size() && next != ')' && next != ']' && next != '}' &&
        ClosingOf(next) == 0) {
      if (frame.is_named) {
        frame.is_around = true;
        continue;
      }
      return Fail(Detail::kBadToken, first, TokenEnd(first));
    }
  }
  at = i;
  has_comma_ = false;
  if (shapes.size() == before) return Fail(Detail::kBadToken, begin, i);
  return true;
}

bool ShapeReader::ReadBare(size_t& at, List<ShapeInText>& shapes,
                           bool one_line) {
  List<SymbolicExtent> extents(arena_);
  List<std::string_view> names(arena_);
  List<TextSpan> spans(arena_);
  bool unknown_rank = false;
  const size_t begin = at;
  size_t i = at;
  size_t end = at;
  char kind = 0;  // the first separator
  has_comma_ = false;
  element_type_ = {};
  while (i < text_.size()) {
    const size_t first = i;
    SymbolicExtent extent;
    std::string_view name;
    const Item item = ReadItem(i, 0, extent, name);
    if (item == Item::kBad) {
      if (end > begin && kind == ',') break;  // a comma at the end: 2,3,
      if (fault_.axis != kAbsent) {
        fault_.axis = static_cast<int32_t>(extents.size());
      }
      return false;
    }
    if (item == Item::kElementType && !extents.empty() && kind == 'x') {
      element_type_ = extent.name;
      end = i;
      break;
    }
    if (item == Item::kEllipsis) {
      unknown_rank = true;
    } else {
      extents.Push(extent);
      names.Push(name);
      spans.Push(plain_.Original(first, i));
    }
    end = i;
    const size_t separator = i;
    bool multiplies = false;
    const auto on_this_line = [&](size_t next) {
      return text_.substr(separator, next - separator).find('\n') ==
             std::string_view::npos;
    };
    if (SkipsSeparator(i, 0, multiplies)) {
      const char sign = multiplies ? 'x' : ',';
      if ((kind != 0 && kind != sign) || (one_line && !on_this_line(i))) {
        i = separator;
        break;
      }
      kind = sign;
      if (!multiplies) end = i;
      SkipBlanks(i);
      if (one_line && !on_this_line(i)) break;
      // `2,3, (4,)`: the comma separates shapes.
      size_t word = i;
      while (sign == ',' && word - i < kMostNameBytes &&
             (IsWord(At(word)) || At(word) == '.')) {
        ++word;
      }
      if (ClosingOf(At(word)) != 0) break;
      continue;
    }
    // Blanks separate if nothing else has.
    size_t next = i;
    SkipBlanks(next);
    const bool follows = IsDigit(At(next)) || At(next) == '?';
    if (next > i && follows && (kind == 0 || kind == ' ') &&
        on_this_line(next)) {
      kind = ' ';
      i = next;
      continue;
    }
    break;
  }
  at = end;
  shapes.Push(Made(extents, names, spans, begin, end,
                   unknown_rank ? Rank::kEllipsis : Rank::kKnown));
  return true;
}

bool ShapeReader::ReadExtent(size_t& at, SymbolicExtent& extent) {
  has_comma_ = false;
  std::string_view name;
  size_t i = at;
  const Item item = ReadItem(i, 0, extent, name);
  if (item != Item::kExtent && item != Item::kElementType) return false;
  at = i;
  return true;
}

}  // namespace v1
}  // namespace broadloom
