#include "errors.h"

#include <string>
#include <string_view>

namespace broadloom_python {

namespace {

template <class T>
nb::object NameOrNone(const std::optional<T>& value) {
  if (!value) return nb::none();
  return Str(Info(*value).name);
}

nb::object IndexOrNone(int32_t index) {
  if (index == kAbsent) return nb::none();
  return nb::int_(index);
}

nb::object TextOrNone(std::string_view text) {
  if (text.empty()) return nb::none();
  return Str(text);
}

nb::dict Fields(const Error& error) {
  nb::dict fields;
  fields["error_class"] = Str(Info(error.error_class).name);
  fields["detail"] = TextOrNone(Info(error.detail).name);
  fields["rule"] = NameOrNone(error.rule);
  fields["clause"] = TextOrNone(Info(error.clause).name);
  fields["op"] = NameOrNone(error.op);
  fields["operand"] = IndexOrNone(error.operand);
  fields["other_operand"] = IndexOrNone(error.other_operand);
  fields["axis"] = IndexOrNone(error.axis);
  fields["operand_axis"] = IndexOrNone(error.operand_axis);
  fields["other_axis"] = IndexOrNone(error.other_axis);
  fields["extent"] = nb::int_(error.extent);
  fields["other_extent"] = nb::int_(error.other_extent);
  fields["dtype"] = NameOrNone(error.dtype);
  fields["other_dtype"] = NameOrNone(error.other_dtype);
  fields["span"] = nb::none();
  if (error.text_end != 0) {
    fields["span"] = nb::make_tuple(error.text_begin, error.text_end);
  }
  return fields;
}

// Whether an error is about shapes, so that their alignment explains it.
bool IsAboutShapes(const Error& error) {
  switch (error.error_class) {
    case ErrorClass::kIncompatible:
    case ErrorClass::kRank:
    case ErrorClass::kAxis:
    case ErrorClass::kAxesMapping:
    case ErrorClass::kNegativeDim:
    case ErrorClass::kPolicy:
    case ErrorClass::kOverflow:
      return true;
    default:
      return false;
  }
}

nb::object PolicyOf(const Policy& policy) {
  if (policy.same_names) return Str(Info(Detail::kAxisNames).name);
  nb::list allowed;
  allowed.append(Str(Name(Relation::kMatch)));
  if (policy.inserts) allowed.append(Str(Name(Relation::kInsert)));
  if (policy.stretches) allowed.append(Str(Name(Relation::kStretch)));
  return allowed;
}

// What explain() is asked about an error; None for errors about other things.
nb::object Explained(const Error& error, const Question* question) {
  if (question == nullptr || !IsAboutShapes(error)) return nb::none();
  return QuestionDict(*question);
}

std::string Sentence(const Error& error) {
  std::string text(Describe(error, {}), ' ');
  (void)Describe(error, text);
  return text;
}

nb::object Make(const Error& error, std::string_view message,
                nb::object question) {
  return nb::module_::import_("broadloom._errors")
      .attr("make_error")(Str(message), Fields(error), std::move(question));
}

[[noreturn]] void Throw(const nb::object& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())),
                  exception.ptr());
  throw nb::python_error();
}

}  // namespace

nb::dict QuestionDict(const Question& question) {
  const BroadcastRequest& request = question.request;
  nb::dict asked;
  asked["rule"] = Str(Info(request.rule).name);
  nb::list shapes;
  for (const ShapeView shape : request.operands) {
    shapes.append(ShapeTuple(shape));
  }
  asked["shapes"] = nb::tuple(shapes);
  if (question.op) asked["op"] = Str(Info(*question.op).name);
  if (request.axis) asked["axis"] = *request.axis;
  if (request.target_shape) {
    asked["target_shape"] = ShapeTuple(*request.target_shape);
  }
  if (request.axes_mapping) {
    asked["axes_mapping"] = ShapeTuple(*request.axes_mapping);
  }
  if (request.dtype) asked["dtype"] = Str(Info(*request.dtype).name);
  if (request.policy != Policy()) asked["policy"] = PolicyOf(request.policy);
  if (!request.axis_names.empty()) {
    nb::list names;
    for (const auto& of_operand : request.axis_names) {
      nb::list own;
      for (const std::string_view name : of_operand) own.append(Str(name));
      names.append(own);
    }
    asked["names"] = names;
  }
  return asked;
}

nb::object MakeException(const Error& error, const Question* question) {
  return Make(error, Sentence(error), Explained(error, question));
}

void Raise(const Error& error, const Question* question) {
  Throw(MakeException(error, question));
}

void Raise(const Error& error, std::string_view message) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  const nb::object exception = Make(error, message, nb::none());
  if (value != nullptr) {
    Py_INCREF(value);
    PyException_SetCause(exception.ptr(), value);
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  Throw(exception);
}

void ThrowUnlessCause() {
  if (!PyErr_ExceptionMatches(PyExc_Exception) ||
      PyErr_ExceptionMatches(PyExc_MemoryError)) {
    throw nb::python_error();
  }
}

void ThrowUnlessCauseOrType() {
  ThrowUnlessCause();
  if (PyErr_ExceptionMatches(PyExc_TypeError)) PyErr_Clear();
}

void RaiseNoMemory() { Raise({.error_class = ErrorClass::kAllocation}); }

std::string Show(PyObject* value) {
  constexpr size_t kMost = 60;
  // An error that is set stays: it is the cause of the one to come.
  PyObject *pending_type, *pending, *trace;
  PyErr_Fetch(&pending_type, &pending, &trace);
  const std::string type = Py_TYPE(value)->tp_name;
  PyObject* const repr = PyObject_Repr(value);
  Py_ssize_t length = 0;
  const char* const text =
      repr == nullptr ? nullptr : PyUnicode_AsUTF8AndSize(repr, &length);
  std::string shown = type;
  if (text == nullptr) {
    PyErr_Clear();  // a repr that fails says nothing
  } else if (static_cast<size_t>(length) <= kMost &&
             std::string_view(text).find('\n') == std::string_view::npos) {
    shown = std::string(text, static_cast<size_t>(length)) + " (" + type + ")";
  }
  Py_XDECREF(repr);
  PyErr_Restore(pending_type, pending, trace);
  return shown;
}

std::string OperandName(int32_t operand) {
  char text[32];
  return {text, FormatOperand(operand, text)};
}

nb::tuple ShapeTuple(ShapeView shape) {
  PyObject* const tuple = PyTuple_New(static_cast<Py_ssize_t>(shape.size()));
  if (tuple == nullptr) throw nb::python_error();
  for (size_t i = 0; i < shape.size(); ++i) {
    PyObject* const extent = PyLong_FromLongLong(shape[i]);
    if (extent == nullptr) {
      Py_DECREF(tuple);
      throw nb::python_error();
    }
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), extent);
  }
  return nb::steal<nb::tuple>(tuple);
}

}  // namespace broadloom_python
