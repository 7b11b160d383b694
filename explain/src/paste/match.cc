#include "paste/match.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/paste.h"
#include "paste/formats.h"
#include "paste/plain.h"
#include "paste/shapes.h"
#include "paste/source.h"

namespace broadloom {
inline namespace v1 {
namespace {

// How far <...> may reach, in bytes.
constexpr size_t kMostSkipped = 3000;
// How many searches for a literal are remembered.
constexpr size_t kSearches = 251;
// The longest operator's name, and source line in R's messages.
constexpr size_t kMostWord = 80;
constexpr size_t kMostSource = 400;
// How many attempts share scratch memory.
constexpr int kMostUses = 64;
constexpr size_t kNowhere = std::string_view::npos;

// A placeholder of a pattern: <operands tight> is {"operands", kTight}.
struct Placeholder {
  std::string_view name;
  Spelling spelling = Spelling::kAny;
  size_t length = 0;  // in the pattern; 0: none is here
};

Placeholder PlaceholderAt(std::string_view pattern) {
  if (pattern.size() < 3 || pattern[0] != '<') return {};
  if (!IsLetter(pattern[1]) && pattern[1] != '.') return {};
  const size_t end = pattern.find('>');
  if (end == kNowhere) return {};
  Placeholder found{pattern.substr(1, end - 1), Spelling::kAny, end + 1};
  const size_t blank = found.name.find(' ');
  if (blank != kNowhere) {
    const std::string_view spelling = found.name.substr(blank + 1);
    found.name = found.name.substr(0, blank);
    found.spelling = spelling == "tight"    ? Spelling::kTight
                     : spelling == "spaced" ? Spelling::kSpaced
                     : spelling == "square" ? Spelling::kSquare
                     : spelling == "bare"   ? Spelling::kBare
                                            : Spelling::kSingle;
  }
  return found;
}

// The first literal of a row, and what follows.
std::string_view FromLiteral(const Format& format) {
  if (format.pattern[0] != '<') return format.pattern;
  return format.pattern.substr(PlaceholderAt(format.pattern).length);
}

class Matcher {
 public:
  Matcher(const Plain& plain, size_t& work)
      : plain_(plain), text_(plain.text), work_(work) {}

  // The end of the literal at the beginning of a pattern, and how much of the
  // pattern it is; kNowhere and how much fits if it is not at `at`.
  size_t Literal(std::string_view pattern, size_t at, size_t& used) const;

  // Matches a row whose first literal is at `at` and ends at `behind`, which
  // takes `used` of the pattern.
  bool Matches(const Format& format, size_t at, size_t behind, size_t used,
               Arena& arena, Match& match);

  // Whether the arena was used since this was last asked.
  bool TookMemory() {
    const bool took = took_memory_;
    took_memory_ = false;
    return took;
  }

 private:
  size_t Find(std::string_view literal, size_t at, size_t most);
  bool Read(const Placeholder& hole, std::string_view rest, size_t& at,
            Arena& arena, Match& match);
  bool ReadShapesAs(PastedRole role, Spelling spelling, bool several,
                    bool keeps, size_t& at, Arena& arena, Match& match);
  bool ReadRemapped(size_t& at, Arena& arena, Match& match);
  bool ReadInteger(size_t& at, int64_t& value) const;
  bool IsSpelled(Spelling spelling, size_t begin, size_t end,
                 const SymbolicShape& shape, bool several) const;
  char At(size_t at) const { return plain_.At(at); }
  size_t SkipBlanks(size_t at) const;

  const Plain& plain_;
  std::string_view text_;
  size_t& work_;
  bool took_memory_ = false;

  // A search for a part of a pattern: where it was looked for, and found.
  struct Search {
    const char* literal = nullptr;
    size_t begin = 0;
    size_t end = 0;
    bool is_found = false;  // at `end`
  };
  std::array<Search, kSearches> searches_ = {};
};

// Blanks, and what stands at the beginning of a line in pytest's output (E),
// in quotations (>) and in frames (|).
size_t Matcher::SkipBlanks(size_t at) const {
  for (;;) {
    while (at < text_.size() && IsBlank(At(at))) ++at;
    const char c = At(at);
    const bool begins = at > 0 && text_[at - 1] == '\n';
    if (begins && (c == 'E' || c == '>' || c == '|') && At(at + 1) == ' ') {
      ++at;
      continue;
    }
    return at;
  }
}

size_t Matcher::Literal(std::string_view pattern, size_t at,
                        size_t& used) const {
  used = 0;
  while (used < pattern.size()) {
    const char c = pattern[used];
    if (c == '<' && PlaceholderAt(pattern.substr(used)).length > 0) break;
    if (c == ' ') {
      const size_t next = SkipBlanks(at);
      // A blank may be missing at the end of a text, and before a bracket.
      if (next == at && next < text_.size() && text_[next] != '[') {
        return kNowhere;
      }
      at = next;
    } else {
      // A terminal may have ended the line within a word.
      if (At(at) == '\n' && used > 0 && IsWord(pattern[used - 1]) &&
          IsWord(c)) {
        ++at;
      }
      if (At(at) != c || at >= text_.size()) return kNowhere;
      ++at;
    }
    ++used;
  }
  return at;
}

// The first place of a part of a pattern in [at, most]; kNowhere if it is not
// there. What was searched before is not searched again: texts may repeat what
// is before it.
size_t Matcher::Find(std::string_view literal, size_t at, size_t most) {
  Search& search =
      searches_[reinterpret_cast<uintptr_t>(literal.data()) % kSearches];
  const bool is_known = search.literal == literal.data() &&
                        at >= search.begin && at <= search.end;
  if (!is_known) search = {literal.data(), at, at, false};
  while (!search.is_found && search.end <= most) {
    ++work_;
    size_t used = 0;
    const bool may_begin = literal[0] == ' ' || At(search.end) == literal[0];
    if (may_begin && Literal(literal, search.end, used) != kNowhere) {
      search.is_found = true;
    } else {
      ++search.end;
    }
  }
  return search.is_found && search.end <= most ? search.end : kNowhere;
}

bool Matcher::ReadInteger(size_t& at, int64_t& value) const {
  size_t i = at;
  const bool negative = At(i) == '-';
  if (negative) ++i;
  const size_t digits = i;
  value = 0;
  while (IsDigit(At(i)) && i - digits < 18) {
    value = value * 10 + (text_[i++] - '0');
  }
  if (i == digits || IsDigit(At(i))) return false;
  if (negative) value = -value;
  at = i;
  return true;
}

bool Matcher::IsSpelled(Spelling spelling, size_t begin, size_t end,
                        const SymbolicShape& shape, bool several) const {
  const std::string_view text = text_.substr(begin, end - begin);
  const bool has_blank = text.find(' ') != kNowhere;
  const bool has_comma = text.find(',') != kNowhere;
  const size_t rank = shape.extents.size();
  switch (spelling) {
    case Spelling::kAny:
    case Spelling::kBare:
      return true;
    case Spelling::kTight:
      return text[0] == '(' && !has_blank && (rank != 1 || has_comma);
    case Spelling::kSpaced:
      return text[0] == '(' && (rank < 2 || has_blank) &&
             (rank != 1 || has_comma);
    case Spelling::kSquare:
      return text[0] == '[';
    case Spelling::kSingle:
      return text[0] == '(' && !has_blank && (rank == 1 ? !has_comma : several);
  }
  return false;
}

bool Matcher::ReadShapesAs(PastedRole role, Spelling spelling, bool several,
                           bool keeps, size_t& at, Arena& arena, Match& match) {
  ShapeReader reader(plain_, arena);
  List<ShapeInText> read(arena);
  bool has_single = false;
  size_t end = at;
  const auto one = [&](size_t from) -> size_t {
    size_t i = from;
    const size_t before = read.size();
    const char c = At(i);
    if (spelling == Spelling::kBare) {
      if (!IsDigit(c)) {  // rank 0 is empty
        read.Push({});
        read[before].span = plain_.Original(i, i);
        return i;
      }
      if (!reader.ReadBare(i, read, /*one_line=*/true)) return kNowhere;
      if (text_[i - 1] == ',') return kNowhere;
      return i;
    }
    if (spelling == Spelling::kAny && (IsDigit(c) || c == '?')) {
      return reader.ReadBare(i, read, /*one_line=*/true) ? i : kNowhere;
    }
    if (text_.substr(i).starts_with("Shape {")) i += 6;
    size_t name = i;
    while (IsWord(At(name)) || At(name) == '.') ++name;
    if (ClosingOf(At(name)) == 0) return kNowhere;
    if (spelling != Spelling::kAny && name != i) return kNowhere;
    const size_t begin = i;
    if (!reader.ReadBrackets(i, read)) return kNowhere;
    if (spelling == Spelling::kAny) return i;
    for (size_t k = before; k < read.size(); ++k) {
      const SymbolicShape& shape = read[k].shape;
      const bool nested = read.size() > before + 1;
      if (!nested && !IsSpelled(spelling, begin, i, shape, several))
        return kNowhere;
      has_single |= shape.extents.size() == 1;
    }
    return i;
  };
  end = one(at);
  if (end == kNowhere || read.empty()) return false;
  if (!several && read.size() != 1) return false;
  while (several) {
    size_t next = SkipBlanks(end);
    if (At(next) == ',' || At(next) == ';') next = SkipBlanks(next + 1);
    if (text_.substr(next).starts_with("and ")) next = SkipBlanks(next + 3);
    // Who copies a text by hand leaves out the blank: (1014,)(2,).
    if (ClosingOf(At(next)) == 0 || (next == end && At(next) != '(')) {
      size_t name = next;
      while (IsWord(At(name))) ++name;
      const std::string_view word = text_.substr(next, name - next);
      if (next == end || word.empty() || !IsElementType(word) ||
          At(name) != '[') {
        break;
      }
    }
    const size_t before = read.size();
    const size_t behind = one(next);
    if (behind == kNowhere) {
      read.Truncate(before);
      break;
    }
    end = behind;
  }
  if (several && read.size() < 2) return false;
  if (spelling == Spelling::kSingle && several && !has_single) return false;
  work_ += end - at;
  at = end;
  if (!keeps) return true;
  for (const ShapeInText& shape : read.view()) {
    PastedShape pasted;
    pasted.role = role;
    pasted.read = shape;
    match.shapes.Push(pasted);
  }
  return true;
}

// (2,3,4)->(2,newaxis,newaxis) (3,4,5)->(3,newaxis,newaxis), or in [].
bool Matcher::ReadRemapped(size_t& at, Arena& arena, Match& match) {
  size_t i = at;
  size_t count = 0;
  bool is_mapped = false;
  for (;;) {
    size_t next = SkipBlanks(i);
    if (At(next) != '(' && At(next) != '[') break;
    if (!ReadShapesAs(PastedRole::kOperand, Spelling::kAny, false, true, next,
                      arena, match)) {
      break;
    }
    ++count;
    if (text_.substr(next).starts_with("->")) {
      next += 2;
      if (!ReadShapesAs(PastedRole::kOperand, Spelling::kAny, false, false,
                        next, arena, match)) {
        break;
      }
      is_mapped = true;
    }
    i = next;
  }
  at = i;
  return count > 0 && is_mapped;
}

bool Matcher::Read(const Placeholder& hole, std::string_view rest, size_t& at,
                   Arena& arena, Match& match) {
  const std::string_view name = hole.name;
  took_memory_ = true;
  struct Role {
    std::string_view name;
    PastedRole role;
    bool several;
    bool keeps;
  };
  static constexpr Role kRoles[] = {
      {"operand", PastedRole::kOperand, false, true},
      {"operands", PastedRole::kOperand, true, true},
      {"value", PastedRole::kValue, false, true},
      {"target", PastedRole::kTarget, false, true},
      {"output", PastedRole::kOutput, false, true},
      {"broadcast", PastedRole::kBroadcast, false, true},
      {"loss-target", PastedRole::kLossTarget, false, true},
      {"loss-input", PastedRole::kLossInput, false, true},
      {"ignored", PastedRole::kOperand, false, false},
  };
  for (const Role& row : kRoles) {
    if (row.name != name) continue;
    return ReadShapesAs(row.role, hole.spelling, row.several, row.keeps, at,
                        arena, match);
  }
  if (name == "remapped") return ReadRemapped(at, arena, match);
  if (name == "...") {
    const size_t most = std::min(at + kMostSkipped, text_.size());
    if (rest.empty()) return true;
    const size_t found = Find(rest, at, most);
    if (found == kNowhere) return false;
    at = found;
    return true;
  }
  if (name == "size") {
    ShapeReader reader(plain_, arena);
    SymbolicExtent extent;
    if (text_.substr(at).starts_with("Int[")) {  // Pyrefly's Int[N]
      size_t i = at + 4;
      if (!reader.ReadExtent(i, extent) || At(i) != ']') return false;
      at = i + 1;
    } else if (!reader.ReadExtent(at, extent)) {
      return false;
    }
    match.sizes.Push(extent);
    return true;
  }
  if (name == "axis" || name == "axis-right" || name == "axis-own") {
    if (!ReadInteger(at, match.axis)) return false;
    match.axis_counts = name == "axis"       ? PastedAxis::kFromLeftInResult
                        : name == "axis-own" ? PastedAxis::kInOperand
                                             : PastedAxis::kFromRightInResult;
    return true;
  }
  if (name == "rule-axis") {
    match.has_rule_axis = true;
    return ReadInteger(at, match.rule_axis);
  }
  if (name == "number") {
    int64_t number = 0;
    return ReadInteger(at, number);
  }
  if (name == "op") {
    const size_t begin = at;
    while (at < text_.size() && at - begin < kMostWord && !IsBlank(text_[at])) {
      const char c = text_[at];
      if (c == ',' || c == ')' || c == '(' || c == ']' || c == '[' ||
          c == '\'' || c == '"' || c == ':' || (c == '>' && at > begin)) {
        break;
      }
      ++at;
    }
    match.op = text_.substr(begin, at - begin);
    return at > begin;
  }
  if (name == "source") {
    const size_t begin = at;
    const size_t most = std::min(at + kMostSource, text_.size());
    const size_t found = Find(rest, at, most);
    if (found == kNowhere || found == begin) return false;
    match.source = {begin, found};
    at = found;
    return true;
  }
  return false;
}

bool Matcher::Matches(const Format& format, size_t at, size_t behind,
                      size_t used, Arena& arena, Match& match) {
  std::string_view pattern = format.pattern;
  match.format = &format;
  match.piece.begin = at;
  if (const size_t skipped =
          static_cast<size_t>(FromLiteral(format).data() - pattern.data());
      skipped > 0) {
    // <op> before the first literal: the word, or sign, there.
    pattern.remove_prefix(skipped);
    size_t begin = at;
    while (begin > 0 && at - begin < kMostWord && !IsBlank(text_[begin - 1]) &&
           text_[begin - 1] != '(' && text_[begin - 1] != '\'' &&
           text_[begin - 1] != '"') {
      --begin;
    }
    if (begin == at) return false;
    match.op = text_.substr(begin, at - begin);
    match.piece.begin = begin;
  }
  for (at = behind;; at = Literal(pattern, at, used)) {
    ++work_;
    if (at == kNowhere) return false;
    pattern.remove_prefix(used);
    if (pattern.empty()) break;
    const Placeholder hole = PlaceholderAt(pattern);
    pattern.remove_prefix(hole.length);
    // The next literal ends what <...> and <source> read.
    size_t literal = 0;
    while (literal < pattern.size() &&
           (pattern[literal] != '<' ||
            PlaceholderAt(pattern.substr(literal)).length == 0)) {
      ++literal;
    }
    if (!Read(hole, pattern.substr(0, literal), at, arena, match)) return false;
  }
  match.piece.end = at;
  return true;
}

size_t Byte(char c) { return static_cast<unsigned char>(c); }

// The rows by the first character of their first literal.
struct Index {
  std::array<short, 256> first;
  // By the first character, then the second: whether a row begins with both. A
  // blank stands for any second character: it may be missing in a text.
  std::array<std::bitset<256>, 256> begins;
  std::array<std::string_view, kMostFormats> literals;
  std::array<short, kMostFormats> next;
  // How many characters a row begins with as the one before it in its list.
  std::array<unsigned short, kMostFormats> shared = {};

  Index() {
    first.fill(-1);
    const std::span<const Format> rows = AllFormats();
    for (size_t i = rows.size(); i-- > 0;) {
      const std::string_view own = FromLiteral(rows[i]);
      literals[i] = own;
      if (own[1] == ' ') {
        begins[Byte(own[0])].set();
      } else {
        begins[Byte(own[0])].set(Byte(own[1]));
      }
      short& head = first[Byte(own[0])];
      next[i] = head;
      if (head >= 0) {
        const size_t after = static_cast<size_t>(head);
        const auto [end, other] = std::ranges::mismatch(own, literals[after]);
        shared[after] = static_cast<unsigned short>(end - own.begin());
      }
      head = static_cast<short>(i);
    }
  }
};

// Whether the text has a row's context, which is looked for once.
enum class Context : unsigned char { kUnknown, kIsHere, kIsNot };

bool HasContext(std::string_view text, const Format& format,
                std::span<Context> contexts) {
  if (format.context.empty()) return true;
  Context& context =
      contexts[static_cast<size_t>(&format - AllFormats().data())];
  if (context == Context::kUnknown) {
    context = text.find(format.context) != std::string_view::npos
                  ? Context::kIsHere
                  : Context::kIsNot;
  }
  return context == Context::kIsHere;
}

struct Candidate {
  const Format* format = nullptr;
  size_t at = 0;
  Piece piece;
  int worth = -1;
  bool is_chained = false;  // behind another exception, which it replaced
};

bool IsBetter(const Candidate& a, const Candidate& b) {
  if (b.format == nullptr) return true;
  // What Python printed before it was handled.
  if (a.is_chained && !b.is_chained && a.worth > 0) return true;
  // What lies within another text is part of it.
  if (a.piece.begin >= b.piece.begin && a.piece.end <= b.piece.end &&
      a.worth <= b.worth) {
    return false;
  }
  return a.worth >= b.worth;
}

}  // namespace

bool FindMatch(const Plain& plain, Arena& arena, Match& match) {
  const std::string_view text = plain.text;
  const std::span<const Format> rows = AllFormats();
  const Index index;
  Arena scratch(arena.allocator());
  size_t work = 0;
  const size_t most_work = 64 * text.size() + 1'000'000;
  Matcher matcher(plain, work);
  std::array<Context, kMostFormats> contexts{};
  Candidate best;
  // Of a chain of exceptions, the last one ended the program.
  constexpr std::string_view kChained =
      "During handling of the above exception, another exception occurred";
  const size_t last_chained = text.rfind(kChained);
  int uses = 0;        // of the scratch memory
  size_t cleared = 0;  // the work at which it is cleared
  for (size_t at = 0; at < text.size() && work < most_work; ++at) {
    // The literal of the row before: its end in the text, or kNowhere, and how
    // much of it is there. Rows that begin with the same words, of which there
    // are many, are compared with the text once.
    size_t behind = kNowhere;
    size_t used = 0;
    const size_t begin = Byte(text[at]);
    if (at + 1 < text.size() && !index.begins[begin][Byte(text[at + 1])]) {
      continue;
    }
    for (short i = index.first[begin]; i >= 0;
         i = index.next[static_cast<size_t>(i)]) {
      const Format& format = rows[static_cast<size_t>(i)];
      const std::string_view pattern = index.literals[static_cast<size_t>(i)];
      const size_t shared = index.shared[static_cast<size_t>(i)];
      const bool is_first = i == index.first[begin];
      const bool fails_alike = behind == kNowhere && shared > used;
      if (!is_first && fails_alike) continue;
      if (is_first || behind == kNowhere || shared <= used) {
        // Most differ in the second byte.
        used = 1;
        const bool may_match = at + 1 >= text.size() || pattern[1] == ' ' ||
                               pattern[1] == text[at + 1];
        behind = may_match ? matcher.Literal(pattern, at, used) : kNowhere;
        ++work;
      }
      if (behind == kNowhere) continue;
      Match probe(scratch);
      const bool matches =
          matcher.Matches(format, at, behind, used, scratch, probe);
      const bool is_here = matches && HasContext(text, format, contexts);
      const int worth = !probe.shapes.empty()  ? 2
                        : !probe.sizes.empty() ? 1
                                               : 0;
      const Piece piece = probe.piece;
      // Giving memory back takes longer than most attempts.
      if (matcher.TookMemory() && (++uses == kMostUses || work > cleared)) {
        KeepRefusal(scratch, arena);
        scratch.Clear();
        uses = 0;
        cleared = work + kMostSkipped;
      }
      if (!is_here) continue;
      const Candidate candidate{
          &format, at, piece, worth,
          last_chained != std::string_view::npos && at > last_chained};
      if (IsBetter(candidate, best)) best = candidate;
      break;
    }
  }
  KeepRefusal(scratch, arena);
  if (plain.steps != nullptr) *plain.steps += work;
  if (best.format == nullptr) return false;
  size_t used = 0;
  const size_t behind =
      matcher.Literal(FromLiteral(*best.format), best.at, used);
  return matcher.Matches(*best.format, best.at, behind, used, arena, match);
}

}  // namespace v1
}  // namespace broadloom
