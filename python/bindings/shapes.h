// Questions about shapes: what rules say of them, and what explains it.

#ifndef BROADLOOM_PYTHON_SHAPES_H_
#define BROADLOOM_PYTHON_SHAPES_H_

#include "numpy_api.h"

namespace broadloom_python {

// Adds infer_shape, the class AlignmentMap, and the functions that return JSON,
// from which the package makes its objects.
void AddShapes(nb::module_& module);

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_SHAPES_H_
