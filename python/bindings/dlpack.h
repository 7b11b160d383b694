// The records by which programs exchange tensors, as the DLPack specification
// lays them out (versions 0 and 1), and the lifetime of one.

#ifndef BROADLOOM_PYTHON_DLPACK_H_
#define BROADLOOM_PYTHON_DLPACK_H_

#include <cstdint>

#include "numpy_api.h"

namespace broadloom_python::dlpack {

enum DeviceType : int32_t { kCpu = 1, kCudaHost = 3, kRocmHost = 11 };

enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8E4M3FN = 10,
  kFloat8E5M2 = 12,
};

struct Device {
  DeviceType type;
  int32_t id;
};

struct Type {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  int32_t rank;
  Type type;
  int64_t* shape;
  int64_t* strides;  // in elements; null: dense
  uint64_t byte_offset;
};

// Version 0: what a capsule "dltensor" holds.
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

// Version 1: what a capsule "dltensor_versioned" holds.
struct ManagedVersioned {
  uint32_t major;
  uint32_t minor;
  void* context;
  void (*deleter)(ManagedVersioned*);
  uint64_t flags;
  Tensor tensor;
};

inline constexpr uint64_t kReadOnly = 1;

// What is taken out of a capsule.
struct Taken {
  const Tensor* tensor = nullptr;
  bool is_writable = false;
  nb::object owner;  // gives the tensor back when it is destroyed
};

// The tensor of a capsule, which is used up, or of an object with __dlpack__.
// Throws BroadcastError for a capsule that was used before, for memory that the
// processor cannot read, and for what the object's __dlpack__ raises.
Taken Take(PyObject* object, int32_t operand);

// Whether an object is one of the two.
bool IsTensor(PyObject* object);

}  // namespace broadloom_python::dlpack

#endif  // BROADLOOM_PYTHON_DLPACK_H_
