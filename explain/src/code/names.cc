#include "code/names.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Reserved words and predefined names of the languages, macros of C++'s
// headers, and the names that the texts import, each between spaces. Other
// names that a text uses are not listed: they are read from the text.
constexpr std::string_view kTaken =
    " abs aiter alert alignas alignof all and and_eq anext any"
    " arguments array as ascii asm assert async atomic_cancel"
    " atomic_commit atomic_noexcept auto await bin bitand bitor bl blur"
    " bool box break breakpoint bytearray bytes callable case catch"
    " cdef char char16_t char32_t char8_t chr class classmethod close"
    " closed co_await co_return co_yield compile compl complex concept"
    " confirm console const const_cast consteval constexpr constinit"
    " continue copyright credits crypto data debugger decltype def"
    " default del delattr delete dict dir divmod do document double"
    " dynamic_cast elif else enum enumerate errno eval event except"
    " exec exit explicit export exports extends extern external false"
    " fetch filter final finally find float focus for format frames"
    " friend from frozenset function get getattr global globals goto"
    " graph hasattr hash help helper hex history i386 id if implements"
    " import in inline input inputs instanceof int interface is"
    " isinstance issubclass iter jax jnp lambda len length let license"
    " linux list load locals location long main major makedev map match"
    " math max memoryview menubar min minor module mutable name"
    " namespace native navigator new next noexcept none nonlocal not"
    " not_eq np null nullptr object oct of onnx open opener operator"
    " ops or or_eq ord origin out outputs outs ov package parent pass"
    " performance plan pow print private process program prompt"
    " property protected public quit raise ran range reflexpr register"
    " reinterpret_cast repr require requires result return reversed"
    " round screen self set setattr shape shapes short signed size"
    " sizeof slice sorted static static_assert static_cast staticmethod"
    " status std stderr stdin stdout stop str struct sum super switch"
    " synchronized template tf this thread_local throw top torch true"
    " try tuple type typedef typeid typename typeof types undefined"
    " union unix unsigned using value var vars virtual void volatile"
    " wchar_t while window with xor xor_eq yield zip ";

constexpr size_t kLongestName = 31;

// The letters and digits of `name` in lower case, joined by _ where anything
// else is between them; at most one more than the longest variable has.
std::string_view Plain(std::string_view name, Arena& arena) {
  // The two characters beyond ASCII whose lower case has an ASCII letter.
  constexpr std::string_view kKelvin = "\xE2\x84\xAA";
  constexpr std::string_view kDottedI = "\xC4\xB0";
  Text plain(arena);
  bool is_apart = false;
  const auto put = [&](char letter) {
    if (is_apart && !plain.empty()) plain << '_';
    is_apart = false;
    plain << letter;
  };
  while (!name.empty() && plain.size() <= kLongestName) {
    const char c = name[0];
    size_t length = 1;
    if (c >= 'A' && c <= 'Z') {
      put(static_cast<char>(c - 'A' + 'a'));
    } else if (IsAsciiWord(c) && c != '_') {
      put(c);
    } else if (name.starts_with(kKelvin)) {
      put('k');
      length = kKelvin.size();
    } else if (name.starts_with(kDottedI)) {
      put('i');
      is_apart = true;  // a combining dot
      length = kDottedI.size();
    } else {
      is_apart = true;
    }
    name.remove_prefix(length);
  }
  return plain.view();
}

// The word of kTaken that `place` is in, or behind which it is.
constexpr std::string_view TakenAt(size_t place) {
  const size_t begin = kTaken.rfind(' ', place) + 1;
  return kTaken.substr(begin, kTaken.find(' ', begin) - begin);
}

constexpr bool AreInOrder() {
  std::string_view before;
  for (size_t at = 1; at < kTaken.size(); at += before.size() + 1) {
    const std::string_view word = TakenAt(at);
    if (word <= before) return false;
    before = word;
  }
  return true;
}
static_assert(AreInOrder());

bool IsTaken(std::string_view word) {
  size_t low = 0;
  size_t high = kTaken.size() - 2;  // within the last word
  while (low <= high) {
    const std::string_view found = TakenAt(low + (high - low) / 2);
    if (found == word) return true;
    const size_t begin = static_cast<size_t>(found.data() - kTaken.data());
    if (found < word) {
      low = begin + found.size() + 1;
    } else if (begin < 2) {
      return false;
    } else {
      high = begin - 2;
    }
  }
  return false;
}

std::string_view Joined(std::string_view variable, std::string_view ending,
                        Arena& arena) {
  Text word(arena);
  word << variable << ending;
  return word.view();
}

}  // namespace

bool Words::Has(std::string_view word) const {
  return std::ranges::find(words_.view(), word) != words_.view().end();
}

std::span<const std::string_view> Variables(
    std::span<const std::string_view> names, const Words& words,
    std::span<const std::string_view> endings, Arena& arena) {
  // Whether no word of the variable's family passes `test`.
  const auto none = [&](std::string_view variable, auto test) {
    return std::ranges::none_of(endings, [&](std::string_view ending) {
      return test(Joined(variable, ending, arena));
    });
  };
  Words seen(arena);
  const auto see = [&](std::string_view variable) {
    for (const std::string_view ending : endings) {
      seen.Add(Joined(variable, ending, arena));
    }
  };
  // The replacements are reserved first, so that no later name takes one.
  List<std::string_view> instead(arena);
  for (size_t i = 0; i < names.size(); ++i) {
    Text variable(arena);
    variable << 'x' << i;
    while (!arena.refused() &&
           !none(variable.view(),
                 [&](std::string_view word) { return words.Has(word); })) {
      variable << '_';
    }
    instead.Push(variable.view());
  }
  if (arena.refused()) return {};
  for (const std::string_view variable : instead) see(variable);
  List<std::string_view> variables(arena);
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string_view plain = Plain(names[i], arena);
    const bool is_number = plain.size() > 1 && plain[0] == 'x' &&
                           std::ranges::all_of(plain.substr(1), IsDigit);
    const bool is_own =
        !plain.empty() && !IsDigit(plain[0]) && plain.size() <= kLongestName &&
        !is_number && none(plain, [&](std::string_view word) {
          return IsTaken(word) || words.Has(word) || seen.Has(word);
        });
    const std::string_view variable = is_own ? plain : instead[i];
    variables.Push(variable);
    see(variable);
  }
  return variables.view();
}

}  // namespace v1
}  // namespace broadloom
