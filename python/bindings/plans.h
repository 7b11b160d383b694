// Plans that a program keeps.

#ifndef BROADLOOM_PYTHON_PLANS_H_
#define BROADLOOM_PYTHON_PLANS_H_

#include "numpy_api.h"

namespace broadloom_python {

// Adds the class Plan, and plan().
void AddPlans(nb::module_& module);

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_PLANS_H_
