// Element types as NumPy has them.

#ifndef BROADLOOM_PYTHON_DTYPES_H_
#define BROADLOOM_PYTHON_DTYPES_H_

#include <optional>

#include "broadloom/broadloom.h"
#include "numpy_api.h"

namespace broadloom_python {

using namespace broadloom;

// The type of a NumPy dtype, whatever its byte order, or none. Those that NumPy
// lacks are ml_dtypes'.
std::optional<DType> FindDType(PyArray_Descr* descr);

// The NumPy dtype of a type. Throws BroadcastError for u1, which NumPy lacks,
// and where ml_dtypes is needed and not installed.
nb::object DescrOf(DType dtype);

// An element type as an argument: a name of Broadloom, a NumPy dtype or scalar
// type. Other texts than Broadloom's names are NumPy's full names alone, as
// "float32": NumPy's "i8" has 64 bits, Broadloom's has 8.
DType ReadDType(PyObject* value);

// The type as which the core moves the elements. Each 4-bit element of an array
// of ml_dtypes has a byte of its own, while the core's i4 and u4 are packed.
constexpr DType StorageOf(DType dtype) {
  return dtype == DType::kI4 || dtype == DType::kU4 ? DType::kU8 : dtype;
}

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_DTYPES_H_
