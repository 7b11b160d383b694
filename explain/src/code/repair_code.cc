#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "broadloom/explain/repair.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/expression.h"
#include "code/names.h"

namespace broadloom {
inline namespace v1 {
namespace {

// A change of one array.
enum class Edit : uint8_t {
  kNone,
  kInsert,
  kRemove,
  kTranspose,
  kReshape,
  kSlice,  // the first elements along each axis
};

struct Change {
  Edit edit = Edit::kNone;
  std::span<const int64_t> shape = {};  // afterwards
  std::span<const int64_t> axes = {};   // as Repair::axes
};

// How Python writes a change with a library. In a pattern % and a letter stand
// for:
//   a  the array, as an argument        l  numbers: 1, 2
//   p  the array, before a subscript    b  a list: [1, 2]
//   i  the subscript                    o  a number, or a tuple of several
//   t  a tuple: (1, 2)                  n  a list that may be empty
//   m  the module
struct Library {
  CodeSystem system;
  std::string_view module;
  std::string_view insert;
  std::string_view insert_one;  // empty: as several
  std::string_view remove;
  std::string_view transpose;
  std::string_view transpose_matrix;  // of two axes; empty: as others
  std::string_view swap_axes;         // of two axes of more; likewise
  std::string_view reshape;
  std::string_view reshape_scalar;
  std::string_view slice;
  std::string_view broadcast;
  ReductionWords reductions;
};

// The row of a library that has NumPy's functions in a module of its own.
constexpr Library LikeNumPy(CodeSystem system, std::string_view module,
                            std::string_view modules) {
  return {
      .system = system,
      .module = module,
      .insert = "%p%i",
      .insert_one = {},
      .remove = "%m.squeeze(%a, axis=%o)",
      .transpose = "%p.transpose(%l)",
      .transpose_matrix = "%p.T",
      .swap_axes = {},
      .reshape = "%p.reshape(%l)",
      .reshape_scalar = "%p.reshape(())",
      .slice = "%p%i",
      .broadcast = "%m.broadcast_to(%a, %t)",
      .reductions = {.names = " mean sum max min prod std var all any argmax"
                              " argmin amax amin median ptp average nanmean"
                              " nansum nanmax nanmin nanprod nanstd nanvar"
                              " nanmedian count_nonzero logsumexp norm ",
                     .modules = modules,
                     .axis = " axis ",
                     .keep = "keepdims=True"}};
}

constexpr Library kLibraries[] = {
    LikeNumPy(CodeSystem::kNumPy, "np",
              " np numpy np.linalg numpy.linalg scipy.special "),
    LikeNumPy(CodeSystem::kJax, "jnp",
              " jnp jax.numpy jnp.linalg jax.numpy.linalg jax.nn"
              " jax.scipy.special "),
    {.system = CodeSystem::kPyTorch,
     .module = "torch",
     .insert = "%p%i",
     .insert_one = "%p.unsqueeze(%l)",
     .remove = "%p.squeeze(%o)",
     .transpose = "%p.permute(%l)",
     .transpose_matrix = "%p.T",
     .swap_axes = "%p.transpose(%l)",
     .reshape = "%p.reshape(%l)",
     .reshape_scalar = "%p.reshape(())",
     .slice = "%p%i",
     .broadcast = "torch.broadcast_to(%a, %t)",
     .reductions = {.names = " mean sum max min prod std var all any argmax"
                             " argmin amax amin median logsumexp norm nanmean"
                             " nansum nanmedian ",
                    .modules = " torch torch.linalg ",
                    .axis = " axis dim ",
                    .keep = "keepdim=True"}},
    {.system = CodeSystem::kTensorFlow,
     .module = "tf",
     .insert = "%p%i",
     .insert_one = {},
     .remove = "tf.squeeze(%a, axis=%b)",
     .transpose = "tf.transpose(%a, %b)",
     .transpose_matrix = "tf.transpose(%a)",
     .swap_axes = {},
     .reshape = "tf.reshape(%a, %t)",
     .reshape_scalar = "tf.reshape(%a, ())",
     .slice = "%p%i",
     .broadcast = "tf.broadcast_to(%a, %t)",
     .reductions = {.names = " reduce_mean reduce_sum reduce_max reduce_min"
                             " reduce_prod reduce_std reduce_variance"
                             " reduce_all reduce_any reduce_logsumexp"
                             " reduce_euclidean_norm norm ",
                    .modules = " tf tf.math tf.linalg ",
                    .axis = " axis ",
                    .keep = "keepdims=True"}},
    {.system = CodeSystem::kOpenVino,
     .module = "ops",
     .insert = "ops.unsqueeze(%a, %b)",
     .insert_one = {},
     .remove = "ops.squeeze(%a, %b)",
     .transpose = "ops.transpose(%a, %b)",
     .transpose_matrix = {},
     .swap_axes = {},
     .reshape = "ops.reshape(%a, %b, False)",
     .reshape_scalar = "ops.reshape(%a, %n, False)",
     .slice = {},
     .broadcast = "ops.broadcast(%a, %n)",
     .reductions = {.names = " reduce_mean reduce_sum reduce_max reduce_min"
                             " reduce_prod reduce_l1 reduce_l2"
                             " reduce_logical_and reduce_logical_or ",
                    .modules = " ops ov.opset15 opset ",
                    .axis = " reduction_axes ",
                    .keep = "keep_dims=True"}},
};

const Library* LibraryOf(CodeSystem system) {
  const Library* const found =
      std::ranges::find(kLibraries, system, &Library::system);
  return found == std::end(kLibraries) ? nullptr : found;
}

bool Contains(std::span<const int64_t> numbers, int64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

constexpr Error ErrorOf(ErrorClass error_class, int32_t operand = kAbsent) {
  return {.error_class = error_class, .operand = operand};
}

// Whether the text is a name in words, as "attention mask", and no code.
bool IsLabel(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return IsAsciiWord(c) || c == ' ' || c == '-' || (c & 0x80) != 0;
  });
}

// An operand in the text.
struct Spelled {
  std::string_view text;
  Expression expression;  // its tokens are empty for a variable
  bool is_primary = true;
};

class Writer {
 public:
  Writer(const BroadcastRequest& request, const Repair& repair,
         CodeSystem system, Arena& arena)
      : request_(request),
        repair_(repair),
        system_(system),
        library_(LibraryOf(system)),
        arena_(arena),
        spelled_(arena),
        text_(arena) {}

  Result<std::string_view> Write(
      std::span<const std::string_view> expressions) {
    const size_t count = request_.operands.size();
    if (!expressions.empty() && expressions.size() != count) {
      return std::unexpected(ErrorOf(ErrorClass::kArity));
    }
    Spell(expressions);
    if (arena_.refused()) {
      return std::unexpected(ErrorOf(ErrorClass::kAllocation));
    }
    Status status;
    switch (repair_.kind) {
      case RepairKind::kInsertAxis:
      case RepairKind::kRemoveAxis:
      case RepairKind::kTranspose:
      case RepairKind::kReshape:
      case RepairKind::kChangeSize:
        if (repair_.operand < 0 ||
            static_cast<size_t>(repair_.operand) >= count) {
          return std::unexpected(ErrorOf(ErrorClass::kArity, repair_.operand));
        }
        if (!LeadsToShape(static_cast<size_t>(repair_.operand))) {
          return std::unexpected(ErrorOf(ErrorClass::kAxis, repair_.operand));
        }
        WriteOperand(static_cast<size_t>(repair_.operand));
        break;
      case RepairKind::kChangeTarget:
      case RepairKind::kChangeRule:
      case RepairKind::kSwapOperands:
        status = WriteOperator();
        break;
    }
    if (!status) return std::unexpected(status.error());
    if (arena_.refused()) {
      return std::unexpected(ErrorOf(ErrorClass::kAllocation));
    }
    return text_.view();
  }

 private:
  bool IsPython() const { return library_ != nullptr; }

  // Whether the repair's axes lead from the operand's shape to the repair's.
  bool LeadsToShape(size_t operand) const {
    const ShapeView before = request_.operands[operand];
    const std::span<const int64_t> after = repair_.shape;
    const std::span<const int64_t> axes = repair_.axes;
    switch (repair_.kind) {
      case RepairKind::kInsertAxis:
        return !axes.empty() && IsWithoutAxes(before, after, axes);
      case RepairKind::kRemoveAxis:
        return !axes.empty() && IsWithoutAxes(after, before, axes);
      case RepairKind::kTranspose: {
        if (before.size() != after.size() || axes.size() != after.size()) {
          return false;
        }
        for (size_t axis = 0; axis < axes.size(); ++axis) {
          const bool is_own =
              axes[axis] >= 0 && axes[axis] < static_cast<int64_t>(axes.size());
          if (!is_own || std::ranges::count(axes, axes[axis]) != 1 ||
              before[static_cast<size_t>(axes[axis])] != after[axis]) {
            return false;
          }
        }
        return true;
      }
      default:
        return true;
    }
  }

  // Whether `fewer` is `more` without `axes`, which have the extent 1.
  static bool IsWithoutAxes(std::span<const int64_t> fewer,
                            std::span<const int64_t> more,
                            std::span<const int64_t> axes) {
    if (fewer.size() + axes.size() != more.size()) return false;
    size_t gone = 0;
    for (size_t axis = 0; axis < more.size(); ++axis) {
      if (gone < axes.size() && axes[gone] == static_cast<int64_t>(axis)) {
        if (more[axis] != 1) return false;
        ++gone;
      } else if (axis - gone >= fewer.size() ||
                 more[axis] != fewer[axis - gone]) {
        return false;
      }
    }
    return gone == axes.size();
  }

  // Expressions that may be copied are; the others become variables that no
  // copied expression has as a word. In Python, code that may not be copied
  // becomes the operand's letter, since any other variable would look like one
  // of the source.
  void Spell(std::span<const std::string_view> expressions) {
    const bool is_js = system_ == CodeSystem::kBroadloomJs;
    const size_t count = request_.operands.size();
    List<std::string_view> names(arena_);
    Words words(arena_);
    for (size_t i = 0; i < count; ++i) {
      std::string_view given = expressions.empty() ? "" : expressions[i];
      if (given.empty()) {
        Text name(arena_);
        name.Operand(static_cast<int32_t>(i));
        given = name.view();
      } else if (IsPython() || is_js) {
        const std::optional<Expression> expression = ParseExpression(
            given, is_js ? Language::kJavaScript : Language::kPython, arena_);
        if (expression) {
          for (const Token& token : expression->tokens) {
            if (token.kind == TokenKind::kName) words.Add(token.text);
          }
          spelled_.Push({.text = expression->text,
                         .expression = *expression,
                         .is_primary = expression->is_primary});
          names.Push("");
          continue;
        }
        if (IsPython() && !IsLabel(given)) {
          Text name(arena_);
          name.Operand(static_cast<int32_t>(i));
          given = name.view();
        }
      }
      spelled_.Push({});
      names.Push(given);
    }
    constexpr std::string_view kEndings[] = {"", "_shape", "_strides", "_fixed",
                                             "_axes"};
    const std::span<const std::string_view> variables =
        Variables(names.view(), words, kEndings, arena_);
    if (arena_.refused()) return;
    for (size_t i = 0; i < count; ++i) {
      if (spelled_[i].text.empty()) spelled_[i].text = variables[i];
    }
  }

  // --- Lists ----------------------------------------------------------------

  Text& List_(std::span<const int64_t> numbers) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      text_ << (i > 0 ? ", " : "") << numbers[i];
    }
    return text_;
  }
  Text& Bracketed(std::span<const int64_t> numbers) {
    text_ << '[';
    return List_(numbers) << ']';
  }
  Text& Braced(std::span<const int64_t> numbers) {
    text_ << '{';
    return List_(numbers) << '}';
  }

  // --- Changes of an operand ------------------------------------------------

  Change ChangeOf(const Repair& repair) {
    switch (repair.kind) {
      case RepairKind::kInsertAxis:
        return {Edit::kInsert, repair.shape, repair.axes};
      case RepairKind::kRemoveAxis:
        return {Edit::kRemove, repair.shape, repair.axes};
      case RepairKind::kTranspose:
        return {Edit::kTranspose, repair.shape, repair.axes};
      case RepairKind::kChangeSize:
        return {Edit::kSlice, repair.shape, repair.axes};
      default:
        return {Edit::kReshape, repair.shape, {}};
    }
  }

  // Whether the first elements along each axis have the new shape. One element
  // or none is no smaller operand: that is another mistake.
  bool IsSlice(size_t operand, std::span<const int64_t> shape) const {
    const ShapeView before = request_.operands[operand];
    if (before.size() != shape.size()) return false;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == before[axis]) continue;
      if (shape[axis] > before[axis] || shape[axis] < 2) return false;
    }
    return true;
  }

  void WriteOperand(size_t operand) {
    const Change change = ChangeOf(repair_);
    if (change.edit == Edit::kSlice && !IsSlice(operand, change.shape)) return;
    if (IsPython()) {
      if (change.edit == Edit::kInsert) {
        const Expression& expression = spelled_[operand].expression;
        const std::string_view kept =
            KeepingAxes(expression, ReducedBy(expression).reductions,
                        change.shape.size(), change.axes, arena_);
        text_ << kept;
        if (!kept.empty()) return;
      }
      Python(operand, change);
    } else if (system_ == CodeSystem::kOnnx) {
      Node(operand, change);
    } else if (system_ == CodeSystem::kBroadloomJs) {
      JavaScript(operand, change);
    } else if (system_ == CodeSystem::kBroadloomCpp) {
      Cpp(operand, change);
    }
  }

  // The library whose function makes the expression, or the system's own where
  // it is made by a method: `np.sum(x, axis=1)` takes NumPy's words even among
  // PyTorch's.
  const Library& ReducedBy(const Expression& expression) const {
    for (const Library& library : kLibraries) {
      if (CallsModule(expression, library.reductions)) return library;
    }
    return *library_;
  }

  // The strides of the changed operand over the memory of the dense one, by the
  // axis that each axis was.
  std::span<const int64_t> StridesOf(size_t operand, const Change& change) {
    const ShapeView before = request_.operands[operand];
    const std::span<int64_t> dense = arena_.Make<int64_t>(before.size());
    if (dense.size() != before.size()) return {};
    int64_t behind = 1;
    for (size_t axis = before.size(); axis-- > 0;) {
      dense[axis] = behind;
      behind *= std::max(before[axis], int64_t{1});
    }
    if (change.edit != Edit::kTranspose) return dense;
    const std::span<int64_t> strides = arena_.Make<int64_t>(before.size());
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      strides[axis] = dense[static_cast<size_t>(change.axes[axis])];
    }
    return strides;
  }

  static bool NeedsStrides(const Change& change) {
    return change.edit == Edit::kTranspose || change.edit == Edit::kSlice;
  }

  // --- Python ---------------------------------------------------------------

  // [:, None] or [:, :99].
  void Subscript(size_t operand, const Change& change) {
    const ShapeView before = request_.operands[operand];
    const auto is_plain = [&](size_t axis) {
      return change.edit == Edit::kInsert
                 ? !Contains(change.axes, static_cast<int64_t>(axis))
                 : change.shape[axis] == before[axis];
    };
    // Axes behind the last one that changes are left out.
    size_t end = change.shape.size();
    while (end > 0 && is_plain(end - 1)) --end;
    text_ << '[';
    for (size_t axis = 0; axis < end; ++axis) {
      if (axis > 0) text_ << ", ";
      if (is_plain(axis)) {
        text_ << ':';
      } else if (change.edit == Edit::kInsert) {
        text_ << "None";
      } else {
        text_ << ':' << change.shape[axis];
      }
    }
    text_ << ']';
  }

  // The two axes that a transpose exchanges; none where it moves more.
  static bool ExchangesTwo(std::span<const int64_t> axes, int64_t (&two)[2]) {
    size_t moved = 0;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis] == static_cast<int64_t>(axis)) continue;
      if (moved == 2) return false;
      two[moved++] = static_cast<int64_t>(axis);
    }
    return moved == 2;
  }

  void Python(size_t operand, const Change& change) {
    int64_t two[2];
    std::string_view pattern = "%a";
    std::span<const int64_t> numbers = change.axes;
    switch (change.edit) {
      case Edit::kNone:
        break;
      case Edit::kInsert: {
        const bool is_one =
            change.axes.size() == 1 && !library_->insert_one.empty();
        pattern = is_one ? library_->insert_one : library_->insert;
        break;
      }
      case Edit::kRemove:
        pattern = library_->remove;
        break;
      case Edit::kTranspose:
        pattern = library_->transpose;
        if (!ExchangesTwo(change.axes, two)) break;
        if (change.axes.size() == 2 && !library_->transpose_matrix.empty()) {
          pattern = library_->transpose_matrix;
        } else if (!library_->swap_axes.empty()) {
          pattern = library_->swap_axes;
          numbers = two;
        }
        break;
      case Edit::kReshape:
        pattern =
            change.shape.empty() ? library_->reshape_scalar : library_->reshape;
        numbers = change.shape;
        break;
      case Edit::kSlice:
        pattern = library_->slice;
        if (pattern.empty()) return OpenVinoSlice(operand, change);
        break;
    }
    Fill(pattern, operand, change, numbers);
  }

  void Fill(std::string_view pattern, size_t operand, const Change& change,
            std::span<const int64_t> numbers) {
    while (!pattern.empty()) {
      const size_t plain = std::min(pattern.find('%'), pattern.size());
      text_ << pattern.substr(0, plain);
      pattern.remove_prefix(plain);
      if (pattern.empty()) return;
      const char letter = pattern[1];
      pattern.remove_prefix(2);
      switch (letter) {
        case 'a':
          text_ << spelled_[operand].text;
          break;
        case 'm':
          text_ << library_->module;
          break;
        case 'p':
          Primary(operand);
          break;
        case 'i':
          Subscript(operand, change);
          break;
        case 'l':
          List_(numbers);
          break;
        case 'o':
          if (numbers.size() == 1) {
            text_ << numbers[0];
          } else {
            text_.Shape(numbers);
          }
          break;
        case 't':
          text_.Shape(numbers);
          break;
        case 'n':
          if (numbers.empty()) {
            text_ << "np.array([], dtype=np.int64)";
            break;
          }
          [[fallthrough]];
        default:
          Bracketed(numbers);
          break;
      }
    }
  }

  void Primary(size_t operand) {
    const Spelled& spelled = spelled_[operand];
    if (!spelled.is_primary) text_ << '(';
    text_ << spelled.text;
    if (!spelled.is_primary) text_ << ')';
  }

  // The axes that a slice shortens.
  std::span<const int64_t> Shortened(size_t operand, const Change& change) {
    const ShapeView before = request_.operands[operand];
    List<int64_t> axes(arena_);
    for (size_t axis = 0; axis < before.size(); ++axis) {
      if (before[axis] != change.shape[axis]) {
        axes.Push(static_cast<int64_t>(axis));
      }
    }
    return axes.view();
  }

  std::span<const int64_t> Filled(size_t count, int64_t value) {
    const std::span<int64_t> values = arena_.Make<int64_t>(count);
    std::ranges::fill(values, value);
    return values;
  }

  std::span<const int64_t> Ends(std::span<const int64_t> axes,
                                const Change& change) {
    List<int64_t> ends(arena_);
    for (const int64_t axis : axes) {
      ends.Push(change.shape[static_cast<size_t>(axis)]);
    }
    return ends.view();
  }

  void OpenVinoSlice(size_t operand, const Change& change) {
    const std::span<const int64_t> axes = Shortened(operand, change);
    text_ << "ops.slice(" << spelled_[operand].text << ", ";
    Bracketed(Filled(axes.size(), 0)) << ", ";
    Bracketed(Ends(axes, change)) << ", ";
    Bracketed(Filled(axes.size(), 1)) << ", ";
    Bracketed(axes) << ')';
  }

  // --- ONNX -----------------------------------------------------------------

  // A Constant node named by the operand and `ending`.
  void Constant(size_t operand, std::string_view ending,
                std::span<const int64_t> values) {
    text_ << "helper.make_node(\"Constant\", [], [\"" << spelled_[operand].text
          << ending << "\"], ";
    if (values.empty()) {
      text_ << "value=helper.make_tensor(\"none\", TensorProto.INT64, [0], [])";
    } else {
      text_ << "value_ints=";
      Bracketed(values);
    }
    text_ << "), ";
  }

  void NodeOf(std::string_view type, size_t operand,
              std::span<const std::string_view> endings,
              std::string_view output) {
    text_ << "helper.make_node(\"" << type << "\", [\""
          << spelled_[operand].text << '"';
    for (const std::string_view ending : endings) {
      text_ << ", \"" << spelled_[operand].text << ending << '"';
    }
    text_ << "], [\"" << spelled_[operand].text << output << "\"]";
  }

  void Node(size_t operand, const Change& change) {
    constexpr std::string_view kAxes[] = {"_axes"};
    constexpr std::string_view kShape[] = {"_shape"};
    constexpr std::string_view kSlice[] = {"_begins", "_ends", "_axes"};
    constexpr std::string_view kOutput = "_fixed";
    switch (change.edit) {
      case Edit::kNone:
        return;
      case Edit::kInsert:
      case Edit::kRemove:
        Constant(operand, kAxes[0], change.axes);
        NodeOf(change.edit == Edit::kInsert ? "Unsqueeze" : "Squeeze", operand,
               kAxes, kOutput);
        break;
      case Edit::kTranspose:
        NodeOf("Transpose", operand, {}, kOutput);
        text_ << ", perm=";
        Bracketed(change.axes);
        break;
      case Edit::kReshape:
        Constant(operand, kShape[0], change.shape);
        NodeOf("Reshape", operand, kShape, kOutput);
        // Otherwise 0 stands for the extent that the operand has there.
        if (Contains(change.shape, 0)) text_ << ", allowzero=1";
        break;
      case Edit::kSlice: {
        const std::span<const int64_t> axes = Shortened(operand, change);
        Constant(operand, kSlice[0], Filled(axes.size(), 0));
        Constant(operand, kSlice[1], Ends(axes, change));
        Constant(operand, kSlice[2], axes);
        NodeOf("Slice", operand, kSlice, kOutput);
        break;
      }
    }
    text_ << ')';
  }

  // --- Broadloom ------------------------------------------------------------

  void JavaScript(size_t operand, const Change& change) {
    if (change.edit == Edit::kNone) {
      text_ << spelled_[operand].text;
      return;
    }
    text_ << "{ ..." << spelled_[operand].text << ", shape: ";
    Bracketed(change.shape);
    if (NeedsStrides(change)) {
      text_ << ", strides: ";
      Bracketed(StridesOf(operand, change));
    }
    text_ << " }";
  }

  void Cpp(size_t operand, const Change& change) {
    text_ << "const std::vector<int64_t> " << spelled_[operand].text
          << "_shape = ";
    Braced(change.shape);
    if (NeedsStrides(change)) {
      text_ << ", " << spelled_[operand].text << "_strides = ";
      Braced(StridesOf(operand, change));
    }
    text_ << ';';
  }

  // --- Changes of the operator ----------------------------------------------

  // The request with the repair's rule, options and order of operands.
  BroadcastRequest Repaired() {
    BroadcastRequest repaired = request_;
    const RuleTraits& traits = Traits(repair_.rule);
    repaired.rule = repair_.rule;
    if (repair_.rule != request_.rule) {
      repaired.axis = std::nullopt;
      repaired.axes_mapping = std::nullopt;
      if (!traits.takes_target) repaired.target_shape = std::nullopt;
    }
    if (repair_.kind == RepairKind::kChangeTarget) {
      repaired.target_shape = repair_.shape;
    }
    if (repair_.kind == RepairKind::kChangeRule) {
      if (traits.takes_axis) {
        repaired.axis = repair_.axis;
      }
      if (traits.takes_mapping) repaired.axes_mapping = repair_.axes_mapping;
    }
    if (repair_.kind == RepairKind::kSwapOperands) {
      const std::span<ShapeView> operands =
          arena_.Make<ShapeView>(request_.operands.size());
      for (size_t i = 0; i < operands.size(); ++i) {
        operands[i] = request_.operands[Place(i)];
      }
      repaired.operands = operands;
    }
    return repaired;
  }

  // Which of the request's operands is operand `i` after the repair.
  size_t Place(size_t i) const {
    const bool swaps = repair_.kind == RepairKind::kSwapOperands && i < 2 &&
                       request_.operands.size() >= 2;
    return swaps ? 1 - i : i;
  }

  Status WriteOperator() {
    if (Info(system_).id.empty() || system_ == CodeSystem::kOpenVinoIr) {
      return {};
    }
    const BroadcastRequest repaired = Repaired();
    const Result<Alignment> alignment = Align(repaired, arena_.allocator());
    if (!alignment) return std::unexpected(alignment.error());
    if (alignment->error()) return std::unexpected(*alignment->error());
    if (ChangesNothing(repaired, *alignment)) return {};
    if (system_ == CodeSystem::kBroadloomJs) {
      JavaScriptCall(repaired);
    } else if (system_ == CodeSystem::kBroadloomCpp) {
      CppCall(repaired);
    } else if (Traits(repaired.rule).takes_target) {
      BroadcastCall(repaired, *alignment);
    } else if (system_ == CodeSystem::kOnnx) {
      OnnxArguments(repaired, *alignment);
    } else {
      for (size_t i = 0; i < repaired.operands.size(); ++i) {
        if (i > 0) text_ << ", ";
        Python(Place(i), PlacedBy(*alignment, i));
      }
    }
    return {};
  }

  // Whether the line would be the operand or the operands as they are: a
  // broadcast to the shape that the operand has, or operands for which the
  // system's own rule does what the repair's rule does. Broadloom's own lines
  // name the rule.
  bool ChangesNothing(const BroadcastRequest& repaired,
                      const Alignment& alignment) {
    if (Traits(repaired.rule).takes_target) {
      return std::ranges::equal(alignment.operand(0), alignment.output());
    }
    if (system_ == CodeSystem::kBroadloomJs ||
        system_ == CodeSystem::kBroadloomCpp ||
        repair_.kind == RepairKind::kSwapOperands) {
      return false;
    }
    for (size_t i = 0; i < repaired.operands.size(); ++i) {
      if (PlacedBy(alignment, i).edit != Edit::kNone) return false;
    }
    return true;
  }

  // What right alignment needs so that operand `i` lies where it lies in the
  // alignment.
  Change PlacedBy(const Alignment& alignment, size_t i) {
    const ShapeView own = alignment.operand(i);
    const std::span<const AlignedCell> cells = alignment.cells(i);
    size_t begin = 0;
    while (begin < cells.size() && cells[begin].source_axis == kAbsent) ++begin;
    List<int64_t> shape(arena_);
    List<int64_t> axes(arena_);
    for (size_t axis = begin; axis < cells.size(); ++axis) {
      shape.Push(cells[axis].extent);
      if (cells[axis].source_axis == kAbsent) {
        axes.Push(static_cast<int64_t>(axis - begin));
      }
    }
    if (std::ranges::equal(shape.view(), own)) return {};
    const bool has_all_axes = own.size() + axes.size() == shape.size();
    return {has_all_axes ? Edit::kInsert : Edit::kReshape, shape.view(),
            has_all_axes ? axes.view() : std::span<const int64_t>{}};
  }

  // One operand, repeated to the result's shape.
  void BroadcastCall(const BroadcastRequest& repaired,
                     const Alignment& alignment) {
    const ShapeView output = alignment.output();
    if (system_ == CodeSystem::kOpenVino) {
      // It has the rules themselves, but does not place a scalar by a mapping.
      const bool is_mapped =
          repaired.axes_mapping.has_value() && !repaired.axes_mapping->empty();
      if (is_mapped) {
        text_ << "ops.broadcast(" << spelled_[0].text << ", ";
        Bracketed(output) << ", ";
        Bracketed(*repaired.axes_mapping) << ", \"EXPLICIT\")";
        return;
      }
      Fill(library_->broadcast, 0, {}, output);
      return;
    }
    const Change placed = PlacedBy(alignment, 0);
    if (system_ == CodeSystem::kOnnx) {
      const bool is_placed = placed.edit != Edit::kNone;
      if (is_placed) {
        Node(0, placed);
        text_ << ", ";
      }
      const std::string_view name = spelled_[0].text;
      text_ << "helper.make_node(\"Constant\", [], [\"" << name
            << "_target\"], ";
      if (output.empty()) {
        text_ << "value=helper.make_tensor(\"none\", TensorProto.INT64, [0], "
                 "[])";
      } else {
        text_ << "value_ints=";
        Bracketed(output);
      }
      text_ << "), helper.make_node(\"Expand\", [\"" << name
            << (is_placed ? "_fixed" : "") << "\", \"" << name
            << "_target\"], [\"out\"])";
      return;
    }
    Text argument(arena_);
    Python(0, placed);
    argument << text_.view();
    text_.Truncate(0);
    spelled_[0].text = argument.view();
    Fill(library_->broadcast, 0, {}, output);
  }

  void OnnxArguments(const BroadcastRequest& repaired,
                     const Alignment& alignment) {
    bool is_placed = false;
    for (size_t i = 0; i < repaired.operands.size(); ++i) {
      const Change placed = PlacedBy(alignment, i);
      if (placed.edit == Edit::kNone) continue;
      if (is_placed) text_ << ", ";
      is_placed = true;
      Node(Place(i), placed);
    }
    if (is_placed) return;
    text_ << '[';
    for (size_t i = 0; i < repaired.operands.size(); ++i) {
      text_ << (i > 0 ? ", \"" : "\"") << spelled_[Place(i)].text << '"';
    }
    text_ << ']';
  }

  void JavaScriptCall(const BroadcastRequest& repaired) {
    const RuleTraits& traits = Traits(repaired.rule);
    if (traits.takes_target) text_ << "bl.broadcast(";
    for (size_t i = 0; i < repaired.operands.size(); ++i) {
      text_ << (i > 0 ? ", " : "") << spelled_[Place(i)].text;
    }
    if (!traits.returns_each) {
      text_ << ", { ";
      const bool is_default =
          traits.takes_target &&
          repaired.rule == Info(Op::kBroadcast).default_rule;
      if (!is_default) {
        text_ << (traits.takes_target ? "mode: '" : "rule: '")
              << Info(repaired.rule).name << '\'';
      }
      if (repaired.axis) text_ << ", axis: " << *repaired.axis;
      if (repaired.target_shape) {
        text_ << (is_default ? "targetShape: " : ", targetShape: ");
        Bracketed(*repaired.target_shape);
      }
      if (repaired.axes_mapping) {
        text_ << ", axesMapping: ";
        Bracketed(*repaired.axes_mapping);
      }
      text_ << " }";
    }
    if (traits.takes_target) text_ << ')';
  }

  void CppCall(const BroadcastRequest& repaired) {
    if (repair_.kind == RepairKind::kSwapOperands) {
      for (size_t i = 0; i < repaired.operands.size(); ++i) {
        text_ << (i > 0 ? ", " : "") << spelled_[Place(i)].text;
      }
      return;
    }
    text_ << "{.rule = Rule::k";
    // pdpd is kPdpd, onnx_unidirectional kOnnxUnidirectional.
    bool is_first = true;
    for (const char letter : Info(repaired.rule).name) {
      if (letter == '_') {
        is_first = true;
        continue;
      }
      text_ << (is_first && letter >= 'a' && letter <= 'z'
                    ? static_cast<char>(letter - 'a' + 'A')
                    : letter);
      is_first = false;
    }
    if (repaired.axis) text_ << ", .axis = " << *repaired.axis;
    if (repaired.target_shape) {
      text_ << ", .target_shape = Extents";
      Braced(*repaired.target_shape);
    }
    if (repaired.axes_mapping) {
      text_ << ", .axes_mapping = Extents";
      Braced(*repaired.axes_mapping);
    }
    text_ << '}';
  }

  const BroadcastRequest& request_;
  const Repair& repair_;
  CodeSystem system_;
  const Library* library_;
  Arena& arena_;
  List<Spelled> spelled_;
  Text text_;
};

}  // namespace

Result<std::string_view> RepairCode(
    const BroadcastRequest& request, const Repair& repair,
    std::span<const std::string_view> expressions, CodeSystem system,
    Arena& arena) noexcept {
  if (Info(system).id.empty()) {
    return std::unexpected(ErrorOf(ErrorClass::kUnknown));
  }
  return Writer(request, repair, system, arena).Write(expressions);
}

}  // namespace v1
}  // namespace broadloom
