// Repeating operands into a shape, and the adjoint: sums back to one.

#ifndef BROADLOOM_PYTHON_BROADCASTS_H_
#define BROADLOOM_PYTHON_BROADCASTS_H_

#include "numpy_api.h"

namespace broadloom_python {

// Adds broadcast_to, broadcast and sum_to.
void AddBroadcasts(nb::module_& module);

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_BROADCASTS_H_
