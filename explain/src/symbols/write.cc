// Texts of a symbolic alignment: faults, conditions, shapes, JSON.

#include "symbols/write.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "base/json.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/result.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

void WriteRange(Text& text, int64_t least, int64_t most) {
  if (least == most) {
    text << least;
  } else if (least == 0 && most == kUnbounded) {
    text << '?';
  } else {
    text << least << "..";
    if (most != kUnbounded) text << most;
  }
}

constexpr std::string_view kPythonWords[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break",
    "class", "continue", "def", "del", "elif", "else", "except", "for",
    "finally", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
    "yield",
    // Names of the lines that are written.
    "torch", "target", "jax"};

// Whether a name can be assigned in Python and is no operand's.
bool IsPythonName(std::string_view name) {
  if (name.empty() || !IsAsciiLetter(name[0])) return false;
  if (!std::ranges::all_of(name, IsAsciiWord)) return false;
  if (std::ranges::find(kPythonWords, name) != std::end(kPythonWords)) {
    return false;
  }
  // a to z, x26: the operands.
  if (name.size() == 1 && name[0] >= 'a') return false;
  return name[0] != 'x' || name.size() == 1 ||
         !std::ranges::all_of(name.substr(1), IsDigit);
}

// The name of an operand in Python: a, b, ..., z, x26, ...
void WriteOperand(Text& text, int32_t operand) {
  if (operand == kTargetOperand) {
    text << "target";
  } else if (operand < 26) {
    text << static_cast<char>('a' + operand);
  } else {
    text << 'x' << operand;
  }
}

// Where a symbol is in the operands: a.shape[0], target[1].
void WritePlace(Text& text, const SymbolInfo& symbol) {
  WriteOperand(text, symbol.operand);
  text << (symbol.operand == kTargetOperand ? "[" : ".shape[")
       << symbol.operand_axis << ']';
}

class Conditions {
 public:
  Conditions(const SymbolicAlignment& alignment, ConditionForm form,
             Arena& arena)
      : alignment_(alignment),
        form_(form),
        arena_(arena),
        text_(arena),
        used_(arena.Make<bool>(alignment.symbols.size())) {}

  std::string_view Write(const SymbolicCase& found) {
    if (arena_.refused()) return {};
    if (form_ == ConditionForm::kJax) return WriteForJax(found);
    Text lines(arena_);
    for (const ExtentEquality& equality : found.when) {
      Line(lines, [&] { Equality(equality); });
    }
    List<std::string_view> written(arena_);
    for (const SymbolicAxis& axis : found.axes) {
      if (axis.always) continue;
      Text line(arena_);
      if (axis.must_check) {
        Comment(line, axis, found);
      } else {
        Condition(line, axis);
      }
      // Two axes may have one condition.
      std::string_view all = line.view();
      while (!all.empty()) {
        const std::string_view each = all.substr(0, all.find('\n') + 1);
        all.remove_prefix(each.size());
        if (std::ranges::find(written, each) != written.end()) continue;
        written.Push(each);
        lines << each;
      }
    }
    Ranges(lines);
    Text result(arena_);
    if (form_ == ConditionForm::kPython || form_ == ConditionForm::kTorch) {
      for (size_t i = 0; i < used_.size(); ++i) {
        const SymbolInfo& symbol = alignment_.symbols[i];
        if (!used_[i] || !IsPythonName(symbol.name)) continue;
        result << symbol.name << " = ";
        WritePlace(result, symbol);
        result << '\n';
      }
    }
    result << lines.view();
    return result.view();
  }

 private:
  // Of each axis the first alternative that agrees with those of other axes,
  // also where one of them always holds: JAX does not look at ends of ranges.
  // Its names are at least 1, so a witness without 0 is preferred.
  std::string_view WriteForJax(const SymbolicCase& found) {
    std::span<const int64_t> witness;
    const auto has_zero = [](std::span<const int64_t> values) {
      return std::ranges::find(values, 0) != values.end();
    };
    for (const SymbolicAxis& axis : found.axes) {
      for (const SymbolicAlternative& each : axis.alternatives) {
        if (each.witness.empty()) continue;
        if (witness.empty() || (has_zero(witness) && !has_zero(each.witness))) {
          witness = each.witness;
        }
      }
    }
    const auto value = [&](const ExtentTerm& term) {
      return term.symbol == kAbsent ? term.number
                                    : witness[static_cast<size_t>(term.symbol)];
    };
    const auto holds = [&](const SymbolicAlternative& alternative) {
      return witness.empty() ||
             std::ranges::all_of(alternative.equalities,
                                 [&](const ExtentEquality& each) {
                                   return value(each.left) == value(each.right);
                                 });
    };
    List<ExtentEquality> chosen(arena_);
    const auto choose = [&](std::span<const ExtentEquality> equalities) {
      for (const ExtentEquality& each : equalities) {
        if (std::ranges::find(chosen, each) == chosen.end()) chosen.Push(each);
      }
    };
    Text comments(arena_);
    choose(found.when);
    for (const SymbolicAxis& axis : found.axes) {
      if (axis.must_check) Comment(comments, axis, found);
      if (axis.alternatives.empty()) continue;
      const auto taken = std::ranges::find_if(axis.alternatives, holds);
      if (taken == axis.alternatives.end()) continue;
      choose(taken->equalities);
      for (const SymbolicAlternative& other : axis.alternatives) {
        if (&other == &*taken) continue;
        text_.Truncate(0);
        All(other.equalities);
        comments << "# axis " << (&axis - found.axes.data())
                 << " also fits where " << text_.view() << '\n';
      }
    }
    Text lines(arena_);
    WriteSolved(lines, chosen.view());
    Ranges(lines);
    lines << comments.view();
    return lines.view();
  }

  // Equalities as JAX takes them, which substitutes one after the other: each
  // left side is a name that is in no other equality, and ranges are given for
  // names that stay.
  void WriteSolved(Text& lines, std::span<const ExtentEquality> equalities) {
    const size_t count = alignment_.symbols.size();
    // Equal symbols have one class, named by the last of them.
    const std::span<size_t> classes = arena_.Make<size_t>(count);
    const std::span<ExtentTerm> values = arena_.Make<ExtentTerm>(count);
    if (arena_.refused()) return;
    for (size_t i = 0; i < count; ++i) classes[i] = i;
    for (const ExtentEquality& each : equalities) {
      if (each.right.symbol == kAbsent) continue;
      const size_t left = classes[static_cast<size_t>(each.left.symbol)];
      const size_t right = classes[static_cast<size_t>(each.right.symbol)];
      std::ranges::replace(classes, std::min(left, right),
                           std::max(left, right));
    }
    for (size_t i = 0; i < count; ++i) {
      values[i] = {.symbol = static_cast<int32_t>(i)};
      // Ranges may leave one number.
      int64_t least = 0;
      int64_t most = kUnbounded;
      for (size_t k = 0; k < count; ++k) {
        if (classes[k] != i) continue;
        least = std::max(least, alignment_.symbols[k].least);
        most = std::min(most, alignment_.symbols[k].most);
      }
      if (least == most) values[i] = {.number = least};
    }
    for (const ExtentEquality& each : equalities) {
      if (each.right.symbol != kAbsent) continue;
      values[classes[static_cast<size_t>(each.left.symbol)]] = each.right;
    }
    for (size_t i = 0; i < count; ++i) {
      const ExtentTerm self{.symbol = static_cast<int32_t>(i)};
      const ExtentTerm value = values[classes[i]];
      if (value == self) continue;
      Line(lines, [&] { Equality({.left = self, .right = value}); });
    }
    for (size_t i = 0; i < count; ++i) {
      if (values[classes[i]].symbol == kAbsent) used_[i] = false;
    }
  }

  // Writes what `write` adds to text_ as a line.
  template <class Write>
  void Line(Text& lines, const Write& write) {
    text_.Truncate(0);
    write();
    switch (form_) {
      case ConditionForm::kPlain:
        lines << text_.view() << '\n';
        break;
      case ConditionForm::kPython:
        lines << "assert " << text_.view() << '\n';
        break;
      case ConditionForm::kTorch:
        lines << "torch._check(" << text_.view() << ")\n";
        break;
      case ConditionForm::kJax:
        lines << '"' << text_.view() << "\",\n";
        break;
    }
  }

  void Term(const ExtentTerm& term) {
    if (term.symbol == kAbsent) {
      text_ << term.number;
      return;
    }
    const size_t index = static_cast<size_t>(term.symbol);
    const SymbolInfo& symbol = alignment_.symbols[index];
    used_[index] = true;
    if (form_ == ConditionForm::kPlain && !symbol.name.empty()) {
      text_ << symbol.name;
    } else if (form_ == ConditionForm::kPlain) {
      text_.Operand(symbol.operand) << '[' << symbol.operand_axis << ']';
    } else if (IsPythonName(symbol.name)) {
      text_ << symbol.name;
    } else if (form_ == ConditionForm::kJax) {
      text_ << 'd' << index;  // names of dimensions are names
    } else {
      WritePlace(text_, symbol);
    }
  }

  void Equality(const ExtentEquality& equality) {
    Term(equality.left);
    text_ << (form_ == ConditionForm::kPlain ? "=" : " == ");
    Term(equality.right);
  }

  void All(std::span<const ExtentEquality> equalities) {
    const bool torch = form_ == ConditionForm::kTorch;
    for (size_t i = 0; i < equalities.size(); ++i) {
      if (i > 0) text_ << (torch ? " & " : " and ");
      if (torch && equalities.size() > 1) text_ << '(';
      Equality(equalities[i]);
      if (torch && equalities.size() > 1) text_ << ')';
    }
  }

  // What all alternatives have in common is a line each, since torch learns
  // more from it, and the rest is one line.
  void Condition(Text& lines, const SymbolicAxis& axis) {
    if (axis.alternatives.empty()) return;  // nothing fits
    const bool torch = form_ == ConditionForm::kTorch;
    const bool one = axis.alternatives.size() == 1;
    const bool plain = form_ == ConditionForm::kPlain;
    const auto is_common = [&](const ExtentEquality& each) {
      return !plain && (torch || !one) &&
             std::ranges::all_of(
                 axis.alternatives, [&](const SymbolicAlternative& other) {
                   return std::ranges::find(other.equalities, each) !=
                          other.equalities.end();
                 });
    };
    List<ExtentEquality> rest(arena_);
    for (const ExtentEquality& each : axis.alternatives[0].equalities) {
      if (is_common(each)) Line(lines, [&] { Equality(each); });
    }
    if (torch && one) return;
    Line(lines, [&] {
      for (size_t i = 0; i < axis.alternatives.size(); ++i) {
        rest.Truncate(0);
        for (const ExtentEquality& each : axis.alternatives[i].equalities) {
          if (!is_common(each)) rest.Push(each);
        }
        if (i > 0) text_ << (torch ? " | " : " or ");
        if (rest.empty()) {  // holds because of the ranges
          text_ << (plain ? "always" : "True");
          continue;
        }
        const bool brackets = torch || (rest.size() > 1 && !one);
        if (brackets) text_ << '(';
        All(rest.view());
        if (brackets) text_ << ')';
      }
    });
  }

  void Comment(Text& lines, const SymbolicAxis& axis,
               const SymbolicCase& found) {
    lines << (form_ == ConditionForm::kPlain ? "axis " : "# axis ")
          << (&axis - found.axes.data())
          << (form_ == ConditionForm::kPlain ? ": must be checked\n"
                                             : " must be checked\n");
  }

  // The ranges of the symbols that were written.
  void Ranges(Text& lines) {
    if (form_ != ConditionForm::kTorch && form_ != ConditionForm::kJax) return;
    for (size_t i = 0; i < used_.size(); ++i) {
      const SymbolInfo& symbol = alignment_.symbols[i];
      if (!used_[i]) continue;
      const ExtentTerm term{.symbol = static_cast<int32_t>(i)};
      if (symbol.least > (form_ == ConditionForm::kJax ? 1 : 0)) {
        Line(lines, [&] {
          Term(term);
          text_ << " >= " << symbol.least;
        });
      }
      if (symbol.most != kUnbounded) {
        Line(lines, [&] {
          Term(term);
          text_ << " <= " << symbol.most;
        });
      }
    }
  }

  const SymbolicAlignment& alignment_;
  const ConditionForm form_;
  Arena& arena_;
  Text text_;
  std::span<bool> used_;
};

void WriteTerm(Text& text, const SymbolicAlignment& alignment,
               const ExtentTerm& term, const SymbolicAxis& axis) {
  if (term.symbol == kAbsent) {
    text << term.number;
    return;
  }
  const SymbolInfo& symbol =
      alignment.symbols[static_cast<size_t>(term.symbol)];
  if (symbol.name.empty()) {
    WriteRange(text, axis.least, axis.most);
  } else {
    text << symbol.name;
  }
}

void WriteShape(Text& text, const SymbolicAlignment& alignment,
                const SymbolicCase& found) {
  text << '(';
  for (size_t i = 0; i < found.axes.size(); ++i) {
    const SymbolicAxis& axis = found.axes[i];
    if (i > 0) text << ", ";
    if (!axis.name.empty()) text << axis.name << '=';
    if (static_cast<int32_t>(i) == found.open_axis) {
      text << "...";
      continue;
    }
    // Choices without a name are not told apart, so their range says as much.
    const bool all_named =
        std::ranges::all_of(axis.choices, [&](const ExtentTerm& term) {
          return term.symbol == kAbsent ||
                 !alignment.symbols[static_cast<size_t>(term.symbol)]
                      .name.empty();
        });
    if (axis.choices.empty() || axis.choices.size() > 4 ||
        (axis.choices.size() > 1 && !all_named)) {
      WriteRange(text, axis.least, axis.most);
      continue;
    }
    for (size_t k = 0; k < axis.choices.size(); ++k) {
      if (k > 0) text << " or ";
      WriteTerm(text, alignment, axis.choices[k], axis);
    }
  }
  if (found.axes.empty() && found.open_axis != kAbsent) text << "...";
  text << (found.axes.size() == 1 && found.open_axis == kAbsent ? ",)" : ")");
}

struct FormName {
  std::string_view name;
  ConditionForm form;
};
constexpr FormName kForms[] = {{"plain", ConditionForm::kPlain},
                               {"python", ConditionForm::kPython},
                               {"torch", ConditionForm::kTorch},
                               {"jax", ConditionForm::kJax}};

void WriteTerm(Json& json, const ExtentTerm& term) {
  if (term.symbol == kAbsent) {
    json.Value(term.number);
  } else {
    json.Open('{').Field("symbol", term.symbol).Close('}');
  }
}

void WriteEqualities(Json& json, std::span<const ExtentEquality> equalities) {
  json.Open('[');
  for (const ExtentEquality& equality : equalities) {
    json.Open('[');
    WriteTerm(json, equality.left);
    WriteTerm(json, equality.right);
    json.Close(']');
  }
  json.Close(']');
}

void WriteMost(Json& json, int64_t most) {
  json.Key("most");
  if (most == kUnbounded) {
    json.Null();
  } else {
    json.Value(most);
  }
}

void WriteAxisField(Json& json, std::string_view key, int32_t axis) {
  json.Key(key);
  if (axis == kAbsent) {
    json.Null();
  } else {
    json.Value(axis);
  }
}

// The name of a symbol in plain text: N, or A[0] if it has none.
void WriteSymbol(Text& text, const SymbolInfo& symbol) {
  if (symbol.name.empty()) {
    text.Operand(symbol.operand) << '[' << symbol.operand_axis << ']';
  } else {
    text << symbol.name;
  }
}

// The witness' values of the symbols on which this axis depends: "N=2, M=2".
std::string_view Example(const SymbolicAlignment& alignment,
                         const SymbolicAxis& axis,
                         const SymbolicAlternative& alternative, Arena& arena) {
  List<int32_t> symbols(arena);
  const auto add = [&](const ExtentTerm& term) {
    if (term.symbol == kAbsent) return;
    if (std::ranges::find(symbols, term.symbol) == symbols.end()) {
      symbols.Push(term.symbol);
    }
  };
  for (const SymbolicAlternative& each : axis.alternatives) {
    for (const ExtentEquality& equality : each.equalities) {
      add(equality.left);
      add(equality.right);
    }
  }
  Text text(arena);
  if (alternative.witness.empty()) return {};
  for (const int32_t symbol : symbols) {
    if (!text.empty()) text << ", ";
    const size_t index = static_cast<size_t>(symbol);
    WriteSymbol(text, alignment.symbols[index]);
    text << '=' << alternative.witness[index];
  }
  return text.view();
}

void WriteAxis(Json& json, const SymbolicAlignment& alignment,
               const SymbolicAxis& axis, bool texts, Arena& arena) {
  json.Open('{');
  if (!axis.name.empty()) json.Field("name", axis.name);
  json.Field("always", axis.always).Field("mustCheck", axis.must_check);
  json.Field("least", axis.least);
  WriteMost(json, axis.most);
  json.Key("choices").Open('[');
  for (const ExtentTerm& choice : axis.choices) WriteTerm(json, choice);
  json.Close(']').Key("alternatives").Open('[');
  for (const SymbolicAlternative& alternative : axis.alternatives) {
    json.Open('{').Key("equal");
    WriteEqualities(json, alternative.equalities);
    json.Key("result");
    WriteTerm(json, alternative.result);
    json.Key("witness").Extents(alternative.witness);
    if (texts) {
      json.Field("example", Example(alignment, axis, alternative, arena));
    }
    json.Close('}');
  }
  json.Close(']').Close('}');
}

void WriteCase(Json& json, const SymbolicAlignment& alignment, size_t index,
               bool texts, Arena& arena) {
  const SymbolicCase& found = alignment.cases[index];
  Text shape(arena);
  WriteShape(shape, alignment, found);
  json.Open('{').Field("fit", Name(found.fit)).Field("shape", shape.view());
  json.Key("ranks").Open('[');
  for (const RankCondition& rank : found.ranks) {
    json.Open('{').Field("operand", rank.operand).Field("rank", rank.rank);
    json.Field("orMore", rank.or_more).Close('}');
  }
  json.Close(']').Key("when");
  WriteEqualities(json, found.when);
  WriteAxisField(json, "openAxis", found.open_axis);
  json.Key("axes").Open('[');
  for (const SymbolicAxis& axis : found.axes) {
    WriteAxis(json, alignment, axis, texts, arena);
  }
  json.Close(']').Key("sources").Open('[');
  const size_t rank = found.axes.size();
  for (size_t at = 0; rank > 0 && at < found.source_axes.size(); at += rank) {
    json.Open('[');
    for (const int32_t source : found.source_axes.subspan(at, rank)) {
      if (source == kAbsent) {
        json.Null();
      } else {
        json.Value(source);
      }
    }
    json.Close(']');
  }
  json.Close(']');
  WriteAxisField(json, "conflictAxis", found.conflict_axis);
  WriteAxisField(json, "otherConflictAxis", found.other_conflict_axis);
  json.Key("error");
  if (found.error) {
    json.Value(Info(found.error->error_class).name);
  } else {
    json.Null();
  }
  if (texts) {
    json.Key("conditions").Open('{');
    for (const auto& [name, form] : kForms) {
      json.Field(name, WriteConditions(alignment, index, form, arena));
    }
    json.Close('}');
  }
  json.Close('}');
}

// Whether a name is more than a name: 2N, N+1, N//2.
bool IsExpression(std::string_view name) {
  return (!name.empty() && name[0] >= '0' && name[0] <= '9') ||
         name.find_first_of("+-*/%^(") != std::string_view::npos;
}

// What the answer does not use.
void WriteNotes(Json& json, const SymbolicAlignment& alignment, Arena& arena) {
  constexpr size_t kMostNamed = 4;
  json.Key("notes").Open('[');
  size_t count = 0;
  Text names(arena);
  for (const SymbolInfo& symbol : alignment.symbols) {
    if (!IsExpression(symbol.name)) continue;
    if (++count > kMostNamed) continue;
    names << (count > 1 ? ", " : "") << symbol.name;
  }
  if (count > 0) {
    if (count > kMostNamed) names << " and others";
    names << (count == 1 ? " is an expression: it is read as an unknown extent "
                           "of its own, which is not computed from its names."
                         : " are expressions: each is read as an unknown "
                           "extent of its own, which is not computed from its "
                           "names.");
    json.Value(names.view());
  }
  json.Close(']');
}

}  // namespace

std::string_view Name(SymbolicFit fit) noexcept {
  switch (fit) {
    case SymbolicFit::kAlways:
      return "always";
    case SymbolicFit::kIf:
      return "if";
    case SymbolicFit::kNever:
      return "never";
    case SymbolicFit::kMustCheck:
      return "must_check";
  }
  return "";
}

std::string_view WriteConditions(const SymbolicAlignment& alignment,
                                 size_t case_index, ConditionForm form,
                                 Arena& arena) noexcept {
  if (case_index >= alignment.cases.size()) return {};
  return Conditions(alignment, form, arena).Write(alignment.cases[case_index]);
}

std::string_view FormatResult(const SymbolicAlignment& alignment,
                              size_t case_index, Arena& arena) noexcept {
  if (case_index >= alignment.cases.size()) return {};
  Text text(arena);
  WriteShape(text, alignment, alignment.cases[case_index]);
  return text.view();
}

void WriteSymbolicFields(Json& json, const SymbolicAlignment& alignment,
                         bool texts, Arena& arena) {
  json.Field("fit", Name(alignment.fit)).Key("symbols").Open('[');
  for (const SymbolInfo& symbol : alignment.symbols) {
    json.Open('{').Field("name", symbol.name).Field("least", symbol.least);
    WriteMost(json, symbol.most);
    json.Field("operand", symbol.operand);
    json.Field("axis", symbol.operand_axis);
    json.Field("isExpression", IsExpression(symbol.name)).Close('}');
  }
  json.Close(']').Key("cases").Open('[');
  for (size_t i = 0; i < alignment.cases.size() && !arena.refused(); ++i) {
    WriteCase(json, alignment, i, texts, arena);
  }
  json.Close(']');
  if (texts) WriteNotes(json, alignment, arena);
}

std::string_view ToJson(const SymbolicAlignment& alignment,
                        Arena& arena) noexcept {
  Text text(arena);
  Json json(text);
  json.Open('{');
  WriteSymbolicFields(json, alignment, false, arena);
  json.Close('}');
  return text.view();
}

std::string_view Describe(const SymbolicFault& fault, Arena& arena) noexcept {
  Text text(arena);
  const auto axis = [&]() -> Text& {
    text << "Axis " << fault.operand_axis << " of ";
    return text.Operand(fault.operand) << ": ";
  };
  switch (fault.kind) {
    case SymbolicFaultKind::kRequest: {
      char sentence[500];
      if (fault.error) {
        text << std::string_view(
            sentence,
            std::min(Describe(*fault.error, sentence), sizeof sentence));
      }
      break;
    }
    case SymbolicFaultKind::kNegative:
      axis() << "an extent must not be negative, but may be " << fault.least
             << " here; an unknown extent is written as a name or ?.";
      break;
    case SymbolicFaultKind::kContradiction:
      axis() << "the range " << fault.least << ".." << fault.most
             << " is empty, since it begins above its end.";
      break;
    case SymbolicFaultKind::kTwoRanges:
      axis() << "the range ";
      WriteRange(text, fault.least, fault.most);
      text << " is given to a name that has the range ";
      WriteRange(text, fault.other_least, fault.other_most);
      text << " elsewhere: give one range, or use two names.";
      break;
    case SymbolicFaultKind::kTooManyExtents:
      text << "The shapes have " << fault.least
           << " axes together; with unknown extents there may be "
           << kMostSymbolicExtents << '.';
      break;
    case SymbolicFaultKind::kTooManyOperands:
      text << "There are " << fault.least
           << " operands; with unknown extents there may be "
           << kMostSymbolicOperands << '.';
      break;
    case SymbolicFaultKind::kLongName:
      axis() << "the name is longer than " << kMostNameBytes << " bytes.";
      break;
    case SymbolicFaultKind::kUnnamedAxis:
      text << "Axes are matched by name, so each axis needs one: name the axes "
              "of ";
      text.Operand(fault.operand) << '.';
      break;
    case SymbolicFaultKind::kSameName:
      axis() << "an earlier axis has the same name; axes that are matched by "
                "name need different ones.";
      break;
    case SymbolicFaultKind::kNameCount:
      text.OperandCapital(fault.operand);
      text << " has " << fault.least << " names for " << fault.most
           << " axes: give one for each axis, or none.";
      break;
    case SymbolicFaultKind::kAllocation:
      text << "Memory was refused.";
      break;
  }
  return text.view();
}

}  // namespace v1
}  // namespace broadloom
