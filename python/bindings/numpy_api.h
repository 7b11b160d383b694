// NumPy's C interface, which each file of the module shares. module.cc loads
// it, before anything else runs.

#ifndef BROADLOOM_PYTHON_NUMPY_API_H_
#define BROADLOOM_PYTHON_NUMPY_API_H_

#include <nanobind/nanobind.h>

#define NPY_NO_DEPRECATED_API NPY_1_25_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL broadloom_numpy_api
#if !defined(BROADLOOM_LOADS_NUMPY)
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

namespace broadloom_python {

namespace nb = nanobind;

static_assert(
    sizeof(npy_intp) == sizeof(int64_t),
    "extents and strides of NumPy arrays are read as 64-bit integers");

inline PyArrayObject* AsArray(PyObject* object) {
  return reinterpret_cast<PyArrayObject*>(object);
}

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_NUMPY_API_H_
