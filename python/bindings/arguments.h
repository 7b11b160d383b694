// Arguments of a call: rules, shapes, options. No rule is applied here.

#ifndef BROADLOOM_PYTHON_ARGUMENTS_H_
#define BROADLOOM_PYTHON_ARGUMENTS_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/broadloom.h"
#include "errors.h"
#include "numpy_api.h"

namespace broadloom_python {

using Integers = InlineArray<int64_t, kInlineRank>;

// The keyword arguments that functions of the module take.
#define BROADLOOM_KEYWORDS(X) \
  X(rule)                     \
  X(axis)                     \
  X(target_shape)             \
  X(axes_mapping)             \
  X(policy)                   \
  X(names)                    \
  X(out)                      \
  X(promote)                  \
  X(fmod)                     \
  X(direction)                \
  X(to)                       \
  X(saturate)                 \
  X(mode)                     \
  X(dtype)                    \
  X(op)                       \
  X(expect)                   \
  X(expressions)              \
  X(link_base)                \
  X(pasted)                   \
  X(by_name)

enum class Keyword : uint8_t {
#define BROADLOOM_X(name) name,
  BROADLOOM_KEYWORDS(BROADLOOM_X)
#undef BROADLOOM_X
};
#define BROADLOOM_X(name) +1
inline constexpr size_t kKeywords = 0 BROADLOOM_KEYWORDS(BROADLOOM_X);
#undef BROADLOOM_X

std::string_view Name(Keyword keyword);

// Sets of keywords, as bits.
using KeywordSet = uint32_t;
constexpr KeywordSet SetOf(std::initializer_list<Keyword> keywords) {
  KeywordSet set = 0;
  for (const Keyword keyword : keywords) {
    set |= 1u << static_cast<unsigned>(keyword);
  }
  return set;
}

// The arguments of a call, as Python passes them to a function of C. Keyword
// arguments that are None count as not given.
class Arguments {
 public:
  // Throws TypeError for another number of positional arguments, and for
  // keywords that are unknown, not `taken` or given twice.
  Arguments(std::string_view function, PyObject* const* values,
            Py_ssize_t positional, PyObject* keywords, size_t least,
            size_t most, KeywordSet taken);

  std::span<PyObject* const> positional() const { return positional_; }
  // Borrowed; null where it is not given.
  PyObject* operator[](Keyword keyword) const {
    return given_[static_cast<size_t>(keyword)];
  }

 private:
  std::span<PyObject* const> positional_;
  PyObject* given_[kKeywords] = {};
};

// Makes the texts with which keywords are compared. Called once.
void InternKeywords();

// Calls `function`, which returns an nb::object, from a function of C: what it
// throws becomes Python's exception.
template <class Function>
PyObject* Guarded(Function function) {
  try {
    return function().release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// A function of C that takes its arguments as an array: Python 3.11 does not
// name the type publicly.
using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t,
                                   PyObject*);

// Adds a function of C to the module. Its name and its documentation, which
// begins with the signature, have to stay for as long as Python runs.
void AddFunction(nb::module_& module, const char* name, FastFunction function,
                 const char* documentation);

// Adds a function of `kLeast` to `kMost` positional arguments, which it gets as
// a span. `function` is a lambda without captures.
template <size_t kLeast, size_t kMost, class Function>
void AddPositional(nb::module_& module, const char* name, Function,
                   const char* documentation) {
  static const char* function_name;  // each lambda has a type of its own
  function_name = name;
  AddFunction(
      module, name,
      [](PyObject*, PyObject* const* values, Py_ssize_t positional,
         PyObject* keywords) {
        return Guarded([&] {
          const Arguments arguments(function_name, values, positional, keywords,
                                    kLeast, kMost, 0);
          return nb::object(Function()(arguments.positional()));
        });
      },
      documentation);
}

// Each throws BroadcastError for what it cannot read.

Rule ReadRule(PyObject* value);
// A text, or a list of texts; `what` is the subject of the message.
std::string ReadText(PyObject* value, std::string_view what);
std::vector<std::string> ReadTexts(PyObject* value, std::string_view what);
Op ReadOp(PyObject* value);

// A whole number of 64 bits; `what` is the subject of the message.
int64_t ReadInteger(PyObject* value, const Error& error, std::string_view what);
// A list or tuple of them, or another sequence.
Integers ReadIntegers(PyObject* value, const Error& error,
                      std::string_view what);

// The items of a list or tuple, which may change while they are read; invalid
// for anything else.
nb::object TupleOf(PyObject* value);

// Shapes, and the views of them that requests contain.
class Shapes {
 public:
  Shapes() = default;
  // A list of shapes. An array or tensor stands for its shape.
  explicit Shapes(PyObject* list);

  std::span<const ShapeView> views() const { return views_; }

 private:
  std::vector<Integers> shapes_;
  std::vector<ShapeView> views_;
};

// The options of a request: what ApplyOptions refers to.
class Options {
 public:
  Options() = default;
  explicit Options(const Arguments& arguments) { Read(arguments); }
  // What is read points into this object.
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void Read(const Arguments& arguments);

  void SetTarget(Integers target) {
    target_ = std::move(target);
    values.target_shape = target_.view();
  }

  BroadcastRequest Request(Rule rule,
                           std::span<const ShapeView> operands) const;

  ApplyOptions values;
  std::optional<DType> dtype;
  bool promote = false;

 private:
  void ReadPolicy(PyObject* policy);
  void ReadNames(PyObject* names);

  Integers target_;
  Integers mapping_;
  std::vector<std::string> texts_;
  std::vector<std::vector<std::string_view>> names_;
  std::vector<std::span<const std::string_view>> name_views_;
};

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_ARGUMENTS_H_
