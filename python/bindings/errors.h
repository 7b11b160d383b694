// Errors of the core as Python exceptions.

#ifndef BROADLOOM_PYTHON_ERRORS_H_
#define BROADLOOM_PYTHON_ERRORS_H_

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "broadloom/broadloom.h"

namespace broadloom_python {

namespace nb = nanobind;
using namespace broadloom;

// The question that was refused: the exception explains it.
struct Question {
  std::optional<Op> op = std::nullopt;
  BroadcastRequest request;
};

// Throws a broadloom.BroadcastError with the fields of `error` and the core's
// sentence; with `question`, also what is known about the shapes.
[[noreturn]] void Raise(const Error& error, const Question* question = nullptr);

// The same with a sentence for what only Python can get wrong. The Python error
// that is set, if there is one, becomes the cause.
[[noreturn]] void Raise(const Error& error, std::string_view message);

// Throws MemoryError.
[[noreturn]] void RaiseNoMemory();

// The arguments of explain() that ask the question: rule, shapes and options.
nb::dict QuestionDict(const Question& question);

// The error as an exception that is not raised.
nb::object MakeException(const Error& error, const Question* question);

// The value of a result, or throws its error.
template <class T>
  requires(!std::is_void_v<T>)
T Expect(Result<T>&& result, const Question* question = nullptr) {
  if (!result) Raise(result.error(), question);
  return std::move(*result);
}
inline void Expect(const Status& status, const Question* question = nullptr) {
  if (!status) Raise(status.error(), question);
}

// After a call of Python that failed: throws what no error of this package
// explains, MemoryError and what is no Exception, as KeyboardInterrupt. Any
// other error stays set, so that Raise makes it the cause.
void ThrowUnlessCause();
// The same, and drops a TypeError: that a value is of another type is what the
// message will say.
void ThrowUnlessCauseOrType();

// How messages show a value: its type and as much of its repr as is read.
std::string Show(PyObject* value);

// The name of an operand, as the core's messages have it: "A", "the result".
std::string OperandName(int32_t operand);

nb::tuple ShapeTuple(ShapeView shape);

inline nb::str Str(std::string_view text) {
  return nb::str(text.data(), text.size());
}

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_ERRORS_H_
