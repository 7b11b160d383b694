// The rows of the core's vocabulary, and what it says about element types.

#ifndef BROADLOOM_PYTHON_VOCABULARY_H_
#define BROADLOOM_PYTHON_VOCABULARY_H_

#include "numpy_api.h"

namespace broadloom_python {

void AddVocabulary(nb::module_& module);

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_VOCABULARY_H_
