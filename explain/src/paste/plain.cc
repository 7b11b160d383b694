#include "paste/plain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr char32_t kInvalid = 0xffffffff;

// Decodes the character at the front; `length` is 1 for an invalid byte.
char32_t Decode(std::string_view text, size_t& length) {
  const auto byte = [&](size_t i) -> uint32_t {
    return static_cast<unsigned char>(text[i]);
  };
  length = 1;
  const uint32_t first = byte(0);
  if (first < 0x80) return first;
  size_t count = 0;
  if (first >= 0xc2 && first <= 0xdf) count = 2;
  if (first >= 0xe0 && first <= 0xef) count = 3;
  if (first >= 0xf0 && first <= 0xf4) count = 4;
  if (count == 0 || text.size() < count) return kInvalid;
  char32_t character = first & (0x7fu >> count);
  for (size_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return kInvalid;
    character = character << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t kLeast[] = {0x80, 0x800, 0x10000};
  if (character < kLeast[count - 2] || character > 0x10ffff ||
      (character >= 0xd800 && character <= 0xdfff)) {
    return kInvalid;
  }
  length = count;
  return character;
}

// What a character is read as: an ASCII text, nothing (a character without
// width), or itself (null).
const char* Replacement(char32_t c) {
  if (c >= 0x2000 && c <= 0x200a) return " ";
  // They turn the direction of a text.
  if ((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069)) return "";
  switch (c) {
    case 0xa0:
    case 0x1680:
    case 0x202f:
    case 0x205f:
    case 0x3000:
      return " ";
    case 0x2028:
    case 0x2029:
    case 0x85:
      return "\n";
    case 0x200b:
    case 0x200c:
    case 0x200d:
    case 0x200e:
    case 0x200f:
    case 0x2060:
    case 0x61c:
    case 0xfeff:
    case 0xad:
      return "";
    case 0xd7:
    case 0x2715:
    case 0x2a2f:
      return "x";
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212:
    case 0xfe63:
      return "-";
    case 0x2018:
    case 0x2019:
    case 0x201a:
    case 0x2032:
      return "'";
    case 0x201c:
    case 0x201d:
    case 0x201e:
    case 0x2033:
      return "\"";
    case 0x2026:
      return "...";
    case 0x3001:
    case 0x060c:
      return ",";
    case 0x2192:
      return "->";
    case 0x2264:
      return "<=";
    case 0x27e8:
    case 0x3008:
      return "<";
    case 0x27e9:
    case 0x3009:
      return ">";
    case 0x2502:
    case 0x2503:  // the frames around messages
      return "|";
    default:
      return nullptr;
  }
}

// The length of the escape sequence of a terminal at the front: ESC [ ... m.
size_t EscapeLength(std::string_view text) {
  if (text.size() < 2 || text[0] != '\x1b' || text[1] != '[') return 0;
  for (size_t i = 2; i < text.size() && i < 32; ++i) {
    if (text[i] >= '@' && text[i] <= '~') return i + 1;
    if (!IsDigit(text[i]) && text[i] != ';') return 0;
  }
  return 0;
}

// A part of a text that stands for one character, or for none.
struct Escape {
  size_t length = 0;  // 0: there is none
  char letter = 0;    // 0: it stands for nothing
};

// HTML, as mails and web pages have it: entities, line breaks, and the tags
// that only change how a text looks.
Escape HtmlAt(std::string_view text) {
  struct Entity {
    std::string_view name;
    char letter;
  };
  constexpr Entity kEntities[] = {
      {"&#39;", '\''}, {"&#x27;", '\''}, {"&apos;", '\''}, {"&quot;", '"'},
      {"&#34;", '"'},  {"&lt;", '<'},    {"&gt;", '>'},    {"&amp;", '&'},
      {"&nbsp;", ' '}, {"&#10;", '\n'},  {"<br>", ' '},    {"<br/>", ' '},
      {"<br />", ' '},
  };
  // Most texts differ in the second byte.
  if (text.size() < 2) return {};
  for (const Entity& entity : kEntities) {
    if (text[1] == entity.name[1] && text.starts_with(entity.name)) {
      return {entity.name.size(), entity.letter};
    }
  }
  const size_t name = text[1] == '/' ? 2 : 1;
  if (text[0] != '<' || name >= text.size()) return {};
  constexpr std::string_view kTags[] = {"b",   "i",    "p",    "em",    "pre",
                                        "div", "code", "span", "strong"};
  for (const std::string_view tag : kTags) {
    if (text[name] != tag[0] || !text.substr(name).starts_with(tag)) continue;
    const size_t end = name + tag.size();
    if (end < text.size() && text[end] == '>') return {end + 1, 0};
    if (end >= text.size() || text[end] != ' ') continue;
    const size_t close = text.substr(0, end + 200).find_first_of("<>\n", end);
    if (close != std::string_view::npos && text[close] == '>') {
      return {close + 1, 0};
    }
  }
  return {};
}

// What a string of JSON or Python has for other characters.
Escape BackslashAt(std::string_view text) {
  if (text.size() < 2) return {};
  switch (text[1]) {
    case 'n':
      return {2, '\n'};
    case 't':
      return {2, '\t'};
    case 'r':
      return {2, 0};
    case '"':
    case '\'':
    case '/':
    case '\\':
      return {2, text[1]};
    default:
      break;
  }
  // Colours of a terminal.
  for (const std::string_view escape : {"\\u001b[", "\\x1b[", "\\033["}) {
    if (!text.starts_with(escape)) continue;
    size_t end = escape.size();
    while (end < text.size() && (IsDigit(text[end]) || text[end] == ';')) ++end;
    if (end < text.size() && end < 40) return {end + 1, 0};
  }
  return {};
}

// Whether a line is a string of JSON or Python, in which \n is a line end. A
// path of Windows has single backslashes, too.
bool IsEscaped(std::string_view line, bool is_only_line) {
  if (Trim(line).starts_with("File \"")) return false;
  size_t ends = 0;
  for (size_t at = line.find('\\'); at != std::string_view::npos;
       at = line.find('\\', at + 2)) {
    const char next = at + 1 < line.size() ? line[at + 1] : '\0';
    if (next == '"') return true;
    ends += next == 'n';
  }
  return ends > 1 || (is_only_line && ends > 0);
}

size_t DigitsAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - at;
}

// The length of a date and time, and the blank behind it: 2026-01-31
// 12:00:00,123. Further blanks are the line's own.
size_t TimeLength(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00 00:00:00";
  const size_t begin = text.starts_with('[') ? 1 : 0;
  if (text.size() < begin + kForm.size()) return 0;
  for (size_t i = 0; i < kForm.size(); ++i) {
    const char c = text[begin + i];
    const bool fits = kForm[i] == '0'   ? IsDigit(c)
                      : kForm[i] == ' ' ? c == ' ' || c == 'T'
                                        : c == kForm[i];
    if (!fits) return 0;
  }
  size_t at = begin + kForm.size();
  const auto is = [&](char c) { return at < text.size() && text[at] == c; };
  if (is('.') || is(',')) at += 1 + DigitsAt(text, at + 1);
  if (is('Z')) {
    ++at;
  } else if (is('+') || is('-')) {
    at += 1 + DigitsAt(text, at + 1);
    if (is(':')) at += 1 + DigitsAt(text, at + 1);
  }
  if (begin > 0 && !is(']')) return 0;
  at += begin;
  return is(' ') ? at + 1 : 0;
}

// The length of what stands before each line of a log: times, the rank of a
// process ([rank0]:) and the name of a container (web_1  | ).
size_t PrefixLength(std::string_view text) {
  if (text.starts_with("[rank")) {
    const size_t digits = DigitsAt(text, 5);
    if (digits > 0 && text.substr(5 + digits).starts_with("]:")) {
      const size_t end = 5 + digits + 2;
      return end + (end < text.size() && text[end] == ' ' ? 1 : 0);
    }
  }
  if (const size_t time = TimeLength(text); time > 0) return time;
  size_t name = 0;
  while (name < text.size() && name < 64 &&
         (IsWord(text[name]) || text[name] == '-' || text[name] == '.')) {
    ++name;
  }
  size_t digits = 0;
  while (digits < name && IsDigit(text[name - digits - 1])) ++digits;
  const bool is_container =
      digits > 0 && digits < name &&
      (text[name - digits - 1] == '-' || text[name - digits - 1] == '_');
  size_t bar = name;
  while (bar < text.size() && bar < name + 64 && text[bar] == ' ') ++bar;
  return is_container && bar >= name + 2 && text.substr(bar).starts_with("| ")
             ? bar + 2
             : 0;
}

// Whether each line begins with >, as in an answer to a mail.
bool IsQuotation(std::string_view text) {
  if (!text.starts_with('>') || text.starts_with(">>")) return false;
  size_t lines = 0;
  for (size_t begin = 0; begin < text.size();) {
    if (text[begin] != '>' && text[begin] != '\n' && text[begin] != '\r') {
      return false;
    }
    ++lines;
    begin = std::min(text.find('\n', begin), text.size()) + 1;
  }
  return lines > 1;
}

// Arrows, mathematical operators, lines, pictures: what no language has in its
// words.
bool IsSign(char32_t character) {
  return (character >= 0x2190 && character <= 0x2bff) ||
         (character >= 0x1f000 && character <= 0x1faff);
}

// A replacement is at most as long as the character in UTF-8.
template <class Put>
void EachByte(std::string_view text, Put put) {
  const bool is_quotation = IsQuotation(text);
  const bool is_only_line = Trim(text).find('\n') == std::string_view::npos;
  bool begins = true;  // a line, perhaps within a string
  bool is_escaped = false;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (at == 0 || text[at - 1] == '\n') {
      is_escaped = IsEscaped(rest.substr(0, rest.find('\n')), is_only_line);
      begins = true;
    }
    if (begins) {
      begins = false;
      size_t skipped = is_quotation && rest[0] == '>' ? 1 : 0;
      if (skipped > 0 && rest.size() > 1 && rest[1] == ' ') ++skipped;
      for (size_t more = 1; more > 0; skipped += more) {
        more = PrefixLength(rest.substr(skipped));
      }
      if (skipped > 0) {
        at += skipped;
        continue;
      }
    }
    if (const size_t escape = EscapeLength(rest); escape > 0) {
      at += escape;
      continue;
    }
    Escape written;
    if (rest[0] == '&' || rest[0] == '<') written = HtmlAt(rest);
    if (rest[0] == '\\' && is_escaped) written = BackslashAt(rest);
    if (written.length > 0) {
      if (written.letter != 0) {
        put(written.letter, at, at + written.length);
      }
      begins = written.letter == '\n';
      at += written.length;
      continue;
    }
    size_t length = 1;
    const char32_t character = Decode(rest, length);
    const size_t end = at + length;
    // U+FFFD stands for what could not be decoded.
    if (character == kInvalid || character == 0xfffd ||
        (character >= 0x7f && character < 0xa0 && character != 0x85) ||
        (character < ' ' && !IsBlank(static_cast<char>(character)))) {
      put(kJunk, at, end);
    } else if (character >= 0xff01 && character <= 0xff5e) {  // full width
      put(static_cast<char>(character - 0xff01 + '!'), at, end);
    } else if ((character >= 0x660 && character <= 0x669) ||
               (character >= 0x6f0 && character <= 0x6f9)) {  // Arabic digits
      put(static_cast<char>((character & 0xf) + '0'), at, end);
    } else if (const char* ascii =
                   character < 0x80 ? nullptr : Replacement(character)) {
      for (; *ascii != 0; ++ascii) put(*ascii, at, end);
    } else if (IsSign(character)) {
      put(kJunk, at, end);
    } else {
      for (size_t i = 0; i < length; ++i) put(rest[i], at, end);
    }
    at = end;
  }
}

}  // namespace

Plain MakePlain(std::string_view text, Arena& arena) {
  const std::span<char> letters = arena.Make<char>(text.size());
  const std::span<uint32_t> from = arena.Make<uint32_t>(text.size() + 1);
  const std::span<uint32_t> to = arena.Make<uint32_t>(text.size() + 1);
  if (arena.refused()) return {};
  size_t size = 0;
  EachByte(text, [&](char letter, size_t begin, size_t end) {
    letters[size] = letter;
    from[size] = static_cast<uint32_t>(begin);
    to[size] = static_cast<uint32_t>(end);
    ++size;
  });
  from[size] = static_cast<uint32_t>(text.size());
  to[size] = static_cast<uint32_t>(text.size());
  return {.text = {letters.data(), size},
          .from = from.first(size + 1),
          .to = to.first(size + 1)};
}

}  // namespace v1
}  // namespace broadloom
