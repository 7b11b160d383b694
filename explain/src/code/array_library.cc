#include "code/array_library.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/characters.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain/code.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "code/dtypes.h"
#include "code/operators.h"
#include "code/writing.h"

namespace broadloom {
inline namespace v1 {
namespace {

using View = std::string_view;

// A library's notation. In a pattern, % and a letter are an argument:
//   a  the array or arrays     t  the type
//   s  a shape                 v  a value or values
struct ArrayLibrary {
  CodeSystem system;
  View module;
  TypeColumn types;
  OperatorColumn operators;
  View array;  // of the values %v: a list in brackets, or that of a scalar
  View full;   // of the shape %s, all of the value %v
  View cast;
  View reshape;
  View reshape_scalar;
  View broadcast_to;
  View common_shape;  // of the array's and %s
  View broadcast_all;
};

constexpr ArrayLibrary kNumPy{
    .system = CodeSystem::kNumPy,
    .module = "np",
    .types = TypeColumn::kNumPy,
    .operators = OperatorColumn::kNumPy,
    .array = "np.array(%v, dtype=%t)",
    .full = "np.full(%s, %v, dtype=%t)",
    .cast = "%a.astype(%t)",
    .reshape = "%a.reshape(%v)",
    .reshape_scalar = "%a.reshape(())",
    .broadcast_to = "np.broadcast_to(%a, %s)",
    .common_shape = "np.broadcast_shapes(%a.shape, %s)",
    .broadcast_all = "np.broadcast_arrays(%a)"};

constexpr ArrayLibrary kPyTorch{
    .system = CodeSystem::kPyTorch,
    .module = "torch",
    .types = TypeColumn::kPyTorch,
    .operators = OperatorColumn::kPyTorch,
    .array = "torch.tensor(%v, dtype=%t)",
    .full = "torch.full(%s, %v, dtype=%t)",
    .cast = "%a.to(%t)",
    .reshape = "%a.reshape(%v)",
    .reshape_scalar = "%a.reshape(())",
    .broadcast_to = "torch.broadcast_to(%a, %s)",
    .common_shape = "torch.broadcast_shapes(%a.shape, %s)",
    .broadcast_all = "torch.broadcast_tensors(%a)"};

constexpr ArrayLibrary kJax{
    .system = CodeSystem::kJax,
    .module = "jnp",
    .types = TypeColumn::kNumPy,
    .operators = OperatorColumn::kNumPy,
    .array = "jnp.array(%v, dtype=%t)",
    .full = "jnp.full(%s, %v, dtype=%t)",
    .cast = "%a.astype(%t)",
    .reshape = "%a.reshape(%v)",
    .reshape_scalar = "%a.reshape(())",
    .broadcast_to = "jnp.broadcast_to(%a, %s)",
    .common_shape = "jnp.broadcast_shapes(%a.shape, %s)",
    .broadcast_all = "jnp.broadcast_arrays(%a)"};

constexpr ArrayLibrary kTensorFlow{
    .system = CodeSystem::kTensorFlow,
    .module = "tf",
    .types = TypeColumn::kTensorFlow,
    .operators = OperatorColumn::kTensorFlow,
    .array = "tf.constant(%v, dtype=%t)",
    .full = "tf.fill(%s, tf.constant(%v, dtype=%t))",
    .cast = "tf.cast(%a, %t)",
    .reshape = "tf.reshape(%a, %s)",
    .reshape_scalar = "tf.reshape(%a, %s)",
    .broadcast_to = "tf.broadcast_to(%a, %s)",
    .common_shape = "tf.broadcast_static_shape(%a.shape, tf.TensorShape(%s))",
    .broadcast_all = "[tf.broadcast_to(array, %s) for array in (%a,)]"};

// Types that PyTorch holds, and hardly computes with.
bool IsHeldOnly(DType dtype) {
  return dtype == DType::kU16 || dtype == DType::kU32 || dtype == DType::kU64 ||
         dtype == DType::kF8E4M3 || dtype == DType::kF8E5M2;
}

// Types that JAX allows only after a setting.
bool IsWide(DType dtype) {
  return dtype == DType::kI64 || dtype == DType::kU64 || dtype == DType::kF64 ||
         dtype == DType::kC128;
}

class ArrayWriter {
 public:
  ArrayWriter(Writing& writing, const ArrayLibrary& library)
      : w_(writing), library_(library) {}

  View Write(Names names) {
    const bool is_several = w_.returns_each();
    Check();
    List<View> arrays(w_.arena);
    for (size_t i = 0; i < names.size(); ++i) {
      arrays.Push(w_.LiesRight(i) ? names[i] : Reshape(names[i], w_.Placed(i)));
    }
    const View right =
        w_.only_repeats() ? Repeated(arrays.view()) : Expression(arrays.view());
    Text text(w_.arena);
    text << Imports() << '\n';
    for (size_t i = 0; i < names.size(); ++i) {
      text << names[i] << " = " << Made(w_.operand(i)) << '\n';
    }
    text << (is_several ? "outs = " : "out = ") << right << "  # "
         << (is_several ? "each of shape " : "shape ") << w_.Tuple(w_.output())
         << '\n';
    return text.view();
  }

  View Type(DType dtype) {
    const View name = NameOf(dtype, library_.types);
    if (name.empty()) {
      w_.Refuse(Title(), " has no element type ", Info(dtype).name, ".");
    }
    if (library_.types == TypeColumn::kNumPy && IsBorrowed(dtype)) {
      return Is(CodeSystem::kNumPy)
                 ? name
                 : w_.Cat("jnp.", name.substr(name.find('.') + 1));
    }
    return w_.Cat(library_.module, '.', name);
  }

  View Made(const CodeOperand& operand) {
    const View type = Type(operand.dtype);
    if (operand.shape.empty()) {
      return Fill(library_.array, {.type = type, .values = First(operand)});
    }
    if (Writing::Repeats(operand)) {
      return Fill(library_.full, {.type = type,
                                  .shape = w_.Tuple(operand.shape),
                                  .values = First(Writing::One(operand))});
    }
    const bool is_range = Writing::Counts(operand) &&
                          (IsFloat(operand.dtype) || IsInteger(operand.dtype));
    const View flat =
        is_range
            ? Range(operand, type)
            : Fill(library_.array,
                   {.type = type,
                    .values = w_.Listed(
                        "[", w_.SpelledValues(operand, kPythonValues), "]")});
    return operand.shape.size() == 1 ? flat : Reshape(flat, operand.shape);
  }

 private:
  struct Parts {
    View array = {};
    View type = {};
    View shape = {};
    View values = {};
  };

  View Fill(View pattern, const Parts& parts) {
    Text text(w_.arena);
    while (!pattern.empty()) {
      const size_t plain = std::min(pattern.find('%'), pattern.size());
      text << pattern.substr(0, plain);
      pattern.remove_prefix(plain);
      if (pattern.empty()) break;
      const char letter = pattern[1];
      pattern.remove_prefix(2);
      text << (letter == 'a'   ? parts.array
               : letter == 't' ? parts.type
               : letter == 's' ? parts.shape
                               : parts.values);
    }
    return text.view();
  }

  bool Is(CodeSystem system) const { return library_.system == system; }
  View Title() const { return Info(library_.system).title; }

  View First(const CodeOperand& operand) {
    const Names values = w_.SpelledValues(operand, kPythonValues);
    return values.empty() ? "0" : values[0];
  }
  // Empty where memory was refused.
  static View First(Names arrays) {
    return arrays.empty() ? View() : arrays[0];
  }

  View Reshape(View array, ShapeView shape) {
    return Fill(shape.empty() ? library_.reshape_scalar : library_.reshape,
                {.array = array,
                 .shape = w_.Tuple(shape),
                 .values = w_.Numbers(shape)});
  }

  View Cast(View array, View type) {
    return Fill(library_.cast, {.array = array, .type = type});
  }

  // An array of whole numbers.
  View Range(const CodeOperand& operand, View type) {
    const CodeValues& values = operand.values;
    const Wide end = Writing::CountedEnd(operand);
    const View last = w_.WideNumber(end);
    // As short as arange takes them: `6`, `1, 7`, `10, 70, 10`.
    const View bounds =
        values.step != 1 ? w_.Cat(values.first, ", ", last, ", ", values.step)
        : values.first == 0 ? last
                            : w_.Cat(values.first, ", ", last);
    const bool wraps = Writing::Wraps(operand);
    switch (library_.system) {
      case CodeSystem::kNumPy:
        // arange does not wrap, and takes none of ml_dtypes' types.
        return wraps || !type.starts_with("np.")
                   ? w_.Cat("np.arange(", bounds, ").astype(", type, ')')
                   : w_.Cat("np.arange(", bounds, ", dtype=", type, ')');
      case CodeSystem::kPyTorch:
        return wraps || IsHeldOnly(operand.dtype)
                   ? w_.Cat("torch.arange(", bounds, ").to(", type, ')')
                   : w_.Cat("torch.arange(", bounds, ", dtype=", type, ')');
      case CodeSystem::kJax:
        return wraps ? w_.Cat("jnp.arange(", bounds, ").astype(", type, ')')
                     : w_.Cat("jnp.arange(", bounds, ", dtype=", type, ')');
      default: {
        const bool is_large = end >= Wide{1} << 31;
        if (operand.dtype == DType::kI32 && !is_large) {
          return w_.Cat("tf.range(", bounds, ')');
        }
        return w_.Cat("tf.cast(tf.range(", bounds,
                      is_large ? ", dtype=tf.int64" : "", "), ", type, ')');
      }
    }
  }

  // The types of the operands and of the result.
  template <class Test>
  bool AnyType(Test test) const {
    for (size_t i = 0; i < w_.count(); ++i) {
      if (test(w_.operand(i).dtype)) return true;
    }
    return test(w_.result_type());
  }

  View Imports() const {
    switch (library_.system) {
      case CodeSystem::kNumPy:
        return AnyType(IsBorrowed) ? "import ml_dtypes\nimport numpy as np\n"
                                   : "import numpy as np\n";
      case CodeSystem::kPyTorch:
        return "import torch\n";
      case CodeSystem::kJax:
        return AnyType(IsWide) ? "import jax\nimport jax.numpy as jnp\n\n"
                                 "jax.config.update(\"jax_enable_x64\", True)\n"
                               : "import jax.numpy as jnp\n";
      default:
        return "import tensorflow as tf\n";
    }
  }

  // Refuses an operator that the library does not have for these types.
  void Check() {
    const Op op = w_.question.op;
    const bool divides_by_zero = (op == Op::kDiv || op == Op::kMod) &&
                                 IsInteger(w_.leading_type()) &&
                                 w_.DividesByZero();
    switch (library_.system) {
      case CodeSystem::kPyTorch:
        for (size_t i = 0; i < w_.count() && !w_.only_repeats(); ++i) {
          if (!IsHeldOnly(w_.operand(i).dtype)) continue;
          w_.Refuse("PyTorch holds ", Info(w_.operand(i).dtype).name,
                    ", but has hardly an operator for it.");
        }
        if (divides_by_zero) {
          w_.Refuse("PyTorch refuses to divide integers by 0.");
        }
        break;
      case CodeSystem::kJax:
        if (divides_by_zero) {
          w_.Refuse("JAX gives no 0 where integers are divided by 0.");
        }
        break;
      case CodeSystem::kTensorFlow:
        if (divides_by_zero) {
          w_.Refuse("TensorFlow refuses to divide integers by 0.");
        }
        if (op == Op::kBitShift && w_.ShiftsPastWidth()) {
          w_.Refuse(
              "TensorFlow leaves open what a shift by the width or more "
              "gives.");
        }
        break;
      default:
        break;
    }
  }

  // A pattern of the operators' table with the arrays in their places.
  View Filled(View pattern, Names arrays) {
    Text text(w_.arena);
    while (!pattern.empty()) {
      size_t length = 0;
      while (length < pattern.size() && IsAsciiWord(pattern[length])) ++length;
      const View word = pattern.substr(0, length);
      if (word == "np") {
        text << library_.module;
      } else if (length == 1 && word[0] >= 'a' && word[0] <= 'c') {
        const size_t i = static_cast<size_t>(word[0] - 'a');
        text << (i < arrays.size() ? arrays[i] : View());
      } else if (length > 0) {
        text << word;
      } else {
        length = 1;
        text << pattern[0];
      }
      pattern.remove_prefix(length);
    }
    return text.view();
  }

  // Any number of arrays go through a pattern of two in turn: f(f(a, b), c).
  View Chained(View pattern, Names arrays) {
    View made = First(arrays);
    for (size_t i = 1; i < arrays.size(); ++i) {
      const View two[] = {made, arrays[i]};
      made = Filled(pattern, two);
    }
    return made;
  }

  // Halves that are computed in several steps are computed in f32, so that they
  // are rounded once.
  bool IsWidened() const {
    if (!HasSteps(w_.question.op)) return false;
    for (size_t i = 0; i < w_.count(); ++i) {
      if (IsHalf(w_.operand(i).dtype)) return true;
    }
    return false;
  }

  // What `compute` makes of the arrays, in f32 where they are widened;
  // `is_bare`: it needs no brackets for the cast back.
  template <class Compute>
  View InSteps(Names arrays, bool is_bare, Compute compute) {
    if (!IsWidened()) return compute(arrays);
    List<View> wide(w_.arena);
    for (const View array : arrays) wide.Push(Cast(array, Type(DType::kF32)));
    const View made = compute(wide.view());
    return Cast(is_bare ? made : w_.Cat('(', made, ')'),
                Type(w_.leading_type()));
  }

  // f(...) without further brackets.
  static bool IsCall(View pattern) {
    const size_t open = pattern.find('(');
    if (open == View::npos || open == 0 || !pattern.ends_with(')')) {
      return false;
    }
    const auto is_name = [](char c) { return IsAsciiWord(c) || c == '.'; };
    const View inner = pattern.substr(open + 1, pattern.size() - open - 2);
    return std::ranges::all_of(pattern.substr(0, open), is_name) &&
           inner.find_first_of("()") == View::npos;
  }

  // Operands of two types are brought to a common one.
  View Power(View pattern, Names arrays) {
    const DType base = w_.operand(0).dtype;
    const DType exponent = w_.operand(1).dtype;
    if (IsInteger(base) && w_.HasNegativeExponent()) {
      w_.Refuse(Title(), " does not raise integers to negative powers.");
    }
    if (base == exponent) return Filled(pattern, arrays);
    // Whole numbers wrap alike in 64 bits and in fewer; whatever else is mixed
    // goes through f64.
    const View wide = Type(
        IsInteger(base) && IsInteger(exponent) ? DType::kI64 : DType::kF64);
    List<View> widened(w_.arena);
    for (const View array : arrays) widened.Push(Cast(array, wide));
    return Cast(w_.Cat('(', Filled(pattern, widened.view()), ')'), Type(base));
  }

  View Expression(Names arrays) {
    const Op op = w_.question.op;
    const View spelling = SpellingOf(
        op, w_.leading_type(), w_.question.attributes, library_.operators);
    if (!spelling.empty() && spelling != kComposed) {
      if (op == Op::kPow) return Power(spelling, arrays);
      if (w_.takes_any_number() && arrays.size() == 1) return First(arrays);
      return InSteps(arrays, IsCall(spelling), [&](Names all) {
        return w_.takes_any_number() ? Chained(spelling, all)
                                     : Filled(spelling, all);
      });
    }
    if (!spelling.empty() && op == Op::kMean) {
      return InSteps(arrays, false, [&](Names all) {
        return w_.Cat('(', w_.Joined(all, " + "), ") / ", all.size());
      });
    }
    if (!spelling.empty() && op == Op::kCast) {
      w_.CheckCast(Title());
      return Cast(First(arrays), Type(w_.to()));
    }
    w_.Refuse(Title(), " has no operator ", w_.op().name, ".");
    return {};
  }

  View Repeated(Names arrays) {
    const View output = w_.Tuple(w_.output());
    if (w_.returns_each()) {
      return Fill(library_.broadcast_all,
                  {.array = w_.Joined(arrays, ", "), .shape = output});
    }
    const View shape =
        w_.question.rule == Rule::kBidirectional
            ? Fill(library_.common_shape,
                   {.array = First(arrays), .shape = w_.Tuple(w_.target())})
            : output;
    return Fill(library_.broadcast_to,
                {.array = First(arrays), .shape = shape});
  }

  Writing& w_;
  const ArrayLibrary& library_;
};

}  // namespace

View MadeByNumPy(Writing& writing, const CodeOperand& operand) {
  return ArrayWriter(writing, kNumPy).Made(operand);
}

View TypeInNumPy(Writing& writing, DType dtype) {
  return ArrayWriter(writing, kNumPy).Type(dtype);
}

View WriteNumPy(Writing& writing, Names names) {
  return ArrayWriter(writing, kNumPy).Write(names);
}

View WritePyTorch(Writing& writing, Names names) {
  return ArrayWriter(writing, kPyTorch).Write(names);
}

View WriteJax(Writing& writing, Names names) {
  return ArrayWriter(writing, kJax).Write(names);
}

View WriteTensorFlow(Writing& writing, Names names) {
  return ArrayWriter(writing, kTensorFlow).Write(names);
}

}  // namespace v1
}  // namespace broadloom
