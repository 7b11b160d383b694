#include "paste/lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/symbolic_shape.h"
#include "paste/formats.h"
#include "paste/match.h"
#include "paste/plain.h"
#include "paste/shapes.h"
#include "paste/source.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Longer lines are data. Lines of a shape each are this near to each other.
constexpr size_t kMostLine = 3000;
constexpr size_t kMostBetween = 3;
// How far from an error, in bytes, its shapes are looked for, and how many of
// them are compared.
constexpr size_t kMostBeside = 20'000;
constexpr size_t kMostCompared = 64;
// The longest name before a bracket, and of an extent in an unknown notation.
constexpr size_t kMostName = 80;
constexpr size_t kMostSymbol = 8;

constexpr std::string_view kShapeWords[] = {
    "shape", "Shape",    "size",     "Size",        "broadcast",   "dimension",
    "dims",  "mismatch", "Mismatch", "ncompatible", "nonconforma", "xpected"};
constexpr std::string_view kPrintWords[] = {"shape", "Shape", "size", "Size",
                                            "dims"};
constexpr std::string_view kErrorWords[] = {"rror",    "ismatch", "ncompatible",
                                            "annot",   "nvalid",  "different",
                                            "xpected", "must"};

template <size_t kCount>
bool HasOneOf(std::string_view line, const std::string_view (&words)[kCount]) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return line.find(word) != std::string_view::npos;
  });
}

// Calls visit(begin, end) for each line in [from, to).
template <class Visit>
void EachLine(std::string_view text, size_t from, size_t to, Visit visit) {
  for (size_t begin = from; begin < to;) {
    const size_t end = std::min(text.find('\n', begin), to);
    visit(begin, end);
    begin = end + 1;
  }
}

// 2x3x4, and no part of a longer word. Returns its end, or `at`.
size_t ProductEnd(std::string_view text, size_t at, size_t end) {
  if (at > 0 && (IsWord(text[at - 1]) || text[at - 1] == '.')) return at;
  size_t i = at;
  size_t parts = 0;
  for (;;) {
    const size_t digits = i;
    while (i < end && IsDigit(text[i])) ++i;
    if (i == digits) return at;
    ++parts;
    if (i >= end || text[i] != 'x') break;
    ++i;
  }
  return parts > 1 && (i == end || !IsWord(text[i])) ? i : at;
}

// A shape with symbols has an extent that is known, (n, 3), or capitals alone,
// (N, C).
bool IsPlausible(const ShapeInText& shape) {
  bool has_known = false;
  bool are_capitals = true;
  for (const SymbolicExtent& extent : shape.shape.extents) {
    const std::string_view name = extent.name;
    if (name.size() > kMostSymbol) return false;
    has_known |= extent.is_known();
    are_capitals &= name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z';
  }
  return has_known || are_capitals;
}

// The word that ends at a place of a line, which begins at `begin`.
std::string_view WordBefore(std::string_view text, size_t begin, size_t at) {
  size_t word = at;
  while (word > begin && at - word < kMostName && IsWord(text[word - 1])) {
    --word;
  }
  return text.substr(word, at - word);
}

// Whether a bracket is that of a call, ones(2, 3) or ones([2, 3]), but not of
// torch.Size([2, 3]) or print([2, 3]).
bool IsOfCall(std::string_view text, size_t begin, size_t bracket) {
  const bool is_inner = bracket > begin && text[bracket - 1] == '(';
  const std::string_view name =
      WordBefore(text, begin, is_inner ? bracket - 1 : bracket);
  return !name.empty() && !IsElementType(name) && !name.ends_with("Size") &&
         !name.ends_with("Shape") && name != "print";
}

// Whether a shape may begin at a bracket. Those of a subscript, a[0], are none,
// but those of a type are: f32[2,3]. () is one, but not that of a call.
bool MayOpen(std::string_view text, size_t begin, size_t bracket, char next) {
  const char c = text[bracket];
  const bool is_number = IsDigit(next) || next == '?';
  if (c == '<') return is_number;
  if (ClosingOf(c) == 0) return false;
  const std::string_view name = WordBefore(text, begin, bracket);
  if (is_number) return c == '(' || name.empty() || IsElementType(name);
  return c != '{' && name.empty() && (next == ClosingOf(c) || IsLetter(next));
}

// Reads the shapes on a line, [begin, end): in brackets, or as 2x3. Returns how
// much of the line they are.
size_t ReadLine(std::string_view text, size_t begin, size_t end,
                bool takes_calls, ShapeReader& reader,
                List<ShapeInText>& shapes) {
  size_t read = 0;
  for (size_t i = begin; i < end;) {
    const char next = i + 1 < end ? text[i + 1] : '\0';
    const size_t before = shapes.size();
    size_t at = i;
    bool is_shape = false;
    if (IsDigit(text[i])) {
      is_shape = ProductEnd(text, i, end) > i &&
                 reader.ReadBare(at, shapes, /*one_line=*/true);
    } else if (MayOpen(text, begin, i, next) &&
               (takes_calls || !IsOfCall(text, begin, i))) {
      is_shape = reader.ReadBrackets(at, shapes) &&
                 (!IsLetter(next) ||
                  (shapes.size() == before + 1 && IsPlausible(shapes[before])));
    }
    if (is_shape && at <= end) {
      read += at - i;
      i = at;
    } else {
      shapes.Truncate(before);
      ++i;
    }
  }
  return read;
}

}  // namespace

bool FindAnyShapes(const Plain& plain, Arena& arena, Match& match) {
  const std::string_view text = plain.text;
  Piece best;
  std::string_view kind;
  Piece pair;                 // two lines, each with a shape
  std::optional<size_t> one;  // where a line with one shape begins
  size_t one_line = 0;        // its number
  size_t line_number = 0;
  std::optional<size_t> said;  // the last line with a word for an error
  EachLine(text, 0, text.size(), [&](size_t begin, size_t end) {
    const std::string_view line = text.substr(begin, end - begin);
    ++line_number;
    if (line.size() > kMostLine) return;
    const bool is_error = HasOneOf(line, kErrorWords);
    if (is_error && HasOneOf(line, kShapeWords)) said = line_number;
    const std::string_view own_kind = is_error ? KindInLine(line) : "";
    const bool is_near = said && line_number - *said <= kMostBetween;
    if (!is_near && own_kind.empty() && !HasOneOf(line, kShapeWords)) return;
    Arena scratch(arena.allocator());
    List<ShapeInText> read(scratch);
    ShapeReader reader(plain, scratch);
    ReadLine(text, begin, end, /*takes_calls=*/true, reader, read);
    KeepRefusal(scratch, arena);
    const bool names = HasOneOf(line, kShapeWords);
    if (names && read.size() >= 2) {
      best = {begin, end};
      kind = KindInLine(line);
    } else if (!own_kind.empty() && read.size() == 1) {
      best = {begin, end};
      kind = own_kind;
    }
    if (read.size() != 1 || !is_near) return;
    if (one && line_number - one_line <= kMostBetween) pair = {*one, end};
    one = begin;
    one_line = line_number;
  });
  if (best.empty()) best = pair;
  if (best.empty()) return false;
  ShapeReader reader(plain, arena);
  List<ShapeInText> read(arena);
  EachLine(text, best.begin, best.end, [&](size_t begin, size_t end) {
    ReadLine(text, begin, end, /*takes_calls=*/true, reader, read);
  });
  for (const ShapeInText& shape : read.view()) {
    PastedShape pasted;
    pasted.read = shape;
    match.shapes.Push(pasted);
  }
  match.kind = kind;
  match.piece = best;
  return true;
}

namespace {

struct LineCandidate {
  ShapeInText read;
  size_t distance;
};

// The extent at a place from the right; nothing where there is none, or it is
// not known.
std::optional<int64_t> ExtentAt(const SymbolicShape& shape, size_t back) {
  const std::span<const SymbolicExtent> extents = shape.extents;
  if (back >= extents.size()) return std::nullopt;
  const SymbolicExtent& extent = extents[extents.size() - 1 - back];
  return extent.is_known() ? std::optional(extent.least) : std::nullopt;
}

// Whether two shapes have these extents on the axis that the match names, or on
// any if it names none. Without extents: whether they conflict.
bool Has(const Match& match, const SymbolicShape& a, const SymbolicShape& b) {
  const size_t rank = std::max(a.extents.size(), b.extents.size());
  for (size_t back = 0; back < rank; ++back) {
    const auto x = ExtentAt(a, back);
    const auto y = ExtentAt(b, back);
    if (!x || !y) continue;
    if (match.sizes.empty()) {
      if (*x != *y && *x != 1 && *y != 1) return true;
      continue;
    }
    const int64_t first = match.sizes[0].least;
    const int64_t second = match.sizes[1].least;
    const int64_t axis = match.axis;
    const int64_t place = static_cast<int64_t>(back);
    bool is_here = true;
    bool is_ordered = true;
    switch (match.axis_counts) {
      case PastedAxis::kFromLeftInResult:
        is_here = static_cast<int64_t>(rank) - 1 - place == axis;
        break;
      case PastedAxis::kFromRightInResult:
        is_here = place == (axis < 0 ? -axis - 1 : axis);
        break;
      case PastedAxis::kInOperand:
      case PastedAxis::kNoAxis:
        is_ordered = false;
        break;
    }
    if (!is_here) continue;
    if (*x == first && *y == second) return true;
    if (!is_ordered && *x == second && *y == first) return true;
  }
  return false;
}

}  // namespace

bool FindShapesBeside(const Plain& plain, Arena& arena, Match& match) {
  const bool has_sizes = match.sizes.size() == 2 && match.sizes[0].is_known() &&
                         match.sizes[1].is_known();
  if (!match.shapes.empty() || (!match.sizes.empty() && !has_sizes)) {
    return false;
  }
  const std::string_view text = plain.text;
  const Piece message = match.piece;
  const size_t from =
      message.begin > kMostBeside ? message.begin - kMostBeside : 0;
  const size_t to = std::min(text.size(), message.end + kMostBeside);
  List<LineCandidate> found(arena);
  EachLine(text, from, to, [&](size_t begin, size_t end) {
    if (end - begin > kMostLine) return;
    const bool is_message = begin < message.end && message.begin < end;
    const std::string_view line = text.substr(begin, end - begin);
    List<ShapeInText> read(arena);
    ShapeReader reader(plain, arena);
    const size_t covered =
        ReadLine(text, begin, end, /*takes_calls=*/false, reader, read);
    // What print() wrote: shapes, with hardly a letter besides.
    const auto letters = std::ranges::count_if(line, IsLetter);
    const bool is_printed = 3 * static_cast<size_t>(letters) < covered;
    if (!is_printed && !HasOneOf(line, kPrintWords)) return;
    for (const ShapeInText& shape : read.view()) {
      const bool is_known =
          !shape.shape.has_unknown_rank && !shape.shape.extents.empty();
      const TextSpan own = plain.Original(message.begin, message.end);
      const bool is_inside = is_message && shape.span.begin >= own.begin &&
                             shape.span.end <= own.end;
      if (!is_known || is_inside) continue;
      const bool is_before = end <= message.begin;
      const size_t distance =
          is_before ? own.begin - shape.span.begin
                    : shape.span.begin - std::min(shape.span.begin, own.begin);
      found.Push({shape, distance});
    }
  });
  std::ranges::sort(found.view(), {}, &LineCandidate::distance);
  if (found.size() > kMostCompared) found.Truncate(kMostCompared);
  if (!has_sizes && found.size() != 2) return false;
  const LineCandidate* first = nullptr;
  const LineCandidate* second = nullptr;
  for (const LineCandidate& a : found.view()) {
    for (const LineCandidate& b : found.view()) {
      if (&a == &b || !Has(match, a.read.shape, b.read.shape)) continue;
      const bool is_nearer =
          first == nullptr || std::max(a.distance, b.distance) <
                                  std::max(first->distance, second->distance);
      if (!is_nearer) continue;
      first = &a;
      second = &b;
    }
  }
  if (first == nullptr) return false;
  // Where the extents say nothing about it, the order is that of the text.
  const bool is_ordered = match.axis_counts == PastedAxis::kFromLeftInResult ||
                          match.axis_counts == PastedAxis::kFromRightInResult;
  if (!is_ordered && first->read.span.begin > second->read.span.begin) {
    std::swap(first, second);
  }
  for (const LineCandidate* each : {first, second}) {
    PastedShape pasted;
    pasted.read = each->read;
    match.shapes.Push(pasted);
  }
  return true;
}

}  // namespace v1
}  // namespace broadloom
