#include "arguments.h"

#include <limits>

namespace broadloom_python {

namespace {

constexpr std::string_view kKeywordNames[] = {
#define BROADLOOM_X(name) #name,
    BROADLOOM_KEYWORDS(BROADLOOM_X)
#undef BROADLOOM_X
};

PyObject* interned[kKeywords];

std::optional<size_t> FindKeyword(PyObject* name) {
  // Names in a program's text are interned, so that the first loop finds them.
  for (size_t i = 0; i < kKeywords; ++i) {
    if (interned[i] == name) return i;
  }
  for (size_t i = 0; i < kKeywords; ++i) {
    if (PyUnicode_Compare(interned[i], name) == 0) return i;
  }
  return std::nullopt;
}

[[noreturn]] void RaiseType(const std::string& message) {
  PyErr_SetString(PyExc_TypeError, message.c_str());
  throw nb::python_error();
}

template <class Row>
std::string ListNames(std::span<const Row> rows) {
  std::string names;
  for (const Row& row : rows) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

// Text of an argument, or null for a value that is none.
const char* TextOf(PyObject* value) {
  if (!PyUnicode_Check(value)) return nullptr;
  const char* const text = PyUnicode_AsUTF8(value);
  if (text == nullptr) PyErr_Clear();  // surrogates: a name that is unknown
  return text;
}

// A list, tuple or another sequence that is no text. Invalid for other values,
// and for one that raises; the error stays set, as the cause.
nb::object Sequence(PyObject* value) {
  if (PyUnicode_Check(value) || PyBytes_Check(value)) return {};
  PyObject* const sequence = PySequence_Fast(value, "");
  if (sequence == nullptr) {
    ThrowUnlessCauseOrType();
    return {};
  }
  return nb::steal(sequence);
}

std::span<PyObject* const> Items(const nb::object& sequence) {
  return {PySequence_Fast_ITEMS(sequence.ptr()),
          static_cast<size_t>(PySequence_Fast_GET_SIZE(sequence.ptr()))};
}

}  // namespace

std::string_view Name(Keyword keyword) {
  return kKeywordNames[static_cast<size_t>(keyword)];
}

void InternKeywords() {
  for (size_t i = 0; i < kKeywords; ++i) {
    interned[i] = PyUnicode_InternFromString(kKeywordNames[i].data());
    if (interned[i] == nullptr) throw nb::python_error();
  }
}

void AddFunction(nb::module_& module, const char* name, FastFunction function,
                 const char* documentation) {
  // Python keeps the address.
  auto* const method = new PyMethodDef{
      name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function)),
      METH_FASTCALL | METH_KEYWORDS, documentation};
  // With the module as its object, and the package's name, it can be pickled.
  const nb::str package("broadloom");
  module.attr(name) =
      nb::steal(PyCFunction_NewEx(method, module.ptr(), package.ptr()));
}

Arguments::Arguments(std::string_view function, PyObject* const* values,
                     Py_ssize_t positional, PyObject* keywords, size_t least,
                     size_t most, KeywordSet taken)
    : positional_(values, static_cast<size_t>(positional)) {
  if (positional_.size() < least || positional_.size() > most) {
    const std::string number =
        least == most ? std::to_string(least)
                      : std::to_string(least) + " to " + std::to_string(most);
    RaiseType(std::string(function) + "() takes " + number +
              " positional arguments, not " +
              std::to_string(positional_.size()));
  }
  if (keywords == nullptr) return;
  const Py_ssize_t count = PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const name = PyTuple_GET_ITEM(keywords, i);
    const auto found = FindKeyword(name);
    if (!found || (taken >> *found & 1) == 0) {
      std::string known;
      for (size_t k = 0; k < kKeywords; ++k) {
        if ((taken >> k & 1) == 0) continue;
        if (!known.empty()) known += ", ";
        known += kKeywordNames[k];
      }
      const char* const text = TextOf(name);
      RaiseType(std::string(function) +
                "() got an unexpected keyword argument " +
                (text == nullptr ? Show(name) : "'" + std::string(text) + "'") +
                "; there are " + known);
    }
    PyObject* const value = values[positional + i];
    if (value != Py_None) given_[*found] = value;
  }
}

Rule ReadRule(PyObject* value) {
  if (const char* const text = TextOf(value)) {
    if (const auto rule = FindRule(text)) return *rule;
  }
  Raise({.error_class = ErrorClass::kUnknown, .detail = Detail::kRule},
        "There is no rule " + Show(value) +
            ". There are: " + ListNames(AllRules()) + ".");
}

Op ReadOp(PyObject* value) {
  if (const char* const text = TextOf(value)) {
    if (const auto op = FindOp(text)) return *op;
  }
  Raise({.error_class = ErrorClass::kUnknown, .detail = Detail::kOp},
        "There is no operator " + Show(value) +
            ". There are: " + ListNames(AllOps()) + ".");
}

std::string ReadText(PyObject* value, std::string_view what) {
  if (PyUnicode_Check(value)) {
    Py_ssize_t length = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(value, &length);
    if (text != nullptr) return {text, static_cast<size_t>(length)};
    PyErr_Clear();
    Raise({.error_class = ErrorClass::kAttribute},
          std::string(what) + " has a lone surrogate, which is half of a " +
              "character: " + Show(value) + " cannot be written as UTF-8.");
  }
  Raise(
      {.error_class = ErrorClass::kAttribute},
      std::string(what) + " has to be a text (str), not " + Show(value) + ".");
}

std::vector<std::string> ReadTexts(PyObject* value, std::string_view what) {
  const nb::object list = Sequence(value);
  if (!list.is_valid()) {
    Raise({.error_class = ErrorClass::kAttribute},
          std::string(what) + " has to be a list of texts (str), not " +
              Show(value) + ".");
  }
  std::vector<std::string> texts;
  for (PyObject* const item : Items(list)) {
    texts.push_back(ReadText(item, what));
  }
  return texts;
}

int64_t ReadInteger(PyObject* value, const Error& error,
                    std::string_view what) {
  // The common case first: PyNumber_Index of an int is the int itself.
  PyObject* const index = PyNumber_Index(value);
  Error found = error;
  if (index == nullptr) {
    ThrowUnlessCauseOrType();
    if (PyFloat_Check(value)) found.detail = Detail::kFractional;
    Raise(found, std::string(what) + " has to be a whole number (int), not " +
                     Show(value) + ".");
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
  Py_DECREF(index);
  if (overflow != 0) {
    found.detail = Detail::kUnsafe;
    Raise(found,
          std::string(what) + " is beyond 64 bits: " + Show(value) + ".");
  }
  return number;
}

Integers ReadIntegers(PyObject* value, const Error& error,
                      std::string_view what) {
  const nb::object sequence = Sequence(value);
  if (!sequence.is_valid()) {
    Raise(error, std::string(what) +
                     " has to be a list of whole numbers, as (2, 3), not " +
                     Show(value) + ".");
  }
  Integers integers;
  // The number of items is asked for anew: __index__ may run the caller's code.
  const size_t count = Items(sequence).size();
  if (!integers.Reset(count, DefaultAllocator())) RaiseNoMemory();
  for (size_t i = 0; i < count; ++i) {
    const auto items = Items(sequence);
    if (i >= items.size()) {
      Raise(error, std::string(what) + " changed while it was read.");
    }
    const nb::object item = nb::borrow(items[i]);
    Error at = error;
    at.operand_axis = static_cast<int32_t>(i);
    integers[i] = ReadInteger(
        item.ptr(), at, std::string(what) + ", entry " + std::to_string(i));
  }
  return integers;
}

nb::object TupleOf(PyObject* value) {
  if (!PyList_Check(value) && !PyTuple_Check(value)) return {};
  PyObject* const tuple = PySequence_Tuple(value);
  if (tuple == nullptr) ThrowUnlessCauseOrType();
  return nb::steal(tuple);
}

Shapes::Shapes(PyObject* list) {
  const nb::object sequence = Sequence(list);
  if (!sequence.is_valid()) {
    Raise({.error_class = ErrorClass::kArity},
          "A list of shapes is needed, as [(2, 3), (3,)], not " + Show(list) +
              ".");
  }
  for (size_t i = 0; i < Items(sequence).size(); ++i) {
    nb::object item = nb::borrow(Items(sequence)[i]);
    const auto operand = static_cast<int32_t>(i);
    // Lists have no shape, and tuples neither.
    if (!PyTuple_Check(item.ptr()) && !PyList_Check(item.ptr())) {
      PyObject* const shape = PyObject_GetAttrString(item.ptr(), "shape");
      if (shape == nullptr) {
        ThrowUnlessCause();
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
          Raise({.error_class = ErrorClass::kExtent, .operand = operand},
                "The shape of " + OperandName(operand) +
                    " cannot be read (the reason is above).");
        }
        PyErr_Clear();
      } else {
        item = nb::steal(shape);
      }
    }
    shapes_.push_back(ReadIntegers(
        item.ptr(), {.error_class = ErrorClass::kExtent, .operand = operand},
        "The shape of " + OperandName(operand)));
  }
  for (const Integers& shape : shapes_) views_.push_back(shape.view());
}

BroadcastRequest Options::Request(Rule rule,
                                  std::span<const ShapeView> operands) const {
  return {.rule = rule,
          .operands = operands,
          .axis = values.axis,
          .target_shape = values.target_shape,
          .axes_mapping = values.axes_mapping,
          .dtype = dtype,
          .policy = values.policy,
          .axis_names = values.axis_names};
}

void Options::Read(const Arguments& arguments) {
  const Error wrong{.error_class = ErrorClass::kAttribute};
  if (PyObject* const value = arguments[Keyword::rule]) {
    values.rule = ReadRule(value);
  }
  if (PyObject* const value = arguments[Keyword::axis]) {
    values.axis =
        ReadInteger(value, {.error_class = ErrorClass::kAxis}, "axis");
  }
  if (PyObject* const value = arguments[Keyword::target_shape]) {
    SetTarget(ReadIntegers(
        value, {.error_class = ErrorClass::kExtent, .operand = kTargetOperand},
        "target_shape"));
  }
  if (PyObject* const value = arguments[Keyword::axes_mapping]) {
    mapping_ = ReadIntegers(value, {.error_class = ErrorClass::kAxesMapping},
                            "axes_mapping");
    values.axes_mapping = mapping_.view();
  }
  if (PyObject* const value = arguments[Keyword::policy]) ReadPolicy(value);
  if (PyObject* const value = arguments[Keyword::names]) ReadNames(value);
  if (PyObject* const value = arguments[Keyword::promote]) {
    const char* const text = TextOf(value);
    const std::string_view name = text == nullptr ? "" : text;
    if (name != "strict" && name != "numpy2") {
      Raise(wrong,
            "promote is 'strict', which refuses mixed element types, or "
            "'numpy2', which promotes them as NumPy 2 does, not " +
                Show(value) + ".");
    }
    promote = name == "numpy2";
  }
  OpAttributes& attributes = values.attributes;
  if (PyObject* const value = arguments[Keyword::fmod]) {
    attributes.fmod = ReadInteger(value, wrong, "fmod");
  }
  if (PyObject* const value = arguments[Keyword::saturate]) {
    attributes.saturate = ReadInteger(value, wrong, "saturate");
  }
  if (PyObject* const value = arguments[Keyword::direction]) {
    const char* const text = TextOf(value);
    const std::string_view name = text == nullptr ? "" : text;
    if (name != "left" && name != "right") {
      Raise(wrong, "direction is 'left' or 'right', not " + Show(value) + ".");
    }
    attributes.direction =
        name == "left" ? ShiftDirection::kLeft : ShiftDirection::kRight;
  }
}

void Options::ReadPolicy(PyObject* policy) {
  const char* const text = TextOf(policy);
  const std::string_view name = text == nullptr ? "" : text;
  if (name == Info(Detail::kRankPromotion).name) {
    values.policy.inserts = false;
  } else if (name == Info(Detail::kStretching).name) {
    values.policy.stretches = false;
  } else if (name == Info(Detail::kAxisNames).name) {
    values.policy.same_names = true;
  } else {
    const nb::object allowed = Sequence(policy);
    bool is_known = allowed.is_valid();
    values.policy.inserts = values.policy.stretches = false;
    for (size_t i = 0; is_known && i < Items(allowed).size(); ++i) {
      const char* const word = TextOf(Items(allowed)[i]);
      const std::string_view relation = word == nullptr ? "" : word;
      if (relation == broadloom::Name(Relation::kInsert)) {
        values.policy.inserts = true;
      } else if (relation == broadloom::Name(Relation::kStretch)) {
        values.policy.stretches = true;
      } else {
        is_known = relation == broadloom::Name(Relation::kMatch);
      }
    }
    if (is_known) return;
    Raise({.error_class = ErrorClass::kAttribute},
          "policy is 'no_rank_promotion', 'no_stretching', 'same_names', or a "
          "list of the relations that are allowed ('match', 'insert', "
          "'stretch'), not " +
              Show(policy) + ".");
  }
}

void Options::ReadNames(PyObject* names) {
  const auto refuse = [](PyObject* value) {
    Raise({.error_class = ErrorClass::kAttribute, .detail = Detail::kAxisNames},
          "names has for each operand a list with a name for each axis, as "
          "[['batch', 'head'], ['head']], not " +
              Show(value) + ".");
  };
  const nb::object operands = Sequence(names);
  if (!operands.is_valid()) refuse(names);
  std::vector<size_t> counts;
  for (size_t i = 0; i < Items(operands).size(); ++i) {
    PyObject* const given = Items(operands)[i];
    const nb::object axes = given == Py_None ? nb::list() : Sequence(given);
    if (!axes.is_valid()) refuse(given);
    counts.push_back(Items(axes).size());
    for (PyObject* const name : Items(axes)) {
      if (name != Py_None && !PyUnicode_Check(name)) refuse(name);
      texts_.push_back(name == Py_None ? std::string()
                                       : ReadText(name, "A name of an axis"));
    }
  }
  size_t next = 0;
  for (const size_t count : counts) {
    auto& own = names_.emplace_back();
    for (size_t i = 0; i < count; ++i) own.push_back(texts_[next++]);
  }
  for (const auto& own : names_) name_views_.push_back(own);
  values.axis_names = name_views_;
}

}  // namespace broadloom_python
