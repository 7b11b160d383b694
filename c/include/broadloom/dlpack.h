// The structs by which libraries exchange tensors without a copy, as defined by
// DLPack 1.1 (document: "C API (dlpack.h)" of the DLPack project, dmlc/dlpack,
// include/dlpack/dlpack.h). Only their layout is fixed there; this file has no
// function. If another library's dlpack.h was included before, that one is
// used.

#ifndef BROADLOOM_DLPACK_H_
#define BROADLOOM_DLPACK_H_

#if !defined(DLPACK_DLPACK_H_)

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// DLPackVersion. A tensor of another major version has another layout behind
// `flags`: it can only be deleted.
typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

// DLDevice. Type 1 is the CPU.
typedef struct {
  int32_t device_type;
  int32_t device_id;
} DLDevice;

// DLDataType. Elements of less than 8 bits are packed, the first in the lowest
// bits, unless a flag says that they are padded.
typedef struct {
  uint8_t code;    // see below
  uint8_t bits;    // of one element
  uint16_t lanes;  // of a vector; 1 for others
} DLDataType;

// Codes of types.
enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLOpaqueHandle = 3,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6,
  kDLFloat8_e3m4 = 7,
  kDLFloat8_e4m3 = 8,
  kDLFloat8_e4m3b11fnuz = 9,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e4m3fnuz = 11,
  kDLFloat8_e5m2 = 12,
  kDLFloat8_e5m2fnuz = 13,
  kDLFloat8_e8m0fnu = 14
};

enum { kDLCPU = 1 };

// Bits of DLManagedTensorVersioned::flags.
#define DLPACK_FLAG_BITMASK_READ_ONLY ((uint64_t)1)
#define DLPACK_FLAG_BITMASK_IS_COPIED ((uint64_t)2)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED ((uint64_t)4)

// A tensor. Index (0,...,0) is at `data` + `byte_offset`.
typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null (up to DLPack 1.1): dense
  uint64_t byte_offset;
} DLTensor;

// A tensor with what frees it, as before DLPack 1.0.
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);  // may be null
} DLManagedTensor;

// A tensor with what frees it.
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);  // may be null
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

#ifdef __cplusplus
}
#endif

#endif  // DLPACK_DLPACK_H_

#endif  // BROADLOOM_DLPACK_H_
