#include "dlpack.h"

#include <limits>
#include <string>

#include "arguments.h"
#include "errors.h"

namespace broadloom_python::dlpack {

namespace {

constexpr const char* kName = "dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";
constexpr const char* kOwner = "broadloom.dlpack";

[[noreturn]] void Refuse(int32_t operand, const std::string& why) {
  Raise({.error_class = ErrorClass::kAttribute, .operand = operand},
        OperandName(operand) + ": " + why);
}

void CheckDevice(int32_t type, int32_t operand) {
  if (type == kCpu || type == kCudaHost || type == kRocmHost) return;
  Refuse(operand,
         "the tensor is not in the processor's memory (DLPack device type " +
             std::to_string(type) +
             "): copy it there first, with x.cpu() (PyTorch), x.get() (CuPy) "
             "or jax.device_get(x).");
}

// The first item of what __dlpack_device__ returns.
int32_t ReadDeviceType(PyObject* device, int32_t operand) {
  const nb::object pair = TupleOf(device);
  if (pair.is_valid() && PyTuple_GET_SIZE(pair.ptr()) == 2) {
    int overflow = 0;
    const nb::object index =
        nb::steal(PyNumber_Index(PyTuple_GET_ITEM(pair.ptr(), 0)));
    const long type = index.is_valid()
                          ? PyLong_AsLongAndOverflow(index.ptr(), &overflow)
                          : -1;
    if (type >= 0 && type <= std::numeric_limits<int32_t>::max()) {
      return static_cast<int32_t>(type);
    }
    if (!index.is_valid()) ThrowUnlessCauseOrType();
  }
  Refuse(operand,
         "its __dlpack_device__ returns no pair of a device type and a number, "
         "but " +
             Show(device) + ": give an array of NumPy instead.");
}

// Keeps a managed tensor, and calls its deleter when the capsule is destroyed.
template <class Record>
nb::object Keep(Record* record) {
  PyObject* const owner = PyCapsule_New(record, kOwner, [](PyObject* capsule) {
    auto* const kept =
        static_cast<Record*>(PyCapsule_GetPointer(capsule, kOwner));
    if (kept->deleter != nullptr) kept->deleter(kept);
  });
  if (owner == nullptr) {
    if (record->deleter != nullptr) record->deleter(record);
    throw nb::python_error();
  }
  return nb::steal(owner);
}

Taken TakeCapsule(PyObject* capsule, int32_t operand) {
  if (PyCapsule_IsValid(capsule, kVersionedName)) {
    auto* const record = static_cast<ManagedVersioned*>(
        PyCapsule_GetPointer(capsule, kVersionedName));
    if (record->major != 1) {
      Refuse(operand, "the capsule is of DLPack " +
                          std::to_string(record->major) +
                          ", where version 1 is read: give x.numpy(), or "
                          "another array of NumPy, instead.");
    }
    CheckDevice(record->tensor.device.type, operand);
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
    return {.tensor = &record->tensor,
            .is_writable = (record->flags & kReadOnly) == 0,
            .owner = Keep(record)};
  }
  if (PyCapsule_IsValid(capsule, kName)) {
    auto* const record =
        static_cast<Managed*>(PyCapsule_GetPointer(capsule, kName));
    CheckDevice(record->tensor.device.type, operand);
    PyCapsule_SetName(capsule, "used_dltensor");
    // Whether it may be written is not said by capsules of version 0.
    return {
        .tensor = &record->tensor, .is_writable = false, .owner = Keep(record)};
  }
  const char* const name = PyCapsule_GetName(capsule);
  if (name != nullptr && std::string_view(name).starts_with("used_dltensor")) {
    Refuse(operand,
           "the DLPack capsule was used before, and holds a tensor only once: "
           "give the tensor itself, or a new capsule of its __dlpack__().");
  }
  PyErr_Clear();
  Refuse(operand, "the capsule holds no DLPack tensor.");
}

// Calls __dlpack__, for a capsule of version 1 where the object knows it.
nb::object CallExport(PyObject* object) {
  const nb::object method =
      nb::steal(PyObject_GetAttrString(object, "__dlpack__"));
  if (!method.is_valid()) throw nb::python_error();
  const nb::tuple none;
  nb::dict versioned;
  versioned["max_version"] = nb::make_tuple(1, 0);
  PyObject* capsule = PyObject_Call(method.ptr(), none.ptr(), versioned.ptr());
  if (capsule == nullptr && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    capsule = PyObject_CallNoArgs(method.ptr());
  }
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

}  // namespace

bool IsTensor(PyObject* object) {
  if (PyCapsule_CheckExact(object)) return true;
  // Of a class, __dlpack__ is not that of an object.
  return !PyType_Check(object) && PyObject_HasAttrString(object, "__dlpack__");
}

Taken Take(PyObject* object, int32_t operand) {
  if (PyCapsule_CheckExact(object)) return TakeCapsule(object, operand);
  try {
    // Asked for first, since an export may copy or wait for a device.
    if (PyObject_HasAttrString(object, "__dlpack_device__")) {
      const nb::object device =
          nb::steal(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
      if (!device.is_valid()) throw nb::python_error();
      CheckDevice(ReadDeviceType(device.ptr(), operand), operand);
    }
    const nb::object capsule = CallExport(object);
    if (PyCapsule_CheckExact(capsule.ptr())) {
      return TakeCapsule(capsule.ptr(), operand);
    }
  } catch (nb::python_error& error) {
    if (error.matches(
            nb::module_::import_("broadloom._errors").attr("BroadcastError")) ||
        !error.matches(PyExc_Exception)) {
      throw;
    }
    error.restore();
    Raise({.error_class = ErrorClass::kAttribute, .operand = operand},
          OperandName(operand) +
              ": its __dlpack__ refuses (the reason is above).");
  }
  Refuse(operand, "its __dlpack__ returns no capsule.");
}

}  // namespace broadloom_python::dlpack
