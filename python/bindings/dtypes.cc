#include "dtypes.h"

#include <string>
#include <string_view>

#include "errors.h"

namespace broadloom_python {

namespace {

constexpr DType IntegerOf(size_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? DType::kI8 : DType::kU8;
    case 2:
      return is_signed ? DType::kI16 : DType::kU16;
    case 4:
      return is_signed ? DType::kI32 : DType::kU32;
    default:
      return is_signed ? DType::kI64 : DType::kU64;
  }
}

// The types that NumPy lacks, and what ml_dtypes calls them.
struct SmallType {
  DType dtype;
  std::string_view name;
};
constexpr SmallType kSmallTypes[] = {{DType::kBF16, "bfloat16"},
                                     {DType::kF8E4M3, "float8_e4m3fn"},
                                     {DType::kF8E5M2, "float8_e5m2"},
                                     {DType::kI4, "int4"},
                                     {DType::kU4, "uint4"}};

std::optional<DType> FindSmallType(PyArray_Descr* descr) {
  // A type of ml_dtypes is loaded by the program that made the array. Its
  // number is given out at run time, so it is known by its name.
  const std::string_view name = descr->typeobj->tp_name;
  for (const SmallType& type : kSmallTypes) {
    if (!name.ends_with(type.name)) continue;
    const std::string_view module =
        name.substr(0, name.size() - type.name.size());
    if (module.empty() || module == "ml_dtypes.") return type.dtype;
  }
  return std::nullopt;
}

int NumberOf(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return NPY_BOOL;
    case DType::kI8:
      return NPY_INT8;
    case DType::kI16:
      return NPY_INT16;
    case DType::kI32:
      return NPY_INT32;
    case DType::kI64:
      return NPY_INT64;
    case DType::kU8:
      return NPY_UINT8;
    case DType::kU16:
      return NPY_UINT16;
    case DType::kU32:
      return NPY_UINT32;
    case DType::kU64:
      return NPY_UINT64;
    case DType::kF16:
      return NPY_FLOAT16;
    case DType::kF32:
      return NPY_FLOAT32;
    case DType::kF64:
      return NPY_FLOAT64;
    case DType::kC64:
      return NPY_COMPLEX64;
    case DType::kC128:
      return NPY_COMPLEX128;
    default:
      return NPY_NOTYPE;
  }
}

}  // namespace

std::optional<DType> FindDType(PyArray_Descr* descr) {
  switch (descr->type_num) {
    case NPY_BOOL:
      return DType::kBool;
    case NPY_BYTE:
      return DType::kI8;
    case NPY_UBYTE:
      return DType::kU8;
    case NPY_SHORT:
      return DType::kI16;
    case NPY_USHORT:
      return DType::kU16;
    case NPY_INT:
      return IntegerOf(sizeof(int), true);
    case NPY_UINT:
      return IntegerOf(sizeof(int), false);
    case NPY_LONG:
      return IntegerOf(sizeof(long), true);
    case NPY_ULONG:
      return IntegerOf(sizeof(long), false);
    case NPY_LONGLONG:
      return DType::kI64;
    case NPY_ULONGLONG:
      return DType::kU64;
    case NPY_HALF:
      return DType::kF16;
    case NPY_FLOAT:
      return DType::kF32;
    case NPY_DOUBLE:
      return DType::kF64;
    case NPY_CFLOAT:
      return DType::kC64;
    case NPY_CDOUBLE:
      return DType::kC128;
    default:
      return descr->type_num < NPY_USERDEF ? std::nullopt
                                           : FindSmallType(descr);
  }
}

nb::object DescrOf(DType dtype) {
  const int number = NumberOf(dtype);
  if (number != NPY_NOTYPE) {
    return nb::steal(
        reinterpret_cast<PyObject*>(PyArray_DescrFromType(number)));
  }
  const Error error{.error_class = ErrorClass::kDType,
                    .detail = Detail::kUnsupported,
                    .dtype = dtype};
  const std::string name(Info(dtype).name);
  for (const SmallType& type : kSmallTypes) {
    if (type.dtype != dtype) continue;
    PyObject* const module = PyImport_ImportModule("ml_dtypes");
    if (module == nullptr) {
      Raise(error, "NumPy has no element type " + name +
                       ": install ml_dtypes, whose " + std::string(type.name) +
                       " it is.");
    }
    const nb::object held = nb::steal(module);
    PyArray_Descr* descr = nullptr;
    if (!PyArray_DescrConverter(held.attr(std::string(type.name).c_str()).ptr(),
                                &descr)) {
      throw nb::python_error();
    }
    return nb::steal(reinterpret_cast<PyObject*>(descr));
  }
  Raise(error, "No NumPy array holds elements of type " + name + ".");
}

DType ReadDType(PyObject* value) {
  const Error error{.error_class = ErrorClass::kUnknown,
                    .detail = Detail::kDTypeName};
  if (PyUnicode_Check(value)) {
    const char* const text = PyUnicode_AsUTF8(value);
    if (text == nullptr) {
      PyErr_Clear();  // a lone surrogate: no type has such a name
    } else {
      if (const auto dtype = broadloom::FindDType(text)) return *dtype;
      for (const SmallType& type : kSmallTypes) {
        if (type.name == text) return type.dtype;
      }
    }
  }
  PyArray_Descr* descr = nullptr;
  if (value != Py_None && PyArray_DescrConverter(value, &descr)) {
    const nb::object held = nb::steal(reinterpret_cast<PyObject*>(descr));
    const auto dtype = FindDType(descr);
    const bool is_native = PyArray_ISNBO(descr->byteorder);
    if (dtype && is_native &&
        (!PyUnicode_Check(value) ||
         held.attr("name").equal(nb::handle(value)))) {
      return *dtype;
    }
  }
  if (PyErr_Occurred()) ThrowUnlessCause();
  std::string names;
  for (const DTypeInfo& info : AllDTypes()) {
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  Raise(error, "There is no element type " + Show(value) + ". There are: " +
                   names + "; and NumPy's dtypes of native byte order.");
}

}  // namespace broadloom_python
