#include "broadloom/explain/link.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/warning.h"
#include "broadloom/operator.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

namespace {

constexpr std::string_view kNoAddress =
    "The base of a link is the address of the playground: "
    "http://localhost:8080/, or a path that begins with /, ./ or ../.";

// Whether `text` begins with `beginning`, in any case, and goes on, with a
// letter that is not in `excluded`.
bool Begins(std::string_view text, std::string_view beginning,
            std::string_view excluded) {
  if (text.size() <= beginning.size()) return false;
  for (size_t i = 0; i < beginning.size(); ++i) {
    const char letter = text[i];
    const bool is_upper = letter >= 'A' && letter <= 'Z';
    if ((is_upper ? static_cast<char>(letter - 'A' + 'a') : letter) !=
        beginning[i]) {
      return false;
    }
  }
  return excluded.find(text[beginning.size()]) == std::string_view::npos;
}

// The address without its fragment; empty if it is none.
std::string_view Address(std::string_view base) {
  const std::string_view text = base.substr(0, base.find('#'));
  const bool is_address =
      text.starts_with('/') || text.starts_with("./") ||
      text.starts_with("../") || Begins(text, "http://", "/?") ||
      Begins(text, "https://", "/?") || Begins(text, "file:///", {});
  if (!is_address || text.size() > kLongestLinkedAddress) return {};
  const auto is_wrong = [](char letter) {
    return letter < '!' || letter > '~' ||
           std::string_view("\"'<>\\`").find(letter) != std::string_view::npos;
  };
  return std::ranges::any_of(text, is_wrong) ? std::string_view() : text;
}

bool IsAsked(const LinkRequest& request) {
  const auto known = [](auto value) { return IsKnown(value); };
  const std::optional<DType>& dtype = request.broadcast.dtype;
  const std::optional<DType>& to = request.attributes.to;
  return IsKnown(request.broadcast.rule) &&
         (!request.op || IsKnown(*request.op)) && (!dtype || IsKnown(*dtype)) &&
         (!to || IsKnown(*to)) && std::ranges::all_of(request.dtypes, known) &&
         std::ranges::none_of(request.expect, [](WarningKind kind) {
           return Name(kind).empty();
         });
}

class LinkWriter {
 public:
  LinkWriter(const LinkRequest& request, Arena& arena)
      : asked_(request),
        request_(request.broadcast),
        traits_(Traits(request.broadcast.rule)),
        arena_(arena),
        text_(arena) {}

  Result<Link> Write() {
    const std::string_view address = Address(asked_.base);
    if (!WriteWhyNot(address)) {
      text_ << address;
      WriteQuestion();
    }
    if (is_refused_ || arena_.refused()) {
      return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
    }
    return has_reason_ ? Link{.address = {}, .reason = text_.view()}
                       : Link{.address = text_.view(), .reason = {}};
  }

 private:
  // Whether there is no link; then the text is the reason.
  bool WriteWhyNot(std::string_view address) {
    has_reason_ = true;
    // A policy first: it is why the request has no other answer.
    const Result<Alignment> alignment = Align(request_, arena_.allocator());
    const std::optional<Error> error =
        alignment ? alignment->error() : std::optional(alignment.error());
    if (error && (error->error_class == ErrorClass::kPolicy ||
                  error->detail == Detail::kAxisNames)) {
      text_ << "A policy refused these shapes, and the playground knows no "
               "policy.";
      return true;
    }
    is_refused_ = error && error->error_class == ErrorClass::kAllocation;
    is_vast_ = !error && !CountBytes(alignment->output(), DType::kF32);

    const size_t count = request_.operands.size();
    const std::string_view title = Info(request_.rule).title;
    if (count == 0) {
      text_ << "There are no operands to show.";
      return true;
    }
    if (count > kMostLinkedOperands) {
      text_ << "The playground shows at most " << kMostLinkedOperands
            << " operands, and there are " << count << '.';
      return true;
    }
    const auto write_unknown = [&](std::string_view what) {
      text_ << title << " takes no " << what
            << ", and the playground shows none.";
      return true;
    };
    if (request_.axis && !traits_.takes_axis) return write_unknown("axis");
    if (request_.target_shape && !traits_.takes_target) {
      return write_unknown("target shape");
    }
    if (request_.axes_mapping && !traits_.takes_mapping) {
      return write_unknown("axes_mapping");
    }
    op_ = FindOperator();
    const auto write_too_many = [&](std::string_view name, size_t most) {
      if (most == 0 || count <= most) return false;
      text_ << name << " takes " << most
            << (most == 1 ? " operand" : " operands") << ", and there are "
            << count << ": the playground would leave some out.";
      return true;
    };
    if (write_too_many(title, traits_.most_operands) ||
        write_too_many(Info(op_).name, Info(op_).most_operands)) {
      return true;
    }
    size_t axes = request_.target_shape ? request_.target_shape->size() : 0;
    for (const ShapeView shape : request_.operands) axes += shape.size();
    if (axes > kMostLinkedAxes) {
      text_ << "The playground shows at most " << kMostLinkedAxes
            << " axes, and there are " << axes << '.';
      return true;
    }
    size_t longest = 0;
    for (size_t i = 0; i < count; ++i) {
      longest = std::max(longest, LettersOf(i));
    }
    if (request_.target_shape) {
      longest = std::max(longest, Letters(*request_.target_shape, 2, true));
    }
    if (request_.axes_mapping) {
      longest = std::max(longest, Letters(*request_.axes_mapping, 2, false));
    }
    if (longest > kLongestLinkedText) {
      text_ << "The playground reads at most " << kLongestLinkedText
            << " characters of a shape, and this one has " << longest << '.';
      return true;
    }
    if (address.empty()) {
      text_ << kNoAddress;
      return true;
    }
    has_reason_ = false;
    return false;
  }

  // Of a list as WriteList writes it.
  static size_t Letters(ShapeView list, size_t brackets, bool is_shape) {
    size_t letters = brackets;
    for (const int64_t value : list) {
      letters += value < 0 ? 2 : 1;
      for (int64_t rest = value / 10; rest != 0; rest /= 10) ++letters;
    }
    if (list.size() > 1) letters += list.size() - 1;
    return letters + (is_shape && list.size() == 1 ? 1 : 0);
  }

  void WriteQuestion() {
    const DType dtype = TypeOf();
    const OpInfo& op = Info(op_);
    text_ << "#v=1&rule=" << Info(request_.rule).name << "&op=" << op.name
          << "&type=" << Info(dtype).name;
    for (size_t i = 0; i < request_.operands.size(); ++i) {
      text_ << "&in=";
      WriteOperand(i);
    }
    WriteTypes(dtype);
    if (request_.axis) text_ << "&axis=" << *request_.axis;
    if (request_.target_shape) {
      text_ << "&target=";
      WriteShape(*request_.target_shape);
    }
    if (request_.axes_mapping) {
      text_ << "&mapping=[";
      WriteList(*request_.axes_mapping);
      text_ << ']';
    }
    const OpAttributes& attributes = asked_.attributes;
    if (attributes.fmod) text_ << "&fmod=" << *attributes.fmod;
    if (attributes.direction || op.attribute == OpAttribute::kDirection) {
      const bool is_right = attributes.direction == ShiftDirection::kRight;
      text_ << "&direction=" << (is_right ? "right" : "left");
    }
    if (attributes.to || op.attribute == OpAttribute::kTo) {
      const DType to = attributes.to.value_or(request_.dtype.value_or(  //
          DType::kU8));
      text_ << "&to=" << Info(to).name;
    }
    if (attributes.saturate) text_ << "&saturate=" << *attributes.saturate;
    for (size_t i = 0; i < asked_.expect.size(); ++i) {
      text_ << (i == 0 ? "&expect=" : ",") << Name(asked_.expect[i]);
    }
  }

  // The types of operands that are not what the playground gives them, up to
  // the last one.
  void WriteTypes(DType dtype) {
    const size_t count = std::min(asked_.dtypes.size(),  //
                                  request_.operands.size());
    const auto own = [&](size_t i) {
      return asked_.dtypes[i] != OperandType(i, dtype);
    };
    size_t last = count;
    while (last > 0 && !own(last - 1)) --last;
    for (size_t i = 0; i < last; ++i) {
      text_ << (i == 0 ? "&t=" : ",");
      if (own(i)) text_ << Info(asked_.dtypes[i]).name;
    }
  }

  // The names of an operand's axes, if each is a name such as `batch`: it
  // needs no escaping in any text.
  std::span<const std::string_view> NamesOf(size_t operand) const {
    if (operand >= request_.axis_names.size()) return {};
    const std::span<const std::string_view> names =
        request_.axis_names[operand];
    const bool is_whole = names.size() == request_.operands[operand].size();
    return is_whole && std::ranges::all_of(names, IsName)
               ? names
               : std::span<const std::string_view>();
  }

  static bool IsName(std::string_view name) {
    return !name.empty() && name.size() <= 32 && IsAsciiLetter(name[0]) &&
           std::ranges::all_of(name, IsAsciiWord);
  }

  size_t LettersOf(size_t operand) const {
    const std::span<const std::string_view> names = NamesOf(operand);
    const bool is_named = !names.empty();
    size_t letters = Letters(request_.operands[operand], 2, !is_named);
    for (const std::string_view name : names) letters += name.size() + 1;
    return letters;
  }

  void WriteOperand(size_t operand) {
    const ShapeView shape = request_.operands[operand];
    const std::span<const std::string_view> names = NamesOf(operand);
    if (names.empty()) return WriteShape(shape);
    for (size_t i = 0; i < names.size(); ++i) {
      text_ << (i == 0 ? '(' : ',') << names[i] << '=' << shape[i];
    }
    text_ << ')';
  }

  void WriteShape(ShapeView shape) {
    text_ << '(';
    WriteList(shape);
    text_ << (shape.size() == 1 ? ",)" : ")");
  }

  void WriteList(ShapeView list) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) text_ << ',';
      text_ << list[i];
    }
  }

  // The type that the result is to have, if that is known; without one,
  // elements count as bytes.
  std::optional<DType> Wanted() const {
    if (request_.dtype) return request_.dtype;
    return is_vast_ ? std::optional(DType::kI8) : std::nullopt;
  }

  // The operator that was asked for; else Add, Sum or the first one that takes
  // these operands under the rule. Shapes alone are aligned whatever the
  // operator is.
  Op FindOperator() const {
    const Rule rule = request_.rule;
    const size_t count = request_.operands.size();
    const auto fits = [&](const OpInfo& row) {
      return Accepts(row.op, rule) && row.least_operands <= count &&
             (row.most_operands == 0 || count <= row.most_operands);
    };
    if (asked_.op && (!asked_.dtypes.empty() || fits(Info(*asked_.op)))) {
      return *asked_.op;
    }
    const std::optional<DType> wanted = Wanted();
    const auto takes = [&](const OpInfo& row) {
      return fits(row) && row.attribute == OpAttribute::kNoAttribute &&
             (!wanted || Accepts(row.op, LeaderOf(row.op), *wanted));
    };
    for (const Op op : {Op::kAdd, Op::kSum}) {
      if (takes(Info(op))) return op;
    }
    for (const OpInfo& row : AllOps()) {
      if (takes(row)) return row.op;
    }
    for (const OpInfo& row : AllOps()) {
      if (Accepts(row.op, rule)) return row.op;
    }
    return Op::kAdd;
  }

  // The first operand whose type is that of the question.
  static size_t LeaderOf(Op op) { return TypeLeader(op, 0) ? 0 : 1; }

  // The type that an operand has in the playground, unless it has its own.
  DType OperandType(size_t operand, DType dtype) const {
    if (TypeLeader(op_, operand) || Accepts(op_, operand, dtype)) return dtype;
    return FirstType(operand, false).value_or(dtype);
  }

  std::optional<DType> FirstType(size_t operand, bool fmod) const {
    for (const DTypeInfo& row : AllDTypes()) {
      if (Accepts(op_, operand, row.dtype, fmod)) return row.dtype;
    }
    return std::nullopt;
  }

  DType TypeOf() const {
    const size_t leader = LeaderOf(op_);
    const std::span<const DType>& own = asked_.dtypes;
    if (!own.empty()) return own[leader < own.size() ? leader : 0];
    const bool fmod = Info(op_).attribute == OpAttribute::kFmod &&
                      asked_.attributes.fmod == 1;
    for (const std::optional<DType> type :
         {Wanted(), std::optional(DType::kF32), std::optional(DType::kI32)}) {
      if (type && Accepts(op_, leader, *type, fmod)) return *type;
    }
    return FirstType(leader, fmod).value_or(DType::kF32);
  }

  const LinkRequest& asked_;
  const BroadcastRequest& request_;
  const RuleTraits& traits_;
  Arena& arena_;
  Text text_;
  Op op_ = Op::kAdd;
  bool is_vast_ = false;
  bool is_refused_ = false;
  bool has_reason_ = false;
};

}  // namespace

Result<Link> WriteLink(const LinkRequest& request, Arena& arena) noexcept {
  if (!IsAsked(request)) {
    return std::unexpected(Error{.error_class = ErrorClass::kUnknown});
  }
  return LinkWriter(request, arena).Write();
}

}  // namespace v1
}  // namespace broadloom
