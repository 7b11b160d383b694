#include "broadloom/explain/warning.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "base/list.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "warnings/divergences.h"

namespace broadloom {
inline namespace v1 {
namespace {

struct KindRow {
  WarningKind kind;
  std::string_view name;
};

constexpr KindRow kKinds[] = {
#define BROADLOOM_KIND_ROW(symbol, spelling, doc) \
  {WarningKind::symbol, spelling},
    BROADLOOM_WARNING_KINDS(BROADLOOM_KIND_ROW)
#undef BROADLOOM_KIND_ROW
};

#define BROADLOOM_KIND(symbol, ...) WarningKind::symbol,
constexpr WarningKind kAllKinds[] = {BROADLOOM_WARNING_KINDS(BROADLOOM_KIND)};
#undef BROADLOOM_KIND

// One question: collects its warnings.
class Warner {
 public:
  Warner(const WarningRequest& request, const Alignment& alignment,
         Arena& arena)
      : request_(request),
        broadcast_(request.broadcast),
        alignment_(alignment),
        traits_(Traits(request.broadcast.rule)),
        arena_(arena),
        warnings_(arena) {}

  std::span<const Warning> Find() {
    if (!alignment_.error()) {
      const bool is_judged =
          rank() <= kMostJudgedAxes && operands() <= kMostJudgedOperands;
      if (is_judged && !Expects(WarningKind::kOuter)) FindOuter();
      if (!Expects(WarningKind::kAxisNames)) FindUnlikeNames();
      if (is_judged) {
        FindOtherPlaces(WarningKind::kMaskAxis);
        FindOtherPlaces(WarningKind::kAccidentalMatch);
        FindSquare();
        FindOtherAxis();
        if (!Expects(WarningKind::kStretchedBatch)) FindStretchedBatch();
      }
      if (!Expects(WarningKind::kResultNotTarget)) CompareWithTarget();
    }
    if (!Expects(WarningKind::kOtherSystems)) FindOtherSystems();
    if (!alignment_.error()) {
      if (!Expects(WarningKind::kEmptyResult)) FindEmpty();
      if (!Expects(WarningKind::kLargeResult)) FindLarge();
    }
    return warnings_.view();
  }

  // Whether memory was refused, so that some warnings may be missing.
  bool is_refused() const { return is_refused_ || arena_.refused(); }

 private:
  size_t rank() const { return alignment_.rank(); }
  size_t operands() const { return alignment_.operand_count(); }
  ShapeView output() const { return alignment_.output(); }

  bool Expects(WarningKind kind) const {
    return std::ranges::find(request_.expect, kind) != request_.expect.end();
  }
  bool IsOp(std::initializer_list<Op> ops) const {
    return request_.op && std::ranges::find(ops, *request_.op) != ops.end();
  }

  // The name of an operand's axis along an axis of the result; empty where it
  // has none.
  std::string_view NameOf(size_t operand, size_t axis) const {
    const int32_t source = alignment_.cell(operand, axis).source_axis;
    if (source == kAbsent || operand >= broadcast_.axis_names.size()) return {};
    const std::span<const std::string_view> names =
        broadcast_.axis_names[operand];
    return static_cast<size_t>(source) < names.size()
               ? names[static_cast<size_t>(source)]
               : std::string_view();
  }

  // Whether the names show that the operand's axis lies where it belongs: some
  // other operand has the same name there.
  bool IsNamedAlike(size_t operand, size_t axis) const {
    const std::string_view name = NameOf(operand, axis);
    if (name.empty()) return false;
    for (size_t other = 0; other < operands(); ++other) {
      if (other != operand && NameOf(other, axis) == name) return true;
    }
    return false;
  }

  // Whether the request fits, with the same result, when `operand` has the
  // shape `shape`.
  bool FitsAs(size_t operand, ShapeView shape) {
    const std::span<ShapeView> shapes = arena_.Make<ShapeView>(operands());
    if (shapes.empty()) return false;
    std::ranges::copy(broadcast_.operands, shapes.begin());
    shapes[operand] = shape;
    BroadcastRequest changed = broadcast_;
    changed.operands = shapes;
    changed.axis_names = {};
    return Fits(changed);
  }
  bool Fits(const BroadcastRequest& changed) {
    const Result<Alignment> alignment = Align(changed, arena_.allocator());
    is_refused_ |= IsRefused(alignment);
    return alignment && !alignment->error() &&
           std::ranges::equal(alignment->output(), output());
  }

  void Push(WarningKind kind, std::span<const int32_t> axes,
            const Text& message) {
    warnings_.Push({kind, arena_.Copy(axes), message.view()});
  }
  void Push(WarningKind kind, std::initializer_list<size_t> axes,
            const Text& message) {
    List<int32_t> list(arena_);
    for (const size_t axis : axes) list.Push(static_cast<int32_t>(axis));
    warnings_.Push({kind, list.view(), message.view()});
  }

  // "B (32,)".
  void WriteOperand(Text& text, size_t operand, bool is_first) const {
    const auto index = static_cast<int32_t>(operand);
    is_first ? text.OperandCapital(index) : text.Operand(index);
    text << ' ';
    text.Shape(alignment_.operand(operand));
  }

  // (N,1) with (N): operand `a` has n along axis p, which `b` lacks, and a 1
  // along axis q, where `b` has n. (1,N,1) with (1,N) is the same for a batch
  // of
  // 1. Operands of one rank show that all pairs are meant, (N,1) with (1,N),
  // and so do unequal sizes.
  void FindOuter() {
    for (size_t a = 0; a < operands(); ++a) {
      for (size_t b = 0; b < operands(); ++b) {
        if (a != b && FindOuter(a, b)) return;
      }
    }
  }
  bool FindOuter(size_t a, size_t b) {
    if (alignment_.operand(b).size() >= alignment_.operand(a).size()) {
      return false;
    }
    for (size_t p = 0; p < rank(); ++p) {
      const int64_t extent = output()[p];
      if (extent < 2 || alignment_.cell(a, p).relation != Relation::kMatch ||
          alignment_.cell(b, p).relation == Relation::kMatch) {
        continue;
      }
      for (size_t q = p + 1; q < rank(); ++q) {
        if (output()[q] != extent ||
            alignment_.cell(b, q).relation != Relation::kMatch ||
            alignment_.cell(a, q).relation != Relation::kStretch) {
          continue;
        }
        const std::string_view of_a = NameOf(a, p);
        const std::string_view of_b = NameOf(b, q);
        if (!of_a.empty() && !of_b.empty() && of_a != of_b) continue;
        // A mask of positions: arange[:, None] >= arange.
        if (IsOp({Op::kLess, Op::kLessOrEqual, Op::kGreater,
                  Op::kGreaterOrEqual}) &&
            IsVector(a) && IsVector(b)) {
          return false;
        }
        Text text(arena_);
        WriteOperand(text, std::min(a, b), true);
        text << " and ";
        WriteOperand(text, std::max(a, b), false);
        text << " both grow: the result ";
        text.Shape(output());
        text << " has an entry for each of " << extent << " x " << extent
             << " pairs along axes " << p << " and " << q
             << ". If elements belong together one by one, give both operands "
                "the same axes.";
        Push(WarningKind::kOuter, {p, q}, text);
        return true;
      }
    }
    return false;
  }

  // Whether an operand has one extent that is not 1.
  bool IsVector(size_t operand) const {
    return std::ranges::count_if(alignment_.operand(operand),
                                 [](int64_t extent) { return extent != 1; }) ==
           1;
  }

  void FindUnlikeNames() {
    if (broadcast_.axis_names.empty()) return;
    for (size_t axis = 0; axis < rank(); ++axis) {
      size_t first = operands();
      for (size_t i = 0; i < operands(); ++i) {
        const std::string_view name = NameOf(i, axis);
        if (name.empty()) continue;
        if (first == operands()) {
          first = i;
          continue;
        }
        const std::string_view before = NameOf(first, axis);
        if (before == name) continue;
        Text text(arena_);
        text << "Along axis " << axis << ", \"" << before << "\" of ";
        text.Operand(static_cast<int32_t>(first));
        text << " lies on \"" << name << "\" of ";
        text.Operand(static_cast<int32_t>(i));
        text << ". Axes are matched by place, not by name: insert axes of "
                "extent 1 or transpose until the names agree.";
        Push(WarningKind::kAxisNames, {axis}, text);
        break;
      }
    }
  }

  // An operand with fewer axes than the result is aligned at the right. Its
  // first extent n lies on axis k; if the result has n along an outer axis, too
  // (the batch, or the channels), the operand fits there as well, with axes of
  // extent 1 behind its first axis.
  void FindOtherPlaces(WarningKind kind) {
    const bool is_default =
        traits_.placement == Placement::kRight ||
        (traits_.takes_axis && broadcast_.axis.value_or(-1) == -1);
    if (!is_default || Expects(kind)) return;
    for (size_t i = 0; i < operands(); ++i) {
      if (IsMask(i) != (kind == WarningKind::kMaskAxis)) continue;
      const ShapeView shape = alignment_.operand(i);
      if (shape.empty() || shape.size() >= rank() || shape[0] < 2) continue;
      const size_t k = rank() - shape.size();
      if (IsNamedAlike(i, k)) continue;
      if (output()[0] == shape[0] && IsOddOnBatch(i)) {
        WarnOfOtherPlace(kind, i, k, 0);
      } else if (rank() == 4 && shape.size() == 1 && k == 3 &&
                 output()[1] == shape[0]) {
        WarnOfOtherPlace(kind, i, k, 1);  // a channel's bias in NCHW
      }
    }
  }

  // Whether it is odd that an operand, whose first extent is that of the batch,
  // does not lie there. What is ordinary depends on ranks and operator.
  bool IsOddOnBatch(size_t i) const {
    const ShapeView shape = alignment_.operand(i);
    if (shape.size() == 1) {
      // (N,N) with (N): a bias, weights or centred columns, all ordinary. Sums
      // to divide by are often those of the rows.
      if (rank() == 2) {
        return !alignment_.has_target() && (IsOp({Op::kDiv}) || IsMask(i));
      }
      // (N,T,N) with (N): a bias is ordinary; so are channels of images.
      return rank() == 3 && !alignment_.has_target() &&
             !IsOp({Op::kAdd, Op::kPRelu});
    }
    // (b,h,n,n) with (n,n): a causal mask.
    const bool is_square = shape.size() == 2 && shape[0] == shape[1];
    return !(is_square && rank() - shape.size() >= 2);
  }

  // Whether an operand is a mask, by the operator.
  bool IsMask(size_t i) const {
    return (IsOp({Op::kWhere}) && i == 0) || IsOp({Op::kAnd, Op::kOr});
  }

  // Operand `i` lies from axis `k` on, and its first axis would fit `other`.
  void WarnOfOtherPlace(WarningKind kind, size_t i, size_t k, size_t other) {
    const ShapeView shape = alignment_.operand(i);
    if (traits_.takes_axis) {
      WarnOfOtherAxis(k, other);
      return;
    }
    // All axes moved, or the first one only, which comes first if somebody has
    // put a 1 behind it.
    const std::span<int64_t> moved = arena_.Make<int64_t>(rank() - other);
    if (moved.empty()) return;
    bool moves_all = shape.size() < 2 || shape[1] != 1;
    for (int tries = 0;; ++tries, moves_all = !moves_all) {
      std::ranges::fill(moved, 1);
      const size_t left = moves_all ? shape.size() : 1;
      std::ranges::copy(shape.first(left), moved.begin());
      std::ranges::copy(
          shape.subspan(left),
          moved.end() - static_cast<ptrdiff_t>(shape.size() - left));
      if (FitsAs(i, moved)) break;
      if (tries == 1) return;
    }
    List<int32_t> axes(arena_);
    for (size_t axis = k; axis < rank(); ++axis) {
      if (axis == k || (moves_all && shape[axis - k] != 1)) {
        axes.Push(static_cast<int32_t>(axis));
      }
    }
    Text text(arena_);
    WriteOperand(text, i, true);
    text << " lies on axis " << k << ", and fits axis " << other
         << " as well, since both have extent " << shape[0]
         << ". If its first axis belongs to axis " << other
         << ", make its shape ";
    text.Shape(moved);
    text << "; check with sizes that differ.";
    Push(kind, axes.view(), text);
  }

  // A square matrix times a column: (N,N) * (N,1) scales the rows, (N) would
  // scale the columns. Sums and means of rows are subtracted and divided by.
  void FindSquare() {
    if (Expects(WarningKind::kAccidentalMatch) || !IsOp({Op::kMul}) ||
        operands() != 2 || rank() != 2 || output()[0] != output()[1] ||
        output()[0] < 2) {
      return;
    }
    for (size_t i = 0; i < 2; ++i) {
      const ShapeView shape = alignment_.operand(i);
      if (shape.size() != 2 ||
          alignment_.cell(i, 0).relation != Relation::kMatch ||
          alignment_.cell(i, 1).relation != Relation::kStretch ||
          alignment_.cell(1 - i, 0).relation != Relation::kMatch ||
          alignment_.cell(1 - i, 1).relation != Relation::kMatch ||
          IsNamedAlike(i, 0) || !FitsAs(i, shape.first(1))) {
        continue;
      }
      Text text(arena_);
      WriteOperand(text, i, true);
      text << " has a value for each row; since the result is square, a value "
              "for each column would fit as ";
      text.Shape(shape.first(1));
      text << ". Check which is meant with a matrix that is not square.";
      Push(WarningKind::kAccidentalMatch, {1}, text);
    }
  }

  // PDPD without an axis: B, which begins with extents of 1, fits from another
  // axis on with all its other extents.
  void FindOtherAxis() {
    if (!traits_.takes_axis || broadcast_.axis.value_or(-1) != -1 ||
        Expects(WarningKind::kAccidentalMatch)) {
      return;
    }
    const ShapeView shape = alignment_.operand(1);
    const auto start = static_cast<size_t>(alignment_.start_axis());
    if (shape.size() < 2 || shape.size() >= rank() || shape[0] != 1 ||
        output()[start] < 2 || IsNamedAlike(1, start)) {
      return;
    }
    for (size_t axis = 0; axis + shape.size() <= rank(); ++axis) {
      if (axis != start && WarnOfOtherAxis(start, axis)) return;
    }
  }

  // PDPD: B lies from axis `start` on, and may fit from axis `other` on.
  bool WarnOfOtherAxis(size_t start, size_t other) {
    BroadcastRequest changed = broadcast_;
    changed.axis = static_cast<int64_t>(other);
    if (!Fits(changed)) return false;
    Text text(arena_);
    WriteOperand(text, 1, true);
    text << " lines up with A's axes from axis " << start
         << " on, and fits from axis " << other
         << " on as well. Give the axis that is meant.";
    Push(WarningKind::kAccidentalMatch, {start}, text);
    return true;
  }

  // (b*h,n,n) with (1,n,n): scores of folded heads, and a mask of a batch of 1.
  // Means are subtracted and divided by.
  void FindStretchedBatch() {
    if (rank() != 3 || alignment_.has_target() || IsOp({Op::kSub, Op::kDiv}) ||
        output()[0] < 2 || output()[1] < 2 || output()[1] != output()[2]) {
      return;
    }
    size_t whole = operands();
    size_t stretched = operands();
    for (size_t i = 0; i < operands(); ++i) {
      if (alignment_.cell(i, 1).relation != Relation::kMatch ||
          alignment_.cell(i, 2).relation != Relation::kMatch) {
        continue;
      }
      const Relation relation = alignment_.cell(i, 0).relation;
      if (relation == Relation::kMatch) whole = i;
      if (relation == Relation::kStretch) stretched = i;
    }
    if (whole == operands() || stretched == operands()) return;
    Text text(arena_);
    WriteOperand(text, stretched, true);
    text << " has a batch of 1, which is repeated for the " << output()[0]
         << " of ";
    WriteOperand(text, whole, false);
    text << ". If those are a batch and heads, repeat ";
    text.Operand(static_cast<int32_t>(stretched));
    text << " for each head; check with a batch of 2.";
    Push(WarningKind::kStretchedBatch, {0}, text);
  }

  void CompareWithTarget() {
    if (!alignment_.has_target()) return;
    const ShapeView target = alignment_.target();
    List<int32_t> axes(arena_);
    for (size_t axis = 0; axis < rank(); ++axis) {
      const size_t missing = rank() - std::min(rank(), target.size());
      if (axis < missing || output()[axis] != target[axis - missing]) {
        axes.Push(static_cast<int32_t>(axis));
      }
    }
    if (axes.empty()) return;
    Text text(arena_);
    text << "The result is ";
    WriteShort(text, output());
    text << ", not the target ";
    WriteShort(text, target);
    text << ", since data has more along "
         << (axes.size() > 1 ? "axes" : "axis");
    const size_t shown = std::min(axes.size(), kMostJudgedAxes);
    for (size_t i = 0; i < shown; ++i) text << (i > 0 ? ", " : " ") << axes[i];
    if (shown < axes.size()) text << " and more";
    text << ". Use broadcast_numpy if the result has to have the target's "
            "shape.";
    Push(WarningKind::kResultNotTarget, axes.view(), text);
  }

  void FindOtherSystems() {
    List<MetDivergence> met(arena_);
    is_refused_ |= !FindDivergences(broadcast_, request_.op, alignment_, met);
    for (const MetDivergence& one : met) {
      warnings_.Push({WarningKind::kOtherSystems, one.axes, one.row->message,
                      one.row->systems});
    }
  }

  void FindEmpty() {
    List<int32_t> axes(arena_);
    for (size_t axis = 0; axis < rank(); ++axis) {
      if (output()[axis] == 0) axes.Push(static_cast<int32_t>(axis));
    }
    if (axes.empty()) return;
    Text text(arena_);
    text << "The result has no elements: ";
    bool is_from_operand = false;
    for (size_t i = 0; i < operands() && !is_from_operand; ++i) {
      if (alignment_.cell(i, static_cast<size_t>(axes[0])).extent != 0)
        continue;
      text.Operand(static_cast<int32_t>(i));
      is_from_operand = true;
    }
    if (!is_from_operand) text << "the target";
    text << " has extent 0 along axis " << axes[0]
         << ". Look for a selection or a slice that is empty.";
    Push(WarningKind::kEmptyResult, axes.view(), text);
  }

  void FindLarge() {
    const int64_t elements = CountElements(output()).value_or(0);
    int64_t largest = 1;
    for (size_t i = 0; i < operands(); ++i) {
      largest = std::max(
          largest, CountElements(alignment_.operand(i)).value_or(elements));
    }
    if (elements / kLargeResultRatio < largest) return;
    const Result<int64_t> bytes =
        CountBytes(output(), broadcast_.dtype.value_or(DType::kF32));
    if (bytes && *bytes < kLargeResultBytes) return;
    List<int32_t> axes(arena_);
    for (size_t axis = 0; axis < rank(); ++axis) {
      bool is_repeated = false;
      for (size_t i = 0; i < operands(); ++i) {
        is_repeated |= output()[axis] > 1 &&
                       alignment_.cell(i, axis).relation != Relation::kMatch;
      }
      if (is_repeated) axes.Push(static_cast<int32_t>(axis));
    }
    Text text(arena_);
    text << "The result has " << elements << " elements, " << elements / largest
         << " times as many as the largest operand. If it is only added up "
            "afterwards, use a product of matrices or work in blocks.";
    Push(WarningKind::kLargeResult, axes.view(), text);
  }

  static void WriteShort(Text& text, ShapeView shape) {
    if (shape.size() <= kMostJudgedAxes) {
      text.Shape(shape);
    } else {
      text << "of rank " << shape.size();
    }
  }

  const WarningRequest& request_;
  const BroadcastRequest& broadcast_;
  const Alignment& alignment_;
  const RuleTraits& traits_;
  Arena& arena_;
  List<Warning> warnings_;
  bool is_refused_ = false;
};

}  // namespace

std::string_view Name(WarningKind kind) noexcept {
  for (const KindRow& row : kKinds) {
    if (row.kind == kind) return row.name;
  }
  return {};
}

std::optional<WarningKind> FindWarningKind(std::string_view spelling) noexcept {
  for (const KindRow& row : kKinds) {
    if (row.name == spelling) return row.kind;
  }
  return std::nullopt;
}

std::span<const WarningKind> AllWarningKinds() noexcept { return kAllKinds; }

Result<std::span<const Warning>> FindWarnings(const WarningRequest& request,
                                              Arena& arena) noexcept {
  if (request.op && Info(*request.op).name.empty()) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kUnknown, .detail = Detail::kOp});
  }
  for (const WarningKind kind : request.expect) {
    if (Name(kind).empty()) {
      return std::unexpected(Error{.error_class = ErrorClass::kUnknown});
    }
  }
  const Result<Alignment> alignment =
      Align(request.broadcast, arena.allocator());
  if (!alignment) return std::unexpected(alignment.error());
  Warner warner(request, *alignment, arena);
  const std::span<const Warning> warnings = warner.Find();
  if (warner.is_refused()) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  return warnings;
}

}  // namespace v1
}  // namespace broadloom
