// Every sentence about an alignment is parsed and compared with the alignment's
// cells, for random questions under all nine rules. The parser here shares no
// code with the code that writes the sentences.
//
// BROADLOOM_SEED=N selects other questions; a failure prints its seed.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/explain.h"
#include "broadloom/explain/repair.h"
#include "catch2/catch_test_macros.hpp"
#include "unit/pattern.h"
#include "unit/request.h"
#include "unit/text.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Pattern;
using testing::Request;
using testing::ToVector;

uint64_t Seed() {
  const char* const given = std::getenv("BROADLOOM_SEED");
  return given == nullptr ? 20261122 : std::strtoull(given, nullptr, 10);
}

// --- Questions --------------------------------------------------------------

struct Question {
  Rule rule = Rule::kNumpy;
  std::vector<Extents> operands;
  std::optional<Extents> target;
  std::optional<int64_t> axis;
  std::optional<Extents> mapping;

  std::string Text() const {
    std::ostringstream text;
    const auto write = [&](const Extents& extents) {
      text << " (";
      for (const int64_t extent : extents) text << extent << ",";
      text << ")";
    };
    text << "BROADLOOM_SEED=" << Seed() << " " << Info(rule).name;
    for (const Extents& operand : operands) write(operand);
    if (target) {
      text << " to";
      write(*target);
    }
    if (axis) text << " axis " << *axis;
    if (mapping) {
      text << " mapping";
      write(*mapping);
    }
    return text.str();
  }
};

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  int64_t Below(int64_t end) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(end));
  }
  bool OneIn(int64_t n) { return Below(n) == 0; }

  // Mostly small; sometimes so large that the elements cannot be counted.
  int64_t Extent() {
    if (OneIn(60)) return INT64_MAX;
    if (OneIn(60)) return int64_t{1} << 40;
    constexpr std::array<int64_t, 8> kExtents = {0, 1, 1, 1, 2, 3, 3, 4};
    return kExtents[static_cast<size_t>(Below(8))];
  }

  Extents Shape() {
    Extents shape(static_cast<size_t>(Below(7)));
    for (int64_t& extent : shape) extent = Extent();
    return shape;
  }

  // Like `shape`, but with some extents of 1, missing axes, and now and then a
  // conflict.
  Extents Relative(const Extents& shape) {
    Extents relative;
    const bool from_right = OneIn(2);
    const size_t left_out =
        static_cast<size_t>(Below(static_cast<int64_t>(shape.size()) + 1));
    for (size_t i = 0; i < shape.size(); ++i) {
      if (from_right ? i < left_out : OneIn(3)) continue;
      relative.push_back(OneIn(3) ? 1 : OneIn(9) ? Extent() : shape[i]);
    }
    if (OneIn(6)) relative.push_back(1);
    if (OneIn(12)) relative.insert(relative.begin(), Extent());
    if (relative.size() > 6) relative.resize(6);
    return relative;
  }

  Question Next() {
    Question question;
    question.rule = static_cast<Rule>(Below(9));
    const RuleTraits& traits = Traits(question.rule);
    const Extents base = Shape();
    const size_t most = traits.most_operands == 0
                            ? 8
                            : std::min<size_t>(8, traits.most_operands);
    const size_t count =
        traits.least_operands +
        static_cast<size_t>(
            Below(static_cast<int64_t>(most - traits.least_operands) + 1));
    for (size_t i = 0; i < count; ++i) {
      question.operands.push_back(i == 0 && OneIn(2) ? base
                                  : !traits.stretches && !OneIn(3)
                                      ? base
                                      : Relative(base));
    }
    if (traits.takes_target) {
      question.target = OneIn(2) ? base : Relative(base);
      if (OneIn(12)) question.target->push_back(-1);
      if (OneIn(12)) question.target->insert(question.target->begin(), -2);
    }
    if (traits.takes_axis && !OneIn(3)) question.axis = Below(9) - 2;
    if (traits.takes_mapping && !OneIn(8)) {
      Extents mapping;
      int64_t next = 0;
      for (size_t i = 0; i < question.operands[0].size(); ++i) {
        next += OneIn(3);
        mapping.push_back(OneIn(20) ? Below(8) - 1 : next++);
      }
      if (OneIn(10)) mapping.push_back(next);
      question.mapping = mapping;
    } else if (traits.takes_target && OneIn(20)) {
      question.mapping = Extents{0};
    }
    return question;
  }

 private:
  std::mt19937_64 random_;
};

// A request for the question; valid as long as this object.
class Asked {
 public:
  explicit Asked(const Question& question)
      : request_(question.rule, question.operands) {
    if (question.target) request_.Target(*question.target);
    if (question.axis) request_.Axis(*question.axis);
    if (question.mapping) request_.Mapping(*question.mapping);
  }
  const BroadcastRequest& get() const { return request_.get(); }

 private:
  Request request_;
};

// --- Reading ----------------------------------------------------------------

std::string NameOf(const Alignment& alignment, size_t row) {
  if (row == alignment.operand_count()) return "target";
  return std::string(1, static_cast<char>('A' + row));
}

constexpr size_t kNobody = static_cast<size_t>(-1);

size_t RowNamed(const Alignment& alignment, const std::string& name) {
  const size_t rows =
      alignment.operand_count() + (alignment.has_target() ? 1 : 0);
  for (size_t row = 0; row < rows; ++row) {
    if (NameOf(alignment, row) == name) return row;
  }
  return kNobody;
}

// The rows of "B", "B and D", "A, B and the target".
std::vector<size_t> Rows(const Alignment& alignment, const std::string& list) {
  std::vector<size_t> rows;
  const std::regex& name = Pattern(R"(\b([A-Z]|target)\b)");
  for (std::sregex_iterator i(list.begin(), list.end(), name), end; i != end;
       ++i) {
    rows.push_back(RowNamed(alignment, (*i)[1]));
  }
  return rows;
}

const AlignedCell& CellOf(const Alignment& alignment, size_t row, size_t axis) {
  return row == alignment.operand_count() ? alignment.target_cell(axis)
                                          : alignment.cell(row, axis);
}

// What is false in a sentence; empty if it is true.
class Reader {
 public:
  explicit Reader(const Question& question, const Alignment& alignment)
      : question_(question),
        alignment_(alignment),
        rows_(alignment.operand_count() + (alignment.has_target() ? 1 : 0)) {}

  std::string Axis(size_t axis, std::string text) {
    axis_ = axis;
    told_.assign(rows_, false);
    fault_.clear();
    const std::string whole = text;
    std::smatch match;
    bool clash = false;
    if (std::regex_match(text, match, Pattern(R"(Mismatch: (.*)\.)"))) {
      clash = true;
      const std::string all = match[1];
      const std::regex& part =
          Pattern(kList + " (is|are|has|have) (-?\\d+|no such axis)(, |; |$)");
      size_t read = 0;
      for (std::sregex_iterator i(all.begin(), all.end(), part), end; i != end;
           ++i) {
        read += static_cast<size_t>(i->length());
        for (const size_t row : Told((*i)[1], (*i)[2])) Has(row, (*i)[3]);
        if ((*i)[2].str().starts_with("ha") != ((*i)[3] == "no such axis")) {
          Fault("grammar");
        }
      }
      if (read != all.size()) Fault("cannot be read");
    } else if (std::regex_match(text, match,
                                Pattern(R"(The target asks for (-?\d+)\.)"))) {
      Has(alignment_.operand_count(), match[1]);
      if (std::stoll(match[1]) >= 0) Fault("the target can ask for that");
      return fault_;
    } else if (std::regex_match(
                   text, match,
                   Pattern(R"((?:A is|Both are|All are) (-?\d+)\.)"))) {
      const size_t named = text.starts_with("A is") ? 1
                           : text.starts_with("Both")
                               ? 2
                               : std::max(rows_, size_t{3});
      if (rows_ != named) Fault("another number of operands");
      for (size_t row = 0; row < rows_; ++row) {
        Has(row, match[1]);
        told_[row] = true;
      }
    } else {
      while (!text.empty()) {
        const size_t stop = text.find(". ");
        const std::string one =
            text.substr(0, stop == std::string::npos ? text.size() : stop + 1);
        text = stop == std::string::npos ? "" : text.substr(stop + 2);
        Sentence(one);
      }
    }
    // Operands that are not mentioned have the result's extent.
    for (size_t row = 0; row < rows_; ++row) {
      const AlignedCell& cell = At(row);
      if (told_[row]) {
        if (clash && cell.relation != Relation::kConflict && !Holds(row)) {
          Fault(NameOf(alignment_, row) + " does not clash");
        }
        continue;
      }
      const bool fine = clash ? cell.relation != Relation::kConflict
                              : cell.relation == Relation::kMatch;
      if (!fine) Fault(NameOf(alignment_, row) + " is not spoken of");
    }
    if (clash != alignment_.conflicts(axis)) Fault("a clash, or none");
    return fault_;
  }

  std::string Verdict(std::string text) {
    fault_.clear();
    std::smatch match;
    if (alignment_.error()) {
      if (std::regex_match(
              text, match,
              Pattern(R"((.*) In all, (\d+) (axis clashes|axes clash)\.)"))) {
        int64_t axes = 0;
        for (size_t axis = 0; axis < alignment_.rank(); ++axis) {
          axes += alignment_.conflicts(axis);
        }
        if (std::stoll(match[2]) != axes ||
            (match[3] == "axis clashes") != (axes == 1)) {
          Fault("another number of axes clashes");
        }
        text = match[1];
      }
      Error(text);
      return fault_;
    }
    // The operands that the sentence calls repeated, how many times, and along
    // which axis.
    std::vector<std::vector<bool>> said(alignment_.operand_count(),
                                        std::vector<bool>(alignment_.rank()));
    if (text == "Only axes of extent 1 are added; nothing is repeated." ||
        text == "The shapes are the same; nothing is repeated." ||
        text == "A already has this shape; nothing is repeated.") {
      bool same = true;
      for (size_t i = 0; i < alignment_.operand_count(); ++i) {
        same &=
            ToVector(alignment_.operand(i)) == ToVector(alignment_.output());
      }
      if (same == text.starts_with("Only")) Fault("the shapes");
      if (text.starts_with("A already") && alignment_.operand_count() != 1) {
        Fault("A is not alone");
      }
    } else {
      const std::string along =
          R"((\d+) times? along axis (\d+)( \(which is empty\))?)";
      const std::regex& piece = Pattern(kList + " (is|are) repeated (" + along +
                                        "(?:, " + along + ")*)(?:; |\\.$)");
      const std::regex& one = Pattern(along);
      size_t read = 0;
      for (std::sregex_iterator i(text.begin(), text.end(), piece), end;
           i != end; ++i) {
        read += static_cast<size_t>(i->length());
        const std::string axes = (*i)[3];
        for (const size_t row : Told((*i)[1], (*i)[2], false)) {
          for (std::sregex_iterator j(axes.begin(), axes.end(), one); j != end;
               ++j) {
            axis_ = static_cast<size_t>(std::stoll((*j)[2]));
            if (axis_ >= alignment_.rank() ||
                row >= alignment_.operand_count()) {
              Fault("no such axis or operand");
              continue;
            }
            Repeated(row, (*j)[1]);
            if ((*j)[3].matched != (alignment_.output()[axis_] == 0)) {
              Fault("empty, or not");
            }
            said[row][axis_] = true;
          }
        }
      }
      if (read != text.size()) Fault("cannot be read");
    }
    for (size_t row = 0; row < said.size(); ++row) {
      for (axis_ = 0; axis_ < alignment_.rank(); ++axis_) {
        if (said[row][axis_] != IsRepeated(row)) {
          Fault(NameOf(alignment_, row) + " along axis " +
                std::to_string(axis_) + " is not told, or not so");
        }
      }
    }
    return fault_;
  }

 private:
  inline static const std::string kList =
      "((?:[A-Z]|[Tt]he target)(?:, (?:[A-Z]|the target))*"
      "(?: and (?:[A-Z]|the target))?)";

  void Fault(const std::string& what) { fault_ += what + "; "; }

  const AlignedCell& At(size_t row) const {
    return CellOf(alignment_, row, axis_);
  }

  // Whether other operands conflict with the row along the axis.
  bool Holds(size_t row) const {
    const int32_t name = row == alignment_.operand_count()
                             ? kTargetOperand
                             : static_cast<int32_t>(row);
    return std::ranges::any_of(alignment_.conflicts_along(axis_),
                               [&](const Conflict& conflict) {
                                 return conflict.other_operand == name;
                               });
  }

  std::vector<size_t> Told(const std::string& list, const std::string& verb,
                           bool notes = true) {
    std::vector<size_t> rows = Rows(alignment_, list);
    if ((rows.size() > 1) !=
        (verb == "are" || verb == "have" || verb == "stretch"))
      Fault(verb);
    std::erase_if(rows, [&](size_t row) {
      if (row >= rows_) {
        Fault("nobody of that name");
        return true;
      }
      if (!notes) return false;
      if (told_[row]) Fault(NameOf(alignment_, row) + " twice");
      told_[row] = true;
      return false;
    });
    return rows;
  }

  void Has(size_t row, const std::string& what) {
    const AlignedCell& cell = At(row);
    const bool has = cell.source_axis != kAbsent;
    if (what == "no such axis") {
      if (has) Fault(NameOf(alignment_, row) + " has that axis");
    } else if (!has || cell.extent != std::stoll(what)) {
      Fault(NameOf(alignment_, row) + " has not " + what);
    }
  }

  bool IsRepeated(size_t row) const {
    const Relation relation = At(row).relation;
    return (relation == Relation::kStretch || relation == Relation::kInsert) &&
           alignment_.output()[axis_] != 1;
  }

  void Repeated(size_t row, const std::string& times) {
    if (!IsRepeated(row)) Fault(NameOf(alignment_, row) + " is not repeated");
    if (std::stoll(times) != alignment_.output()[axis_]) {
      Fault("not " + times + " times");
    }
  }

  // A sentence about an axis without conflict.
  void Sentence(const std::string& text) {
    std::smatch match;
    if (std::regex_match(text, match,
                         Pattern(kList + R"( (has|have) no place yet\.)"))) {
      for (const size_t row : Told(match[1], match[2])) {
        if (row == alignment_.operand_count())
          Fault("the target has its place");
        else if (!alignment_.error() || alignment_.operand(row).empty())
          Fault("it has its place");
        else
          for (const AlignedCell& cell : alignment_.cells(row)) {
            if (cell.source_axis != kAbsent) Fault("it has its place");
          }
      }
    } else if (
        std::regex_match(
            text, match,
            Pattern(
                R"(B's trailing 1 is ignored(, so B has no such axis and is repeated (\d+) times?)?\.)"))) {
      Told("B", "is");
      Has(1, "1");
      const ShapeView b = alignment_.operand(1);
      const int32_t own = At(1).source_axis;
      for (size_t i = own < 0 ? 0 : static_cast<size_t>(own); i < b.size();
           ++i) {
        if (b[i] != 1) Fault("it does not trail");
      }
      if (alignment_.rule() != Rule::kPdpd) Fault("not under this rule");
      if (match[1].matched != IsRepeated(1)) Fault("repeated, or not");
      if (match[1].matched) Repeated(1, match[2]);
    } else if (std::regex_match(
                   text, match,
                   Pattern(kList + " (has|have) no such axis; it counts as 1" +
                           R"((?: and stretches to (-?\d+))?\.)"))) {
      for (const size_t row : Told(match[1], match[2])) {
        Has(row, "no such axis");
        if (match[3].matched) {
          Repeated(row, match[3]);
        } else if (IsRepeated(row)) {
          Fault("it stretches");
        }
      }
    } else if (std::regex_match(
                   text, match,
                   Pattern(
                       R"(([A-Z]|The target)'s 1 (stretches) to (-?\d+)\.)")) ||
               std::regex_match(text, match,
                                Pattern("The 1s of " + kList +
                                        R"( (stretch) to (-?\d+)\.)"))) {
      for (const size_t row : Told(match[1], match[2])) {
        Has(row, "1");
        Repeated(row, match[3]);
      }
    } else {
      Fault("cannot be read: " + text);
    }
  }

  // "A" or "the target", with its own axis.
  void Party(const std::string& name, const std::string& what,
             const std::string& own) {
    const size_t row = Rows(alignment_, name).at(0);
    if (row >= rows_) {
      Fault("nobody of that name");
      return;
    }
    Has(row, what);
    if (!own.empty() && std::stoll(own) != At(row).source_axis) {
      Fault(name + "'s axis is another");
    }
  }

  size_t RankOf(const std::string& name) {
    const size_t row = Rows(alignment_, name).at(0);
    if (row == alignment_.operand_count()) return alignment_.target().size();
    return alignment_.operand(row).size();
  }

  void Error(const std::string& text) {
    const broadloom::Error& error = *alignment_.error();
    const std::string one = "([A-Z]|[Tt]he target)";
    const std::string party =
        one + R"( has (-?\d+|no such axis)(?: \(its axis (\d+)\))?)";
    std::smatch match;
    const auto is = [&](const std::string& form) {
      return std::regex_match(text, match, Pattern(form));
    };
    switch (error.error_class) {
      case ErrorClass::kIncompatible:
      case ErrorClass::kRank:
        if (is(R"(Axis (\d+): )" + party + " but " + party + R"(\. .*)")) {
          axis_ = static_cast<size_t>(std::stoll(match[1]));
          if (axis_ >= alignment_.rank()) {
            Fault("no such axis");
            return;
          }
          Party(match[2], match[3], match[4]);
          Party(match[5], match[6], match[7]);
          if (!alignment_.conflicts(axis_)) Fault("no clash there");
        } else if (is(one + R"( has (\d+) ax[ei]s, (?:but )?)" + one +
                      R"( has (?:only )?(\d+)\. .*)")) {
          if (RankOf(match[1]) != static_cast<size_t>(std::stoll(match[2])) ||
              RankOf(match[3]) != static_cast<size_t>(std::stoll(match[4])) ||
              match[2] == match[4]) {
            Fault("other ranks");
          }
        } else {
          Fault("cannot be read");
        }
        break;
      case ErrorClass::kAxis:
        if (is(R"(From axis (\d+) on, B does not fit into A: the axis can be at most (-?\d+)\. .*)")) {
          // The first operand has no such error, the next one has.
          const int64_t most = std::stoll(match[2]);
          if (AxisIsAtFault(most) || !AxisIsAtFault(most + 1) ||
              question_.axis != std::stoll(match[1])) {
            Fault("another axis");
          }
        } else if (is(R"(axis (-\d+) is below -1\..*)")) {
          if (question_.axis != std::stoll(match[1])) Fault("another axis");
        } else {
          Fault("cannot be read");
        }
        break;
      case ErrorClass::kAxesMapping:
        Mapping(text);
        break;
      case ErrorClass::kNegativeDim:
        if (!is(R"(The target, axis (\d+): the extent (-\d+) is negative\..*)") ||
            alignment_.target()[static_cast<size_t>(std::stoll(match[1]))] !=
                std::stoll(match[2])) {
          Fault("another extent");
        }
        break;
      case ErrorClass::kOverflow:
        if (!is(R"(The result is too large: it would have more than 2\^63-1 elements, reached at axis (\d+) \(extent (\d+)\)\..*)") ||
            alignment_.output()[static_cast<size_t>(std::stoll(match[1]))] !=
                std::stoll(match[2])) {
          Fault("another extent");
        }
        break;
      default:
        Fault("no error of an alignment");
    }
  }

  bool AxisIsAtFault(int64_t axis) const {
    if (axis < 0) return true;
    Question other = question_;
    other.axis = axis;
    const Asked asked(other);
    const auto aligned = Align(asked.get());
    return aligned && aligned->error() &&
           aligned->error()->error_class == ErrorClass::kAxis;
  }

  void Mapping(const std::string& text) {
    const size_t rank = question_.operands[0].size();
    std::smatch match;
    const auto is = [&](const char* form) {
      return std::regex_match(text, match, Pattern(form));
    };
    const auto entry = [&](size_t at) {
      return question_.mapping->at(static_cast<size_t>(std::stoll(match[at])));
    };
    const auto value = [&](size_t at) { return std::stoll(match[at]); };
    bool holds = false;
    if (is(R"(\S.* takes no axes_mapping; that is for explicit\.)")) {
      holds = question_.mapping && question_.rule != Rule::kExplicit;
    } else if (
        is(R"(An axes_mapping is missing: (\d+) (?:entry|entries), .*)")) {
      holds = !question_.mapping && value(1) == static_cast<int64_t>(rank);
    } else if (
        is(R"(axes_mapping has (\d+) (?:entry|entries), but A has (\d+) ax[ei]s\..*)")) {
      holds = value(1) == static_cast<int64_t>(question_.mapping->size()) &&
              value(2) == static_cast<int64_t>(rank) && value(1) != value(2);
    } else if (
        is(R"(axes_mapping has to increase: entry (\d+) is (-?\d+), after (-?\d+)\..*)")) {
      holds = entry(1) == value(2) &&
              question_.mapping->at(static_cast<size_t>(value(1) - 1)) ==
                  value(3) &&
              value(2) < value(3);
    } else if (
        is(R"(axes_mapping: entry (\d+) is (-?\d+), but the target has axes 0 to (\d+)\..*)")) {
      holds = entry(1) == value(2) &&
              value(3) + 1 == static_cast<int64_t>(question_.target->size()) &&
              (value(2) < 0 || value(2) > value(3));
    } else if (
        is(R"(axes_mapping: entry (\d+) is (-?\d+), but the target is a scalar and has no axis\..*)")) {
      holds = entry(1) == value(2) && question_.target->empty();
    } else if (
        is(R"(axes_mapping names target axis (-?\d+) twice \(entry (\d+)\)\..*)")) {
      holds = entry(2) == value(1) &&
              std::ranges::count(*question_.mapping, value(1)) > 1;
    }
    if (!holds) Fault("the mapping is another");
  }

  const Question& question_;
  const Alignment& alignment_;
  const size_t rows_;
  size_t axis_ = 0;
  std::vector<bool> told_;
  std::string fault_;
};

TEST_CASE("sentences: each is true of the alignment's cells, under all rules") {
  Draw draw(Seed());
  std::array<size_t, 9> fits{};
  std::array<size_t, 9> fails{};
  for (int round = 0; round < 12'000; ++round) {
    const Question question = draw.Next();
    const Asked asked(question);
    const auto alignment = Align(asked.get());
    if (!alignment) FAIL(question.Text() << " cannot be aligned");
    ++(alignment->error() ? fails : fits)[static_cast<size_t>(question.rule)];
    Reader reader(question, *alignment);
    const std::string verdict = testing::TextOf(
        [&](std::span<char> out) { return ExplainVerdict(*alignment, out); });
    const std::string false_ = reader.Verdict(verdict);
    if (!false_.empty()) {
      FAIL_CHECK(question.Text() << "\n" << verdict << "\n" << false_);
    }
    for (size_t axis = 0; axis < alignment->rank(); ++axis) {
      const std::string why = testing::TextOf([&](std::span<char> out) {
        return ExplainAxis(*alignment, axis, out);
      });
      const std::string fault = reader.Axis(axis, why);
      if (!fault.empty()) {
        FAIL_CHECK(question.Text() << "\naxis " << axis << ": " << why << "\n"
                                   << fault);
      }
    }
    // Larger than each operand, in elements.
    if (alignment->grows_both()) {
      const auto result = CountElements(alignment->output());
      for (size_t i = 0; i < alignment->operand_count(); ++i) {
        const auto own = CountElements(alignment->operand(i));
        if (result && own && *own >= *result) {
          FAIL_CHECK(question.Text() << "\nthe result is not larger");
        }
      }
    }
  }
  for (size_t rule = 0; rule < 9; ++rule) {
    INFO(Info(static_cast<Rule>(rule)).name);
    CHECK(fits[rule] > 100);
    CHECK(fails[rule] > 100);
  }
}

// --- Repairs ----------------------------------------------------------------

// The question after the change; parts that the repair does not name are
// unchanged.
Question Changed(const Question& question, const Repair& repair) {
  Question changed = question;
  changed.rule = repair.rule;
  if (repair.kind == RepairKind::kChangeRule) {
    changed.axis.reset();
    changed.mapping.reset();
    if (repair.axis != kAbsent) changed.axis = repair.axis;
    if (Traits(repair.rule).takes_mapping) {
      changed.mapping = ToVector(repair.axes_mapping);
    }
  } else if (repair.kind == RepairKind::kSwapOperands) {
    std::swap(changed.operands.at(0), changed.operands.at(1));
  } else if (repair.operand == kTargetOperand) {
    changed.target = ToVector(repair.shape);
  } else {
    changed.operands.at(static_cast<size_t>(repair.operand)) =
        ToVector(repair.shape);
  }
  return changed;
}

bool Fits(const Question& question) {
  const Asked asked(question);
  return InferShape(asked.get()).has_value();
}

// Whether the rule takes the operands and the target unchanged, with any axis
// or mapping; found by trying all, without the code that finds repairs.
bool TakesThem(const Question& question, Rule rule) {
  const RuleTraits& traits = Traits(rule);
  if (traits.takes_target != question.target.has_value()) return false;
  Question other = question;
  other.rule = rule;
  other.axis.reset();
  other.mapping.reset();
  if (traits.takes_axis) {
    const int64_t rank = static_cast<int64_t>(question.operands[0].size());
    for (int64_t axis = -1; axis <= rank; ++axis) {
      other.axis = axis;
      if (Fits(other)) return true;
    }
    return false;
  }
  if (!traits.takes_mapping) return Fits(other);
  const size_t rank = question.target->size();
  for (uint32_t chosen = 0; chosen < (1u << rank); ++chosen) {
    Extents mapping;
    for (size_t axis = 0; axis < rank; ++axis) {
      if (chosen >> axis & 1) mapping.push_back(static_cast<int64_t>(axis));
    }
    other.mapping = mapping;
    if (Fits(other)) return true;
  }
  return false;
}

TEST_CASE(
    "repairs: each works, none is the question itself, no rule is missing") {
  Draw draw(Seed() + 1);
  size_t clashes = 0;
  size_t other_rules = 0;
  while (clashes < 3000) {
    const Question question = draw.Next();
    if (Fits(question)) continue;
    ++clashes;
    const Asked asked(question);
    Arena arena;
    const auto found = FindRepairs(asked.get(), arena);
    if (!found) FAIL(question.Text());
    const std::span<const Repair> repairs = *found;
    size_t rules = 0;
    bool same_rule = false;
    for (size_t i = 0; i < repairs.size(); ++i) {
      const Repair& repair = repairs[i];
      const Question changed = Changed(question, repair);
      if (!Fits(changed)) FAIL_CHECK(question.Text() << ": " << i);
      if (changed.Text() == question.Text()) {
        FAIL_CHECK(question.Text() << ": " << i << " changes nothing");
      }
      if (repair.kind != RepairKind::kChangeRule) continue;
      ++rules;
      // A repair with the same rule comes first: the comparison of rules looks
      // for its option there.
      if (repair.rule != question.rule) continue;
      if (!same_rule && i != 0) FAIL_CHECK(question.Text() << ": not first");
      same_rule = true;
    }
    bool some = false;
    for (const RuleInfo& rule : AllRules()) {
      const bool takes = TakesThem(question, rule.rule);
      some |= takes;
      if (rule.rule == question.rule && takes != same_rule) {
        FAIL_CHECK(question.Text() << ": its own rule");
      }
    }
    other_rules += some;
    // Other repairs may have filled the list.
    const bool is_full = repairs.size() == kMostProposals;
    if (some != (rules > 0) && !(some && is_full)) {
      FAIL_CHECK(question.Text() << ": " << rules << " rules offered");
    }
  }
  CHECK(other_rules > 300);
}

TEST_CASE("repairs: another rule may reduce the size of a too large result") {
  const int64_t many = int64_t{1} << 40;
  const Request request(Rule::kNumpy, {{many}, {many, 1}});
  Arena arena;
  auto found = FindRepairs(request.get(), arena);
  REQUIRE(found);
  REQUIRE(found->size() >= 1);
  Request data(Rule::kBidirectional, {{many}});
  found = FindRepairs(data.Target({many, 1}).get(), arena);
  REQUIRE(found);
  CHECK(std::ranges::any_of(*found, [](const Repair& repair) {
    return repair.rule == Rule::kExplicit;
  }));
  // No rule reduces a large extent.
  const Request alone(Rule::kNumpy, {{INT64_MAX, 2}});
  CHECK(FindRepairs(alone.get(), arena)->empty());
}

// Beyond the rank up to which changed shapes are tried, rules are still tried.
TEST_CASE("repairs: axes and mappings are found at any rank") {
  for (const size_t rank : {size_t{9}, size_t{32}, size_t{60}}) {
    Extents a(rank, 2);
    a[rank / 2] = 3;
    const Request pdpd(Rule::kNumpy, {a, {3, 1}});
    Arena arena;
    auto found = FindRepairs(pdpd.get(), arena);
    REQUIRE(found);
    CHECK(std::ranges::any_of(*found, [&](const Repair& repair) {
      return repair.rule == Rule::kPdpd &&
             repair.axis == static_cast<int64_t>(rank / 2);
    }));

    Request bidirectional(Rule::kBidirectional, {{3, 2}});
    a[rank - 1] = 5;
    found = FindRepairs(bidirectional.Target(a).get(), arena);
    REQUIRE(found);
    REQUIRE(found->size() >= 1);
    for (const Repair& repair : *found) {
      if (repair.kind == RepairKind::kChangeSize) continue;
      CHECK(repair.rule == Rule::kExplicit);
      REQUIRE(repair.axes_mapping.size() == 2);
      CHECK(repair.axes_mapping[0] == static_cast<int64_t>(rank / 2));
    }
  }
}

}  // namespace
