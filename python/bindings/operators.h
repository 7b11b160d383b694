// The operators, by name.

#ifndef BROADLOOM_PYTHON_OPERATORS_H_
#define BROADLOOM_PYTHON_OPERATORS_H_

#include <string>

#include "broadloom/broadloom.h"
#include "numpy_api.h"

namespace broadloom_python {

using namespace broadloom;

// What the module calls an operator: its method in words separated by
// underscores, with one behind the keywords of Python: squared_difference,
// and_.
std::string FunctionName(Op op);

// Adds a function for each operator but Broadcast, and `apply`.
void AddOperators(nb::module_& module);

// Computes `op`, as apply() does.
nb::object Compute(Op op, std::span<PyObject* const> inputs,
                   const class Options& options, PyObject* out);

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_OPERATORS_H_
