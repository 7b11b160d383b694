#include "broadloom/explain/paste.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/parse.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"
#include "paste/formats.h"
#include "paste/lines.h"
#include "paste/match.h"
#include "paste/plain.h"
#include "paste/read.h"
#include "paste/shapes.h"
#include "paste/source.h"

namespace broadloom {
inline namespace v1 {
namespace {

std::unexpected<Error> Refused() {
  return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
}

int64_t CountCharacters(std::string_view text) {
  int64_t count = 0;
  for (const char c : text) {
    count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }
  return count;
}

Error MakeError(const ShapeFault& fault, const Plain& plain,
                std::string_view original, size_t operand) {
  const TextSpan span = plain.Original(
      std::min(fault.begin, plain.text.size()),
      std::min(std::max(fault.begin, fault.end), plain.text.size()));
  if (fault.axis != kAbsent) {
    return {.error_class = ErrorClass::kExtent,
            .detail = fault.detail,
            .operand = static_cast<int32_t>(operand),
            .operand_axis = fault.axis,
            .text_begin = span.begin,
            .text_end = span.end};
  }
  return {.error_class = ErrorClass::kParse,
          .detail = fault.detail,
          .extent = CountCharacters(original.substr(0, span.begin)),
          .other_extent = CountCharacters(original.substr(0, span.end)),
          .text_begin = span.begin,
          .text_end = span.end};
}

bool IsSeparator(std::string_view word) {
  for (const std::string_view known :
       {"and", "vs", "versus", "with", "to", "into", "by", "against"}) {
    if (word == known) return true;
  }
  return false;
}

// Whether a bracket closes before `at`.
bool IsBehindBracket(std::string_view text, size_t at) {
  while (at > 0 && IsBlank(text[at - 1])) --at;
  const char last = at > 0 ? text[at - 1] : '\0';
  return last == ')' || last == ']' || last == '}' || last == '>';
}

// Reads a field of shapes: a list of them, with labels and separators.
class FieldReader {
 public:
  FieldReader(const Plain& plain, Arena& arena)
      : plain_(plain),
        text_(plain.text),
        reader_(plain, arena),
        shapes_(arena) {}

  // Returns false, with fault(), if the text is no list of shapes.
  bool Read();

  const List<ShapeInText>& shapes() const { return shapes_; }
  const ShapeFault& fault() const { return fault_; }

 private:
  char At(size_t at) const { return plain_.At(at); }
  bool Fail(Detail detail, size_t begin, size_t end) {
    fault_ = {detail, begin, end};
    return false;
  }
  bool ReadWord(size_t& at);
  size_t WordEnd(size_t at) const {
    while (IsWord(At(at)) || (At(at) == '.' && IsWord(At(at + 1)))) ++at;
    return at;
  }
  void Label(size_t first);

  const Plain& plain_;
  std::string_view text_;
  ShapeReader reader_;
  List<ShapeInText> shapes_;
  ShapeFault fault_ = {};
  size_t line_end_ = 0;     // of the line in which last_open_ was looked for
  size_t last_open_ = 0;    // the last opening bracket of the line
  size_t label_begin_ = 0;  // of the words before a shape
  size_t label_end_ = 0;
  bool separated_ = true;
};

void FieldReader::Label(size_t first) {
  if (label_end_ > label_begin_ && shapes_.size() > first) {
    shapes_[first].label =
        text_.substr(label_begin_, label_end_ - label_begin_);
  }
  label_begin_ = label_end_ = 0;
  separated_ = false;
}

// At a word: a name before a bracket, a label, or an extent.
bool FieldReader::ReadWord(size_t& at) {
  const size_t end = WordEnd(at);
  const std::string_view word = text_.substr(at, end - at);
  size_t next = end;
  while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t')) {
    ++next;
  }
  if (end > at && IsSeparator(word) && (next > end || At(end) == '.')) {
    at = At(end) == '.' ? end + 1 : next;
    separated_ = true;
    return true;
  }
  // In [3]: and Out[3]: of IPython.
  if ((word == "In" || word == "Out") && At(next) == '[') {
    const size_t close = text_.substr(0, next + 12).find("]:", next);
    if (close != std::string_view::npos) {
      at = close + 2;
      return true;
    }
  }
  const auto label = [&](size_t behind, size_t to) {
    if (label_end_ == label_begin_) label_begin_ = at;
    label_end_ = behind;
    at = to;
    return true;
  };
  if (end > at && ClosingOf(At(end)) != 0 &&
      !(At(end) == '<' && At(end + 1) == '=')) {
    const bool is_call = At(end) == '(' && At(end + 1) == ')' &&
                         (word.ends_with("size") || word.ends_with("shape") ||
                          word.ends_with("dims"));
    if (is_call) return label(end + 2, end + 2);
    // np.shape(a) = (2, 3): what is in the brackets is no shape.
    const bool is_query = word.ends_with("shape") || word.ends_with("size");
    const size_t first = shapes_.size();
    if (is_query) {
      const size_t close = text_.substr(0, end + 200).find(')', end);
      if (close != std::string_view::npos && IsLetter(At(end + 1))) {
        return label(close + 1, close + 1);
      }
    }
    if (!reader_.ReadBrackets(at, shapes_)) {
      fault_ = reader_.fault();
      return false;
    }
    Label(first);
    return true;
  }
  const char sign = At(next);
  if (end > at && (sign == '=' || sign == ':') && At(next + 1) != '=') {
    size_t value = next + 1;
    while (IsBlank(At(value))) ++value;
    const size_t name = WordEnd(value);
    const bool is_brackets =
        ClosingOf(At(value)) != 0 || (name > value && ClosingOf(At(name)) != 0);
    size_t digits = value;
    while (IsDigit(At(digits))) ++digits;
    const bool is_product =
        digits > value && (At(digits) == 'x' || At(digits) == 'X');
    if (is_brackets || is_product || word.find('.') != std::string_view::npos ||
        word.ends_with("shape") || word.ends_with("size")) {
      return label(end, value);
    }
  }
  // A shape is asked for on a line of its own.
  if (end > at && (sign == '\n' || sign == '\r') &&
      (word.ends_with(".shape") || word.ends_with(".size"))) {
    return label(end, next);
  }
  // Words before a bracket on this line: `shape of a (2, 3)`.
  const bool in_list = sign == ',' || sign == ';' || sign == '=' ||
                       sign == ':' || next >= text_.size() || sign == '\n';
  if (end > at && !in_list && last_open_ > at) return label(end, next);
  if (!separated_ && end > at && IsLetter(At(at))) {
    if (IsElementType(word)) {
      at = end;
      return true;
    }
    return Fail(Detail::kTrailing, at, end);
  }
  const size_t first = shapes_.size();
  if (!reader_.ReadBare(at, shapes_, /*one_line=*/true)) {
    fault_ = reader_.fault();
    return false;
  }
  Label(first);
  if (!word.empty() && At(at - 1) == ',') separated_ = true;
  return true;
}

bool FieldReader::Read() {
  size_t at = 0;
  for (;;) {
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '\n' || c == ',' || c == ';' || c == '&' || c == '|') {
        separated_ = true;
      } else if (!IsBlank(c) && c != '\'' && c != '"' && c != '`') {
        break;
      }
      ++at;
    }
    if (at >= text_.size()) break;
    if (at >= line_end_) {
      line_end_ = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, line_end_ - at);
      const size_t open = line.find_last_of("([{<");
      last_open_ = open == std::string_view::npos ? 0 : at + open;
    }
    const char c = text_[at];
    const std::string_view rest = text_.substr(at);
    if (c == '#') {
      at = line_end_;
      continue;
    }
    if (rest.starts_with(">>>") || rest.starts_with("->") ||
        rest.starts_with("=>") || rest.starts_with("==")) {
      at += rest.starts_with(">>>") ? 3 : 2;
      separated_ = true;
      continue;
    }
    // An operator between shapes in brackets: 2 @ 3 are no shapes.
    const bool is_operator =
        (c == '+' || c == '-' || c == '*' || c == '/' || c == '@') &&
        !shapes_.empty() && IsBlank(At(at + 1)) && IsBehindBracket(text_, at);
    if (c == '=' || c == ':' || is_operator) {
      ++at;
      separated_ = true;
      continue;
    }
    if (ClosingOf(c) != 0 && !rest.starts_with("<=")) {
      const size_t first = shapes_.size();
      if (!reader_.ReadBrackets(at, shapes_)) {
        fault_ = reader_.fault();
        return false;
      }
      Label(first);
      continue;
    }
    if (c == ')' || c == ']' || c == '}') {
      return Fail(Detail::kUnopened, at, at + 1);
    }
    const size_t before = at;
    if (!ReadWord(at)) return false;
    if (at == before) return Fail(Detail::kBadToken, at, at + 1);
  }
  if (shapes_.empty()) return Fail(Detail::kEmptyText, 0, text_.size());
  return true;
}

}  // namespace

Result<std::span<const ShapeInText>> ReadShapes(std::string_view text,
                                                Arena& arena) noexcept {
  if (text.size() > kMostPastedBytes) {
    return std::unexpected(Error{.error_class = ErrorClass::kLimit});
  }
  const Plain plain = MakePlain(text, arena);
  if (arena.refused()) return Refused();
  return ReadShapesIn(plain, text, arena);
}

Result<std::span<const ShapeInText>> ReadShapesIn(const Plain& plain,
                                                  std::string_view text,
                                                  Arena& arena) {
  // What the core reads as one shape is this shape.
  const Result<ParsedIntegers> parsed =
      ParseShape(plain.text, kAbsent, arena.allocator());
  if (parsed) {
    const size_t rank = parsed->values.size();
    const std::span<SymbolicExtent> extents = arena.Make<SymbolicExtent>(rank);
    const std::span<TextSpan> axes = arena.Make<TextSpan>(rank);
    const std::span<ShapeInText> shapes = arena.Make<ShapeInText>(1);
    if (arena.refused()) return Refused();
    for (size_t axis = 0; axis < rank; ++axis) {
      const int64_t extent = parsed->values.view()[axis];
      extents[axis] = {extent, extent, {}};
      axes[axis] =
          plain.Original(parsed->spans[axis].begin, parsed->spans[axis].end);
    }
    const std::string_view trimmed = Trim(plain.text);
    const size_t begin =
        static_cast<size_t>(trimmed.data() - plain.text.data());
    shapes[0].shape.extents = extents;
    shapes[0].axes = axes;
    shapes[0].span = plain.Original(begin, begin + trimmed.size());
    const std::string_view name =
        trimmed.substr(0, trimmed.find_first_of("(["));
    if (IsElementType(name)) shapes[0].element_type = name;
    return shapes;
  }
  if (parsed.error().error_class == ErrorClass::kAllocation) return Refused();
  FieldReader reader(plain, arena);
  const bool reads = reader.Read();
  if (arena.refused()) return Refused();
  if (!reads) {
    return std::unexpected(
        MakeError(reader.fault(), plain, text, reader.shapes().size()));
  }
  return reader.shapes().view();
}

std::string_view Name(PastedRole role) noexcept {
  switch (role) {
    case PastedRole::kOperand:
      return "operand";
    case PastedRole::kLossTarget:
      return "target operand";
    case PastedRole::kLossInput:
      return "input operand";
    case PastedRole::kValue:
      return "value";
    case PastedRole::kTarget:
      return "target";
    case PastedRole::kOutput:
      return "output";
    case PastedRole::kBroadcast:
      return "broadcast";
  }
  return "operand";
}

bool IsOperand(PastedRole role) noexcept {
  return role == PastedRole::kOperand || role == PastedRole::kLossInput ||
         role == PastedRole::kLossTarget || role == PastedRole::kValue;
}

namespace {

bool IsSame(const SymbolicShape& a, const SymbolicShape& b) {
  return std::ranges::equal(
      a.extents, b.extents,
      [](const SymbolicExtent& x, const SymbolicExtent& y) {
        return x.least == y.least && x.most == y.most && x.name == y.name;
      });
}

constexpr std::string_view kInPlaceNote =
    "NumPy prints the output of an in-place operation, or of out=, as one more "
    "shape.";
constexpr std::string_view kKeepsShapeNote =
    "The operator works in place, so the result must have the shape of its "
    "left "
    "operand: only the right one may be stretched.";

constexpr std::string_view kBesideNote =
    "The error itself has no shapes: these stand beside it in the text.";

// Whether x -= y writes into x. Elsewhere it is x = x - y.
bool WorksInPlace(std::string_view system) {
  return system == "numpy" || system == "cupy" || system == "pytorch" ||
         system == "mxnet";
}

// What an operator or call of a source line is called in Broadloom.
std::string_view OpInSource(std::string_view op, std::string_view other_rule) {
  const bool is_matrix_language = other_rule == "left_aligned";
  if (op == "^") {
    return is_matrix_language || other_rule == "recycled" ? "Pow"
                                                          : "BitwiseXor";
  }
  // Products and quotients of matrices; .* and ./ are those of elements.
  if (is_matrix_language && (op == "*" || op == "/")) return {};
  // Reductions, whose second argument is no operand.
  if (op.ends_with("sum") || op.ends_with("mean")) return {};
  return OperatorName(op);
}

// Gives the shapes the expressions of the source line.
void SetExpressions(const Plain& plain, const SourceOperands& found,
                    std::span<PastedShape> shapes) {
  const auto set = [&](PastedShape& shape, Piece piece) {
    if (piece.empty()) return;
    shape.expression = plain.text.substr(piece.begin, piece.end - piece.begin);
    shape.expression_span = plain.Original(piece.begin, piece.end);
  };
  size_t next = 0;
  for (PastedShape& shape : shapes) {
    if (shape.role == PastedRole::kOutput) {
      set(shape, found.target);
    } else if (shape.role == PastedRole::kTarget) {
      if (found.is_assignment) set(shape, found.target);
    } else if (shape.role == PastedRole::kLossInput) {
      if (found.count > 0) set(shape, found.operands[0]);
    } else if (shape.role == PastedRole::kLossTarget) {
      if (found.count > 1) set(shape, found.operands[1]);
    } else if (shape.role != PastedRole::kBroadcast && next < found.count) {
      set(shape, found.operands[next++]);
    }
  }
}

void ReadSource(const Plain& plain, Match& match, Pasted& pasted,
                List<std::string_view>& notes) {
  const std::span<PastedShape> shapes = match.shapes.view();
  std::optional<SourceLine> source;
  if (!match.source.empty()) {
    source = SourceLine{match.source, {}, {}};
  } else {
    source = FindSourceLine(plain.text, match.piece);
  }
  size_t operands = 0;
  for (const PastedShape& shape : shapes) operands += IsOperand(shape.role);
  const bool may_be_in_place = pasted.format == "numpy.shapes" && operands == 3;
  SourceOperands found;
  if (source) {
    pasted.source_line = plain.text.substr(
        source->line.begin, source->line.end - source->line.begin);
    pasted.source_span = plain.Original(source->line.begin, source->line.end);
    const std::string_view op =
        pasted.op ? Info(*pasted.op).name : std::string_view();
    const bool has_target = pasted.rule == Rule::kBroadcastNumpy;
    found = FindOperands(plain.text, *source, op,
                         shapes.empty()    ? 2
                         : has_target      ? 1
                         : may_be_in_place ? 2
                                           : operands);
    // NumPy's in-place operators print three shapes: two are another call's.
    if (found.is_in_place && pasted.system == "numpy" && operands == 2) {
      found = {};
    }
    if (!pasted.op && pasted.operator_name.empty() && !found.op.empty()) {
      pasted.operator_name = found.op;
      const std::string_view ours = OpInSource(found.op, pasted.other_rule);
      if (!ours.empty()) pasted.op = FindOp(ours);
    }
    pasted.is_in_place =
        found.is_in_place && !found.has_out && WorksInPlace(pasted.system);
  }
  if (may_be_in_place) {
    const bool takes_three = found.count == 3 && !found.is_in_place;
    if (found.is_in_place ||
        (!takes_three && IsSame(shapes[2].read.shape, shapes[0].read.shape))) {
      shapes[2].role = PastedRole::kOutput;
      pasted.is_in_place |= !found.has_out;
      notes.Push(kInPlaceNote);
    } else if (found.count != 3) {
      found = {};
    }
  }
  if (pasted.is_in_place) notes.Push(kKeepsShapeNote);
  if (found.count == 0 && found.target.empty()) return;
  if (shapes.empty()) {
    // The expressions alone: the text has no shapes.
    for (size_t i = 0; i < found.count; ++i) {
      PastedShape shape;
      shape.read.shape.has_unknown_rank = true;
      match.shapes.Push(shape);
    }
    SetExpressions(plain, found, match.shapes.view());
    return;
  }
  SetExpressions(plain, found, shapes);
}

bool IsKnownRank(const PastedShape& shape) {
  return !shape.read.shape.has_unknown_rank;
}

// Sets the question and lacks_shapes.
void Ask(Arena& arena, Pasted& pasted) {
  const std::span<const PastedShape> shapes = pasted.shapes;
  const auto find = [&](PastedRole role) -> std::optional<uint32_t> {
    for (size_t i = 0; i < shapes.size(); ++i) {
      if (shapes[i].role == role) return static_cast<uint32_t>(i);
    }
    return std::nullopt;
  };
  PastedQuestion question;
  question.rule = pasted.rule.value_or(Rule::kNumpy);
  List<uint32_t> operands(arena);
  // Expressions alone have no shape.
  const auto is_operand = [&](const PastedShape& shape) {
    return IsOperand(shape.role) &&
           (IsKnownRank(shape) || shape.read.span.end > shape.read.span.begin);
  };
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (is_operand(shapes[i])) operands.Push(static_cast<uint32_t>(i));
  }
  const std::optional<uint32_t> output = find(PastedRole::kOutput);
  const std::optional<uint32_t> broadcast = find(PastedRole::kBroadcast);
  // PyTorch prints the operand that does not fit, and the shape of those before
  // it together.
  if (operands.size() == 1 && broadcast && pasted.rule == Rule::kNumpy) {
    operands.Insert(0, *broadcast);
  }
  if (pasted.rule && Traits(*pasted.rule).takes_target) {
    question.target = find(PastedRole::kTarget);
    if (!question.target) question.target = output;
    if (operands.empty() && broadcast) operands.Push(*broadcast);
    pasted.lacks_shapes = operands.empty() || !question.target;
  } else {
    pasted.lacks_shapes = operands.size() < 2;
    if (pasted.is_in_place && operands.size() == 2 &&
        question.rule == Rule::kNumpy) {
      question.rule = Rule::kBroadcastNumpy;
      question.target = output ? *output : operands.view()[0];
      operands.view()[0] = operands.view()[1];
      operands.Truncate(1);
    } else if (output && question.rule == Rule::kNumpy &&
               pasted.system == "numpy") {
      operands.Push(*output);  // out= has to fit, too
    }
  }
  // Shapes would not help.
  if (pasted.no_broadcast) pasted.lacks_shapes = false;
  const bool is_ours = pasted.rule && !Traits(*pasted.rule).takes_mapping;
  if (!is_ours || pasted.lacks_shapes) return;
  question.operands = operands.view();
  question.keeps_rule = pasted.system != "openvino" &&
                        pasted.system != "onnx" && pasted.system != "paddle" &&
                        pasted.system != "unknown";
  question.writes_to_target =
      question.target && (pasted.is_in_place || question.target == output ||
                          pasted.format.ends_with("assignment"));
  question.writes_operand =
      question.writes_to_target &&
      shapes[question.operands[0]].role != PastedRole::kBroadcast;
  const auto add = [&](uint32_t i) {
    const SymbolicShape& shape = shapes[i].read.shape;
    question.is_symbolic |= shape.has_unknown_rank;
    for (const SymbolicExtent& extent : shape.extents) {
      question.is_symbolic |= !extent.is_known();
    }
  };
  for (const uint32_t i : question.operands) add(i);
  if (question.target) add(*question.target);
  pasted.question = question;
}

}  // namespace

Result<std::optional<Pasted>> ReadPasted(std::string_view text,
                                         Arena& arena) noexcept {
  const size_t left_out =
      text.size() > kMostPastedBytes ? text.size() - kMostPastedBytes : 0;
  const Plain plain = MakePlain(text.substr(left_out), arena);
  if (arena.refused()) return Refused();
  return ReadPastedIn(plain, left_out, arena);
}

Result<std::optional<Pasted>> ReadPastedIn(const Plain& plain, size_t left_out,
                                           Arena& arena) {
  Match match(arena);
  List<std::string_view> notes(arena);
  Pasted pasted;
  const auto follow = [&](std::string_view rule) {
    pasted.rule = FindRule(rule);
    if (pasted.rule) return;
    pasted.other_rule = rule;
    const std::string_view message = MessageOfKind(rule);
    if (!message.empty()) pasted.no_broadcast = {rule, message};
  };
  if (FindMatch(plain, arena, match)) {
    const Format& format = *match.format;
    pasted.format = format.id;
    pasted.system = format.id.substr(0, format.id.find('.'));
    pasted.also = format.also;
    pasted.operator_name = match.op;
    if (match.op.starts_with("operator")) pasted.operator_name = {};
    std::string_view rule = RuleOfOperator(pasted.system, match.op);
    if (rule.empty()) rule = format.rule;
    follow(rule);
    if (const std::string_view ours = OperatorName(match.op); !ours.empty()) {
      pasted.op = FindOp(ours);
    }
    if (match.has_rule_axis) pasted.rule_axis = match.rule_axis;
    const bool takes_two = pasted.rule && !Traits(*pasted.rule).takes_target;
    if (takes_two && FindShapesBeside(plain, arena, match)) {
      notes.Push(kBesideNote);
    } else if (!format.note.empty()) {
      notes.Push(format.note);
    }
    if (const std::string_view note = NoteOfRule(rule); !note.empty()) {
      notes.Push(note);
    }
  } else {
    if (!FindAnyShapes(plain, arena, match)) {
      if (arena.refused()) return Refused();
      return std::nullopt;
    }
    pasted.format = "unknown.shapes";
    pasted.system = "unknown";
    follow(match.kind.empty() ? Info(Rule::kNumpy).name : match.kind);
    if (pasted.rule) {
      notes.Push(
          "The system is not recognised, so the shapes are judged by NumPy's "
          "rule.");
    }
  }
  pasted.system_title = SystemTitle(pasted.system);
  pasted.axis_counts = match.axis_counts;
  pasted.axis = match.axis;
  pasted.sizes = match.sizes.view();
  ReadSource(plain, match, pasted, notes);
  pasted.shapes = match.shapes.view();
  Ask(arena, pasted);
  pasted.message_span = plain.Original(match.piece.begin, match.piece.end);
  if (left_out > 0) {
    const auto move = [&](TextSpan& span) {
      span.begin += static_cast<uint32_t>(left_out);
      span.end += static_cast<uint32_t>(left_out);
    };
    notes.Push("Only the end of this long text was read.");
    move(pasted.message_span);
    move(pasted.source_span);
    for (PastedShape& shape : match.shapes.view()) {
      move(shape.read.span);
      move(shape.expression_span);
      const std::span<TextSpan> axes =
          arena.Make<TextSpan>(shape.read.axes.size());
      for (size_t i = 0; i < axes.size(); ++i) {
        axes[i] = shape.read.axes[i];
        move(axes[i]);
      }
      shape.read.axes = axes;
    }
  }
  pasted.notes = notes.view();
  if (arena.refused()) return Refused();
  return pasted;
}

}  // namespace v1
}  // namespace broadloom
