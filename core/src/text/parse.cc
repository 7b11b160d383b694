#include "broadloom/parse.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string_view>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr std::string_view kTimes = "\u00d7";  // the multiplication sign
constexpr std::string_view kMinus = "\u2212";  // the minus sign
// How deep brackets may nest: torch.Size([2, 3]) has two levels.
constexpr size_t kMostBrackets = 4;

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The bracket that closes `c`, or 0 when `c` opens none.
char ClosingBracket(char c) {
  switch (c) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    default:
      return 0;
  }
}
bool IsClosingBracket(char c) { return c == ')' || c == ']' || c == '}'; }

// Reads a text from left to right, twice: first to count the integers, then to
// store them.
class Reader {
 public:
  Reader(std::string_view text, bool negative_passes, int32_t operand)
      : text_(text), negative_passes_(negative_passes), operand_(operand) {}

  // Returns the number of integers. Stores them if there is room for them.
  Result<size_t> Read(ParsedIntegers* kept) {
    at_ = 0;
    SkipSpace();
    if (AtEnd()) return Bad(Detail::kEmptyText, 0, at_);
    std::optional<Error> error = ReadOpening();
    if (error) return std::unexpected(*error);
    size_t count = 0;
    bool needs_value = false;  // after a separator such as x
    for (;;) {
      SkipSpace();
      if (AtEnd() || IsClosingBracket(text_[at_])) break;
      int64_t value = 0;
      const size_t begin = at_;
      error = ReadInteger(count, value);
      if (error) return std::unexpected(*error);
      if (kept != nullptr) {
        kept->values[count] = value;
        kept->spans[count] =
            TextSpan{static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
      }
      ++count;
      const size_t separator = at_;
      needs_value = SkipSeparator();
      if (needs_value) {
        SkipSpace();
        if (AtEnd() || IsClosingBracket(text_[at_])) {
          return Bad(Detail::kNoNumber, separator, at_);
        }
      }
    }
    error = ReadClosing();
    if (error) return std::unexpected(*error);
    return count;
  }

 private:
  bool AtEnd() const { return at_ == text_.size(); }
  bool Follows(std::string_view sign) const {
    return text_.substr(at_).starts_with(sign);
  }
  void SkipSpace() {
    while (!AtEnd() && IsSpace(text_[at_])) ++at_;
  }

  std::unexpected<Error> Bad(Detail detail, size_t begin, size_t end) const {
    return std::unexpected(BadToken(detail, begin, end));
  }
  Error BadToken(Detail detail, size_t begin, size_t end) const {
    return Error{.error_class = ErrorClass::kParse,
                 .detail = detail,
                 .extent = CountCharacters(begin),
                 .other_extent = CountCharacters(end),
                 .text_begin = static_cast<uint32_t>(begin),
                 .text_end = static_cast<uint32_t>(end)};
  }

  // The number of characters (not bytes) before byte `end`.
  int64_t CountCharacters(size_t end) const {
    int64_t count = 0;
    for (const char c : text_.substr(0, end)) count += !ContinuesCharacter(c);
    return count;
  }
  static bool ContinuesCharacter(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
  }

  static bool EndsWord(char c) {
    return IsSpace(c) || c == ',' || c == ';' || ClosingBracket(c) != 0 ||
           IsClosingBracket(c);
  }

  // The end of the token that begins at `begin`: one separator or bracket, or
  // all characters up to the next of them.
  size_t WordEnd(size_t begin) const {
    size_t end = begin + 1;
    if (begin < text_.size() && EndsWord(text_[begin])) return end;
    while (end < text_.size() && !EndsWord(text_[end])) ++end;
    // A token ends at the end of a UTF-8 character.
    while (end < text_.size() && ContinuesCharacter(text_[end])) ++end;
    return end;
  }

  // Reads opening brackets, which may have names before them: `torch.Size([`.
  std::optional<Error> ReadOpening() {
    brackets_ = 0;
    for (;;) {
      SkipSpace();
      if (AtEnd()) return std::nullopt;
      const size_t begin = at_;
      if (IsNameStart(text_[at_])) {
        size_t end = at_;
        while (end < text_.size() &&
               (IsNameStart(text_[end]) || IsDigit(text_[end]) ||
                text_[end] == '.')) {
          ++end;
        }
        if (end == text_.size() || ClosingBracket(text_[end]) == 0) {
          return BadToken(Detail::kBadToken, begin, WordEnd(begin));
        }
        at_ = end;
      }
      if (ClosingBracket(text_[at_]) == 0) return std::nullopt;
      if (brackets_ == kMostBrackets) {
        return BadToken(Detail::kTooDeep, at_, at_ + 1);
      }
      opened_[brackets_++] = at_++;
    }
  }

  std::optional<Error> ReadClosing() {
    while (brackets_ > 0) {
      SkipSpace();
      const size_t opened = opened_[brackets_ - 1];
      if (AtEnd()) return BadToken(Detail::kUnclosed, opened, opened + 1);
      if (text_[at_] != ClosingBracket(text_[opened])) {
        return BadToken(Detail::kUnopened, at_, at_ + 1);
      }
      ++at_;
      --brackets_;
    }
    SkipSpace();
    if (AtEnd()) return std::nullopt;
    const bool closes = IsClosingBracket(text_[at_]);
    return BadToken(closes ? Detail::kUnopened : Detail::kTrailing, at_,
                    WordEnd(at_));
  }

  // Moves behind one separator. Returns whether a value must follow: behind
  // `x`, but not behind a comma or a space.
  bool SkipSeparator() {
    SkipSpace();
    if (AtEnd()) return false;
    const char c = text_[at_];
    if (c == ',' || c == ';') {
      ++at_;
      return false;
    }
    if (c == 'x' || c == 'X' || c == '*') {
      ++at_;
      return true;
    }
    if (Follows(kTimes)) {
      at_ += kTimes.size();
      return true;
    }
    return false;
  }

  // Whether a number may end here.
  bool AtNumberEnd() const {
    if (AtEnd()) return true;
    const char c = text_[at_];
    return IsSpace(c) || c == ',' || c == ';' || c == 'x' || c == 'X' ||
           c == '*' || IsClosingBracket(c) || Follows(kTimes);
  }

  // Leaves at_ behind the number.
  std::optional<Error> ReadInteger(size_t axis, int64_t& value) {
    const size_t begin = at_;
    bool negative = false;
    if (Follows("-") || Follows(kMinus)) {
      negative = true;
      at_ += Follows("-") ? 1 : kMinus.size();
    } else if (Follows("+")) {
      ++at_;
    }
    const size_t digits = at_;
    bool unsafe = false;
    value = 0;
    while (!AtEnd() && (IsDigit(text_[at_]) ||
                        (text_[at_] == '_' && at_ > digits &&
                         at_ + 1 < text_.size() && IsDigit(text_[at_ + 1])))) {
      if (text_[at_] != '_') {
        // A negative number is built from negative digits, since -2^63 has no
        // positive counterpart.
        const int64_t digit = text_[at_] - '0';
        unsafe |= OverflowsMultiply(value, int64_t{10}, value);
        unsafe |= OverflowsAdd(value, negative ? -digit : digit, value);
      }
      ++at_;
    }
    if (at_ == digits) {
      const size_t end = WordEnd(begin);
      SkipSeparator();
      const bool separates = digits == begin && at_ == end;
      return BadToken(separates ? Detail::kNoNumber : Detail::kBadToken, begin,
                      end);
    }
    bool fractional = false;
    if (!AtEnd() && text_[at_] == '.') {
      fractional = true;
      ++at_;
      while (!AtEnd() && IsDigit(text_[at_])) ++at_;
    }
    if (!AtNumberEnd()) {
      return BadToken(Detail::kBadToken, begin, WordEnd(begin));
    }
    Detail detail = Detail::kNoDetail;
    if (fractional) {
      detail = Detail::kFractional;
    } else if (unsafe) {
      detail = Detail::kUnsafe;
    } else if (negative && value != 0 && !negative_passes_) {
      detail = Detail::kNegative;
    }
    if (detail == Detail::kNoDetail) return std::nullopt;
    return Error{.error_class = ErrorClass::kExtent,
                 .detail = detail,
                 .operand = operand_,
                 .operand_axis = static_cast<int32_t>(axis),
                 .extent = unsafe ? 0 : value,
                 .text_begin = static_cast<uint32_t>(begin),
                 .text_end = static_cast<uint32_t>(at_)};
  }

  std::string_view text_;
  bool negative_passes_;
  int32_t operand_;
  size_t at_ = 0;
  size_t brackets_ = 0;
  size_t opened_[kMostBrackets] = {};
};

Result<ParsedIntegers> Parse(std::string_view text, bool negative_passes,
                             int32_t operand,
                             const Allocator& allocator) noexcept {
  if (text.size() > std::numeric_limits<uint32_t>::max() / 2) {
    return std::unexpected(Error{.error_class = ErrorClass::kLimit});
  }
  Reader reader(text, negative_passes, operand);
  const Result<size_t> count = reader.Read(nullptr);
  if (!count) return std::unexpected(count.error());
  ParsedIntegers parsed;
  if (!parsed.values.Reset(*count, allocator) ||
      !parsed.spans.Reset(*count, allocator)) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  const Result<size_t> again = reader.Read(&parsed);
  if (!again) return std::unexpected(again.error());
  return parsed;
}

}  // namespace

Result<ParsedIntegers> ParseShape(std::string_view text, int32_t operand,
                                  const Allocator& allocator) noexcept {
  return Parse(text, /*negative_passes=*/false, operand, allocator);
}

Result<ParsedIntegers> ParseIntegers(std::string_view text, int32_t operand,
                                     const Allocator& allocator) noexcept {
  return Parse(text, /*negative_passes=*/true, operand, allocator);
}

}  // namespace v1
}  // namespace broadloom
